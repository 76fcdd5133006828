"""Kit rounds about the contest, folds, and players with several positions."""

from collections.abc import Iterator, Sequence
from typing import Any

from fourcard.money import dollars
from fourcard.rules.paytables import paytable, selectable_tables
from fourcard.rules.rulebook import Wager
from fourcard.wagers import TableWager, WagerName
from tests.second.hands import SUIT_NAMES, SUITS, best_five
from tools.kit.cards import (
    FOUR_CARD_HANDS,
    SIX_CARDS,
    KitDeal,
    above,
    below,
    best_is,
    same_kind,
    weak,
    weak_with,
)
from tools.kit.case import (
    ACES_UP,
    ANTE,
    DOLLAR,
    HOUSES,
    MASSACHUSETTS,
    METER,
    OWN_WORDS,
    PROPOSED,
    RESET,
    SIDE,
    WITH_METER,
    KitCase,
    Nets,
    RoundLine,
    RulebookEdition,
    Said,
    label,
    seat,
    winnings,
    words,
)

SAME_CATEGORY = {
    "high_card": ("Ks Jh 8d 5c", "Kd Jc 8s 4h"),
    "pair": ("9s 9h Kd Jc", "9d 9c Kh Ts"),
    "two_pair": ("Js Jh 7d 7c", "Jd Jc 6s 6h"),
    "straight": ("5s 4h 3d 2c", "4s 3h 2d Ac"),
    "flush": ("As 9s 7s 3s", "Ah 9h 7h 2h"),
    "three_of_a_kind": ("8s 8h 8d", "7s 7h 7d"),
    "straight_flush": ("As Ks Qs Js", "Kh Qh Jh Th"),
    "four_of_a_kind": ("6s 6h 6d 6c", "5s 5h 5d 5c"),
}
"""A higher and a lower hand of each category, as close together as one deck allows."""
TIES = {
    "high_card": ("Ks Jh 8d 5c", "Kh Js 8c 5d"),
    "pair": ("9s 9h Kd Jc", "9d 9c Kh Js"),
    "two_pair": ("Js Jh 7d 7c", "Jd Jc 7s 7h"),
    "straight": ("4s 3h 2d Ac", "4h 3d 2c As"),
    "flush": ("As 9s 7s 3s", "Ah 9h 7h 3h"),
    "straight_flush": ("8s 7s 6s 5s", "8h 7h 6h 5h"),
}
"""Equal hands; three and four of a kind cannot tie in one deck."""
RANKING = (
    ("a pair beats the best high card", "2s 2h 3d 4c", "As Kh Qd Tc"),
    ("two pair beats a pair of aces", "3s 3h 2d 2c", "As Ah Kd Qc"),
    ("a straight beats two pair", "4s 3h 2d As", "Ah Ad Kc Ks"),
    ("a flush beats a straight", "7s 5s 3s 2s", "Ah Kd Qc Jh"),
    ("three of a kind beats a flush", "2h 2d 2c 5h", "As Ks Qs Ts"),
    ("a straight flush beats three of a kind", "4s 3s 2s As", "Ah Ad Ac 7h"),
    ("four of a kind beats a straight flush", "2s 2h 2d 2c", "As Ks Qs Js"),
)
"""The lowest hand of each category beside the highest of the one under it."""
READINGS = (
    ("a pair of kings beats a pair of twos with an ace", "Ks Kh 4d 3c 8s", "2s 2h Ad Qc 9d 7c", "R20"),
    ("5-4-3-2 beats 4-3-2-A, whose ace is low", "5h 4s 3c 2d", "4d 3s 2h As", "R20"),
    ("3-2-A-K is no straight: a pair beats it", "5s 5h 8d 9c Jd", "Kd Ac 2h 3s 9d 7c", "R23"),
    ("two pair is decided by the second pair", "Ts Th 5d 5c", "Td Tc 4s 4h", "R24"),
)
SIZES = {"1": 1000, "1.5": 1500, "2": 2000, "3": 3000}
Hands = tuple[str, str]


def contest_rounds() -> Iterator[KitCase]:
    """Yield the rounds of every rulebook."""
    for house in HOUSES:
        yield from _ties(house)
        yield from _plays(house)
        yield from _beaten_bonus(house)
    for house in OWN_WORDS:
        yield from _categories(house)
        yield from _ranking(house)


def _categories(house: RulebookEdition) -> Iterator[KitCase]:
    """Win and lose within every category."""
    for category, (high, low) in SAME_CATEGORY.items():
        name = words(category)
        won = (
            f"win-{category}",
            f"the player's higher {name} wins even money",
            house.about("pays"),
        )
        lost = (
            f"loss-{category}",
            f"the player's lower {name} loses both",
            house.about("beaten"),
        )
        yield _contest(house, won, (high, low), exact=True, wins=True)
        yield _contest(house, lost, (low, high), exact=True, wins=False)


def _ties(house: RulebookEdition) -> Iterator[KitCase]:
    """Tie in every category that can; the player wins."""
    for category, hands in TIES.items():
        shows = f"a tie, {words(category)} against the same: the player wins"
        tied = (f"tie-{category}", shows, house.about("ties"))
        yield _contest(house, tied, hands, exact=True, wins=True)


def _ranking(house: RulebookEdition) -> Iterator[KitCase]:
    """Set the categories one above the other, and show how doubtful points of the ranking are read."""
    order = house.about("ranking")
    for place, (shows, high, low) in enumerate(RANKING, 1):
        yield _contest(house, (f"rank-{place}", shows, order), (high, low), exact=False, wins=True)
    for place, (shows, high, low, ruling) in enumerate(READINGS, 1):
        said = (f"reading-{place}", shows, (*order, ruling))
        yield _contest(house, said, (high, low), exact=True, wins=True)


def _contest(
    house: RulebookEdition, said: tuple[str, str, tuple[str, ...]], hands: Hands, *, exact: bool, wins: bool
) -> KitCase:
    """Return a round of Ante and Play in which two hands meet, the player's first."""
    key, shows, clauses = said
    deal = KitDeal(f"{house.code} {key}")
    player, dealer = map(deal.named, hands)
    fits = best_is if exact else same_kind
    cards = deal.completed(player, 5, fits(player))
    other = deal.completed(dealer, SIX_CARDS, fits(dealer))
    play = ANTE * int(deal.pick("123"))
    sign = 1 if wins else -1
    return house.case(
        (key, shows, clauses),
        [seat(cards, ante=ANTE, play=play)],
        other,
        nets={(1, "ante"): sign * ANTE, (1, "play"): sign * play},
    )


def _plays(house: RulebookEdition) -> Iterator[KitCase]:
    """Play every size that the rulebook allows, from the least to the most."""
    rules = house.law.wagers.play
    most = max(SIZES.values())
    for times, play in SIZES.items():
        if rules.whole_multiples.value and play % ANTE:
            continue
        for result in ("wins", "loses") if play == most else ("wins",):
            key = f"play-{times}-{result}"
            deal = KitDeal(f"{house.code} {key}")
            cards = deal.hand("Ts Th Qd 5c")
            dealer = deal.dealer(below(cards, "pair") if result == "wins" else above(cards))
            sign = 1 if result == "wins" else -1
            yield house.case(
                (key, f"a Play of {times} times the Ante {result}", house.about("play", "pays")),
                [seat(cards, ante=ANTE, play=play)],
                dealer,
                nets={(1, "ante"): sign * ANTE, (1, "play"): sign * play},
            )


def _beaten_bonus(house: RulebookEdition) -> Iterator[KitCase]:
    """Pay the Automatic Bonus on hands that lose to the dealer, and on a tie."""
    table_id = selectable_tables(house.law, "automatic_bonus")[0]
    table = paytable(house.law, "automatic_bonus", table_id)
    clauses = house.about("bonus on a loss")
    hands = {
        "three_of_a_kind": ("8s 8h 8d", "9s 9h 9d", "is beaten and"),
        "straight_flush": ("6s 5s 4s 3s", "2s 2h 2d 2c", "is beaten and"),
        "four_of_a_kind": ("3s 3h 3d 3c", "4s 4h 4d 4c", "is beaten and"),
        "tie": ("9s 8s 7s 6s", "9h 8h 7h 6h", "ties and"),
    }
    for row, (low, high, how) in hands.items():
        deal = KitDeal(f"{house.code} beaten {row}")
        player, dealer = deal.named(low), deal.named(high)
        cards = deal.completed(player, 5, best_is(player))
        other = deal.completed(dealer, SIX_CARDS, best_is(dealer))
        paid = {str(name): odds for name, odds in table.pays.items()}
        odds = paid[row if row in paid else "straight_flush"]
        net = ANTE if row == "tie" else -ANTE
        yield house.case(
            (
                f"bonus-beaten-{row}",
                f"{words(row if row in paid else 'straight_flush')} {how} has its Automatic Bonus of {odds}",
                clauses,
            ),
            [seat(cards, ante=ANTE, play=3 * ANTE)],
            other,
            options={"automatic_bonus": table_id},
            nets={(1, "ante"): net, (1, "automatic_bonus"): winnings(odds, ANTE)},
        )


STAKES: dict[TableWager, int] = {
    "aces_up": ACES_UP,
    "bad_beat": SIDE,
    "six_card": SIDE,
    "cover_all": SIDE,
    "progressive": DOLLAR,
}
TRIPS, STRAIGHT_FLUSH = "Ks Kh Kd", "6c 5c 4c 3c"


def fold_rounds() -> Iterator[KitCase]:
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
    yield from _fold_cover_all()


def _ante(house: RulebookEdition, held: str, named: str) -> KitCase:
    key = "fold-ante-winner" if held else "fold-ante-loser"
    deal = KitDeal(f"{house.code} {key}")
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


def _needed(house: RulebookEdition, name: TableWager) -> tuple[TableWager, ...]:
    """Return a wager and those that must stand beside it and the Ante."""
    required = house.wager(name).requires_all
    also = tuple(other for other in STAKES if required is not None and other in required.value)
    return (*also, name)


def _fold(
    house: RulebookEdition, key: str, names: tuple[TableWager, ...], holding: str, about: TableWager | None
) -> KitCase:
    """Fold three of a kind, or a weak hand, with some side wagers placed."""
    deal = KitDeal(f"{house.code} {key}")
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


def _meter(names: tuple[TableWager, ...]) -> RoundLine:
    return {"meter": METER, "reset": RESET} if "progressive" in names else {}


def _fate(house: RulebookEdition, about: TableWager | None, holding: str) -> str:
    """Say what becomes of a wager after a fold."""
    if about is None:
        return "each wager goes its own way"
    rules = house.law.wager(about)
    live = isinstance(rules, Wager) and rules.on_fold is not None and rules.on_fold.value == "live"
    if not live:
        return f"{label(about)} is lost"
    return f"{label(about)} stays in play and {'wins' if holding == 'winner' else 'loses'}"


def _won(house: RulebookEdition, options: RoundLine, name: TableWager, cards: list[str]) -> int:
    """Return what a wager that survives a fold wins: by own trips, or by the dealer's straight flush."""
    if name == "cover_all":
        rules = house.law.wagers.cover_all
        column = rules.column(1) if rules is not None else None
        assert column is not None
        return winnings(column.pays["straight_flush"], STAKES[name])
    table = paytable(house.law, name, options[name])
    row = "full_house" if name == "six_card" and best_five(cards) == "full_house" else "three_of_a_kind"
    return winnings({str(row): odds for row, odds in table.pays.items()}[row], STAKES[name])


def _envy_kept(house: RulebookEdition) -> KitCase:
    key = "fold-envy-kept"
    deal = KitDeal(f"{house.code} {key}")
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


def _no_envy_for_a_fold(house: RulebookEdition) -> Iterator[KitCase]:
    """Fold four of a kind: with Aces Up the hand is kept, yet nobody has Envy for it either way."""
    for kept in (False, True):
        key = f"fold-no-envy{'-kept' * kept}"
        deal = KitDeal(f"{house.code} {key}")
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


def _fold_cover_all() -> Iterator[KitCase]:
    """Fold the best hand of the table: it counts for Cover All only where Aces Up keeps it (R43)."""
    house, rules = MASSACHUSETTS, MASSACHUSETTS.law.wagers.cover_all
    assert rules is not None
    for kept in (False, True):
        for own in (False, True):
            key = f"fold-cover_all-{'own' if own else 'other'}-{'kept' if kept else 'mucked'}"
            deal = KitDeal(key)
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


QUADS, RUN, NOTHING = "Js Jh Jd Jc", "8s 7s 6s 5s", ""


def people_rounds() -> Iterator[KitCase]:
    """Yield the rounds of every rulebook."""
    for house in HOUSES:
        yield _two_positions(house)
    for house in OWN_WORDS:
        if house in WITH_METER:
            yield from _envies(house)
    yield from _people_cover_all()
    yield from _six_card()


def _two_positions(house: RulebookEdition) -> KitCase:
    deal = KitDeal(f"{house.code} two positions")
    positions = (3, 4) if house.law.positions.adjacent is not None else (2, 6)
    seats = [
        seat(deal.weak(), positions[0], player="p1", ante=ANTE, play=ANTE),
        seat(deal.weak(), positions[1], player="p1", aces_up=ACES_UP),
    ]
    where = "next to each other" if positions == (3, 4) else "anywhere"
    said = ("two-positions", f"one player bets at two positions, {where}", house.about("positions"))
    return house.case(said, seats, deal.dealer(), options=house.options("aces_up"))


Person = tuple[int, str | None, str, int]
"""Position, player, hand and progressive stake; no stake is no wager."""


def _envy_round(
    house: RulebookEdition,
    said: Said,
    people: Sequence[Person],
    paid: dict[int, int],
    **more: Any,
) -> KitCase:
    """Return a round of some people at one meter, and the Envy that each position is paid."""
    deal = KitDeal(f"{house.code} {said[0]}")
    named = {position: deal.named(text) for position, _, text, _ in people}
    dealer = str(more.pop("dealer", ""))
    six = deal.named(dealer)
    hands = {place: deal.completed(cards, 5, best_is(cards)) for place, cards in named.items() if cards}
    seats = []
    for position, player, _, stake in people:
        line = seat(hands.get(position) or deal.weak(), position, aces_up=ACES_UP)
        if stake:
            line["wagers"]["progressive"] = stake
        seats.append(line if player is None else {**line, "player": player})
    nets: Nets = {(position, "envy"): amount for position, amount in paid.items()}
    other = deal.completed(six, SIX_CARDS, best_is(six)) if six else deal.weak(SIX_CARDS)
    options = house.options("aces_up", "progressive")
    return house.case(said, seats, other, options=options, nets=nets, meter=METER, reset=RESET)


def _envies(house: RulebookEdition) -> Iterator[KitCase]:
    """Pay Envy by person, by hand and by the receiver's stake."""
    quads, run = 1000, 500
    once, five = DOLLAR, 5 * DOLLAR
    several, own = house.about("envy several"), house.about("envy own")
    yield _envy_round(
        house,
        ("envy-own-position", "no Envy for a hand at one's own other position; another player has it", own),
        ((3, "p1", QUADS, once), (4, "p1", NOTHING, once), (6, "p2", NOTHING, once)),
        {3: 0, 4: 0, 6: quads},
    )
    yield _envy_round(
        house,
        ("envy-both-positions", "both positions of one player have Envy for another's hand", own),
        ((1, "p1", NOTHING, once), (2, "p1", NOTHING, five), (5, "p2", QUADS, once)),
        {1: quads, 2: 5 * quads, 5: 0},
    )
    yield _envy_round(
        house,
        ("envy-several", "two qualifying hands pay everybody twice, and each holder once", several),
        ((1, None, NOTHING, once), (2, None, QUADS, once), (5, None, RUN, once), (7, None, NOTHING, once)),
        {1: quads + run, 2: run, 5: quads, 7: quads + run},
    )
    yield _envy_round(
        house,
        (
            "envy-without-wager",
            "a holder without a progressive wager brings Envy and has none",
            house.about("envy receiver"),
        ),
        ((1, None, NOTHING, once), (2, None, QUADS, 0), (4, None, RUN, once)),
        {1: quads + run, 2: 0, 4: quads},
    )
    yield _envy_round(
        house,
        ("envy-stakes", "Envy follows the receiver's stake, not the holder's", several),
        ((1, None, NOTHING, five), (2, None, QUADS, once), (4, None, NOTHING, once)),
        {1: 5 * quads, 2: 0, 4: quads},
    )
    yield _envy_round(
        house,
        ("envy-dealer", "no Envy for the dealer's four of a kind", house.about("envy dealer")),
        ((1, None, NOTHING, once), (2, None, NOTHING, once)),
        {1: 0, 2: 0},
        dealer="Qs Qh Qd Qc",
    )


def _people_cover_all() -> Iterator[KitCase]:
    """Let hands meet whose order in the Cover All table is not that of the game (R25)."""
    house, rules = MASSACHUSETTS, MASSACHUSETTS.law.wagers.cover_all
    assert rules is not None
    royal, quads, run = "As Ks Qs Js", "9s 9h 9d 9c", "Kh Qh Jh Th"
    meetings = {
        "royal-quads": (royal, quads, "a royal flush goes before the dealer's four of a kind", "royal_flush"),
        "quads-royal": (quads, royal, "the dealer's royal flush goes before four of a kind", "royal_flush"),
        "quads-run": (quads, run, "four of a kind goes before a straight flush", "four_of_a_kind"),
        "run-royal": (run, royal, "a royal flush goes before another straight flush", "royal_flush"),
        "trips-trips": ("Ah Ad Ac", "9s 9h 9d", "the row of two hands is paid once", "three_of_a_kind"),
    }
    for name, (own, dealt, shows, row) in meetings.items():
        deal = KitDeal(f"cover all {name}")
        named = [deal.named(own), deal.named(dealt)]
        cards, dealer = (deal.completed(each, 5 + place, best_is(each)) for place, each in enumerate(named))
        odds = {str(each): text for each, text in rules.columns["3"].pays.items()}[row]
        yield house.case(
            (f"cover_all-{name}", f"Cover All, {shows} and pays {odds}", ("MA-12g", "MA-12k-3", "R25")),
            [
                seat(cards, 1, ante=ANTE, cover_all=SIDE, play=ANTE),
                seat(deal.weak(), 4, aces_up=ACES_UP, cover_all=2 * SIDE),
            ],
            dealer,
            options=house.options("aces_up", "cover_all"),
            nets={(1, "cover_all"): winnings(odds, SIDE), (4, "cover_all"): winnings(odds, 2 * SIDE)},
        )


def _six_card() -> Iterator[KitCase]:
    """Pay Super Royals by suit whatever the stake, and hands that are almost one as what they are."""
    for suit in SUITS:
        for table in "AB":
            won = 100_000_000 if (suit, table) == ("d", "A") else 10_000_000
            said = f"a Super Royal of {SUIT_NAMES[suit]} wins {dollars(won)} on a stake of {dollars(DOLLAR)}"
            six = " ".join(rank + suit for rank in "9AKQJT")
            yield _six(f"super-{suit}-{table}", (said, table), six, DOLLAR, won)
    almost = {
        "royal-nine": (
            "9h As Ks Qs Js Ts",
            "A-K-Q-J-10 suited and another 9 are a royal flush",
            1000,
        ),
        "ace-away": (
            "Ah Ks Qs Js Ts 9s",
            "K-Q-J-10-9 suited and another ace are a straight flush",
            200,
        ),
        "king-down": (
            "Ks Qs Js Ts 9s 8s",
            "K-Q-J-10-9-8 suited are a straight flush",
            200,
        ),
        "quads-pair": ("9d 9c 9h 9s 4s 4h", "four of a kind goes before the full house in it", 50),
        "two-trips": ("9d 9c 9h 4d 4s 4h", "two times three of a kind is a full house", 20),
        "three-pairs": ("9d 9c 7h 7d 4s 4h", "three pairs win nothing", -1),
        "flush-run": ("9s 8h 7s 6s 5s 2s", "a flush goes before the straight in it", 15),
        "run-of-four": ("9s 8s 7s 6s 2h Kd", "a straight flush of four cards wins nothing", -1),
        "wheel": ("As 2h 3d 4c 5s 9h", "5-4-3-2-A is a straight", 10),
    }
    for name, (six, shows, times) in almost.items():
        yield _six(name, (shows, "A"), six, SIDE, SIDE * times)
    yield _shared_bonus_card()


def _six(name: str, said: tuple[str, str], six: str, stake: int, won: int) -> KitCase:
    house, (shows, table) = PROPOSED, said
    deal = KitDeal(f"six card {name}", suits=SUITS)
    bonus, *cards = deal.named(six)
    return house.case(
        (
            f"six_card-{name}",
            f"Six Card Bonus table {table}, {shows}",
            ("MD-06F8", "R93") if "uper" in name else ("MD-06F.0", "MD-07E5.1"),
        ),
        [seat(" ".join(deal.mixed(cards)), ante=ANTE, aces_up=ACES_UP, six_card=stake, play=ANTE)],
        deal.dealer(),
        options=house.options("aces_up", six_card=table),
        nets={(1, "six_card"): won},
        bonus_card=bonus,
    )


def _shared_bonus_card() -> KitCase:
    house = PROPOSED
    deal = KitDeal("six card shared")
    bonus, trips, run = deal.named("7s")[0], deal.named("7h 7d Kc 9d 2c"), deal.named("6h 5d 4c 3h Qd")
    wagers: RoundLine = {"ante": ANTE, "aces_up": ACES_UP, "six_card": SIDE}
    return house.case(
        (
            "six_card-shared",
            "Six Card Bonus, one bonus card serves two players, and one of them folded",
            ("MD-07E5.1",),
        ),
        [seat(" ".join(trips), 2, **wagers, play=ANTE), seat(" ".join(run), 5, **wagers, play=0)],
        deal.dealer(),
        options=house.options("aces_up", "six_card"),
        nets={(2, "six_card"): 5 * SIDE, (5, "six_card"): 10 * SIDE},
        bonus_card=bonus,
    )
