"""Check findings: an error or a warning with its place, message and clauses."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.rules.cited import CitedNode, clauses_of
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.rules.submission import Submission
from fourcard.wagers import WagerName

Level = Literal["error", "warning"]


class CheckFinding(msgspec.Struct, frozen=True):
    """Finding: a violation, or advice not taken."""

    level: Level
    where: str
    code: int
    name: str
    message: str
    clauses: tuple[str, ...]

    @property
    def refusal(self) -> Refusal:
        """Return the finding as a refusal."""
        return Refusal(Code[self.name.upper()], self.message, self.clauses)


def finding_of(level: Level, where: str, refusal: Refusal) -> CheckFinding:
    """Return a refusal as a finding at a place."""
    return CheckFinding(level, where, int(refusal.code), refusal.name, refusal.message, refusal.clauses)


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
    return finding_of("error", where, refuse(code, clauses_of(*nodes), **figures))


def warning(code: Code, where: str, *nodes: CitedNode | None, **figures: object) -> CheckFinding:
    """Return a warning with the clauses of these nodes."""
    return finding_of("warning", where, refuse(code, clauses_of(*nodes), **figures))


def finding(level: Level, code: Code, where: str, clauses: Iterable[str], **figures: object) -> CheckFinding:
    """Return a finding with explicit clauses."""
    return finding_of(level, where, refuse(code, tuple(dict.fromkeys(clauses)), **figures))


def join_or(items: Iterable[object]) -> str:
    """Return items joined as ``A, B or C``."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} or {last}" if most else last
