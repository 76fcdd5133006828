"""Submission check: every violation of the rulebook with its clause (``fourcard check``)."""

from fourcard.rules.checks.finding import CheckContext, CheckFinding
from fourcard.rules.checks.operations import check_approvals, check_equipment, check_house
from fourcard.rules.checks.progressive import check_progressive
from fourcard.rules.checks.wagers import check_limits, check_positions, check_tables
from fourcard.rules.loading import rulebook
from fourcard.rules.submission import Submission

CHECKS = (
    check_tables,
    check_limits,
    check_positions,
    check_equipment,
    check_house,
    check_approvals,
    check_progressive,
)


def check_submission(submission: Submission) -> tuple[CheckFinding, ...]:
    """Return every finding on a submission, errors first; a submission without errors is valid."""
    context = CheckContext(rulebook(submission.rulebook, submission.edition), submission)
    found = [finding for part in CHECKS for finding in part(context)]
    return tuple(sorted(found, key=lambda finding: finding.level != "error"))
