"""Writers and readers at the same time, on every store."""

import threading
import time
from collections.abc import Callable

from fourcard.house.store.interface import ConcurrentChangeError, Store
from tests.contract.records import add, event, run, transfer


def in_threads(*acts: Callable[[], None]) -> None:
    """Run acts at the same time, and raise what any of them raised."""
    errors = list[BaseException]()

    def guarded(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert not errors, errors


def test_of_two_racing_writers_exactly_one_wins_each_sequence(store: Store) -> None:
    rounds, won, lost = 40, list[int](), list[int]()
    together = threading.Barrier(2)

    def race() -> None:
        for wanted in range(1, rounds + 1):
            together.wait(30)
            try:
                add(store, [event("a", wanted)])
                won.append(wanted)
            except ConcurrentChangeError:
                lost.append(wanted)

    in_threads(race, race)
    assert sorted(won) == sorted(lost) == list(range(1, rounds + 1))
    with store.reading() as reading:
        assert [row.sequence for row in reading.events("a")] == list(range(1, rounds + 1))


def test_writers_that_read_heads_first_never_lose(store: Store) -> None:
    rounds = 40

    def write() -> None:
        for _ in range(rounds):
            with store.writing() as writing:
                writing.append(run("a", 2, writing.lock_exclusive(["a"])["a"]))
                writing.post(
                    [
                        transfer(
                            "a", writing.lock_exclusive(["a"])["a"].sequence, giver="x", taker="y", amount=1
                        )
                    ]
                )

    in_threads(write, write, write)
    with store.reading() as reading:
        assert reading.streams()["a"].sequence == rounds * 6
        assert reading.balances() == {"x": -rounds * 3, "y": rounds * 3}


def test_two_streams_named_in_opposite_order_do_not_deadlock(store: Store) -> None:
    rounds = 40

    def write(*names: str) -> None:
        for _ in range(rounds):
            with store.writing() as writing:
                heads = writing.lock_exclusive(names)
                for name in names:
                    writing.append(run(name, 1, heads[name]))

    in_threads(lambda: write("a", "b", "c"), lambda: write("c", "b", "a"))
    with store.reading() as reading:
        assert {name: head.sequence for name, head in reading.streams().items()} == dict.fromkeys(
            "abc", rounds * 2
        )


def test_new_streams_made_by_two_writers_at_once_do_not_deadlock(store: Store) -> None:
    def write(names: list[str]) -> None:
        for n in range(20):
            with store.writing() as writing:
                wanted = [f"{name}{n}" for name in names]
                for name, head in writing.lock_exclusive(["always", *wanted]).items():
                    writing.append(run(name, 1, head))

    in_threads(lambda: write(["a", "z"]), lambda: write(["z", "m", "a"]))
    with store.reading() as reading:
        assert reading.streams()["always"].sequence == 40
        assert reading.streams()["z7"].sequence == 2
        assert reading.streams()["m7"].sequence == 1


def test_what_is_held_steady_does_not_move_before_the_end(store: Store) -> None:
    add(store, [event("staff", 1)])
    held, seen = threading.Event(), list[str]()

    def look() -> None:
        with store.writing() as writing:
            head = writing.lock_shared(["staff", "nothing"])
            assert (head["staff"].sequence, head["nothing"].sequence) == (1, 0)
            held.set()
            time.sleep(0.3)
            assert writing.streams(["staff"])["staff"].sequence == 1
            writing.append(run("a", 1, writing.lock_exclusive(["a"])["a"]))
            seen.append("looked")

    def move() -> None:
        assert held.wait(30)
        with store.writing() as writing:
            writing.append(run("staff", 1, writing.lock_exclusive(["staff"])["staff"]))
            seen.append("moved")

    in_threads(look, move)
    assert seen == ["looked", "moved"]
    with store.reading() as reading:
        assert {name: head.sequence for name, head in reading.streams().items()} == {"a": 1, "staff": 2}


def test_those_who_hold_and_those_who_move_do_not_deadlock(store: Store) -> None:
    rounds = 30

    def look() -> None:
        for _ in range(rounds):
            with store.writing() as writing:
                writing.lock_shared(["staff"])
                writing.append(run("a", 1, writing.lock_exclusive(["a"])["a"]))

    def move() -> None:
        for _ in range(rounds):
            with store.writing() as writing:
                head = writing.lock_exclusive(["staff"])["staff"]
                writing.append(run("a", 1, writing.lock_exclusive(["a"])["a"]))
                writing.append(run("staff", 1, head))

    in_threads(look, look, move)
    with store.reading() as reading:
        assert {name: head.sequence for name, head in reading.streams().items()} == {
            "a": rounds * 3,
            "staff": rounds,
        }


def test_readers_beside_writers_see_whole_transactions_only(store: Store) -> None:
    done = threading.Event()
    seen = list[int]()
    together = threading.Barrier(3)

    def write() -> None:
        together.wait(30)
        for n in range(60):
            with store.writing() as writing:
                head = writing.lock_exclusive(["a"])["a"]
                writing.append(run("a", 3, head))
                writing.post([transfer("a", n, number, 1, giver="x", taker="y") for number in range(3)])
        done.set()

    def read() -> None:
        together.wait(30)
        while not done.is_set() or not seen:
            with store.reading() as reading:
                count = sum(1 for _ in reading.events("a"))
                assert count % 3 == 0
                assert reading.balances().get("y", 0) == count == sum(1 for _ in reading.transfers())
                seen.append(count)

    in_threads(write, read, read)
    assert seen
