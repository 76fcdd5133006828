"""Witnesses of a house: who adds them, what they hold, and what an audit finds by them alone."""

import json
import shutil
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.clock_entropy import SimulatedClock
from fourcard.house.commands import ChangeRoles, Deposit
from fourcard.house.decision import STAFF, player_stream
from fourcard.house.head_signatures import HouseKey, read_key
from fourcard.house.house import House, open_house
from fourcard.house.reports.formats import DAY
from fourcard.house.store.address import open_store
from fourcard.house.witness_statements import WitnessError, WitnessFolder, WitnessStatement, sign_statement
from fourcard.house.witnesses import WitnessSender
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import Command, said

PLACE = "apart"
NOW, MINUTE = 4_102_444_800_000, 60_000
"""The first of January 2100: later than the machine's clock, by which the house was made."""
REWRITTEN = "That the whole journal was rewritten"


@pytest.fixture
def apart(house: Command, folder: Path) -> Path:
    """Return the folder of the house's witness."""
    (folder / PLACE).mkdir()
    said(house("register", "bob"))
    said(house("witness", "add", "other-disk", PLACE))
    return folder / PLACE


def send(times: int = 1) -> WitnessSender:
    """Send what is new, as a served house does."""
    with open_house(FILE) as opened:
        sender = WitnessSender(opened, lambda: True)
        for _ in range(times):
            sender.send_if_leading()
    return sender


def statements(apart: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in WitnessFolder(apart).lines()]


def found(
    fourcard: Command, *options: object, kinds: Collection[str] = ("witness",)
) -> list[tuple[str, str]]:
    """Audit with the witness, and return where something of these kinds alone was found, and what."""
    done = fourcard("audit", "--json", "--witness", PLACE, *options)
    assert done.err == ""
    answer = json.loads(done.out)
    assert done.status == bool(answer["findings"])
    assert {each["what"] for each in answer["findings"]} <= {*kinds}
    return [(each["where"], each["sentence"]) for each in answer["findings"]]


def copy_house(folder: Path, to: str) -> Callable[[], None]:
    """Copy everything of a house but its witness, with key and watermark; return what puts it back."""
    kept = folder / to
    kept.mkdir()
    for path in folder.glob(f"{FILE}*"):
        shutil.copy2(path, kept)

    def put_back() -> None:
        for path in folder.glob(f"{FILE}*"):
            path.unlink()
        for path in kept.iterdir():
            shutil.copy2(path, folder)

    return put_back


def test_witnesses_are_in_the_journal_with_who_added_and_removed_them(
    house: Command, fourcard: Command, apart: Path
) -> None:
    (listed,) = house("witness", "list", "--json").answer
    assert (listed["name"], listed["address"], listed["by"]) == ("other-disk", str(apart), CONSOLE)
    send()
    left_out = [each for each in fourcard("audit", "--json").answer["cannot_exclude"] if "--witness" in each]
    told = f"That the witness 'other-disk' ({apart}) of this house says otherwise: it was not compared."
    assert left_out == [f"{told} Give it with --witness."]
    assert "sends nothing to the witness 'other-disk'" in said(house("witness", "remove", "other-disk"))
    assert said(house("witness", "list")) == "The house has no witness.\n"
    before = statements(apart)
    send()
    assert statements(apart) == before, "nothing goes to a witness that was removed"
    store = open_store(FILE, writing=False)
    with store.reading() as reading:
        events = [json.loads(each.body) for each in reading.events("house")]
    store.close()
    changes = [(each["kind"], each["by"]) for each in events if each["kind"].startswith("witness")]
    assert changes == [("witness_added", CONSOLE), ("witness_removed", CONSOLE)]
    assert not any("--witness" in each for each in fourcard("audit", "--json").answer["cannot_exclude"])


def test_a_witness_follows_the_rotations_of_the_key_and_takes_nothing_of_an_old_one(
    house: Command, fourcard: Command, folder: Path, apart: Path
) -> None:
    send()
    for _ in range(2):
        said(house("rotate-key"))
    said(house("register", "cid"))
    send()
    keys = [each["public_key"] for each in statements(apart)]
    assert (keys[0], keys[-1]) == tuple(
        read_key(folder / f"{FILE}.key{end}").public for end in (".old-1", "")
    )
    assert found(fourcard, "--full") == []
    last, old = [*WitnessFolder(apart).lines()][-1], read_key(folder / f"{FILE}.key.old-2")
    statement = msgspec.json.decode(last, type=WitnessStatement)
    following = msgspec.structs.replace(
        statement,
        number=statement.number + 1,
        previous=sha256(last).hexdigest(),
        public_key=old.public,
    )
    line = sign_statement(following, old.signer(statement.house))
    with pytest.raises(WitnessError, match="another house"):
        WitnessFolder(apart).append(line)
    with max(apart.iterdir()).open("ab") as file:
        file.write(line + b"\n")
    assert "carries another key" in found(fourcard)[0][1]


@pytest.mark.parametrize(
    ("name", "address", "sentence"),
    [
        ("other-disk", ".", "There is already a witness 'other-disk'."),
        ("second", PLACE, "apart is already the witness 'other-disk'."),
        ("second", "nowhere", "nowhere; make it first."),
        ("second", FILE, f"{FILE}; make it first."),
        ("Second", ".", "'Second' is not a valid name for a witness."),
        ("second", "ftp://witness.example", "'ftp://witness.example' is not a folder, nor an address"),
        ("second", "https://ann:secret@witness.example", "it has no password and no query."),
        ("second", "https://witness.example/?key=secret", "it has no password and no query."),
        ("second", "http://", "'http://' is not a folder, nor an address"),
    ],
)
def test_what_cannot_be_a_witness_is_refused(
    house: Command, apart: Path, name: str, address: str, sentence: str
) -> None:
    assert sentence in house("witness", "add", name, address).sentence
    assert [each["address"] for each in house("witness", "list", "--json").answer] == [str(apart)]
    assert house("witness", "remove", "nobody").sentence == "There is no witness 'nobody'."


def test_only_an_administrator_adds_or_removes_a_witness(house: Command, apart: Path, folder: Path) -> None:
    said(house("hire", "eve", "--role", "administrator"))
    said(house("password", "eve", "--password-file", "password"))
    with open_house(FILE) as opened:
        change = ChangeRoles(person=CONSOLE, roles=("supervisor",))
        opened.do(STAFF, change, Actor("eve", "staff", ("administrator",)))
    for command in (("add", "second", folder), ("remove", "other-disk")):
        told = house("witness", *command).sentence
        assert told.endswith("is for the administrator, not for the supervisor. [P25]")
    assert [each["address"] for each in house("witness", "list", "--json").answer] == [str(apart)]


def test_every_head_that_was_stated_is_compared(house: Command, fourcard: Command, apart: Path) -> None:
    for cents in ("$100", "$50"):
        said(house("deposit", "bob", cents))
        send(3)
    numbers = [(each["number"], each["whole"]) for each in statements(apart)]
    assert numbers == [(1, True), (2, True)], "one at each start, and none while nothing changes"
    assert [len(each["heads"]) for each in statements(apart)] == [4, 4]
    alone = fourcard("audit", "--json").answer
    assert any(REWRITTEN in each for each in alone["cannot_exclude"])
    for options in ((), ("--full",)):
        compared = fourcard("audit", "--json", "--witness", PLACE, *options).answer
        (witness,) = compared["witnesses"]
        assert (witness["statements"], witness["first"], witness["last"]) == (2, 1, 2)
        assert not any(REWRITTEN in each or "--witness" in each for each in compared["cannot_exclude"])
        assert any("after the newest statement of" in each for each in compared["cannot_exclude"])
    shown = said(fourcard("audit", "--witness", PLACE))
    assert f"Witness {PLACE}: statements 1 to 2, until 2" in shown
    (day,) = apart.iterdir()
    assert fourcard("audit", "--json", "--witness", day).answer["witnesses"][0]["last"] == 2


@contextmanager
def clocked(at: int) -> Iterator[tuple[House, SimulatedClock, WitnessSender]]:
    """Open the house with a clock that only the test moves."""
    clock = SimulatedClock(at)
    with House(open_store(FILE), read_key(Path(f"{FILE}.key")), clock) as opened:
        yield opened, clock, WitnessSender(opened, lambda: True)


def deposit(opened: House) -> None:
    console = Actor(CONSOLE, "staff", ("supervisor", "administrator"))
    opened.do(player_stream("bob"), Deposit(cents=100, role="supervisor"), console)


def test_a_statement_lists_what_changed_and_everything_each_hour(apart: Path) -> None:
    with clocked(NOW) as (opened, clock, sender):
        for minutes in (0, 1, 59):
            clock.at += minutes * MINUTE
            deposit(opened)
            sender.send()
    told = [(each["whole"], [head[0] for head in each["heads"]]) for each in statements(apart)]
    every = ["house", "player/bob", "security", "staff"]
    assert told == [(True, every), (False, ["player/bob"]), (True, every)]


def test_a_day_has_its_file_and_a_clock_set_back_writes_to_none_before(
    apart: Path, fourcard: Command
) -> None:
    with clocked(NOW) as (opened, clock, sender):
        for days in (0, 1, -1):
            clock.at += days * DAY
            deposit(opened)
            sender.send()
    assert sorted(path.name for path in apart.iterdir()) == ["2100-01-01.jsonl", "2100-01-02.jsonl"]
    assert [each["number"] for each in statements(apart)] == [1, 2, 3]
    back = "Time goes back, from 2100-01-02 00:00:00 UTC to 2100-01-01 00:00:00 UTC."
    assert sorted(found(fourcard, kinds={"time", "witness"})) == [
        ("player/bob, event 4", "Its time is 86,400 s before that of the event before it."),
        (f"witness {PLACE}, statement 3", back),
    ]


def test_a_house_rolled_back_with_its_watermark_is_found(
    house: Command, fourcard: Command, apart: Path, folder: Path
) -> None:
    send()
    put_back = copy_house(folder, "before")
    said(house("deposit", "bob", "$100"))
    send()
    put_back()
    assert fourcard("audit", "--json").answer["clean"], "nothing in the house itself tells"
    lost = dict(sentence.split(" of ", 1)[::-1] for _, sentence in found(fourcard))
    cut = "and the journal ends at event {}: the house was rolled back, or the end was cut off."
    assert lost == {
        f"player/bob, {cut.format(1)}": "It has event 2",
        f"house, {cut.format(4)}": "It has event 5",
    }
    said(house("deposit", "bob", "$900"))
    assert fourcard("audit", "--json").answer["clean"], "another deposit, signed with the key"
    send()
    assert [each["number"] for each in statements(apart)] == [1, 2, 3]
    assert all(place == f"witness {PLACE}, statement 2" for place, _ in found(fourcard))
    rewritten = [sentence for _, sentence in found(fourcard, "--full") if "player/bob" in sentence]
    assert rewritten == [
        "It has another hash of player/bob at event 2: the journal was rewritten, or the house went two ways."
    ]


@pytest.mark.usefixtures("apart")
def test_a_recorded_restore_is_named_with_what_was_lost(
    house: Command, fourcard: Command, folder: Path
) -> None:
    said(house("backup", "monday.db"))
    said(house("deposit", "bob", "$100"))
    send()
    for path in folder.glob(f"{FILE}*"):
        if path.name != f"{FILE}.key":
            path.unlink()
    said(house("restore", "monday.db", "--yes"))
    (told,) = [sentence for _, sentence in found(fourcard) if "player/bob" in sentence]
    assert told.startswith(
        "It has event 2 of player/bob, and the journal ends at event 1: the house was rolled"
    )
    assert told.endswith("cut off. Restore 1 is recorded since.")


def remove_line(lines: list[bytes]) -> None:
    del lines[1]


def remove_first(lines: list[bytes]) -> None:
    del lines[0]


def repeat_line(lines: list[bytes]) -> None:
    lines.insert(2, lines[1])


def alter_time(lines: list[bytes]) -> None:
    lines[1] = lines[1].replace(b'"whole":true', b'"whole":false')


def sign_other(lines: list[bytes]) -> None:
    """Replace a statement by another one that is signed with the key of the house."""
    statement = msgspec.json.decode(lines[1], type=WitnessStatement)
    signer = read_key(Path(f"{FILE}.key")).signer(statement.house)
    lines[1] = sign_statement(msgspec.structs.replace(statement, at=statement.at + 1), signer)


def sign_with_another_key(lines: list[bytes]) -> None:
    statement = msgspec.json.decode(lines[1], type=WitnessStatement)
    other = HouseKey(bytes(range(32)))
    forged = msgspec.structs.replace(statement, public_key=other.public)
    lines[1] = sign_statement(forged, other.signer(statement.house))


GAP, FORK = "There is a gap before it: statement", "There is a fork: it"


@pytest.mark.parametrize(
    ("forge", "findings"),
    [
        (remove_line, [(3, f"{GAP} 2 is missing.")]),
        (remove_first, [(2, f"{GAP} 1 is missing.")]),
        (repeat_line, [(2, f"{FORK} comes after statement 2.")]),
        (sign_other, [(3, f"{FORK} follows another statement 2 than the one here.")]),
        (
            alter_time,
            [
                (2, "It is not signed with the key of the house: it proves nothing."),
                (3, f"{FORK} follows another statement 2 than the one here."),
            ],
        ),
        (
            sign_with_another_key,
            [
                (2, "It is another house's, or carries another key than this house's."),
                (3, f"{FORK} follows another statement 2 than the one here."),
            ],
        ),
    ],
)
def test_statements_that_were_touched_are_found(
    house: Command,
    fourcard: Command,
    apart: Path,
    forge: Callable[[list[bytes]], None],
    findings: list[tuple[int, str]],
) -> None:
    for _ in range(3):
        said(house("deposit", "bob", "$100"))
        send()
    assert found(fourcard) == []
    (day,) = apart.iterdir()
    lines = day.read_bytes().splitlines()
    forge(lines)
    day.write_bytes(b"\n".join([*lines, b""]))
    expected = [(f"witness {PLACE}, statement {number}", sentence) for number, sentence in findings]
    assert found(fourcard) == expected


def test_a_line_that_a_crash_cut_short_is_no_gap(house: Command, fourcard: Command, apart: Path) -> None:
    send()
    (day,) = apart.iterdir()
    day.write_bytes(day.read_bytes() + b'{"format":"fourcard-statement-1","house":"')
    said(house("deposit", "bob", "$100"))
    send()
    assert day.read_bytes().count(b"\n") == 3
    assert found(fourcard) == []
    assert fourcard("audit", "--json", "--witness", PLACE).answer["witnesses"][0]["statements"] == 2


def test_two_processes_that_both_send_make_one_chain(fourcard: Command, apart: Path) -> None:
    with clocked(NOW) as (opened, clock, first):
        senders = first, WitnessSender(opened, lambda: True)
        for minute in range(4):
            clock.at += MINUTE
            deposit(opened)
            senders[minute % 2].send()
        WitnessSender(opened, lambda: False).send_if_leading()
    assert [each["number"] for each in statements(apart)] == [1, 2, 3, 4]
    assert found(fourcard) == []


def test_a_witness_that_lost_statements_gets_no_more_and_staff_are_told(apart: Path, house: Command) -> None:
    with clocked(NOW) as (opened, clock, sender):
        for _ in range(2):
            deposit(opened)
            sender.send()
        (day,) = apart.iterdir()
        cut = day.read_bytes().splitlines(keepends=True)[0]
        day.write_bytes(cut)
        for attempt in range(3):
            assert sender.alerts == (), attempt
            deposit(opened)
            clock.at += MINUTE
            sender.send()
        (alert,) = sender.alerts
        told = "The witness 'other-disk' has taken no statement since 2100-01-01 00:01:00 UTC."
        assert alert == f"{told} The security log says why."
    assert day.read_bytes() == cut
    (note,) = [each for each in house("security", "--json").answer if each["what"] == "witness"]
    assert note["reason"] == "other-disk: It ends with statement 1, and took 2 before."


def test_a_folder_keeps_the_statements_of_one_house(house: Command, fourcard: Command, apart: Path) -> None:
    send()
    said(fourcard("house", "new", "--administrator", "eve", "--password-file", "password", "-d", "second.db"))
    said(house("witness", "add", "same", PLACE, "-d", "second.db"))
    with open_house("second.db") as second:
        for _ in range(3):
            sender = WitnessSender(second, lambda: True)
            sender.send()
    assert len(statements(apart)) == 1
    foreign = fourcard("audit", "--json", "-d", "second.db", "--witness", PLACE)
    told = [each["sentence"] for each in json.loads(foreign.out)["findings"]]
    assert told == [
        "It is another house's, or carries another key than this house's.",
        "It holds no statement of this house.",
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((".", "--address", "0.0.0.0"), "Other machines can connect only by https: give a --certificate."),
        ((".", "--certificate", "a.pem"), "Give both --certificate and --certificate-key."),
        (("nowhere",), "There is no folder nowhere; make it first."),
    ],
)
def test_a_receiver_that_cannot_start_says_why(
    fourcard: Command, folder: Path, options: tuple[str, ...], sentence: str
) -> None:
    assert fourcard("witness", "serve", *options).sentence == sentence
    assert [each.name for each in folder.iterdir()] == ["password"]


def test_a_witness_that_cannot_be_read_is_told_in_a_sentence(fourcard: Command, house: Command) -> None:
    said(house("register", "bob"))
    assert "nowhere; make it first." in fourcard("audit", "--witness", "nowhere").sentence
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert f"{address} cannot be reached: " in fourcard("audit", "--witness", address).sentence
