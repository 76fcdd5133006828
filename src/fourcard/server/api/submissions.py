"""Submission routes: the examples, and the check of a submission against its clauses."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, Parameter

from fourcard.fingerprints import fingerprint
from fourcard.house.auth.identity import printable
from fourcard.refusals import RefusedError
from fourcard.rules.check_report import CheckReport, check_report
from fourcard.rules.checks.finding import finding_of
from fourcard.rules.submission import examples, parse_submission, read_submission
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


_checked: SingleFlightCache[CheckReport] = SingleFlightCache(64, waiting=8)


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
def check(data: JSONBody[SubmissionText]) -> CheckReport:
    """Return every violation with its clauses, and the posted sign if the submission is valid.

    Text that cannot be parsed gives a finding too, so that it can be checked while it is written.
    """
    return _checked.get(data.text, lambda: _check(data.text))


def _check(text: str) -> CheckReport:
    try:
        return check_report(parse_submission(text, FILE), fingerprint())
    except RefusedError as error:
        fault = finding_of("error", "", error.refusal)
        return CheckReport(valid=False, findings=(fault,), fingerprint=fingerprint())
