"""The simulation settles as ``fourcard settle`` does, to the cent, for any cards and wagers.

The rounds are the same in every run. Half of them are rigged so that the highest rows are won, meters run dry
and several hands win Envy. The covered cases are counted, and too few of any is a failure.
"""

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from random import Random

from fourcard.odds.ranking_tables import five_card_tables
from fourcard.wagers import WAGERS
from tests.exact.crowded_rounds import covered_round, crowded_round
from tests.exact.simulated_rounds import DealtCards, Line, compare, dealt, table_of
from tests.second.rounds import random_round
from tests.second.tables import PAYTABLES, cover_all, rows_of

POOL = 1_600
TABLES = 260
CROWDED = 50
DEALS = 40
CHUNK = 20
MAX_SHOWN = 3
NEVER_LOST = ("automatic_bonus", "envy")
ROUNDINGS = ("down", "up", "half_up", "half_even")
FLOORS: dict[str, int] = {
    **{f"rulebook {book} {edition}": 20 for book, edition, *_ in PAYTABLES},
    **{f"{book} {edition} {wager} {table}": 1 for book, edition, wager, table in PAYTABLES},
    **{f"row {key[2]} {row}": 3 for key, clause in PAYTABLES.items() for row in rows_of(clause)},
    **{f"row cover_all {row}": 20 for row in cover_all(1)},
    **{f"row envy {row}": 20 for row in ("four_aces", "four_of_a_kind", "straight_flush", "royal_flush")},
    **{f"cover_all beside {seats}": 36 for seats in range(1, 7)},
    **{f"seats {seats}": 800 for seats in range(1, 8)},
    **{f"{wager} won": 200 for wager in WAGERS},
    **{f"{wager} lost": 500 for wager in WAGERS if wager not in NEVER_LOST},
    "fold": 5_000,
    **{f"{wager} won after a fold": 50 for wager in ("aces_up", "six_card", "cover_all", "envy")},
    "progressive won after a fold": 10,
    "fixed award from the meter": 100,
    "meter dry": 30,
    "two meter winners": 15,
    "two whole meters": 10,
    "two hands envied": 100,
    "setting part_share_from tray": 2,
    "setting progressive_on_fold live": 2,
    "setting bad_beat_tie wins": 2,
    "setting six_card_low_ace False": 2,
    "setting cover_all_requires nothing": 2,
}


@cache
def lines() -> list[Line]:
    """Return the lines whose tables are played and whose cards are dealt at all tables of their size."""
    chance = Random("simulation")
    found = [random_round(chance, number) for number in range(POOL)]
    for line in found:
        if "rounding" in line["options"]:
            line["options"]["rounding"] = chance.choice(ROUNDINGS)
    crowded = [(crowded_round, covered_round)[number % 2](chance, number) for number in range(CROWDED)]
    return crowded + sorted(found, key=_adds_a_table())


def _adds_a_table() -> Callable[[Line], bool]:
    """Return what puts the lines first that name a table which none before them names."""
    seen: set[tuple[object, ...]] = set()

    def key(line: Line) -> bool:
        where = line["rulebook"], line.get("edition")
        named = {(*where, *each) for each in line["options"].items() if isinstance(each[1], str)}
        new = not named <= seen
        seen.update(named)
        return not new

    return key


@cache
def pool() -> dict[int, list[DealtCards]]:
    """Return the cards of all lines by the number of seats."""
    chance, found = Random("cards"), dict[int, list[DealtCards]]()
    for line in lines():
        found.setdefault(len(line["seats"]), []).append(dealt(line, chance))
    return found


def settle_twice(numbers: range) -> tuple[list[str], Counter[str]]:
    """Return the rounds of some tables that are settled differently, and the cases that they cover."""
    problems: list[str] = []
    seen: Counter[str] = Counter()
    for number in numbers:
        chance, line = Random(f"table {number}"), lines()[number]
        deals = [dealt(line, chance), *chance.sample(pool()[len(line["seats"])], DEALS - 1)]
        found, sights = compare(table_of(line), deals, chance)
        problems += found
        seen += sights
    return problems, seen


def test_the_simulation_settles_every_round_as_settle_does() -> None:
    pool()
    for low_ace in (True, False):  # built once before the processes part
        five_card_tables(low_ace=low_ace)
    first = settle_twice(range(1))
    chunks = [range(begin, min(begin + CHUNK, TABLES)) for begin in range(1, TABLES, CHUNK)]
    with get_context("fork").Pool(len(os.sched_getaffinity(0))) as workers:
        found = [first, *workers.map(settle_twice, chunks, chunksize=1)]
    problems = [problem for some, _ in found for problem in some]
    assert not problems, f"{len(problems)} rounds differ:\n" + "\n".join(problems[:MAX_SHOWN])
    seen = sum((each for _, each in found), Counter[str]())
    assert sum(seen[f"seats {seats}"] for seats in range(1, 8)) == TABLES * DEALS
    thin = {sight: (seen[sight], least) for sight, least in FLOORS.items() if seen[sight] < least}
    assert not thin, f"seen too seldom: {thin}"
    assert not [f"{name} lost" for name in NEVER_LOST if seen[f"{name} lost"]]
