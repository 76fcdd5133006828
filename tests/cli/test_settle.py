"""`fourcard settle` as laboratories run it: files and pipes, exit statuses, streams without end."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fourcard.cards import DECK, cards_text
from fourcard.fingerprints import fingerprint
from tests.kit.commands import run_with_bytes
from tests.kit.settle_lines import line_of
from tests.kit.waiting import PROCESS_PATIENCE

FOURCARD = Path(sys.executable).parent / "fourcard"
BAD_INPUT = 2
"""Seconds after which a command that does not answer has failed."""
MEBIBYTE = 1 << 20
RULEBOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")
GOOD = [json.dumps(line_of(rulebook, id=rulebook)).encode() for rulebook in RULEBOOKS]
BAD = json.dumps(line_of("maryland", id="bad", seats__0__play=999)).encode()
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
"""That variable would send every answer at once, whether the command does or not."""
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small process of its own: a child's peak is never told as less than its parent's size."""


def settle(*arguments: str | Path, rounds: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Settle, with rounds on standard input where some are given."""
    return run_with_bytes("settle", *arguments, given=rounds)


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell in a folder; $FOURCARD is the command."""
    environment = {**ENVIRONMENT, "FOURCARD": str(FOURCARD)}
    return subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        check=False,
        cwd=folder,
        env=environment,
        timeout=PROCESS_PATIENCE,
    )


def written(folder: Path, *lines: bytes) -> Path:
    """Write lines into a file of rounds."""
    file = folder / "rounds.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return file


def answers(done: subprocess.CompletedProcess[bytes], status: int = 0) -> list[dict[str, Any]]:
    """Return the answers of a run that ended as expected and said nothing besides."""
    assert (done.returncode, done.stderr) == (status, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def sentence(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the one sentence of a run that could not do anything."""
    assert (done.returncode, done.stdout) == (BAD_INPUT, b"")
    text = done.stderr.decode()
    assert text.startswith("fourcard: ")
    assert text.endswith(".\n")
    assert text.count("\n") == 1
    return text.removeprefix("fourcard: ").removesuffix("\n")


def test_a_file_and_standard_input_are_settled_alike(tmp_path: Path) -> None:
    file = written(tmp_path, *GOOD)
    done = settle(file)
    assert [answer["id"] for answer in answers(done)] == list(RULEBOOKS)
    assert settle(rounds=file.read_bytes()).stdout == done.stdout
    assert settle("-", rounds=file.read_bytes()).stdout == done.stdout


def test_the_example_of_the_contract_is_answered_as_it_says(tmp_path: Path) -> None:
    wagers = {"ante": 1000, "aces_up": 500, "six_card": 100, "progressive": 100}
    line = line_of("maryland", seats__0__player="p1", seats__0__wagers=wagers)
    line["options"]["automatic_bonus"] = "standard"
    (answer,) = answers(settle(written(tmp_path, json.dumps(line).encode())))
    (seated,) = answer["seats"]
    assert (seated["position"], seated["hand"], seated["best"]) == (1, "pair", "As Ah Kd 7c")
    won = {"ante": 1000, "play": 3000, "aces_up": 500, "six_card": -100, "progressive": -100}
    nothing = dict.fromkeys(("automatic_bonus", "envy", "bad_beat", "cover_all"), 0)
    assert seated["net"] == won | nothing
    assert answer["dealer"] == {"hand": "pair", "best": "Ks Kh 9c 5d"}
    assert answer["meter"] == 2_000_000
    keys = {"position", "wager", "action", "amount", "from", "hand", "clauses"}
    assert all(keys <= {*step} for step in answer["steps"])


def test_refused_lines_make_the_status_one_and_the_others_are_settled(tmp_path: Path) -> None:
    done = settle(written(tmp_path, GOOD[0], BAD, b"oops", GOOD[1]))
    first, bad, unreadable, last = answers(done, status=1)
    assert (first["id"], last["id"]) == ("massachusetts", "shuffle-master")
    assert (bad["id"], bad["line"], bad["refused"]["name"]) == ("bad", 2, "play_too_small")
    assert bad["refused"] | {"message": ""} == {
        "code": 206,
        "name": "play_too_small",
        "message": "",
        "clauses": ["MD-07E1", "MD-11B1"],
        "position": 1,
    }
    assert (unreadable["id"], unreadable["line"], unreadable["refused"]["code"]) == (None, 3, 601)


def test_nothing_is_settled_without_complaint(tmp_path: Path) -> None:
    assert answers(settle(written(tmp_path))) == []
    assert answers(settle(rounds=b"\n\r\n  \n")) == []


@pytest.mark.parametrize("closed", ["settle <&-", "settle {file} >&-"])
def test_a_closed_stream_is_no_stream(tmp_path: Path, closed: str) -> None:
    done = shell("$FOURCARD " + closed.format(file=written(tmp_path, *GOOD)), tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith(b" is closed.\n")


@pytest.mark.parametrize("onto", ["settle {file} >> {file}", "settle < {file} >> {file}"])
def test_answers_never_go_into_the_file_that_is_read(tmp_path: Path, onto: str) -> None:
    file = written(tmp_path, *GOOD)
    before = file.read_bytes()
    done = shell("$FOURCARD " + onto.format(file=file), tmp_path)
    assert (done.returncode, file.read_bytes()) == (2, before)
    assert done.stderr == b"fourcard: standard output cannot be written: it is also the input.\n"


def test_the_kit_that_is_printed_is_the_kit_that_is_checked(tmp_path: Path) -> None:
    done = shell("$FOURCARD settle --kit | $FOURCARD settle --check - --json", tmp_path)
    assert done.returncode == 0
    assert b'"differences": []' in done.stdout


def test_a_kit_from_standard_input_is_checked_and_writes_no_answers(tmp_path: Path) -> None:
    assert shell("echo nothing | $FOURCARD settle --check -", tmp_path).returncode == 2
    assert shell("$FOURCARD settle --check -o answers", tmp_path).returncode == 2
    assert not (tmp_path / "answers").exists()


def test_blank_lines_line_ends_and_the_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    plain = settle(written(tmp_path, *GOOD)).stdout
    spaced = b"\xef\xbb\xbf" + b"\r\n\r\n".join(GOOD)
    assert settle(rounds=spaced).stdout == plain
    assert settle(rounds=b"\n \t\n" + b"\n".join(GOOD)).stdout == plain
    assert settle(rounds=b"\xef\xbb\xbf\n" + b"\n".join(GOOD)).stdout == plain
    (told,) = answers(settle(rounds=b"\n\r\noops\r\n"), status=1)
    assert told["line"] == 3


def test_every_answer_carries_the_fingerprint(tmp_path: Path) -> None:
    too_long = b" " * MEBIBYTE + BAD
    told = answers(settle(written(tmp_path, *GOOD, BAD, b"oops", too_long)), status=1)
    assert [answer["fingerprint"] for answer in told] == [fingerprint()] * (len(GOOD) + 3)


def test_answers_go_into_a_file_that_is_named(tmp_path: Path) -> None:
    file, output = written(tmp_path, *GOOD, BAD), tmp_path / "answers.jsonl"
    output.write_text("what was there before")
    plain = settle(file).stdout
    for option in ("--output", "-o"):
        done = settle(file, option, output)
        assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
        assert output.read_bytes() == plain


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.jsonl", "no such file or directory"),
        (".", "is a directory"),
        ("rounds.jsonl/inner", "not a directory"),
        ("loop", "too many levels of symbolic links"),
        ("x" * 300, "file name too long"),
    ],
)
def test_an_input_that_cannot_be_read_gets_one_sentence(tmp_path: Path, name: str, said: str) -> None:
    written(tmp_path, *GOOD)
    (tmp_path / "loop").symlink_to("loop")
    kept = tmp_path / "answers.jsonl"
    kept.write_text("kept")
    told = sentence(settle(tmp_path / name, "-o", kept))
    assert told == f"{tmp_path / name} cannot be read: {said}."
    assert kept.read_text() == "kept"


def test_an_input_that_fails_while_it_is_read_is_not_taken_for_a_bad_output(tmp_path: Path) -> None:
    done = shell("$FOURCARD settle 0>written-only", tmp_path)
    assert sentence(done) == "standard input cannot be read: bad file descriptor."


def test_an_output_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    file = written(tmp_path, *GOOD)
    output = tmp_path / "nowhere" / "answers.jsonl"
    assert sentence(settle(file, "-o", output)) == f"{output} cannot be written: no such file or directory."
    assert sentence(settle(file, "-o", tmp_path)) == f"{tmp_path} cannot be written: is a directory."


def test_answers_never_overwrite_their_own_rounds(tmp_path: Path) -> None:
    file = written(tmp_path, *GOOD)
    (tmp_path / "symbolic").symlink_to(file)
    (tmp_path / "hard").hardlink_to(file)
    before = file.read_bytes()
    for output in (file, tmp_path / "symbolic", tmp_path / "hard"):
        told = sentence(shell(f"$FOURCARD settle {file} -o {output}", tmp_path))
        assert told == f"{output} cannot be written: it is also the input."
    told = sentence(shell("$FOURCARD settle -o rounds.jsonl < rounds.jsonl", tmp_path))
    assert told == "rounds.jsonl cannot be written: it is also the input."
    assert file.read_bytes() == before


def test_a_full_disk_gets_one_sentence(tmp_path: Path) -> None:
    written(tmp_path, *GOOD)
    for full in (device for device in (Path("/dev/full"),) if device.exists()):
        for command in (f"settle rounds.jsonl -o {full}", f"settle < rounds.jsonl > {full}"):
            told = sentence(shell(f"$FOURCARD {command}", tmp_path))
            assert told == "The output cannot be written: No space left on device."


def test_a_line_of_a_mebibyte_is_settled_and_a_longer_one_refused(tmp_path: Path) -> None:
    def padded(size: int) -> bytes:
        return GOOD[0] + b" " * (size - len(GOOD[0]))

    sizes = (MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 5 * MEBIBYTE)
    lines = [line for size in sizes for line in (padded(size), GOOD[1])]
    told = answers(settle(written(tmp_path, *lines)), status=1)
    assert [answer["id"] for answer in told[1::2]] == ["shuffle-master"] * len(sizes)
    names = [answer.get("refused", {}).get("name") for answer in told[::2]]
    assert names == [None, None, "line_too_long", "line_too_long"]
    assert [answer.get("line") for answer in told[::2]] == [None, None, 5, 7]
    unfinished = settle(rounds=padded(MEBIBYTE + 1))
    assert [answer["refused"]["code"] for answer in answers(unfinished, status=1)] == [616]


def test_an_answer_comes_back_through_a_pipe_before_the_next_line_is_sent() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [FOURCARD, "settle"], stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT
    ) as running:
        assert running.stdin
        assert running.stdout
        for line, wanted in ((GOOD[0], "massachusetts"), (b"oops", None), (GOOD[1], "shuffle-master")):
            running.stdin.write(line + b"\n")
            running.stdin.flush()
            ready, _, _ = select.select([running.stdout], [], [], PROCESS_PATIENCE)
            assert ready, "no answer while the pipe is open"
            assert json.loads(running.stdout.readline())["id"] == wanted
        assert running.poll() is None
        running.stdin.close()
        assert running.wait(PROCESS_PATIENCE) == 1


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    written(tmp_path, *GOOD * 400)
    done = shell("{ $FOURCARD settle rounds.jsonl; echo $? >&2; } | head -1", tmp_path)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b"0\n"
    done = shell("{ cat rounds.jsonl | $FOURCARD settle; echo $? >&2; } | head -1", tmp_path)
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"0\n")


def many(file: Path, count: int) -> Path:
    """Write many short rounds, all different, of which some are refused."""
    chance = Random(count)
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            cards = chance.sample(DECK, 11)
            ante = 100 * chance.randint(1, 50)
            line = {
                "id": f"round {number}",
                "rulebook": "maryland",
                "options": {"aces_up": "A"},
                "seats": [
                    {
                        "position": 1,
                        "player": f"player {number}",
                        "cards": cards_text(cards[:5]),
                        "wagers": {"ante": ante, "aces_up": 500},
                        "play": ante * (number % 100 != 0) * 2 or 1,
                    }
                ],
                "dealer": cards_text(cards[5:]),
            }
            print(json.dumps(line), file=out)
    return file


def peak(file: Path) -> int:
    """Return the most memory that settling a file took, in bytes."""
    command: list[str | Path] = [sys.executable, "-S", "-c", MEASURE, FOURCARD, "settle", file]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=2 * PROCESS_PATIENCE)
    status, size = map(int, done.stdout.split())
    assert status == 1
    return size * (1 if sys.platform == "darwin" else 1024)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    short, long = (peak(many(tmp_path / f"{count}.jsonl", count)) for count in (6_000, 60_000))
    assert 15 * MEBIBYTE < short < 200 * MEBIBYTE
    assert long - short < 6 * MEBIBYTE
