"""Another way of dealing: which devices must be out of play, what must be approved, and rounds called off."""

from typing import Any

import pytest

from fourcard.refusal_codes import Code
from fourcard.round.commands import CallOff, LeaveSeat, Perform, PlaceWager, ReportIrregularity, SetHand
from fourcard.round.events import OddsDisplayed, RoundVoided, StepDone
from fourcard.rules.game import resolve_game
from fourcard.rules.submission import submission_named
from fourcard.table.commands import (
    BeginRound,
    BringDevice,
    CloseTable,
    GoIdle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
)
from fourcard.table.table_driver import Table
from tests.kit.deals import table_with_hands
from tests.kit.decks import due, opened, play, ready
from tests.kit.decks import until as prepared_until
from tests.kit.support import by_clause, game, game_under
from tests.kit.tables import (
    BOTH,
    advance,
    bet,
    current_round,
    finish,
    refused,
    seeded,
    table,
    table_of,
    until,
)

SHUFFLER_FAILS = ReportFailure(device="shuffler")


@pytest.mark.clause("MA-14g")
def test_a_device_out_of_play_is_used_again_only_when_it_is_brought_back() -> None:
    at = opened("massachusetts-everything")
    ready(at)
    assert refused(at, BringDevice(device="shoe")).code is Code.DEVICE_STANDS
    at.do(Prepare(step="remove_device"))
    assert at.state.away == ("shoe",)
    at.seat(1, "p1")
    ready(at)
    away = refused(at, BeginRound())
    assert (away.code, away.clauses) == (Code.DEVICE_AWAY, ("MA-14g",))
    assert refused(at, SwitchMethod(method="automated")).code is Code.DEVICE_AWAY
    at.do(BringDevice(device="shoe"))
    assert play(at) == 0


@pytest.mark.clause("MA-8b1", "MD-09A1", "MD-13H1")
def test_no_round_is_dealt_from_the_hand_without_a_shuffler() -> None:
    at = opened("maryland")
    at.seat(1, "p1")
    ready(at)
    at.do(SHUFFLER_FAILS)
    at.do(Prepare(step="cover_device"))
    ready(at)
    assert refused(at, BeginRound()).code is Code.DEVICE_AWAY
    assert refused(at, SwitchMethod(method="hand")).code is Code.METHOD_REFUSED
    at.do(SwitchMethod(method="shoe"))
    assert due(at)[0] == "shuffle_by_hand"
    assert play(at) == 0


@pytest.mark.clause("MA-9a.2", "MA-7a.2", "MD-08A")
def test_another_method_needs_its_own_approval() -> None:
    for example, method, clauses in (
        ("massachusetts", "automated", ("MA-9a.2", "MA-14f")),
        ("maryland", "shoe", ("MD-08A",)),
        ("massachusetts-everything", "shoe", ("MA-7a.2",)),
    ):
        plain = submission_named(example)
        at = Table(resolve_game(plain), seeded(1))
        at.open()
        told = refused(at, SwitchMethod(method=method))  # type: ignore[arg-type]
        assert (told.code, told.clauses) == (Code.METHOD_REFUSED, clauses)
    other = Table(resolve_game(submission_named("massachusetts-everything")), seeded(1))
    other.open()
    assert refused(other, SwitchMethod(method="hand")).code is Code.DEVICE_BLOCKS, "it needs no approval"


@pytest.mark.clause("IA-IRR-3.2")
def test_after_the_shuffler_has_failed_catfish_bend_shuffles_and_deals_by_hand() -> None:
    at = opened("catfish-bend")
    ready(at)
    at.do(SHUFFLER_FAILS)
    for half in (
        SwitchMethod(method="automated", shuffle_by_hand=True),
        SwitchMethod(method="manual"),
        SwitchMethod(method="automated"),
    ):
        assert refused(at, half).code is Code.METHOD_REFUSED
    at.do(SwitchMethod(method="manual", shuffle_by_hand=True))
    assert due(at)[0] == "riffle_first"


@pytest.mark.clause("P24")
def test_a_round_without_wagers_is_called_off_by_the_dealer() -> None:
    at = table("massachusetts", seats=(1,))
    at.do(LeaveSeat(position=1))
    assert refused(at, CallOff(role="player")).code is Code.NOT_YOUR_DUTY
    ended = at.do(CallOff())[-1]
    assert isinstance(ended, RoundVoided)
    assert (ended.clauses, ended.returned) == (("P24",), ())
    assert at.state.round is None
    assert not at.state.agenda, "no card was dealt, so that the deck lies ready"
    at.do(GoIdle(spread="face-up"))
    assert refused(at, CallOff()).code is Code.NO_ROUND


@pytest.mark.clause("P24")
def test_a_round_with_wagers_is_called_off_by_the_floor_and_everything_goes_back() -> None:
    at = table("shuffle-master-everything", seats=(1, 2))
    before = at.local_meter.meter
    bet(at, {"ante": 2_500, "progressive": 100})
    at.do(Perform(step="lock_out"))
    assert at.local_meter.meter != before
    for _ in range(2):
        at.do(SHUFFLER_FAILS)
    for stuck in (SwapMachine(), CloseTable()):
        assert refused(at, stuck).code is Code.ROUND_UNDER_WAY
    told = refused(at, CallOff())
    assert (told.code, told.message) == (
        Code.NOT_YOUR_DUTY,
        "'call the round off' is for the floorperson, not for the dealer.",
    )
    dealt = table("shuffle-master", seats=(1, 2))
    bet(dealt)
    dealt.do(ReportIrregularity(irregularity="card_drawn_in_error"))
    for clauses in (("P24",), ()):
        told = refused(dealt, CallOff(role="floorperson"))
        assert (told.code, told.clauses) == (Code.NOT_NOW, clauses)
        until(dealt, "dealing")
    ended = at.do(CallOff(role="floorperson"))[-1]
    assert isinstance(ended, RoundVoided)
    assert ended.clauses == ("P24", "R66")
    assert {each[:2] for each in ended.returned} == {(p, w) for p in (1, 2) for w in ("ante", "progressive")}
    assert at.local_meter.meter == before
    assert at.state.last_round is not None
    assert at.state.last_round.nets == {1: 0, 2: 0}
    at.do(SwapMachine())


@pytest.mark.clause("P24")
def test_no_round_is_called_off_once_a_card_has_left_the_deck() -> None:
    at = table("massachusetts")
    bet(at)
    until(at, "dealing")
    assert refused(at, CallOff(role="floorperson")).code is Code.NOT_NOW


@pytest.mark.clause("MD-07F")
def test_boxes_of_one_player_that_are_dealt_in_adjoin() -> None:
    at = table("maryland-everything", seats=(7,), positions__per_player=3)
    for position in (1, 2, 3):
        at.seat(position, "x")
    bet(at, {"ante": 2_500}, (1, 3))
    told = refused(at, Perform(step="announce_no_more_bets"))
    assert (told.code, told.clauses) == (Code.POSITIONS_NOT_ADJACENT, ("MD-07F",))
    at.do(PlaceWager(position=2, wager="ante", amount=2_500))
    at.do(Perform(step="announce_no_more_bets"))


@pytest.mark.clause("MA-4c.1", "MD-04C.0")
def test_the_inspection_waits_for_a_first_player() -> None:
    for example, clause in (("massachusetts", "MA-4c.1"), ("maryland", "MD-04C.0")):
        at = opened(example)
        prepared_until(at, "show_first_player")
        told = refused(at, Prepare(step="show_first_player"))
        assert (told.code, told.clauses) == (Code.FIRST_PLAYER_MISSING, (clause,))
        at.seat(1, "p1")
        at.do(Prepare(step="show_first_player"))


@pytest.mark.clause("MA-12e.1", "MA-12e.2", "R102")
def test_cover_all_odds_are_shown_when_the_hands_are_out_and_before_anybody_decides() -> None:
    at = table("massachusetts-everything", seats=(1, 2, 3))
    bet(at, {"ante": 2_500, "cover_all": 100})
    until(at, "stub")
    button = Perform(step="press_green_button")
    for step in ("remove_stub", "discard_stub"):
        waits = refused(at, Perform(step=step))
        assert (waits.name, waits.clauses) == ("out_of_order", ("MA-12e.1", "R102"))
    done, shown = at.do(button)
    assert isinstance(done, StepDone)
    assert isinstance(shown, OddsDisplayed)
    assert (shown.players, dict(shown.odds)["four_aces"]) == (3, "150 to 1")
    assert not [event for event in advance(at) if isinstance(event, OddsDisplayed)]
    assert current_round(at).phase == "deciding"
    silent = game_under(game("massachusetts-everything"), wagers__cover_all__odds_displayed=False)
    for other, wagers in ((at.game, BOTH), (silent, {"ante": 2_500, "cover_all": 100})):
        at = table_of(other)
        bet(at, wagers)
        assert not [event for event in advance(at) if isinstance(event, OddsDisplayed)]


WITHOUT_COVER_ALL: dict[str, Any] = {
    "wagers__cover_all": None,
    "limits__posted__cover_all": None,
    "settlement__order": None,
}


@pytest.mark.clause("R102")
@pytest.mark.clause("MA-9d")
def test_the_green_button_is_a_step_only_where_cover_all_is_offered() -> None:
    for changes, presses in (
        ({}, True),
        (WITHOUT_COVER_ALL, False),
    ):
        at = table("massachusetts-everything", **changes)
        bet(at)
        steps = [event.step for event in advance(at) if isinstance(event, StepDone)]
        assert ("press_green_button" in steps) == presses
        if presses:
            assert steps.index("press_green_button") < steps.index("remove_stub")


@pytest.mark.clause("R27")
def test_who_has_no_decision_sets_a_hand_until_the_dealer_begins_to_settle() -> None:
    hands = {1: "As Ah Kd 7c 2h", 0: "Ks Qh 8c 7d 2d 9c"}
    at = table_with_hands("catfish-bend", hands, (1,), settings={"player_sets_hand": True})
    bet(at, {"aces_up": 500})
    until(at, "settling")
    worse = tuple(current_round(at).positions[1].cards[1:])
    at.do(SetHand(position=1, cards=worse, by="p1", role="player"))
    step = at.next_command()
    assert step is not None
    at.do(step)
    assert refused(at, SetHand(position=1, cards=worse)).code is Code.NOT_NOW
    assert finish(at).nets == {1: 500}


@pytest.mark.clause("IA-IRR-3.1", "R75")
def test_at_catfish_bend_a_shuffler_that_fails_before_it_ejects_the_stub_voids_the_round() -> None:
    for phase in ("dealing", "stub"):
        at = table("catfish-bend")
        bet(at)
        until(at, phase)
        assert any(isinstance(event, RoundVoided) for event in at.do(SHUFFLER_FAILS)), phase
    at = table("catfish-bend")
    bet(at)
    assert not any(isinstance(event, RoundVoided) for event in at.do(SHUFFLER_FAILS))


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-14f", "massachusetts-everything"), ("MD-13G", "maryland-existing"))
)
def test_an_automated_shoe_that_fails_before_the_first_stack_voids_the_round_too(
    clause: str, example: str
) -> None:
    at = table(example)
    bet(at)
    ended = at.do(ReportFailure(device="shoe"))[-1]
    assert isinstance(ended, RoundVoided)
    assert clause in ended.clauses
