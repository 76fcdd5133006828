"""Meters of the house: shared by tables of the same terms, priced as they stand, and never off by a unit."""

import pytest

from fourcard.house.commands import InstallTable, PayFromMeter
from fourcard.house.journal import METERS
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.requests import Answer
from fourcard.meter import UNITS_PER_CENT, Payment
from fourcard.refusals import Code
from fourcard.round.commands import PayAward, ReportIrregularity
from fourcard.round.events import AwardPaid
from fourcard.table.commands import CloseTable
from tests.houses import TestHouse, house_with, play_keyed, submission_text
from tests.table import stack

PLAYERS = ("ann", "bob", "cal")
SEED = 2


def linked(example: str = "washington-everything") -> TestHouse:
    """Return a house with two open tables on one meter."""
    house = TestHouse()
    house.staff()
    house.register(*PLAYERS, "dot", "eve", "fay")
    for table, players in (("one", PLAYERS), ("two", ("dot", "eve", "fay"))):
        house.install(table, example, meter="link")
        house.open(table)
        house.seat(table, players)
    return house


def test_two_tables_feed_one_meter() -> None:
    house = linked()
    bots = [house.rehearsal("one", PLAYERS, 1), house.rehearsal("two", ("dot", "eve", "fay"), 2)]
    for _ in range(5):
        for each in bots:
            house.play(each)
    with house.store.reading() as reading:
        events = [METERS.decode(record) for record in reading.events(meter_stream("link"))]
        balances = reading.balances()
    assert {getattr(event, "table", "") for event in events} == {"", "one", "two"}
    meter = house.desk.library.meter("link").meter
    assert balances["meter/link"] == meter.amount
    assert balances.get("reserve/link", 0) == meter.reserve
    assert sum(balances.values()) == 0


def test_tables_of_other_terms_do_not_share_a_meter() -> None:
    house = linked()
    house.at("one", CloseTable())
    other = InstallTable(submission=submission_text("maryland-everything"), meter="link")
    refusal = house.refused(table_stream("three"), other)
    assert (refusal.code, refusal.clauses) == (Code.METER_TERMS, ("R58",))


def test_a_game_without_a_progressive_has_no_use_for_a_meter() -> None:
    house = TestHouse()
    house.staff()
    idle = InstallTable(submission=submission_text("catfish-bend"), meter="link")
    assert house.refused(table_stream("one"), idle).code is Code.METER_NAME_IDLE
    bad = InstallTable(submission=submission_text("washington-everything"), meter="No Name")
    assert house.refused(table_stream("one"), bad).code is Code.ID_UNFIT


def test_a_price_is_the_houses_and_no_commands() -> None:
    house = house_with("washington-everything", PLAYERS)
    paid = PayAward(position=1, payment=Payment(from_meter=100), before=100, after=0)
    assert house.refused(table_stream("main"), paid).code is Code.NOT_PERMITTED
    assert house.refused(table_stream("main"), PayFromMeter(position=1, role="dealer")).code is Code.NO_ROUND


def test_awards_are_paid_at_the_meter_as_it_stands() -> None:
    """Let four aces come at both tables: one wins the meter, the other what it started from anew."""
    house = TestHouse()
    house.staff()
    house.register("ann", "bob")
    for table, who in (("one", "ann"), ("two", "bob")):
        house.install(table, "washington-everything", meter="link", cards="keyed")
        house.open(table)
        house.seat(table, [who])
    first, second = (_four_aces(house, table, who) for table, who in (("one", "ann"), ("two", "bob")))
    meter = house.desk.library.meter("link")
    seed = meter.meter.seed
    assert seed is not None
    assert min(first, second) > seed * UNITS_PER_CENT
    assert meter.meter.taken == 2
    balances = house.balances()
    assert balances["meter/link"] == meter.meter.amount
    assert sum(balances.values()) == 0
    assert meter.borne == 0


def _four_aces(house: TestHouse, table: str, who: str) -> int:
    """Deal four aces to a table's only player and return what the meter paid."""
    state = house.book(table).state
    assert state is not None
    deck = stack(state.game, {1: "As Ah Ad Ac 2h"}, [1])
    # With this seed the player makes the progressive wager and stays in.
    play_keyed(house, table, [who], deck, keys=f"aces-{table}", seed=SEED)
    with house.store.reading() as reading:
        stream = table_stream(table)
        paid = [
            each.amount
            for each in reading.transfers("meter/link")
            if each.what == "pay" and each.stream == stream
        ]
    assert len(paid) == 1
    return paid[0]


def test_a_void_after_an_award_puts_meter_ledger_and_chips_back() -> None:
    house = TestHouse()
    house.staff()
    house.register("ann")
    house.install("one", "washington-everything", meter="link", cards="keyed")
    house.open("one")
    house.seat("one", ["ann"])
    state = house.book("one").state
    assert state is not None
    before, meter = house.balances(), house.desk.library.meter("link").meter
    deck = stack(state.game, {1: "As Ah Ad Ac 2h"}, [1])
    play_keyed(house, "one", ["ann"], deck, seed=SEED, until=_awarded)
    assert house.balances()["meter/link"] != before["meter/link"]
    assert house.balances()["meter/link"] == house.desk.library.meter("link").meter.amount
    house.at("one", ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4))
    assert house.between("one")
    assert house.balances() == before
    assert house.desk.library.meter("link").meter == meter
    assert house.desk.library.meter("link").borne == 0


def _awarded(answer: Answer) -> bool:
    return any(isinstance(event, AwardPaid) for event in answer.events)


@pytest.mark.parametrize("text", ["", "not toml =", "name = 'x'"])
def test_a_submission_that_cannot_be_used_is_refused_with_its_reason(text: str) -> None:
    house = TestHouse()
    house.staff()
    refusal = house.refused(table_stream("one"), InstallTable(submission=text))
    assert refusal.message
    assert "\n" not in refusal.message


def test_an_invalid_submission_is_refused_with_every_reason_at_hand() -> None:
    house = TestHouse()
    house.staff()
    text = submission_text("massachusetts").replace('rulebook = "massachusetts"', 'rulebook = "nowhere"')
    refusal = house.refused(table_stream("one"), InstallTable(submission=text))
    assert refusal.code is Code.UNKNOWN_RULEBOOK


def test_an_open_table_keeps_its_game() -> None:
    house = house_with("washington-everything", PLAYERS)
    other = InstallTable(submission=submission_text("catfish-bend"))
    assert house.refused(table_stream("main"), other).code is Code.TABLE_IN_USE
    bad = InstallTable(submission=submission_text("catfish-bend"))
    assert house.refused(table_stream("Main"), bad).code is Code.ID_UNFIT
