"""A progressive win waits for staff, who confirm it while the player watches."""

from playwright.sync_api import expect

from fourcard.rules.game import resolve_game
from fourcard.rules.submission import submission_named
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse, StaffClient, is_straight_flush, lucky_seed

TABLE, SUBMISSION = "maryland", "maryland-everything"
MAX_ROUNDS = 5
"""Two decks alternate, and one may be shuffled before the seed is set."""


def test_a_jackpot_is_confirmed_by_staff_while_the_player_watches(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    game = resolve_game(submission_named(SUBMISSION))
    person = PlayerPage(open_window(quiet_house))
    person.open_table(TABLE)
    position = person.sit_down()
    expect(person.spot("Ante").first).to_be_enabled()
    person.show_whole_log()
    with StaffClient(quiet_house) as staff:
        seen = staff.table_state(TABLE)
        person.draw_seed(lucky_seed(quiet_house.database, seen, game, position, is_straight_flush))
        meter = play_until_the_win(person, staff)
        chips = person.money()["Chips"]
        person.page.wait_for_timeout(500)
        assert person.money()["Chips"] == chips, "nothing is paid before it is confirmed"
        assert staff.confirm_win(TABLE)
        expect(person.jackpot).to_be_hidden()
        award = meter // 10
        assert person.result_net() > award
        told = f"Progressive for straight flush, pay ${award / 100:,.2f} from the meter (10% of meter)."
        expect(person.page.get_by_role("log")).to_contain_text(told)
        expect(person.page.get_by_role("log")).to_contain_text("the payout is documented")
        left = staff.table_state(TABLE)["meter"]
        assert meter - award <= left < meter
    person.leave()


def play_until_the_win(person: PlayerPage, staff: StaffClient) -> int:
    """Play with the progressive until the seed's hand waits for the floor; return the meter."""
    for _ in range(MAX_ROUNDS):
        person.choose_smallest_chip()
        person.wager("Ante")
        person.wager("Progressive")
        person.deal()
        expect(person.decision).to_be_visible()
        person.decide("Play 1x")
        if person.ended_or_awaits_staff():
            continue
        seen = staff.table_state(TABLE)
        (place,) = (each for each in seen["view"]["round"]["places"] if each["position"] == person.position)
        if "straight flush" in place["hand"]:
            return int(seen["meter"])
        assert staff.confirm_win(TABLE), "a lower win has to be confirmed too"
        assert person.result()
    raise AssertionError("the hand did not come")
