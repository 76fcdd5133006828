"""Data files: what pages read that need no house, made once and the same on a site without a server."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, partial

import msgspec

from fourcard.answers import json_bytes
from fourcard.fingerprints import fingerprint
from fourcard.odds.strategy_data import strategy_files
from fourcard.odds.trainer_games import trainer_games
from fourcard.rules.clause_texts import clause_texts
from fourcard.rules.dealing_rules import dealing_rules
from fourcard.rules.loading import rulebook_ids
from fourcard.rules.player_rules import rulebook_list, rulebook_rules
from fourcard.version import __version__

STRATEGY_FOLDER = "strategy"


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
def data_makers() -> Mapping[str, Callable[[], bytes]]:
    """Return what makes each data file, by its path below ``data/``."""
    answers: dict[str, Callable[[], msgspec.Struct]] = {
        "games.json": trainer_games,
        "version.json": lambda: DataVersion(__version__, fingerprint()),
        "clauses.json": clause_texts,
        "dealing.json": dealing_rules,
        "rulebooks.json": rulebook_list,
        **{f"rules/{name}.json": partial(rulebook_rules, name) for name in rulebook_ids()},
    }
    return {
        **{path: partial(_encoded, make) for path, make in answers.items()},
        **{f"{STRATEGY_FOLDER}/{name}": make for name, make in strategy_files()},
    }


def _encoded(make: Callable[[], msgspec.Struct]) -> bytes:
    return json_bytes(make())


@cache
def data_file(path: str) -> DataFile | None:
    """Return a data file, or None if there is none at this path."""
    make = data_makers().get(path)
    if make is None:
        return None
    content = make()
    return DataFile(content, f'W/"{hashlib.sha256(content).hexdigest()[:32]}"')
