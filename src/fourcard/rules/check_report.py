"""Check report: the findings on a submission, and what its game is if it is valid."""

import msgspec

from fourcard.rules.check import check_submission
from fourcard.rules.checks.finding import CheckFinding
from fourcard.rules.game import resolve_game
from fourcard.rules.loading import rulebook
from fourcard.rules.posted_sign import SignPanel, posted_sign
from fourcard.rules.staff_duties import Duty, duties
from fourcard.rules.submission import Submission
from fourcard.rules.worst_case_loss import WorstLoss, worst_loss


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of the check; sign, worst loss and duties only for a valid submission."""

    submission: str | None = None
    """None if the submission cannot be read, as rulebook and edition are then."""
    rulebook: str | None = None
    edition: str | None = None
    valid: bool
    findings: tuple[CheckFinding, ...]
    worst_loss: WorstLoss | None = None
    duties: tuple[Duty, ...] = ()
    game: str | None = None
    """Hash of the resulting game."""
    fingerprint: str
    sign: tuple[SignPanel, ...] = ()


def check_report(read: Submission, fingerprint: str) -> CheckReport:
    """Check a submission and return everything that is known about it."""
    findings = check_submission(read)
    found = CheckReport(
        submission=read.name,
        rulebook=read.rulebook,
        edition=rulebook(read.rulebook, read.edition).edition,
        valid=all(each.level != "error" for each in findings),
        findings=findings,
        fingerprint=fingerprint,
    )
    if not found.valid:
        return found
    game = resolve_game(read)
    return msgspec.structs.replace(
        found, sign=posted_sign(game), worst_loss=worst_loss(game), duties=duties(game), game=game.hash
    )
