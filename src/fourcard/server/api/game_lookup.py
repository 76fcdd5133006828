"""Game lookup: the game of a table, or base terms from a bonus table and a rulebook."""

import msgspec

from fourcard.house.auth.identity import printable
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.commands import is_name
from fourcard.house.decision import table_stream
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction, Store
from fourcard.odds.decision_values import BaseTerms, base_terms
from fourcard.odds.paytable_lookup import NO_BONUS, find_printed_paytable, paytable_ref
from fourcard.odds.strategies import base_terms_of
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.game import Game
from fourcard.server.api.compute_cache import SingleFlightCache
from fourcard.server.api.params import rulebook_by_id

_games: SingleFlightCache[Game] = SingleFlightCache(64, waiting=32)
ContestKey = tuple[object, ...]
"""Base terms as a cache key."""


class ContestRef(msgspec.Struct, frozen=True):
    """Base terms and the id of their bonus table."""

    contest: BaseTerms
    bonus: str | None


def stored_game(reading: ReadTransaction, hash_: str) -> Game:
    """Return a stored game by its hash."""

    def read() -> Game:
        cache = StateCache(SystemEntropy())
        cache.use_reader(reading)
        return cache.game(hash_)

    return _games.get(hash_, read)


def no_such_table(table: str) -> RefusedError:
    """Return the refusal for an unknown table."""
    return RefusedError(refuse(Code.NO_SUCH_TABLE, table=printable(table)))


def table_game(store: Store, table: str) -> Game:
    """Return the game of a table."""
    stream, cache = table_stream(table), StateCache(SystemEntropy())
    with store.reading() as reading:
        head = reading.streams([stream]).get(stream) if is_name(table) else None
        if head is None:
            raise no_such_table(table)
        cache.use_reader(reading)
        cache.catch_up(stream, head)
        return cache.table(table).state.game


def contest_for(store: Store, table: str | None, bonus: str | None, name: str | None) -> ContestRef:
    """Return the base terms of a table, or of a bonus table and rulebook."""
    return contest_named(bonus, name) if table is None else contest_at(table_game(store, table))


def contest_named(bonus: str | None, name: str | None) -> ContestRef:
    """Return the base terms of a bonus table and a rulebook; files are never read."""
    home = rulebook_by_id(name)
    if bonus == NO_BONUS:
        home = home or find_printed_paytable("automatic_bonus", None, None).rulebook
        return ContestRef(base_terms(home, {}), None)
    chosen = find_printed_paytable("automatic_bonus", bonus, home)
    return ContestRef(base_terms(home or chosen.rulebook, chosen.pays), chosen.id)


def contest_at(game: Game) -> ContestRef:
    """Return the base terms of a game."""
    offered = "automatic_bonus" in game.tables
    return ContestRef(base_terms_of(game), paytable_ref(game, "automatic_bonus").id if offered else None)


def contest_key(contest: BaseTerms) -> ContestKey:
    """Return base terms as a cache key."""
    bonus = tuple((row, str(odds)) for row, odds in contest.bonus.items())
    return contest.ante, contest.play, contest.ties_win, contest.least, contest.most, bonus
