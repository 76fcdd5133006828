"""Jackpot configuration: the plan of tables and rounds, and a submission's progressive with its meter."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import msgspec

from fourcard.meter import UNITS_PER_CENT, Contribution, Meter, contribute
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.jackpot_long_run import MeterCycle, MeterTerms
from fourcard.odds.paytable_lookup import PaytableError, require_settlement_order
from fourcard.odds.progressive import ProgressiveOdds as CountedProgressive
from fourcard.refusals import BadInputError, RefusedError
from fourcard.rules.cited import Paytable
from fourcard.rules.game import Game
from fourcard.rules.limits import stake_refusal
from fourcard.rules.submission import ProgressiveChoice
from fourcard.settlers.progressive import ProgressiveSettler
from fourcard.settlers.showdown import LIVE, Seat
from fourcard.settlers.wager_settler import MeterAward
from fourcard.settling import Settler

MAX_WAGERS = 10**9
PLAN_LIMITS = {
    "tables": ("tables", 1_000),
    "players": ("players at a table", 7),
    "rounds_per_hour": ("rounds an hour", 1_000),
    "hours": ("hours a day", 24),
    "days": ("days", 36_525),
}
"""The description and the maximum of each field of a plan."""


def count_text(number: int, what: str) -> str:
    """Return a number with its noun in singular or plural: ``1 table``, ``8 tables``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class JackpotPlan(msgspec.Struct, frozen=True):
    """A number of tables that play at the same pace, their rounds taken in turn."""

    tables: int = 8
    players: int = 4
    rounds_per_hour: int = 50
    hours: int = 16
    days: int = 365

    def __post_init__(self) -> None:
        """Refuse figures out of range and plans that would take hours."""
        for name, (words, most) in PLAN_LIMITS.items():
            if not 1 <= (value := getattr(self, name)) <= most:
                raise BadInputError(f"The number of {words} must be from 1 to {most:,}, not {value:,}.")
        if self.wagers > MAX_WAGERS:
            raise BadInputError(
                f"That makes {self.wagers:,} wagers; the maximum is {MAX_WAGERS:,}. Reduce the plan."
            )

    @property
    def rounds_per_day(self) -> int:
        """Return the rounds of all tables per day."""
        return self.tables * self.rounds_per_hour * self.hours

    @property
    def rounds(self) -> int:
        """Return the rounds of all tables together."""
        return self.rounds_per_day * self.days

    @property
    def wagers(self) -> int:
        """Return the number of progressive wagers: one at every position of every round."""
        return self.rounds * self.players


RowAward = MeterAward | int
"""An award that depends on the meter, or the cents that the tray pays."""


class JackpotConfig(msgspec.Struct, frozen=True, dict=True):
    """A meter and the wager that feeds it, with the same stake at every position."""

    table: Paytable
    awards: Mapping[str, RowAward]
    """By row, the best first."""
    stake: int
    start: int
    """The meter's first amount in cents; after a win it restarts from the seed of its terms."""
    terms: MeterTerms
    from_right: bool = True
    """Whether the winners of a round are paid from the dealer's right, the highest position first."""

    @property
    def initial_meter(self) -> Meter:
        """Return the meter before the first wager."""
        return Meter(amount=self.start * UNITS_PER_CENT, reset_amount=self.terms.seed)

    @cached_property
    def contribution(self) -> Contribution:
        """Return how one stake is divided."""
        return contribute(self.initial_meter, self.stake, self.terms.rate, self.terms.reserve)[1]

    @cached_property
    def cycle(self) -> MeterCycle:
        """Return the exact long-run figures of this meter."""
        return MeterCycle(CountedProgressive(self.table, None, self.stake, self.start, 0), self.terms)


def jackpot_config(game: Game, stake: int | None = None) -> JackpotConfig:
    """Return the configuration of a game's progressive, by default with its smallest stake."""
    choice, rules = game.submission.progressive, Settler(game).wagers.get("progressive")
    if choice is None or not isinstance(rules, ProgressiveSettler):
        raise PaytableError("The submission offers no progressive, so there is no meter to simulate.")
    require_settlement_order(choice)
    staked = int(min(choice.stakes)) if stake is None else stake
    refusal = stake_refusal(game, staked)
    if refusal is not None:
        raise RefusedError(refusal)
    return JackpotConfig(
        game.tables["progressive"],
        {row: _row_award(rules, row, staked) for row in rules.pays},
        staked,
        int(choice.seed or 0),
        _meter_terms(choice),
        Settler(game).from_right,
    )


def _meter_terms(choice: ProgressiveChoice) -> MeterTerms:
    """Return the meter's terms; the reset amount is required before the meter is won (R58)."""
    if choice.reset is None:
        raise PaytableError("The submission has no reset amount for its meter. Add it.")
    return MeterTerms(choice.rate or Fraction(0), choice.reserve, int(choice.reset), choice.fixed_awards)


def _row_award(rules: ProgressiveSettler, row: str, stake: int) -> RowAward:
    """Return the award of a row, as the wager settles it."""
    seat = Seat(1, "", (), hands_by_strength()[0], {"progressive": stake}, LIVE)
    due = rules.award(seat, row, row, ())
    return due.step.amount if due.meter_award is None else due.meter_award
