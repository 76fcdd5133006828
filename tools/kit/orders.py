"""Rounds for the order of settlement: every routine, seats out of order, house orders, last wagers."""

from collections.abc import Iterator
from typing import Any

from fourcard.rules.nodes import TableWager, WagerName
from tools.kit.cards import SIX_CARDS, Deal, below, best_is
from tools.kit.case import (
    ANTE,
    HOUSES,
    MASSACHUSETTS,
    METER,
    RESET,
    WASHINGTON,
    WITH_BAD_BEAT,
    WITH_METER,
    Case,
    House,
    Line,
    Said,
    seat,
    words,
)
from tools.kit.folds import STAKES

HOUSE_ORDERS: dict[House, tuple[tuple[WagerName, ...], ...]] = {
    MASSACHUSETTS: (
        ("progressive", "aces_up", "automatic_bonus", "play", "ante", "cover_all", "envy"),
        ("aces_up", "ante", "automatic_bonus", "progressive", "play", "envy", "cover_all"),
    ),
    WASHINGTON: (
        ("aces_up", "bad_beat", "progressive", "automatic_bonus", "ante", "play", "envy"),
        ("ante", "automatic_bonus", "play", "progressive", "bad_beat", "aces_up", "envy"),
    ),
}


def order_rounds() -> Iterator[Case]:
    """Yield the orders of every rulebook."""
    for house in HOUSES:
        clauses = house.about("routine", "order")
        for routine in house.book.settlement.routines.value:
            key, options = f"order-{routine}", {"routine": routine}
            yield _mixed(house, (f"{key}-mixed", f"{routine}, seats written out of order", clauses), options)
            yield _crowd(house, (f"{key}-win", f"{routine}, both players win", clauses), options)
        shows = "the routine that holds where none is named, both players win"
        yield _crowd(house, ("order-default", shows, clauses), {})
    yield from _house_orders()
    yield from _bad_beat_settled()
    yield from _last_wagers()


def _everything(house: House, cards: str, position: int, play: int) -> Line:
    """Return a seat with every wager that the house offers."""
    return seat(cards, position, ante=ANTE, **{name: STAKES[name] for name in house.side_wagers}, play=play)


def _round(house: House, said: Said, seats: list[Line], **more: Any) -> Case:
    meter = {"meter": METER, "reset": RESET} if house in WITH_METER else {}
    options = house.options(**more.pop("options"))
    return house.case(said, seats, more.pop("dealer"), options=options, **meter, **more)


def _bonus(house: House, deal: Deal) -> Line:
    return {"bonus_card": deal.named("2c")[0]} if "six_card" in house.offered else {}


def _mixed(house: House, said: Said, options: Line) -> Case:
    """Seat a winner, a loser, one who folds and one with Aces Up alone, in no order."""
    deal = Deal(f"{house.code} {said[0]}")
    bonus, aces, jacks = _bonus(house, deal), deal.named("As Ah"), deal.named("Js Jh Jd")
    strong, folded = deal.completed(jacks, 5, best_is(jacks)), deal.completed(aces, 5, best_is(aces))
    dealer = deal.completed([], SIX_CARDS, below(strong, "pair"))
    seats = [
        _everything(house, strong, 5, 3 * ANTE),
        _everything(house, deal.completed([], 5, below(dealer)), 2, ANTE),
        _everything(house, folded, 6, 0),
        seat(deal.weak(), 3, aces_up=STAKES["aces_up"]),
    ]
    return _round(house, said, seats, dealer=dealer, options=options, **bonus)


def _crowd(house: House, said: Said, options: Line) -> Case:
    """Seat two players with every wager who both win."""
    deal = Deal(f"{house.code} {said[0]}")
    bonus = _bonus(house, deal)
    named = [deal.named(text) for text in ("9s 9h 9d", "6s 5s 4s 3s")]
    hands = [deal.completed(cards, 5, best_is(cards)) for cards in named]
    dealer = deal.weak(SIX_CARDS)
    seats = [_everything(house, cards, place, ANTE) for cards, place in zip(hands, (4, 7), strict=True)]
    return _round(house, said, seats, dealer=dealer, options=options, **bonus)


def _pair(house: House, said: Said, options: Line, **more: Any) -> Case:
    """Seat a winner and a loser with every wager, so that each wager is taken once and paid once."""
    deal = Deal(f"{house.code} {said[0]}")
    low, high = deal.named("3s 3h 2d 2s"), deal.named("Js Jh Jd")
    strong = deal.completed(high, 5, best_is(high))
    dealer = deal.completed(low, SIX_CARDS, best_is(low))
    seats = [
        _everything(house, deal.completed([], 5, below(dealer)), 3, ANTE),
        _everything(house, strong, 6, 2 * ANTE),
    ]
    return _round(house, said, seats, dealer=dealer, options=options, **more)


def _house_orders() -> Iterator[Case]:
    """Settle a player's wagers in the order of the house, where the rulebook leaves it open."""
    for house, orders in HOUSE_ORDERS.items():
        clauses = house.about("house order", "routine")
        for place, order in enumerate(orders, 1):
            for routine in house.book.settlement.routines.value:
                shows = f"house order {', '.join(map(words, order[:3]))} first, {routine}"
                said = (f"order-house-{place}-{routine}", shows, clauses)
                yield _pair(house, said, {"routine": routine, "order": list(order)})


def _bad_beat_settled() -> Iterator[Case]:
    """Settle the Bad Beat on either side of Aces Up, as the setting says."""
    for house in WITH_BAD_BEAT:
        for value in ("after_aces_up", "before_aces_up"):
            for routine in house.book.settlement.routines.value:
                shows = f"Bad Beat is settled {words(value)}, {routine}"
                said = (f"order-bad_beat-{value}-{routine}", shows, ("R42",))
                yield _pair(house, said, {"routine": routine}, settings={"bad_beat_settled": value})


def _last_wagers() -> Iterator[Case]:
    """Pay Envy, and in Massachusetts Cover All, after everybody's other wagers."""
    for house in WITH_METER:
        for routine in house.book.settlement.routines.value:
            key = f"order-last-{routine}"
            deal = Deal(f"{house.code} {key}")
            named = deal.named("8s 8h 8d 8c"), deal.named("Ts Th Td Tc")
            quads, more = (deal.completed(cards, 5, best_is(cards)) for cards in named)
            names: tuple[TableWager, ...] = ("cover_all",) if house is MASSACHUSETTS else ()
            wagers = {name: STAKES[name] for name in ("progressive", *names)}
            seats = [
                seat(quads, 2, ante=ANTE, play=ANTE, **wagers),
                seat(deal.weak(), 1, ante=ANTE, play=ANTE, **wagers),
                seat(more, 4, ante=ANTE, play=ANTE, **wagers),
                seat(deal.weak(), 7, ante=ANTE, play=0, **wagers),
            ]
            last = "Envy and Cover All are" if names else "Envy is"
            said = (key, f"{routine}, {last} settled after all other wagers", house.about("last wagers"))
            dealer = deal.weak(SIX_CARDS)
            yield _round(house, said, seats, dealer=dealer, options={"routine": routine})
