"""Stories whose text is the ledger, read once by a person and kept; and the page that says what moves when.

``python -m tests.ledgers.ledger_stories`` writes the stories again.
"""

import re
from collections import Counter
from functools import cache
from typing import get_args

import pytest

from fourcard.house.events import MeterEvent, PlayerEvent
from fourcard.house.ledger import POSTING_RULES
from fourcard.house.reports.table_results import sum_days
from fourcard.house.running_totals import EFFECTS
from fourcard.house.store.interface import Store
from tests.kit.houses import house_with
from tests.kit.support import ROOT
from tests.ledgers.ledger_stories import LedgerStory, StoryError, render_story, story_files
from tests.ledgers.random_days import check_day, check_days, results

STORIES = story_files()
ROW = re.compile(r"\| `(\w+)`[^|]*\| (\w+) \| (\w+) \| `(\w+)` \|")
SILENT = (
    *("player_registered", "chips_bought", "chips_returned", "password_set"),
    *("table_linked", "table_unlinked", "award_taken", "link_closed", "link_opened", "terms_changed"),
    *("adjustment_proposed", "adjustment_rejected", "meter_restored"),
)
"""Events of players' and meters' streams that move nothing, or whose money is posted at the table."""
Row = tuple[str, str, str, str]
"""An event, the families of accounts from which and to which it moves money, and why."""


@cache
def _rendered(name: str) -> tuple[str, LedgerStory]:
    story = LedgerStory()
    return render_story(STORIES[name].read_text(encoding="utf-8"), story), story


def documented() -> set[Row]:
    """Return the rows of the page."""
    page = (ROOT / "docs" / "laboratory" / "ledger.md").read_text(encoding="utf-8")
    return {(event, giver, taker, what) for event, giver, taker, what in ROW.findall(page)}


def posted(store: Store) -> Counter[Row]:
    """Return what the events of a house moved, by the rows of the page."""
    rows: Counter[Row] = Counter()
    with store.reading() as reading:
        kinds = {
            (record.stream, record.sequence): record.kind
            for stream in reading.journal_streams()
            for record in reading.events(stream)
        }
        for each in reading.transfers():
            families = (each.giver.partition("/")[0], each.taker.partition("/")[0])
            rows[kinds[each.stream, each.sequence], *families, each.what] += 1
    return rows


@pytest.mark.parametrize("name", STORIES)
def test_a_ledger_reads_as_it_was_written_down(name: str) -> None:
    text, _ = _rendered(name)
    assert text.splitlines() == STORIES[name].read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", STORIES)
def test_a_ledger_balances_and_its_results_agree_with_its_wagers(name: str) -> None:
    _, story = _rendered(name)
    days = results(story.house)
    for day in (*days, sum_days(days)):
        check_day(day)
    check_days(story.house, days)


def test_a_void_round_leaves_everybody_with_what_they_had() -> None:
    _, story = _rendered("a-void-round")
    balances = story.house.balances()
    units = 1_000_000
    assert (balances["chips/main/ann"], balances["chips/main/bob"]) == (600 * units, 300 * units)
    assert (balances["meter/main"], balances["link/main"]) == (10_000 * units, -10_000 * units)
    assert "reserve/main" not in balances


def test_the_page_names_every_event_that_moves_money() -> None:
    moving = {str(kind.__struct_config__.tag) for kind in POSTING_RULES}  # type: ignore[attr-defined]
    others = {str(kind.__struct_config__.tag) for kind in (*get_args(MeterEvent), *get_args(PlayerEvent))}
    assert {event for event, *_ in documented()} == moving | (others - {*SILENT})


def test_the_page_and_the_results_know_the_same_movements_of_a_table() -> None:
    elsewhere = ("deposit", "withdrawal", "seed", "contribution", "prize", "adjustment")
    rows = {
        (what, giver, taker)
        for event, giver, taker, what in documented()
        if what not in elsewhere and event != "round_taken_back"
    }
    assert rows == {key for key in EFFECTS if key[0] != "withdrawn"}


def test_whatever_is_posted_stands_on_the_page() -> None:
    seen: Counter[Row] = Counter()
    for name in STORIES:
        seen += posted(_rendered(name)[1].house.store)
    for example in ("massachusetts-everything", "washington-everything", "shuffle-master-everything"):
        house = house_with(example, ("ann", "bob", "cal"))
        house.play(house.rehearsal("main", ("ann", "bob", "cal")), 5)
        seen += posted(house.store)
    assert {*seen} <= documented()
    assert len(seen) >= 28
    assert seen.total() > 500


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("the sun shines", "no such sentence is known"),
        ("try ann pays $5 in", "it is not refused"),
        ("ann is paid $5", "There is no player 'ann'"),
    ],
)
def test_a_sentence_that_cannot_be_is_pointed_out(sentence: str, why: str) -> None:
    with pytest.raises(StoryError, match=re.escape(why)):
        render_story(f"A title\n> {sentence}")
