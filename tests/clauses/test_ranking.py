"""The ranking of hands, clause by clause: every hand is set beside the nearest ones above and below it."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, cycle, pairwise, permutations, product

import pytest

from fourcard.cards import DECK, RANKS, SUIT_NAMES, SUITS, card_text, cards_text, parse_cards, suit_of
from fourcard.hands import Hand, best_hand
from fourcard.rules.clauses import clauses
from fourcard.rules.loading import rulebook
from tests.kit.settle_rounds import seat, settled
from tests.kit.support import by_clause

MIXED, SUITED = "shdc", "s"
SEQUENCE = "AKQJT98765432A"
"""Every straight is four neighbours in this line, and nothing else is one."""
EDGES = {
    "four_of_a_kind": ("AAAA", "2222", MIXED, 13),
    "straight_flush": ("AKQJ", "432A", SUITED, 11),
    "three_of_a_kind": ("AAAK", "2223", MIXED, 156),
    "flush": ("AKQT", "6432", SUITED, 704),
    "straight": ("AKQJ", "432A", MIXED, 11),
    "two_pair": ("AAKK", "3322", MIXED, 78),
    "pair": ("AAKQ", "2243", MIXED, 858),
    "high_card": ("AKQT", "6432", MIXED, 704),
}
"""The best and the worst hand of every category, their suits, and how many strengths lie between."""


def each(*clauses: str) -> pytest.MarkDecorator:
    """Run a test for every one of these clauses, which each run claims."""
    return pytest.mark.parametrize("clause", by_clause(*((clause,) for clause in clauses)))


def cards(ranks: str, suits: str = MIXED) -> tuple[int, ...]:
    """Return cards of these ranks, the suits taken in turn."""
    return parse_cards(" ".join(map("".join, zip(ranks, cycle(suits), strict=False))))


def four(ranks: str, suits: str = MIXED) -> Hand:
    return best_hand(cards(ranks, suits))


def six_card_row(six: tuple[int, ...], table: str = "A", **settings: object) -> str | None:
    """Return the row that pays the Six Card Bonus on these cards, whichever of them is the bonus card."""
    dealer = cards_text([card for card in DECK if card not in six][:6])
    rows = set[str | None]()
    for bonus in six:
        own = cards_text([card for card in six if card != bonus])
        wagered = seat(own, ante=100, play=100, aces_up=100, six_card=100)
        round_ = {"dealer": dealer, "bonus_card": cards_text([bonus]), "settings": settings}
        steps = settled("maryland", wagered, six_card=table, **round_).steps
        (step,) = [step for step in steps if step.wager == "six_card"]
        assert (step.action == "pay") == (step.row is not None)
        rows.add(step.row)
    (row,) = rows
    return row


def kind(ranks: str, suits: str = MIXED) -> str:
    return four(ranks, suits).category.text


def shown(hand: Hand) -> str:
    """Return the ranks of a hand's cards in the order in which it shows them."""
    return cards_text(hand.cards)[::3]


def figure(clause: str, name: str) -> str:
    """Return a figure of a clause as ranks, such as ``AKQJT`` for ``A-K-Q-J-10``."""
    return clauses()[clause].figures[name].replace("10", "T").replace("-", "").replace(",", "")


@cache
def ladder() -> tuple[Hand, ...]:
    """Return one hand of every set of ranks, mixed and where possible suited, the weakest first."""
    mixed = [four("".join(ranks)) for ranks in combinations_with_replacement(RANKS, 4)]
    suited = [four("".join(ranks), SUITED) for ranks in combinations(RANKS, 4)]
    return tuple(sorted(mixed + suited, key=lambda hand: hand.strength))


@each("MA-1-SUIT", "IA-DEF-8")
def test_there_are_four_suits_of_thirteen_cards(clause: str) -> None:
    names = clauses()[clause].figures["suits"].split(",")
    assert sorted(SUIT_NAMES) == sorted(f"{name}s" for name in names)
    assert Counter(card_text(card)[1] for card in DECK) == {name[0]: 13 for name in names}
    assert [SUIT_NAMES[suit_of(card)][0] for card in DECK] == [card_text(card)[1] for card in DECK]


@each("MA-1-HAND", "MD-01B4", "IA-DEF-2")
def test_a_hand_is_the_best_four_of_a_players_five_or_a_dealers_six(clause: str) -> None:
    dealt = {"AAKQJ": "AKQJ", "2243A": "432A", "222AA": "222A", "222233": "2222", "AAK432": "432A"}
    for ranks, best in dealt.items():
        for hand in map(best_hand, permutations(cards(ranks))):
            assert (hand, shown(hand)) == (four(best), best)
            assert len(hand.cards) == int(figure(clause, "hand_size"))


@each("MA-3a.1", "MD-06A.0", "IA-RANK-1.1")
def test_cards_rank_from_the_ace_down_to_the_two(clause: str) -> None:
    assert set(figure(clause, "order")) == set(RANKS)
    for high, low in pairwise(figure(clause, "order")):
        spare = next(rank for rank in RANKS if rank not in high + low)
        assert four(high * 4).strength == four(low * 4).strength + 1
        assert four(spare * 3 + high).strength == four(spare * 3 + low).strength + 1


@each("MA-3a.2", "MD-06B", "IA-RANK-1.2")
def test_suits_never_break_a_tie(clause: str) -> None:
    assert figure(clause, "suits_equal") == "true"
    for best, worst, suits, _ in EDGES.values():
        for ranks, others in product((best, worst), permutations(SUITS, len(suits))):
            assert four(ranks, "".join(others)) == four(ranks, suits)


@each("MA-3a.3", "SM-RANK-3", "MD-06A1", "WA-RANK-3", "IA-RANK-1.3")
def test_an_ace_plays_low_in_one_sequence_alone_and_makes_it_the_lowest(clause: str) -> None:
    low = figure(clause, "low_straight")
    for suits, name, below in (MIXED, "straight", "AAKK"), (SUITED, "straight_flush", "AAAK"):
        assert kind(low, suits) == name
        assert four("5432", suits).strength - 1 == four(low, suits).strength == four(below).strength + 1
        others = map("".join, combinations(RANKS[:-1], 3))
        assert [three for three in others if kind(f"{three}A", suits) == name] == ["234", "JQK"]
        assert four("A532", suits) > four("KQJ9", suits)


@pytest.mark.clause("R22")
def test_an_ace_with_a_two_or_three_is_a_straight_only_with_four_three_and_two() -> None:
    low = ["".join(three) for three in combinations(RANKS[:-1], 3) if {"2", "3"} & set(three)]
    assert [three for three in low if kind(f"A{three}") == "straight"] == ["234"]


@pytest.mark.clause("MD-06A2", "R23")
def test_no_sequence_runs_round_the_ace() -> None:
    for ranks in ("KA23", "QKA2"):
        assert (kind(ranks), kind(ranks, SUITED)) == ("high_card", "flush")
        assert four(ranks) < four("2243") < four(ranks, SUITED) < four("2223")
    for ranks in map("".join, combinations(RANKS[::-1], 4)):
        assert (kind(ranks) == "straight") == (ranks in SEQUENCE or ranks == "A432")


@each("MA-3b.0", "SM-RANK-1", "MD-06C.0", "WA-RANK-1", "IA-RANK-2.0")
def test_the_worst_hand_of_a_category_stands_just_above_the_best_of_the_next(clause: str) -> None:
    order = clauses()[clause].figures["order"].replace("-", "_").split(",")
    assert set(order) == set(EDGES)
    for higher, lower in pairwise(order):
        worst, best = four(*EDGES[higher][1:3]), four(EDGES[lower][0], EDGES[lower][2])
        assert (worst.category.text, best.category.text) == (higher, lower)
        assert worst > best
        assert worst.strength == best.strength + 1


STATED = {
    "four_of_a_kind": ("MA-3b1", "MD-06C1", "IA-RANK-2a"),
    "straight_flush": ("MA-3b2", "MD-06C2", "IA-RANK-2b1"),
    "three_of_a_kind": ("MA-3b3", "MD-06C3", "IA-RANK-2b2"),
    "straight": ("MA-3b5", "MD-06C5", "IA-RANK-2d"),
    "two_pair": ("MD-06C6", "IA-RANK-2e"),
    "pair": ("MA-3b7", "MD-06C7", "IA-RANK-2f"),
}


@pytest.mark.parametrize(("clause", "name"), by_clause(*((c, name) for name in STATED for c in STATED[name])))
def test_a_category_runs_from_its_stated_best_to_its_stated_worst(clause: str, name: str) -> None:
    best, worst, suits, strengths = EDGES[name]
    for edge, stated in (best, figure(clause, "best")), (worst, figure(clause, "worst")):
        assert sorted(edge[: len(stated)]) == sorted(stated)
    inside = [hand for hand in ladder() if hand.category.text == name]
    places = range(four(worst, suits).strength, four(best, suits).strength + 1)
    assert [hand.strength for hand in inside] == list(places)
    assert len(inside) == strengths
    around = [hand.category.text for hand in ladder() if hand.strength in (places[0] - 1, places[-1] + 1)]
    order, place = list(EDGES), list(EDGES).index(name)
    assert around == order[place + 1 : place + 2] + order[place - 1 : place]
    assert {tuple(Counter(shown(hand)).values()) for hand in inside} == {tuple(Counter(best).values())}
    assert {shown(hand) in SEQUENCE for hand in inside} == {"straight" in name}


@pytest.mark.clause("MA-3b5", "MD-06C5", "IA-RANK-2d")
def test_four_in_sequence_are_a_straight_in_two_suits_or_more_and_a_straight_flush_in_one() -> None:
    for start, suits in product(range(11), product(SUITS, repeat=4)):
        enough = len(set(suits)) >= int(figure("MD-06C5", "suits_min"))
        assert kind(SEQUENCE[start:][:4], "".join(suits)) == ("straight" if enough else "straight_flush")


@each("MA-3b4", "MD-06C4", "IA-RANK-2c")
def test_a_flush_is_any_four_of_one_suit_that_are_not_in_sequence(clause: str) -> None:
    for suit, ranks in product(SUITS, combinations(RANKS, 4)):
        hand = four("".join(ranks), suit)
        assert hand.category.text == ("straight_flush" if shown(hand) in SEQUENCE else "flush"), clause
    assert {kind("AKQT", suits) for suits in ("sssh", "hsss", "sshh")} == {"high_card"}, clause
    assert four("AKQJ").strength + 1 == four("6432", SUITED).strength, clause
    assert four("AKQT", SUITED).strength + 1 == four("2223").strength, clause


@pytest.mark.clause("MA-3b6", "R24")
def test_two_pair_goes_by_the_higher_pair_then_the_lower_from_aces_and_kings_to_threes_and_twos() -> None:
    falling = [four(high * 2 + low * 2) for high, low in combinations(RANKS[::-1], 2)]
    above, below = four("432A").strength, four("AAKQ").strength
    assert [hand.strength for hand in falling] == list(range(above - 1, below, -1))
    assert {hand.category.text for hand in falling} == {"two_pair"}


@each("MA-3c.1", "MD-06D", "IA-RANK-3.1")
def test_of_equal_ranked_hands_the_one_with_the_highest_unshared_card_wins(clause: str) -> None:
    compared: Counter[str] = Counter()
    for lower, higher in pairwise(hand for hand in ladder() if "straight" not in hand.category.text):
        low, high = Counter(shown(lower)), Counter(shown(higher))
        repeated = [[rank for rank in held if held[rank] > 1] for held in (low, high)]
        if lower.category is higher.category and repeated[0] == repeated[1]:
            assert lower < higher, clause
            assert max(map(RANKS.index, high - low)) > max(map(RANKS.index, low - high)), clause
            compared[lower.category.text] += 1
    assert compared == {"flush": 703, "high_card": 703, "pair": 13 * 65, "three_of_a_kind": 13 * 11}, clause


@pytest.mark.clause("R20", "R21")
def test_category_then_rank_within_it_decide_before_any_unshared_card_and_suits_never() -> None:
    for higher, lower in ("3322", "AAKQ"), ("5432", "432A"), ("3332", "222A"), ("KKQJ", "22AK"):
        for suits in permutations(SUITS):
            assert four(higher) > four(lower, "".join(suits))
    assert four("5432", SUITED) > four("432A", SUITED)


@each("SM-RANK-2", "WA-RANK-2", "IA-RANK-2g", "R26")
def test_without_a_pair_player_and_dealer_compare_cards_from_the_highest_down(clause: str) -> None:
    for higher, lower in ("A532", "KQJ9"), ("AK32", "AQJT"), ("AKQ2", "AKJT"), ("7532", "7432"):
        assert kind(higher) == kind(lower) == "high_card", clause
        assert four(higher) > four(lower), clause
    assert best_hand(parse_cards("As Kd 9h 7c 2s")) > best_hand(parse_cards("Ah Kc 9s 6d 4h 3c")), clause


@each("SM-W1-7", "WA-W1-7")
def test_all_four_cards_are_compared_before_a_tie_and_a_fifth_never_is(clause: str) -> None:
    assert len(four("AKQ98").cards) == int(figure(clause, "cards_compared"))
    assert four("AKQ32") == four("AKQ3") > four("AKQ2")
    assert four("AAK54") == four("AAK52") > four("AAK42")
    assert four("222K4") == four("222K3") > four("222Q3")
    assert four("AKQ3", SUITED) > four("AKQ2", SUITED)


@each("MA-3c.2", "MD-06E", "IA-RANK-3.2")
def test_hands_without_a_difference_tie(clause: str) -> None:
    assert figure(clause, "tie") == "true"
    for best, worst, suits, _ in EDGES.values():
        for ranks in (best, worst):
            one, other = four(ranks, suits), four(ranks, "chsd" if suits == MIXED else "h")
            assert (one == other, one < other, one > other) == (True, False, False)


@pytest.mark.clause("MA-12-RF", "R25")
def test_cover_alls_royal_is_a_suited_ace_king_queen_jack_which_the_game_ranks_below_four_of_a_kind() -> None:
    assert figure("MA-12-RF", "royal") == "AKQJsuited"
    assert [shown(hand) for hand in ladder() if "royal_flush" in hand.rows] == ["AKQJ"]
    assert {four("AKQJ", suit).rows for suit in SUITS} == {("royal_flush", "straight_flush")}
    assert four("AKQJ", "sssh").rows == ("straight",)
    assert four("KQJT", SUITED).strength + 1 == four("AKQJ", SUITED).strength == four("2222").strength - 1
    cover_all = rulebook("massachusetts").wagers.cover_all
    assert cover_all
    tops = {tuple(column.pays)[:4] for column in cover_all.columns.values()}
    assert tops == {("four_aces", "royal_flush", "four_of_a_kind", "straight_flush")}


@pytest.mark.clause("MD-06F.0")
def test_the_six_card_bonus_is_judged_on_the_best_five_of_six_cards() -> None:
    rows = {
        "AAAKK2": "full_house",
        "AQT862-sssssh": "flush",
        "998765": "straight",
        "222AKQ": "three_of_a_kind",
    }
    for text, row in rows.items():
        assert six_card_row(cards(*text.split("-"))) == row
    for four_of_six in ("AQT862-sssshh", "AKQJ72", "AAKKQ2", "AQJT86"):
        assert six_card_row(cards(*four_of_six.split("-"))) is None


@pytest.mark.parametrize(
    ("clause", "row", "hands"),
    by_clause(
        ("MD-06F1", "royal_flush", "AKQJT2-sssssh AKQJT2-hhhhhs KQJT92-sssssh AKQJT2-sssshc"),
        ("MD-06F2", "straight_flush", "KQJT92-sssssh 5432AK-sssssh AAAAK2 32AKQ7-sssssh"),
        ("MD-06F3", "four_of_a_kind", "AAAAK2 222235 AAAKK5 AAAKQ5"),
        ("MD-06F4", "full_house", "AAAKK2 222335 AKQJ92-sssssh AAKKQ2"),
        ("MD-06F5", "flush", "AKQJ92-sssssh 754329-hhhhhs AKQJT2 AKQJ92-sssshc"),
        ("MD-06F6", "straight", "AKQJT2 5432AK AAAKQ5 2AKQJ7"),
        ("MD-06F7", "three_of_a_kind", "AAAKQ5 222348 AAKKQ2 AAKQJ2"),
    ),
)
def test_a_five_card_category_is_paid_and_every_near_miss_is_not(clause: str, row: str, hands: str) -> None:
    assert hands.startswith(figure(clause, "cards") if "cards" in clauses()[clause].figures else "")
    paid = [six_card_row(cards(*text.split("-"))) == row for text in hands.split()]
    assert paid == [True, True, False, False], clause


@pytest.mark.clause("R28")
def test_five_four_three_two_ace_is_a_five_card_straight_unless_the_setting_says_not() -> None:
    for suits, name, without in (MIXED, "straight", None), ("sssssh", "straight_flush", "flush"):
        assert six_card_row(cards("5432AK", suits)) == name
        assert six_card_row(cards("5432AK", suits), six_card_low_ace=False) == without
        assert six_card_row(cards("65432K", suits), six_card_low_ace=False) == name


@pytest.mark.clause("MD-06F8", "MD-07E5b")
def test_a_super_royal_takes_all_six_suited_cards_under_either_table() -> None:
    for (suit, name), table in product(zip(SUITS, SUIT_NAMES, strict=True), figure("MD-06F8", "tables")):
        royal = cards(figure("MD-06F8", "cards"), suit)
        assert six_card_row(royal, table) == f"super_royal_{name}"
        others = (cards("8", suit)[0], cards("9", next(each for each in SUITS if each != suit))[0])
        for place, other in product(range(int(figure("MD-07E5b", "hand_size"))), others):
            row = six_card_row((*royal[:place], other, *royal[place + 1 :]), table)
            assert row is not None
            assert not row.startswith("super_royal")
