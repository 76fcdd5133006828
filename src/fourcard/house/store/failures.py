"""How failures of a database become errors of the store: one sentence each, and never a password in it."""

from collections.abc import Callable, Mapping

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from fourcard.house.store.contract import StoreError

Telling = Callable[[ExceptionContext, str], StoreError | None]
"""Turns a driver's failure into an error of the store, with the store's name; ``None`` if it is not one."""

TAKEN = "Another writer was first in {name}: a sequence or a key is taken."
UNFIT = "{name} cannot hold what was given: a number is too large, or a text has a forbidden character."


def speak(engine: Engine, name: str, telling: Telling) -> None:
    """Let every failure of an engine be raised as an error of the store, wherever it happens."""

    def told(context: ExceptionContext) -> StoreError | None:
        if context.is_pre_ping:
            return None
        if isinstance(context.original_exception, OverflowError | UnicodeError):
            return StoreError(UNFIT.format(name=name))
        return telling(context, name)

    event.listen(engine, "handle_error", told)


def sentence(sentences: Mapping[str, str], code: str, name: str, otherwise: str) -> str:
    """Return the sentence of the longest beginning of a code that has one."""
    found = max(filter(code.startswith, sentences), key=len, default="")
    return sentences[found].format(name=name) if found else f"{name} failed: {otherwise}."
