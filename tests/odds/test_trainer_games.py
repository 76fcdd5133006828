"""Trainer games: the terms that a browser counts with are those that the solver counts with."""

from fractions import Fraction

import pytest

from fourcard.odds.decision_values import base_terms
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.trainer_games import TrainerGame, trainer_games
from fourcard.rules.loading import every_rulebook, rulebook, rulebook_ids
from fourcard.rules.paytables import paytable, selectable_tables

GAMES = trainer_games().games


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_strength_wins_what_the_terms_say(game: TrainerGame) -> None:
    chosen, counted = rulebook(game.id, game.edition), 0
    for bonus in game.bonuses:
        terms = base_terms(chosen, paytable(chosen, "automatic_bonus", bonus.id).pays)
        assert (terms.ante, terms.play) == (Fraction(game.ante), Fraction(game.play))
        assert (terms.ties_win, terms.least, terms.most) == (game.ties_win, game.least, game.most)
        for hand in hands_by_strength():
            won = [Fraction(row.value) for row in bonus.rows if row.first <= hand.strength <= row.last]
            assert (won or [Fraction(0)]) == [terms.bonus_for(hand.rows)]
            counted += 1
    assert counted == 2_535 * len(game.bonuses) > 0


def test_every_rulebook_and_every_bonus_table_is_there_once() -> None:
    assert [*dict.fromkeys(game.id for game in GAMES)] == [*rulebook_ids()]
    for chosen in every_rulebook():
        same = [game for game in GAMES if (game.id, game.edition) == (chosen.id, chosen.edition)]
        assert len(same) == 1 if chosen == rulebook(chosen.id) else len(same) <= 1
    for game in GAMES:
        assert [bonus.id for bonus in game.bonuses] == [
            *selectable_tables(rulebook(game.id), "automatic_bonus")
        ]
        assert game.default_bonus in {bonus.id for bonus in game.bonuses}
