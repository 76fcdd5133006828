"""Playthroughs of settled rounds: the dealer's narration, the steps, and the net results."""

from pathlib import Path
from typing import Any

import msgspec

from fourcard.settle_files.explain import explain_round
from fourcard.settle_files.reader import read_round
from fourcard.settle_files.settle import answer_line

FOLDER = Path(__file__).parent
ROUNDS = {
    msgspec.json.decode(line)["id"]: line for line in (FOLDER / "rounds.jsonl").read_bytes().splitlines()
}
MONEY = ("position", "wager", "action", "amount", "from", "hand", "row", "odds", "holder")


def playthrough(line: bytes) -> str:
    """Return the whole round as text."""
    told, answer = explain_round(read_round(line)), msgspec.to_builtins(answer_line(line))
    said = [f"{each.text}  [{' '.join(each.clauses)}]" for each in told.sentences]
    steps = [" | ".join(_fields(step)) for step in answer["steps"]]
    nets = [
        f"position {seat['position']}: {seat['hand']}, {seat['best']}: "
        + ", ".join(f"{name} {amount:+}" for name, amount in seat["net"].items() if amount)
        for seat in answer["seats"]
    ]
    meter = [f"meter {answer['meter']}", *map(str, answer.get("meter_moves", []))]
    returned = [f"returned {each}" for each in answer.get("returned", [])]
    return "\n".join([told.title, "", *said, "", *steps, "", *nets, *meter, *returned]) + "\n"


def _fields(step: dict[str, Any]) -> list[str]:
    shown = [str(step[key]) for key in MONEY if step.get(key) is not None]
    return [*shown, " ".join(step["clauses"])]


if __name__ == "__main__":
    for name, line in ROUNDS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(line), encoding="utf-8")
