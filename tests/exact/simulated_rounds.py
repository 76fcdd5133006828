"""Rounds settled twice: by ``fourcard settle`` from JSON lines, and by the simulation from arrays."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import numpy as np

from fourcard import answer_line
from fourcard.cards import DECK, card_text, cards_text, parse_cards
from fourcard.odds.compile_game import Bettor, compile_game
from fourcard.odds.simulation.dealing import deal_buffers
from fourcard.odds.simulation.kernel import (
    evaluator_tables,
    rank_buffers,
    rank_hands,
    settle_rounds,
    settlement_buffers,
)
from fourcard.odds.simulation.strategy_kernel import Decisions
from fourcard.odds.state_counts import CLASSES, UP_CARDS
from fourcard.settle_files.reader import read_round
from fourcard.settle_files.settle import SettleAnswer
from fourcard.wagers import WAGERS

Line = dict[str, Any]
RESET = 123_456
WHOLE = "100% of meter"


def constant_strategy(multiple: int) -> Decisions:
    """Return the strategy with the same Play wager on every hand and no fold."""
    return np.full((CLASSES, UP_CARDS), multiple, np.uint8)


class DealtCards(msgspec.Struct, frozen=True):
    """The cards of one round."""

    hands: tuple[tuple[int, ...], ...]
    dealer: tuple[int, ...]
    bonus: int


def dealt(line: Line, chance: Random) -> DealtCards:
    """Return the cards of a line, with a random bonus card if the line has none."""
    hands = tuple(parse_cards(seat["cards"]) for seat in line["seats"])
    dealer = parse_cards(line["dealer"])
    rest = sorted({*DECK} - {card for hand in (*hands, dealer) for card in hand})
    return DealtCards(hands, dealer, *parse_cards(line.get("bonus_card") or card_text(chance.choice(rest))))


def table_of(line: Line) -> Line:
    """Return the line of a table: nobody leaves, no void, a meter with a reset, no house order of winners."""
    kept = {key: value for key, value in line.items() if key != "void"}
    kept["options"] = {key: value for key, value in line["options"].items() if key != "winner_order"}
    kept["seats"] = [{key: seat[key] for key in seat if key != "left"} for seat in line["seats"]]
    return kept | ({"reset": line.get("reset", RESET)} if "meter" in line else {})


def played(table: Line, deal: DealtCards, plays: Sequence[int]) -> Line:
    """Return the table's line with other cards and decisions."""
    seats = []
    for seat, hand, play in zip(table["seats"], deal.hands, plays, strict=True):
        decided = {"play": play * seat["wagers"]["ante"]} if "ante" in seat["wagers"] else {}
        seats.append({**seat, "cards": cards_text(hand), **decided})
    bonus = {"bonus_card": card_text(deal.bonus)} if "six_card" in table["options"] else {}
    return {**table, "seats": seats, "dealer": cards_text(deal.dealer), **bonus}


def compare(table: Line, deals: Sequence[DealtCards], chance: Random) -> tuple[list[str], Counter[str]]:
    """Return the rounds of one table that are settled differently, and the cases that they cover."""
    plays = [[chance.choice((0, 1, 1, 2, 3, 3)) for _ in table["seats"]] for _ in deals]
    lines = [played(table, deal, some) for deal, some in zip(deals, plays, strict=True)]
    nets, meters = simulated(table, lines, deals, plays)
    problems, seen = [], Counter[str](_choices(table))
    for index, line in enumerate(lines):
        answer = answer_line(json.dumps(line))
        assert isinstance(answer, SettleAnswer), (line, answer)
        result = [[seat.net[name] for name in WAGERS] for seat in answer.seats]
        wagered = any("progressive" in seat["wagers"] for seat in table["seats"])
        if result != nets[index].tolist() or (wagered and answer.meter != meters[index]):
            shown = {"line": line, "settle": result, "simulation": nets[index].tolist()}
            problems.append(json.dumps({**shown, "meters": [answer.meter, int(meters[index])]}))
        seen.update(_cases(line, answer))
    return problems, seen


def simulated(
    table: Line, lines: Sequence[Line], deals: Sequence[DealtCards], plays: Sequence[Sequence[int]]
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], list[int]]:
    """Return the nets by round, seat and wager, and the meters, from the simulation kernel."""
    read = read_round(json.dumps(lines[0]))
    assert read.showdown is not None
    people = {seat.position: seat.player for seat in read.showdown.seats}
    bettors = [Bettor(each["position"], people[each["position"]], each["wagers"]) for each in table["seats"]]
    game = compile_game(read.game, bettors, table.get("meter", 0), table.get("reset", 0))
    room = deal_buffers(len(deals), len(bettors))
    room.players[:] = [hand for deal in deals for hand in deal.hands]
    room.dealer[:] = [deal.dealer for deal in deals]
    room.bonus[:] = [deal.bonus for deal in deals]
    multiples = np.array(plays, np.uint8).ravel()
    rounds, seats = len(deals), len(bettors)
    ranks, found = rank_buffers(rounds, seats), settlement_buffers(rounds, seats)
    found.plays[:] = multiples
    rank_hands(game, evaluator_tables(game), room, ranks, rounds, seats)
    settle_rounds(game, ranks, found, rounds, seats)
    return found.nets.reshape(len(deals), len(bettors), len(WAGERS)), found.meters.tolist()


def _choices(table: Line) -> Iterator[str]:
    options, book = table["options"], table["rulebook"]
    edition = table.get("edition", "proposed") if book == "maryland" else ""
    yield f"rulebook {book} {edition}"
    for name, choice in options.items():
        if isinstance(choice, str):
            yield f"{book} {edition} {name} {choice}"
    yield from (f"setting {name} {value}" for name, value in table.get("settings", {}).items())


def _cases(line: Line, answer: SettleAnswer) -> Iterator[str]:
    yield f"seats {len(line['seats'])}"
    if any("cover_all" in seat["wagers"] for seat in line["seats"]):
        yield f"cover_all beside {len(line['seats'])}"
    for seat, result in zip(line["seats"], answer.seats, strict=True):
        yield from (f"{name} {'won' if net > 0 else 'lost'}" for name, net in result.net.items() if net)
        if seat.get("play") == 0:
            yield "fold"
            yield from (f"{name} won after a fold" for name, net in result.net.items() if net > 0)
    yield from (f"row {step.wager} {step.row}" for step in answer.steps if step.row is not None)
    shares = [step.odds for step in answer.steps if step.odds is not None and step.odds.endswith("of meter")]
    if len(shares) > 1:
        yield "two whole meters" if shares.count(WHOLE) > 1 else "two meter winners"
    if any(step.source == "meter" and step.odds not in shares for step in answer.steps):
        yield "fixed award from the meter"
    if any(move.shortfall for move in answer.meter_moves):
        yield "meter dry"
    if len({step.holder for step in answer.steps if step.wager == "envy"}) > 1:
        yield "two hands envied"
