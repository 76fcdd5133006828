"""`fourcard verify-shuffle` and `fourcard rng-test`: answers, exit statuses, one sentence for bad input."""

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fourcard.fingerprints import fingerprint
from tests.kit.commands import run_with_bytes as fourcard
from tests.kit.settle_lines import labelled
from tests.kit.shufflers import (
    SEEDS,
    WITHHELD,
    Line,
    ProvenTable,
    proven,
    receipt_for,
    receipts_file,
    rounds,
)
from tests.kit.support import ROOT, game
from tests.kit.waiting import PROCESS_PATIENCE

FOURCARD = Path(sys.executable).parent / "fourcard"
PAGE = (ROOT / "docs" / "laboratory" / "fairness.md").read_text(encoding="utf-8")
PASSED, FAILED, BAD_INPUT = 0, 1, 2
COMMITTED = "committed only"
UNLUCKY = "1"
"""A seed whose few shuffles fail at a level that half of all fair ones fail at."""
NO = "There is no round to verify on line"


def sentence(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the one sentence of a run that could not do anything."""
    text = done.stderr.decode()
    assert (done.returncode, done.stdout) == (BAD_INPUT, b"")
    assert text.startswith("fourcard: ")
    assert text.count("\n") == 1
    return text.removeprefix("fourcard: ").removesuffix("\n")


def as_lines(*rounds: Line | str) -> bytes:
    """Return rounds as the text of a file."""
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in rounds).encode()


@pytest.fixture(scope="module")
def fair() -> Line:
    """Return a round with its proof."""
    return proven("maryland-everything", (1,))


@pytest.fixture(scope="module")
def false(fair: Line) -> Line:
    """Return a round whose player got another hand than was drawn."""
    line = copy.deepcopy(fair)
    line["seats"][0]["cards"] = "As Ah Ad Ac Kd"
    return line | {"id": "false"}


@pytest.fixture(scope="module")
def keyed(fair: Line) -> Line:
    """Return a round without a proof."""
    return {key: value for key, value in fair.items() if key not in {"proof", "id"}}


def verified(*rounds: Line | str) -> tuple[int, list[dict[str, Any]]]:
    """Return exit status and answers of a run."""
    done = fourcard("verify-shuffle", "--json", given=as_lines(*rounds))
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_round_is_told_with_what_was_checked(fair: Line, tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(as_lines(fair))
    done = fourcard("verify-shuffle", file)
    assert (done.returncode, done.stderr) == (PASSED, b"")
    first, *findings, total, last = done.stdout.decode().splitlines()
    assert first == f"Round {fair['id']}, table pit-1.table_3, shuffle 1: committed only"
    assert len(findings) == 4
    assert findings[0] == f"  The secret matches commitment {fair['proof']['commitment']}."
    assert findings[-1].endswith(": to check your seed, give --player and --receipts.")
    assert (total, last) == ("1 round: 0 fair, 1 committed only, 0 not verifiable, 0 false.", fingerprint())


def test_standard_input_is_told_alike(fair: Line, tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(as_lines(fair))
    outputs = [
        fourcard("verify-shuffle", file),
        fourcard("verify-shuffle", given=as_lines(fair)),
        fourcard("verify-shuffle", "-", given=as_lines(fair)),
    ]
    assert len({done.stdout for done in outputs}) == 1


def test_every_round_gets_a_verdict_and_one_false_makes_the_status(
    fair: Line, false: Line, keyed: Line
) -> None:
    status, answers = verified("", fair, false, "  ", keyed, fair)
    assert status == FAILED
    assert [each["verdict"] for each in answers] == [COMMITTED, "false", "not verifiable", COMMITTED]
    assert [each["line"] for each in answers] == [2, 3, 5, 6]
    assert {*answers[0]} == {
        "line", "id", "verdict", "findings", "table", "shuffle", "order", "own_seed", "withheld",
        "fingerprint",
    }  # fmt: skip
    assert answers[2]["id"] is None
    assert answers[1]["findings"][0].startswith("Position 1 has As Ah Ad Ac Kd, but ")
    shown = fourcard("verify-shuffle", given=as_lines(fair, false, keyed)).stdout.decode()
    assert (
        "Round false, table pit-1.table_3, shuffle 1: false\n  Position 1 has A♠ A♥ A♦ A♣ K♦, but " in shown
    )
    assert "Line 3: not verifiable\n" in shown
    assert "3 rounds: 0 fair, 1 committed only, 1 not verifiable, 1 false.\n" in shown


def test_what_cannot_be_verified_is_no_failure(fair: Line, keyed: Line) -> None:
    assert verified(fair, keyed)[0] == PASSED


def test_settling_looks_at_no_proof(fair: Line, false: Line, keyed: Line) -> None:
    lines = as_lines(fair, fair | {"proof": {"any": ["thing", {"a": ":"}]}}, fair | {"proof": None})
    done = fourcard("settle", given=lines)
    assert (done.returncode, done.stderr) == (PASSED, b"")
    assert len({*done.stdout.splitlines()}) == 1
    assert (
        fourcard("settle", given=as_lines(keyed | {"id": fair["id"]})).stdout
        == done.stdout[: len(done.stdout) // 3]
    )
    assert fourcard("explain", given=as_lines(false)).returncode == PASSED


@pytest.mark.parametrize(
    ("given", "said"),
    labelled(
        ("nothing", b"", "There is no round on line 1 in standard input."),
        ("blank lines", b" \n\n", "There is no round on line 1 in standard input."),
        ("no JSON", b"oops", f"{NO} 1: The line is not a round in JSON: invalid character (byte 0)."),
        ("a list", b"\n[]", f"{NO} 2: The line is not a round in JSON: it is not an object."),
        ("no seats", b'{"rulebook": "maryland"}', f"{NO} 1: the round: the key 'seats' is missing"),
        ("too long", b" " * ((1 << 20) + 1), f"{NO} 1: The line is longer than 1,048,576 bytes."),
        ("not UTF-8", b'{"rulebook": "maryland", "proof": "\xff"}', f"{NO} 1: The line is not a round"),
    ),
)  # fmt: skip
def test_what_is_no_round_gets_one_sentence(given: bytes, said: str) -> None:
    assert sentence(fourcard("verify-shuffle", given=given)).startswith(said)


def test_a_file_that_cannot_be_read_gets_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    assert (
        sentence(fourcard("verify-shuffle", missing))
        == f"{missing} cannot be read: no such file or directory."
    )
    assert sentence(fourcard("verify-shuffle", tmp_path)) == f"{tmp_path} cannot be read: is a directory."


def test_verdicts_before_a_bad_line_are_told(fair: Line) -> None:
    done = fourcard("verify-shuffle", given=as_lines(fair, "oops", fair))
    assert done.returncode == BAD_INPUT
    assert done.stdout.decode().splitlines()[0].endswith(": committed only")
    assert done.stderr.decode().startswith(f"fourcard: {NO} 2: ")


def test_names_cannot_steer_the_terminal(fair: Line) -> None:
    name = "r\x1b[31m\n9 rounds: 9 fair. [bold]"
    line = copy.deepcopy(fair) | {"id": name}
    line["proof"]["table"] = name
    shown = fourcard("verify-shuffle", given=as_lines(line)).stdout.decode()
    assert "\x1b" not in shown
    assert shown.startswith("Round r\\x1b[31m\\n9 rounds: 9 fair. [bold], table r\\x1b[31m")
    assert not [each for each in shown.splitlines() if each.startswith("9 rounds")]


def test_the_rounds_of_the_page_get_the_verdicts_of_the_page(tmp_path: Path) -> None:
    (text,) = re.findall(r"```json\n(\{\"id\".*?)```", PAGE, re.DOTALL)
    (receipts,) = re.findall(r"```json\n(\{\"format\".*?)```", PAGE, re.DOTALL)
    (tmp_path / "receipts.json").write_text(receipts)
    runs = re.findall(r"```text\n\$ fourcard verify-shuffle rounds.jsonl(.*?)\n(.*?)```", PAGE, re.DOTALL)
    round_, seeded, keyed = (json.loads(text) | {"id": name} for name in ("table-1/1", "r2", "r3"))
    seeded["proof"]["seeds"][1][1] = "43" * 8
    del keyed["proof"]
    assert [bool(options) for options, _ in runs] == [False, True]
    for options, told in runs:
        files = [tmp_path / each if each == "receipts.json" else each for each in options.split()]
        done = fourcard("verify-shuffle", *files, given=as_lines(round_, seeded, keyed))
        assert (done.returncode, done.stderr) == (FAILED, b"")
        assert done.stdout.decode() == f"{told}{fingerprint()}\n"


@pytest.fixture
def receipts(tmp_path: Path) -> Path:
    """Return where receipts are kept."""
    return tmp_path / "receipts.json"


def test_a_player_with_receipts_is_told_which_rounds_were_fair(keyed: Line, receipts: Path) -> None:
    (player, seed), played = SEEDS[0], [*rounds("massachusetts", 4)]
    own = [receipt_for(line, seed) for line in played]
    own[2]["seed"] = "another seed of zoe's"
    receipts.write_text(json.dumps(receipts_file(player, own[0])))
    done = fourcard(
        "verify-shuffle", "--player", player, "--receipts", receipts, given=as_lines(*played, keyed)
    )
    assert (done.returncode, done.stderr) == (PASSED, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0].endswith(": fair")
    assert lines[-3:-1] == [
        "5 rounds: 1 fair, 3 committed only, 1 not verifiable, 0 false.",
        "Seeds of zoe: 1 used, 0 withheld, 0 left out; 4 rounds without a receipt.",
    ]
    receipts.write_text(json.dumps(receipts_file(player, own[0], own[2])))
    done = fourcard(
        "verify-shuffle", "--json", "--player", player, "--receipts", receipts, given=as_lines(*played)
    )
    assert done.returncode == FAILED
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["verdict"] for each in answers] == ["fair", COMMITTED, "false", COMMITTED]
    assert [each["own_seed"] for each in answers] == ["used", None, "used", None]


def test_a_withheld_seed_is_named_and_counted(receipts: Path) -> None:
    ((player, seed),) = WITHHELD
    line = ProvenTable(game("massachusetts"), withheld=WITHHELD).play()
    receipts.write_text(json.dumps(receipts_file(player, receipt_for(line, seed))))
    done = fourcard("verify-shuffle", "--player", player, "--receipts", receipts, given=as_lines(line))
    shown = done.stdout.decode()
    assert done.returncode == PASSED
    assert "1 seed was withheld (bob): a partner of the house gains one bit by withholding.\n" in shown
    assert "Seeds of bob: 0 used, 1 withheld, 0 left out; 0 rounds without a receipt.\n" in shown


GOOD = {"table": "main", "shuffle": 1, "commitment": "0" * 64, "seed": "s" * 16}


@pytest.mark.parametrize(
    ("text", "said"),
    labelled(
        ("no JSON", "oops", "{file} is not a file of receipts: it is not JSON."),
        ("nothing", "", "{file} is not a file of receipts: it is not JSON."),
        ("a list", "[]", "{file} is not a file of receipts: it is not an object."),
        ("nested", "[" * 5000, "{file} is not a file of receipts: it is not JSON."),
        ("another format", receipts_file("ann") | {"format": "x"},
         "{file} does not have the format fourcard-receipts-1."),
        ("another player", receipts_file("bob"), "{file} has the receipts of 'bob', not of 'ann'."),
        ("no format", {"player": "ann", "receipts": []},
         "{file}, the top of the file: the key 'format' is missing"),
        ("no receipts", {"format": "fourcard-receipts-1", "player": "ann"},
         "{file}, the top of the file: the key 'receipts' is missing"),
        ("no seed", receipts_file("ann", {key: GOOD[key] for key in GOOD if key != "seed"}),
         "{file}, receipts[0]: the key 'seed' is missing"),
        ("a word for a number", receipts_file("ann", GOOD | {"shuffle": "1"}),
         "{file}, receipts[0].shuffle: "),
        ("a short commitment", receipts_file("ann", GOOD, GOOD | {"commitment": "0"}),
         "{file}, receipt 2: the commitment is not 64 hexadecimal digits."),
        ("a short seed", receipts_file("ann", GOOD | {"seed": "s"}),
         "{file}, receipt 1: the seed is not 16 to 64 plain characters."),
        ("no hashes", receipts_file("ann", GOOD | {"call": {"round": 1}}), "{file}, receipts[0].call: "),
    ),
)  # fmt: skip
def test_receipts_that_cannot_be_used_get_one_sentence(
    fair: Line, receipts: Path, text: str | Line, said: str
) -> None:
    receipts.write_text(text if isinstance(text, str) else json.dumps(text))
    done = fourcard("verify-shuffle", "--player", "ann", "--receipts", receipts, given=as_lines(fair))
    assert sentence(done).startswith(said.format(file=receipts))


def test_receipts_that_cannot_be_read_get_one_sentence(fair: Line, receipts: Path) -> None:
    done = fourcard("verify-shuffle", "--player", "ann", "--receipts", receipts, given=as_lines(fair))
    assert sentence(done) == f"The receipts {receipts} cannot be read: No such file or directory."
    receipts.write_bytes(b" " * ((16 << 20) + 1))
    done = fourcard("verify-shuffle", "--player", "ann", "--receipts", receipts, given=as_lines(fair))
    assert sentence(done) == f"{receipts} is longer than 16,777,216 bytes."


@pytest.mark.parametrize("options", [("--player", "ann"), ("--receipts", "receipts.json")])
def test_player_and_receipts_go_together(fair: Line, options: tuple[str, str]) -> None:
    done = fourcard("verify-shuffle", *options, given=as_lines(fair))
    assert sentence(done) == "Give --player and --receipts together: a receipt is one player's."


def test_the_report_of_the_page_is_what_is_printed() -> None:
    (command, told) = re.findall(r"```text\n\$ fourcard (rng-test .*?)\n(.*?)```", PAGE, re.DOTALL)[0]
    done = fourcard(*command.split())
    assert (done.returncode, done.stderr) == (PASSED, b"")
    *printed, last = [line.rstrip() for line in done.stdout.decode().splitlines()]
    assert printed == told.splitlines()
    assert last == fingerprint()


def test_the_report_is_one_object_for_scripts() -> None:
    done = fourcard("rng-test", "--shuffles", "2000", "--seed", "3", "--json")
    assert (done.returncode, done.stderr) == (PASSED, b"")
    told = json.loads(done.stdout)
    assert {*told} == {"algorithm", "seed", "shuffles", "level", "passed", "tests", "fingerprint"}
    assert (told["seed"], told["shuffles"], told["level"], told["passed"]) == (3, 2000, 0.001, True)
    assert {each["of"] for each in told["tests"]} == {"decks", "output", "entropy"}
    assert {*told["tests"][0]} == {
        "of", "name", "method", "count", "statistic", "degrees", "p", "corrected", "passed",
    }  # fmt: skip
    again = fourcard("rng-test", "--shuffles", "2000", "--seed", "3", "--json")
    assert again.stdout == done.stdout


def test_without_a_seed_every_run_is_another() -> None:
    runs = [fourcard("rng-test", "--shuffles", "2000", "--level", "1e-9", "--json") for _ in range(2)]
    assert [done.returncode for done in runs] == [PASSED, PASSED]
    one, other = (json.loads(done.stdout) for done in runs)
    assert one["seed"] is other["seed"] is None
    assert one["tests"] != other["tests"]


def test_a_failed_test_makes_the_exit_status_and_is_marked() -> None:
    done = fourcard("rng-test", "--shuffles", "2000", "--seed", UNLUCKY, "--level", "0.5")
    assert (done.returncode, done.stderr) == (FAILED, b"")
    text = done.stdout.decode()
    assert "FAILED" in text
    assert re.search(
        r"48 tests, [1-9]\d* failed: a fair generator fails any of them in at most one of 2 runs", text
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--shuffles", "1999"), "The number of shuffles must be from 2,000 to 1,000,000, not 1,999."),
        (("--shuffles", "1000001"), "The number of shuffles must be from 2,000 to 1,000,000, not 1,000,001."),
        (("--shuffles", "many"), "Invalid value for '--shuffles'"),
        (("--seed", "-1"), "A seed is a whole number, 0 or more, not -1."),
        (("--level", "0"), "The level must be above 0 and at most 0.5, not 0."),
        (("--level", "0.6"), "The level must be above 0 and at most 0.5, not 0.6."),
        (("--level", "nan"), "The level must be above 0 and at most 0.5, not nan."),
    ],
)
def test_an_option_that_does_not_fit_gets_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    assert sentence(fourcard("rng-test", *arguments)).startswith(said)


@pytest.mark.parametrize("command", ["verify-shuffle", "rng-test"])
def test_a_reader_that_stops_early_is_no_error(command: str, fair: Line, tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(as_lines(fair))
    arguments: list[str | Path] = (
        [file] if command == "verify-shuffle" else ["--shuffles", "2000", "--seed", "1"]
    )
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [FOURCARD, command, *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PROCESS_PATIENCE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
