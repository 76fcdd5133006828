"""Every clause that a table cites belongs to its own rulebook, or is a ruling or a policy."""

import pytest
from msgspec.structs import replace

from fourcard.progressive.console import ConsoleCommand, Press, PressHand, SelectSpot, SwipeCard, TurnKey
from fourcard.round.commands import JudgeCount, Perform, TreatAsAbandoned
from fourcard.rules.clauses import clauses
from fourcard.rules.game import Game
from fourcard.table.commands import OrderRecut, OrderShuffle, Prepare, TableCommand
from tests.kit.deals import WAYS, cited, dealt_round
from tests.kit.houses import house_with, player
from tests.kit.refusal_situations import ROUND_SITUATIONS, TABLE_SITUATIONS
from tests.kit.tables import finish, refused

SITUATIONS = {
    **{f"round: {name}": each for name, each in ROUND_SITUATIONS.items()},
    **{f"table: {name}": each for name, each in TABLE_SITUATIONS.items()},
}


def foreign(cited_clauses: set[str], game: Game) -> set[str]:
    """Return the clauses of other sources than that of a game; a paytable may be borrowed from another."""
    known, borrowed = clauses(), {clause for table in game.tables.values() for clause in table.clauses}
    own = game.rulebook.source
    return {each for each in cited_clauses - borrowed if each in known and known[each].source != own}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_refusal_cites_only_the_rulebook_of_its_table(situation: str) -> None:
    at, command = SITUATIONS[situation]()
    assert foreign({*refused(at, command).clauses}, at.game) == set()


NOT_FOR_PLAYERS: list[TableCommand | ConsoleCommand] = [
    Prepare(step="wash"),
    OrderRecut(),
    OrderShuffle(),
    Perform(step="count_stub"),
    JudgeCount(stub=41, hands={}),
    TreatAsAbandoned(position=1),
    SelectSpot(position=1),
    PressHand(hand="four_aces"),
    TurnKey(to="jph"),
    SwipeCard(),
    Press(button="confirm"),
]


@pytest.mark.clause("P25")
@pytest.mark.parametrize(
    "name", ["massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend"]
)
def test_the_house_refuses_at_a_table_by_the_rulebook_of_that_table(name: str) -> None:
    house = house_with(name)
    for command in NOT_FOR_PLAYERS:
        refusal = house.refused("table/main", replace(command, role="player"), player("ann"))
        assert refusal.name == "not_permitted", command
        assert refusal.clauses
        assert foreign({*refusal.clauses}, house.house_table("main").state.game) == set(), command


@pytest.mark.parametrize("way", WAYS)
def test_the_events_of_a_round_cite_only_the_rulebook_of_their_table(way: str) -> None:
    at = dealt_round(way).at
    finish(at)
    assert at.state.last_round is not None
    said = cited(at.events) | {clause for step in at.state.last_round.steps for clause in step.clauses}
    assert len(said) >= 10
    assert foreign(said, at.game) == set()
