"""Ledger: account names, transfers, and the postings of each table event.

Each transfer takes from one account and gives to another, so the books always balance. Amounts are whole
units of 1/10,000 cent. Only meters, reserves and their links hold fractions of a cent.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from fourcard.house.events import BoughtIn, CashedOut, DropCollected, TrayCounted, TrayCredited, TrayFilled
from fourcard.meter import UNITS_PER_CENT
from fourcard.round.events import (
    ActPerformed,
    AwardConfirmed,
    AwardPaid,
    PlayMade,
    ProgressiveBooked,
    ProgressiveLocked,
    RoundEnded,
    RoundVoided,
    Stake,
    WagerPlaced,
    WagersSettled,
    WagerWithdrawn,
)
from fourcard.round.state import RoundState
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.wagers import WagerName

CAGE = "cage"
"""The house's own account: money paid in and out, and table winnings. It balances all other accounts."""


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """One transfer of money and the event that caused it; the fields are in the order of the columns."""

    stream: str
    sequence: int
    number: int
    """Its index among the transfers of the same event, from 0."""
    giver: str
    taker: str
    units: int
    """Always more than 0."""
    what: str
    """The reason, such as ``buy_in``, ``stake``, ``take`` or ``pay``."""
    wager: WagerName | str
    """The wager that it belongs to; empty if none."""
    at: int


def player_account(name: str) -> str:
    """Return the account of a player's money with the house."""
    return f"player/{name}"


def chips_account(table: str, name: str) -> str:
    """Return the account of a player's chips at a table."""
    return f"chips/{table}/{name}"


def layout_account(table: str, wager: str) -> str:
    """Return the account of the chips in play on one wager."""
    return f"layout/{table}/{wager}"


def tray_account(table: str) -> str:
    """Return the account of the chips in a table's tray."""
    return f"tray/{table}"


def drop_account(table: str) -> str:
    """Return the account of money paid for chips at a table and not collected yet."""
    return f"drop/{table}"


def meter_account(name: str) -> str:
    """Return the account of a progressive meter."""
    return f"meter/{name}"


def reserve_account(name: str) -> str:
    """Return the account of a meter's reserve."""
    return f"reserve/{name}"


def prizes_account(name: str) -> str:
    """Return the account of prizes that a meter owes: wins logged and not paid yet."""
    return f"prizes/{name}"


def meter_funding_account(name: str) -> str:
    """Return the account that funds a meter and its reserve."""
    return f"link/{name}"


class Posting(msgspec.Struct, frozen=True, gc=False):
    """A posting: money that an event moves between two accounts."""

    giver: str
    taker: str
    units: int
    what: str
    wager: str = ""


class TableAccounts:
    """The account names of one table, built once."""

    def __init__(self, table: str, meter: str) -> None:
        """Take the table and the meter that it is linked to."""
        self.table = table
        self.tray, self.drop = tray_account(table), drop_account(table)
        self.meter, self.prizes = meter_account(meter), prizes_account(meter)
        self.used_accounts = {self.tray, self.drop}
        """The table's own accounts used so far."""
        self._chips: dict[str, str] = {}
        self._layout: dict[str, str] = {}

    def __eq__(self, other: object) -> bool:
        """Compare by table and meter, because the names follow from them."""
        if not isinstance(other, TableAccounts):
            return NotImplemented
        return (self.table, self.meter) == (other.table, other.meter)

    def __hash__(self) -> int:
        """Hash by table and meter."""
        return hash((self.table, self.meter))

    def chips(self, player: str) -> str:
        """Return the account of a player's chips at this table."""
        if player not in self._chips:
            self._chips[player] = chips_account(self.table, player)
            self.used_accounts.add(self._chips[player])
        return self._chips[player]

    def layout(self, wager: str) -> str:
        """Return the account of the chips in play on a wager."""
        if wager not in self._layout:
            self._layout[wager] = layout_account(self.table, wager)
            self.used_accounts.add(self._layout[wager])
        return self._layout[wager]


PostingRule = Callable[[TableAccounts, RoundState | None, Any], Iterator[Posting]]
"""Yields the postings of an event, those of no units too; the round is as it was before the event."""


def _posting(giver: str, taker: str, cents: int, what: str, wager: str = "") -> Posting:
    """Return a posting; a negative amount goes the other way."""
    units = cents * UNITS_PER_CENT
    return (
        Posting(giver, taker, units, what, wager)
        if units >= 0
        else Posting(taker, giver, -units, what, wager)
    )


def _chips_account_of(accounts: TableAccounts, current_round: RoundState | None, position: int) -> str:
    assert current_round is not None
    return accounts.chips(current_round.positions[position].player)


def _post_wager_placed(
    accounts: TableAccounts, current_round: RoundState | None, event: WagerPlaced
) -> Iterator[Posting]:
    chips, spot = _chips_account_of(accounts, current_round, event.position), accounts.layout(event.wager)
    yield _posting(chips, spot, event.amount - event.before, "stake", event.wager)


def _post_wager_withdrawn(
    accounts: TableAccounts, current_round: RoundState | None, event: WagerWithdrawn
) -> Iterator[Posting]:
    chips, spot = _chips_account_of(accounts, current_round, event.position), accounts.layout(event.wager)
    yield _posting(spot, chips, event.amount, "stake_back", event.wager)


def _post_play_made(
    accounts: TableAccounts, current_round: RoundState | None, event: PlayMade
) -> Iterator[Posting]:
    chips = _chips_account_of(accounts, current_round, event.position)
    yield _posting(chips, accounts.layout("play"), event.amount, "stake", "play")


def _post_progressive_locked(
    accounts: TableAccounts, current_round: RoundState | None, event: ProgressiveLocked
) -> Iterator[Posting]:
    assert current_round is not None
    spot = accounts.layout("progressive")
    if current_round.rules.stakes_booked_when_locked:
        yield from _stakes_to_tray(accounts, event.stakes)
    for position, stake in event.returned:
        yield _posting(
            spot, _chips_account_of(accounts, current_round, position), stake, "stake_back", "progressive"
        )


def _post_progressive_booked(
    accounts: TableAccounts, _round: RoundState | None, event: ProgressiveBooked
) -> Iterator[Posting]:
    yield from _stakes_to_tray(accounts, event.stakes)


def _stakes_to_tray(accounts: TableAccounts, stakes: tuple[Stake, ...]) -> Iterator[Posting]:
    for _, stake in stakes:
        yield _posting(accounts.layout("progressive"), accounts.tray, stake, "take", "progressive")


def _post_settled(
    accounts: TableAccounts, current_round: RoundState | None, event: ActPerformed | WagersSettled
) -> Iterator[Posting]:
    for step in event.steps:
        yield from _post_step(accounts, current_round, step)


def _post_award_confirmed(
    accounts: TableAccounts, current_round: RoundState | None, event: AwardConfirmed
) -> Iterator[Posting]:
    yield from _post_step(accounts, current_round, event.step)


def _post_step(
    accounts: TableAccounts, current_round: RoundState | None, step: SettlementStep
) -> Iterator[Posting]:
    """Pay into a player's chips, or take a stake from its spot; a locked progressive is in the tray."""
    assert current_round is not None
    if step.action == "pay":
        source = accounts.prizes if step.source == "meter" else accounts.tray
        yield _posting(
            source, _chips_account_of(accounts, current_round, step.position), step.amount, "pay", step.wager
        )
    elif step.wager in current_round.positions[step.position].on_layout:
        yield _posting(accounts.layout(step.wager), accounts.tray, step.amount, "take", step.wager)


def _post_award_paid(
    accounts: TableAccounts, current_round: RoundState | None, event: AwardPaid
) -> Iterator[Posting]:
    for step in event.steps:
        yield from _post_step(accounts, current_round, step)
    yield _posting(
        accounts.prizes, accounts.tray, event.payment.meter_to_tray, "meter_to_tray", "progressive"
    )


def _post_round_ended(
    accounts: TableAccounts, current_round: RoundState | None, _event: RoundEnded
) -> Iterator[Posting]:
    """Return the stakes still on the layout to their players: the stakes of won wagers."""
    assert current_round is not None
    for place in current_round.positions.values():
        for wager, amount in place.on_layout.items():
            yield _posting(accounts.layout(wager), accounts.chips(place.player), amount, "stake_back", wager)


def _post_round_voided(
    accounts: TableAccounts, current_round: RoundState | None, event: RoundVoided
) -> Iterator[Posting]:
    """Return every wager, from its spot or from the tray, and take every payment back."""
    assert current_round is not None
    to_tray = -current_round.meter_change
    for position, wager, amount in event.returned:
        place = current_round.positions[position]
        lies = wager in place.on_layout or (wager == "progressive" and place.unregistered)
        source = accounts.layout(wager) if lies else accounts.tray
        yield _posting(source, accounts.chips(place.player), amount, "void", wager)
    for step in event.reversed:
        from_meter = step.source == "meter"
        to_tray -= step.amount if from_meter else 0
        taker = accounts.meter if from_meter else accounts.tray
        yield _posting(
            _chips_account_of(accounts, current_round, step.position), taker, step.amount, "void", step.wager
        )
    yield _posting(accounts.tray, accounts.meter, to_tray, "void", "progressive")


def _post_bought_in(accounts: TableAccounts, _round: RoundState | None, event: BoughtIn) -> Iterator[Posting]:
    yield _posting(player_account(event.player), accounts.drop, event.cents, "buy_in")
    yield _posting(accounts.tray, accounts.chips(event.player), event.cents, "buy_in")


def _post_cashed_out(
    accounts: TableAccounts, _round: RoundState | None, event: CashedOut
) -> Iterator[Posting]:
    yield _posting(accounts.chips(event.player), player_account(event.player), event.cents, "cash_out")


def _post_tray_filled(
    accounts: TableAccounts, _round: RoundState | None, event: TrayFilled
) -> Iterator[Posting]:
    yield _posting(CAGE, accounts.tray, event.cents, "fill")


def _post_tray_credited(
    accounts: TableAccounts, _round: RoundState | None, event: TrayCredited
) -> Iterator[Posting]:
    yield _posting(accounts.tray, CAGE, event.cents, "credit")


def _post_tray_counted(
    accounts: TableAccounts, _round: RoundState | None, event: TrayCounted
) -> Iterator[Posting]:
    yield _posting(CAGE, accounts.tray, event.cents - event.expected, "tray_variance")


def _post_drop_collected(
    accounts: TableAccounts, _round: RoundState | None, event: DropCollected
) -> Iterator[Posting]:
    yield _posting(CAGE, accounts.drop, event.cents - event.expected, "drop_variance")
    yield _posting(accounts.drop, CAGE, event.cents, "drop")


POSTING_RULES: dict[type, PostingRule] = {
    WagerPlaced: _post_wager_placed,
    WagerWithdrawn: _post_wager_withdrawn,
    PlayMade: _post_play_made,
    ProgressiveLocked: _post_progressive_locked,
    ProgressiveBooked: _post_progressive_booked,
    ActPerformed: _post_settled,
    WagersSettled: _post_settled,
    AwardConfirmed: _post_award_confirmed,
    AwardPaid: _post_award_paid,
    RoundEnded: _post_round_ended,
    RoundVoided: _post_round_voided,
    BoughtIn: _post_bought_in,
    CashedOut: _post_cashed_out,
    TrayFilled: _post_tray_filled,
    TrayCredited: _post_tray_credited,
    TrayCounted: _post_tray_counted,
    DropCollected: _post_drop_collected,
}
