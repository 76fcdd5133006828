"""Check findings: an error or a warning with its place, message and clauses."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.nodes import Node, WagerName, cite
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.rules.submission import Submission

Level = Literal["error", "warning"]


class Finding(msgspec.Struct, frozen=True):
    """Finding: a violation, or advice not taken."""

    level: Level
    where: str
    refusal: Refusal

    def answer(self) -> dict[str, object]:
        """Return the finding as JSON data."""
        return {"level": self.level, "where": self.where, **self.refusal.answer()}


class Case(msgspec.Struct, frozen=True):
    """Check context: a submission and its rulebook."""

    rulebook: Rulebook
    submission: Submission

    def offers(self, wager: WagerName) -> bool:
        """Say whether a wager is offered, by the submission or always by the rulebook."""
        rules = self.rulebook.wager(wager)
        always = wager in ("ante", "play") or (isinstance(rules, Wager) and rules.offered.value == "always")
        return always or wager in self.submission.wagers


def error(code: Code, where: str, *nodes: Node | None, **figures: object) -> Finding:
    """Return an error with the clauses of these nodes."""
    return Finding("error", where, refuse(code, cite(*nodes), **figures))


def warning(code: Code, where: str, *nodes: Node | None, **figures: object) -> Finding:
    """Return a warning with the clauses of these nodes."""
    return Finding("warning", where, refuse(code, cite(*nodes), **figures))


def ruled(level: Level, code: Code, where: str, clauses: Iterable[str], **figures: object) -> Finding:
    """Return a finding with explicit clauses."""
    return Finding(level, where, refuse(code, tuple(dict.fromkeys(clauses)), **figures))


def listed(items: Iterable[object]) -> str:
    """Return items joined as ``A, B or C``."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} or {last}" if most else last
