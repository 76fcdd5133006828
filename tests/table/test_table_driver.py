"""A table in a program's hands: rounds played through, the dealer's honest acts, players without a person."""

import pytest
from msgspec.structs import replace

from fourcard.cards import parse_card, parse_cards
from fourcard.meter import Meter, Payment
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.round.commands import (
    CallOff,
    CompleteDocument,
    Fold,
    JudgeCount,
    PayAward,
    Perform,
    Play,
)
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundEnded, RoundVoided
from fourcard.table.bots import PlayerSpot, Strategy, basic_strategy
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.events import DeckBrought, RoundBegan, TableOpened
from fourcard.table.local_meter import LocalMeter
from fourcard.table.table_driver import Table, fair_shuffle
from fourcard.wagers import WagerName
from tests.kit.support import game
from tests.kit.tables import advance, bet, current_round, seeded, stack, until

HANDS = {1: "As Ah 7s 7c 2h", 2: "Kh Qs 6d 4c 3d", 0: "Qd Qc 8c 5h 2c 9h"}
SEVEN = {
    1: "2s 2h 5d 8c Jh",
    2: "3s 3h 6d 9c Qh",
    3: "9s 9h 4d 7c Kh",
    4: "Ts Th 4c 6c Ad",
    5: "2d 2c 3d 3c 8h",
    6: "Ah Kd Jc 9d 5s",
    7: "5h 6h 7d 8s Qs",
}
JACKPOT: dict[str, object] = {
    "wagers__progressive": "A",
    "progressive__envy": "A",
    "progressive__seed": "$5,000",
    "progressive__reset": "$5,000",
}
VOID = RoundVoided(clauses=(), consequences=(), returned=())


def dealt(name: str, hands: dict[int, str], **changes: object) -> Table:
    """Return a table whose deck deals certain hands to players p1, p2 and so on; nobody is ready yet."""
    made = game(name, **changes)
    seats = [position for position in hands if position > 0]
    cards = stack(made, hands, seats)
    at = Table(made, lambda: cards)
    for position in seats:
        at.seat(position, f"p{position}")
    return at


def test_a_whole_round_is_played_by_one_strategy_for_each_position() -> None:
    at = dealt("massachusetts-everything", HANDS)
    seen: list[tuple[object, ...]] = []

    def noting(times: int) -> Strategy:
        def decide(spot: PlayerSpot) -> int:
            seen.append((spot.position, spot.player, spot.cards, spot.ante, spot.up, spot.game))
            return times

        return decide

    wagers: dict[int, dict[WagerName, int]] = {1: {"ante": 2500, "aces_up": 500}, 2: {"ante": 5000}}
    played = at.play_round(wagers, {1: noting(2), 2: noting(0)})
    up = parse_card("9h")
    assert seen == [
        (1, "p1", parse_cards("As Ah 7s 7c 2h"), 2500, up, at.game),
        (2, "p2", parse_cards("Kh Qs 6d 4c 3d"), 5000, up, at.game),
    ]
    assert played.phase == "over"
    assert played.positions[1].wagers == {"ante": 2500, "aces_up": 500, "play": 5000}
    assert (played.positions[1].play_amount, played.positions[2].play_amount) == (5000, 0)
    assert played.nets == {1: 2500 + 5000 + 1000, 2: -5000}
    assert at.state.last_round is played
    assert at.round is played
    assert at.state.round is None


def test_rounds_follow_each_other_by_one_strategy_for_all() -> None:
    at = Table(game("shuffle-master-everything"), seeded(4))
    at.begin()
    assert at.state.phase == "open"
    assert [type(event) for event in at.events if isinstance(event, TableOpened | RoundBegan)] == [
        TableOpened,
        RoundBegan,
    ]
    again = dealt("shuffle-master-everything", HANDS)
    wagers: dict[int, dict[WagerName, int]] = {1: {"ante": 500}, 2: {"ante": 500}}
    for number in (1, 2, 3):
        played = again.play_round(wagers, lambda spot: 3 if spot.position == 1 else 0)
        assert again.state.round_number == number
        assert played.nets == {1: 2000, 2: -500}


def test_what_may_not_be_done_is_said_or_raised_and_changes_nothing() -> None:
    at = dealt("massachusetts", HANDS)
    before, refusal = at.state, at.may(BeginRound())
    assert refusal is not None
    assert refusal.code is Code.DECK_UNPREPARED
    with pytest.raises(RefusedError, match="inspect cards"):
        at.do(BeginRound())
    assert at.state is before
    assert at.may(Prepare(step="inspect_cards")) is None
    assert at.state is before


def test_a_round_needs_a_strategy_wherever_an_ante_lies() -> None:
    at = dealt("massachusetts-everything", HANDS)
    wagers: dict[int, dict[WagerName, int]] = {1: {"aces_up": 500}, 2: {"ante": 2500}}
    before = at.state
    with pytest.raises(ValueError, match=r"^position 2 has an Ante but no strategy$"):
        at.play_round(wagers, {})
    assert at.state is before
    assert at.play_round(wagers, {2: basic_strategy}).nets == {1: 1000, 2: -2500}


def test_wagers_are_placed_in_the_order_that_they_need_in_a_round_that_is_open_already() -> None:
    at = dealt("maryland-everything", HANDS)
    at.begin()
    backwards: dict[WagerName, int] = {"progressive": 100, "six_card": 500, "aces_up": 500, "ante": 1000}
    played = at.play_round({1: backwards}, lambda _: 1)
    assert at.state.round_number == 1
    assert list(played.positions[1].wagers.items()) == [
        ("ante", 1000),
        ("aces_up", 500),
        ("six_card", 500),
        ("progressive", 100),
        ("play", 1000),
    ]


def test_if_one_wager_is_refused_those_before_it_are_taken_back() -> None:
    at = dealt("massachusetts-everything", HANDS)
    at.begin()
    with pytest.raises(RefusedError):
        at.play_round({1: {"ante": 2500, "aces_up": 500}, 2: {"ante": 100}}, basic_strategy)
    assert {position: dict(place.wagers) for position, place in current_round(at).positions.items()} == {
        1: {},
        2: {},
    }
    assert current_round(at).layout == 0
    assert at.play_round({2: {"ante": 2500}}, lambda _: 0).nets == {1: 0, 2: -2500}


@pytest.mark.parametrize(("hours", "changed"), [(4 * 3_600_000 - 1, 0), (4 * 3_600_000, 1)])
def test_a_deck_that_has_served_its_hours_gives_way_to_a_new_one(hours: int, changed: int) -> None:
    moment = [1000]
    at = Table(game("maryland"), seeded(1), clock=lambda: moment[0])
    at.seat(1, "p1")
    at.begin()
    at.do(CallOff())
    moment[0] = 1000 + hours
    at.begin()
    assert sum(isinstance(event, DeckBrought) for event in at.events) == changed
    assert current_round(at).phase == "betting"


def test_a_clock_gives_its_moment_to_commands_that_have_none() -> None:
    at = Table(game("washington-everything"), seeded(1), clock=lambda: 7000)
    at.open()
    assert at.state.at == 7000
    at.do(at.next_preparation())
    at.do(BeginRound(at=9000))
    assert at.state.at == 9000


def test_a_meter_that_is_given_is_kept_and_a_deck_is_shuffled_by_chance() -> None:
    meter = Meter(amount=123, reset_amount=1)
    assert Table(game("washington-everything"), meter=meter).local_meter.meter is meter
    assert Table(game("washington-everything")).local_meter.meter == Meter(
        amount=5_000_000_000, reset_amount=500_000
    )
    orders = [fair_shuffle() for _ in range(3)]
    assert all(sorted(order) == list(range(52)) for order in orders)
    assert len({tuple(order) for order in (*orders, range(52))}) == 4


@pytest.mark.parametrize(
    ("position", "times"), [(1, 0), (2, 1), (3, 1), (4, 3), (5, 3), (6, 0), (7, 3)], ids=str
)
def test_the_basic_player_folds_under_threes_and_triples_from_tens(position: int, times: int) -> None:
    at = dealt("shuffle-master-everything", SEVEN)
    at.begin()
    bet(at, {"ante": 500})
    advance(at)
    assert basic_strategy(PlayerSpot(current_round(at), position)) == times


def test_the_basic_player_plays_a_round_through() -> None:
    at = dealt("shuffle-master-everything", SEVEN)
    played = at.play_round({position: {"ante": 500} for position in SEVEN}, basic_strategy)
    decisions = {position: place.play_amount for position, place in played.positions.items()}
    assert decisions == {1: 0, 2: 500, 3: 500, 4: 1500, 5: 1500, 6: 0, 7: 1500}


@pytest.mark.parametrize(
    ("name", "stub", "role"),
    [("massachusetts", 36, "dealer"), ("catfish-bend", 32, "supervisor"), ("maryland", 36, "dealer")],
)
def test_after_a_wrong_count_an_honest_look_finds_every_card(name: str, stub: int, role: str) -> None:
    at = dealt(name, HANDS)
    while at.state.agenda:
        at.do(at.next_preparation())
    at.do(BeginRound(count_stub=True))
    bet(at, {"ante": 2500})
    until(at, "stub")
    while (act := at.next_command()) != Perform(step="count_stub", count=stub):
        assert act is not None
        at.do(act)
    at.do(Perform(step="count_stub", count=stub - 1))
    judged = JudgeCount(stub=stub, hands={0: 6, 1: 5, 2: 5}, role=role)  # type: ignore[arg-type]
    assert at.next_command() == judged
    at.finish(lambda _: 0)
    assert at.state.last_round is not None
    assert at.state.last_round.nets == {1: -2500, 2: -2500}


def test_chips_that_differed_are_counted_again_by_a_floorperson() -> None:
    at = dealt("maryland-existing", HANDS)
    at.begin()
    bet(at, {"ante": 1000, "progressive": 100})
    count = Perform(step="count_chips", count=2)
    while (act := at.next_command()) != count:
        assert act is not None
        at.do(act)
    at.do(Perform(step="count_chips", count=3))
    assert current_round(at).chips_differ == (3, 2)
    assert at.next_command() == replace(count, role="floorperson")
    at.do(replace(count, role="floorperson"))
    assert at.next_command() == Perform(step="put_chips_in_tray")


def test_an_award_is_priced_paid_and_documented_before_its_cards_go() -> None:
    at = dealt("maryland-existing", {**HANDS, 1: "As Ah Ad Ac 2h"}, **JACKPOT)
    at.begin()
    bet(at, {"ante": 1000, "progressive": 100})
    advance(at)
    at.do(Play(position=1, amount=1000))
    at.do(Fold(position=2))
    while current_round(at).awaited_step is None:
        act = at.next_command()
        assert act is not None
        at.do(act)
    paid = Payment(from_meter=500_030, whole_meter=True, reset_units=5_000_000_000)
    assert at.next_command() == PayAward(position=1, payment=paid, before=500_030, after=500_000)
    at.do(PayAward(position=1, payment=paid, before=500_030, after=500_000))
    assert at.next_command() == CompleteDocument(position=1, role="supervisor")
    at.finish(basic_strategy)
    assert at.local_meter.meter == Meter(amount=5_000_000_000, reset_amount=500_000, whole_meter_wins=1)
    assert at.state.last_round is not None
    assert at.state.last_round.nets == {1: 1000 + 1000 + 25_000 - 100 + 500_030, 2: -1000 - 100 + 10_000}


def test_what_the_tray_paid_of_the_meter_leaves_the_meter_all_the_same() -> None:
    beside = LocalMeter(game("maryland-everything"))
    assert beside.meter == Meter(amount=10_000_000_000, reset_amount=1_000_000)
    share = Payment(from_tray=100_000, meter_to_tray=100_000)
    mixed = Payment(from_meter=30_000, meter_to_tray=20_000)
    beside.apply_events([AwardPaid(1, (), share, 0, 0, documented=True)])
    assert beside.meter.amount == 9_000_000_000
    beside.apply_events([AwardPaid(2, (), mixed, 0, 0, documented=True)])
    assert beside.meter.amount == 8_500_000_000
    beside.apply_events([VOID])
    assert beside.meter == Meter(amount=10_000_000_000, reset_amount=1_000_000)
    assert beside.absorbed == 0


def test_stakes_grow_meter_and_reserve_and_only_a_round_that_has_not_ended_is_taken_back() -> None:
    beside = LocalMeter(game("maryland-everything"))
    beside.apply_events([ProgressiveLocked(((1, 100), (2, 500)))])
    grown = Meter(amount=10_000_750_000, reserve=150_000, reset_amount=1_000_000)
    assert beside.meter == grown
    beside.apply_events([RoundEnded(()), VOID])
    assert beside.meter == grown
    beside.apply_events([ProgressiveLocked(((1, 100),)), VOID])
    assert beside.meter == grown


def test_the_house_bears_what_a_meter_won_elsewhere_can_give_back_no_more() -> None:
    beside = LocalMeter(game("maryland-everything"), Meter(amount=0, reset_amount=1_000_000))
    for rounds in (1, 2):
        beside.meter = Meter(amount=0, reset_amount=1_000_000)
        won = Payment(from_meter=0, whole_meter=True, reset_units=70_000)
        beside.apply_events(
            [ProgressiveLocked(((1, 100), (2, 100))), AwardPaid(1, (), won, 0, 0, documented=True)]
        )
        assert beside.meter == Meter(
            amount=320_000, reserve=50_000, reset_amount=1_000_000, whole_meter_wins=1
        )
        beside.meter = replace(beside.meter, amount=50_000, reserve=0)
        beside.apply_events([VOID])
        assert beside.meter == Meter(amount=0, reset_amount=1_000_000, whole_meter_wins=1, reversed_wins=(0,))
        assert beside.absorbed == rounds * (20_000 + 2 * 150_000)
