"""State of a round: a frozen struct that holds only what the events brought."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from fourcard.cards import DECK
from fourcard.dealing import Plan
from fourcard.round.events import IrregularityNoted, RoundVoided, Stake
from fourcard.round.rules import RoundRules
from fourcard.rules.limits import Moment
from fourcard.rules.nodes import WagerName
from fourcard.script import Turn
from fourcard.wagers.wager import Step

Phase = Literal["betting", "dealing", "stub", "deciding", "settling", "over", "void"]
FINISHED: tuple[Phase, ...] = ("over", "void")


class Place(msgspec.Struct, frozen=True, gc=False):
    """State of one position: its player, wagers, cards and decision."""

    position: int
    player: str
    wagers: Mapping[WagerName, int] = {}
    """All wagers of this round, Play included."""
    lying: Mapping[WagerName, int] = {}
    """The wagers that still lie on the layout."""
    unregistered: int = 0
    """The cents of a progressive chip that the system did not register."""
    cards: tuple[int, ...] = ()
    decision: int | None = None
    """The Play wager, 0 for a fold, None before the decision."""
    asked: bool = False
    """Whether the dealer asked the player: stay or fold?"""
    abandoned: bool = False
    presented: tuple[int, ...] = ()
    face_up: bool = False
    racked: bool = False


class RoundState(msgspec.Struct, frozen=True, gc=False):
    """The complete state of a round."""

    rules: RoundRules
    places: Mapping[int, Place]
    phase: Phase = "betting"
    count_due: bool = False
    """Whether the stub must be counted in this round."""
    moment: Moment = "betting"
    step: int = 0
    """How many steps of the current procedure are done."""
    stakes: tuple[Stake, ...] | None = None
    """The progressive wagers, once they are locked in."""
    chips_differ: tuple[int, int] | None = None
    """The counted chips and the accepted progressive wagers, where they differed (R65)."""
    plan: Plan | None = None
    move: int = 0
    dealer: tuple[int, ...] = ()
    up: int | None = None
    extra: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    burned: tuple[int, ...] = ()
    out: int = 0
    """The cards that have left the deck, as a bit mask."""
    discarded: tuple[int, ...] = ()
    """Cards found face up in the deck."""
    wrong_count: int | None = None
    """A wrong stub count that waits for its judgement."""
    looked: bool = False
    turns: tuple[Turn, ...] = ()
    turn: int = 0
    due: int = 0
    """How many settlement steps of the current turn are done, where an award interrupts it."""
    awaiting: Step | None = None
    undocumented: tuple[int, ...] = ()
    dealer_shown: bool = False
    bonus_shown: bool = False
    steps: tuple[Step, ...] = ()
    """All settlement steps so far."""
    rack: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """The hands in the discard rack, in the order in which they were put there."""
    notes: tuple[IrregularityNoted, ...] = ()
    voided: RoundVoided | None = None
    pockets: Mapping[int, int] = {}
    """By position, the cents that the player has gained or spent since the round began."""
    tray: int = 0
    meter: int = 0

    @property
    def layout(self) -> int:
        """Return the cents on the layout."""
        return sum(place.unregistered + sum(place.lying.values()) for place in self.places.values())

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """Return the positions that are dealt in."""
        wagers = self.rules.dealt_in
        return tuple(sorted(p for p, place in self.places.items() if not wagers.isdisjoint(place.wagers)))

    @property
    def seen(self) -> frozenset[int]:
        """Return the set of cards that have left the deck."""
        return frozenset(card for card in DECK if self.out >> card & 1)

    def cards_out(self) -> Iterator[int]:
        """Yield every card on the table, place by place."""
        for place in self.places.values():
            yield from place.cards
        for cards in (self.dealer, self.extra, self.bonus, self.burned, self.discarded):
            yield from cards

    @property
    def nets(self) -> dict[int, int]:
        """Return each position's net result so far; wagers on the layout still count as the player's own."""
        return {
            p: self.pockets.get(p, 0) + place.unregistered + sum(place.lying.values())
            for p, place in self.places.items()
        }


def begin(
    rules: RoundRules, seats: Mapping[int, str] | None = None, *, count_due: bool = False
) -> RoundState:
    """Return a new round that is open for wagers."""
    places = {position: Place(position, player) for position, player in sorted((seats or {}).items())}
    return RoundState(rules, places, count_due=count_due)
