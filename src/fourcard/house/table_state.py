"""Table state in the house: the game's own state, the money at the table, and its shuffles."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, get_args

import msgspec
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.house.commands import CardSource
from fourcard.house.events import (
    HouseTableEvent,
    LeaveAsked,
    LeaveCancelled,
    SecretRevealed,
    SeedChosen,
    ShuffleCommitted,
    ShuffleDrawn,
    TableInstalled,
    TableRestored,
    TrayCounted,
)
from fourcard.house.ledger import POSTING_RULES, Posting, TableAccounts, postings_of
from fourcard.meter import UNITS_PER_CENT
from fourcard.progressive.console import (
    CONSOLE_EVENT_TYPES,
    ConsoleEvent,
    ConsoleState,
    evolve_console,
    new_console,
)
from fourcard.round.events import SeatLeft
from fourcard.rules.game import Game
from fourcard.table.events import TableClosed, TableEvent
from fourcard.table.evolve import evolve as evolve_table
from fourcard.table.state import TableState, new_table

Games = Callable[[str], Game]
"""Returns a pinned game by its hash."""


class UninstalledTableError(Exception):
    """An event of a table that is not installed: the journal is damaged."""


class UninstalledTable(msgspec.Struct, frozen=True):
    """A table that no InstallTable command has set up yet: it has a name and no game."""

    table: str
    meter: ClassVar[str] = ""
    held: ClassVar[Mapping[str, int]] = {}
    shuffle: ClassVar[int] = 0
    game: ClassVar[str] = ""


class HouseTable(msgspec.Struct, frozen=True, gc=False):
    """State of a table in the house: its game, its money and its shuffles."""

    table: str
    state: TableState
    cards: CardSource = "built-in"
    meter: str = ""
    held: Mapping[str, int] = {}
    """Units in each account of the table; empty accounts are left out."""
    counted: bool = False
    """Whether the tray was counted for the next opening."""
    seeds: Mapping[str, str] = {}
    shuffle: int = 0
    """The number of the shuffle that the open commitment is for."""
    commitment: str = ""
    pending: Mapping[int, int] = {}
    """By deck, the shuffle that gave it its order and whose secret is not revealed."""
    names: TableAccounts = TableAccounts("", "")
    console: ConsoleState | None = None
    """The console of its progressive, if it has one."""
    leaving: frozenset[str] = frozenset()
    """Seated players who leave when the round under way is over (P35)."""

    def cents(self, account: str) -> int:
        """Return the cents in an account of the table."""
        return self.held.get(account, 0) // UNITS_PER_CENT

    def chips(self, player: str) -> int:
        """Return a player's chips in cents, without chips on the layout."""
        return self.cents(self.names.chips(player))

    @property
    def chip_holders(self) -> tuple[str, ...]:
        """Return every player with chips of the table, without chips on the layout."""
        prefix = ledger.chips_account(self.table, "")
        return tuple(sorted(name.removeprefix(prefix) for name in self.held if name.startswith(prefix)))

    def has_wagers(self, player: str) -> bool:
        """Say whether a player has chips on the layout in the round under way."""
        under_way = self.state.round
        places = () if under_way is None else under_way.places.values()
        return any(place.player == player and (place.wagers or place.unregistered) for place in places)

    @property
    def game(self) -> str:
        """Return the hash of the pinned game."""
        return self.state.game.hash


AnyTable = HouseTable | UninstalledTable


def evolve(book: AnyTable, event: object, games: Games) -> tuple[HouseTable, list[Posting]]:
    """Return the table after an event, and its postings."""
    kind = type(event)
    if isinstance(event, TableInstalled):
        return _on_table_installed(book, event, games), []
    if isinstance(book, UninstalledTable):
        raise UninstalledTableError(f"{kind.__name__} before the table is installed")
    fold = _FOLDS.get(kind)
    if fold is not None:
        book = fold(book, event, games)
    if kind in CONSOLE_EVENT_TYPES and book.console is not None:
        book = replace(book, console=evolve_console(book.console, event))
    state = book.state
    moved = postings_of(book.names, state.round, event) if kind in POSTING_RULES else []
    if fold is None and kind not in _NOT_OF_GAME:
        state = evolve_table(state, event)  # type: ignore[arg-type]
    if moved:
        return replace(book, state=state, held=_balances_after(book, moved)), moved
    return (book if state is book.state else replace(book, state=state)), moved


def _balances_after(book: HouseTable, moved: list[Posting]) -> dict[str, int]:
    """Return the units in the table's accounts after some postings."""
    after, own = dict(book.held), book.names.own
    for move in moved:
        for account, change in ((move.giver, -move.units), (move.taker, move.units)):
            if account in own:
                left = after.pop(account, 0) + change
                if left:
                    after[account] = left
    return after


def _on_table_installed(book: AnyTable, event: TableInstalled, games: Games) -> HouseTable:
    """Start with a closed table; a table installed before keeps its round number, clock, money and seeds."""
    state, names = new_table(games(event.game)), TableAccounts(book.table, event.meter)
    if isinstance(book, HouseTable):
        state = replace(state, number=book.state.number, at=book.state.at)
    console = new_console(state.game, state.number) if event.meter else None
    if isinstance(book, UninstalledTable):
        return HouseTable(book.table, state, event.cards, event.meter, names=names, console=console)
    if console is not None and book.console is not None and book.meter == event.meter:
        console = replace(console, linked=book.console.linked)
    installed = {"cards": event.cards, "meter": event.meter, "console": console}
    return replace(book, state=state, counted=False, names=names, **installed)


def _on_tray_counted(book: HouseTable, event: TrayCounted, _games: Games) -> HouseTable:
    return replace(book, counted=event.occasion == "opening")


def _on_table_closed(book: HouseTable, event: TableClosed, _games: Games) -> HouseTable:
    return replace(book, counted=False, leaving=frozenset(), state=evolve_table(book.state, event))


def _on_seat_left(book: HouseTable, event: SeatLeft, _games: Games) -> HouseTable:
    state = evolve_table(book.state, event)
    gone = frozenset((event.player,)) - {*state.seats.values()}
    return replace(book, state=state, leaving=book.leaving - gone)


def _on_leave_asked(book: HouseTable, event: LeaveAsked, _games: Games) -> HouseTable:
    return replace(book, leaving=book.leaving | ({event.player} & {*book.state.seats.values()}))


def _on_leave_cancelled(book: HouseTable, event: LeaveCancelled, _games: Games) -> HouseTable:
    return replace(book, leaving=book.leaving - {event.player})


def _on_seed_chosen(book: HouseTable, event: SeedChosen, _games: Games) -> HouseTable:
    others = {player: seed for player, seed in book.seeds.items() if player != event.player}
    return replace(book, seeds={**others, event.player: event.seed} if event.seed else others)


def _on_shuffle_committed(book: HouseTable, event: ShuffleCommitted, _games: Games) -> HouseTable:
    return replace(book, shuffle=event.shuffle, commitment=event.commitment)


def _on_shuffle_drawn(book: HouseTable, event: ShuffleDrawn, _games: Games) -> HouseTable:
    return replace(book, pending={**book.pending, event.deck: event.shuffle})


def _on_secret_revealed(book: HouseTable, event: SecretRevealed, _games: Games) -> HouseTable:
    left = {deck: number for deck, number in book.pending.items() if number != event.shuffle}
    return replace(book, pending=left)


_FOLDS: dict[type, Callable[[HouseTable, Any, Games], HouseTable]] = {
    TrayCounted: _on_tray_counted,
    TableClosed: _on_table_closed,
    SeatLeft: _on_seat_left,
    LeaveAsked: _on_leave_asked,
    LeaveCancelled: _on_leave_cancelled,
    SeedChosen: _on_seed_chosen,
    ShuffleCommitted: _on_shuffle_committed,
    ShuffleDrawn: _on_shuffle_drawn,
    SecretRevealed: _on_secret_revealed,
    TableRestored: lambda book, _event, _games: book,
}
_NOT_OF_GAME = frozenset((*get_args(HouseTableEvent), *get_args(ConsoleEvent)))
"""Events of the house and of a console, which the game's own state ignores."""
StreamEvent = TableEvent | HouseTableEvent | ConsoleEvent
