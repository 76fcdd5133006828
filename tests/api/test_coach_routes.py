"""The coach routes give the answers of `fourcard advise`, before and after the game is solved."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGSTOP
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from fourcard.cards import DECK, card_text, cards_text
from fourcard.cli.main import app as command_line
from fourcard.hands import best_hand
from fourcard.house.commands import InstallTable
from fourcard.odds import solver as counting
from fourcard.odds import states_cache as states_table
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.disk_cache import cache_folder
from fourcard.odds.progress import ProgressCallback
from fourcard.odds.state_counts import StateTable
from fourcard.odds.states_cache import all_states, available_states
from fourcard.odds.strategies import base_terms_of, decision_points
from fourcard.odds.strategy_chart import StrategyChart, chart_cell_of
from fourcard.server.api import Solver
from tests.api.api_client import ApiReader, game_of, house_of, read_house
from tests.kit.houses import TestHouse, house_with, submission_text
from tests.kit.waiting import wait_until

PAIR: dict[str, Any] = {"hand": "9s 9h Kd 7c 2h", "up": "6c"}
ACES: dict[str, Any] = {"hand": "As Ah Ad 7c 2h", "up": "6c"}
NOTHING: dict[str, Any] = {"hand": "2s 5h 7d 9c Jh", "up": "Kc"}


@pytest.fixture(scope="module")
def reader() -> Iterator[ApiReader]:
    all_states()
    with house_of(house_with("maryland")) as house, read_house(house) as found:
        yield found


@pytest.fixture(scope="module")
def chart() -> StrategyChart:
    """Return the chart of the table's game."""
    return StrategyChart(decision_points(base_terms_of(game_of("maryland"))))


def spots(count: int, seed: int) -> Iterator[tuple[str, str]]:
    chance = Random(seed)
    for _ in range(count):
        *hand, up = chance.sample(DECK, 6)
        yield cards_text(hand), card_text(up)


def advised(hand: str, up: str, *options: str) -> dict[str, Any]:
    found = CliRunner().invoke(command_line, ["advise", hand, "--up", up, *options, "--json"])
    assert found.exit_code == 0, found.output
    answer: dict[str, Any] = msgspec.json.decode(found.output)
    del answer["fingerprint"]
    return answer


@pytest.mark.parametrize("bonus", [None, "none", "standard", "FCP-03"])
def test_advice_is_what_the_command_says(reader: ApiReader, bonus: str | None) -> None:
    options = () if bonus is None else ("--bonus", bonus)
    for hand, up in spots(15, 1):
        told = reader.ask("/api/advice", hand=hand, up=up, bonus=bonus)
        expected = advised(hand, up, *options)
        assert {name: told[name] for name in expected} == expected
        assert told["source"] == "table"
        assert told["ante"] is told["cents"] is None
        assert told["can"] == [*told["ev"]]


def test_advice_at_a_table_tells_cents_and_what_can_be_done(reader: ApiReader) -> None:
    told = reader.ask("/api/advice", **PAIR, table="main", ante=1000, most=2500)
    assert told["cents"] == {choice: pytest.approx(1000 * value) for choice, value in told["ev"].items()}
    assert told["can"] == ["fold", "1x", "2x"]
    assert told["cell"] == {"hand": "pair of nines", "up": "6"}
    assert [each["ev"] for each in told["choices"]] == [pytest.approx(each) for each in told["ev"].values()]


@pytest.mark.parametrize(
    ("most", "short"),
    [
        (None, [0, 0, 0, 0]),
        (3000, [0, 0, 0, 0]),
        (2999, [0, 0, 0, 1]),
        (1000, [0, 0, 1000, 2000]),
        (999, [0, 1, 1001, 2001]),
        (0, [0, 1000, 2000, 3000]),
    ],
)
def test_the_best_is_that_of_the_game_and_what_money_lacks_stands_beside_it(
    reader: ApiReader, most: int | None, short: list[int]
) -> None:
    for hand, best in ((PAIR, "1x"), (ACES, "3x"), (NOTHING, "fold")):
        told = reader.ask("/api/advice", **hand, table="main", ante=1000, most=most)
        assert told["best"] == best
        assert told["why"].endswith(f"{best} is best.")
        assert [each["choice"] for each in told["choices"]] == ["fold", "1x", "2x", "3x"]
        assert [each["amount"] for each in told["choices"]] == [0, 1000, 2000, 3000]
        assert [each["short"] for each in told["choices"]] == short
        assert all(each["allowed"] for each in told["choices"])
        assert told["can"] == [each["choice"] for each in told["choices"] if not each["short"]]


def test_the_best_keeps_to_the_limits_of_a_table() -> None:
    """A legal limit of $12 is between two and three Antes of $5."""
    made = house_with("maryland")
    text = submission_text("washington").replace('"$300"', '"$12"').replace('"$100"', '"$12"')
    made.at("limited", InstallTable(submission=text))
    with house_of(made) as house, read_house(house) as found:
        told = found.ask("/api/advice", **ACES, table="limited", ante=500, most=1100)
        assert told["best"] == "$12 on Play"
        assert told["why"].endswith(": $12 on Play is best.")
        seen = [(each["choice"], each["allowed"], each["short"]) for each in told["choices"]]
        assert seen == [
            ("fold", True, 0),
            ("1x", True, 0),
            ("2x", True, 0),
            ("3x", False, 400),
            ("$12 on Play", True, 100),
        ]
        assert told["can"] == ["fold", "1x", "2x"]
        above = found.ask("/api/advice", **ACES, table="limited", ante=5000)
        assert (above["best"], above["can"]) == ("fold", ["fold"])
        assert above["why"].endswith("No Play wager is allowed on this Ante here: fold is best.")


def test_the_reason_is_made_of_the_counts(reader: ApiReader) -> None:
    pair = reader.ask("/api/advice", **PAIR)["why"]
    assert pair == (
        "You hold a pair of nines; you win or tie 49.8% of the time. Each extra dollar on Play loses "
        "0.3 cents, but 1x loses 0.006 Antes and a fold loses 1: 1x is best."
    )
    strong = reader.ask("/api/advice", hand="As Ah Ad 7c 2h", up="6c")["why"]
    assert strong.startswith("You hold three aces; ")
    assert strong.endswith(": 3x is best.")
    weak = reader.ask("/api/advice", hand="2s 5h 7d 9c Jh", up="Kc")["why"]
    assert weak.startswith("You hold no pair, jack high; ")
    assert weak.endswith("and a fold loses 1: fold is best.")


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ({"hand": "9s 9h", "up": "6c"}, 400, "2 cards were given where 5 are needed"),
        ({**PAIR, "up": "9s"}, 400, "9s"),
        ({**PAIR, "up": "zz"}, 400, "zz"),
        ({**PAIR, "table": "nowhere"}, 404, "nowhere"),
        ({**PAIR, "table": "no\0where"}, 404, "no?where"),
        ({**PAIR, "bonus": "tests/own.toml"}, 400, "There is no Automatic Bonus paytable"),
        ({**PAIR, "rulebook": "nevada"}, 404, "no rulebook 'nevada'"),
        ({**PAIR, "ante": -1}, 400, "ante"),
        ({"hand": "9s"}, 400, "up"),
    ],
)
def test_what_cannot_be_advised_on_is_refused(
    reader: ApiReader, query: dict[str, Any], status: int, says: str
) -> None:
    assert says in reader.refused("/api/advice", status, **query)


def test_the_grid_is_the_chart_of_the_tables_game(reader: ApiReader, chart: StrategyChart) -> None:
    told = reader.ask("/api/strategy", table="main")
    flat = [cell for row in told["cells"] for cell in row]
    assert [cell["decision"] for cell in flat] == [cell.decision for cell in chart.cells]
    assert [cell["mixed"] for cell in flat] == [cell.mixed for cell in chart.cells]
    assert told["hands"] == [*chart.rows]
    assert told["ups"] == [*"23456789TJQKA"]
    assert told["pays"]["four_of_a_kind"] == "25 to 1"
    assert [len(each["rules"]) for each in told["memorise"]] == [5, 6, 8]
    assert told == reader.ask("/data/strategy/maryland-standard.json")
    assert flat[0]["rules"][-1] == {"if": "otherwise", "then": "3x"}


def test_every_hand_has_the_cell_of_its_row(chart: StrategyChart) -> None:
    chance = Random(3)
    cards = chart.points.cards
    for each in chance.sample(range(len(cards)), 3000):
        row, _ = chart_cell_of(best_hand(cards[each].tolist()), 0)
        assert chart.rows[row][each]


def test_practice_gives_close_spots_and_the_same_by_the_same_seed(reader: ApiReader) -> None:
    found = [reader.ask("/api/practice", table="main", seed=str(seed)) for seed in range(10)]
    assert found == [reader.ask("/api/practice", table="main", seed=str(seed)) for seed in range(10)]
    assert len({spot["hand"] for spot in found}) > 5
    for spot in found:
        first, second, *_ = sorted(
            reader.ask("/api/advice", **spot, table="main")["ev"].values(), reverse=True
        )
        assert first - second < 0.2


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[Event]:
    """Forget the solution, and let a new solve run until it is stopped."""
    known, ending = all_states(), Event()

    def solve(threads: int, step: ProgressCallback) -> StateTable:
        assert threads >= 1
        step(0.25)
        assert ending.wait(20)
        return known

    monkeypatch.setenv("FOURCARD_CACHE", str(tmp_path))
    monkeypatch.setattr(counting, "solve", solve)
    monkeypatch.setattr(states_table, "_LOADED", [])
    monkeypatch.setattr(states_table, "_write_table", lambda *_: None)
    yield ending
    ending.set()


@pytest.fixture
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Use a folder with compiled code but no solution, and forget the known solution."""
    all_states()
    (tmp_path / "kernels").symlink_to(cache_folder() / "kernels")
    monkeypatch.setenv("FOURCARD_CACHE", str(tmp_path))
    monkeypatch.setattr(states_table, "_LOADED", [])
    yield tmp_path
    wait_until(nobody_solves)


def begun(solver: Solver) -> Solver:
    """Start a solver and wait until some of the work is done."""
    solver.start()
    wait_until(lambda: solver.progress > 0)
    return solver


def nobody_solves() -> bool:
    """Return whether no solver is running in this process."""
    return not any(each.name == "solver" for each in enumerate_threads())


def test_while_the_game_is_solved_each_state_is_counted_by_itself(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = Solver()
    add_progress = solver._add_progress

    def pause_at_first_report(share: float) -> None:
        """Stop the solver's process after its first report, until the test has looked at it."""
        assert solver._process is not None
        if not solver._done:
            solver._process._process.send_signal(SIGSTOP)
        add_progress(share)

    monkeypatch.setattr(solver, "_add_progress", pause_at_first_report)
    with house_of(TestHouse()) as house, read_house(house, solver) as found:
        assert found.ask("/api/coach") == {"ready": False, "progress": 0.0}
        for path in ("/api/strategy", "/data/strategy/maryland-standard.json"):
            assert "the game is being solved" in found.refused(path, 503)
        told = found.ask("/api/advice", **PAIR)
        assert told["source"] == "single state"
        expected = {"below": 683093, "tied": 123, "above": 687538, "of": 1370754}
        assert told["dealer"] == expected
        wait_until(lambda: solver.progress > 0)
        told_progress = found.ask("/api/coach")
        assert not told_progress["ready"]
        assert 0 < told_progress["progress"] < 1
        assert solver._process is not None
        solver._process._process.send_signal(SIGCONT)
        wait_until(lambda: solver.ready)
        assert list(empty_folder.glob("states-*.bin"))
        assert found.ask("/api/coach") == {"ready": True, "progress": 1.0}
        after = found.ask("/api/advice", **PAIR)
        assert after == {**told, "source": "table"}


def test_a_solve_under_way_is_stopped_at_once_and_leaves_nothing(
    empty_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    solver = begun(Solver())
    began = time.monotonic()
    solver.stop()
    wait_until(nobody_solves)
    assert time.monotonic() - began < 2
    assert not solver.ready
    assert not list(empty_folder.glob("states-*"))
    solver.start()
    wait_until(nobody_solves)
    assert not solver.ready, "who was stopped begins no more"
    assert not caplog.records


def test_a_solve_that_fails_stands_in_the_log_with_its_reason(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = empty_folder / "broken"
    broken.write_text("#!/bin/sh\necho the machine is on fire\nexit 3\n", encoding="utf-8")
    broken.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(broken))
    Solver().start()
    wait_until(lambda: "the machine is on fire" in caplog.text)
    assert "ended with status 3" in caplog.text


def test_where_no_table_can_be_kept_it_serves_the_process(
    unsolved: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    solver = begun(Solver())
    assert (solver.ready, solver.progress) == (False, 0.25)
    unsolved.set()
    wait_until(lambda: solver.ready)


def test_who_only_looks_for_the_table_never_waits_for_a_solve(unsolved: Event) -> None:
    solving = Thread(target=all_states)
    solving.start()
    while not states_table._SOLVING.locked():
        pass
    assert available_states() is None
    unsolved.set()
    solving.join(20)
    assert available_states() is not None


def test_a_contest_without_bonus_is_told_as_such(reader: ApiReader) -> None:
    told = reader.ask("/api/strategy", bonus="none")
    assert told["pays"] == {}
    assert isinstance(base_terms_of(game_of("maryland")), BaseTerms)
