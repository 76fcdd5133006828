"""Kit builder: builds the kit, checks every answer independently, and reports its coverage."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, pairwise
from typing import Any

import msgspec

from fourcard.rules.clauses import is_address
from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.settle_files.lab_kit import KIT, KitHead, KitLine, fixed_part, read_kit
from fourcard.settle_files.settle import SettleAnswer, answer_line, encode_answer
from fourcard.settlers.wager_settler import SettlementStep
from tests.second.order import order_problems
from tests.second.settlement import WAGERS, settle
from tools.claims import ROOT
from tools.kit.case import KitCase, RoundLine
from tools.kit.paytable_rounds import cover_all_rounds, envy_rounds, own_rounds, table_rounds
from tools.kit.play_rounds import contest_rounds, fold_rounds, people_rounds
from tools.kit.procedure_rounds import meter_rounds, order_rounds, setting_rounds, void_rounds
from tools.kit.refused_rounds import option_rounds, refused_rounds, unreadable_rounds

REFUSED = "any rulebook, refused"
OWN = "own"
"""Stands for the id of a table that a round writes out itself."""
Row = tuple[str, str, str, str]
"""A rulebook with its edition, a wager, a table and a row; Cover All has columns, and Envy a stake."""


class KitCoverage(msgspec.Struct, frozen=True):
    """How often each thing occurs in a kit."""

    rounds: Counter[str]
    rows: Counter[Row]
    lost: Counter[Row]
    """Stakes that a table's lowest row did not save, under the row ``none``."""
    routines: Counter[tuple[str, str]]
    voids: Counter[tuple[str, str]]
    refusals: Counter[tuple[str, str]]
    settings: Counter[tuple[str, str]]


def coverage(rounds: tuple[KitLine, ...]) -> KitCoverage:
    """Count what some rounds show; the rows are those that the engine names in its steps."""
    found = KitCoverage(*(Counter() for _ in KitCoverage.__struct_fields__))
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
        assert isinstance(answer, SettleAnswer)
        found.rows.update(_rows(line, answer.steps))
        found.lost.update(_lost(line, answer.steps))
    return found


def house_of(line: dict[str, Any]) -> str:
    """Return a round's rulebook, with its edition where there are two."""
    named = str(line.get("rulebook"))
    if named not in rulebook_ids() or len(rulebook(named).editions) == 1:
        return named
    return f"{named} {line.get('edition', rulebook(named).edition)}"


def _table(line: dict[str, Any], step: SettlementStep) -> str:
    """Return the id of the table that paid a step."""
    options = line["options"]
    if step.wager == "cover_all":
        return str(len(line["seats"]) + 1)
    if step.wager == "envy":
        seat = next(seat for seat in line["seats"] if seat["position"] == step.position)
        return f"{options.get('envy', options['progressive'])}/{seat['wagers']['progressive']}"
    follows = rulebook(line["rulebook"]).wagers.automatic_bonus.same_number_as
    default = "standard" if follows is None else options.get(follows.value)
    chosen = options.get(step.wager, default)
    return chosen if isinstance(chosen, str) else OWN


def _rows(line: dict[str, Any], steps: tuple[SettlementStep, ...]) -> Iterator[Row]:
    for step in steps:
        if step.row is not None:
            yield house_of(line), step.wager, _table(line, step), step.row


def _lost(line: dict[str, Any], steps: tuple[SettlementStep, ...]) -> Iterator[Row]:
    paid = {(step.position, step.wager) for step in steps if step.action == "pay"}
    for step in steps:
        contest = step.wager in ("ante", "play")
        if step.action == "take" and not contest and (step.position, step.wager) not in paid:
            yield house_of(line), step.wager, _table(line, step), "none"


def summary(found: KitCoverage) -> str:
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


FILE = ROOT / "src" / "fourcard" / "settle_files" / KIT
FIRST = FILE.with_name("kit-1.jsonl")
NUMBER = 2
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
MAX_LETTERS = 110
SAME = ("id", "seats", "dealer", "meter")
PLAYER_CARDS, DEALER_CARDS = 5, 6
ENDS = ("envy", "cover_all")
AGAINST_PRINTED_ORDER = "against the order of wagers"
BAD_BEAT_FIRST = ("play", "ante", "bad_beat", "aces_up")
AnswerJson = dict[str, Any]


@cache
def cases() -> tuple[KitCase, ...]:
    """Return every round of the kit."""
    return tuple(chain.from_iterable(part() for part in PARTS))


def answer_of(line: RoundLine) -> AnswerJson:
    """Return the engine's answer, as much of it as a kit fixes."""
    return fixed_part(encode_answer(answer_line(json.dumps(line))))


def problems(case: KitCase, answer: AnswerJson) -> Iterator[str]:
    """Yield why an answer may not be believed."""
    yield from (f"{each} is no clause, ruling or policy" for each in case.clauses if not is_address(each))
    if len(case.shows) > MAX_LETTERS:
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
        yield from _order(case.round, _with_holders(case.round, answer["steps"]))
    nets = {(seat["position"], name): net for seat in answer["seats"] for name, net in seat["net"].items()}
    for place, net in case.nets.items():
        if nets[place] != net:
            yield f"{place}: {nets[place]}, not {net} as the sentence says"


def _with_holders(line: RoundLine, steps: list[RoundLine]) -> list[RoundLine]:
    """Return steps with whose hand won each, which a kit leaves out and the order depends on (R54)."""
    whole = msgspec.json.decode(encode_answer(answer_line(json.dumps(line)))).get("steps", [])
    return [{**step, "holder": each.get("holder")} for step, each in zip(steps, whole, strict=False)] or steps


def _misdealt(line: RoundLine) -> bool:
    """Say whether a void round has hands that are not whole, which no settlement can rank."""
    hands = [(seat["cards"], PLAYER_CARDS) for seat in line["seats"]] + [(line["dealer"], DEALER_CARDS)]
    return "void" in line and any(len(cards.split()) != size for cards, size in hands)


def _dead(line: RoundLine) -> AnswerJson:
    """Return the answer to a misdealt round: no hand counts, and nobody gains or loses (R69)."""
    nothing = {"hand": None, "best": None}
    seats = [
        {"position": seat["position"], **nothing, "net": dict.fromkeys(WAGERS, 0)} for seat in line["seats"]
    ]
    return {"id": line["id"], "seats": seats, "dealer": nothing, "meter": line.get("meter")}


def _order(line: RoundLine, steps: list[RoundLine]) -> Iterator[str]:
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
        routines = rulebook(line["rulebook"]).settlement.by_routine
        if "settle" not in routines.get(line["options"].get("routine"), next(iter(routines.values()))):
            yield from _falls([step for step in turns if step["action"] == "take"], declared)
            yield from _falls([step for step in turns if step["action"] == "pay"], declared)
        else:
            yield from _falls(turns, declared)


def _falls(steps: list[RoundLine], declared: Iterable[str]) -> Iterator[str]:
    """Yield where a wager is settled after one that the declared order puts behind it."""
    order = [*declared]
    for step, following in pairwise(steps):
        if order.index(following["wager"]) < order.index(step["wager"]):
            yield f"{following['wager']} after {step['wager']}, against the declared order"


def _changed_since() -> tuple[dict[str, str], list[str]]:
    """Return the rounds of the first kit whose answers changed, with the ruling, and those without one."""
    _, rounds = read_kit(FIRST.read_bytes(), FIRST.name)
    changed, unruled = dict[str, str](), []
    for each in rounds:
        given = answer_of(msgspec.json.decode(each.round))
        if given == each.answer:
            continue
        envy = any(step["wager"] == "envy" for step in given.get("steps", ()))
        if given.keys() != each.answer.keys() and "R67" in each.clauses:
            changed[given["id"]] = "R67"
        elif envy and {**given, "steps": ()} == {**each.answer, "steps": ()}:
            changed[given["id"]] = "R54"
        else:
            unruled.append(f"{given['id']} ({each.shows}): changed since the first kit by no ruling")
    return changed, unruled


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
    changed, unruled = _changed_since()
    wrong += unruled
    head = msgspec.json.encode(KitHead(kit=NUMBER, rounds=len(lines), about=ABOUT, changed=changed))
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
