"""The announced result of a fold equals the settlement, under every rulebook."""

import pytest

from fourcard.server.floor.messages import FoldResult, fold_result
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.support import game
from tests.kit.tables import advance, bet, current_round, finish, stack

HANDS = {1: "As Ah Ad Kc 2h", 0: "Qd Qc 8c 5h 3c 9h"}
LOSES: dict[str, tuple[dict[WagerName, int], tuple[WagerName, ...]]] = {
    "massachusetts-everything": ({"ante": 2500, "progressive": 100}, ("aces_up", "cover_all")),
    "shuffle-master-everything": ({"ante": 2500, "bad_beat": 500, "progressive": 100}, ("aces_up",)),
    "maryland-everything": ({"ante": 2500, "progressive": 500}, ("aces_up", "six_card")),
    "maryland-existing": ({"ante": 2500}, ("aces_up",)),
    "washington-everything": ({"ante": 2500, "bad_beat": 500, "progressive": 100}, ("aces_up",)),
    "catfish-bend": ({"ante": 2500}, ("aces_up",)),
}
"""By example, what a fold loses, and which wagers stay in play."""


def folded(
    example: str, wagers: dict[WagerName, int], **changes: object
) -> tuple[FoldResult, set[WagerName]]:
    """Return the announced result of a fold, and the wagers that three aces are still paid for."""
    made = game(example, **changes)
    cards = stack(made, HANDS, (1,))
    at = Table(made, lambda: cards)
    at.seat(1, "ann")
    at.begin()
    bet(at, wagers)
    advance(at)
    told = fold_result(current_round(at), 1)
    ended = finish(at, 0)
    taken = {step.wager: step.amount for step in ended.steps if step.action == "take"}
    paid = {step.wager for step in ended.steps if step.action == "pay"}
    assert {name: amount for name, amount in taken.items() if name not in paid} == told.lost
    return told, paid


@pytest.mark.parametrize("example", LOSES)
def test_a_fold_loses_what_the_player_was_told(example: str) -> None:
    lost, stays = LOSES[example]
    told, paid = folded(example, {"ante": 2500, **dict.fromkeys(stays, 500), **lost})
    assert told == FoldResult(lost, stays)
    assert paid == {*stays}


@pytest.mark.parametrize(
    ("wagers", "lost", "stays"),
    [
        ({"ante": 1000}, {"ante": 1000}, ()),
        ({"ante": 1000, "bad_beat": 500, "progressive": 100}, None, ()),
        ({"ante": 1000, "aces_up": 500}, {"ante": 1000}, ("aces_up",)),
    ],
)
def test_only_wagers_that_were_made_are_named(
    wagers: dict[WagerName, int], lost: dict[WagerName, int] | None, stays: tuple[WagerName, ...]
) -> None:
    told, _ = folded("washington-everything", wagers)
    assert told == FoldResult(wagers if lost is None else lost, stays)


def test_a_progressive_that_a_house_lets_live_is_told_to_stay() -> None:
    settings = {"progressive_on_fold": "live"}
    told, paid = folded("washington-everything", {"ante": 1000, "progressive": 100}, settings=settings)
    assert told == FoldResult({"ante": 1000}, ("progressive",))
    assert paid == {"progressive"}
