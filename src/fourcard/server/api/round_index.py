"""Round index: pages of finished rounds from the stored index, and their games."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice

from fourcard.house.auth.identity import MAX_SHOWN_LENGTH, printable
from fourcard.house.commands import is_name
from fourcard.house.decision import table_stream
from fourcard.house.reports.wins import WinLog
from fourcard.house.round_index import IndexedPosition, IndexedRound, decode_round
from fourcard.house.store.interface import ReadTransaction, RoundOrder, RoundQuery, Store
from fourcard.money import dollars
from fourcard.odds.decision_values import decision_name
from fourcard.refusals import BadInputError
from fourcard.rules.game import Game
from fourcard.server.api.game_lookup import no_such_table, stored_game
from fourcard.server.api.params import ListPage, page_of

NUMBER_DIGITS = 12
"""No round has a longer number."""


class Histories:
    """What reports remember of a house: its games, and what they have read and computed."""

    def __init__(self, store: Store) -> None:
        """Read from a store on demand."""
        self.store = store
        self._games: dict[str, Game] = {}
        self.costs: dict[tuple[str, int, int], Fraction | None] = {}
        """Cost of a decision in cents by table, round and position; None if there was no choice."""
        self.wins = WinLog()

    def game(self, hash_: str) -> Game:
        """Return a game by its hash."""
        known = self._games.get(hash_)
        if known is None:
            with self.store.reading() as reading:
                known = self._games[hash_] = stored_game(reading, hash_)
        return known


def stream_of(reading: ReadTransaction, table: str) -> str:
    """Return the stream of a table, or refuse an unknown one."""
    stream = table_stream(table)
    if not is_name(table) or stream not in reading.streams([stream]):
        raise no_such_table(table)
    return stream


def rounds_of(
    reading: ReadTransaction, player: str | None, table: str | None = None
) -> Iterator[IndexedRound]:
    """Yield the rounds with a wager of a player, or all, of one table or all, newest first."""
    stream = None if table is None else stream_of(reading, table)
    query = RoundQuery(player=player, stream=stream, newest_first=True)
    return map(decode_round, reading.rounds(query))


def round_page(
    reading: ReadTransaction,
    player: str | None,
    table: str | None,
    limit: int,
    after: str | None,
    *,
    newest_first: bool,
    keep: Callable[[IndexedRound], bool] | None = None,
) -> ListPage[IndexedRound]:
    """Return a page of the rounds of a player, or all, of one table or all, that are kept."""
    stream = None if table is None else stream_of(reading, table)
    query = RoundQuery(
        player=player,
        stream=stream,
        after=_cursor_place(reading, player, stream, after) if after else None,
        newest_first=newest_first,
        limit=None if keep else limit + 1,
    )
    found = filter(keep or (lambda _: True), map(decode_round, reading.rounds(query)))
    return page_of([*islice(found, limit + 1)], limit, round_cursor)


def _cursor_place(reading: ReadTransaction, player: str | None, only: str | None, after: str) -> RoundOrder:
    """Return the place of the round that a cursor names; refuse a round that is not in the list."""
    table, _, number = after.rpartition(":")
    digits = number.isascii() and number.isdecimal() and len(number) <= NUMBER_DIGITS
    row = reading.round(table_stream(table), int(number)) if digits and is_name(table) else None
    if row is None or only not in (None, row.stream) or not decode_round(row).positions_of(player):
        raise BadInputError(f"There is no page after '{printable(after, MAX_SHOWN_LENGTH)}'.")
    return row.at, row.stream, row.number


def round_cursor(found: IndexedRound) -> str:
    """Return the pagination cursor of a round."""
    return f"{found.table}:{found.number}"


def choice_name(place: IndexedPosition) -> str | None:
    """Return a decision as people say it: ``fold``, ``3x``, or an amount between multiples."""
    ante = place.wagers.get("ante", 0)
    if place.decision is None or not ante:
        return None
    times, rest = divmod(place.decision, ante)
    return f"{dollars(place.decision)} on Play" if rest else decision_name(times)
