"""Script of what people do at a simulated table; it looks at no card and repeats for a seed."""

from collections.abc import Iterator, Sequence
from random import Random

from fourcard.cards import DECK, DECK_SIZE
from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.rehearsal import on_console, wagers
from fourcard.house.table_book import TableBook
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    CompleteDocument,
    Deal,
    Fold,
    Perform,
    PlaceWager,
    Play,
    ReportIrregularity,
    SetHand,
    TakeSeat,
)
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.server.floor.deeds import Deed, Wait
from fourcard.table.commands import BeginRound
from fourcard.table.decide import decide
from fourcard.table.state import TableState
from tests.server.simulated import player, staff
from tests.strong_hands import strong_deck

SEATS = {1: "ann", 3: "bob", 5: "cat"}
STRANGER = "dee"
KINDS = ("strong", "void", "plain", "wrong count", "late")
"""Special rounds: rare hands, a void, nothing, a wrong stub count, an absent player."""
VOIDING = ("dealer_card_exposed", "wrong_number_of_cards", "more_face_up_cards", "one_face_up_card")
Given = tuple[AnyCommand, Actor]


class Script:
    """Decks and actions of one run."""

    def __init__(self, seed: str) -> None:
        """Start a script from a seed."""
        self.seed = seed

    def chance(self, *of: object) -> Random:
        """Return a random generator that is always the same for the same key."""
        return Random(f"{self.seed} {of}")

    def kind(self, number: int) -> str:
        """Return what is special about a round."""
        return KINDS[(number + Random(self.seed).randrange(len(KINDS))) % len(KINDS)]

    def order(self, game: Game, positions: Sequence[int], shuffle: int) -> tuple[int, ...]:
        """Return the order of a deck; every second one deals rare hands to some positions."""
        chance = self.chance("deck", shuffle)
        if shuffle % 2:
            return strong_deck(game, positions, chance)
        return tuple(chance.sample(DECK, DECK_SIZE))

    def wagers(self, game: Game, number: int) -> list[PlaceWager]:
        """Return the wagers of the people in a round."""
        return wagers(game, SEATS, self.chance("wagers", number))

    def decision(self, under_way: RoundState, number: int, position: int) -> Given | None:
        """Return a person's decision, or None for somebody who lets the time run out."""
        place, chance = under_way.places[position], self.chance("decision", number, position)
        times = chance.choice((0, 0, 1, 3))
        if self.kind(number) == "late" and chance.random() < 0.5:
            return None
        play = Play(position=position, amount=times * place.wagers["ante"])
        return (play if times else Fold(position=position)), player(place.player)

    def confirmation(self, book: TableBook, waits: Wait) -> Given:
        """Return what staff do for a pending progressive win."""
        if waits.for_ == "document":
            return CompleteDocument(position=waits.position, role="supervisor"), staff("eve")
        motion = on_console(book)
        assert motion is not None
        return motion, staff("eve")

    def trouble(self, state: TableState, following: Deed, step: int) -> Given | None:
        """Return what goes wrong before the house acts: a wrong count, or something that voids the round."""
        command, kind = following.command, self.kind(state.number)
        if isinstance(command, BeginRound) and self.kind(state.number + 1) == "wrong count":
            return BeginRound(count_stub=True), staff("dan")
        if isinstance(command, Perform) and command.step == "count_stub" and kind == "wrong count":
            return Perform(step="count_stub", count=(command.count or 0) - 1), staff("dan")
        if kind != "void" or state.round is None or self.chance("void", step).random() > 0.12:
            return None
        accepted = [
            report for report in self._reports(step) if not isinstance(decide(state, report), Refusal)
        ]
        return (accepted[0], staff("eve")) if accepted else None

    def _reports(self, step: int) -> Iterator[ReportIrregularity]:
        chance = self.chance("report", step)
        for kind in chance.sample(VOIDING, len(VOIDING)):
            card = None if "face_up" in kind else chance.randrange(DECK_SIZE)
            figures = {"position": 1, "count": 4} if kind == "wrong_number_of_cards" else {"card": card}
            yield ReportIrregularity(irregularity=kind, role="supervisor", **figures)  # type: ignore[arg-type]

    def probe(self, state: TableState, step: int) -> Given | None:
        """Return a command that somebody tries now and then, mostly out of turn."""
        chance = self.chance("probe", step)
        if state.round is None or chance.random() > 0.15:
            return None
        card, position = chance.randrange(DECK_SIZE), chance.choice((*SEATS, 2))
        name = chance.choice((*SEATS.values(), STRANGER))
        tried: tuple[Given, ...] = (
            (Play(position=position, amount=2_500), player(name)),
            (Fold(position=position), player(STRANGER)),
            (PlaceWager(position=position, wager="ante", amount=2_500), player(STRANGER)),
            (SetHand(position=position, cards=tuple(chance.sample(DECK, 4))), player(STRANGER)),
            (TakeSeat(position=position, player=name), player(name)),
            (Deal(cards=(card,)), staff("dan")),
            (_named("player_card_exposed", card, position), staff("flo")),
            (_named("one_face_up_card", card, 0), staff("dan")),
            (Perform(step="count_stub", count=chance.randrange(DECK_SIZE)), staff("flo")),
        )
        return chance.choice(tried)


def _named(kind: str, card: int, position: int) -> ReportIrregularity:
    figures = {"irregularity": kind, "card": card, "position": position, "role": "dealer"}
    return ReportIrregularity(**figures)  # type: ignore[arg-type]
