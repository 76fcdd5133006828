"""Audit of a house: reads the journal once, replays every stream, and checks all stored data against it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fourcard.house import ledger
from fourcard.house.audit.chain import (
    BEFORE_FIRST,
    ChainCheck,
    SignatureAudit,
    SignedHashes,
    limitations,
    not_redecided,
)
from fourcard.house.audit.context import AuditContext
from fourcard.house.audit.redecide import RecordedEvent
from fourcard.house.audit.replay import MeterReplay, PlayerReplay, StaffReplay, StreamReplay
from fourcard.house.audit.report import (
    AuditCounts,
    AuditReport,
    FindingKind,
    FindingPlace,
    Findings,
    RestoreEntry,
    format_time,
)
from fourcard.house.audit.table_replay import TableReplay
from fourcard.house.decision import HOUSE, STAFF
from fourcard.house.events import HouseFounded
from fourcard.house.head_signatures import Anchor
from fourcard.house.journal import (
    CODECS,
    RECORD_KIND,
    EventCodec,
    JournalRecord,
    StreamHead,
    UnreadableEventError,
    codec_of,
    unpack_events,
)
from fourcard.house.meter_state import MeterState
from fourcard.house.store.interface import ReadTransaction, Store, StoreError


def report_lost_streams(
    context: AuditContext,
    heads: Mapping[str, StreamHead],
    seals: Mapping[str, SignedHashes],
    followed: set[str],
) -> None:
    """Report streams of which only a head, a signature, a secret or a snapshot is left."""
    findings = context.findings
    for stream in sorted(heads.keys() - followed):
        sentence = f"The whole stream is missing: its head is at event {heads[stream].sequence}."
        findings.add(FindingPlace("events", stream), "missing", sentence)
    for stream in sorted(stream for stream, signed in seals.items() if signed):
        last = max(seals[stream])
        sentence = f"The whole stream is missing: {seals[stream][last][0][1]} has signed event {last}."
        findings.add(FindingPlace("events", stream), "missing", sentence)
    for stream, number in sorted(context.secrets):
        findings.add(
            FindingPlace("secrets", stream, number), "inserted", "There is no open commitment to it."
        )
    for stream in sorted({each.stream for each in context.reading.snapshots()} - followed):
        findings.add(FindingPlace("snapshots", stream), "inserted", "No table and no meter has that name.")


def check_derived(context: AuditContext, balances: Mapping[str, int]) -> None:
    """Compare ledger, meters, pairs and games with what the events lead to."""
    context.ledger.end()
    context.ledger.check_balances(balances)
    for name, meter in context.meters.items():
        for account, units in _meter_accounts(name, meter):
            if context.ledger.balances.get(account, 0) != units:
                sentence = f"It shows {units} units in {account}; the transfers add up to another amount."
                context.findings.add(FindingPlace("meters", name), "meter", sentence)
    context.pairs.end()
    context.games.end()
    context.index.end()


def _meter_accounts(name: str, meter: MeterState) -> Iterator[tuple[str, int]]:
    yield ledger.meter_account(name), meter.amounts.amount
    yield ledger.reserve_account(name), meter.amounts.reserve
    yield ledger.prizes_account(name), meter.owed


Progress = Callable[[int, int], None]
"""Callback with the number of events done and the total."""
PROGRESS_INTERVAL = 1_000
FIRST_STREAMS = (HOUSE, STAFF)
"""Streams read first: they move no money, and say who signs and who works here."""
REPLAYS: dict[str, type[StreamReplay]] = {
    "meter": MeterReplay,
    "player": PlayerReplay,
    "staff": StaffReplay,
    "table": TableReplay,
}


def audit(store: Store, anchor: Anchor | None = None, progress: Progress | None = None) -> AuditReport:
    """Rebuild everything from the journal alone; return what was checked and what is wrong."""
    with store.reading() as reading:
        return _Audit(reading, anchor, progress or _no_progress).report()


def _no_progress(_done: int, _total: int) -> None:
    """Report no progress."""


class _Audit:
    """One running audit."""

    def __init__(self, reading: ReadTransaction, anchor: Anchor | None, progress: Progress) -> None:
        self.reading, self.progress = reading, progress
        self.findings = Findings()
        self.heads: Mapping[str, StreamHead] = reading.streams()
        self.total = sum(head.sequence for head in self.heads.values())
        self.signed = SignatureAudit(self._founding(), self.findings)
        self.anchor = anchor if anchor is not None and self.signed.use_anchor(anchor) else None
        self.context = AuditContext(reading, self.findings)
        self.ends: dict[str, int] = {}
        self.events = 0

    def _founding(self) -> HouseFounded | None:
        """Return the founding event of the house, if its stream begins with one."""
        try:
            first = next(self.reading.events(HOUSE), None)
            event = None if first is None else codec_of(HOUSE).decode(first)
        except UnreadableEventError:
            return None
        return event if isinstance(event, HouseFounded) else None

    def report(self) -> AuditReport:
        """Check every stream, the house's own and the staff's first, then the data derived from them.

        Meters and players come before tables by name, and the ledger is stored in the same order.
        """
        streams = sorted(self.reading.journal_streams())
        for stream in sorted({HOUSE, *streams}, key=lambda name: (name not in FIRST_STREAMS, name)):
            try:
                self._check_stream(stream)
            except StoreError as error:
                self.findings.add(FindingPlace("events", stream), "unreadable", str(error))
        self.progress(self.events, self.events)
        report_lost_streams(self.context, self.heads, self.signed.seals, {*streams, HOUSE})
        check_derived(self.context, self.reading.balances())
        founded = self.signed.founded
        return AuditReport(
            house="" if founded is None else founded.house,
            public_key="" if founded is None else founded.public_key,
            counts=self._counts(len(streams)),
            findings=tuple(self.findings.listed),
            cannot_exclude=(
                *limitations(self.signed, self.anchor, self.ends, clean=not self.findings.listed),
                *not_redecided(self.context.tally["not_redecided"]),
            ),
            restores=tuple(
                RestoreEntry(record.at, format_time(record.at), event)
                for record, event in self.signed.restores
            ),
            unreleased=tuple(self.context.unreleased),
            unlisted=self.findings.unlisted,
        )

    def _check_stream(self, stream: str) -> None:
        """Check one stream from its first event to its last."""
        chain = ChainCheck(stream, self.heads.get(stream), self.signed.seals.pop(stream, {}), self.findings)
        family = stream.partition("/")[0]
        if family not in CODECS or (family in ("house", "staff")) != (stream == family):
            self.findings.add(FindingPlace("events", stream), "inserted", "A house never has such a stream.")
            family = ""
        replay = REPLAYS[family](self.context, stream) if family in REPLAYS else None
        self.context.restores = {event.restore for _, event in self.signed.restores}
        codec = codec_of(stream) if family else None
        happened: list[RecordedEvent] = []
        for record in self._events(stream, chain):
            event = None if codec is None or record.kind == RECORD_KIND else self._event(codec, record)
            if happened and (event is None or record.command_sequence != happened[0][0].command_sequence):
                _replay_command(replay, happened)
                happened = []
            if event is None:
                self.context.ledger.accept(record)
                if isinstance(replay, TableReplay):
                    replay.skip()
            elif replay is None:
                self.signed.check_event(record, event)
            else:
                happened.append((record, event))
        _replay_command(replay, happened)
        self._end(stream, chain, replay)

    def _events(self, stream: str, chain: ChainCheck) -> Iterator[JournalRecord]:
        """Yield the events of a stream as its stored records are checked; an unreadable record as it is."""
        for stored in self.reading.records(stream, BEFORE_FIRST):
            chain.check_record(stored)
            try:
                events = unpack_events(stored)
            except UnreadableEventError as error:
                self._note(stored, "unreadable", str(error))
                yield stored
                continue
            chain.check_form(stored, events)
            for record in events:
                chain.check_envelope(record)
                self._count_event()
                yield record

    def _count_event(self) -> None:
        """Count an event, and report progress."""
        self.events += 1
        if not self.events % PROGRESS_INTERVAL:
            self.progress(self.events, max(self.events, self.total))

    def _end(self, stream: str, chain: ChainCheck, replay: StreamReplay | None) -> None:
        self.ends[stream] = chain.last
        if chain.last or stream in self.heads or chain.sealed:
            chain.end()
        if replay is not None:
            replay.end()
        elif stream == HOUSE:
            self.signed.end()

    def _event(self, codec: EventCodec[Any], record: JournalRecord) -> Any:
        """Return the event of a record; None where it is unreadable or its kind is wrong."""
        try:
            event = codec.decode(record)
        except UnreadableEventError as error:
            self._note(record, "unreadable", str(error))
            return None
        kind = codec.kind_of(event)[0]
        if kind == record.kind:
            return event
        self._note(record, "altered", f"Its kind is {record.kind}, but it holds a {kind}.")
        return None

    def _note(self, record: JournalRecord, what: FindingKind, sentence: str) -> None:
        self.findings.add(FindingPlace("events", record.stream, record.sequence), what, sentence)

    def _counts(self, streams: int) -> AuditCounts:
        context, tally = self.context, self.context.tally
        return AuditCounts(
            streams=streams,
            events=self.events,
            commands=tally["commands"],
            not_redecided=tally["not_redecided"],
            rounds=tally["rounds"],
            shuffles=tally["shuffles"],
            settlements=tally["settlements"],
            transfers=context.ledger.count,
            accounts=len(context.ledger.balances),
            meters=len(context.meters),
            pairs=context.pairs.count,
            signatures=self.signed.count,
            snapshots=tally["snapshots"],
            games=len(context.games.stored),
            hours=context.index.hours,
            indexed=context.index.rounds,
            secrets=tally["secrets"],
        )


def _replay_command(replay: StreamReplay | None, happened: list[RecordedEvent]) -> None:
    if replay is not None and happened:
        replay.command(happened)
