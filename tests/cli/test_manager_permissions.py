"""Who may ask the Game Manager what: the rows ``meters`` and ``wins``, and a sign-in for every name."""

import pytest

from fourcard.cli.manager import COMMANDS
from fourcard.house.auth.permissions import permissions
from fourcard.house.house import open_house
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import Command, said
from tests.kit.managed_house import SIGNED_IN

OF_METERS: tuple[tuple[object, ...], ...] = (("meters",), ("tables",), ("jackpots",), ("report",))
OF_WINS: tuple[tuple[object, ...], ...] = (
    ("meter", "link"),
    ("history",),
    ("adjustments",),
    ("alerts",),
    ("export", "wins"),
    ("win-page", "link", 1),
)
SIGNED = ("--password-file", "password", "--as")


@pytest.mark.parametrize("arguments", [*OF_METERS, *OF_WINS], ids=lambda each: str(each[0]))
def test_who_reads_what_follows_from_the_rows(manager: Command, arguments: tuple[object, ...]) -> None:
    row = permissions().reads["meters" if arguments in OF_METERS else "wins"]
    allowed = {person: role for person, role in SIGNED_IN.items() if role in row.roles}
    assert {*SIGNED_IN} - {*allowed} == (set() if arguments in OF_METERS else {"dan"})
    for person in ("dan", "flo", "aud"):
        done = manager(*arguments, *SIGNED, person)
        assert (done.status == 0) == (person in allowed), done.err
        if person not in allowed:
            assert done.sentence == "dan is not allowed to read this: wins. [SM-PROG-9e.6 P25]"


def test_an_administrator_reads_no_meters(manager: Command, fourcard: Command) -> None:
    told = manager("meters", *SIGNED, "ann").sentence
    assert told == "ann is not allowed to read this: meters. [SM-PROG-9e.5 P25]"
    note = fourcard("house", "security", "--last", 5, "--json").answer
    assert ("ann", "read meters", "reading_not_permitted") in [
        (each["by"], each["what"], each["reason"]) for each in note
    ]


def test_a_name_needs_its_password_to_read_too(manager: Command) -> None:
    assert manager("meters", *SIGNED, "nobody").sentence == "The name or the password is wrong."
    told = manager("meters", "--as", "eva", "--password-file", "missing").sentence
    assert told == "missing cannot be read: no such file or directory."


def test_reading_goes_on_beside_a_running_house(manager: Command) -> None:
    with open_house(FILE):
        assert len(manager("meters", "--json").answer) == 4
        assert len(manager("history", "--json").answer) == 6
        told = manager("close-link", "link", "--reason", "x").sentence
        assert "is already open for writing in this process" in told


def test_the_help_names_every_command(fourcard: Command) -> None:
    shown = said(fourcard("manager"))
    names = [command.__name__.replace("_", "-") for command in COMMANDS]
    assert [name for name in names if f" {name} " not in shown] == []
