"""`fourcard simulate` as scripts and people use it: answers, refusals, progress, and a stop in between."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fourcard.refusal_codes import Code
from tests.cli.test_settle_progress import seen
from tests.kit.commands import Command
from tests.kit.support import EXAMPLES
from tests.kit.waiting import PROCESS_PATIENCE

FOURCARD = Path(sys.executable).parent / "fourcard"
INTERRUPTED = 130


def test_the_answer_has_every_wager_with_its_error(fourcard: Command) -> None:
    arguments = ("--rounds", 100_000, "--players", 6, "--rulebook", "massachusetts", "--seed", 3)
    found = fourcard("simulate", *arguments, "--strategy", "basic", "--threads", 1, "--json").answer
    wagers = ["ante", "aces_up", "cover_all", "progressive", "envy", "progressive_and_envy", "all"]
    assert [*found["wagers"]] == wagers
    assert all({"edge", "standard_error"} <= each.keys() for each in found["wagers"].values())
    assert (found["rounds"], found["players"], found["seed"]) == (100_000, 6, 3)
    assert found["seconds"] > 0
    assert found["meter"] == found["reset"] == 500_000
    assert len(found["game"]) == 64
    assert found["fingerprint"].startswith("fourcard ")
    again = fourcard("simulate", *arguments, "--strategy", "basic", "--threads", 2, "--json").answer
    assert again["wagers"] == found["wagers"]


def test_wagers_tables_and_stakes_are_chosen(fourcard: Command) -> None:
    chosen = ("--wager", "aces_up=C:$7", "--wager", "progressive=C:500", "--wager", "envy=C-royal")
    found = fourcard(
        "simulate",
        "--rounds",
        1_000,
        "--players",
        2,
        "--ante",
        "$25",
        *chosen,
        "--meter",
        "$30,000",
        "--json",
    ).answer
    assert found["stakes"] == {"ante": 2_500, "aces_up": 700, "progressive": 500}
    assert (found["options"]["aces_up"], found["options"]["envy"]) == ("C", "C-royal")
    assert (found["meter"], found["reset"]) == (3_000_000, 1_000_000)
    assert fourcard("simulate", "--rounds", 10, "--wager", "none", "--json").answer["stakes"] == {
        "ante": 1_000
    }
    side = fourcard("simulate", "--rounds", 10, "--ante", 0, "--wager", "aces_up", "--json").answer
    assert side["stakes"] == {"aces_up": 100}
    assert "ante" not in side["wagers"]


@pytest.mark.parametrize("submission", [EXAMPLES / "maryland-everything.toml", "maryland-everything"])
def test_a_submission_is_simulated_within_its_limits(fourcard: Command, submission: object) -> None:
    found = fourcard("simulate", "--rounds", 1_000, "--submission", submission, "--json").answer
    assert found["rulebook"] == "maryland"
    assert found["stakes"]["aces_up"] == 500
    assert found["options"]["progressive"] == "C"


def test_a_person_reads_a_table_and_a_fan(tmp_path: Path, fourcard: Command) -> None:
    chart = tmp_path / "fan.svg"
    fate = ("--bankroll", "$500", "--session", 100, "--sessions", 200, "--chart", chart)
    done = fourcard("simulate", "--rounds", 10_000, "--seed", 1, "--wager", "none", *fate)
    assert (done.status, done.err) == (0, "")
    for words in ("Ante, Play and bonus", "standard error", "10,000 rounds", "seed 1", "Risk of ruin", "█"):
        assert words in done.out
    assert chart.read_text().startswith("<svg")


def test_rounds_are_written_for_settle(tmp_path: Path, fourcard: Command) -> None:
    deals = tmp_path / "deals.jsonl"
    found = fourcard(
        "simulate", "--rounds", 300, "--players", 3, "--seed", 5, "--deals", deals, "--json"
    ).answer
    done = fourcard("settle", deals, "--output", tmp_path / "answers.jsonl")
    assert (done.status, done.out, done.err) == (0, "", "")
    answers = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert len(answers) == 300
    total = sum(net for each in answers for seat in each["seats"] for net in seat["net"].values())
    assert total == found["wagers"]["all"]["net"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rulebook", "nevada"), "There is no rulebook 'nevada'"),
        (("--players", "8"), Code.POSITION_UNKNOWN.sentence.format(position="8", most="7")),
        (("--players", "0"), Code.POSITION_UNKNOWN.sentence.format(position="0", most="7")),
        (("--rounds", "0"), "The number of rounds must be from 1"),
        (("--threads", "0"), "The number of threads must be at least 1"),
        (("--seed", "-1"), "The seed must be a whole number"),
        (("--strategy", "lucky"), "'lucky' is not a strategy"),
        (("--wager", "roulette"), "'roulette' is not a wager"),
        (("--wager", "envy=A:5"), "The Envy has no stake of its own"),
        (("--wager", "aces_up", "--wager", "aces_up"), "selected more than once"),
        (("--wager", "aces_up=Z"), "Z"),
        (("--wager", "bad_beat"), "Bad Beat Bonus"),
        (("--wager", "progressive:300"), "A progressive wager of $3 is not accepted here"),
        (("--wager", "six_card:0"), "must be"),
        (("--setting", "six_card_low_ace"), "write NAME=VALUE"),
        (("--chart", "fan.svg"), "A chart shows bankrolls"),
        (("--bankroll", "$500", "--chart", "fan.gif"), "fan.gif must end in"),
        (("--bankroll", "$5", "--wager", "none"), "does not cover one round"),
        (("--precision", "0"), "The precision must be above zero"),
        (("--of", "ante"), "give --precision too"),
        (("--precision", "0.1", "--of", "luck"), "'luck' is not estimated here"),
        (("--rulebook", "massachusetts", "--players", "7", "--wager", "cover_all"), "7"),
        (("--submission", "nowhere.toml"), "nowhere.toml cannot be read"),
        (
            ("--submission", str(EXAMPLES / "maryland.toml"), "--rulebook", "maryland"),
            "has its own rulebook",
        ),
        (("--deals", "nowhere/deals.jsonl"), "cannot be written"),
        (("--rounds", "0", "--deals", "deals.jsonl"), "The number of rounds must be from 1"),
        (("--threads", "0", "--deals", "deals.jsonl"), "The number of threads must be at least 1"),
        (("--setting", f"rounding={'9' * 5_000}"), "rounding"),
        (("--rounds", "2000000", "--deals", "deals.jsonl"), "At most 1,000,000 rounds can be exported"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], sentence: str, fourcard: Command) -> None:
    rounds = () if {"--rounds", "--precision"} & {*arguments} else ("--rounds", "1000")
    done = fourcard("simulate", *arguments, *rounds)
    assert sentence in done.sentence


def test_a_stop_prints_what_is_known_so_far() -> None:
    command = [str(FOURCARD), "simulate", "--rounds", "500000000000", "--wager", "none", "--json"]
    terminal, other_end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    running = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=other_end, env=environment
    )
    os.close(other_end)
    shown, end = b"", time.monotonic() + PROCESS_PATIENCE
    while b"edge" not in shown and time.monotonic() < end:
        shown += os.read(terminal, 1 << 12)
    running.send_signal(signal.SIGINT)
    output = running.communicate(timeout=PROCESS_PATIENCE)[0]
    shown += seen(terminal)
    os.close(terminal)
    assert running.returncode == INTERRUPTED
    found = json.loads(output)
    assert found["interrupted"]
    assert found["rounds"] > 0
    assert found["wagers"]["ante"]["standard_error"] > 0
    assert b"ante edge" in shown
    assert b"stopped after" in shown
    assert b"Traceback" not in shown
