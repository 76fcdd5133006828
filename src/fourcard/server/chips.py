"""Chips of a player: every table where the player has a seat or chips, and leaving all tables."""

import msgspec

from fourcard.house.actors import Actor
from fourcard.house.commands import LeaveTable
from fourcard.house.table_book import TableBook
from fourcard.server.floor.floor import Floor


class Stack(msgspec.Struct, frozen=True):
    """Chips and seats of a player at one table."""

    table: str
    title: str
    chips: int
    """Cents in chips, without those on the layout."""
    wagered: int
    """Cents on the layout in the current round."""
    positions: tuple[int, ...]
    leaving: bool
    """Whether the player leaves when the current round ends (P35)."""


def stacks(floor: Floor, player: str) -> tuple[Stack, ...]:
    """Return the chips and seats of a player at each table, sorted by table name."""
    found = (_stack(floor.tables[name].book, player) for name in sorted(floor.tables))
    return tuple(each for each in found if each.chips or each.wagered or each.positions)


def _stack(book: TableBook, player: str) -> Stack:
    state = book.state
    places = () if state.round is None else state.round.places.values()
    own = [place for place in places if place.player == player]
    return Stack(
        table=book.table,
        title=state.game.submission.name,
        chips=book.chips(player),
        wagered=sum(place.unregistered + sum(place.lying.values()) for place in own),
        positions=tuple(position for position, who in state.seats.items() if who == player),
        leaving=player in book.leaving,
    )


async def leave_all(floor: Floor, actor: Actor) -> None:
    """Make a player leave every table; a refusal (already leaving, for example) changes nothing."""
    for stack in stacks(floor, actor.person):
        watch = floor.tables[stack.table]
        await floor.do(watch.stream, LeaveTable(player=actor.person, role="player"), actor)
        floor.show(stack.table)
