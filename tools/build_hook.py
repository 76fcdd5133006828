"""Build hook: builds the page before it goes into a wheel or a source archive."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Runs the same script as the Makefile; an editable install does not build the page."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the page, or stop the build with the script's message."""
        if version == "editable":
            return
        script = Path(self.root) / "tools" / "page.py"
        done = subprocess.run([sys.executable, script], check=False)
        if done.returncode:
            sys.exit(done.returncode)
