"""Rounds that come to nothing: void by each clause that voids, and in Maryland a player who leaves."""

from collections.abc import Iterator

from fourcard.rules.clauses import ledger
from tools.kit.cards import SIX_CARDS, Deal, best_is
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    HOUSES,
    MARYLAND,
    METER,
    PROPOSED,
    RESET,
    SIDE,
    WITH_METER,
    Case,
    House,
    Line,
    seat,
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


def void_rounds() -> Iterator[Case]:
    """Yield every void clause of every rulebook, in one state of the round or another, and who leaves."""
    for house in HOUSES:
        clauses = voiding(house)
        first = next(clause for clause in clauses if clause in MISCOUNTED)
        yield from (_void(house, clause, _state(clause)) for clause in clauses)
        yield from (_void(house, first, state) for state in (WHOLE, UNDECIDED))
    for house in MARYLAND:
        yield from _left(house)


def voiding(house: House) -> tuple[str, ...]:
    """Return the clauses of a rulebook that make a round void."""
    mine = [clause for clause in ledger().values() if clause.source == house.book.source]
    return tuple(clause.id for clause in mine if "void" in clause.figures.get("outcome", "").split(","))


def _state(clause: str) -> str:
    """Return when a round becomes void by a clause."""
    if clause in MISCOUNTED:
        return MISDEALT
    return WHOLE if ledger()[clause].topic == "stub-count" else UNDECIDED


def _void(house: House, clause: str, state: str) -> Case:
    """Return a void round: one who folded, one in play, and nobody gains or loses."""
    number = STATES.index(state) + 1
    deal = Deal(f"{house.code} void {clause} {number}")
    decided = state == WHOLE
    strong, other = deal.hand("Js Jh Jd Jc"), deal.weak()
    wagers: Line = {"ante": ANTE, "aces_up": ACES_UP}
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


def _left(house: House) -> Iterator[Case]:
    """Take the wagers of a player who left, whatever the hand; Envy is neither won nor brought by it."""
    six = house is PROPOSED
    wagers: Line = {
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
        deal = Deal(f"{house.code} left {name}")
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
    deal = Deal(f"{house.code} left alone")
    yield house.case(
        ("left-aces_up", "a player with Aces Up alone leaves, holding a winner", house.about("leaving")),
        [seat(deal.hand("9s 8h 7d 6c"), 6, aces_up=ACES_UP, left=True)],
        deal.dealer(),
        options=house.options("aces_up"),
        nets={(6, "aces_up"): -ACES_UP},
    )
