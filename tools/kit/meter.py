"""Rounds for the meter: several winners in one round, shares of it, fixed awards out of it, and stakes."""

from collections.abc import Iterator, Sequence
from typing import Any

from fourcard.money import dollars
from tools.kit.cards import Deal, best_is
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    EXISTING,
    MARYLAND,
    MASSACHUSETTS,
    METER,
    PROPOSED,
    RESET,
    WASHINGTON,
    WITH_METER,
    Case,
    House,
    Line,
    Nets,
    Said,
    seat,
)

FROM_METER = (MASSACHUSETTS, PROPOSED, WASHINGTON)
TEN_PERCENT = METER // 10
ROYALS = ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th")
RUNS = ("9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h", "9d 8d 7d 6d 5d")
Hand = tuple[int, str, int]
"""A position, its cards, and its progressive stake."""


def meter_rounds() -> Iterator[Case]:
    """Yield the rounds of every rulebook that has a meter."""
    for house in WITH_METER:
        yield from _whole_and_fixed(house)
    for house in FROM_METER:
        yield from _fixed_from_meter(house)
    for house in MARYLAND:
        yield from _paytable_c(house)


def _round(house: House, said: Said, hands: Sequence[Hand], nets: Nets, **more: Any) -> Case:
    """Return a round in which some hands have Aces Up and the progressive."""
    deal = Deal(f"{house.code} {said[0]}")
    named = [deal.named(text) for _, text, _ in hands]
    options = house.options("aces_up", "progressive", **more.pop("options", {}))
    seats = [
        seat(deal.completed(cards, 5, best_is(cards)), position, aces_up=ACES_UP, progressive=stake)
        for (position, _, stake), cards in zip(hands, named, strict=True)
    ]
    meter: Line = {"meter": METER, "reset": RESET, **more}
    return house.case(said, seats, deal.dealer(), options=options, nets=nets, **meter)


def _whole_and_fixed(house: House) -> Iterator[Case]:
    """Win the whole meter with either stake, win beside it, and win from an empty one."""
    clauses = house.about("meter", "stakes")
    for stake in (DOLLAR, 5 * DOLLAR):
        said = (
            f"meter-whole-{stake}",
            f"four aces on a stake of {dollars(stake)} win the whole meter, others at the table lose",
            clauses,
        )
        hands: Sequence[Hand] = ((3, "As Ah Ad Ac", stake), (6, "Ks Qh 9d 7c 4s", 6 * DOLLAR - stake))
        yield _round(house, said, hands, {(3, "progressive"): METER - stake})
    said = ("meter-zero", "four aces win a meter that shows nothing, and it starts anew", clauses)
    nets: Nets = {(2, "progressive"): -DOLLAR}
    yield _round(house, said, ((2, "As Ah Ad Ac", DOLLAR),), nets, meter=0)
    said = ("meter-both-stakes", "$1 and $5 on one meter: fixed awards follow the stake", clauses)
    hands = ((1, "8s 8h 8d 8c", DOLLAR), (4, "7s 7h 7d 7c", 5 * DOLLAR), (5, "5s 5h 5d", 5 * DOLLAR))
    nets = {(1, "progressive"): 299 * DOLLAR, (4, "progressive"): 5 * 299 * DOLLAR, (5, "progressive"): 4000}
    yield _round(house, said, hands, nets)
    said = ("meter-not-given", "fixed awards from the tray need no meter", clauses)
    nets = {(1, "progressive"): 99 * DOLLAR}
    yield _round(house, said, ((1, "9s 8s 7s 6s", DOLLAR),), nets, meter=None, reset=None)


def _fixed_from_meter(house: House) -> Iterator[Case]:
    """Pay fixed awards out of the meter until it is dry; the tray pays the rest (R59)."""
    clauses = (*house.about("fixed awards"), "R59")
    trips, quads = ("5s 5h 5d", 8 * DOLLAR), ("Js Jh Jd Jc", 299 * DOLLAR)
    run = ("9s 8s 7s 6s", 99 * DOLLAR)
    three = ((7, run), (4, quads), (2, trips))
    meters = {
        "full": (METER, "the meter pays three in turn"),
        "dry": (15_000, "the meter runs dry at the second, and the tray pays the rest"),
        "exact": (40_000, "the meter pays two to the last cent, and the tray the third"),
        "empty": (0, "the meter is empty, and the tray pays everything"),
        "short": (899, "the meter lacks one cent of the award"),
    }
    for name, (meter, shows) in meters.items():
        shown = three[2:] if name == "short" else three
        yield _round(
            house,
            (f"meter-fixed-{name}", f"fixed awards from the meter: {shows}", clauses),
            [(position, text, DOLLAR) for position, (text, _) in shown],
            {(position, "progressive"): won for position, (_, won) in shown},
            options={"fixed_awards": "meter"},
            meter=meter,
        )
    for first in ("aces", "quads"):
        positions = (6, 3) if first == "aces" else (3, 6)
        yield _round(
            house,
            (
                f"meter-fixed-{first}-first",
                f"four aces and a fixed award from the meter, the {first} settled first",
                (*clauses, "R58"),
            ),
            [(positions[0], "As Ah Ad Ac", DOLLAR), (positions[1], quads[0], DOLLAR)],
            {
                (positions[0], "progressive"): METER - DOLLAR - (30_000 if first == "quads" else 0),
                (positions[1], "progressive"): quads[1],
            },
            options={"fixed_awards": "meter"},
        )


def _paytable_c(house: House) -> Iterator[Case]:
    """Share the meter of paytable C between royal flushes and straight flushes, at the meter in turn."""
    clauses = ("MD-12D1c", "MD-12D4", "R8", "R58")
    rest = METER - TEN_PERCENT
    second = rest // 10
    third = (rest - second) // 10
    shares: dict[str, tuple[str, Sequence[tuple[int, str, int]]]] = {
        "runs": (
            "two straight flushes, each 10% at its turn",
            ((6, RUNS[0], TEN_PERCENT), (2, RUNS[1], second)),
        ),
        "three-runs": (
            "three straight flushes, each 10% at its turn",
            ((2, RUNS[0], third), (5, RUNS[1], second), (7, RUNS[2], TEN_PERCENT)),
        ),
        "royals": (
            "two royal flushes, and the second wins the reset",
            ((3, ROYALS[0], RESET), (4, ROYALS[1], METER)),
        ),
        "royal-first": (
            "a royal flush, then a straight flush for 10%",
            ((5, ROYALS[0], METER), (1, RUNS[1], RESET // 10)),
        ),
        "run-first": (
            "a straight flush, then a royal flush for the rest",
            ((1, ROYALS[0], rest), (5, RUNS[1], TEN_PERCENT)),
        ),
    }
    for source in ("meter", "tray"):
        for name, (shows, awards) in shares.items():
            in_both = name in ("runs", "royals") and source == "meter"
            if not in_both and (house is EXISTING or name == "royals"):
                continue
            yield _round(
                house,
                (
                    f"meter-C-{name}-{source}",
                    f"Progressive table C, {shows}{', from the tray' * (source == 'tray')}",
                    (*clauses, "R60"),
                ),
                [(position, text, DOLLAR) for position, text, _ in awards],
                {(position, "progressive"): paid - DOLLAR for position, _, paid in awards},
                options={"progressive": "C"},
                settings={"part_share_from": source},
            )
    if house is PROPOSED:
        yield from _five_cards(house)


def _five_cards(house: House) -> Iterator[Case]:
    """Judge five cards for paytable C where the best four would say something else (R8)."""
    hands = {
        "run-of-four": (
            "9s 8s 7s 6s 2h",
            "four suited cards in sequence are no straight flush of five",
            -DOLLAR,
        ),
        "flush-of-four": ("Ks Ts 7s 4s 2h", "four cards of one suit are no flush of five", -DOLLAR),
        "full-house": ("9s 9h 9d 4c 4s", "a full house is more than its three of a kind", 49 * DOLLAR),
        "wheel": ("5s 4h 3d 2c As", "5-4-3-2-A is a straight", 29 * DOLLAR),
    }
    for name, (cards, shows, won) in hands.items():
        deal = Deal(f"{house.code} meter C {name}")
        yield house.case(
            (f"meter-C-{name}", f"Progressive table C, {shows}", ("MD-12D1c", "R8")),
            [seat(" ".join(deal.mixed(deal.named(cards))), ante=ANTE, progressive=DOLLAR, play=ANTE)],
            deal.dealer(),
            options=house.options("aces_up", progressive="C"),
            nets={(1, "progressive"): won},
            meter=METER,
            reset=RESET,
        )
