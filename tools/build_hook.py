"""Has the page built before it goes into a wheel or a source archive."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Calls the script that the Makefile calls; an editable install leaves the page as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the page, or stop the build with the script's own sentence."""
        if version == "editable":
            return
        script = Path(self.root) / "tools" / "page.py"
        done = subprocess.run([sys.executable, script], check=False)
        if done.returncode:
            sys.exit(done.returncode)
