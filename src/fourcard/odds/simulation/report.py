"""Simulation report: the estimates of a simulation, with what was simulated."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.fingerprints import fingerprint
from fourcard.odds.compile_game import COLUMNS
from fourcard.odds.simulation.bankrolls import BankrollReport, BankrollSessions
from fourcard.odds.simulation.runner import EdgeEstimate, Simulation, estimates
from fourcard.rules.clauses import SettingValue
from fourcard.rules.line_options import options_of
from fourcard.wagers import WagerName


class SimulationReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a simulation; amounts are cents."""

    rulebook: str
    edition: str
    strategy: str
    players: int
    rounds: int
    seconds: float
    seed: int
    threads: int
    interrupted: bool
    """Whether the user stopped it; the estimates then cover only complete blocks."""
    wagers: dict[str, EdgeEstimate]
    stakes: dict[WagerName, int]
    not_simulated: tuple[WagerName, ...]
    """Wagers of the game that a simulation cannot play."""
    options: dict[str, Any]
    """As a line of `fourcard settle` has them."""
    settings: dict[str, SettingValue]
    meter: int | UnsetType = UNSET
    """What the meter shows before every round, where a progressive is played."""
    reset: int | UnsetType | None = UNSET
    bankroll: BankrollReport | UnsetType = UNSET
    game: str
    fingerprint: str


def simulation_report(
    simulation: Simulation, strategy: str, sessions: BankrollSessions | None, *, interrupted: bool
) -> SimulationReport:
    """Return the report of a simulation, with its sessions if there are any."""
    seating, totals = simulation.setup, simulation.totals
    game, progressive = seating.game, "progressive" in seating.stakes
    return SimulationReport(
        rulebook=game.rulebook.id,
        edition=game.rulebook.edition,
        strategy=strategy,
        players=seating.players,
        rounds=totals.rounds,
        seconds=simulation.seconds,
        seed=simulation.seed,
        threads=simulation.threads,
        interrupted=interrupted,
        wagers=estimates(seating, totals),
        stakes=dict(seating.stakes),
        not_simulated=tuple(name for name in game.tables if name not in COLUMNS),
        options=options_of(game),
        settings=dict(game.settings),
        meter=seating.meter_shown if progressive else UNSET,
        reset=seating.reset_shown if progressive else UNSET,
        bankroll=UNSET if sessions is None else sessions.report(),
        game=game.hash,
        fingerprint=fingerprint(),
    )
