"""Decks: how many, their backs, two of them in turn, their age, their number of cards, and idle tables."""

from typing import Any, cast

import pytest
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.refusal_codes import Code
from fourcard.round.commands import ActorRole, CallOff, LeaveSeat, PlaceWager, TakeSeat, WithdrawWager
from fourcard.round.events import RoundVoided, SeatTaken
from fourcard.rules.procedures import StepName
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    GoIdle,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwitchMethod,
)
from fourcard.table.decide import decide
from fourcard.table.events import DeckPutInShuffler, PlayerArrived, RoundBegan, StepPrepared, WentIdle
from fourcard.table.legal_commands import legal_commands
from fourcard.table.table_driver import Table
from tests.kit.decks import (
    SHUFFLER,
    begin,
    closed,
    doing,
    due,
    in_this_order,
    opened,
    play,
    ready,
    under_rule,
    until,
)
from tests.kit.support import by_clause, citing, findings
from tests.kit.tables import ANTE, bet, finish, refused
from tests.kit.tables import until as round_until

TWO = {"MA": "massachusetts-everything", "MD": "maryland-everything", "IA": "catfish-bend"}
SHOE: dict[str, Any] = {"dealing": {"method": "shoe"}, "shuffler": None}
HOUR = 60 * 60 * 1000
NOON = 1_700_000_000_000


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    by_clause(
        ("MA-2a.1", "massachusetts", {}),
        ("MA-2b.1", "massachusetts", {}),
        ("MD-03A.0", "maryland", {}),
        ("MD-03B.0", "maryland", {}),
        ("IA-CARD-1.1", "catfish-bend", {"dealing__decks": None}),
    ),
)
def test_a_table_is_opened_with_one_deck_of_52_cards(
    clause: str, example: str, changes: dict[str, Any]
) -> None:
    at = closed(example, **changes)
    for decks in ((), ("red", "blue")):
        assert refused(at, OpenTable(decks=decks)).code is Code.DECKS_UNFIT
    second = findings(example, dealing={"method": "shoe", "decks": 2}, shuffler=None)
    assert "second_deck_needs_shuffler" in citing(second, clause)
    at.do(OpenTable(decks=("red",)))
    assert [(deck.left, deck.order) for deck in at.state.decks] == [(52, DECK)]
    for _ in range(3):
        assert play(at) == 0
    begin(at)
    bet(at, ANTE)
    assert at.state.decks[0].left == 52
    dealt = len(round_until(at, "deciding").dealt_cards)
    assert at.state.decks[0].left == 52 - dealt


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-2b2", TWO["MA"]), ("MD-03B2", TWO["MD"]), ("IA-CARD-2b", TWO["IA"]))
)
def test_the_backs_of_two_decks_differ(clause: str, example: str) -> None:
    at = closed(example)
    refusal = refused(at, OpenTable(decks=("red", "red")))
    assert (refusal.code, refusal.clauses) == (Code.BACKS_ALIKE, (clause,))
    at.do(OpenTable(decks=("red", "blue")))
    for deck, back in ((0, "blue"), (1, "red")):
        assert refused(at, BringDeck(back=back, deck=deck)).code is Code.BACKS_ALIKE
    at.do(BringDeck(back="green", deck=1))
    assert [deck.back for deck in at.state.decks] == ["red", "green"]
    alike = under_rule(example, "shuffling.backs_differ", value=False)
    alike.do(OpenTable(decks=("red", "red")))
    alike.do(BringDeck(back="red", deck=1))


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-2b4", TWO["MA"]), ("MD-03B4", TWO["MD"]), ("IA-CARD-2d", TWO["IA"]))
)
def test_each_of_two_decks_serves_every_other_round(clause: str, example: str) -> None:
    at = opened(example)
    assert [play(at) for _ in range(5)] == [0, 1, 0, 1, 0], clause
    assert [event.deck for event in at.events if isinstance(event, RoundBegan)] == [0, 1, 0, 1, 0]
    same = under_rule(example, "shuffling.alternate", value=False)
    same.open()
    assert [play(same) for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-2b3", TWO["MA"]), ("MD-03B3", TWO["MD"]), ("IA-CARD-2c", TWO["IA"]))
)
def test_one_deck_is_shuffled_and_kept_in_the_shuffler_while_the_other_is_in_play(
    clause: str, example: str
) -> None:
    at = opened(example)
    play(at)
    begin(at)
    assert (at.state.active, [deck.in_shuffler for deck in at.state.decks]) == (1, [True, False])
    bet(at, ANTE)
    round_until(at, "deciding")
    shuffled = ready(at, 0)
    assert shuffled[0] in ("shuffle_by_machine", "put_in_shuffler"), clause
    assert at.state.decks[0].in_shuffler
    finish(at)
    at.do(BeginRound())
    assert (at.state.active, [deck.in_shuffler for deck in at.state.decks]) == (0, [False, True])


@pytest.mark.clause("MA-2b3", "MD-03B3")
@pytest.mark.parametrize("example", [TWO["MA"], TWO["MD"]])
def test_the_shuffled_deck_waits_in_the_shuffler_until_the_round_is_over(example: str) -> None:
    at = opened(example, shuffler__direct_load=None)
    play(at)
    begin(at)
    until(at, "put_in_machine", 0)
    assert refused(at, doing(at, 0)).code is Code.ROUND_UNDER_WAY
    bet(at, ANTE)
    finish(at)
    at.do(doing(at, 0))


@pytest.mark.clause("MD-03B3")
def test_the_deck_in_play_is_made_ready_again_during_the_round() -> None:
    at = opened(TWO["MD"], shuffler__direct_load=None)
    begin(at)
    at.do(OrderShuffle(role="floorperson"))
    assert ready(at) == ["shuffle_by_machine", "square_stack", "put_in_machine"]


@pytest.mark.clause("MA-2b3", "MD-03B3")
@pytest.mark.parametrize("example", [TWO["MA"], TWO["MD"]])
def test_no_deck_is_shuffled_beside_a_round_where_the_rulebook_does_not_allow_it(example: str) -> None:
    rule = "shuffling.shuffled_while_other_in_play"
    for allowed in (True, False):
        at = under_rule(example, rule, allowed)
        at.open()
        at.seat(1, "p1")
        ready(at, 0)
        waits = refused(at, BeginRound()) if allowed else at.may(BeginRound())
        assert (waits is not None) == allowed, "the deck that rests is inspected before it is shuffled"
        play(at)
        begin(at)
        beside = at.may(doing(at, 0))
        assert (beside is None) == allowed
        assert beside is None or beside.code is Code.ROUND_UNDER_WAY


@pytest.mark.clause("MA-2b3", "MD-03B3")
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_deck_that_rests_is_not_inspected_first_where_no_machine_shuffles_it(by_hand: bool) -> None:
    at = opened(TWO["MD"])
    at.seat(1, "p1")
    ready(at, 0)
    assert at.state.agenda[0][0] == "inspect_cards"
    assert refused(at, BeginRound()).clauses == ("MD-04A.1",)
    if by_hand:
        at.do(SwitchMethod(method="shoe", shuffle_by_hand=True))
    else:
        at.do(ReportFailure(device="shuffler"))
        at.do(Prepare(step="cover_device"))
    ready(at, 0)
    assert due(at, 1)[0] == "inspect_cards"
    assert not at.state.agenda
    at.do(BeginRound())


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-2b5", TWO["MA"]), ("MD-03B5", TWO["MD"]), ("IA-CARD-2e", TWO["IA"]))
)
def test_the_rack_holds_cards_of_one_deck_only(clause: str, example: str) -> None:
    at = opened(example)
    play(at)
    assert any(isinstance(event, DeckPutInShuffler) for event in at.events), "from the first round on"
    for served in (1, 0, 1):
        play(at)
        began = next(n for n, event in reversed([*enumerate(at.events)]) if isinstance(event, RoundBegan))
        put = at.events[began - 1]
        assert isinstance(put, DeckPutInShuffler)
        assert put.deck == 1 - served
        assert clause in put.clauses
    begin(at)
    at.do(CallOff())
    assert [type(event) for event in at.do(BeginRound())] == [RoundBegan], "it lies there already"


def put_in_shuffler(at: Table) -> list[int]:
    """Return the decks that were put into the shuffler."""
    return [event.deck for event in at.events if isinstance(event, DeckPutInShuffler)]


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-2b5", TWO["MA"]), ("MD-03B5", TWO["MD"]), ("IA-CARD-2e", TWO["IA"]))
)
def test_a_deck_stays_out_of_the_shuffler_where_the_rack_has_room_or_no_other_deck_is_there(
    clause: str, example: str
) -> None:
    one, roomy = opened(example, dealing__decks=1), under_rule(example, "shuffling.rack_holds_decks", 2)
    roomy.open()
    for at in (one, roomy):
        play(at)
        play(at)
        assert put_in_shuffler(at) == [], clause


@pytest.mark.clause("MA-2b5", "MD-03B5")
@pytest.mark.parametrize("example", [TWO["MA"], TWO["MD"]])
@pytest.mark.parametrize("left", [["square_stack"], []])
def test_a_deck_that_was_shuffled_is_not_put_into_the_shuffler_again(example: str, left: list[str]) -> None:
    at = opened(example)
    at.seat(1, "p1")
    ready(at, 0)
    until(at, "square_stack", 1)
    if not left:
        ready(at, 1)
    assert due(at, 1) == left
    at.do(BeginRound())
    assert put_in_shuffler(at) == []


@pytest.mark.clause("IA-CARD-2d", "IA-CARD-2e", "MA-2b5")
def test_without_a_shuffler_only_one_of_two_decks_serves() -> None:
    at = opened("catfish-bend")
    play(at)
    at.do(SwitchMethod(method="manual", shuffle_by_hand=True))
    before = put_in_shuffler(at)
    assert [play(at) for _ in range(3)] == [1, 1, 1]
    assert put_in_shuffler(at) == before


def old(example: str, opened_at: int, **changes: object) -> Table:
    """Return a table that was opened at a moment, its deck ready."""
    at = closed(example, **changes)
    at.do(OpenTable(decks=("red",), at=opened_at))
    at.seat(1, "p1")
    ready(at)
    return at


@pytest.mark.parametrize(
    ("clause", "example", "changes", "hours"),
    by_clause(
        ("MD-03C1", "maryland", {}, 4),
        ("MD-03C2", "maryland", {"dealing__method": "shoe"}, 8),
        ("MD-03C2", "maryland", {"dealing__method": "automated"}, 8),
        ("MD-03C2", "maryland-existing", {}, 8),
    ),
)
def test_a_deck_is_changed_when_it_has_served_its_hours(
    clause: str, example: str, changes: dict[str, Any], hours: int
) -> None:
    at = old(example, NOON, **changes)
    last = NOON + hours * HOUR
    assert at.may(BeginRound(at=last - 1)) is None
    for late in (last, last + 1):
        refusal = refused(at, BeginRound(at=late))
        assert (refusal.code, refusal.clauses) == (Code.DECK_TOO_OLD, (clause,))
    at.do(BringDeck(back="blue", at=last))
    assert due(at)[0] == "inspect_cards"
    ready(at)
    assert at.may(BeginRound(at=last + hours * HOUR - 1)) is None
    assert refused(at, BeginRound(at=last + hours * HOUR)).code is Code.DECK_TOO_OLD


@pytest.mark.clause("MD-03C1")
def test_a_deck_that_left_the_table_is_not_too_old() -> None:
    at = closed("maryland")
    at.do(OpenTable(decks=("red",), at=NOON))
    at.seat(1, "p1")
    until(at, "shuffle_by_machine")
    at.do(Prepare(step="shuffle_by_machine", count=51))
    refusal = refused(at, BeginRound(at=NOON + 5 * HOUR))
    assert (refusal.code, "bring a deck" in refusal.message) == (Code.DECK_UNPREPARED, True)


def test_a_deck_may_grow_old_in_massachusetts() -> None:
    assert old("massachusetts", NOON).may(BeginRound(at=NOON + 100 * HOUR)) is None


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    by_clause(
        ("MA-7f.2", "massachusetts", {"shuffler": {**SHUFFLER, "counts": True}}),
        ("MD-05B.2", "maryland", {}),
    ),
)
def test_a_deck_that_the_shuffler_counts_wrong_leaves_the_table(
    clause: str, example: str, changes: dict[str, Any]
) -> None:
    for count in (51, 53):
        at = opened(example, **changes)
        at.seat(1, "p1")
        until(at, "shuffle_by_machine")
        removed = at.do(Prepare(step="shuffle_by_machine", count=count))[-1]
        assert getattr(removed, "clauses", ()) == (clause,)
        assert at.state.decks[0].removed
        assert refused(at, BeginRound()).code is Code.DECK_UNPREPARED
        assert refused(at, Prepare(step="square_stack")).code is Code.NOTHING_DUE
        kept = under_rule(example, "shuffling.wrong_machine_count", ["reshuffle"], **changes)
        kept.open()
        until(kept, "shuffle_by_machine")
        assert [type(event) for event in kept.do(replace(doing(kept), count=count))] == [StepPrepared]
        at.do(BringDeck(back="blue"))
        assert due(at)[0] == "inspect_cards"
        until(at, "shuffle_by_machine")
        at.do(Prepare(step="shuffle_by_machine", count=52))
        begin(at)


def test_only_a_shuffler_that_counts_removes_a_deck() -> None:
    at = opened("massachusetts", shuffler=SHUFFLER)
    until(at, "shuffle_by_machine")
    at.do(Prepare(step="shuffle_by_machine", count=51))
    assert not at.state.decks[0].removed


# Idle tables.


def idle(example: str, spread: str, **changes: object) -> Table:
    """Return a table whose cards were ready and that has gone idle."""
    at = opened(example, **changes)
    ready(at)
    at.do(GoIdle(spread=spread))  # type: ignore[arg-type]
    return at


WASH: list[StepName] = ["show_first_player", "turn_face_down", "wash", "stack", "shuffle_by_hand"]


@pytest.mark.clause("MA-5e.1")
@pytest.mark.parametrize("spread", ["face-up", "face-down"])
def test_idle_cards_lie_face_up_or_face_down_in_massachusetts(spread: str) -> None:
    at = idle("massachusetts", spread)
    assert (due(at), at.state.spread) == (["spread_cards"], spread)
    assert refused(at, BeginRound()).code is Code.TABLE_NOT_OPEN


@pytest.mark.clause("MA-5e.2", "MA-5e.3")
@pytest.mark.parametrize(("spread", "turned"), [("face-up", []), ("face-down", ["turn_face_up"])])
def test_the_first_player_looks_at_idle_cards_before_they_are_washed_and_shuffled(
    spread: str, turned: list[StepName]
) -> None:
    at = idle("massachusetts", spread)
    at.do(Prepare(step="spread_cards"))
    at.do(TakeSeat(position=1, player="p1"))
    assert due(at)[: len(turned) + 6] == [*turned, *WASH, "square_stack"]
    assert refused(at, BeginRound()).code is Code.DECK_UNPREPARED
    in_this_order(at, [*turned, *WASH])
    begin(at)


@pytest.mark.parametrize(
    ("clause", "wanted"),
    by_clause(
        ("MD-05F1", ["clear_shoe_and_rack", "spread_cards"]),
        ("MD-05F2", ["clear_shoe_and_rack", "spread_cards", "turn_face_up"]),
        ("MD-05F3", ["spread_cards", "turn_face_up", *WASH]),
    ),
)
def test_an_idle_table_in_maryland(clause: str, wanted: list[StepName]) -> None:
    at = idle("maryland", "face-down", **SHOE)
    assert due(at) == ["clear_shoe_and_rack", "spread_cards"], clause
    at.do(TakeSeat(position=1, player="p1"))
    in_this_order(at, wanted)
    begin(at)


@pytest.mark.clause("MD-05F2", "MD-05F3")
def test_maryland_spreads_face_up_only_if_a_player_asks() -> None:
    at = opened("maryland", **SHOE)
    ready(at)
    refusal = refused(at, GoIdle(spread="face-up"))
    assert (refusal.code, refusal.clauses) == (Code.IDLE_REFUSED, ("MD-05F2",))
    at.do(GoIdle(spread="face-up", role="player"))
    assert at.state.spread == "face-up"
    at.do(TakeSeat(position=1, player="p1"))
    assert due(at)[2:7] == WASH


@pytest.mark.clause("MA-5e.1", "MD-05F1", "R105")
@pytest.mark.parametrize(("example", "changes"), [("massachusetts", {}), ("maryland", SHOE)])
def test_staff_declare_a_table_idle_though_players_sit_there_once_no_round_is_under_way(
    example: str, changes: dict[str, Any]
) -> None:
    at = opened(example, **changes)
    quiet, busy = GoIdle(spread="face-down"), (Code.ROUND_UNDER_WAY, ("R105",))
    begin(at)
    bet(at, ANTE)
    assert (refused(at, quiet).code, refused(at, quiet).clauses) == busy
    finish(at)
    assert at.may(replace(quiet, role="floorperson")) is None
    at.do(quiet)
    assert (at.state.phase, at.state.spread, at.state.seats) == ("idle", "face-down", {1: "p1"})
    assert refused(at, BeginRound()).code is Code.TABLE_NOT_OPEN


@pytest.mark.clause("R105")
@pytest.mark.parametrize("role", ["dealer", "floorperson"])
def test_a_round_without_a_wager_is_called_off_when_the_table_is_declared_idle(role: ActorRole) -> None:
    at = opened("massachusetts")
    begin(at)
    quiet = GoIdle(spread="face-up", role=role)
    at.do(PlaceWager(position=1, wager="aces_up", amount=500))
    assert refused(at, quiet).code is Code.ROUND_UNDER_WAY
    at.do(WithdrawWager(position=1, wager="aces_up"))
    assert refused(at, replace(quiet, role="player", by="p1")).code is Code.ROUND_UNDER_WAY
    voided, idle = at.do(quiet)
    assert isinstance(voided, RoundVoided)
    assert (voided.clauses, voided.returned, idle) == (("P24",), (), WentIdle("face-up", ("MA-5e.1",)))
    assert (at.state.round, at.state.phase, due(at)) == (None, "idle", ["spread_cards"])


@pytest.mark.clause("R105")
def test_a_player_among_others_does_not_declare_a_table_idle() -> None:
    at = opened("maryland", **SHOE)
    at.seat(1, "p1")
    ready(at)
    by_player = GoIdle(spread="face-up", role="player", by="p1")
    assert (refused(at, by_player).code, refused(at, by_player).clauses) == (Code.PLAYERS_SEATED, ("R105",))
    at.do(LeaveSeat(position=1))
    assert at.may(by_player) is None


@pytest.mark.clause("R105", "MD-05F2")
def test_a_player_at_an_idle_table_of_maryland_asks_for_the_cards_face_up() -> None:
    at = opened("maryland", **SHOE)
    at.seat(1, "p1")
    ready(at)
    at.do(GoIdle(spread="face-down"))
    ready(at)
    asked = GoIdle(spread="face-up", role="player", by="p1")
    assert at.do(asked) == [WentIdle("face-up", ("MD-05F2",))]
    assert due(at) == ["clear_shoe_and_rack", "spread_cards"]
    assert refused(at, asked).code is Code.TABLE_NOT_OPEN
    assert refused(at, replace(asked, spread="face-down")).code is Code.IDLE_REFUSED
    assert refused(at, replace(asked, role="dealer", spread="face-down")).code is Code.TABLE_NOT_OPEN


@pytest.mark.clause("R105")
@pytest.mark.parametrize(("example", "changes"), [("massachusetts", {}), ("maryland", SHOE)])
def test_who_sits_at_an_idle_table_and_wants_to_play_arrives_again(
    example: str, changes: dict[str, Any]
) -> None:
    at = opened(example, **changes)
    for position in (1, 3):
        at.seat(position, f"p{position}")
    ready(at)
    at.do(GoIdle(spread="face-down"))
    ready(at)
    at.do(LeaveSeat(position=3))
    assert at.state.phase == "idle"
    back = TakeSeat(position=1, player="p1", role="player", by="p1")
    assert refused(at, replace(back, by="p3")).code is Code.SEAT_TAKEN
    assert at.may(TakeSeat(position=1, player="p1")) is None, "the dealer may seat anybody"
    assert refused(at, TakeSeat(position=1, player="p2")).code is Code.SEAT_TAKEN
    newcomer = decide(at.state, TakeSeat(position=2, player="p2"))
    assert [type(event) for event in cast(Any, newcomer)] == [SeatTaken, PlayerArrived]
    assert back in legal_commands(at.state, "player", "p1")
    (arrived,) = at.do(back)
    assert isinstance(arrived, PlayerArrived)
    assert due(at)[:6] == ["turn_face_up", *WASH]
    assert refused(at, back).code is Code.SEAT_TAKEN
    begin(at)


@pytest.mark.clause("R106")
def test_after_an_idle_table_in_maryland_the_cards_are_washed_and_shuffled_but_not_inspected() -> None:
    at = opened("maryland", **SHOE)
    first = due(at)
    ready(at)
    at.do(GoIdle(spread="face-down"))
    ready(at)
    at.do(TakeSeat(position=1, player="p1"))
    inspection = first[: first.index("show_first_player")]
    assert "inspect_cards" in inspection
    assert due(at) == ["turn_face_up", *first[first.index("show_first_player") :]]


@pytest.mark.clause("MD-05H")
def test_a_device_that_reshuffles_by_itself_waives_cut_recut_and_idle_spread() -> None:
    one = {"dealing__decks": 1}
    at = closed("maryland-everything", **one)
    at.do(OpenTable(decks=("red",), preshuffled=True))
    assert due(at) == ["put_in_machine"]
    assert refused(at, OrderRecut(role="executive")).code is Code.RECUT_LATE
    ready(at)
    refusal = refused(at, GoIdle(spread="face-down"))
    assert (refusal.code, refusal.clauses) == (Code.NOT_DESCRIBED, ("MD-05H",))
    spread = under_rule("maryland-everything", "shuffling.reshuffling_waives", ["cut"], **one)
    spread.open()
    ready(spread)
    assert spread.may(GoIdle(spread="face-down")) is None
    at.do(ReportFailure(device="shuffler"))
    at.do(Prepare(step="cover_device"))
    assert due(at) == ["shuffle_by_hand", "square_stack", "insert_cover_card", "cut", "put_in_machine"]
    at.do(BringDevice(device="shuffler"))
    assert due(at) == ["shuffle_by_machine", "square_stack"]
    at.do(SwitchMethod(method="shoe", shuffle_by_hand=True))
    assert due(at) == ["shuffle_by_hand", "square_stack", "insert_cover_card", "cut", "put_in_shoe"]
    plain = closed("maryland-everything", **one, shuffler__reshuffles=None, dealing__dealer_first=None)
    plain.do(OpenTable(decks=("red",), preshuffled=True))
    assert due(plain) == ["insert_cover_card", "cut", "put_in_machine"]
    ready(plain)
    assert plain.may(OrderRecut(role="floorperson")) is None
    assert plain.may(GoIdle(spread="face-down")) is None
