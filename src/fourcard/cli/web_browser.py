"""Web browser: opens the page of a local house where somebody can see it."""

import os
import sys
import threading
import webbrowser
from pathlib import Path

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
"""Environment variables of which a graphical session on Linux sets one."""
IN_TERMINAL = frozenset(("browsh", "elinks", "links", "links2", "lynx", "w3m", "www-browser"))
"""Browsers that would take the terminal from the server."""


def can_open_browser() -> bool:
    """Return whether a browser opens in a window of its own: not under CI, over SSH or without a display.

    The variable BROWSER names the browser, as for all programs, and then decides alone.
    """
    named = os.environ.get("BROWSER", "").split(os.pathsep)[0].split()
    if os.environ.get("CI") or (named and Path(named[0]).name in IN_TERMINAL):
        return False
    if named:
        return True
    if os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in DISPLAYS)


def open_browser(url: str) -> None:
    """Open a page in the browser without waiting for it; what the browser answers does not matter."""
    threading.Thread(target=webbrowser.open, args=(url,), name="fourcard-browser", daemon=True).start()
