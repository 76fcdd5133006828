"""On any day, whatever happens at a table, the count, the wagers and the players say the same."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fourcard.house.reports.table_results import sum_days
from fourcard.refusals import RefusedError
from tests.kit.houses import house_with
from tests.ledgers.random_days import ACTS, check_day, check_days, check_statement, results

PLAYERS = ("ann", "bob")


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    acts=st.lists(
        st.tuples(st.sampled_from(["step", "step", "step", *ACTS]), st.integers(1, 300_000)),
        min_size=8,
        max_size=40,
    ),
    begins=st.integers(0, 23),
)
def test_on_any_day_the_count_the_wagers_and_the_players_say_the_same(
    acts: list[tuple[str, int]], begins: int
) -> None:
    house = house_with("maryland-everything", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    for name, amount in acts:
        try:
            ACTS[name](house, bots, amount)
        except RefusedError:
            continue
    found = results(house, begins=begins)
    for day in (*found, sum_days(found)):
        check_day(day)
    check_days(house, found)
    for name in PLAYERS:
        check_statement(house, name)


def test_everything_that_can_happen_on_a_random_day_happens_on_some() -> None:
    house = house_with("maryland-everything", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    done = set[str]()
    for turn in range(400):
        if done == {*ACTS}:
            break
        for name, act in ACTS.items():
            if name in done and name not in ("step", "pass"):
                continue
            try:
                act(house, bots, 400 + turn)
            except RefusedError:
                continue
            done.add(name)
    assert done == {*ACTS}
