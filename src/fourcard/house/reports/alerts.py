"""Game Manager alerts: shortfalls, link changes, large wins, adjustments and restores, in sentences."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    MeterAdjusted,
    MeterRestored,
    MeterStarted,
    TableInstalled,
    TermsChanged,
)
from fourcard.house.journal import JournalRecord
from fourcard.house.reports.event_scan import Period, Progress, meter_names, scan_events, table_names
from fourcard.house.reports.formats import exact_dollars, format_time
from fourcard.house.reports.wins import ALL_TIME
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction
from fourcard.meter import UNITS_PER_CENT
from fourcard.money import dollars, share_text
from fourcard.progressive.console import WinLogged
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game

AlertKind = Literal[
    "shortfall",
    "chips differ",
    "link lost",
    "link restored",
    "link closed",
    "link opened",
    "terms changed",
    "house bore",
    "large win",
    "backed out",
    "adjusted",
    "adjustment waits",
    "meter restored",
]
AlertText = tuple[AlertKind, str, tuple[str, ...]]
"""The kind, sentence and clauses of an alert."""
AnyTerms = MeterStarted | TermsChanged


class MeterChanges:
    """Holds what the sentences about one meter need: its terms, prizes and proposals."""

    def __init__(self, meter: str) -> None:
        """Start before the meter's first event."""
        self.meter = meter
        self.terms: AnyTerms | None = None
        self.prizes: dict[int, int] = {}
        """Prizes in cents by win number."""
        self.proposals: dict[int, AdjustmentProposed] = {}

    def describe_proposal(self, event: AdjustmentProposed) -> AlertText:
        """Describe an adjustment that waits for approval."""
        self.proposals[event.number] = event
        what = f"to back win {event.win} out" if event.win else f"of {_describe_amount(event)}"
        sentence = f"Adjustment {event.number} of {self.meter} {what}: {event.reason}."
        return "adjustment waits", sentence, ("P30",)

    def describe_restore(self, event: MeterRestored) -> AlertText:
        """Describe a restored meter, whose tables stay closed until a reading is approved."""
        sentence = f"{self.meter} waits for a reading by two people after restore {event.restore}."
        return "meter restored", sentence, ("P38",)

    def describe_adjustment(self, event: MeterAdjusted) -> Iterator[AlertText]:
        """Describe an approved adjustment, and what the house paid for it."""
        proposal = self.proposals[event.number]
        who = f"proposed by {proposal.by}, approved by {event.by}"
        why = f"{who}: {proposal.reason}{self._below_reset(event)}."
        if proposal.win:
            prize = dollars(self.prizes[proposal.win])
            sentence = f"Win {proposal.win} of {self.meter}, {prize}, by adjustment {event.number}, {why}"
            yield "backed out", sentence, ("P30",)
        else:
            yield (
                "adjusted",
                f"Adjustment {event.number} of {self.meter}, {_describe_amount(proposal)}, {why}",
                ("P30",),
            )
        if event.absorbed:
            sentence = f"{exact_dollars(event.absorbed)} for adjustment {event.number} of {self.meter}."
            yield "house bore", sentence, ("R66",)

    def _below_reset(self, event: MeterAdjusted) -> str:
        seed = self.terms.reset_amount if self.terms is not None else None
        if seed is None or event.amount >= seed * UNITS_PER_CENT:
            return ""
        return f"; it leaves {exact_dollars(event.amount)} in the meter, below its reset of {dollars(seed)}"

    def describe_terms_change(self, event: TermsChanged) -> AlertText:
        """Describe changed terms, old and new."""
        before = {} if self.terms is None else _describe_terms(self.terms)
        self.terms = event
        after = _describe_terms(event)
        changed = [
            f"{name} from {old} to {after[name]}" for name, old in before.items() if old != after[name]
        ]
        text = "; ".join(filter(None, (", ".join(changed), event.reason)))
        return "terms changed", f"{self.meter}: {text}.", ("P31",)


def _describe_amount(proposal: AdjustmentProposed) -> str:
    """Describe the amount that is added to a part of a meter or taken from it."""
    way = "into" if proposal.cents > 0 else "out of"
    return f"{dollars(abs(proposal.cents))} {way} the {proposal.part}"


def _describe_terms(terms: AnyTerms) -> dict[str, str]:
    return {
        "rate": share_text(Fraction(terms.rate)),
        "reserve": share_text(Fraction(terms.reserve_rate)),
        "reset": "none" if terms.reset_amount is None else dollars(terms.reset_amount),
    }


LINK_ALERTS: tuple[AlertKind, ...] = ("link lost", "link restored", "link closed", "link opened")
BROKEN_LINKS: tuple[AlertKind, ...] = ("link lost", "link closed")


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """One alert."""

    at: int
    kind: AlertKind
    stream: str
    sequence: int
    """The journal event that it comes from."""
    sentence: str
    clauses: tuple[str, ...]
    by: str
    stands: bool = False
    """Whether it still applies: a link that is lost or closed, an adjustment that waits."""
    moment: str


def alerts(
    reading: ReadTransaction, period: Period = ALL_TIME, progress: Progress | None = None
) -> tuple[Alert, ...]:
    """Return the alerts of a period in order."""
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    streams = [*map(meter_stream, meter_names(reading)), *map(table_stream, table_names(reading))]
    collector = _AlertCollector(cache.game)
    for record, event in scan_events(reading, streams, ALERT_KINDS, progress):
        collector.add(record, event)
    found = (each for each in collector.alerts() if each.at in period)
    return tuple(sorted(found, key=attrgetter("at", "stream", "sequence")))


class _AlertCollector:
    """Collects alerts from the events of meters and tables."""

    def __init__(self, games: Callable[[str], Game]) -> None:
        self.games = games
        self.found: list[Alert] = []
        self._links: dict[str, int] = {}
        """By stream, the index of its last link alert."""
        self._changes: dict[str, MeterChanges] = {}
        self._waiting: dict[tuple[str, int], Alert] = {}
        """Waiting alerts by meter and proposal number; number 0 is a restored meter."""
        self._pinned: dict[str, str] = {}
        """By table, the hash of its pinned game."""

    def alerts(self) -> list[Alert]:
        """Return all alerts, and those that still wait."""
        found = [*self.found, *self._waiting.values()]
        for place in self._links.values():
            found[place] = replace(found[place], stands=found[place].kind in BROKEN_LINKS)
        return found

    def add(self, record: JournalRecord, event: Any) -> None:
        """Add the alerts of one event."""
        for text in self._alert_texts(record, event):
            if text[0] in LINK_ALERTS:
                self._links[record.stream] = len(self.found)
            self.found.append(_alert(record, text))

    def _alert_texts(self, record: JournalRecord, event: Any) -> Iterator[AlertText]:
        name = record.stream.partition("/")[2]
        changes = self._changes.setdefault(record.stream, MeterChanges(name))
        if isinstance(event, AdjustmentProposed):
            self._waiting[name, event.number] = replace(
                _alert(record, changes.describe_proposal(event)), stands=True
            )
        elif isinstance(event, AdjustmentRejected):
            del self._waiting[name, event.number]
        elif isinstance(event, MeterRestored):
            self._waiting = {each: alert for each, alert in self._waiting.items() if each[0] != name}
            self._waiting[name, 0] = replace(_alert(record, changes.describe_restore(event)), stands=True)
        elif isinstance(event, MeterAdjusted):
            del self._waiting[name, event.number]
            if changes.proposals[event.number].reading is not None:
                self._waiting.pop((name, 0), None)
            yield from changes.describe_adjustment(event)
        elif isinstance(event, WinLogged):
            yield from _large_win_alert(name, event, self.games(self._pinned[name]))
        elif isinstance(event, TableInstalled):
            self._pinned[name] = event.game
        elif isinstance(event, MeterStarted):
            changes.terms = event
        elif isinstance(event, TermsChanged):
            yield changes.describe_terms_change(event)
        else:
            if isinstance(event, AwardLogged):
                changes.prizes[event.number] = event.payment.amount
            yield from _WRITERS[record.kind](name, event)


def _alert(record: JournalRecord, text: AlertText) -> Alert:
    kind, sentence, clauses = text
    return Alert(
        at=record.at,
        kind=kind,
        stream=record.stream,
        sequence=record.sequence,
        sentence=sentence,
        clauses=clauses,
        by=record.by,
        moment=format_time(record.at),
    )


def _large_win_alert(table: str, win: WinLogged, game: Game) -> Iterator[AlertText]:
    """Yield an alert for a win at or above the submitted level, on any console (WA-NEX-8f.2, R64)."""
    rules, choice = game.rulebook.wagers.progressive, game.submission.progressive
    level = choice.executive_threshold if choice is not None else None
    if level is not None and win.payment.amount >= level:
        amounts = f"{dollars(win.payment.amount)}, at or above {dollars(level)}"
        sentence = f"{amounts}: position {win.position} of {table}, confirmed by {win.confirmed_by}."
        yield "large win", sentence, clauses_of(rules.executive_threshold if rules is not None else None)


def _shortfall_alert(meter: str, event: Any) -> Iterator[AlertText]:
    short = event.payment.shortfall
    if short:
        where = f"win {event.number} of {meter}, at {event.table}"
        yield "shortfall", f"{dollars(short)} from the tray for {where}.", ("R59",)


def _void_round_alerts(meter: str, event: Any) -> Iterator[AlertText]:
    where = f"round {event.round} of {event.table}"
    if event.returned:
        yield "backed out", f"{exact_dollars(event.returned)} back to {meter}: {where} is void.", ("R66",)
    if event.absorbed:
        yield "house bore", f"{exact_dollars(event.absorbed)} for {meter}: {where} is void.", ("R66",)


def _chips_alert(table: str, event: Any) -> Iterator[AlertText]:
    sentence = f"Chips counted: {event.chips}; accepted wagers: {event.accepted}, at {table}."
    yield "chips differ", sentence, event.clauses


def _link_alert(kind: AlertKind) -> Callable[[str, Any], Iterator[AlertText]]:
    """Return the alert writer for a link event."""

    def text(name: str, event: Any) -> Iterator[AlertText]:
        yield kind, f"{name}: {event.reason}.", ("P31",)

    return text


_WRITERS: dict[str, Callable[[str, Any], Iterator[AlertText]]] = {
    "award_logged": _shortfall_alert,
    "round_taken_back": _void_round_alerts,
    "link_closed": _link_alert("link closed"),
    "link_opened": _link_alert("link opened"),
    "chips_differed": _chips_alert,
    "link_lost": _link_alert("link lost"),
    "link_restored": _link_alert("link restored"),
}
OTHER_KINDS = (
    "meter_started",
    "terms_changed",
    "adjustment_proposed",
    "adjustment_rejected",
    "meter_adjusted",
    "meter_restored",
    "win_logged",
    "table_installed",
)
ALERT_KINDS = frozenset((*_WRITERS, *OTHER_KINDS))
