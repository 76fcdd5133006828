"""A round and a table as the page gets them: what a viewer sees, with the names of hands and of next steps.

Nothing is looked up here but what the view already shows; a hand that does not lie open has no name.
"""

from functools import lru_cache
from typing import Literal

import msgspec

from fourcard.cards import parse_cards
from fourcard.hands import HAND_SIZES, best_hand
from fourcard.round.state import Phase
from fourcard.round.view import FACE_DOWN, DueView, Moved, NoteView, PlaceView, RoundView
from fourcard.rules.nodes import WagerName
from fourcard.table.state import TablePhase
from fourcard.table.view import TableView
from fourcard.wording import Sentence


class PlaceAnswer(msgspec.Struct, frozen=True):
    """A position as it is seen, with what its hand is called."""

    position: int
    player: str
    wagers: dict[WagerName, int]
    lying: dict[WagerName, int]
    cards: tuple[str, ...]
    """Each card, or ``??`` where it lies face down."""
    decision: Literal["play", "fold"] | None
    asked: bool
    abandoned: bool
    racked: bool
    net: int
    hand: str | None
    """What the cards are called, where all of them are seen."""


class DueAnswer(msgspec.Struct, frozen=True):
    """What the dealer does next, with its clauses and the sentence that a dealer is prompted with."""

    step: str
    position: int
    clauses: tuple[str, ...]
    prompt: str


class RoundAnswer(msgspec.Struct, frozen=True):
    """A round as one viewer sees it."""

    phase: Phase
    bets_open: bool
    places: tuple[PlaceAnswer, ...]
    dealer: tuple[str, ...]
    dealer_hand: str | None
    up: str | None
    extra: int
    bonus: tuple[str, ...]
    burned: int
    discarded: tuple[str, ...]
    due: DueAnswer | None
    deciding: int | None
    award_awaited: int | None
    moved: tuple[Moved, ...]
    notes: tuple[NoteView, ...]
    void: tuple[str, ...]
    racked: tuple[int, ...]
    rack: tuple[tuple[str, ...], ...] | None


class TableAnswer(msgspec.Struct, frozen=True):
    """A table as one viewer sees it."""

    phase: TablePhase
    game: str
    active: int
    seats: dict[int, str]
    number: int
    method: str
    round: RoundAnswer | None
    last: RoundAnswer | None
    """The round before, while no other is under way."""


class Told(msgspec.Struct, frozen=True):
    """One sentence of what happened, with its clauses and the position that it is about (0: nobody's)."""

    text: str
    clauses: tuple[str, ...]
    position: int


def told(sentence: Sentence) -> Told:
    """Return a sentence as the page gets it."""
    return Told(sentence.text, sentence.clauses, sentence.position or 0)


@lru_cache(maxsize=4096)
def hand_name(cards: tuple[str, ...]) -> str | None:
    """Return what cards are called, where they are enough for a hand and all of them are seen."""
    if FACE_DOWN in cards or len(cards) not in HAND_SIZES:
        return None
    return best_hand(parse_cards(" ".join(cards))).name


def round_answer(view: RoundView) -> RoundAnswer:
    """Return a round's view as the page gets it."""
    return RoundAnswer(
        phase=view.phase,
        bets_open=view.bets_open,
        places=tuple(map(_place, view.places)),
        dealer=view.dealer,
        dealer_hand=hand_name(view.dealer),
        up=view.up,
        extra=view.extra,
        bonus=view.bonus,
        burned=view.burned,
        discarded=view.discarded,
        due=None if view.due is None else _due(view.due),
        deciding=view.deciding,
        award_awaited=view.award_awaited,
        moved=view.moved,
        notes=view.notes,
        void=view.void,
        racked=view.racked,
        rack=view.rack,
    )


def table_answer(view: TableView) -> TableAnswer:
    """Return a table's view as the page gets it."""
    return TableAnswer(
        phase=view.phase,
        game=view.game,
        active=view.active,
        seats=view.seats,
        number=view.number,
        method=view.method,
        round=None if view.round is None else round_answer(view.round),
        last=None if view.last is None else round_answer(view.last),
    )


def _place(place: PlaceView) -> PlaceAnswer:
    return PlaceAnswer(
        position=place.position,
        player=place.player,
        wagers=place.wagers,
        lying=place.lying,
        cards=place.cards,
        decision=place.decision,
        asked=place.asked,
        abandoned=place.abandoned,
        racked=place.racked,
        net=place.net,
        hand=hand_name(place.cards),
    )


def _due(due: DueView) -> DueAnswer:
    return DueAnswer(due.step, due.position, due.clauses, due.prompt)
