"""Kit rounds about paytables: every printed row, Cover All, Envy, and tables of a house's own."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor

from fourcard.money import dollars, parse_dollars
from fourcard.rules.cited import Paytable
from fourcard.rules.paytables import paytable, selectable_tables
from fourcard.rules.rulebook import EnvyWager
from fourcard.wagers import TableWager
from tests.second.hands import SUITS
from tools.kit.cards import (
    FIVE_CARD_HANDS,
    FIVE_JUST_BELOW,
    FOUR_CARD_HANDS,
    JUST_BELOW,
    SIX_CARDS,
    Fits,
    KitDeal,
    best_is,
    wins,
    wins_five,
)
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    HOUSES,
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
    RoundLine,
    RulebookEdition,
    label,
    seat,
    winnings,
    words,
)

BEATEN = {
    "two_pair": ("3s 3h 2d 2c", "3d 3c 4s 4h"),
    "straight": ("9s 8h 7d 6c", "As 2s 5s 7s"),
    "flush": ("Js 9s 6s 2s", "4h 4d 4c"),
    "three_of_a_kind": ("Qs Qh Qd", "5c 4c 3c 2c"),
    "straight_flush": ("7h 6h 5h 4h", "9s 9h 9d 9c"),
    "four_of_a_kind": ("2s 2h 2d 2c", "3s 3h 3d 3c"),
    "under": ("As Ah Kd Qc", "2s 2h 3d 3c"),
}
"""Each hand that a Bad Beat pays, and one that beats it."""


def table_rounds() -> Iterator[KitCase]:
    """Yield the rounds of every table of every rulebook; Cover All and Envy have files of their own."""
    for house in HOUSES:
        for name in house.offered:
            for table_id in selectable_tables(house.law, name) if name != "cover_all" else ():
                table = paytable(house.law, name, table_id)
                if name == "bad_beat":
                    yield from _bad_beats(house, table_id, table)
                else:
                    yield from _rows(house, name, table_id, table)


def _rows(house: RulebookEdition, name: TableWager, table_id: str, table: Paytable) -> Iterator[KitCase]:
    """Yield a round for each row of a table, and one for the best hand under the lowest."""
    makers = {
        "automatic_bonus": _bonus,
        "aces_up": _aces_up,
        "six_card": _six_card,
        "progressive": _progressive,
    }
    for row, odds in table.pays.items():
        shows = f"{label(name)} table {table_id}, {words(row)} pays {odds}"
        yield makers[name]((house, f"{name}-{table_id}-{row}", shows, table), table_id, row)
    lowest = [*table.pays][-1]
    shows = f"{label(name)} table {table_id}, the best hand under {words(lowest)} wins nothing"
    yield makers[name]((house, f"{name}-{table_id}-under", shows, table), table_id, f"<{lowest}")


Where = tuple[RulebookEdition, str, str, Paytable]


def _own(deal: KitDeal, row: str) -> str:
    """Return five cards that win a row of a four-card table, or the best that are under it."""
    if row.startswith("<"):
        return deal.hand(JUST_BELOW[row[1:]])
    royal = FOUR_CARD_HANDS["royal_flush"] if row == "straight_flush" else ()
    return deal.hand(deal.pick((*FOUR_CARD_HANDS[row], *royal)), fits=wins(row))


def _gain(table: Paytable, row: str, stake: int) -> int:
    """Return what a stake wins or loses by a row."""
    odds = {str(name): text for name, text in table.pays.items()}
    return winnings(odds[row], stake) if row in odds else -stake


def _bonus(where: Where, table_id: str, row: str) -> KitCase:
    house, key, shows, table = where
    deal = KitDeal(f"{house.code} {key}")
    cards, times = _own(deal, row), int(deal.pick("123"))
    won = 0 if row.startswith("<") else _gain(table, row, ANTE)
    return house.case(
        (key, shows, table.clauses[:1]),
        [seat(cards, ante=ANTE, play=ANTE * times)],
        deal.dealer(),
        options={"automatic_bonus": table_id},
        nets={(1, "automatic_bonus"): won},
    )


def _aces_up(where: Where, table_id: str, row: str) -> KitCase:
    house, key, shows, table = where
    deal = KitDeal(f"{house.code} {key}")
    return house.case(
        (key, shows, table.clauses[:1]),
        [seat(_own(deal, row), aces_up=ACES_UP)],
        deal.dealer(),
        options={"aces_up": table_id},
        nets={(1, "aces_up"): _gain(table, row, ACES_UP)},
    )


def _six_card(where: Where, table_id: str, row: str) -> KitCase:
    """Let the bonus card be any of the six, so that it plays in most hands and not in all."""
    house, key, shows, table = where
    suit = row.removeprefix("super_royal_")[0] if row.startswith("super") else None
    deal = KitDeal(f"{house.code} {key}", suits=suit and suit + SUITS.replace(suit, ""))
    if suit:
        six = " ".join(deal.mixed(deal.named("As Ks Qs Js Ts 9s")))
    elif row.startswith("<"):
        six = deal.hand("As Ah Kd Kc Qs", SIX_CARDS, wins_five("two_pair"))
    else:
        six = deal.hand(deal.pick(FIVE_CARD_HANDS[row]), SIX_CARDS, _six(row))
    bonus, *cards = six.split()
    return house.case(
        (key, shows, table.clauses[:1]),
        [seat(" ".join(cards), ante=ANTE, aces_up=ACES_UP, six_card=SIDE, play=ANTE)],
        deal.dealer(),
        options=house.options("aces_up", six_card=table_id),
        nets={(1, "six_card"): _gain(table, row, SIDE)},
        bonus_card=bonus,
    )


def _six(row: str) -> Fits:
    """Let six cards fit whose best five are a row, without the ninth spade that makes a Super Royal."""
    return lambda cards: wins_five(row)(cards) and not {"9", "T", "J", "Q", "K", "A"} <= {c[0] for c in cards}


def _progressive(where: Where, table_id: str, row: str) -> KitCase:
    house, key, shows, table = where
    deal = KitDeal(f"{house.code} {key}")
    if table.cards == 4:
        cards = _own(deal, row)
    elif row.startswith("<"):
        cards = deal.hand(FIVE_JUST_BELOW[row[1:]])
    else:
        cards = deal.hand(deal.pick(FIVE_CARD_HANDS[row]), fits=wins_five(row))
    stake = DOLLAR * int(deal.pick("15"))
    return house.case(
        (key, shows, table.clauses[:1]),
        [seat(cards, aces_up=ACES_UP, progressive=stake)],
        deal.dealer(),
        options=house.options("aces_up", progressive=table_id),
        nets={(1, "progressive"): _gain(table, row, stake)},
        meter=METER,
        reset=RESET,
    )


def _bad_beats(house: RulebookEdition, table_id: str, table: Paytable) -> Iterator[KitCase]:
    """Let each hand be beaten both ways: the player's by the dealer, and the dealer's by the player."""
    for row, (low, high) in BEATEN.items():
        for beaten in ("player", "dealer"):
            key = f"bad_beat-{table_id}-{row}-{beaten}"
            deal = KitDeal(f"{house.code} {key}")
            cards = [deal.named(low), deal.named(high)]
            sizes = (5, 6) if beaten == "player" else (6, 5)
            held = [deal.completed(cards[place], sizes[place], best_is(cards[place])) for place in (0, 1)]
            player, dealer = held if beaten == "player" else reversed(held)
            odds = {str(name): text for name, text in table.pays.items()}.get(row)
            hand, result = (words(row), f"pays {odds}") if odds else ("pair of aces", "wins nothing")
            yield house.case(
                (
                    key,
                    f"Bad Beat table {table_id}, the {beaten}'s {hand} is beaten and {result}",
                    table.clauses[:1],
                ),
                [seat(player, ante=ANTE, bad_beat=SIDE, play=ANTE)],
                dealer,
                options=house.options("automatic_bonus", bad_beat=table_id),
                nets={(1, "bad_beat"): _gain(table, row, SIDE)},
            )


HOLDERS = ("the bettor", "another player", "the dealer")
LINEAR_STAKES = (1, 3)


def cover_all_rounds() -> Iterator[KitCase]:
    """Yield every column and row, held by the bettor, another player and the dealer in turn."""
    rules = MASSACHUSETTS.law.wagers.cover_all
    assert rules is not None
    for column, table in rules.columns.items():
        players = int(column) - rules.dealer_counts.value
        for place, row in enumerate((*table.pays, None)):
            holder = HOLDERS[place % 3] if players > 1 else HOLDERS[place % 2 * 2]
            yield _cover_all(players, table, row, holder)


def _cover_all(players: int, table: Paytable, row: str | None, holder: str) -> KitCase:
    house = MASSACHUSETTS
    key = f"cover_all-{players}-{row or 'under'}"
    deal = KitDeal(key)
    size = SIX_CARDS if holder == "the dealer" else 5
    if row is None:
        strong = deal.hand(JUST_BELOW["three_of_a_kind"], size)
    else:
        strong = deal.hand(deal.pick(FOUR_CARD_HANDS[row]), size, wins(row, cover_all=True))
    dealer = strong if holder == "the dealer" else deal.weak(SIX_CARDS)
    positions = sorted(map(int, deal.mixed("1234567")[:players]))
    strong_seat = {"the bettor": positions[0], "another player": positions[-1]}.get(holder)
    first, *others = (strong if place == strong_seat else deal.weak() for place in positions)
    seats = [seat(first, positions[0], ante=ANTE, cover_all=SIDE, play=ANTE)]
    seats += [seat(cards, place, aces_up=ACES_UP) for cards, place in zip(others, positions[1:], strict=True)]
    odds = {str(name): text for name, text in table.pays.items()}.get(row or "")
    result = f"{words(row)} of {holder} pays {odds}" if row else "a flush is the best hand and wins nothing"
    return house.case(
        (
            key,
            f"Cover All with {players} player{'s' * (players > 1)}, {result}",
            (f"MA-12k-{players + 1}", "MA-12b", "R5"),
        ),
        seats,
        dealer,
        options=house.options("aces_up", "cover_all"),
        nets={(positions[0], "cover_all"): winnings(odds, SIDE) if odds else -SIDE},
    )


def envy_rounds() -> Iterator[KitCase]:
    """Yield every schedule, stake and row; where amounts grow with the stake, some greater stakes too."""
    for house in WITH_METER:
        rules = house.law.wagers.envy
        assert rules is not None
        for schedule, by_stake in rules.paytables.items():
            for printed, table in by_stake.items():
                for times in LINEAR_STAKES if rules.linear.value else (1,):
                    stake = parse_dollars(printed) * times
                    for row in (*table.pays, None):
                        yield _envy(house, rules, (schedule, stake, table, times), row)
    yield from _unpaired_envy()


def _unpaired_envy() -> Iterator[KitCase]:
    """Yield Maryland's other pairings of paytable and schedule, which pay as the schedule says (R67)."""
    for table, schedule, paid in (("A", "B", 25), ("B", "A", 10)):
        key = f"envy-{schedule}-beside-{table}"
        deal = KitDeal(f"{PROPOSED.code} {key}")
        shows = f"Envy schedule {schedule} beside the progressive table {table}, another's four of a kind"
        held = deal.hand(deal.pick(FOUR_CARD_HANDS["four_of_a_kind"]), fits=wins("four_of_a_kind"))
        yield PROPOSED.case(
            (key, f"{shows} pays {dollars(paid * DOLLAR)}", ("MD-12D-2.2", "R67")),
            [seat(deal.weak(), 2, aces_up=ACES_UP, progressive=DOLLAR), seat(held, 5, aces_up=ACES_UP)],
            deal.dealer(),
            options=PROPOSED.options("aces_up", progressive=table, envy=schedule),
            nets={(2, "envy"): paid * DOLLAR, (2, "progressive"): -DOLLAR},
            meter=METER,
            reset=RESET,
        )


def _envy(
    house: RulebookEdition, rules: EnvyWager, where: tuple[str, int, Paytable, int], row: str | None
) -> KitCase:
    schedule, stake, table, times = where
    reading = rules.other_readings.get(schedule)
    key = f"envy-{schedule}-{stake}-{row or 'under'}"
    deal = KitDeal(f"{house.code} {key}")
    five, lowest = table.cards == 5, [*table.pays][-1]
    if row is None:
        held = deal.hand((FIVE_JUST_BELOW if five else JUST_BELOW)[lowest])
    else:
        hands = FIVE_CARD_HANDS if five else FOUR_CARD_HANDS
        held = deal.hand(deal.pick(hands[row]), fits=wins_five(row) if five else wins(row))
    odds = {str(name): text for name, text in table.pays.items()}.get(row or "")
    paid = int(winnings(odds, stake) * Fraction(times)) if odds else 0
    result = f"{words(row)} pays {dollars(paid)}" if row else f"hand under {words(lowest)} pays nothing"
    return house.case(
        (
            key,
            f"Envy schedule {schedule} on a stake of {dollars(stake)}, another's {result}",
            (table.clauses[0], *house.about("envy receiver")),
        ),
        [
            seat(deal.weak(), 2, aces_up=ACES_UP, progressive=stake),
            seat(held, 5, aces_up=ACES_UP),
        ],
        deal.dealer(),
        options=house.options("aces_up", progressive=reading.value if reading else schedule, envy=schedule),
        nets={(2, "envy"): paid, (2, "progressive"): -stake},
        meter=METER,
        reset=RESET,
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


def own_rounds() -> Iterator[KitCase]:
    """Yield the rounds of every rulebook."""
    yield from _roundings()
    yield from _own_tables()
    yield from _defaults()
    yield from _limits_met()


def _roundings() -> Iterator[KitCase]:
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
            deal = KitDeal(key)
            yield SHUFFLE_MASTER.case(
                (key, f"a bonus of 4 to 3 on {ante} cents is rounded {words(rounding)}", ("R33", "SM-W1-12")),
                [seat(deal.hand("Ts Th Td"), ante=ante, play=ante)],
                deal.dealer(),
                options={"automatic_bonus": free, "rounding": rounding},
                nets={(1, "automatic_bonus"): rounded(Fraction(4 * ante, 3))},
            )


def _rounded(house: RulebookEdition, ante: int, rounding: str | None, *, by_setting: bool) -> KitCase:
    key = f"rounding-{ante}-{rounding or 'default'}"
    deal = KitDeal(f"{house.code} {key}")
    options: RoundLine = {"automatic_bonus": "FCP-08"}
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


def _own_tables() -> Iterator[KitCase]:
    """Pay every row of tables that a house wrote itself, where it may."""
    for house, bonus in ((MASSACHUSETTS, OWN_BONUS), (SHUFFLE_MASTER, FREE_BONUS)):
        yield from _own_rows(house, "aces_up", OWN_ACES_UP)
        yield from _own_rows(house, "automatic_bonus", bonus)
    for row, odds in FREE_BAD_BEAT.items():
        key = f"own-bad_beat-{row}"
        deal = KitDeal(key)
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


def _own_rows(house: RulebookEdition, name: TableWager, table: dict[str, str]) -> Iterator[KitCase]:
    for row, odds in table.items():
        key = f"own-{name}-{row}"
        deal = KitDeal(f"{house.code} {key}")
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


def _defaults() -> Iterator[KitCase]:
    """Leave out what has a default: the edition, the bonus table, and the Washington pair (R10, R98)."""
    deal = KitDeal("default edition")
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
        deal = KitDeal(f"{house.code} default bonus")
        options: RoundLine = {"aces_up": "FCP-08"} if house is WASHINGTON else {}
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


def _limits_met() -> Iterator[KitCase]:
    """Wager exactly what posted and legal limits and the chip allow."""
    for house in HOUSES:
        for name, ante, aces_up in (("least", 500, 100), ("most", 10_000, 2500)):
            deal = KitDeal(f"{house.code} limits {name}")
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
    deal = KitDeal("legal limit")
    yield WASHINGTON.case(
        ("limits-legal", "every wager exactly at the legal limit", ("R30", "R31", "WA-BB-LIM")),
        [seat(deal.weak(), ante=2500, aces_up=2500, bad_beat=2500, progressive=2500, play=2500)],
        deal.dealer(),
        options=WASHINGTON.options(limits={"legal": 2500}),
        meter=METER,
    )
