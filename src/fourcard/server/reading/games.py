"""Game lookup: the game of a table, or base terms from a bonus table and a rulebook."""

from collections.abc import Iterator

import msgspec

from fourcard.house.actors import legible
from fourcard.house.commands import is_name
from fourcard.house.library import Library
from fourcard.house.outcome import table_stream
from fourcard.house.ports import SystemEntropy
from fourcard.house.store.contract import Reading, Store
from fourcard.odds.asked import NONE
from fourcard.odds.contest import Contest, contest
from fourcard.odds.par.side import chosen_of
from fourcard.odds.printed import printed_table
from fourcard.odds.strategies import contest_of
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.game import Game
from fourcard.server.reading.asking import book_named
from fourcard.server.reading.keeping import Kept

_games: Kept[Game] = Kept(64, waiting=32)
Terms = tuple[object, ...]
"""Base terms as a cache key."""


class Meant(msgspec.Struct, frozen=True):
    """Base terms and the id of their bonus table."""

    contest: Contest
    bonus: str | None


def pinned(reading: Reading, hash_: str) -> Game:
    """Return a stored game by its hash."""

    def read() -> Game:
        library = Library(SystemEntropy())
        library.look(reading)
        return library.game(hash_)

    return _games.get(hash_, read)


def tables_in(reading: Reading) -> Iterator[str]:
    """Yield the names of the tables of a house."""
    prefix = table_stream("")
    return (name.removeprefix(prefix) for name in reading.streams() if name.startswith(prefix))


def no_such_table(table: str) -> RefusedError:
    """Return the refusal for an unknown table."""
    return RefusedError(refuse(Code.NO_SUCH_TABLE, table=legible(table)))


def game_at(store: Store, table: str) -> Game:
    """Return the game of a table, named by its last event."""
    stream = table_stream(table)
    with store.reading() as reading:
        head = reading.streams([stream]).get(stream) if is_name(table) else None
        last = None if head is None else next(iter(reading.events(stream, head.sequence - 1)), None)
        if last is None or not last.game:
            raise no_such_table(table)
        return pinned(reading, last.game)


def contest_meant(store: Store, table: str | None, bonus: str | None, book: str | None) -> Meant:
    """Return the base terms of a table, or of a bonus table and rulebook."""
    return contest_named(bonus, book) if table is None else contest_at(game_at(store, table))


def contest_named(bonus: str | None, book: str | None) -> Meant:
    """Return the base terms of a bonus table and a rulebook; files are never read."""
    home = book_named(book)
    if bonus == NONE:
        home = home or printed_table("automatic_bonus", None, None).book
        return Meant(contest(home, {}), None)
    chosen = printed_table("automatic_bonus", bonus, home)
    return Meant(contest(home or chosen.book, chosen.pays), chosen.id)


def contest_at(game: Game) -> Meant:
    """Return the base terms of a game."""
    offered = "automatic_bonus" in game.tables
    return Meant(contest_of(game), chosen_of(game, "automatic_bonus").id if offered else None)


def terms_of(contest: Contest) -> Terms:
    """Return base terms as a cache key."""
    bonus = tuple((row, str(odds)) for row, odds in contest.bonus.items())
    return contest.ante, contest.play, contest.ties_win, contest.least, contest.most, bonus
