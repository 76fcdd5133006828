"""Submission argument: names a Rules Submission, a file or an example of the package."""

from typing import Annotated

import typer

SUBMISSION = "A submission file, or the name of an example such as 'maryland'."
SubmissionName = Annotated[str, typer.Argument(metavar="SUBMISSION", help=SUBMISSION)]
