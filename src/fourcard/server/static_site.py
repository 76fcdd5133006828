"""Static site: the trainer's pages and their data as files for any web host, without a server behind them."""

import shutil
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path

from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.refusals import BadInputError
from fourcard.server.data_files import data_file, data_makers
from fourcard.server.static_page import MISSING, page_files

START, ENTRY = "index.html", "/site.html"
"""The first page of the site, and its name among the files of the page."""
LICENSE, PACKAGES = "LICENSE.txt", "licences.json"
ASSETS = "/assets/"


def site_files(step: ProgressCallback = no_progress) -> dict[str, bytes]:
    """Return every file of the site by its path, the same ones for the same version."""
    return {
        START: _page_file(ENTRY),
        "icon.svg": _page_file("/icon.svg"),
        PACKAGES: _page_file(f"/{PACKAGES}"),
        LICENSE: (distribution("fourcard").read_text(f"licenses/{LICENSE.partition('.')[0]}") or "").encode(),
        **{name.removeprefix("/"): _page_file(name) for name in _used_assets()},
        **{f"data/{path}": _data(path, step) for path in data_makers()},
    }


def _page_file(name: str) -> bytes:
    found = page_files().get(name)
    if found is None:
        raise BadInputError(MISSING)
    return found.plain


def _data(path: str, step: ProgressCallback) -> bytes:
    found = data_file(path)
    assert found is not None, "every data file is made"
    step(1 / len(data_makers()))
    return found.content


def _used_assets() -> list[str]:
    """Return the scripts and styles that the site's first page needs, directly or through another."""
    assets = [name for name in page_files() if name.startswith(ASSETS)]
    found: dict[str, None] = {}
    waiting = [ENTRY]
    while waiting:
        text = _page_file(waiting.pop())
        for name in assets:
            if name not in found and name.removeprefix(ASSETS).encode() in text:
                found[name] = None
                waiting.append(name)
    return sorted(found)


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds other files than a site."""
    if folder.exists() and not _is_replaceable(folder):
        raise BadInputError(f"{folder} has other files than a site. Choose a new folder.")


def write_site(folder: Path, step: ProgressCallback = no_progress) -> Mapping[str, bytes]:
    """Write the site into a folder of its own, in place of an earlier one; return its files."""
    check_folder(folder)
    files = site_files(step)
    aside = folder.with_name(f".{folder.name}-new")
    shutil.rmtree(aside, ignore_errors=True)
    for path, content in files.items():
        target = aside / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)
    return files


def _is_replaceable(folder: Path) -> bool:
    """Return whether a folder is empty or has a site in it."""
    return folder.is_dir() and (not any(folder.iterdir()) or (folder / "data" / "version.json").is_file())
