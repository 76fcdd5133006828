"""Helpers for handwritten rounds: seats, the answer of both settlements, and its nets and payments."""

from typing import Any

from tests.exact.settlement_comparison import Line, answered, compare

KING_HIGH = "Kd Qc Js 5h 3d 2c"
"""A dealer's hand that every hand in these rounds beats."""


def seat(position: int, cards: str, play: int | None, **wagers: int) -> Line:
    """Return a seat of a line; an Ante with a Play of 0 is a fold."""
    result: Line = {"position": position, "cards": cards, "wagers": wagers}
    return result | ({} if play is None else {"play": play})


def settled(rulebook: str, options: Line, dealer: str, *seats: Line, **more: Any) -> dict[str, Any]:
    """Return the answer to a round after checking it against the second settlement."""
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
    """Return the gains and losses of each position, without zeros."""
    return {
        result["position"]: {wager: net for wager, net in result["net"].items() if net}
        for result in answer["seats"]
    }


def paid(answer: Line, wager: str) -> list[tuple[int, int, str]]:
    """Return the payments of a wager in order: position, amount and source."""
    steps = (step for step in answer["steps"] if (step["wager"], step["action"]) == (wager, "pay"))
    return [(step["position"], step["amount"], step["from"]) for step in steps]
