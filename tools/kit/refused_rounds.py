"""Kit rounds that are refused: invalid wagers, unreadable lines and invalid options."""

from collections.abc import Callable, Iterator
from typing import Any

from fourcard.refusal_codes import Code
from fourcard.wagers import TABLE_WAGERS
from tools.kit.cards import SIX_CARDS, KitDeal
from tools.kit.case import (
    ACES_UP,
    ANTE,
    CATFISH_BEND,
    DOLLAR,
    HOUSES,
    MARYLAND,
    MASSACHUSETTS,
    METER,
    OWN_WORDS,
    PROPOSED,
    RESET,
    SHUFFLE_MASTER,
    SIDE,
    WASHINGTON,
    WITH_METER,
    KitCase,
    RoundLine,
    RulebookEdition,
    label,
    seat,
)
from tools.kit.paytable_rounds import OWN_ACES_UP

Change = Callable[[RoundLine], object]
No = tuple[str, Code, str, Change]
"""A short name, the refusal, what it shows, and what makes it so."""
TEN_BILLION_DOLLARS = 10**12
OVER_LEGAL = Code.WAGER_ABOVE_LEGAL_LIMIT


def refused(house: RulebookEdition, no: No, clauses: tuple[str, ...] = ()) -> KitCase:
    """Return a valid round that one change makes one to be refused."""
    name, code, shows, change = no
    deal = KitDeal(f"{house.code} no {name}")
    more: RoundLine = {"meter": METER, "reset": RESET} if house in WITH_METER else {}
    if "six_card" in house.offered:
        more["bonus_card"] = deal.named("2s")[0]
    case = house.case(
        (f"no-{name}", f"refused, {shows}", clauses),
        [seat(deal.weak(), 3, ante=ANTE, play=ANTE), seat(deal.weak(), 6, aces_up=ACES_UP)],
        deal.weak(SIX_CARDS),
        options=house.options(),
        refusal=code,
        **more,
    )
    change(case.round)
    return case


def part(line: RoundLine, where: str) -> RoundLine:
    """Return a part of a round: the round, its options, a seat or the first seat's wagers."""
    seats = line["seats"]
    parts = {"round": line, "options": line["options"], "seat": seats[0], "other": seats[1]}
    found: RoundLine = parts[where] if where in parts else seats[0][where]
    return found


def put(where: str, **values: Any) -> Change:
    """Write values into a part of a round."""
    return lambda line: part(line, where).update(values)


def cut(where: str, key: str) -> Change:
    """Leave a key out of a part of a round."""
    return lambda line: part(line, where).pop(key)


def refused_rounds() -> Iterator[KitCase]:
    """Yield every such refusal that each rulebook can lead to."""
    for house in OWN_WORDS:
        yield from _plays(house)
        yield from _wagers(house)
        yield from _players(house)
        yield from _limits(house)


def _plays(house: RulebookEdition) -> Iterator[KitCase]:
    """Play too little, too much, part of an Ante, or without deciding."""
    rows: list[No] = [
        ("play-small", Code.PLAY_TOO_SMALL, "a Play under the Ante", put("seat", play=999)),
        ("play-large", Code.PLAY_TOO_LARGE, "a Play over three Antes", put("seat", play=3001)),
        ("play-negative", Code.PLAY_TOO_SMALL, "a Play below zero", put("seat", play=-1000)),
        ("undecided", Code.DECISION_MISSING, "an Ante without a decision", cut("seat", "play")),
        ("no-ante", Code.DECISION_WITHOUT_ANTE, "a Play without an Ante", put("other", play=ANTE)),
    ]
    if house is CATFISH_BEND:
        rows.append(("play-part", Code.PLAY_NOT_A_MULTIPLE, "a Play of 1.5 Antes", put("seat", play=1500)))
    for no in rows:
        yield refused(house, no, house.about("play"))


def _wagers(house: RulebookEdition) -> Iterator[KitCase]:
    """Wager nothing, too much, without the wager beside it, or what the table does not offer."""
    enormous = put("wagers", ante=TEN_BILLION_DOLLARS + 1)
    amounts: tuple[No, ...] = (
        ("ante-zero", Code.WAGER_NOT_POSITIVE, "an Ante of nothing", put("wagers", ante=0)),
        ("ante-negative", Code.WAGER_NOT_POSITIVE, "an Ante below zero", put("wagers", ante=-100)),
        ("ante-enormous", Code.WAGER_TOO_LARGE, "an Ante of more than ten billion dollars", enormous),
        ("no-wager", Code.NO_WAGER, "a position without a wager", put("other", wagers={})),
    )
    for no in amounts:
        yield refused(house, no)
    for name in house.side_wagers:
        shows = f"{label(name)} without its table among the options"
        yield refused(house, (f"not-offered-{name}", Code.WAGER_NOT_OFFERED, shows, _not_offered(name)))
        if name != "aces_up":
            shows = f"{label(name)} without the wager that it needs"
            alone: RoundLine = {"wagers": {name: DOLLAR}}
            if name == "six_card":
                alone = {"wagers": {"ante": ANTE, name: SIDE}, "play": ANTE}
            no = (f"needs-{name}", Code.PREREQUISITE_MISSING, shows, put("other", **alone))
            yield refused(house, no, house.about(f"needs {name}"))


def _not_offered(name: str) -> Change:
    def change(line: RoundLine) -> None:
        del line["options"][name]
        also = {"aces_up": ACES_UP} if name == "six_card" else {}
        part(line, "other").update(wagers={"ante": ANTE, **also, name: DOLLAR}, play=ANTE)

    return change


def _seated(*positions: int) -> Change:
    """Seat one player at some positions."""

    def change(line: RoundLine) -> None:
        taken = [*line["dealer"].split(), line.get("bonus_card")]
        free = [rank + suit for suit in "shdc" for rank in "A9753K8642" if rank + suit not in taken]
        line["seats"] = [
            seat(" ".join(free[5 * place : 5 * place + 5]), position, player="p1", aces_up=ACES_UP)
            for place, position in enumerate(positions)
        ]

    return change


def _players(house: RulebookEdition) -> Iterator[KitCase]:
    """Sit where nobody may, or where one player may not sit twice, or leave."""
    for position in (0, 8):
        shows = f"there is no position {position}"
        no = (f"position-{position}", Code.POSITION_UNKNOWN, shows, _seated(position))
        yield refused(house, no, house.about("table"))
    rules = house.law.positions
    if rules.adjacent is not None:
        shows = "two positions of one player that are not next to each other"
        apart = ("apart", Code.POSITIONS_NOT_ADJACENT, shows, _seated(2, 5))
        yield refused(house, apart, house.about("positions"))
    if rules.per_player is not None:
        three = ("three", Code.TOO_MANY_POSITIONS, "three positions of one player", _seated(2, 3, 4))
        yield refused(house, three, house.about("positions"))
    if not house.law.leaving_may_lose_wagers.value:
        shows = "a player who left, whose wagers may not be taken here"
        yield refused(house, ("left", Code.LEAVING, shows, put("seat", left=True)), house.about("leaving"))


def _posted(name: str, least: int, most: int) -> Change:
    return put("options", limits={"posted": {name: {"least": least, "most": most}}})


def _limits(house: RulebookEdition) -> Iterator[KitCase]:
    """Pass posted limits, the chip and the legal limit by one cent."""
    below, above = Code.WAGER_BELOW_LEAST, Code.WAGER_ABOVE_MOST
    rows: tuple[No, ...] = (
        ("ante-below", below, "an Ante under the posted least", _posted("ante", 1001, 9000)),
        ("ante-above", above, "an Ante over the posted most", _posted("ante", 100, 999)),
        ("aces_up-below", below, "Aces Up under the posted least", _posted("aces_up", 501, 9000)),
        ("aces_up-above", above, "Aces Up over the posted most", _posted("aces_up", 100, 499)),
        ("limits", Code.LIMITS_INVERTED, "a posted least over the posted most", _posted("ante", 1000, 500)),
    )
    for no in rows:
        yield refused(house, no, house.about("limits"))
    shows = "a Play that is no whole number of chips"
    yield refused(house, ("chip", Code.WAGER_NOT_IN_CHIPS, shows, put("options", chip=300)), ("P7",))
    if house is WASHINGTON:
        legal: tuple[No, ...] = (
            ("legal-ante", OVER_LEGAL, "an Ante over the legal limit", _legal(999, ANTE)),
            (
                "legal-stake",
                OVER_LEGAL,
                "Progressive over the legal limit",
                _legal(2000, 2000, progressive=2100),
            ),
            ("legal-play", OVER_LEGAL, "a Play over the legal limit", _legal(2000, 2001)),
            ("legal-aces_up", OVER_LEGAL, "Aces Up over the legal limit", _legal(2000, 2000, aces_up=2001)),
            (
                "legal-bad_beat",
                OVER_LEGAL,
                "Bad Beat over the legal limit",
                _legal(2000, 2000, bad_beat=2001),
            ),
        )
        for no in legal:
            yield refused(house, no, ("WA-BB-LIM", "R30", "R31"))


def _legal(limit: int, play: int, **wagers: int) -> Change:
    def change(line: RoundLine) -> None:
        line["options"]["limits"] = {"legal": limit}
        part(line, "wagers").update(wagers)
        part(line, "seat")["play"] = play

    return change


def unreadable_rounds() -> Iterator[KitCase]:
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


def _same_card(line: RoundLine) -> None:
    cards = part(line, "seat")["cards"].split()
    part(line, "seat")["cards"] = " ".join([*cards[:4], cards[0]])


def _dealers_card(line: RoundLine) -> None:
    line["dealer"] = part(line, "seat")["cards"][:2] + line["dealer"][2:]


def _bonus_held(line: RoundLine) -> None:
    line["bonus_card"] = part(line, "seat")["cards"][:2]


def _fewer(line: RoundLine) -> None:
    part(line, "seat")["cards"] = part(line, "seat")["cards"][:11]


def _fewer_of_dealer(line: RoundLine) -> None:
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


def _other_void(house: RulebookEdition) -> No:
    clause = "SM-IRR-1" if house is WASHINGTON else "WA-IRR-1"
    return (
        "void-other",
        Code.VOID_UNKNOWN,
        "void by another rulebook's clause",
        put("round", void=clause),
    )


def _without_bonus(wagers: RoundLine) -> Change:
    def change(line: RoundLine) -> None:
        del line["bonus_card"]
        part(line, "seat")["wagers"] = wagers

    return change


def _progressive(house: RulebookEdition) -> Iterator[KitCase]:
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
    def change(line: RoundLine) -> None:
        del line[missing]
        line["seats"] = [seat("As Ah Ad Ac 2h", 3, aces_up=ACES_UP, progressive=DOLLAR)]
        line["dealer"] = "Ks Qh 9d 7c 5s 3h"
        if "bonus_card" in line:
            line["bonus_card"] = "8d"

    return change


def _two_stakes(line: RoundLine) -> None:
    line["settings"] = {"one_denomination": True}
    part(line, "wagers")["progressive"] = DOLLAR
    part(line, "other")["wagers"]["progressive"] = 5 * DOLLAR


def _seven(line: RoundLine) -> None:
    deck = [rank + suit for rank in "AKQJT9876543" for suit in "shdc"]
    line["seats"] = [
        seat(" ".join(deck[place::7][:5]), place + 1, ante=ANTE, cover_all=SIDE, play=ANTE)
        for place in range(7)
    ]
    line["dealer"] = " ".join(deck[-6:])


PAIR = ("aces_up", "automatic_bonus")
"""The tables that carry one number in Washington (R98)."""
ROUTINES = ("by-procedure", "by-player", "lay-and-pay", "pick-and-pay")


def option_rounds() -> Iterator[KitCase]:
    """Yield every such refusal that each rulebook can lead to."""
    for house in HOUSES:
        yield from _tables(house)
    for house in OWN_WORDS:
        yield from _settings(house)
        yield from _orders(house)
        if house in WITH_METER:
            yield from _envy(house)
    yield from _own_tables()
    for table in "ABCD":
        shows = f"the Six Card table prior-{table} has odds but is never offered"
        no = (f"prior-{table}", Code.TABLE_ODDS_ONLY, shows, put("options", six_card=f"prior-{table}"))
        yield refused(PROPOSED, no, ("R10",))
    shows = "an Automatic Bonus table with another number than Aces Up"
    pair = put("options", aces_up="FCP-02", automatic_bonus="FCP-03")
    no = ("numbers", Code.TABLE_NUMBERS_DIFFER, shows, pair)
    yield refused(WASHINGTON, no, ("R98",))
    shows = "an Envy schedule where there is no progressive"
    no = ("no-envy", Code.WAGER_NOT_DESCRIBED, shows, put("options", envy="A"))
    yield refused(CATFISH_BEND, no)
    shows = "fixed awards from the meter, which the manufacturer pays from the tray"
    no = ("fixed-awards", Code.FIXED_AWARDS, shows, put("options", fixed_awards="meter"))
    yield refused(SHUFFLE_MASTER, no, SHUFFLE_MASTER.about("fixed awards"))


def _tables(house: RulebookEdition) -> Iterator[KitCase]:
    """Name a table that there is not, a wager that the rulebook does not have, or a table of one's own."""
    for name in TABLE_WAGERS:
        options = dict.fromkeys(PAIR if house is WASHINGTON and name in PAIR else (name,), "Z")
        if name not in house.offered:
            shows = f"there is no {label(name)} wager in this rulebook"
            yield refused(house, (f"no-{name}", Code.WAGER_NOT_DESCRIBED, shows, put("options", **options)))
            continue
        shows = f"there is no {label(name)} table Z"
        yield refused(house, (f"table-{name}", Code.TABLE_UNKNOWN, shows, put("options", **options)))
        own = {name: {"four_of_a_kind": "9 to 1"}}
        if name in ("six_card", "cover_all", "progressive"):
            shows = f"{label(name)} has no tables of a house's own"
            yield refused(house, (f"own-{name}", Code.OWN_TABLE_NOT_ALLOWED, shows, put("options", **own)))
    if house in (*MARYLAND, WASHINGTON, CATFISH_BEND):
        shows = "an Aces Up table of the house's own, where the printed ones hold"
        no = ("own-aces_up", Code.OWN_TABLE_NOT_ALLOWED, shows, _aces(OWN_ACES_UP))
        yield refused(house, no, house.about("own aces_up"))


def _aces(table: dict[str, str]) -> Change:
    """Give no other option than an Aces Up table of the house's own."""
    return put("round", options={"aces_up": table})


def _settings(house: RulebookEdition) -> Iterator[KitCase]:
    """Set what is no setting, to what is no value, where it is not open, or twice."""
    closed: RoundLine = {"progressive_on_fold": "live"} if house in MARYLAND else {"six_card_low_ace": False}
    named = f"{next(iter(closed))} is not open in this rulebook"
    odd = put("options", rounding="odd")
    rows: tuple[No, ...] = (
        ("setting", Code.SETTING_UNKNOWN, "a setting that does not exist", _set(luck="high")),
        ("setting-value", Code.SETTING_VALUE, "a rounding that does not exist", _set(rounding="odd")),
        ("setting-closed", Code.SETTING_CLOSED, named, _set(**closed)),
        ("rounding", Code.VALUE_UNFIT, "an option for a rounding that does not exist", odd),
    )
    for no in rows:
        yield refused(house, no)
    twice = ("rounding-twice", Code.ROUNDING_TWICE, "rounding up as a setting and down as an option", _twice)
    yield refused(house, twice, ("R33",))


def _set(**values: object) -> Change:
    return put("round", settings=values)


def _twice(line: RoundLine) -> None:
    line["settings"] = {"rounding": "up"}
    line["options"]["rounding"] = "down"


def _orders(house: RulebookEdition) -> Iterator[KitCase]:
    """Choose a routine of another rulebook, or an order that may not be."""
    rules = house.law.settlement
    foreign = next(routine for routine in ROUTINES if routine not in rules.routines.value)
    shows = f"the routine {foreign} is not one of this rulebook"
    no: No = ("routine", Code.ROUTINE_UNKNOWN, shows, put("options", routine=foreign))
    yield refused(house, no, house.about("routine"))
    first = [name for name in ("ante", "play", *house.offered) if name != "cover_all"]
    last = [name for name in ("cover_all",) if name in house.offered]
    envy = ["envy"] if house in WITH_METER else []
    if not rules.house_order.value:
        orders = {"order": (Code.HOUSE_ORDER, "an order of the house's own", [*first, *envy])}
    else:
        orders = {
            "order-part": (Code.HOUSE_ORDER_INCOMPLETE, "a house order without the Play", ["ante"]),
            "order-envy": (Code.HOUSE_ORDER_ENDS, "a house order with Envy first", [*envy, *first, *last]),
        }
    if house is MASSACHUSETTS:
        order = [*last, *first, *envy]
        orders["order-cover_all"] = (Code.HOUSE_ORDER_ENDS, "a house order with Cover All first", order)
    for name, (code, shows, order) in orders.items():
        no = (name, code, shows, put("options", order=order))
        yield refused(house, no, house.about("house order", "last wagers"))


def _envy(house: RulebookEdition) -> Iterator[KitCase]:
    """Name an Envy schedule that does not exist, or, outside Maryland, that of another paytable."""
    no: No = ("envy", Code.ENVY_UNKNOWN, "there is no Envy schedule Z", put("options", envy="Z"))
    yield refused(house, no)
    if house in MARYLAND:
        return
    one, other = ("1", "2") if house in (SHUFFLE_MASTER, WASHINGTON) else ("A", "B")
    shows = f"Envy schedule {other} beside the progressive table {one}"
    no = ("envy-pair", Code.ENVY_UNPAIRED, shows, put("options", progressive=one, envy=other))
    yield refused(house, no, ("R67",))


def _own_tables() -> Iterator[KitCase]:
    """Write tables that no house may have: too low, not whole, of other hands, or quoted in another way."""
    low = {**OWN_ACES_UP, "two_pair": "3 to 2"}
    some = {row: odds for row, odds in OWN_ACES_UP.items() if row != "two_pair"}
    foreign = {**OWN_ACES_UP, "full_house": "9 to 1"}
    quoted = {**OWN_ACES_UP, "two_pair": "3 for 1"}
    for house in (MASSACHUSETTS, SHUFFLE_MASTER):
        rows: list[No] = [
            ("own-row", Code.OWN_TABLE_ROW_FOREIGN, "Aces Up with a row for a full house", _aces(foreign)),
            ("own-part", Code.OWN_TABLE_ROW_MISSING, "Aces Up without a row for two pair", _aces(some)),
            ("own-kind", Code.OWN_TABLE_KIND, "Aces Up with odds of 3 for 1", _aces(quoted)),
            ("own-empty", Code.OWN_TABLE_EMPTY, "an Aces Up table without rows", _aces({})),
            ("own-odds", Code.ODDS_MALFORMED, "odds that mean nothing", _aces({"flush": "6 by 1"})),
        ]
        if house is MASSACHUSETTS:
            shows = "an Aces Up table under every printed one"
            rows.append(("own-floor", Code.OWN_TABLE_UNDER_FLOOR, shows, _aces(low)))
        for no in rows:
            yield refused(house, no, house.about("own aces_up"))
