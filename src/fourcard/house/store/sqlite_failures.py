"""SQLite errors as store errors."""

import sqlite3
from collections.abc import Mapping

from sqlalchemy.engine import ExceptionContext

from fourcard.house.store.contract import SequenceTakenError, StoreError
from fourcard.house.store.failures import TAKEN, UNFIT, sentence

_LOCKED = "{name} is locked by another program."
_DENIED = "{name} cannot be opened, because access is denied."

_SENTENCES: Mapping[str, str] = {
    "SQLITE_FULL": "{name} cannot be written, because the disk is full.",
    "SQLITE_READONLY": "{name} cannot be written, because it is read-only.",
    "SQLITE_NOTADB": "{name} is not a database.",
    "SQLITE_CORRUPT": "{name} is damaged.",
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_CANTOPEN": "{name} cannot be opened.",
    "SQLITE_PERM": _DENIED,
    "SQLITE_AUTH": _DENIED,
    "SQLITE_IOERR": "{name} cannot be read or written, because of a disk error.",
    "SQLITE_NOMEM": "{name} cannot be used, because it is out of memory.",
    "SQLITE_TOOBIG": UNFIT,
    "SQLITE_MISMATCH": UNFIT,
    "SQLITE_CONSTRAINT_DATATYPE": UNFIT,
}
_TAKEN = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")


def tell_sqlite(context: ExceptionContext, name: str) -> StoreError | None:
    """Return the store error for a SQLite error."""
    error = context.original_exception
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorname", "")
    if code in _TAKEN:
        return SequenceTakenError(TAKEN.format(name=name))
    return StoreError(sentence(_SENTENCES, code, name, str(error)))
