"""Installed packages: names, versions, and the record of files that each was installed with."""

import base64
import csv
import os
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions

import msgspec
from packaging.utils import canonicalize_name

RECORD = "RECORD"


class RecordedFile(msgspec.Struct, frozen=True):
    """One line of a record."""

    name: str
    """The path from the folder of packages."""
    path: str
    """The absolute path."""
    sha256: str | None
    """In hexadecimal digits; empty where the record has an invalid one, None where it has none."""


class InstalledPackage(msgspec.Struct, frozen=True):
    """Package in a folder that Python imports from."""

    name: str
    version: str
    files: tuple[RecordedFile, ...]


def installed_packages() -> list[InstalledPackage]:
    """Return every installed package; of several with one name, the first is the one that Python imports."""
    return [package for each in distributions() if (package := _read(each)) is not None]


def _read(found: Distribution) -> InstalledPackage | None:
    metadata = found.metadata
    if "Name" not in metadata or "Version" not in metadata:
        return None
    name = canonicalize_name(metadata["Name"])
    return InstalledPackage(name, metadata["Version"], tuple(_recorded_files(found)))


def _recorded_files(found: Distribution) -> Iterator[RecordedFile]:
    folder = os.path.realpath(str(found.locate_file("")))
    for row in csv.reader((found.read_text(RECORD) or "").splitlines()):
        name, digest, *_ = [*row, "", ""]
        path = os.path.normpath(f"{folder}/{name}")
        yield RecordedFile(name, path, _hexadecimal(digest) if digest else None)


def _hexadecimal(recorded: str) -> str:
    """Return a recorded SHA-256 in hexadecimal digits, or an empty text, which matches no file."""
    algorithm, _, value = recorded.partition("=")
    try:
        return base64.urlsafe_b64decode(f"{value}=").hex() if algorithm == "sha256" else ""
    except ValueError:
        return ""
