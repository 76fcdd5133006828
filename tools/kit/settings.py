"""Rounds for the policy settings that change money."""

from collections.abc import Iterator

from tools.kit.cards import SIX_CARDS, Deal, best_is
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    MASSACHUSETTS,
    METER,
    PROPOSED,
    RESET,
    SHUFFLE_MASTER,
    SIDE,
    WASHINGTON,
    WITH_BAD_BEAT,
    WITH_METER,
    Case,
    seat,
)


def setting_rounds() -> Iterator[Case]:
    """Yield every value of every such setting in every rulebook that leaves it open."""
    yield from _bad_beat_ties()
    yield from _live_after_fold()
    yield from _cover_all_alone()
    yield from _low_ace()
    yield from _one_denomination()


def _bad_beat_ties() -> Iterator[Case]:
    """Tie with the dealer: a setting says whether a hand counts as beaten (R40)."""
    for house in WITH_BAD_BEAT:
        for value in (None, "loses", "wins"):
            for row, odds in (("flush", 25), ("pair", 0)):
                key = f"bad_beat-tie-{row}-{value or 'default'}"
                deal = Deal(f"{house.code} {key}")
                hands = ("As 9s 7s 3s", "Ah 9h 7h 3h") if row == "flush" else ("9s 9h Kd Jc", "9d 9c Kh Js")
                one, two = map(deal.named, hands)
                cards, dealer = deal.completed(one, 5, best_is(one)), deal.completed(two, 6, best_is(two))
                won = SIDE * odds if odds and value == "wins" else -SIDE
                said = f"with the setting {value!r}" if value else "where nothing is said"
                yield house.case(
                    (
                        key,
                        f"a tie with a {row} {'wins' if won > 0 else 'loses'} the Bad Beat {said}",
                        ("R40",),
                    ),
                    [seat(cards, ante=ANTE, bad_beat=SIDE, play=ANTE)],
                    dealer,
                    options=house.options("bad_beat"),
                    nets={(1, "bad_beat"): won, (1, "ante"): ANTE},
                    settings={"bad_beat_tie": value} if value else None,
                )


def _live_after_fold() -> Iterator[Case]:
    """Fold with a progressive wager, which a setting may keep alive (R48)."""
    for house in (MASSACHUSETTS, SHUFFLE_MASTER, WASHINGTON):
        for value in ("lost", "live"):
            for held, row, paid in (("Js Jh Jd Jc", "four of a kind", 300), ("As Ah Ad Ac", "four aces", 0)):
                key = f"progressive-fold-{value}-{row.replace(' ', '_')}"
                deal = Deal(f"{house.code} {key}")
                cards = deal.hand(held)
                award = paid * DOLLAR if paid else METER
                yield house.case(
                    (key, f"{row} folded with the setting progressive_on_fold {value!r}", ("R48", "R51")),
                    [
                        seat(cards, 2, ante=ANTE, progressive=DOLLAR, play=0),
                        seat(deal.weak(), 5, ante=ANTE, progressive=DOLLAR, play=ANTE),
                    ],
                    deal.dealer(),
                    options=house.options("aces_up", "progressive"),
                    nets={(2, "progressive"): (award if value == "live" else 0) - DOLLAR, (5, "envy"): 0},
                    settings={"progressive_on_fold": value},
                    meter=METER,
                    reset=RESET,
                )


def _cover_all_alone() -> Iterator[Case]:
    """Place Cover All alone, where a setting lets it stand so (R45)."""
    for strong in (True, False):
        deal = Deal(f"cover all alone {strong}")
        held = deal.hand("7s 7h 7d") if strong else deal.weak()
        yield MASSACHUSETTS.case(
            (
                f"cover_all-alone-{'wins' if strong else 'loses'}",
                f"Cover All stands alone by the setting and {'wins' if strong else 'loses'}",
                ("R45",),
            ),
            [seat(held, 4, cover_all=SIDE), seat(deal.weak(), 2, ante=ANTE, play=ANTE)],
            deal.weak(SIX_CARDS),
            options=MASSACHUSETTS.options("cover_all"),
            nets={(4, "cover_all"): 6 * SIDE if strong else -SIDE},
            settings={"cover_all_requires": "nothing"},
        )


def _low_ace() -> Iterator[Case]:
    """Read 5-4-3-2-A both ways for the Six Card Bonus (R28)."""
    hands = {"straight": ("5s 4h 3d 2c As 9h", 10), "straight flush": ("5s 4s 3s 2s As 9h", 200)}
    for value in (True, False):
        for name, (six, times) in hands.items():
            deal = Deal(f"low ace {value} {name}")
            bonus, *cards = deal.mixed(deal.named(six))
            lower = 15 if name == "straight flush" else -1
            yield PROPOSED.case(
                (
                    f"six_card-low-ace-{str(value).lower()}-{name.replace(' ', '_')}",
                    f"Six Card Bonus, 5-4-3-2-A is {'a' if value else 'no'} {name} by the setting",
                    ("MD-06F2", "R28"),
                ),
                [seat(" ".join(cards), ante=ANTE, aces_up=ACES_UP, six_card=SIDE, play=ANTE)],
                deal.dealer(),
                options=PROPOSED.options("aces_up", "six_card"),
                nets={(1, "six_card"): SIDE * (times if value else lower)},
                settings={"six_card_low_ace": value},
                bonus_card=bonus,
            )


def _one_denomination() -> Iterator[Case]:
    """Hold everybody to one progressive stake, by a setting (R57)."""
    for house in WITH_METER:
        deal = Deal(f"{house.code} one denomination")
        trips = deal.hand("6s 6h 6d")
        yield house.case(
            (
                "one-denomination",
                "with one denomination a meter, two wagers of $5 stand side by side",
                ("R57",),
            ),
            [
                seat(trips, 1, ante=ANTE, progressive=5 * DOLLAR, play=ANTE),
                seat(deal.weak(), 2, aces_up=ACES_UP, progressive=5 * DOLLAR),
            ],
            deal.dealer(),
            options=house.options("aces_up", "progressive"),
            nets={(1, "progressive"): 8 * 5 * DOLLAR},
            settings={"one_denomination": True},
            meter=METER,
            reset=RESET,
        )
