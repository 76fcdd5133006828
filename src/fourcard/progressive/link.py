"""Link of a table to its meter: while it is down the table takes no progressive wagers (P31)."""

from fourcard.progressive.commands import ReportLink
from fourcard.progressive.console import Console, rules_of
from fourcard.progressive.events import ConsoleEvent, LinkLost, LinkRestored
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.commands import PlaceWager
from fourcard.round.events import WagerPlaced
from fourcard.rules.nodes import cite, holds
from fourcard.table.events import TableEvent
from fourcard.table.state import TableState

LONGEST_REASON = 200


def reason_refusal(reason: str, clauses: tuple[str, ...]) -> Refusal | None:
    """Refuse a reason that is empty, too long or not printable."""
    if reason.strip() and len(reason) <= LONGEST_REASON and reason.isprintable():
        return None
    return refuse(Code.REASON_UNFIT, clauses, most=LONGEST_REASON)


def report_link(
    console: Console, table: TableState, command: ReportLink
) -> Refusal | list[ConsoleEvent | TableEvent]:
    """Report that the link is down or up; once it is down, chips on sensors lose their registration (R99)."""
    if command.role == "player":
        figures = {"what": "report the link", "who": "dealer or the floor", "role": "player"}
        return refuse(Code.NOT_YOUR_DUTY, ("P31",), **figures)
    if command.up == console.linked:
        return refuse(Code.LINK_SO_ALREADY, ("P31",), state="there" if console.linked else "lost")
    refusal = reason_refusal(command.reason, ("P31",))
    if refusal is not None:
        return refusal
    if command.up:
        return [LinkRestored(command.reason)]
    under_way = table.round
    lying = under_way.places.items() if under_way is not None and under_way.stakes is None else ()
    unregistered = [
        WagerPlaced(position, "progressive", amount, amount, accepted=False)
        for position, place in lying
        if (amount := place.wagers.get("progressive", 0))
    ]
    return [LinkLost(command.reason), *unregistered]


def wager_refusal(console: Console, table: TableState, command: PlaceWager, closed: str) -> Refusal | None:
    """Refuse a progressive wager while the link is down, and one on the sensor of another player."""
    if command.wager != "progressive":
        return None
    if problem := console.link_problem(closed):
        return refuse(Code.LINK_DOWN, ("P31",), reason=problem)
    own, under_way = rules_of(console, table.game).own_sensor, table.round
    place = None if under_way is None else under_way.places.get(command.position)
    foreign = place is not None and command.role == "player" and place.player != command.by
    if holds(own) and foreign:
        return refuse(Code.SENSOR_FOREIGN, cite(own), position=command.position)
    return None
