"""The odds of a wager as they go over the wire: the same fields as `fourcard odds --json` has."""

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.rules.rulebook import AwardSource


class Exact(msgspec.Struct, frozen=True):
    """A figure: its exact fraction and its value, or a value that was estimated and how uncertain it is."""

    value: float
    fraction: str | UnsetType = UNSET
    standard_error: float | UnsetType = UNSET


class OutcomeAnswer(msgspec.Struct, frozen=True):
    """One thing that can happen to a wager, and in how many of all cases."""

    hand: str
    count: int
    of: int
    pays: str | None
    net: Exact
    """What a player gains on each unit staked."""
    decision: str | UnsetType = UNSET
    result: str | UnsetType = UNSET
    bonus: str | UnsetType = UNSET
    beaten: str | UnsetType = UNSET


class PrintedAnswer(msgspec.Struct, frozen=True):
    """A figure as a source prints it."""

    printed: str
    clause: str


class MeterCycleAnswer(msgspec.Struct, frozen=True):
    """What becomes of a progressive's meter in the long run."""

    rate: Exact
    reserve: Exact
    seed: int
    fixed_awards: AwardSource
    wagers_per_hit: dict[str, Exact | None]
    wagers_between_wins: Exact | None
    average_win: Exact | None
    assumptions: list[str]


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a wager; what has no part in a wager is left out."""

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
    """The definition that comes closest to a printed figure which ours does not lead to."""

    basis: str
    fraction: str
    value: float
    match: str | None
    does_not_fit: list[str]


class BasisAnswer(msgspec.Struct, frozen=True):
    """A figure and the definition that it rests on."""

    basis: str
    fraction: str
    value: float


class FigureAnswer(msgspec.Struct, frozen=True):
    """One printed figure beside ours."""

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
    """Every printed figure beside ours."""

    figures: list[FigureAnswer]
    fingerprint: str


class StrategyAnswer(msgspec.Struct, frozen=True):
    """What playing by one strategy comes to, on an Ante of one unit."""

    name: str
    says: str
    ev_per_ante: Exact
    house_edge: Exact
    element_of_risk: Exact
    average_wager: Exact
    cost: Exact
    """What it costs more than the best strategy."""
    decisions: dict[str, Exact]
