"""Check findings: an error or a warning with its place, message and clauses."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.rules.cited import CitedNode, WagerName, clauses_of
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.rules.submission import Submission

Level = Literal["error", "warning"]


class CheckFinding(msgspec.Struct, frozen=True):
    """Finding: a violation, or advice not taken."""

    level: Level
    where: str
    refusal: Refusal

    def answer(self) -> dict[str, object]:
        """Return the finding as JSON data."""
        return {"level": self.level, "where": self.where, **self.refusal.answer()}


class CheckContext(msgspec.Struct, frozen=True):
    """Check context: a submission and its rulebook."""

    rulebook: Rulebook
    submission: Submission

    def offers(self, wager: WagerName) -> bool:
        """Say whether a wager is offered, by the submission or always by the rulebook."""
        rules = self.rulebook.wager(wager)
        always = wager in ("ante", "play") or (isinstance(rules, Wager) and rules.offered.value == "always")
        return always or wager in self.submission.wagers


def error(code: Code, where: str, *nodes: CitedNode | None, **figures: object) -> CheckFinding:
    """Return an error with the clauses of these nodes."""
    return CheckFinding("error", where, refuse(code, clauses_of(*nodes), **figures))


def warning(code: Code, where: str, *nodes: CitedNode | None, **figures: object) -> CheckFinding:
    """Return a warning with the clauses of these nodes."""
    return CheckFinding("warning", where, refuse(code, clauses_of(*nodes), **figures))


def finding(level: Level, code: Code, where: str, clauses: Iterable[str], **figures: object) -> CheckFinding:
    """Return a finding with explicit clauses."""
    return CheckFinding(level, where, refuse(code, tuple(dict.fromkeys(clauses)), **figures))


def join_or(items: Iterable[object]) -> str:
    """Return items joined as ``A, B or C``."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} or {last}" if most else last
