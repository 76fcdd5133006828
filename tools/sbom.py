"""Software bill of materials: writes what fourcard needs to run as CycloneDX 1.6 JSON.

It lists the pinned packages of requirements/run.txt and the packages whose code is in the built page, each
with version, licence and the digests of its archives. The same inputs give the same bytes. It uses only the
standard library, because the build hook of the wheel runs it too.
"""

import base64
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
PINS = ROOT / "requirements" / "run.txt"
LICENCES = ROOT / "requirements" / "licences.toml"
LOCK = ROOT / "web" / "package-lock.json"
PAGE_LICENCES = ROOT / "src" / "fourcard" / "server" / "page" / "licences.json"
VERSION = ROOT / "src" / "fourcard" / "version.py"
OWN = "fourcard"
DIRECT = "-r requirements/run.in"
"""How requirements/run.txt says that fourcard itself needs a package."""
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
NEEDED_BY = re.compile(r"^ +#(?: via)? +(\S.*)$")


class SbomError(Exception):
    """Why there can be no bill of materials, in one sentence."""


@dataclass(frozen=True)
class Part:
    """Package that fourcard contains or needs."""

    ecosystem: str
    name: str
    version: str
    licence: str
    hashes: tuple[str, ...]
    """SHA-256 (Python) or SHA-512 (page) of each archive of this version."""
    needed_by: tuple[str, ...]
    """The names of the parts that need it, and of fourcard where it does itself."""
    marker: str = ""
    """On which machines it is needed, if not on all."""

    @property
    def purl(self) -> str:
        """Return the package URL, which names a package without a host."""
        return f"pkg:{self.ecosystem}/{quote(self.name, safe='/')}@{self.version}"


def main(arguments: list[str]) -> int:
    """Write the bill of materials into a folder and print its path."""
    if len(arguments) != 1:
        print("Give the folder to write to: python tools/sbom.py FOLDER", file=sys.stderr)
        return 2
    try:
        text = sbom_text()
    except SbomError as problem:
        print(problem, file=sys.stderr)
        return 2
    path = Path(arguments[0]) / f"fourcard-{version()}.cdx.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(path)
    return 0


def sbom_text() -> str:
    """Return the bill of materials."""
    found = [*python_parts(), *page_parts()]
    own = f"pkg:pypi/fourcard@{version()}"
    component = {"type": "application", "bom-ref": own, "name": OWN, "version": version(), "purl": own}
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component, "licenses": _licences("MIT")}},
        "components": [_component(part) for part in found],
        "dependencies": list(_dependencies(own, found)),
    }
    return json.dumps(whole, indent=1) + "\n"


def version() -> str:
    """Return the version of fourcard."""
    found = re.search(r'__version__ = "(.+)"', VERSION.read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def python_parts() -> list[Part]:
    """Return the pinned packages, or fail on one whose licence is unknown."""
    licences = tomllib.loads(LICENCES.read_text(encoding="utf-8"))
    parts = []
    for lines in _pinned(PINS.read_text(encoding="utf-8").splitlines()):
        pin = PIN.match(lines[0])
        if pin is None:
            raise SbomError(f"requirements/run.txt has a line that is not a pinned package: {lines[0]}")
        if pin[1] not in licences:
            raise SbomError(f"requirements/licences.toml has no licence for {pin[1]}.")
        hashes = tuple(HASH.findall("\n".join(lines)))
        needed_by = tuple(match[1].replace(DIRECT, OWN) for line in lines if (match := NEEDED_BY.match(line)))
        parts.append(Part("pypi", pin[1], pin[2], licences[pin[1]], hashes, needed_by, pin[3] or ""))
    return parts


def _pinned(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines of each pinned package: its version, its digests, and what needs it."""
    starts = [number for number, line in enumerate(lines) if line and line[0] not in " #"]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start:end]


def page_parts() -> list[Part]:
    """Return the packages whose code is in the page, as the bundler reports them."""
    if not PAGE_LICENCES.is_file():
        raise SbomError("The page is not built; run 'make setup'.")
    locked = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    bundled = json.loads(PAGE_LICENCES.read_text(encoding="utf-8"))
    named = {each["name"]: locked[f"node_modules/{each['name']}"] for each in bundled}
    needs = {OWN: locked[""]} | named
    parts = []
    for each in bundled:
        name, lock = each["name"], named[each["name"]]
        if (lock["version"], lock["license"]) != (each["version"], each["identifier"]):
            raise SbomError(f"The page holds {name} {each['version']}, and package-lock.json another one.")
        needed_by = tuple(other for other, one in needs.items() if name in one.get("dependencies", {}))
        digest = base64.b64decode(lock["integrity"].removeprefix("sha512-")).hex()
        parts.append(Part("npm", name, each["version"], each["identifier"], (digest,), needed_by))
    return parts


def _component(part: Part) -> dict[str, Any]:
    algorithm = {"pypi": "SHA-256", "npm": "SHA-512"}[part.ecosystem]
    marker = {"properties": [{"name": "fourcard:marker", "value": part.marker}]} if part.marker else {}
    return {
        "type": "library",
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "scope": "optional" if part.marker else "required",
        "hashes": [{"alg": algorithm, "content": digest} for digest in part.hashes],
        "licenses": _licences(part.licence),
        "purl": part.purl,
        **marker,
    }


def _licences(expression: str) -> list[dict[str, Any]]:
    if " " in expression:
        return [{"expression": expression, "acknowledgement": "declared"}]
    return [{"license": {"id": expression, "acknowledgement": "declared"}}]


def _dependencies(own: str, parts: list[Part]) -> Iterator[dict[str, Any]]:
    """Yield what fourcard and each part depend on."""
    yield {"ref": own, "dependsOn": [part.purl for part in parts if OWN in part.needed_by]}
    for part in parts:
        needs = [
            each.purl for each in parts if each.ecosystem == part.ecosystem and part.name in each.needed_by
        ]
        yield {"ref": part.purl, "dependsOn": needs}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
