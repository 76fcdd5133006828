"""Lines of finished rounds for tests: a valid one of each rulebook, the same with changes, and its answer."""

import copy
import json
from typing import Any

import msgspec
import pytest

from fourcard import answer_line

Line = dict[str, Any]
GONE: Any = ...
"""A change to this removes the value."""
CARDS = "As Ah Kd 7c 2h"
DEALER = "Ks Kh 5d 9c 3h 4s"
FOUR_ACES = "As Ah Ad Ac 2h"
FOUR_EIGHTS = "8s 8h 8d 8c 2h"
HANDS = (
    "As Ah Kd 7c 2h",
    "2s 2d 2c 5c 6c",
    "8s 8h 8d 8c 9s",
    "Ts Th Td Tc Jc",
    "Js Jh Jd Qc Qs",
    "Qh Qd Ac Ad Kc",
    "5s 5h 4c 4h 4d",
)
"""Seven hands that share no card with one another or with the dealer."""
OPTIONS: dict[str, Line] = {
    "massachusetts": {"aces_up": "I", "cover_all": "matrix", "progressive": "A"},
    "shuffle-master": {
        "automatic_bonus": "FCP-01",
        "aces_up": "FCP-01",
        "bad_beat": "BBB-01",
        "progressive": "1",
    },
    "maryland": {"aces_up": "A", "six_card": "A", "progressive": "A"},
    "washington": {"aces_up": "FCP-01", "bad_beat": "BBB-01", "progressive": "1"},
    "catfish-bend": {"aces_up": "standard"},
}
SIDE_WAGERS = {"aces_up": 500, "bad_beat": 100, "six_card": 100, "cover_all": 100, "progressive": 100}


def seat(position: int, **values: Any) -> Line:
    """Return a seat with an Ante that was played, and the hand of its number."""
    cards = HANDS[(position - 1) % len(HANDS)]
    return {"position": position, "cards": cards, "wagers": {"ante": 1000}, "play": 1000} | values


def line_of(rulebook: str, /, **changes: Any) -> Line:
    """Return a valid round with every wager that is offered, changed at places such as ``seats__0__play``."""
    options = OPTIONS[rulebook]
    wagers = {"ante": 1000} | {name: stake for name, stake in SIDE_WAGERS.items() if name in options}
    line: Line = {
        "id": "r1",
        "rulebook": rulebook,
        "options": copy.deepcopy(options),
        "seats": [{"position": 1, "cards": CARDS, "wagers": wagers, "play": 3000}],
        "dealer": DEALER,
    }
    if "progressive" in options:
        line |= {"meter": 2_000_000, "reset": 500_000}
    if "six_card" in options:
        line["bonus_card"] = "9d"
    for place, value in changes.items():
        _change(line, place.split("__"), value)
    return line


def _change(line: Line, path: list[str], value: Any) -> None:
    holder: Any = line
    for key in path[:-1]:
        holder = holder[int(key)] if key.isdigit() else holder.setdefault(key, {})
    if value is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value


def with_wagers(rulebook: str, wagers: dict[str, Any], play: Any = GONE, **changes: Any) -> Line:
    """Return a valid round whose one seat has these wagers, and no decision unless one is given."""
    return line_of(rulebook, seats__0__wagers=wagers, seats__0__play=play, **changes)


def with_seats(rulebook: str, *seats: Line, **changes: Any) -> Line:
    """Return a valid round with these seats, where only the dealer and they have cards."""
    bonus = {"bonus_card": GONE} if rulebook == "maryland" else {}
    return line_of(rulebook, seats=list(seats), dealer="9h 9d 5d Kh 6d 7s", **bonus, **changes)


def told(line: Line | str | bytes, number: int = 0) -> Line:
    """Return the answer to a line as a script reads it."""
    text = json.dumps(line) if isinstance(line, dict) else line
    answer: Line = msgspec.json.decode(msgspec.json.encode(answer_line(text, number)))
    return answer


def refused(line: Line | str | bytes) -> Line:
    """Return the refusal of a line, or fail where it was settled."""
    answer = told(line)
    assert "refused" in answer, f"settled: {answer}"
    refusal: Line = answer["refused"]
    return refusal


def outcome(line: Line | str | bytes) -> tuple[str, list[str], int | None] | None:
    """Return name, clauses and position of the refusal of a line, or None where it is settled."""
    refusal = told(line).get("refused")
    return None if refusal is None else (refusal["name"], refusal["clauses"], refusal.get("position"))


def labelled(*rows: tuple[Any, ...]) -> list[Any]:
    """Return parameters that carry what they begin with as their name."""
    return [pytest.param(*row[1:], id=row[0]) for row in rows]
