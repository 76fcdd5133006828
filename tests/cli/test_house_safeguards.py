"""What `fourcard house`, `audit` and `export` do not let happen: files lost, doors open, houses locked."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from fourcard.house.auth.identity import CONSOLE
from fourcard.house.events import HeadsSigned
from fourcard.house.house import SIGN_EVERY, open_house
from fourcard.house.journal import HOUSE_CODEC
from fourcard.house.store.address import open_store
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import PASSWORD, Command, said
from tests.kit.waiting import PATIENCE

LET_GO = "The console of this house was dismissed: only people who sign in can make changes."


@pytest.mark.parametrize("target", [FILE, f"{FILE}.key", "notes", "link"])
@pytest.mark.parametrize("command", ["anchor", "export"])
def test_no_file_is_overwritten(
    house: Command, fourcard: Command, folder: Path, command: str, target: str
) -> None:
    (folder / "notes").write_text("mine", encoding="utf-8")
    (folder / "link").symlink_to("notes")
    before = {each: each.read_bytes() for each in folder.iterdir()}
    run = house if command == "anchor" else fourcard
    told = run(command, "-o", target).sentence
    assert told == f"{target} already exists, and an {command} never overwrites a file. Choose another name."
    assert {each: each.read_bytes() for each in folder.iterdir()} == before


def test_what_cannot_be_exported_leaves_no_file(house: Command, fourcard: Command, folder: Path) -> None:
    said(house("register", "bob"))
    assert "There is no table 'nowhere'" in fourcard("export", "--table", "nowhere", "-o", "rounds").sentence
    assert [*folder.glob("rounds*")] == []


def test_a_pipe_takes_an_anchor_and_stays_a_pipe(house: Command, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        said(house("anchor", "-o", "pipe"))
        assert reader.stdout is not None
        assert json.loads(reader.stdout.read())["format"]
    assert (folder / "pipe").is_fifo()


def test_nobody_can_sign_in_as_the_console(house: Command) -> None:
    told = house("password", CONSOLE, "--password-file", "password").sentence
    assert told == Code.CONSOLE_PASSWORD.sentence
    with open_house(FILE) as opened:
        refusal = opened.sign_in.set_password("staff", CONSOLE, PASSWORD)
        assert isinstance(refusal, Refusal)
        assert refusal.code is Code.CONSOLE_PASSWORD
        assert opened.sign_in.set_password("player", CONSOLE, PASSWORD) is None
        assert isinstance(opened.sign_in.sign_in("staff", CONSOLE, PASSWORD), Refusal)
    assert {each["person"]: each["password"] for each in house("staff", "--json").answer} == {
        "ann": True,
        CONSOLE: False,
    }


def test_an_administrator_who_can_act_always_remains(house: Command) -> None:
    said(house("rehearse", "--rounds", 1, "--tables", 1))
    said(house("dismiss", "ann"))
    last = f"'{CONSOLE}' is the last administrator who can act. Add another one with a password first."
    assert house("dismiss", CONSOLE).sentence == last
    own = f"'{CONSOLE}' cannot change their own roles. Ask another administrator. [P25]"
    assert house("roles", CONSOLE, "--role", "supervisor").sentence == own
    said(house("hire", "eve", "--role", "administrator"))
    assert house("dismiss", CONSOLE).sentence == last
    said(house("password", "eve", "--password-file", "password"))
    said(house("dismiss", CONSOLE))


@pytest.mark.parametrize(
    "command", [("register", "bob"), ("rehearse", "--rounds", 1, "--tables", 1), ("dismiss", "ann")]
)
def test_where_the_console_was_let_go_nothing_is_changed_from_here(
    house: Command, command: tuple[object, ...]
) -> None:
    said(house("rehearse", "--rounds", 1, "--tables", 1))
    said(house("dismiss", CONSOLE))
    before = _events()
    assert house(*command).sentence == LET_GO
    assert _events() == before


def _events() -> int:
    """Return how many events stand in all streams but the house's own, which is signed at every closing."""
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        return sum(head.sequence for name, head in reading.streams().items() if name != "house")


def test_a_table_of_the_operator_is_not_rehearsed_at(house: Command) -> None:
    said(house("install", "rehearsal-1", "massachusetts", "--cards", "keyed"))
    before = _events()
    told = house("rehearse", "--rounds", 1, "--tables", 1).sentence
    assert _events() == before
    assert told == "The table 'rehearsal-1' was not set up for bots, so they cannot play there."
    (left,) = house("tables", "--json").answer
    assert (left["table"], left["round"]) == ("rehearsal-1", 0)


def test_a_long_rehearsal_is_signed_on_the_way(house: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcard.house.house.SIGN_EVERY", SIGN_EVERY // 20)
    said(house("rehearse", "--rounds", 2, "--tables", 1))
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        signed = [isinstance(HOUSE_CODEC.decode(record), HeadsSigned) for record in reading.events("house")]
    assert sum(signed) >= 3


@pytest.mark.parametrize(
    ("since", "until"), [("2026-12-01", "2026-11-01"), ("2026-11-01T00:00:01", "2026-11-01")]
)
def test_a_statement_does_not_end_before_it_begins(house: Command, since: str, until: str) -> None:
    said(house("register", "bob"))
    told = house("statement", "bob", "--since", since, "--until", until).sentence
    assert told == f"--until {until} is before --since {since}."
    said(house("statement", "bob", "--since", until, "--until", until))


AMOUNTS = ["1_000", "+5", "\u0661\u0662", "\uff15", "$\u0661", "1e3", "", "-", "9" * 5000]


@pytest.mark.parametrize("amount", AMOUNTS)
def test_an_amount_is_plain_digits(house: Command, amount: str) -> None:
    said(house("register", "bob"))
    assert "is not an amount" in house("deposit", "bob", "--", amount).sentence


def test_a_link_that_leads_nowhere_is_told(fourcard: Command, folder: Path) -> None:
    (folder / "loop.db").symlink_to("loop.db")
    for command in (("audit",), ("house", "balance"), ("export",)):
        assert fourcard(*command, "-d", "loop.db").sentence == "loop.db does not lead to a file."


def test_what_is_wrong_with_a_database_is_told_before_its_key_is_missed(
    fourcard: Command, folder: Path
) -> None:
    (folder / "notes").write_text("no house " * 100, encoding="utf-8")
    assert fourcard("house", "register", "bob", "-d", "notes").sentence == "notes is not a database."
    assert fourcard("house", "register", "bob", "-d", ".").sentence.endswith("is a folder, not a database.")
    assert fourcard("house", "anchor", "-d", "nothing.db").sentence.endswith("nothing.db does not exist.")


def test_a_house_that_could_not_be_founded_leaves_nothing(fourcard: Command, folder: Path) -> None:
    before = {*folder.iterdir()}
    made = ("house", "new", "--administrator", "ann", "--password-file", "password", "--key")
    assert "cannot be used" in fourcard(*made, ".").sentence
    assert {*folder.iterdir()} == before
    said(fourcard(*made, "other.key"))


STOPPED_WHILE_READING = """
import functools, os, signal, sqlite3, sys

def count():
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGINT)

class Cursor(sqlite3.Cursor):
    def fetchmany(self, size):
        count()
        return super().fetchmany(size)

    def fetchall(self):
        count()
        return super().fetchall()

class Connection(sqlite3.Connection):
    def cursor(self):
        return super().cursor(Cursor)

sqlite3.connect = functools.partial(sqlite3.connect, factory=Connection)
from fourcard.cli.main import main
sys.argv, left = ["fourcard", "audit"], int(sys.argv[1])
main()
"""


@pytest.mark.parametrize("pages", [1, 3, 5, 7])
def test_an_audit_that_is_stopped_says_nothing(house: Command, folder: Path, pages: int) -> None:
    said(house("register", "bob"))
    said(house("deposit", "bob", "$5"))
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_WHILE_READING, str(pages)],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
