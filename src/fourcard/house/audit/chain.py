"""Hash chain and signatures: checks every stream, and states what chain and signatures cannot exclude."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set

import msgspec

from fourcard.house.audit.checkpoint import Checkpoint, SignedCheckpoint
from fourcard.house.audit.report import (
    FindingKind,
    FindingPlace,
    Findings,
    RestoreEntry,
    RotationEntry,
    format_time,
)
from fourcard.house.clock_entropy import TOLERANCE
from fourcard.house.decision import HOUSE
from fourcard.house.events import (
    HeadsSigned,
    HouseRestored,
    KeyRotated,
    SignedHead,
    SigningBegan,
    WitnessAdded,
    WitnessRemoved,
)
from fourcard.house.head_signatures import Anchor, HouseIdentity, is_genuine, is_signed
from fourcard.house.journal import (
    GENESIS,
    RECORD_KIND,
    JournalRecord,
    StreamHead,
    chain_hash,
    pack_events,
    salt_of,
)
from fourcard.house.reports.formats import DAY
from fourcard.house.segments import MIN_KEEP_DAYS

SignedHash = tuple[str, str]
"""A signed hash of a stream at a sequence, in hexadecimal, and who signed it."""
SignedHashes = Mapping[int, Sequence[SignedHash]]
FindRecord = Callable[[int], JournalRecord | None]
"""Returns the stored record that holds an event, or None."""


class ChainCheck:
    """Checks the events of a stream from the first to the last."""

    def __init__(
        self,
        stream: str,
        head: StreamHead | None,
        seals: SignedHashes,
        findings: Findings,
        closed: int = 0,
    ) -> None:
        """Start before the first event, with the stored head, the signed hashes, and the end of segments."""
        self.stream, self.head, self.findings, self.closed = stream, head, findings, closed
        self._commits: dict[int, bytes] = {}
        """By sequence, the first bytes of the hash in a signed commit, until a record fits it."""
        self.committed = 0
        """The last sequence whose hash is that of a signed commit."""
        self.at = 0
        """The time of the last record."""
        self.set_back: list[tuple[int, int]] = []
        """Where time runs backwards, and by how many milliseconds."""
        self.last = self.start = 0
        self.hash = GENESIS
        """The stored hash of the last event."""
        self._seals, self._sealed = seals, 0
        self._unmet = sorted(seals, reverse=True)
        """Signed sequences that no record has reached yet, the next one last."""
        self._expected_hash: bytes | None = None
        """The hash that the last event should have, where the stored one is wrong."""
        self._gap = False
        self._first: JournalRecord | None = None
        """The first known event of the current command."""
        self._event = 0
        """The sequence of the last event."""
        self.keys: dict[str, tuple[int, int]] = {}
        """The sequence and the time of each key that was read."""
        self._end = 0 if head is None else head.sequence
        self._beyond = 0
        """The first event after the head."""

    def resume(self, at: StreamHead, find: FindRecord) -> None:
        """Go on after a checkpoint; compare later signatures of events before it with the stored hashes."""
        self.last = self.start = self._event = at.sequence
        self.hash = at.hash
        while self._unmet and self._unmet[-1] <= at.sequence:
            record = find(self._unmet[-1])
            if record is None:
                self._note(self._unmet.pop(), "missing", "It was signed, and is missing now.")
                continue
            self._check_signatures(record)
            self._unmet = [each for each in self._unmet if each > record.sequence]

    @property
    def sealed(self) -> bool:
        """Return whether any event of the stream was signed."""
        return bool(self._seals)

    def use_commits(self, signed: Mapping[int, bytes]) -> None:
        """Compare the records after the start with what commits have signed."""
        self._commits = {sequence: hash_ for sequence, hash_ in signed.items() if sequence > self.start}

    def check_set_back(self, confirmed: int) -> None:
        """Report where time runs backwards by more than somebody has confirmed (P37)."""
        for sequence, by in self.set_back:
            if by > confirmed + TOLERANCE:
                sentence = f"Its time is {by / 1000:,.0f} s before that of the event before it."
                self._note(sequence, "time", sentence)

    def check_record(self, record: JournalRecord) -> None:
        """Check the next stored record."""
        if record.first_sequence != self.last + 1:
            self._report_gap(record)
        if chain_hash(self.hash, record) != record.hash:
            self._report_unlinked(record)
        else:
            self._expected_hash = None
        self._check_columns(record)
        self._advance(record)

    def check_sealed(self, record: JournalRecord) -> None:
        """Check the next stored record as far as its place and its signed hash: it cannot be opened."""
        if record.first_sequence != self.last + 1:
            self._report_gap(record)
        self._gap, self._expected_hash = False, None
        self._advance(record)

    def _advance(self, record: JournalRecord) -> None:
        sequence = record.sequence
        self._check_signatures(record)
        self._check_commit(record)
        if record.at < self.at - TOLERANCE:
            self.set_back.append((sequence, self.at - record.at))
        self.at = record.at
        if sequence > self._end and not self._beyond:
            self._beyond = sequence
        self.hash = record.hash
        self.last = max(self.last, sequence)

    def check_form(self, record: JournalRecord, events: Sequence[JournalRecord]) -> None:
        """Check that a stored record holds its events in the only form in which a house writes them."""
        if record.kind == RECORD_KIND and pack_events(events, salt_of(record)).body != record.body:
            self._note(record.sequence, "envelope", "A house never writes its events in this form.")

    def check_envelope(self, record: JournalRecord) -> None:
        """Check what an event says about its command."""
        follows = record.sequence == self._event + 1
        self._event = record.sequence
        if record.command_sequence == record.sequence:
            self._first = record
            if record.key or record.digest:
                self._check_key(record)
        elif follows:
            self._check_same_command(record)
        else:
            self._first = record

    def end(self) -> None:
        """Compare the end of the stream with its stored head and with signatures of later events."""
        self._check_head()
        beyond = [sequence for sequence in self._seals if sequence > self.last]
        if beyond:
            last = max(beyond)
            sentence = f"{self._span(last)} missing: {self._seals[last][0][1]} has signed event {last}."
            self._note(self.last + 1, "missing", sentence)

    def _report_gap(self, record: JournalRecord) -> None:
        """Report a gap, or a record at an impossible sequence."""
        if record.first_sequence <= self.last:
            self._note(record.sequence, "inserted", "It has an impossible sequence: no event can be there.")
            return
        self._note(self.last + 1, "missing", f"{self._span(record.first_sequence - 1)} missing.")
        self._gap = True

    def _span(self, until: int) -> str:
        first = self.last + 1
        return f"Event {first} is" if until == first else f"Events {first} to {until} are"

    def _report_unlinked(self, record: JournalRecord) -> None:
        """Report an event that is not chained to the one before; after an altered one either may fit."""
        unknown, self._gap = self._gap, False
        other, self._expected_hash = self._expected_hash, None
        if unknown or (other is not None and chain_hash(other, record) == record.hash):
            return
        first, last = record.first_sequence, record.sequence
        events = f"Event {last} does" if first == last else f"Events {first} to {last} do"
        self._note(record.sequence, "altered", f"{events} not match the stored hash.")
        self._expected_hash = chain_hash(self.hash, record)

    def _check_columns(self, record: JournalRecord) -> None:
        """Check the columns that depend on the form of a record."""
        packed = record.kind == RECORD_KIND
        if packed and (record.digest or record.command is not None):
            sentence = "Its commands are in its body: the columns of digest and command must be empty."
            self._note(record.sequence, "envelope", sentence)
        if packed and record.game:
            sentence = f"It names game '{record.game}'; the game of a record follows from the installation."
            self._note(record.sequence, "game", sentence)
        if not packed and not record.game and self.stream.startswith("table/"):
            self._note(record.sequence, "game", "It names no game, unlike every table event of its form.")

    def _check_key(self, record: JournalRecord) -> None:
        """Check the key of a command, which its first event carries with the command or, in 0.1, a digest."""
        if not record.key or bool(record.digest) == (record.command is not None):
            sentence = "A key comes with the command, or in version 0.1 with a digest of it."
            self._note(record.sequence, "envelope", sentence)
        sequence, at = self.keys.get(record.key, (0, 0))
        forgotten = sequence <= self.closed and record.at - at >= MIN_KEEP_DAYS * DAY
        if sequence and not forgotten:
            self.report_repeated(record.key, record.sequence)
        self.keys[record.key] = record.sequence, record.at

    def report_repeated(self, key: str, sequence: int) -> None:
        """Report a key that was used before."""
        self._note(sequence, "repeated", f"The key '{key}' is used twice in the stream.")

    def _check_same_command(self, record: JournalRecord) -> None:
        """Check an event that is not the first of its command."""
        if self._first is None or _envelope(record) != _envelope(self._first):
            sentence = f"It does not belong to the command of event {record.command_sequence}, as it claims."
            self._note(record.sequence, "envelope", sentence)
            self._first = record
        if record.key or record.digest or record.command is not None:
            sentence = "Only the first event of a command may carry it and its key."
            self._note(record.sequence, "envelope", sentence)

    def _check_signatures(self, record: JournalRecord) -> None:
        """Compare a record with its signed hashes; a house signs the last event of a record, none inside."""
        while self._unmet and self._unmet[-1] < record.sequence:
            signed = self._unmet.pop()
            if signed >= record.first_sequence:
                who = self._seals[signed][0][1]
                sentence = f"The stream was rewritten: {who} has signed event {signed}, inside this record."
                self._note(record.sequence, "altered", sentence)
        if record.sequence in self._seals:
            self._check_signed(record)

    def _check_commit(self, record: JournalRecord) -> None:
        signed = self._commits.pop(record.sequence, None)
        if signed is None:
            return
        if signed == record.hash[: len(signed)]:
            self.committed = record.sequence
        else:
            sentence = "The stream was rewritten up to this event: a commit has signed another hash."
            self._note(record.sequence, "altered", sentence)

    def check_committed(self, *, required: bool) -> None:
        """Report events that a commit has signed and the stream lacks, and those that none has signed."""
        if self._commits:
            last = max(self._commits)
            sentence = f"The stream was rewritten or cut off: a commit has signed event {last}."
            self._note(last, "missing" if last > self.last else "altered", sentence)
        elif required and max(self.committed, self.start) < self.last:
            first = max(self.committed, self.start) + 1
            events = f"Event {first} is" if first == self.last else f"Events {first} to {self.last} are"
            self._note(first, "signature", f"{events} not signed by any commit of the house.")

    def _check_signed(self, record: JournalRecord) -> None:
        """Compare an event with its signed hashes."""
        found = record.hash.hex()
        broken = [who for sealed, who in self._seals[record.sequence] if sealed != found]
        if broken:
            since = f"between event {self._sealed + 1} and this one" if self._sealed else "up to this event"
            sentence = f"The stream was rewritten {since}: {broken[0]} has signed another hash."
            self._note(record.sequence, "altered", sentence)
        else:
            self._sealed = record.sequence

    def _check_head(self) -> None:
        place, head = FindingPlace("streams", self.stream), self.head
        if head is None and not self.last:
            return
        if head is None:
            self.findings.add(place, "missing", "The journal has events, but the table of heads has no row.")
        elif head.sequence > self.last:
            sentence = f"{self._span(head.sequence)} missing: the head stands at {head.sequence}."
            self._note(self.last + 1, "missing", sentence)
        elif head.sequence < self.last:
            sentence = f"The head stands at event {head.sequence}: it was moved back, or the rest was added."
            self._note(self._beyond, "inserted", sentence)
        elif head.hash != self.hash:
            self.findings.add(place, "altered", f"It has another hash than event {self.last}.")

    def _note(self, sequence: int, what: FindingKind, sentence: str) -> None:
        self.findings.add(FindingPlace("events", self.stream, sequence), what, sentence)


def _envelope(record: JournalRecord) -> tuple[int, int, str, str]:
    return record.command_sequence, record.at, record.by, record.role


class SignatureAudit:
    """Checks the house's own stream, and collects the signed hashes of the other streams."""

    def __init__(self, identity: HouseIdentity | None, findings: Findings) -> None:
        """Start with the identity of the house, which holds its public keys."""
        self.identity, self.findings = identity, findings
        self.signs = identity is not None and identity.signs
        """Whether every commit must be signed."""
        self.seals: dict[str, dict[int, list[SignedHash]]] = defaultdict(lambda: defaultdict(list))
        self.last_at: int | None = None
        """When the newest signature of heads was made."""
        self.until: dict[str, int] = {}
        """By stream, the last sequence that a signature of the house covers."""
        self.count = 0
        self.restores: list[RestoreEntry] = []
        """Every restore of the house from an older state (P38)."""
        self.rotations: list[RotationEntry] = []
        """Every rotation of its key."""
        self.witnesses: dict[str, str] = {}
        """The addresses of the house's witnesses by name."""

    def resume(self, start: Checkpoint) -> None:
        """Go on after a checkpoint."""
        self.last_at, self.until = start.signed_at, dict(start.signed)
        self.signs |= bool(start.commits.count)
        self.restores, self.rotations = [*start.restores], [*start.rotations]
        self.witnesses = dict(start.witnesses)

    def check_event(self, record: JournalRecord, event: object) -> None:
        """Check the next event of the house's stream."""
        if isinstance(event, HeadsSigned):
            self._check_signature(record, event)
        elif isinstance(event, HouseRestored):
            self._check_restore(record, event)
        elif isinstance(event, KeyRotated):
            self._check_rotation(record, event)
        elif isinstance(event, SigningBegan):
            self.signs = True
        elif isinstance(event, WitnessAdded | WitnessRemoved):
            self._check_witness(record, event)
        elif record.sequence != 1:
            self._note(record.sequence, "inserted", "A house is founded once, and by its first event.")

    def _check_restore(self, record: JournalRecord, event: HouseRestored) -> None:
        """Record a restore; restores are numbered without a gap."""
        if event.restore != len(self.restores) + 1:
            self._note(record.sequence, "inserted", f"Restore {len(self.restores) + 1} is the next one.")
        self.restores.append(RestoreEntry(record.at, format_time(record.at), event))

    def _check_rotation(self, record: JournalRecord, event: KeyRotated) -> None:
        """Record a rotation of the key, if it is one of those that the key before has signed."""
        if self.identity is None or (record.sequence, event.public_key) not in self.identity.keys:
            sentence = "The key before it has not signed this rotation: its key is not the house's."
            self._note(record.sequence, "signature", sentence)
        else:
            self.rotations.append(RotationEntry(record.at, format_time(record.at), event.public_key))

    def _check_witness(self, record: JournalRecord, event: WitnessAdded | WitnessRemoved) -> None:
        """Record the witnesses; one is added that is not there, and removed that is."""
        if (event.name in self.witnesses) == isinstance(event, WitnessAdded):
            sentence = (
                f"The house {'has' if event.name in self.witnesses else 'has no'} witness '{event.name}'."
            )
            self._note(record.sequence, "inserted", sentence)
        if isinstance(event, WitnessAdded):
            self.witnesses[event.name] = event.address
        else:
            self.witnesses.pop(event.name, None)

    def end(self) -> None:
        """Report a house without a founding event, where nothing can be verified."""
        if self.identity is None:
            self._note(1, "missing", "The house was never founded: its name and its key are not known.")

    def _check_signature(self, record: JournalRecord, event: HeadsSigned) -> None:
        """Verify a signature; heads with a wrong signature are not used."""
        self.count += 1
        identity = self.identity
        if identity is None:
            return
        key = identity.key_at(record.sequence)
        if not is_signed(key, event.signature, identity.house, record.at, event.heads):
            self._note(record.sequence, "signature", "The heads are not signed with the key of the house.")
            return
        self.last_at = record.at
        for head in event.heads:
            self._seal(head, f"event {record.sequence} of {HOUSE}")
            self.until[head.stream] = max(head.sequence, self.until.get(head.stream, 0))

    def note_committed(self, stream: str, sequence: int, at: int) -> None:
        """Note up to where the commits have signed a stream, and when that was."""
        self.until[stream] = max(sequence, self.until.get(stream, 0))
        self.last_at = max(at, self.last_at or 0)

    def _seal(self, head: SignedHead, who: str) -> None:
        self.seals[head.stream][head.sequence].append((head.hash, who))

    def use_anchor(self, anchor: Anchor) -> bool:
        """Use the heads of an anchor if it belongs to this house and is genuine; return whether it does."""
        identity, place = self.identity, FindingPlace("anchor")
        own = next((head.sequence for head in anchor.heads if head.stream == HOUSE), 0)
        if identity is not None and anchor.public_key != identity.key_at(own):
            sentence = (
                "It carries another key than the house had at that time: one of them is another house's, or "
                "an old key signed it."
            )
            self.findings.add(place, "anchor", sentence)
            return False
        if identity is not None and anchor.house != identity.house:
            self.findings.add(place, "anchor", f"It is of the house {anchor.house}, not of {identity.house}.")
            return False
        if not is_genuine(anchor):
            self.findings.add(
                place, "anchor", "It is not signed with its key: it was altered and proves nothing."
            )
            return False
        for head in anchor.heads:
            self._seal(head, "the anchor")
        return True

    def _note(self, sequence: int, what: FindingKind, sentence: str) -> None:
        self.findings.add(FindingPlace("events", HOUSE, sequence), what, sentence)


REWRITTEN = (
    "That the whole journal was rewritten, or cut off together with its heads and its later signatures, "
    "and signed with the key of the house or with another. It names {key}; only an anchor "
    "or a witness outside can tell."
)
NEWER = (
    "That somebody who has the key of the house rewrote, or cut off, what happened after {what} of "
    "{at}: {count} newer than {what}. {held}"
)
UNCHANGED = "What {what} covers is unchanged."
UNCHANGED_EXCEPT = "What {what} covers is unchanged except for the findings."
HEADS_UNCHANGED = (
    "The heads that {what} covers were compared; events before the checkpoint were not read again."
)
NOT_GIVEN = (
    "That the witness {names} of this house says otherwise: it was not compared. Give it with --witness."
)
EARLIER = (
    "That something in the {count:,} events up to the checkpoint of {at} was changed where it stands, or "
    "that somebody who has the key of the house wrote another checkpoint: the number of rows and the last "
    "hash of every stream are compared, but the rows are not read again. A full audit reads them (--full)."
)
UNSIGNED = (
    "That somebody who can write to the database cut off, added or changed something{since} within the "
    "rules: {count} unsigned, and protected by their hashes alone."
)
NOTHING_NEWER = "That something happened{since} and all of it was cut off: no event is unsigned."
NOT_REDECIDED = (
    "That an event of version 0.1 does not follow from the rules: {were} not re-decided: stored without its "
    "command. Chain, shuffles, settlements and money of those events are checked."
)
SEALED_SECRETS = (
    "That secrets of shuffles to come were altered: they are sealed, and without the key of the house "
    "(--key) nobody can compare them with their commitments."
)
STILL_SEALED = (
    "What {places} hold: cards that are not shown yet are sealed until the round is over, and without the "
    "key of the house (--key) only the places and the signed hashes of those events are checked."
)
UNREAD = (
    "That snapshots or the list of the newest closed day were deleted, which the house writes again, or that "
    "balances of zero or totals of an hour without events were added, which nothing reads."
)


class OutsideHeads(msgspec.Struct, frozen=True):
    """Heads that were stored outside the house: what holds them, of when, and the sequence of each stream."""

    what: str
    at: int
    known: Mapping[str, int]


def limitations(
    signed: SignatureAudit,
    outside: OutsideHeads | None,
    start: SignedCheckpoint | None,
    ends: Mapping[str, int],
    *,
    clean: bool,
) -> tuple[str, ...]:
    """Return what remains possible, given the end of every stream, heads from outside and a checkpoint.

    The data that the audit does not examine is always listed last.
    """
    earlier = () if start is None else (EARLIER.format(at=format_time(start.at), count=start.facts.events),)
    if outside is None:
        key = "no key" if signed.identity is None else f"the key {signed.identity.public_key}"
        return *earlier, REWRITTEN.format(key=key), _unsigned_limitation(signed, ends), UNREAD
    held = (UNCHANGED if clean else UNCHANGED_EXCEPT) if start is None else HEADS_UNCHANGED
    newer = NEWER.format(
        what=outside.what,
        at=format_time(outside.at),
        count=_count_text(_count_after(outside.known, ends)),
        held=held.format(what=outside.what),
    )
    return *earlier, newer, _unsigned_limitation(signed, ends), UNREAD


def witnesses_not_given(signed: SignatureAudit, given: Set[str]) -> tuple[str, ...]:
    """Return what remains possible because a witness of the house was not compared."""
    left_out = [
        f"'{name}' ({address})" for name, address in sorted(signed.witnesses.items()) if name not in given
    ]
    return tuple(NOT_GIVEN.format(names=each) for each in left_out)


def not_redecided(count: int) -> tuple[str, ...]:
    """Return what remains possible for commands of 0.1."""
    if not count:
        return ()
    were = "1 command was" if count == 1 else f"{count:,} commands were"
    return (NOT_REDECIDED.format(were=were),)


def still_sealed(tails: Sequence[tuple[str, int, int]]) -> tuple[str, ...]:
    """Return what remains possible where the end of a stream is sealed."""
    if not tails:
        return ()
    places = [f"events {first} to {last} of {stream}" for stream, first, last in tails]
    return (STILL_SEALED.format(places=", ".join(places)),)


def _unsigned_limitation(signed: SignatureAudit, ends: Mapping[str, int]) -> str:
    """Describe what is possible for events that no signature covers."""
    others = {stream: end for stream, end in ends.items() if stream != HOUSE}
    newer, last = _count_after(signed.until, others), signed.last_at
    since = "" if last is None else f" after the last signature, of {format_time(last)},"
    return (UNSIGNED if newer else NOTHING_NEWER).format(since=since, count=_count_text(newer))


def _count_after(known: Mapping[str, int], ends: Mapping[str, int]) -> int:
    return sum(max(0, end - known.get(stream, 0)) for stream, end in ends.items())


def _count_text(count: int) -> str:
    return "1 event is" if count == 1 else f"{count:,} events are"
