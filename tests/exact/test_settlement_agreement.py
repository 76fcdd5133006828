"""Random rounds have the same results in a second settlement, written independently from the sources.

Each test run settles a fifth of 20,000 fixed rounds, and `make thorough` all of them. The covered cases are
counted, and too few of any is a failure: agreement on a case that never occurred would prove nothing.
"""

import os
from collections import Counter
from multiprocessing import get_context
from random import Random

from tests.exact.crowded_rounds import covered_round, crowded_round
from tests.exact.settlement_comparison import Line, compare
from tests.kit.support import WHOLE
from tests.second.hands import FOUR_CARD_ORDER
from tests.second.rounds import random_round
from tests.second.settlement import WAGERS
from tests.second.tables import PAYTABLES, cover_all, rows_of

ROUNDS = 20_000
CROWDED = 1_000
CHUNK = 50
EVERY, SHARE = (1, 1) if WHOLE else (5, 10)
"""One of this many chunks is settled, and this share of the cases of all chunks must be covered."""
MAX_SHOWN = 3
ROUNDINGS = ("down", "up", "half_up", "half_even")
NEVER_LOST = ("automatic_bonus", "envy")
NEVER_TIED = ("three_of_a_kind", "four_of_a_kind")
"""One deck does not have the cards for two such hands of one rank."""

FLOORS: dict[str, int] = {
    **{f"rulebook {book} {edition}": 1_500 for book, edition, *_ in PAYTABLES},
    **{f"table {book} {edition} {wager} {table}": 150 for book, edition, wager, table in PAYTABLES},
    **{f"table massachusetts  {wager} inline": 500 for wager in ("aces_up", "automatic_bonus")},
    **{f"table shuffle-master  {wager} inline": 500 for wager in ("aces_up", "automatic_bonus", "bad_beat")},
    **{f"table {book} envy {table}": 150 for book, _, wager, table in PAYTABLES if wager == "progressive"},
    "table maryland envy C-royal": 150,
    **{f"row {key[2]} {row}": 20 for key, clause in PAYTABLES.items() for row in rows_of(clause)},
    **{f"row cover_all {row}": 20 for row in cover_all(1)},
    **{f"row envy {row}": 20 for row in ("four_aces", "four_of_a_kind", "straight_flush", "royal_flush")},
    **{f"cover_all beside {seats}": 200 for seats in range(1, 7)},
    **{f"seats {seats}": 2_000 for seats in range(1, 8)},
    **{f"{wager} won": 300 for wager in WAGERS},
    **{f"{wager} lost": 1_000 for wager in WAGERS if wager not in NEVER_LOST},
    **{f"hand {hand}": 1_000 for hand in FOUR_CARD_ORDER},
    **{f"tie {hand}": 200 for hand in FOUR_CARD_ORDER if hand not in NEVER_TIED},
    "beaten with a bonus": 300,
    "fold": 10_000,
    "left": 500,
    "void": 500,
    **{f"routine {name}": 1_000 for name in ("by-procedure", "by-player", "lay-and-pay", "pick-and-pay")},
    **{f"rounding {name}": 1_000 for name in ROUNDINGS},
    "fixed_awards meter": 1_000,
    **{f"winner_order {name}": 1_000 for name in ("settlement", "dealer-left", "highest-hand")},
    "fixed award from the meter": 300,
    "meter dry": 100,
    "whole meter": 200,
    "two meter winners": 200,
    "two whole meters": 50,
    "part of a meter that was just won": 50,
    "two hands envied": 100,
    "two positions of one player": 5_000,
    "no envy of one's own other hand": 100,
    "setting part_share_from tray": 300,
    "setting progressive_on_fold live": 1_000,
    "setting bad_beat_tie wins": 500,
    "setting six_card_low_ace False": 300,
    "setting cover_all_requires nothing": 300,
}


def any_round(number: int) -> Line:
    """Return the round of a number: the last ones have several strong hands, the others are random."""
    chance = Random(f"agreement {number}")
    if number >= ROUNDS - CROWDED:
        return (crowded_round, covered_round)[number % 2](chance, number)
    line = random_round(chance, number)
    if "rounding" in line["options"]:
        line["options"]["rounding"] = chance.choice(ROUNDINGS)
    return line


def settle_twice(numbers: range) -> tuple[list[str], Counter[str]]:
    """Return the differences between the settlements of some rounds, and the cases that they cover."""
    compared = [compare(any_round(number)) for number in numbers]
    return [problem for problem, _ in compared if problem], sum((seen for _, seen in compared), Counter())


def test_both_settlements_agree_on_every_round() -> None:
    chunks = [range(first, first + CHUNK) for first in range(0, ROUNDS, CHUNK * EVERY)]
    with get_context("fork").Pool(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(settle_twice, chunks, chunksize=5)
    problems = [problem for some, _ in found for problem in some]
    assert not problems, f"{len(problems)} rounds differ:\n" + "\n".join(problems[:MAX_SHOWN])
    seen = sum((each for _, each in found), Counter[str]())
    assert sum(seen[f"seats {seats}"] for seats in range(1, 8)) == ROUNDS // EVERY
    floors = {sight: least // SHARE for sight, least in FLOORS.items()}
    thin = {sight: (seen[sight], least) for sight, least in floors.items() if seen[sight] < least}
    assert not thin, f"seen too seldom: {thin}"
    never = [f"{name} lost" for name in NEVER_LOST] + [f"tie {hand}" for hand in NEVER_TIED]
    assert not [sight for sight in never if seen[sight]]
