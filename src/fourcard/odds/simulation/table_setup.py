"""Table setup: the game, players, stakes and meter of a simulated table, and how they are selected.

Stakes are checked like those of a settled round: a stake that the game does not allow cannot be simulated.
All positions have the same stakes, and each position is a different player.
"""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from fourcard.money import dollars
from fourcard.odds.compile_game import COLUMNS, Bettor, CompiledGame, compile_game
from fourcard.odds.paytable_lookup import require_settlement_order, starting_meter
from fourcard.odds.simulation.kernel import KernelInputs, evaluator_tables
from fourcard.odds.simulation.strategy_kernel import Decisions, strategy_tables
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.rules.checks.progressive import stake_allowed, stakes_known
from fourcard.rules.checks.wagers import DEFAULT_TABLE
from fourcard.rules.cited import clauses_of
from fourcard.rules.clauses import SettingValue
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.limits import limit_refusal, play_refusal, positions_refusal, prerequisite_refusal
from fourcard.rules.line_options import MAX_CENTS, LineOptions, game_of
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import selectable_tables
from fourcard.rules.rulebook import AwardSource, CoverAllWager, Rulebook
from fourcard.rules.submission import Submission
from fourcard.wagers import LIMITED_WAGERS, PLACED_WAGERS, TABLE_WAGERS, WAGER_LABELS, WAGERS, WagerName

MAX_STAKE = 10**8
"""A million dollars, so that sums over a block of rounds fit into 64 bits."""
DEFAULT_ANTE = 1_000
DEFAULT_SIDE = 100
STAKED_WAGERS = tuple(name for name in PLACED_WAGERS if name in COLUMNS)
"""The wagers staked before the deal that a simulation can play."""


class TableSetup(msgspec.Struct, frozen=True):
    """A game, the stakes of every position, and the meter at the start of every round; amounts in cents."""

    game: Game
    stakes: Mapping[WagerName, int]
    players: int = 1
    meter: int | None = None
    reset: int | None = None

    def __post_init__(self) -> None:
        """Refuse stakes and amounts that the game does not allow."""
        refusal = _setup_refusal(self)
        if refusal is not None:
            raise RefusedError(refusal)
        for name, amount in (("meter", self.meter), ("reset", self.reset)):
            if amount is not None and not 0 <= amount <= MAX_CENTS:
                raise BadInputError(f"The {name} must be from $0 to {dollars(MAX_CENTS)}.")

    @property
    def bettors(self) -> tuple[Bettor, ...]:
        """Return one bettor per position, from position 1."""
        return tuple(
            Bettor(position, f"position {position}", self.stakes) for position in range(1, self.players + 1)
        )

    @property
    def meter_shown(self) -> int:
        """Return the meter at the start of a round: the given amount, by default the game's start."""
        return (
            game_starting_meter(self.game, self.stakes.get("progressive", 0))
            if self.meter is None
            else self.meter
        )

    @property
    def reset_shown(self) -> int:
        """Return the meter after all of it was won: the given or submitted amount, by default its start."""
        if self.reset is not None:
            return self.reset
        choice = self.game.submission.progressive
        if choice is not None and choice.reset is not None:
            return int(choice.reset)
        return game_starting_meter(self.game, self.stakes.get("progressive", 0))

    def compile(self) -> CompiledGame:
        """Return the compiled game of all bettors."""
        return compile_game(self.game, self.bettors, self.meter_shown, self.reset_shown)

    def kernel_inputs(self, decisions: Decisions) -> KernelInputs:
        """Return the kernel inputs, after checking that the game allows every Play wager of the strategy."""
        ante = self.stakes.get("ante")
        for multiple in np.unique(decisions).tolist() if ante else ():
            refusal = play_refusal(self.game, ante, multiple * ante) if ante and multiple else None
            if refusal is not None:
                raise RefusedError(refusal)
        compiled = self.compile()
        return KernelInputs(compiled, strategy_tables(decisions), evaluator_tables(compiled))


def game_starting_meter(game: Game, stake: int) -> int:
    """Return the starting meter of a game: as submitted, or as its paytable prints it (R56)."""
    choice, table = game.submission.progressive, game.submission.wagers.get("progressive")
    if choice is None or not isinstance(table, str):
        return 0
    if choice.seed is not None:
        return int(choice.seed)
    return starting_meter(game.rulebook, table, stake) or 0


def _setup_refusal(seating: TableSetup) -> Refusal | None:
    game, stakes = seating.game, seating.stakes
    if not stakes or not stakes.keys() <= set(STAKED_WAGERS):
        return refuse(Code.NO_WAGER)
    found = positions_refusal(game, (seating.players,))
    for name in stakes:
        found = found or _stake_refusal(game, name, stakes)
    return found


def _stake_refusal(game: Game, name: WagerName, stakes: Mapping[WagerName, int]) -> Refusal | None:
    label, stake = WAGER_LABELS[name], stakes[name]
    if not game.offers(name):
        return refuse(Code.WAGER_NOT_OFFERED, game.rulebook.offer_clauses, wager=label)
    if stake <= 0:
        return refuse(Code.WAGER_NOT_POSITIVE, wager=label, amount=dollars(stake))
    if stake > MAX_STAKE:
        return refuse(Code.WAGER_TOO_LARGE, amount=dollars(stake), most=dollars(MAX_STAKE))
    rules = game.rulebook.wagers.progressive
    if name == "progressive" and rules is not None and not stake_allowed(rules, stake):
        figures = {"amount": dollars(stake), "known": stakes_known(rules)}
        return refuse(Code.STAKE_NOT_TAKEN, clauses_of(rules.stakes or rules.stake_unit), **figures)
    over = limit_refusal(game, name, stake) if name in LIMITED_WAGERS else None
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


NO_WAGERS = "none"


class WagerSelection(msgspec.Struct, frozen=True):
    """One selected wager; a missing paytable or stake takes its default."""

    name: WagerName
    table: str | None
    stake: str | None


def parse_wager_selection(text: str) -> WagerSelection:
    """Parse a wager selection such as ``aces_up=A:$5``, ``six_card:100`` or ``envy=C``."""
    named, _, stake = text.partition(":")
    name, _, table = named.partition("=")
    known = name if name in WAGERS else None
    if known is not None and known not in COLUMNS:
        raise BadInputError(f"The {WAGER_LABELS[known]} cannot be simulated. Remove '{text}'.")
    if known is None or known in ("ante", "play"):
        names = ", ".join((*STAKED_WAGERS[1:], "automatic_bonus", "envy"))
        raise BadInputError(f"'{text}' is not a wager. Write NAME=TABLE:STAKE with one of {names}; or none.")
    if stake and known not in STAKED_WAGERS:
        raise BadInputError(f"The {WAGER_LABELS[known]} has no stake of its own. Remove it from '{text}'.")
    return WagerSelection(known, table or None, stake or None)


def select_wagers(texts: Sequence[str], offered: Sequence[WagerName]) -> dict[WagerName, WagerSelection]:
    """Return the selections of a command line, by default every offered wager with its first paytable."""
    if texts == [NO_WAGERS]:
        return {}
    choices = [parse_wager_selection(text) for text in texts]
    if not any(choice.name in STAKED_WAGERS for choice in choices):
        choices += [WagerSelection(name, None, None) for name in offered]
    found = {choice.name: choice for choice in choices}
    if len(found) < len(choices):
        twice = next(each.name for each in choices if [c.name for c in choices].count(each.name) > 1)
        raise BadInputError(f"The wager {twice} is selected more than once.")
    return found


def game_for_selection(
    rulebook: Rulebook,
    choices: Mapping[WagerName, WagerSelection],
    settings: Mapping[str, SettingValue],
    fixed_awards: AwardSource = "tray",
) -> Game:
    """Return the game of a rulebook with the selected paytables, each by default the first."""
    tables = {
        name: choices[name].table or _first_table(rulebook, name) for name in TABLE_WAGERS if name in choices
    }
    tables.setdefault("automatic_bonus", _bonus_table(rulebook, tables.get("aces_up")))
    envy = choices["envy"].table if "envy" in choices else None
    options = msgspec.structs.replace(LineOptions(envy=envy, fixed_awards=fixed_awards), **tables)
    return game_of(rulebook.id, rulebook.edition, options, settings)


def _first_table(rulebook: Rulebook, name: WagerName) -> str:
    """Return the first selectable paytable; if there is none, the default id is refused later."""
    return next(iter(selectable_tables(rulebook, name)), DEFAULT_TABLE)


def _bonus_table(rulebook: Rulebook, aces_up: str | None) -> str:
    """Return the standard bonus table, else the one with the Aces Up table's id (R98), else the first."""
    known = selectable_tables(rulebook, "automatic_bonus")
    return next(each for each in (DEFAULT_TABLE, aces_up, *known) if each in known)


def offered_side_wagers(rulebook: Rulebook, players: int) -> tuple[WagerName, ...]:
    """Return a rulebook's side wagers, without Cover All if it has no column for the players (R46)."""
    found = (name for name in STAKED_WAGERS[1:] if rulebook.wager(name) is not None)
    cover_all = rulebook.wager("cover_all")
    covered = isinstance(cover_all, CoverAllWager) and cover_all.column(players) is not None
    return tuple(name for name in found if name != "cover_all" or covered)


def table_setup_for(
    game: Game,
    choices: Mapping[WagerName, int | None],
    players: int,
    ante: int | None,
    meter: int | None,
    reset: int | None,
) -> TableSetup:
    """Return the table setup with stakes for every selected wager and the Ante; an Ante of 0 omits it."""
    staked: dict[WagerName, int | None] = {
        name: stake for name, stake in choices.items() if name in STAKED_WAGERS
    }
    if ante != 0:
        staked["ante"] = ante
    return TableSetup(game, default_stakes(game, staked), players, meter, reset)


def game_of_submission(submission: Submission, choices: Mapping[WagerName, WagerSelection]) -> Game:
    """Return a submission's game; refuse a selection that names a paytable."""
    for choice in choices.values():
        if choice.table is not None:
            raise BadInputError(
                f"The submission sets the paytable of {choice.name}. Remove '={choice.table}'."
            )
    if submission.progressive is not None:
        require_settlement_order(submission.progressive)
    return resolve_game(submission)


def side_wagers_of_submission(submission: Submission, players: int) -> tuple[WagerName, ...]:
    """Return the side wagers that a submission offers to this number of players."""
    chosen_rulebook = rulebook(submission.rulebook, submission.edition)
    return tuple(name for name in offered_side_wagers(chosen_rulebook, players) if name in submission.wagers)
