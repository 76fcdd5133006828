"""Odds report: answers a query about one wager with its assumptions, outcomes and exact figures."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from fourcard.fingerprints import fingerprint
from fourcard.money import Odds, OddsKind, dollars
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.decision_values import base_terms, decision_name
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.jackpot_long_run import MeterCycle, MeterCycleReport, MeterTerms
from fourcard.odds.paytable_lookup import (
    PaytableError,
    PaytableRef,
    envy_schedules,
    find_envy_paytable,
    find_envy_rulebook,
    find_paytable,
    paytable_ref,
    printed_paytables,
    resolve_bonus,
    starting_meter,
)
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.odds.published_figures import PrintedFigure, published_for
from fourcard.odds.side_bets import bad_beat_distribution, own_hand_distribution, six_card_distribution
from fourcard.odds.strategies import OPTIMAL, decision_points, describe, display_name, find_strategy
from fourcard.refusals import BadInputError
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.rules.paytables import paytables_of
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.wagers import (
    ODDS_LABELS,
    ODDS_WAGERS,
    OPTION_WAGERS,
    SPECIFICATIONS,
    TABLE_WAGERS,
    WAGER_LABELS,
    OptionName,
    TableWager,
    WagerName,
)

if TYPE_CHECKING:
    from fourcard.odds.cover_all import CoverAllEstimate


DOLLAR = 100


class OddsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a wager; figures that it does not have are left out."""

    wager: WagerName
    paytable: str
    rulebook: str
    edition: str
    players: int | UnsetType = UNSET
    """The positions dealt in, for Cover All."""
    house_edge: Fraction
    hit_frequency: Fraction
    standard_deviation: float
    """Per unit staked."""
    variance: Fraction | UnsetType = UNSET
    ev_per_ante: Fraction | UnsetType = UNSET
    average_wager: Fraction | UnsetType = UNSET
    element_of_risk: Fraction | UnsetType = UNSET
    decisions: dict[str, Fraction] | UnsetType = UNSET
    results: dict[str, Fraction] | UnsetType = UNSET
    bonus_hit_frequency: Fraction | UnsetType = UNSET
    bonus_value: Fraction | UnsetType = UNSET
    house_edge_without_envy: Fraction | UnsetType = UNSET
    envy_from_each_other: Fraction | UnsetType = UNSET
    envy: Fraction | UnsetType = UNSET
    break_even_meter: Fraction | UnsetType | None = UNSET
    """In cents; None if the house edge is never zero."""
    top_award: Fraction | UnsetType = UNSET
    meter_cycle: MeterCycleReport | UnsetType = UNSET
    """The long run of a progressive's meter, if its terms are given."""
    outcomes: tuple[WagerOutcome, ...]
    """Every outcome, the best row first."""
    published: dict[str, PrintedFigure] | None
    rounds: int | UnsetType = UNSET
    """The simulated rounds of an estimate."""
    seed: int | UnsetType = UNSET
    assumptions: tuple[str, ...] | UnsetType = UNSET
    clauses: tuple[str, ...]
    fingerprint: str

    @property
    def label(self) -> str:
        """Return the wager's display name; the Ante stands for the whole base game."""
        return ODDS_LABELS[self.wager]

    @property
    def distribution(self) -> Distribution:
        """Return the outcomes as a distribution."""
        return Distribution(self.outcomes)


def odds_report(
    wager: WagerName, paytable: str, rulebook: Rulebook, found: Distribution, **figures: Any
) -> OddsReport:
    """Return the report of a distribution; the given figures replace its own or add to them."""
    own: dict[str, Any] = {
        "house_edge": found.house_edge,
        "hit_frequency": found.hit_frequency,
        "variance": found.variance,
        "published": None,
    }
    own |= figures
    return OddsReport(
        wager=wager,
        paytable=paytable,
        rulebook=rulebook.id,
        edition=rulebook.edition,
        standard_deviation=sqrt(own["variance"]),
        outcomes=tuple(found.outcomes),
        fingerprint=fingerprint(),
        **own,
    )


def ante_report(
    bonus: PaytableRef | None, rulebook: Rulebook, strategy: str, step: ProgressCallback = no_progress
) -> OddsReport:
    """Return the odds of the base game (Ante, Play and Automatic Bonus) under a strategy."""
    spots = decision_points(base_terms(rulebook, {} if bonus is None else bonus.pays), step)
    return base_report(base_game(spots, find_strategy(strategy)), bonus, rulebook, strategy)


def base_report(found: BaseGame, bonus: PaytableRef | None, rulebook: Rulebook, strategy: str) -> OddsReport:
    """Return the odds of a counted base game."""
    rules = rulebook.wagers
    return odds_report(
        "ante",
        "none" if bonus is None else bonus.id,
        rulebook,
        found.distribution,
        hit_frequency=sum(
            (each.probability for each in found.distribution.outcomes if each.net > 0), Fraction(0)
        ),
        ev_per_ante=found.ev_per_ante,
        average_wager=found.average_wager,
        element_of_risk=found.element_of_risk,
        decisions={decision_name(each): share for each, share in found.decisions.items()},
        results=found.results,
        bonus_hit_frequency=found.bonus_hit_frequency,
        bonus_value=found.bonus_value,
        published=None if bonus is None else published_for(bonus),
        assumptions=(
            f"Strategy {display_name(strategy)}: {describe(strategy)}",
            "House edge per Ante; a hit is a round with a net gain.",
            *(() if bonus is None else _rounding_assumption(bonus)),
        ),
        clauses=clauses_of(
            rules.ante.pays, rules.ante.ties_win, rules.play.pays, bonus.table if bonus else None
        ),
    )


def _distribution_report(chosen: PaytableRef, found: Distribution, *assumptions: str) -> OddsReport:
    return odds_report(
        chosen.wager,
        chosen.id,
        chosen.rulebook,
        found,
        published=published_for(chosen),
        assumptions=(*assumptions, *_rounding_assumption(chosen)),
        clauses=chosen.table.clauses,
    )


def _rounding_assumption(chosen: PaytableRef) -> tuple[str, ...]:
    """Return the assumption that no cent is rounded, for a paytable that pays fractions of a stake."""
    parts = [str(odds) for odds in chosen.pays.values() if odds.value.denominator != 1]
    exactly = (f"{parts[0]} is counted exactly; a table rounds part of a cent (R33)." for _ in parts[:1])
    return tuple(exactly)


def own_hand_report(
    chosen: PaytableRef, stake: int = DOLLAR, step: ProgressCallback = no_progress
) -> OddsReport:
    """Return the odds of a wager that the player's own five cards decide, such as Aces Up."""
    rules = chosen.rulebook.wager(chosen.wager)
    assert isinstance(rules, Wager)
    if rules.regardless_of_dealer is not None and not rules.regardless_of_dealer.value:
        raise PaytableError(
            f"The {WAGER_LABELS[chosen.wager]} of {chosen.rulebook.id} depends on the dealer's hand. "
            "Its odds cannot be counted from the player's cards."
        )
    live = rules.on_fold is not None and rules.on_fold.value == "live"
    fold = ", and after a fold too." if live else "; nobody folds a paying hand."
    found = own_hand_distribution(chosen.wager, chosen.pays, stake, step)
    assumed = f"Paid whatever the dealer holds{fold}"
    return _distribution_report(chosen, found, *_stake_assumption(chosen, stake), assumed)


def depends_on_stake(pays: Mapping[str, Odds]) -> bool:
    """Say whether the odds of a table depend on the stake: it has a fixed prize."""
    return any(odds.kind is OddsKind.FIXED for odds in pays.values())


def _stake_assumption(chosen: PaytableRef, stake: int) -> tuple[str, ...]:
    at = f"The stake is {dollars(stake)}; a winner of a fixed prize keeps it (R93)."
    return (at,) if depends_on_stake(chosen.pays) else ()


def six_card_report(chosen: PaytableRef, stake: int, *, low_ace: bool = True) -> OddsReport:
    """Return the odds of the Six Card Bonus at a stake in cents."""
    straight = "5-4-3-2-A is a straight (R28)." if low_ace else "5-4-3-2-A is not a straight (R28)."
    found = six_card_distribution(chosen.pays, stake, low_ace=low_ace)
    return _distribution_report(chosen, found, *_stake_assumption(chosen, stake), straight)


def bad_beat_report(
    chosen: PaytableRef, *, tie_wins: bool = False, step: ProgressCallback = no_progress
) -> OddsReport:
    """Return the odds of the Bad Beat Bonus under a paytable."""
    spots = decision_points(base_terms(chosen.rulebook, {}), step)
    tie = "A tie pays by the tied hand (R40, setting)." if tie_wins else "A tie loses (R40)."
    assumed = "Nobody folds two pair or better (R39)."
    return _distribution_report(
        chosen, bad_beat_distribution(spots, chosen.pays, tie_wins=tie_wins), tie, assumed
    )


def progressive_report(
    chosen: PaytableRef,
    envy: str | None,
    stake: int,
    meter: int,
    others: int,
    terms: MeterTerms | None = None,
) -> OddsReport:
    """Return the odds of the progressive wager; its house edge includes Envy from other players."""
    schedule = find_envy_paytable(chosen.rulebook, envy, stake) if envy is not None else None
    found = ProgressiveOdds(chosen.table, schedule, stake, meter, others)
    each_other = found.envy_from_one.mean
    envy_figures = (
        {} if schedule is None else {"envy_from_each_other": each_other, "envy": others * each_other}
    )
    return odds_report(
        "progressive",
        chosen.id,
        chosen.rulebook,
        found.own,
        house_edge=found.house_edge,
        variance=found.variance,
        house_edge_without_envy=found.own.house_edge,
        **envy_figures,
        break_even_meter=found.break_even_meter,
        top_award=UNSET if found.top is None else found.top.probability,
        meter_cycle=UNSET if terms is None else MeterCycle(found, terms).report(),
        published=published_for(chosen),
        assumptions=(
            f"The meter shows {dollars(meter)}; the stake is {dollars(stake)} and is not returned.",
            f"Envy from {others} other player{'' if others == 1 else 's'}; nobody folds a paying hand.",
            "The meter is paid in full; another winner in the same round is not considered.",
            "Outcomes and hit frequency are those of the player's own hand.",
        ),
        clauses=clauses_of(chosen.table, schedule),
    )


def envy_report(rulebook: Rulebook, schedule: str, stake: int, others: int) -> OddsReport:
    """Return what Envy pays a progressive bettor, per unit of the progressive stake."""
    rules = rulebook.wagers.progressive
    if rules is None or not rules.paytables:
        raise PaytableError(f"The rulebook {rulebook.id} has no progressive.")
    printed = find_envy_paytable(rulebook, schedule, stake)
    table = rules.paytables.get(schedule, next(iter(rules.paytables.values())))
    found = ProgressiveOdds(table, printed, stake, 0, others)
    each = found.envy_from_one
    return odds_report(
        "envy",
        schedule,
        rulebook,
        each,
        house_edge=-others * each.mean,
        variance=found.envy_variance,
        envy_from_each_other=each.mean,
        assumptions=(
            f"The progressive stake is {dollars(stake)}; its cost is not counted here.",
            f"From {others} other player{'' if others == 1 else 's'}.",
            "Outcomes and hit frequency are those of one other player's hand.",
        ),
        clauses=printed.clauses,
    )


def cover_all_report(found: "CoverAllEstimate") -> OddsReport:
    """Return the estimated odds of Cover All; its figures have standard errors."""
    return OddsReport(
        wager="cover_all",
        paytable=found.paytable.id,
        rulebook=found.paytable.rulebook.id,
        edition=found.paytable.rulebook.edition,
        players=found.players,
        house_edge=found.house_edge,
        hit_frequency=found.hit_frequency,
        standard_deviation=found.standard_deviation,
        outcomes=tuple(found.distribution.outcomes),
        published=None,
        rounds=found.rounds,
        seed=found.seed,
        clauses=found.paytable.table.clauses,
        fingerprint=fingerprint(),
    )


class OddsQueryError(BadInputError):
    """A query about a wager that has no exact odds of its own."""


class OddsQuery(msgspec.Struct, frozen=True):
    """A wager, its paytable, and what else its odds depend on; amounts in cents."""

    wager: WagerName
    rulebook: Rulebook | None = None
    table: str | None = None
    strategy: str = OPTIMAL
    stake: int = DOLLAR
    meter: int | None = None
    others: int | None = None
    """The number of other players; by default none for a progressive, and one for Envy."""
    envy: str | None = None
    tie_wins: bool = False
    terms: MeterTerms | None = None
    """The terms of a progressive's meter, for its long-run figures."""
    custom: PaytableRef | None = None
    """A custom paytable, instead of an id."""
    low_ace: bool = True
    """Whether 5-4-3-2-A is a straight for the Six Card Bonus (R28)."""

    @property
    def paytable(self) -> PaytableRef:
        """Return the paytable of the query."""
        return self.custom or find_paytable(paytable_wager(self.wager), self.table, self.rulebook)


def unused_option(wager: WagerName, given: Mapping[OptionName, object]) -> OptionName | None:
    """Return the first given option that does not affect a wager's odds, or None."""
    return next(
        (each for each, value in given.items() if value is not None and wager not in OPTION_WAGERS[each]),
        None,
    )


def odds_of(query: OddsQuery, step: ProgressCallback = no_progress) -> OddsReport:
    """Return the exact odds for a query."""
    _refuse_other_wagers(query.wager)
    return REPORTS.get(query.wager, _answer_own_hand)(query, step)


def odds_in_game(
    game: Game, wager: WagerName, stake: int = DOLLAR, step: ProgressCallback = no_progress
) -> OddsReport:
    """Return the exact odds of a side bet as a game offers it, with its paytable and settings."""
    query = OddsQuery(
        wager,
        stake=stake,
        tie_wins=game.settings.get("bad_beat_tie") == "wins",
        low_ace=game.settings.get("six_card_low_ace") is not False,
        custom=paytable_ref(game, wager),
    )
    return odds_of(query, step)


def _refuse_other_wagers(wager: object) -> None:
    """Refuse a wager that does not exist or has no exact odds of its own."""
    if wager == "cover_all":
        raise OddsQueryError("The odds of cover_all are estimated, not counted. Use fourcard.cover_all.")
    exact = [name for name in ODDS_WAGERS if name in REPORTS or _is_counted(name)]
    if wager not in exact:
        raise OddsQueryError(f"{wager!r} has no odds of its own. Choose one of: {', '.join(exact)}.")


def _is_counted(wager: WagerName) -> bool:
    """Say whether the player's own cards decide a wager, so that its odds need no code of their own."""
    return SPECIFICATIONS[wager].own_hand and SPECIFICATIONS[wager].odds == "counted"


def paytable_wager(wager: WagerName) -> TableWager:
    """Return the wager whose printed paytables a wager's odds depend on: the bonus for the Ante."""
    _refuse_other_wagers(wager)
    of = "automatic_bonus" if wager == "ante" else wager
    if of not in TABLE_WAGERS:
        raise OddsQueryError(f"The {wager} wager has no paytable of its own.")
    return of


def queries_for_all_paytables(query: OddsQuery) -> list[OddsQuery]:
    """Return the same query for each paytable of its wager, in one rulebook or in all of them."""
    homes = [rulebook(name) for name in rulebook_ids()] if query.rulebook is None else [query.rulebook]
    found = [
        replace(query, rulebook=home, table=table)
        for home in homes
        for table in _paytable_ids(query.wager, home, lent=query.rulebook is not None)
    ]
    if not found:
        raise PaytableError(f"The rulebook {homes[0].id} has no paytable for {WAGER_LABELS[query.wager]}.")
    return found


def _paytable_ids(wager: WagerName, rulebook: Rulebook, *, lent: bool) -> tuple[str, ...]:
    """Return the ids of a wager's paytables; ``lent`` includes those of another rulebook."""
    if wager == "envy":
        return envy_schedules(rulebook)
    if lent:
        return tuple(paytables_of(rulebook, paytable_wager(wager)))
    return tuple(each.id for each in printed_paytables(paytable_wager(wager)) if each.rulebook is rulebook)


def _answer_ante(query: OddsQuery, step: ProgressCallback) -> OddsReport:
    own = query.custom
    bonus = (
        resolve_bonus(query.table, query.rulebook) if own is None else (own, query.rulebook or own.rulebook)
    )
    return ante_report(*bonus, query.strategy, step)


def _answer_own_hand(query: OddsQuery, step: ProgressCallback) -> OddsReport:
    return own_hand_report(query.paytable, query.stake, step)


def _answer_bad_beat(query: OddsQuery, step: ProgressCallback) -> OddsReport:
    return bad_beat_report(query.paytable, tie_wins=query.tie_wins, step=step)


def _answer_six_card(query: OddsQuery, step: ProgressCallback) -> OddsReport:
    del step
    return six_card_report(query.paytable, query.stake, low_ace=query.low_ace)


def _answer_progressive(query: OddsQuery, step: ProgressCallback) -> OddsReport:
    del step
    table = query.paytable
    meter = query.meter
    if meter is None:
        meter = starting_meter(table.rulebook, table.id, query.stake)
    if meter is None:
        raise PaytableError("Give the meter amount for a custom paytable.")
    paired = table.id if table.id in envy_schedules(table.rulebook) else None
    envy = paired if query.envy is None else query.envy
    others = query.others or 0
    return progressive_report(table, envy, query.stake, meter, others, query.terms)


def _answer_envy(query: OddsQuery, step: ProgressCallback) -> OddsReport:
    del step
    rulebook = find_envy_rulebook(query.table, query.rulebook)
    schedules = envy_schedules(rulebook)
    if not schedules:
        raise PaytableError(f"The rulebook {rulebook.id} has no Envy.")
    others = 1 if query.others is None else query.others
    schedule = schedules[0] if query.table is None else query.table
    return envy_report(rulebook, schedule, query.stake, others)


REPORTS: dict[WagerName, Callable[[OddsQuery, ProgressCallback], OddsReport]] = {
    "ante": _answer_ante,
    "bad_beat": _answer_bad_beat,
    "six_card": _answer_six_card,
    "progressive": _answer_progressive,
    "envy": _answer_envy,
}
"""The wagers whose odds need more than the player's own cards."""
