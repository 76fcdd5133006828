"""A round played at a table step by step has the same results as ``fourcard settle`` for the same round.

The covered cases are counted, and too few of any is a failure. Two things of a table are not part of a line:
the reserve, so after a second whole award in one round the meter is not compared, and what a void round takes
back from the meter.
"""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from fourcard import SettleAnswer, answer_line
from fourcard.house.finished_rounds import settle_line_of
from fourcard.wagers import WAGERS, WagerName
from tests.exact.rounds_at_tables import RandomTableRound
from tests.kit.support import EXAMPLES, game

ROUNDS = 100
"""How many of each game."""
METER_TABLE: dict[str, object] = {
    "wagers__progressive": "A",
    "progressive__envy": "A",
    "progressive__seed": "$5,000",
}
VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    **{path.stem: (path.stem, {}) for path in sorted(EXAMPLES.glob("*.toml"))},
    "act by act": ("massachusetts", {"settlement__routine": "by-procedure"}),
    "player by player": ("massachusetts-everything", {"settlement__routine": "by-player"}),
    "folds kept": ("massachusetts-everything", {"settings__progressive_on_fold": "live"}),
    "lay and pay": ("shuffle-master-everything", {"settlement__routine": "lay-and-pay"}),
    "bad beat first": ("shuffle-master-everything", {"settings__bad_beat_settled": "before_aces_up"}),
    "ties win": ("washington-everything", {"settings__bad_beat_tie": "wins"}),
    "all from the meter": ("washington-everything", {"progressive__fixed_awards": "meter"}),
    "table A": ("maryland-everything", METER_TABLE),
    "shares from the tray": ("maryland-everything", {"settings__part_share_from": "tray"}),
    "rounded up": ("washington", {"settings__rounding": "up"}),
    "hands set by players": ("catfish-bend", {"settings__player_sets_hand": True}),
}
FLOORS = {
    **{f"{seats} seats": 50 for seats in range(1, 8)},
    **{f"{wager} won": 50 for wager in WAGERS if wager not in ("bad_beat", "cover_all")},
    **{f"{wager} lost": 50 for wager in WAGERS if wager not in ("automatic_bonus", "envy")},
    "bad_beat won": 10,
    "cover_all won": 10,
    "void": 20,
    "left": 20,
    "fold": 500,
    "hand set": 20,
    "two positions of one player": 200,
    "award of the meter": 100,
    "whole meter": 50,
    "award from tray and meter": 5,
    "super royal": 3,
}
SEEN: Counter[str] = Counter()


@pytest.mark.parametrize("name", VARIANTS)
def test_a_round_at_a_table_is_settled_as_its_line_is(name: str) -> None:
    example, changes = VARIANTS[name]
    chance, table = Random(f"rounds at tables: {name}"), game(example, **changes)
    for _ in range(ROUNDS):
        compare(RandomTableRound(table, chance))


def compare(played: RandomTableRound) -> None:
    """Settle a played round again, as a line, and check that the results are equal."""
    over, line = played.round, settle_line_of(played.round, played.meter)
    answer = answer_line(json.dumps(line))
    assert isinstance(answer, SettleAnswer), (line, answer)
    SEEN.update(sights(played))
    if over.voided is not None:
        returned = [(each.position, each.wager, each.amount) for each in answer.returned]
        assert sorted(returned) == sorted(over.voided.returned), line
        assert not any(over.nets.values())
        return
    assert answer.steps == over.steps, line
    assert {seat.position: seat.net for seat in answer.seats} == nets(played), line
    assert {seat.position: sum(seat.net.values()) for seat in answer.seats} == {
        position: net for position, net in over.nets.items() if position in over.dealt_in
    }
    twice = [move.reset > 0 for move in answer.meter_moves].count(True) > 1
    if played.table.game.offers("progressive") and not (twice and played.meter.reserve):
        assert answer.meter == played.table.local_meter.meter.whole_cents, line


def nets(played: RandomTableRound) -> dict[int, dict[WagerName, int]]:
    """Return the net of each position on every wager."""
    found = {position: dict.fromkeys(WAGERS, 0) for position in played.round.dealt_in}
    for step in played.round.steps:
        found[step.position][step.wager] += step.amount if step.action == "pay" else -step.amount
    return found


def sights(played: RandomTableRound) -> Iterator[str]:
    """Yield a label for every case that a round covers."""
    over = played.round
    places = [over.positions[position] for position in over.dealt_in]
    yield f"{len(places)} seats"
    if over.voided is not None:
        yield "void"
        return
    for step in over.steps:
        yield f"{step.wager} {'won' if step.action == 'pay' else 'lost'}"
        yield "super royal" if (step.row or "").startswith("super_royal") else "other row"
        yield "award of the meter" if step.source == "meter" else "other source"
        yield "whole meter" if step.odds == "100% of meter" else "other odds"
        yield "award from tray and meter" if {"R59", "R60"} & {*step.clauses} else "one source"
    for place in places:
        yield "left" if place.abandoned else "fold" if place.play_amount == 0 else "stayed"
        yield "hand set" if place.chosen_cards else "best hand"
    if len({place.player for place in places}) < len(places):
        yield "two positions of one player"


def test_the_rounds_showed_enough() -> None:
    """Check the cases that the earlier tests covered; run alone, this test plays the rounds itself."""
    if not SEEN:
        for name in VARIANTS:
            test_a_round_at_a_table_is_settled_as_its_line_is(name)
    thin = {sight: (SEEN[sight], least) for sight, least in FLOORS.items() if SEEN[sight] < least}
    assert not thin, f"seen too seldom: {thin}"
    assert sum(SEEN[f"{seats} seats"] for seats in range(1, 8)) >= 2_000
