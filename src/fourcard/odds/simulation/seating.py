"""Table setup: the game, players, stakes and meter of a simulated table.

Stakes are checked like those of a settled round: a stake that the game does not allow cannot be simulated.
All positions have the same stakes, and each position is a different player.
"""

from collections.abc import Mapping

import msgspec
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
"""A million dollars, so that sums over a block of rounds fit into 64 bits."""
DEFAULT_ANTE = 1_000
DEFAULT_SIDE = 100
PLACED: tuple[WagerName, ...] = ("ante", "aces_up", "bad_beat", "six_card", "cover_all", "progressive")
"""The wagers staked before the deal."""


class Seating(msgspec.Struct, frozen=True):
    """A game, the stakes of every position, and the meter at the start of every round; amounts in cents."""

    game: Game
    stakes: Mapping[WagerName, int]
    players: int = 1
    meter: int | None = None
    reset: int | None = None

    def __post_init__(self) -> None:
        """Refuse stakes and amounts that the game does not allow."""
        refusal = _refusal(self)
        if refusal is not None:
            raise RefusedError(refusal)
        for name, amount in (("meter", self.meter), ("reset", self.reset)):
            if amount is not None and not 0 <= amount <= MOST_CENTS:
                raise BadInputError(f"The {name} must be from $0 to {dollars(MOST_CENTS)}.")

    @property
    def bettors(self) -> tuple[Bettor, ...]:
        """Return one bettor per position, from position 1."""
        return tuple(
            Bettor(position, f"position {position}", self.stakes) for position in range(1, self.players + 1)
        )

    @property
    def meter_shown(self) -> int:
        """Return the meter at the start of a round: the given amount, by default the game's start."""
        return meter_of(self.game, self.stakes.get("progressive", 0)) if self.meter is None else self.meter

    @property
    def reset_shown(self) -> int:
        """Return the meter after all of it was won: the given or submitted amount, by default its start."""
        if self.reset is not None:
            return self.reset
        choice = self.game.submission.progressive
        if choice is not None and choice.reset is not None:
            return int(choice.reset)
        return meter_of(self.game, self.stakes.get("progressive", 0))

    def lowered(self) -> Lowered:
        """Return the compiled game of all bettors."""
        return lower(self.game, self.bettors, self.meter_shown, self.reset_shown)

    def table(self, decisions: Decisions) -> Table:
        """Return the kernel inputs, after checking that the game allows every Play wager of the strategy."""
        ante = self.stakes.get("ante")
        for multiple in np.unique(decisions).tolist() if ante else ():
            refusal = play_refusal(self.game, ante, multiple * ante) if ante and multiple else None
            if refusal is not None:
                raise RefusedError(refusal)
        compiled = self.lowered()
        return Table(compiled, strategy_of(decisions), evaluators(compiled))


def meter_of(game: Game, stake: int) -> int:
    """Return the starting meter of a game: as submitted, or as its paytable prints it (R56)."""
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
    """Return a stake for each wager, by default $10 for the Ante and $1 for others, within the limits."""
    found: dict[WagerName, int] = {}
    for name in (each for each in WAGERS if each in wagers):
        stake = wagers[name]
        found[name] = _default_stake(game, name) if stake is None else stake
    return found


def _default_stake(game: Game, name: WagerName) -> int:
    choice = game.submission.progressive
    if name == "progressive" and choice is not None and choice.stakes:
        return int(min(choice.stakes))
    usual = DEFAULT_ANTE if name == "ante" else DEFAULT_SIDE
    posted = next((each for limit, each in game.submission.limits.posted.items() if limit == name), None)
    return usual if posted is None else int(max(posted.least, min(usual, posted.most)))
