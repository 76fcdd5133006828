"""Builds the laboratory's kit of test rounds, and checks that the committed file is what it builds.

No answer is believed because the engine gives it. A second, slow settlement must agree on hands, nets and
meter; the steps must keep the order that the sources demand; each round's own sentence must come true; and
each refusal must be the one that was expected.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, pairwise
from typing import Any

import msgspec

from fourcard.lines.answering import answer_line, encoded
from fourcard.lines.kit import KIT, KitHead, essence, read_kit
from fourcard.rules.rulings import is_address
from tests.second.order import order_problems
from tests.second.settlement import WAGERS, settle
from tools.claims import ROOT
from tools.kit.case import Case, Line
from tools.kit.contest import contest_rounds
from tools.kit.coverage import coverage, summary
from tools.kit.folds import fold_rounds
from tools.kit.meter import meter_rounds
from tools.kit.options import option_rounds
from tools.kit.orders import order_rounds
from tools.kit.others import cover_all_rounds, envy_rounds
from tools.kit.own import own_rounds
from tools.kit.people import people_rounds
from tools.kit.refused import refused_rounds
from tools.kit.settings import setting_rounds
from tools.kit.tables import table_rounds
from tools.kit.unreadable import unreadable_rounds
from tools.kit.voids import void_rounds

FILE = ROOT / "src" / "fourcard" / "lines" / KIT
NUMBER = 1
ABOUT = "Four Card Poker: rounds of five rulebooks with the answers that any right settlement gives"
PARTS = (
    table_rounds,
    cover_all_rounds,
    envy_rounds,
    contest_rounds,
    fold_rounds,
    people_rounds,
    meter_rounds,
    own_rounds,
    setting_rounds,
    order_rounds,
    void_rounds,
    refused_rounds,
    unreadable_rounds,
    option_rounds,
)
MOST_LETTERS = 110
SAME = ("id", "seats", "dealer", "meter")
PLAYER_CARDS, DEALER_CARDS = 5, 6
ENDS = ("envy", "cover_all")
AGAINST_PRINTED_ORDER = "against the order of wagers"
BAD_BEAT_FIRST = ("play", "ante", "bad_beat", "aces_up")
Answer = dict[str, Any]


@cache
def cases() -> tuple[Case, ...]:
    """Return every round of the kit."""
    return tuple(chain.from_iterable(part() for part in PARTS))


def answer_of(line: Line) -> Answer:
    """Return the engine's answer, as much of it as a kit fixes."""
    return essence(encoded(answer_line(json.dumps(line))))


def problems(case: Case, answer: Answer) -> Iterator[str]:
    """Yield why an answer may not be believed."""
    yield from (f"{each} is no clause, ruling or policy" for each in case.clauses if not is_address(each))
    if len(case.shows) > MOST_LETTERS:
        yield "the sentence is too long for one line"
    refused = answer.get("refused")
    if case.refusal is not None or refused is not None:
        expected = case.refusal and {"code": int(case.refusal), "name": case.refusal.name.lower()}
        if refused != expected:
            yield f"refused as {refused}, not as {expected}"
        return
    second = _dead(case.round) if _misdealt(case.round) else settle(case.round)
    yield from (f"{key}: {answer[key]}, not {second[key]}" for key in SAME if answer[key] != second[key])
    if not _misdealt(case.round):
        yield from _order(case.round, answer["steps"])
    nets = {(seat["position"], name): net for seat in answer["seats"] for name, net in seat["net"].items()}
    for place, net in case.nets.items():
        if nets[place] != net:
            yield f"{place}: {nets[place]}, not {net} as the sentence says"


def _misdealt(line: Line) -> bool:
    """Say whether a void round has hands that are not whole, which no settlement can rank."""
    hands = [(seat["cards"], PLAYER_CARDS) for seat in line["seats"]] + [(line["dealer"], DEALER_CARDS)]
    return "void" in line and any(len(cards.split()) != size for cards, size in hands)


def _dead(line: Line) -> Answer:
    """Return the answer to a misdealt round: no hand counts, and nobody gains or loses (R69)."""
    nothing = {"hand": None, "best": None}
    seats = [
        {"position": seat["position"], **nothing, "net": dict.fromkeys(WAGERS, 0)} for seat in line["seats"]
    ]
    return {"id": line["id"], "seats": seats, "dealer": nothing, "meter": line.get("meter")}


def _order(line: Line, steps: list[Line]) -> Iterator[str]:
    """Hold the steps to the order of the sources, or of the wagers as the round itself declares it."""
    declared = line["options"].get("order")
    if line.get("settings", {}).get("bad_beat_settled") == "before_aces_up":
        declared = BAD_BEAT_FIRST
    found = order_problems(line, steps)
    if declared is None:
        yield from found
        return
    yield from (each for each in found if not each.endswith(AGAINST_PRINTED_ORDER))
    for position in {step["position"] for step in steps}:
        mine = [step for step in steps if step["position"] == position and step["wager"] in declared]
        turns = [step for step in mine if step["wager"] not in ENDS]
        if line["rulebook"] == "massachusetts":
            yield from _falls([step for step in turns if step["action"] == "take"], declared)
            yield from _falls([step for step in turns if step["action"] == "pay"], declared)
        else:
            yield from _falls(turns, declared)


def _falls(steps: list[Line], declared: Iterable[str]) -> Iterator[str]:
    """Yield where a wager is settled after one that the declared order puts behind it."""
    order = [*declared]
    for step, following in pairwise(steps):
        if order.index(following["wager"]) < order.index(step["wager"]):
            yield f"{following['wager']} after {step['wager']}, against the declared order"


def build() -> tuple[bytes, list[str]]:
    """Return the text of the kit and everything that is wrong with it."""
    lines, wrong = [], []
    every = cases()
    for case in every:
        answer = answer_of(case.round)
        wrong += [f"{case.round['id']} ({case.shows}): {each}" for each in problems(case, answer)]
        kept = {"shows": case.shows, "clauses": case.clauses, "round": case.round, "answer": answer}
        lines.append(msgspec.json.encode(kept))
    for what in ([case.round["id"] for case in every], [case.shows for case in every]):
        wrong += [f"{each} is there {count} times" for each, count in Counter(what).items() if count > 1]
    head = msgspec.json.encode(KitHead(kit=NUMBER, rounds=len(lines), about=ABOUT))
    return b"\n".join([head, *lines]) + b"\n", wrong


def main(arguments: list[str]) -> int:
    """Write or check the kit, and say what it covers."""
    text, wrong = build()
    for each in wrong:
        print(each, file=sys.stderr)
    if wrong:
        return 1
    if "--write" in arguments:
        FILE.write_bytes(text)
    if not FILE.is_file() or FILE.read_bytes() != text:
        print(f"{FILE.name} is not what this tool builds; a kit is never changed.", file=sys.stderr)
        return 1
    head, rounds = read_kit(text, KIT)
    print(f"Kit {head.kit}: {head.rounds:,} rounds in {len(text):,} bytes, each answer checked.")
    print(summary(coverage(rounds)))
    return 0
