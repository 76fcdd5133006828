"""Static site: written the same each time, and every page works from a plain file server in a folder."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from fourcard.rules.loading import rulebook_ids
from fourcard.server.data_files import data_file, data_makers
from fourcard.version import __version__
from tests.browser.browser_window import PHONE, BrowserWindow
from tests.browser.page_checks import faults_everywhere
from tests.browser.shared_rounds import SharingScript, source_of
from tests.browser.test_calculator_page import EIGHTS, expect_answer
from tests.kit.shufflers import proven
from tests.kit.waiting import PROCESS_PATIENCE

FOLDER = "games/trainer"
PLAIN_TYPES = {".html", ".js", ".css", ".json", ".svg", ".txt"}
PAGES = ("calculator", "drills", "daily", "strategy", "shared", "settings", "rules", "rules/maryland")
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|\bon\w+=", re.IGNORECASE)


def write_site(folder: Path, status: int = 0) -> str:
    """Run the command, which must end with a status, and return what it said."""
    done = subprocess.run(
        [str(Path(sys.executable).parent / "fourcard"), "site", str(folder)],
        capture_output=True,
        text=True,
        timeout=PROCESS_PATIENCE,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout or done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host") / FOLDER
    assert "Put the folder on any web host." in " ".join(write_site(folder).split())
    return folder


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Serve a folder as any plain file server does, and give its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def window(site: Path, browser: Browser) -> Iterator[BrowserWindow]:
    """Open a window that fails when a page asks for anything outside its folder, or for what is not there."""
    with serve_files(site.parents[1]) as address:
        opened = BrowserWindow(browser, f"{address}/{FOLDER}")
        opened.page.goto(f"{opened.address}/")
        yield opened
        opened.close()


def test_a_site_is_written_the_same_again_and_only_in_a_folder_of_its_own(site: Path, tmp_path: Path) -> None:
    before = contents(site)
    write_site(site)
    assert contents(site) == before
    (tmp_path / "letters.txt").write_text("mine", encoding="utf-8")
    assert "Choose a new folder." in write_site(tmp_path, status=2)
    assert contents(tmp_path) == {"letters.txt": b"mine"}


def test_a_site_is_complete_and_plain(site: Path) -> None:
    found = contents(site)
    assert {Path(path).suffix for path in found} == PLAIN_TYPES
    start = found["index.html"].decode()
    assert not INLINE.search(start)
    assert "default-src 'self'" in start, "a browser may load from elsewhere"
    assert b"MIT License" in found["LICENSE.txt"]
    assert msgspec.json.decode(found["data/version.json"])["version"] == __version__
    for path in data_makers():
        made = data_file(path)
        assert made is not None
        assert found[f"data/{path}"] == made.content
    assert {f"data/rules/{name}.json" for name in rulebook_ids()} <= {*found}
    scripts = b"".join(content for path, content in found.items() if path.endswith(".js"))
    assert b"WebSocket" not in scripts, "the live table is part of the site"


def test_a_shared_round_checks_itself_without_a_server(window: BrowserWindow, tmp_path: Path) -> None:
    source = source_of(proven("maryland", (1, 2, 3)), 2)
    assert source is not None
    (shared,) = SharingScript.in_folder(tmp_path).share([source])
    page = window.page
    page.goto(f"{window.address}/#/shared?round={shared['link']}")
    expect(page.get_by_role("status").get_by_text("Checked.")).to_be_visible()
    expect(page.get_by_role("article", name="Player, position 2")).to_be_visible()
    page.goto(f"{window.address}/#/shared?round={shared['link'][:-6]}")
    expect(page.get_by_role("alert")).to_contain_text("This link is damaged")


def test_every_page_works_without_a_server(window: BrowserWindow) -> None:
    page = window.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn Four Card Poker")
    expect(page.get_by_role("contentinfo")).to_contain_text(f"fourcard {__version__}")
    assert faults_everywhere(page) == {}
    for place in PAGES:
        page.goto(f"{window.address}/#/{place}")
        expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        window.wait_until_idle()
        expect(page.get_by_role("alert")).to_have_count(0)
    page.goto(f"{window.address}/#/table/maryland")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_a_position_is_counted_looked_up_and_drilled_without_a_server(window: BrowserWindow) -> None:
    page = window.page
    page.get_by_role("main").get_by_role("link", name="Calculator").click()
    page.get_by_role("textbox", name="Cards as text").fill("8s 8d Qh 5c 2s / Kd")
    page.get_by_role("combobox", name="Rules").select_option("Washington")
    page.get_by_role("combobox", name="Automatic Bonus").select_option("FCP-04")
    expect_answer(page, EIGHTS)
    page.get_by_role("link", name="Strategy chart: pair of eights against K").click()
    expect(page.get_by_role("gridcell")).to_have_count(16 * 13)
    expect(page.get_by_role("radio", name="My accuracy")).to_have_count(0)
    for name in ("Drills", "Daily Ten"):
        page.get_by_role("navigation", name="Learn").get_by_role("link", name=name).press("Enter")
        expect(page.get_by_role("button", name="Play 1x")).to_be_visible()
        page.keyboard.press("1")
        expect(page.get_by_role("region", name="Feedback")).to_contain_text("Play 1x")
        expect(page.get_by_role("button", name="Next hand")).to_be_focused()


def test_rules_and_their_clauses_are_read_without_a_server(window: BrowserWindow) -> None:
    page = window.page
    page.set_viewport_size(PHONE)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Rules").press("Enter")
    page.get_by_role("link", name="Catfish Bend").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Four Card Poker: Catfish Bend")
    page.get_by_role("button", name="Show clauses").press("Enter")
    page.get_by_role("link", name="IA-RANK-3.3").first.press("Enter")
    expect(page.get_by_role("blockquote")).to_contain_text("tie")
    page.get_by_role("link", name="Back").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Four Card Poker: Catfish Bend")
