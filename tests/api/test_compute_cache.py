"""Compute cache: answers are computed once and one at a time, and nobody queues for long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.server.api.compute_cache import SingleFlightCache


def test_the_same_is_worked_out_once() -> None:
    kept, worked = SingleFlightCache[int](8, waiting=20), list[int]()
    began, go_on, one = Event(), Event(), Lock()

    def work() -> int:
        assert one.acquire(blocking=False), "two at once"
        began.set()
        assert go_on.wait(20)
        worked.append(1)
        one.release()
        return 7

    with ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(kept.get, key, work) for key in ("a", "b") * 6]
        assert began.wait(20)
        go_on.set()
        assert [each.result(20) for each in asked] == [7] * 12
    assert len(worked) == 2


def test_who_comes_when_too_many_wait_is_sent_away() -> None:
    kept, go_on = SingleFlightCache[int](8, waiting=2), Event()

    def work() -> int:
        assert go_on.wait(20)
        return 7

    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(kept.get, key, work) for key in "ab"]
        while kept._places._value:
            pass
        with pytest.raises(RefusedError) as sent:
            kept.get("c", work)
        assert sent.value.refusal.code is Code.HOUSE_IN_TROUBLE
        assert sent.value.refusal.message.endswith("try again in a moment.")
        go_on.set()
        assert [each.result(20) for each in waiting] == [7, 7]
    assert kept.get("c", lambda: 8) == 8


def test_only_the_last_answers_are_kept() -> None:
    kept = SingleFlightCache[str](2)
    for key in ("a", "b", "a", "c"):
        kept.get(key, lambda key=key: key)  # type: ignore[misc]
    assert kept.get("a", lambda: "again") == "a"
    assert kept.get("b", lambda: "again") == "again"


def test_a_fault_leaves_nothing_behind() -> None:
    kept = SingleFlightCache[int](2, waiting=1)

    def fail() -> int:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            kept.get("a", fail)
    assert kept.get("a", lambda: 1) == 1
