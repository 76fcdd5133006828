"""What happened in the houses of a storm, counted for the summary."""

from fourcard.house.events import HeadsSigned, LeaveAsked, LeaveCancelled, TableInstalled
from fourcard.house.meter_events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    AwardTaken,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    RoundTakenBack,
    TableLinked,
    TermsChanged,
)
from fourcard.house.store.contract import Reading
from fourcard.meter import Payment
from fourcard.progressive.events import (
    GameReset,
    KeyWithdrawn,
    LinkLost,
    LinkRestored,
    WinMarked,
    WinUnmarked,
)
from fourcard.round.events import IrregularityNoted, RoundEnded, RoundVoided
from fourcard.table.events import DeviceFailed, LastHandCalled
from tests.storm.tally import Tally
from tests.storm.witness import News, Seen

COUNTED: dict[type, str] = {
    AdjustmentProposed: "adjustments proposed",
    AdjustmentRejected: "adjustments rejected",
    AwardLogged: "wins logged",
    AwardTaken: "awards",
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
    RoundTakenBack: "void rounds taken back from a meter",
    TableInstalled: "tables installed",
}


class Happenings:
    """Counts rounds, and what is out of the ordinary in them."""

    def __init__(self, tally: Tally) -> None:
        """Take where to count."""
        self.tally = tally

    def saw(self, seen: Seen) -> None:
        """Count an event."""
        event = seen.event
        if isinstance(event, RoundEnded | RoundVoided):
            self.tally.seen["rounds"] += 1
            self.tally.seen["voids"] += isinstance(event, RoundVoided)
        elif type(event) in COUNTED:
            self.tally.seen[COUNTED[type(event)]] += 1
        if isinstance(event, AwardLogged):
            self.tally.seen[f"wins of {_share(event.payment)}"] += 1

    def rest(self, _reading: Reading, _news: News) -> None:
        """Look at nothing."""


def _share(payment: Payment) -> str:
    """Return in words what a win takes out of its meter."""
    if payment.whole:
        return "the whole meter"
    return "a part of the meter" if payment.from_meter or payment.meter_to_tray else "the tray"
