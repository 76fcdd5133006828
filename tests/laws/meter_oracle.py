"""A second reckoning of a meter, written from the rulings alone: cents as fractions, and plain lists.

Nothing of the house's arithmetic is used here. Every stake and every win is kept as it happened, and what
follows from it is counted again.
"""

import re
from fractions import Fraction
from math import floor

SMALLEST = 10_000
"""A meter keeps ten-thousandths of a cent; what is smaller is the house's."""


class Stake:
    """One stake that came in: what meter and reserve got of it, and how many whole wins there had been."""

    def __init__(self, to_meter: Fraction, to_reserve: Fraction, wholes: int) -> None:
        """Note it."""
        self.to_meter, self.to_reserve, self.wholes = to_meter, to_reserve, wholes


class Prize:
    """One win: what the player got, what the meter gave up for it, and with what it started again."""

    def __init__(self, cents: int, borne: int) -> None:
        """Note it; a win of the whole meter is noted further."""
        self.cents, self.borne = cents, borne
        self.whole: int | None = None
        """Which of the whole wins it is, from 0."""
        self.start = self.from_reserve = Fraction(0)
        self.returned = False


class MeterReference:
    """What a meter and its reserve must hold."""

    def __init__(self, seed: int) -> None:
        """Begin with what the house puts in."""
        self.amount, self.reserve, self.borne = Fraction(seed), Fraction(0), Fraction(0)
        self.rate = self.reserve_rate = Fraction(0)
        self.reset = 0
        self.stakes: dict[tuple[str, int], list[Stake]] = {}
        self.prizes: dict[tuple[str, int], list[Prize]] = {}
        self.wins: list[Prize] = []
        self.stands: list[bool] = []
        """Of every win of the whole meter, whether it was never taken back."""

    @property
    def shown(self) -> int:
        """Return the whole cents (R97)."""
        return floor(self.amount)

    def follow(self, rate: Fraction, reserve_rate: Fraction, reset: int) -> None:
        """Follow other terms."""
        self.rate, self.reserve_rate, self.reset = rate, reserve_rate, reset

    def add(self, place: tuple[str, int], stakes: list[int]) -> None:
        """Add the stakes of a round, in cents, each rounded down on its own."""
        for stake in stakes:
            to_meter, to_reserve = _units(stake * self.rate), _units(stake * self.reserve_rate)
            self.stakes.setdefault(place, []).append(Stake(to_meter, to_reserve, len(self.stands)))
            self.amount += to_meter
            self.reserve += to_reserve

    def win(self, place: tuple[str, int], odds: str, stake: int, source: str) -> Prize:
        """Log a win: the whole meter, a share of it, or so much for 1, out of the meter or the tray."""
        share = re.fullmatch(r"([\d.]+)% of meter", odds)
        if share is not None:
            cents = floor(self.shown * Fraction(share[1]) / 100)
            prize = Prize(cents, cents)
        else:
            times, one = (int(part) for part in odds.split(" for "))
            cents = floor(Fraction(stake * times, one))
            prize = Prize(cents, min(cents, self.shown) if source == "meter" else 0)
        self.amount -= prize.borne
        if share is not None and Fraction(share[1]) == 100:
            self._start_anew(prize)
        self.wins.append(prize)
        self.prizes.setdefault(place, []).append(prize)
        return prize

    def _start_anew(self, prize: Prize) -> None:
        prize.whole, prize.start, prize.from_reserve = (
            len(self.stands),
            self.reset + self.reserve,
            self.reserve,
        )
        self.stands.append(True)
        self.amount += prize.start
        self.reserve = Fraction(0)

    def void(self, place: tuple[str, int]) -> None:
        """Take a void round back: its wins, the last first, then its stakes (R66)."""
        for prize in reversed(self.prizes.pop(place, [])):
            if not prize.returned:
                self._give_back(prize)
        for stake in reversed(self.stakes.pop(place, [])):
            self._take_out(stake)

    def back_out(self, number: int) -> None:
        """Return a win to the meter by hand (P30)."""
        self._give_back(self.wins[number - 1])

    def adjust(self, part: str, cents: int) -> None:
        """Add to the meter or its reserve by hand."""
        if part == "meter":
            self.amount += cents
        else:
            self.reserve += cents

    def _give_back(self, prize: Prize) -> None:
        """Give the meter back what it bore, for the new start unless somebody has that one."""
        prize.returned = True
        self.amount += prize.borne
        if prize.whole is None:
            return
        self.stands[prize.whole] = False
        if not any(self.stands[prize.whole + 1 :]):
            back = min(prize.start, self.amount)
            self.amount -= back
            self.borne += prize.start - back
            self.reserve += prize.from_reserve

    def _take_out(self, stake: Stake) -> None:
        """Take a stake out again, unless the meter that it went to is somebody's."""
        if any(self.stands[stake.wholes :]):
            self.borne += stake.to_meter + stake.to_reserve
            return
        from_meter, from_reserve = min(stake.to_meter, self.amount), min(stake.to_reserve, self.reserve)
        self.amount -= from_meter
        self.reserve -= from_reserve
        self.borne += stake.to_meter + stake.to_reserve - from_meter - from_reserve


def _units(cents: Fraction) -> Fraction:
    return Fraction(floor(cents * SMALLEST), SMALLEST)
