"""A meter over many wins, exactly: how often each row is hit, and what the whole meter is when it is won.

Every wager puts its share of the stake into the meter and then has its hand paid. Write ``m`` for what the
meter holds on average when a hand is paid, ``p`` for the chance of the whole meter, ``q`` and ``s`` for the
chance and the share of a part of it. If hands owe nothing to each other, a hand's award does not depend on
the meter before it, so that all awards find ``m`` on average. In the long run what goes in comes out:

    rate x stake + reserve x stake + p x seed  =  p x m  +  q x s x m  +  fixed awards from the meter

for each win puts the seed in, and with it all of the reserve (WA-REC-7). That gives ``m``. Counts of hits
hold whatever hands owe to each other; so does ``m`` where nothing but whole meters comes out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from fourcard.money import Odds, OddsKind, share_text
from fourcard.odds.figures import exact
from fourcard.odds.printed import TableError
from fourcard.odds.progressive import Progressive
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.rulebook import AwardSource
from fourcard.wagers.wager import odds_by_row

WHOLE = 1
NOTHING = Fraction(0)


@dataclass(frozen=True)
class MeterTerms:
    """How a meter moves: what it and its reserve take of a stake, and what a win leaves it with."""

    rate: Fraction
    reserve: Fraction
    seed: int
    """The cents that the house puts in when the whole meter has been won."""
    fixed_awards: AwardSource = "tray"

    def __post_init__(self) -> None:
        """Refuse shares that no stake has (P9)."""
        if min(self.rate, self.reserve) < 0 or self.seed < 0:
            raise TableError("What a meter and its reserve take, and its seed, cannot be below zero.")
        total = self.rate + self.reserve
        if total > WHOLE:
            raise RefusedError(refuse(Code.RATES_OVER_WHOLE, ("P9",), total=share_text(total)))


@dataclass(frozen=True)
class MeterCycle:
    """A progressive wager, made again and again, and the meter that it feeds."""

    wager: Progressive
    terms: MeterTerms

    @cached_property
    def chances(self) -> Mapping[str, Fraction]:
        """Return how likely each row of the table is."""
        return {each.hand: each.probability for each in self.wager.own.outcomes if each.pays is not None}

    @property
    def wagers_per_hit(self) -> dict[str, Fraction | None]:
        """Return how many wagers each row takes on average; None for a row that no hand has."""
        return {row: 1 / chance if chance else None for row, chance in self.chances.items()}

    @property
    def win_chance(self) -> Fraction:
        """Return how likely a wager wins the whole meter."""
        return sum((chance for odds, chance in self.rows if is_whole(odds)), NOTHING)

    @property
    def wagers_between_wins(self) -> Fraction | None:
        """Return how many wagers lie between two whole meters on average; None where none is paid."""
        return 1 / self.win_chance if self.win_chance else None

    @property
    def shares_taken(self) -> Fraction:
        """Return the part of the meter that a wager takes on average without winning it whole."""
        parts = (
            odds.value * chance
            for odds, chance in self.rows
            if odds.kind is OddsKind.METER and not is_whole(odds)
        )
        return sum(parts, NOTHING)

    @property
    def fixed_taken(self) -> Fraction:
        """Return the cents that fixed awards take out of the meter a wager."""
        fixed = ((odds, chance) for odds, chance in self.rows if odds.kind is not OddsKind.METER)
        return sum((chance * self.fixed_cents(odds) for odds, chance in fixed), NOTHING)

    @property
    def average_win(self) -> Fraction | None:
        """Return the cents of the whole meter when it is won, on average over many wins.

        None where no row wins it, or where fixed awards take more out than ever comes in (R59).
        """
        if not self.win_chance:
            return None
        taken = self.win_chance + self.shares_taken
        found = (self.added(self.terms.rate) + self.added(self.terms.reserve) + self.kept) / taken
        return found if found >= 0 else None

    @property
    def kept(self) -> Fraction:
        """Return the seeds less the fixed awards of a wager, in cents."""
        return self.win_chance * self.terms.seed - self.fixed_taken

    def answer(self) -> dict[str, object]:
        """Return the cycle as scripts read it."""
        terms = self.terms
        return {
            "rate": exact(terms.rate),
            "reserve": exact(terms.reserve),
            "seed": terms.seed,
            "fixed_awards": terms.fixed_awards,
            "wagers_per_hit": {row: _exactly(wagers) for row, wagers in self.wagers_per_hit.items()},
            "wagers_between_wins": _exactly(self.wagers_between_wins),
            "average_win": _exactly(self.average_win),
            "assumptions": list(self.assumptions),
        }

    @property
    def assumptions(self) -> Iterator[str]:
        """Yield what the figures rest on."""
        yield "Each wager adds its part, then its hand is paid; hands are taken to be independent."
        yield "After a win the meter starts from the seed and all of the reserve (WA-REC-7)."
        yield "A share lowers the meter by what it pays (R60); no part of a cent is rounded (R97)."
        if self.terms.fixed_awards == "meter":
            yield "Fixed awards come out of the meter, even below zero here; a real one stops there (R59)."
        if self.win_chance and self.average_win is None:
            yield "They take more out than wagers and seeds bring in: it runs dry, and has no average."

    @property
    def rows(self) -> Iterator[tuple[Odds, Fraction]]:
        """Yield what each row pays, and how likely it is."""
        pays = odds_by_row(self.wager.table)
        return ((pays[row], chance) for row, chance in self.chances.items())

    def added(self, share: Fraction) -> Fraction:
        """Return the cents of a share of the stake."""
        return share * self.wager.stake

    def fixed_cents(self, odds: Odds) -> Fraction:
        """Return the cents that a fixed award takes out of the meter: none where the tray pays."""
        if self.terms.fixed_awards == "tray":
            return NOTHING
        return odds.value if odds.kind is OddsKind.FIXED else odds.value * self.wager.stake


def is_whole(odds: Odds) -> bool:
    """Say whether an award is the whole meter."""
    return odds.kind is OddsKind.METER and odds.value == WHOLE


def _exactly(figure: Fraction | None) -> dict[str, object] | None:
    return None if figure is None else exact(figure)
