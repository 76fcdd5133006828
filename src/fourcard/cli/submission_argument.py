"""The argument that names a Rules Submission: a file, or one of the examples that come with the program."""

from typing import Annotated

import typer

SUBMISSION = "A submission file, or the name of an example such as 'maryland'."
SubmissionName = Annotated[str, typer.Argument(metavar="SUBMISSION", help=SUBMISSION)]
