"""Rounds written out by hand: seats, the answer that both settlements agree on, and what to read in it."""

from typing import Any

from tests.exact.settlement_compared import Line, answered, compare

KING_HIGH = "Kd Qc Js 5h 3d 2c"
"""A dealer's hand that every hand in these rounds beats."""


def seat(position: int, cards: str, play: int | None, **wagers: int) -> Line:
    """Return a seat as a line has it; who places an Ante and plays 0 folds."""
    told: Line = {"position": position, "cards": cards, "wagers": wagers}
    return told | ({} if play is None else {"play": play})


def settled(rulebook: str, options: Line, dealer: str, *seats: Line, **more: Any) -> dict[str, Any]:
    """Return the answer to a round, on which the second settlement must agree."""
    line = {
        "id": "edge",
        "rulebook": rulebook,
        "options": options,
        "dealer": dealer,
        "seats": [*seats],
    } | more
    assert compare(line)[0] == ""
    return answered(line)


def nets(answer: Line) -> dict[int, dict[str, int]]:
    """Return what each position gained and lost, without the wagers that came to nothing."""
    return {
        told["position"]: {wager: net for wager, net in told["net"].items() if net}
        for told in answer["seats"]
    }


def paid(answer: Line, wager: str) -> list[tuple[int, int, str]]:
    """Return what was paid on a wager, in order: position, amount and where it came from."""
    steps = (step for step in answer["steps"] if (step["wager"], step["action"]) == (wager, "pay"))
    return [(step["position"], step["amount"], step["from"]) for step in steps]
