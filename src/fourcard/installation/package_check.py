"""Package check: every file of the package against the list, and nothing besides."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from fourcard.installation.compiled_files import compiled_names, is_compiled_from
from fourcard.installation.file_list import FileList
from fourcard.installation.findings import InstallFinding, compare_file, digest_of
from fourcard.installation.places import LIST_NAME, package_files, place_of
from fourcard.rulebooks import is_rulebook, rulebook_id

RULEBOOK_FOLDER = "fourcard/rulebooks/"


class InstalledRulebook(msgspec.Struct, frozen=True):
    """Rulebook of the installation, with the digest of its file."""

    id: str
    sha256: str | None
    """None where the file cannot be read."""
    released: bool
    """Whether the file is that of the release."""


class PackageResult(msgspec.Struct, frozen=True):
    """What the check of the package looked at, and what it found."""

    files: int
    compiled: int
    rulebooks: tuple[InstalledRulebook, ...]
    findings: tuple[InstallFinding, ...]


def check_package(listed: FileList) -> PackageResult:
    """Compare the files of the package with the list."""
    present = [name for name in package_files() if name != LIST_NAME]
    sources = compiled_names(listed.digests)
    compiled = {name: sources[name] for name in present if name in sources}
    added = [name for name in present if name not in listed.digests and name not in compiled]
    findings = (*_compare_listed(listed), *map(_added, added), *_compare_compiled(compiled))
    rulebooks = tuple(_installed_rulebook(name, listed) for name in present if _rulebook(name))
    return PackageResult(len(listed.digests), len(compiled), rulebooks, findings)


def _compare_listed(listed: FileList) -> Iterator[InstallFinding]:
    for name, digest in listed.digests.items():
        difference = compare_file(place_of(name), digest, name, _subject(name), "the release")
        if difference is not None:
            yield replace(difference, rulebook=_rulebook(name))


def _added(name: str) -> InstallFinding:
    return InstallFinding("added", name, f"{_subject(name)} is not part of the release.", _rulebook(name))


def _compare_compiled(compiled: dict[str, tuple[str, int]]) -> Iterator[InstallFinding]:
    for name, (source, level) in compiled.items():
        if not is_compiled_from(place_of(name), place_of(source), level):
            yield InstallFinding("compiled", name, f"The compiled file does not hold the code of {source}.")


def _installed_rulebook(name: str, listed: FileList) -> InstalledRulebook:
    digest = digest_of(place_of(name))
    released = digest is not None and digest == listed.digests.get(name)
    return InstalledRulebook(rulebook_id(Path(name).name), digest, released)


def _subject(name: str) -> str:
    rulebook = _rulebook(name)
    return f"The rulebook '{rulebook}'" if rulebook else "The file"


def _rulebook(name: str) -> str | None:
    """Return the id of the rulebook that a file holds, if it is one."""
    file = name.removeprefix(RULEBOOK_FOLDER)
    is_one = name.startswith(RULEBOOK_FOLDER) and "/" not in file and is_rulebook(file)
    return rulebook_id(file) if is_one else None
