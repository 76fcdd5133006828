"""Index check: counts the totals of a table again, and compares them and its rounds with the store."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from msgspec.structs import replace

from fourcard.house.audit.checkpoint import StreamCheckpoint, TableProgress
from fourcard.house.audit.new_rows import NewRows
from fourcard.house.audit.report import FindingKind, FindingPlace, Findings
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import RoundMeterEffects
from fourcard.house.round_index import END_KINDS, IndexedRound, index_round, player_rows, round_row
from fourcard.house.running_totals import (
    TABLE_FIGURES,
    WAGER_FIGURES,
    HourTotals,
    RunningTotals,
    Sums,
    decode_hour,
)
from fourcard.house.store.interface import (
    PlayerRound,
    ReadTransaction,
    RoundQuery,
    RoundRow,
    StoreError,
    StreamRows,
    TableHour,
)
from fourcard.house.table_state import AnyTable, HouseTable
from fourcard.money import dollars

NOT_MONEY = ("rounds", "voids")


class IndexCheck:
    """What the store holds of all tables besides journal and ledger: totals, rounds and their players."""

    def __init__(
        self,
        reading: ReadTransaction,
        findings: Findings,
        rows: Mapping[str, StreamRows],
        earlier: Mapping[str, StreamCheckpoint],
    ) -> None:
        """Start before the first table, given how many rows there are and where the checkpoint is."""
        self.reading, self.findings, self._rows, self._earlier = reading, findings, rows, earlier
        self.meters: dict[tuple[str, int], RoundMeterEffects] = {}
        """By table and round, what its meter showed and held, as the meters' own events say."""
        self.hours = self.rounds = 0
        self.totals = RunningTotals()
        self._followed: dict[str, NewRows] = {}
        self.unfinished: set[str] = set()
        """Tables that were not compared to their end; what is stored of them proves nothing."""
        self._players = self._new_players()
        self._player = next(self._players, None)

    def _new_players(self) -> Iterator[PlayerRound]:
        """Yield the rows by which players find rounds that the checkpoint does not cover."""
        moments = []
        for stream, rows in self._rows.items():
            before = self._earlier.get(stream)
            if before is None or before.table is None:
                moments += [0] if rows.players.count else []
            elif rows.players != before.rows.players:
                moments.append(before.table.at)
        if not moments:
            return
        known = {stream: each.rows.players.last for stream, each in self._earlier.items()}
        for row in self.reading.player_rounds(min(moments) or None):
            if row.number > known.get(row.stream, 0) or row.stream not in known:
                yield row

    def table(self, new: NewRows, progress: TableProgress | None) -> "TableIndexCheck":
        """Return the check of a table; tables come in the order of their names."""
        self._followed[new.stream] = new
        self.unfinished.add(new.stream)
        return TableIndexCheck(self, new, progress)

    def add(self, place: FindingPlace, what: FindingKind, sentence: str) -> None:
        """Add a finding."""
        self.findings.add(place, what, sentence)

    def check_players(self, found: IndexedRound) -> None:
        """Compare the players of a round with the rows by which they find it."""
        for right in player_rows(found):
            self._report_players_before(right)
            if self._player == right:
                self._next_player()
            else:
                self._note_player(right, "missing", "does not find it")

    def _report_players_before(self, right: PlayerRound | None) -> None:
        """Report rows that no round leads to, up to a row or the end."""
        while self._player is not None and (right is None or _player_key(self._player) < _player_key(right)):
            if self._player.stream not in self.unfinished or (right and right.stream == self._player.stream):
                self._note_player(self._player, "inserted", "finds it without a wager in it")
            self._next_player()

    def _next_player(self) -> None:
        assert self._player is not None
        table = self._followed.get(self._player.stream)
        if table is not None:
            table.count_player()
        self._player = next(self._players, None)

    def _note_player(self, row: PlayerRound, what: FindingKind, how: str) -> None:
        self.add(FindingPlace("rounds", row.stream, row.number), what, f"Player '{row.player}' {how}.")

    def end(self) -> None:
        """Report what belongs to no table of the journal."""
        self._report_players_before(None)
        for stream in self._rows.keys() - self._followed.keys():
            rows = self._rows[stream]
            for hour in self.reading.table_hours(stream) if rows.hours.count else ():
                self.add(FindingPlace("totals", stream, hour.hour), "inserted", "There is no such table.")
            for row in self.reading.rounds(RoundQuery(stream=stream)) if rows.rounds.count else ():
                self.add(FindingPlace("rounds", stream, row.number), "inserted", "There is no such table.")
        for table in self._followed.values():
            table.check_counts("players")


def _player_key(row: PlayerRound) -> tuple[str, int, str, int]:
    return row.stream, row.number, row.player, row.at


class TableIndexCheck:
    """Counts one table again, event by event."""

    def __init__(self, whole: IndexCheck, new: NewRows, progress: TableProgress | None) -> None:
        """Start before the first event, or at the checkpoint."""
        self._whole, self._stream, self._new = whole, new.stream, new
        self._totals = whole.totals.table(new.stream)
        self.hour = None if progress is None else progress.hour
        """The newest hour as it must be stored, at the checkpoint and in the end."""
        self._totals.resume(self.hour)
        self._hours: list[TableHour] = []
        self._rounds = new.rounds()
        self._broken = False

    def give_up(self) -> None:
        """Compare nothing more, because an event could not be replayed."""
        self._broken = True

    def add(
        self, before: AnyTable, after: AnyTable, record: JournalRecord, counted: tuple[object, list[Posting]]
    ) -> None:
        """Count an event with its postings, given the table before and after it."""
        if self._broken or not isinstance(before, HouseTable) or not isinstance(after, HouseTable):
            return
        try:
            left = self._totals.add(record, *counted)
        except StoreError:  # an altered event moves what no table moves; the ledger reports it
            self.give_up()
            return
        self._hours += [] if left is None else [left]
        if record.kind in END_KINDS:
            effects = self._whole.meters.get((after.name, after.state.round_number))
            self._check_round(index_round(before, after, record, effects))

    def _check_round(self, found: IndexedRound) -> None:
        right, stored = round_row(found), next(self._rounds, None)
        while stored is not None and stored.number < right.number:
            self._note_round(stored, "inserted", "The journal has no such round.")
            stored = next(self._rounds, None)
        self._whole.rounds += 1
        if stored is None or stored.number != right.number:
            self._note_round(right, "missing", "The journal has the round; the index does not.")
            if stored is not None:
                self._note_round(stored, "inserted", "It is out of order.")
        elif stored != right:
            names = [
                name for name in RoundRow.__struct_fields__ if getattr(stored, name) != getattr(right, name)
            ]
            self._note_round(right, "altered", f"It differs from the journal in {', '.join(names)}.")
        self._whole.check_players(found)

    def _note_round(self, row: RoundRow, what: FindingKind, sentence: str) -> None:
        self._whole.add(FindingPlace("rounds", self._stream, row.number), what, sentence)

    def end(self) -> None:
        """Compare the hours with the stored ones, and report rounds after the last."""
        if self._broken:
            return
        self._whole.unfinished.discard(self._stream)
        for stored in self._rounds:
            self._note_round(stored, "inserted", "The journal has no such round.")
        first = self.hour
        rights = {} if first is None else {first.hour: first}
        for row in [*self._hours, self._totals.row()] if self._totals.changed else self._hours:
            rights[row.hour] = row if row.before or first is None else replace(row, before=first.before)
        self.hour = rights[max(rights)] if rights else None
        known = {row.hour: row for row in self._new.hours()}
        self._whole.hours += len(rights) - (first is not None)
        for hour in sorted({*rights, *known}):
            self._check_hour(hour, rights.get(hour), known.get(hour))

    def _check_hour(self, hour: int, right: TableHour | None, stored: TableHour | None) -> None:
        place, add = FindingPlace("totals", self._stream, hour), self._whole.add
        if right is None or stored is None:
            what: FindingKind = "inserted" if right is None else "missing"
            add(place, what, f"There are {'no events' if right is None else 'no totals'} of that hour.")
            return
        if stored == right:
            return
        try:
            (now, before), (right_now, right_before) = decode_hour(stored), decode_hour(right)
        except StoreError as error:
            add(place, "unreadable", str(error))
            return
        for sentence in (
            *_hour_faults(now, right_now),
            *_sum_faults(before, right_before, "before the hour"),
        ):
            add(place, "altered", sentence)


def _hour_faults(stored: HourTotals, right: HourTotals) -> Iterator[str]:
    """Yield how the totals of an hour differ from those counted again."""
    if stored.dealer != right.dealer:
        yield f"It ends with the dealer '{stored.dealer}'; by the journal with '{right.dealer}'."
    if stored.counts != right.counts:
        yield "Its counts of chips are not those of the journal."
    for dealer in sorted({*stored.dealers, *right.dealers}):
        sums = stored.dealers.get(dealer, Sums()), right.dealers.get(dealer, Sums())
        yield from _sum_faults(*sums, f"of dealer '{dealer}'")


def _sum_faults(stored: Sums, right: Sums, whose: str) -> Iterator[str]:
    for name, has, must in zip_longest(TABLE_FIGURES, stored.figures, right.figures):
        if has != must:
            yield _difference(f"{name} {whose}", has, must, money=name not in NOT_MONEY)
    for wager in sorted({*stored.wagers, *right.wagers}):
        both = _wager(stored.wagers, wager), _wager(right.wagers, wager)
        for name, has, must in zip_longest(WAGER_FIGURES, *both):
            if has != must:
                yield _difference(f"{name} of {wager} {whose}", has, must, money=True)


def _wager(wagers: Mapping[str, list[int]], name: str) -> list[int]:
    return wagers.get(name, [0] * len(WAGER_FIGURES))


def _difference(what: str, has: int | None, must: int | None, *, money: bool) -> str:
    told = ("nothing" if each is None else dollars(each) if money else f"{each}" for each in (has, must))
    return "Its {} is {}; the journal counts {}.".format(what, *told)
