"""One meter reckoned from its events: what it holds, what it owes, and which wins stand."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

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
from fourcard.meter import UNITS_PER_CENT
from tests.storm.counts import Tally, demand


@dataclass(slots=True)
class Won:
    """A logged win, and what became of it."""

    logged: AwardLogged
    paid: bool = False
    void: bool = False
    """Whether its round was taken back."""
    backed_out: bool = False

    @property
    def units(self) -> int:
        """Return what it took out of the meter."""
        return (self.logged.payment.from_meter + self.logged.payment.meter_to_tray) * UNITS_PER_CENT

    @property
    def seed(self) -> int:
        """Return what the house put in again because of it."""
        return self.logged.payment.seeded - self.logged.payment.from_reserve

    @property
    def stands(self) -> bool:
        """Say whether it was not undone."""
        return not self.void and not self.backed_out


class MeterOracle:
    """A meter by its events: every amount that an event states must follow from the ones before it."""

    def __init__(self, name: str, tally: Tally) -> None:
        """Begin with an empty meter."""
        self.name, self.tally = name, tally
        self.amount = self.reserve = self.seeded = self.contributed = self.paid = self.adjusted = 0
        self.seed: int | None = None
        self.rate = self.reserve_rate = Fraction(0)
        self.closed = False
        self.wins: list[Won] = []
        self.waiting: dict[int, Won] = {}
        """By number, the wins whose prize is owed."""
        self.places: set[tuple[str, int, int]] = set()
        """The table, round and position of every win."""
        self.hits: Counter[str] = Counter()
        self.rounds: dict[tuple[str, int], tuple[int, int]] = {}
        """By table and round, the units that its stakes added, and how many wins there were before."""
        self.wagered: dict[str, int] = {}
        """By table, the cents of all stakes."""
        self.proposals: dict[int, AdjustmentProposed] = {}

    def started(self, event: MeterStarted) -> None:
        """Begin with the first seed."""
        demand(not self.seeded, "a meter was started twice", self.name)
        self.amount = self.seeded = event.units
        self.seed = event.seed
        self.rate, self.reserve_rate = Fraction(event.rate), Fraction(event.reserve_rate)

    def link(self, event: LinkClosed | LinkOpened | TermsChanged) -> None:
        """Close or open the link, or follow other terms, which takes a closed one."""
        demand(self.closed is not isinstance(event, LinkClosed), "a link was so already", self.name, event)
        if not isinstance(event, TermsChanged):
            self.closed = isinstance(event, LinkClosed)
            return
        self.seed = event.seed
        self.rate, self.reserve_rate = Fraction(event.rate), Fraction(event.reserve_rate)

    def stakes(self, event: ContributionsAdded) -> None:
        """Add the stakes of a round, once, each parted by the terms of the moment."""
        place = (event.table, event.round)
        demand(not self.closed, "stakes came over a closed link", self.name, event)
        demand(place not in self.rounds, "the stakes of a round were added twice", self.name, event)
        for part in event.parts:
            units = part.to_meter + part.to_reserve + part.to_house
            right = int(units * self.rate), int(units * self.reserve_rate)
            parted = (part.to_meter, part.to_reserve) == right and not units % UNITS_PER_CENT
            demand(parted, "a stake was parted otherwise", self.name, part, right)
            self.amount, self.reserve = self.amount + part.to_meter, self.reserve + part.to_reserve
            cents = self.wagered.get(event.table, 0) + units // UNITS_PER_CENT
            self.wagered[event.table] = cents
        added = sum(part.to_meter + part.to_reserve for part in event.parts)
        self.contributed += added
        self.rounds[place] = added, len(self.wins)

    def logged(self, event: AwardLogged, by: str) -> None:
        """Take a win off the meter, in the order of all tables, at a price that it can pay."""
        place = (event.table, event.round, event.position)
        demand(event.number == len(self.wins) + 1, "a win is out of order", self.name, event)
        demand(place not in self.places, "a win was logged twice", self.name, event)
        demand(not self.closed, "a win came over a closed link", self.name, event)
        demand(event.confirmed_by == by != event.marked_by, "one person marked and confirmed", event)
        won, payment = Won(event), event.payment
        demand(
            event.before == self.amount // UNITS_PER_CENT, "a win was priced elsewhere", self.amount, event
        )
        demand(0 <= won.units <= self.amount, "the meter cannot pay a win", self.amount, event)
        if payment.whole:
            seed = (self.seed or 0) * UNITS_PER_CENT
            fresh = (event.before, self.reserve, seed + self.reserve)
            told = (payment.from_meter, payment.from_reserve, payment.seeded)
            demand(told == fresh, "the whole meter is another amount", self.name, event, fresh)
        else:
            demand(payment.seeded == payment.from_reserve == 0, "a part of the meter reset it", event)
        self.amount += payment.seeded - won.units
        self.reserve -= payment.from_reserve
        demand(event.after == self.amount // UNITS_PER_CENT, "a win left another meter", self.amount, event)
        self.paid, self.seeded = self.paid + won.units, self.seeded + won.seed
        self.wins.append(won)
        self.waiting[event.number] = won
        self.places.add(place)
        self.hits[event.row] += 1
        self.tally.checked["wins numbered and priced at the meter as it stood"] += 1

    def taken(self, event: SignAdjusted) -> None:
        """Pay a logged win, once, as it was logged."""
        demand(1 <= event.number <= len(self.wins), "an award that nobody logged", self.name, event)
        won = self.wins[event.number - 1]
        demand(not won.paid and won.stands, "a win was paid twice, or after it was void", self.name, event)
        told = (event.table, event.round, event.payment)
        logged = (won.logged.table, won.logged.round, won.logged.payment)
        demand(told == logged, "an award is not the logged win", self.name, event, won.logged)
        won.paid = True
        del self.waiting[event.number]
        self.tally.checked["wins paid once, as logged"] += 1

    def taken_back(self, event: RoundReversed) -> None:
        """Reverse a void round: its wins first, the last one first, then its stakes."""
        place = (event.table, event.round)
        stakes, since = self.rounds.get(place, (0, len(self.wins)))
        mine = [won for won in self.wins if (won.logged.table, won.logged.round) == place and not won.void]
        returned = sum(won.units for won in mine if won.paid)
        demand(event.returned == returned, "a void returned another amount", self.name, event, returned)
        change = -stakes
        for won in reversed(mine):
            change += self._undone(won) if won.stands else 0
            won.void = True
            self.waiting.pop(won.logged.number, None)
        if any(won.logged.payment.whole and won.stands for won in self.wins[since:]):
            demand(event.absorbed >= stakes, "a void touched the seed of another's win", self.name, event)
        self._settle(event, change)
        self.tally.seen["void rounds with a win"] += bool(mine)
        self.tally.checked["void rounds reversed to the unit"] += 1

    def _undone(self, won: Won) -> int:
        """Return the units that undoing a win brings: its seed goes back unless the meter was won since."""
        later = self.wins[won.logged.number :]
        won_since = any(each.logged.payment.whole and each.stands for each in later)
        takes_seed = won.logged.payment.whole and not won_since
        won.backed_out = True
        return won.units - (won.seed if takes_seed else 0)

    def adjusting(self, event: AdjustmentProposed | AdjustmentRejected | MeterAdjusted, by: str) -> None:
        """Follow a proposal to its end: another person approves it, and only once no prize is owed."""
        if isinstance(event, AdjustmentProposed):
            demand(event.by == by and event.number not in self.proposals, "a strange proposal", event, by)
            self.proposals[event.number] = event
            return
        proposal = self.proposals.pop(event.number, None)
        demand(proposal is not None, "nobody proposed it", self.name, event)
        if isinstance(event, AdjustmentRejected) or proposal is None:
            return
        demand(event.by == by != proposal.by, "an adjustment was approved by who proposed it", event, by)
        demand(not self.owed, "a meter was adjusted while a prize was owed", self.name, event)
        if proposal.win:
            won = self.wins[proposal.win - 1]
            demand(won.paid and won.stands, "a win was backed out twice", self.name, won)
            self._settle(event, self._undone(won))
        else:
            meter, reserve = self.amount, self.reserve
            self._settle(event, proposal.cents * UNITS_PER_CENT)
            held = (self.reserve, reserve) if proposal.part == "meter" else (self.amount, meter)
            demand(held[0] == held[1], "another part was adjusted", self.name, event)
        self.tally.checked["adjustments approved by another person"] += 1

    def _settle(self, event: RoundReversed | MeterAdjusted, change: int) -> None:
        """Take over what an event says is left, which must be what the change leaves."""
        told = event.amount + event.reserve - self.amount - self.reserve
        demand(told == change + event.absorbed, "a meter changed otherwise", self.name, event, told, change)
        demand(min(event.amount, event.reserve, event.absorbed) >= 0, "a meter is below nothing", event)
        self.amount, self.reserve = event.amount, event.reserve
        self.adjusted += told

    @property
    def owed(self) -> int:
        """Return the units of wins that are logged and not paid."""
        return sum(won.units for won in self.waiting.values())

    def accounts(self) -> dict[str, int]:
        """Return what the ledger must hold for it."""
        name = self.name
        return {
            ledger.meter_account(name): self.amount,
            ledger.reserve_account(name): self.reserve,
            ledger.prizes_account(name): self.owed,
        }

    def compare(self, book: MeterState) -> None:
        """Find the law to hold, and what the house knows of the meter to be what came out here."""
        totals, meter = book.totals, book.meter
        held, came = self.amount + self.reserve + self.paid, self.seeded + self.contributed + self.adjusted
        demand(held == came, "a meter does not add up", self.name, held, came)
        mine = (self.amount, self.reserve, self.paid, self.seeded, self.contributed, self.adjusted)
        theirs = (totals.paid, totals.seeded, totals.contributed, totals.adjusted)
        demand(mine == (meter.amount, meter.reserve, *theirs), "the house has another meter", book, mine)
        hits = {row: count for row, count in book.hits.items() if count}
        demand(hits == self.hits and book.win_count == len(self.wins), "hits are not wins", hits, self.hits)
        owed = [won.logged for won in self.waiting.values()]
        demand([*book.unpaid_wins] == owed, "other wins wait than were logged", book.unpaid_wins, owed)
        self.tally.checked["meters whose law holds to the unit"] += 1
