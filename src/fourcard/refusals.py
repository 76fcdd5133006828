"""A refusal: why something may not be, with the clauses that were broken."""

from dataclasses import dataclass

from fourcard.codes import Code
from fourcard.errors import BadInputError

__all__ = ["Code", "PositionRefusedError", "Refusal", "RefusedError", "refuse"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be: its number, its sentence and the clauses that were broken."""

    code: Code
    message: str
    clauses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the refusal's name as answers carry it, such as ``play_too_large``."""
        return self.code.name.lower()

    def answer(self) -> dict[str, object]:
        """Return the refusal as scripts read it."""
        return {
            "code": int(self.code),
            "name": self.name,
            "message": self.message,
            "clauses": list(self.clauses),
        }


class RefusedError(BadInputError):
    """A refusal on its way up; its text is the refusal's sentence."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry the refusal."""
        super().__init__(refusal.message)
        self.refusal = refusal


class PositionRefusedError(RefusedError):
    """A refusal that concerns one position."""

    def __init__(self, refusal: Refusal, position: int) -> None:
        """Carry refusal and position."""
        super().__init__(refusal)
        self.position = position


def refuse(code: Code, clauses: tuple[str, ...] = (), **figures: object) -> Refusal:
    """Return the refusal that a code's sentence makes with these figures."""
    return Refusal(code, code.sentence.format(**figures), clauses)
