"""Round view: what one viewer may see of a round now.

A view is built from what lies open, never by removing fields from the state. Players see their own cards once
they may look; everybody sees face-up cards; nobody sees face-down cards, not even the dealer. After the round
the floor and surveillance may look into the discard rack, for disputes (MA-10f).
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.cards import card_text, parse_cards
from fourcard.dealer_script import DealerActionName
from fourcard.hands import HAND_SIZES, best_hand
from fourcard.round.preconditions import next_step, positions_to_decide
from fourcard.round.prompts import PROMPTS
from fourcard.round.state import FINISHED_PHASES, PositionState, RoundPhase, RoundState
from fourcard.rules.cited import clauses_of
from fourcard.rules.procedures import IrregularityKind
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.wagers import WagerName

ViewerKind = Literal["onlooker", "seat", "dealer", "floor", "surveillance"]
FACE_DOWN = "??"


class Viewer(msgspec.Struct, frozen=True):
    """A viewer: an onlooker, a player by name, the dealer, the floor or surveillance."""

    kind: ViewerKind
    player: str = ""


ONLOOKER = Viewer("onlooker")
"""Somebody without a seat, who sees what everybody sees."""
ViewPath = tuple[str | int, ...]
"""Where a value stands in a view: field names, and indexes of lists."""


class PositionView(msgspec.Struct, frozen=True):
    """A position as one viewer sees it."""

    position: int
    player: str
    wagers: dict[WagerName, int]
    lying: dict[WagerName, int]
    cards: tuple[str, ...]
    """Each card, or ``??`` for one that is face down."""
    decision: Literal["play", "fold"] | None
    asked: bool
    abandoned: bool
    racked: bool
    net: int
    """The player's net result so far, in cents."""
    hand: str | None = None
    """The name of the hand, where all its cards are visible."""


class MoneyMovement(msgspec.Struct, frozen=True):
    """A movement of money, with the hand that decided it where that is visible."""

    position: int
    wager: WagerName
    action: Literal["take", "pay"]
    amount: int
    source: str
    clauses: tuple[str, ...]
    hand: str | None
    row: str | None
    odds: str | None


class NextStepView(msgspec.Struct, frozen=True):
    """The dealer's next step, with the clauses that order it."""

    step: str
    position: int
    clauses: tuple[str, ...]
    kept: DealerActionName | None = None
    """How the cards stay on the table, where a hand that is due to be racked must stay."""

    @property
    def prompt(self) -> str:
        """Return the dealer's prompt for the step."""
        return PROMPTS[self.kept or self.step]


class IrregularityView(msgspec.Struct, frozen=True):
    """An irregularity of the round."""

    irregularity: IrregularityKind
    consequences: tuple[str, ...]
    clauses: tuple[str, ...]
    position: int
    card: str | None


class RoundView(msgspec.Struct, frozen=True):
    """A round as one viewer sees it."""

    phase: RoundPhase
    bets_open: bool
    places: tuple[PositionView, ...]
    dealer: tuple[str, ...]
    up: str | None
    extra: int
    """How many cards lie face down in the extra stack."""
    bonus: tuple[str, ...]
    burned: int
    discarded: tuple[str, ...]
    due: NextStepView | None
    wrong_count: int | None
    """A wrong stub count that waits for its judgement."""
    deciding: int | None
    """The position that decides next."""
    award_awaited: int | None
    undocumented: tuple[int, ...]
    moved: tuple[MoneyMovement, ...]
    notes: tuple[IrregularityView, ...]
    void: tuple[str, ...]
    """The clauses that made the round void."""
    racked: tuple[int, ...]
    """The positions whose hands are in the discard rack, in order; 0 is the dealer."""
    rack: tuple[tuple[str, ...], ...] | None
    """The hands in the discard rack, for viewers who may look into it."""
    dealer_hand: str | None = None
    """The name of the dealer's hand, once it is revealed."""


KnownRound = tuple[RoundState, RoundView]
"""An earlier state of a round with a viewer's view of it."""


def round_view(state: RoundState, viewer: Viewer, known: KnownRound | None = None) -> RoundView:
    """Return what a viewer may see of a round now; parts that did not change are taken from a known view."""
    if known is not None and known[0].players_looked != state.players_looked:
        known = None
    waiting = positions_to_decide(state) if state.phase == "deciding" and state.players_looked else ()
    dealer = _dealer_cards(state)
    return RoundView(
        phase=state.phase,
        bets_open=state.betting_stage == "betting",
        places=tuple(_place_views(state, viewer, known)),
        dealer=dealer,
        up=None if state.up_card is None else card_text(state.up_card),
        extra=len(state.extra),
        bonus=_card_texts(state.bonus, open_=state.bonus_shown),
        burned=len(state.burned),
        discarded=_card_texts(state.discarded, open_=True),
        due=_next_step(state),
        wrong_count=state.wrong_count,
        deciding=waiting[0] if waiting else None,
        award_awaited=None if state.awaited_step is None else state.awaited_step.position,
        undocumented=state.undocumented_positions,
        moved=tuple(_movements(state, viewer, known)),
        notes=tuple(
            IrregularityView(
                note.irregularity,
                note.consequences,
                note.clauses,
                note.position,
                None if note.card is None else card_text(note.card),
            )
            for note in state.irregularities
        ),
        void=() if state.voided is None else state.voided.clauses,
        racked=tuple(position for position, _ in state.rack),
        rack=_rack_cards(state, viewer),
        dealer_hand=hand_name(dealer),
    )


def private_round_values(state: RoundState, viewer: Viewer) -> dict[ViewPath, Any]:
    """Return what a viewer sees of a round and an onlooker does not: own hands, or the discard rack."""
    if viewer.kind == "seat":
        return _own_values(state, viewer) if state.players_looked else {}
    rack = _rack_cards(state, viewer)
    return {} if rack is None else {("rack",): rack}


def _own_values(state: RoundState, viewer: Viewer) -> dict[ViewPath, Any]:
    """Return a player's own cards, and the hands that decided about own money, while they are face down."""
    values: dict[ViewPath, Any] = {}
    hidden = [place for place in state.positions.values() if not place.face_up]
    for place in (place for place in hidden if can_see(state, place, viewer)):
        index, cards = sorted(state.positions).index(place.position), _card_texts(place.cards, open_=True)
        values["places", index, "cards"], values["places", index, "hand"] = cards, hand_name(cards)
        for number, step in enumerate(state.steps):
            if step.position == place.position:
                values["moved", number, "hand"] = step.hand
    return values


def _next_step(state: RoundState) -> NextStepView | None:
    """Return the next step; after a wrong stub count that is the judgement."""
    if state.wrong_count is not None:
        return NextStepView("judge_count", 0, clauses_of(state.rules.duty("judges_wrong_count")))
    expected = next_step(state)
    if expected is None:
        return None
    return NextStepView(expected.step, expected.position, expected.clauses, expected.kept)


def can_see(state: RoundState, place: PositionState, viewer: Viewer) -> bool:
    """Say whether a viewer may see the cards of a position."""
    own = viewer.kind == "seat" and viewer.player == place.player
    return place.face_up or (own and state.players_looked)


@lru_cache(maxsize=4096)
def hand_name(cards: tuple[str, ...]) -> str | None:
    """Return the name of a hand, or None if a card is face down or the cards are too few or too many."""
    if FACE_DOWN in cards or len(cards) not in HAND_SIZES:
        return None
    return best_hand(parse_cards(" ".join(cards))).name


def _card_texts(cards: tuple[int, ...], *, open_: bool) -> tuple[str, ...]:
    return tuple(card_text(card) if open_ else FACE_DOWN for card in cards)


def _dealer_cards(state: RoundState) -> tuple[str, ...]:
    """Show the dealer's hand once it is revealed, and the up card from the start."""
    shown = (state.dealer_shown or card == state.up_card for card in state.dealer)
    return tuple(
        card_text(card) if open_ else FACE_DOWN for card, open_ in zip(state.dealer, shown, strict=True)
    )


def _same_place(before: RoundState, state: RoundState, position: int) -> bool:
    return before.positions.get(position) is state.positions[position]


def _place_views(state: RoundState, viewer: Viewer, known: KnownRound | None) -> Iterator[PositionView]:
    """Yield the positions in order; one whose state and result are as before keeps its view."""
    nets = state.nets
    before = {} if known is None else {view.position: view for view in known[1].places}
    for position, place in sorted(state.positions.items()):
        view = before.get(position)
        if known is None or view is None or not _same_place(known[0], state, position):
            yield _place_view(state, place, viewer, nets[position])
        else:
            yield view if view.net == nets[position] else replace(view, net=nets[position])


def _place_view(state: RoundState, place: PositionState, viewer: Viewer, net: int) -> PositionView:
    decided: Literal["play", "fold"] | None = None
    if place.play_amount is not None:
        decided = "play" if place.play_amount else "fold"
    cards = _card_texts(place.cards, open_=can_see(state, place, viewer))
    return PositionView(
        position=place.position,
        player=place.player,
        wagers=dict(place.wagers),
        lying=dict(place.on_layout),
        cards=cards,
        decision=decided,
        asked=place.asked_if_folding,
        abandoned=place.abandoned,
        racked=place.racked,
        net=net,
        hand=hand_name(cards),
    )


def _movements(state: RoundState, viewer: Viewer, known: KnownRound | None) -> Iterator[MoneyMovement]:
    """Yield the movements of money; one as before, at a position as before, keeps its view."""
    was, views = ((), ()) if known is None else (known[0].steps, known[1].moved)
    for number, step in enumerate(state.steps):
        known_step = number < len(was) and was[number] is step
        if known is not None and known_step and _same_place(known[0], state, step.position):
            yield views[number]
        else:
            yield _movement(state, step, viewer)


def _movement(state: RoundState, step: SettlementStep, viewer: Viewer) -> MoneyMovement:
    """Return a movement of money, without the hand where this viewer cannot see it."""
    seen = can_see(state, state.positions[step.position], viewer)
    return MoneyMovement(
        step.position,
        step.wager,
        step.action,
        step.amount,
        step.source,
        step.clauses,
        step.hand if seen else None,
        step.row,
        step.odds,
    )


def _rack_cards(state: RoundState, viewer: Viewer) -> tuple[tuple[str, ...], ...] | None:
    """Show the discard rack to the floor and surveillance once the round is finished."""
    if viewer.kind not in ("floor", "surveillance") or state.phase not in FINISHED_PHASES:
        return None
    return tuple(_card_texts(cards, open_=True) for _, cards in state.rack)
