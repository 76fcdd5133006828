"""Dealer script: the settlement as the dealer performs it, card handling and payments in order.

The payments are those of ``fourcard.settling``; the actions between them handle cards, each with its clause.
The order of hands in the discard rack allows every hand to be rebuilt in a dispute (MA-10f, MD-11D11b).
"""

from collections.abc import Iterable, Iterator
from itertools import dropwhile
from typing import Literal

import msgspec

from fourcard.hands import Category
from fourcard.meter import Meter
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.rulebook import Act, Procedure
from fourcard.settlers.cover_all import CoverAllSettler
from fourcard.settlers.envy import EnvySettler
from fourcard.settlers.showdown import DEALER, Seat, Showdown, Standing
from fourcard.settlers.wager_settler import PendingStep, SettlementStep, best_row, odds_by_row
from fourcard.settling import LAST_PASS, METER_WINNERS, PendingSteps, SettlementBook, Settler

DealerActionName = (
    Act
    | Literal[
        "display_odds",
        "reveal_bonus_card",
        "muck_hand",
        "leave_face_up",
        "hold_for_document",
        "leave_exposed",
        "remove_exposed",
        "rack_bonus_card",
        "settle_winners",
        "settle_last",
    ]
)
RACKING = frozenset[str](("muck_hand", "rack_hand", "remove_exposed", "rack_dealer", "rack_bonus_card"))
WITH_BONUS_CARD: dict[DealerActionName, DealerActionName] = {
    "reveal_dealer": "reveal_bonus_card",
    "rack_dealer": "rack_bonus_card",
}


class DealerAction(msgspec.Struct, frozen=True, gc=False):
    """Dealer action with cards or words, at a position; position 0 is the dealer's own hand."""

    act: DealerActionName
    position: int
    cards: tuple[int, ...]
    clauses: tuple[str, ...]


class DealerTurn(msgspec.Struct, frozen=True, gc=False):
    """Dealer turn: one act at a position or for all, with its pending steps and card actions."""

    act: DealerActionName
    position: int
    pending_steps: tuple[PendingStep, ...]
    actions: tuple[DealerAction, ...]


def dealer_turns(settler: Settler, showdown: Showdown) -> tuple[DealerTurn, ...]:
    """Return the non-empty turns of a settlement in order; meter awards are not priced yet."""
    return tuple(
        turn for turn in _Performance(settler, showdown).turns() if turn.pending_steps or turn.actions
    )


def settlement_script(
    settler: Settler, showdown: Showdown, meter: Meter | None = None
) -> tuple[DealerAction | SettlementStep, ...]:
    """Return every action and step of a settlement in order."""
    book = SettlementBook(meter)
    performed: list[DealerAction | SettlementStep] = []
    for turn in _Performance(settler, showdown).turns():
        performed += [*book.record(turn.pending_steps), *turn.actions]
    return tuple(performed)


def rack_order(performed: Iterable[DealerAction | SettlementStep]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the hands in the order of the discard rack."""
    actions = (done for done in performed if isinstance(done, DealerAction) and done.act in RACKING)
    return tuple((action.position, action.cards) for action in actions)


class _Performance:
    """State of one settlement: which hands lie face up, and which steps are pending."""

    def __init__(self, settler: Settler, showdown: Showdown) -> None:
        self.settler, self.showdown = settler, showdown
        self.pending_steps: PendingSteps = settler.pending_steps(showdown)
        rules = settler.game.rulebook.settlement
        self.acts_cited: dict[str, tuple[str, ...]] = {}
        for procedure in (rules.opening, rules.by_routine[settler.routine], rules.closing):
            self.acts_cited |= _cited(procedure)
        self.exposed: int | None = None
        self.face_up: list[Seat] = []
        envy = settler.wagers.get("envy")
        self.envied = _envied(envy, showdown) if isinstance(envy, EnvySettler) else {}
        self.held_hands = _hands_held(settler, self.pending_steps)
        wagered = any("cover_all" in seat.wagers for seat in showdown.seats)
        cover_all = settler.wagers.get("cover_all") if wagered else None
        self.cover_all = cover_all if isinstance(cover_all, CoverAllSettler) else None
        self.cover_all_hands = (
            _cover_all_hands(self.cover_all, showdown) if self.cover_all is not None else {}
        )

    def turns(self) -> Iterator[DealerTurn]:
        """Yield the turns from the showdown to the last card in the rack."""
        if shown := tuple(self._display()):
            yield DealerTurn("display_odds", DEALER, (), shown)
        for act, seat in self.settler.scheduled_acts(self.showdown, money_only=False):
            pending = tuple(self.pending_steps.due_at(act, seat))
            actions = self._with_hand(act, seat) if seat is not None else self._with_all(act)
            yield DealerTurn(act, DEALER if seat is None else seat.position, pending, tuple(actions))

    def _with_all(self, act: DealerActionName) -> Iterator[DealerAction]:
        """Yield actions with the dealer's own cards or with hands that leave the table together."""
        if act == "muck_hands":
            gone = (each for each in self.showdown.seats if each.standing in (Standing.MUCKED, Standing.LEFT))
            yield from (self._action("muck_hand", each, self._muck_clauses(each)) for each in gone)
        elif act == LAST_PASS:
            yield from (self._action("rack_hand", each, self._clauses("rack_hand")) for each in self.face_up)
        elif act not in ("collect_forfeits", METER_WINNERS):
            yield DealerAction(act, DEALER, self._dealer_cards(act), self._clauses(act))
            yield from self._bonus_card(act)

    def _with_hand(self, act: DealerActionName, seat: Seat) -> Iterator[DealerAction]:
        """Yield actions with a player's cards; money acts move no cards."""
        if act == "rack_hand":
            yield from self._put_away(seat)
        elif act not in ("settle", "take", "pay"):
            yield self._action(act, seat, self._clauses(act))

    def _put_away(self, seat: Seat) -> Iterator[DealerAction]:
        """Rack a hand, unless it stays for Envy, for a document, or as the highest for Cover All."""
        if seat.position in self.envied:
            self.face_up.append(seat)
            yield self._action("leave_face_up", seat, self.envied[seat.position])
        elif seat.position in self.held_hands:
            self.face_up.append(seat)
            yield self._action("hold_for_document", seat, self.held_hands[seat.position])
        elif self._is_highest(seat):
            yield from self._expose(seat)
        else:
            yield self._action("rack_hand", seat, self._clauses("rack_hand"))

    def _is_highest(self, seat: Seat) -> bool:
        """Say whether a hand may stay exposed and is higher than the one exposed so far (R6, MA-12i)."""
        place = self.cover_all_hands.get(seat.position)
        shown = [
            self.cover_all_hands[holder]
            for holder in (DEALER, self.exposed)
            if holder in self.cover_all_hands
        ]
        return place is not None and all(place < other for other in shown)

    def _expose(self, seat: Seat) -> Iterator[DealerAction]:
        """Leave a hand exposed and rack the lower one."""
        assert self.cover_all is not None
        clauses = clauses_of(self.cover_all.rules.exposed_from, self.cover_all.rules.highest_left_exposed)
        yield self._action("leave_exposed", seat, clauses)
        lower = [each for each in self.face_up if each.position == self.exposed]
        yield from (self._action("remove_exposed", each, clauses) for each in lower)
        self.face_up = [each for each in self.face_up if each not in lower] + [seat]
        self.exposed = seat.position

    def _muck_clauses(self, seat: Seat) -> tuple[str, ...]:
        """Return the clauses for mucking a hand before the showdown: folded without effect (R3), or left."""
        if seat.standing is Standing.LEFT:
            return clauses_of(self.settler.game.rulebook.leaving_may_lose_wagers)
        return (*self._clauses("muck_hands"), "R3")

    def _display(self) -> Iterator[DealerAction]:
        """Show the Cover All odds for the hands dealt (MA-12e.2)."""
        if self.cover_all is not None and is_set(self.cover_all.rules.odds_displayed):
            column = self.cover_all.column(self.showdown)
            rules = self.cover_all.rules
            yield DealerAction(
                "display_odds", DEALER, (), clauses_of(rules.odds_displayed, rules.counts_dealt, column)
            )

    def _bonus_card(self, act: DealerActionName) -> Iterator[DealerAction]:
        """Show and rack the bonus card together with the dealer's own (R76)."""
        card, moves = self.showdown.bonus_card, WITH_BONUS_CARD.get(act)
        if card is not None and moves is not None:
            yield DealerAction(moves, DEALER, (card,), ("R76",))

    def _dealer_cards(self, act: DealerActionName) -> tuple[int, ...]:
        """Return the dealer's cards of an act: the two unused, the best four, or all six."""
        best = self.showdown.dealer_hand.cards
        if act == "lay_unused_behind":
            return tuple(card for card in self.showdown.dealer if card not in best)
        return best if act == "announce_dealer" else self.showdown.dealer

    def _action(self, act: DealerActionName, seat: Seat, clauses: tuple[str, ...]) -> DealerAction:
        return DealerAction(
            act, seat.position, seat.hand.cards if act == "choose_hand" else seat.cards, clauses
        )

    def _clauses(self, act: DealerActionName) -> tuple[str, ...]:
        return self.acts_cited.get(act, ())


def _cited(procedure: Procedure) -> dict[str, tuple[str, ...]]:
    return {act: clauses_of(rule) for act, rule in procedure.items()}


def _envied(envy: EnvySettler, showdown: Showdown) -> dict[int, tuple[str, ...]]:
    """Return the positions whose hands stay face up because they win Envy for others."""
    rule = envy.rules.left_face_up
    if not is_set(rule):
        return {}
    return {due.step.holder: clauses_of(rule) for due in envy.pending_steps(showdown) if due.step.holder}


def _hands_held(settler: Settler, pending: PendingSteps) -> dict[int, tuple[str, ...]]:
    """Return the positions whose hands stay until a meter award is paid (P23)."""
    progressive = settler.game.rulebook.wagers.progressive
    rule = progressive.cards_stay_until_documented if progressive is not None else None
    picks_first = "settle" in dropwhile(lambda act: act != "rack_hand", settler.acts)
    waiting = {due.step.position: [due] for due in pending.winners}
    turns = pending.turns | waiting if picks_first else waiting
    if not is_set(rule):
        return {}
    return {place: clauses_of(rule) for place, turn in turns.items() if any(due.meter_award for due in turn)}


def _cover_all_hands(cover_all: CoverAllSettler, showdown: Showdown) -> dict[int, tuple[int, int]]:
    """Return the Cover All rank of every hand that may stay exposed: it pays, or is high enough (R6)."""
    if not cover_all.rules.highest_left_exposed.value:
        return {}
    odds, least = odds_by_row(cover_all.column(showdown)), cover_all.rules.exposed_from
    hands = {
        DEALER: showdown.dealer_hand,
        **{seat.position: seat.hand for seat in cover_all.counted(showdown)},
    }
    exposed: dict[int, tuple[int, int]] = {}
    for holder, hand in hands.items():
        if row := best_row(odds, hand.rows):
            exposed[holder] = [*odds].index(row), -hand.strength
        elif least and hand.category >= Category[least.value.upper()]:
            exposed[holder] = len(odds), -hand.strength
    return exposed
