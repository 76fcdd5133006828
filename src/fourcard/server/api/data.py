"""Data routes: the files that the pages without a house read, such as the terms of every game."""

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler
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


def _file_route(file: str, answer: type, summary: str, description: str) -> HTTPRouteHandler:
    """Return the route of one data file."""

    def send(request: Request[Any, Any, Any]) -> Response[bytes]:
        return send_data_file(request, file, data_file(file))

    return get(
        f"/data/{file}",
        summary=summary,
        description=description,
        tags=TAGS,
        responses={
            **error_responses(429),
            200: ResponseSpec(answer, description=summary, generate_examples=False),
        },
        sync_to_thread=True,
    )(send)


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
    path = f"rules/{file}"
    return send_data_file(request, path, data_file(path))


DATA_ROUTES = (
    _file_route(
        "games.json",
        TrainerGames,
        "The base game of every rulebook",
        "Return the terms of every rulebook's base game, with the hands that win each row of its bonus "
        "tables. A strength is a place among the 2,535 hands of four cards, from 0 for the weakest.",
    ),
    _file_route(
        "dealing.json",
        EveryDealing,
        "How every rulebook deals",
        "Return the rules of dealing, by which a browser checks a shared round.",
    ),
    _file_route(
        "rulebooks.json",
        RulebookList,
        "Every rulebook",
        "Return the list of all rulebooks.",
    ),
    _file_route(
        "version.json",
        DataVersion,
        "The version of the data files",
        "Return the program version and the fingerprint of the code and rules that made the data.",
    ),
    _file_route(
        "clauses.json",
        ClauseTexts,
        "The text of every clause",
        "Return the text of every clause, ruling and policy.",
    ),
    send_rules,
)
