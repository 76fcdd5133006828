"""Jackpot configuration: a submission's progressive paytable, awards, stake and meter terms."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import msgspec

from fourcard.meter import UNITS_PER_CENT, Contribution, Meter, contribute
from fourcard.odds.meter_cycle import MeterCycle, MeterTerms
from fourcard.odds.printed import TableError
from fourcard.odds.progressive import Progressive as CountedProgressive
from fourcard.odds.rows import hands_by_strength
from fourcard.refusals import RefusedError
from fourcard.rules.game import Game
from fourcard.rules.limits import stake_refusal
from fourcard.rules.nodes import Paytable
from fourcard.rules.submission import ProgressiveChoice
from fourcard.settling import Settler
from fourcard.wagers.progressive import Progressive
from fourcard.wagers.showdown import LIVE, Seat
from fourcard.wagers.wager import Tier

Award = Tier | int
"""An award that depends on the meter, or the cents that the tray pays."""


class LinkedMeter(msgspec.Struct, frozen=True, dict=True):
    """A meter and the wager that feeds it, with the same stake at every position."""

    table: Paytable
    awards: Mapping[str, Award]
    """By row, the best first."""
    stake: int
    start: int
    """The meter's first amount in cents; after a win it restarts from the seed of its terms."""
    terms: MeterTerms
    from_right: bool = True
    """Whether the winners of a round are paid from the dealer's right, the highest position first."""

    @property
    def begun(self) -> Meter:
        """Return the meter before the first wager."""
        return Meter(amount=self.start * UNITS_PER_CENT, seed=self.terms.seed)

    @cached_property
    def contribution(self) -> Contribution:
        """Return how one stake is divided."""
        return contribute(self.begun, self.stake, self.terms.rate, self.terms.reserve)[1]

    @cached_property
    def cycle(self) -> MeterCycle:
        """Return the exact long-run figures of this meter."""
        return MeterCycle(CountedProgressive(self.table, None, self.stake, self.start, 0), self.terms)


def linked_meter(game: Game, stake: int | None = None) -> LinkedMeter:
    """Return the configuration of a game's progressive, by default with its smallest stake."""
    choice, rules = game.submission.progressive, Settler(game).wagers.get("progressive")
    if choice is None or not isinstance(rules, Progressive):
        raise TableError("The submission offers no progressive, so there is no meter to simulate.")
    staked = int(min(choice.stakes)) if stake is None else stake
    refusal = stake_refusal(game, staked)
    if refusal is not None:
        raise RefusedError(refusal)
    return LinkedMeter(
        game.tables["progressive"],
        {row: _award(rules, row, staked) for row in rules.pays},
        staked,
        int(choice.seed or 0),
        _terms(choice),
        Settler(game).from_right,
    )


def _terms(choice: ProgressiveChoice) -> MeterTerms:
    """Return the meter's terms; the reset amount is required before the meter is won (R58)."""
    if choice.reset is None:
        raise TableError("The submission has no reset amount for its meter. Add it.")
    return MeterTerms(choice.rate or Fraction(0), choice.reserve, int(choice.reset), choice.fixed_awards)


def _award(rules: Progressive, row: str, stake: int) -> Award:
    """Return the award of a row, as the wager settles it."""
    seat = Seat(1, "", (), hands_by_strength()[0], {"progressive": stake}, LIVE)
    due = rules.award(seat, row, row, ())
    return due.step.amount if due.tier is None else due.tier
