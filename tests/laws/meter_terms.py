"""Submissions whose tables share a meter: small meters that run dry, shares, and other terms of each."""

import re
from functools import cache

from fourcard.house.submitted import submitted
from fourcard.money import Odds, OddsKind
from fourcard.refusals import Refusal
from fourcard.rules.game import Game
from fourcard.rules.rulebook import AwardSource
from tests.laws.meter_reckoning import Reckoning
from tests.storm.games import changed, families

Kind = tuple[tuple[str, ...], tuple[str, ...]]
"""Submissions by which tables are set up for one meter, and others that it may follow instead."""


def _amounts(text: str, **amounts: str) -> str:
    """Return a submission with other amounts of its progressive."""
    for name, value in amounts.items():
        text, found = re.subn(rf'\n{name} = "[^"]*"', f'\n{name} = "{value}"', text)
        assert found == 1, name
    return text


@cache
def kinds() -> dict[str, Kind]:
    """Return by name submissions of the same terms, at either console, and those to change to."""
    known = families()
    odd = {"seed": "$3", "reset": "$7.31", "rate": "33.33333333%"}
    nothing = {"seed": "$0", "reset": "$0", "rate": "70%"}
    dry = tuple(_amounts(text, **odd) for text in known["washington-meter"])
    plain, empty = (
        known["shuffle-master"],
        tuple(_amounts(text, **nothing) for text in known["shuffle-master"]),
    )
    shares, by_meter = known["maryland"], known["maryland-meter"]
    return {
        "a small meter that pays all": (dry, (_amounts(dry[0], rate="99.9%", reserve="0%", reset="$1"),)),
        "a meter that starts with nothing": (empty, (plain[0],)),
        "shares by tray and meter": (shares, (changed(shares[0]), _amounts(shares[0], reset="$10,000.01"))),
        "shares, and fixed awards by the meter": (by_meter, (changed(by_meter[0]),)),
        "both denominations": (known["massachusetts-meter"], (changed(known["massachusetts-meter"][0]),)),
    }


@cache
def game_of(text: str) -> Game:
    """Return the game of a submission."""
    game = submitted(text)
    assert not isinstance(game, Refusal), game
    return game


def source_of(game: Game, odds: Odds) -> AwardSource:
    """Return what hands an award over, as the submission and its settings say (R60)."""
    choice = game.submission.progressive
    assert choice is not None
    if odds.kind is not OddsKind.METER:
        return choice.fixed_awards
    return "tray" if odds.value < 1 and game.settings.get("part_share_from") == "tray" else "meter"


def follow_terms(second: Reckoning, game: Game) -> None:
    """Let a second reckoning follow the terms of a game."""
    choice = game.submission.progressive
    assert choice is not None
    assert choice.rate is not None
    second.follow(choice.rate, choice.reserve, int(choice.reset or 0))
