"""Audit context: what the parts of one audit share.

It holds the findings, the ledger check, the pinned games and the cross-stream pairs. Meters and accounts are
read before tables: their events about a table wait as pairs, in order, for the table's own event, and an
event that no table event claims was inserted.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from fourcard.house.audit.checkpoint import Checkpoint, StreamCheckpoint, UnusableCheckpointError
from fourcard.house.audit.index_check import IndexCheck
from fourcard.house.audit.new_rows import NewRows
from fourcard.house.audit.report import FindingKind, FindingPlace, Findings, describe_difference, format_time
from fourcard.house.audit.state_codec import StateCodec
from fourcard.house.auth.identity import AnyCommand
from fourcard.house.auth.permissions import command_words, permissions
from fourcard.house.auth.security import SecurityState
from fourcard.house.decision import HOUSE
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Posting, Transfer
from fourcard.house.meter_state import MeterState
from fourcard.house.state_cache import StreamState
from fourcard.house.store.interface import ReadTransaction, StreamRows
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusals import BadInputError
from fourcard.rules.game import Game, decode_game

FRACTION_ACCOUNTS = ("meter/", "reserve/", "link/")
"""Accounts that may hold fractions of a cent."""
TransferKey = tuple[str, int, int]


class LedgerCheck:
    """Reads the stored transfers of each stream alongside the events that they come from."""

    def __init__(self, findings: Findings, balances: Mapping[str, int]) -> None:
        """Start with the balances at the checkpoint, or without any."""
        self.findings = findings
        self.balances = dict(balances)
        """The balance of every account by the events alone, in units."""
        self.compared: dict[str, int] = {}
        """The same balances at the checkpoint that a full audit is compared with."""
        self.count = 0
        self._stored: Iterator[Transfer] = iter(())
        self._next: Transfer | None = None
        self._compared_until = 0

    def begin_stream(self, stored: Iterator[Transfer], compared_until: int = 0) -> None:
        """Start with the stored transfers of a stream; up to a sequence they are summed apart as well."""
        self._stored, self._next, self._compared_until = stored, next(stored, None), compared_until

    def post(self, record: JournalRecord, moves: Sequence[Posting]) -> None:
        """Post the transfers of an event, and compare the stored ones with them."""
        balances, stream, sequence = self.balances, record.stream, record.sequence
        for number, move in enumerate(moves):
            giver, taker, units = move.giver, move.taker, move.units
            balances[giver] = balances.get(giver, 0) - units
            balances[taker] = balances.get(taker, 0) + units
            if sequence <= self._compared_until:
                self.compared[giver] = self.compared.get(giver, 0) - units
                self.compared[taker] = self.compared.get(taker, 0) + units
            stored = self._next
            right = Transfer(stream, sequence, number, giver, taker, units, move.what, move.wager, record.at)
            if stored == right:
                self._next = next(self._stored, None)
            else:
                self._report_difference(right)
        self.count += len(moves)

    def accept(self, record: JournalRecord) -> None:
        """Accept the stored transfers of a record that could not be replayed."""
        first, last = (record.stream, record.first_sequence), (record.stream, record.sequence)
        self._report_inserted_before((*first, 0))
        while self._next is not None and first <= _transfer_key(self._next)[:2] <= last:
            for account, units in (
                (self._next.giver, -self._next.units),
                (self._next.taker, self._next.units),
            ):
                self.balances[account] = self.balances.get(account, 0) + units
            self._next = next(self._stored, None)

    def end_stream(self) -> None:
        """Report the remaining transfers of a stream, which no event leads to."""
        while self._next is not None:
            self._report_inserted()

    def _report_difference(self, right: Transfer) -> None:
        """Report whether a transfer is missing or altered, or others were inserted before it."""
        self._report_inserted_before(_transfer_key(right))
        stored = self._next
        if stored is None or _transfer_key(stored) != _transfer_key(right):
            self._note(
                right, "missing", f"The journal moves {_describe_transfer(right)}; the ledger does not."
            )
            return
        if stored != right:
            self._note(
                right,
                "altered",
                f"The ledger moves {_describe_transfer(stored)}; the journal {_describe_transfer(right)}.",
            )
        self._next = next(self._stored, None)

    def _report_inserted_before(self, key: TransferKey) -> None:
        while self._next is not None and _transfer_key(self._next) < key:
            self._report_inserted()

    def _report_inserted(self) -> None:
        assert self._next is not None
        self._note(self._next, "inserted", f"No event moves {_describe_transfer(self._next)}.")
        self._next = next(self._stored, None)

    def _note(self, transfer: Transfer, what: FindingKind, sentence: str) -> None:
        self.findings.add(FindingPlace("transfers", *_transfer_key(transfer)), what, sentence)

    def check_balances(self, stored: Mapping[str, int]) -> None:
        """Compare every balance with the sum of its transfers, and the total with zero."""
        right = {account: units for account, units in self.balances.items() if units}
        for account in sorted({*right, *stored}):
            place = FindingPlace("balances", account)
            actual, expected = stored.get(account), right.get(account, 0)
            if actual is None:
                self.findings.add(
                    place, "missing", f"It must hold {_format_units(expected)}, but it is missing."
                )
            elif actual != expected:
                what: FindingKind = "altered" if account in self.balances else "inserted"
                sentence = (
                    f"It holds {_format_units(actual)}; its transfers add up to {_format_units(expected)}."
                )
                self.findings.add(place, what, sentence)
            if actual is not None and actual % UNITS_PER_CENT and not account.startswith(FRACTION_ACCOUNTS):
                self.findings.add(
                    place, "fraction", f"It holds {_format_units(actual)}, which is not a whole cent."
                )
        total = sum(stored.values())
        if total:
            place = FindingPlace("balances", "all accounts")
            self.findings.add(
                place, "altered", f"The sum of all accounts is {_format_units(total)}, not zero."
            )


def _transfer_key(transfer: Transfer) -> TransferKey:
    return transfer.stream, transfer.sequence, transfer.number


def _describe_transfer(transfer: Transfer) -> str:
    each = transfer
    wager = f" for {each.wager}" if each.wager else ""
    moved = f"{_format_units(each.units)} from {each.giver} to {each.taker}"
    return f"{moved} ({each.what}{wager}), {format_time(each.at)}"


def _format_units(units: int) -> str:
    """Format an amount in dollars, with fractions of a cent where there are any."""
    cents, part = divmod(abs(units), UNITS_PER_CENT)
    text = f"{'-' if units < 0 else ''}${cents // 100:,}.{cents % 100:02}"
    return f"{text}{part:04}" if part else text


class GameLostError(BadInputError):
    """A pinned game is missing or altered, so its table cannot be replayed."""


class PinnedGames:
    """The stored games of a house."""

    def __init__(self, stored: Mapping[str, bytes], findings: Findings, used: Iterable[str]) -> None:
        """Decode every game; report those that cannot be read or do not match their hash."""
        self.findings, self.stored = findings, stored
        self._intact: dict[str, Game] = {}
        self._used = set(used)
        for hash_, body in stored.items():
            self._read(hash_, body)

    def _read(self, hash_: str, body: bytes) -> None:
        place = FindingPlace("games", hash_)
        try:
            game = decode_game(body)
        except BadInputError as error:
            self.findings.add(place, "unreadable", str(error))
            return
        if game.hash == hash_:
            self._intact[hash_] = game
        else:
            self.findings.add(place, "altered", f"Its content now has the hash {game.hash}.")

    def game(self, hash_: str) -> Game:
        """Return a pinned game; fail where it is missing or altered."""
        if not self.has(hash_):
            raise GameLostError(f"Game {hash_} is missing or altered.")
        return self._intact[hash_]

    def has(self, hash_: str) -> bool:
        """Return whether a game is stored unaltered; it counts as used from now on."""
        self._used.add(hash_)
        return hash_ in self._intact

    @property
    def used(self) -> tuple[str, ...]:
        """Return every game that was used so far."""
        return tuple(sorted(self._used))

    def end(self) -> None:
        """Report games that are missing, and games that no table ever used."""
        for hash_ in sorted(self._used - self.stored.keys()):
            self.findings.add(FindingPlace("games", hash_), "missing", "A table was installed with it.")
        for hash_ in sorted(self._intact.keys() - self._used):
            self.findings.add(
                FindingPlace("games", hash_), "inserted", "No table was ever installed with it."
            )


SEARCH_DEPTH = 8
"""How many waiting events are searched for a counterpart, so that an inserted one hides no other."""
PairKey = tuple[str, int]
"""The key of a counterpart: its kind, and the round or the time."""


class ExpectedPair(msgspec.Struct, frozen=True):
    """An event of a meter or an account that waits for the table's event."""

    record: JournalRecord
    event: object
    key: PairKey
    before: MeterState | None = None
    """The meter as it was before the event."""

    @property
    def place(self) -> FindingPlace:
        """Return its place."""
        return FindingPlace("events", self.record.stream, self.record.sequence)


class CrossStreamPairs:
    """The events that wait for their counterpart."""

    def __init__(self, findings: Findings) -> None:
        """Start without waiting events."""
        self.findings, self.count = findings, 0
        self._waiting: dict[tuple[str, str], deque[ExpectedPair]] = {}

    def add(self, table: str, waiting: ExpectedPair) -> None:
        """Add an event that waits for its counterpart at a table."""
        self._waiting.setdefault((waiting.record.stream, table), deque()).append(waiting)

    def next(self, stream: str, table: str) -> ExpectedPair | None:
        """Return the next waiting event of a stream about a table."""
        queue = self._waiting.get((stream, table))
        return queue[0] if queue else None

    def match(
        self,
        stream: str,
        table: str,
        record: JournalRecord,
        sign: PairKey,
        right: Callable[[ExpectedPair], object],
    ) -> ExpectedPair | None:
        """Return the counterpart of a table's event, and report it where it is not as expected."""
        found = self._take(stream, table, sign)
        if found is None:
            sentence = f"It has no {sign[0]} for event {record.sequence} of {record.stream}."
            self.findings.add(FindingPlace("events", stream), "missing", sentence)
            return None
        self.count += 1
        wanted, theirs = _expected_event(right, found), found.record
        if found.event != wanted:
            other = f"It does not match event {record.sequence} of {record.stream}."
            self.findings.add(found.place, "pair", f"{other} {describe_difference(found.event, wanted)}")
        elif (theirs.at, theirs.by, theirs.role) != (record.at, record.by, record.role):
            sentence = f"It does not belong to the command of event {record.sequence} of {record.stream}."
            self.findings.add(found.place, "pair", sentence)
        return found

    def _take(self, stream: str, table: str, sign: PairKey) -> ExpectedPair | None:
        """Return the next event with a key; the events before it are reported as inserted."""
        queue = self._waiting.get((stream, table), deque())
        for skipped, waiting in enumerate(islice(queue, SEARCH_DEPTH)):
            if waiting.key == sign:
                for _ in range(skipped):
                    self._report_inserted(queue.popleft())
                return queue.popleft()
        return None

    def forget(self, table: str) -> None:
        """Drop the events that wait for a table which cannot be replayed."""
        for place in [place for place in self._waiting if place[1] == table]:
            del self._waiting[place]

    def end(self) -> None:
        """Report the events that no table event claimed."""
        for queue in self._waiting.values():
            for waiting in queue:
                self._report_inserted(waiting)

    def _report_inserted(self, waiting: ExpectedPair) -> None:
        sentence = f"No event of a table leads to this {waiting.record.kind}."
        self.findings.add(waiting.place, "inserted", sentence)


def _expected_event(right: Callable[[ExpectedPair], object], found: ExpectedPair) -> object:
    """Return the expected event, or the error text where an altered amount is impossible for a meter."""
    try:
        return right(found)
    except BadInputError as error:
        return str(error)


HOUSE_EVENTS = ("table_restored", "meter_restored")
"""Events that the house itself causes; they must match a restore in the house's own stream."""


def role_fault(record: JournalRecord, command: AnyCommand) -> str | None:
    """Return why a command is not allowed in its role, or None."""
    row = permissions().commands[str(type(command).__struct_config__.tag)]
    if record.role in row.roles:
        return None
    return f"Nobody may {command_words(command)} as {record.role}."


class AuditContext:
    """The shared state of one running audit."""

    def __init__(self, reading: ReadTransaction, findings: Findings, start: Checkpoint) -> None:
        """Read what the store holds besides the journal; start at a checkpoint, or at an empty one."""
        self.findings, self.tally = findings, Counter[str]()
        self.games = PinnedGames(reading.games(), findings, start.games)
        self.ledger = LedgerCheck(findings, start.balances)
        self.pairs = CrossStreamPairs(findings)
        self.secrets = {
            place: None if reading.key is None else reading.key.open(*place, sealed)
            for place, sealed in reading.secrets().items()
        }
        """Stored secrets that no commitment has used yet; None where they cannot be opened."""
        self.rows = reading.stream_rows()
        """By stream, how many rows the store has now."""
        self.earlier = start.streams
        """By stream, where the checkpoint is; empty where the audit starts at the first event."""
        self.states = StateCodec(self.games.game)
        self.index = IndexCheck(reading, findings, self.rows, self.earlier)
        self.reading = reading
        self.players: set[str] = set()
        """Players with an account."""
        self.authors = set(start.authors)
        """Everyone ever employed here, with each role that the person could act in."""
        self.meters: dict[str, MeterState] = {}
        self.set_back = start.set_back
        """The most milliseconds by which somebody has confirmed that the clock was set back."""
        self.security = SecurityState()
        """Passwords and sign-ins after the last event."""
        self.public_key = ""
        """The key of the house; empty if it was never founded."""
        self.unreleased = [*start.unreleased]
        """Installations of rulebooks that are not part of the release, in sentences (P39)."""
        self.restores: set[int] = set()
        """The numbers of the restores in the house's own stream."""

    def state_of(self, stream: str, start: StreamCheckpoint) -> StreamState:
        """Return the state of a stream at the checkpoint."""
        try:
            return self.states.decode(stream, start.state)
        except (msgspec.MsgspecError, BadInputError) as error:
            raise UnusableCheckpointError(f"Its state of {stream} cannot be used: {error}") from None

    def new_rows(self, stream: str) -> NewRows:
        """Return the reader of what a stream has after the checkpoint."""
        before = self.earlier.get(stream)
        now = self.rows.get(stream, StreamRows())
        return NewRows(self.reading, stream, now, None if before is None else before.rows)

    def add_finding(self, record: JournalRecord, what: FindingKind, sentence: str) -> None:
        """Add a finding about an event."""
        self.findings.add(FindingPlace("events", record.stream, record.sequence), what, sentence)

    def check_author(self, record: JournalRecord) -> None:
        """Check that the author of a command had an account, or was employed in its role."""
        by, role = record.by, record.role
        if (by, role) == (HOUSE, HOUSE) and record.kind in HOUSE_EVENTS:
            return
        known = by in self.players if role == "player" else (by, role) in self.authors
        if not known and self.authors:
            self.add_finding(record, "author", f"'{by}' never had the right to act as {role} here.")

    def forget(self, stream: str, table: str) -> None:
        """Drop what other streams and the store hold for a table that cannot be replayed."""
        self.pairs.forget(table)
        for key in [key for key in self.secrets if key[0] == stream]:
            del self.secrets[key]
