"""Database errors: driver errors become store errors, one sentence each, without a password."""

from collections.abc import Callable, Mapping

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from fourcard.house.store.contract import StoreError

Telling = Callable[[ExceptionContext, str], StoreError | None]
"""Turns a driver's error into a store error with the store's name; ``None`` if it is not one."""

TAKEN = "Another writer was first in {name}: a sequence or a key is taken."
UNFIT = "{name} cannot store the data: a number is too large, or a text has an invalid character."


def speak(engine: Engine, name: str, telling: Telling) -> None:
    """Raise every driver error of an engine as a store error."""

    def told(context: ExceptionContext) -> StoreError | None:
        if context.is_pre_ping:
            return None
        if isinstance(context.original_exception, OverflowError | UnicodeError):
            return StoreError(UNFIT.format(name=name))
        return telling(context, name)

    event.listen(engine, "handle_error", told)


def sentence(sentences: Mapping[str, str], code: str, name: str, otherwise: str) -> str:
    """Return the message for an error code, by its longest known prefix."""
    found = max(filter(code.startswith, sentences), key=len, default="")
    return sentences[found].format(name=name) if found else f"{name} failed: {otherwise}."
