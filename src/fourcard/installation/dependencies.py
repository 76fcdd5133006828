"""Dependency check: the packages that fourcard needs, their versions as pinned and their files as installed.

The files are compared with the record that each package was installed with. Files that belong to no package
are findings too: Python would import them, or run them at its start.
"""

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from importlib.machinery import all_suffixes
from pathlib import Path

import msgspec
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fourcard.installation.findings import InstallFinding, compare_file
from fourcard.installation.installed_packages import InstalledPackage, RecordedFile, installed_packages
from fourcard.installation.places import PACKAGE, PINS_NAME, place_of, walk_files

OWN_NAME = "fourcard"


class DependencyResult(msgspec.Struct, frozen=True):
    """What the check of the dependencies looked at."""

    packages: int
    files: int
    other_packages: tuple[str, ...]
    """Installed packages that fourcard does not need, with their versions; their files are not compared."""


def check_dependencies() -> tuple[DependencyResult, tuple[InstallFinding, ...]]:
    """Compare the installed packages with the pinned ones, and their files with their records."""
    every = installed_packages()
    imported = {each.name: each for each in reversed(every)}
    pins, unfit = _read_pins()
    needed = [imported[name] for name in pins if name in imported]
    others = [each for name, each in imported.items() if name not in pins and name != OWN_NAME]
    checked = {each.name: _checked_files(each) for each in (*needed, *_own(imported))}
    findings = (
        *unfit,
        *_compare_versions(pins, imported),
        *(finding for name, files in checked.items() for finding in _compare_files(imported[name], files)),
        *_unowned({file.path for each in every for file in each.files}),
    )
    names = tuple(sorted(f"{each.name} {each.version}" for each in others))
    return DependencyResult(len(needed), sum(map(len, checked.values())), names), findings


def _read_pins() -> tuple[dict[str, str], list[InstallFinding]]:
    """Return the versions of the packages that this machine needs, and the lines that pin no package."""
    file, pins, unfit = place_of(PINS_NAME), dict[str, str](), list[InstallFinding]()
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    for number, line in enumerate(lines, 1):
        if not line or line[0] in " #":
            continue
        try:
            pin = Requirement(line.removesuffix("\\"))
            applies = pin.marker is None or pin.marker.evaluate()
        except ValueError:
            unfit.append(InstallFinding("unreadable", PINS_NAME, f"Line {number} pins no package."))
        else:
            if applies:
                pins[canonicalize_name(pin.name)] = str(pin.specifier).removeprefix("==")
    return pins, unfit


def _own(imported: Mapping[str, InstalledPackage]) -> tuple[InstalledPackage, ...]:
    """Return fourcard's own record, which also has its command."""
    return (imported[OWN_NAME],) if OWN_NAME in imported else ()


def _checked_files(package: InstalledPackage) -> list[RecordedFile]:
    """Return the files that a record has a digest of, without those that fourcard's list has."""
    ignored = f"{OWN_NAME}/" if package.name == OWN_NAME else None
    return [
        each
        for each in package.files
        if each.sha256 is not None and not (ignored and each.name.startswith(ignored))
    ]


def _compare_versions(
    pins: Mapping[str, str], imported: Mapping[str, InstalledPackage]
) -> Iterator[InstallFinding]:
    for name, version in pins.items():
        if name not in imported:
            yield InstallFinding("missing", name, "The package is not installed.", expected=version)
        elif (found := imported[name].version) != version:
            sentence = f"Version {found} is installed, and the release is pinned to {version}."
            yield InstallFinding("version", name, sentence, expected=version, found=found)


def _compare_files(package: InstalledPackage, files: list[RecordedFile]) -> Iterator[InstallFinding]:
    if not files:
        yield InstallFinding("unreadable", package.name, "The package has no record of its files.")
    subject = f"The file of {package.name} {package.version}"
    for each in files:
        difference = compare_file(Path(each.path), each.sha256 or "", each.name, subject, "its record")
        if difference is not None:
            yield difference


def _unowned(owned: set[str]) -> Iterator[InstallFinding]:
    """Yield the files in the folders that Python imports from that belong to no package."""
    for folder in _import_folders():
        for path in _importable_files(folder):
            if str(path) not in owned and PACKAGE not in (path, *path.parents):
                where = path.relative_to(folder).as_posix()
                yield InstallFinding("added", where, f"The file in {folder} belongs to no installed package.")


def _import_folders() -> list[Path]:
    """Return the folders that Python imports from, without those of Python itself."""
    own = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    own |= {f"{folder}/lib-dynload" for folder in own}
    found = dict.fromkeys(os.path.realpath(each) for each in sys.path)
    return [Path(folder) for folder in found if folder not in own and Path(folder).is_dir()]


def _importable_files(folder: Path) -> Iterator[Path]:
    """Yield every file of a folder of packages, or in another folder what Python can import from there."""
    suffixes = tuple(all_suffixes())
    if any(folder.glob("*.dist-info")):
        yield from (path for path in walk_files(folder) if "__pycache__" not in path.parts)
    else:
        for path in sorted(folder.iterdir()):
            if path.name.endswith(suffixes) or (path / "__init__.py").is_file():
                yield path
