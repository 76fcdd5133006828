"""What a person may do now: whole lists at each moment of a table, for every kind of person."""

from functools import partial

import pytest
from msgspec.structs import replace

from fourcard.round.commands import (
    ActorRole,
    CallOff,
    CompleteDocument,
    Deal,
    Fold,
    JudgeCount,
    LeaveSeat,
    Perform,
    PlaceWager,
    Play,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.view import Viewer, round_view
from fourcard.table.commands import (
    BeginRound,
    CloseTable,
    GoIdle,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
)
from fourcard.table.legal_commands import legal_commands, legal_commands_with_blanks
from fourcard.table.table_driver import Table
from tests.kit.deals import act, dealt_round, prompted
from tests.kit.support import game
from tests.kit.tables import advance, bet, current_round, decision, finish, seeded, stack, table, until

STAFF: tuple[ActorRole, ...] = ("dealer", "floorperson", "supervisor", "casino-supervisor", "executive")
SHUFFLER, SHOE = ReportFailure(device="shuffler"), ReportFailure(device="shoe")
OTHER = Prepare(step="shuffle_by_machine", deck=1)
"""The machine goes on with the deck that rests, and somebody reads the number that it counted."""
sit = partial(TakeSeat, player="p2", by="p2", role="player")
rise = partial(LeaveSeat, by="p2", role="player")
put = partial(PlaceWager, by="p2", role="player")
take_back = partial(WithdrawWager, by="p2", role="player")
play = partial(Play, by="p2", role="player")
fold = partial(Fold, by="p2", role="player")
"""What the player p2 does himself."""
JACKPOT: dict[str, object] = {
    "wagers__progressive": "A",
    "progressive__envy": "A",
    "progressive__seed": "$5,000",
    "progressive__reset": "$5,000",
}
"""A progressive whose meter goes to four aces."""


def prepared(at: Table, step: str) -> Table:
    """Make the cards of a table ready up to a step."""
    while at.state.agenda[0][0] != step:
        at.do(at.next_preparation())
    return at


def opened(name: str, **changes: object) -> Table:
    """Return a table that has just opened, with nobody at it."""
    made = Table(game(name, **changes), seeded(1))
    made.open()
    return made


@pytest.mark.parametrize("role", STAFF)
def test_a_closed_table_can_only_be_opened_with_its_decks_and_not_by_a_player(role: ActorRole) -> None:
    one, two = Table(game("massachusetts")), Table(game("massachusetts-everything"))
    assert legal_commands(one.state, role) == (OpenTable(decks=("red",), role=role),)
    assert legal_commands(two.state, role) == (OpenTable(decks=("red", "blue"), role=role),)
    assert legal_commands(one.state, "player", "p2") == ()


def test_whoever_is_not_named_is_the_dealer() -> None:
    assert legal_commands(opened("massachusetts").state) == (
        Prepare(step="inspect_cards", deck=0),
        CloseTable(),
    )


def test_every_step_of_preparation_is_offered_in_its_turn_with_what_it_needs() -> None:
    at, seen = opened("massachusetts"), []
    at.seat(2, "p2")
    while at.state.agenda:
        seen += [command for command in legal_commands(at.state) if isinstance(command, Prepare)]
        seen += [
            command for command in legal_commands(at.state, "floorperson") if isinstance(command, Prepare)
        ]
        at.do(at.next_preparation())
    assert seen == [
        Prepare(step="inspect_cards", deck=0),
        Prepare(step="verify_inspection", deck=0, role="floorperson"),
        Prepare(step="spread_face_up", deck=0),
        Prepare(step="show_first_player", deck=0),
        Prepare(step="turn_face_down", deck=0),
        Prepare(step="wash", deck=0),
        Prepare(step="stack", deck=0),
        Prepare(step="shuffle_by_hand", deck=0),
        Prepare(step="square_stack", deck=0),
        Prepare(step="lay_cover_card", deck=0),
        Prepare(step="cut", deck=0, depth=10),
        Prepare(step="place_rest_on_top", deck=0),
        Prepare(step="rack_cover_card", deck=0),
        Prepare(step="put_in_shoe", deck=0),
    ]


def test_a_strip_is_offered_without_its_number_and_a_deck_for_the_hand_with_a_hand() -> None:
    by_hand: dict[str, object] = {"dealing__method": "manual", "dealing__stack": None, "dealing__decks": 1}
    at = prepared(opened("catfish-bend", shuffler=None, **by_hand), "strip")
    assert legal_commands(at.state) == (
        Prepare(step="strip", deck=0),
        CloseTable(),
    )
    held = opened("maryland")
    held.seat(2, "p2")
    prepared(held, "take_in_hand")
    held.do(LeaveSeat(position=2))
    assert legal_commands(held.state) == (
        Prepare(step="take_in_hand", deck=0, hand="left"),
        CloseTable(),
        SHUFFLER,
        GoIdle(spread="face-down"),
    )


def test_two_decks_can_both_be_worked_on() -> None:
    at = opened("massachusetts-everything")
    assert legal_commands(at.state) == (
        Prepare(step="inspect_cards", deck=0),
        Prepare(step="inspect_cards", deck=1),
        CloseTable(),
        SHUFFLER,
        SHOE,
    )
    at.do(at.next_preparation())
    assert legal_commands(at.state) == (Prepare(step="inspect_cards", deck=1), CloseTable(), SHUFFLER, SHOE)
    assert legal_commands(at.state, "floorperson") == (
        Prepare(step="verify_inspection", deck=0, role="floorperson"),
        CloseTable(role="floorperson"),
        ReportFailure(device="shuffler", role="floorperson"),
        ReportFailure(device="shoe", role="floorperson"),
    )


@pytest.mark.parametrize("role", STAFF)
def test_a_ready_table_can_begin_close_or_lie_spread_either_way_with_players_or_without(
    role: ActorRole,
) -> None:
    at = opened("massachusetts")
    at.seat(2, "p2")
    while at.state.agenda:
        at.do(at.next_preparation())
    recut = () if STAFF.index(role) < 3 else (OrderRecut(role=role),)
    commands = (
        BeginRound(role=role),
        *recut,
        CloseTable(role=role),
        GoIdle(spread="face-up", role=role),
        GoIdle(spread="face-down", role=role),
    )
    assert legal_commands(at.state, role) == commands
    at.do(LeaveSeat(position=2))
    assert legal_commands(at.state, role) == commands


def test_a_round_would_begin_no_earlier_than_what_happened_last() -> None:
    at = Table(game("washington-everything"), seeded(1))
    at.do(OpenTable(decks=("red",), at=5000))
    at.do(at.next_preparation())
    assert legal_commands(at.state) == (BeginRound(at=5000), CloseTable(), SHUFFLER)


def test_a_floorperson_may_order_a_shuffle_in_maryland_until_cards_are_dealt() -> None:
    at = table("maryland", (2,))
    wanted = (
        OrderShuffle(role="floorperson"),
        ReportFailure(device="shuffler", role="floorperson"),
    )
    idle = GoIdle(spread="face-down")
    assert legal_commands(at.state, "floorperson") == (*wanted, replace(idle, role="floorperson"))
    assert legal_commands(at.state) == (SHUFFLER, idle, CallOff())
    bet(at, {"ante": 1500})
    until(at, "dealing")
    assert legal_commands(at.state, "floorperson") == ()
    assert legal_commands(at.state) == (Deal(),)


def test_a_machine_can_be_swapped_once_it_has_failed_often_enough() -> None:
    at = opened("shuffle-master-everything")
    again = (
        Prepare(step="consult_guide", deck=0),
        CloseTable(),
        SHUFFLER,
    )
    offered = []
    for _ in range(2):
        at.do(SHUFFLER)
        offered.append(legal_commands(at.state))
    assert offered == [again, (again[0], SwapMachine(), *again[1:])]
    assert SwapMachine(role="supervisor") in legal_commands(at.state, "supervisor")


def test_a_dealer_is_offered_exactly_what_is_due_in_the_round() -> None:
    at = table("massachusetts-everything", (2,))
    bet(at)
    wanted = [
        (OTHER, SHUFFLER, SHOE, Perform(step="announce_no_more_bets")),
        (OTHER, SHUFFLER, SHOE, Deal()),
        (OTHER, SHUFFLER, SHOE, Deal()),
        (OTHER, SHUFFLER, SHOE, Deal()),
        (OTHER, SHUFFLER, SHOE, Perform(step="spread_extra_stack", position=-1)),
        (OTHER, SHUFFLER, SHOE, Perform(step="turn_up_card", position=-1)),
        (OTHER, SHUFFLER, SHOE, Perform(step="discard_extra_cards", position=-1)),
        (OTHER, SHUFFLER, Perform(step="press_green_button")),
        (OTHER, SHUFFLER, Perform(step="remove_stub")),
        (OTHER, SHUFFLER, Perform(step="discard_stub")),
        (OTHER, SHUFFLER, Perform(step="let_players_look")),
    ]
    offered = []
    while (act := at.next_command()) is not None:
        offered.append(legal_commands(at.state))
        at.do(act)
    assert offered == wanted
    assert legal_commands(at.state) == (OTHER, SHUFFLER)
    at.do(decision(at))
    assert legal_commands(at.state) == (OTHER, SHUFFLER, Perform(step="reveal_dealer"))
    assert legal_commands(at.state, "floorperson") == (ReportFailure(device="shuffler", role="floorperson"),)


def test_what_is_counted_is_offered_without_the_number() -> None:
    at = table("catfish-bend", (2,))
    bet(at, {"ante": 500})
    at.do(Deal())
    assert at.next_command() == Perform(step="verify_hand", position=2, count=5)
    offered = (Prepare(step="put_in_shuffler", deck=1), SHUFFLER)
    assert legal_commands(at.state) == (*offered, Perform(step="verify_hand", position=2))
    asked = [(offer.command, offer.blanks) for offer in legal_commands_with_blanks(at.state) if offer.blanks]
    assert asked == [(Perform(step="verify_hand", position=2), ("count",))]


@pytest.mark.parametrize(("way", "judge"), [("MA shoe", "dealer"), ("IA manual", "supervisor")])
def test_a_wrong_count_of_the_stub_is_shown_and_its_judge_is_offered_the_judgement(
    way: str, judge: ActorRole
) -> None:
    at = dealt_round(way, count=True).at
    while prompted(at)[0] != "count_stub":
        act(at)
    honest = at.next_command()
    assert isinstance(honest, Perform)
    assert replace(honest, count=None) in legal_commands(at.state)
    assert honest not in legal_commands(at.state)
    at.do(replace(honest, count=12))
    offered = [each for each in legal_commands(at.state, judge) if isinstance(each, JudgeCount)]
    judged = at.next_command()
    assert isinstance(judged, JudgeCount)
    assert offered == [replace(judged, stub=None, hands=dict.fromkeys(judged.hands))]
    assert not any(isinstance(each, JudgeCount) for each in legal_commands(at.state, "player", "p1"))
    seen = round_view(current_round(at), Viewer("dealer"))
    assert seen.due is not None
    assert (seen.due.step, seen.wrong_count) == ("judge_count", 12)
    assert seen.due.prompt == "The stub count is wrong: count the stub and every hand again."


def test_a_supervisor_may_treat_any_undecided_hand_as_abandoned() -> None:
    at = table("maryland-everything", (2, 5))
    bet(at, {"ante": 1000})
    advance(at)
    given_up = partial(TreatAsAbandoned, role="supervisor")
    shuffler = ReportFailure(device="shuffler", role="supervisor")
    assert legal_commands(at.state, "supervisor") == (shuffler, given_up(position=2), given_up(position=5))
    assert legal_commands(at.state) == (OTHER, SHUFFLER)
    assert legal_commands(at.state, "floorperson") == (ReportFailure(device="shuffler", role="floorperson"),)


def test_the_floor_completes_the_document_of_the_payout_that_waits_for_it() -> None:
    made = game("maryland-existing", **JACKPOT)
    cards = stack(made, {1: "As Ah Ad Ac 2h", 2: "Jh Td 6s 4c 3d"}, (1, 2))
    at = Table(made, lambda: cards)
    at.seat(1, "p1")
    at.seat(2, "p2")
    at.begin()
    bet(at, {"ante": 1000, "progressive": 100})
    until(at, "settling")
    while not current_round(at).undocumented_positions:
        act = at.next_command()
        assert act is not None
        at.do(act)
    assert legal_commands(at.state, "floorperson") == (CompleteDocument(position=1, role="floorperson"),)
    assert CompleteDocument(position=1) not in legal_commands(at.state)


def test_a_player_may_sit_anywhere_free_and_get_up_again() -> None:
    at = opened("massachusetts")
    everywhere = tuple(sit(position=position) for position in (1, 2, 3, 4, 5, 6, 7))
    assert legal_commands(at.state, "player", "p2") == everywhere
    at.seat(2, "p2")
    at.seat(3, "p3")
    assert legal_commands(at.state, "player", "p2") == (sit(position=1), rise(position=2))
    at.seat(1, "p2")
    assert legal_commands(at.state, "player", "p2") == (rise(position=1), rise(position=2))


def test_a_player_is_offered_each_wager_at_its_least_and_each_stake_of_the_progressive() -> None:
    at = table("maryland-everything", (2, 4), limits__posted__six_card=None)
    at.seat(6, "p6")
    ante, aces_up = put(position=2, wager="ante", amount=1000), put(position=2, wager="aces_up", amount=500)
    free = (sit(position=1), sit(position=3))
    assert legal_commands(at.state, "player", "p2") == (*free, rise(position=2), ante, aces_up)
    bet(at, {"ante": 2500}, (2,))
    stakes = tuple(put(position=2, wager="progressive", amount=amount) for amount in (100, 500))
    ante_back = take_back(position=2, wager="ante")
    assert legal_commands(at.state, "player", "p2") == (*free, ante, ante_back, aces_up, *stakes)
    bet(at, {"aces_up": 500, "progressive": 100}, (2,))
    assert legal_commands(at.state, "player", "p2") == (
        *free,
        ante,
        ante_back,
        aces_up,
        take_back(position=2, wager="aces_up"),
        put(position=2, wager="six_card", amount=100),
        *stakes,
        take_back(position=2, wager="progressive"),
    )


def test_a_player_with_two_positions_acts_at_both() -> None:
    at = table("massachusetts", (2,))
    at.seat(3, "p2")
    at.seat(4, "p4")
    assert legal_commands(at.state, "player", "p2") == (
        rise(position=2),
        put(position=2, wager="ante", amount=1000),
        put(position=2, wager="aces_up", amount=500),
        rise(position=3),
        put(position=3, wager="ante", amount=1000),
        put(position=3, wager="aces_up", amount=500),
    )


def test_a_player_decides_by_a_fold_or_one_two_or_three_antes_in_turn() -> None:
    at = table("massachusetts", (2, 3))
    bet(at, {"ante": 1500}, (2,))
    bet(at, {"ante": 4000}, (3,))
    advance(at)
    mine = tuple(play(position=2, amount=amount) for amount in (1500, 3000, 4500))
    assert legal_commands(at.state, "player", "p2") == (sit(position=1), fold(position=2), *mine)
    assert legal_commands(at.state, "player", "p3") == (
        TakeSeat(position=4, player="p3", by="p3", role="player"),
    )
    at.do(decision(at))
    assert legal_commands(at.state, "player", "p2") == (sit(position=1),)
    finish(at)
    assert legal_commands(at.state, "player", "p2") == (sit(position=1), rise(position=2))
