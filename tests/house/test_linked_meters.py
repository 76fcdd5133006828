"""Meters of the house: shared by tables of the same terms, priced as they stand, and never off by a unit."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import BOT_FLOORPERSON
from fourcard.house.commands import InstallTable
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.journal import METER_CODEC
from fourcard.house.route_command import CommandResult
from fourcard.house.store.memory import MemoryStore
from fourcard.meter import UNITS_PER_CENT, Meter, Payment
from fourcard.progressive.console import Press, PressHand, SelectSpot, SwipeCard
from fourcard.refusal_codes import Code
from fourcard.round.commands import PayAward, ReportIrregularity
from fourcard.round.events import AwardPaid, RoundEnded, UpCardTurned
from fourcard.table.commands import CloseTable
from tests.kit.audited_houses import Founded
from tests.kit.houses import TestHouse, house_with, play_keyed, submission_text
from tests.kit.tables import stack

PLAYERS = ("ann", "bob", "cal")
SEED = 2
"""With this seed a table's only player makes the progressive wager and stays in."""
ACES, NOTHING = "As Ah Ad Ac 2h", "2s 5h 9d Jc Kh"
SHORT = ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4, role="supervisor")
"""What makes a round void at any time."""


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


def keyed(*tables: str) -> Founded:
    """Return a house whose tables on one meter are dealt by hand, each with one player of its own name."""
    house = Founded(MemoryStore())
    house.staff()
    house.register(*tables)
    for table in tables:
        house.install(table, "washington-everything", meter="link", cards="keyed")
        house.open(table)
        house.seat(table, [table])
    return house


def deal(house: TestHouse, table: str, hand: str, until: Callable[[CommandResult], bool]) -> None:
    """Deal a hand to a table's only player, until something has happened."""
    state = house.house_table(table).state
    deck = stack(state.game, {1: hand}, [1])
    play_keyed(house, table, [table], deck, keys=f"keyed-{table}", seed=SEED, until=until)


def held(house: TestHouse) -> Meter:
    """Return the meter, which the ledger must agree with."""
    meter, balances = house.service.cache.meter("link").amounts, house.balances()
    assert (meter.amount, meter.reserve) == (balances["meter/link"], balances.get("reserve/link", 0))
    return meter


def sound(house: TestHouse) -> bool:
    """Say whether an audit finds nothing, and that it had meters and their tables to look at."""
    report = audit(house.store)
    return report.findings == () and min(report.counts.meters, report.counts.pairs) > 0


def _awarded(answer: CommandResult) -> bool:
    return any(isinstance(event, AwardPaid) for event in answer.events)


def _shown(answer: CommandResult) -> bool:
    return any(isinstance(event, UpCardTurned) for event in answer.events)


def _ended(answer: CommandResult) -> bool:
    return any(isinstance(event, RoundEnded) for event in answer.events)


def _never(_answer: CommandResult) -> bool:
    return False


def test_two_tables_feed_one_meter() -> None:
    house = linked()
    bots = [house.rehearsal("one", PLAYERS, 1), house.rehearsal("two", ("dot", "eve", "fay"), 2)]
    for _ in range(5):
        for each in bots:
            house.play(each)
    with house.store.reading() as reading:
        events = [METER_CODEC.decode(record) for record in reading.events(meter_stream("link"))]
        balances = reading.balances()
    assert {getattr(event, "table", "") for event in events} == {"", "one", "two"}
    meter = house.service.cache.meter("link").amounts
    assert balances["meter/link"] == meter.amount
    assert balances.get("reserve/link", 0) == meter.reserve
    assert sum(balances.values()) == 0


@pytest.mark.clause("R58")
def test_tables_of_other_terms_do_not_share_a_meter() -> None:
    house = linked()
    house.do(table_stream("one"), CloseTable())
    other = InstallTable(submission=submission_text("maryland-everything"), meter="link")
    refusal = house.refused(table_stream("three"), other)
    assert (refusal.code, refusal.clauses) == (Code.METER_TERMS, ("R58",))
    unfit = replace(other, meter="../link")
    assert house.refused(table_stream("three"), unfit).code is Code.ID_UNFIT


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
    for marked in (SelectSpot(position=1), PressHand(hand="four_aces")):
        assert house.refused(table_stream("main"), marked).code is Code.NO_GAME
    for confirmed in (Press(button="confirm", role="supervisor"), SwipeCard(role="supervisor")):
        assert house.refused(table_stream("main"), confirmed, BOT_FLOORPERSON).code is Code.NO_GAME


def test_awards_are_paid_at_the_meter_as_it_stands() -> None:
    """Let four aces come at both tables: one wins the meter, the other what it started from again."""
    house = keyed("one", "two")
    first, second = (_four_aces(house, table) for table in ("one", "two"))
    meter = house.service.cache.meter("link")
    seed = meter.amounts.reset_amount
    assert seed is not None
    assert min(first, second) > seed * UNITS_PER_CENT
    assert meter.amounts.whole_meter_wins == 2
    balances = house.balances()
    assert balances["meter/link"] == meter.amounts.amount
    assert sum(balances.values()) == 0
    assert meter.absorbed == 0


def _four_aces(house: TestHouse, table: str) -> int:
    """Deal four aces to a table's only player and return the prize that was paid out of the meter."""
    deal(house, table, ACES, _never)
    with house.store.reading() as reading:
        stream = table_stream(table)
        paid = [
            each.units
            for each in reading.transfers("prizes/link")
            if each.what == "pay" and each.stream == stream
        ]
    assert len(paid) == 1
    return paid[0]


def test_a_void_after_an_award_puts_meter_ledger_and_chips_back() -> None:
    house = keyed("one")
    before, meter = house.balances(), held(house)
    deal(house, "one", ACES, _awarded)
    assert house.balances()["meter/link"] != before["meter/link"]
    assert held(house).whole_meter_wins == 1
    house.at("one", SHORT, BOT_FLOORPERSON)
    assert house.between("one")
    assert house.balances() == before
    assert held(house) == replace(meter, whole_meter_wins=1, reversed_wins=(0,))
    assert house.service.cache.meter("link").absorbed == 0
    assert sound(house)


@pytest.mark.clause("R66")
@pytest.mark.parametrize("order", [("one", "three"), ("three", "one")])
def test_voids_over_one_another_put_every_stake_back_once(order: tuple[str, str]) -> None:
    """One puts in, two wins it all, three puts into the new meter; two's round is void, then theirs."""
    house = keyed("one", "two", "three")
    before, meter = house.balances(), held(house)
    deal(house, "one", NOTHING, _shown)
    deal(house, "two", ACES, _awarded)
    deal(house, "three", NOTHING, _shown)
    assert held(house).whole_meter_wins == 1
    for table in ("two", *order):
        house.at(table, SHORT, BOT_FLOORPERSON)
    assert house.balances() == before
    assert held(house) == replace(meter, whole_meter_wins=1, reversed_wins=(0,))
    assert house.service.cache.meter("link").absorbed == 0
    assert sound(house)


@pytest.mark.clause("R66")
def test_a_stake_that_another_table_has_won_is_borne_by_the_house() -> None:
    house = keyed("one", "two")
    deal(house, "one", NOTHING, _shown)
    (stake,) = house.service.cache.meter("link").round_effects("one", 1).contributions
    deal(house, "two", ACES, _awarded)
    won = held(house)
    house.at("one", SHORT, BOT_FLOORPERSON)
    assert held(house) == won
    assert house.service.cache.meter("link").absorbed == stake.to_meter + stake.to_reserve > 0
    assert sound(house)


@pytest.mark.clause("R66")
def test_a_void_round_takes_back_its_own_stakes_and_none_of_earlier_rounds() -> None:
    house = keyed("one")
    deal(house, "one", NOTHING, _ended)
    kept = house.balances()
    state = house.house_table("one").state
    play_keyed(house, "one", ["one"], stack(state.game, {1: NOTHING}, [1]), keys="2", seed=SEED, until=_shown)
    effects = house.service.cache.meter("link").round_effects("one", 2)
    assert (effects.round, len(effects.contributions)) == (2, 1)
    house.at("one", SHORT, BOT_FLOORPERSON)
    assert house.balances() == kept
    assert sound(house)


@pytest.mark.clause("R66")
def test_two_wins_one_after_the_other_are_void_the_later_first() -> None:
    house = keyed("one", "two")
    before, meter = house.balances(), held(house)
    for table in ("one", "two"):
        deal(house, table, ACES, _awarded)
    for table in ("two", "one"):
        house.at(table, SHORT, BOT_FLOORPERSON)
    assert house.balances() == before
    assert held(house) == replace(meter, whole_meter_wins=2, reversed_wins=(1, 0))
    assert house.service.cache.meter("link").absorbed == 0
    assert sound(house)


@pytest.mark.clause("R66")
@pytest.mark.clause("P30")
def test_two_wins_one_after_the_other_are_void_the_earlier_first() -> None:
    """The later winner had the earlier one's start and stake meanwhile, and the meter keeps both."""
    house = keyed("one", "two")
    before, meter = house.balances(), held(house)
    for table in ("one", "two"):
        deal(house, table, ACES, _awarded)
    known = house.service.cache.meter("link")
    (stake,), first = known.round_effects("one", 1).contributions, known.last_wins[0].logged.payment
    for table in ("one", "two"):
        house.at(table, SHORT, BOT_FLOORPERSON)
    kept = first.reset_units + stake.to_meter
    assert held(house) == replace(meter, amount=meter.amount + kept, whole_meter_wins=2, reversed_wins=(0, 1))
    assert house.service.cache.meter("link").absorbed == stake.to_meter + stake.to_reserve
    moved = {"meter/link": kept, "link/link": -kept}
    assert house.balances() == {name: units + moved.get(name, 0) for name, units in before.items()}
    assert sound(house)


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
