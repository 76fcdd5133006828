"""Rounds for tables that a house wrote itself, for odds that leave part of a cent, and limits just met."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor

from fourcard.rules.nodes import TableWager
from tools.kit.cards import SIX_CARDS, Deal, best_is
from tools.kit.case import (
    ACES_UP,
    ANTE,
    HOUSES,
    MASSACHUSETTS,
    METER,
    PROPOSED,
    SHUFFLE_MASTER,
    SIDE,
    WASHINGTON,
    WITH_BAD_BEAT,
    Case,
    House,
    Line,
    label,
    seat,
    winnings,
    words,
)

OWN_ACES_UP = {
    "four_of_a_kind": "60 to 1",
    "straight_flush": "40 to 1",
    "three_of_a_kind": "19 to 2",
    "flush": "6 to 1",
    "straight": "9 to 2",
    "two_pair": "2 to 1",
    "pair_of_aces": "1 to 1",
}
"""At least table I of Massachusetts in every row."""
OWN_BONUS = {"four_of_a_kind": "30 to 1", "straight_flush": "20 to 1", "three_of_a_kind": "5 to 2"}
FREE_BONUS = {
    "four_of_a_kind": "40 to 1",
    "three_of_a_kind": "4 to 3",
    "flush": "1 to 2",
    "pair_of_aces": "1 to 4",
}
FREE_BAD_BEAT = {
    "four_of_a_kind": "5,000 to 1",
    "straight_flush": "1,000 to 1",
    "three_of_a_kind": "50 to 1",
    "flush": "20 to 1",
    "straight": "7 to 2",
    "two_pair": "3 to 1",
}
HELD = {
    "four_of_a_kind": "Js Jh Jd Jc",
    "straight_flush": "8s 7s 6s 5s",
    "three_of_a_kind": "Ts Th Td",
    "flush": "Qs 9s 6s 3s",
    "straight": "Js Th 9d 8c",
    "two_pair": "Ks Kh 5d 5c",
    "pair_of_aces": "As Ah",
}
ROUNDED: dict[str, Callable[[Fraction], int]] = {
    "down": floor,
    "up": ceil,
    "half_up": lambda amount: floor(amount + Fraction(1, 2)),
    "half_even": round,
}


def own_rounds() -> Iterator[Case]:
    """Yield the rounds of every rulebook."""
    yield from _roundings()
    yield from _own_tables()
    yield from _defaults()
    yield from _limits_met()


def _roundings() -> Iterator[Case]:
    """Round 3 to 2 and odder odds every way, named as an option and as a setting (R33)."""
    for house in WITH_BAD_BEAT:
        for rounding in ROUNDED:
            for ante in (1001, 1003) if house is WASHINGTON else (1001,):
                yield _rounded(house, ante, rounding, by_setting=ante == 1003)
        yield _rounded(house, 1005, None, by_setting=False)
    free = {"three_of_a_kind": "4 to 3"}
    for rounding, rounded in ROUNDED.items():
        for ante in (1000, 1001):
            key = f"rounding-thirds-{ante}-{rounding}"
            deal = Deal(key)
            yield SHUFFLE_MASTER.case(
                (key, f"a bonus of 4 to 3 on {ante} cents is rounded {words(rounding)}", ("R33", "SM-W1-12")),
                [seat(deal.hand("Ts Th Td"), ante=ante, play=ante)],
                deal.dealer(),
                options={"automatic_bonus": free, "rounding": rounding},
                nets={(1, "automatic_bonus"): rounded(Fraction(4 * ante, 3))},
            )


def _rounded(house: House, ante: int, rounding: str | None, *, by_setting: bool) -> Case:
    key = f"rounding-{ante}-{rounding or 'default'}"
    deal = Deal(f"{house.code} {key}")
    options: Line = {"automatic_bonus": "FCP-08"}
    if rounding and not by_setting:
        options["rounding"] = rounding
    said = f"is rounded {words(rounding)}" if rounding else "loses what is under a cent where nothing is said"
    how = f", by the {'setting' if by_setting else 'option'}" if rounding else ""
    return house.case(
        (key, f"a bonus of 3 to 2 on {ante} cents {said}{how}", ("WA-FCP-08-AB", "R33")),
        [seat(deal.hand("Ts Th Td"), ante=ante, play=2 * ante)],
        deal.dealer(),
        options=options,
        nets={(1, "automatic_bonus"): ROUNDED[rounding or "down"](Fraction(3 * ante, 2))},
        settings={"rounding": rounding} if by_setting else None,
    )


def _own_tables() -> Iterator[Case]:
    """Pay every row of tables that a house wrote itself, where it may."""
    for house, bonus in ((MASSACHUSETTS, OWN_BONUS), (SHUFFLE_MASTER, FREE_BONUS)):
        yield from _own_rows(house, "aces_up", OWN_ACES_UP)
        yield from _own_rows(house, "automatic_bonus", bonus)
    for row, odds in FREE_BAD_BEAT.items():
        key = f"own-bad_beat-{row}"
        deal = Deal(key)
        beaten = deal.named(HELD[row] if row != "four_of_a_kind" else "2s 2h 2d 2c")
        higher = deal.named("Qh Qd Qc" if row in ("two_pair", "straight", "flush") else "3s 3h 3d 3c")
        dealer = deal.completed(beaten, SIX_CARDS, best_is(beaten))
        yield SHUFFLE_MASTER.case(
            (
                key,
                f"an own Bad Beat table, the dealer's {words(row)} is beaten and pays {odds}",
                SHUFFLE_MASTER.about("own bad_beat"),
            ),
            [seat(deal.completed(higher, 5, best_is(higher)), ante=ANTE, bad_beat=SIDE, play=ANTE)],
            dealer,
            options={"bad_beat": FREE_BAD_BEAT},
            nets={(1, "bad_beat"): winnings(odds, SIDE)},
        )


def _own_rows(house: House, name: TableWager, table: dict[str, str]) -> Iterator[Case]:
    for row, odds in table.items():
        key = f"own-{name}-{row}"
        deal = Deal(f"{house.code} {key}")
        cards = deal.hand(HELD[row])
        placed = {"aces_up": ACES_UP} if name == "aces_up" else {"ante": ANTE, "play": ANTE}
        yield house.case(
            (
                key,
                f"an own {label(name)} table, {words(row)} pays {odds}",
                house.about(f"own {name}"),
            ),
            [seat(cards, **placed)],
            deal.dealer(),
            options={name: table},
            nets={(1, name): winnings(odds, placed.get("aces_up", ANTE))},
        )


def _defaults() -> Iterator[Case]:
    """Leave out what has a default: the edition, the bonus table, and the Washington pair (R10, R98)."""
    deal = Deal("default edition")
    bonus = deal.named("Ts")[0]
    proposed = PROPOSED.case(
        (
            "default-edition",
            "where no edition is named the proposed one holds, and the Six Card Bonus is offered",
            ("R10", "R90"),
        ),
        [seat(deal.hand("9s 9h 9d"), ante=ANTE, aces_up=ACES_UP, six_card=SIDE, play=ANTE)],
        deal.dealer(),
        options=PROPOSED.options("aces_up", "six_card"),
        bonus_card=bonus,
    )
    del proposed.round["edition"]
    yield proposed
    for house in HOUSES:
        deal = Deal(f"{house.code} default bonus")
        options: Line = {"aces_up": "FCP-08"} if house is WASHINGTON else {}
        odds = {WASHINGTON: "5 to 1", SHUFFLE_MASTER: "nothing, for none is offered"}.get(house, "20 to 1")
        yield house.case(
            (
                "default-bonus",
                f"where no bonus table is named, a straight flush pays {odds}",
                house.about("bonus offered"),
            ),
            [seat(deal.hand("Qs Js Ts 9s"), ante=ANTE, play=ANTE)],
            deal.dealer(),
            options=options,
            nets={(1, "automatic_bonus"): winnings(odds, ANTE) if "to" in odds.split() else 0},
        )


def _limits_met() -> Iterator[Case]:
    """Wager exactly what posted and legal limits and the chip allow."""
    for house in HOUSES:
        for name, ante, aces_up in (("least", 500, 100), ("most", 10_000, 2500)):
            deal = Deal(f"{house.code} limits {name}")
            posted = {"ante": {"least": 500, "most": 10_000}, "aces_up": {"least": 100, "most": 2500}}
            yield house.case(
                (
                    f"limits-{name}",
                    f"Ante and Aces Up exactly at the posted {name}, and a Play of three times that",
                    house.about("limits", "play"),
                ),
                [seat(deal.weak(), ante=ante, aces_up=aces_up, play=3 * ante)],
                deal.dealer(),
                options=house.options("aces_up", limits={"posted": posted}, chip=500),
            )
    deal = Deal("legal limit")
    yield WASHINGTON.case(
        ("limits-legal", "every wager exactly at the legal limit", ("R30", "R31", "WA-BB-LIM")),
        [seat(deal.weak(), ante=2500, aces_up=2500, bad_beat=2500, progressive=2500, play=2500)],
        deal.dealer(),
        options=WASHINGTON.options(limits={"legal": 2500}),
        meter=METER,
    )
