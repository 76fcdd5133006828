"""The command line as scripts and people use it: answers, exit statuses, one sentence for bad input."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fourcard.cli import output
from fourcard.cli import rules as differences_command
from fourcard.refusal_codes import Code
from fourcard.rules import sabotage_results
from fourcard.rules.clauses import clauses
from fourcard.rules.sabotage_results import AlterationCounts, SabotageResult
from tests.kit.commands import run_with_bytes
from tests.kit.support import EXAMPLES, ROOT

FOURCARD = Path(sys.executable).parent / "fourcard"
BAD_INPUT = 2


def installed(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a user does."""
    return subprocess.run([FOURCARD, *arguments], capture_output=True, text=True, check=False, cwd=ROOT)


def fourcard(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, which spares its start."""
    with contextlib.chdir(ROOT):
        done = run_with_bytes(*arguments)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_the_installed_command_ends_with_its_status_and_one_sentence() -> None:
    for arguments in (("rank", "As Ah Kd 7c 2h"), ("rank", "As As Kd 7c"), ("check", "Makefile")):
        started, here = installed(*arguments), fourcard(*arguments)
        assert started.returncode == here.returncode == (0 if arguments[1].startswith("As Ah") else BAD_INPUT)
        assert (started.stdout, started.stderr) == (here.stdout, here.stderr)


def answer(*arguments: str) -> Any:
    """Return the JSON answer of a command that succeeds."""
    done = fourcard(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_rank_answers_as_the_contract_says() -> None:
    assert answer("rank", "As Ah Kd 7c 2h") == {
        "hand": "pair",
        "best": "As Ah Kd 7c",
        "strength": 1556,
        "name": "pair of aces, king and seven",
    }
    assert answer("rank", "As", "2h", "3d", "4c", "9h", "9s")["best"] == "4c 3d 2h As"
    assert answer("rank", "2c 3d 4h 6s")["strength"] == 0
    assert answer("rank", "As Ah Ad Ac")["strength"] == 2534


def test_rank_speaks_to_people_too() -> None:
    done = fourcard("rank", "As Ah Kd 7c 2h")
    assert "A♠ A♥ K♦ 7♣" in done.stdout
    assert "pair of aces, king and seven" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("rank", "As As Kd 7c"), "The card As appears more than once."),
        (("rank", "As Ah Kd 7x"), "'7x' is not a card"),
        (("rank", "As Ah Kd"), "3 cards were given where 4 or 5 or 6 are needed."),
        (("rank", "As Ah Kd 7c 2h 3h 4h"), "7 cards were given where 4 or 5 or 6 are needed."),
        (("rank",), "Missing argument"),
        (("rank", "--loud", "As"), "No such option"),
        (("deal",), "No such command 'deal'."),
        (("clauses", "MA-99"), "There is no clause, ruling or policy 'MA-99'"),
        (("clauses", "--source", "NV"), "There is no source 'NV'; there are MA, SM, MD, WA, IA."),
        (("clauses", "--kind", "rumour"), "There is no kind 'rumour'"),
        (("clauses", "--topic", "weather"), "There is no topic 'weather'"),
        (
            ("check", "no-such-file.toml"),
            "no-such-file.toml cannot be read: No such file or directory.",
        ),
        (("check", "Makefile"), "Makefile cannot be read: "),
        (("check", "tests"), "tests cannot be read: Is a directory."),
        (("check", "pyproject.toml"), "pyproject.toml, the top of the file: unknown key"),
        (("paytables", "no-such-file.toml"), "no-such-file.toml cannot be read"),
        (("check", ""), ". cannot be read: Is a directory."),
        (("check", "a\nb.toml"), "a\\nb.toml cannot be read: "),
        (("clauses", "MA-12-RG"), "There is no clause, ruling or policy 'MA-12-RG'; did you mean "),
        (("clauses", "MA-6e", "--unproven"), "With an id, leave out"),
        (("differences", "weather"), Code.POINT_UNKNOWN.sentence.format(point="weather")),
    ],
)
def test_bad_input_gets_one_sentence_and_status_two(arguments: tuple[str, ...], sentence: str) -> None:
    done = fourcard(*arguments)
    assert done.returncode == BAD_INPUT
    assert done.stdout == ""
    assert done.stderr.startswith(f"fourcard: {sentence}")
    assert done.stderr.count("\n") == 1


def test_clauses_shows_a_clause_with_ruling_carriers_and_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"MA-12-RF": SabotageResult(data=AlterationCounts(tried=7, caught=6))}
    monkeypatch.setattr(sabotage_results, "sabotage_results", lambda: found)
    (clause,) = answer("clauses", "MA-12-RF")
    known = clauses()["MA-12-RF"]
    assert {*clause} == {*known.__struct_fields__, "carried_by", "tests", "proven", "rulings", "sabotage"}
    assert [each["id"] for each in clause["rulings"]] == [*known.rulings]
    assert any(place.startswith("fourcard/hands.py:") for place in clause["carried_by"])
    assert any(test.startswith("tests/clauses/test_ranking.py::") for test in clause["tests"])
    assert clause["sabotage"] == {"data": {"tried": 7, "caught": 6}, "code": None}
    shown = fourcard("clauses", "MA-12-RF").stdout
    assert "sabotage 6 of 7 alterations of the rulebooks caught" in shown
    assert "alterations of the code" not in shown
    assert "R25 Cover All royal" in shown
    (carried,) = answer("clauses", "MA-6e")
    assert "massachusetts: positions.per_player" in carried["carried_by"]


@pytest.mark.parametrize(
    ("part", "first", "last", "count"),
    [
        ("WA-NEX-9b", "WA-NEX-9b.1", "WA-NEX-9b.2", 2),
        ("MA-10b", "MA-10b.1", "MA-10b.4", 4),
        ("ma-10B", "MA-10b.1", "MA-10b.4", 4),
        ("MA-1", "MA-1-AU.1", "MA-1-SUIT", 10),
        ("WA-NEX", "WA-NEX-1", "WA-NEX-LIM", None),
    ],
)
def test_clauses_shows_the_family_below_a_part_of_an_id(
    part: str, first: str, last: str, count: int | None
) -> None:
    found = [clause["id"] for clause in answer("clauses", part)]
    assert (found[0], found[-1]) == (first, last)
    assert count in (None, len(found))
    assert not any(each.startswith("MA-10") for each in found if part == "MA-1")
    done = fourcard("clauses", part)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(each in done.stdout for each in found)
    assert ("implemented by" in done.stdout) == (count is not None), "a large family is listed"


@pytest.mark.parametrize("command", ["check", "paytables"])
def test_an_example_is_named_as_in_play(command: str) -> None:
    named, file = (fourcard(command, each, "--json") for each in ("maryland", "examples/maryland.toml"))
    assert (named.returncode, named.stderr) == (0, "")
    assert named.stdout == file.stdout
    unknown = fourcard(command, "marylnd")
    assert unknown.returncode == BAD_INPUT
    assert unknown.stderr.startswith(
        "fourcard: There is no file or example named 'marylnd'. Examples: catfish-bend,"
    )


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "at_table",
            "at_tabel",
            "positions: unknown key 'at_tabel' (did you mean 'at_table'?).",
        ),
        (
            "limits.posted.ante",
            "limits.posted.Anti",
            "limits.posted: unknown key 'Anti' (did you mean 'ante'?).",
        ),
        ("rulebook =", "rulbook =", "unknown key 'rulbook' (did you mean 'rulebook'?)."),
        ("chip =", "unheard_of =", "the top of the file: unknown key 'unheard_of'."),
    ],
)
def test_a_misspelt_key_gets_a_suggestion(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        (EXAMPLES / "maryland.toml").read_text(encoding="utf-8").replace(old, new), encoding="utf-8"
    )
    done = fourcard("check", str(file))
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr.endswith(f"{sentence}\n")


def test_a_misspelt_setting_gets_a_suggestion(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = (EXAMPLES / "maryland.toml").read_text(encoding="utf-8")
    file.write_text(f'{text}\n[settings]\nroundin = "down"\n', encoding="utf-8")
    (found,) = json.loads(fourcard("check", str(file), "--json").stdout)["findings"]
    assert found["message"] == "There is no setting 'roundin' (did you mean 'rounding'?)."


def test_a_rulings_finding_is_printed_with_its_level(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    fullest = (EXAMPLES / "maryland-everything.toml").read_text(encoding="utf-8")
    file.write_text(fullest.replace('envy = "C-royal"', 'envy = "A"'), encoding="utf-8")
    unpaired = fourcard("check", str(file))
    words = " ".join(unpaired.stdout.split())
    schedule = "The Envy schedule A does not belong to the progressive paytable C. MD-12D-2.2 R67"
    assert (unpaired.returncode, f"warning progressive.envy {schedule}" in words) == (0, True)
    plain = (EXAMPLES / "massachusetts.toml").read_text(encoding="utf-8")
    file.write_text(f'{plain}\n[settings]\nup_card_end = "top"\n', encoding="utf-8")
    chosen = fourcard("check", str(file))
    assert "error settings.up_card_end There is no setting" in " ".join(chosen.stdout.split())
    assert chosen.returncode != 0


def test_an_overruled_clause_says_so() -> None:
    assert "overrules this clause" in fourcard("clauses", "IA-INT-9").stdout


def test_clauses_lists_by_source_kind_topic_and_proof() -> None:
    assert len(answer("clauses")) == 969
    assert len(answer("clauses", "--source", "MA")) == 202
    assert {row["kind"] for row in answer("clauses", "--kind", "engine")} == {"engine"}
    unproven = answer("clauses", "--source", "IA", "--unproven")
    assert unproven
    assert all(row["tests"] == [] for row in unproven)
    assert "clauses" in fourcard("clauses", "--topic", "ranking").stdout


def test_clauses_shows_rulings_and_policies() -> None:
    (ruling,) = answer("clauses", "R33")
    assert ruling["settings"]["rounding"]["default"] == "down"
    assert "setting" in fourcard("clauses", "R33").stdout
    assert answer("clauses", "P1")[0]["title"].startswith("One position")


def test_check_passes_a_valid_submission() -> None:
    found = answer("check", "examples/maryland-everything.toml")
    assert (found["valid"], found["findings"], found["edition"]) == (True, [], "proposed")
    assert found["worst_loss"]["total"] == sum(found["worst_loss"]["by_wager"].values()) > 0
    assert len(found["game"]) == 64
    done = fourcard("check", "examples/maryland-everything.toml")
    assert "valid: 0 errors, 0 warnings" in done.stdout
    assert "one round costs the house at most" in done.stdout


def test_check_answers_every_violation_with_its_clause(tmp_path: Path) -> None:
    text = (EXAMPLES / "massachusetts.toml").read_text(encoding="utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text(
        text.replace("per_player = 2", "per_player = 3").replace('"IV"', '"IX"'), encoding="utf-8"
    )
    done = fourcard("check", str(broken), "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["valid"], found["worst_loss"]) == (1, False, None)
    assert [(f["level"], f["where"], f["clauses"]) for f in found["findings"]] == [
        ("error", "wagers.aces_up", ["MA-11a3.2"]),
        ("error", "positions.per_player", ["MA-6e"]),
    ]
    assert fourcard("check", str(broken)).returncode == 1
    refused = fourcard("paytables", str(broken))
    assert (refused.returncode, refused.stdout) == (BAD_INPUT, "")
    assert refused.stderr.startswith("fourcard: The submission is not valid: There is no Aces Up table 'IX'")
    assert refused.stderr.endswith("(and 1 more)\n")


def test_paytables_prints_the_sign() -> None:
    shown = fourcard("paytables", "examples/washington.toml").stdout
    assert "three of a kind" in shown
    assert "3 to 2" in shown
    panels = {
        panel["wager"]: panel
        for panel in answer("paytables", "examples/massachusetts-everything.toml")["panels"]
    }
    assert panels["cover_all"]["pays"]["four aces"]["6 players"] == "100 to 1"
    assert panels["envy"]["pays"]["four aces"] == {"for a $1 wager": "$100", "for a $5 wager": "$500"}


def test_differences_come_from_the_data() -> None:
    (point,) = answer("differences", "whole_multiples")
    assert point["differs"]
    assert point["rulebooks"]["catfish-bend"]["value"] == "yes"
    (silent,) = answer("differences", "modes.ACE")
    assert silent["rulebooks"]["massachusetts"] == {"value": None, "clauses": []}
    assert "IA-DEF-4" in point["rulebooks"]["catfish-bend"]["clauses"]
    every = answer("differences", "--all")
    assert len(every) > len(answer("differences")) > 50
    assert "wagers.play.whole_multiples" in fourcard("differences", "play").stdout


def test_the_demonstration_runs_through_without_a_terminal() -> None:
    done = fourcard("demo", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "")
    for part in ("trademark", "Every rule cites its clause", "MA-13a3.3", "fourcard paytables"):
        assert part in done.stdout
    assert done.stdout == fourcard("demo", "--seed", "7").stdout


@pytest.mark.parametrize("arguments", [("clauses",), ("differences",), ("demo", "--seed", "1"), ("--help",)])
def test_a_reader_that_stops_early_is_no_error(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [FOURCARD, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False, cwd=ROOT
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_check_keeps_its_verdict_when_the_reader_stops_early(tmp_path: Path) -> None:
    text = (EXAMPLES / "massachusetts.toml").read_text(encoding="utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace("per_player = 2", "per_player = 3"), encoding="utf-8")
    for path, status in ((EXAMPLES / "massachusetts.toml", 0), (broken, 1)):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([FOURCARD, "check", path], stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.parametrize("redirect", [">&-", "<&-", "2>&-", *([">/dev/full"] * Path("/dev/full").exists())])
def test_closed_and_full_streams_never_give_a_traceback(redirect: str) -> None:
    command = f"{FOURCARD} demo --seed 1 {redirect}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == (BAD_INPUT if "full" in redirect else 0)


@pytest.mark.parametrize(
    "text",
    [
        "name = " + "[" * 3000 + "]" * 3000,
        "at_table = " + "9" * 5000,
        'chip = "$' + "9" * 5000 + '"',
        'chip = "x - at y"',
        '"a\\nb" = 1',
    ],
)
def test_hostile_files_get_one_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hostile.toml"
    file.write_text(text, encoding="utf-8")
    done = fourcard("check", str(file))
    assert (done.returncode, done.stderr.count("\n")) == (BAD_INPUT, 1)


def test_a_name_cannot_forge_a_verdict_or_steer_the_terminal(tmp_path: Path) -> None:
    text = (EXAMPLES / "massachusetts.toml").read_text(encoding="utf-8")
    file = tmp_path / "forged.toml"
    name = 'name = "x\\nvalid: 9 errors [bold]:smile:[/] \\u001b[31m"'
    file.write_text(
        re.sub(r"^name = .*$", lambda _: name, text, count=1, flags=re.MULTILINE), encoding="utf-8"
    )
    done = fourcard("check", str(file))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stdout.splitlines()[0].startswith("x\\nvalid: 9 errors [bold]:smile:[/] \\x1b[31m")


def test_json_is_plain_ascii_whatever_the_locale() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for arguments in (("clauses", "MA-12k.0", "--json"), ("rank", "As Ah Kd 7c")):
        done = subprocess.run(
            [FOURCARD, *arguments], capture_output=True, env=environment, check=False, cwd=ROOT
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.isascii()


def test_the_command_alone_shows_its_help() -> None:
    done = installed()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: fourcard" in done.stdout


def test_every_rulebook_is_seen_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "WIDE_COLUMNS", 80)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        differences_command.differences()
    for name in ("massachusetts", "shuffle-master", "maryland (existing)", "washington", "catfish-bend"):
        assert name in shown.getvalue()


def test_the_version_is_printed() -> None:
    assert installed("--version").stdout == "0.2.0\n"
