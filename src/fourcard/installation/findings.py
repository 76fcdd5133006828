"""Findings of an installation check, and the comparison of one file with its digest."""

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

Difference = Literal["changed", "missing", "added", "unreadable", "compiled", "version"]


class InstallFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference between what is installed and the release."""

    what: Difference
    where: str
    """A file from the folder of installed packages, or the name of a package."""
    sentence: str
    rulebook: str | None = None
    """The id of the rulebook, where the file is one."""
    expected: str | None = None
    found: str | None = None
    """The SHA-256 of the release and of the file, or the versions of a package."""


def digest_of(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal digits; None where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def compare_file(path: Path, expected: str, where: str, subject: str, source: str) -> InstallFinding | None:
    """Return how a file differs from the digest that its source gives, if it does."""
    found = digest_of(path)
    if found == expected:
        return None
    if found is not None:
        sentence = f"{subject} differs from {source}."
        return InstallFinding("changed", where, sentence, expected=expected, found=found)
    if path.exists():
        return InstallFinding("unreadable", where, f"{subject} cannot be read.", expected=expected)
    return InstallFinding("missing", where, f"{subject} is missing.", expected=expected)
