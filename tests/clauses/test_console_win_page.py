"""The page of a win: printed from the log on, with everything that accounting needs of the payout."""

import pytest
from msgspec.structs import replace

from fourcard.cards import cards_text
from fourcard.house.reports.win_page import (
    WinPage,
    build_win_page,
    win_page_html,
    win_page_pdf,
    win_page_refusal,
)
from fourcard.refusals import RefusedError
from fourcard.round.commands import CompleteDocument
from tests.kit.consoles import (
    CONFIRMING,
    RUN,
    SM,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    on_consoles,
)

PAGES = on_consoles("SM-PROG-9e.6", "WA-PROG-8f.6", "WA-NEX-8f.7")


def page(at: ConsoleTable, number: int = 1) -> WinPage:
    """Return the page of a win of the table's meter."""
    with at.house.store.reading() as reading:
        return build_win_page(reading, at.name, number)


def no_page(at: ConsoleTable, number: int = 1) -> str:
    """Return why there is no page."""
    with pytest.raises(RefusedError) as refused:
        page(at, number)
    return refused.value.refusal.name


@pytest.mark.parametrize(("clause", "setup"), PAGES)
def test_a_page_of_the_win_is_printed_from_the_log_on(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    shown = at.meter.displayed
    at.mark()
    at.do(CONFIRMING[at.kind][0])
    assert no_page(at) == "win_absent"
    logs = CONFIRMING[at.kind][1]
    at.do(replace(logs, role="executive") if at.kind == "touch" else logs)
    logged = page(at)
    assert (logged.adjusted is None) == (at.kind == "keypad")
    if at.kind == "keypad":
        at.do(RUN)
    assert page(at).document.state == "open"
    at.do(CompleteDocument(position=1, role="supervisor"))
    printed = page(at)
    assert (printed.win, printed.meter, printed.table, printed.round) == (1, "main", "main", 1)
    assert (printed.position, printed.player, printed.player_name) == (1, "p1", "P1")
    assert (printed.row, printed.odds, printed.stake) == ("four_aces", "100% of meter", 100)
    assert printed.cards == cards_text(at.meter.last_wins[0].logged.cards)
    assert (printed.amount, printed.before, printed.payment.from_tray) == (shown, shown, 0)
    signed = [each.person for each in (printed.marked, printed.pressed, printed.confirmed) if each]
    assert signed == (["dora", "susan", "edith"] if at.kind == "touch" else ["dora", "susan"])
    assert printed.document.state == "completed"
    assert clause in printed.clauses
    assert no_page(at, 2) == "win_absent"
    at.finish()
    at.end()
    html = win_page_html(page(at))
    for told in (f"${shown // 100:,}.{shown % 100:02}", "Dora", "Susan", "P1", clause):
        assert told in html


@pytest.mark.parametrize(
    ("clause", "setup"), [("SM-PROG-9e.6", SM), ("WA-PROG-8f.6", WA_KEYPAD), ("WA-NEX-8f.7", WA_TOUCH)]
)
def test_a_console_that_prints_no_page_says_so(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup)
    game, console = at.table.game, at.console
    assert win_page_refusal(console, game) is None
    rules = game.rulebook.consoles[setup.kind]
    none = replace(rules, win_page=replace(rules.win_page, value=False))
    silent = replace(game, rulebook=replace(game.rulebook, consoles={setup.kind: none}))
    refusal = win_page_refusal(console, silent)
    assert refusal is not None
    assert (refusal.name, refusal.clauses) == ("win_page_absent", (clause,))


@pytest.mark.clause("SM-PROG-9e.6")
def test_the_page_is_a_file_for_a_printer_too() -> None:
    at = at_award(SM)
    at.mark()
    at.confirm()
    assert win_page_pdf(page(at)).startswith(b"%PDF-")
