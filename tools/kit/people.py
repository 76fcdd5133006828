"""Rounds in which several people, or several positions of one, matter; and hands that are easily misread."""

from collections.abc import Iterator, Sequence
from typing import Any

from fourcard.money import dollars
from tests.second.hands import SUIT_NAMES, SUITS
from tools.kit.cards import SIX_CARDS, Deal, best_is
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    HOUSES,
    MASSACHUSETTS,
    METER,
    OWN_WORDS,
    PROPOSED,
    RESET,
    SIDE,
    WITH_METER,
    Case,
    House,
    Line,
    Nets,
    Said,
    seat,
    winnings,
)

QUADS, RUN, NOTHING = "Js Jh Jd Jc", "8s 7s 6s 5s", ""


def people_rounds() -> Iterator[Case]:
    """Yield the rounds of every rulebook."""
    for house in HOUSES:
        yield _two_positions(house)
    for house in OWN_WORDS:
        if house in WITH_METER:
            yield from _envies(house)
    yield from _cover_all()
    yield from _six_card()


def _two_positions(house: House) -> Case:
    deal = Deal(f"{house.code} two positions")
    positions = (3, 4) if house.book.positions.adjacent is not None else (2, 6)
    seats = [
        seat(deal.weak(), positions[0], player="p1", ante=ANTE, play=ANTE),
        seat(deal.weak(), positions[1], player="p1", aces_up=ACES_UP),
    ]
    where = "next to each other" if positions == (3, 4) else "anywhere"
    said = ("two-positions", f"one player bets at two positions, {where}", house.about("positions"))
    return house.case(said, seats, deal.dealer(), options=house.options("aces_up"))


Person = tuple[int, str | None, str, int]
"""Position, player, hand and progressive stake; no stake is no wager."""


def _envy_round(
    house: House,
    said: Said,
    people: Sequence[Person],
    paid: dict[int, int],
    **more: Any,
) -> Case:
    """Return a round of some people at one meter, and the Envy that each position is paid."""
    deal = Deal(f"{house.code} {said[0]}")
    named = {position: deal.named(text) for position, _, text, _ in people}
    dealer = str(more.pop("dealer", ""))
    six = deal.named(dealer)
    hands = {place: deal.completed(cards, 5, best_is(cards)) for place, cards in named.items() if cards}
    seats = []
    for position, player, _, stake in people:
        line = seat(hands.get(position) or deal.weak(), position, aces_up=ACES_UP)
        if stake:
            line["wagers"]["progressive"] = stake
        seats.append(line if player is None else {**line, "player": player})
    nets: Nets = {(position, "envy"): amount for position, amount in paid.items()}
    other = deal.completed(six, SIX_CARDS, best_is(six)) if six else deal.weak(SIX_CARDS)
    options = house.options("aces_up", "progressive")
    return house.case(said, seats, other, options=options, nets=nets, meter=METER, reset=RESET)


def _envies(house: House) -> Iterator[Case]:
    """Pay Envy by person, by hand and by the receiver's stake."""
    quads, run = 1000, 500
    once, five = DOLLAR, 5 * DOLLAR
    several, own = house.about("envy several"), house.about("envy own")
    yield _envy_round(
        house,
        ("envy-own-position", "no Envy for a hand at one's own other position; another player has it", own),
        ((3, "p1", QUADS, once), (4, "p1", NOTHING, once), (6, "p2", NOTHING, once)),
        {3: 0, 4: 0, 6: quads},
    )
    yield _envy_round(
        house,
        ("envy-both-positions", "both positions of one player have Envy for another's hand", own),
        ((1, "p1", NOTHING, once), (2, "p1", NOTHING, five), (5, "p2", QUADS, once)),
        {1: quads, 2: 5 * quads, 5: 0},
    )
    yield _envy_round(
        house,
        ("envy-several", "two qualifying hands pay everybody twice, and each holder once", several),
        ((1, None, NOTHING, once), (2, None, QUADS, once), (5, None, RUN, once), (7, None, NOTHING, once)),
        {1: quads + run, 2: run, 5: quads, 7: quads + run},
    )
    yield _envy_round(
        house,
        (
            "envy-without-wager",
            "a holder without a progressive wager brings Envy and has none",
            house.about("envy receiver"),
        ),
        ((1, None, NOTHING, once), (2, None, QUADS, 0), (4, None, RUN, once)),
        {1: quads + run, 2: 0, 4: quads},
    )
    yield _envy_round(
        house,
        ("envy-stakes", "Envy follows the receiver's stake, not the holder's", several),
        ((1, None, NOTHING, five), (2, None, QUADS, once), (4, None, NOTHING, once)),
        {1: 5 * quads, 2: 0, 4: quads},
    )
    yield _envy_round(
        house,
        ("envy-dealer", "no Envy for the dealer's four of a kind", house.about("envy dealer")),
        ((1, None, NOTHING, once), (2, None, NOTHING, once)),
        {1: 0, 2: 0},
        dealer="Qs Qh Qd Qc",
    )


def _cover_all() -> Iterator[Case]:
    """Let hands meet whose order in the Cover All table is not that of the game (R25)."""
    house, rules = MASSACHUSETTS, MASSACHUSETTS.book.wagers.cover_all
    assert rules is not None
    royal, quads, run = "As Ks Qs Js", "9s 9h 9d 9c", "Kh Qh Jh Th"
    meetings = {
        "royal-quads": (royal, quads, "a royal flush goes before the dealer's four of a kind", "royal_flush"),
        "quads-royal": (quads, royal, "the dealer's royal flush goes before four of a kind", "royal_flush"),
        "quads-run": (quads, run, "four of a kind goes before a straight flush", "four_of_a_kind"),
        "run-royal": (run, royal, "a royal flush goes before another straight flush", "royal_flush"),
        "trips-trips": ("Ah Ad Ac", "9s 9h 9d", "the row of two hands is paid once", "three_of_a_kind"),
    }
    for name, (own, dealt, shows, row) in meetings.items():
        deal = Deal(f"cover all {name}")
        named = [deal.named(own), deal.named(dealt)]
        cards, dealer = (deal.completed(each, 5 + place, best_is(each)) for place, each in enumerate(named))
        odds = {str(each): text for each, text in rules.columns["3"].pays.items()}[row]
        yield house.case(
            (f"cover_all-{name}", f"Cover All, {shows} and pays {odds}", ("MA-12g", "MA-12k-3", "R25")),
            [
                seat(cards, 1, ante=ANTE, cover_all=SIDE, play=ANTE),
                seat(deal.weak(), 4, aces_up=ACES_UP, cover_all=2 * SIDE),
            ],
            dealer,
            options=house.options("aces_up", "cover_all"),
            nets={(1, "cover_all"): winnings(odds, SIDE), (4, "cover_all"): winnings(odds, 2 * SIDE)},
        )


def _six_card() -> Iterator[Case]:
    """Pay Super Royals by suit whatever the stake, and hands that are almost one as what they are."""
    for suit in SUITS:
        for table in "AB":
            won = 100_000_000 if (suit, table) == ("d", "A") else 10_000_000
            said = f"a Super Royal of {SUIT_NAMES[suit]} wins {dollars(won)} on a stake of {dollars(DOLLAR)}"
            six = " ".join(rank + suit for rank in "9AKQJT")
            yield _six(f"super-{suit}-{table}", (said, table), six, DOLLAR, won)
    almost = {
        "royal-nine": (
            "9h As Ks Qs Js Ts",
            "A-K-Q-J-10 suited and another 9 are a royal flush",
            1000,
        ),
        "ace-away": (
            "Ah Ks Qs Js Ts 9s",
            "K-Q-J-10-9 suited and another ace are a straight flush",
            200,
        ),
        "king-down": (
            "Ks Qs Js Ts 9s 8s",
            "K-Q-J-10-9-8 suited are a straight flush",
            200,
        ),
        "quads-pair": ("9d 9c 9h 9s 4s 4h", "four of a kind goes before the full house in it", 50),
        "two-trips": ("9d 9c 9h 4d 4s 4h", "two times three of a kind is a full house", 20),
        "three-pairs": ("9d 9c 7h 7d 4s 4h", "three pairs win nothing", -1),
        "flush-run": ("9s 8h 7s 6s 5s 2s", "a flush goes before the straight in it", 15),
        "run-of-four": ("9s 8s 7s 6s 2h Kd", "a straight flush of four cards wins nothing", -1),
        "wheel": ("As 2h 3d 4c 5s 9h", "5-4-3-2-A is a straight", 10),
    }
    for name, (six, shows, times) in almost.items():
        yield _six(name, (shows, "A"), six, SIDE, SIDE * times)
    yield _shared_bonus_card()


def _six(name: str, said: tuple[str, str], six: str, stake: int, won: int) -> Case:
    house, (shows, table) = PROPOSED, said
    deal = Deal(f"six card {name}", suits=SUITS)
    bonus, *cards = deal.named(six)
    return house.case(
        (
            f"six_card-{name}",
            f"Six Card Bonus table {table}, {shows}",
            ("MD-06F8", "R93") if "uper" in name else ("MD-06F.0", "MD-07E5.1"),
        ),
        [seat(" ".join(deal.mixed(cards)), ante=ANTE, aces_up=ACES_UP, six_card=stake, play=ANTE)],
        deal.dealer(),
        options=house.options("aces_up", six_card=table),
        nets={(1, "six_card"): won},
        bonus_card=bonus,
    )


def _shared_bonus_card() -> Case:
    house = PROPOSED
    deal = Deal("six card shared")
    bonus, trips, run = deal.named("7s")[0], deal.named("7h 7d Kc 9d 2c"), deal.named("6h 5d 4c 3h Qd")
    wagers: Line = {"ante": ANTE, "aces_up": ACES_UP, "six_card": SIDE}
    return house.case(
        (
            "six_card-shared",
            "Six Card Bonus, one bonus card serves two players, and one of them folded",
            ("MD-07E5.1",),
        ),
        [seat(" ".join(trips), 2, **wagers, play=ANTE), seat(" ".join(run), 5, **wagers, play=0)],
        deal.dealer(),
        options=house.options("aces_up", "six_card"),
        nets={(2, "six_card"): 5 * SIDE, (5, "six_card"): 10 * SIDE},
        bonus_card=bonus,
    )
