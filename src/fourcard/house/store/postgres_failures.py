"""PostgreSQL errors as store errors."""

from collections.abc import Mapping

from psycopg import DataError, Error
from sqlalchemy.engine import ExceptionContext

from fourcard.house.store.contract import SequenceTakenError, StoreError
from fourcard.house.store.failures import TAKEN, UNFIT, sentence

_UNSURE = "The connection to {name} was lost during a commit, so it is unknown whether it was stored."

_SENTENCES: Mapping[str, str] = {
    "22": UNFIT,
    "25006": "{name} cannot be written, because it is read-only.",
    "25P": "{name} ended a transaction that waited too long.",
    "28": "{name} refuses the name or the password.",
    "3D000": "{name} does not exist.",
    "42501": "{name} does not allow this for the user.",
    "42P01": "{name} is not a complete house database.",
    "53100": "{name} cannot be written, because the disk is full.",
    "53200": "{name} cannot be used, because it is out of memory.",
    "53300": "{name} takes no more connections.",
    "55P03": "{name} is locked by another process.",
    "57014": "{name} took too long to answer.",
    "57P": "{name} is shutting down or starting up.",
    "58": "{name} cannot be used, because of a disk error.",
    "XX001": "{name} is damaged.",
    "XX002": "{name} is damaged.",
}
_TAKEN = ("23505", "40001", "40P01")
"""A row that exists already, and conflicts between two writers."""


def tell_postgres(context: ExceptionContext, name: str) -> StoreError | None:
    """Return the store error for a PostgreSQL error."""
    error = context.original_exception
    if not isinstance(error, Error):
        return None
    if context.is_disconnect and context.connection is not None and context.statement is None:
        return StoreError(_UNSURE.format(name=name))
    return told(error, name)


def told(error: Error, name: str) -> StoreError:
    """Return the store error for a driver error."""
    if error.sqlstate in _TAKEN:
        return SequenceTakenError(TAKEN.format(name=name))
    return StoreError(_sentence(error, name))


def _sentence(error: Error, name: str) -> str:
    if error.sqlstate:
        return sentence(_SENTENCES, error.sqlstate, name, error.diag.message_primary or "no reason is given")
    if isinstance(error, DataError):
        return UNFIT.format(name=name)
    return f"{name} cannot be reached: {_cause(str(error))}."


def _cause(text: str) -> str:
    """Return the cause in a driver's message: the end of its first line."""
    line = text.strip().split("\n", maxsplit=1)[0].rsplit("failed: ", maxsplit=1)[-1]
    return line.replace("FATAL:", "").strip().rstrip(".") or "no reason is given"
