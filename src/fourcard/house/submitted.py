"""Submission parser: turns the text of a submission into its game."""

from fourcard.errors import BadInputError
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import parse_submission


def submitted(text: str) -> Game | Refusal:
    """Return the game of a submission, or a refusal."""
    try:
        return resolve_game(parse_submission(text))
    except RefusedError as error:
        return error.refusal
    except BadInputError as error:
        return refuse(Code.SUBMISSION_REFUSED, reason=str(error).rstrip("."))
