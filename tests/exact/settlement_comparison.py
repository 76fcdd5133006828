"""Settlement comparison: one round settled twice, where the results differ, and which cases it covers."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from fourcard import answer_line
from fourcard.settle_files.settle import encode_answer
from tests.second.order import order_problems
from tests.second.settlement import settle

Line = dict[str, Any]
TABLES = ("aces_up", "automatic_bonus", "bad_beat", "six_card", "progressive")
SAME = ("id", "seats", "dealer", "meter")
WHOLE = "100% of meter"


def answered(line: Line) -> dict[str, Any]:
    """Return the JSON answer to a line."""
    found: dict[str, Any] = msgspec.json.decode(encode_answer(answer_line(json.dumps(line))))
    return found


def compare(line: Line) -> tuple[str, Counter[str]]:
    """Return how the two settlements differ, or an empty text, and the cases that the round covers."""
    answer, second = answered(line), settle(line)
    if "refused" in answer:
        return _difference(line, second, answer, ["the line is refused"]), Counter()
    problems = [f"{key} differ" for key in SAME if answer[key] != second[key]]
    problems += order_problems(line, answer["steps"])
    return _difference(line, second, answer, problems) if problems else "", Counter(_cases(line, answer))


def _difference(line: Line, second: Line, answer: Line, problems: list[str]) -> str:
    shown = {"the line": line, "the second settlement": second, "the answer": answer}
    lines = (f"  {name}: {json.dumps(value)}" for name, value in shown.items())
    return "\n".join([f"{line['id']}: {'; '.join(problems)}", *lines])


def _cases(line: Line, answer: Line) -> Iterator[str]:
    """Yield a label for every case that the round covers."""
    yield from _choices(line)
    yield f"seats {len(line['seats'])}"
    if line.get("void"):
        yield "void"
        return
    for seat, result in zip(line["seats"], answer["seats"], strict=True):
        yield from _outcomes(seat, result, answer["dealer"])
    for step in answer["steps"]:
        if "row" in step:
            yield f"row {step['wager']} {step['row']}"
    yield from _meter_cases(answer)
    yield from _shared_player_cases(line, answer)


def _choices(line: Line) -> Iterator[str]:
    options, book = line["options"], line["rulebook"]
    edition = line.get("edition", "proposed") if book == "maryland" else ""
    yield f"rulebook {book} {edition}"
    for wager in TABLES:
        if wager in options:
            table = options[wager]
            yield f"table {book} {edition} {wager} {'inline' if isinstance(table, dict) else table}"
    if "envy" in options:
        yield f"table {book} envy {options['envy']}"
    if any("cover_all" in seat["wagers"] for seat in line["seats"]):
        yield f"cover_all beside {len(line['seats'])}"
    yield from (
        f"{name} {options[name]}"
        for name in ("routine", "rounding", "fixed_awards", "winner_order")
        if name in options
    )
    yield from (f"setting {name} {value}" for name, value in line.get("settings", {}).items())


def _outcomes(seat: Line, result: Line, dealer: Line) -> Iterator[str]:
    """Yield the cases of a seat: each wager won or lost, and ties with the dealer."""
    yield f"hand {result['hand']}"
    for wager, net in result["net"].items():
        if net:
            yield f"{wager} {'won' if net > 0 else 'lost'}"
    if seat.get("left"):
        yield "left"
    elif seat.get("play") == 0:
        yield "fold"
    elif "play" in seat:
        if (result["hand"], _ranks(result["best"])) == (dealer["hand"], _ranks(dealer["best"])):
            yield f"tie {result['hand']}"
        if result["net"]["ante"] < 0 < result["net"]["automatic_bonus"]:
            yield "beaten with a bonus"


def _ranks(best: str) -> list[str]:
    return [card[0] for card in best.split()]


def _meter_cases(answer: Line) -> Iterator[str]:
    paid = [step for step in answer["steps"] if step["wager"] == "progressive" and step["action"] == "pay"]
    shares = [step["odds"] for step in paid if step["odds"].endswith("of meter")]
    if any("shortfall" in move for move in answer.get("meter_moves", ())):
        yield "meter dry"
    if any(step["from"] == "meter" and not step["odds"].endswith("of meter") for step in paid):
        yield "fixed award from the meter"
    if WHOLE in shares:
        yield "whole meter"
    if len(shares) > 1:
        yield "two meter winners"
    if shares.count(WHOLE) > 1:
        yield "two whole meters"
    if WHOLE in shares[:-1] and shares[-1] != WHOLE:
        yield "part of a meter that was just won"


def _shared_player_cases(line: Line, answer: Line) -> Iterator[str]:
    """Yield the cases of players with two positions, and of Envy."""
    envied = {step["holder"] for step in answer["steps"] if step["wager"] == "envy"}
    if len(envied) > 1:
        yield "two hands envied"
    for one, other in combinations(line["seats"], 2):
        if one.get("player") is not None and one.get("player") == other.get("player"):
            yield "two positions of one player"
            if any(
                holder["position"] in envied and "progressive" in receiver["wagers"]
                for holder, receiver in ((one, other), (other, one))
            ):
                yield "no envy of one's own other hand"
