"""Summary of a storm: the events that it counts, and the moments of a win."""

from collections.abc import Iterable, Iterator

from fourcard.house.events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    HeadsSigned,
    LeaveAsked,
    LeaveCancelled,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    RoundReversed,
    SignAdjusted,
    TableInstalled,
    TableLinked,
    TermsChanged,
)
from fourcard.house.route_command import Request
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import HouseTable
from fourcard.meter import Payment
from fourcard.progressive.console import (
    GameReset,
    KeyWithdrawn,
    LinkLost,
    LinkRestored,
    Press,
    PressHand,
    SwipeCard,
    TurnKey,
    WinMarked,
    WinUnmarked,
    is_game_under_way,
)
from fourcard.round.commands import CompleteDocument
from fourcard.round.events import IrregularityNoted, RoundEnded, RoundVoided
from fourcard.table.events import DeviceFailed, LastHandCalled
from tests.storm.counts import Counts
from tests.storm.observer import NewEvents, ObservedEvent, Observer

COUNTED: dict[type, str] = {
    AdjustmentProposed: "adjustments proposed",
    AdjustmentRejected: "adjustments rejected",
    AwardLogged: "wins logged",
    SignAdjusted: "awards",
    DeviceFailed: "device failures",
    GameReset: "games ended",
    KeyWithdrawn: "keys withdrawn",
    LastHandCalled: "last hands",
    LeaveAsked: "tables left",
    LeaveCancelled: "tables not left after all",
    LinkClosed: "meter links closed",
    LinkLost: "table links lost",
    LinkOpened: "meter links opened",
    LinkRestored: "table links restored",
    MeterAdjusted: "adjustments approved",
    TableLinked: "tables linked",
    TermsChanged: "terms changed",
    WinMarked: "wins marked",
    WinUnmarked: "wins unmarked",
    HeadsSigned: "signatures",
    IrregularityNoted: "irregularities",
    RoundReversed: "void rounds taken back from a meter",
    TableInstalled: "tables installed",
}


class EventCounter:
    """Counts rounds, and what is out of the ordinary in them."""

    def __init__(self, counts: Counts) -> None:
        """Take where to count."""
        self.counts = counts

    def on_event(self, observed: ObservedEvent) -> None:
        """Count an event."""
        event = observed.event
        if isinstance(event, RoundEnded | RoundVoided):
            self.counts.seen["rounds"] += 1
            self.counts.seen["voids"] += isinstance(event, RoundVoided)
        elif type(event) in COUNTED:
            self.counts.seen[COUNTED[type(event)]] += 1
        if isinstance(event, AwardLogged):
            self.counts.seen[f"wins of {_award_source(event.payment)}"] += 1

    def after_batch(self, _reading: ReadTransaction, _new_events: NewEvents) -> None:
        """Look at nothing."""


def _award_source(payment: Payment) -> str:
    """Return in words what a win takes out of its meter."""
    if payment.whole_meter:
        return "the whole meter"
    return "a part of the meter" if payment.from_meter or payment.meter_to_tray else "the tray"


ENDING = ("game_over", "end_game")
MOMENTS = (
    "between confirmation and payment",
    "between mark and confirmation",
    "before a mark",
    "between payment and document",
    "between payment and reset",
)
"""Where a table's winner stands, the first that holds."""


def count_win_moments(observer: Observer, counts: Counts, what: str) -> None:
    """Count the tables that are caught in the midst of a win."""
    for book in [each for each in observer.books.values() if isinstance(each, HouseTable)]:
        moment = _win_moment(book)
        if moment:
            counts.seen[f"{what} {moment}"] += 1


def _win_moment(book: HouseTable) -> str:
    """Return between which motions a table's winner stands, or nothing."""
    console, state = book.console, book.state
    if console is None or not is_game_under_way(console, state):
        return ""
    current_round = state.round
    held = (
        console.unpaid_win is not None,
        console.mark is not None,
        current_round is not None and current_round.awaited_step is not None,
        current_round is not None and bool(current_round.undocumented_positions),
        bool(console.win_staff),
    )
    return next((moment for moment, holds in zip(MOMENTS, held, strict=True) if holds), "")


def win_actions(requests: Iterable[Request]) -> Iterator[str]:
    """Yield what a batch does to wins: marks, confirms, pays, documents, resets."""
    for request in requests:
        command = request.command
        if isinstance(command, PressHand):
            yield "mark"
        elif isinstance(command, SwipeCard) or (isinstance(command, Press) and command.button == "j_pot"):
            yield "confirm"
        elif isinstance(command, TurnKey) and command.to == "run":
            yield "pay"
        elif isinstance(command, CompleteDocument):
            yield "document"
        elif isinstance(command, Press) and command.button in ENDING:
            yield "reset"
