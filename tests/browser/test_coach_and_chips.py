"""The coach states the best decision of the game, says what the chips lack for it, and follows the chips."""

import re
from collections import Counter
from collections.abc import Sequence

from playwright.sync_api import expect

from fourcard.cards import rank_of
from fourcard.rules.examples import submission_named
from fourcard.rules.game import resolve_game
from tests.browser.conftest import Opening
from tests.browser.playing import Person
from tests.browser.rigging import lucky_seed
from tests.browser.serving import Served
from tests.browser.staff import Staff
from tests.browser.test_coach import coach_of

TABLE = "catfish-bend"
MOST_ROUNDS = 5
"""Two decks take turns, and one of them may have been shuffled before the seed was chosen."""


def has_three_of_a_kind(cards: Sequence[int]) -> bool:
    """Say whether three times the Ante is best whatever the dealer shows."""
    return max(Counter(map(rank_of, cards)).values()) == 3


def test_the_coach_follows_the_chips_and_not_the_other_way_round(own_house: Served, opened: Opening) -> None:
    person = Person(opened(own_house))
    person.go_to(TABLE)
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    choose_hand(own_house, person, person.sit_down(5))
    deal_three_of_a_kind(person)
    coach = coach_of(person)
    expect(coach).to_contain_text("Best: Play 3x")
    expect(coach).to_contain_text("3x is best.")
    expect(coach).to_contain_text("You need $15 more for 3x.")
    expect(coach.get_by_role("row", name="Play 1x")).to_contain_text("needs $5 more")
    expect(coach.get_by_role("row", name="the best")).to_contain_text("Play 3x")
    expect(person.decision).to_contain_text("You need $5 more for 1x.")
    expect(person.decision.get_by_role("button", name="Play 1x")).to_be_disabled()
    person.buy(10)
    expect(coach).to_contain_text("You need $5 more for 3x.")
    expect(coach.get_by_role("row", name="Play 1x")).not_to_contain_text("more")
    person.buy(5)
    expect(coach).not_to_contain_text("more for")
    expect(coach).not_to_contain_text("needs")
    person.decide("Play 3x")
    expect(coach).to_contain_text("Play 3x was best.")
    expect(coach).not_to_contain_text("You needed")
    person.result()
    expect(coach).to_contain_text(re.compile("mistakes cost"))
    person.leave()


def test_a_fold_for_want_of_chips_is_held_against_the_best_of_the_game(
    own_house: Served, opened: Opening
) -> None:
    person = Person(opened(own_house))
    person.go_to(TABLE)
    choose_hand(own_house, person, person.sit_down(5))
    rounds = deal_three_of_a_kind(person)
    coach = coach_of(person)
    person.decide("Fold")
    expect(coach).to_contain_text(re.compile(r"Fold cost \$\d+\.\d\d; best was Play 3x\."))
    expect(coach).to_contain_text("You needed $15 more for 3x.")
    person.result()
    expect(coach).to_contain_text(re.compile(rf"\d of {rounds} decisions? best"))
    person.press(coach.get_by_role("button", name="My mistakes"))
    dearest = person.page.get_by_role("dialog", name="My mistakes").get_by_role("row").nth(1)
    expect(dearest).to_contain_text("Play 3x")
    expect(dearest).to_contain_text("needed $15 more")


def choose_hand(house: Served, person: Person, position: int) -> None:
    """Choose the seed with which a later shuffle deals three of a kind."""
    game = resolve_game(submission_named(TABLE))
    with Staff(house) as staff:
        player = staff.look(TABLE)["view"]["seats"][str(position)]
    seed = lucky_seed(house.database, TABLE, game, player, [position], position, has_three_of_a_kind)
    person.choose_seed(seed)


def deal_three_of_a_kind(person: Person) -> int:
    """Put the last chips on the Ante until the hand comes; return how many rounds that took."""
    for number in range(1, MOST_ROUNDS + 1):
        person.choose_smallest_chip()
        person.wager("Ante")
        money = person.page.get_by_role("group", name="Your money")
        expect(money).to_contain_text(re.compile(r"Chips\s+\$0\b"))
        person.deal()
        expect(person.decision).to_be_visible()
        if person.decision.get_by_role("strong").inner_text().lower().startswith("three "):
            return number
        person.decide("Fold")
        person.result()
        person.buy(5)
    raise AssertionError("the hand did not come")
