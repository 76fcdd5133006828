"""Where an answer comes from: which version, code and rulebooks gave an answer, in one short text.

Two answers with the same fingerprint came from the same rules computed by the same code. It covers every
module of the package and the law as data; the table of proofs and the kit of test rounds, which follow from
them, are left out.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from fourcard.version import __version__

SHOWN = 12
LAW = (".toml", "clauses.csv")


@cache
def fingerprint() -> str:
    """Return version, code and rulebooks, such as ``fourcard 0.1.1 code 1f0e... rules 9a3c...``."""
    package = files("fourcard")
    code = _digest((name, file) for name, file in _walk(package) if name.endswith(".py"))
    law = _digest((name, file) for name, file in _walk(package / "rulebooks") if name.endswith(LAW))
    return f"fourcard {__version__} code {code} rules {law}"


def _walk(folder: Traversable, place: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        name = f"{place}/{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, name)
        else:
            yield name, entry


def _digest(found: Iterator[tuple[str, Traversable]]) -> str:
    """Return the beginning of the SHA-256 over names and contents, line ends made the same everywhere."""
    total = hashlib.sha256()
    for name, file in found:
        content = file.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()[:SHOWN]
