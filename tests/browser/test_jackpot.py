"""A win of the progressive waits for the staff, who confirm it through the API while the player watches."""

from playwright.sync_api import expect

from fourcard.rules.examples import submission_named
from fourcard.rules.game import resolve_game
from tests.browser.conftest import Opening
from tests.browser.playing import Person
from tests.browser.rigging import is_straight_flush, lucky_seed
from tests.browser.serving import Served
from tests.browser.staff import Staff

TABLE, SUBMISSION = "maryland", "maryland-everything"
MOST_ROUNDS = 5
"""Two decks take turns, and one of them may have been shuffled before the seed was chosen."""


def test_a_jackpot_is_confirmed_by_staff_while_the_player_watches(own_house: Served, opened: Opening) -> None:
    game = resolve_game(submission_named(SUBMISSION))
    person = Person(opened(own_house))
    person.go_to(TABLE)
    position = person.sit_down()
    expect(person.spot("Ante").first).to_be_enabled()
    with Staff(own_house) as staff:
        player = staff.look(TABLE)["view"]["seats"][str(position)]
        seed = lucky_seed(own_house.database, TABLE, game, player, [position], position, is_straight_flush)
        person.choose_seed(seed)
        meter = play_until_the_win(person, staff)
        chips = person.money()["Chips"]
        person.page.wait_for_timeout(500)
        assert person.money()["Chips"] == chips, "nothing is paid before it is confirmed"
        assert staff.confirm(TABLE)
        expect(person.jackpot).to_be_hidden()
        award = meter // 10
        assert person.told_net() > award
        told = f"Progressive for straight flush, pay ${award / 100:,.2f} from the meter (10% of meter)."
        expect(person.page.get_by_role("log")).to_contain_text(told)
        expect(person.page.get_by_role("log")).to_contain_text("the payout is documented")
        left = staff.look(TABLE)["meter"]
        assert meter - award <= left < meter


def play_until_the_win(person: Person, staff: Staff) -> int:
    """Play rounds with the progressive until one waits for the floor; return what the meter showed then."""
    for _ in range(MOST_ROUNDS):
        person.choose_smallest_chip()
        person.wager("Ante")
        person.wager("Progressive")
        person.deal()
        expect(person.decision).to_be_visible()
        person.decide("Play 1x")
        if not person.ended_or_waits():
            meter: int = staff.look(TABLE)["meter"]
            return meter
    raise AssertionError("the hand did not come")
