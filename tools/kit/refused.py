"""Rounds that must be refused for what is wagered and by whom; each is a valid round with one change."""

from collections.abc import Callable, Iterator
from typing import Any

from fourcard.refusals import Code
from tools.kit.cards import SIX_CARDS, Deal
from tools.kit.case import (
    ACES_UP,
    ANTE,
    CATFISH_BEND,
    DOLLAR,
    METER,
    OWN_WORDS,
    RESET,
    SIDE,
    WASHINGTON,
    WITH_METER,
    Case,
    House,
    Line,
    label,
    seat,
)

Change = Callable[[Line], object]
No = tuple[str, Code, str, Change]
"""A short name, the refusal, what it shows, and what makes it so."""
TEN_BILLION_DOLLARS = 10**12
OVER_LEGAL = Code.WAGER_ABOVE_LEGAL_LIMIT


def refused(house: House, no: No, clauses: tuple[str, ...] = ()) -> Case:
    """Return a valid round that one change makes one to be refused."""
    name, code, shows, change = no
    deal = Deal(f"{house.code} no {name}")
    more: Line = {"meter": METER, "reset": RESET} if house in WITH_METER else {}
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


def part(line: Line, where: str) -> Line:
    """Return a part of a round: the round, its options, a seat or the first seat's wagers."""
    seats = line["seats"]
    parts = {"round": line, "options": line["options"], "seat": seats[0], "other": seats[1]}
    found: Line = parts[where] if where in parts else seats[0][where]
    return found


def put(where: str, **values: Any) -> Change:
    """Write values into a part of a round."""
    return lambda line: part(line, where).update(values)


def cut(where: str, key: str) -> Change:
    """Leave a key out of a part of a round."""
    return lambda line: part(line, where).pop(key)


def refused_rounds() -> Iterator[Case]:
    """Yield every such refusal that each rulebook can lead to."""
    for house in OWN_WORDS:
        yield from _plays(house)
        yield from _wagers(house)
        yield from _players(house)
        yield from _limits(house)


def _plays(house: House) -> Iterator[Case]:
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


def _wagers(house: House) -> Iterator[Case]:
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
            alone: Line = {"wagers": {name: DOLLAR}}
            if name == "six_card":
                alone = {"wagers": {"ante": ANTE, name: SIDE}, "play": ANTE}
            no = (f"needs-{name}", Code.PREREQUISITE_MISSING, shows, put("other", **alone))
            yield refused(house, no, house.about(f"needs {name}"))


def _not_offered(name: str) -> Change:
    def change(line: Line) -> None:
        del line["options"][name]
        also = {"aces_up": ACES_UP} if name == "six_card" else {}
        part(line, "other").update(wagers={"ante": ANTE, **also, name: DOLLAR}, play=ANTE)

    return change


def _seated(*positions: int) -> Change:
    """Seat one player at some positions."""

    def change(line: Line) -> None:
        taken = [*line["dealer"].split(), line.get("bonus_card")]
        free = [rank + suit for suit in "shdc" for rank in "A9753K8642" if rank + suit not in taken]
        line["seats"] = [
            seat(" ".join(free[5 * place : 5 * place + 5]), position, player="p1", aces_up=ACES_UP)
            for place, position in enumerate(positions)
        ]

    return change


def _players(house: House) -> Iterator[Case]:
    """Sit where nobody may, or where one player may not sit twice, or leave."""
    for position in (0, 8):
        shows = f"there is no position {position}"
        no = (f"position-{position}", Code.POSITION_UNKNOWN, shows, _seated(position))
        yield refused(house, no, house.about("table"))
    rules = house.book.positions
    if rules.adjacent is not None:
        shows = "two positions of one player that are not next to each other"
        apart = ("apart", Code.POSITIONS_NOT_ADJACENT, shows, _seated(2, 5))
        yield refused(house, apart, house.about("positions"))
    if rules.per_player is not None:
        three = ("three", Code.TOO_MANY_POSITIONS, "three positions of one player", _seated(2, 3, 4))
        yield refused(house, three, house.about("positions"))
    if not house.book.leaving_may_lose_wagers.value:
        shows = "a player who left, whose wagers may not be taken here"
        yield refused(house, ("left", Code.LEAVING, shows, put("seat", left=True)), house.about("leaving"))


def _posted(name: str, least: int, most: int) -> Change:
    return put("options", limits={"posted": {name: {"least": least, "most": most}}})


def _limits(house: House) -> Iterator[Case]:
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
    def change(line: Line) -> None:
        line["options"]["limits"] = {"legal": limit}
        part(line, "wagers").update(wagers)
        part(line, "seat")["play"] = play

    return change
