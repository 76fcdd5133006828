"""Every refusal of a round under way: its code, the values in its sentence, and its clauses."""

from typing import Any

import pytest

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import ActorRole, Fold
from fourcard.round.preconditions import duty_refusal, has_authority
from fourcard.rules.cited import Cited
from fourcard.rules.rulebook import Role
from tests.kit.refusal_situations import ROUND_SITUATIONS
from tests.kit.tables import refused

EXPECTED: dict[str, Refusal] = {
    "step out of order": refuse(
        Code.OUT_OF_ORDER, ("MA-7b.1",), step="let players look", due="announce no more bets"
    ),
    "act at another position": refuse(
        Code.OUT_OF_ORDER, ("IA-COMP-4.2",), step="reveal hand", due="reveal hand at position 1"
    ),
    "deal before the announcement": refuse(
        Code.OUT_OF_ORDER, ("MA-7b.1",), step="deal", due="announce no more bets"
    ),
    "deal by performing first": refuse(Code.STEP_DONE_BY, step="deal"),
    "deal by performing later": refuse(Code.STEP_DONE_BY, step="deal"),
    "hand set before the look": refuse(
        Code.OUT_OF_ORDER, ("IA-COMP-1.1",), step="set hand", due="let players look"
    ),
    "decision before the look": refuse(
        Code.OUT_OF_ORDER, ("MA-10a.1",), step="decide", due="let players look"
    ),
    "fold while wagers are open": refuse(Code.NOT_NOW, ("MA-10b.2",), what="fold", phase="open for wagers"),
    "hand set while wagers are open": refuse(
        Code.NOT_NOW, ("IA-COMP-1.2",), what="set hand", phase="open for wagers"
    ),
    "hand set where the dealer does": refuse(Code.PRESENTED_UNASKED, ("MA-10d.2", "R27")),
    "count judged while wagers are open": refuse(
        Code.NOT_NOW, ("MD-08H2", "MD-09E", "MD-10E"), what="judge count", phase="open for wagers"
    ),
    "abandoned while wagers are open": refuse(
        Code.NOT_NOW, ("MD-07B2",), what="treat as abandoned", phase="open for wagers"
    ),
    "deal while decisions are due": refuse(
        Code.NOT_NOW, ("MA-7c.1",), what="deal", phase="waiting for decisions"
    ),
    "look twice": refuse(Code.NOT_NOW, ("MA-10b.1",), what="let players look", phase="waiting for decisions"),
    "wager without a seat": refuse(Code.NOT_SEATED, ("MA-6c.1",), where="at position 5"),
    "withdrawal without a seat": refuse(Code.NOT_SEATED, ("IA-WAG-4.1",), where="at position 5"),
    "seat without a name": refuse(Code.NAME_MISSING),
    "seat for another player": refuse(Code.NOT_YOUR_NAME, ("MA-6c.1",), person="p2", by="p9"),
    "seat taken": refuse(Code.SEAT_TAKEN, position="1", player="p1"),
    "another's position": refuse(Code.NOT_YOUR_POSITION, ("MA-10a.3",), position="1", player="p1", by="p2"),
    "nobody's position": refuse(
        Code.NOT_YOUR_POSITION, ("IA-COMP-1.3",), position="1", player="p1", by="anybody"
    ),
    "supervisor at a position": refuse(
        Code.NOT_YOUR_DUTY, ("MA-10a.3",), what="act at a position", who="dealer and p1", role="supervisor"
    ),
    "step by a floorperson": refuse(
        Code.NOT_YOUR_DUTY, ("MA-10a.3",), what="announce no more bets", who="dealer", role="floorperson"
    ),
    "deal by a player": refuse(
        Code.NOT_YOUR_DUTY, ("IA-COMP-1.3",), what="deal", who="dealer", role="player"
    ),
    "report by a player": refuse(
        Code.NOT_YOUR_DUTY, what="report an irregularity", who="dealer or floor", role="player"
    ),
    "abandoned by a dealer": refuse(
        Code.NOT_YOUR_DUTY, what="treat wagers as abandoned", who="supervisor", role="dealer"
    ),
    "count judged by a floorperson": refuse(
        Code.NOT_YOUR_DUTY,
        ("MD-08H2", "MD-09E", "MD-10E"),
        what="judge a wrong count",
        who="dealer",
        role="floorperson",
    ),
    "round called off by the dealer": refuse(
        Code.NOT_YOUR_DUTY, what="call the round off", who="floorperson", role="dealer"
    ),
    "round called off by a player": refuse(
        Code.NOT_YOUR_DUTY, what="call the round off", who="dealer", role="player"
    ),
    "round called off late": refuse(Code.NOT_NOW, what="call off", phase="being dealt"),
    "leaving with cards": refuse(Code.MUST_STAY, ("IA-WAG-4.2",)),
    "leaving with wagers": refuse(Code.WAGERS_LIE, position="1"),
    "leaving with a chip": refuse(Code.WAGERS_LIE, position="1"),
    "cash": refuse(Code.INSTRUMENT_REFUSED, ("MA-6b.2",), wager="Ante", instrument="a spoken bet and cash"),
    "cash unnamed": refuse(
        Code.INSTRUMENT_REFUSED, ("MD-07A",), wager="Ante", instrument="a spoken bet and cash"
    ),
    "plaque": refuse(Code.INSTRUMENT_REFUSED, ("IA-WAG-3.1",), wager="Ante", instrument="a plaque"),
    "coupon": refuse(
        Code.INSTRUMENT_REFUSED, ("MA-6b.1", "R35"), wager="Ante", instrument="a match play coupon"
    ),
    "bet between players": refuse(Code.BET_BETWEEN_PLAYERS, ("SM-W3-5",)),
    "bet between players unnamed": refuse(Code.BET_BETWEEN_PLAYERS, ("IA-DEF-5.1", "IA-INT-8")),
    "wager not offered": refuse(Code.WAGER_NOT_OFFERED, ("IA-DEF-5.1", "IA-INT-8"), wager="Progressive"),
    "wager not placed by itself": refuse(
        Code.WAGER_NOT_PLACED, ("IA-DEF-5.1", "IA-INT-8"), wager="Automatic Bonus"
    ),
    "play before its time": refuse(Code.NOT_NOW, ("MA-10b.2",), what="play", phase="open for wagers"),
    "play placed in its time": refuse(Code.STEP_DONE_BY, ("MA-10b.2",), step="play"),
    "wager absent": refuse(Code.WAGER_ABSENT, wager="Aces Up", position="1"),
    "wager absent beside a chip": refuse(Code.WAGER_ABSENT, wager="Aces Up", position="1"),
    "play withdrawn": refuse(Code.BETTING_CLOSED, ("MA-10b.2",), wager="Play", event="it has been made"),
    "ante withdrawn": refuse(
        Code.PREREQUISITE_MISSING, ("MD-07E4a.1",), wager="Progressive", needed="the Ante or Aces Up wager"
    ),
    "ante withdrawn late": refuse(
        Code.BETTING_CLOSED, ("MA-6d.1", "MA-1-ANTE", "MA-6d.2"), wager="Ante", event="no more bets"
    ),
    "deal to nobody": refuse(Code.NOBODY_WAGERED, ("MA-7c.2",)),
    "announcement to nobody": refuse(Code.NOBODY_WAGERED, ("MA-7c.2",)),
    "chips uncounted": refuse(
        Code.NUMBER_UNFIT, ("MD-10A3b",), step="count chips", wanted="the number of chips", count="nothing"
    ),
    "chips below nothing": refuse(
        Code.NUMBER_UNFIT, ("MD-10A3b",), step="count chips", wanted="the number of chips", count="-1"
    ),
    "chips counted again by the dealer": refuse(
        Code.CHIPS_DIFFER, ("MD-10A3b", "R65"), chips="2", accepted="3"
    ),
    "deal while chips differ": refuse(Code.CHIPS_DIFFER, ("MD-10A3b", "R65"), chips="2", accepted="3"),
    "too few cards": refuse(Code.CARDS_UNFIT, count="0", wanted="1"),
    "too many cards": refuse(Code.CARDS_UNFIT, count="2", wanted="1"),
    "no such card": refuse(
        Code.CARD_UNKNOWN, whose="the deck", reason="52 is not a card; a card is a number from 0 to 51"
    ),
    "card dealt again": refuse(Code.CARD_SEEN, card="As"),
    "card found face up again": refuse(Code.CARD_SEEN, card="As"),
    "card found face up unnamed": refuse(
        Code.CARD_UNKNOWN, whose="the deck", reason="the card found face up must be named"
    ),
    "card found face up too deep": refuse(Code.FACE_UP_UNFIT, ("MA-14a.1", "R74"), count="1"),
    "asked later": refuse(Code.ASKED_LATER, ("MA-10b.1",), position="2", due="1"),
    "no decision": refuse(Code.NO_DECISION, ("MA-10b.2",), position="1"),
    "no cards to abandon": refuse(Code.CARDS_ABSENT, ("MD-07B2",), where="at position 2"),
    "nobody to abandon": refuse(Code.CARDS_ABSENT, ("MD-07B2",), where="at position 6"),
    "no decision twice": refuse(Code.NO_DECISION, ("MD-07B2",), position="1"),
    "abandoned where nobody may be": refuse(Code.LEAVING, ("MA-6c.2", "R36")),
    "abandoned where the house does not": refuse(Code.LEAVING, ("MD-07B2", "R36")),
    "wrong hand": refuse(Code.WRONG_HAND, ("MA-7b.2",), hand="right"),
    "number right": refuse(Code.NOTHING_WRONG, ("MA-14c",), whose="position 1", count="5"),
    "number of the dealer right": refuse(Code.NOTHING_WRONG, ("MA-14c",), whose="the dealer", count="6"),
    "number of the extra stack right": refuse(
        Code.NOTHING_WRONG, ("MA-14c",), whose="the extra stack", count="5"
    ),
    "number right beside an extra stack": refuse(
        Code.NOTHING_WRONG, ("MA-14c",), whose="position 2", count="5"
    ),
    "number not yet wrong": refuse(Code.NOTHING_WRONG, ("MA-14c",), whose="position 1", count="1"),
    "number missing": refuse(
        Code.NUMBER_UNFIT,
        ("MA-14c",),
        step="a wrong number",
        wanted="a hand and its number of cards",
        count="nothing",
    ),
    "number below nothing": refuse(
        Code.NUMBER_UNFIT,
        ("MA-14c",),
        step="a wrong number",
        wanted="a hand and its number of cards",
        count="-2",
    ),
    "number of nobody's hand": refuse(Code.CARDS_ABSENT, ("MA-14c",), where="at position 6"),
    "number of no extra stack": refuse(Code.CARDS_ABSENT, ("MA-14c",), where="in the extra stack"),
    "up card": refuse(Code.UP_CARD_EXEMPT, ("MA-14d", "R73")),
    "shown dealer exposed": refuse(
        Code.NOT_NOW, ("MA-14d",), what="dealer card exposed", phase="being settled"
    ),
    "exposed elsewhere": refuse(
        Code.NOT_DESCRIBED, ("R72",), rulebook="massachusetts", kind="no such card lies there"
    ),
    "failure reported": refuse(Code.STEP_DONE_BY, step="report failure"),
    "not described then": refuse(
        Code.NOT_DESCRIBED, ("P19",), rulebook="catfish-bend", kind="card drawn in error"
    ),
    "not described now": refuse(
        Code.NOT_DESCRIBED, ("P20",), rulebook="massachusetts", kind="cards on play without chips"
    ),
    "card that says nothing": refuse(
        Code.FIGURE_FOREIGN, ("MA-14b",), figure="card", kind="card drawn in error"
    ),
    "count that says nothing": refuse(
        Code.FIGURE_FOREIGN, ("MA-14d",), figure="count", kind="dealer card exposed"
    ),
    "place that says nothing": refuse(
        Code.FIGURE_FOREIGN, ("MA-14d",), figure="place", kind="dealer card exposed"
    ),
    "position that says nothing": refuse(
        Code.FIGURE_FOREIGN, ("MA-14d",), figure="position", kind="dealer card exposed"
    ),
    "count missing": refuse(
        Code.NUMBER_UNFIT, ("MD-09C2",), step="count stub", wanted="the number of cards", count="nothing"
    ),
    "count below nothing": refuse(
        Code.NUMBER_UNFIT, ("MD-09C2",), step="count stub", wanted="the number of cards", count="-1"
    ),
    "count unjudged": refuse(Code.COUNT_UNJUDGED, ("MD-08H2", "MD-09E", "MD-10E")),
    "count not wrong": refuse(Code.COUNT_NOT_WRONG, ("MD-08H2", "MD-09E", "MD-10E")),
    "count judged by too few hands": refuse(
        Code.NUMBER_UNFIT,
        ("MD-08H2", "MD-09E", "MD-10E"),
        step="judge count",
        wanted="the stub and the size of 3 hands",
        count="35 and 1",
    ),
    "count judged below nothing": refuse(
        Code.NUMBER_UNFIT,
        ("MD-08H2", "MD-09E", "MD-10E"),
        step="judge count",
        wanted="the stub and the size of 3 hands",
        count="35 and 3",
    ),
    "stub shown": refuse(Code.STUB_SHOWN, ("MA-7d",)),
}


def _claiming(situation: str) -> Any:
    """Return a situation that claims the clauses which its refusal must cite."""
    clauses = EXPECTED[situation].clauses
    return pytest.param(situation, marks=[pytest.mark.clause(*clauses)] if clauses else [])


@pytest.mark.parametrize("situation", [*map(_claiming, ROUND_SITUATIONS)])
def test_a_refusal_has_its_sentence_and_clauses(situation: str) -> None:
    at, command = ROUND_SITUATIONS[situation]()
    assert refused(at, command) == EXPECTED[situation]


@pytest.mark.parametrize(
    ("wanted", "allowed"),
    [
        ("dealer", ["dealer"]),
        ("player", ["player"]),
        ("owner", []),
        ("floorperson", ["floorperson", "supervisor", "casino-supervisor", "executive"]),
        ("floorperson-or-above", ["floorperson", "supervisor", "casino-supervisor", "executive"]),
        ("supervisor", ["supervisor", "casino-supervisor", "executive"]),
        ("casino-supervisor", ["casino-supervisor", "executive"]),
        ("executive", ["executive"]),
    ],
)
def test_whoever_has_more_authority_may_do_it_but_a_dealers_work_is_nobody_elses(
    wanted: Role, allowed: list[ActorRole]
) -> None:
    everybody: tuple[ActorRole, ...] = (
        "player",
        "dealer",
        "floorperson",
        "supervisor",
        "casino-supervisor",
        "executive",
    )
    assert [role for role in everybody if has_authority(role, wanted)] == allowed


def test_a_duty_of_several_names_them_all() -> None:
    rule: Cited[tuple[Role, ...]] = Cited(value=("dealer", "casino-supervisor"), clauses=("MA-5d",))
    player = Fold(position=1, role="player")
    assert duty_refusal(player, "wash", rule, "supervisor") == refuse(
        Code.NOT_YOUR_DUTY, ("MA-5d",), what="wash", who="dealer or casino supervisor", role="player"
    )
