"""The state of a round: frozen, and nothing in it but what the events have told."""

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
    """One position: who sits there, what was wagered, what lies there still."""

    position: int
    player: str
    wagers: Mapping[WagerName, int] = {}
    """What was wagered in this round, the Play among it."""
    lying: Mapping[WagerName, int] = {}
    """What of it still lies on the layout."""
    unregistered: int = 0
    """A progressive chip that the system did not accept."""
    cards: tuple[int, ...] = ()
    decision: int | None = None
    """The Play wager, 0 for a fold, None before the decision."""
    asked: bool = False
    """Whether the dealer has asked what cards on the Play spot mean."""
    abandoned: bool = False
    presented: tuple[int, ...] = ()
    face_up: bool = False
    racked: bool = False


class RoundState(msgspec.Struct, frozen=True, gc=False):
    """Everything that is known of a round."""

    rules: RoundRules
    places: Mapping[int, Place]
    phase: Phase = "betting"
    count_due: bool = False
    """Whether the stub must be counted in this round."""
    moment: Moment = "betting"
    step: int = 0
    """How many steps of the procedure at hand are done."""
    stakes: tuple[Stake, ...] | None = None
    """The progressive wagers that stand, once they are locked."""
    chips_differ: tuple[int, int] | None = None
    """A count of the progressive chips and the accepted wagers, where they were not the same (R65)."""
    plan: Plan | None = None
    move: int = 0
    dealer: tuple[int, ...] = ()
    up: int | None = None
    extra: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    burned: tuple[int, ...] = ()
    out: int = 0
    """The cards that have left the deck, a bit each."""
    discarded: tuple[int, ...] = ()
    """Cards that were found face up in the deck."""
    wrong_count: int | None = None
    """A count of the stub that waits to be judged."""
    looked: bool = False
    turns: tuple[Turn, ...] = ()
    turn: int = 0
    due: int = 0
    """How much of the turn at hand has been settled, where an award interrupts it."""
    awaiting: Step | None = None
    undocumented: tuple[int, ...] = ()
    dealer_shown: bool = False
    bonus_shown: bool = False
    steps: tuple[Step, ...] = ()
    """Every movement of money of the settlement so far."""
    rack: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """The hands in the order in which they were put away."""
    notes: tuple[IrregularityNoted, ...] = ()
    voided: RoundVoided | None = None
    pockets: Mapping[int, int] = {}
    """What each position's player has more or less than before the round, in cents."""
    tray: int = 0
    meter: int = 0

    @property
    def layout(self) -> int:
        """Return the cents that lie on the layout."""
        return sum(place.unregistered + sum(place.lying.values()) for place in self.places.values())

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """Return the positions that cards are dealt to."""
        wanted = self.rules.dealt_in
        return tuple(sorted(p for p, place in self.places.items() if not wanted.isdisjoint(place.wagers)))

    @property
    def seen(self) -> frozenset[int]:
        """Return every card that has left the deck."""
        return frozenset(card for card in DECK if self.out >> card & 1)

    def cards_out(self) -> Iterator[int]:
        """Yield every card that has left the deck, wherever it lies."""
        for place in self.places.values():
            yield from place.cards
        for cards in (self.dealer, self.extra, self.bonus, self.burned, self.discarded):
            yield from cards

    @property
    def nets(self) -> dict[int, int]:
        """Return what each position has gained or lost, what lies on the layout being still its own."""
        return {
            p: self.pockets.get(p, 0) + place.unregistered + sum(place.lying.values())
            for p, place in self.places.items()
        }


def begin(
    rules: RoundRules, seats: Mapping[int, str] | None = None, *, count_due: bool = False
) -> RoundState:
    """Return a round that is open for wagers."""
    places = {position: Place(position, player) for position, player in sorted((seats or {}).items())}
    return RoundState(rules, places, count_due=count_due)
