"""What the laws of tables once found: each fault in the few commands that show it."""

import pytest
from msgspec.structs import replace

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.round.commands import Deal, PayAward, PlaceWager, ReportIrregularity, SetHand
from fourcard.rules.game import Game
from fourcard.rules.procedures import StepName
from fourcard.table.commands import BringDeck, OrderShuffle, Prepare, ReportFailure, SwitchMethod
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.support import game
from tests.kit.tables import ANTE, bet, current_round, refused, seeded, stack, table, until

ACES = "As Ah Ad Ac 2c"


def jackpot(made: Game) -> Table:
    """Return a table where four aces wait for the price of the whole meter."""
    at = Table(made, lambda: stack(made, {1: ACES}, [1]))
    at.seat(1, "p1")
    at.begin()
    bet(at, {"ante": 2500, "progressive": 100})
    until(at, "settling")
    while current_round(at).awaited_step is None:
        act = at.next_command()
        assert act is not None
        at.do(act)
    return at


@pytest.mark.clause("R77")
def test_the_six_card_bonus_is_not_taken_once_cards_are_dealt_without_a_bonus_card() -> None:
    at = Table(game("maryland-everything"), seeded(1))
    at.seat(1, "p1")
    at.do(ReportFailure(device="shoe"))
    at.do(Prepare(step="cover_device"))
    at.do(SwitchMethod(method="shoe", shuffle_by_hand=True))
    at.begin()
    bet(at)
    six_card = PlaceWager(position=1, wager="six_card", amount=100)
    refusal = refused(at, six_card)
    assert (refusal.code, refusal.clauses) == (Code.WAGER_NOT_OFFERED, ("R77",))


@pytest.mark.clause("R77", "MA-12d", "R101")
@pytest.mark.parametrize(
    ("example", "away", "wager", "clauses"),
    [
        ("maryland-everything", "cover_device", "six_card", None),
        ("massachusetts-everything", "remove_device", "cover_all", ("MA-12d", "R101")),
    ],
)
def test_after_a_shuffle_by_hand_the_shoe_still_deals_six_card_and_cover_all_has_lost_its_shuffler(
    example: str, away: StepName, wager: WagerName, clauses: tuple[str, ...] | None
) -> None:
    at = Table(game(example), seeded(1))
    at.seat(1, "p1")
    at.do(ReportFailure(device="shuffler"))
    at.do(Prepare(step=away))
    at.do(SwitchMethod(method="automated", shuffle_by_hand=True))
    at.begin()
    bet(at)
    refusal = at.may(PlaceWager(position=1, wager=wager, amount=100))
    assert (refusal and (refusal.name, refusal.clauses)) == (clauses and ("wager_not_offered", clauses))


@pytest.mark.clause("R99")
def test_only_a_progressive_chip_can_go_unregistered() -> None:
    at = table("maryland-everything", seats=(1,))
    at.do(PlaceWager(position=1, wager="ante", amount=2500, accepted=False))
    place = current_round(at).positions[1]
    assert (place.wagers, place.unregistered) == ({"ante": 2500}, 0)


@pytest.mark.clause("R27")
def test_four_cards_and_one_of_them_again_are_no_hand() -> None:
    at = table("catfish-bend", seats=(1,), settings__player_sets_hand=True)
    bet(at, ANTE)
    until(at, "deciding")
    look = at.next_command()
    assert look is not None
    at.do(look)
    four = current_round(at).positions[1].cards[:4]
    assert refused(at, SetHand(position=1, cards=(*four, four[0]))).code is Code.PRESENTED_FOREIGN


@pytest.mark.parametrize("below", [{"from_meter": -100}, {"from_tray": -100}])
def test_no_part_of_a_price_is_below_nothing(below: dict[str, int]) -> None:
    at = jackpot(game("washington-everything"))
    price = at.next_command()
    assert isinstance(price, PayAward)
    other = "from_tray" if "from_meter" in below else "from_meter"
    payment = replace(price.payment, **below, **{other: price.payment.amount + 100})
    assert refused(at, replace(price, payment=payment)).code is Code.AWARD_UNFIT
    assert refused(at, replace(price, before=-1)).code is Code.AWARD_UNFIT


def test_asking_what_comes_next_does_not_pay_it() -> None:
    at = jackpot(game("washington-everything"))
    before = at.local_meter.meter
    assert at.next_command() == at.next_command()
    assert at.local_meter.meter == before


@pytest.mark.clause("P23")
def test_a_round_does_not_end_before_its_payouts_are_documented_even_if_the_cards_went_first() -> None:
    """Where each hand is picked up and then paid, the cards are gone before the award is."""
    made = game("shuffle-master-everything")
    rules = made.rulebook.settlement
    fourth = rules.by_routine["pick-and-pay"]["settle"]
    acts = {**rules.by_routine["pick-and-pay"], "take": fourth, "pay": replace(fourth, value=5)}
    del acts["settle"]
    routines = replace(rules, by_routine={**rules.by_routine, "pick-and-pay": acts})
    at = jackpot(replace(made, rulebook=replace(made.rulebook, settlement=routines)))
    assert current_round(at).positions[1].racked
    price = at.next_command()
    assert price is not None
    at.do(price)
    at.finish(lambda _spot: 1)
    names = [type(event).__name__ for event in at.events]
    assert names.index("DocumentCompleted") < names.index("RoundEnded")


def test_no_card_comes_from_a_deck_that_was_removed_before_the_deal() -> None:
    at = table("maryland", seats=(1,))
    bet(at, ANTE)
    announced = at.next_command()
    assert announced is not None
    at.do(announced)
    at.do(OrderShuffle(role="floorperson"))
    at.do(replace(at.next_preparation(), count=51))
    assert refused(at, Deal()).code is Code.DECK_UNPREPARED
    assert refused(at, ReportIrregularity(irregularity="one_face_up_card")).code is Code.DECK_UNPREPARED
    at.do(BringDeck(back="green"))
    while at.state.agenda:
        at.do(at.next_preparation())
    at.finish(lambda _spot: 1)


def test_a_face_up_card_before_the_first_one_begins_the_deal() -> None:
    at = table("maryland", seats=(1,))
    bet(at, ANTE)
    announced = at.next_command()
    assert announced is not None
    at.do(announced)
    at.do(ReportIrregularity(irregularity="one_face_up_card"))
    assert current_round(at).phase == "dealing"
    assert refused(at, OrderShuffle(role="floorperson")).code is Code.SHUFFLE_LATE
    with pytest.raises(RefusedError):
        at.do(PlaceWager(position=1, wager="aces_up", amount=500))
    at.finish(lambda _spot: 1)
