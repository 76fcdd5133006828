"""Where the chips of a player lie: every table with a seat or chips of the player, and leaving them all."""

import msgspec

from fourcard.house.actors import Actor
from fourcard.house.commands import LeaveTable
from fourcard.house.table_book import TableBook
from fourcard.server.floor.floor import Floor


class Stack(msgspec.Struct, frozen=True):
    """What a player has at one table."""

    table: str
    title: str
    chips: int
    """Cents in chips, those on the layout not among them."""
    wagered: int
    """Cents on the layout in the round under way."""
    positions: tuple[int, ...]
    leaving: bool
    """Whether the player leaves when the round under way is over (P35)."""


def stacks(floor: Floor, player: str) -> tuple[Stack, ...]:
    """Return what a player has at each table, by the names of the tables."""
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
    """Let a player leave every table; what a table refuses, such as a wish told before, changes nothing."""
    for stack in stacks(floor, actor.person):
        watch = floor.tables[stack.table]
        await floor.do(watch.stream, LeaveTable(player=actor.person, role="player"), actor)
        floor.show(stack.table)
