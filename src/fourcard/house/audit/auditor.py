"""Audit of a house: reads the journal once, replays every stream, and checks all stored data against it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from fourcard.house import ledger
from fourcard.house.audit.chain import (
    SEALED_SECRETS,
    ChainCheck,
    OutsideHeads,
    SignatureAudit,
    SignedHashes,
    limitations,
    not_redecided,
    still_sealed,
    witnesses_not_given,
)
from fourcard.house.audit.checkpoint import (
    NO_CHECKPOINT,
    Checkpoint,
    SignedCheckpoint,
    StreamCheckpoint,
    UnusableCheckpointError,
    add_counts,
    read_checkpoint,
)
from fourcard.house.audit.commit_check import CommitCheck
from fourcard.house.audit.context import AuditContext
from fourcard.house.audit.new_rows import NewRows
from fourcard.house.audit.redecide import RecordedEvent
from fourcard.house.audit.replay import (
    MeterReplay,
    PlayerReplay,
    SecurityReplay,
    StaffReplay,
    StreamReplay,
)
from fourcard.house.audit.report import (
    AuditCounts,
    AuditReport,
    AuditStart,
    FindingKind,
    FindingPlace,
    Findings,
    format_time,
)
from fourcard.house.audit.schema_check import SchemaCheck
from fourcard.house.audit.segment_check import SegmentCheck
from fourcard.house.audit.table_replay import TableReplay
from fourcard.house.audit.witness_check import WitnessCheck, WitnessSource
from fourcard.house.auth.security import SECURITY, password_digest, person_key
from fourcard.house.decision import HOUSE, STAFF
from fourcard.house.head_signatures import Anchor, HouseIdentity, identity_of
from fourcard.house.journal import (
    CODECS,
    RECORD_KIND,
    SEALED_KIND,
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
    """Report streams of which only a head, a signature, a secret, a snapshot or transfers are left."""
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
    for stream in sorted(context.rows.keys() - followed):
        if context.rows[stream].snapshots.count:
            findings.add(
                FindingPlace("snapshots", stream), "inserted", "No table and no meter has that name."
            )
        context.ledger.begin_stream(context.new_rows(stream).transfers())
        context.ledger.end_stream()


def check_derived(context: AuditContext, balances: Mapping[str, int]) -> None:
    """Compare ledger, meters, pairs and games with what the events lead to."""
    context.ledger.check_balances(balances)
    for name, meter in context.meters.items():
        for account, units in _meter_accounts(name, meter):
            if context.ledger.balances.get(account, 0) != units:
                sentence = f"It shows {units} units in {account}; the transfers add up to another amount."
                context.findings.add(FindingPlace("meters", name), "meter", sentence)
    context.pairs.end()
    context.games.end()
    context.index.end()


def check_passwords(context: AuditContext) -> None:
    """Compare the stored password hashes with the digests in the journal."""
    try:
        stored = context.reading.credentials()
    except StoreError as error:
        context.findings.add(FindingPlace("passwords", "of everybody"), "unreadable", str(error))
        return
    found = {person_key(each.kind, each.person): password_digest(each.password) for each in stored}
    known = context.security.passwords
    for person in sorted({*found, *known}):
        context.tally["passwords"] += 1
        place = FindingPlace("passwords", person)
        if person not in known:
            context.findings.add(place, "inserted", "No event of the journal has stored it.")
        elif person not in found:
            context.findings.add(place, "missing", "The journal has it, and the database lacks it.")
        elif found[person] != known[person]:
            sentence = "It is not the one that the journal has: it was changed, or copied from somebody else."
            context.findings.add(place, "altered", sentence)


def _meter_accounts(name: str, meter: MeterState) -> Iterator[tuple[str, int]]:
    yield ledger.meter_account(name), meter.amounts.amount
    yield ledger.reserve_account(name), meter.amounts.reserve
    yield ledger.prizes_account(name), meter.owed


Progress = Callable[[int, int], None]
"""Callback with the number of events done and the total."""
PROGRESS_INTERVAL = 1_000
COMPARED_PROGRESS = ("at", "shuffles", "drawn", "expected", "awards")
"""What the checks of a table remember at any event; the rest is known at the end of a stream."""
FIRST_STREAMS = (HOUSE, STAFF)
"""Streams read first: they move no money, and say who signs and who works here."""
REPLAYS: dict[str, type[StreamReplay]] = {
    "meter": MeterReplay,
    "player": PlayerReplay,
    "security": SecurityReplay,
    "staff": StaffReplay,
    "table": TableReplay,
}


class OutsideEvidence(msgspec.Struct, frozen=True):
    """What was stored outside the house and is compared with it."""

    anchor: Anchor | None = None
    witnesses: tuple[WitnessSource, ...] = ()


NO_EVIDENCE = OutsideEvidence()


class AuditResult(msgspec.Struct, frozen=True):
    """The report of an audit and, where it found nothing, what the next audit can go on from."""

    report: AuditReport
    checkpoint: Checkpoint | None


def audit(store: Store, anchor: Anchor | None = None, progress: Progress | None = None) -> AuditReport:
    """Rebuild everything from the journal alone; return what was checked and what is wrong."""
    return audit_from(store, None, outside=OutsideEvidence(anchor), progress=progress).report


def audit_from(
    store: Store,
    file: bytes | None,
    *,
    full: bool = False,
    outside: OutsideEvidence = NO_EVIDENCE,
    progress: Progress | None = None,
) -> AuditResult:
    """Audit a house from the checkpoint in a file on; from its first event without one, or if it is full.

    A checkpoint that was tampered with, or that the store contradicts, is a finding, and all is audited.
    """
    with store.reading() as reading:
        identity, start, problem = audited_identity(reading), None, None
        run = partial(_Audit, reading, identity, outside, progress or _no_progress)
        try:
            start = None if file is None else read_checkpoint(file, identity)
            if start is not None and not full:
                return run(start).result()
        except UnusableCheckpointError as error:
            problem = error
            problem.written_at = None if start is None else start.at
        whole = run(None)
        if start is not None and problem is None:
            whole.compared = start.content
        return whole.result(problem)


def _no_progress(_done: int, _total: int) -> None:
    """Report no progress."""


def audited_identity(reading: ReadTransaction) -> HouseIdentity | None:
    """Return the identity of a house as far as its stream can be read; the audit reports the rest."""
    try:
        return identity_of(_readable_records(reading))
    except UnreadableEventError:
        return None


def _readable_records(reading: ReadTransaction) -> Iterator[JournalRecord]:
    with suppress(StoreError):
        yield from reading.records(HOUSE)


class _Audit:
    """One running audit."""

    def __init__(
        self,
        reading: ReadTransaction,
        identity: HouseIdentity | None,
        outside: OutsideEvidence,
        progress: Progress,
        start: SignedCheckpoint | None,
    ) -> None:
        self.compared = NO_CHECKPOINT
        """The checkpoint that a full audit is compared with."""
        self.reading, self.progress, self.start = reading, progress, start
        self.findings = Findings()
        self.heads: Mapping[str, StreamHead] = reading.streams()
        before = NO_CHECKPOINT if start is None else start.content
        self.before = before
        self.total = sum(head.sequence for head in self.heads.values()) - before.counts.events
        self.signed = SignatureAudit(identity, self.findings)
        self.signed.resume(before)
        anchor = outside.anchor
        self.anchor = anchor if anchor is not None and self.signed.use_anchor(anchor) else None
        self.context = AuditContext(reading, self.findings, before)
        self.context.public_key = "" if identity is None else identity.public_key
        self.witnesses = [
            WitnessCheck(reading, identity, self.findings, self.signed.restores, each)
            for each in outside.witnesses
        ]
        self.segments = SegmentCheck(reading, identity, self.findings, before.segments)
        self.schema = SchemaCheck(reading, self.findings)
        self.commits = CommitCheck(reading, identity, self.findings, before.commits)
        self.ends: dict[str, int] = {}
        self.sealed: list[tuple[str, int, int]] = []
        """The first and the last event of what is still sealed at the end of a stream."""
        self.streams: dict[str, StreamCheckpoint] = {}
        self.chains: list[ChainCheck] = []
        """The chains in which time runs backwards."""
        self.events = 0

    def result(self, problem: UnusableCheckpointError | None = None) -> AuditResult:
        """Check everything, and return the report and the next checkpoint."""
        self.schema.run()
        self.commits.run()
        self.signed.signs |= bool(self.commits.count)
        streams = self._check_streams()
        self._check_lost_commits()
        for chain in self.chains:
            chain.check_set_back(self.context.set_back)
        for each in self.witnesses:
            each.run()
        self.segments.run()
        check_derived(self.context, self.reading.balances())
        check_passwords(self.context)
        self._compare_balances()
        if problem is not None and problem.suspicious and not self._is_restored_since(problem.written_at):
            self.findings.add(FindingPlace("checkpoint"), "checkpoint", problem.sentence)
        counts = self._counts(len(streams))
        report = self._report(counts, "" if problem is None else problem.sentence)
        return AuditResult(report, self._checkpoint(counts) if report.clean and not self.sealed else None)

    def _check_lost_commits(self) -> None:
        """Report streams that commits have signed and that are not there, and compare the heads' commits."""
        for stream, signed in sorted(self.commits.signed.items()):
            sentence = f"The whole stream is missing: a commit has signed event {max(signed)}."
            self.findings.add(FindingPlace("events", stream), "missing", sentence)
        if self.signed.signs:
            self.commits.check_heads()

    def _is_restored_since(self, at: int | None) -> bool:
        """Say whether the house went on from an older state since a time, which every report lists."""
        return at is not None and any(each.at >= at for each in self.signed.restores)

    def _check_streams(self) -> list[str]:
        """Check every stream, the house's own and the staff's first.

        Meters and players come before tables by name: tables need what they say.
        """
        streams = sorted(name for name, rows in self.context.rows.items() if rows.records.count)
        for lost in sorted(self.before.streams.keys() - {*streams}):
            raise UnusableCheckpointError(f"It covers the stream {lost}, which is not there now.")
        for stream in sorted({HOUSE, *streams}, key=lambda name: (name not in FIRST_STREAMS, name)):
            try:
                self._check_stream(stream)
            except StoreError as error:
                self.findings.add(FindingPlace("events", stream), "unreadable", str(error))
        self.progress(self.events, self.events)
        report_lost_streams(self.context, self.heads, self.signed.seals, {*streams, HOUSE})
        return streams

    def _report(self, counts: AuditCounts, reason: str) -> AuditReport:
        identity, before = self.signed.identity, self.before.counts
        clean = not self.findings.listed
        return AuditReport(
            house="" if identity is None else identity.house,
            public_key="" if identity is None else identity.public_key,
            start=self._started(reason),
            counts=counts,
            findings=tuple(self.findings.listed),
            cannot_exclude=(
                *limitations(self.signed, self._outside(), self.start, self.ends, clean=clean),
                *witnesses_not_given(self.signed, {name for each in self.witnesses for name in each.names}),
                *not_redecided(before.not_redecided + counts.not_redecided),
                *still_sealed(self.sealed),
                *((SEALED_SECRETS,) if self.reading.key is None and self.reading.secrets() else ()),
            ),
            restores=tuple(self.signed.restores),
            rotations=tuple(self.signed.rotations),
            unreleased=tuple(self.context.unreleased),
            witnesses=tuple(each.compared for each in self.witnesses),
            unlisted=self.findings.unlisted,
        )

    def _outside(self) -> OutsideHeads | None:
        """Return the newest heads from outside the house: the anchor, or what the witnesses state."""
        known = dict[str, int]()
        for each in self.witnesses:
            known = {name: max(each.known.get(name, 0), known.get(name, 0)) for name in {*each.known, *known}}
        until, anchor = max((each.until for each in self.witnesses), default=0), self.anchor
        if anchor is not None and anchor.at >= until:
            known = {head.stream: head.sequence for head in anchor.heads}
            return OutsideHeads("the anchor", anchor.at, known)
        return OutsideHeads("the newest statement", until, known) if known else None

    def _started(self, reason: str) -> AuditStart:
        if self.start is None:
            return AuditStart(reason=reason)
        return AuditStart(
            events=self.start.facts.events,
            at=self.start.at,
            moment=format_time(self.start.at),
            public_key=self.start.public_key,
            counts=self.before.counts,
        )

    def _checkpoint(self, counts: AuditCounts) -> Checkpoint:
        context, signed = self.context, self.signed
        return Checkpoint(
            counts=add_counts(self.before.counts, counts),
            streams=self.streams,
            balances=context.ledger.balances,
            games=context.games.used,
            authors=tuple(sorted(context.authors)),
            unreleased=tuple(context.unreleased),
            restores=tuple(signed.restores),
            rotations=tuple(signed.rotations),
            signed=signed.until,
            signed_at=signed.last_at,
            segments=self.segments.end,
            commits=self.commits.progress(),
            set_back=context.set_back,
            witnesses=signed.witnesses,
        )

    def _check_stream(self, stream: str) -> None:
        """Check one stream from its first event, or from the checkpoint, to its last."""
        seals, closed = self.signed.seals.pop(stream, {}), self.reading.segment_head(stream).sequence
        chain = ChainCheck(stream, self.heads.get(stream), seals, self.findings, closed)
        new, before = self.context.new_rows(stream), self.before.streams.get(stream)
        if before is not None:
            at = StreamHead(before.rows.records.last, before.rows.hash)
            chain.resume(at, lambda sequence: next(self.reading.records(stream, sequence - 1), None))
        chain.use_commits(self.commits.signed.pop(stream, {}))
        family = stream.partition("/")[0]
        if family not in CODECS or (family in (HOUSE, STAFF, SECURITY)) != (stream == family):
            self.findings.add(FindingPlace("events", stream), "inserted", "A house never has such a stream.")
            family = ""
        past = self.compared.streams.get(stream)
        compared_until = 0 if past is None else past.rows.records.last
        self.context.ledger.begin_stream(new.transfers(), compared_until)
        replay = REPLAYS[family](self.context, new) if family in REPLAYS else None
        self.context.restores = {each.recorded.restore for each in self.signed.restores}
        codec = codec_of(stream) if family else None
        happened: list[RecordedEvent] = []
        for record in self._events(new, chain):
            packed = record.kind in (RECORD_KIND, SEALED_KIND)
            event = None if codec is None or packed else self._event(codec, record)
            if past is not None and record.sequence > compared_until:
                _replay_command(replay, happened)
                self._compare(stream, replay, past)
                happened, past = [], None
            if happened and (event is None or record.command_sequence != happened[0][0].command_sequence):
                _replay_command(replay, happened)
                happened = []
            if event is None:
                self.context.ledger.accept(record)
                if isinstance(replay, TableReplay):
                    replay.skip(sealed=record.kind == SEALED_KIND)
            elif replay is None:
                self.signed.check_event(record, event)
            else:
                happened.append((record, event))
        _replay_command(replay, happened)
        if past is not None:
            self._compare(stream, replay, past)
        self._end(new, chain, replay)

    def _compare(self, stream: str, replay: StreamReplay | None, past: StreamCheckpoint) -> None:
        """Compare a stream with the checkpoint, where a full audit has reached it."""
        if replay is None:
            return
        if not self._is_same(stream, replay, past):
            last = past.rows.records.last
            sentence = f"Its state of {stream} is not what the events up to {last} lead to."
            self.findings.add(FindingPlace("checkpoint"), "checkpoint", sentence)

    def _is_same(self, stream: str, replay: StreamReplay, past: StreamCheckpoint) -> bool:
        """Say whether the replayed state is that of the checkpoint, and its checks remember the same."""
        try:
            if self.context.state_of(stream, past) != replay.state:
                return False
        except UnusableCheckpointError:
            return False
        now, then = replay.progress(), past.table
        return (
            now is None
            or then is None
            or all(getattr(now, name) == getattr(then, name) for name in COMPARED_PROGRESS)
        )

    def _compare_balances(self) -> None:
        """Compare the balances of a full audit with those of the checkpoint."""
        was, now = self.compared.balances, self.context.ledger.compared
        for account in sorted({*was, *now}):
            if was.get(account, 0) != now.get(account, 0):
                sentence = f"Its balance of {account} is not what the events lead to."
                self.findings.add(FindingPlace("checkpoint"), "checkpoint", sentence)

    def _events(self, new: NewRows, chain: ChainCheck) -> Iterator[JournalRecord]:
        """Yield the events of a stream as its stored records are checked; an unreadable record as it is."""
        sealed = list[JournalRecord]()
        for stored in new.records():
            if stored.kind == SEALED_KIND:
                chain.check_sealed(stored)
                sealed.append(stored)
                yield stored
                continue
            self._report_unopened(sealed)
            sealed = []
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
        if sealed and self.reading.key is None:
            self.sealed.append((sealed[0].stream, sealed[0].first_sequence, sealed[-1].sequence))
        else:
            self._report_unopened(sealed)

    def _report_unopened(self, sealed: list[JournalRecord]) -> None:
        """Report sealed records whose secret the journal has revealed, or the key of the house opens."""
        for record in sealed:
            sentence = "It is sealed, and no secret opens it: it was altered, or the secret was."
            self._note(record, "unreadable", sentence)

    def _count_event(self) -> None:
        """Count an event, and report progress."""
        self.events += 1
        if not self.events % PROGRESS_INTERVAL:
            self.progress(self.events, max(self.events, self.total))

    def _end(self, new: NewRows, chain: ChainCheck, replay: StreamReplay | None) -> None:
        """End a stream, and keep what the next audit needs of it."""
        stream = new.stream
        self.ends[stream] = chain.last
        if chain.last or stream in self.heads or chain.sealed:
            chain.end()
        chain.check_committed(required=self.signed.signs)
        self.chains += [chain] if chain.set_back else []
        if chain.committed:
            self.signed.note_committed(stream, chain.committed, chain.at)
        if replay is not None:
            replay.end()
        elif stream == HOUSE:
            self.signed.end()
        self.context.ledger.end_stream()
        new.check_counts("records", "transfers", "snapshots", "hours", "rounds")
        if new.before is not None:
            self._check_earlier_keys(chain)
        if replay is not None and not self.findings.listed:
            self.streams[stream] = replay.checkpoint()
        elif stream == HOUSE:
            self.streams[stream] = StreamCheckpoint(rows=new.now, state=msgspec.Raw(b"null"))

    def _check_earlier_keys(self, chain: ChainCheck) -> None:
        """Look up whether a new key was used before the checkpoint."""
        places = [(chain.stream, key) for key in chain.keys]
        for (_, key), found in self.reading.find_by_key(places).items():
            if found.sequence < chain.keys[key][0] and found.sequence <= chain.start:
                chain.report_repeated(key, chain.keys[key][0])

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
            segments=self.segments.count,
            commits=self.commits.count,
            passwords=tally["passwords"],
            schema_objects=self.schema.count,
        )


def _replay_command(replay: StreamReplay | None, happened: list[RecordedEvent]) -> None:
    if replay is not None and happened:
        replay.command(happened)
