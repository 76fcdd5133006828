"""Odds report: one wager's assumptions, outcomes and exact figures."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.money import OddsKind, dollars
from fourcard.odds.bad_beat import bad_beat
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.contest import contest, multiple_text
from fourcard.odds.figures import Distribution, Outcome, exact
from fourcard.odds.meter_cycle import MeterCycle, MeterTerms
from fourcard.odds.printed import Chosen, TableError, envy_table
from fourcard.odds.printed_figures import Printed, printed_of
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.progressive import Progressive
from fourcard.odds.side_bets import aces_up, six_card
from fourcard.odds.strategies import says, spots_of, strategy_named, title
from fourcard.rules.nodes import WAGER_LABELS, WagerName, cite
from fourcard.rules.rulebook import Rulebook

Figure = Fraction | Mapping[str, Fraction] | None
"""One figure, several by name, or None if there is no such figure."""


class Report(msgspec.Struct, frozen=True):
    """The exact odds of a wager."""

    wager: WagerName
    paytable: str
    book: Rulebook
    clauses: tuple[str, ...]
    distribution: Distribution
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction
    assumptions: tuple[str, ...] = ()
    figures: Mapping[str, Figure] = {}
    """Further figures, by their JSON names."""
    published: Mapping[str, Printed] | None = None
    base: BaseGame | None = None
    cycle: MeterCycle | None = None
    """The long run of a progressive's meter, if its terms are given."""

    @property
    def label(self) -> str:
        """Return the wager's display name; the Ante stands for the whole base game."""
        return "Ante, Play and Automatic Bonus" if self.wager == "ante" else WAGER_LABELS[self.wager]

    @property
    def standard_deviation(self) -> float:
        """Return the standard deviation per unit staked."""
        return sqrt(self.variance)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return every outcome, the best row first."""
        return tuple(self.distribution.outcomes)

    def answer(self) -> dict[str, object]:
        """Return the report as JSON data."""
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "rulebook": self.book.id,
            "edition": self.book.edition,
            "house_edge": exact(self.house_edge),
            "hit_frequency": exact(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
            "variance": exact(self.variance),
            **{name: _plain(figure) for name, figure in self.figures.items()},
            **({} if self.cycle is None else {"meter_cycle": self.cycle.answer()}),
            "outcomes": [outcome.answer() for outcome in self.outcomes],
            "published": self.published
            and {
                name: {"printed": each.text, "clause": each.clause} for name, each in self.published.items()
            },
            "assumptions": list(self.assumptions),
            "clauses": list(self.clauses),
        }


def _plain(figure: Figure) -> dict[str, object] | None:
    if figure is None:
        return None
    return (
        exact(figure)
        if isinstance(figure, Fraction)
        else {name: exact(each) for name, each in figure.items()}
    )


def ante_report(bonus: Chosen | None, book: Rulebook, strategy: str, step: Step = no_progress) -> Report:
    """Return the odds of the base game (Ante, Play and Automatic Bonus) under a strategy."""
    spots = spots_of(contest(book, {} if bonus is None else bonus.pays), step)
    found = base_game(spots, strategy_named(strategy))
    wins = sum((each.probability for each in found.distribution.outcomes if each.net > 0), Fraction(0))
    rules = book.wagers
    return Report(
        "ante",
        "none" if bonus is None else bonus.id,
        book,
        cite(rules.ante.pays, rules.ante.ties_win, rules.play.pays, bonus.table if bonus else None),
        found.distribution,
        found.house_edge,
        wins,
        found.distribution.variance,
        (
            f"Strategy {title(strategy)}: {says(strategy)}",
            "House edge per Ante; a hit is a round with a net gain.",
            *(() if bonus is None else _unrounded(bonus)),
        ),
        {
            "ev_per_ante": found.ev_per_ante,
            "average_wager": found.average_wager,
            "element_of_risk": found.element_of_risk,
            "decisions": {multiple_text(each): share for each, share in found.decisions.items()},
            "results": found.results,
            "bonus_hit_frequency": found.bonus_hit_frequency,
            "bonus_value": found.bonus_value,
        },
        None if bonus is None else printed_of(bonus),
        found,
    )


def _by_distribution(chosen: Chosen, found: Distribution, *assumptions: str) -> Report:
    return Report(
        chosen.wager,
        chosen.id,
        chosen.book,
        chosen.table.clauses,
        found,
        found.house_edge,
        found.hit_frequency,
        found.variance,
        (*assumptions, *_unrounded(chosen)),
        published=printed_of(chosen),
    )


def _unrounded(chosen: Chosen) -> tuple[str, ...]:
    """Return the assumption that no cent is rounded, for a paytable that pays fractions of a stake."""
    parts = [str(odds) for odds in chosen.pays.values() if odds.value.denominator != 1]
    exactly = (f"{parts[0]} is counted exactly; a table rounds part of a cent (R33)." for _ in parts[:1])
    return tuple(exactly)


def aces_up_report(chosen: Chosen) -> Report:
    """Return the odds of Aces Up under a paytable."""
    return _by_distribution(
        chosen, aces_up(chosen.pays), "Paid whatever the dealer holds, and after a fold too."
    )


def six_card_report(chosen: Chosen, stake: int, *, low_ace: bool = True) -> Report:
    """Return the odds of the Six Card Bonus at a stake in cents."""
    straight = "5-4-3-2-A is a straight (R28)." if low_ace else "5-4-3-2-A is not a straight (R28)."
    prizes = any(odds.kind is OddsKind.FIXED for odds in chosen.pays.values())
    at = f"The stake is {dollars(stake)}; a winner of a fixed prize keeps it (R93)."
    assumed = (at, straight) if prizes else (straight,)
    return _by_distribution(chosen, six_card(chosen.pays, stake, low_ace=low_ace), *assumed)


def bad_beat_report(chosen: Chosen, *, tie_wins: bool = False, step: Step = no_progress) -> Report:
    """Return the odds of the Bad Beat Bonus under a paytable."""
    spots = spots_of(contest(chosen.book, {}), step)
    tie = "A tie pays by the tied hand (R40, setting)." if tie_wins else "A tie loses (R40)."
    assumed = "Nobody folds two pair or better (R39)."
    return _by_distribution(chosen, bad_beat(spots, chosen.pays, tie_wins=tie_wins), tie, assumed)


def progressive_report(
    chosen: Chosen,
    envy: str | None,
    stake: int,
    meter: int,
    others: int,
    terms: MeterTerms | None = None,
) -> Report:
    """Return the odds of the progressive wager; its house edge includes Envy from other players."""
    schedule = envy_table(chosen.book, envy, stake) if envy is not None else None
    found = Progressive(chosen.table, schedule, stake, meter, others)
    from_envy = others * found.envy_from_one.mean
    figures: dict[str, Figure] = {"house_edge_without_envy": found.own.house_edge}
    if schedule is not None:
        figures["envy_from_each_other"] = found.envy_from_one.mean
        figures["envy"] = from_envy
    figures["break_even_meter"] = found.break_even_meter
    if found.top is not None:
        figures["top_award"] = found.top.probability
    return Report(
        "progressive",
        chosen.id,
        chosen.book,
        cite(chosen.table, schedule),
        found.own,
        found.house_edge,
        found.own.hit_frequency,
        found.variance,
        (
            f"The meter shows {dollars(meter)}; the stake is {dollars(stake)} and is not returned.",
            f"Envy from {others} other player{'' if others == 1 else 's'}; nobody folds a paying hand.",
            "The meter is paid in full; another winner in the same round is not considered.",
            "Outcomes and hit frequency are those of the player's own hand.",
        ),
        figures,
        printed_of(chosen),
        cycle=None if terms is None else MeterCycle(found, terms),
    )


def envy_report(book: Rulebook, schedule: str, stake: int, others: int) -> Report:
    """Return what Envy pays a progressive bettor, per unit of the progressive stake."""
    rules = book.wagers.progressive
    if rules is None or not rules.paytables:
        raise TableError(f"The rulebook {book.id} has no progressive.")
    printed = envy_table(book, schedule, stake)
    table = rules.paytables.get(schedule, next(iter(rules.paytables.values())))
    found = Progressive(table, printed, stake, 0, others)
    each = found.envy_from_one
    return Report(
        "envy",
        schedule,
        book,
        printed.clauses,
        each,
        -others * each.mean,
        each.hit_frequency,
        found.envy_variance,
        (
            f"The progressive stake is {dollars(stake)}; its cost is not counted here.",
            f"From {others} other player{'' if others == 1 else 's'}.",
            "Outcomes and hit frequency are those of one other player's hand.",
        ),
        {"envy_from_each_other": each.mean},
    )
