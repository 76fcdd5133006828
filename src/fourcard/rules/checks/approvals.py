"""Checks on approvals: who approved what, and which rules of play."""

from collections.abc import Iterator

from fourcard.refusals import Code
from fourcard.rules.checks.finding import Case, Finding, error, listed, warning
from fourcard.rules.rulebook import ApprovalCase, Rulebook
from fourcard.rules.rulings import settings


def check_approvals(case: Case) -> Iterator[Finding]:
    """Require each approval that applies, and the approved rules of play."""
    operator = case.submission.operator
    kinds = operator_kinds(case.rulebook)
    if kinds and operator.kind is None:
        cited = [rule for rule in case.rulebook.approvals.values() if rule.value in kinds]
        yield error(Code.OPERATOR_KIND_MISSING, "operator.kind", *cited)
    for name in operator.approvals:
        if name not in case.rulebook.approvals:
            cited = list(case.rulebook.approvals.values())
            figures = {"name": name, "known": listed(case.rulebook.approvals)}
            yield error(Code.APPROVAL_UNKNOWN, "operator.approvals", *cited, **figures)
    for name, rule in case.rulebook.approvals.items():
        if _applies(rule.value, case) and name not in operator.approvals:
            figures = {"name": name, "case": rule.value.replace("-", " ")}
            yield error(Code.APPROVAL_MISSING, "operator.approvals", rule, **figures)
    yield from _rules_of_play(case)


def operator_kinds(book: Rulebook) -> set[ApprovalCase]:
    """Return the operator kinds that a rulebook distinguishes in its approvals."""
    return {rule.value for rule in book.approvals.values()} & {"commercial", "tribal"}


def _applies(when: ApprovalCase, case: Case) -> bool:
    submission = case.submission
    if when == "shuffler":
        return submission.shuffler is not None
    if when == "progressive":
        return case.offers("progressive")
    if when == "reshuffling-device":
        return submission.shuffler is not None and submission.shuffler.reshuffles
    if when == "other-tip-box-place":
        return submission.layout is not None and submission.layout.tip_box == "other"
    return when in ("always", submission.dealing.method, submission.operator.kind)


def _rules_of_play(case: Case) -> Iterator[Finding]:
    """Check the approved rules of play, and warn that changes may affect approval."""
    rules = case.rulebook.rules_of_play
    if rules is None:
        return
    named = case.submission.operator.rules_of_play
    if named != rules.date.value:
        figures = {"date": rules.date.value, "value": named or "none"}
        yield error(Code.RULES_OF_PLAY, "operator.rules_of_play", rules.date, **figures)
    changes = list(_changes(case))
    if changes and rules.changes_may_affect_approval.value:
        node = rules.changes_may_affect_approval
        yield warning(Code.CHANGE_MAY_AFFECT_APPROVAL, "submission", node, changes=", ".join(changes))


def _changes(case: Case) -> Iterator[str]:
    """Yield the changes of a submission from the approved text and its default reading."""
    for name, value in case.submission.settings.items():
        if name in settings() and value != settings()[name][1].default:
            yield f"the setting {name}"
