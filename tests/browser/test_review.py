"""Review: costs, next mistake, another try, filters, sessions, skill and sharing, by mouse and by keys."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from fourcard.cards import parse_card, parse_cards
from fourcard.odds.decision_values import advice
from fourcard.odds.strategies import base_terms_of
from fourcard.odds.verdicts import verdict_on
from fourcard.rules.game import resolve_game
from fourcard.rules.submission import fullest_examples, read_submission
from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import UNHURRIED, serve_house
from tests.browser.page_checks import SCREENS, faults_everywhere
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.browser.test_coach import CHOICES, card, money, up_card

TABLE = "maryland"
AT_ONCE = ("--pace", "0")
ROUNDS = 3
"""The first decision is the best one, the others are wrong."""
KEYS = {"fold": "f", "1x": "1", "2x": "2", "3x": "3"}


class Decided(msgspec.Struct, frozen=True):
    """A decision as the player made it, with its exact cost in Antes."""

    number: int
    best: str
    chose: str
    cost: Fraction
    ante: int

    @property
    def verdict(self) -> str:
        """Return the verdict as the page writes it."""
        return verdict_on(self.cost).capitalize()

    @property
    def cents(self) -> str:
        """Return the cost as the page writes it."""
        return money(self.cost * self.ante).removeprefix("+")


class Reviewer:
    """A player who has played some rounds and reviews them."""

    def __init__(self, window: BrowserWindow, house: BrowserHouse, decided: list[Decided]) -> None:
        """Store what the player decided."""
        self.window, self.house, self.decided = window, house, decided
        self.page: Page = window.page
        self.dear = sorted(decided[1:], key=lambda each: -each.cost * each.ante)
        """The mistakes, the most expensive first."""

    def go_to(self, place: str) -> None:
        """Load a page from scratch."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.window.address}/#/{place}")

    def shows(self, decided: Decided) -> None:
        """Expect the review of a round."""
        expect(self.page).to_have_url(re.compile(rf"#/history/{TABLE}/{decided.number}\b"))
        title = re.compile(rf"round {decided.number}\b")
        expect(self.page.get_by_role("heading", name=title)).to_be_visible()
        expect(self.decision.get_by_text(decided.verdict, exact=True)).to_be_visible()

    @property
    def decision(self) -> Locator:
        """Return the reviewed decision."""
        return self.page.get_by_role("region", name=re.compile("^Decision at position"))

    def faults(self) -> dict[str, list[str]]:
        """Return what is wrong with the shown page."""
        self.window.wait_until_idle()
        return faults_everywhere(self.page)


def decide(person: PlayerPage, *, well: bool) -> Decided:
    """Play a round, and decide as well or as badly as can be."""
    person.choose_smallest_chip()
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    terms = base_terms_of(resolve_game(read_submission(fullest_examples()[TABLE])))
    hand = parse_cards(" ".join(card(name) for name in person.cards()))
    found = advice(hand, parse_card(up_card(person)), terms)
    worst = min(found.values, key=lambda name: found.values[name])
    chose = found.best if well else worst
    ante = person.money()["In play"]
    decided = Decided(person.round, found.best, chose, found.values[found.best] - found.values[chose], ante)
    person.decide(CHOICES[chose])
    person.result()
    return decided


@pytest.fixture(scope="module")
def reviewer(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reviewer]:
    with serve_house(tmp_path_factory.mktemp("review"), *AT_ONCE, *UNHURRIED) as house:
        window = BrowserWindow(browser, house.address, SCREENS["laptop"])
        window.page.goto(house.player)
        person = PlayerPage(window)
        person.open_table(TABLE)
        person.sit_down()
        decided = [decide(person, well=number == 0) for number in range(ROUNDS)]
        person.leave()
        yield Reviewer(window, house, decided)
        window.close()


def test_a_review_says_what_a_decision_cost_and_why(reviewer: Reviewer) -> None:
    page, wrong = reviewer.page, reviewer.dear[0]
    reviewer.go_to("history")
    row = page.get_by_role("listitem").filter(has_text=f"Maryland, round {wrong.number}")
    expect(row.get_by_text(f"cost {wrong.cents}")).to_be_visible()
    expect(row.get_by_text(wrong.verdict, exact=True)).to_be_visible()
    expect(row.get_by_role("img", name=re.compile("^Up card: "))).to_be_visible()
    row.get_by_role("link").click()
    reviewer.shows(wrong)
    decision = reviewer.decision
    name = f"{CHOICES[wrong.chose]} cost {wrong.cents}"
    expect(decision.get_by_role("heading", name=name)).to_be_visible()
    exact = f"exactly {wrong.cost}" if wrong.cost.denominator > 1 else f"{float(wrong.cost):.4f} Antes"
    expect(decision).to_contain_text(exact)
    expect(decision).to_contain_text(f"{CHOICES[wrong.best]} was best.")
    expect(decision).to_contain_text("You hold ")
    luck = page.get_by_role("region", name="Luck and skill")
    expect(luck).to_contain_text(f"cost {wrong.cents} against best play")
    page.get_by_text("What the verdicts mean").click()
    expect(page.get_by_text("costs up to 0.5 Ante")).to_be_visible()
    assert reviewer.faults() == {}
    page.get_by_role("tab", name="Proof of the shuffle").click()
    expect(page.get_by_role("region", name="Were the cards fair?")).to_be_visible()


def test_next_mistake_and_another_try_by_mouse(reviewer: Reviewer) -> None:
    page, (dearest, last) = reviewer.page, reviewer.dear
    reviewer.go_to("history")
    skill = page.get_by_role("region", name="Skill over time")
    skill.get_by_role("radio", name="Most expensive mistakes first").check()
    skill.get_by_role("button", name="Next mistake").click()
    reviewer.shows(dearest)
    page.get_by_role("button", name="Next mistake").click()
    reviewer.shows(last)
    reviewer.decision.get_by_role("button", name="Try again").click()
    expect(reviewer.decision).not_to_contain_text("cost")
    reviewer.decision.get_by_role("button", name=CHOICES[last.best], exact=True).click()
    expect(reviewer.decision).to_contain_text(f"{CHOICES[last.best]} was best.")
    expect(reviewer.decision).to_contain_text(f"At the table you chose {CHOICES[last.chose]}.")
    reviewer.decision.get_by_role("button", name="Show the review").click()
    expect(reviewer.decision.get_by_role("heading", name=re.compile(" cost "))).to_be_visible()


def test_next_mistake_and_another_try_by_keys(reviewer: Reviewer) -> None:
    page = reviewer.page
    right, *wrong = reviewer.decided
    older, newer = wrong
    reviewer.go_to("history")
    expect(page.get_by_role("button", name="Next mistake")).to_be_visible()
    page.get_by_role("radio", name="Most expensive mistakes first").check()
    page.keyboard.press("n")
    reviewer.shows(reviewer.dear[0])
    reviewer.go_to(f"history/{TABLE}/{newer.number}")
    reviewer.shows(newer)
    page.get_by_role("radio", name="Most recent mistakes first").check(force=True)
    page.keyboard.press("n")
    reviewer.shows(older)
    page.keyboard.press("n")
    expect(page.get_by_text("That was the last of your 2 mistakes.")).to_be_visible()
    page.keyboard.press("t")
    expect(reviewer.decision.get_by_text("What do you do?")).to_be_visible()
    page.keyboard.press(KEYS[older.chose])
    expect(reviewer.decision.get_by_text(older.verdict, exact=True)).to_be_visible()
    expect(reviewer.decision).to_contain_text(f"cost {older.cents}")
    page.keyboard.press("t")
    reviewer.shows(older)
    reviewer.go_to(f"history/{TABLE}/{right.number}")
    expect(reviewer.decision.get_by_role("heading", name=f"{CHOICES[right.chose]} was best")).to_be_visible()


def test_filters_stand_in_the_address(reviewer: Reviewer) -> None:
    page = reviewer.page
    reviewer.go_to("history")
    links = page.get_by_role("region", name="Rounds").get_by_role("listitem").get_by_role("link")
    expect(links).to_have_count(ROUNDS)
    page.get_by_label("Mistakes only").press("Space")
    expect(links).to_have_count(ROUNDS - 1)
    expect(page).to_have_url(re.compile(r"mistakes=1"))
    page.get_by_role("combobox", name="Table").select_option("washington")
    expect(page.get_by_text("No rounds match the filter.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("No rounds match the filter.")).to_be_visible()
    expect(page.get_by_label("Mistakes only")).to_be_checked()
    expect(page.get_by_role("combobox", name="Table")).to_have_value("washington")
    page.get_by_role("button", name="Show all").click()
    expect(links).to_have_count(ROUNDS)
    page.get_by_label("To", exact=True).fill("2020-01-31")
    expect(page.get_by_text("No rounds match the filter.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"to=2020-01-31"))
    page.get_by_role("button", name="Show all").click()
    skill = page.get_by_role("region", name="Skill over time").get_by_role("row")
    figures = [row.get_by_role("cell").first.inner_text() for row in skill.all()[1:]]
    assert sum(map(int, figures)) == ROUNDS
    assert reviewer.faults() == {}


def test_a_session_adds_its_rounds_up(reviewer: Reviewer) -> None:
    page = reviewer.page
    reviewer.go_to("history")
    page.get_by_role("tab", name="Rounds").focus()
    page.keyboard.press("ArrowRight")
    session = page.get_by_role("link", name=f"Maryland, {ROUNDS} rounds")
    session.press("Enter")
    decisions = page.get_by_role("region", name="Decisions")
    cost = sum(each.cost * each.ante for each in reviewer.decided)
    told = money(Fraction(cost)).removeprefix("+")
    expect(decisions).to_contain_text(f"1 of {ROUNDS} decisions were best (33%). The others cost {told}.")
    expect(page.get_by_role("region", name="Luck and skill")).to_contain_text(
        f"cost {told} against best play"
    )
    rounds = page.get_by_role("region", name="Rounds of this session").get_by_role("listitem")
    expect(rounds.get_by_role("link")).to_have_count(ROUNDS)
    page.get_by_label("Mistakes only").check()
    expect(rounds.get_by_role("link")).to_have_count(ROUNDS - 1)
    assert reviewer.faults() == {}


def test_a_round_is_shared_without_names_and_checks_itself(
    reviewer: Reviewer, browser: Browser, tmp_path: Path
) -> None:
    page, wrong = reviewer.page, reviewer.dear[0]
    reviewer.go_to(f"history/{TABLE}/{wrong.number}")
    link = page.get_by_role("link", name="See what others see").get_attribute("href") or ""
    page.get_by_role("button", name="Picture").press("Enter")
    dialog = page.get_by_role("dialog", name="Picture of this round")
    expect(dialog.get_by_role("img")).to_have_accessible_name(re.compile("The dealer shows the "))
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").press("Enter")
    download.value.save_as(tmp_path / "round.png")
    assert (tmp_path / "round.png").read_bytes().startswith(b"\x89PNG")
    page.keyboard.press("Escape")

    stranger = BrowserWindow(browser, reviewer.window.address, SCREENS["laptop"])
    other = stranger.page
    other.goto(link)
    expect(other.get_by_role("status").get_by_text("Checked.")).to_be_visible()
    shown = other.get_by_role("region", name=re.compile("^Decision at position"))
    expect(shown).to_contain_text(f"{CHOICES[wrong.chose]} cost {float(wrong.cost):.4f} Antes.")
    expect(shown.get_by_text(wrong.verdict, exact=True).first).to_be_visible()
    expect(other.get_by_role("region", name="What was checked")).to_contain_text("deals in this order")
    text = other.get_by_role("main").inner_text()
    assert not re.search(r"guest|bot-|Bea|Cal\b", text)
    stranger.wait_until_idle()
    assert faults_everywhere(other) == {}
    for changed in (link[:-8], link.replace("round=", "round=AA")):
        other.goto("about:blank")
        other.goto(changed)
        expect(other.get_by_role("alert")).to_contain_text("This link is damaged")
        expect(other.get_by_role("article")).to_have_count(0)
    stranger.close()
