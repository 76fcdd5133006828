"""Rounds in which a player folds: what each wager then does, alone and beside the others, and Envy."""

from collections.abc import Iterator

from fourcard.rules.nodes import TableWager, WagerName
from fourcard.rules.paytables import paytable
from fourcard.rules.rulebook import Wager
from tests.second.hands import best_five
from tools.kit.cards import FOUR_CARD_HANDS, SIX_CARDS, Deal, best_is, weak, weak_with
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    HOUSES,
    MASSACHUSETTS,
    METER,
    RESET,
    SIDE,
    WITH_METER,
    Case,
    House,
    Line,
    label,
    seat,
    winnings,
)

STAKES: dict[TableWager, int] = {
    "aces_up": ACES_UP,
    "bad_beat": SIDE,
    "six_card": SIDE,
    "cover_all": SIDE,
    "progressive": DOLLAR,
}
TRIPS, STRAIGHT_FLUSH = "Ks Kh Kd", "6c 5c 4c 3c"


def fold_rounds() -> Iterator[Case]:
    """Yield the folds of every rulebook."""
    for house in HOUSES:
        yield _ante(house, FOUR_CARD_HANDS["four_of_a_kind"][0], "four of a kind")
        yield _ante(house, "", "a weak hand")
        for holding in ("winner", "loser"):
            for name in house.side_wagers:
                yield _fold(house, f"fold-{name}-{holding}", _needed(house, name), holding, name)
            yield _fold(house, f"fold-all-{holding}", house.side_wagers, holding, None)
    for house in WITH_METER:
        yield _envy_kept(house)
        yield from _no_envy_for_a_fold(house)
    yield from _cover_all()


def _ante(house: House, held: str, named: str) -> Case:
    key = "fold-ante-winner" if held else "fold-ante-loser"
    deal = Deal(f"{house.code} {key}")
    cards = deal.hand(held) if held else deal.weak()
    return house.case(
        (
            key,
            f"{named} is folded: the Ante is lost, and there is no Automatic Bonus",
            house.about("fold ante", "bonus on a fold"),
        ),
        [seat(cards, ante=ANTE, play=0)],
        deal.dealer(),
        options=house.options("automatic_bonus"),
        nets={(1, "ante"): -ANTE, (1, "automatic_bonus"): 0},
    )


def _needed(house: House, name: TableWager) -> tuple[TableWager, ...]:
    """Return a wager and those that must stand beside it and the Ante."""
    required = house.wager(name).requires_all
    also = tuple(other for other in STAKES if required is not None and other in required.value)
    return (*also, name)


def _fold(
    house: House, key: str, names: tuple[TableWager, ...], holding: str, about: TableWager | None
) -> Case:
    """Fold three of a kind, or a weak hand, with some side wagers placed."""
    deal = Deal(f"{house.code} {key}")
    bonus = deal.named("2s")[0] if "six_card" in names else None
    if holding == "winner":
        trips, dealt = deal.named(TRIPS), deal.named(STRAIGHT_FLUSH)
        cards = deal.completed(trips, 5, best_is(trips))
        dealer = deal.completed(dealt, SIX_CARDS, best_is(dealt))
        hand = "three of a kind"
    else:
        cards = deal.completed([], 5, weak_with(bonus) if bonus else weak)
        dealer, hand = deal.weak(SIX_CARDS), "a weak hand"
    options = house.options(*names)
    nets: dict[tuple[int, WagerName], int] = {(1, "ante"): -ANTE}
    for name in names:
        live = holding == "winner" and name in ("aces_up", "six_card", "cover_all")
        nets[1, name] = (
            _won(house, options, name, [*cards.split(), *filter(None, [bonus])]) if live else -STAKES[name]
        )
    what = f"with {label(about)}" if about else "with every side wager"
    clauses = house.about("fold ante", *(f"fold {name}" for name in names))
    return house.case(
        (key, f"{hand} is folded {what}: {_fate(house, about, holding)}", clauses),
        [seat(cards, ante=ANTE, **{name: STAKES[name] for name in names}, play=0)],
        dealer,
        options=options,
        nets=nets,
        bonus_card=bonus,
        **_meter(names),
    )


def _meter(names: tuple[TableWager, ...]) -> Line:
    return {"meter": METER, "reset": RESET} if "progressive" in names else {}


def _fate(house: House, about: TableWager | None, holding: str) -> str:
    """Say what becomes of a wager after a fold."""
    if about is None:
        return "each wager goes its own way"
    rules = house.book.wager(about)
    live = isinstance(rules, Wager) and rules.on_fold is not None and rules.on_fold.value == "live"
    if not live:
        return f"{label(about)} is lost"
    return f"{label(about)} stays in play and {'wins' if holding == 'winner' else 'loses'}"


def _won(house: House, options: Line, name: TableWager, cards: list[str]) -> int:
    """Return what a wager that survives a fold wins: by own trips, or by the dealer's straight flush."""
    if name == "cover_all":
        rules = house.book.wagers.cover_all
        column = rules.column(1) if rules is not None else None
        assert column is not None
        return winnings(column.pays["straight_flush"], STAKES[name])
    table = paytable(house.book, name, options[name])
    row = "full_house" if name == "six_card" and best_five(cards) == "full_house" else "three_of_a_kind"
    return winnings({str(row): odds for row, odds in table.pays.items()}[row], STAKES[name])


def _envy_kept(house: House) -> Case:
    key = "fold-envy-kept"
    deal = Deal(f"{house.code} {key}")
    held = deal.hand("Js Jh Jd Jc")
    return house.case(
        (key, "who folded keeps the right to Envy for another's four of a kind", house.about("fold envy")),
        [
            seat(deal.weak(), 1, ante=ANTE, progressive=DOLLAR, play=0),
            seat(held, 3, ante=ANTE, progressive=DOLLAR, play=ANTE),
        ],
        deal.dealer(),
        options=house.options("aces_up", "progressive"),
        nets={(1, "ante"): -ANTE, (1, "progressive"): -DOLLAR, (1, "envy"): 1000},
        meter=METER,
        reset=RESET,
    )


def _no_envy_for_a_fold(house: House) -> Iterator[Case]:
    """Fold four of a kind: with Aces Up the hand is kept, yet nobody has Envy for it either way."""
    for kept in (False, True):
        key = f"fold-no-envy{'-kept' * kept}"
        deal = Deal(f"{house.code} {key}")
        held, aces_up = deal.hand("Js Jh Jd Jc"), {"aces_up": ACES_UP} if kept else {}
        yield house.case(
            (key, f"a folded four of a kind{', kept for Aces Up,' * kept} brings nobody Envy", ("R51",)),
            [
                seat(deal.weak(), 1, ante=ANTE, progressive=DOLLAR, play=ANTE),
                seat(held, 3, ante=ANTE, progressive=DOLLAR, play=0, **aces_up),
            ],
            deal.dealer(),
            options=house.options("aces_up", "progressive"),
            nets={(1, "envy"): 0, (3, "progressive"): -DOLLAR},
            meter=METER,
            reset=RESET,
        )


def _cover_all() -> Iterator[Case]:
    """Fold the best hand of the table: it counts for Cover All only where Aces Up keeps it (R43)."""
    house, rules = MASSACHUSETTS, MASSACHUSETTS.book.wagers.cover_all
    assert rules is not None
    for kept in (False, True):
        for own in (False, True):
            key = f"fold-cover_all-{'own' if own else 'other'}-{'kept' if kept else 'mucked'}"
            deal = Deal(key)
            strong, aces_up = deal.hand("Js Jh Jd Jc"), {"aces_up": ACES_UP} if kept else {}
            bettor = {"ante": ANTE, "cover_all": SIDE}
            seats = [seat(deal.weak(), 2, **(bettor if not own else {"ante": ANTE}), play=ANTE)]
            seats += [seat(strong, 6, **(bettor if own else {"ante": ANTE}), **aces_up, play=0)]
            odds = rules.columns["3"].pays["four_of_a_kind"]
            whose = "the bettor's own" if own else "another player's"
            yield house.case(
                (
                    key,
                    f"Cover All, {whose} folded four of a kind "
                    + (f"is kept for Aces Up and pays {odds}" if kept else "is mucked and does not count"),
                    ("MA-12b", "MA-12e.1", "R43", "R44"),
                ),
                seats,
                deal.weak(SIX_CARDS),
                options=house.options("aces_up", "cover_all"),
                nets={(6 if own else 2, "cover_all"): winnings(odds, SIDE) if kept else -SIDE},
            )
