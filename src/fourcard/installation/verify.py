"""Verification of an installation: the package and its dependencies, in one report."""

from pathlib import Path

import msgspec

from fourcard.installation.dependencies import DependencyResult, check_dependencies
from fourcard.installation.file_list import FileList, read_list
from fourcard.installation.findings import InstallFinding
from fourcard.installation.package_check import InstalledRulebook, check_package
from fourcard.installation.places import IS_CLONE, PACKAGE, shipped_list
from fourcard.rulebooks import own_folder
from fourcard.version import __version__

CANNOT_DETECT = (
    "A changed fourcard, Python or system that hides its changes: check also with sha256sum from elsewhere.",
    "Changed records of the dependencies: compare their archives with the pinned SHA-256.",
    "Changed compiled files (__pycache__) of the dependencies.",
)
LIST_INSIDE = (
    "A list changed together with the files: compare its SHA-256 with a published one, or use --list."
)


class InstallReport(msgspec.Struct, frozen=True):
    """Result of a verification: what was looked at, what differs, and what cannot be detected."""

    version: str
    folder: str
    clone: bool
    """Whether fourcard runs from a clone of the source code instead of an installed wheel."""
    list_file: str
    list_sha256: str
    files: int
    compiled: int
    rulebooks: tuple[InstalledRulebook, ...]
    own_rulebooks: str | None
    """The folder of rulebooks of one's own, which are not part of the release."""
    dependencies: DependencyResult | None
    """None where they were left out."""
    findings: tuple[InstallFinding, ...]
    cannot_detect: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """Return whether nothing differs."""
        return not self.findings


def verify_installation(kept_list: Path | None, *, dependencies: bool) -> InstallReport:
    """Compare the installation with the list that it carries, or with one that was kept elsewhere."""
    listed = read_list(kept_list or shipped_list())
    folder = own_folder()
    package = check_package(listed)
    needed, differences = check_dependencies() if dependencies else (None, ())
    return InstallReport(
        version=__version__,
        folder=str(PACKAGE),
        clone=IS_CLONE,
        list_file=listed.file,
        list_sha256=listed.sha256,
        files=package.files,
        compiled=package.compiled,
        rulebooks=package.rulebooks,
        own_rulebooks=None if folder is None else str(folder),
        dependencies=needed,
        findings=(*_other_release(listed), *package.findings, *differences),
        cannot_detect=CANNOT_DETECT if kept_list else (LIST_INSIDE, *CANNOT_DETECT),
    )


def _other_release(listed: FileList) -> tuple[InstallFinding, ...]:
    if listed.version == __version__:
        return ()
    sentence = f"The list is of fourcard {listed.version}, and {__version__} is installed."
    return (InstallFinding("version", "fourcard", sentence, expected=listed.version, found=__version__),)
