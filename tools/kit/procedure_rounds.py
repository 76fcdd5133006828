"""Kit rounds about order of settlement, settings, the meter and void rounds."""

from collections.abc import Iterator, Sequence
from typing import Any

from fourcard.money import dollars
from fourcard.rules.clauses import clauses
from fourcard.wagers import TableWager, WagerName
from tools.kit.cards import SIX_CARDS, KitDeal, below, best_is
from tools.kit.case import (
    ACES_UP,
    ANTE,
    CATFISH_BEND,
    DOLLAR,
    EXISTING,
    HOUSES,
    MARYLAND,
    MASSACHUSETTS,
    METER,
    PROPOSED,
    RESET,
    SHUFFLE_MASTER,
    SIDE,
    WASHINGTON,
    WITH_BAD_BEAT,
    WITH_METER,
    KitCase,
    Nets,
    RoundLine,
    RulebookEdition,
    Said,
    seat,
    words,
)
from tools.kit.play_rounds import STAKES

HOUSE_ORDERS: dict[RulebookEdition, tuple[tuple[WagerName, ...], ...]] = {
    MASSACHUSETTS: (
        ("progressive", "aces_up", "automatic_bonus", "play", "ante", "cover_all", "envy"),
        ("aces_up", "ante", "automatic_bonus", "progressive", "play", "envy", "cover_all"),
    ),
    WASHINGTON: (
        ("aces_up", "bad_beat", "progressive", "automatic_bonus", "ante", "play", "envy"),
        ("ante", "automatic_bonus", "play", "progressive", "bad_beat", "aces_up", "envy"),
    ),
}


def order_rounds() -> Iterator[KitCase]:
    """Yield the orders of every rulebook."""
    for house in HOUSES:
        clauses = house.about("routine", "order")
        for routine in house.law.settlement.routines.value:
            key, options = f"order-{routine}", {"routine": routine}
            yield _mixed(house, (f"{key}-mixed", f"{routine}, seats written out of order", clauses), options)
            yield _crowd(house, (f"{key}-win", f"{routine}, both players win", clauses), options)
        shows = "the routine that holds where none is named, both players win"
        yield _crowd(house, ("order-default", shows, clauses), {})
    yield from _house_orders()
    yield from _bad_beat_settled()
    yield from _last_wagers()


def _everything(house: RulebookEdition, cards: str, position: int, play: int) -> RoundLine:
    """Return a seat with every wager that the house offers."""
    return seat(cards, position, ante=ANTE, **{name: STAKES[name] for name in house.side_wagers}, play=play)


def _round(house: RulebookEdition, said: Said, seats: list[RoundLine], **more: Any) -> KitCase:
    meter = {"meter": METER, "reset": RESET} if house in WITH_METER else {}
    options = house.options(**more.pop("options"))
    return house.case(said, seats, more.pop("dealer"), options=options, **meter, **more)


def _bonus(house: RulebookEdition, deal: KitDeal) -> RoundLine:
    return {"bonus_card": deal.named("2c")[0]} if "six_card" in house.offered else {}


def _mixed(house: RulebookEdition, said: Said, options: RoundLine) -> KitCase:
    """Seat a winner, a loser, one who folds and one with Aces Up alone, in no order."""
    deal = KitDeal(f"{house.code} {said[0]}")
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


def _crowd(house: RulebookEdition, said: Said, options: RoundLine) -> KitCase:
    """Seat two players with every wager who both win."""
    deal = KitDeal(f"{house.code} {said[0]}")
    bonus = _bonus(house, deal)
    named = [deal.named(text) for text in ("9s 9h 9d", "6s 5s 4s 3s")]
    hands = [deal.completed(cards, 5, best_is(cards)) for cards in named]
    dealer = deal.weak(SIX_CARDS)
    seats = [_everything(house, cards, place, ANTE) for cards, place in zip(hands, (4, 7), strict=True)]
    return _round(house, said, seats, dealer=dealer, options=options, **bonus)


def _pair(house: RulebookEdition, said: Said, options: RoundLine, **more: Any) -> KitCase:
    """Seat a winner and a loser with every wager, so that each wager is taken once and paid once."""
    deal = KitDeal(f"{house.code} {said[0]}")
    low, high = deal.named("3s 3h 2d 2s"), deal.named("Js Jh Jd")
    strong = deal.completed(high, 5, best_is(high))
    dealer = deal.completed(low, SIX_CARDS, best_is(low))
    seats = [
        _everything(house, deal.completed([], 5, below(dealer)), 3, ANTE),
        _everything(house, strong, 6, 2 * ANTE),
    ]
    return _round(house, said, seats, dealer=dealer, options=options, **more)


def _house_orders() -> Iterator[KitCase]:
    """Settle a player's wagers in the order of the house, where the rulebook leaves it open."""
    for house, orders in HOUSE_ORDERS.items():
        clauses = house.about("house order", "routine")
        for place, order in enumerate(orders, 1):
            for routine in house.law.settlement.routines.value:
                shows = f"house order {', '.join(map(words, order[:3]))} first, {routine}"
                said = (f"order-house-{place}-{routine}", shows, clauses)
                yield _pair(house, said, {"routine": routine, "order": list(order)})


def _bad_beat_settled() -> Iterator[KitCase]:
    """Settle the Bad Beat on either side of Aces Up, as the setting says."""
    for house in WITH_BAD_BEAT:
        for value in ("after_aces_up", "before_aces_up"):
            for routine in house.law.settlement.routines.value:
                shows = f"Bad Beat is settled {words(value)}, {routine}"
                said = (f"order-bad_beat-{value}-{routine}", shows, ("R42",))
                yield _pair(house, said, {"routine": routine}, settings={"bad_beat_settled": value})


def _last_wagers() -> Iterator[KitCase]:
    """Pay Envy, and in Massachusetts Cover All, after everybody's other wagers."""
    for house in WITH_METER:
        for routine in house.law.settlement.routines.value:
            key = f"order-last-{routine}"
            deal = KitDeal(f"{house.code} {key}")
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


def setting_rounds() -> Iterator[KitCase]:
    """Yield every value of every such setting in every rulebook that leaves it open."""
    yield from _bad_beat_ties()
    yield from _live_after_fold()
    yield from _cover_all_alone()
    yield from _low_ace()
    yield from _one_denomination()
    yield from _hands_set_by_players()


def _hands_set_by_players() -> Iterator[KitCase]:
    """Present four cards that are not the best: they play, and Aces Up is judged on all five (R27)."""
    pair, high = "As Ah 8d 7c 3c", "Ah 8d 7c 3c"
    for presented, ante in ((high, -ANTE), ("As Ah 8d 7c", ANTE)):
        key = "sets-hand-right" if ante > 0 else "sets-hand-wrong"
        played = "the best four" if ante > 0 else "a hand without the pair of aces"
        yield CATFISH_BEND.case(
            (key, f"{played} presented, and Aces Up judged on all five cards", ("R27", "IA-COMP-1.2")),
            [seat(pair, ante=ANTE, aces_up=ACES_UP, play=ANTE, presented=presented)],
            "Ks Kh Jd Tc 9c 4d",
            options=CATFISH_BEND.options("aces_up"),
            nets={(1, "ante"): ante, (1, "play"): ante, (1, "aces_up"): ACES_UP},
            settings={"player_sets_hand": True},
        )


def _bad_beat_ties() -> Iterator[KitCase]:
    """Tie with the dealer: a setting says whether a hand counts as beaten (R40)."""
    for house in WITH_BAD_BEAT:
        for value in (None, "loses", "wins"):
            for row, odds in (("flush", 25), ("pair", 0)):
                key = f"bad_beat-tie-{row}-{value or 'default'}"
                deal = KitDeal(f"{house.code} {key}")
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


def _live_after_fold() -> Iterator[KitCase]:
    """Fold with a progressive wager, which a setting may keep alive (R48)."""
    for house in (MASSACHUSETTS, SHUFFLE_MASTER, WASHINGTON):
        for value in ("lost", "live"):
            for held, row, paid in (("Js Jh Jd Jc", "four of a kind", 300), ("As Ah Ad Ac", "four aces", 0)):
                key = f"progressive-fold-{value}-{row.replace(' ', '_')}"
                deal = KitDeal(f"{house.code} {key}")
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


def _cover_all_alone() -> Iterator[KitCase]:
    """Place Cover All alone, where a setting lets it stand so (R45)."""
    for strong in (True, False):
        deal = KitDeal(f"cover all alone {strong}")
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


def _low_ace() -> Iterator[KitCase]:
    """Read 5-4-3-2-A both ways for the Six Card Bonus (R28)."""
    hands = {"straight": ("5s 4h 3d 2c As 9h", 10), "straight flush": ("5s 4s 3s 2s As 9h", 200)}
    for value in (True, False):
        for name, (six, times) in hands.items():
            deal = KitDeal(f"low ace {value} {name}")
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


def _one_denomination() -> Iterator[KitCase]:
    """Hold everybody to one progressive stake, by a setting (R57)."""
    for house in WITH_METER:
        deal = KitDeal(f"{house.code} one denomination")
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


FROM_METER = (MASSACHUSETTS, PROPOSED, WASHINGTON)
TEN_PERCENT = METER // 10
ROYALS = ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th")
RUNS = ("9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h", "9d 8d 7d 6d 5d")
Hand = tuple[int, str, int]
"""A position, its cards, and its progressive stake."""


def meter_rounds() -> Iterator[KitCase]:
    """Yield the rounds of every rulebook that has a meter."""
    for house in WITH_METER:
        yield from _whole_and_fixed(house)
    for house in FROM_METER:
        yield from _fixed_from_meter(house)
    for house in MARYLAND:
        yield from _paytable_c(house)


def _meter_round(
    house: RulebookEdition, said: Said, hands: Sequence[Hand], nets: Nets, **more: Any
) -> KitCase:
    """Return a round in which some hands have Aces Up and the progressive."""
    deal = KitDeal(f"{house.code} {said[0]}")
    named = [deal.named(text) for _, text, _ in hands]
    options = house.options("aces_up", "progressive", **more.pop("options", {}))
    seats = [
        seat(deal.completed(cards, 5, best_is(cards)), position, aces_up=ACES_UP, progressive=stake)
        for (position, _, stake), cards in zip(hands, named, strict=True)
    ]
    meter: RoundLine = {"meter": METER, "reset": RESET, **more}
    return house.case(said, seats, deal.dealer(), options=options, nets=nets, **meter)


def _whole_and_fixed(house: RulebookEdition) -> Iterator[KitCase]:
    """Win the whole meter with either stake, win beside it, and win from an empty one."""
    clauses = house.about("meter", "stakes")
    for stake in (DOLLAR, 5 * DOLLAR):
        said = (
            f"meter-whole-{stake}",
            f"four aces on a stake of {dollars(stake)} win the whole meter, others at the table lose",
            clauses,
        )
        hands: Sequence[Hand] = ((3, "As Ah Ad Ac", stake), (6, "Ks Qh 9d 7c 4s", 6 * DOLLAR - stake))
        yield _meter_round(house, said, hands, {(3, "progressive"): METER - stake})
    said = ("meter-zero", "four aces win a meter that shows nothing, and it starts anew", clauses)
    nets: Nets = {(2, "progressive"): -DOLLAR}
    yield _meter_round(house, said, ((2, "As Ah Ad Ac", DOLLAR),), nets, meter=0)
    said = ("meter-both-stakes", "$1 and $5 on one meter: fixed awards follow the stake", clauses)
    hands = ((1, "8s 8h 8d 8c", DOLLAR), (4, "7s 7h 7d 7c", 5 * DOLLAR), (5, "5s 5h 5d", 5 * DOLLAR))
    nets = {(1, "progressive"): 299 * DOLLAR, (4, "progressive"): 5 * 299 * DOLLAR, (5, "progressive"): 4000}
    yield _meter_round(house, said, hands, nets)
    said = ("meter-not-given", "fixed awards from the tray need no meter", clauses)
    nets = {(1, "progressive"): 99 * DOLLAR}
    yield _meter_round(house, said, ((1, "9s 8s 7s 6s", DOLLAR),), nets, meter=None, reset=None)


def _fixed_from_meter(house: RulebookEdition) -> Iterator[KitCase]:
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
        yield _meter_round(
            house,
            (f"meter-fixed-{name}", f"fixed awards from the meter: {shows}", clauses),
            [(position, text, DOLLAR) for position, (text, _) in shown],
            {(position, "progressive"): won for position, (_, won) in shown},
            options={"fixed_awards": "meter"},
            meter=meter,
        )
    for first in ("aces", "quads"):
        positions = (6, 3) if first == "aces" else (3, 6)
        yield _meter_round(
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


def _paytable_c(house: RulebookEdition) -> Iterator[KitCase]:
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
            yield _meter_round(
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


def _five_cards(house: RulebookEdition) -> Iterator[KitCase]:
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
        deal = KitDeal(f"{house.code} meter C {name}")
        yield house.case(
            (f"meter-C-{name}", f"Progressive table C, {shows}", ("MD-12D1c", "R8")),
            [seat(" ".join(deal.mixed(deal.named(cards))), ante=ANTE, progressive=DOLLAR, play=ANTE)],
            deal.dealer(),
            options=house.options("aces_up", progressive="C"),
            nets={(1, "progressive"): won},
            meter=METER,
            reset=RESET,
        )


MISCOUNTED = [
    "MA-7e-b.2",
    "MA-14c",
    "SM-IRR-1",
    "MD-08H3",
    "MD-09F",
    "MD-10F",
    "MD-13D",
    "WA-IRR-1",
    "IA-MAN-4.2",
    "IA-IRR-1",
]
"""Clauses about a wrong number of cards in a hand; the others are found while dealing, or by a count."""
WHOLE, UNDECIDED, MISDEALT = "after the decisions", "before the decisions", "with wrong numbers of cards"
STATES = (WHOLE, UNDECIDED, MISDEALT)


def void_rounds() -> Iterator[KitCase]:
    """Yield every void clause of every rulebook, in one state of the round or another, and who leaves."""
    for house in HOUSES:
        clauses = voiding(house)
        first = next(clause for clause in clauses if clause in MISCOUNTED)
        yield from (_void(house, clause, _state(clause)) for clause in clauses)
        yield from (_void(house, first, state) for state in (WHOLE, UNDECIDED))
    for house in MARYLAND:
        yield from _left(house)


def voiding(house: RulebookEdition) -> tuple[str, ...]:
    """Return the clauses of a rulebook that make a round void."""
    mine = [clause for clause in clauses().values() if clause.source == house.law.source]
    return tuple(clause.id for clause in mine if "void" in clause.figures.get("outcome", "").split(","))


def _state(clause: str) -> str:
    """Return when a round becomes void by a clause."""
    if clause in MISCOUNTED:
        return MISDEALT
    return WHOLE if clauses()[clause].topic == "stub-count" else UNDECIDED


def _void(house: RulebookEdition, clause: str, state: str) -> KitCase:
    """Return a void round: one who folded, one in play, and nobody gains or loses."""
    number = STATES.index(state) + 1
    deal = KitDeal(f"{house.code} void {clause} {number}")
    decided = state == WHOLE
    strong, other = deal.hand("Js Jh Jd Jc"), deal.weak()
    wagers: RoundLine = {"ante": ANTE, "aces_up": ACES_UP}
    if house in WITH_METER:
        wagers["progressive"] = DOLLAR
    seats = [seat(strong, 4, **wagers, play=3 * ANTE), seat(other, 1, **wagers, play=0)]
    dealer = deal.dealer()
    if not decided:
        for each in seats:
            del each["play"]
    if state == MISDEALT:
        seats[0]["cards"] = " ".join(strong.split()[:4])
        dealer = " ".join(dealer.split()[:5])
    meter = {"meter": METER, "reset": RESET} if house in WITH_METER else {}
    return house.case(
        (f"void-{clause}-{number}", f"the round is void by {clause}, {state}", (clause, "R69")),
        seats,
        dealer,
        options=house.options("aces_up", *(("progressive",) if meter else ())),
        nets={(4, "ante"): 0, (4, "progressive"): 0, (1, "ante"): 0, (1, "aces_up"): 0},
        void=clause,
        **meter,
    )


def _left(house: RulebookEdition) -> Iterator[KitCase]:
    """Take the wagers of a player who left, whatever the hand; Envy is neither won nor brought by it."""
    six = house is PROPOSED
    wagers: RoundLine = {
        "ante": ANTE,
        "aces_up": ACES_UP,
        "progressive": DOLLAR,
        **({"six_card": SIDE} if six else {}),
    }
    lost = {"ante": -ANTE, "aces_up": -ACES_UP, "progressive": -DOLLAR, "automatic_bonus": 0, "envy": 0}
    for name, play, when in (
        ("undecided", {}, "before the decision"),
        ("folded", {"play": 0}, "after folding"),
        ("played", {"play": 2 * ANTE}, "after a Play"),
    ):
        deal = KitDeal(f"{house.code} left {name}")
        bonus = deal.named("2s")[0]
        named = [deal.named("Js Jh Jd Jc"), deal.named("8s 8h 8d 8c")]
        gone, stayed = (deal.completed(cards, 5, best_is(cards)) for cards in named)
        nets: dict[tuple[int, str], int] = {(2, wager): net for wager, net in lost.items()}
        yield house.case(
            (f"left-{name}", f"a player leaves {when}: every wager is lost", house.about("leaving")),
            [
                seat(gone, 2, **wagers, **play, left=True),
                seat(stayed, 5, ante=ANTE, progressive=DOLLAR, play=ANTE),
            ],
            deal.weak(SIX_CARDS),
            options=house.options("aces_up", "progressive", *(("six_card",) if six else ())),
            nets={**nets, (2, "play"): -play.get("play", 0), (5, "envy"): 0, (5, "ante"): ANTE},
            bonus_card=bonus if six else None,
            meter=METER,
            reset=RESET,
        )
    deal = KitDeal(f"{house.code} left alone")
    yield house.case(
        ("left-aces_up", "a player with Aces Up alone leaves, holding a winner", house.about("leaving")),
        [seat(deal.hand("9s 8h 7d 6c"), 6, aces_up=ACES_UP, left=True)],
        deal.dealer(),
        options=house.options("aces_up"),
        nets={(6, "aces_up"): -ACES_UP},
    )
