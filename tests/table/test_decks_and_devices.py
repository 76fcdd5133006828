"""Devices, decks and moments of a table: what happens, event by event, and the state that it makes."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.refusal_codes import Code
from fourcard.refusals import refuse
from fourcard.round.commands import (
    ActorRole,
    CorrectPayment,
    Deal,
    LeaveSeat,
    PlaceWager,
    ReportIrregularity,
    TakeSeat,
)
from fourcard.round.events import IrregularityNoted, PaymentCorrected, RoundVoided, SeatTaken
from fourcard.rules.procedures import Consequence
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    GoIdle,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
)
from fourcard.table.events import (
    DeckBrought,
    DeviceFailed,
    DeviceReturned,
    DeviceSeenTo,
    MethodSwitched,
    PlayerArrived,
    RecutOrdered,
    RoundBegan,
    ShuffleOrdered,
    SwapOrdered,
    TableClosed,
    TableOpened,
    WentIdle,
)
from fourcard.wagers import WagerName
from tests.kit.decks import SHUFFLER, begin, closed, due, opened, ready
from tests.kit.refusal_situations import (
    COVER,
    HOUR,
    IA,
    MA,
    MA_ALL,
    MD,
    MD_ALL,
    REMOVE,
    SHOE_FAILS,
    SHUFFLER_FAILS,
    SM,
    at_phase,
    at_ready,
    away,
    empty,
    failed,
    opened_at,
    twice_failed,
    wagered,
    without_deck,
)
from tests.kit.tables import ANTE, bet, finish, refused

ANTES: tuple[tuple[int, WagerName, int], ...] = ((1, "ante", 2500), (2, "ante", 2500), (3, "ante", 2500))
MD_SEEN = ("MD-13H1", "MD-13H2")


@pytest.mark.parametrize(
    ("example", "command", "consequences", "cited", "void"),
    [
        (MA_ALL, SHOE_FAILS, ("void", "reshuffle-all"), ("MA-14f",), ("MA-14f", "R69")),
        (MD_ALL, SHOE_FAILS, ("void", "return-wagers", "reshuffle-all"), ("MD-13G",), ("MD-13G",)),
    ],
)
def test_a_shoe_that_fails_while_wagers_are_open_voids_the_round(
    example: str,
    command: ReportFailure,
    consequences: tuple[Consequence, ...],
    cited: tuple[str, ...],
    void: tuple[str, ...],
) -> None:
    at = wagered(example)
    assert at.do(command) == [
        DeviceFailed("shoe", cited),
        IrregularityNoted("shoe_failure", consequences, cited),
        RoundVoided(void, consequences, ANTES),
    ]
    assert at.state.round is None
    assert (at.state.failed, at.state.failures, at.state.away) == (("shoe",), 1, ())


def test_a_shoe_that_failed_works_again_once_a_round_was_dealt_from_it_to_the_end() -> None:
    at = at_phase(MA_ALL, "dealing")
    at.do(SHOE_FAILS)
    assert "shoe" in at.state.failed
    begin(at)
    bet(at, ANTE)
    finish(at)
    assert "shoe" not in at.state.failed


def test_each_device_that_failed_is_taken_out_of_use_by_itself() -> None:
    at = at_ready(MD_ALL)
    for failure in (SHUFFLER_FAILS, SHOE_FAILS, SHUFFLER_FAILS):
        at.do(failure)
    ready(at)
    at.do(SHUFFLER_FAILS)
    to_shoe = SwitchMethod(method="shoe", shuffle_by_hand=True)
    for device in ("shoe", "shuffler"):
        assert refused(at, to_shoe).code is Code.DEVICE_BLOCKS
        assert at.do(COVER) == [DeviceSeenTo("cover_device", MD_SEEN, device)]
    assert at.may(to_shoe) is None


def test_a_shuffler_that_failed_works_again_once_it_has_shuffled() -> None:
    at = failed(MD)
    to_shoe = SwitchMethod(method="shoe")
    assert refused(at, to_shoe).code is Code.DEVICE_BLOCKS
    ready(at)
    assert at.may(to_shoe) is None


def test_at_catfish_bend_a_shuffler_that_fails_after_the_deal_began_voids_the_round() -> None:
    at = at_phase(IA, "dealing")
    consequences: tuple[Consequence, ...] = ("void-if-dealt", "reshuffle")
    clauses = ("IA-IRR-3.1", "R75")
    first, noted, void = at.do(SHUFFLER_FAILS)
    assert first == DeviceFailed("shuffler", clauses)
    assert noted == IrregularityNoted("shuffler_failure", consequences, clauses)
    assert void == RoundVoided((*clauses, "R69"), consequences, ANTES)


def test_at_catfish_bend_a_shuffler_that_fails_before_the_deal_has_the_cards_shuffled_again() -> None:
    at = wagered(IA)
    clauses = ("IA-IRR-3.1", "R75")
    assert at.do(SHUFFLER_FAILS) == [
        DeviceFailed("shuffler", clauses),
        IrregularityNoted("shuffler_failure", ("void-if-dealt", "reshuffle"), clauses),
    ]
    assert at.state.round is not None
    assert due(at) != []


def test_a_failure_is_reported_by_whoever_reports_it() -> None:
    at = wagered(MD)
    first, noted = at.do(ReportFailure(device="shuffler", role="floorperson", by="Ada"))
    assert first == DeviceFailed("shuffler", ("MD-13F",))
    assert noted == IrregularityNoted("shuffler_failure", ("reshuffle",), ("MD-13F",))
    assert at.state.failed == ("shuffler",)


def test_a_device_out_of_play_is_not_used_until_another_method_is_chosen_or_it_is_back() -> None:
    at = away(MD_ALL, SHOE_FAILS, COVER)
    assert at.events[-1] == DeviceSeenTo("cover_device", MD_SEEN, "shoe")
    assert (at.state.failed, at.state.away) == ((), ("shoe",))
    assert refused(at, BeginRound()).code is Code.DEVICE_AWAY
    assert at.do(SwitchMethod(method="shoe")) == [MethodSwitched("shoe", by_hand=False, clauses=("MD-08B",))]
    assert (at.state.method, at.state.by_hand, at.state.away) == ("shoe", False, ("shoe",))
    begin(at)
    bet(at, ANTE)
    finish(at)
    assert at.do(BringDevice(device="shoe")) == [DeviceReturned("shoe")]
    assert at.state.away == ()
    at.do(SwitchMethod(method="automated"))
    assert at.state.method == "automated"


@pytest.mark.parametrize("step", ["cover_device", "mark_device"])
def test_maryland_has_a_failed_device_covered_or_marked(step: Any) -> None:
    at = failed(MD)
    assert at.do(Prepare(step=step)) == [DeviceSeenTo(step, MD_SEEN, "shuffler")]
    assert refused(at, BeginRound()).code is Code.DEVICE_AWAY
    assert at.do(SwitchMethod(method="shoe", shuffle_by_hand=True)) == [
        MethodSwitched("shoe", by_hand=True, clauses=("MD-08B",))
    ]
    assert at.state.by_hand
    assert due(at)[0] == "shuffle_by_hand"


def test_massachusetts_has_every_device_removed_before_another_method() -> None:
    at = at_ready(MA_ALL)
    to_shoe = SwitchMethod(method="shoe", shuffle_by_hand=True)
    assert refused(at, to_shoe).code is Code.DEVICE_BLOCKS
    assert at.do(REMOVE) == [DeviceSeenTo("remove_device", ("MA-14g",), "shoe")]
    assert refused(at, to_shoe).code is Code.DEVICE_BLOCKS
    assert at.do(REMOVE) == [DeviceSeenTo("remove_device", ("MA-14g",), "shuffler")]
    assert at.do(to_shoe) == [MethodSwitched("shoe", by_hand=True, clauses=("MA-7a.3",))]
    assert at.state.away == ("shoe", "shuffler")
    assert refused(at, REMOVE).code is Code.NOTHING_DUE


def test_a_shuffler_that_works_stays_where_only_the_deal_changes() -> None:
    at = at_ready(MA, shuffler=SHUFFLER)
    assert at.do(SwitchMethod(method="hand")) == [MethodSwitched("hand", by_hand=False, clauses=("MA-8a",))]
    assert due(at) == ["shuffle_by_machine", "square_stack", "take_in_hand"]


def test_catfish_bend_deals_by_hand_where_the_shuffler_is_dead() -> None:
    at = failed(IA)
    assert at.do(SwitchMethod(method="manual", shuffle_by_hand=True)) == [
        MethodSwitched("manual", by_hand=True, clauses=("IA-SHUF-B", "IA-IRR-3.2"))
    ]
    assert at.state.failed == ()
    begin(at)


def test_a_machine_that_failed_twice_is_swapped_and_its_failures_are_forgotten() -> None:
    at = twice_failed()
    bet(at, ANTE)
    finish(at)
    assert at.state.failures == 2
    assert at.do(SwapMachine()) == [SwapOrdered(("SM-IRR-2.2",))]
    assert (at.state.failures, at.state.failed) == (0, ())
    assert due(at)[:7] == [
        "switch_off",
        "unplug",
        "put_backup_in_place",
        "connect",
        "switch_on",
        "call_manufacturer",
        "resume_play",
    ]
    at.do(SHUFFLER_FAILS)
    assert (at.state.failures, at.state.failed) == (1, ("shuffler",))
    assert refused(at, SwapMachine()).code is Code.SWAP_EARLY
    at.do(SHUFFLER_FAILS)
    at.do(SwapMachine())
    assert (at.state.failures, at.state.failed) == (0, ())


def test_a_deck_that_is_gone_waits_for_another_and_for_nothing_else() -> None:
    at = without_deck()
    assert (at.state.decks[0].removed, at.state.decks[0].agenda) == (True, ())
    at.do(SHUFFLER_FAILS)
    assert due(at) == []
    at.do(COVER)
    assert due(at) == []
    at.do(SwitchMethod(method="shoe", shuffle_by_hand=True))
    assert due(at) == []


def test_a_deck_that_is_counted_wrong_during_a_round_is_replaced_before_it_goes_on() -> None:
    at = wagered(MD)
    new = BringDeck(back="green")
    assert refused(at, new).code is Code.ROUND_UNDER_WAY
    at.do(OrderShuffle(role="floorperson"))
    at.do(Prepare(step="shuffle_by_machine", count=51))
    for command in (Deal(), ReportIrregularity(irregularity="one_face_up_card")):
        assert refused(at, command) == refuse(Code.DECK_UNPREPARED, due="bring a deck")
    at.do(new)
    ready(at)
    assert finish(at).phase == "over"


def test_a_deck_that_is_brought_is_inspected_and_shuffled_like_a_new_one() -> None:
    at = opened_at(MD, 1000)
    assert at.do(BringDeck(back="green", at=5000)) == [DeckBrought(0, "green", preshuffled=False, at=5000)]
    deck = at.state.decks[0]
    assert (deck.back, deck.since, deck.order, deck.mixed, at.state.at) == ("green", 5000, DECK, None, 5000)
    assert due(at)[:2] == ["inspect_cards", "verify_inspection"]


def test_a_preshuffled_deck_that_is_brought_keeps_its_order() -> None:
    at = opened_at(MD, 1000)
    order = tuple(reversed(DECK))
    brought = BringDeck(back="green", preshuffled=True, order=order, at=2000)
    assert at.do(brought) == [DeckBrought(0, "green", preshuffled=True, at=2000, order=order)]
    deck = at.state.decks[0]
    assert (deck.order, deck.mixed) == (order, "preshuffled")
    at.do(BringDeck(back="green", preshuffled=True))
    assert at.state.decks[0].order is None
    assert at.state.at == 2000


def test_the_deck_that_rests_may_be_changed_during_a_round() -> None:
    at = wagered(MD_ALL)
    assert at.do(BringDeck(back="green", deck=1)) == [DeckBrought(1, "green", preshuffled=False, at=0)]
    assert [deck.back for deck in at.state.decks] == ["red", "green"]


def test_a_deck_ages_by_the_later_of_the_moments_known() -> None:
    at = opened_at(MD, 1000)
    late = 1000 + 4 * HOUR
    assert at.may(BeginRound(at=late - 1)) is None
    assert refused(at, BeginRound(at=late)).code is Code.DECK_TOO_OLD
    at.do(BeginRound(at=late - 1))
    assert at.events[-1] == RoundBegan(1, 0, count_due=False, at=late - 1)
    bet(at, ANTE)
    finish(at)
    ready(at)
    assert at.may(BeginRound()) is None
    at.do(BringDeck(back="green", at=late))
    ready(at)
    assert at.may(BeginRound()) is None
    assert at.may(BeginRound(at=late + 4 * HOUR - 1)) is None
    assert refused(at, BeginRound(at=late + 4 * HOUR)).code is Code.DECK_TOO_OLD


def test_a_deck_too_old_by_the_tables_last_moment_is_refused_without_a_moment() -> None:
    at = closed(MD_ALL)
    at.do(OpenTable(decks=("red", "blue"), at=1000))
    at.seat(1, "p1")
    ready(at)
    at.do(BringDeck(back="green", deck=1, at=1000 + 8 * HOUR - 1))
    assert refused(at, BeginRound()).clauses == ("MD-04A.1",)
    ready(at)
    assert at.may(BeginRound()) is None
    at.do(BringDeck(back="green", deck=1, at=1000 + 8 * HOUR))
    assert refused(at, BeginRound()).code is Code.DECK_TOO_OLD


def test_a_recut_puts_the_cut_on_the_agenda_again() -> None:
    at = at_ready(MA)
    order = OrderRecut(role="casino-supervisor", by="Ada")
    assert at.do(order) == [RecutOrdered(0, "Ada", ("MA-5d",))]
    assert due(at) == ["lay_cover_card", "cut", "place_rest_on_top", "rack_cover_card", "put_in_shoe"]
    assert at.state.decks[0].cut is False
    assert refused(at, order).code is Code.RECUT_LATE
    ready(at)
    assert at.state.decks[0].cut


def test_a_recut_of_a_preshuffled_deck_is_cut_and_loaded() -> None:
    at = closed(MD)
    at.do(OpenTable(decks=("red",), preshuffled=True))
    at.seat(1, "p1")
    ready(at)
    assert (at.state.decks[0].mixed, opened(MD).state.decks[0].mixed) == ("preshuffled", None)
    at.do(OrderRecut(role="floorperson"))
    assert due(at) == ["insert_cover_card", "cut", "take_in_hand"]


@pytest.mark.parametrize("role", ["supervisor", "casino-supervisor", "executive"])
def test_a_recut_is_the_supervisors_where_nothing_else_is_said(role: ActorRole) -> None:
    at = at_ready(IA)
    at.do(SHUFFLER_FAILS)
    at.do(SwitchMethod(method="manual", shuffle_by_hand=True))
    ready(at)
    assert at.do(OrderRecut(role=role)) == [RecutOrdered(0, "", ("P42",))]


def test_a_shuffle_is_ordered_before_the_first_card() -> None:
    at = wagered(MD)
    order = OrderShuffle(role="floorperson", by="Ada")
    assert at.do(order) == [ShuffleOrdered(0, "Ada", ("MD-05A3",))]
    assert due(at) == ["shuffle_by_machine", "square_stack", "take_in_hand"]


def test_a_table_goes_idle_and_a_player_finds_the_cards_spread() -> None:
    at = empty(MA)
    assert at.do(GoIdle(spread="face-down")) == [WentIdle("face-down", ("MA-5e.1",))]
    assert (at.state.phase, at.state.spread, due(at)) == ("idle", "face-down", ["spread_cards"])
    seated, arrived = at.do(TakeSeat(position=2, player="p2"))
    assert seated == SeatTaken(2, "p2")
    assert arrived == PlayerArrived(("MA-5e.2", "MA-5e.3"))
    assert (at.state.phase, at.state.spread) == ("open", None)
    assert due(at)[:3] == ["spread_cards", "turn_face_up", "show_first_player"]
    at.do(LeaveSeat(position=2))
    at = empty(MD)
    assert at.do(GoIdle(spread="face-up", role="player")) == [WentIdle("face-up", ("MD-05F2",))]


def test_a_shuffle_ordered_at_a_table_that_was_idle_keeps_what_a_player_is_shown() -> None:
    at = empty(MD)
    at.do(GoIdle(spread="face-down"))
    at.do(TakeSeat(position=1, player="p1"))
    before = due(at)
    at.do(OrderShuffle(role="floorperson"))
    assert due(at) == before
    assert "show_first_player" in before


def test_a_closed_table_keeps_its_number_its_last_round_its_moment_and_how_its_devices_are() -> None:
    at = opened_at(MD, 1000)
    at.do(BeginRound(at=2000))
    bet(at, ANTE)
    over = finish(at)
    at.do(SHUFFLER_FAILS)
    at.do(COVER)
    assert at.do(CloseTable(at=3000)) == [TableClosed(3000)]
    kept = {"round_number": 1, "last_round": over, "at": 3000, "failures": 1, "away": ("shuffler",)}
    assert at.state == replace(closed(MD).state, rules=at.state.rules, **kept)
    assert at.state.rules.shuffled_by_hand
    at.do(OpenTable(decks=("blue",), shoe_side="right", at=4000))
    assert at.events[-1] == TableOpened(("blue",), preshuffled=False, shoe_side="right", at=4000)
    assert (at.state.shoe_side, at.state.at, at.state.decks[0].since) == ("right", 4000, 4000)


def test_a_table_that_is_closed_without_a_moment_keeps_the_last_one() -> None:
    at = opened_at(MD, 1000)
    at.do(CloseTable())
    assert at.state.at == 1000


def test_a_payment_is_corrected_after_the_round() -> None:
    at = wagered(MA)
    over = finish(at)
    paid = next(step for step in over.steps if step.action == "pay")
    wrong = CorrectPayment(
        position=paid.position,
        wager=paid.wager,
        handed=paid.amount + 100,
        reason="a slip",
        role="supervisor",
        by="Ada",
    )
    assert at.do(wrong) == [
        PaymentCorrected(paid.position, paid.wager, paid.amount, paid.amount + 100, "a slip", "Ada")
    ]


def test_wagers_are_placed_in_a_round_that_goes_on_after_a_failure() -> None:
    at = wagered(SM)
    at.do(SHUFFLER_FAILS)
    at.do(PlaceWager(position=1, wager="aces_up", amount=500))
    ready(at)
    finish(at)
    assert at.state.failed == ()
    assert opened(SM).state.failures == 0
