"""Coach: its figures match `fourcard advise`, and it says how many chips are missing."""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from fourcard.cards import rank_of
from fourcard.rules.game import resolve_game
from fourcard.rules.submission import fullest_examples, read_submission
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse, StaffClient, lucky_seed
from tests.kit.commands import Command, runner

SUITS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "10": "T"}
CHOICES = {"fold": "Fold", "1x": "Play 1x", "2x": "Play 2x", "3x": "Play 3x"}
MINUS = "\u2212"


def card(name: str) -> str:
    """Return a card as commands write it: "10 of spades" is "Ts"."""
    rank, _, suit = name.partition(" of ")
    return RANKS.get(rank, rank) + SUITS[suit]


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def shown(value: Fraction, digits: int) -> str:
    """Return a figure as the coach writes it, rounded from the exact value."""
    places = Decimal(1).scaleb(-digits)
    rounded = (Decimal(value.numerator) / value.denominator).quantize(places, ROUND_HALF_UP)
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(rounded):,}"


def up_card(person: PlayerPage) -> str:
    (seen,) = [name for name in person.cards("Dealer's cards") if name != "face-down card"]
    return card(seen)


def dealt(person: PlayerPage, table: str, fourcard: Command) -> dict[str, Any]:
    """Play until the player's decision, and return what the command advises."""
    person.open_table(table)
    person.sit_down()
    person.choose_smallest_chip()
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    hand = " ".join(card(name) for name in person.cards())
    said = fourcard("advise", hand, "--up", up_card(person), "--rulebook", table, "--json")
    advice: dict[str, Any] = said.answer
    return advice


def coach_of(person: PlayerPage) -> Locator:
    return person.page.get_by_role("region", name="Coach")


@pytest.mark.parametrize("table", ["maryland", "shuffle-master"])
def test_the_coach_shows_what_advise_says(
    running_house: BrowserHouse, open_window: OpenWindow, fourcard: Command, table: str
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table(table)
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    said = dealt(person, table, fourcard)
    coach = coach_of(person)
    ante = person.money()["In play"]
    for choice, called in CHOICES.items():
        row = coach.get_by_role("row", name=called)
        exact = Fraction(said["exact"][choice])
        expect(row.get_by_role("cell").nth(1)).to_have_text(shown(exact, 4))
        expect(row.get_by_role("cell").first).to_have_text(money(exact * ante))
    expect(coach.get_by_role("row", name="the best")).to_contain_text(CHOICES[said["best"]])
    person.decide(CHOICES[said["best"]])
    expect(coach).to_contain_text(f"{CHOICES[said['best']]} was best.")
    person.result()
    expect(coach).to_contain_text("Best decision 1 of 1 times (100%). Your mistakes cost $0.00.")
    person.leave()


def money(cents: Fraction) -> str:
    """Return an amount as the coach writes it, to the cent."""
    written = shown(cents / 100, 2)
    sign = written[0] if written[0] in f"+{MINUS}" else ""
    return f"{sign}${written.removeprefix(sign)}"


def test_the_coach_says_afterwards_what_a_mistake_cost(
    running_house: BrowserHouse, open_window: OpenWindow, fourcard: Command
) -> None:
    person = PlayerPage(open_window(running_house))
    said = dealt(person, "washington", fourcard)
    coach, ante = coach_of(person), person.money()["In play"]
    expect(coach.get_by_role("row")).to_have_count(0)
    wrong = "fold" if said["best"] != "fold" else "3x"
    person.decide(CHOICES[wrong])
    cost = (Fraction(said["exact"][said["best"]]) - Fraction(said["exact"][wrong])) * ante
    spent = money(cost).removeprefix("+")
    expect(coach).to_contain_text(f"{CHOICES[wrong]} cost {spent}. {CHOICES[said['best']]} was best.")
    person.result()
    expect(coach).to_contain_text(f"Best decision 0 of 1 times (0%). Your mistakes cost {spent}.")
    person.press(coach.get_by_role("button", name="My mistakes"))
    dialog = person.page.get_by_role("dialog", name="My mistakes")
    expect(dialog.get_by_role("row").nth(1)).to_contain_text(spent)
    person.press(dialog.get_by_role("button", name="Try again").first)
    again = person.page.get_by_role("dialog", name="Try again")
    person.press(again.get_by_role("button", name=CHOICES[said["best"]]))
    expect(again).to_contain_text(f"{CHOICES[said['best']]} was best.")
    person.press(again.get_by_role("button", name="Close"))
    person.leave()


def test_the_grid_lights_the_present_cell(
    running_house: BrowserHouse, open_window: OpenWindow, fourcard: Command
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("maryland")
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    dealt(person, "maryland", fourcard)
    person.press(coach_of(person).get_by_role("button", name="Strategy grid"))
    grid = person.page.get_by_role("dialog", name="Strategy grid")
    expect(grid.get_by_role("gridcell", name="your hand now")).to_have_count(1)
    person.press(grid.get_by_role("button", name="Close"))
    person.decide("Fold")
    person.result()
    person.leave()


def test_a_coach_that_is_off_says_nothing(
    running_house: BrowserHouse, open_window: OpenWindow, fourcard: Command
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("maryland")
    person.page.get_by_role("radio", name="Coach off").check(force=True)
    said = dealt(person, "maryland", fourcard)
    person.decide(CHOICES[said["best"]])
    person.result()
    expect(coach_of(person).get_by_role("row")).to_have_count(0)
    person.leave()


SHORT, FOLDING = "catfish-bend", "shuffle-master"
"""Tables for an Ante of $5; at each only one test sets a seed, because the next shuffles use it too."""
MAX_ROUNDS = 5
"""Two decks alternate, and one may be shuffled before the seed is set."""


def has_three_of_a_kind(cards: Sequence[int]) -> bool:
    """Return whether a hand has three of a kind: 3x is best against any up card."""
    return max(Counter(map(rank_of, cards)).values()) == 3


def test_the_coach_follows_the_chips_and_not_the_other_way_round(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house))
    person.open_table(SHORT)
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    choose_hand(quiet_house, person, SHORT)
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
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house))
    person.open_table(FOLDING)
    choose_hand(quiet_house, person, FOLDING)
    rounds = deal_three_of_a_kind(person)
    coach = coach_of(person)
    person.decide("Fold")
    expect(coach).to_contain_text(re.compile(r"Fold cost \$\d+\.\d\d\. Play 3x was best\."))
    expect(coach).to_contain_text("You needed $15 more for 3x.")
    person.result()
    expect(coach).to_contain_text(re.compile(rf"\d of {rounds} times"))
    person.press(coach.get_by_role("button", name="My mistakes"))
    dearest = person.page.get_by_role("dialog", name="My mistakes").get_by_role("row").nth(1)
    expect(dearest).to_contain_text("Play 3x")
    expect(dearest).to_contain_text("needed $15 more")
    person.page.keyboard.press("Escape")
    person.leave()


def choose_hand(house: BrowserHouse, person: PlayerPage, table: str) -> None:
    """Sit down with $5, and let the browser draw a seed with which the next shuffle deals three of a kind."""
    position, game = person.sit_down(5), resolve_game(read_submission(fullest_examples()[table]))
    expect(person.spot("Ante").first).to_be_enabled()
    with StaffClient(house) as staff:
        seen = staff.table_state(table)
    person.draw_seed(lucky_seed(house.database, seen, game, position, has_three_of_a_kind))


def deal_three_of_a_kind(person: PlayerPage) -> int:
    """Bet the last chips on the Ante until the hand comes; return how many rounds that took."""
    for number in range(1, MAX_ROUNDS + 1):
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
