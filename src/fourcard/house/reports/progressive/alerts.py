"""Game Manager alerts: shortfalls, link changes, large wins, adjustments and restores."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house.library import Library
from fourcard.house.meter_events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    MeterAdjusted,
    MeterRestored,
    MeterStarted,
    TermsChanged,
)
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.ports import SystemEntropy
from fourcard.house.records import Recorded
from fourcard.house.reports.progressive.changes import AlertKind, MeterChanges, Said
from fourcard.house.reports.progressive.streams import Period, Progress, meters_named, tables_named, told
from fourcard.house.reports.progressive.wins import AT_ANY_TIME
from fourcard.house.reports.showing import exact_dollars, moment
from fourcard.house.store.contract import Reading
from fourcard.money import dollars
from fourcard.progressive.events import WinLogged
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite

LINKS: tuple[AlertKind, ...] = ("link lost", "link restored", "link closed", "link opened")
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

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "moment": moment(self.at)}


def alerts(
    reading: Reading, period: Period = AT_ANY_TIME, progress: Progress | None = None
) -> tuple[Alert, ...]:
    """Return the alerts of a period in order."""
    library = Library(SystemEntropy())
    library.look(reading)
    streams = [*map(meter_stream, meters_named(reading)), *map(table_stream, tables_named(reading))]
    collector = _AlertCollector(library.game)
    for record, event in told(reading, streams, ALERT_KINDS, progress):
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

    def alerts(self) -> list[Alert]:
        """Return all alerts, and those that still wait."""
        found = [*self.found, *self._waiting.values()]
        for place in self._links.values():
            found[place] = replace(found[place], stands=found[place].kind in BROKEN_LINKS)
        return found

    def add(self, record: Recorded, event: Any) -> None:
        """Add the alerts of one event."""
        for text in self._alert_texts(record, event):
            if text[0] in LINKS:
                self._links[record.stream] = len(self.found)
            self.found.append(_alert(record, text))

    def _alert_texts(self, record: Recorded, event: Any) -> Iterator[Said]:
        name = record.stream.partition("/")[2]
        changes = self._changes.setdefault(record.stream, MeterChanges(name))
        if isinstance(event, AdjustmentProposed):
            self._waiting[name, event.number] = replace(_alert(record, changes.proposed(event)), stands=True)
        elif isinstance(event, AdjustmentRejected):
            del self._waiting[name, event.number]
        elif isinstance(event, MeterRestored):
            self._waiting = {each: alert for each, alert in self._waiting.items() if each[0] != name}
            self._waiting[name, 0] = replace(_alert(record, changes.restored(event)), stands=True)
        elif isinstance(event, MeterAdjusted):
            del self._waiting[name, event.number]
            if changes.proposals[event.number].reading is not None:
                self._waiting.pop((name, 0), None)
            yield from changes.adjusted(event)
        elif isinstance(event, WinLogged):
            yield from _large_win_alert(name, event, self.games(record.game))
        elif isinstance(event, MeterStarted):
            changes.terms = event
        elif isinstance(event, TermsChanged):
            yield changes.other_terms(event)
        else:
            if isinstance(event, AwardLogged):
                changes.prizes[event.number] = event.payment.amount
            yield from _WRITERS[record.kind](name, event)


def _alert(record: Recorded, text: Said) -> Alert:
    kind, sentence, clauses = text
    return Alert(
        at=record.at,
        kind=kind,
        stream=record.stream,
        sequence=record.sequence,
        sentence=sentence,
        clauses=clauses,
        by=record.by,
    )


def _large_win_alert(table: str, win: WinLogged, game: Game) -> Iterator[Said]:
    """Yield an alert for a win at or above the submitted level, on any console (WA-NEX-8f.2, R64)."""
    rules, choice = game.rulebook.wagers.progressive, game.submission.progressive
    level = choice.executive_threshold if choice is not None else None
    if level is not None and win.payment.amount >= level:
        amounts = f"{dollars(win.payment.amount)}, at or above {dollars(level)}"
        sentence = f"{amounts}: position {win.position} of {table}, confirmed by {win.confirmed_by}."
        yield "large win", sentence, cite(rules.executive_threshold if rules is not None else None)


def _shortfall_alert(meter: str, event: Any) -> Iterator[Said]:
    short = event.payment.shortfall
    if short:
        where = f"win {event.number} of {meter}, at {event.table}"
        yield "shortfall", f"{dollars(short)} from the tray for {where}.", ("R59",)


def _void_round_alerts(meter: str, event: Any) -> Iterator[Said]:
    where = f"round {event.round} of {event.table}"
    if event.returned:
        yield "backed out", f"{exact_dollars(event.returned)} back to {meter}: {where} is void.", ("R66",)
    if event.borne:
        yield "house bore", f"{exact_dollars(event.borne)} for {meter}: {where} is void.", ("R66",)


def _chips_alert(table: str, event: Any) -> Iterator[Said]:
    sentence = f"Chips counted: {event.chips}; accepted wagers: {event.accepted}, at {table}."
    yield "chips differ", sentence, event.clauses


def _link_alert(kind: AlertKind) -> Callable[[str, Any], Iterator[Said]]:
    """Return the alert writer for a link event."""

    def text(name: str, event: Any) -> Iterator[Said]:
        yield kind, f"{name}: {event.reason}.", ("P31",)

    return text


_WRITERS: dict[str, Callable[[str, Any], Iterator[Said]]] = {
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
)
ALERT_KINDS = frozenset((*_WRITERS, *OTHER_KINDS))
