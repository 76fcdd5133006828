"""Decision values in cents: what each option is worth, whether it is allowed, and what money is missing.

The best option depends on rules and limits only, not on the player's money.
"""

from fractions import Fraction

import msgspec

from fourcard.money import dollars
from fourcard.odds.advice import Advice


class Choice(msgspec.Struct, frozen=True):
    """One option: a fold, a multiple of the Ante, or the largest Play wager that a limit allows."""

    name: str
    amount: int
    """The Play wager in cents, 0 for a fold."""
    worth: Fraction
    """The expected value in cents."""
    allowed: bool
    """Whether rules and limits allow it."""
    short: int
    """The cents that the player is short of; 0 if the money suffices."""


class Options(msgspec.Struct, frozen=True):
    """All options of one decision, with their values in cents."""

    given: Advice
    ante: int
    plays: range
    """The Play wagers that rules and limits allow, in cents, whatever money the player has."""
    money: int | None = None
    """The player's money for a Play wager, in cents; None if unknown."""

    def worth(self, amount: int) -> Fraction:
        """Return the value in cents of a Play wager, or of a fold for 0; it is linear in the Play wager."""
        values = self.given.values
        if amount == 0:
            return values["fold"] * self.ante
        slope = values["2x"] - values["1x"]
        return values["1x"] * self.ante + slope * (amount - self.ante)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return every option, including the largest Play wager where a limit falls between multiples."""
        found = [self._choice(name, _multiple(name) * self.ante) for name in self.given.values]
        if self.plays and self.plays[-1] % self.ante:
            found.append(self._choice(f"{dollars(self.plays[-1])} on Play", self.plays[-1]))
        return tuple(found)

    def _choice(self, name: str, amount: int) -> Choice:
        short = 0 if self.money is None else max(0, amount - self.money)
        return Choice(name, amount, self.worth(amount), amount == 0 or amount in self.plays, short)

    @property
    def best(self) -> Choice:
        """Return the allowed option of the highest value; the smallest wager if several are equal."""
        return max((each for each in self.choices if each.allowed), key=lambda each: each.worth)

    def cost(self, amount: int) -> Fraction:
        """Return what a decision costs in cents compared with the best one."""
        return self.best.worth - self.worth(amount)


def _multiple(name: str) -> int:
    return 0 if name == "fold" else int(name.removesuffix("x"))
