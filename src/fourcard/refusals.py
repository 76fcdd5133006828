"""Refusals: why a command, a file or a request is rejected, with the clauses that it breaks."""

from dataclasses import dataclass

from fourcard.codes import Code
from fourcard.errors import BadInputError

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

    def answer(self) -> dict[str, object]:
        """Return the refusal as JSON data."""
        return {
            "code": int(self.code),
            "name": self.name,
            "message": self.message,
            "clauses": list(self.clauses),
        }


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
