"""`strategy --rules`: the rules decide every hand, and the house edge is that of all deals, counted again."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fourcard.cards import RANKS
from fourcard.hands import Hand
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.state_counts import CLASSES, UP_CARDS
from fourcard.odds.states_cache import all_states
from tests.kit.commands import Command

DEALS = 167_439_136_344_480
OF = 1_370_754
TWICE_THE_BONUS = {
    "standard": {"four_of_a_kind": 50, "straight_flush": 40, "three_of_a_kind": 4},
    "FCP-08": {"four_of_a_kind": 20, "straight_flush": 10, "three_of_a_kind": 3, "flush": 2},
}
"""What the tables print, doubled, so that it is whole."""
MAX_EDGE = {"standard": Fraction(292, 10_000), "FCP-08": Fraction(140, 10_000)}


CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
)


def compare(text: str, hand: Hand) -> int:
    """Return whether a hand is above (1), below (-1) or among (0) those that a rule names: ``pair J``."""
    words = text.split()
    named = [RANKS.index(word) for word in words if word in RANKS]
    category = "_".join(word for word in words if word not in RANKS)
    ours = CATEGORIES.index(hand.category.text), *hand.ranks[: len(named)]
    theirs = CATEGORIES.index(category), *named
    return (ours > theirs) - (ours < theirs)


def named_ranks(text: str) -> set[int]:
    """Return the ranks of a text such as ``2-9``."""
    first, _, last = text.partition("-")
    return set(range(RANKS.index(first), RANKS.index(last or first) + 1))


def decide(answer: dict[str, Any]) -> tuple[NDArray[np.int64], list[int]]:
    """Return the Play wager of every decision point, and how many points each rule decides."""
    states, hands = all_states(), hands_by_strength()
    held = np.zeros((CLASSES, 52), np.bool_)
    held[np.arange(CLASSES)[:, None], states.cards] = True
    ups = np.nonzero(~held)[1].reshape(CLASSES, UP_CARDS) // 4
    matching = np.take_along_axis(held.reshape(CLASSES, 13, 4).any(axis=2), ups, axis=1)
    found, decided = np.zeros((CLASSES, UP_CARDS), np.int64), np.zeros((CLASSES, UP_CARDS), np.bool_)
    sizes = list[int]()
    for rule in answer["rules"]:
        strong = np.array(
            [
                compare(rule.get("at_least", "high card"), hand) >= 0
                and compare(rule.get("at_most", "four of a kind"), hand) <= 0
                for hand in hands
            ]
        )
        fits = strong[states.strengths][:, None] & np.isin(ups, [*named_ranks(rule.get("up", "2-A"))])
        if "matching" in rule:
            fits &= matching == rule["matching"]
        assert rule.keys() <= {"bet", "at_least", "at_most", "up", "matching", "says"}
        found[fits & ~decided] = wager(rule["bet"])
        sizes.append(int((fits & ~decided).sum()))
        decided |= fits
    found[~decided] = wager(answer["otherwise"])
    return found, sizes


def wager(bet: str) -> int:
    return 0 if bet == "fold" else int(bet[0])


@pytest.mark.parametrize(("count", "bonus"), [(5, "standard"), (3, "FCP-08")])
def test_the_edge_of_a_strategy_is_that_of_every_deal(fourcard: Command, count: int, bonus: str) -> None:
    answer = fourcard("strategy", "--rules", str(count), "--bonus", bonus, "--json").answer
    assert len(answer["rules"]) == count
    plays, decided = decide(answer)
    assert all(decided), "a rule decides nothing that no earlier rule decides"
    states = all_states()
    won = states.counts.astype(np.int64).sum(axis=2)
    twice = np.array([TWICE_THE_BONUS[bonus].get(hand.category.text, 0) for hand in hands_by_strength()])
    played = 2 * (1 + plays) * (2 * won - OF) + twice[states.strengths][:, None] * OF
    each = np.where(plays > 0, played, -2 * OF).sum(axis=1)
    edge = Fraction(-int((states.sizes.astype(np.int64) * each).sum()), 2 * DEALS)
    assert Fraction(answer["house_edge"]["fraction"]) == edge
    assert answer["house_edge"]["value"] == float(edge)
    assert edge < MAX_EDGE[bonus]
    for choice, share in answer["decisions"].items():
        points = (states.sizes.astype(np.int64) * (plays == wager(choice)).sum(axis=1)).sum()
        assert Fraction(share["fraction"]) == Fraction(int(points) * OF, DEALS)
    wagered = sum(
        int(choice[0]) * Fraction(share["fraction"])
        for choice, share in list(answer["decisions"].items())[1:]
    )
    assert Fraction(answer["average_wager"]["fraction"]) == 1 + wagered
    assert Fraction(answer["element_of_risk"]["fraction"]) == edge / (1 + wagered)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rules", "0"), "0 is not in the range 1<=x<=12"),
        (("--rules", "13"), "13 is not in the range 1<=x<=12"),
        (("--rules", "two"), "'two' is not a valid int"),
        (("--rules", "2", "-o", "two.svg"), "two.svg must end in .toml."),
        (("--rules", "2", "--cell", "pair of nines/6"), "leave out --cell and --compare"),
        (("--rules", "2", "--compare", "basic"), "leave out --cell and --compare"),
        (("--rules", "2", "--bonus", "FCP-99"), "There is no Automatic Bonus paytable 'FCP-99'"),
        (("--rules", "2", "--rulebook", "atlantis"), "atlantis"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    fourcard: Command, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in fourcard("strategy", *arguments).sentence
