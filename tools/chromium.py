"""Chromium: finds a browser for the page's tests, and installs one if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Without a font package, letters would be drawn as boxes.
PACKAGES = ("chromium", "fonts-dejavu-core")
# Debian's Chromium needs these to run as root without network access.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=PaintHolding,SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI",
)


def main() -> int:
    """Find or install a Chromium; print only if something must be installed."""
    if chromium() or _from_the_system() or _from_playwright():
        return 0
    print(
        "There is no Chromium for the browser tests; install the package chromium and try again.",
        file=sys.stderr,
    )
    return 2


def chromium() -> Path | None:
    """Return the path of a Chromium that starts: the system's, or Playwright's."""
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
