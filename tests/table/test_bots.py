"""Bots at a table: they place only what the game offers and takes, and repeat their choices."""

from collections.abc import Mapping

import pytest

from fourcard.refusals import Refusal
from fourcard.round.commands import PlaceWager, Play
from fourcard.rules.game import Game
from fourcard.rules.submission import examples
from fourcard.table.bots import PLAIN_BOTS, BotPolicy, decision, next_wagers, varied_bots, within_limits
from fourcard.table.decide import decide
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.support import game, game_without_aces_up
from tests.kit.tables import advance, current_round, seeded

EVERYTHING = BotPolicy(lambda _wager, _number: True, lambda _spot: 3)
ONLY_ANTES = BotPolicy(lambda wager, _number: wager.wager == "ante")
BOTS = ("p1", "p2", "p3")
Wagers = Mapping[WagerName, int]


def seated(made: Game) -> Table:
    """Return a table with three bots and a round open for wagers."""
    at = Table(made, seeded(1))
    for position, name in enumerate(BOTS, 1):
        at.seat(position, name)
    at.begin()
    return at


def place_all(at: Table, policy: BotPolicy) -> list[Wagers]:
    """Let the bots place their wagers, none of which may be refused, and return them by position."""
    while (wager := next_wagers(at.state, BOTS, policy)) is not None:
        at.do(wager)
    return [place.wagers for place in current_round(at).positions.values()]


@pytest.mark.parametrize("name", sorted(examples()))
def test_a_bot_that_wants_everything_places_all_that_is_offered_at_the_least(name: str) -> None:
    at = seated(game(name))
    limits, choice = at.game.submission.limits.posted, at.game.submission.progressive
    wanted: dict[WagerName, int] = {wager: int(each.least) for wager, each in limits.items()}
    if choice is not None:
        wanted["progressive"] = int(choice.stakes[0])
    assert place_all(at, EVERYTHING) == [wanted] * 3


@pytest.mark.parametrize("name", ["catfish-bend", "maryland", "maryland-everything"])
@pytest.mark.parametrize("policy", [PLAIN_BOTS, EVERYTHING, varied_bots(1)], ids=["plain", "all", "varied"])
def test_what_is_not_offered_or_lacks_what_it_needs_is_not_placed(name: str, policy: BotPolicy) -> None:
    at = seated(game_without_aces_up(name))
    for wagers in place_all(at, policy):
        assert "ante" in wagers
        assert not {"aces_up", "six_card"} & {*wagers}, "the Six Card Bonus needs Aces Up"
    at.finish(within_limits(policy.strategy))
    assert at.state.round is None


def test_a_bot_wagers_what_it_has_money_for() -> None:
    at = seated(game("massachusetts-everything"))
    ante = int(at.game.submission.limits.posted["ante"].least)
    money = {"p1": 0, "p2": ante - 1, "p3": ante}
    wager = next_wagers(at.state, BOTS, ONLY_ANTES, money.__getitem__)
    assert isinstance(wager, PlaceWager)
    assert (wager.position, wager.wager, wager.amount) == (3, "ante", ante)
    assert next_wagers(at.state, ("p1", "p2"), ONLY_ANTES, money.__getitem__) is None


def test_a_seed_repeats_the_choices_and_rounds_differ() -> None:
    def wagers(seed: int) -> list[list[Wagers]]:
        at, found, policy = seated(game("massachusetts-everything")), list[list[Wagers]](), varied_bots(seed)
        for _ in range(4):
            found.append(place_all(at, policy))
            at.finish(within_limits(policy.strategy))
            at.begin()
        return found

    first = wagers(1)
    assert first == wagers(1) != wagers(2)
    assert any(each != first[0] for each in first)


@pytest.mark.parametrize("wanted", range(4))
@pytest.mark.parametrize("antes", range(4))
def test_a_decision_stays_within_limits_and_money(wanted: int, antes: int) -> None:
    most = {"limits__posted__ante__most": "$10", "limits__posted__aces_up__most": "$10"}
    at = seated(game("washington", limits__legal="$10", **most))
    place_all(at, ONLY_ANTES)
    advance(at)
    state = current_round(at)
    ante = state.positions[1].wagers["ante"]
    assert ante == 500, "two Antes are the legal limit"
    chosen = decision(state, within_limits(lambda _spot: wanted, lambda _player: antes * ante))
    played = chosen.amount // ante if isinstance(chosen, Play) else 0
    assert played == min(wanted, antes, 2)
    assert not isinstance(decide(at.state, chosen), Refusal)
