"""`fourcard check`: every violation of a submission with its clause, and the worst loss of a round."""

from fourcard.rules.checks.approvals import check_approvals
from fourcard.rules.checks.equipment import check_equipment
from fourcard.rules.checks.finding import Case, Finding
from fourcard.rules.checks.house import check_house
from fourcard.rules.checks.limits import check_limits, check_positions
from fourcard.rules.checks.progressive import check_progressive
from fourcard.rules.checks.tables import check_tables
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


def check(submission: Submission) -> tuple[Finding, ...]:
    """Return every finding on a submission, errors first; none of level error means that it is valid."""
    case = Case(rulebook(submission.rulebook, submission.edition), submission)
    found = [finding for part in CHECKS for finding in part(case)]
    return tuple(sorted(found, key=lambda finding: finding.level != "error"))
