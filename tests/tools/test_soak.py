"""`make soak`: a sample with a kill passes, and its checks fail on anything lost, doubled or changed."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from bench.soak import Soak, SoakHouse, SoakPlan, new_house
from bench.soak_checks import PlayerNotes, check_house, check_latency, check_memory
from bench.soak_players import SoakNote
from fourcard.house.house import use_key
from fourcard.house.store.address import open_store

PLAN = SoakPlan(5.0, seats=4, every=0.05, kill_every=2.5, report_every=2.0)


def failed(house: SoakHouse, notes: list[SoakNote], players: set[str]) -> set[str]:
    """Return the names of the checks that fail."""
    with closing(open_store(house.database, writing=False)) as store:
        use_key(store, house.key)
        return {check.name for check in check_house(store, PlayerNotes(notes), players) if not check.passed}


def test_a_sample_with_kills_loses_nothing_and_every_lost_or_changed_note_is_found(tmp_path: Path) -> None:
    said = list[str]()
    with new_house("sqlite", tmp_path) as house:
        running = Soak(PLAN, house, tmp_path)
        running.run(said.append)
        checks = running.checks()
        assert not [check for check in checks if not check.passed]
        assert len(said) >= 2
        assert int(said[-1].split()[-1]) >= 1, "it was killed"
        notes = [
            msgspec.json.decode(line, type=SoakNote)
            for line in (tmp_path / "notes").read_bytes().splitlines()
        ]
        players = {seat.player for seat in running.seats}
        first = {kind: next(note for note in notes if note.kind == kind) for kind in ("sent", "done", "net")}
        lost = SoakNote("done", first["done"].table, "never stored", 7)
        moved = msgspec.structs.replace(first["done"], number=first["done"].number + 1)
        richer = msgspec.structs.replace(first["net"], cents=first["net"].cents + 1)
        assert failed(house, [*notes, lost], players) == {"commands"}
        assert failed(house, [*notes, moved], players) == {"commands"}
        assert failed(house, [note for note in notes if note != first["sent"]], players) == {"commands"}
        assert failed(house, [*notes, richer], players) == {"results"}
        assert failed(house, [], players) == {"commands", "results"}, "a check must have looked"


@pytest.mark.parametrize(
    ("sizes", "passed"),
    [((100, 101, 99, 100, 102, 104), True), ((100, 101, 102, 103, 104, 106), False), ((100, 200), True)],
)
def test_memory_may_grow_by_a_twentieth(sizes: tuple[int, ...], passed: bool) -> None:
    assert check_memory("memory", sizes).passed is passed


def test_p99_may_rise_by_half_and_a_little() -> None:
    assert check_latency([0.05] * 6).passed
    assert check_latency([0.05] * 5 + [0.09]).passed
    assert not check_latency([0.05] * 5 + [0.1]).passed
