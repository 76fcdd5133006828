"""Chromium, a served house, and windows in it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from fourcard.odds.table import all_states
from tests.browser.serving import Served
from tests.browser.watching import DESKTOP, PATIENCE, Window
from tools.chromium import ARGUMENTS, chromium

Opening = Callable[..., Window]
QUICK = ("--pace", "0.1")
"""The dealer hurries; the order of things stays as it is."""
UNHURRIED = ("--wagering", "300", "--deciding", "300")
"""People have more time than the slowest machine takes to act for two of them."""


@pytest.fixture(scope="session", autouse=True)
def _solved() -> None:
    """Solve the game before a house is served, which would say so, and answer later."""
    all_states()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start one Chromium for all tests."""
    program = chromium()
    assert program is not None, "There is no Chromium; `make test` installs one."
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield started
        started.close()


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """Serve a house in a folder."""
    house = Served(folder, *options)
    house.start()
    try:
        yield house
    finally:
        house.stop()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve one house to the tests of a file; everybody who comes is another guest."""
    with serving(tmp_path_factory.mktemp("house"), *QUICK) as house:
        yield house


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[Served]:
    """Serve a house to one test alone, which may do with it what it wants; no bots sit down."""
    with serving(tmp_path, *QUICK, *UNHURRIED, "--bots", "0") as house:
        yield house


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opening]:
    """Open windows at a link of a house; a fault in any of them fails the test."""
    with ExitStack() as stack:

        def opening(house: Served, link: str | None = None, size: ViewportSize = DESKTOP) -> Window:
            window = Window(browser, house.address, size)
            stack.callback(window.close)
            window.page.goto(house.player if link is None else link)
            return window

        yield opening
