"""Data files: what pages read that need no house, made once and the same on a site without a server."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, partial

import msgspec

from fourcard.fingerprints import fingerprint
from fourcard.odds.trainer_games import trainer_games
from fourcard.rules.clause_texts import clause_texts
from fourcard.rules.loading import rulebook_ids
from fourcard.rules.player_rules import rulebook_list, rulebook_rules
from fourcard.version import __version__


class DataFile(msgspec.Struct, frozen=True):
    """One data file, encoded."""

    content: bytes
    etag: str
    """Changes with the content, so that a browser need not fetch what it has; compressing keeps it."""


class DataVersion(msgspec.Struct, frozen=True):
    """The program version, and the fingerprint of the code and rules that made the data."""

    version: str
    fingerprint: str


@cache
def data_makers() -> Mapping[str, Callable[[], msgspec.Struct]]:
    """Return what makes each data file, by its path below ``data/``."""
    return {
        "games.json": trainer_games,
        "version.json": lambda: DataVersion(__version__, fingerprint()),
        "clauses.json": clause_texts,
        "rulebooks.json": rulebook_list,
        **{f"rules/{name}.json": partial(rulebook_rules, name) for name in rulebook_ids()},
    }


@cache
def data_file(path: str) -> DataFile | None:
    """Return a data file, or None if there is none at this path."""
    make = data_makers().get(path)
    if make is None:
        return None
    content = msgspec.json.encode(make())
    return DataFile(content, f'W/"{hashlib.sha256(content).hexdigest()[:32]}"')
