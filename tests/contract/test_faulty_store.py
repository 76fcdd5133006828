"""The store that fails as planned: nothing is changed, but where the answer alone is lost."""

import pytest

from fourcard.house.store.interface import Store, StoreError
from fourcard.house.store.memory import MemoryStore
from tests.contract.records import contents, event, everything, fill
from tests.kit.faulty_store import WRITES, FaultyStore


def written(store: Store) -> None:
    """Pass every point of a transaction."""
    with store.writing() as writing:
        writing.lock_exclusive(["table/t1"])
        fill(writing)
        writing.forget_secrets([("table/t1", 4)])
        writing.announce_sign_out("staff", "ann")
        writing.copy_records([])
        writing.copy_commits([], {})


POINTS = [
    "begin",
    "lock_exclusive",
    *(f"{name}:{side}" for name in sorted(WRITES) for side in ("before", "after")),
    "commit:before",
    "commit:after",
]


def test_without_faults_everything_passes_and_is_counted(store: Store) -> None:
    faulty = FaultyStore(store, lambda _point: False)
    written(faulty)
    assert set(faulty.passed) == set(POINTS)
    assert faulty.passed["keep_snapshot:after"] == 1
    assert not faulty.failed
    with faulty.reading() as reading:
        assert everything(reading) == contents(store)
    assert faulty.passed["view"] == 1
    assert faulty.passed["transfers"] == 1
    assert faulty.name == store.name


@pytest.mark.parametrize("point", POINTS)
def test_a_fault_leaves_nothing_unless_the_commit_has_happened(point: str) -> None:
    store = MemoryStore()
    faulty = FaultyStore(store, lambda name: name == point)
    with pytest.raises(StoreError, match=f"failed at {point}, as planned"):
        written(faulty)
    assert faulty.failed == {point: 1}
    if point == "commit:after":
        whole = MemoryStore()
        written(whole)
        assert contents(store) == contents(whole)
    else:
        assert not any(contents(store).values())


def test_a_fault_leaves_nothing_in_a_database_either(store: Store) -> None:
    for point in ("append:after", "post:after", "commit:before"):
        faulty = FaultyStore(store, lambda name, point=point: name == point)  # type: ignore[misc]
        with pytest.raises(StoreError):
            written(faulty)
    assert not any(contents(store).values())


def test_reading_can_fail_too(store: Store) -> None:
    with pytest.raises(StoreError, match="at view"):
        contents(FaultyStore(store, lambda name: name == "view"))
    with pytest.raises(StoreError, match="at balances"):
        contents(FaultyStore(store, lambda name: name == "balances"))


def test_after_a_fault_the_store_goes_on(store: Store) -> None:
    plan = iter([True, False, False, False, False])
    faulty = FaultyStore(store, lambda name: name == "append:before" and next(plan))
    with pytest.raises(StoreError), faulty.writing() as writing:
        writing.append([event("a", 1)])
    with faulty.writing() as writing:
        writing.append([event("a", 1)])
    with faulty.reading() as reading:
        assert [row.sequence for row in reading.events("a")] == [1]
