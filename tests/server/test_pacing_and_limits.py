"""Pacing, rate limits and the single-process bus."""

import pytest

from fourcard.round import events as of_round
from fourcard.server import rate_limit
from fourcard.server.floor.bus import SingleProcessBus
from fourcard.server.floor.pauses import ACT_PAUSES, EVENT_PAUSES, pause_after
from fourcard.server.rate_limit import RateLimiter
from fourcard.table import events as of_table


def performed(act: str) -> of_round.ActPerformed:
    """Return an event of the dealer acting in the settlement."""
    return of_round.ActPerformed(act, 1, (), ())  # type: ignore[arg-type]


def test_the_longest_pause_counts_and_most_things_need_none() -> None:
    began, folded = of_table.RoundBegan(1, 0, False, 0), of_round.HandFolded(1)
    assert pause_after([]) == 0
    assert pause_after([began]) == EVENT_PAUSES[of_table.RoundBegan]
    assert pause_after([began, folded, began]) == EVENT_PAUSES[of_round.HandFolded]
    assert pause_after([of_round.BetsClosed(())]) == 0
    assert pause_after([performed("reveal_dealer")]) == ACT_PAUSES["reveal_dealer"]
    assert pause_after([performed("rack_dealer"), folded]) == EVENT_PAUSES[of_round.HandFolded]


class ManualClock:
    """A manual clock."""

    def __init__(self) -> None:
        """Start at zero."""
        self.at = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.at


def test_a_burst_is_taken_and_then_so_many_a_second() -> None:
    clock = ManualClock()
    rate = RateLimiter(2.0, 3, clock)
    assert [rate.wait("ann") for _ in range(4)] == [0, 0, 0, 1]
    clock.at = 0.49
    assert rate.wait("ann") == 1, "just under the time for another one"
    clock.at = 0.5
    assert rate.wait("ann") == 0
    assert rate.wait("ann") == 1
    clock.at = 100
    assert [rate.wait("ann") for _ in range(4)] == [0, 0, 0, 1], "no more than a burst is saved up"


def test_everybody_has_a_rate_of_their_own_and_a_refusal_costs_nothing() -> None:
    clock = ManualClock()
    rate = RateLimiter(0.1, 1, clock)
    assert (rate.wait("ann"), rate.wait("bob")) == (0, 0)
    assert [rate.wait("ann") for _ in range(50)] == [10] * 50
    clock.at = 10
    assert rate.wait("ann") == 0


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    clock = ManualClock()
    rate = RateLimiter(1.0, 2, clock)
    clock.at = 5
    assert rate.wait("ann") == 0
    clock.at = 0
    assert rate.wait("ann") == 0
    assert rate.wait("ann") == 1


def test_who_asked_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_BUCKETS", 2)
    rate = RateLimiter(0.001, 1, ManualClock())
    assert [rate.wait(who) for who in ("ann", "bob")] == [0, 0]
    assert rate.wait("ann") > 0, "ann asked after bob now"
    assert rate.wait("cat") == 0
    assert rate.wait("ann") > 0
    assert rate.wait("bob") == 0, "bob was forgotten"


def test_a_single_process_minds_every_table_and_hears_itself() -> None:
    bus, heard = SingleProcessBus(), list[tuple[str, str, int]]()
    bus.ready("main", "ann", 1)
    bus.start(lambda *_commit: None, lambda *said: heard.append(said), *[lambda *_: None] * 3)
    assert bus.lease("main")
    assert bus.lease("any other")
    bus.ready("main", "ann", 2)
    assert heard == [("main", "ann", 2)]
    bus.close()
    bus.ready("main", "ann", 3)
    assert len(heard) == 1
