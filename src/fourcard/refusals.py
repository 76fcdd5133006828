"""Refusals: why a command, a file or a request is rejected, with the clauses that it breaks.

Every error that means bad input derives from ``BadInputError`` and carries one message for its sender.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from fourcard.refusal_codes import Code


class BadInputError(ValueError):
    """Input from outside cannot be used; every other exception is a bug."""

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type[Self], tuple[object, ...], dict[str, Any]]]:
        """Support pickling, so a worker process can raise the error in its parent."""
        return _rebuild, (type(self), self.args, vars(self))


def _rebuild(kind: type[BadInputError], args: tuple[object, ...], fields: dict[str, Any]) -> Any:
    """Rebuild a pickled error without calling its constructor."""
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


__all__ = ["Code", "PositionRefusedError", "Refusal", "RefusedError", "refuse"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal: code, message and the broken clauses."""

    code: Code
    message: str
    clauses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name that answers use, such as ``play_too_large``."""
        return self.code.name.lower()


class RefusedError(BadInputError):
    """Exception that carries a refusal; its text is the refusal's message."""

    def __init__(self, refusal: Refusal) -> None:
        """Store the refusal."""
        super().__init__(refusal.message)
        self.refusal = refusal


class PositionRefusedError(RefusedError):
    """Refusal that concerns one position."""

    def __init__(self, refusal: Refusal, position: int) -> None:
        """Store refusal and position."""
        super().__init__(refusal)
        self.position = position


def refuse(code: Code, clauses: tuple[str, ...] = (), **figures: object) -> Refusal:
    """Return the refusal of a code, its message filled in with these figures."""
    return Refusal(code, code.sentence.format(**figures), clauses)
