"""Player statement: every transfer of an account in order, with the balance after it.

The amounts come from the ledger. Their order comes from the account's own stream, which has an event for
every transfer, because transfers at two tables may have the same time.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from fourcard.house import accounts
from fourcard.house.accounts import Transfer
from fourcard.house.events import ChipsBought, ChipsReturned, MoneyDeposited, MoneyWithdrawn, PlayerRegistered
from fourcard.house.journal import PLAYERS
from fourcard.house.outcome import player_stream, table_stream
from fourcard.house.records import Recorded
from fourcard.house.reports.showing import moment
from fourcard.house.store.contract import Reading, StoreError
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusals import Code, RefusedError, refuse


class Line(msgspec.Struct, frozen=True, gc=False):
    """One transfer of the account."""

    at: int
    what: str
    """``deposit``, ``withdrawal``, ``buy_in`` or ``cash_out``."""
    table: str
    """Where chips were bought or cashed; otherwise empty."""
    cents: int
    """The amount; negative place money went out."""
    balance: int
    by: str
    sequence: int
    """The event of the account's stream that it comes from."""

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "moment": moment(self.at)}


class Statement(msgspec.Struct, frozen=True):
    """An account over a period, and the player's chips at its end."""

    player: str
    name: str
    since: int | None
    until: int | None
    """The first time after the period; None place it is open."""
    opening: int
    lines: tuple[Line, ...]
    chips: tuple[tuple[str, int], ...]
    """By table, the cents in chips at the end of the period, without chips on the layout."""

    @property
    def closing(self) -> int:
        """Return the balance at the end of the period."""
        return self.opening + sum(line.cents for line in self.lines)

    def total(self, what: str) -> int:
        """Return the sum of the transfers of one kind."""
        return sum(line.cents for line in self.lines if line.what == what)

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {
            "player": self.player,
            "name": self.name,
            "since": self.since,
            "until": self.until,
            "opening": self.opening,
            "closing": self.closing,
            "lines": [line.answer() for line in self.lines],
            "chips": dict(self.chips),
        }


def statement(reading: Reading, player: str, since: int | None = None, until: int | None = None) -> Statement:
    """Return the statement of a player from one time to just before another; both are open by default."""
    records = [*reading.events(player_stream(player))]
    name = _name(records, player)
    opening, lines, tables = 0, list[Line](), set[str]()
    for record, what, table, cents in _transfers(reading, records, player):
        if table:
            tables.add(table)
        if since is not None and record.at < since:
            opening += cents
        elif until is None or record.at < until:
            lines.append(Line(record.at, what, table, cents, 0, record.by, record.sequence))
    chips = tuple(_chips(reading, tables, player, until))
    return Statement(player, name, since, until, opening, tuple(_with_balances(opening, lines)), chips)


def _name(records: list[Recorded], player: str) -> str:
    """Return the name of a player; refuse a player without an account."""
    for record in records:
        event = PLAYERS.decode(record)
        if isinstance(event, PlayerRegistered):
            return event.name
    raise RefusedError(refuse(Code.PLAYER_UNKNOWN, player=player))


def _transfers(
    reading: Reading, records: Iterable[Recorded], player: str
) -> Iterator[tuple[Recorded, str, str, int]]:
    """Yield the ledger transfers in the order of the account's own events."""
    account = accounts.player(player)
    waiting: dict[str, deque[Transfer]] = {}
    for transfer in reading.transfers(account):
        waiting.setdefault(transfer.stream, deque()).append(transfer)
    for record in records:
        place = _posting_place(PLAYERS.decode(record), player)
        if place is None:
            continue
        stream, table = place
        if not waiting.get(stream):
            raise _disagreement(player)
        transfer = waiting[stream].popleft()
        cents = transfer.amount // UNITS_PER_CENT
        yield record, transfer.what, table, cents if transfer.taker == account else -cents
    if any(waiting.values()):
        raise _disagreement(player)


def _posting_place(event: Any, player: str) -> tuple[str, str] | None:
    """Return the stream in which the transfer of an event is posted, and the table; None without one."""
    if isinstance(event, ChipsBought | ChipsReturned):
        return table_stream(event.table), event.table
    return (player_stream(player), "") if isinstance(event, MoneyDeposited | MoneyWithdrawn) else None


def _disagreement(player: str) -> StoreError:
    return StoreError(f"The journal and the ledger of player '{player}' do not agree; run an audit.")


def _chips(
    reading: Reading, tables: Iterable[str], player: str, until: int | None
) -> Iterator[tuple[str, int]]:
    """Yield the tables at which a player held chips at the end of a period, and the cents."""
    now = reading.balances() if until is None else {}
    for table in sorted(tables):
        account = accounts.chips(table, player)
        units = now.get(account, 0) if until is None else _balance_before(reading, account, until)
        if units:
            yield table, units // UNITS_PER_CENT


def _balance_before(reading: Reading, account: str, until: int) -> int:
    """Return the balance of an account just before a time."""
    moved = (each for each in reading.transfers(account) if each.at < until)
    return sum(each.amount if each.taker == account else -each.amount for each in moved)


def _with_balances(opening: int, lines: Iterable[Line]) -> Iterator[Line]:
    balance = opening
    for line in lines:
        balance += line.cents
        yield msgspec.structs.replace(line, balance=balance)
