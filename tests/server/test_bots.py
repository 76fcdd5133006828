"""Bots: when they join and leave, what they bet, and how they decide."""

import pytest
from msgspec.structs import replace

from fourcard.cards import parse_cards
from fourcard.house.auth.identity import is_bot
from fourcard.house.autopilot import BUY_IN_ANTES, bot_buy_in, bot_join_command, bot_name
from fourcard.house.commands import BuyIn
from fourcard.house.table_state import HouseTable
from fourcard.round.commands import Fold, LeaveSeat, PlaceWager, PlaceWagers, Play, TakeSeat
from fourcard.round.preconditions import positions_to_decide
from fourcard.rules.limits import least_wager
from fourcard.table.bots import PLAIN_BOTS, basic_strategy, decision, next_wagers, within_limits
from tests.server.simulated_floor import SETTINGS, TABLE, SimulatedFloor, on_floor, player
from tests.server.test_auto_dealer_policy import ANTE, ready, wagered

ONE, TWO, THREE = (bot_name(TABLE, number) for number in range(3))


def seats(book: HouseTable, places: dict[int, str]) -> HouseTable:
    """Return a table between rounds with other people seated."""
    return replace(book, state=replace(book.state, round=None, seats=places))


def rich(book: HouseTable) -> HouseTable:
    """Return a table where every bot has chips."""
    return replace(
        book, balances={**book.balances, **{book.accounts.chips(bot): 10**12 for bot in (ONE, TWO, THREE)}}
    )


def bot_wager(book: HouseTable) -> PlaceWager | PlaceWagers | None:
    """Return the next wager of the bots at a table."""
    return next_wagers(book.state, [*filter(is_bot, book.state.seats.values())], PLAIN_BOTS, book.chips)


def test_bots_buy_in_and_sit_down_beside_people() -> None:
    async def during(at: SimulatedFloor) -> None:
        book = seats(at.watch.state, {1: "ann"})
        buying = bot_join_command(book, 2)
        assert isinstance(buying, BuyIn)
        assert (buying.player, buying.cents) == (ONE, BUY_IN_ANTES * least_wager(book.state.game, "ante"))
        sitting = bot_join_command(rich(book), 2)
        assert isinstance(sitting, TakeSeat)
        assert (sitting.player, sitting.by, sitting.role) == (ONE, ONE, "player")
        assert sitting.position != 1
        assert bot_join_command(rich(seats(book, {1: "ann", 2: ONE, 3: TWO})), 2) is None
        assert bot_join_command(rich(seats(book, {1: "ann"})), 0) is None

    on_floor(during)


def test_a_bot_buys_in_again_before_its_chips_run_out() -> None:
    async def during(at: SimulatedFloor) -> None:
        book = rich(seats(at.watch.state, {1: "ann", 2: ONE}))
        enough = bot_buy_in(book.state) // 4
        name = book.accounts.chips(ONE)
        for cents, buys in ((enough - 1, True), (enough, False), (enough + 1, False)):
            held = replace(book, balances={**book.balances, name: cents * 10_000})
            assert isinstance(bot_join_command(held, 1), BuyIn) is buys

    on_floor(during)


def test_bots_leave_where_nobody_is_left_or_fewer_are_wanted() -> None:
    async def during(at: SimulatedFloor) -> None:
        book = rich(at.watch.state)
        alone = bot_join_command(seats(book, {2: ONE, 4: TWO}), 2)
        assert isinstance(alone, LeaveSeat)
        fewer = bot_join_command(seats(book, {1: "ann", 2: ONE, 4: TWO, 5: THREE}), 2)
        assert fewer == LeaveSeat(position=5, by=THREE, role="player")
        none = bot_join_command(seats(book, {1: "ann", 2: ONE}), 0)
        assert none == LeaveSeat(position=2, by=ONE, role="player")

    on_floor(during)


def test_a_seat_stays_free_for_people() -> None:
    async def during(at: SimulatedFloor) -> None:
        book = rich(at.watch.state)
        people = {position: f"p{position}" for position in range(1, 6)}
        assert bot_join_command(seats(book, people), 2) is None, "one of six is free"
        assert isinstance(bot_join_command(seats(book, dict(list(people.items())[:4])), 2), TakeSeat)
        full = bot_join_command(seats(book, {**people, 6: TWO}), 2)
        assert full == LeaveSeat(position=6, by=TWO, role="player"), "a bot makes room"

    on_floor(during)


def test_a_full_table_with_another_bot_than_the_first_hinders_nobody() -> None:
    async def during(at: SimulatedFloor) -> None:
        people = {position: f"p{position}" for position in range(1, 5)}
        assert bot_join_command(rich(seats(at.watch.state, {**people, 6: TWO})), 2) is None

    on_floor(during)


def test_bots_put_the_least_ante_down_and_aces_up_in_every_second_round() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        placed = {
            position: dict(place.wagers)
            for position, place in at.round.positions.items()
            if is_bot(place.player)
        }
        assert len(placed) == 2
        state = at.state
        for position, wagers in placed.items():
            assert wagers["ante"] == least_wager(state.game, "ante")
            assert ("aces_up" in wagers) == ((state.round_number + position) % 2 == 0)

    on_floor(during)


def test_a_bot_that_cannot_pay_keeps_no_other_one_from_wagering() -> None:
    async def during(at: SimulatedFloor) -> None:
        while not isinstance(getattr(at.next(), "command", None), PlaceWager | PlaceWagers):
            await at.dealer.step()
        first = bot_wager(at.watch.state)
        assert first is not None
        poor = replace(
            at.watch.state, balances={**at.watch.state.balances, at.watch.state.accounts.chips(first.by): 0}
        )
        other = bot_wager(poor)
        assert other is not None
        assert other.by != first.by
        assert is_bot(other.by)

    on_floor(during)


def test_what_the_game_would_refuse_is_not_tried() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        await wagered(at, 1)
        ready(at, "ann", "bob")
        await at.work()
        assert at.round.phase == "deciding"
        stripped = {position: replace(place, wagers={}) for position, place in at.round.positions.items()}
        bare = replace(at.state, round=replace(at.round, positions=stripped))
        assert bot_wager(replace(at.watch.state, state=bare)) is None

    on_floor(during)


@pytest.mark.parametrize(
    ("cards", "times"),
    [
        ("Ts Th 2c 4d 6h", 3),
        ("9s 9h 2c 4d 6h", 1),
        ("3s 3h 2c 4d 6h", 1),
        ("2s 2h 3c 4d 6h", 0),
        ("2s 3s 4s 6s Kh", 3),
        ("As Kh 9c 4d 6h", 0),
    ],
)
def test_bots_decide_by_the_manufacturers_advice_as_far_as_their_chips_go(cards: str, times: int) -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        ready(at, "ann", "bob")
        while not isinstance(getattr(at.next(), "command", None), Play | Fold):
            await at.dealer.step()
        now = at.round
        position = positions_to_decide(now)[0]
        place = now.positions[position]
        assert is_bot(place.player)
        held = replace(place, cards=tuple(parse_cards(cards)))
        asked = replace(now, positions={**now.positions, position: held})
        ante = place.wagers["ante"]
        for covered in range(4):
            name = at.watch.state.accounts.chips(place.player)
            book = replace(
                at.watch.state, balances={**at.watch.state.balances, name: covered * ante * 10_000}
            )
            chosen = decision(asked, within_limits(basic_strategy, book.chips))
            wanted = min(times, covered)
            assert chosen.by == place.player
            assert (chosen.amount if isinstance(chosen, Play) else 0) == wanted * ante

    on_floor(during)


def test_bots_have_names_that_only_they_have() -> None:
    names = {bot_name(TABLE, number) for number in range(7)}
    assert len(names) == 7
    assert all(map(is_bot, names))
    assert not is_bot("ann")
    assert bot_name("one", 0) != bot_name("two", 0)


def test_bots_are_given_accounts_and_money_by_the_house() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        state = at.state
        assert {ONE, TWO} <= {*state.seats.values()}
        assert at.watch.state.chips(ONE) > 0
        await at.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))

    on_floor(during, settings=SETTINGS)
