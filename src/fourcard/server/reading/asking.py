"""Request parameters: limits, cursors, known names, and common refusals."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Annotated, TypeVar

from litestar.params import Parameter

from fourcard.errors import BadInputError
from fourcard.house.actors import LONGEST, legible
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.loading import RULEBOOKS, rulebook
from fourcard.rules.options import MOST_CENTS
from fourcard.rules.rulebook import Rulebook
from fourcard.server.pages import Page, page_of

Item = TypeVar("Item")
MOST_ITEMS = 200
LONGEST_TEXT = 200
Limit = Annotated[int, Parameter(ge=1, le=MOST_ITEMS, description="Maximum number of items.")]
After = Annotated[
    str | None,
    Parameter(max_length=LONGEST_TEXT, description="Cursor of the previous page; default: the first page."),
]
Table = Annotated[str | None, Parameter(max_length=40, description="The name of a table.")]
Book = Annotated[str | None, Parameter(max_length=40, description="The id of a rulebook.")]
Name = Annotated[str | None, Parameter(max_length=40)]
Cents = Annotated[int | None, Parameter(ge=0, le=MOST_CENTS, description="Cents.")]
DEFAULT_LIMIT = 50


def paged(items: Iterable[Item], key: Callable[[Item], str], limit: int, after: str | None) -> Page[Item]:
    """Return the page after a cursor, or the first one."""
    remaining = iter(items)
    if after and not any(key(each) == after for each in remaining):
        raise BadInputError(f"There is no page after '{legible(after, LONGEST)}'.")
    return page_of(list(islice(remaining, limit + 1)), limit, key)


def absent(what: str) -> RefusedError:
    """Return the refusal for something that does not exist."""
    return RefusedError(refuse(Code.NOTHING_HERE, what=what))


def busy(reason: str) -> RefusedError:
    """Return the refusal for something that cannot be answered yet."""
    return RefusedError(refuse(Code.HOUSE_IN_TROUBLE, reason=reason.rstrip(".")))


def book_named(name: str | None) -> Rulebook | None:
    """Return a rulebook by id, or refuse an unknown id."""
    if name is None:
        return None
    if name not in RULEBOOKS:
        raise absent(f"no rulebook '{legible(name, LONGEST)}'; there are {', '.join(RULEBOOKS)}")
    return rulebook(name)


def check_known(what: str, name: str | None, known: Sequence[str]) -> None:
    """Refuse an unknown name; None is always accepted."""
    if name is not None and name not in known:
        raise BadInputError(f"There is no {what} '{legible(name, LONGEST)}'; there are {', '.join(known)}.")
