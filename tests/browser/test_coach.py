"""The coach's figures are those of `fourcard advise`, before the decision and after it."""

import json
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opening
from tests.browser.playing import Person
from tests.browser.serving import Served

SUITS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "10": "T"}
CHOICES = {"fold": "Fold", "1x": "Play 1x", "2x": "Play 2x", "3x": "Play 3x"}
MINUS = "\u2212"


def card(name: str) -> str:
    """Return a card as commands write it: "10 of spades" is "Ts"."""
    rank, _, suit = name.partition(" of ")
    return RANKS.get(rank, rank) + SUITS[suit]


def advised(hand: list[str], up: str, rulebook: str) -> dict[str, Any]:
    """Return what the command says of a spot."""
    program = str(Path(sys.executable).parent / "fourcard")
    command = [program, "advise", " ".join(hand), "--up", up, "--rulebook", rulebook, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def shown(value: Fraction, digits: int) -> str:
    """Return a figure as the coach writes it, rounded from the exact one."""
    places = Decimal(1).scaleb(-digits)
    rounded = (Decimal(value.numerator) / value.denominator).quantize(places, ROUND_HALF_UP)
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(rounded):,}"


def up_card(person: Person) -> str:
    (seen,) = [name for name in person.cards("Dealer's cards") if name != "a card face down"]
    return card(seen)


def dealt(person: Person, table: str) -> dict[str, Any]:
    """Play until the own decision, and return what the command says of it."""
    person.go_to(table)
    person.sit_down()
    person.choose_smallest_chip()
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    return advised([card(name) for name in person.cards()], up_card(person), table)


def coach_of(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Coach")


@pytest.mark.parametrize("table", ["maryland", "shuffle-master"])
def test_the_coach_shows_what_advise_says(served: Served, opened: Opening, table: str) -> None:
    person = Person(opened(served))
    person.go_to(table)
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    said = dealt(person, table)
    coach = coach_of(person)
    ante = person.money()["On the felt"]
    for choice, called in CHOICES.items():
        row = coach.get_by_role("row", name=called)
        exact = Fraction(said["exact"][choice])
        expect(row.get_by_role("cell").nth(1)).to_have_text(shown(exact, 4))
        expect(row.get_by_role("cell").first).to_have_text(money(exact * ante))
    expect(coach.get_by_role("row", name="the best")).to_contain_text(CHOICES[said["best"]])
    person.decide(CHOICES[said["best"]])
    expect(coach).to_contain_text(f"{CHOICES[said['best']]} was best.")
    person.result()
    expect(coach).to_contain_text("1 of 1 decisions best (100%), mistakes cost $0.00 in all.")
    person.leave()


def money(cents: Fraction) -> str:
    """Return an amount as the coach writes it, to the cent."""
    written = shown(cents / 100, 2)
    sign = written[0] if written[0] in f"+{MINUS}" else ""
    return f"{sign}${written.removeprefix(sign)}"


def test_the_coach_says_afterwards_what_a_mistake_cost(served: Served, opened: Opening) -> None:
    person = Person(opened(served))
    said = dealt(person, "washington")
    coach, ante = coach_of(person), person.money()["On the felt"]
    expect(coach.get_by_role("row")).to_have_count(0)
    wrong = "fold" if said["best"] != "fold" else "3x"
    person.decide(CHOICES[wrong])
    cost = (Fraction(said["exact"][said["best"]]) - Fraction(said["exact"][wrong])) * ante
    spent = money(cost).removeprefix("+")
    expect(coach).to_contain_text(f"{CHOICES[wrong]} cost {spent}; best was {CHOICES[said['best']]}.")
    person.result()
    expect(coach).to_contain_text(f"0 of 1 decisions best (0%), mistakes cost {spent} in all.")
    person.press(coach.get_by_role("button", name="My mistakes"))
    dialog = person.page.get_by_role("dialog", name="My mistakes")
    expect(dialog.get_by_role("row").nth(1)).to_contain_text(spent)
    person.press(dialog.get_by_role("button", name="Try again").first)
    again = person.page.get_by_role("dialog", name="Try again")
    person.press(again.get_by_role("button", name=CHOICES[said["best"]]))
    expect(again).to_contain_text(f"{CHOICES[said['best']]} was best.")
    person.press(again.get_by_role("button", name="Close"))
    person.leave()


def test_the_grid_lights_the_present_cell(served: Served, opened: Opening) -> None:
    person = Person(opened(served))
    person.go_to("maryland")
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    dealt(person, "maryland")
    person.press(coach_of(person).get_by_role("button", name="Strategy grid"))
    grid = person.page.get_by_role("dialog", name="Strategy grid")
    expect(grid.get_by_role("button", name="your spot")).to_have_count(1)
    person.press(grid.get_by_role("button", name="Close"))
    person.decide("Fold")
    person.result()
    person.leave()


def test_a_coach_that_is_off_says_nothing(served: Served, opened: Opening) -> None:
    person = Person(opened(served))
    person.go_to("maryland")
    person.page.get_by_role("radio", name="Coach off").check(force=True)
    said = dealt(person, "maryland")
    person.decide(CHOICES[said["best"]])
    person.result()
    expect(coach_of(person).get_by_role("row")).to_have_count(0)
    person.leave()
