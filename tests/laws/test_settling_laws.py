"""What holds of every settlement, whatever the cards and wagers: laws that Hypothesis tries to break."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from fourcard import SettleAnswer, answer_line, read_round
from fourcard.dealer_script import DealerAction, rack_order, settlement_script
from fourcard.settlers.wager_settler import SettlementStep
from tests.exact.crowded_rounds import covered_round, crowded_round
from tests.second.hands import cards_of, super_royal
from tests.second.rounds import random_round
from tests.second.tables import voiding_clauses

Line = dict[str, Any]
Net = dict[str, int]
OWN_HAND = ("ante", "play", "automatic_bonus", "aces_up", "bad_beat", "six_card")
"""The wagers that a player's own cards, and the dealer's, decide."""
WHOLE = "100% of meter"


def random_line(seed: int, number: int) -> Line:
    """Return a random round that is not void; every second one has strong hands or ties."""
    line = random_round(Random(seed), number)
    line.pop("void", None)
    return line


SEEDS = st.integers(0, 2**64)
PLAIN = st.builds(random_line, SEEDS, st.integers(0, 4))
CROWDED = st.builds(lambda seed: crowded_round(Random(seed), 0), SEEDS)
COVERED = st.builds(lambda seed: covered_round(Random(seed), 0), SEEDS)
LINES = PLAIN | PLAIN | PLAIN | CROWDED | COVERED


def settled(line: Line) -> SettleAnswer:
    """Return the answer to a line that must not be refused."""
    answer = answer_line(json.dumps(line))
    assert isinstance(answer, SettleAnswer), (line, answer)
    return answer


def nets(answer: SettleAnswer) -> dict[int, Net]:
    """Return every net by position."""
    return {seat.position: {str(wager): net for wager, net in seat.net.items()} for seat in answer.seats}


def own_nets(one: SettleAnswer, other: SettleAnswer) -> tuple[dict[int, Net], dict[int, Net]]:
    """Return what own hands won and lost in two rounds; the progressive too where no meter had a part."""
    wagers = OWN_HAND if one.meter_moves or other.meter_moves else (*OWN_HAND, "progressive")
    first, second = (
        {position: {wager: net[wager] for wager in wagers} for position, net in nets(answer).items()}
        for answer in (one, other)
    )
    return first, second


def changed(line: Line, **changes: Any) -> Line:
    """Return a copy of a line with other values; None removes one."""
    return {key: value for key, value in deepcopy(line | changes).items() if value is not None}


@given(LINES)
def test_money_is_conserved_over_players_tray_and_meter(line: Line) -> None:
    answer = settled(line)
    steps, moves = answer.steps, answer.meter_moves
    taken = sum(step.amount for step in steps if step.action == "take")
    from_tray = sum(step.amount for step in steps if step.source == "tray")
    from_meter = sum(step.amount for step in steps if step.source == "meter")
    given_up = sum(move.paid for move in moves)
    seeded = sum(move.reset for move in moves)
    to_tray = given_up - from_meter
    tray = taken - from_tray + to_tray
    meter = 0 if answer.meter is None else answer.meter - line["meter"]
    assert sum(sum(net.values()) for net in nets(answer).values()) == -tray - meter + seeded
    assert to_tray >= 0
    assert to_tray == 0 or line.get("settings", {}).get("part_share_from") == "tray"


@given(LINES)
def test_the_meter_moves_award_by_award_and_never_below_zero(line: Line) -> None:
    answer = settled(line)
    paid: Counter[int] = Counter()
    for step in answer.steps:
        if (step.wager, step.action) == ("progressive", "pay"):
            paid[step.position] += step.amount
    shown = line.get("meter")
    for move in answer.meter_moves:
        assert move.before == shown
        assert move.after == move.before - move.paid + move.reset
        assert 0 <= move.paid <= move.before
        assert move.shortfall == 0 or move.paid == move.before
        assert move.paid + move.shortfall == paid[move.position]
        shown = move.after
    assert answer.meter == shown


@given(LINES)
def test_each_net_is_its_steps_and_each_stake_is_taken_once_or_kept(line: Line) -> None:
    answer = settled(line)
    for seat in line["seats"]:
        stakes = {**seat["wagers"], "play": seat.get("play") or 0}
        for wager, net in nets(answer)[seat["position"]].items():
            steps = [
                each for each in answer.steps if (each.position, each.wager) == (seat["position"], wager)
            ]
            took = [each.amount for each in steps if each.action == "take"]
            paid = [each.amount for each in steps if each.action == "pay"]
            assert net == sum(paid) - sum(took)
            assert took in ([], [stakes.get(wager)])
            assert bool(steps) == bool(stakes.get(wager)) or wager in ("automatic_bonus", "envy")


@given(LINES, st.permutations("shdc"))
def test_which_suits_the_cards_have_matters_to_a_super_royal_alone(line: Line, suits: list[str]) -> None:
    table = str.maketrans(dict(zip("shdc", suits, strict=True)))

    def recut(text: str) -> str:
        return " ".join(card[0] + card[1].translate(table) for card in cards_of(text))

    seats = [{**seat, "cards": recut(seat["cards"])} for seat in line["seats"]]
    bonus = recut(line["bonus_card"]) if "bonus_card" in line else None
    other = changed(line, seats=seats, dealer=recut(line["dealer"]), bonus_card=bonus)
    royal = {
        seat["position"]
        for seat in line["seats"]
        if super_royal([*cards_of(seat["cards"]), *cards_of(line.get("bonus_card", ""))])
    }

    def told(each: Line) -> tuple[object, ...]:
        answer = settled(each)
        net = nets(answer)
        for position in royal:
            net[position].pop("six_card")
        steps = [step for step in answer.steps if step.wager != "six_card" or step.position not in royal]
        hands = [seat.hand for seat in answer.seats]
        return net, steps, hands, answer.dealer.hand, answer.meter, answer.meter_moves

    assert told(line) == told(other)


@given(LINES, st.permutations(range(1, 8)))
def test_where_a_seat_is_changes_nothing_of_what_its_own_hand_wins(line: Line, places: list[int]) -> None:
    strangers = [{key: value for key, value in seat.items() if key != "player"} for seat in line["seats"]]
    moved = [{**seat, "position": places[seat["position"] - 1]} for seat in strangers]
    before, after = own_nets(settled(changed(line, seats=strangers)), settled(changed(line, seats=moved)))
    assert {places[position - 1]: net for position, net in before.items()} == after


@given(LINES, st.data())
def test_another_player_changes_nothing_of_what_ones_own_hand_wins(line: Line, data: st.DataObject) -> None:
    """The round with that player and the one without are compared, and Envy only ever grows."""
    joining = data.draw(st.sampled_from(line["seats"]))
    name = joining.get("player")
    fewer = [
        seat for seat in line["seats"] if seat is not joining and (not name or seat.get("player") != name)
    ]
    assume(fewer)
    alone, together = settled(changed(line, seats=fewer)), settled(line)
    without, with_them = own_nets(alone, together)
    assert all(with_them[position] == net for position, net in without.items())
    assert all(net["envy"] <= nets(together)[place]["envy"] for place, net in nets(alone).items())


@given(LINES, st.data())
def test_the_order_of_the_seats_in_a_line_orders_the_answer_and_nothing_else(
    line: Line, data: st.DataObject
) -> None:
    seats = data.draw(st.permutations(line["seats"]))
    before, after = settled(line), settled(changed(line, seats=seats))
    assert [seat.position for seat in after.seats] == [seat["position"] for seat in seats]
    assert {seat.position: seat for seat in after.seats} == {seat.position: seat for seat in before.seats}
    assert (after.steps, after.meter, after.meter_moves) == (before.steps, before.meter, before.meter_moves)


def _times(line: Line, factor: int) -> Line:
    """Return a line with every stake so many times as large."""
    return changed(
        line,
        seats=[
            {
                **seat,
                "wagers": {name: factor * stake for name, stake in seat["wagers"].items()},
                **({"play": factor * seat["play"]} if "play" in seat else {}),
            }
            for seat in line["seats"]
        ],
    )


@given(LINES)
def test_twice_the_stakes_win_and_lose_twice_as_much(line: Line) -> None:
    """Odds alone are linear: not the meter, a fixed amount, or Massachusetts' and Maryland's $1 and $5."""
    if line["rulebook"] in ("massachusetts", "maryland"):
        for seat in line["seats"]:
            seat["wagers"].pop("progressive", None)
    once, twice = settled(_times(line, 2)), settled(_times(line, 4))
    fixed = {
        (step.position, str(step.wager))
        for step in once.steps
        if step.odds == WHOLE or (step.wager == "six_card" and "$" in (step.odds or ""))
    }
    for position, net in nets(once).items():
        for wager, won in net.items():
            if (position, wager) not in fixed:
                assert nets(twice)[position][wager] == 2 * won


@given(LINES, st.data())
def test_a_void_round_gives_every_wager_back_and_moves_nothing(line: Line, data: st.DataObject) -> None:
    clause = data.draw(st.sampled_from(voiding_clauses(line["rulebook"])))
    answer = settled(changed(line, void=clause))
    assert (answer.void, answer.steps, answer.meter_moves) == (clause, (), ())
    assert not any(any(net.values()) for net in nets(answer).values())
    assert answer.meter == line.get("meter")
    returned = {(each.position, each.wager): each.amount for each in answer.returned}
    placed = {
        (seat["position"], name): stake for seat in line["seats"] for name, stake in seat["wagers"].items()
    }
    played = {(seat["position"], "play"): seat["play"] for seat in line["seats"] if seat.get("play")}
    assert returned == placed | played
    assert len(answer.returned) == len(returned)


@given(LINES, st.data())
def test_a_fold_changes_nothing_of_what_the_hands_of_others_win(line: Line, data: st.DataObject) -> None:
    playing = [seat for seat in line["seats"] if seat.get("play")]
    assume(playing)
    folding = data.draw(st.sampled_from(playing))
    seats = [{**seat, "play": 0} if seat is folding else seat for seat in line["seats"]]
    before, after = settled(line), settled(changed(line, seats=seats))
    kept, found = own_nets(before, after)
    assert found.pop(folding["position"])["ante"] == -folding["wagers"]["ante"]
    assert all(kept[position] == net for position, net in found.items())


@given(LINES)
def test_the_dealer_racks_every_hand_once_and_whole_and_moves_the_money_of_the_settlement(line: Line) -> None:
    played = read_round(json.dumps(line))
    assert played.showdown is not None
    performed = settlement_script(played.settler, played.showdown, played.meter)
    showdown = played.showdown
    hands = [(seat.position, seat.cards) for seat in showdown.seats]
    bonus = [(0, (showdown.bonus_card,))] if showdown.bonus_card is not None else []
    assert sorted(rack_order(performed)) == sorted([*hands, (0, showdown.dealer), *bonus])
    money = tuple(done for done in performed if isinstance(done, SettlementStep))
    assert money == played.settler.settle(played.showdown, played.meter).steps
    assert len(money) + sum(isinstance(done, DealerAction) for done in performed) == len(performed)
