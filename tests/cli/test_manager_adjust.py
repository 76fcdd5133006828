"""Adjusting a meter by hand takes two people, who sign in each under an own name (P30)."""

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from fourcard.cli import house_connect
from fourcard.house.auth.security import SECURITY
from fourcard.house.decision import table_stream
from fourcard.house.events import AdjustmentProposed, AdjustmentRejected, MeterAdjusted
from fourcard.house.house import open_house
from fourcard.house.store.address import open_store
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.table.commands import CloseTable
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import PASSWORD, Command, Done, said
from tests.kit.consoles import FLOORPERSON
from tests.kit.managed_house import LATER

CENT = 10_000
BELOW = "it leaves $4,999.99 in the meter, below its reset of $5,000."
BACKED_OUT = (
    "Win 4 of link, $5,001.24, by adjustment 1, proposed by sue, approved by eva: the cards were misread."
)


def by(manager: Command, person: str, *arguments: object) -> Done:
    """Ask as a person whose password lies in a file."""
    return manager(*arguments, "--as", person, "--password-file", "password")


def meter(manager: Command, name: str = "link") -> dict[str, object]:
    """Return a meter as it is told."""
    found: dict[str, object] = manager("meter", name, "--json").answer
    return found


def test_an_adjustment_is_proposed_by_one_and_made_by_another(manager: Command) -> None:
    before = meter(manager)
    told = said(by(manager, "sue", "adjust", "link", "--dollars", "-2.50", "--reason", "counted twice"))
    assert told == "Adjustment 1 of link waits for approval by another executive: $2.50 out of the meter.\n"
    assert meter(manager)["meter_units"] == before["meter_units"]
    told = said(by(manager, "eva", "approve", "link", 1))
    assert told == "Adjustment 1 of link is made: the meter holds $4,997.62 and its reserve $0.\n"
    after = meter(manager)
    assert after["meter_units"] == 499_762 * CENT
    assert (after["holds"], after["agrees"], after["proposals"]) == (True, True, [])


@pytest.mark.parametrize(
    ("option", "amount", "told"),
    [
        ("--dollars", "1.5", "$1.50 into"),
        ("--dollars", "$50", "$50 into"),
        ("--dollars", "50.00", "$50 into"),
        ("--dollars", "-$1,000.25", "$1,000.25 out of"),
        ("--dollars", "-5000c", "$50 out of"),
        ("--cents", "5000", "$50 into"),
        ("--cents", "-$50", "$50 out of"),
    ],
)
def test_an_adjustment_is_given_with_its_unit(manager: Command, option: str, amount: str, told: str) -> None:
    assert told in said(by(manager, "sue", "adjust", "link", option, amount, "--reason", "a count"))


@pytest.mark.parametrize(
    ("name", "cents", "sentence"),
    [
        ("link", -12, "$0.12 out of the meter, proposed by sue, approved by eva: a count."),
        (
            "link",
            -13,
            f"$0.13 out of the meter, proposed by sue, approved by eva: a count; {BELOW}",
        ),
        ("bay", 200, "$2 into the meter, proposed by sue, approved by eva: a count."),
    ],
)
def test_an_approved_adjustment_is_to_be_heard_of(
    manager: Command, name: str, cents: int, sentence: str
) -> None:
    said(by(manager, "sue", "adjust", name, "--cents", cents, "--reason", "a count"))
    (waits,) = [each for each in manager("alerts", "--json").answer if each["kind"] == "adjustment waits"]
    amount = sentence.partition(",")[0]
    assert (waits["sentence"], waits["stands"]) == (f"Adjustment 1 of {name} of {amount}: a count.", True)
    said(by(manager, "eva", "approve", name, 1))
    last = manager("alerts", "--json").answer[-1]
    assert (last["kind"], last["by"], last["stands"]) == ("adjusted", "eva", False)
    assert last["sentence"] == f"Adjustment 1 of {name}, {sentence}"


def test_a_reserve_is_adjusted_on_its_own(manager: Command) -> None:
    said(by(manager, "eva", "adjust", "link", "--cents", 5, "--part", "reserve", "--reason", "rounding"))
    said(by(manager, "max", "approve", "link", 1))
    after = meter(manager)
    assert (after["reserve_units"], after["meter_units"], after["holds"]) == (5 * CENT, 500_012 * CENT, True)


def test_a_win_is_backed_out_and_told_everywhere(manager: Command, fourcard: Command) -> None:
    told = said(by(manager, "sue", "back-out", "link", 4, "--reason", "the cards were misread"))
    assert told == "Adjustment 1 of link waits for approval by another executive: win 4 backed out.\n"
    again = by(manager, "sue", "back-out", "link", 4, "--reason", "again").sentence
    assert again == "Adjustment 1 already backs out this win and is waiting for approval. [P30]"
    said(by(manager, "eva", "approve", "link", 1))
    after = meter(manager)
    assert (after["meter_units"], after["holds"]) == ((500_012 + 500_124 - 500_000 - 12) * CENT, True)
    assert after["reserve_units"] == 12 * CENT
    last = manager("history", "--meter", "link", "--json").answer[-1]
    assert (last["state"], last["adjustment"], last["undone_by"]) == ("backed out", 1, "eva")
    kinds = [(each["kind"], each["sentence"]) for each in manager("alerts", "--json").answer]
    assert ("backed out", BACKED_OUT) in kinds
    assert fourcard("audit", "--json").answer["clean"] is True


def test_the_history_tells_who_and_why(manager: Command) -> None:
    by(manager, "sue", "adjust", "link", "--cents", 100, "--reason", "=found")
    by(manager, "eva", "reject", "link", 1, "--reason", "nothing was found")
    by(manager, "max", "adjust", "dry", "--cents", 7, "--reason", "a gift")
    by(manager, "eva", "approve", "dry", 1)
    by(manager, "sue", "back-out", "link", 1, "--reason", "later")
    first, second, *asked = manager("adjustments", "--json").answer
    assert [(each["what"], each["amount_cents"], each["borne_units"]) for each in (first, second)] == [
        ("void round", 500_084, 0),
        ("void round", 0, 44 * CENT),
    ]
    told = [
        (each["meter"], each["number"], each["what"], each["state"], each["by"], each["decided_by"])
        for each in asked
    ]
    assert told == [
        ("link", 1, "amount", "rejected", "sue", "eva"),
        ("dry", 1, "amount", "approved", "max", "eva"),
        ("link", 2, "back-out", "waits", "sue", ""),
    ]
    assert (asked[0]["reason"], asked[0]["decided_why"]) == ("=found", "nothing was found")
    assert (asked[2]["win"], asked[2]["amount_cents"]) == (1, 500_040)
    (only,) = manager("adjustments", "--meter", "dry", "--json").answer
    assert only == asked[1]
    shown = said(manager("adjustments"))
    assert "rejected by eva" in shown
    assert "approved by eva" in shown
    assert "waits" in shown
    rows = said(Done(0, manager("export", "adjustments", "--csv").out, "")).splitlines()
    assert len(rows) == 6
    assert ",'=found," in rows[3]


@pytest.mark.parametrize(
    ("person", "arguments", "sentence"),
    [
        (
            "sue",
            ("adjust", "link", "--reason", "x"),
            "Give the amount with either --cents or --dollars.",
        ),
        (
            "sue",
            ("adjust", "link", "--cents", 1, "--dollars", "1", "--reason", "x"),
            "either --cents or --dollars.",
        ),
        ("sue", ("adjust", "link", "--dollars", "$-5", "--reason", "x"), "'$-5' is not an amount; write it"),
        ("sue", ("adjust", "link", "--dollars", "5.205", "--reason", "x"), "'5.205' is not an amount"),
        ("sue", ("adjust", "link", "--dollars", 5000, "--reason", "x"), "write '$5000' or '5000c'."),
        ("sue", ("adjust", "link", "--dollars", -5000, "--reason", "x"), "write '-$5000' or '-5000c'."),
        ("sue", ("adjust", "link", "--cents", "5.0", "--reason", "x"), "'5.0' is not an amount; write cents"),
        ("sue", ("adjust", "link", "--cents", 10**12 + 1, "--reason", "x"), "to ten billion dollars."),
        ("sue", ("adjust", "link", "--cents", 0, "--reason", "x"), "An adjustment cannot be $0"),
        (
            "sue",
            ("adjust", "link", "--cents", -500_013, "--reason", "x"),
            "the meter holds $5,000.12 and cannot",
        ),
        (
            "sue",
            ("adjust", "link", "--cents", -1, "--part", "reserve", "--reason", "x"),
            "the reserve holds $0",
        ),
        ("sue", ("adjust", "link", "--cents", 1, "--part", "moon", "--reason", "x"), "'moon' is not one of"),
        ("sue", ("adjust", "link", "--cents", 1), "Missing option '--reason'"),
        ("sue", ("adjust", "link", "--cents", 1, "--reason", " "), "Give a reason"),
        (
            "sue",
            ("adjust", "link", "--cents", 1, "--reason", "x" * 201),
            "at most 200 printable characters",
        ),
        ("sue", ("adjust", "nope", "--cents", 1, "--reason", "x"), "There is no meter 'nope' in this house."),
        ("sue", ("adjust", "No!", "--cents", 1, "--reason", "x"), "'No!' is not a valid name for a meter"),
        ("sue", ("back-out", "link", 3, "--reason", "x"), "There is no win 3 on meter 'link' that can be"),
        ("sue", ("back-out", "pad", 1, "--reason", "x"), "Win 1 at table 'pad' is logged and not paid yet"),
        ("eva", ("approve", "link", 1), "No adjustment 1 is waiting for approval. [P30]"),
        ("sue", ("reject", "link", 1, "--reason", "x"), "No adjustment 1 is waiting for approval. [P30]"),
        ("dan", ("adjust", "link", "--cents", 1, "--reason", "x"), "not for the dealer. [SM-PROG-9h.2"),
        ("flo", ("back-out", "link", 1, "--reason", "x"), "not for the floorperson."),
        ("aud", ("adjust", "link", "--cents", 1, "--reason", "x"), "not for the auditor."),
        ("sue", ("approve", "link", 1), "'approve adjustment' is for the executive, not for the supervisor."),
        ("nobody", ("approve", "link", 1), "The name or the password is wrong."),
        ("console", ("approve", "link", 1), "The name or the password is wrong."),
        ("one-1", ("approve", "link", 1), "The name or the password is wrong."),
    ],
)
def test_what_may_not_be_gets_one_sentence(
    manager: Command, person: str, arguments: tuple[object, ...], sentence: str
) -> None:
    before = manager("meters", "--json").answer
    assert sentence in by(manager, person, *arguments).sentence
    assert manager("meters", "--json").answer == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("adjust", "link", "--cents", 1, "--reason", "x"),
        ("back-out", "link", 1, "--reason", "x"),
        ("approve", "link", 1),
        ("reject", "link", 1, "--reason", "x"),
    ],
)
def test_what_takes_two_people_is_not_done_by_the_console(
    manager: Command, arguments: tuple[object, ...]
) -> None:
    told = manager(*arguments).sentence
    assert told == "This needs two people, each under their own name: sign in with --as. [P30]"


def test_nobody_approves_the_own_proposal(manager: Command) -> None:
    said(by(manager, "eva", "adjust", "link", "--cents", 1, "--reason", "x"))
    told = by(manager, "eva", "approve", "link", 1).sentence
    assert told == "'eva' proposed this adjustment, so somebody else must approve it. [P30]"
    said(by(manager, "max", "approve", "link", 1))


def test_nothing_is_adjusted_while_a_prize_is_owed(manager: Command) -> None:
    said(by(manager, "sue", "adjust", "pad", "--cents", 1, "--reason", "x"))
    told = by(manager, "eva", "approve", "pad", 1).sentence
    assert told == "Win 1 at table 'pad' is logged and not paid yet. Pay it first. [P30]"


def test_a_wrong_password_is_refused_and_noted(manager: Command, fourcard: Command, folder: Path) -> None:
    (folder / "wrong").write_text("not the password", encoding="utf-8")
    told = manager("approve", "link", 1, "--as", "eva", "--password-file", "wrong").sentence
    assert told == "The name or the password is wrong."
    note = fourcard("house", "security", "--last", 1, "--json").answer[0]
    assert (note["by"], note["what"], note["reason"]) == ("eva", "staff sign-in", "failed")


def test_a_password_hash_that_was_copied_does_not_make_two_people_of_one(
    manager: Command, fourcard: Command, folder: Path
) -> None:
    own = ("--password-file", "own")
    (folder / "own").write_text("what sue alone knows", encoding="utf-8")
    said(fourcard("house", "password", "sue", *own))
    said(manager("adjust", "link", "--cents", 1, "--reason", "x", "--as", "sue", *own))
    with closing(sqlite3.connect(folder / FILE)) as file, file:
        file.execute(
            "UPDATE credentials SET password = (SELECT password FROM credentials WHERE person = 'sue') "
            "WHERE person = 'eva'"
        )
    assert manager("approve", "link", 1, "--as", "eva", *own).status == 2
    notes = fourcard("house", "security", "--last", 9, "--json").answer
    assert ("eva", "staff password", "altered in the database") in {
        (each["by"], each["what"], each["reason"]) for each in notes
    }
    found = json.loads(fourcard("audit", "--json").out)["findings"]
    passwords = [(each["where"], each["what"]) for each in found if each["place"]["kept"] == "passwords"]
    assert passwords == [("password staff/eva", "altered")]


def test_a_password_is_asked_once_and_a_sign_in_ends_with_its_command(
    manager: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return PASSWORD

    monkeypatch.setattr(house_connect, "getpass", typed)
    said(manager("adjust", "link", "--cents", 1, "--reason", "x", "--as", "sue"))
    assert asked == ["Password of sue: "]
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        kinds = [record.kind for record in reading.events(SECURITY)]
    assert "sign_in_issued" in kinds
    assert kinds[-1] == "sign_ins_ended"


def test_answers_in_json_are_the_events(manager: Command) -> None:
    proposed = by(manager, "sue", "adjust", "link", "--cents", 100, "--reason", "x", "--json").answer
    assert proposed == [
        {
            "kind": "adjustment_proposed",
            "number": 1,
            "part": "meter",
            "cents": 100,
            "win": 0,
            "reason": "x",
            "by": "sue",
        }
    ]
    (made,) = by(manager, "eva", "approve", "link", 1, "--json").answer
    assert (made["kind"], made["amount"], made["by"]) == ("meter_adjusted", 500_112 * CENT, "eva")


def test_terms_change_while_the_link_is_closed_and_tables_follow(
    manager: Command, fourcard: Command, folder: Path
) -> None:
    (folder / "later.toml").write_text(LATER, encoding="utf-8")
    changed = partial(by, manager, "eva", "configure", "link", "later.toml", "--reason", "the new year")
    assert changed().sentence == "The link of meter 'link' is open. Close it first. [P31]"
    told = said(by(manager, "sue", "close-link", "link", "--reason", "the new year"))
    assert told == "The link of link is closed to one, two.\n"
    assert said(changed()) == (
        "The meter link takes 19% of a wager, 2% to its reserve, and has a reset of $5,000; "
        "install its tables again, then open the link.\n"
    )
    told = manager("open-link", "link", "--reason", "ready").sentence
    assert told == "Table 'one' was set up with other terms than the meter's. Set it up again first. [P31]"
    found = meter(manager)
    assert (found["rate"], found["closed"], found["holds"]) == ("19/100", "the new year", True)
    heard = [(each["kind"], each["sentence"], each["stands"]) for each in manager("alerts", "--json").answer]
    assert heard[-2:] == [
        ("link closed", "link: the new year.", True),
        ("terms changed", "link: rate from 20% to 19%; the new year.", False),
    ]
    with open_house(FILE) as opened:
        for table in ("one", "two"):
            opened.do(table_stream(table), CloseTable(role="floorperson"), FLOORPERSON)
    for table in ("one", "two"):
        said(fourcard("house", "install", table, "later.toml", "--meter", "link", "--cards", "keyed"))
    assert (
        said(manager("open-link", "link", "--reason", "ready")) == "The link of link is open to one, two.\n"
    )
    assert meter(manager)["meter_units"] == found["meter_units"]
    assert fourcard("audit", "--json").answer["clean"] is True


def test_a_link_is_closed_and_opened_by_the_console_too(manager: Command) -> None:
    said(manager("close-link", "link", "--reason", "cleaning"))
    told = manager("close-link", "link", "--reason", "again").sentence
    assert told == "The link of meter 'link' is already closed: cleaning. [P31]"
    assert [each["kind"] for each in manager("alerts", "--standing", "--json").answer] == [
        "link lost",
        "link closed",
    ]
    assert said(manager("open-link", "link", "--reason", "done")) == "The link of link is open to one, two.\n"
    told = manager("open-link", "link", "--reason", "again").sentence
    assert told == "The link of meter 'link' is already open. [P31]"
    assert [each["kind"] for each in manager("alerts", "--standing", "--json").answer] == ["link lost"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("close-link", "pad", "--reason", "x"),
            Code.TABLE_IN_GAME.sentence.format(table="pad"),
        ),
        (("close-link", "nope", "--reason", "x"), "There is no meter 'nope' in this house."),
        (("close-link", "link", "--reason", ""), "Give a reason"),
        (("configure", "link", "none.toml", "--reason", "x"), "none.toml"),
        (
            ("configure", "link", "washington-everything", "--reason", "x"),
            "'change terms' is for the executive",
        ),
    ],
)
def test_links_and_terms_are_refused_in_one_sentence(
    manager: Command, arguments: tuple[object, ...], sentence: str
) -> None:
    assert sentence in manager(*arguments).sentence


@pytest.mark.parametrize(
    ("submission", "sentence"),
    [
        ("washington-everything", "The submission changes none of the meter's terms. [P31]"),
        ("maryland-everything", "A meter keeps its rulebook, paytable and source of fixed awards"),
        ("washington", "A meter keeps its rulebook, paytable and source of fixed awards"),
    ],
)
def test_other_terms_are_of_the_same_paytable(manager: Command, submission: str, sentence: str) -> None:
    said(manager("close-link", "link", "--reason", "x"))
    assert sentence in by(manager, "eva", "configure", "link", submission, "--reason", "x").sentence


def test_what_was_done_stands_in_the_journal_under_the_name_and_role(manager: Command) -> None:
    said(by(manager, "eva", "adjust", "link", "--cents", 1, "--reason", "x"))
    said(by(manager, "max", "approve", "link", 1))
    said(by(manager, "sue", "adjust", "link", "--cents", 1, "--reason", "x"))
    said(by(manager, "sue", "reject", "link", 2, "--reason", "y"))
    kinds = {
        str(kind.__struct_config__.tag) for kind in (AdjustmentProposed, AdjustmentRejected, MeterAdjusted)
    }
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        records = [each for each in reading.events("meter/link") if each.kind in kinds]
    assert [(each.kind, each.by, each.role) for each in records] == [
        ("adjustment_proposed", "eva", "executive"),
        ("meter_adjusted", "max", "executive"),
        ("adjustment_proposed", "sue", "supervisor"),
        ("adjustment_rejected", "sue", "supervisor"),
    ]


def test_who_was_let_go_signs_in_no_longer(manager: Command, fourcard: Command) -> None:
    said(fourcard("house", "dismiss", "eva"))
    assert by(manager, "eva", "approve", "link", 1).sentence == "The name or the password is wrong."
    with open_house(FILE) as opened:
        assert isinstance(opened.sign_in.sign_in("staff", "eva", PASSWORD), Refusal)
