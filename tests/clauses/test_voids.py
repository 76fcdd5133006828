"""A void round: every wager goes back, payments and contributions are reversed, the meter is as before."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.meter import UNITS_PER_CENT
from fourcard.round.commands import Fold, PayAward, PlaceWager, Play
from fourcard.round.events import AwardAwaited, AwardPaid, RoundVoided
from fourcard.table.table_driver import Table
from tests.kit.deals import act, report, table_with_hands, voided
from tests.kit.support import by_clause
from tests.kit.tables import BOTH, advance, bet, current_round, until

HANDS = {1: "3s 3h 8d 7c 2c", 2: "Ks Qh 8c 7d 2d", 3: "As Ah 9d 6c 2h", 0: "5s 5h Jd Tc 9c 4d"}
"""A pair of threes, king high and a pair of aces against a pair of fives."""
SHORT = report("wrong_number_of_cards", position=1, count=4)

ALL_BACK = by_clause(
    ("MA-14c", "massachusetts", ("MA-14c", "R69")),
    ("SM-IRR-1", "shuffle-master", ("SM-IRR-1", "R69")),
    ("MD-13D", "maryland", ("MD-13D",)),
    ("WA-IRR-1", "washington", ("WA-IRR-1", "R69")),
    ("IA-IRR-1", "catfish-bend", ("IA-IRR-1", "R69")),
)


@pytest.mark.parametrize(("clause", "example", "clauses"), ALL_BACK)
@pytest.mark.clause("R69")
def test_a_void_in_the_middle_of_settling_gives_everything_back_and_reverses_payments(
    clause: str, example: str, clauses: tuple[str, ...]
) -> None:
    at = table_with_hands(example, HANDS)
    bet(at, BOTH, (1, 3))
    bet(at, {"ante": 1_500}, (2,))
    advance(at)
    at.do(Play(position=1, amount=2_500))
    at.do(Fold(position=2))
    at.do(Play(position=3, amount=5_000))
    while not any(step.action == "pay" for step in current_round(at).steps):
        act(at)
    state = current_round(at)
    assert (state.nets[2], state.nets[3]) == (-1_500, 2_500 + 5_000 + 500), clause
    assert state.tray_change == 1_500 - 8_000
    void = voided(at.do(SHORT))
    assert void.clauses == clauses
    assert sorted(void.returned) == [
        (1, "aces_up", 500),
        (1, "ante", 2_500),
        (1, "play", 2_500),
        (2, "ante", 1_500),
        (3, "aces_up", 500),
        (3, "ante", 2_500),
        (3, "play", 5_000),
    ]
    paid = [(step.position, step.wager, step.action, step.amount) for step in void.reversed]
    assert sorted(paid) == [
        (3, "aces_up", "pay", 500),
        (3, "ante", "pay", 2_500),
        (3, "play", "pay", 5_000),
    ]
    ended = at.state.last_round
    assert ended is not None
    assert (ended.nets, ended.tray_change, ended.meter_change) == ({1: 0, 2: 0, 3: 0}, 0, 0)


def test_a_round_that_is_over_is_void_no_more() -> None:
    at = table_with_hands("massachusetts", HANDS)
    bet(at)
    at.finish(lambda _spot: 1)
    assert at.may(SHORT) is not None


# The progressive: stakes go back, and the meter is as it was before the round (R66).

METERS = [
    ("massachusetts-everything", 500_000, ("MA-14c", "R69", "R66"), "20%", 5),
    ("shuffle-master-everything", 500_000, ("SM-IRR-1", "R69", "R66"), "25%", 0),
    ("maryland-everything", 1_000_000, ("MD-13D", "R66"), "12.5%", 2.5),
    ("washington-everything", 500_000, ("WA-IRR-1", "R69", "R66"), "20%", 2),
]
GROWN = {"20%": 2_000, "25%": 2_500, "12.5%": 1_250}
"""What a stake of $1 brings the meter, in hundredths of a cent."""


def with_progressive(example: str, hands: Any = None) -> Table:
    """Return a table at which positions 1 and 3 have a progressive wager of $1."""
    at = table_with_hands(example, hands or HANDS)
    bet(at)
    for position in (1, 3):
        at.do(PlaceWager(position=position, wager="progressive", amount=100))
    return at


@pytest.mark.parametrize(("example", "seed", "clauses", "rate", "reserve"), METERS)
@pytest.mark.parametrize("phase", ["dealing", "deciding", "settling"])
@pytest.mark.clause("R66")
def test_a_void_after_the_lock_takes_the_contributions_back(
    example: str, seed: int, clauses: tuple[str, ...], rate: str, reserve: float, phase: str
) -> None:
    at = with_progressive(example)
    before = at.local_meter.meter
    assert (before.whole_cents, before.reserve) == (seed, 0)
    until(at, phase)
    grown = at.local_meter.meter
    assert grown.amount - before.amount == 2 * GROWN[rate] * UNITS_PER_CENT // 100
    assert grown.reserve == int(2 * reserve * UNITS_PER_CENT)
    void = voided(at.do(report("wrong_number_of_cards", position=1, count=6)))
    assert (void.clauses, void.contributions) == (clauses, ((1, 100), (3, 100)))
    assert [each for each in void.returned if each[1] == "progressive"] == [
        (1, "progressive", 100),
        (3, "progressive", 100),
    ]
    assert (at.local_meter.meter, at.local_meter.absorbed) == (before, 0)
    assert at.state.last_round is not None
    assert set(at.state.last_round.nets.values()) == {0}


def test_without_a_progressive_wager_nothing_is_reversed() -> None:
    at = table_with_hands("maryland-everything", HANDS)
    bet(at)
    until(at, "deciding")
    void = voided(at.do(SHORT))
    assert (void.clauses, void.contributions) == (("MD-13D",), ())


ACES = {**HANDS, 3: "As Ah Ad Ac 2h"}
ROYAL = {**HANDS, 3: "As Ks Qs Js Ts", 1: "3s 3h 8d 7c 2c", 2: "Kh Qh 8c 7d 2d", 0: "5s 5h Jd Tc 9c 4d"}


@pytest.mark.parametrize(
    ("example", "hands", "award"),
    [
        ("massachusetts-everything", ACES, 500_040),
        ("shuffle-master-everything", ACES, 500_050),
        ("maryland-everything", ROYAL, 1_000_025),
        ("washington-everything", ACES, 500_040),
    ],
)
@pytest.mark.clause("R66", "R69")
def test_a_void_after_the_meter_was_paid_puts_it_back_as_it_was(example: str, hands: Any, award: int) -> None:
    at = with_progressive(example, hands)
    before = at.local_meter.meter
    while not any(isinstance(event, AwardPaid) for event in at.events):
        command = at.next_command()
        at.do(Play(position=_next(at), amount=2_500) if command is None else command)
    (paid,) = [event for event in at.events if isinstance(event, AwardPaid)]
    assert (paid.payment.from_meter, paid.before) == (award, award)
    assert at.local_meter.meter.whole_meter_wins == before.whole_meter_wins + 1
    void = voided(at.do(SHORT))
    assert ("progressive", award) in [(step.wager, step.amount) for step in void.reversed]
    as_it_was = replace(
        before, whole_meter_wins=before.whole_meter_wins + 1, reversed_wins=(before.whole_meter_wins,)
    )
    assert (at.local_meter.meter, at.local_meter.absorbed) == (as_it_was, 0)
    assert at.state.last_round is not None
    assert (set(at.state.last_round.nets.values()), at.state.last_round.meter_change) == ({0}, 0)


def _next(at: Table) -> int:
    return next(p for p, place in current_round(at).positions.items() if place.play_amount is None)


@pytest.mark.clause("R66")
def test_an_award_that_waits_for_its_price_has_taken_nothing_off_the_meter() -> None:
    at = with_progressive("massachusetts-everything", ACES)
    before = at.local_meter.meter
    until(at, "settling")
    while not any(isinstance(event, AwardAwaited) for event in at.events):
        act(at)
    for _ in range(2):
        asked = at.next_command()
        assert isinstance(asked, PayAward)
        assert (asked.before, asked.after, at.local_meter.meter.whole_cents) == (500_040, 500_010, 500_040)
    assert isinstance(at.do(SHORT)[-1], RoundVoided)
    assert at.local_meter.meter == before


@pytest.mark.clause("R66")
def test_a_meter_that_another_table_has_won_meanwhile_is_left_alone_and_the_house_bears_it() -> None:
    at = with_progressive("massachusetts-everything")
    until(at, "deciding")
    reset = replace(at.local_meter.meter, amount=500_000 * UNITS_PER_CENT, reserve=0, whole_meter_wins=1)
    at.local_meter.meter = reset
    void = voided(at.do(SHORT))
    assert void.contributions == ((1, 100), (3, 100))
    assert (at.local_meter.meter, at.local_meter.absorbed) == (reset, 2 * 25 * UNITS_PER_CENT)


@pytest.mark.clause("R66")
def test_a_meter_whose_win_at_another_table_was_taken_back_gives_every_stake_back() -> None:
    at = with_progressive("massachusetts-everything")
    before = at.local_meter.meter
    until(at, "deciding")
    at.local_meter.meter = replace(at.local_meter.meter, whole_meter_wins=1, reversed_wins=(0,))
    voided(at.do(SHORT))
    assert (at.local_meter.meter, at.local_meter.absorbed) == (
        replace(before, whole_meter_wins=1, reversed_wins=(0,)),
        0,
    )
