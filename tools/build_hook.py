"""Build hook: builds the page, and gives a wheel the list of its files and its bill of materials.

The list and the bill of materials are also written next to the wheel, so that they can be kept elsewhere.
"""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelHook(BuildHookInterface[Any]):
    """Runs the same scripts as the Makefile; an editable install needs none of them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or stop the build with the script's message; then describe the wheel."""
        if version == "editable":
            return
        self._run_tool("page.py")
        if self.target_name == "wheel":
            self._run_tool("sbom.py", self.directory)
            name = Path(self.directory).resolve() / f"fourcard-{self.metadata.version}"
            build_data["sbom_files"].append(f"{name}.cdx.json")
            build_data["force_include"][self._write_list(f"{name}.sha256")] = "fourcard/files.sha256"

    def _run_tool(self, *command: str) -> None:
        script, *arguments = command
        path = Path(self.root) / "tools" / script
        done = subprocess.run([sys.executable, path, *arguments], check=False, stdout=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(done.returncode)

    def _write_list(self, path: str) -> str:
        """Write the SHA-256 of every file of the wheel in the form that `sha256sum -c` reads."""
        included = self.build_config.builder.recurse_included_files()
        files = {Path(each.distribution_path).as_posix(): Path(each.path) for each in included}
        lines = [
            f"{hashlib.sha256(files[name].read_bytes()).hexdigest()}  {name}\n" for name in sorted(files)
        ]
        Path(path).write_text(f"# fourcard {self.metadata.version}\n{''.join(lines)}", encoding="utf-8")
        return path
