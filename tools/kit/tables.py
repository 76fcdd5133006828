"""Rounds for every row of every table that can be offered, and for the best hand that wins nothing by it."""

from collections.abc import Iterator

from fourcard.rules.nodes import Paytable, TableWager
from fourcard.rules.paytables import paytable, selectable
from tests.second.hands import SUITS
from tools.kit.cards import (
    FIVE_CARD_HANDS,
    FIVE_JUST_BELOW,
    FOUR_CARD_HANDS,
    JUST_BELOW,
    SIX_CARDS,
    Deal,
    Fits,
    best_is,
    wins,
    wins_five,
)
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    HOUSES,
    METER,
    RESET,
    SIDE,
    Case,
    House,
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


def table_rounds() -> Iterator[Case]:
    """Yield the rounds of every table of every rulebook; Cover All and Envy have files of their own."""
    for house in HOUSES:
        for name in house.offered:
            for table_id in selectable(house.book, name) if name != "cover_all" else ():
                table = paytable(house.book, name, table_id)
                if name == "bad_beat":
                    yield from _bad_beats(house, table_id, table)
                else:
                    yield from _rows(house, name, table_id, table)


def _rows(house: House, name: TableWager, table_id: str, table: Paytable) -> Iterator[Case]:
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


Where = tuple[House, str, str, Paytable]


def _own(deal: Deal, row: str) -> str:
    """Return five cards that win a row of a four-card table, or the best that are under it."""
    if row.startswith("<"):
        return deal.hand(JUST_BELOW[row[1:]])
    royal = FOUR_CARD_HANDS["royal_flush"] if row == "straight_flush" else ()
    return deal.hand(deal.pick((*FOUR_CARD_HANDS[row], *royal)), fits=wins(row))


def _gain(table: Paytable, row: str, stake: int) -> int:
    """Return what a stake wins or loses by a row."""
    odds = {str(name): text for name, text in table.pays.items()}
    return winnings(odds[row], stake) if row in odds else -stake


def _bonus(where: Where, table_id: str, row: str) -> Case:
    house, key, shows, table = where
    deal = Deal(f"{house.code} {key}")
    cards, times = _own(deal, row), int(deal.pick("123"))
    won = 0 if row.startswith("<") else _gain(table, row, ANTE)
    return house.case(
        (key, shows, table.clauses[:1]),
        [seat(cards, ante=ANTE, play=ANTE * times)],
        deal.dealer(),
        options={"automatic_bonus": table_id},
        nets={(1, "automatic_bonus"): won},
    )


def _aces_up(where: Where, table_id: str, row: str) -> Case:
    house, key, shows, table = where
    deal = Deal(f"{house.code} {key}")
    return house.case(
        (key, shows, table.clauses[:1]),
        [seat(_own(deal, row), aces_up=ACES_UP)],
        deal.dealer(),
        options={"aces_up": table_id},
        nets={(1, "aces_up"): _gain(table, row, ACES_UP)},
    )


def _six_card(where: Where, table_id: str, row: str) -> Case:
    """Let the bonus card be any of the six, so that it plays in most hands and not in all."""
    house, key, shows, table = where
    suit = row.removeprefix("super_royal_")[0] if row.startswith("super") else None
    deal = Deal(f"{house.code} {key}", suits=suit and suit + SUITS.replace(suit, ""))
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


def _progressive(where: Where, table_id: str, row: str) -> Case:
    house, key, shows, table = where
    deal = Deal(f"{house.code} {key}")
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


def _bad_beats(house: House, table_id: str, table: Paytable) -> Iterator[Case]:
    """Let each hand be beaten both ways: the player's by the dealer, and the dealer's by the player."""
    for row, (low, high) in BEATEN.items():
        for beaten in ("player", "dealer"):
            key = f"bad_beat-{table_id}-{row}-{beaten}"
            deal = Deal(f"{house.code} {key}")
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
