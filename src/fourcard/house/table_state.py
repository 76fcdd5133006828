"""Table state in the house: the game's own state, the money at the table, and its shuffles."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, get_args

import msgspec
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.house.commands import CardSource
from fourcard.house.events import (
    HouseTableEvent,
    InstallationConfirmed,
    LeaveAsked,
    LeaveCancelled,
    RoundSealed,
    SecretRevealed,
    SeedChosen,
    SeedCommitted,
    SeedRevealed,
    SeedsCalled,
    SeedsDiscarded,
    ShuffleCommitted,
    ShuffleDrawn,
    TableInstalled,
    TableRestored,
    TrayCounted,
)
from fourcard.house.ledger import POSTING_RULES, Posting, TableAccounts
from fourcard.house.shuffle_algorithm import FIRST_ALGORITHM
from fourcard.meter import UNITS_PER_CENT
from fourcard.progressive.console import (
    EVENTS_CHANGING_CONSOLE,
    ConsoleEvent,
    ConsoleState,
    evolve_console,
    new_console,
)
from fourcard.round.events import HandFolded, PlayMade, SeatLeft
from fourcard.rules.game import Game
from fourcard.table.deck_preparation import cut_depth_step
from fourcard.table.events import RoundBegan, StepPrepared, TableClosed, TableEvent
from fourcard.table.evolve import evolve as evolve_table
from fourcard.table.state import TableState, new_table

GameLookup = Callable[[str], Game]
"""Returns a pinned game by its hash."""


class UninstalledTableError(Exception):
    """An event of a table that is not installed: the journal is damaged."""


class UninstalledTable(msgspec.Struct, frozen=True):
    """A table that no InstallTable command has set up yet: it has a name and no game."""

    name: str
    meter: ClassVar[str] = ""
    balances: ClassVar[Mapping[str, int]] = {}
    shuffle_number: ClassVar[int] = 0
    commitment: ClassVar[str] = ""
    game_hash: ClassVar[str] = ""


class DrawnShuffle(msgspec.Struct, frozen=True, gc=False):
    """What a proof needs of the shuffle that gave a deck its order, apart from the secret."""

    commitment: str
    seeds: tuple[tuple[str, str], ...]
    cuts: tuple[int, ...] = ()
    """The depths of the cuts since the shuffle."""
    withheld: tuple[tuple[str, str], ...] = ()
    """Players who did not reveal their seed in time, each with its hash."""
    round: int | None = None
    """The round of the shuffle; None where it is of the first algorithm."""


class HouseTable(msgspec.Struct, frozen=True, gc=False):
    """State of a table in the house: its game, its money and its shuffles."""

    name: str
    state: TableState
    card_source: CardSource = "built-in"
    meter: str = ""
    balances: Mapping[str, int] = {}
    """Units in each account of the table; empty accounts are left out."""
    tray_counted: bool = False
    """Whether the tray was counted for the next opening."""
    seeds: Mapping[str, str] = {}
    """By player, the seed for every shuffle of the first algorithm."""
    shuffle_number: int = 0
    """The number of the shuffle that the open commitment is for, or of the last sealed round."""
    commitment: str = ""
    """The open commitment; empty where there is none, as after a round whose cards were keyed in."""
    algorithm: str = FIRST_ALGORITHM
    """The algorithm of the shuffle that the open commitment is for."""
    seed_hashes: Mapping[str, str] = {}
    """By player, the hash of the seed for that shuffle."""
    revealed_seeds: Mapping[str, str] = {}
    """By player, the seeds for that shuffle that are revealed."""
    seeds_called_at: int | None = None
    """When bets were closed and the seeds for that shuffle were called."""
    discarded_shuffle: int | None = None
    """The shuffle that is never dealt although its seeds were called, until its secret is revealed."""
    unrevealed_shuffles: Mapping[int, int] = {}
    """By deck, the shuffle or the seal of its cards whose secret is not revealed."""
    drawn_shuffles: Mapping[int, DrawnShuffle] = {}
    """By deck, the last shuffle that the house drew for it."""
    decision_chips: Mapping[int, int] = {}
    """By position, the player's chips in cents just before the decision of the current or last round."""
    accounts: TableAccounts = TableAccounts("", "")
    console: ConsoleState | None = None
    """The console of its progressive, if it has one."""
    leaving: frozenset[str] = frozenset()
    """Seated players who leave when the round under way is over (P35)."""
    unconfirmed_by: str = ""
    """Who installed a rulebook that is not part of the release, until another person confirms it (P39)."""

    def cents(self, account: str) -> int:
        """Return the cents in an account of the table."""
        return self.balances.get(account, 0) // UNITS_PER_CENT

    def chips(self, player: str) -> int:
        """Return a player's chips in cents, without chips on the layout."""
        return self.cents(self.accounts.chips(player))

    @property
    def chip_holders(self) -> tuple[str, ...]:
        """Return every player with chips of the table, without chips on the layout."""
        prefix = ledger.chips_account(self.name, "")
        return tuple(sorted(name.removeprefix(prefix) for name in self.balances if name.startswith(prefix)))

    def has_wagers(self, player: str) -> bool:
        """Say whether a player has chips on the layout in the round under way."""
        current_round = self.state.round
        places = () if current_round is None else current_round.positions.values()
        return any(place.player == player and (place.wagers or place.unregistered) for place in places)

    @property
    def game_hash(self) -> str:
        """Return the hash of the pinned game."""
        return self.state.game.hash

    @property
    def shuffle_in_play(self) -> int | None:
        """Return the last shuffle or seal whose cards are drawn and whose secret is not revealed, or None."""
        return max(self.unrevealed_shuffles.values(), default=None)


AnyTable = HouseTable | UninstalledTable


def evolve(table: AnyTable, event: object, games: GameLookup) -> tuple[HouseTable, list[Posting]]:
    """Return the table after an event, and its postings."""
    kind = type(event)
    if isinstance(event, TableInstalled):
        return _on_table_installed(table, event, games), []
    if isinstance(table, UninstalledTable):
        raise UninstalledTableError(f"{kind.__name__} before the table is installed")
    if kind in _DECISION_EVENTS:
        table = _with_decision_chips(table, event)
    handler = _HANDLERS.get(kind)
    if handler is not None:
        table = handler(table, event, games)
    if table.console is not None and kind in EVENTS_CHANGING_CONSOLE:
        table = replace(table, console=evolve_console(table.console, event))
    state = table.state
    rule = POSTING_RULES.get(kind)
    postings = (
        [] if rule is None else [each for each in rule(table.accounts, state.round, event) if each.units]
    )
    if handler is None and kind not in _EVENTS_OUTSIDE_GAME:
        state = evolve_table(state, event)  # type: ignore[arg-type]
    if postings:
        return replace(table, state=state, balances=_balances_after(table, postings)), postings
    return (table if state is table.state else replace(table, state=state)), postings


def _with_decision_chips(table: HouseTable, event: Any) -> HouseTable:
    """Note the chips of a player who is about to decide; a new round starts without."""
    if isinstance(event, RoundBegan):
        return replace(table, decision_chips={})
    assert table.state.round is not None
    chips = table.chips(table.state.round.positions[event.position].player)
    return replace(table, decision_chips={**table.decision_chips, event.position: chips})


def _balances_after(table: HouseTable, postings: list[Posting]) -> dict[str, int]:
    """Return the units in the table's accounts after some postings."""
    after, own = dict(table.balances), table.accounts.used_accounts
    for move in postings:
        for account, change in ((move.giver, -move.units), (move.taker, move.units)):
            if account in own:
                after[account] = after.get(account, 0) + change
                if not after[account]:
                    del after[account]
    return after


def _on_table_installed(table: AnyTable, event: TableInstalled, games: GameLookup) -> HouseTable:
    """Start with a closed table; a table installed before keeps its round number, clock, money and seeds."""
    state, accounts = new_table(games(event.game)), TableAccounts(table.name, event.meter)
    if isinstance(table, HouseTable):
        state = replace(state, round_number=table.state.round_number, at=table.state.at)
    console = new_console(state.game, state.round_number) if event.meter else None
    if isinstance(table, UninstalledTable):
        table = HouseTable(table.name, state, event.cards, event.meter)
    if console is not None and table.console is not None and table.meter == event.meter:
        console = replace(console, linked=table.console.linked)
    return replace(
        table,
        state=state,
        card_source=event.cards,
        meter=event.meter,
        tray_counted=False,
        accounts=accounts,
        console=console,
        unconfirmed_by=event.unconfirmed_by,
    )


def _on_tray_counted(table: HouseTable, event: TrayCounted, _games: GameLookup) -> HouseTable:
    return replace(table, tray_counted=event.occasion == "opening")


def _on_table_closed(table: HouseTable, event: TableClosed, _games: GameLookup) -> HouseTable:
    state = evolve_table(table.state, event)
    return replace(table, tray_counted=False, leaving=frozenset(), seed_hashes={}, state=state)


def _on_seat_left(table: HouseTable, event: SeatLeft, _games: GameLookup) -> HouseTable:
    state = evolve_table(table.state, event)
    gone = frozenset((event.player,)) - {*state.seats.values()}
    hashes = table.seed_hashes
    if table.seeds_called_at is None:
        hashes = {player: hash_ for player, hash_ in hashes.items() if player not in gone}
    return replace(table, state=state, leaving=table.leaving - gone, seed_hashes=hashes)


def _on_leave_asked(table: HouseTable, event: LeaveAsked, _games: GameLookup) -> HouseTable:
    return replace(table, leaving=table.leaving | ({event.player} & {*table.state.seats.values()}))


def _on_leave_cancelled(table: HouseTable, event: LeaveCancelled, _games: GameLookup) -> HouseTable:
    return replace(table, leaving=table.leaving - {event.player})


def _on_seed_chosen(table: HouseTable, event: SeedChosen, _games: GameLookup) -> HouseTable:
    others = {player: seed for player, seed in table.seeds.items() if player != event.player}
    return replace(table, seeds={**others, event.player: event.seed} if event.seed else others)


def _on_shuffle_committed(table: HouseTable, event: ShuffleCommitted, _games: GameLookup) -> HouseTable:
    return replace(
        table,
        shuffle_number=event.shuffle,
        commitment=event.commitment,
        algorithm=event.algorithm,
        seed_hashes={},
        revealed_seeds={},
        seeds_called_at=None,
    )


def _on_seed_committed(table: HouseTable, event: SeedCommitted, _games: GameLookup) -> HouseTable:
    return replace(table, seed_hashes={**table.seed_hashes, event.player: event.hash})


def _on_seeds_called(table: HouseTable, event: SeedsCalled, _games: GameLookup) -> HouseTable:
    return replace(table, seeds_called_at=event.at)


def _on_seed_revealed(table: HouseTable, event: SeedRevealed, _games: GameLookup) -> HouseTable:
    return replace(table, revealed_seeds={**table.revealed_seeds, event.player: event.seed})


def _on_seeds_discarded(table: HouseTable, event: SeedsDiscarded, _games: GameLookup) -> HouseTable:
    return replace(table, discarded_shuffle=event.shuffle)


def _on_shuffle_drawn(table: HouseTable, event: ShuffleDrawn, _games: GameLookup) -> HouseTable:
    cuts = () if event.round is None else table.state.decks[event.deck].cuts
    drawn = DrawnShuffle(table.commitment, event.seeds, cuts, event.withheld, event.round)
    return replace(
        table,
        unrevealed_shuffles={**table.unrevealed_shuffles, event.deck: event.shuffle},
        drawn_shuffles={**table.drawn_shuffles, event.deck: drawn},
    )


def _on_round_sealed(table: HouseTable, event: RoundSealed, _games: GameLookup) -> HouseTable:
    sealed = {**table.unrevealed_shuffles, table.state.active: event.number}
    return replace(table, shuffle_number=event.number, commitment="", unrevealed_shuffles=sealed)


def _on_step_prepared(table: HouseTable, event: StepPrepared, _games: GameLookup) -> HouseTable:
    """Note how deep a deck was cut that the house has shuffled."""
    cutting, drawn = table.state.game.rulebook.cutting, table.drawn_shuffles.get(event.deck)
    table = replace(table, state=evolve_table(table.state, event))
    if cutting is None or drawn is None or event.depth is None or event.step != cut_depth_step(cutting):
        return table
    if table.state.decks[event.deck].order is None:
        return table
    cut = replace(drawn, cuts=(*drawn.cuts, event.depth))
    return replace(table, drawn_shuffles={**table.drawn_shuffles, event.deck: cut})


def _on_secret_revealed(table: HouseTable, event: SecretRevealed, _games: GameLookup) -> HouseTable:
    left = {deck: number for deck, number in table.unrevealed_shuffles.items() if number != event.shuffle}
    discarded = None if table.discarded_shuffle == event.shuffle else table.discarded_shuffle
    return replace(table, unrevealed_shuffles=left, discarded_shuffle=discarded)


_HANDLERS: dict[type, Callable[[HouseTable, Any, GameLookup], HouseTable]] = {
    TrayCounted: _on_tray_counted,
    TableClosed: _on_table_closed,
    SeatLeft: _on_seat_left,
    LeaveAsked: _on_leave_asked,
    LeaveCancelled: _on_leave_cancelled,
    SeedChosen: _on_seed_chosen,
    SeedCommitted: _on_seed_committed,
    SeedsCalled: _on_seeds_called,
    SeedRevealed: _on_seed_revealed,
    SeedsDiscarded: _on_seeds_discarded,
    ShuffleCommitted: _on_shuffle_committed,
    ShuffleDrawn: _on_shuffle_drawn,
    RoundSealed: _on_round_sealed,
    StepPrepared: _on_step_prepared,
    SecretRevealed: _on_secret_revealed,
    TableRestored: lambda table, _event, _games: table,
    InstallationConfirmed: lambda table, _event, _games: replace(table, unconfirmed_by=""),
}
_DECISION_EVENTS = frozenset((RoundBegan, PlayMade, HandFolded))
_EVENTS_OUTSIDE_GAME = frozenset((*get_args(HouseTableEvent), *get_args(ConsoleEvent)))
"""Events of the house and of a console, which the game's own state ignores."""
StreamEvent = TableEvent | HouseTableEvent | ConsoleEvent
