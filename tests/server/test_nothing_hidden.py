"""No hidden information leaks: runs that differ only in hidden cards send the same bytes.

A script runs a table, and everything sent to everybody is kept: live messages, command answers, table
queries, lists and rounds. Then every card that a group had not seen up to a step is swapped, and the script
runs again. Up to that step the group must receive the same bytes. Each test run compares at some steps, and
`make thorough` at more.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache, partial
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from fourcard.house.auth.identity import Actor
from fourcard.round.state import RoundState
from fourcard.round.view import MoneyMovement, Viewer
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.table.bots import basic_strategy
from fourcard.table.narrate import TableNarrator
from tests.kit.support import WHOLE
from tests.kit.table_copy import TableCopy
from tests.server.scripted_runs import GROUPS, HttpAnswers, RecordedRun, SentBytes, run_script, swapped_decks

EXAMPLES = (
    "massachusetts-everything",
    "shuffle-master-everything",
    "maryland-everything",
    "washington-everything",
    "catfish-bend",
)
DEALT_BY_HAND = ("massachusetts", "maryland")
ROUNDS = 5
SEEDS = {"shuffle-master-everything": "10", "washington-everything": "10"}
"""Seeds other than "1", so that every progressive has a win that waits for a confirmation."""
MOMENTS = 4 if WHOLE else 2
"""Steps in the middle of a run at which it is compared, besides its end."""
LEAST_COMPARED, LEAST_MOVED, LEAST_NAMED = 250, 60, 1_000
WORDS = (
    "The round is void",
    "The stub has",
    "Judged:",
    "waits for its amount",
    "folds.",
    "Envy for",
    "folded, take the Ante",
    "Aces Up for",
    "the cards stay until the payout is documented",
)
"""Messages that could leak something hidden."""


def scripted(example: str, groups: Iterable[str], *others: Any) -> RecordedRun:
    """Return a run of an example with its seed."""
    return run_script(example, SEEDS.get(example, "1"), tuple(groups), ROUNDS, *others)


@cache
def first_run(example: str) -> RecordedRun:
    """Return a run that everybody watches."""
    return scripted(example, GROUPS)


def decides_the_same(one: Iterable[int], other: Iterable[int]) -> bool:
    """Return whether a bot decides the same with two hands, because everybody sees its decision."""
    spots: list[Any] = [SimpleNamespace(cards=tuple(cards)) for cards in (one, other)]
    return basic_strategy(spots[0]) == basic_strategy(spots[1])


def of(found: RecordedRun, group: str, moment: int) -> list[SentBytes]:
    """Return what a group was sent up to a step."""
    people = {actor.person for actor in GROUPS[group]}
    return [each for each in found.sent if each.to in people and each.step <= moment]


def compared(first: RecordedRun, second: RecordedRun, group: str, moment: int) -> int:
    """Assert that a group was sent the same in both runs up to a step; return how much it was."""
    ours, theirs = of(first, group, moment), of(second, group, moment)
    for one, other in zip(ours, theirs, strict=False):
        assert one == other, f"{group}\n{one}\n{other}"
    assert len(ours) == len(theirs)
    return len(ours)


def hidden_elsewhere(first: RecordedRun, group: str, moment: int) -> tuple[dict[int, tuple[int, ...]], int]:
    """Return the decks with a group's hidden cards swapped, and how many cards changed."""
    chance = Random(f"{group} {moment}")
    orders = swapped_decks(first, group, moment, chance, decides_the_same)
    pairs = (pair for n in orders for pair in zip(first.orders[n], orders[n], strict=True))
    return orders, sum(one != other for one, other in pairs)


@pytest.mark.parametrize(
    ("example", "group"),
    [*product(EXAMPLES, ("ann", "cat", "onlookers", "floor")), *product(DEALT_BY_HAND, ("bob", "onlookers"))],
)
def test_what_a_client_is_sent_does_not_depend_on_hidden_cards(example: str, group: str) -> None:
    first, chance, looked = first_run(example), Random(f"{example} {group}"), 0
    moments = [first.steps, *(chance.randrange(first.steps // 4, first.steps) for _ in range(MOMENTS))]
    for moment in moments:
        orders, moved = hidden_elsewhere(first, group, moment)
        second = scripted(example, (group,), orders, moment)
        assert moved >= LEAST_MOVED
        looked += compared(first, second, group, moment)
    assert looked >= LEAST_COMPARED


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_message_names_a_card_that_lies_face_down(example: str) -> None:
    first = first_run(example)
    assert first.early == []
    assert first.named >= LEAST_NAMED


def test_the_runs_have_in_them_what_could_tell_too_much() -> None:
    runs = [first_run(example) for example in EXAMPLES]
    text = b"".join(each.what for found in runs for each in found.sent if each.how == "live")
    missing = [words for words in WORDS if words.encode() not in text]
    assert not missing
    assert all({"wagers", "decision"} <= {*found.waits} for found in runs)
    assert [example for example in EXAMPLES if "jackpot" not in first_run(example).waits] == ["catfish-bend"]
    assert any("document" in found.waits for found in runs)
    assert sum(found.voids for found in runs) >= 3
    assert all(found.rounds >= ROUNDS for found in runs)
    folded = sum(hidden_hands(found) for found in runs)
    assert folded >= 3, "no folded hand stayed hidden"


def hidden_hands(found: RecordedRun) -> int:
    """Return how many folded hands onlookers saw face down at the end of a round."""
    copy, sent = TableCopy(), (each.what for each in found.sent if each.to == "dee" and each.how == "live")
    ends = {view["number"]: view["last"] for each in sent if (view := copy.take(each)["view"])["last"]}
    places = [place for last in ends.values() for place in last["places"]]
    return sum(place["decision"] == "fold" and "??" in place["cards"] for place in places)


def test_over_http_too_nothing_depends_on_hidden_cards() -> None:
    example, rounds, everybody = "maryland-everything", 2, [who for group in GROUPS.values() for who in group]
    asking = HttpAnswers(everybody)
    first = run_script(example, "http", tuple(GROUPS), rounds, asking=asking)
    answered = Counter(status for _, status in asking.answered)
    assert answered[200] >= 150
    assert {*answered} <= {200, 403, 404}
    for group in ("bob", "onlookers", "floor"):
        orders, _ = hidden_elsewhere(first, group, first.steps)
        second = run_script(example, "http", (group,), rounds, orders, first.steps, HttpAnswers(everybody))
        assert compared(first, second, group, first.steps) >= 80


def another_seat(_actor: Actor) -> Viewer:
    """Sabotage: show the cards of position 1 to everybody."""
    return Viewer("seat", "ann")


def every_hand(_state: RoundState, step: SettlementStep, _viewer: Viewer) -> MoneyMovement:
    """Sabotage: narrate the hand with every movement of money."""
    return MoneyMovement(
        step.position,
        step.wager,
        step.action,
        step.amount,
        step.source,
        step.clauses,
        step.hand,
        step.row,
        None,
    )


LEAKS = {
    "another seat": ("fourcard.server.floor.messages.viewer_of", another_seat),
    "a hand that nobody turned": ("fourcard.round.view._movement", every_hand),
    "cards in words": (
        "fourcard.server.floor.projections.TableNarrator",
        partial(TableNarrator, open_cards=True),
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak: str) -> None:
    example, rounds, found = "shuffle-master-everything", 2, list[int]()
    with patch(*LEAKS[leak]):
        first = run_script(example, "leaky", tuple(GROUPS), rounds)
        for moment in (first.steps, *first.waits["decision"][1::2]):
            orders, _ = hidden_elsewhere(first, "bob", moment)
            second = run_script(example, "leaky", ("bob",), rounds, orders, moment)
            if of(first, "bob", moment) != of(second, "bob", moment):
                found.append(moment)
    assert found
    assert bool(first.early) == (leak != "a hand that nobody turned")
