"""Trainer games: the terms of every rulebook's base game, with what a hand of each strength wins.

The calculator and the drills count a position in the browser; with these terms they need no server.
"""

from collections.abc import Iterator, Mapping

import msgspec

from fourcard.answers import exact_text
from fourcard.money import Odds
from fourcard.odds.decision_values import BaseTerms, base_terms
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.paytable_lookup import find_printed_paytable
from fourcard.odds.verdicts import VERDICTS, Verdict
from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.rules.paytables import paytable, selectable_tables
from fourcard.rules.rulebook import Rulebook
from fourcard.settlers.wager_settler import best_row

BONUS = "automatic_bonus"


class TrainerBonusRow(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """One row of a bonus table, and the hands that win it."""

    row: str
    label: str
    pays: str
    """The printed text, such as ``25 to 1``."""
    value: str
    """What it pays per unit of Ante, as an exact fraction such as ``25/1``."""
    first: int
    """The lowest strength that wins this row."""
    last: int
    """The highest strength that wins this row; every strength from the lowest on wins it."""


class TrainerBonus(msgspec.Struct, frozen=True):
    """One table of the Automatic Bonus, its best row first."""

    id: str
    rows: tuple[TrainerBonusRow, ...]


class TrainerGame(msgspec.Struct, frozen=True):
    """The base game of one edition of a rulebook, on an Ante of one unit."""

    id: str
    """The rulebook's id."""
    edition: str
    name: str
    ante: str
    """What the Ante wins, as an exact fraction such as ``1/1``."""
    play: str
    ties_win: bool
    least: int
    """The smallest Play wager, in Antes."""
    most: int
    bonuses: tuple[TrainerBonus, ...]
    """The tables that an operator may choose."""
    default_bonus: str | None
    """The id of the table that is meant if none is chosen; None where the rulebook has no table."""


class TrainerGames(msgspec.Struct, frozen=True):
    """Every game that differs, in the order of the rulebooks, and what decisions are called by their cost."""

    games: tuple[TrainerGame, ...]
    verdicts: tuple[Verdict, ...] = VERDICTS
    """From the best to the worst."""


def trainer_games() -> TrainerGames:
    """Return the game of every rulebook in its default edition, and of editions with other terms."""
    return TrainerGames(tuple(_games()))


def _games() -> Iterator[TrainerGame]:
    for name in rulebook_ids():
        default = _trainer_game(rulebook(name))
        yield default
        for edition in rulebook(name).editions:
            other = _trainer_game(rulebook(name, edition))
            if msgspec.structs.replace(other, edition=default.edition) != default:
                yield other


def _trainer_game(chosen: Rulebook) -> TrainerGame:
    terms, ids = base_terms(chosen, {}), selectable_tables(chosen, BONUS)
    return TrainerGame(
        id=chosen.id,
        edition=chosen.edition,
        name=chosen.name,
        ante=exact_text(terms.ante),
        play=exact_text(terms.play),
        ties_win=terms.ties_win,
        least=terms.least,
        most=terms.most,
        bonuses=tuple(_trainer_bonus(chosen, table_id) for table_id in ids),
        default_bonus=find_printed_paytable(BONUS, None, chosen).id if ids else None,
    )


def _trainer_bonus(chosen: Rulebook, table_id: str) -> TrainerBonus:
    terms = base_terms(chosen, paytable(chosen, BONUS, table_id).pays)
    strengths = _strengths_by_row(terms)
    return TrainerBonus(
        table_id,
        tuple(
            _trainer_row(row, odds, strengths[row]) for row, odds in terms.bonus.items() if row in strengths
        ),
    )


def _strengths_by_row(terms: BaseTerms) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for hand in hands_by_strength():
        row = best_row(terms.bonus, hand.rows)
        if row is not None:
            found.setdefault(row, []).append(hand.strength)
    return found


def _trainer_row(row: str, odds: Odds, strengths: list[int]) -> TrainerBonusRow:
    first, last = strengths[0], strengths[-1]
    assert strengths == [*range(first, last + 1)], f"the hands of {row} do not follow each other"
    return TrainerBonusRow(row, row.replace("_", " "), str(odds), exact_text(odds.value), first, last)
