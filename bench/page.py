"""Page benchmark: the size of scripts and styles, the time to the first page, and to the first hand.

Sizes are those of the served files, compressed with gzip -9. The first hand is dealt to a guest in Chromium
who opens the player's link, chooses a table, sits down, places the Ante and has the cards dealt. Keys are
pressed as soon as the page accepts them.
"""

import re
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright
from rich.table import Table as Figures

from bench.measurement import ServerProcess, fourcard_command, free_port, table_of
from fourcard.rules.loading import rulebook_ids
from fourcard.server.static_page import PageFile, page_files
from tests.browser.served_house import BrowserHouse
from tools.chromium import ARGUMENTS, chromium

SCRIPTS_AIM = 150_000
"""Bytes of all scripts together, compressed."""
LISTED = 1_000
"""The compressed size in bytes from which a file has its own line."""
START_LIMIT = 3.0
RUNS = 3
PATIENCE = 30_000
"""Milliseconds to wait for the page."""
ASSET = re.compile(r"(/assets/[^\"]+)")
HASH = re.compile(r"-[\w-]{8}(?=\.\w+$)")
HAND = 5
"""Cards of a player."""
HAND_SHOWN = f"""() => document.querySelectorAll(
  "section.mine [role=group] [role=img]:not([aria-label='a card face down'])").length >= {HAND}"""
KEYS_TAKEN = """() => !document.querySelector("dialog[open]")
  && document.querySelector("section.mine button.spot[aria-label^='Ante']:enabled")"""


def page_weight() -> Figures:
    """Compare the sizes of scripts and styles with the aim for all scripts."""
    figures = table_of(
        f"size of the page, kB; aim {SCRIPTS_AIM / 1e3:.0f} kB of scripts, compressed",
        "file",
        "plain",
        "gzip -9",
        "of the aim",
    )
    found = page_files()
    files = {name: file for name, file in found.items() if name.endswith((".js", ".css"))}
    first = ASSET.findall(found["/index.html"].plain.decode())
    scripts = {name: file for name, file in files.items() if name.endswith(".js")}
    styles = {name: file for name, file in files.items() if name.endswith(".css")}
    for name, file in sorted(files.items(), key=lambda each: -len(each[1].compressed)):
        if len(file.compressed) >= LISTED:
            figures.add_row(_short_name(name), *_sizes([file]))
    small = [file for file in files.values() if len(file.compressed) < LISTED]
    figures.add_row(f"{len(small)} smaller ones", *_sizes(small), end_section=True)
    shown = [file for name, file in files.items() if name in first]
    figures.add_row("scripts and styles of the first page", *_sizes(shown))
    figures.add_row(f"all {len(scripts)} scripts", *_sizes([*scripts.values()]))
    figures.add_row(f"all {len(styles)} styles", *_sizes([*styles.values()]))
    return figures


def _short_name(name: str) -> str:
    """Return a file's name without the hash of its content."""
    return HASH.sub("", name.rpartition("/")[2])


def _sizes(files: list[PageFile]) -> tuple[str, str, str]:
    plain = sum(len(file.plain) for file in files)
    compressed = sum(len(file.compressed) for file in files)
    return f"{plain / 1e3:.1f}", f"{compressed / 1e3:.1f}", f"{compressed / SCRIPTS_AIM:.0%}"


def first_page() -> Figures:
    """Compare the time from the start of `fourcard serve` to its first page with the limit."""
    figures = table_of(
        f"`fourcard serve` from its start to the first page, median of {RUNS}; limit {START_LIMIT:.0f} s",
        "start",
        "seconds",
        "of the limit",
        "of it CPU, s",
    )
    starts = [_starts() for _ in range(RUNS)]
    for place, what in enumerate(("first start, which creates the house", "second start")):
        taken, computed = (median(start[place][which] for start in starts) for which in range(2))
        figures.add_row(what, f"{taken:.2f}", f"{taken / START_LIMIT:.0%}", f"{computed:.2f}")
    return figures


def _starts() -> list[tuple[float, float]]:
    """Return wall-clock and CPU seconds of the first and the second start of a house."""
    with tempfile.TemporaryDirectory() as name:
        return [_start(Path(name)) for _ in range(2)]


def _start(folder: Path) -> tuple[float, float]:
    port = free_port()
    begin = time.perf_counter()
    process = ServerProcess(
        fourcard_command("serve", "--no-browser", "--database", folder / "house.db", "--port", port),
        port,
        folder / "log",
    )
    try:
        return process.answers("/") - begin, process.cpu()
    finally:
        process.end()


def first_hand() -> Figures:
    """Measure how long a guest waits for the first hand, at the default pace and without pauses."""
    tables = [*rulebook_ids()[1:]]
    figures = table_of(
        f"from the player's link to the first hand in Chromium, median of {len(tables)} tables",
        "dealing",
        "tables shown, s",
        "at the table, s",
        "seated, s",
        "hand on the screen, s",
        "slowest hand, s",
    )
    program = chromium()
    if program is None:
        figures.add_row("Chromium is not installed")
        return figures
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        for what, pace in (("at the default pace", 1), ("without pauses", 0)):
            hands = _hands(browser, tables, pace)
            moments = [median(each) for each in zip(*hands, strict=True)]
            slowest = max(hand[-1] for hand in hands)
            figures.add_row(what, *(f"{moment:.2f}" for moment in (*moments, slowest)))
        browser.close()
    return figures


def _hands(browser: Browser, tables: list[str], pace: int) -> list[list[float]]:
    """Return the times of a visit to each table, after a warm-up visit to another."""
    with tempfile.TemporaryDirectory() as name:
        house = BrowserHouse(Path(name), "--pace", str(pace))
        house.start()
        try:
            _visit(browser, house.player, rulebook_ids()[0])
            return [_visit(browser, house.player, table) for table in tables]
        finally:
            house.stop()


def _visit(browser: Browser, link: str, table: str) -> list[float]:
    """Return the seconds until the tables, the table, the seat and the hand were on the screen."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, moments = context.new_page(), list[float]()
    begin = time.perf_counter()

    def reached() -> None:
        moments.append(time.perf_counter() - begin)

    page.goto(link, wait_until="commit")
    page.locator(f"a[href='#/table/{table}']").wait_for()
    reached()
    page.locator(f"a[href='#/table/{table}']").click()
    page.get_by_role("button", name="Sit down").wait_for()
    reached()
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_function(KEYS_TAKEN)
    reached()
    page.keyboard.press("a")
    page.get_by_role("button", name="Deal", exact=True).and_(page.locator(":enabled")).wait_for()
    page.keyboard.press("d")
    page.wait_for_function(HAND_SHOWN)
    reached()
    context.close()
    return moments
