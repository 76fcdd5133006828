"""Fingerprint of an answer: the version, code and rulebooks that produced it, in one short text.

Two answers with the same fingerprint came from the same rules and code. It covers every module of the
package and the rulebooks, also those of one's own; the proofs table and the lab kit, which are derived, are
left out.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from fourcard.rulebooks import own_folder
from fourcard.version import __version__

DIGEST_LENGTH = 12
LAW = (".toml", "clauses.csv")


@cache
def fingerprint() -> str:
    """Return version, code and rulebooks, such as ``fourcard 0.2.0 code 1f0e... rules 9a3c...``."""
    package = files("fourcard")
    code = _digest((name, file) for name, file in _walk(package) if name.endswith(".py"))
    law = _digest((name, file) for name, file in _walk(package / "rulebooks") if name.endswith(LAW))
    folder = own_folder()
    own = () if folder is None else ((name, file) for name, file in _walk(folder) if name.endswith(LAW))
    added = "" if folder is None else f" own rules {_digest(iter(own))}"
    return f"fourcard {__version__} code {code} rules {law}{added}"


def _walk(folder: Traversable, place: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{place}/{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, name)
        else:
            yield name, entry


def _digest(files_by_name: Iterator[tuple[str, Traversable]]) -> str:
    """Return the beginning of the SHA-256 over names and contents, line ends made the same everywhere."""
    total = hashlib.sha256()
    for name, file in files_by_name:
        content = file.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()[:DIGEST_LENGTH]
