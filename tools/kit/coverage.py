"""What a kit covers, read from its rounds and their answers: rows of tables, routines, voids, refusals."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from fourcard.lines.answering import Answer, answer_line
from fourcard.lines.kit import KitLine
from fourcard.wagers.wager import Step

REFUSED = "any rulebook, refused"
OWN = "own"
"""Stands for the id of a table that a round writes out itself."""
Row = tuple[str, str, str, str]
"""A rulebook with its edition, a wager, a table and a row; Cover All has columns, and Envy a stake."""


class Coverage(msgspec.Struct, frozen=True):
    """How often each thing occurs in a kit."""

    rounds: Counter[str]
    rows: Counter[Row]
    lost: Counter[Row]
    """Stakes that a table's lowest row did not save, under the row ``none``."""
    routines: Counter[tuple[str, str]]
    voids: Counter[tuple[str, str]]
    refusals: Counter[tuple[str, str]]
    settings: Counter[tuple[str, str]]


def coverage(rounds: tuple[KitLine, ...]) -> Coverage:
    """Count what some rounds show; the rows are those that the engine names in its steps."""
    found = Coverage(*(Counter() for _ in Coverage.__struct_fields__))
    for each in rounds:
        line: dict[str, Any] = msgspec.json.decode(each.round)
        place, options = house_of(line), line.get("options", {})
        refusal = each.answer.get("refused")
        if isinstance(refusal, dict):
            found.rounds[REFUSED] += 1
            found.refusals[place, refusal["name"]] += 1
            continue
        found.rounds[place] += 1
        if "void" in line:
            found.voids[place, line["void"]] += 1
            continue
        found.routines[place, options.get("routine", "default")] += 1
        found.settings.update((place, f"{name} {value}") for name, value in line.get("settings", {}).items())
        answer = answer_line(bytes(each.round))
        assert isinstance(answer, Answer)
        found.rows.update(_rows(line, answer.steps))
        found.lost.update(_lost(line, answer.steps))
    return found


def house_of(line: dict[str, Any]) -> str:
    """Return a round's rulebook, with its edition where there are two."""
    named = str(line.get("rulebook"))
    return f"{named} {line.get('edition', 'proposed')}" if named == "maryland" else named


def _table(line: dict[str, Any], step: Step) -> str:
    """Return the id of the table that paid a step."""
    options = line["options"]
    if step.wager == "cover_all":
        return str(len(line["seats"]) + 1)
    if step.wager == "envy":
        seat = next(seat for seat in line["seats"] if seat["position"] == step.position)
        return f"{options.get('envy', options['progressive'])}/{seat['wagers']['progressive']}"
    default = options.get("aces_up") if line["rulebook"] == "washington" else "standard"
    chosen = options.get(step.wager, default)
    return chosen if isinstance(chosen, str) else OWN


def _rows(line: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[Row]:
    for step in steps:
        if step.row is not None:
            yield house_of(line), step.wager, _table(line, step), step.row


def _lost(line: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[Row]:
    paid = {(step.position, step.wager) for step in steps if step.action == "pay"}
    for step in steps:
        contest = step.wager in ("ante", "play")
        if step.action == "take" and not contest and (step.position, step.wager) not in paid:
            yield house_of(line), step.wager, _table(line, step), "none"


def summary(found: Coverage) -> str:
    """Return what a kit covers in a few lines."""
    lines = [f"  {count:>5} rounds of {place}" for place, count in found.rounds.most_common()]
    counts: dict[str, Counter[Any]] = {
        "rows of tables paid": found.rows,
        "tables by which a stake is lost": found.lost,
        "routines": found.routines,
        "clauses that void": found.voids,
        "settings": found.settings,
        "refusals": found.refusals,
    }
    lines += [f"  {len(counter):>5} different {name}" for name, counter in counts.items()]
    lines.append("  where each rulebook, and each edition of Maryland, is counted apart")
    return "\n".join(lines)
