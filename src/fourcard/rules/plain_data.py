"""Plain data of rulebooks and games, as it is stored, and its hash."""

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from fourcard.money import Odds
from fourcard.rules.cited import Cents
from fourcard.rules.rulebook import Rulebook


def plain_data(data: msgspec.Struct) -> Any:
    """Return a struct as plain data: amounts, odds and shares as numbers and texts."""
    return msgspec.to_builtins(data, enc_hook=_plain, str_keys=True)


def _plain(value: object) -> object:
    """Encode amounts, odds and shares as plain numbers and texts."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Cents):
        return int(value)
    if isinstance(value, Odds | Fraction):
        return str(value)
    raise TypeError(f"a game cannot hold {value!r}")


def canonical_json(plain: object) -> bytes:
    """Return plain data as the JSON that is hashed: each object a list of pairs, sorted by key."""
    return msgspec.json.encode(canonical(plain))


def canonical(value: object) -> object:
    """Return plain data with sorted keys; only the rows of a paytable keep their order."""
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if isinstance(value, dict):
        return [
            (key, list(item.items()) if key == "pays" else canonical(item))
            for key, item in sorted(value.items())
        ]
    return value


def rulebook_hash(rulebook: Rulebook) -> str:
    """Return the SHA-256 of a rulebook in one edition."""
    return hashlib.sha256(canonical_json(plain_data(rulebook))).hexdigest()
