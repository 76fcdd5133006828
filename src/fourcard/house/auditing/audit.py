"""Audit of a house: reads the journal once, replays every stream, and checks all stored data against it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fourcard.house.auditing.beside import kept_beside, lost_streams
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.chain import BEFORE_ALL, Chain
from fourcard.house.auditing.deciding import Happened
from fourcard.house.auditing.excluding import cannot_exclude
from fourcard.house.auditing.meters import MeterReplay
from fourcard.house.auditing.others import PlayerReplay, StaffReplay
from fourcard.house.auditing.replaying import Replay
from fourcard.house.auditing.report import AuditReport, Counts, Findings, Kind, Place, Restore, moment
from fourcard.house.auditing.seals import Signed
from fourcard.house.auditing.tables import TableReplay
from fourcard.house.events import HouseFounded
from fourcard.house.journal import FAMILIES, Codec, UnreadableEventError, codec_of
from fourcard.house.outcome import HOUSE, STAFF
from fourcard.house.records import Head, Recorded
from fourcard.house.signing import Anchor
from fourcard.house.store.contract import Reading, Store, StoreError

Progress = Callable[[int, int], None]
"""Callback with the number of events done and the total."""
EVERY = 1_000
FIRST = (HOUSE, STAFF)
"""Streams read first: they move no money, and say who signs and who works here."""
REPLAYS: dict[str, type[Replay]] = {
    "meter": MeterReplay,
    "player": PlayerReplay,
    "staff": StaffReplay,
    "table": TableReplay,
}


def audit(store: Store, anchor: Anchor | None = None, progress: Progress | None = None) -> AuditReport:
    """Rebuild everything from the journal alone; return what was checked and what is wrong."""
    with store.reading() as reading:
        return _Audit(reading, anchor, progress or _silent).report()


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


class _Audit:
    """One running audit."""

    def __init__(self, reading: Reading, anchor: Anchor | None, progress: Progress) -> None:
        self.reading, self.progress = reading, progress
        self.findings = Findings()
        self.heads: Mapping[str, Head] = reading.streams()
        self.total = sum(head.sequence for head in self.heads.values())
        self.signed = Signed(self._founding(), self.findings)
        self.anchor = anchor if anchor is not None and self.signed.hold(anchor) else None
        self.context = Case(reading, self.findings)
        self.ends: dict[str, int] = {}
        self.events = 0

    def _founding(self) -> HouseFounded | None:
        """Return the founding event of the house, if its stream begins with one."""
        first = next(self.reading.events(HOUSE), None)
        try:
            event = None if first is None else codec_of(HOUSE).decode(first)
        except UnreadableEventError:
            return None
        return event if isinstance(event, HouseFounded) else None

    def report(self) -> AuditReport:
        """Check every stream, the house's own and the staff's first, then the data derived from them.

        Meters and players come before tables by name, and the ledger is stored in the same order.
        """
        streams = sorted(self.reading.journal_streams())
        for stream in sorted({HOUSE, *streams}, key=lambda name: (name not in FIRST, name)):
            try:
                self._follow(stream)
            except StoreError as error:
                self.findings.add(Place("events", stream), "unreadable", str(error))
        self.progress(self.events, self.events)
        lost_streams(self.context, self.heads, self.signed.seals, {*streams, HOUSE})
        kept_beside(self.context, self.reading.balances())
        founded = self.signed.founded
        return AuditReport(
            house="" if founded is None else founded.house,
            public_key="" if founded is None else founded.public_key,
            counts=self._counts(len(streams)),
            findings=tuple(self.findings.listed),
            cannot_exclude=cannot_exclude(
                self.signed, self.anchor, self.ends, clean=not self.findings.listed
            ),
            restores=tuple(
                Restore(record.at, moment(record.at), event) for record, event in self.signed.restores
            ),
            unlisted=self.findings.unlisted,
        )

    def _follow(self, stream: str) -> None:
        """Check one stream from its first event to its last."""
        chain = Chain(stream, self.heads.get(stream), self.signed.seals.pop(stream, {}), self.findings)
        family = stream.partition("/")[0]
        if family not in FAMILIES or (family in ("house", "staff")) != (stream == family):
            self.findings.add(Place("events", stream), "inserted", "A house never has such a stream.")
            family = ""
        replay = REPLAYS[family](self.context, stream) if family in REPLAYS else None
        self.context.restores = {event.restore for _, event in self.signed.restores}
        codec = codec_of(stream) if family else None
        happened: list[Happened] = []
        for record in self._records(stream):
            chain.follow(record)
            event = None if codec is None else self._event(codec, record)
            if happened and (event is None or record.command != happened[0][0].command):
                _replay(replay, happened)
                happened = []
            if event is None:
                self.context.ledger.accept(record)
            elif replay is None:
                self.signed.follow(record, event)
            else:
                happened.append((record, event))
        _replay(replay, happened)
        self._end(stream, chain, replay)

    def _records(self, stream: str) -> Iterator[Recorded]:
        """Yield the events of a stream, and report progress."""
        before, number = self.events, 0
        for number, record in enumerate(self.reading.events(stream, BEFORE_ALL), 1):
            if not number % EVERY:
                self.progress(before + number, max(before + number, self.total))
            yield record
        self.events = before + number

    def _end(self, stream: str, chain: Chain, replay: Replay | None) -> None:
        self.ends[stream] = chain.last
        if chain.last or stream in self.heads or chain.sealed:
            chain.end()
        if replay is not None:
            replay.end()
        elif stream == HOUSE:
            self.signed.end()

    def _event(self, codec: Codec[Any], record: Recorded) -> Any:
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

    def _note(self, record: Recorded, what: Kind, sentence: str) -> None:
        self.findings.add(Place("events", record.stream, record.sequence), what, sentence)

    def _counts(self, streams: int) -> Counts:
        context, tally = self.context, self.context.tally
        return Counts(
            streams=streams,
            events=self.events,
            commands=tally["commands"],
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
            secrets=tally["secrets"],
        )


def _replay(replay: Replay | None, happened: list[Happened]) -> None:
    if replay is not None and happened:
        replay.command(happened)
