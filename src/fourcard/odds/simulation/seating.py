"""Who sits at a simulated table: one bettor a position, all with the same stakes, and the meter before them.

The stakes are held to what the game allows, as a round of a file is: what a rulebook does not take cannot be
simulated. Each position is a person of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fourcard.errors import BadInputError
from fourcard.money import dollars
from fourcard.odds.lowering import Bettor, Lowered, lower
from fourcard.odds.printed import meter_start
from fourcard.odds.simulation.deciding import Decisions, strategy_of
from fourcard.odds.simulation.playing import Table
from fourcard.odds.simulation.ranking import evaluators
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.rules.checks.progressive import stake_allowed, stakes_known
from fourcard.rules.game import Game
from fourcard.rules.limits import limit_refusal, play_refusal, positions_refusal, prerequisite_refusal
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, WAGERS, WagerName, cite
from fourcard.rules.options import MOST_CENTS

MOST_STAKE = 10**8
"""A million dollars: sums over a block of rounds then stay far within 64 bits."""
DEFAULT_ANTE = 1_000
DEFAULT_SIDE = 100
PLACED: tuple[WagerName, ...] = ("ante", "aces_up", "bad_beat", "six_card", "cover_all", "progressive")
"""What is staked before the cards; the rest follows from it."""


@dataclass(frozen=True)
class Seating:
    """A game, what is staked at every position, and the meter at the beginning of every round; cents."""

    game: Game
    stakes: Mapping[WagerName, int]
    players: int = 1
    meter: int | None = None
    reset: int | None = None

    def __post_init__(self) -> None:
        """Refuse what the game does not take."""
        refusal = _refusal(self)
        if refusal is not None:
            raise RefusedError(refusal)
        for name, amount in (("meter", self.meter), ("reset", self.reset)):
            if amount is not None and not 0 <= amount <= MOST_CENTS:
                raise BadInputError(f"The {name} must be from $0 to {dollars(MOST_CENTS)}.")

    @property
    def bettors(self) -> tuple[Bettor, ...]:
        """Return the positions from the first on."""
        return tuple(
            Bettor(position, f"position {position}", self.stakes) for position in range(1, self.players + 1)
        )

    @property
    def meter_shown(self) -> int:
        """Return what the meter shows when a round begins: what was given, or where the game starts it."""
        return meter_of(self.game, self.stakes.get("progressive", 0)) if self.meter is None else self.meter

    @property
    def reset_shown(self) -> int:
        """Return what the meter shows after all of it was won: what was given or submitted, or its start."""
        if self.reset is not None:
            return self.reset
        choice = self.game.submission.progressive
        if choice is not None and choice.reset is not None:
            return int(choice.reset)
        return meter_of(self.game, self.stakes.get("progressive", 0))

    def lowered(self) -> Lowered:
        """Return the game and its bettors as arrays."""
        return lower(self.game, self.bettors, self.meter_shown, self.reset_shown)

    def table(self, decisions: Decisions) -> Table:
        """Return what rounds are played by, every Play wager being one that the game takes."""
        ante = self.stakes.get("ante")
        for multiple in np.unique(decisions).tolist() if ante else ():
            refusal = play_refusal(self.game, ante, multiple * ante) if ante and multiple else None
            if refusal is not None:
                raise RefusedError(refusal)
        lowered = self.lowered()
        return Table(lowered, strategy_of(decisions), evaluators(lowered))


def meter_of(game: Game, stake: int) -> int:
    """Return where a game's meter starts: as submitted, or as its table prints it (R56)."""
    choice, table = game.submission.progressive, game.submission.wagers.get("progressive")
    if choice is None or not isinstance(table, str):
        return 0
    if choice.seed is not None:
        return int(choice.seed)
    return meter_start(game.rulebook, table, stake) or 0


def _refusal(seating: Seating) -> Refusal | None:
    game, stakes = seating.game, seating.stakes
    if not stakes or not stakes.keys() <= set(PLACED):
        return refuse(Code.NO_WAGER)
    found = positions_refusal(game, (seating.players,))
    for name in stakes:
        found = found or _stake_refusal(game, name, stakes)
    return found


def _stake_refusal(game: Game, name: WagerName, stakes: Mapping[WagerName, int]) -> Refusal | None:
    label, stake = WAGER_LABELS[name], stakes[name]
    if not game.offers(name):
        return refuse(Code.WAGER_NOT_OFFERED, game.rulebook.offers_by, wager=label)
    if stake <= 0:
        return refuse(Code.WAGER_NOT_POSITIVE, wager=label, amount=dollars(stake))
    if stake > MOST_STAKE:
        return refuse(Code.WAGER_TOO_LARGE, amount=dollars(stake), most=dollars(MOST_STAKE))
    rules = game.rulebook.wagers.progressive
    if name == "progressive" and rules is not None and not stake_allowed(rules, stake):
        figures = {"amount": dollars(stake), "known": stakes_known(rules)}
        return refuse(Code.STAKE_NOT_TAKEN, cite(rules.stakes or rules.stake_unit), **figures)
    limited = next((each for each in LIMITED_WAGERS if each == name), None)
    over = None if limited is None else limit_refusal(game, limited, stake)
    return over or prerequisite_refusal(game, name, [*stakes])


def default_stakes(game: Game, wagers: Mapping[WagerName, int | None]) -> dict[WagerName, int]:
    """Return a stake for each wager: the one given, or $10 for the Ante and $1 beside, within the limits."""
    found: dict[WagerName, int] = {}
    for name in (each for each in WAGERS if each in wagers):
        given = wagers[name]
        found[name] = _default_stake(game, name) if given is None else given
    return found


def _default_stake(game: Game, name: WagerName) -> int:
    choice = game.submission.progressive
    if name == "progressive" and choice is not None and choice.stakes:
        return int(min(choice.stakes))
    usual = DEFAULT_ANTE if name == "ante" else DEFAULT_SIDE
    posted = next((each for limit, each in game.submission.limits.posted.items() if limit == name), None)
    return usual if posted is None else int(max(posted.least, min(usual, posted.most)))
