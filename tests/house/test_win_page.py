"""The win page for accounting: one sheet with everything that is known of a win, in HTML and in PDF."""

import re
from collections.abc import Mapping
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fourcard.documents.pdf import REPLACEMENT_NOTE, typeset
from fourcard.house.events import AwardLogged, TableInstalled
from fourcard.house.house import key_beside, use_key
from fourcard.house.journal import METER_CODEC, TABLE_CODEC
from fourcard.house.reports.win_page import (
    BackedOut,
    PayoutDocument,
    Signer,
    WinPage,
    build_win_page,
    win_page_document,
    win_page_facts,
    win_page_html,
    win_page_pdf,
    win_page_refusal,
)
from fourcard.house.store.address import open_store
from fourcard.progressive.console import WinLogged, new_console
from fourcard.rules.cited import Cited
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import Command, said
from tests.kit.support import game

MINUTE = 60_000
LONG = "The surveillance of the pit found that the card had been turned over by a sleeve. " * 2

SIGNER = Signer("sue", "Susan of the Third Shift", "supervisor")


@pytest.fixture
def page(manager: Command) -> WinPage:
    """Return the page of the first win, which took the whole meter."""
    del manager
    return read("link", 1)


def read(meter: str, win: int) -> WinPage:
    """Return a page from the house of the test."""
    with closing(open_store(FILE, writing=False)) as store:
        use_key(store, key_beside(FILE))
        with store.reading() as reading:
            return build_win_page(reading, meter, win)


def words(page: WinPage) -> dict[str, str]:
    """Return every fact of a page by its name."""
    return dict(pair for group in win_page_facts(page) for pair in group.pairs)


class Page(HTMLParser):
    """Reads a page as a browser does: its text, and what it would load."""

    def __init__(self, text: str) -> None:
        """Read it all."""
        super().__init__()
        self.text: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.text.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what is loaded."""
        del tag
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "action")]


def test_a_page_tells_everything_of_a_win(page: WinPage) -> None:
    assert (page.meter, page.win, page.table, page.round, page.position) == ("link", 1, "one", 1, 1)
    assert (page.player, page.player_name) == ("one-1", "One-1")
    assert (page.amount, page.before, page.after, page.seed) == (500_040, 500_040, 500_004, 5_000_000_000)
    told = words(page)
    assert (
        told
        | {
            "Date and time": "2026-01-01 01:00:00 UTC",
            "Table, round": "one, round 1",
            "Position": "1",
            "Rulebook": "Washington, edition printed",
            "Console": "touch",
            "Cards": "As Ah Ad Ac 2c",
            "Hand": "Four of a kind",
            "Row of the paytable": "Four aces",
            "Pays": "100% of meter",
            "Progressive wager": "$1",
            "Award": "$5,000.40",
            "Showed before": "$5,000.40",
            "Paid from the meter": "$5,000.40",
            "Paid from the tray": "$0",
            "New seed from the house": "$5,000",
            "From the reserve": "$0.04",
            "Shows after": "$5,000.04",
            "Marked by": "Dora (dora), dealer",
            "CONFIRM pressed by": "Edith (edith), executive",
            "Card swiped by": "Edith (edith), executive",
            "Meter adjusted": "2026-01-01 01:00:00 UTC",
            "Backed out": "no",
        }
        == told
    )
    assert told["Document"].startswith("2026-01-01 01:00:00 UTC by ")
    assert {"WA-PAY-P1", "WA-NEX-8f.3", "WA-NEX-8f.4", "WA-NEX-8f.7"} <= {*page.clauses}


def test_its_hashes_find_the_events_in_the_journal(page: WinPage) -> None:
    meter, table = page.kept
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        (logged,) = (each for each in reading.events(meter.stream) if each.sequence == meter.sequence)
        *earlier, won = (each for each in reading.events(table.stream) if each.sequence <= table.sequence)
    assert (logged.hash.hex(), won.hash.hex()) == (meter.hash, table.hash)
    event, win = METER_CODEC.decode(logged), TABLE_CODEC.decode(won)
    assert isinstance(event, AwardLogged)
    assert isinstance(win, WinLogged)
    assert event.payment == win.payment == page.payment
    (installed,) = (TABLE_CODEC.decode(each) for each in earlier if each.kind == "table_installed")
    assert isinstance(installed, TableInstalled)
    assert installed.game == page.game_hash


def test_a_fixed_award_from_the_tray_asks_for_no_document(manager: Command) -> None:
    del manager
    told = words(read("link", 2))
    assert (told["Paid from the meter"], told["Paid from the tray"]) == ("$0", "$9")
    assert (told["Showed before"], told["Shows after"]) == ("$5,000.44", "$5,000.44")
    assert told["Document"] == "not asked for"
    assert "New seed from the house" not in told


def test_what_the_tray_paid_for_a_dry_meter_is_told(manager: Command) -> None:
    del manager
    told = words(read("dry", 1))
    assert (told["Paid from the meter"], told["Paid from the tray"]) == ("$10.40", "$289.60")
    assert told["Of it because the meter ran dry"] == "$289.60"


def test_what_must_not_be_overlooked_is_stamped(manager: Command, page: WinPage) -> None:
    del manager
    assert win_page_document(page).stamp == ""
    void, logged = read("link", 3), read("pad", 1)
    assert (win_page_document(void).stamp, void.backed_out.by) == ("Round void", "void")
    assert words(void)["Backed out"] == "2026-01-01 03:00:00 UTC, because the round is void"
    assert "Back-out approved by" not in words(void)
    assert (win_page_document(logged).stamp, logged.adjusted) == ("Meter not adjusted yet", None)
    assert words(logged)["Meter adjusted"] == "not yet"
    paper = msgspec.structs.replace(page, document=PayoutDocument("open"))
    assert win_page_document(paper).stamp == "Not documented yet"


def test_a_win_of_a_round_under_way_is_read_with_the_key_of_the_house(manager: Command) -> None:
    key_beside(FILE).rename("elsewhere.key")
    assert "METER NOT ADJUSTED YET" in said(manager("win-page", "pad", 1, "--key", "elsewhere.key"))
    assert manager("win-page", "pad", 1).sentence == (
        "The win of position 1 in round 1 of table 'pad' is sealed until the round is over; give the key of "
        "the house."
    )


def test_a_win_that_was_backed_out_says_by_which_adjustment(manager: Command) -> None:
    signed = ("--password-file", "password", "--as")
    said(manager("back-out", "link", 1, "--reason", "the cards were misread", *signed, "sue"))
    assert read("link", 1).backed_out == BackedOut()
    said(manager("approve", "link", 1, *signed, "eva"))
    page = read("link", 1)
    assert (page.backed_out.by, page.backed_out.adjustment) == ("adjustment", 1)
    assert words(page)["Backed out"].endswith(" UTC by adjustment 1: the cards were misread")
    assert words(page)["Back-out proposed by"] == "Sue (sue), supervisor"
    assert words(page)["Back-out approved by"] == "Eva (eva), executive"
    assert {"Backed out", "Sue (sue), supervisor", "Eva (eva), executive"} <= {
        *Page(win_page_html(page)).text
    }


def test_the_html_holds_the_page_and_loads_nothing(page: WinPage) -> None:
    text = win_page_html(page)
    read_ = Page(text)
    for name, fact in words(page).items():
        assert name in read_.text
        assert fact in read_.text
    assert [sign for sign in read_.text if sign in "♣♦♥♠"] == ["♠", "♥", "♦", "♣", "♣"]
    assert {"Dealer", "Card swiped, as executive", "Accounting"} <= {*read_.text}
    assert "CONFIRM pressed, as executive" not in read_.text
    by_sue = win_page_html(replace(page, pressed=SIGNER))
    assert {"CONFIRM pressed, as supervisor", "Card swiped, as executive"} <= {*Page(by_sue).text}
    assert "Susan of the Third Shift (sue), supervisor" in Page(by_sue).text
    keypad = Page(win_page_html(replace(page, pressed=None))).text
    assert {"Confirmed by", "Confirmed, as executive"} <= {*keypad}
    assert {*page.clauses} <= {*read_.text}
    assert read_.loads == []
    assert re.findall(r"url\(|@import|<script|<link|<img|https?:", text) == []
    assert "default-src 'none'" in text


def test_no_name_can_write_into_the_html(page: WinPage) -> None:
    evil = "<script>alert('x')</script>"
    text = win_page_html(msgspec.structs.replace(page, player_name=evil, operator=evil, game=evil))
    assert "<script" not in text
    assert evil in "".join(Page(text).text)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"player_name": "Ω" * 80, "operator": "The Casino " * 7},
        {
            "backed_out": BackedOut("adjustment", MINUTE, 12, LONG, SIGNER, SIGNER),
            "clauses": tuple(f"WA-NEX-{number}" for number in range(60)),
        },
        {"player_name": '#set page(width: 1cm) "$x$" *bold* <a> @b \\', "game": "#panic()"},
    ],
    ids=["plain", "long names", "much to say", "markup"],
)
def test_the_pdf_is_one_page_whatever_stands_on_it(page: WinPage, changes: Mapping[str, Any]) -> None:
    made = win_page_pdf(msgspec.structs.replace(page, **changes))
    assert made.startswith(b"%PDF-")
    assert re.findall(rb"/Type\s*/Pages.*?/Count (\d+)", made, re.DOTALL) == [b"1"]


def test_the_pdf_is_the_same_every_time(page: WinPage) -> None:
    assert win_page_pdf(page) == win_page_pdf(page)


@pytest.mark.parametrize("name", ["Eve 李", "李雪 王 😀", "\x07bell", '李\\"', "Zoe\u0301 \U000e0041"])
def test_a_name_that_no_font_has_still_gets_its_pdf(page: WinPage, name: str) -> None:
    made = win_page_pdf(msgspec.structs.replace(page, player_name=name, operator=name))
    assert made.startswith(b"%PDF-")
    assert re.findall(rb"/Type\s*/Pages.*?/Count (\d+)", made, re.DOTALL) == [b"1"]


def test_what_no_font_has_is_a_sign_in_the_pdf_and_itself_in_the_html(
    page: WinPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def typeset_(template: bytes, inputs: dict[str, str]) -> bytes:
        given.append(msgspec.json.decode(inputs["document"]))
        return typeset(template, inputs)

    monkeypatch.setattr("fourcard.documents.pdf.typeset", typeset_)
    named = msgspec.structs.replace(page, player_name="Eve 李")
    win_page_pdf(named)
    first, last = given
    assert dict(first["parts"][0]["blocks"][1]["groups"][0]["pairs"])["Player"] == "Eve 李 (one-1)"
    assert dict(last["parts"][0]["blocks"][1]["groups"][0]["pairs"])["Player"] == "Eve \ufffd (one-1)"
    assert last["footer"] == first["footer"] + REPLACEMENT_NOTE
    assert "Eve 李 (one-1)" in Page(win_page_html(named)).text
    assert REPLACEMENT_NOTE not in win_page_html(named)


def test_the_command_writes_new_files_only(manager: Command, folder: Path) -> None:
    told = said(manager("win-page", "link", 1, "-o", "page.html"))
    assert told == "page.html is the page of win 1 of link: $5,000.40.\n"
    assert (folder / "page.html").read_text(encoding="utf-8") == win_page_html(read("link", 1))
    said(manager("win-page", "link", 1, "--output", "page.PDF"))
    assert (folder / "page.PDF").read_bytes() == win_page_pdf(read("link", 1))
    again = manager("win-page", "link", 2, "-o", "page.html").sentence
    assert again == "page.html already exists, and a win page never overwrites a file. Choose another name."
    assert (folder / "page.html").read_text(encoding="utf-8") == win_page_html(read("link", 1))


def test_the_command_shows_it_on_the_screen_and_in_json(manager: Command) -> None:
    shown = said(manager("win-page", "link", 2))
    assert "Three of a kind, 9 for 1" in shown
    assert "7♠ 7♥ 7♦ K♣ 2♦" in shown
    assert "7s 7h 7d Kc 2d" in shown
    answer = manager("win-page", "link", 2, "--json").answer
    assert (answer["cards"], answer["amount"], answer["hand"]) == ("7s 7h 7d Kc 2d", 900, "three_of_a_kind")
    assert answer["confirmed"] == {"person": "edith", "name": "Edith", "role": "executive"}
    assert answer["kept"][0]["stream"] == "meter/link"


@pytest.mark.parametrize(
    ("example", "kind", "clause"),
    [
        ("shuffle-master-everything", "keypad", "SM-PROG-9e.6"),
        ("washington-everything", "touch", "WA-NEX-8f.7"),
    ],
)
def test_a_console_without_a_page_prints_none(example: str, kind: str, clause: str) -> None:
    made = game(example)
    console = new_console(made)
    assert (console.kind, win_page_refusal(console, made)) == (kind, None)
    rules = made.rulebook.consoles[console.kind]
    without = msgspec.structs.replace(rules, win_page=Cited(value=False, clauses=rules.win_page.clauses))
    book = msgspec.structs.replace(made.rulebook, consoles={console.kind: without})
    refusal = win_page_refusal(console, msgspec.structs.replace(made, rulebook=book))
    assert refusal is not None
    assert (refusal.name, refusal.clauses) == ("win_page_absent", (clause,))
    assert f"does not describe a win page on a {kind} console." in refusal.message
