"""A wheel of this code, and real installations of it together with all the packages that it needs."""

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import msgspec

from tests.kit.support import ROOT
from tools.sbom import python_parts, version

PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True)
class BuiltWheel:
    """A wheel, and what the build wrote next to it."""

    wheel: Path
    list: Path
    sbom: Path


def build_wheel(folder: Path) -> BuiltWheel:
    """Build a wheel of the working tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    name = f"fourcard-{version()}"
    return BuiltWheel(wheel, folder / f"{name}.sha256", folder / f"{name}.cdx.json")


@dataclass(frozen=True)
class Installed:
    """An environment with fourcard and what it needs, and nothing else."""

    folder: Path

    @property
    def site(self) -> Path:
        """Return the folder of packages."""
        return self.folder / "lib" / PYTHON / "site-packages"

    def run(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the installed command, without the settings of this process."""
        command = [str(self.folder / "bin" / name) for name in ("python", "fourcard")]
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        command += map(str, arguments)
        settings = {**kept, "PYTHONDONTWRITEBYTECODE": "1", **environment}
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env=settings)

    def verify(self, *arguments: object, **environment: str) -> Any:
        """Return the JSON report of a verification, whose status agrees with it."""
        done = self.run("verify-install", "--json", *arguments, **environment)
        assert done.stderr == ""
        report = msgspec.json.decode(done.stdout)
        assert done.returncode == (0 if report["clean"] else 1)
        return report


def install(wheel: Path, folder: Path) -> Installed:
    """Install a wheel as a user does; the packages it needs are links to those of this environment."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    uv = [
        str(Path(sys.executable).parent / "uv"),
        "pip",
        "install",
        "-q",
        "--python",
        str(folder / "bin" / "python"),
    ]
    options = ["--offline", "--no-deps", "--compile-bytecode", "--link-mode", "copy"]
    subprocess.run([*uv, *options, str(wheel)], check=True)
    installed = Installed(folder)
    for name in {part.name for part in python_parts()}:
        _link_package(name, installed.site)
    return installed


def _link_package(name: str, site: Path) -> None:
    try:
        found = distribution(name)
    except PackageNotFoundError:  # only other systems need it
        return
    for file in found.files or ():
        if "__pycache__" not in file.parts:
            link = Path(os.path.normpath(site / file))
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(Path(str(found.locate_file(file))).resolve())
