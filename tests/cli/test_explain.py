"""`fourcard explain`: one round of a file in words, found by id or line; whatever is wrong in a sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fourcard.fingerprints import fingerprint
from fourcard.refusal_codes import Code
from tests.kit.commands import run_with_bytes
from tests.kit.settle_lines import FOUR_ACES, GONE, line_of
from tests.kit.waiting import PROCESS_PATIENCE

FOURCARD = Path(sys.executable).parent / "fourcard"
BAD_INPUT = 2
ROUNDS = [
    line_of("maryland", id="first"),
    line_of("catfish-bend", id=17, seats__0__player="Zoë"),
    line_of("washington", id=GONE),
    line_of("massachusetts", id="void", void="MA-14c"),
    line_of("maryland", id="wrong", seats__0__play=999),
    line_of("maryland", id="no meter", seats__0__cards=FOUR_ACES, meter=GONE),
]


@pytest.fixture
def rounds(tmp_path: Path) -> Path:
    """Return a file of rounds whose second line is blank and whose last is not JSON."""
    first, *others = (json.dumps(line) for line in ROUNDS)
    file = tmp_path / "rounds.jsonl"
    file.write_text("\r\n".join([first, "", *others, "oops"]), encoding="utf-8-sig", newline="")
    return file


def explain(*arguments: str | Path, rounds: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Explain, with rounds on standard input where some are given."""
    return run_with_bytes("explain", *arguments, given=rounds)


def shown(*arguments: str | Path, rounds: bytes | None = None) -> str:
    """Return what a run that succeeds shows."""
    done = explain(*arguments, rounds=rounds)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def told(*arguments: str | Path) -> dict[str, Any]:
    """Return the JSON answer of a run that succeeds."""
    answer: dict[str, Any] = json.loads(shown(*arguments, "--json"))
    return answer


def sentence(*arguments: str | Path, rounds: bytes | None = None) -> str:
    """Return the one sentence of a run that could not do anything."""
    done = explain(*arguments, rounds=rounds)
    assert (done.returncode, done.stdout) == (BAD_INPUT, b"")
    text = done.stderr.decode()
    assert text.startswith("fourcard: ")
    assert text.endswith(".\n")
    assert text.count("\n") == 1
    return text.removeprefix("fourcard: ").removesuffix("\n")


def test_the_first_round_is_told_as_a_dealer_would(rounds: Path) -> None:
    lines = shown(rounds).splitlines()
    assert lines[0] == "Round first at a table of Maryland, proposed edition"
    assert lines[1] == "The dealer shows K♠ K♥ 5♦ 9♣ 3♥ 4♠: pair of kings, nine and five. MD-11D2"
    assert "Position 1: Ante, pay $10 (1 to 1). MD-12A" in lines
    assert "Position 1: take the Six Card Bonus of $1. MD-07E5.1 MD-12G1" in lines
    assert "Position 1 wins $43 in all." in [line.rstrip() for line in lines]
    assert lines[-1] == fingerprint()


def test_standard_input_is_told_alike(rounds: Path) -> None:
    text = rounds.read_bytes()
    assert shown(rounds=text) == shown("-", rounds=text) == shown(rounds)


def test_a_round_is_found_by_its_id_or_its_line(rounds: Path) -> None:
    assert told(rounds, "--id", "17")["id"] == told(rounds, "--line", "3")["id"] == 17
    assert told(rounds, "--line", "1")["id"] == "first"
    assert told(rounds, "--id", "17", "--line", "3")["id"] == 17
    assert "Position 1 (Zoë)" in shown(rounds, "--id", "17")


def test_a_round_without_an_id_is_found_by_its_line_only(rounds: Path) -> None:
    answer = told(rounds, "--line", "4")
    assert (answer["id"], answer["title"]) == (None, "A round at a table of Washington")
    assert sentence(rounds, "--id", "None") == f"There is no round with id 'None' in {rounds}."


def test_json_holds_the_same_sentences_with_their_clauses(rounds: Path) -> None:
    answer = told(rounds)
    assert {*answer} == {"id", "title", "sentences", "rack", "fingerprint"}
    assert answer["fingerprint"] == fingerprint()
    assert answer["rack"] == ["1: As Ah Kd 7c 2h", "0: Ks Kh 5d 9c 3h 4s", "0: 9d"]
    lines = shown(rounds).splitlines()
    assert len(answer["sentences"]) == len(lines) - 2
    assert answer["sentences"][0] == {
        "text": "The dealer shows Ks Kh 5d 9c 3h 4s: pair of kings, nine and five.",
        "clauses": ["MD-11D2"],
        "position": 0,
    }
    assert all(each["clauses"] for each in answer["sentences"] if "in all" not in each["text"])


def test_a_void_round_gives_everything_back(rounds: Path) -> None:
    first, *back = told(rounds, "--id", "void")["sentences"]
    assert first["text"] == "The round is void: every hand is dead and every wager goes back."
    assert first["clauses"] == ["MA-14c"]
    assert back[0]["text"].startswith("Position 1: give back the Ante of $")
    assert all(each["clauses"][:2] == ["MA-14c", "R69"] for each in back)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--id", "18"), "There is no round with id '18' in {file}."),
        (("--id", ""), "There is no round with id '' in {file}."),
        (("--id", "17", "--line", "1"), "There is no round on line 1 with id '17' in {file}."),
        (("--line", "0"), "There is no round on line 0 in {file}."),
        (("--line", "-1"), "There is no round on line -1 in {file}."),
        (("--line", "2"), "There is no round on line 2 in {file}."),
        (("--line", "9"), "There is no round on line 9 in {file}."),
        (("--line", "8"), "The line is not a round in JSON: invalid character (byte 0)."),
        (("--id", "wrong"), Code.PLAY_TOO_SMALL.sentence.format(amount="$9.99", multiple="1", ante="$10")),
        (("--id", "no meter"), Code.METER_NOT_GIVEN.sentence),
    ],
)
def test_a_round_that_is_not_there_or_refused_gets_one_sentence(
    rounds: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert sentence(rounds, *arguments) == said.format(file=rounds)


def test_a_file_that_cannot_be_read_gets_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    assert sentence(missing) == f"{missing} cannot be read: no such file or directory."
    assert sentence(tmp_path) == f"{tmp_path} cannot be read: is a directory."
    assert sentence(rounds=b"") == "There is no round on line 1 in standard input."


def test_a_line_that_is_too_long_is_passed_over_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(" " * (1 << 20) + json.dumps(ROUNDS[0]) + "\n" + json.dumps(ROUNDS[1]))
    assert told(file)["id"] == 17
    assert sentence(file, "--line", "1") == "The line is longer than 1,048,576 bytes."


def test_a_name_cannot_steer_the_terminal_or_forge_a_line() -> None:
    name = "p\x1b[31m\nThe dealer pays everyone. [bold]"
    text = shown(rounds=json.dumps(line_of("maryland", id=name, seats__0__player=name)).encode())
    assert "\x1b" not in text
    assert "Round p\\x1b[31m\\nThe dealer pays everyone. [bold] at a table" in text
    assert not [line for line in text.splitlines() if line.startswith("The dealer pays")]


def test_a_reader_that_stops_early_is_no_error(rounds: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [FOURCARD, "explain", rounds],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PROCESS_PATIENCE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
