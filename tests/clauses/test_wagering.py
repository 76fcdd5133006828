"""Who may wager, with what, in which combinations, and until when; and what a round is."""

from typing import Any

import pytest

from fourcard.round.commands import (
    Deal,
    Fold,
    LeaveSeat,
    Perform,
    PlaceWager,
    Play,
    TakeSeat,
    WithdrawWager,
)
from fourcard.round.events import CardsDealt
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from fourcard.wagers.specification import Instrument
from tests.kit.deals import act, table_with_hands
from tests.kit.support import by_clause, game, game_under
from tests.kit.tables import ANTE, BOTH, advance, bet, current_round, finish, refused, table, table_of, until

BOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")
ANNOUNCE = Perform(step="announce_no_more_bets")
LOCK = Perform(step="lock_out")


def place(wager: WagerName = "ante", amount: int = 2_500, position: int = 1, **more: object) -> PlaceWager:
    """Return the command that puts a wager down."""
    return PlaceWager(position=position, wager=wager, amount=amount, **more)  # type: ignore[arg-type]


def wagers(at: Table, position: int = 1) -> dict[WagerName, int]:
    """Return what lies at a position."""
    return dict(current_round(at).positions[position].on_layout)


SEATED = by_clause(
    ("MA-6c.1", "massachusetts"),
    ("P22", "shuffle-master"),
    ("MD-07B.0", "maryland"),
    ("P22", "washington"),
    ("IA-WAG-4.1", "catfish-bend"),
)


@pytest.mark.parametrize(("clause", "example"), SEATED)
def test_only_a_player_who_is_seated_may_wager(clause: str, example: str) -> None:
    at = table(example, seats=(1, 2))
    for role in ("player", "dealer"):
        for wager in ("ante", "aces_up"):
            refusal = refused(at, place(wager, position=3, by="p3", role=role))
            assert (refusal.name, refusal.clauses) == ("not_seated", (clause,))
    at.do(TakeSeat(position=3, player="p3", by="p3", role="player"))
    at.do(place(position=3, by="p3", role="player"))
    assert wagers(at, 3) == {"ante": 2_500}
    at.do(WithdrawWager(position=3, wager="ante"))
    at.do(LeaveSeat(position=3))
    assert refused(at, place(position=3, by="p3", role="player")).name == "not_seated"


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-6c.2", "massachusetts"),
        ("P22", "shuffle-master"),
        ("MD-07B1", "maryland"),
        ("P22", "washington"),
        ("IA-WAG-4.2", "catfish-bend"),
    ),
)
def test_who_has_a_wager_and_cards_stays_seated_to_the_end_of_the_round(clause: str, example: str) -> None:
    at = table(example, seats=(1, 2, 3, 4))
    bet(at, positions=(1, 2))
    for phase in ("dealing", "stub", "deciding", "settling"):
        until(at, phase)
        for leaving in (LeaveSeat(position=1), LeaveSeat(position=2, by="p2", role="player")):
            refusal = refused(at, leaving)
            assert (refusal.name, refusal.clauses) == ("must_stay", (clause,)), phase
        if phase == "deciding":
            assert refused(at, LeaveSeat(position=3, by="p2", role="player")).name == "not_your_position"
            at.do(LeaveSeat(position=3))
    finish(at)
    for position in (1, 2, 4):
        at.do(LeaveSeat(position=position))
    assert at.state.seats == {}


@pytest.mark.clause("MD-07B1", "R99")
def test_who_has_no_cards_yet_takes_the_wager_back_and_may_go() -> None:
    at = table("maryland-everything")
    at.do(place())
    at.do(place("progressive", 100, accepted=False))
    assert refused(at, LeaveSeat(position=1)).name == "wagers_lie"
    at.do(WithdrawWager(position=1, wager="ante"))
    assert refused(at, LeaveSeat(position=1)).name == "wagers_lie"
    at.do(WithdrawWager(position=1, wager="progressive"))
    assert current_round(at).nets[1] == 0
    at.do(LeaveSeat(position=1))
    assert 1 not in current_round(at).positions


# A wager is made, raised and withdrawn until the very moment that closes it, and never after it.

OPEN_UNTIL = by_clause(
    ("MA-6d.2", "massachusetts", ("announce_no_more_bets",), ("ante", "aces_up")),
    (
        "MA-6d.2",
        "massachusetts-everything",
        ("announce_no_more_bets",),
        ("ante", "aces_up", "cover_all", "progressive"),
    ),
    ("MD-07D", "maryland", ("announce_no_more_bets",), ("ante", "aces_up")),
    (
        "MD-07D",
        "maryland-everything",
        ("announce_no_more_bets",),
        ("ante", "aces_up", "six_card", "progressive"),
    ),
    ("R95", "shuffle-master-everything", ("lock_out",), ("ante", "aces_up", "bad_beat", "progressive")),
    ("R95", "washington-everything", ("lock_out",), ("ante", "aces_up", "bad_beat", "progressive")),
    ("R95", "shuffle-master", (), ("ante", "aces_up")),
    ("R95", "washington", (), ("ante", "aces_up")),
    ("R17", "catfish-bend", (), ("ante", "aces_up")),
    ("IA-WAG-5", "catfish-bend", (), ("ante", "aces_up")),
    ("IA-AUTO-4", "catfish-bend", (), ("ante", "aces_up")),
)
SIZES: dict[WagerName, tuple[int, int]] = {
    "ante": (2_500, 5_000),
    "aces_up": (500, 1_000),
    "cover_all": (100, 200),
    "six_card": (100, 200),
    "bad_beat": (100, 200),
    "progressive": (100, 100),
}


@pytest.mark.parametrize(("clause", "example", "closing", "names_"), OPEN_UNTIL)
def test_wagers_are_made_raised_and_withdrawn_until_bets_close_and_not_after(
    clause: str, example: str, closing: tuple[str, ...], names_: tuple[WagerName, ...]
) -> None:
    at = table(example)
    bet(at, {name: SIZES[name][0] for name in names_}, positions=(1, 2))
    for name in reversed(names_):
        at.do(place(name, SIZES[name][1], 2))
        at.do(WithdrawWager(position=2, wager=name))
    assert (wagers(at, 1), wagers(at, 2)) == ({name: SIZES[name][0] for name in names_}, {})
    bet(at, {name: SIZES[name][0] for name in names_}, positions=(2,))
    act(at)
    assert [str(step) for step in closing] == _steps_so_far(at), clause
    closed_by = "no more bets" if closing else "the first card is out"
    _nothing_changes(at, names_, closed_by)
    for phase in ("dealing", "stub", "deciding", "settling"):
        until(at, phase)
        _nothing_changes(at, names_, closed_by)


def _steps_so_far(at: Table) -> list[str]:
    """Return the steps of the round, which are none where the first card itself closed the bets."""
    return [str(getattr(event, "step", "")) for event in at.events if type(event).__name__ == "StepDone"]


def _nothing_changes(at: Table, names_: tuple[WagerName, ...], closed_by: str) -> None:
    for name in names_:
        least, more = SIZES[name]
        for position in (1, 3):
            late = refused(at, place(name, more, position))
            assert (late.name, closed_by in late.message) == ("betting_closed", True)
        assert refused(at, place(name, least, 3)).name == "betting_closed"
        assert refused(at, WithdrawWager(position=1, wager=name)).name == "betting_closed"


@pytest.mark.parametrize(
    ("clause", "example", "wager"),
    by_clause(
        ("MA-1-AU.1", "massachusetts", "aces_up"),
        ("MA-6d.1", "massachusetts", "aces_up"),
        ("MA-6d.1", "massachusetts", "ante"),
        ("MA-1-ANTE", "massachusetts", "ante"),
        ("MA-12a", "massachusetts-everything", "cover_all"),
        ("MD-01B1.1", "maryland", "aces_up"),
        ("MD-07C", "maryland", "aces_up"),
        ("MD-07C", "maryland", "ante"),
        ("MD-07E5a.2", "maryland-everything", "six_card"),
        ("IA-DEF-3.1", "catfish-bend", "aces_up"),
        ("IA-DEF-1", "catfish-bend", "ante"),
        ("SM-BB-5", "shuffle-master-everything", "bad_beat"),
        ("WA-BB-3", "washington-everything", "bad_beat"),
    ),
)
def test_a_wager_is_taken_up_to_the_moment_that_closes_it(
    clause: str, example: str, wager: WagerName
) -> None:
    amount = SIZES[wager][0]
    without: dict[WagerName, int] = {name: each for name, each in BOTH.items() if name != wager}
    at = table(example)
    bet(at, without, (1, 2))
    at.do(place(wager, amount, 1))
    act(at)
    for phase in ("dealing", "stub", "deciding"):
        refusal = refused(at, place(wager, amount, 2))
        assert (refusal.name, clause in refusal.clauses) == ("betting_closed", True)
        closed_by = "the first card is out" if example == "catfish-bend" else "no more bets"
        assert closed_by in refusal.message
        until(at, phase)
    advance(at)
    if wager == "ante":
        assert refused(at, Play(position=2, amount=amount)).name == "no_decision"
        at.do(Play(position=1, amount=amount))
    round_ = finish(at)
    assert [wager in round_.positions[p].wagers for p in (1, 2)] == [True, False]


@pytest.mark.parametrize(
    ("clause", "example", "wager", "closed_by"),
    by_clause(
        ("MA-12a", "massachusetts-everything", "cover_all", "no more bets"),
        ("MD-07E5a.2", "maryland-everything", "six_card", "no more bets"),
        ("SM-BB-5", "shuffle-master-everything", "bad_beat", "the first card is out"),
        ("WA-BB-3", "washington-everything", "bad_beat", "the first card is out"),
    ),
)
def test_what_closes_a_wager_where_no_progressive_is_offered(
    clause: str, example: str, wager: WagerName, closed_by: str
) -> None:
    areas = {"layout__areas": ["ante", "play", "aces_up", "six_card"]} if example.startswith("mary") else {}
    at = Table(game(example, wagers__progressive=None, progressive=None, settlement__order=None, **areas))
    at.seat(1, "Ann")
    at.begin()
    for name in ("ante", "aces_up"):
        at.do(place(name, SIZES[name][0], 1))
    act(at)
    refusal = refused(at, place(wager, SIZES[wager][0], 1))
    assert clause in refusal.clauses
    assert closed_by in refusal.message


@pytest.mark.parametrize("example", ["massachusetts", "maryland"])
def test_no_card_is_dealt_before_the_announcement(example: str) -> None:
    at = table(example)
    bet(at)
    assert refused(at, Deal()).name == "out_of_order"
    at.do(ANNOUNCE)
    assert refused(at, ANNOUNCE).name == "out_of_order"


@pytest.mark.clause("R17")
@pytest.mark.parametrize("method", ["automated", "manual"])
def test_at_catfish_bend_the_first_card_closes_the_bets_not_the_first_hand(method: str) -> None:
    at = table("catfish-bend", dealing__method=method, dealing__stack=5 if method == "automated" else None)
    bet(at, ANTE, (1,))
    at.do(place(position=2))
    assert refused(at, ANNOUNCE).name == "out_of_order"
    closed, first = at.do(Deal())
    assert (type(closed).__name__, isinstance(first, CardsDealt)) == ("BetsClosed", True)
    assert refused(at, place(position=3)).name == "betting_closed"


# Three ways to bet: against the dealer, on the own hand, or both at once.

WAYS = by_clause(
    ("MA-6a1.1", "massachusetts"),
    ("MA-6a3", "massachusetts"),
    ("SM-INT-2", "shuffle-master"),
    ("SM-W3-2", "shuffle-master"),
    ("SM-DEAL-1.1", "shuffle-master"),
    ("SM-DEAL-1.3", "shuffle-master"),
    ("MD-07E3", "maryland"),
    ("WA-INT-2", "washington"),
    ("WA-W3-2", "washington"),
    ("WA-DEAL-1.1", "washington"),
    ("WA-DEAL-1.3", "washington"),
    ("IA-INT-2", "catfish-bend"),
    ("IA-INT-11", "catfish-bend"),
    ("IA-WAG-2c", "catfish-bend"),
)
CONTESTS = by_clause(
    ("SM-W3-1", "shuffle-master"),
    ("WA-W3-1", "washington"),
    ("IA-INT-10", "catfish-bend"),
    ("MA-6a3", "massachusetts"),
    ("MD-07E3", "maryland"),
)
KINGS_UP = {1: "3s 3h 8d 7c 2c", 2: "Ks Qh 8c 7d 2d", 3: "As Ah 9d 6c 2h", 0: "5s 5h Jd Tc 9c 4d"}
"""A pair of threes, king high and a pair of aces against a pair of fives."""


@pytest.mark.parametrize(("clause", "example"), WAYS)
def test_a_player_bets_the_ante_aces_up_or_both_in_any_amounts(clause: str, example: str) -> None:
    at = table_with_hands(example, KINGS_UP)
    at.do(place("ante", 2_500, 1))
    at.do(place("aces_up", 1_000, 2))
    at.do(place("ante", 1_500, 3))
    at.do(place("aces_up", 2_000, 3))
    advance(at)
    assert {p: len(each.cards) for p, each in current_round(at).positions.items()} == {1: 5, 2: 5, 3: 5}
    refusal = refused(at, Play(position=2, amount=1_000))
    assert refusal.name == "no_decision", clause
    at.do(Play(position=1, amount=2_500))
    at.do(Play(position=3, amount=4_500))
    won = finish(at).nets
    assert won == {1: -5_000, 2: -1_000, 3: 1_500 + 4_500 + 2_000}


@pytest.mark.parametrize(("clause", "example"), CONTESTS)
def test_two_bets_are_two_contests_each_with_its_own_criteria(clause: str, example: str) -> None:
    beaten = {1: "As Ah 8d 7c 2c", 2: "Ks Kh 8c 7d 2d", 3: "Ac Ad 9d 6c 2h", 0: "Qs Qh Jd Jc 9c 4d"}
    at = table_with_hands(example, beaten)
    bet(at, {"ante": 1_500, "aces_up": 500})
    assert finish(at).nets == {1: -3_000 + 500, 2: -3_500, 3: -3_000 + 500}, clause
    at = table_with_hands(example, {**KINGS_UP, 2: "8s 8h 9h 6d 2s"})
    bet(at, {"ante": 1_500, "aces_up": 500})
    assert finish(at).nets == {1: -3_500, 2: 3_000 - 500, 3: 3_000 + 500}


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-W1-3", "shuffle-master"), ("WA-W1-3", "washington"))
)
def test_the_ante_opens_the_contest_with_the_dealer(clause: str, example: str) -> None:
    at = table_with_hands(example, KINGS_UP)
    at.do(place("aces_up", 500, 1))
    bet(at, ANTE, (2, 3))
    advance(at)
    assert refused(at, Play(position=1, amount=2_500)).name == "no_decision", clause
    at.do(Play(position=2, amount=2_500))
    assert finish(at).nets == {1: -500, 2: -5_000, 3: 5_000}


STAYING = by_clause(("MA-1-PLAY.1", "massachusetts"), ("MD-01B5", "maryland"))


@pytest.mark.parametrize(("clause", "example"), STAYING)
def test_who_stays_in_against_the_dealer_must_add_a_play_wager_after_seeing_the_hand(
    clause: str, example: str
) -> None:
    better = {**KINGS_UP, 2: "Ac Ad 8c 7h 2s"}
    at = table_with_hands(example, better)
    bet(at, ANTE)
    until(at, "deciding")
    assert refused(at, Play(position=1, amount=2_500)).name == "out_of_order", clause
    advance(at)
    for amount in (0, 2_400):
        assert refused(at, Play(position=1, amount=amount)).name == "play_too_small"
    assert refused(at, Perform(step="reveal_dealer")).name == "not_now"
    at.do(Play(position=1, amount=2_500))
    at.do(Fold(position=2))
    at.do(Play(position=3, amount=2_500))
    assert finish(at).nets == {1: -5_000, 2: -2_500, 3: 5_000}


# What a wager is made with, and against whom.


@pytest.mark.parametrize(
    ("clause", "example", "taken", "foreign"),
    by_clause(
        ("MA-6b.1", "massachusetts", ("chip", "plaque"), ("approved-instrument",)),
        ("MD-07A", "maryland", ("chip", "plaque", "approved-instrument"), ("match-play-coupon", "cash")),
        ("IA-WAG-3.1", "catfish-bend", ("chip",), ("plaque", "match-play-coupon", "approved-instrument")),
    ),
)
def test_a_wager_is_made_with_what_the_rulebook_names_on_its_own_area(
    clause: str, example: str, taken: tuple[str, ...], foreign: tuple[str, ...]
) -> None:
    at = table(example)
    for instrument in taken:
        for wager, amount in BOTH.items():
            at.do(place(wager, amount, instrument=instrument))
            assert wagers(at)[wager] == amount
            at.do(WithdrawWager(position=1, wager=wager))
    for instrument in foreign:
        refusal = refused(at, place(instrument=instrument))
        assert (refusal.name, refusal.clauses) == ("instrument_refused", (clause,))


@pytest.mark.clause("MA-6b.1", "R35")
def test_a_match_play_coupon_is_taken_only_where_the_house_takes_it() -> None:
    coupon = place(instrument="match-play-coupon")
    refusal = refused(table("massachusetts"), coupon)
    assert (refusal.name, refusal.clauses) == ("instrument_refused", ("MA-6b.1", "R35"))
    at = table("massachusetts", settings__match_play="accepted")
    at.do(coupon)
    assert wagers(at) == {"ante": 2_500}
    at = table("massachusetts-everything", settings__match_play="accepted")
    at.do(place())
    refusal = refused(at, place("progressive", 100, instrument="match-play-coupon"))
    assert (refusal.name, refusal.clauses) == ("instrument_refused", ("R103",))
    at.do(place("progressive", 100, instrument="plaque"))
    assert wagers(at)["progressive"] == 100


@pytest.mark.clause("R103")
@pytest.mark.parametrize(
    ("clause", "wager"), by_clause(("MD-07E4a.2", "progressive"), ("MD-07E5a.2", "six_card"))
)
@pytest.mark.parametrize("instrument", ["plaque", "approved-instrument", "match-play-coupon"])
def test_in_maryland_progressive_and_six_card_take_value_chips_only(
    clause: str, wager: WagerName, instrument: Instrument
) -> None:
    at = table("maryland-everything")
    bet(at, {"ante": 2_500, "aces_up": 500})
    refusal = refused(at, place(wager, 100, instrument=instrument))
    assert (refusal.name, refusal.clauses) == ("instrument_refused", (clause, "R103"))
    at.do(place(wager, 100))
    assert wagers(at)[wager] == 100
    for taken in ("plaque", "approved-instrument"):
        at.do(place("ante", 2_500, instrument=taken))


@pytest.mark.clause("R103")
@pytest.mark.parametrize("example", ["massachusetts", "shuffle-master", "maryland", "washington"])
def test_a_coupon_is_no_progressive_wager_anywhere(example: str) -> None:
    changes: dict[str, Any] = {"settings__match_play": "accepted"} if example == "massachusetts" else {}
    at = table(f"{example}-everything", **changes)
    bet(at, {"ante": 2_500})
    refusal = refused(at, place("progressive", 100, instrument="match-play-coupon"))
    assert (refusal.name, "R103" in refusal.clauses) == ("instrument_refused", True)
    assert "progressive" not in wagers(at)


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-6b.2", "massachusetts"), ("IA-WAG-3.2", "catfish-bend"))
)
def test_a_spoken_bet_with_cash_is_refused(clause: str, example: str) -> None:
    at = table(example)
    refusal = refused(at, place(instrument="cash"))
    assert (refusal.name, refusal.clauses) == ("instrument_refused", (clause,))
    at.do(place())
    spoken = {"wagering__verbal_cash": True, "wagering__instruments": ("chip", "cash")}
    at = table_of(game_under(game(example), **spoken))
    at.do(place(instrument="cash"))
    assert wagers(at) == {"ante": 2_500}


@pytest.mark.parametrize("example", ["shuffle-master", "washington"])
def test_cash_is_refused_where_the_source_is_silent_too(example: str) -> None:
    assert refused(table(example), place(instrument="cash")).name == "instrument_refused"


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-W3-5", "shuffle-master"), ("WA-W3-5", "washington"))
)
def test_players_do_not_bet_with_each_other(clause: str, example: str) -> None:
    at = table(example)
    for wager in ("ante", "aces_up"):
        refusal = refused(at, place(wager, against="player"))
        assert (refusal.name, refusal.clauses) == ("bet_between_players", (clause,))
        at.do(place(wager, against="house"))
    at = table_of(game_under(game(example), wagering__between_players=True))
    at.do(place(against="player"))


def test_a_bet_between_players_is_no_wager_of_any_rulebook() -> None:
    for example in BOOKS:
        assert refused(table(example), place(against="player")).name == "bet_between_players"
