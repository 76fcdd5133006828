"""PAR sheet route: the sheet of a table's game or an example, as PDF, HTML or JSON."""

from typing import Annotated, Literal

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from fourcard.house.auth.identity import Actor
from fourcard.house.house import House
from fourcard.odds.par_sheet.document import SheetFormat, render_sheet
from fourcard.odds.par_sheet.sheet import par_sheet
from fourcard.odds.par_sheet.wager_sections import cover_all_section
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import examples, read_submission
from fourcard.rules.worst_case_loss import worst_loss
from fourcard.server.api.compute_cache import SingleFlightCache, Solver
from fourcard.server.api.game_lookup import table_game
from fourcard.server.api.params import OPTIONAL_SIGN_IN, check_signed_in, not_found
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories
from fourcard.server.error_handlers import error_responses

MEDIA: dict[SheetFormat, str] = {
    "pdf": "application/pdf",
    "html": "text/html",
    "json": "application/json",
}
PRECISION, SEED = 0.002, 1
"""Precision and seed of the Cover All estimate, as in `fourcard par`."""
_sheets: SingleFlightCache[bytes] = SingleFlightCache(16)
SheetSource = Literal["table", "example"]


@get(
    "/api/par/{name:str}",
    summary="The PAR sheet of a table or an example",
    tags=["odds"],
    responses={
        **error_responses(400, 401, 404, 429, 503),
        200: ResponseSpec(
            bytes, description="The sheet.", media_type="application/pdf", generate_examples=False
        ),
    },
    security=OPTIONAL_SIGN_IN,
    sync_to_thread=True,
)
def show_par(
    house: NamedDependency[House],
    solver: NamedDependency[Solver],
    reports: NamedDependency[Reports],
    visitor: NamedDependency[Actor | None],
    name: Annotated[str, Parameter(max_length=40, description="The name of a table, or of an example.")],
    format: Annotated[SheetFormat, Parameter(description="File format.")] = "pdf",  # noqa: A002  name of the query parameter
    of: Annotated[
        SheetSource | None,
        Parameter(
            description="What the name refers to; default: a table, else an example. Tables need a sign-in."
        ),
    ] = None,
) -> Response[bytes]:
    """Return every wager of a game counted exactly, as a document for a laboratory."""
    game = _game(house, visitor, name, of)
    solver.states()
    content = _sheets.get((game.hash, format), lambda: reports.odds.run(write_sheet, game, format))
    headers = {"Content-Disposition": f'attachment; filename="par-{name}.{format}"'}
    return Response(content, media_type=MEDIA[format], headers=headers)


def _game(house: House, visitor: Actor | None, name: str, of: SheetSource | None) -> Game:
    """Return the game of a table, or of an example if there is no such table."""
    known = examples()
    open_to_all = of == "example" or (of is None and visitor is None and name in known)
    if not open_to_all:
        check_signed_in(visitor)
        try:
            return table_game(house.store, name)
        except RefusedError as error:
            if of == "table" or error.refusal.code is not Code.NO_SUCH_TABLE:
                raise
    if name not in known:
        raise not_found(f"no table or example has this name; examples are {', '.join(known)}")
    return resolve_game(read_submission(known[name]))


def write_sheet(_histories: Histories, game: Game, form: SheetFormat) -> bytes:
    """Count every wager of a game and write the sheet."""
    estimated = game.offers("cover_all")
    section = cover_all_section(game, worst_loss(game), PRECISION, SEED) if estimated else None
    return render_sheet(par_sheet(game, section), form)
