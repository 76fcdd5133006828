"""Forgers who work the chain out anew: the rules, the other streams and the secrets tell on them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house.auditing.report import Kind
from fourcard.house.outcome import HOUSE
from tests.audited import original
from tests.forging import Forger, Place, holds

Forgery = Callable[[Forger], tuple[Place, Kind]]
ONE, TWO, THREE, METER = "table/one", "table/two", "table/three", "meter/one"


def rechained(forger: Forger, stream: str, sequence: int, **fields: Any) -> Place:
    """Change fields of an event and work the chain out anew."""
    forger.edit(stream, sequence, **fields)
    forger.rechain(stream)
    return "events", stream, sequence


def swap_cards_of_a_shuffle(forger: Forger) -> tuple[Place, Kind]:
    drawn = forger.find(ONE, "shuffle_drawn", -2)
    order = forger.body(ONE, drawn + 1)["order"]
    order[0], order[51] = order[51], order[0]
    rechained(forger, ONE, drawn + 1, order=order)
    return ("events", ONE, drawn), "shuffle"


def deal_another_card(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "cards_dealt", -10)
    cards = forger.body(ONE, sequence)["cards"]
    cards[0] = (cards[0] + 1) % 52
    return rechained(forger, ONE, sequence, cards=cards), "deal"


def deal_a_keyed_card_twice(forger: Forger) -> tuple[Place, Kind]:
    first, second = forger.find(THREE, "cards_dealt", 0), forger.find(THREE, "cards_dealt", 1)
    cards = [forger.body(THREE, first)["cards"][0], *forger.body(THREE, second)["cards"][1:]]
    return rechained(forger, THREE, second, cards=cards), "deal"


def deal_a_card_that_is_none(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "cards_dealt", -1)
    cards = forger.body(ONE, sequence)["cards"]
    return rechained(forger, ONE, sequence, cards=[10**12, *cards[1:]]), "deal"


def key_another_card(forger: Forger) -> tuple[Place, Kind]:
    """Deal a winner another hand at a table whose cards are keyed in: the settlement tells."""
    sequences = [forger.find(THREE, "cards_dealt", number) for number in range(6)]
    out = {card for each in sequences for card in forger.body(THREE, each)["cards"]}
    ended, better = forger.find(THREE, "round_ended"), [card for card in range(51, -1, -1) if card not in out]
    for each in sequences:
        body = forger.body(THREE, each)
        if body["to"] == 0 and len(body["cards"]) >= 4:
            forger.edit(THREE, each, cards=[*better[: len(body["cards"])]])
    forger.rechain(THREE)
    return ("events", THREE, ended), "settlement"


def settled_event(forger: Forger, stream: str) -> tuple[int, dict[str, Any]]:
    """Return an event of a settlement with money in it."""
    for record in forger.events(stream):
        body = forger.body(stream, record.sequence) if record.kind == "act_performed" else {}
        if any(step["action"] == "take" for step in body.get("steps", ())):
            return record.sequence, body
    raise AssertionError


def change_a_settlement_step(forger: Forger) -> tuple[Place, Kind]:
    sequence, body = settled_event(forger, TWO)
    body["steps"][0]["amount"] -= 100
    return rechained(forger, TWO, sequence, steps=body["steps"]), "settlement"


def change_a_net(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "round_ended", -1)
    nets = forger.body(TWO, sequence)["nets"]
    nets[0][1] += 100
    return rechained(forger, TWO, sequence, nets=nets), "settlement"


def change_a_wager(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "wager_placed", -1)
    return rechained(forger, TWO, sequence, amount=10**9), "rules"


def change_who_played(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "play_made", -1)
    forger.change(TWO, sequence, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "rules"


def take_a_void_wager(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "round_voided")
    returned = forger.body(ONE, sequence)["returned"]
    return rechained(forger, ONE, sequence, returned=returned[1:]), "void"


def call_a_round_void(forger: Forger) -> tuple[Place, Kind]:
    """Leave the end of a round out."""
    sequence = forger.find(TWO, "round_ended", 1)
    forger.drop(TWO, sequence)
    forger.renumber(TWO)
    return ("events", TWO, sequence - 1), "settlement"


def raise_an_award(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(THREE, "award_paid")
    body = forger.body(THREE, sequence)
    source = next(name for name in ("from_meter", "from_tray") if body["payment"].get(name))
    body["payment"][source] += 100
    body["steps"][0]["amount"] += 100
    return rechained(forger, THREE, sequence, payment=body["payment"], steps=body["steps"]), "settlement"


def change_a_commitment(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "shuffle_committed", 1)
    rechained(forger, ONE, sequence, commitment="ee" * 32)
    return ("events", ONE, forger.find(ONE, "secret_revealed", 1)), "shuffle"


def skip_a_commitment(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "shuffle_committed", -1)
    shuffle = forger.body(ONE, sequence)["shuffle"]
    return rechained(forger, ONE, sequence, shuffle=shuffle + 1), "shuffle"


def change_a_revealed_secret(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "secret_revealed")
    return rechained(forger, ONE, sequence, secret="ff" * 32), "shuffle"


def hide_a_secret(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "secret_revealed", 1)
    forger.drop(ONE, sequence)
    forger.renumber(ONE)
    return ("events", ONE, sequence - 1), "shuffle"


def show_a_secret_early(forger: Forger) -> tuple[Place, Kind]:
    """Reveal a shuffle's secret as soon as its deck has its order."""
    revealed = forger.find(ONE, "secret_revealed", 1)
    early = forger.find(ONE, "shuffle_committed", 2)
    secret = forger.event(ONE, revealed)
    beside = forger.event(ONE, early)
    forger.drop(ONE, revealed)
    for record in reversed([each for each in forger.events(ONE) if early < each.sequence < revealed]):
        command = record.command + 1 if record.command > early else record.command
        forger.change(ONE, record.sequence, sequence=record.sequence + 1, command=command)
    envelope = {"at": beside.at, "by": beside.by, "role": beside.role, "command": beside.command}
    forger.add(replace(secret, sequence=early + 1, **envelope))
    forger.rechain(ONE)
    return ("events", ONE, early + 1), "shuffle"


def change_the_seeds(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(ONE, "shuffle_drawn")
    return rechained(forger, ONE, sequence, seeds=[["bob", "pears"]]), "shuffle"


def change_a_stake_of_the_meter(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(METER, "stakes_added")
    parts = forger.body(METER, sequence)["parts"]
    parts[0]["to_meter"] += 1
    parts[0]["to_house"] -= 1
    return rechained(forger, METER, sequence, parts=parts), "pair"


def leave_a_stake_out(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(METER, forger.find(METER, "stakes_added", 1))
    forger.renumber(METER)
    return ("events", METER, None), "missing"


def tell_a_meter_twice(forger: Forger) -> tuple[Place, Kind]:
    last = forger.events(METER)[-1]
    sequence = forger.find(METER, "stakes_added", -1)
    stakes = forger.event(METER, sequence)
    forger.add(replace(stakes, sequence=last.sequence + 1, command=last.sequence + 1, key="", digest=""))
    forger.rechain(METER)
    return ("events", METER, last.sequence + 1), "inserted"


def change_an_award_of_the_meter(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(METER, "award_taken")
    payment = forger.body(METER, sequence)["payment"]
    return rechained(forger, METER, sequence, payment={**payment, "shortfall": 1}), "pair"


def take_back_more(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(METER, "round_taken_back")
    amount = forger.body(METER, sequence)["amount"]
    return rechained(forger, METER, sequence, amount=amount - 10_000), "pair"


def start_a_meter_higher(forger: Forger) -> tuple[Place, Kind]:
    units = forger.body(METER, 1)["units"]
    return rechained(forger, METER, 1, units=units + 10_000), "meter"


def buy_fewer_chips(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find("player/ann", "chips_bought")
    return rechained(forger, "player/ann", sequence, cents=1), "pair"


def buy_more_chips(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, TWO, forger.find(TWO, "bought_in"), cents=600_000)
    return ("events", "player/ann", forger.find("player/ann", "chips_bought", 1)), "pair"


def leave_a_purchase_out(forger: Forger) -> tuple[Place, Kind]:
    forger.drop("player/cid", forger.find("player/cid", "chips_bought"))
    forger.renumber("player/cid")
    return ("events", "player/cid", None), "missing"


def overdraw_an_account(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, "player/ann", forger.find("player/ann", "money_deposited"), cents=1_000)
    return ("events", "player/ann", forger.find("player/ann", "chips_bought")), "overdrawn"


def overdraw_chips(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, TWO, forger.find(TWO, "bought_in"), cents=100)
    return ("events", TWO, None), "overdrawn"


def withdraw_too_much(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find("player/bob", "money_withdrawn")
    return rechained(forger, "player/bob", sequence, cents=10**11), "rules"


def hire_nobody(forger: Forger) -> tuple[Place, Kind]:
    return rechained(forger, "staff", 1, roles=["dealer"]), "rules"


def act_as_a_stranger(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "round_began", -1)
    forger.change(TWO, sequence, by="eve")
    forger.change(TWO, sequence - 1, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "author"


def act_in_another_role(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find("player/cid", "money_deposited")
    forger.change("player/cid", sequence, role="auditor")
    forger.rechain("player/cid")
    return ("events", "player/cid", sequence), "author"


def hire_somebody_else(forger: Forger) -> tuple[Place, Kind]:
    rechained(forger, "staff", 1, person="eve")
    return ("events", ONE, 1), "author"


def name_a_game_elsewhere(forger: Forger) -> tuple[Place, Kind]:
    forger.change("player/ann", 2, game=forger.events(ONE)[0].game)
    forger.rechain("player/ann")
    return ("events", "player/ann", 2), "game"


def change_a_game_of_an_event(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.change(TWO, sequence, game=forger.events(ONE)[0].game)
    forger.rechain(TWO)
    return ("events", TWO, sequence), "game"


def call_an_event_otherwise(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.change(TWO, sequence, kind="seat_left")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "altered"


def tear_a_command_apart(forger: Forger) -> tuple[Place, Kind]:
    sequence = forger.find(TWO, "showdown_reached")
    forger.change(TWO, sequence, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "envelope"


def key_without_digest(forger: Forger) -> tuple[Place, Kind]:
    sequence = next(each.sequence for each in forger.events(TWO) if each.key)
    forger.change(TWO, sequence, digest="")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "envelope"


FORGERIES = (
    swap_cards_of_a_shuffle, deal_another_card, deal_a_keyed_card_twice, deal_a_card_that_is_none,
    key_another_card, change_a_settlement_step, change_a_net, change_a_wager, change_who_played,
    take_a_void_wager, call_a_round_void, raise_an_award, change_a_commitment, skip_a_commitment,
    change_a_revealed_secret, hide_a_secret, show_a_secret_early, change_the_seeds,
    change_a_stake_of_the_meter, leave_a_stake_out, tell_a_meter_twice, change_an_award_of_the_meter,
    take_back_more, start_a_meter_higher, buy_fewer_chips, buy_more_chips, leave_a_purchase_out,
    overdraw_an_account, overdraw_chips, withdraw_too_much, hire_nobody, act_as_a_stranger,
    act_in_another_role, hire_somebody_else, name_a_game_elsewhere, change_a_game_of_an_event,
    call_an_event_otherwise, tear_a_command_apart, key_without_digest,
)  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_the_rules_do_not_allow_is_found(tmp_path: Path, forgery: Forgery) -> None:
    """Find it although every hash fits and nothing is signed."""
    forger = original().forger(tmp_path)
    forger.drop(HOUSE, 2)
    forger.rechain(HOUSE)
    place, what = forgery(forger)
    holds(forger.audit(), place, what)
