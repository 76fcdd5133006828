"""`fourcard house` as an operator uses it: from an empty folder to people, tables, money and reports."""

import json
import sqlite3
import stat
from contextlib import chdir, closing
from getpass import GetPassWarning
from pathlib import Path
from warnings import warn

import pytest

from fourcard.cli import house_connect
from fourcard.cli.house import COMMANDS
from fourcard.cli.house_connect import CONSOLE_ROLES
from fourcard.house.auth.identity import CONSOLE
from fourcard.house.autopilot import BOT_STAFF, TableBots
from fourcard.house.commands import BuyIn, CountTray, FillTray
from fourcard.house.decision import table_stream
from fourcard.house.events import HeadsSigned, PasswordSet, StaffHired
from fourcard.house.head_signatures import is_signed, read_anchor
from fourcard.house.house import open_house
from fourcard.house.journal import HOUSE_CODEC, STAFF_CODEC
from fourcard.house.store.address import open_store
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.table.bots import varied_bots
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import PASSWORD, Command, said
from tests.kit.support import EXAMPLES


def test_a_new_house_has_a_key_a_console_and_an_administrator_who_can_sign_in(
    fourcard: Command, folder: Path
) -> None:
    made = fourcard(
        "house", "new", "--administrator", "ann", "--name", "Ann Lee", "--password-file", "password", "--json"
    ).answer  # fmt: skip
    assert (made["database"], made["key"], made["administrator"]) == (FILE, f"{FILE}.key", "ann")
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / f"{FILE}.key").stat().st_mode) == 0o600
    with open_house(FILE) as opened:
        assert (opened.name, opened.key.public) == (made["house"], made["public_key"])
        assert not isinstance(opened.sign_in.sign_in("staff", "ann", PASSWORD), Refusal)
        assert isinstance(opened.sign_in.sign_in("staff", CONSOLE, PASSWORD), Refusal)
        with opened.store.reading() as reading:
            events = [STAFF_CODEC.decode(record) for record in reading.events("staff")]
            authors = {record.by for record in reading.events("staff")}
    assert events == [
        StaffHired(CONSOLE, "Console of the house", CONSOLE_ROLES),
        StaffHired("ann", "Ann Lee", ("administrator",)),
        PasswordSet("ann"),
    ]
    assert authors == {CONSOLE}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--administrator", "Ann Lee"), "'Ann Lee' is not a valid name for a person"),
        (("--administrator", CONSOLE), Code.PERSON_KNOWN.sentence.format(person="console")),
        (("--administrator", "ann", "--password-file", "short"), "fewer than 12 characters"),
        (("--administrator", "ann", "--password-file", "empty"), "fewer than 12 characters"),
        (("--administrator", "ann", "--password-file", "none"), "none cannot be read: no such file"),
        (("--administrator", "ann", "--password-file", "raw"), "raw cannot be read: it is not text."),
    ],
)
def test_what_is_refused_at_the_start_leaves_nothing_behind(
    fourcard: Command, folder: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    (folder / "short").write_text("short", encoding="utf-8")
    (folder / "empty").write_text("", encoding="utf-8")
    (folder / "raw").write_bytes(b"\xff\xfe\xff")
    before = {*folder.iterdir()}
    given = arguments if "--password-file" in arguments else (*arguments, "--password-file", "password")
    assert sentence in fourcard("house", "new", *given).sentence
    assert {*folder.iterdir()} == before


def test_no_house_is_made_over_another(house: Command) -> None:
    told = house("new", "--administrator", "eve", "--password-file", "password").sentence
    assert told == "fourcard.db already holds a house."


def test_a_password_is_asked_twice_and_never_shown(
    fourcard: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter([PASSWORD, "something else", PASSWORD, PASSWORD])
    monkeypatch.setattr(house_connect, "getpass", lambda _prompt: next(typed))
    told = fourcard("house", "new", "--administrator", "ann").sentence
    assert told == "The two passwords are not the same."
    done = fourcard("house", "new", "--administrator", "ann")
    assert PASSWORD not in said(done)
    assert (folder / FILE).exists()


def test_where_a_password_would_be_seen_it_is_not_asked(
    fourcard: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_connect, "getpass", lambda _: warn("it will be seen", GetPassWarning, 2))
    told = fourcard("house", "new", "--administrator", "ann").sentence
    assert told == "A password cannot be typed here without showing it; use --password-file."
    assert not (folder / FILE).exists()


def test_people_are_taken_on_given_other_roles_and_let_go(house: Command) -> None:
    hired = house(
        *("hire", "dana", "--role", "floorperson", "--role", "dealer"),
        *("--name", "Dana", "--password-file", "password"),
    )
    assert said(hired) == "dana works here as dealer, floorperson.\n"
    assert said(house("roles", "dana", "--role", "supervisor")) == "dana works here as supervisor.\n"
    assert said(house("hire", "eve", "--role", "auditor")) == "eve works here as auditor.\n"
    assert said(house("password", "eve", "--password-file", "password")) == "eve has a new password.\n"
    staff = {each["person"]: each for each in house("staff", "--json").answer}
    assert staff["dana"] == {"person": "dana", "name": "Dana", "roles": ["supervisor"], "password": True}
    assert [*staff] == ["ann", "console", "dana", "eve"]
    assert said(house("dismiss", "dana")) == "dana no longer works here.\n"
    with open_house(FILE) as opened:
        assert isinstance(opened.sign_in.sign_in("staff", "dana", PASSWORD), Refusal)
    assert "dismissed" in said(house("staff"))


AMOUNTS = {
    "$50": 50_00, "50.00": 50_00, "5000c": 50_00, "1.5": 1_50, "$1.5": 1_50, "0.01": 1, "1c": 1,
    "$1,000": 1_000_00, "1,000.00": 1_000_00, "$1000": 1_000_00, "$9,999,999,900": 9_999_999_900_00,
}  # fmt: skip
"""Amounts as the cage takes them, and their cents."""
NOT_AMOUNTS = {
    "5000": "'5000' has no unit; write '$5000' or '5000c'.",
    "1,000": "'1,000' has no unit; write '$1000' or '1000c'.",
    "0": "'0' has no unit; write '$0' or '0c'.",
    "1.505": "'1.505' is not an amount; write it like '$50', '50.00' or '5000c'.",
    "1,00.00": "is not an amount; write it like",
    "1.5c": "is not an amount; write it like",
    "$5c": "is not an amount; write it like",
    "-$5": "'-$5' is not an amount from $0 to ten billion dollars.",
    "$10,000,000,000.01": "is not an amount from $0 to ten billion dollars.",
    "$0": "$0 is not a valid amount; it must be more than $0",
}
"""What the cage does not take, and what is said about it."""


@pytest.mark.parametrize("amount", AMOUNTS)
def test_money_at_the_cage_has_its_unit(house: Command, amount: str) -> None:
    said(house("register", "bob"))
    paid = dollars(AMOUNTS[amount])
    assert said(house("deposit", "bob", amount)) == f"bob deposited {paid}; the account holds {paid}.\n"
    assert said(house("withdraw", "bob", amount)) == f"bob withdrew {paid}; the account holds $0.\n"


@pytest.mark.parametrize("amount", NOT_AMOUNTS)
def test_money_without_its_unit_is_refused_and_nothing_is_paid(house: Command, amount: str) -> None:
    said(house("register", "bob"))
    said(house("deposit", "bob", "$100"))
    for command in ("deposit", "withdraw"):
        assert NOT_AMOUNTS[amount] in house(command, "bob", "--", amount).sentence
    assert house("statement", "bob", "--json").answer["closing"] == 100_00


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hire", "dana", "--role", "king"), "There is no role 'king'; it must be dealer, floorperson,"),
        (("hire", "ann", "--role", "dealer"), Code.PERSON_KNOWN.sentence.format(person="ann")),
        (("hire", "Dana!", "--role", "dealer"), "is not a valid name for a person"),
        (("roles", "dana", "--role", "dealer"), "Nobody named 'dana' works here."),
        (("dismiss", "dana"), "Nobody named 'dana' works here."),
        (("password", "dana", "--password-file", "password"), "Nobody named 'dana' works here."),
        (("deposit", "bob", "$5"), "There is no player 'bob' in this house."),
        (("statement", "bob"), "There is no player 'bob' in this house."),
        (("install", "main", "atlantis"), "atlantis"),
        (("results", "--table", "main"), "There is no table 'main' in this house."),
        (("results", "--day", "today"), "'today' is not a date; write it like 2026-01-31."),
        (("results", "--begins", "24"), "an hour from 0 to 23, not at 24"),
        (("deposit", "bob", "five"), "'five' is not an amount"),
        (("deposit", "bob", "0c"), "There is no player 'bob' in this house."),
        (("register", "bot-bob"), "Only the house's own dealer can open an account for one. [P25]"),
    ],
)
def test_what_may_not_be_gets_one_sentence(house: Command, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in house(*arguments).sentence


def test_a_refusal_comes_with_its_clauses(house: Command, folder: Path) -> None:
    text = (EXAMPLES / "maryland-everything.toml").read_text(encoding="utf-8")
    (folder / "other.toml").write_text(text.replace('rate = "12.5%"', 'rate = "12%"'), encoding="utf-8")
    said(house("install", "one", "maryland-everything", "--meter", "link"))
    told = house("install", "two", "other.toml", "--meter", "link").sentence
    assert told == "The meter 'link' has other terms than this submission. [R58]"


def test_players_pay_in_and_are_paid(house: Command) -> None:
    assert said(house("register", "bob", "--name", "Bob")) == "bob has an account.\n"
    assert said(house("deposit", "bob", "$1,000")) == "bob deposited $1,000; the account holds $1,000.\n"
    assert said(house("withdraw", "bob", "25.50")) == "bob withdrew $25.50; the account holds $974.50.\n"
    short = house("withdraw", "bob", "$1,000").sentence
    assert short == Code.ACCOUNT_SHORT.sentence.format(player="bob", held="$974.50", needed="$1,000")
    assert house("register", "bob").sentence == Code.PLAYER_KNOWN.sentence.format(player="bob")
    told = house("statement", "bob", "--json").answer
    assert [(line["what"], line["cents"], line["balance"], line["by"]) for line in told["lines"]] == [
        ("deposit", 100_000, 100_000, CONSOLE),
        ("withdrawal", -2_550, 97_450, CONSOLE),
    ]
    assert (told["name"], told["opening"], told["closing"], told["chips"]) == ("Bob", 0, 97_450, {})
    later = house("statement", "bob", "--since", "2100-01-01", "--json").answer
    assert (later["opening"], later["lines"], later["closing"]) == (97_450, [], 97_450)
    shown = said(house("statement", "bob"))
    assert "withdrawal" in shown
    assert "$974.50" in shown


def test_a_player_signs_in_with_the_own_password(house: Command) -> None:
    said(house("register", "bob", "--password-file", "password"))
    with open_house(FILE) as opened:
        assert not isinstance(opened.sign_in.sign_in("player", "bob", PASSWORD), Refusal)
    said(house("password", "bob", "--player", "--password-file", "password"))


def test_tables_are_set_up_and_told(house: Command) -> None:
    told = said(house("install", "main", "maryland-everything", "--meter", "link", "--cards", "keyed"))
    game = "Chesapeake Casino, table 1 (Maryland)"
    assert told == f"main is set up for {game}, its progressive linked to the meter link.\n"
    told = said(house("install", "side", EXAMPLES / "massachusetts.toml"))
    assert told.startswith("side is set up for ")
    first, second = house("tables", "--json").answer
    assert (first["table"], first["cards"], first["phase"]) == ("main", "keyed", "closed")
    assert (first["meter"]["name"], first["meter"]["units"]) == ("link", 10_000_000_000)
    assert (second["rulebook"], second["meter"], second["decks"]) == ("massachusetts", None, [])
    shown = said(house("tables"))
    assert "$10,000" in shown
    assert "closed" in shown


def test_a_rehearsal_fills_a_house_with_rounds_and_goes_on_another_time(house: Command) -> None:
    played = said(house("rehearse", "--rounds", 2, "--tables", 2, "--seed", 3))
    assert played == "Bots played 2 rounds at each of 2 tables, 4 in total: rehearsal-1, rehearsal-2.\n"
    played = said(house("rehearse", "--rounds", 1, "--tables", 1))
    assert played == "Bots played 1 round at one table: rehearsal-1.\n"
    found = {each["table"]: each for each in house("tables", "--json").answer}
    assert {name: each["round"] for name, each in found.items()} == {"rehearsal-1": 3, "rehearsal-2": 2}
    results = house("results", "--json").answer
    assert results["total"]["rounds"] == 5
    assert results["total"]["win"] == results["total"]["win_of_wagers"]
    assert sum(day["win"] for day in results["days"]) == results["total"]["win"]
    one = house("results", "--table", "rehearsal-2", "--day", results["days"][0]["day"], "--json").answer
    assert [day["table"] for day in one["days"]] == ["rehearsal-2"]
    balance = house("balance", "--json").answer
    assert (balance["sum"], balance["held"]) == (0, balance["owed"])
    assert "The books balance." in said(house("balance"))
    assert "layout/rehearsal-1/ante" not in said(house("balance", "--accounts"))
    shown = said(house("results"))
    assert "Aces Up" in shown
    assert "won by wagers" in shown
    dealer = results["total"]["dealers"][-1]
    row = next(line for line in shown.splitlines() if line.split()[:1] == [dealer["dealer"]])
    assert row.split()[1:3] == [f"{dealer['rounds']}", dollars(dealer["handle"])]
    assert "chips at rehearsal-1" in said(house("statement", "rehearsal-1-1"))
    crew = {each["person"]: each["roles"] for each in house("staff", "--json").answer}["crew"]
    assert tuple(crew) == BOT_STAFF.roles


def test_a_rehearsal_goes_on_in_a_round_that_was_left(house: Command) -> None:
    said(house("rehearse", "--rounds", 1, "--tables", 1))
    with open_house(FILE) as opened:
        bots = TableBots("rehearsal-1", {n: f"rehearsal-1-{n}" for n in range(1, 5)}, varied_bots(1))
        state = opened.service.table("rehearsal-1").state
        while state.round is None:
            request = bots.next(opened.service.table("rehearsal-1"))
            opened.do(request.stream, request.command, request.actor)
            state = opened.service.table("rehearsal-1").state
    (left,) = house("tables", "--json").answer
    assert left["in_round"] == "betting"
    said(house("rehearse", "--rounds", 1, "--tables", 1))
    (after,) = house("tables", "--json").answer
    assert (after["in_round"], after["round"]) == ("", 2)
    assert house("results", "--json").answer["total"]["voids"] == 0


def test_nothing_is_rehearsed_by_somebody_who_really_works_here(house: Command) -> None:
    said(house("hire", "crew", "--role", "dealer"))
    told = house("rehearse").sentence
    assert told == "'crew' works here in other roles, but the bots' tables need that id."


def test_counts_that_differ_are_shown(house: Command) -> None:
    said(house("install", "main", "massachusetts"))
    said(house("register", "bob"))
    said(house("deposit", "bob", "$500"))
    said(house("hire", BOT_STAFF.person, *(word for role in BOT_STAFF.roles for word in ("--role", role))))
    with open_house(FILE) as opened:
        stream = table_stream("main")
        opened.do(stream, FillTray(cents=100_000, slip="F1", role="floorperson"), BOT_STAFF)
        opened.do(stream, CountTray(occasion="opening", cents=99_500, role="floorperson"), BOT_STAFF)
        opened.do(stream, BuyIn(player="bob", cents=20_000, role="dealer"), BOT_STAFF)
    shown = said(house("results"))
    assert "the tray (opening): $995 counted, $1,000 in the books." in shown
    assert "win -$5: $0 won by wagers, -$5 found by counts." in shown
    (day,) = house("results", "--json").answer["days"]
    assert (day["drop"], day["win"], day["counts"][0]["variance"]) == (20_000, -500, -500)


def test_an_anchor_says_where_every_stream_stands(house: Command, folder: Path) -> None:
    printed = json.loads(said(house("anchor")))
    assert said(house("anchor", "--output", "anchor.json")) == "anchor.json holds the heads of 3 streams.\n"
    kept = read_anchor(folder / "anchor.json")
    assert is_signed(kept.public_key, kept.signature, kept.house, kept.at, kept.heads)
    assert [head.stream for head in kept.heads] == ["house", "security", "staff"]
    assert printed["heads"] == [[head.stream, head.sequence, head.hash] for head in kept.heads]
    (folder / "other.key").write_text("11" * 32, encoding="ascii")
    told = house("anchor", "--key", "other.key").sentence
    assert told == "This is not the key of the house. Give its own key with --key."


def test_every_command_that_changed_something_is_signed(house: Command) -> None:
    said(house("register", "bob"))
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        *_, last = reading.events("house")
        signed = HOUSE_CODEC.decode(last)
        heads = reading.streams()
    assert isinstance(signed, HeadsSigned)
    assert {each.stream: each.sequence for each in signed.heads}["player/bob"] == heads["player/bob"].sequence


def test_reading_goes_on_beside_a_running_house_and_writing_does_not(house: Command) -> None:
    with open_house(FILE):
        assert house("balance", "--json").answer["sum"] == 0
        assert house("tables", "--json").answer == []
        assert "is already open for writing in this process" in house("register", "bob").sentence
    said(house("register", "bob"))


def test_without_its_key_a_house_is_not_gone_on_with(house: Command, folder: Path) -> None:
    (folder / f"{FILE}.key").rename(folder / "elsewhere.key")
    told = house("register", "bob").sentence
    assert told == "The key of the house fourcard.db.key cannot be used: No such file or directory."
    assert not (folder / f"{FILE}.key").exists()
    assert said(house("register", "bob", "--key", "elsewhere.key")) == "bob has an account.\n"
    assert house("balance", "--json").answer["sum"] == 0


@pytest.mark.parametrize("command", [("register", "bob"), ("balance",), ("upgrade",), ("tables",)])
def test_nothing_is_made_where_there_is_no_house(
    fourcard: Command, folder: Path, command: tuple[str, ...]
) -> None:
    before = {*folder.iterdir()}
    assert FILE in fourcard("house", *command).sentence
    assert {*folder.iterdir()} == before
    (folder / "list.db").touch()
    (folder / "list.db.key").write_text("11" * 32, encoding="ascii")
    assert "list.db" in fourcard("house", *command, "--database", "list.db").sentence
    with sqlite3.connect(folder / "other.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    (folder / "other.db.key").write_text("11" * 32, encoding="ascii")
    told = fourcard("house", *command, "--database", "other.db").sentence
    assert "other.db is a database, but not of a house." in told


def test_the_environment_may_name_the_house(
    house: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.setenv("FOURCARD_DATABASE", f"sqlite:///{folder / FILE}")
    with chdir(folder / "elsewhere"):
        assert [each["person"] for each in house("staff", "--json").answer] == ["ann", "console"]
        assert said(house("upgrade")).endswith("is up to date.\n")
    assert [*(folder / "elsewhere").iterdir()] == []


def test_the_security_log_is_shown(house: Command) -> None:
    with open_house(FILE) as opened:
        opened.sign_in.sign_in("staff", "ann", "a wrong password")
    notes = house("security", "--json").answer
    assert (notes[0]["by"], notes[0]["what"], notes[0]["reason"]) == ("ann", "staff sign-in", "failed")
    assert len(house("security", "--last", 1, "--json").answer) == 1
    assert "staff sign-in" in said(house("security"))


def test_alone_it_shows_every_command(fourcard: Command) -> None:
    shown = said(fourcard("house"))
    names = [command.__name__.replace("_", "-") for command in COMMANDS]
    assert [name for name in names if f" {name} " not in shown] == []
