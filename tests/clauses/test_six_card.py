"""Maryland's Six Card Bonus: the best five of the player's five cards and the bonus card."""

import pytest

from fourcard.cards import parse_cards
from fourcard.dealer_script import rack_order
from tests.kit.settle_rounds import ACES, KINGS, QUAD_KINGS, acts, order, performed, refused, seat, settled
from tests.kit.support import by_clause


def _six(cards: str, bonus_card: str, stake: int = 100, **more: object) -> int:
    wagered = seat(cards, ante=1000, play=1000, aces_up=500, six_card=stake)
    return settled("maryland", wagered, bonus_card=bonus_card, **more).seats[0].net["six_card"]


WON = {
    "three_of_a_kind": ("As Ah 8d 7c 3c", "Ac", 5),
    "straight": ("8s 7h 6d 5c Kd", "4c", 10),
    "low_straight": ("As 2h 3d 4c Kc", "5c", 10),
    "flush": ("As Js 8s 3s Kc", "6s", 15),
    "full_house": ("As Ah 8d 8c 3c", "Ac", 20),
    "four_of_a_kind": ("As Ah Ad 8c 3c", "Ac", 50),
    "straight_flush": ("8s 7s 6s 5s Kc", "4s", 200),
    "royal_flush": ("As Ks Qs Js 3c", "Ts", 1000),
}


@pytest.mark.parametrize("hand", WON)
@pytest.mark.clause("MD-07E5.1")
def test_it_wins_with_three_of_a_kind_or_better_in_five_of_six_cards(hand: str) -> None:
    cards, bonus_card, odds = WON[hand]
    assert _six(cards, bonus_card, dealer="Qd 9h 7d 5d 4h 2d") == odds * 100


@pytest.mark.clause("MD-07E5.1")
def test_two_pair_does_not_win_and_the_bonus_card_belongs_to_everyone() -> None:
    assert _six("As Ah 8d 8c 3c", "Kd") == -100
    first = seat("As Ah 8d 7c 3c", 1, ante=100, play=100, aces_up=100, six_card=100)
    second = seat("Qs Qh 8c 6c 3s", 2, ante=100, play=100, aces_up=100, six_card=100)
    answer = settled("maryland", first, second, bonus_card="Ac")
    assert [each.net["six_card"] for each in answer.seats] == [500, -100]


@pytest.mark.parametrize("clause", by_clause(("MD-11D7",)))
def test_it_is_paid_whether_or_not_the_dealer_is_beaten_and_after_aces_up(clause: str) -> None:
    for dealer in (KINGS, QUAD_KINGS):
        assert _six("As Ah 8d 7c 3c", "Ac", dealer=dealer) == 500
    wagered = seat(ACES, ante=1000, play=1000, aces_up=500, six_card=100, progressive=100)
    answer = settled("maryland", wagered, bonus_card="Ac", dealer=KINGS)
    assert order(answer) == [
        "1 pay ante",
        "1 pay play",
        "1 pay aces_up",
        "1 pay six_card",
        "1 take progressive",
    ]
    assert clause in answer.steps[3].clauses


@pytest.mark.clause("MD-11C2")
def test_it_stays_in_play_after_a_fold() -> None:
    folded = seat(ACES, ante=1000, play=0, aces_up=500, six_card=100)
    won = settled("maryland", folded, bonus_card="Ac", dealer=KINGS)
    assert {name: amount for name, amount in won.seats[0].net.items() if amount} == {
        "ante": -1000,
        "aces_up": 500,
        "six_card": 500,
    }
    assert "MD-11C2" in won.steps[2].clauses
    assert settled("maryland", folded, bonus_card="8c", dealer=KINGS).seats[0].net["six_card"] == -100


@pytest.mark.clause("R93")
@pytest.mark.parametrize(
    ("suit", "prize"), [("d", 100_000_000), ("h", 10_000_000), ("s", 10_000_000), ("c", 10_000_000)]
)
def test_a_super_royal_wins_its_prize_whatever_the_stake_and_keeps_the_stake(suit: str, prize: int) -> None:
    cards = " ".join(rank + suit for rank in "AKQJT")
    dealer = "8h 7d 5h 4s 3c 2h"
    for stake in (100, 2500):
        assert _six(cards, f"9{suit}", stake, dealer=dealer) == prize
        assert _six(cards, f"9{suit}", stake, dealer=dealer, six_card="B") == 10_000_000
        wagered = seat(cards, ante=1000, play=1000, aces_up=500, six_card=stake)
        won = settled("maryland", wagered, bonus_card=f"9{suit}", dealer=dealer).steps
        assert "R93" in next(step.clauses for step in won if step.wager == "six_card")
        other = "c" if suit != "c" else "d"
        assert _six(cards, f"9{other}", stake, dealer=dealer) == 1000 * stake
        royal = settled("maryland", wagered, bonus_card=f"9{other}", dealer=dealer).steps
        assert "R93" not in next(step.clauses for step in royal if step.wager == "six_card")


@pytest.mark.clause("R28")
def test_five_to_ace_is_a_straight_unless_policy_says_not() -> None:
    dealer = "Qd Qh 9h 8s 7d 6h"
    assert _six("As 2h 3d 4c Kc", "5c", dealer=dealer) == 1000
    assert _six("As 2h 3d 4c Kc", "5c", dealer=dealer, settings={"six_card_low_ace": False}) == -100


@pytest.mark.clause("R76")
def test_the_bonus_card_is_shown_with_the_dealers_hand_and_racked_with_it() -> None:
    wagered = seat(ACES, ante=100, play=100, aces_up=100, six_card=100)
    done = performed("maryland", wagered, bonus_card="Ac", dealer=KINGS)
    assert acts(done)[:3] == ["0 reveal_dealer", "0 reveal_bonus_card", "1 reveal_hand"]
    assert acts(done)[-2:] == ["0 rack_dealer", "0 rack_bonus_card"]
    assert rack_order(done)[-1] == (0, parse_cards("Ac"))
    without = performed("maryland", seat(ACES, ante=100, play=100), dealer=KINGS)
    assert "0 reveal_bonus_card" not in acts(without)


def test_no_bonus_card_is_known_where_the_rulebook_has_no_wager_on_it() -> None:
    for rulebook in ("massachusetts", "shuffle-master", "washington", "catfish-bend"):
        told = refused(rulebook, seat(ACES, aces_up=100), bonus_card="Kh")
        assert told["name"] == "bonus_card_foreign"
    told = refused("maryland", seat(ACES, aces_up=100), bonus_card="Kh", edition="existing")
    assert told["name"] == "bonus_card_foreign"


@pytest.mark.clause("R11")
def test_it_needs_ante_and_aces_up_and_the_bonus_card() -> None:
    for wagers in ({"ante": 100, "play": 100}, {"aces_up": 100}):
        assert (
            refused("maryland", seat(ACES, six_card=100, **wagers), bonus_card="Kh")["name"]
            == "prerequisite_missing"
        )
    complete = seat(ACES, ante=100, play=100, aces_up=100, six_card=100)
    assert refused("maryland", complete)["name"] == "bonus_card_missing"


@pytest.mark.clause("R10")
def test_the_existing_edition_does_not_have_it() -> None:
    wagered = seat(ACES, ante=100, play=100, aces_up=100, six_card=100)
    assert refused("maryland", wagered, edition="existing")["name"] == "wager_not_offered"
