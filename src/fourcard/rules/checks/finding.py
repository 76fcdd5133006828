"""What a check finds: an error or a warning, where it stands, its sentence and its clauses."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.nodes import Node, WagerName, cite
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.rules.submission import Submission

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation, or one piece of advice not taken."""

    level: Level
    where: str
    refusal: Refusal

    def answer(self) -> dict[str, object]:
        """Return the finding as scripts read it."""
        return {"level": self.level, "where": self.where, **self.refusal.answer()}


@dataclass(frozen=True, slots=True)
class Case:
    """A submission beside the rulebook that it must keep to."""

    rulebook: Rulebook
    submission: Submission

    def offers(self, wager: WagerName) -> bool:
        """Say whether a wager is offered, by the submission or because the rulebook always does."""
        rules = self.rulebook.wager(wager)
        always = wager in ("ante", "play") or (isinstance(rules, Wager) and rules.offered.value == "always")
        return always or wager in self.submission.wagers


def error(code: Code, where: str, *nodes: Node | None, **figures: object) -> Finding:
    """Return a violation of the clauses of some nodes."""
    return Finding("error", where, refuse(code, cite(*nodes), **figures))


def warning(code: Code, where: str, *nodes: Node | None, **figures: object) -> Finding:
    """Return advice of some nodes that was not taken."""
    return Finding("warning", where, refuse(code, cite(*nodes), **figures))


def ruled(level: Level, code: Code, where: str, clauses: Iterable[str], **figures: object) -> Finding:
    """Return a finding that a ruling or several places demand."""
    return Finding(level, where, refuse(code, tuple(dict.fromkeys(clauses)), **figures))


def listed(items: Iterable[object]) -> str:
    """Return items as a person lists them: ``A, B or C``."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} or {last}" if most else last
