"""Where wins stand when something breaks: the moments between mark, confirmation, payment and reset."""

from collections.abc import Iterable, Iterator

from fourcard.house.requests import Request
from fourcard.house.table_book import TableBook
from fourcard.progressive.commands import Press, PressHand, SwipeCard, TurnKey
from fourcard.progressive.console import in_game
from fourcard.round.commands import CompleteDocument
from tests.storm.tally import Tally
from tests.storm.witness import Witness

ENDING = ("game_over", "end_game")
MOMENTS = (
    "between confirmation and payment",
    "between mark and confirmation",
    "before a mark",
    "between payment and document",
    "between payment and reset",
)
"""Where a table's winner stands, the first that holds."""


def caught(witness: Witness, tally: Tally, what: str) -> None:
    """Count the tables that are caught in the midst of a win."""
    for book in [each for each in witness.books.values() if isinstance(each, TableBook)]:
        moment = _moment(book)
        if moment:
            tally.seen[f"{what} {moment}"] += 1


def _moment(book: TableBook) -> str:
    """Return between which motions a table's winner stands, or nothing."""
    console, state = book.console, book.state
    if console is None or not in_game(console, state):
        return ""
    under_way = state.round
    held = (
        console.logged is not None,
        console.mark is not None,
        under_way is not None and under_way.awaiting is not None,
        under_way is not None and bool(under_way.undocumented),
        bool(console.staff),
    )
    return next((moment for moment, holds in zip(MOMENTS, held, strict=True) if holds), "")


def winning(requests: Iterable[Request]) -> Iterator[str]:
    """Yield what a group does to wins: marks, confirms, pays, documents, resets."""
    for request in requests:
        command = request.command
        if isinstance(command, PressHand):
            yield "mark"
        elif isinstance(command, SwipeCard) or (isinstance(command, Press) and command.button == "j_pot"):
            yield "confirm"
        elif isinstance(command, TurnKey) and command.to == "run":
            yield "pay"
        elif isinstance(command, CompleteDocument):
            yield "document"
        elif isinstance(command, Press) and command.button in ENDING:
            yield "reset"
