"""Rounds that must be refused for their options or settings: tables, orders and policies not to be had."""

from collections.abc import Iterator

from fourcard.refusals import Code
from fourcard.rules.nodes import TABLE_WAGERS
from tools.kit.case import (
    CATFISH_BEND,
    HOUSES,
    MARYLAND,
    MASSACHUSETTS,
    OWN_WORDS,
    PROPOSED,
    SHUFFLE_MASTER,
    WASHINGTON,
    WITH_METER,
    Case,
    House,
    Line,
    label,
)
from tools.kit.own import OWN_ACES_UP
from tools.kit.refused import Change, No, put, refused

PAIR = ("aces_up", "automatic_bonus")
"""The tables that carry one number in Washington (R98)."""
ROUTINES = ("by-procedure", "by-player", "lay-and-pay", "pick-and-pay")


def option_rounds() -> Iterator[Case]:
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


def _tables(house: House) -> Iterator[Case]:
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


def _settings(house: House) -> Iterator[Case]:
    """Set what is no setting, to what is no value, where it is not open, or twice."""
    closed: Line = {"progressive_on_fold": "live"} if house in MARYLAND else {"six_card_low_ace": False}
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


def _twice(line: Line) -> None:
    line["settings"] = {"rounding": "up"}
    line["options"]["rounding"] = "down"


def _orders(house: House) -> Iterator[Case]:
    """Choose a routine of another rulebook, or an order that may not be."""
    rules = house.book.settlement
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


def _envy(house: House) -> Iterator[Case]:
    """Name an Envy schedule that does not exist, or that belongs to another paytable."""
    no: No = ("envy", Code.ENVY_UNKNOWN, "there is no Envy schedule Z", put("options", envy="Z"))
    yield refused(house, no)
    one, other = ("1", "2") if house in (SHUFFLE_MASTER, WASHINGTON) else ("A", "B")
    shows = f"Envy schedule {other} beside the progressive table {one}"
    no = ("envy-pair", Code.ENVY_UNPAIRED, shows, put("options", progressive=one, envy=other))
    yield refused(house, no, ("R67",))


def _own_tables() -> Iterator[Case]:
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
