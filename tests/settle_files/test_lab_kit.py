"""The laboratory's kit: never changed, settled twice, covering every table; a broken one is refused."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fourcard.cards import cards_named
from fourcard.hands import Category, best_hand
from fourcard.money import parse_dollars
from fourcard.refusal_codes import Code
from fourcard.rules.clauses import clauses, is_address, settings
from fourcard.rules.paytables import every_paytable, paytable, selectable_tables
from fourcard.settle_files.lab_kit import KIT, KitLine, kit_text, read_kit
from fourcard.wagers import TABLE_WAGERS
from tests.kit.support import ROOT
from tools.kit.build import KitCoverage, Row, answer_of, build, cases, coverage, problems
from tools.kit.case import HOUSES, WITH_METER, KitCase, RulebookEdition

FOURCARD = Path(sys.executable).parent / "fourcard"
SHA_256 = {
    "kit-1.jsonl": "211e698429f9404f76455c299f481b9ae7171f1d5143823e85d80cca09def245",
    "kit-2.jsonl": "3d22b9fc0730f075b02903c742d19772ab3d9432aeecd0df5e567986e89f8ea8",
}
"""Of the kits that laboratories may have: what they should have shown besides goes into the next one."""
DIFFERS, BAD_INPUT = 1, 2
ROWS = {"ma": 100, "sm": 110, "mdx": 78, "md": 100, "wa": 122, "ia": 10}
"""How many rows of tables each house can offer."""
MONEY_SETTINGS = (
    "rounding",
    "bad_beat_tie",
    "bad_beat_settled",
    "progressive_on_fold",
    "cover_all_requires",
    "part_share_from",
    "six_card_low_ace",
    "one_denomination",
)
OF_ROUNDS = {code for code in Code if code in (*range(201, 216), *range(601, 617))}
"""The refusals of wagers and rounds that there were when kit 1 was made."""
NOT_IN_A_KIT = {Code.BETTING_CLOSED, Code.ROUND_UNREADABLE, Code.LINE_TOO_LONG}
"""Refused at a table only, or lines that could not stand in a kit."""
OF_OPTIONS = {
    Code.UNKNOWN_RULEBOOK,
    Code.UNKNOWN_EDITION,
    Code.KEY_UNKNOWN,
    Code.KEY_MISSING,
    Code.VALUE_UNFIT,
    Code.ODDS_MALFORMED,
    Code.WAGER_NOT_DESCRIBED,
    Code.TABLE_UNKNOWN,
    Code.TABLE_ODDS_ONLY,
    Code.OWN_TABLE_NOT_ALLOWED,
    Code.OWN_TABLE_UNDER_FLOOR,
    Code.OWN_TABLE_ROW_FOREIGN,
    Code.OWN_TABLE_ROW_MISSING,
    Code.OWN_TABLE_KIND,
    Code.OWN_TABLE_EMPTY,
    Code.TABLE_NUMBERS_DIFFER,
    Code.ENVY_UNKNOWN,
    Code.ENVY_UNPAIRED,
    Code.COVER_ALL_COLUMN_MISSING,
    Code.SETTING_UNKNOWN,
    Code.SETTING_VALUE,
    Code.SETTING_CLOSED,
    Code.ROUTINE_UNKNOWN,
    Code.HOUSE_ORDER,
    Code.HOUSE_ORDER_INCOMPLETE,
    Code.HOUSE_ORDER_ENDS,
    Code.LEAVING,
    Code.LIMITS_INVERTED,
    Code.STAKES_MORE_THAN_ONE,
    Code.FIXED_AWARDS,
}
BROKEN = {
    "a round and no kit": b'{"id": "r1", "rulebook": "maryland", "seats": []}\n',
    "plain text": b"a kit\n",
    "no text": bytes(range(256)),
    "nothing": b"",
    "a head alone": kit_text().splitlines(keepends=True)[0],
    "a round missing": b"".join(kit_text().splitlines(keepends=True)[:-1]),
    "cut in a round": kit_text()[:-200],
}
each_house = pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.code)


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a check as a laboratory does."""
    command = [str(FOURCARD), "settle", "--check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@cache
def rounds() -> tuple[KitLine, ...]:
    return read_kit(kit_text(), KIT)[1]


@cache
def covered() -> KitCoverage:
    return coverage(rounds())


@cache
def lines() -> tuple[dict[str, Any], ...]:
    return tuple(msgspec.json.decode(each.round) for each in rounds())


def settled_lines() -> list[dict[str, Any]]:
    pairs = zip(rounds(), lines(), strict=True)
    return [line for each, line in pairs if "refused" not in each.answer and "void" not in line]


def place(house: RulebookEdition) -> str:
    return f"{house.rulebook} {house.edition}" if house.edition else house.rulebook


def test_the_packaged_kit_passes_for_people_and_for_scripts() -> None:
    done = check()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Kit 2: {len(rounds()):,} rounds, all as expected.\n")
    told = check("--json")
    assert (told.returncode, told.stderr) == (0, "")
    answer = json.loads(told.stdout)
    assert (answer["kit"], answer["rounds"], answer["differences"]) == (2, len(rounds()), [])


def test_a_kit_is_never_changed() -> None:
    folder = ROOT / "src" / "fourcard" / "settle_files"
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("kit-*.jsonl")}
    assert found == SHA_256
    assert hashlib.sha256(kit_text()).hexdigest() == SHA_256[KIT]


def test_the_check_of_an_earlier_kit_names_what_rulings_have_changed_and_nothing_else() -> None:
    first = ROOT / "src" / "fourcard" / "settle_files" / "kit-1.jsonl"
    told = check(str(first), "--json")
    assert told.returncode == 0
    answer = json.loads(told.stdout)
    rulings = Counter(each["ruling"] for each in answer["differences"])
    assert (answer["kit"], answer["rounds"], rulings) == (1, 1567, {"R54": 54, "R67": 1})
    head, _ = read_kit(kit_text(), KIT)
    assert len(head.changed) == 55


def test_an_earlier_kit_with_another_wrong_answer_differs(tmp_path: Path) -> None:
    first = ROOT / "src" / "fourcard" / "settle_files" / "kit-1.jsonl"
    head, one, *rest = first.read_text(encoding="utf-8").splitlines()
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("\n".join([head, one.replace('"answer":{"id":"', '"answer":{"id":"x'), *rest]) + "\n")
    told = check(str(wrong))
    assert told.returncode == DIFFERS
    assert "1 differ, 55 changed by rulings since" in told.stdout


def test_the_kit_is_what_its_tool_builds_from_rounds_settled_twice() -> None:
    text, wrong = build()
    assert wrong == []
    assert text == kit_text()


def test_every_round_says_what_it_shows_and_by_which_clause() -> None:
    names = {line["id"] for line in lines()}
    assert len(names) == len({each.shows for each in rounds()}) == len(rounds()) > 1500
    assert all(each.shows.startswith(tuple(f"{house.title}: " for house in HOUSES)) for each in rounds())
    assert all(each.clauses for each in rounds() if "refused" not in each.answer)
    cited = {clause for each in rounds() for clause in each.clauses}
    assert len(cited) > 150
    assert all(map(is_address, cited))


def rows_offered(house: RulebookEdition) -> set[Row]:
    """Return every row of every table that a house can offer, by the rulebook's data."""
    book, where = house.law, place(house)
    found: set[Row] = set()
    for chosen in TABLE_WAGERS:
        for table in selectable_tables(book, chosen) if chosen != "cover_all" else ():
            found |= {(where, chosen, table, row) for row in paytable(book, chosen, table).pays}
    for name, table, printed in every_paytable(book):
        if name == "cover_all":
            found |= {(where, name, table, row) for row in printed.pays}
        if name == "envy":
            schedule, stake = table.split("/")
            found |= {(where, name, f"{schedule}/{parse_dollars(stake)}", row) for row in printed.pays}
    return found


@each_house
def test_every_row_of_every_table_is_paid_and_every_stake_is_lost(house: RulebookEdition) -> None:
    offered = rows_offered(house)
    assert len(offered) == ROWS[house.code]
    assert offered - {*covered().rows} == set()
    staked = {row[:3] for row in offered if row[1] not in ("automatic_bonus", "envy")}
    assert staked - {row[:3] for row in covered().lost} == set()


@each_house
def test_every_routine_and_every_void_clause_is_there(house: RulebookEdition) -> None:
    shown = {routine for where, routine in covered().routines if where == place(house)}
    assert shown == {*house.law.settlement.routines.value, "default"}
    mine = [clause for clause in clauses().values() if clause.source == house.law.source]
    voiding = {clause.id for clause in mine if "outcome=void" in clause.params}
    assert voiding
    assert voiding - {clause for where, clause in covered().voids if where == place(house)} == set()


def test_routines_and_void_clauses_are_many() -> None:
    assert len(covered().routines) >= 15
    assert len(covered().voids) == 32


def test_every_refusal_that_a_file_can_meet_is_met() -> None:
    wanted = OF_ROUNDS - NOT_IN_A_KIT | OF_OPTIONS
    assert len(wanted) == 58
    assert {code.name.lower() for code in wanted} - {name for _, name in covered().refusals} == set()


def test_every_setting_that_changes_money_is_set() -> None:
    found = {(where.split()[0], chosen) for where, chosen in covered().settings}
    for name in MONEY_SETTINGS:
        _, setting = settings()[name]
        others = [value for value in setting.values if value != setting.default]
        books = setting.rulebooks or ("washington",)
        wanted = {(book, f"{name} {value}") for book in books for value in others}
        assert wanted
        assert wanted - found == set()


def test_house_orders_stand_where_they_may() -> None:
    ordered = {line["rulebook"] for line in settled_lines() if "order" in line["options"]}
    assert ordered == {"massachusetts", "washington"}


def test_every_house_wins_loses_and_ties_where_one_deck_lets_hands_tie() -> None:
    tied: dict[str, set[Category]] = defaultdict(set)
    won: dict[str, set[bool]] = defaultdict(set)
    for line in settled_lines():
        where = f"{line['rulebook']} {line.get('edition', '')}".strip()
        dealer = best_hand(cards_named(line["dealer"]))
        hands = [best_hand(cards_named(seat["cards"])) for seat in line["seats"] if seat.get("play")]
        won[where] |= {hand > dealer for hand in hands}
        tied[where] |= {hand.category for hand in hands if hand == dealer}
    possible = {*Category} - {Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND}
    assert [won[place(house)] for house in HOUSES] == [{True, False}] * len(HOUSES)
    assert [tied[place(house)] for house in HOUSES] == [possible] * len(HOUSES)


def test_several_winners_share_the_meter_and_run_it_dry() -> None:
    answers = {line["id"]: each.answer for line, each in zip(lines(), rounds(), strict=True)}
    for name in ("md-meter-C-royals-meter", "md-meter-C-runs-meter", "ma-meter-fixed-dry"):
        steps: Any = answers[name]["steps"]
        assert len({step["position"] for step in steps if step["from"] == "meter"}) == 2
    assert answers["wa-meter-fixed-dry"]["meter"] == 0
    assert len([name for name in answers if "-meter-" in name]) >= 8 * len(WITH_METER)


def case_named(name: str) -> KitCase:
    return next(case for case in cases() if case.round["id"] == name)


def test_the_tool_believes_no_answer_that_is_wrong() -> None:
    case = case_named("sm-order-lay-and-pay-mixed")
    answer = answer_of(case.round)
    steps = answer["steps"]
    assert [*problems(case, answer)] == []
    assert [*problems(replace(case, clauses=("MA-99",)), answer)]
    assert [*problems(replace(case, nets={(5, "ante"): -1}), answer)]
    assert [*problems(replace(case, refusal=Code.NO_WAGER), answer)]
    assert [*problems(case, {**answer, "steps": steps[::-1]})]
    assert [*problems(case, {**answer, "meter": answer["meter"] + 1})]
    richer = {**steps[0], "amount": steps[0]["amount"] + 1}
    assert [*problems(case, {**answer, "steps": [richer, *steps[1:]]})]


def test_the_tool_believes_no_other_refusal_than_the_one_expected() -> None:
    case = case_named("ia-no-play-small")
    answer = answer_of(case.round)
    assert [*problems(case, answer)] == []
    assert [*problems(replace(case, refusal=None), answer)]
    assert [*problems(replace(case, refusal=Code.PLAY_TOO_LARGE), answer)]


@pytest.mark.parametrize("name", ["wa-order-house-1-lay-and-pay", "ma-order-house-1-by-procedure"])
def test_the_tool_holds_steps_to_the_order_that_a_round_declares(name: str) -> None:
    case = case_named(name)
    answer = answer_of(case.round)
    assert [*problems(case, answer)] == []
    options = {**case.round["options"], "order": case.round["options"]["order"][::-1]}
    assert [*problems(replace(case, round={**case.round, "options": options}), answer)]


def altered(folder: Path, name: str, *keys: str | int) -> tuple[Path, str]:
    """Write a kit of some rounds, one with an amount that is a cent more, and return what that one shows."""
    wrong = next(each for each, line in zip(rounds(), lines(), strict=True) if line["id"] == name)
    answer: Any = json.loads(json.dumps(wrong.answer))
    part = answer
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] += 1
    kept = [*rounds()[:40], msgspec.structs.replace(wrong, answer=answer), *rounds()[-40:]]
    head = {"kit": 9, "rounds": len(kept), "about": "altered"}
    file = folder / "kit.jsonl"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, [head, *kept])))
    return file, wrong.shows


@pytest.mark.parametrize(
    ("name", "keys", "at"),
    [
        ("md-six_card-A-full_house", ("seats", 0, "net", "six_card"), "seats 1.net.six_card"),
        ("ma-aces_up-I-flush", ("steps", 0, "amount"), "steps 1.amount"),
        ("wa-meter-fixed-dry", ("meter",), "meter"),
        ("ia-no-play-small", ("refused", "code"), "refused.code"),
    ],
)
def test_one_altered_amount_is_found_and_named(
    tmp_path: Path, name: str, keys: tuple[str | int, ...], at: str
) -> None:
    file, shown = altered(tmp_path, name, *keys)
    done = check(str(file))
    assert (done.returncode, done.stderr) == (DIFFERS, "")
    difference = done.stdout.partition(f"differs {shown}\n")[2].partition("Kit 9")[0]
    assert re.fullmatch(rf"  {re.escape(at)}: expected (-?\d+), got (-?\d+)\n", difference), (
        "and nothing else"
    )
    assert "Kit 9: 81 rounds, 1 differ.\n" in done.stdout


def test_scripts_are_told_what_was_expected_and_what_was_given(tmp_path: Path) -> None:
    file, shown = altered(tmp_path, "ma-aces_up-I-flush", "seats", 0, "net", "aces_up")
    done = check(str(file), "--json")
    assert (done.returncode, done.stderr) == (DIFFERS, "")
    (told,) = json.loads(done.stdout)["differences"]
    nets = [told[key]["seats"][0]["net"]["aces_up"] for key in ("expected", "given")]
    assert (told["shows"], nets) == (shown, [3001, 3000])
    assert told["changes"] == [{"at": "seats 1.net.aces_up", "expected": 3001, "given": 3000}]


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_whole_kit_gets_one_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "kit.jsonl"
    file.write_bytes(content)
    assert_refused(check(str(file)), str(file))


@pytest.mark.parametrize("name", ["no-such-kit.jsonl", "tests"])
def test_a_kit_that_is_not_there_gets_one_sentence(name: str) -> None:
    assert_refused(check(name), name)


def assert_refused(done: subprocess.CompletedProcess[str], name: str) -> None:
    """Demand one sentence on standard error, status 2 and nothing else."""
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr.startswith(f"fourcard: {name} cannot be read: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
