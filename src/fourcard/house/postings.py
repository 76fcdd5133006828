"""Ledger rules: the postings of each table event, from the event and the round before it."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from fourcard.house import accounts
from fourcard.house.events import BoughtIn, CashedOut, DropCollected, TrayCounted, TrayCredited, TrayFilled
from fourcard.meter import UNITS_PER_CENT
from fourcard.round.events import (
    ActPerformed,
    AwardPaid,
    PlayMade,
    ProgressiveLocked,
    RoundEnded,
    RoundVoided,
    WagerPlaced,
    WagersSettled,
    WagerWithdrawn,
)
from fourcard.round.state import RoundState
from fourcard.wagers.wager import Step


class Move(msgspec.Struct, frozen=True, gc=False):
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
        self.tray, self.drop = accounts.tray(table), accounts.drop(table)
        self.meter, self.prizes = accounts.meter(meter), accounts.prizes(meter)
        self.own = {self.tray, self.drop}
        """The table's own accounts that have been named so far."""
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
            self._chips[player] = accounts.chips(self.table, player)
            self.own.add(self._chips[player])
        return self._chips[player]

    def layout(self, wager: str) -> str:
        """Return the account of the chips in play on a wager."""
        if wager not in self._layout:
            self._layout[wager] = accounts.layout(self.table, wager)
            self.own.add(self._layout[wager])
        return self._layout[wager]


Mover = Callable[[TableAccounts, RoundState | None, Any], Iterator[Move]]


def moves(names: TableAccounts, under_way: RoundState | None, event: object) -> list[Move]:
    """Return the postings of an event; the round is as it was before the event."""
    mover = MOVERS.get(type(event))
    return [] if mover is None else [each for each in mover(names, under_way, event) if each.units]


def _between(giver: str, taker: str, cents: int, what: str, wager: str = "") -> Move:
    """Return a posting; a negative amount goes the other way."""
    units = cents * UNITS_PER_CENT
    return Move(giver, taker, units, what, wager) if units >= 0 else Move(taker, giver, -units, what, wager)


def _owner(names: TableAccounts, under_way: RoundState | None, position: int) -> str:
    assert under_way is not None
    return names.chips(under_way.places[position].player)


def _placed(names: TableAccounts, under_way: RoundState | None, event: WagerPlaced) -> Iterator[Move]:
    chips, spot = _owner(names, under_way, event.position), names.layout(event.wager)
    yield _between(chips, spot, event.amount - event.before, "stake", event.wager)


def _withdrawn(names: TableAccounts, under_way: RoundState | None, event: WagerWithdrawn) -> Iterator[Move]:
    chips, spot = _owner(names, under_way, event.position), names.layout(event.wager)
    yield _between(spot, chips, event.amount, "stake_back", event.wager)


def _played(names: TableAccounts, under_way: RoundState | None, event: PlayMade) -> Iterator[Move]:
    chips = _owner(names, under_way, event.position)
    yield _between(chips, names.layout("play"), event.amount, "stake", "play")


def _locked(names: TableAccounts, under_way: RoundState | None, event: ProgressiveLocked) -> Iterator[Move]:
    spot = names.layout("progressive")
    for _, stake in event.stakes:
        yield _between(spot, names.tray, stake, "take", "progressive")
    for position, stake in event.returned:
        yield _between(spot, _owner(names, under_way, position), stake, "stake_back", "progressive")


def _settled(
    names: TableAccounts, under_way: RoundState | None, event: ActPerformed | WagersSettled
) -> Iterator[Move]:
    for step in event.steps:
        yield from _step(names, under_way, step)


def _step(names: TableAccounts, under_way: RoundState | None, step: Step) -> Iterator[Move]:
    """Pay into a player's chips, or take a stake from its spot; a locked progressive is not on its spot."""
    assert under_way is not None
    if step.action == "pay":
        source = names.prizes if step.source == "meter" else names.tray
        yield _between(source, _owner(names, under_way, step.position), step.amount, "pay", step.wager)
    elif step.wager in under_way.places[step.position].lying:
        yield _between(names.layout(step.wager), names.tray, step.amount, "take", step.wager)


def _awarded(names: TableAccounts, under_way: RoundState | None, event: AwardPaid) -> Iterator[Move]:
    for step in event.steps:
        yield from _step(names, under_way, step)
    yield _between(names.prizes, names.tray, event.payment.meter_to_tray, "meter_to_tray", "progressive")


def _ended(names: TableAccounts, under_way: RoundState | None, _event: RoundEnded) -> Iterator[Move]:
    """Return the stakes still on the layout to their players: the stakes of won wagers."""
    assert under_way is not None
    for place in under_way.places.values():
        for wager, amount in place.lying.items():
            yield _between(names.layout(wager), names.chips(place.player), amount, "stake_back", wager)


def _voided(names: TableAccounts, under_way: RoundState | None, event: RoundVoided) -> Iterator[Move]:
    """Return every wager, from its spot or from the tray, and take every payment back."""
    assert under_way is not None
    to_tray = -under_way.meter
    for position, wager, amount in event.returned:
        place = under_way.places[position]
        lies = wager in place.lying or (wager == "progressive" and place.unregistered)
        source = names.layout(wager) if lies else names.tray
        yield _between(source, names.chips(place.player), amount, "void", wager)
    for step in event.reversed:
        from_meter = step.source == "meter"
        to_tray -= step.amount if from_meter else 0
        taker = names.meter if from_meter else names.tray
        yield _between(_owner(names, under_way, step.position), taker, step.amount, "void", step.wager)
    yield _between(names.tray, names.meter, to_tray, "void", "progressive")


def _bought(names: TableAccounts, _round: RoundState | None, event: BoughtIn) -> Iterator[Move]:
    yield _between(accounts.player(event.player), names.drop, event.cents, "buy_in")
    yield _between(names.tray, names.chips(event.player), event.cents, "buy_in")


def _cashed(names: TableAccounts, _round: RoundState | None, event: CashedOut) -> Iterator[Move]:
    yield _between(names.chips(event.player), accounts.player(event.player), event.cents, "cash_out")


def _filled(names: TableAccounts, _round: RoundState | None, event: TrayFilled) -> Iterator[Move]:
    yield _between(accounts.CAGE, names.tray, event.cents, "fill")


def _credited(names: TableAccounts, _round: RoundState | None, event: TrayCredited) -> Iterator[Move]:
    yield _between(names.tray, accounts.CAGE, event.cents, "credit")


def _counted(names: TableAccounts, _round: RoundState | None, event: TrayCounted) -> Iterator[Move]:
    yield _between(accounts.CAGE, names.tray, event.cents - event.expected, "tray_variance")


def _collected(names: TableAccounts, _round: RoundState | None, event: DropCollected) -> Iterator[Move]:
    yield _between(accounts.CAGE, names.drop, event.cents - event.expected, "drop_variance")
    yield _between(names.drop, accounts.CAGE, event.cents, "drop")


MOVERS: dict[type, Mover] = {
    WagerPlaced: _placed,
    WagerWithdrawn: _withdrawn,
    PlayMade: _played,
    ProgressiveLocked: _locked,
    ActPerformed: _settled,
    WagersSettled: _settled,
    AwardPaid: _awarded,
    RoundEnded: _ended,
    RoundVoided: _voided,
    BoughtIn: _bought,
    CashedOut: _cashed,
    TrayFilled: _filled,
    TrayCredited: _credited,
    TrayCounted: _counted,
    DropCollected: _collected,
}
