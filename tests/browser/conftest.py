"""Fixtures: one Chromium, served houses, and browser windows."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from fourcard.odds.states_cache import all_states
from tests.browser.browser_window import DESKTOP, TIMEOUT, BrowserWindow
from tests.browser.served_house import BrowserHouse
from tools.chromium import ARGUMENTS, chromium

OpenWindow = Callable[..., BrowserWindow]
QUICK = ("--pace", "0.1")
"""A fast auto-dealer."""
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Lets Chromium reach this machine only."""
UNHURRIED = ("--wagering", "300", "--deciding", "300")
"""Time limits that even a slow machine meets when it acts for two players."""


@pytest.fixture(scope="session", autouse=True)
def _solve_game() -> None:
    """Solve the game before a house is served; otherwise the coach would have to wait."""
    all_states()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start one Chromium for all tests of the browser.

    It ends with them: while it is driven, its driver keeps an event loop, and other tests could not have one.
    """
    program = chromium()
    assert program is not None, "There is no Chromium; `make test` installs one."
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=[*ARGUMENTS, NO_OTHER_HOST])
        yield started
        started.close()


@contextmanager
def serve_house(folder: Path, *options: str, **environment: str) -> Iterator[BrowserHouse]:
    """Serve a house from a folder."""
    house = BrowserHouse(folder, *options, **environment)
    house.start()
    try:
        yield house
    finally:
        house.stop()


@pytest.fixture(scope="package")
def running_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve one house for all these tests; every window is a new guest, who leaves the table at the end."""
    with serve_house(tmp_path_factory.mktemp("house"), *QUICK) as house:
        yield house


@pytest.fixture(scope="module")
def fresh_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house for one file whose checks read what a table did or shuffled before."""
    with serve_house(tmp_path_factory.mktemp("fresh"), *QUICK) as house:
        yield house


@pytest.fixture(scope="package")
def quiet_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve one house without bots for all these tests; every window is a new guest, as above."""
    with serve_house(tmp_path_factory.mktemp("quiet"), *QUICK, *UNHURRIED, "--bots", "0") as house:
        yield house


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[BrowserHouse]:
    """Serve a house without bots for one test, which stops it."""
    with serve_house(tmp_path, *QUICK, *UNHURRIED, "--bots", "0") as house:
        yield house


@contextmanager
def _windows(browser: Browser) -> Iterator[OpenWindow]:
    """Open windows at a link of a house; a fault in any window fails the test."""
    with ExitStack() as stack:

        def opening(
            house: BrowserHouse, link: str | None = None, size: ViewportSize = DESKTOP
        ) -> BrowserWindow:
            window = BrowserWindow(browser, house.address, size)
            stack.callback(window.close)
            window.page.goto(house.player if link is None else link)
            return window

        yield opening


@pytest.fixture
def open_window(browser: Browser) -> Iterator[OpenWindow]:
    """Open windows for one test."""
    with _windows(browser) as opening:
        yield opening


@pytest.fixture(scope="module")
def open_window_for_file(browser: Browser) -> Iterator[OpenWindow]:
    """Open windows for all tests of one file."""
    with _windows(browser) as opening:
        yield opening
