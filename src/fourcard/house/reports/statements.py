"""Account reports: the trial balance, and the statement of a player.

The amounts of a statement come from the ledger. Their order comes from the account's own stream, which has an
event for every transfer, because transfers at two tables may have the same time.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec

from fourcard.answers import InCents, InUnits, InWords
from fourcard.house import ledger
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.events import ChipsBought, ChipsReturned, MoneyDeposited, MoneyWithdrawn, PlayerRegistered
from fourcard.house.journal import PLAYER_CODEC, JournalRecord
from fourcard.house.ledger import Transfer
from fourcard.house.reports.formats import exact_dollars, format_time
from fourcard.house.store.interface import ReadTransaction, StoreError
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse

AccountGroup = Literal[
    "player", "chips", "layout", "tray", "drop", "meter", "reserve", "prizes", "link", "cage"
]
"""The first part of an account's name."""
ACCOUNT_GROUPS: tuple[AccountGroup, ...] = get_args(AccountGroup)
GROUP_LABELS: Mapping[AccountGroup, str] = {
    "player": "players' accounts",
    "chips": "chips with players",
    "layout": "chips in play, by wager",
    "tray": "table trays",
    "drop": "drop boxes",
    "meter": "meters",
    "reserve": "reserves",
    "prizes": "prizes to be paid",
    "link": "put into meters",
    "cage": "cage",
}


class AccountBalance(msgspec.Struct, frozen=True):
    """The balance of one account; negative where it owes."""

    account: str
    units: InUnits
    dollars: str


class GroupBalance(msgspec.Struct, frozen=True):
    """The accounts of one group, in units of 1/10,000 cent."""

    group: AccountGroup
    units: InUnits
    dollars: str
    held: InUnits
    """The sum of the positive balances."""
    owed: InUnits
    """The sum of the negative balances, as a positive number."""
    accounts: tuple[AccountBalance, ...]


class TrialBalance(msgspec.Struct, frozen=True):
    """All groups; what some accounts hold, the others owe."""

    groups: tuple[GroupBalance, ...]
    held: InUnits
    owed: InUnits
    sum: InUnits
    """The sum of all accounts: zero unless the ledger is wrong."""


def trial_balance(reading: ReadTransaction) -> TrialBalance:
    """Return the current trial balance."""
    found: dict[AccountGroup, list[AccountBalance]] = {group: [] for group in ACCOUNT_GROUPS}
    for account, units in sorted(reading.balances().items()):
        found[group_of(account)].append(AccountBalance(account, units, exact_dollars(units)))
    groups = tuple(_group_balance(group, accounts) for group, accounts in found.items())
    held, owed = sum(group.held for group in groups), sum(group.owed for group in groups)
    return TrialBalance(groups, held, owed, held - owed)


def _group_balance(group: AccountGroup, accounts: list[AccountBalance]) -> GroupBalance:
    units = sum(each.units for each in accounts)
    held = sum(max(each.units, 0) for each in accounts)
    return GroupBalance(group, units, exact_dollars(units), held, held - units, tuple(accounts))


def group_of(account: str) -> AccountGroup:
    """Return the group of an account; fail for an unknown kind of account."""
    family = account.partition("/")[0]
    for group in ACCOUNT_GROUPS:
        if family == group:
            return group
    raise StoreError(f"The ledger has an unknown account '{account}'; run an audit.")


class StatementLine(msgspec.Struct, frozen=True, gc=False):
    """One transfer of the account."""

    at: int
    what: InWords
    """``deposit``, ``withdrawal``, ``buy_in`` or ``cash_out``."""
    table: str
    """Where chips were bought or cashed; otherwise empty."""
    cents: InCents
    """The amount; negative where money went out."""
    balance: InCents
    by: str
    sequence: int
    """The event of the account's stream that it comes from."""
    moment: str


class Statement(msgspec.Struct, frozen=True):
    """An account over a period, and the player's chips at its end."""

    player: str
    name: str
    since: int | None
    until: int | None
    """The first time after the period; None where it is open."""
    opening: InCents
    closing: InCents
    lines: tuple[StatementLine, ...]
    chips: dict[str, int]
    """By table, the cents in chips at the end of the period, without chips on the layout."""

    def total(self, what: str) -> int:
        """Return the sum of the transfers of one kind."""
        return sum(line.cents for line in self.lines if line.what == what)


def statement(
    reading: ReadTransaction, player: str, since: int | None = None, until: int | None = None
) -> Statement:
    """Return the statement of a player from one time to just before another; both are open by default."""
    records = [*reading.events(player_stream(player))]
    name = _player_name(records, player)
    opening = balance = 0
    lines, tables = list[StatementLine](), set[str]()
    for record, what, table, cents in _transfers(reading, records, player):
        if table:
            tables.add(table)
        if since is not None and record.at < since:
            opening = balance = balance + cents
        elif until is None or record.at < until:
            balance += cents
            moment = format_time(record.at)
            lines.append(
                StatementLine(record.at, what, table, cents, balance, record.by, record.sequence, moment)
            )
    chips = dict(_chips(reading, tables, player, until))
    return Statement(player, name, since, until, opening, balance, tuple(lines), chips)


def _player_name(records: list[JournalRecord], player: str) -> str:
    """Return the name of a player; refuse a player without an account."""
    for record in records:
        event = PLAYER_CODEC.decode(record)
        if isinstance(event, PlayerRegistered):
            return event.name
    raise RefusedError(refuse(Code.PLAYER_UNKNOWN, player=player))


def _transfers(
    reading: ReadTransaction, records: Iterable[JournalRecord], player: str
) -> Iterator[tuple[JournalRecord, str, str, int]]:
    """Yield the ledger transfers in the order of the account's own events."""
    account = ledger.player_account(player)
    waiting: dict[str, deque[Transfer]] = {}
    for transfer in reading.transfers(account):
        waiting.setdefault(transfer.stream, deque()).append(transfer)
    for record in records:
        place = _posting_place(PLAYER_CODEC.decode(record), player)
        if place is None:
            continue
        stream, table = place
        if not waiting.get(stream):
            raise _disagreement(player)
        transfer = waiting[stream].popleft()
        cents = transfer.units // UNITS_PER_CENT
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
    reading: ReadTransaction, tables: Iterable[str], player: str, until: int | None
) -> Iterator[tuple[str, int]]:
    """Yield the tables at which a player held chips at the end of a period, and the cents."""
    now = reading.balances() if until is None else {}
    for table in sorted(tables):
        account = ledger.chips_account(table, player)
        units = now.get(account, 0) if until is None else _chips_before(reading, table, account, until)
        if units:
            yield table, units // UNITS_PER_CENT


def _chips_before(reading: ReadTransaction, table: str, account: str, until: int) -> int:
    """Return the balance of an account of chips just before a time; only its table moves chips."""
    moved = (each for each in reading.transfers_of(table_stream(table), 0) if each.at < until)
    return sum(
        each.units if each.taker == account else -each.units
        for each in moved
        if account in (each.giver, each.taker)
    )
