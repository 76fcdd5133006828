"""Tables of money: a narrow terminal cuts and splits no amount, and wide ones show what they always did."""

import re

import pytest
from rich import box
from rich.console import Console
from rich.table import Table

from fourcard.cli import house_reports, manager_adjustments, manager_meters, manager_reports
from fourcard.cli.output import print_table
from tests.kit.commands import Command, said

AMOUNT = re.compile(r"-?\$[\d,]+(?:\.\d+)?")
MANAGER = [
    ("report", "--by", "day"),
    ("report", "--by", "table"),
    ("report", "--by", "meter"),
    ("history",),
    ("adjustments",),
    ("meters",),
    ("meter", "link"),
    ("jackpots",),
    ("tables",),
    ("alerts",),
]

PRINTING = (
    house_reports,
    manager_adjustments,
    manager_meters,
    manager_meters,
    manager_reports,
    manager_reports,
)


def narrowed(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Let commands print as on a terminal of some columns."""
    for module in PRINTING:
        monkeypatch.setattr(module, "console", lambda: terminal(width))


def terminal(width: int) -> Console:
    """Return a terminal of some columns."""
    return Console(highlight=False, emoji=False, width=width)


def amounts(text: str) -> list[str]:
    """Return every amount of a text, in order of their kind."""
    return sorted(AMOUNT.findall(text))


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("command", MANAGER, ids=" ".join)
def test_every_amount_stands_whole(
    manager: Command, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], width: int
) -> None:
    signed = ("--password-file", "password", "--as", "sue")
    said(manager("back-out", "link", 1, "--reason", "the cards were misread", *signed))
    wide = said(manager(*command))
    narrowed(monkeypatch, width)
    narrow = said(manager(*command))
    assert amounts(narrow) == amounts(wide)
    assert "…" not in narrow


@pytest.mark.parametrize("width", [40, 80])
def test_the_results_of_tables_stand_whole(
    house: Command, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    said(house("rehearse", "--rounds", 3, "--tables", 2))
    wide = said(house("results"))
    narrowed(monkeypatch, width)
    narrow = said(house("results"))
    assert amounts(narrow) == amounts(wide)
    assert "…" not in narrow


def table() -> Table:
    """Return a table of many amounts and a text."""
    made = Table(box=box.SIMPLE_HEAD)
    made.add_column("why", overflow="fold")
    for number in range(8):
        made.add_column(f"figure {number}", justify="right")
    made.add_row("a text of some length that can well be folded", *["$25,000.40"] * 8)
    return made


def drawn(width: int) -> list[str]:
    """Return the lines of the table on a terminal of some columns."""
    out = terminal(width)
    with out.capture() as caught:
        print_table(out, table())
    return caught.get().splitlines()


def test_a_narrow_terminal_gets_the_lines_of_a_pipe() -> None:
    assert drawn(60) == drawn(80) == drawn(120)
    assert max(map(len, drawn(80))) <= 120


@pytest.mark.parametrize("width", [120, 160, 200])
def test_a_wide_terminal_gets_what_it_always_got(width: int) -> None:
    out = terminal(width)
    with out.capture() as caught:
        out.print(table())
    assert drawn(width) == caught.get().splitlines()


def test_a_text_folds_where_the_figures_fit() -> None:
    narrow = Table(box=box.SIMPLE_HEAD)
    narrow.add_column("why", overflow="fold")
    narrow.add_column("amount", justify="right")
    narrow.add_row("a text of some length that can well be folded " * 3, "$25,000.40")
    out = terminal(60)
    with out.capture() as caught:
        print_table(out, narrow)
    assert max(map(len, caught.get().splitlines())) <= 60
    assert "$25,000.40" in caught.get()
