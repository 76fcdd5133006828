"""Data routes: the files that the pages without a house read, such as the terms of every game."""

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from fourcard.house.auth.identity import MAX_SHOWN_LENGTH, printable
from fourcard.odds.trainer_games import TrainerGames
from fourcard.rules.clause_texts import ClauseTexts
from fourcard.rules.dealing_rules import EveryDealing
from fourcard.rules.player_rules import RulebookList, RulebookRules
from fourcard.server.api.params import not_found
from fourcard.server.data_files import DataFile, DataVersion, data_file
from fourcard.server.error_handlers import error_responses

TAGS = ["data"]
AGAIN = "no-cache"
"""A browser may keep a file but must ask each time whether it has changed."""


def send_data_file(request: Request[Any, Any, Any], path: str, found: DataFile | None) -> Response[bytes]:
    """Return a data file, or that the client has it already."""
    if found is None:
        raise not_found(f"no data file '{printable(path, MAX_SHOWN_LENGTH)}'")
    known = found.etag in request.headers.get("if-none-match", "")
    return Response(
        b"" if known else found.content,
        status_code=304 if known else 200,
        media_type="application/json",
        headers={"cache-control": AGAIN, "etag": found.etag},
    )


def _send(request: Request[Any, Any, Any], path: str) -> Response[bytes]:
    return send_data_file(request, path, data_file(path))


@get(
    "/data/games.json",
    summary="The base game of every rulebook",
    tags=TAGS,
    responses={
        **error_responses(429),
        200: ResponseSpec(TrainerGames, description="Every game.", generate_examples=False),
    },
    sync_to_thread=True,
)
def send_games(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the terms of every rulebook's base game, with the hands that win each row of its bonus tables.

    A strength is a place among the 2,535 hands of four cards, from 0 for the weakest.
    """
    return _send(request, "games.json")


@get(
    "/data/dealing.json",
    summary="How every rulebook deals",
    tags=TAGS,
    responses={
        **error_responses(429),
        200: ResponseSpec(EveryDealing, description="Every dealing.", generate_examples=False),
    },
    sync_to_thread=True,
)
def send_dealing(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the rules of dealing and cutting, by which a browser checks a shared round."""
    return _send(request, "dealing.json")


@get(
    "/data/rulebooks.json",
    summary="Every rulebook",
    tags=TAGS,
    responses={
        **error_responses(429),
        200: ResponseSpec(RulebookList, description="Every rulebook.", generate_examples=False),
    },
    sync_to_thread=True,
)
def send_rulebooks(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the list of all rulebooks."""
    return _send(request, "rulebooks.json")


@get(
    "/data/version.json",
    summary="The version of the data files",
    tags=TAGS,
    responses={
        **error_responses(429),
        200: ResponseSpec(DataVersion, description="The version.", generate_examples=False),
    },
    sync_to_thread=True,
)
def send_version(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the program version and the fingerprint of the code and rules that made the data."""
    return _send(request, "version.json")


@get(
    "/data/clauses.json",
    summary="The text of every clause",
    tags=TAGS,
    responses={
        **error_responses(429),
        200: ResponseSpec(ClauseTexts, description="Every text by id.", generate_examples=False),
    },
    sync_to_thread=True,
)
def send_clauses(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the text of every clause, ruling and policy."""
    return _send(request, "clauses.json")


@get(
    "/data/rules/{file:str}",
    summary="The rules of a rulebook for players",
    tags=TAGS,
    responses={
        **error_responses(404, 429),
        200: ResponseSpec(RulebookRules, description="The rules.", generate_examples=False),
    },
    sync_to_thread=True,
)
def send_rules(
    request: Request[Any, Any, Any],
    file: Annotated[str, Parameter(max_length=80, description="A rulebook's id, such as maryland.json.")],
) -> Response[bytes]:
    """Return a rulebook in sentences for players, with their clauses, and how it differs from others."""
    return _send(request, f"rules/{file}")


DATA_ROUTES = (send_games, send_version, send_clauses, send_dealing, send_rulebooks, send_rules)
