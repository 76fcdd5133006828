"""Meter oracle: one meter recomputed from the rulings alone, to compare with what the house says of it.

Nothing of the house's arithmetic is used here. Every stake and every win is kept as it happened, in whole
units, and what follows from it is counted again. It is driven by calls, or by the events of a meter, whose
amounts must then be the ones that come out here.
"""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from fourcard.house import ledger
from fourcard.house.events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    ContributionsAdded,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    MeterStarted,
    RoundReversed,
    SignAdjusted,
    TermsChanged,
)
from fourcard.house.meter_state import MeterState
from tests.kit.invariants import require

UNITS = 10_000
"""A meter keeps ten-thousandths of a cent; what is smaller is the house's."""
Place = tuple[str, int]
"""A table and the number of a round."""


@dataclass(frozen=True, slots=True)
class Stake:
    """One stake: the units that meter and reserve got, and how many whole wins there had been."""

    cents: int
    to_meter: int
    to_reserve: int
    whole_wins: int


@dataclass(frozen=True, slots=True)
class Price:
    """What a win is worth, and the cents of it that the meter bears."""

    cents: int
    borne: int
    whole: bool = False


@dataclass(slots=True)
class Win:
    """One win, what the meter gave up for it, with what it started again, and what became of it."""

    place: Place
    position: int
    price: Price
    number: int
    start: int = 0
    """After a win of the whole meter, the units that it started again with."""
    from_reserve: int = 0
    logged: AwardLogged | None = None
    paid: bool = False
    void: bool = False
    backed_out: bool = False

    @property
    def units(self) -> int:
        """Return what it took out of the meter."""
        return self.price.borne * UNITS

    @property
    def stands(self) -> bool:
        """Say whether it was not undone."""
        return not self.void and not self.backed_out


class MeterOracle:
    """What a meter and its reserve must hold, owe and have paid."""

    def __init__(self, name: str) -> None:
        """Begin with an empty meter."""
        self.name = name
        self.amount = self.reserve = self.borne = 0
        self.seeded = self.contributed = self.adjusted = 0
        self.rate = self.reserve_rate = Fraction(0)
        self.reset = 0
        """The cents that the house puts in after a win of the whole meter."""
        self.closed = False
        self.stakes: dict[Place, list[Stake]] = {}
        self.wagered: Counter[str] = Counter()
        """By table, the cents of all stakes."""
        self.wins: list[Win] = []
        self.waiting: dict[int, Win] = {}
        """By number, the wins whose prize is owed."""
        self.hits: Counter[str] = Counter()
        self.proposals: dict[int, AdjustmentProposed] = {}

    @property
    def displayed(self) -> int:
        """Return the whole cents (R97)."""
        return self.amount // UNITS

    @property
    def owed(self) -> int:
        """Return the units of wins that are logged and not paid."""
        return sum(win.units for win in self.waiting.values())

    @property
    def terms(self) -> tuple[Fraction, Fraction, int]:
        """Return the shares of meter and reserve, and the cents of a new start."""
        return self.rate, self.reserve_rate, self.reset

    def start(self, units: int) -> None:
        """Begin with what the house puts in."""
        require(not self.seeded, "a meter was started twice", self.name)
        self.amount = self.seeded = units

    def follow_terms(self, rate: Fraction, reserve_rate: Fraction, reset: int) -> None:
        """Follow other terms."""
        self.rate, self.reserve_rate, self.reset = rate, reserve_rate, reset

    def add_stakes(self, place: Place, cents: list[int]) -> list[Stake]:
        """Add the stakes of a round, once, each rounded down on its own."""
        require(not self.closed, "stakes came over a closed link", self.name, place)
        require(place not in self.stakes, "the stakes of a round were added twice", self.name, place)
        whole_wins = sum(win.price.whole for win in self.wins)
        added = [
            Stake(each, floor(each * UNITS * self.rate), floor(each * UNITS * self.reserve_rate), whole_wins)
            for each in cents
        ]
        self.stakes[place] = added
        self.wagered[place[0]] += sum(cents)
        self.amount += sum(stake.to_meter for stake in added)
        self.reserve += sum(stake.to_reserve for stake in added)
        self.contributed += sum(stake.to_meter + stake.to_reserve for stake in added)
        return added

    def price(self, odds: str, stake: int, source: str) -> Price:
        """Return what a win is worth now: the whole meter, a share of it, or so much for 1."""
        share = re.fullmatch(r"([\d.]+)% of meter", odds)
        if share is not None:
            part = Fraction(share[1]) / 100
            cents = floor(self.displayed * part)
            return Price(cents, cents, part == 1)
        times, one = (int(part) for part in odds.split(" for "))
        cents = floor(Fraction(stake * times, one))
        return Price(cents, min(cents, self.displayed) if source == "meter" else 0)

    def log_win(self, place: Place, position: int, row: str, price: Price) -> Win:
        """Take a win off the meter, which starts again if all of it was won."""
        require(not self.closed, "a win came over a closed link", self.name, place)
        known = any((win.place, win.position) == (place, position) for win in self.wins)
        require(not known, "a win was logged twice", self.name, place, position)
        require(0 <= price.borne <= self.displayed, "the meter cannot pay a win", self.amount, price)
        win = Win(place, position, price, len(self.wins) + 1)
        if price.whole:
            win.start, win.from_reserve = self.reset * UNITS + self.reserve, self.reserve
        self.amount += win.start - win.units
        self.reserve -= win.from_reserve
        self.seeded += win.start - win.from_reserve
        self.wins.append(win)
        self.waiting[win.number] = win
        self.hits[row] += 1
        return win

    def pay(self, place: Place, position: int) -> Win:
        """Pay a logged win, once."""
        owed = [win for win in self.waiting.values() if (win.place, win.position) == (place, position)]
        require(len(owed) == 1, "an award that nobody logged, or that was paid", self.name, place, position)
        owed[0].paid = True
        return self.waiting.pop(owed[0].number)

    def wins_of(self, place: Place) -> list[Win]:
        """Return the wins of a round that is not void."""
        return [win for win in self.wins if win.place == place and not win.void]

    def void(self, place: Place) -> None:
        """Reverse a void round: its wins, the last first, then its stakes (R66)."""
        before = self.amount + self.reserve
        for win in reversed(self.wins_of(place)):
            if win.stands:
                self._return(win)
            win.void = True
            self.waiting.pop(win.number, None)
        stakes, self.stakes[place] = self.stakes.get(place, []), []
        for stake in reversed(stakes):
            self._take_out(stake)
        self.adjusted += self.amount + self.reserve - before

    def back_out(self, number: int) -> None:
        """Return a win to the meter by hand, once (P30)."""
        win, before = self.wins[number - 1], self.amount + self.reserve
        require(win.stands, "a win was backed out twice", self.name, win)
        win.backed_out = True
        self._return(win)
        self.adjusted += self.amount + self.reserve - before

    def adjust(self, part: str, cents: int) -> None:
        """Add to the meter or its reserve by hand."""
        if part == "meter":
            self.amount += cents * UNITS
        else:
            self.reserve += cents * UNITS
        self.adjusted += cents * UNITS

    def _return(self, win: Win) -> None:
        """Give the meter back what it bore, for the new start unless somebody has won that one."""
        self.amount += win.units
        if not win.price.whole or any(each.price.whole and each.stands for each in self.wins[win.number :]):
            return
        back = min(win.start, self.amount)
        self.amount -= back
        self.borne += win.start - back
        self.reserve += win.from_reserve

    def _take_out(self, stake: Stake) -> None:
        """Take a stake out again, unless the meter that it went to is somebody's."""
        whole_wins = [win for win in self.wins if win.price.whole]
        from_meter = from_reserve = 0
        if not any(win.stands for win in whole_wins[stake.whole_wins :]):
            from_meter, from_reserve = min(stake.to_meter, self.amount), min(stake.to_reserve, self.reserve)
        self.amount -= from_meter
        self.reserve -= from_reserve
        self.borne += stake.to_meter + stake.to_reserve - from_meter - from_reserve

    def apply(self, event: Any) -> None:
        """Follow an event of the meter; every amount that it states must be the one that comes out here."""
        if isinstance(event, MeterStarted):
            self.start(event.units)
        if isinstance(event, MeterStarted | TermsChanged):
            self.follow_terms(Fraction(event.rate), Fraction(event.reserve_rate), event.reset_amount or 0)
        if isinstance(event, LinkClosed | LinkOpened | TermsChanged):
            closes = isinstance(event, LinkClosed)
            require(self.closed is not closes, "a link was so already", self.name, event)
            self.closed = not isinstance(event, LinkOpened)
        elif isinstance(event, ContributionsAdded):
            self._apply_stakes(event)
        elif isinstance(event, AwardLogged):
            self._apply_win(event)
        elif isinstance(event, SignAdjusted):
            self._apply_payment(event)
        elif isinstance(event, RoundReversed):
            returned = sum(win.units for win in self.wins_of((event.table, event.round)) if win.paid)
            require(event.returned == returned, "a void returned another amount", self.name, event, returned)
            borne = self.borne
            self.void((event.table, event.round))
            self._check_result(event, borne)
        elif isinstance(event, AdjustmentProposed):
            require(event.number not in self.proposals, "a strange proposal", self.name, event)
            self.proposals[event.number] = event
        elif isinstance(event, AdjustmentRejected | MeterAdjusted):
            proposal = self.proposals.pop(event.number, None)
            require(proposal is not None, "nobody proposed it", self.name, event)
            if isinstance(event, MeterAdjusted) and proposal is not None:
                self._apply_adjustment(event, proposal)

    def _apply_stakes(self, event: ContributionsAdded) -> None:
        whole = [part.to_meter + part.to_reserve + part.to_house for part in event.parts]
        require(not any(units % UNITS for units in whole), "a stake has fractions of a cent", event)
        stakes = self.add_stakes((event.table, event.round), [units // UNITS for units in whole])
        right = [(stake.to_meter, stake.to_reserve) for stake in stakes]
        split = [(part.to_meter, part.to_reserve) for part in event.parts]
        require(split == right, "a stake was parted otherwise", self.name, event, right)

    def _apply_win(self, event: AwardLogged) -> None:
        """Take a win off the meter, in the order of all tables, at the price that the event states."""
        payment = event.payment
        require(event.number == len(self.wins) + 1, "a win is out of order", self.name, event)
        require(event.confirmed_by != event.marked_by, "one person marked and confirmed", event)
        require(event.before == self.displayed, "a win was priced elsewhere", self.amount, event)
        all_of_it = not payment.whole_meter or payment.from_meter == self.displayed
        require(all_of_it, "the whole meter is another amount", self.name, event)
        price = Price(payment.amount, payment.from_meter + payment.meter_to_tray, payment.whole_meter)
        win = self.log_win((event.table, event.round), event.position, event.row, price)
        win.logged = event
        start = (payment.reset_units, payment.reserve_units)
        require(start == (win.start, win.from_reserve), "a win started the meter otherwise", event, win)
        require(event.after == self.displayed, "a win left another meter", self.amount, event)

    def _apply_payment(self, event: SignAdjusted) -> None:
        """Pay a logged win as it was logged."""
        waiting = self.waiting.get(event.number)
        logged = None if waiting is None else waiting.logged
        same = logged is not None and (event.table, event.round, event.payment) == (
            logged.table,
            logged.round,
            logged.payment,
        )
        require(same, "an award is not a logged win, or was paid or void before", self.name, event, logged)
        if logged is not None:
            self.pay((logged.table, logged.round), logged.position)

    def _apply_adjustment(self, event: MeterAdjusted, proposal: AdjustmentProposed) -> None:
        """Follow an approved proposal: another person approves it, and only once no prize is owed."""
        require(event.by != proposal.by, "an adjustment was approved by who proposed it", event, proposal)
        require(not self.owed, "a meter was adjusted while a prize was owed", self.name, event)
        borne = self.borne
        if proposal.win:
            require(self.wins[proposal.win - 1].paid, "a win was backed out before it was paid", event)
            self.back_out(proposal.win)
        else:
            self.adjust(proposal.part, proposal.cents)
        self._check_result(event, borne)

    def _check_result(self, event: RoundReversed | MeterAdjusted, borne: int) -> None:
        """Compare what a reversal or an adjustment leaves, and what the house bears of it."""
        right = (self.amount, self.reserve, self.borne - borne)
        stated = (event.amount, event.reserve, event.absorbed)
        require(stated == right, "a meter changed otherwise", self.name, event, right)
        require(min(stated) >= 0, "a meter is below nothing", self.name, event)

    def accounts(self) -> dict[str, int]:
        """Return what the ledger must hold for it."""
        return {
            ledger.meter_account(self.name): self.amount,
            ledger.reserve_account(self.name): self.reserve,
            ledger.prizes_account(self.name): self.owed,
        }

    def compare(self, state: MeterState) -> None:
        """Find that every unit is accounted for, and the house's meter the one that came out here."""
        paid, won = sum(win.units for win in self.wins), sum(win.price.cents for win in self.wins)
        held, came = self.amount + self.reserve + paid, self.seeded + self.contributed + self.adjusted
        require(held == came, "a meter does not add up", self.name, held, came)
        meter, totals = state.amounts, state.totals
        mine = (self.amount, self.reserve, self.borne, paid, won, self.seeded, self.contributed)
        theirs = (meter.amount, meter.reserve, state.absorbed, totals.paid, totals.won, totals.seeded)
        same = mine == (*theirs, totals.contributed) and totals.adjusted == self.adjusted
        require(same, "the house has another meter", state, mine, self.adjusted)
        hits = {row: count for row, count in state.hits.items() if count}
        require(hits == self.hits and state.win_count == len(self.wins), "hits are not wins", hits, self.hits)
        owed = [win.number for win in self.waiting.values()]
        known = all(self.wins[each.number - 1].logged in (None, each) for each in state.unpaid_wins)
        same = known and [each.number for each in state.unpaid_wins] == owed
        require(same, "other wins wait than were logged", state.unpaid_wins, owed)
