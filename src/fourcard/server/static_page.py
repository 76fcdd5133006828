"""Static page: the built web files, served from memory and compressed once."""

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.params import Parameter

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse

MEDIA_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
}
FOR_EVER, NEVER = "public, max-age=31536000, immutable", "no-cache"
MISSING = "The page is not built; run 'make setup'."


class PageFile(msgspec.Struct, frozen=True):
    """One file of the page."""

    type: str
    plain: bytes
    compressed: bytes
    immutable: bool
    """Whether its name changes with its content, so that browsers may cache it for ever."""


@cache
def page_files() -> Mapping[str, PageFile]:
    """Return every file of the page by its path."""
    folder = files("fourcard.server").joinpath("page")
    return dict(_files_below(folder, "")) if folder.is_dir() else {}


def _files_below(folder: Traversable, path: str) -> list[tuple[str, PageFile]]:
    found = list[tuple[str, PageFile]]()
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if each.is_dir():
            found += _files_below(each, name)
        elif each.name.rpartition(".")[2] in MEDIA_TYPES:
            plain = each.read_bytes()
            kind, lasting = MEDIA_TYPES[each.name.rpartition(".")[2]], name.startswith("/assets/")
            found.append((name, PageFile(kind, plain, gzip.compress(plain, 9), lasting)))
    return found


def _file_response(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    found = page_files().get(name)
    if found is None:
        raise RefusedError(refuse(Code.NOTHING_HERE, what=MISSING if name == "/index.html" else name[:80]))
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": FOR_EVER if found.immutable else NEVER, "vary": "accept-encoding"}
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(found.compressed if packed else found.plain, media_type=found.type, headers=headers)


@get("/", include_in_schema=False, media_type=MediaType.HTML)
async def show_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the page."""
    return _file_response(request, "/index.html")


@get("/icon.svg", include_in_schema=False)
async def show_icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the page's icon."""
    return _file_response(request, "/icon.svg")


@get("/assets/{name:str}", include_in_schema=False)
async def show_asset(
    request: Request[Any, Any, Any], name: Annotated[str, Parameter(max_length=200)]
) -> Response[bytes]:
    """Return a script or style sheet of the page."""
    return _file_response(request, f"/assets/{name}")


PAGE_ROUTES = (show_page, show_icon, show_asset)
