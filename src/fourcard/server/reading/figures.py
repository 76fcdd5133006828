"""Odds models: the same fields as `fourcard odds --json`."""

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.rules.rulebook import AwardSource


class Exact(msgspec.Struct, frozen=True):
    """A figure: an exact fraction and its value, or an estimate and its standard error."""

    value: float
    fraction: str | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET


class OutcomeAnswer(msgspec.Struct, frozen=True):
    """One outcome of a wager and its count."""

    hand: str
    count: int
    of: int
    pays: str | None
    net: Exact
    """Gain of the player per unit staked."""
    decision: str | UnsetType = UNSET
    result: str | UnsetType = UNSET
    bonus: str | UnsetType = UNSET
    beaten: str | UnsetType = UNSET


class PrintedAnswer(msgspec.Struct, frozen=True):
    """A figure as printed in a source."""

    printed: str
    clause: str


class MeterCycleAnswer(msgspec.Struct, frozen=True):
    """Long-run behaviour of a progressive meter."""

    rate: Exact
    reserve: Exact
    seed: int
    fixed_awards: AwardSource
    wagers_per_hit: dict[str, Exact | None]
    wagers_between_wins: Exact | None
    average_win: Exact | None
    assumptions: list[str]


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Odds of a wager; fields that do not apply are left out."""

    wager: str
    paytable: str
    rulebook: str
    edition: str
    house_edge: Exact
    hit_frequency: Exact
    standard_deviation: float
    variance: Exact | UnsetType = UNSET
    ev_per_ante: Exact | UnsetType = UNSET
    average_wager: Exact | UnsetType = UNSET
    element_of_risk: Exact | UnsetType = UNSET
    decisions: dict[str, Exact] | UnsetType = UNSET
    results: dict[str, Exact] | UnsetType = UNSET
    bonus_hit_frequency: Exact | UnsetType = UNSET
    bonus_value: Exact | UnsetType = UNSET
    house_edge_without_envy: Exact | UnsetType = UNSET
    envy_from_each_other: Exact | UnsetType = UNSET
    envy: Exact | UnsetType = UNSET
    break_even_meter: Exact | UnsetType | None = UNSET
    top_award: Exact | UnsetType = UNSET
    meter_cycle: MeterCycleAnswer | UnsetType = UNSET
    players: int | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    seed: int | UnsetType = UNSET
    outcomes: list[OutcomeAnswer]
    published: dict[str, PrintedAnswer] | None
    assumptions: list[str] | UnsetType = UNSET
    clauses: list[str]
    fingerprint: str


class ClosestAnswer(msgspec.Struct, frozen=True):
    """The definition that comes closest to a printed figure that ours does not match."""

    basis: str
    fraction: str
    value: float
    match: str | None
    does_not_fit: list[str]


class BasisAnswer(msgspec.Struct, frozen=True):
    """A figure and the definition it uses."""

    basis: str
    fraction: str
    value: float


class FigureAnswer(msgspec.Struct, frozen=True):
    """A printed figure next to ours."""

    clause: str
    wager: str
    paytable: str
    measure: str
    printed: str
    exact: BasisAnswer | None
    agrees: bool | None
    closest: ClosestAnswer | None
    note: str


class PublishedAnswer(msgspec.Struct, frozen=True):
    """Every printed figure next to ours."""

    figures: list[FigureAnswer]
    fingerprint: str


class StrategyAnswer(msgspec.Struct, frozen=True):
    """Result of a strategy, on an Ante of one unit."""

    name: str
    says: str
    ev_per_ante: Exact
    house_edge: Exact
    element_of_risk: Exact
    average_wager: Exact
    cost: Exact
    """Extra cost compared with the best strategy."""
    decisions: dict[str, Exact]
