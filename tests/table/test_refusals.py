"""Every refusal of a table: its code, the values in its sentence, and its clauses."""

import pytest

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import Deal, ReportIrregularity
from fourcard.rules.procedures import IrregularityKind
from fourcard.table.commands import BringDeck, Prepare
from tests.kit.decks import opened
from tests.kit.refusal_situations import IA, MA, MA_ALL, MD, MD_ALL, SM, TABLE_SITUATIONS, WA, wagered
from tests.kit.tables import ANTE, bet, refused, table, until

EXPECTED: dict[str, Refusal] = {
    "round at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "round at an idle table": refuse(Code.TABLE_NOT_OPEN, phase="idle"),
    "opening twice": refuse(Code.TABLE_NOT_OPEN, phase="open already"),
    "closing twice": refuse(Code.TABLE_NOT_OPEN, phase="closed already"),
    "seat at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "failure at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "method at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "swap at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "deck at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "step at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "device at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "device brought to a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "idle at a closed table": refuse(Code.TABLE_NOT_OPEN, phase="closed"),
    "step out of order": refuse(Code.STEP_NOT_DUE, ("MA-4b.1",), step="wash", due="inspect cards"),
    "device covered where it is removed": refuse(
        Code.STEP_NOT_DUE, ("MA-14g",), step="cover device", due="remove device"
    ),
    "idle before the inspection": refuse(
        Code.STEP_NOT_DUE, ("MA-4b.1",), step="spread idle cards", due="inspect cards"
    ),
    "idle before its verification": refuse(
        Code.STEP_NOT_DUE, ("MA-4b.1",), step="spread idle cards", due="verify inspection"
    ),
    "nothing to prepare": refuse(Code.NOTHING_DUE, step="wash"),
    "no device to cover": refuse(Code.NOTHING_DUE, ("MD-13H1", "MD-13H2"), step="cover device"),
    "no device to remove": refuse(Code.NOTHING_DUE, ("MA-14g",), step="remove device"),
    "no device to see to": refuse(Code.NOTHING_DUE, step="remove device"),
    "round before the cards are ready": refuse(Code.DECK_UNPREPARED, ("MA-4b.1",), due="inspect cards"),
    "round without a deck": refuse(Code.DECK_UNPREPARED, due="bring a deck"),
    "deal while cards are shuffled": refuse(Code.DECK_UNPREPARED, ("MD-05A.0",), due="shuffle by machine"),
    "round while one is under way": refuse(Code.ROUND_UNDER_WAY),
    "closing during a round": refuse(Code.ROUND_UNDER_WAY),
    "method during a round": refuse(Code.ROUND_UNDER_WAY),
    "swap during a round": refuse(Code.ROUND_UNDER_WAY, ("SM-IRR-2.2",)),
    "deck during a round": refuse(Code.ROUND_UNDER_WAY),
    "idle during a round": refuse(Code.ROUND_UNDER_WAY, ("R105",)),
    "other deck inspected during a round": refuse(Code.ROUND_UNDER_WAY, ("MD-03B3", "MD-03B5")),
    "device seen to during a round": refuse(Code.ROUND_UNDER_WAY, ("MA-14g",)),
    "device brought during a round": refuse(Code.ROUND_UNDER_WAY),
    "deal without a round": refuse(Code.NO_ROUND),
    "fold without a round": refuse(Code.NO_ROUND),
    "report without a round": refuse(Code.NO_ROUND),
    "correction without a round": refuse(Code.NO_ROUND),
    "cut too shallow": refuse(Code.CUT_UNFIT, ("MA-5c1ii", "R37"), depth="9", least="10", most="51"),
    "cut too deep": refuse(Code.CUT_UNFIT, ("MA-5c1ii", "R37"), depth="52", least="10", most="51"),
    "cut too shallow there": refuse(
        Code.CUT_UNFIT, ("IA-SHUF-5.2", "P17"), depth="19", least="20", most="32"
    ),
    "cut by the floor": refuse(Code.NOT_YOUR_DUTY, ("MA-5c1",), what="cut", who="dealer", role="floorperson"),
    "recut before the cut": refuse(Code.RECUT_LATE, ("MA-5d",)),
    "recut at a closed table": refuse(Code.RECUT_LATE, ("MA-5d",)),
    "recut after the first card": refuse(Code.RECUT_LATE, ("MA-5d",)),
    "recut by a supervisor": refuse(
        Code.NOT_YOUR_DUTY, ("MA-5d",), what="order a recut", who="casino supervisor", role="supervisor"
    ),
    "recut by a floorperson unnamed": refuse(
        Code.NOT_YOUR_DUTY, ("P42",), what="order a recut", who="supervisor", role="floorperson"
    ),
    "order of too few cards": refuse(Code.ORDER_UNFIT, ("MA-5a.4",)),
    "order before the shuffle": refuse(Code.ORDER_UNFIT, ("MA-4b.1",)),
    "order of one deck for two": refuse(Code.ORDER_UNFIT, ("MA-5a.1",)),
    "order of cards that are not preshuffled": refuse(Code.ORDER_UNFIT, ("MD-05A.1",)),
    "order of a preshuffled deck unfit": refuse(Code.ORDER_UNFIT, ("MD-05A.1",)),
    "backs alike": refuse(Code.BACKS_ALIKE, ("MA-2b2",)),
    "backs alike brought": refuse(Code.BACKS_ALIKE, ("MD-03B2",)),
    "decks too many": refuse(Code.DECKS_UNFIT, ("MA-2b.1",), count="2", wanted="1"),
    "deck too old": refuse(Code.DECK_TOO_OLD, ("MD-03C1",), hours="4"),
    "preshuffled deck": refuse(Code.PRESHUFFLED_REFUSED, ("P18",)),
    "preshuffled deck brought": refuse(Code.PRESHUFFLED_REFUSED, ("P18",)),
    "idle face up by the dealer": refuse(Code.IDLE_REFUSED, ("MD-05F2",), spread="face up"),
    "idle by a player": refuse(Code.IDLE_REFUSED, ("MA-5e.1",), spread="face down"),
    "idle unknown": refuse(Code.NOT_DESCRIBED, rulebook="catfish-bend", kind="an idle spread"),
    "idle with a device that reshuffles": refuse(
        Code.NOT_DESCRIBED, ("MD-05H",), rulebook="maryland", kind="an idle spread"
    ),
    "idle by a player among others": refuse(Code.PLAYERS_SEATED, ("R105",)),
    "shuffler absent": refuse(Code.DEVICE_ABSENT, ("MA-14e",), device="shuffler"),
    "shoe absent": refuse(Code.DEVICE_ABSENT, ("MD-13G",), device="shoe"),
    "shoe unknown": refuse(Code.DEVICE_ABSENT, device="shoe"),
    "method before a device is seen to": refuse(
        Code.DEVICE_BLOCKS, ("MD-13H1", "MD-13H2"), due="cover device or mark device"
    ),
    "method before a device is removed": refuse(Code.DEVICE_BLOCKS, ("MA-14g",), due="remove device"),
    "swap early": refuse(Code.SWAP_EARLY, ("SM-IRR-2.2",), wanted="2", count="1"),
    "swap early there": refuse(Code.SWAP_EARLY, ("WA-IRR-2.2",), wanted="2", count="0"),
    "swap unknown": refuse(Code.NOT_DESCRIBED, rulebook="massachusetts", kind="a swap of machines"),
    "method unknown": refuse(Code.METHOD_REFUSED, ("SM-DEAL-2a.1",), method="shoe"),
    "method without a shuffler": refuse(Code.METHOD_REFUSED, ("MA-8b1",), method="hand"),
    "method without the fallback": refuse(Code.METHOD_REFUSED, ("IA-IRR-3.2",), method="automated"),
    "shuffle at a closed table": refuse(Code.SHUFFLE_LATE, ("MD-05A3",)),
    "shuffle after the first card": refuse(Code.SHUFFLE_LATE, ("MD-05A3",)),
    "shuffle by the dealer": refuse(
        Code.NOT_YOUR_DUTY, ("MD-05A3",), what="order a shuffle", who="floorperson or above", role="dealer"
    ),
    "shuffle on order unknown": refuse(
        Code.NOT_DESCRIBED, rulebook="massachusetts", kind="a shuffle on order"
    ),
    "time backward": refuse(Code.TIME_BACKWARD),
    "cards keyed in": refuse(Code.CARDS_KEYED),
    "face-up card keyed in": refuse(Code.CARDS_KEYED),
    "round with a device away": refuse(Code.DEVICE_AWAY, ("MD-13H1", "MD-13H2")),
    "method of a device away": refuse(Code.DEVICE_AWAY, ("MD-13H1", "MD-13H2")),
    "device brought that stands": refuse(Code.DEVICE_STANDS, device="shoe"),
    "no first player": refuse(Code.FIRST_PLAYER_MISSING, ("MA-4c.1",)),
    "verified by the dealer": refuse(
        Code.NOT_YOUR_DUTY, ("MA-4b.1",), what="verify inspection", who="floorperson", role="dealer"
    ),
    "step by a player": refuse(
        Code.NOT_YOUR_DUTY, ("MA-4b.1",), what="inspect cards", who="dealer", role="player"
    ),
    "strips too few": refuse(Code.NUMBER_UNFIT, ("IA-SHUF-3",), step="strip", wanted="5 strips", count="4"),
    "machine count missing": refuse(
        Code.NUMBER_UNFIT,
        ("MD-05B.2",),
        step="shuffle by machine",
        wanted="the number of cards that it counted",
        count="nothing",
    ),
    "hand missing": refuse(
        Code.NUMBER_UNFIT,
        ("MD-09A2", "MD-09A2b"),
        step="take in hand",
        wanted="the left or the right hand",
        count="neither",
    ),
    "device seen to by a player": refuse(
        Code.NOT_YOUR_DUTY,
        ("MD-13H1", "MD-13H2"),
        what="cover device",
        who="dealer or the floor",
        role="player",
    ),
    "opened by a player": refuse(
        Code.NOT_YOUR_DUTY, what="open table", who="dealer or the floor", role="player"
    ),
    "deck brought by a player": refuse(
        Code.NOT_YOUR_DUTY, what="bring deck", who="dealer or the floor", role="player"
    ),
    "round begun by a player": refuse(
        Code.NOT_YOUR_DUTY, what="begin round", who="dealer or the floor", role="player"
    ),
    "failure reported by a player": refuse(
        Code.NOT_YOUR_DUTY, what="report failure", who="dealer or the floor", role="player"
    ),
    "device brought by a player": refuse(
        Code.NOT_YOUR_DUTY, what="bring device", who="dealer or the floor", role="player"
    ),
    "machine swapped by a player": refuse(
        Code.NOT_YOUR_DUTY, what="swap machine", who="dealer or the floor", role="player"
    ),
    "method switched by a player": refuse(
        Code.NOT_YOUR_DUTY, what="switch method", who="dealer or the floor", role="player"
    ),
    "last hand at a closed table": refuse(Code.TABLE_NOT_OPEN, ("P36",), phase="closed already"),
    "last hand twice": refuse(Code.LAST_HAND_CALLED, ("P36",)),
    "closing during the last hand": refuse(Code.ROUND_UNDER_WAY),
    "last hand by a player": refuse(
        Code.NOT_YOUR_DUTY, what="last hand", who="dealer or the floor", role="player"
    ),
    "closed by a player": refuse(
        Code.NOT_YOUR_DUTY, what="close table", who="dealer or the floor", role="player"
    ),
}


@pytest.mark.parametrize("situation", TABLE_SITUATIONS)
def test_a_refusal_has_its_sentence_and_clauses(situation: str) -> None:
    at, command = TABLE_SITUATIONS[situation]()
    assert refused(at, command) == EXPECTED[situation]


def test_a_failed_device_is_not_reported_as_an_irregularity_of_the_cards() -> None:
    at = wagered(MA_ALL)
    kinds: tuple[IrregularityKind, ...] = ("shuffler_failure", "shoe_failure")
    for kind in kinds:
        refusal = refused(at, ReportIrregularity(irregularity=kind))
        assert refusal == refuse(Code.STEP_DONE_BY, step="report failure")


@pytest.mark.parametrize("example", [MA, MA_ALL, MD, MD_ALL, IA, SM, WA])
def test_no_card_is_dealt_to_nobody_nor_once_all_hands_are_dealt(example: str) -> None:
    at = table(example)
    assert refused(at, Deal()).code is Code.NOBODY_WAGERED
    bet(at, ANTE)
    for phase in ("stub", "deciding", "settling"):
        until(at, phase)
        assert refused(at, Deal()).code is Code.NOT_NOW


@pytest.mark.parametrize("deck", [-1, 2])
def test_no_deck_is_taken_for_one_that_is_not_there(deck: int) -> None:
    at = opened(MA_ALL)
    assert refused(at, BringDeck(back="green", deck=deck)).code is Code.DECK_UNKNOWN
    assert refused(at, Prepare(step="inspect_cards", deck=deck)).code is Code.DECK_UNKNOWN
    assert at.may(BringDeck(back="green", deck=1)) is None
