"""Tables dealt by people: the state of the table says who must act next, and how."""

from random import Random
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import FILL_CENTS, WaitReason, next_action, next_staff_command
from fourcard.house.commands import BuyIn, FillTray
from fourcard.house.timers import Timers
from fourcard.refusals import Refusal
from fourcard.round.commands import Deal, PlaceWager, Play, TakeSeat
from fourcard.round.prompts import PROMPTS
from fourcard.rules.game import resolve_game
from fourcard.rules.submission import submission_named
from fourcard.table.commands import Prepare
from tests.kit.decks import strong_deck
from tests.kit.houses import submission_text
from tests.kit.whole_message import whole_message
from tests.server.simulated_floor import SETTINGS, SimulatedFloor, dealt_in_order, on_floor, player, staff
from tests.server.test_auto_dealer_policy import ANTE, NO_BOTS, ready

HANDS = {"dealer": "dan", "floorperson": "flo", "supervisor": "sue", "executive": "eve"}
BY_PEOPLE = replace(NO_BOTS, deals=False, opens=False)
VERIFY = ("staff", "floorperson", "Verify the inspection of the cards.")
LARGE_AWARD = WaitReason("jackpot", 1, role="supervisor", task="Confirm the award of position 1.")
MAX_ACTS = 400
FOUR_ACES = 33
"""What is added to the number of a shuffle so that the first deals four aces, which the meter pays."""
EXAMPLES = (
    *("massachusetts", "massachusetts-everything", "maryland-everything", "shuffle-master-everything"),
    *("washington-everything", "catfish-bend"),
)


JACKPOTS = {
    "maryland-everything": "supervisor",
    "massachusetts-everything": "supervisor",
    "shuffle-master-everything": "supervisor",
    "washington-everything": "executive",
}
"""By table, who confirms the win of its first round."""


async def act(at: SimulatedFloor, waits: WaitReason) -> None:
    """Act for whom the table waits: staff by the rulebook, Dee for every player."""
    if waits.for_ == "wagers":
        await at.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("dee"))
        progressive = at.state.game.submission.progressive
        for stake in progressive.stakes[:1] if progressive is not None else ():
            await at.done(PlaceWager(position=1, wager="progressive", amount=int(stake)), player("dee"))
    elif waits.for_ in ("jackpot", "document"):
        following = next_staff_command(at.watch.state)
        assert following is not None
        await at.done(replace(following, role=waits.role), staff(HANDS[waits.role]))
    elif waits.for_ == "ready":
        ready(at, "dee")
    elif waits.for_ == "decision":
        await at.done(Play(position=waits.position, amount=ANTE), player("dee"))
    elif waits.for_ == "players":
        await at.done(BuyIn(player="dee", cents=100 * ANTE), player("dee"))
        await at.done(TakeSeat(position=1, player="dee"), player("dee"))
    else:
        following = next_staff_command(at.watch.state)
        assert following is not None
        if isinstance(following, Deal):
            may = whole_message(at.floor, at.watch.snapshot, staff("dan"), 0).allowed.may
            assert {"kind": "deal"} in may, "no card is keyed in where the house shuffles"
        await at.done(replace(following, role=waits.role), staff(HANDS[waits.role]))


async def played_by_people(at: SimulatedFloor) -> list[tuple[str, str, str]]:
    """Open a table and play a round, everybody acting in turn; return who was waited for."""
    seen = list[tuple[str, str, str]]()
    await at.done(FillTray(cents=FILL_CENTS, slip="F1", role="supervisor"), staff("sue"))
    for _ in range(MAX_ACTS):
        waits = at.next()
        assert isinstance(waits, WaitReason), "nothing is done by itself"
        seen.append((waits.for_, waits.role, waits.task))
        for who in (player("dee"), staff("dan"), staff("flo")):
            told = whole_message(at.floor, at.watch.snapshot, who, 0).waiting
            assert told is not None
            assert (told.for_, told.role, told.task) == seen[-1]
        if at.state.round_number == 2 and waits.for_ == "wagers":
            return seen
        if seen[-1] == VERIFY:
            refused = await at.do(Prepare(step="verify_inspection", role="dealer"), staff("dan"))
            assert isinstance(refused, Refusal), "nobody else may do it"
        await act(at, waits)
    raise AssertionError(seen)


@pytest.mark.parametrize("example", EXAMPLES)
def test_where_people_deal_a_table_says_whose_act_it_waits_for(example: str) -> None:
    async def during(at: SimulatedFloor) -> None:
        seen = await played_by_people(at)
        assert seen[0] == ("staff", "floorperson", "Count the tray.")
        assert all(task for kind, _, task in seen if kind == "staff")
        players = [kind for kind, role, _ in seen if role == "player"]
        assert players == ["players", "wagers", "ready", "decision", "wagers"]
        confirmers = {role for kind, role, _ in seen if kind == "jackpot"}
        assert confirmers == ({"dealer", JACKPOTS[example]} if example in JACKPOTS else set())
        if example != "massachusetts":
            return
        order = [kind if role == "player" else role for kind, role, _ in seen]
        assert [each for number, each in enumerate(order) if not number or order[number - 1] != each] == [
            *("floorperson", "dealer", "floorperson", "dealer", "players", "dealer", "wagers", "ready"),
            *("dealer", "decision", "dealer", "wagers"),
        ]
        assert VERIFY in seen

    game = resolve_game(submission_named(example))
    with dealt_in_order(lambda number: strong_deck(game, (1,), Random(number + FOUR_ACES))):
        on_floor(during, example, seats={}, settings=BY_PEOPLE)


def test_a_large_award_is_offered_to_those_who_may_confirm_it() -> None:
    """A second person confirms what is above the house's amount, at a table without a console too (R61)."""
    text = submission_text("massachusetts") + 'confirm_above = "$0"\n'

    def offers(at: SimulatedFloor, who: Actor) -> list[dict[str, object]]:
        may = whole_message(at.floor, at.watch.snapshot, who, 0).allowed.may
        return [dict(each) for each in may if each["kind"] == "confirm_award"]

    async def during(at: SimulatedFloor) -> None:
        await at.done(FillTray(cents=FILL_CENTS, slip="F1", role="supervisor"), staff("sue"))
        while (waits := at.next()) != LARGE_AWARD:
            assert isinstance(waits, WaitReason)
            await act(at, waits)
        confirm = {"kind": "confirm_award", "position": 1}
        for person in ("flo", "sue", "eve"):
            assert [{**each, "role": ""} for each in offers(at, staff(person))] == [{**confirm, "role": ""}]
        for other in (staff("dan"), staff("otto"), player("dee")):
            assert offers(at, other) == []
        step, paid = at.round.awaited_at_table, at.round.steps
        await act(at, LARGE_AWARD)
        assert step not in paid
        assert step in at.round.steps

    game = resolve_game(submission_named("massachusetts"))
    with (
        patch("tests.server.simulated_floor.submission_text", lambda _: text),
        dealt_in_order(lambda number: strong_deck(game, (1,), Random(number + FOUR_ACES))),
    ):
        on_floor(during, "massachusetts", seats={}, settings=BY_PEOPLE)


def test_a_table_whose_cards_are_keyed_waits_for_people_too() -> None:
    async def during(at: SimulatedFloor) -> None:
        keyed = replace(at.watch.state, card_source="keyed")
        waits = next_action(keyed, frozenset(), Timers(), at.clock.at, SETTINGS)
        assert waits == WaitReason("staff", role="dealer", task=PROMPTS["inspect_cards"])

    on_floor(during)
