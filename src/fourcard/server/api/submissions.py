"""Submission routes: the examples, and the check of a submission against its clauses."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, Parameter

from fourcard.house.auth.identity import printable
from fourcard.refusals import RefusedError
from fourcard.rules.check import check_submission
from fourcard.rules.checks.finding import CheckFinding, finding_of
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.loading import rulebook
from fourcard.rules.posted_sign import SignPanel, posted_sign
from fourcard.rules.staff_duties import Duty, duties
from fourcard.rules.submission import examples, parse_submission, read_submission
from fourcard.rules.worst_case_loss import WorstLoss, worst_loss
from fourcard.server.api.compute_cache import SingleFlightCache
from fourcard.server.api.params import ListPage, not_found
from fourcard.server.error_handlers import error_responses

TAGS = ["rules"]
MAX_SUBMISSION_LENGTH = 100_000
FILE = "The submission"


class Example(msgspec.Struct, frozen=True):
    """An example submission that ships with the system."""

    name: str
    title: str
    rulebook: str


class ExampleText(msgspec.Struct, frozen=True):
    """An example with its text."""

    name: str
    text: str


class SubmissionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission as TOML text."""

    text: Annotated[str, msgspec.Meta(max_length=MAX_SUBMISSION_LENGTH)]


class CheckAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Result of the check; sign, worst loss and duties only for a valid submission."""

    valid: bool
    findings: tuple[CheckFinding, ...]
    sign: tuple[SignPanel, ...] = ()
    submission: str | None = None
    rulebook: str | None = None
    edition: str | None = None
    worst_loss: WorstLoss | None = None
    duties: tuple[Duty, ...] = ()
    game: str | None = None
    """Hash of the resulting game."""


_checked: SingleFlightCache[CheckAnswer] = SingleFlightCache(64, waiting=8)


@get(
    "/api/examples",
    summary="Example submissions",
    tags=TAGS,
    responses=error_responses(429),
    sync_to_thread=True,
)
def list_examples() -> ListPage[Example]:
    """Return the examples that ship with the system."""
    read = ((name, read_submission(path)) for name, path in examples().items())
    return ListPage(tuple(Example(name, found.name, found.rulebook) for name, found in read), None)


@get(
    "/api/examples/{name:str}",
    summary="The text of an example",
    tags=TAGS,
    responses=error_responses(400, 404, 429),
    sync_to_thread=True,
)
def show_example(
    name: Annotated[str, Parameter(max_length=40, description="The name of an example.")],
) -> ExampleText:
    """Return the text of an example."""
    known = examples()
    if name not in known:
        raise not_found(f"no example '{printable(name)}'; there are {', '.join(known)}")
    return ExampleText(name, known[name].read_text(encoding="utf-8"))


@post(
    "/api/check",
    summary="Check a submission",
    tags=TAGS,
    responses=error_responses(400, 413, 429, 503),
    status_code=200,
    sync_to_thread=True,
)
def check(data: JSONBody[SubmissionText]) -> CheckAnswer:
    """Return every violation with its clauses, and the posted sign if the submission is valid.

    Text that cannot be parsed gives a finding too, so that it can be checked while it is written.
    """
    return _checked.get(data.text, lambda: _check(data.text))


def _check(text: str) -> CheckAnswer:
    try:
        read = parse_submission(text, FILE)
        findings = check_submission(read)
        edition = rulebook(read.rulebook, read.edition).edition
    except RefusedError as error:
        return CheckAnswer(valid=False, findings=(finding_of("error", "", error.refusal),))
    valid = all(each.level != "error" for each in findings)
    found = CheckAnswer(
        valid=valid, findings=findings, submission=read.name, rulebook=read.rulebook, edition=edition
    )
    return _with_game_details(found, resolve_game(read)) if valid else found


def _with_game_details(found: CheckAnswer, game: Game) -> CheckAnswer:
    return msgspec.structs.replace(
        found, sign=posted_sign(game), worst_loss=worst_loss(game), duties=duties(game), game=game.hash
    )
