"""Rounds for the wagers that other people's hands decide: Cover All by column and row, Envy by schedule."""

from collections.abc import Iterator
from fractions import Fraction

from fourcard.money import dollars, parse_dollars
from fourcard.rules.nodes import Paytable
from fourcard.rules.rulebook import EnvyWager
from tools.kit.cards import (
    FIVE_CARD_HANDS,
    FIVE_JUST_BELOW,
    FOUR_CARD_HANDS,
    JUST_BELOW,
    SIX_CARDS,
    Deal,
    wins,
    wins_five,
)
from tools.kit.case import (
    ACES_UP,
    ANTE,
    MASSACHUSETTS,
    METER,
    RESET,
    SIDE,
    WITH_METER,
    Case,
    House,
    seat,
    winnings,
    words,
)

HOLDERS = ("the bettor", "another player", "the dealer")
LINEAR_STAKES = (1, 3)


def cover_all_rounds() -> Iterator[Case]:
    """Yield every column and row, held by the bettor, another player and the dealer in turn."""
    rules = MASSACHUSETTS.book.wagers.cover_all
    assert rules is not None
    for column, table in rules.columns.items():
        players = int(column) - rules.dealer_counts.value
        for place, row in enumerate((*table.pays, None)):
            holder = HOLDERS[place % 3] if players > 1 else HOLDERS[place % 2 * 2]
            yield _cover_all(players, table, row, holder)


def _cover_all(players: int, table: Paytable, row: str | None, holder: str) -> Case:
    house = MASSACHUSETTS
    key = f"cover_all-{players}-{row or 'under'}"
    deal = Deal(key)
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


def envy_rounds() -> Iterator[Case]:
    """Yield every schedule, stake and row; where amounts grow with the stake, some greater stakes too."""
    for house in WITH_METER:
        rules = house.book.wagers.envy
        assert rules is not None
        for schedule, by_stake in rules.paytables.items():
            for printed, table in by_stake.items():
                for times in LINEAR_STAKES if rules.linear.value else (1,):
                    stake = parse_dollars(printed) * times
                    for row in (*table.pays, None):
                        yield _envy(house, rules, (schedule, stake, table, times), row)


def _envy(house: House, rules: EnvyWager, where: tuple[str, int, Paytable, int], row: str | None) -> Case:
    schedule, stake, table, times = where
    reading = rules.other_readings.get(schedule)
    key = f"envy-{schedule}-{stake}-{row or 'under'}"
    deal = Deal(f"{house.code} {key}")
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
