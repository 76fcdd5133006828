"""What a round's events make of its state, and the whole of what follows where something goes wrong."""

from collections.abc import Callable
from functools import reduce

import pytest
from msgspec.structs import replace

from fourcard.cards import parse_cards
from fourcard.dealing import BONUS, EXTRA, DealMove, deal_plan
from fourcard.refusal_codes import Code
from fourcard.round.commands import (
    CallOff,
    Deal,
    Fold,
    JudgeCount,
    Perform,
    PlaceWager,
    ReportIrregularity,
    SetHand,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.decide import decide as decide_round
from fourcard.round.events import (
    BetsClosed,
    CountFoundWrong,
    CountJudged,
    FaceUpCardDiscarded,
    HandSet,
    IrregularityNoted,
    ProgressiveBooked,
    ProgressiveLocked,
    RoundEvent,
    RoundVoided,
    SeatAbandoned,
    ShowdownReached,
    StepDone,
    WagerPlaced,
    WagersSettled,
    WagerWithdrawn,
)
from fourcard.round.evolve import evolve
from fourcard.round.state import RoundRules, new_round
from fourcard.rules.procedures import Consequence
from fourcard.settlers.showdown import DEALER
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.table.commands import ReportFailure
from fourcard.table.events import DeviceFailed
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.awards import awaiting, finished, maryland, told
from tests.kit.deals import act
from tests.kit.refusal_situations import (
    ANNOUNCE,
    LOOK,
    at_phase,
    counted,
    looked,
    miscounted,
    unregistered,
    wagered,
)
from tests.kit.support import game
from tests.kit.tables import ANTE, bet, current_round, finish, refused, stack, table, until

Follows = tuple[Consequence, ...]
Returned = tuple[tuple[int, WagerName, int], ...]
LEFT = TreatAsAbandoned(position=1, role="supervisor")


def _of_the_round(at: Table) -> list[RoundEvent]:
    """Return the round events of a table's only round."""
    names = [type(event).__name__ for event in at.events]
    return at.events[names.index("RoundBegan") + 1 :]  # type: ignore[return-value]


@pytest.mark.parametrize(
    "played",
    [
        lambda: wagered("massachusetts"),
        lambda: wagered("catfish-bend"),
        lambda: wagered("shuffle-master"),
        maryland,
    ],
)
def test_the_events_of_a_round_make_its_last_state_again(played: Callable[[], Table]) -> None:
    at = played()
    over = finished(at)
    again = new_round(
        RoundRules(at.game, by_hand=at.game.submission.shuffler is None),
        at.state.seats,
        count_due=over.count_due,
    )
    events = [event for event in _of_the_round(at) if type(event).__module__ == "fourcard.round.events"]
    assert reduce(evolve, events, again) == over
    assert reduce(evolve, events[:-1], again) != over


def test_rules_are_the_same_where_game_and_method_are() -> None:
    maryland_rules = RoundRules(game("maryland"))
    again, other = RoundRules(game("maryland")), RoundRules(game("maryland"), "shoe")
    assert maryland_rules == maryland_rules  # noqa: PLR0124
    assert maryland_rules == again
    assert hash(maryland_rules) == hash(again)
    assert maryland_rules != other
    assert hash(maryland_rules) != hash(other)
    assert maryland_rules != RoundRules(game("massachusetts"))
    assert maryland_rules != "maryland"


@pytest.mark.clause("MD-13D", "R66")
def test_a_void_round_gives_everything_back_an_award_that_waits_among_it() -> None:
    at = maryland()
    awaiting(at)
    noted, void = at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4))
    consequences: Follows = ("void", "return-wagers", "reshuffle")
    assert noted == IrregularityNoted("wrong_number_of_cards", consequences, ("MD-13D",), 1)
    assert isinstance(void, RoundVoided)
    assert (void.clauses, void.consequences) == (("MD-13D", "R66"), consequences)
    assert void.returned == tuple(
        (position, wager, amount)
        for position in (1, 2)
        for wager, amount in [
            ("ante", 2500),
            ("aces_up", 500),
            ("six_card", 100),
            ("progressive", 500),
            ("play", 2500),
        ]
    )
    assert [(step.position, step.wager, step.amount) for step in void.reversed] == [
        (2, "ante", 2500),
        (2, "play", 2500),
        (2, "automatic_bonus", 50000),
        (2, "aces_up", 15000),
        (2, "six_card", 20000),
    ]
    assert void.contributions == ((1, 500), (2, 500))
    state = at.state.last_round
    assert state is not None
    assert (state.phase, state.awaited_step, state.voided, state.irregularities) == (
        "void",
        None,
        void,
        (noted,),
    )
    assert (state.net_changes, state.tray_change, state.meter_change, state.layout) == ({1: 0, 2: 0}, 0, 0, 0)
    assert at.local_meter.meter.whole_cents == 1000000


@pytest.mark.clause("MD-13G", "R99")
def test_a_chip_that_was_not_registered_goes_back_from_a_void_round() -> None:
    at = unregistered()
    consequences: Follows = ("void", "return-wagers", "reshuffle-all")
    returned: Returned = ((1, "ante", 2500), (1, "progressive", 100), (2, "ante", 2500), (3, "ante", 2500))
    assert at.do(ReportFailure(device="shoe")) == [
        DeviceFailed("shoe", ("MD-13G",)),
        IrregularityNoted("shoe_failure", consequences, ("MD-13G",)),
        RoundVoided(("MD-13G",), consequences, returned),
    ]
    state = at.state.last_round
    assert state is not None
    assert [place.unregistered for place in state.positions.values()] == [0, 0, 0]


@pytest.mark.clause("R99", "SM-PROG-6.1")
def test_a_chip_that_was_not_registered_is_withdrawn_or_given_back_when_wagers_are_locked() -> None:
    at = unregistered()
    for other in (
        PlaceWager(position=1, wager="aces_up", amount=500),
        WithdrawWager(position=1, wager="aces_up"),
    ):
        at.do(other)
        assert current_round(at).positions[1].unregistered == 100
    assert current_round(at).net_changes[1] == -2600
    back = WithdrawWager(position=1, wager="progressive")
    assert at.do(back) == [WagerWithdrawn(1, "progressive", 100)]
    assert (current_round(at).positions[1].unregistered, current_round(at).net_changes[1]) == (0, -2500)
    again = PlaceWager(position=1, wager="progressive", amount=100)
    at.do(replace(again, accepted=False))
    assert at.do(again) == [WagerPlaced(1, "progressive", 100, before=100)]
    assert current_round(at).net_changes[1] == -2600
    at = table("shuffle-master-everything", (1, 2))
    bet(at, ANTE)
    at.do(PlaceWager(position=1, wager="progressive", amount=100))
    at.do(PlaceWager(position=2, wager="progressive", amount=100, accepted=False))
    assert at.do(Perform(step="lock_out")) == [
        StepDone("lock_out", ("SM-PROG-6.1",)),
        BetsClosed(("SM-PROG-6.1",)),
        ProgressiveLocked(((1, 100),), ((2, 100),), ("R99",)),
    ]
    state = current_round(at)
    assert (state.net_changes, state.tray_change, state.layout) == ({1: -2600, 2: -2500}, 0, 5100)


@pytest.mark.clause("P24")
def test_a_round_that_is_called_off_gives_every_wager_back() -> None:
    at = unregistered()
    consequences: Follows = ("void", "return-wagers")
    returned: Returned = ((1, "ante", 2500), (1, "progressive", 100), (2, "ante", 2500), (3, "ante", 2500))
    assert at.do(CallOff(role="floorperson")) == [RoundVoided(("P24",), consequences, returned)]
    at = table("massachusetts")
    assert at.do(CallOff()) == [RoundVoided(("P24",), consequences, ())]


@pytest.mark.clause("MD-10A2a", "MD-10A2b", "MD-10A3c")
def test_wagers_are_locked_after_bets_were_closed() -> None:
    at = wagered("maryland-everything")
    at.do(PlaceWager(position=2, wager="progressive", amount=500))
    assert at.do(ANNOUNCE) == [
        StepDone("announce_no_more_bets", ("MD-10A2a",)),
        BetsClosed(("MD-10A2a",)),
    ]
    assert at.do(Perform(step="lock_out", count=9)) == [
        StepDone("lock_out", ("MD-10A2b",)),
        ProgressiveLocked(((2, 500),)),
    ]
    assert at.do(Perform(step="collect_chips")) == [StepDone("collect_chips", ("MD-10A3a",))]
    assert at.do(Perform(step="count_chips", count=1)) == [StepDone("count_chips", ("MD-10A3b",), count=1)]
    assert at.do(Perform(step="put_chips_in_tray")) == [
        StepDone("put_chips_in_tray", ("MD-10A3c",)),
        ProgressiveBooked(((2, 500),)),
    ]


def test_a_wager_that_no_other_needs_is_withdrawn() -> None:
    at = wagered("massachusetts")
    at.do(PlaceWager(position=1, wager="aces_up", amount=500))
    assert at.do(WithdrawWager(position=1, wager="ante")) == [WagerWithdrawn(1, "ante", 2500)]
    assert at.do(WithdrawWager(position=1, wager="aces_up")) == [WagerWithdrawn(1, "aces_up", 500)]
    assert current_round(at).net_changes == {1: 0, 2: -2500, 3: -2500}


@pytest.mark.clause("R76")
def test_the_bonus_card_is_shown_with_the_dealers_hand() -> None:
    at = maryland()
    assert not current_round(at).bonus_shown
    at.do(Perform(step="reveal_dealer"))
    assert current_round(at).bonus_shown
    assert finished(at).bonus_shown


@pytest.mark.clause("MD-13F")
def test_wagers_are_still_taken_after_a_shuffler_failed() -> None:
    at = wagered("maryland")
    at.do(ReportFailure(device="shuffler"))
    assert current_round(at).betting_stage == "betting"
    at.do(PlaceWager(position=1, wager="aces_up", amount=500))


@pytest.mark.clause("P19", "R95")
def test_a_card_found_face_up_before_the_first_one_closes_the_bets() -> None:
    at = wagered("shuffle-master")
    first = at.state.decks[0].order
    assert first is not None
    assert at.do(ReportIrregularity(irregularity="one_face_up_card")) == [
        BetsClosed(("R95",)),
        IrregularityNoted("one_face_up_card", ("discard-card",), ("P19",), card=first[0]),
        FaceUpCardDiscarded(first[0], ("P19",)),
    ]
    assert (current_round(at).betting_stage, current_round(at).discarded) == ("first-card", first[:1])


@pytest.mark.clause("R72")
def test_a_card_of_the_dealers_that_was_exposed_is_played_on_where_a_house_says_so() -> None:
    at = looked("shuffle-master", settings__dealer_card_exposed="play_on")
    card = current_round(at).dealer[0]
    assert at.do(ReportIrregularity(irregularity="dealer_card_exposed", card=card)) == [
        IrregularityNoted("dealer_card_exposed", ("continue",), ("R72",), card=card)
    ]


@pytest.mark.clause("MA-14c")
def test_a_hand_without_a_card_is_a_wrong_number() -> None:
    at = looked("massachusetts")
    noted, void = at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=0))
    assert noted == IrregularityNoted("wrong_number_of_cards", ("void", "reshuffle"), ("MA-14c",), 1)
    assert isinstance(void, RoundVoided)
    assert void.clauses == ("MA-14c", "R69")


@pytest.mark.clause("MD-09C2", "R70")
def test_a_stub_without_a_card_is_a_wrong_count_and_hands_without_one_are_judged() -> None:
    at, none = counted(0)
    assert at.do(none) == [CountFoundWrong(0, 36, ("MD-09C2",))]
    consequences: Follows = ("void", "return-wagers", "remove-deck")
    assert at.do(JudgeCount(stub=0, hands={0: 0, 1: 0, 2: 0})) == [
        CountJudged(misdealt=True, total=0, clauses=("R70",)),
        RoundVoided(("R70",), consequences, ((1, "ante", 2500), (2, "ante", 2500))),
    ]
    assert at.state.decks[0].removed


@pytest.mark.clause("MD-09D")
def test_a_wrong_count_of_cards_that_are_all_there_is_forgotten() -> None:
    at = miscounted()
    judged, done = at.do(JudgeCount(stub=36, hands={0: 6, 1: 5, 2: 5}))
    assert isinstance(judged, CountJudged)
    assert (judged.misdealt, judged.total) == (False, 52)
    assert isinstance(done, StepDone)
    assert (done.step, done.count) == ("count_stub", 36)
    assert current_round(at).wrong_count is None


@pytest.mark.clause("R36")
def test_wagers_of_whoever_left_are_lost_and_the_last_one_to_leave_ends_the_decisions() -> None:
    at = at_phase("maryland-everything", "deciding", seats=(1,))
    gone = SeatAbandoned(1, ("MD-07B2", "R36"))
    assert at.do(LEFT) == [gone]
    assert act(at)[1:] == [ShowdownReached()]
    assert finish(at).net_changes == {1: -2500}
    at = looked("maryland-everything", seats=(1,))
    assert at.do(LEFT) == [gone, ShowdownReached()]
    assert finish(at).net_changes == {1: -2500}
    at = looked("maryland-everything", seats=(1, 2))
    assert at.do(LEFT) == [gone]
    assert current_round(at).phase == "deciding"


@pytest.mark.clause("R108")
def test_whoever_leaves_while_the_stub_is_put_away_has_left() -> None:
    at = at_phase("maryland-everything", "stub", seats=(1, 2))
    assert at.do(LEFT) == [SeatAbandoned(1, ("MD-07B2", "R36"))]
    until(at, "settling")
    assert current_round(at).positions[1].play_amount is None


def _setting() -> Table:
    """Return a Catfish Bend table whose player has a pair of aces to set, and may look."""
    made = game("catfish-bend", settings__player_sets_hand=True)
    at = Table(made, lambda: stack(made, {1: "As Ah 3d 4c 9s"}, [1]))
    at.seat(1, "p1")
    at.begin()
    bet(at, ANTE)
    until(at, "deciding")
    at.do(LOOK)
    return at


@pytest.mark.clause("IA-COMP-1.2", "R27")
def test_a_hand_that_a_player_sets_is_recorded_with_the_better_one() -> None:
    at = _setting()
    poor, best = parse_cards("As 3d 4c 9s"), parse_cards("As Ah 9s 4c")
    (done,) = at.do(SetHand(position=1, cards=poor))
    assert isinstance(done, HandSet)
    assert (done.position, done.cards, sorted(done.could_have)) == (1, poor, sorted(best))
    assert current_round(at).positions[1].chosen_cards == poor
    assert at.do(SetHand(position=1, cards=best)) == [HandSet(1, best)]
    foreign = ("presented_foreign", Code.PRESENTED_FOREIGN.sentence)
    for cards in ("As Ah 9s", "As Ah 9s 2c"):
        refusal = refused(at, SetHand(position=1, cards=parse_cards(cards)))
        assert told(refusal) == (*foreign, ("IA-COMP-1.2", "R27"))


@pytest.mark.clause("IA-COMP-1.2", "R27")
def test_a_hand_is_set_until_the_settlement_begins() -> None:
    at = _setting()
    best = parse_cards("As Ah 9s 4c")
    until(at, "settling")
    assert at.do(SetHand(position=1, cards=best)) == [HandSet(1, best)]
    assert current_round(at).phase == "settling"
    act = at.next_command()
    assert act is not None
    at.do(act)
    late = refused(at, SetHand(position=1, cards=best))
    sentence = Code.NOT_NOW.sentence.format(what="set hand", phase="being settled")
    assert told(late) == ("not_now", sentence, ("IA-COMP-1.2",))
    finish(at)


def test_money_goes_into_a_pocket_that_nothing_came_from() -> None:
    state = new_round(RoundRules(game("massachusetts")), {1: "p1"})
    step = SettlementStep(1, "ante", "pay", 700, "tray", "pair", ())
    after = evolve(state, WagersSettled((step,)))
    assert (after.net_changes, after.tray_change, after.meter_change, after.settled_in_turn) == (
        {1: 700},
        -700,
        0,
        1,
    )
    assert after.steps == (step,)


def test_a_plan_by_passes_gives_the_dealer_the_last_two_cards_together() -> None:
    player, dealer = ("MA-7c.1", "MA-7c.3", "MA-7c.4"), ("MA-7c.1", "MA-7c.5")
    around = [DealMove("deal", 1, 1, player), DealMove("deal", 3, 1, player)]
    to_dealer = DealMove("deal", DEALER, 1, dealer)
    last = DealMove("deal", DEALER, 2, ("MA-7c.5", "MA-7c.6"), up=1)
    made = deal_plan(game("massachusetts"), (3, 1))
    assert list(made.moves) == [*[*around, to_dealer] * 4, *around, last]
    assert (made.cards, made.stub, made.player_cards, made.dealer_cards) == (16, 36, 5, 6)


def test_a_plan_by_a_machine_that_deals_a_bonus_card_begins_with_it() -> None:
    player = ("MD-10B3", "MD-10B4", "MD-10E", "MD-10B1", "MD-10B2.1")
    assert list(deal_plan(game("maryland-everything"), (1, 2)).moves) == [
        DealMove("deal", BONUS, 1, ("MD-10B1", "MD-10B2.1", "MD-10B3", "MD-10B4", "R15")),
        DealMove("deal", DEALER, 6, ("MD-10B2.1", "MD-10E", "MD-10B1", "MD-10B3", "MD-10B4")),
        DealMove("turn_up_card", DEALER, 1, ("MD-10B2.2",), place=-1),
        DealMove("deal", 1, 5, player),
        DealMove("deal", 2, 5, player),
    ]


def test_a_plan_with_an_extra_stack_spreads_it_turns_one_and_discards_four() -> None:
    player = ("MA-9c.1", "MA-9c.2", "MA-9a.1", "R80", "MA-9c.3", "MA-9c.4")
    assert list(deal_plan(game("massachusetts-everything"), (1,)).moves) == [
        DealMove("deal", 1, 5, player),
        DealMove("deal", DEALER, 5, ("MA-9c.3", "MA-9c.4")),
        DealMove("deal", EXTRA, 5, ("MA-9c.4", "MA-9c.3")),
        DealMove("spread_extra_stack", EXTRA, 5, ("MA-9c.5",)),
        DealMove("turn_up_card", EXTRA, 1, ("MA-9c.6",), place=-1),
        DealMove("discard_extra_cards", EXTRA, 4, ("MA-9c.7",)),
    ]


def test_a_deal_gives_each_move_its_cards_off_the_top() -> None:
    at = at_phase("massachusetts", "dealing")
    order = at.state.decks[0].order
    assert order is not None
    (dealt,) = at.do(Deal())
    assert getattr(dealt, "cards", None) == order[:1]
    assert at.state.decks[0].order == order[1:]


def test_the_up_card_is_the_one_that_came_last_or_was_turned() -> None:
    at = at_phase("massachusetts", "dealing")
    while current_round(at).phase == "dealing":
        assert current_round(at).up_card is None
        act(at)
    assert current_round(at).up_card == current_round(at).dealer[-1]
    at = at_phase("massachusetts-everything", "dealing")
    extra: tuple[int, ...] = ()
    while current_round(at).up_card is None:
        extra = current_round(at).extra
        act(at)
    state = current_round(at)
    assert (*state.extra, state.up_card) == extra
    assert state.dealer[-1] == state.up_card


def test_nothing_is_done_in_a_round_that_is_over_or_void() -> None:
    over = finish(wagered("massachusetts"))
    assert told(decide_round(over, LOOK)) == (
        "not_now",
        Code.NOT_NOW.sentence.format(what="let players look", phase="over"),
        (),
    )
    at = looked("massachusetts")
    at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4))
    assert at.state.last_round is not None
    assert told(decide_round(at.state.last_round, Fold(position=1))) == (
        "not_now",
        Code.NOT_NOW.sentence.format(what="fold", phase="void"),
        ("MA-10b.2",),
    )
