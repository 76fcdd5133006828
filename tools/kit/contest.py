"""Rounds for the contest with the dealer: wins, losses and ties in every category, and the size of a Play."""

from collections.abc import Iterator

from fourcard.rules.paytables import paytable, selectable
from tools.kit.cards import SIX_CARDS, Deal, above, below, best_is, same_kind
from tools.kit.case import ANTE, HOUSES, OWN_WORDS, Case, House, seat, winnings, words

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


def contest_rounds() -> Iterator[Case]:
    """Yield the rounds of every rulebook."""
    for house in HOUSES:
        yield from _ties(house)
        yield from _plays(house)
        yield from _beaten_bonus(house)
    for house in OWN_WORDS:
        yield from _categories(house)
        yield from _ranking(house)


def _categories(house: House) -> Iterator[Case]:
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


def _ties(house: House) -> Iterator[Case]:
    """Tie in every category that can; the player wins."""
    for category, hands in TIES.items():
        shows = f"a tie, {words(category)} against the same: the player wins"
        tied = (f"tie-{category}", shows, house.about("ties"))
        yield _contest(house, tied, hands, exact=True, wins=True)


def _ranking(house: House) -> Iterator[Case]:
    """Set the categories one above the other, and show how doubtful points of the ranking are read."""
    order = house.about("ranking")
    for place, (shows, high, low) in enumerate(RANKING, 1):
        yield _contest(house, (f"rank-{place}", shows, order), (high, low), exact=False, wins=True)
    for place, (shows, high, low, ruling) in enumerate(READINGS, 1):
        said = (f"reading-{place}", shows, (*order, ruling))
        yield _contest(house, said, (high, low), exact=True, wins=True)


def _contest(
    house: House, said: tuple[str, str, tuple[str, ...]], hands: Hands, *, exact: bool, wins: bool
) -> Case:
    """Return a round of Ante and Play in which two hands meet, the player's first."""
    key, shows, clauses = said
    deal = Deal(f"{house.code} {key}")
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


def _plays(house: House) -> Iterator[Case]:
    """Play every size that the rulebook allows, from the least to the most."""
    rules = house.book.wagers.play
    most = max(SIZES.values())
    for times, play in SIZES.items():
        if rules.whole_multiples.value and play % ANTE:
            continue
        for result in ("wins", "loses") if play == most else ("wins",):
            key = f"play-{times}-{result}"
            deal = Deal(f"{house.code} {key}")
            cards = deal.hand("Ts Th Qd 5c")
            dealer = deal.dealer(below(cards, "pair") if result == "wins" else above(cards))
            sign = 1 if result == "wins" else -1
            yield house.case(
                (key, f"a Play of {times} times the Ante {result}", house.about("play", "pays")),
                [seat(cards, ante=ANTE, play=play)],
                dealer,
                nets={(1, "ante"): sign * ANTE, (1, "play"): sign * play},
            )


def _beaten_bonus(house: House) -> Iterator[Case]:
    """Pay the Automatic Bonus on hands that lose to the dealer, and on a tie."""
    table_id = selectable(house.book, "automatic_bonus")[0]
    table = paytable(house.book, "automatic_bonus", table_id)
    clauses = house.about("bonus on a loss")
    hands = {
        "three_of_a_kind": ("8s 8h 8d", "9s 9h 9d", "is beaten and"),
        "straight_flush": ("6s 5s 4s 3s", "2s 2h 2d 2c", "is beaten and"),
        "four_of_a_kind": ("3s 3h 3d 3c", "4s 4h 4d 4c", "is beaten and"),
        "tie": ("9s 8s 7s 6s", "9h 8h 7h 6h", "ties and"),
    }
    for row, (low, high, how) in hands.items():
        deal = Deal(f"{house.code} beaten {row}")
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
