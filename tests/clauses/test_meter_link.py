"""The link between tables and their meter: lost, closed between games, and opened again on the same terms."""

import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import ChangeTerms, CloseLink, InstallTable, OpenLink
from fourcard.progressive.console import ReportLink
from fourcard.round.events import ProgressiveLocked
from fourcard.table.commands import CloseTable
from tests.kit.consoles import (
    CONFIRMING,
    MA_TOUCH,
    MD_KEYPAD,
    SM,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
)
from tests.kit.houses import player
from tests.kit.support import by_clause

LOST, BACK = ReportLink(up=False, reason="the cable is out"), ReportLink(up=True, reason="it is in again")
CLOSED, OPENED = (
    CloseLink(reason="the rate changes", role="supervisor"),
    OpenLink(reason="done", role="supervisor"),
)
EVERY = by_clause(("P31", SM), ("P31", WA_KEYPAD), ("P31", WA_TOUCH), ("P31", MD_KEYPAD), ("P31", MA_TOUCH))


@pytest.mark.parametrize(("clause", "setup"), EVERY)
def test_without_the_link_no_chip_is_registered_and_one_that_lies_there_goes_back(
    clause: str, setup: ConsoleSetup
) -> None:
    at = ConsoleTable(setup)
    at.bet(progressive=(1,))
    for unfit in (replace(LOST, reason=" "), BACK):
        assert clause in at.refused(unfit).clauses
    assert at.refused(LOST, player("p1")).name == "not_permitted"
    at.do(LOST)
    assert at.lights == {}
    down = at.refused(at.wager(2), player("p2"))
    assert (down.name, clause in down.clauses) == ("link_down", True)
    at.do(BACK)
    at.do(at.wager(2), player("p2"))
    assert at.lights == {2: "placed"}
    (locked,) = [event for event in at.start().events if isinstance(event, ProgressiveLocked)]
    assert (locked.stakes, locked.returned) == (((2, 100),), ((1, 100),))


@pytest.mark.parametrize(("clause", "setup"), EVERY)
def test_locked_stakes_stay_in_and_an_award_waits_until_the_link_is_back(
    clause: str, setup: ConsoleSetup
) -> None:
    at = ConsoleTable(setup)
    at.bet()
    at.start()
    at.do(LOST)
    assert at.round.locked_stakes == ((1, 100), (2, 100), (3, 100))
    at.to_award()
    at.mark()
    first, logs, *_ = CONFIRMING[at.kind]
    at.do(first)
    down = at.refused(logs)
    assert (down.name, clause in down.clauses, at.meter.win_count) == ("link_down", True, 0)
    at.do(BACK)
    at.do(logs)
    assert at.meter.win_count == 1


@pytest.mark.parametrize(("clause", "setup"), EVERY)
def test_a_link_is_closed_between_games_and_what_the_meter_follows_changes_only_then(
    clause: str, setup: ConsoleSetup
) -> None:
    other = setup.but("rate", progressive__rate="15%")
    changed = ChangeTerms(submission=other.text, reason="a slower meter", role="executive")
    at = at_award(setup)
    in_game = at.not_managed(CLOSED)
    assert (in_game.name, clause in in_game.clauses) == ("table_in_game", True)
    at.finish()
    assert at.not_managed(CLOSED).name == "table_in_game"
    at.end()
    assert at.not_managed(changed).name == "link_open"
    assert at.not_managed(replace(CLOSED, role="floorperson")).name == "not_permitted"
    assert at.not_managed(replace(CLOSED, reason="")).name == "reason_unfit"
    at.manage(CLOSED)
    assert at.not_managed(CLOSED).name == "link_closed"
    at.begin()
    at.bet(progressive=())
    assert at.refused(at.wager(2), player("p2")).name == "link_down"
    at.finish()
    at.end()
    unchanged, paytable = replace(changed, submission=setup.text), setup.but("B", **_other_table(setup))
    assert at.not_managed(unchanged).name == "terms_unchanged"
    assert at.not_managed(replace(changed, submission=paytable.text)).name == "paytable_changed"
    assert at.not_managed(replace(changed, role="supervisor")).name == "not_permitted"
    at.manage(changed)
    assert at.meter.rate * 100 == 15
    assert at.not_managed(OPENED).name == "table_other_terms"
    at.do(CloseTable(), BOT_STAFF)
    at.house.at(at.name, InstallTable(submission=other.text, cards="keyed"))
    at.manage(OPENED)
    assert at.not_managed(OPENED).name == "link_open_already"


def _other_table(setup: ConsoleSetup) -> dict[str, object]:
    """Return the changes for another paytable of the same rulebook."""
    name = "2" if setup in (SM, WA_KEYPAD, WA_TOUCH) else "B"
    return {"wagers__progressive": name, "progressive__envy": name}
