"""Bill of materials and licences: complete, valid, the same every time, and no licence unknown."""

import re
from collections.abc import Mapping
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.licenses import canonicalize_license_expression

from tests.kit.built_wheel import build_wheel
from tests.kit.support import ROOT
from tools import licences, sbom
from tools.check_words import REGISTRY

SAME_LICENCE: Mapping[str, tuple[str, ...]] = {
    "Apache Software License": ("Apache-2.0",),
    "BSD": ("BSD-2-Clause", "BSD-3-Clause"),
    "BSD License": ("BSD-2-Clause", "BSD-3-Clause"),
    "ISC License": ("ISC",),
    "ISC License (ISCL)": ("ISC",),
    "MIT License": ("MIT",),
    "Mozilla Public License 2.0 (MPL 2.0)": ("MPL-2.0",),
}
"""What the older forms of metadata say, in SPDX terms."""


def bill() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(sbom.sbom_text())
    return found


def declared(about: PackageMetadata) -> list[tuple[str, ...]]:
    """Return what the metadata of a package says about its licence, each with the terms it can mean."""
    if "License-Expression" in about:
        return [(about["License-Expression"],)]
    classifiers = [
        each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if "License ::" in each
    ]
    named = "".join(about.get_all("License") or ()).strip().splitlines()[:1]
    said = classifiers or named
    return [SAME_LICENCE.get(each, (each,)) for each in said]


def test_the_bill_is_valid_cyclonedx() -> None:
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert validator.validate_str(sbom.sbom_text()) is None
    assert validator.validate_str(sbom.sbom_text().replace("SHA-256", "SHA-255", 1)) is not None


def test_the_bill_names_every_pinned_package_and_the_parts_of_the_page() -> None:
    pinned = re.findall(r"^([a-z0-9-]+)==(\S+)", sbom.PINS.read_text(encoding="utf-8"), re.MULTILINE)
    named = {each["purl"] for each in bill()["components"]}
    assert len(pinned) > 55
    assert {f"pkg:pypi/{name}@{version}" for name, version in pinned} <= named
    assert {each.split("@")[0] for each in named if ":npm/" in each} == {"pkg:npm/svelte", "pkg:npm/clsx"}
    assert len(named) == len(pinned) + 2


def test_every_component_has_licence_digests_and_a_place_in_the_graph() -> None:
    found = bill()
    pins = sbom.PINS.read_text(encoding="utf-8")
    needs = {each["ref"]: each["dependsOn"] for each in found["dependencies"]}
    for each in found["components"]:
        assert each["licenses"]
        assert each["hashes"]
        if each["hashes"][0]["alg"] == "SHA-256":
            assert all(f"sha256:{digest['content']}" in pins for digest in each["hashes"])
    assert sum(len(each["hashes"]) for each in found["components"]) == pins.count("--hash=") + 2
    reached, open_refs = set[str](), [found["metadata"]["component"]["bom-ref"]]
    while open_refs:
        ref = open_refs.pop()
        if ref not in reached:
            reached.add(ref)
            open_refs += needs[ref]
    assert reached == set(needs)
    altair = next(ref for ref in needs if "/altair@" in ref)
    assert {ref.split("@")[0] for ref in needs[altair]} >= {"pkg:pypi/jinja2", "pkg:pypi/packaging"}


def test_the_bill_has_no_host_no_path_and_no_time() -> None:
    text = sbom.sbom_text()
    assert not REGISTRY.search(text)
    assert "://" not in text
    assert str(ROOT) not in text
    assert "timestamp" not in text


def test_wheels_carry_the_bill_and_are_the_same_every_time(tmp_path: Path) -> None:
    first, second = build_wheel(tmp_path / "1"), build_wheel(tmp_path / "2")
    assert first.wheel.read_bytes() == second.wheel.read_bytes()
    assert first.list.read_bytes() == second.list.read_bytes()
    with ZipFile(first.wheel) as wheel:
        (carried,) = (name for name in wheel.namelist() if ".dist-info/sboms/" in name)
        assert wheel.read(carried) == first.sbom.read_bytes() == sbom.sbom_text().encode()


def test_the_licences_are_those_that_the_packages_declare() -> None:
    checked = 0
    for part in sbom.python_parts():
        try:
            about = metadata(part.name)
        except PackageNotFoundError:
            assert part.marker
            continue
        said = declared(about)
        assert said, f"{part.name} declares no licence"
        terms = part.licence.split(" OR ") if "License-Expression" not in about else [part.licence]
        named = set().union(*said)
        assert set(terms) <= named, f"{part.name}: {part.licence}, declared {said}"
        checked += 1
    assert checked >= 55


def test_every_licence_is_known_and_allowed() -> None:
    parts = [*sbom.python_parts(), *sbom.page_parts()]
    assert len(parts) > 60
    assert list(licences.problems(parts)) == []
    assert all(canonicalize_license_expression(part.licence) == part.licence for part in parts)


@pytest.mark.parametrize(
    ("ecosystem", "licence"), [("pypi", "AGPL-3.0-only"), ("pypi", "MIT AND Proprietary"), ("npm", "MPL-2.0")]
)
def test_a_licence_outside_the_list_is_a_problem(ecosystem: str, licence: str) -> None:
    (problem,) = licences.problems([sbom.Part(ecosystem, "new", "1.0", licence, (), ("fourcard",))])
    assert problem.startswith("new 1.0 has the licence '")


def test_a_package_without_licence_stops_the_bill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pins = tmp_path / "run.txt"
    pins.write_text(f"{sbom.PINS.read_text(encoding='utf-8')}new-package==1.0 \\\n", encoding="utf-8")
    monkeypatch.setattr(sbom, "PINS", pins)
    with pytest.raises(sbom.SbomError, match=r"licences.toml has no licence for new-package\."):
        sbom.sbom_text()


def test_the_page_of_licences_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert licences.main([]) == 0, capsys.readouterr().err
    page = licences.PAGE.read_text(encoding="utf-8")
    assert all(f"| {part.name} | {part.version} | {part.licence} |" in page for part in sbom.python_parts())
