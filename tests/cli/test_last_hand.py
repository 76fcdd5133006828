"""`fourcard house last-hand`: a table closes after its round, or at once, and everybody is cashed out."""

import pytest

from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import TableBots
from fourcard.house.house import open_house
from fourcard.house.table_state import HouseTable
from fourcard.table.bots import varied_bots
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import Command, said

TABLE = "rehearsal-1"


@pytest.fixture
def rehearsed(house: Command) -> Command:
    """Return a house with a table where a round was played and players sit with chips."""
    said(house("rehearse", "--rounds", 1, "--tables", 1))
    return house


def step(bots: TableBots) -> HouseTable:
    """Let the bots do one thing, and return the table after it."""
    with open_house(FILE) as opened:
        request = bots.next(opened.service.table(TABLE))
        opened.service.do(request.stream, request.command, request.actor)
        return opened.service.table(TABLE)


def seated() -> dict[int, str]:
    """Return who sits at the table."""
    with open_house(FILE) as opened:
        return dict(opened.service.table(TABLE).state.seats)


@pytest.mark.clause("P36")
def test_a_table_between_rounds_closes_at_once(rehearsed: Command) -> None:
    with open_house(FILE) as opened:
        before = opened.service.table(TABLE)
        held = {name: before.chips(name) for name in before.chip_holders}
        assert held
    told = said(rehearsed("last-hand", TABLE))
    assert told.startswith(f"{TABLE} is closed. Cashed out: ")
    assert all(name in told for name in held)
    with open_house(FILE) as opened:
        after = opened.service.table(TABLE)
        assert (after.chip_holders, after.state.phase) == ((), "closed")
        assert audit(opened.store).clean
    assert rehearsed("last-hand", TABLE).sentence == "The table is closed already. [P36]"


@pytest.mark.clause("P36")
def test_a_round_under_way_is_played_first(rehearsed: Command) -> None:
    bots = TableBots(TABLE, seated(), varied_bots(1))
    while step(bots).state.round is None:
        continue
    assert (
        said(rehearsed("last-hand", TABLE))
        == f"Last hand at {TABLE}: the table closes when round 2 is over.\n"
    )
    assert rehearsed("last-hand", TABLE).sentence.startswith("The last hand is already called")
    while step(bots).state.round is not None:
        continue
    with open_house(FILE) as opened:
        after = opened.service.table(TABLE)
        assert (after.chip_holders, after.state.phase, after.state.round_number) == ((), "closed", 2)
        assert audit(opened.store).clean


def test_what_cannot_be_closed_gets_a_sentence(rehearsed: Command) -> None:
    assert rehearsed("last-hand", "none").sentence == "There is no table 'none' in this house."
    assert "is not a valid name for a table" in rehearsed("last-hand", "No Table").sentence
    with open_house(FILE):
        assert "is already open" in rehearsed("last-hand", TABLE).sentence
