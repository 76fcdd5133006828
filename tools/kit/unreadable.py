"""Rounds that must be refused for their cards, their meter, or because they are no whole rounds at all."""

from collections.abc import Iterator

from fourcard.refusals import Code
from tools.kit.case import (
    ACES_UP,
    ANTE,
    CATFISH_BEND,
    DOLLAR,
    HOUSES,
    MARYLAND,
    MASSACHUSETTS,
    PROPOSED,
    SHUFFLE_MASTER,
    SIDE,
    WASHINGTON,
    WITH_METER,
    Case,
    House,
    Line,
    seat,
)
from tools.kit.refused import Change, No, cut, part, put, refused


def unreadable_rounds() -> Iterator[Case]:
    """Yield every such refusal that each rulebook can lead to."""
    for no in (*CARDS, *SHAPES):
        yield refused(CATFISH_BEND, no)
    for house in HOUSES:
        yield refused(house, _other_void(house), ("R69",))
        if house in WITH_METER:
            yield from _progressive(house)
    for house in MARYLAND:
        edition = put("round", edition="printed")
        yield refused(house, ("edition", Code.UNKNOWN_EDITION, "an edition that does not exist", edition))
    six = {"ante": ANTE, "aces_up": ACES_UP, "six_card": SIDE}
    for no in (*BONUS_CARD, ("no-bonus-card", Code.BONUS_CARD_MISSING, "no bonus card", _without_bonus(six))):
        yield refused(PROPOSED, no, ("MD-07E5.1",))
    no = ("seven-players", Code.COVER_ALL_COLUMN_MISSING, "Cover All with seven players", _seven)
    yield refused(MASSACHUSETTS, no, ("MA-12k.0", "R46"))


def _same_card(line: Line) -> None:
    cards = part(line, "seat")["cards"].split()
    part(line, "seat")["cards"] = " ".join([*cards[:4], cards[0]])


def _dealers_card(line: Line) -> None:
    line["dealer"] = part(line, "seat")["cards"][:2] + line["dealer"][2:]


def _bonus_held(line: Line) -> None:
    line["bonus_card"] = part(line, "seat")["cards"][:2]


def _fewer(line: Line) -> None:
    part(line, "seat")["cards"] = part(line, "seat")["cards"][:11]


def _fewer_of_dealer(line: Line) -> None:
    line["dealer"] = line["dealer"][:14]


CARDS: tuple[No, ...] = (
    ("no-seats", Code.SEATS_MISSING, "a round without seats", put("round", seats=[])),
    ("same-position", Code.POSITION_REPEATED, "one position given twice", put("other", position=3)),
    ("no-card", Code.CARD_UNKNOWN, "a card that does not exist", put("seat", cards="As Kh Qd Jc 1s")),
    ("same-card", Code.CARD_REPEATED, "a card dealt twice in one hand", _same_card),
    ("dealers-card", Code.CARD_REPEATED, "a card of a player that the dealer has too", _dealers_card),
    ("four-cards", Code.CARD_COUNT, "a player with four cards", _fewer),
    ("dealer-five", Code.CARD_COUNT, "a dealer with five cards", _fewer_of_dealer),
    ("dealer-none", Code.CARD_COUNT, "a round without the dealer's cards", cut("round", "dealer")),
    ("void-unknown", Code.VOID_UNKNOWN, "void by a clause that does not exist", put("round", void="XX-1")),
)
SHAPES: tuple[No, ...] = (
    ("rulebook", Code.UNKNOWN_RULEBOOK, "a rulebook that does not exist", put("round", rulebook="nevada")),
    ("key", Code.KEY_UNKNOWN, "a key that no round has", put("round", croupier="Ann")),
    ("wager-key", Code.KEY_UNKNOWN, "a wager that does not exist", put("wagers", insurance=100)),
    ("no-rulebook", Code.KEY_MISSING, "a round without a rulebook", cut("round", "rulebook")),
    ("no-position", Code.KEY_MISSING, "a seat without a position", cut("seat", "position")),
    ("amount-text", Code.VALUE_UNFIT, "an Ante written as text", put("wagers", ante="1000")),
    ("amount-part", Code.VALUE_UNFIT, "an Ante with part of a cent", put("wagers", ante=1000.5)),
    ("chip-zero", Code.VALUE_UNFIT, "a chip of nothing", put("options", chip=0)),
    ("meter-negative", Code.VALUE_UNFIT, "a meter below zero", put("round", meter=-1)),
)
BONUS_CARD: tuple[No, ...] = (
    ("two-bonus-cards", Code.CARD_COUNT, "two bonus cards", put("round", bonus_card="2s 3s")),
    ("same-bonus-card", Code.CARD_REPEATED, "a bonus card that a player holds", _bonus_held),
)


def _other_void(house: House) -> No:
    clause = "SM-IRR-1" if house is WASHINGTON else "WA-IRR-1"
    return (
        "void-other",
        Code.VOID_UNKNOWN,
        "void by another rulebook's clause",
        put("round", void=clause),
    )


def _without_bonus(wagers: Line) -> Change:
    def change(line: Line) -> None:
        del line["bonus_card"]
        part(line, "seat")["wagers"] = wagers

    return change


def _progressive(house: House) -> Iterator[Case]:
    """Wager a wrong stake, or win of a meter that the round does not give."""
    odd = 150 if house in (SHUFFLE_MASTER, WASHINGTON) else 200
    shows = f"a progressive stake of {odd} cents"
    yield refused(
        house, ("stake", Code.STAKE_NOT_TAKEN, shows, put("wagers", progressive=odd)), house.about("stakes")
    )
    rows: tuple[No, ...] = (
        ("no-meter", Code.METER_NOT_GIVEN, "four aces, and no meter is given", _four_aces("meter")),
        (
            "no-reset",
            Code.RESET_NOT_GIVEN,
            "four aces, and no reset is given",
            _four_aces("reset"),
        ),
    )
    for no in rows:
        yield refused(house, no, house.about("meter"))
    shows = "stakes of $1 and $5 where one denomination is set"
    yield refused(house, ("two-stakes", Code.STAKES_MORE_THAN_ONE, shows, _two_stakes), ("R57",))


def _four_aces(missing: str) -> Change:
    def change(line: Line) -> None:
        del line[missing]
        line["seats"] = [seat("As Ah Ad Ac 2h", 3, aces_up=ACES_UP, progressive=DOLLAR)]
        line["dealer"] = "Ks Qh 9d 7c 5s 3h"
        if "bonus_card" in line:
            line["bonus_card"] = "8d"

    return change


def _two_stakes(line: Line) -> None:
    line["settings"] = {"one_denomination": True}
    part(line, "wagers")["progressive"] = DOLLAR
    part(line, "other")["wagers"]["progressive"] = 5 * DOLLAR


def _seven(line: Line) -> None:
    deck = [rank + suit for rank in "AKQJT9876543" for suit in "shdc"]
    line["seats"] = [
        seat(" ".join(deck[place::7][:5]), place + 1, ante=ANTE, cover_all=SIDE, play=ANTE)
        for place in range(7)
    ]
    line["dealer"] = " ".join(deck[-6:])
