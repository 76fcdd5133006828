"""A meter's link and its terms at the Game Manager, at every boundary, and what holds of all its commands."""

import pytest
from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    HireStaff,
    InstallTable,
    MeterCommand,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.house.decision import STAFF, meter_stream, table_stream
from fourcard.house.events import ContributionsAdded
from fourcard.house.meter_state import MeterState, evolve
from fourcard.meter import Contribution
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import CallOff
from fourcard.table.commands import CloseTable
from tests.kit.consoles import (
    DEALER,
    EXECUTIVE,
    FLOORPERSON,
    SM,
    SUPERVISOR,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
)
from tests.kit.houses import player, submission_text

CLOSE = CloseLink(reason="new terms", role="supervisor")
OPEN = OpenLink(reason="all is set up", role="supervisor")
IN_GAME, P31 = (Code.TABLE_IN_GAME, ("P31",)), ("P31",)
LONGEST = 200
FASTER = SM.but("faster", progressive__rate="26%")


def change(setup: ConsoleSetup, reason: str = "a new year") -> ChangeTerms:
    """Return the command to follow a submission's terms."""
    return ChangeTerms(submission=setup.text, reason=reason, role="executive")


def told(refusal: Refusal) -> tuple[Code, tuple[str, ...]]:
    """Return what a refusal is, and by which clauses."""
    return refusal.code, refusal.clauses


@pytest.fixture
def at() -> ConsoleTable:
    """Return a table with a round open for wagers, on a meter of its own."""
    return ConsoleTable(SM)


def clear(at: ConsoleTable) -> None:
    """Call the round off, in which nobody has wagered, and close the table."""
    at.do(CallOff())
    at.do(CloseTable(role="floorperson"))


@pytest.fixture
def closed(at: ConsoleTable) -> ConsoleTable:
    """Return the same with its link closed."""
    at.manage(CLOSE)
    return at


def test_a_link_is_closed_while_no_progressive_chip_lies_there(at: ConsoleTable) -> None:
    at.bet(progressive=())
    at.manage(CLOSE)
    assert at.meter.closed_reason == "new terms"
    down = at.refused(at.wager(1), player("p1"))
    assert told(down) == (Code.LINK_DOWN, P31)
    assert "new terms" in down.message
    again = at.not_managed(CLOSE)
    assert told(again) == (Code.LINK_CLOSED, P31)
    at.manage(OPEN)
    at.do(at.wager(1), player("p1"))


def test_a_link_is_not_closed_from_the_first_chip_to_the_end_of_the_game() -> None:
    at = ConsoleTable(SM)
    at.bet(progressive=(2,))
    assert told(at.not_managed(CLOSE)) == IN_GAME
    at.start()
    assert told(at.not_managed(CLOSE)) == IN_GAME
    at.finish()
    over = at.not_managed(CLOSE)
    assert told(over) == IN_GAME
    assert "'main'" in over.message
    at.end()
    at.manage(CLOSE)


def test_a_link_waits_for_every_table_on_the_meter() -> None:
    at = at_award(SM)
    at.house.install("beside", SM.example, meter="main")
    assert told(at.not_managed(CLOSE)) == IN_GAME
    at.finish()
    at.end()
    at.manage(CLOSE)
    assert at.meter.tables == ("beside", "main")


def test_an_open_link_is_not_opened(at: ConsoleTable) -> None:
    assert told(at.not_managed(OPEN)) == (Code.LINK_OPEN_ALREADY, P31)


def test_a_link_opens_when_every_table_was_set_up_by_the_same_terms(closed: ConsoleTable) -> None:
    closed.manage(change(FASTER))
    other = closed.not_managed(OPEN)
    assert told(other) == (Code.TABLE_OTHER_TERMS, P31)
    assert "'main'" in other.message
    clear(closed)
    assert closed.not_managed(OPEN).code is Code.TABLE_OTHER_TERMS
    closed.house.at("main", InstallTable(submission=FASTER.text, meter="main"))
    closed.manage(OPEN)


def test_a_table_that_left_the_meter_does_not_keep_its_link_closed(closed: ConsoleTable) -> None:
    closed.manage(change(FASTER))
    clear(closed)
    closed.house.at("main", InstallTable(submission=SM.text, meter="another"))
    assert closed.meter.tables == ()
    closed.manage(OPEN)


def test_terms_do_not_change_while_the_link_is_open(at: ConsoleTable) -> None:
    assert told(at.not_managed(change(FASTER))) == (Code.LINK_OPEN, P31)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(SM, id="the same submission"),
        pytest.param(SM.but("seats", positions__at_table=5), id="another layout"),
        pytest.param(SM.but("wins", settings__confirm="meter_awards"), id="another setting"),
    ],
)
def test_what_changes_nothing_is_no_change_of_terms(closed: ConsoleTable, other: ConsoleSetup) -> None:
    assert told(closed.not_managed(change(other))) == (Code.TERMS_UNCHANGED, P31)


@pytest.mark.parametrize(
    ("own", "other"),
    [
        pytest.param(SM, SM.but("2", wagers__progressive="2", progressive__envy="2"), id="other awards"),
        pytest.param(WA_TOUCH, WA_TOUCH.but("meter", progressive__fixed_awards="meter"), id="other source"),
        pytest.param(SM, WA_TOUCH, id="another rulebook"),
        pytest.param(SM, ConsoleSetup("plain", "shuffle-master", "keypad", {}), id="no progressive"),
    ],
)
def test_a_meter_keeps_its_paytable(own: ConsoleSetup, other: ConsoleSetup) -> None:
    at = ConsoleTable(own)
    at.manage(CLOSE)
    assert told(at.not_managed(change(other))) == (Code.PAYTABLE_CHANGED, P31)


BOTH = {"progressive__rate": "98%", "progressive__reserve": "2.01%"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("", Code.KEY_MISSING, id="nothing"),
        pytest.param("rate = ", Code.FILE_UNREADABLE, id="no TOML"),
        pytest.param("rate = 1", Code.KEY_UNKNOWN, id="no submission"),
        pytest.param(SM.but("", progressive__rate="100.01%").text, Code.VALUE_UNFIT, id="over the whole"),
        pytest.param(SM.but("", progressive__rate="-1%").text, Code.VALUE_UNFIT, id="below nothing"),
        pytest.param(SM.but("", **BOTH).text, Code.SUBMISSION_REFUSED, id="together over the whole"),
    ],
)
def test_a_submission_that_cannot_be_used_is_refused_in_one_sentence(
    closed: ConsoleTable, text: str, code: Code
) -> None:
    refusal = closed.not_managed(ChangeTerms(submission=text, reason="r", role="executive"))
    assert refusal.code is code
    assert "\n" not in refusal.message
    assert refusal.message.endswith(".")


def test_a_stake_that_gives_the_reserve_nothing_is_posted_to_the_meter_alone() -> None:
    part = Contribution(to_meter=5, to_reserve=0, to_house=95, wins_before=0)
    _, postings = evolve(MeterState("m"), ContributionsAdded(table="one", round=1, parts=(part,)))
    assert [(move.giver, move.taker, move.units) for move in postings] == [("link/m", "meter/m", 5)]
    nothing = replace(part, to_meter=0)
    assert evolve(MeterState("m"), ContributionsAdded(table="one", round=1, parts=(nothing,)))[1] == []


def test_terms_of_a_game_without_a_progressive_are_none(closed: ConsoleTable) -> None:
    command = ChangeTerms(submission=submission_text("catfish-bend"), reason="other game", role="executive")
    assert closed.not_managed(command).code is Code.PAYTABLE_CHANGED


def test_a_meter_follows_its_new_terms_from_the_next_stake_on(closed: ConsoleTable) -> None:
    """What it holds stays; the shares of stakes may make up the whole, and the new start is the new reset."""
    whole = SM.but("whole", progressive__rate="98%", progressive__reserve="2%", progressive__reset="$7,000")
    before = closed.meter.amounts.amount
    closed.manage(change(whole))
    assert (closed.meter.amounts.amount, closed.meter.amounts.reset_amount) == (before, 700_000)
    clear(closed)
    closed.house.at("main", InstallTable(submission=whole.text, meter="main", cards="keyed"))
    closed.manage(OPEN)
    closed.house.open("main")
    closed.house.seat("main", [*closed.players.values()])
    closed.begin()
    closed.bet()
    closed.start()
    assert (closed.meter.amounts.amount - before, closed.meter.amounts.reserve) == (294 * 10_000, 6 * 10_000)
    closed.finish()
    assert (closed.meter.amounts.whole_cents, closed.meter.amounts.reserve) == (700_006, 0)
    assert closed.balanced()


COMMANDS: list[MeterCommand] = [
    CLOSE,
    OPEN,
    change(FASTER),
    ProposeAdjustment(cents=1, reason="a count", role="supervisor"),
    ProposeBackOut(win=1, reason="a misdeal", role="supervisor"),
    RejectAdjustment(number=1, reason="no", role="supervisor"),
    ApproveAdjustment(number=1, role="executive"),
]
REASONED = [command for command in COMMANDS if not isinstance(command, ApproveAdjustment)]


def kind_of(value: object) -> str | None:
    return type(value).__name__ if hasattr(value, "role") else None


@pytest.mark.parametrize("reason", ["", " \t\n", "x" * (LONGEST + 1)], ids=["none", "blank", "too long"])
@pytest.mark.parametrize("command", REASONED, ids=kind_of)
def test_everything_needs_a_reason_that_fits(at: ConsoleTable, command: MeterCommand, reason: str) -> None:
    refusal = at.not_managed(replace(command, reason=reason))
    assert told(refusal) == (Code.REASON_UNFIT, ("P30", "P31"))
    assert f"{LONGEST} printable characters" in refusal.message


@pytest.mark.parametrize("reason", ["x", "x" * LONGEST], ids=["short", "as long as may be"])
def test_a_reason_of_any_fitting_length_is_kept(at: ConsoleTable, reason: str) -> None:
    at.manage(replace(CLOSE, reason=reason))
    assert at.meter.closed_reason == reason


@pytest.mark.parametrize("command", COMMANDS, ids=kind_of)
def test_a_meter_that_is_not_there_is_told_so_and_does_not_begin(
    at: ConsoleTable, command: MeterCommand
) -> None:
    who = EXECUTIVE if command.role == "executive" else SUPERVISOR
    absent = at.house.refused(meter_stream("nowhere"), command, who)
    assert told(absent) == (Code.NO_SUCH_METER, ())
    assert at.house.refused(meter_stream("No Name"), command, who).code is Code.ID_UNFIT
    assert at.house.refused(table_stream("main"), command, who).code is Code.COMMAND_FOREIGN


@pytest.mark.parametrize("command", COMMANDS, ids=kind_of)
def test_who_has_not_the_rank_asks_nothing_of_a_meter(at: ConsoleTable, command: MeterCommand) -> None:
    auditor = Actor("ada", "staff", ("auditor",))
    at.house.do(STAFF, HireStaff(person="ada", name="Ada", roles=auditor.roles))
    for who in (DEALER, FLOORPERSON, auditor, player("p1")):
        role = "player" if who.kind == "player" else who.roles[0]
        asked = replace(command, role=role)
        assert at.not_managed(asked, who).code is Code.NOT_PERMITTED
        assert at.not_managed(command, who).code in (Code.ROLE_NOT_HELD, Code.NOT_PERMITTED)
    if command.role == "executive":
        under = at.not_managed(replace(command, role="supervisor"), SUPERVISOR)
        assert under.code is Code.NOT_PERMITTED
        assert {"P30", "P31"} & {*under.clauses}
