"""Finds a Chromium for the tests of the page, and installs one where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A bare machine has no fonts, and letters would be boxes.
PACKAGES = ("chromium", "fonts-dejavu-core")
# What Debian's Chromium needs to run as root, and to ask nothing of anybody outside.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def main() -> int:
    """Say what is done only where something must be done."""
    if chromium() or _from_the_system() or _from_playwright():
        return 0
    print(
        "There is no Chromium for the browser tests; install the package chromium and try again.",
        file=sys.stderr,
    )
    return 2


def chromium() -> Path | None:
    """Return where a Chromium is that starts: the system's, or the one that Playwright keeps."""
    for name in NAMES:
        found = shutil.which(name)
        if found and _starts(Path(found)):
            return Path(found)
    with sync_playwright() as playwright:
        kept = Path(playwright.chromium.executable_path)
    return kept if kept.exists() and _starts(kept) else None


def _starts(program: Path) -> bool:
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


def _from_the_system() -> bool:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    print("Installing Chromium with apt-get for the browser tests ...", flush=True)
    install = ["apt-get", "-qq", "install", "-y", "--no-install-recommends", *PACKAGES]
    return _ran(["apt-get", "-qq", "update"]) and _ran(install) and chromium() is not None


def _from_playwright() -> bool:
    print("Fetching Chromium with Playwright for the browser tests ...", flush=True)
    return _ran([sys.executable, "-m", "playwright", "install", "chromium"]) and chromium() is not None


def _ran(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
