"""Every refusal of a table, as a person reads it: the whole sentence and the clauses behind it."""

import pytest

from fourcard.refusals import Code
from fourcard.table.commands import BringDeck, Prepare
from tests.decks import opened
from tests.table import refused
from tests.table_situations import MA_ALL, SITUATIONS

Told = tuple[str, str, tuple[str, ...]]
TOLD: dict[str, Told] = {
    "round at a closed table": ("table_not_open", "The table is closed.", ()),
    "round at an idle table": ("table_not_open", "The table is idle.", ()),
    "opening twice": ("table_not_open", "The table is open already.", ()),
    "closing twice": ("table_not_open", "The table is closed already.", ()),
    "seat at a closed table": ("table_not_open", "The table is closed.", ()),
    "failure at a closed table": ("table_not_open", "The table is closed.", ()),
    "method at a closed table": ("table_not_open", "The table is closed.", ()),
    "swap at a closed table": ("table_not_open", "The table is closed.", ()),
    "deck at a closed table": ("table_not_open", "The table is closed.", ()),
    "step at a closed table": ("table_not_open", "The table is closed.", ()),
    "device at a closed table": ("table_not_open", "The table is closed.", ()),
    "device brought to a closed table": ("table_not_open", "The table is closed.", ()),
    "idle at a closed table": ("table_not_open", "The table is closed.", ()),
    "step out of order": ("step_not_due", "'wash' is not due: next comes 'inspect cards'.", ("MA-4b.1",)),
    "device covered where it is removed": (
        "step_not_due",
        "'cover device' is not due: next comes 'remove device'.",
        ("MA-14g",),
    ),
    "idle before the inspection": (
        "step_not_due",
        "'spread idle cards' is not due: next comes 'inspect cards'.",
        ("MA-4b.1",),
    ),
    "idle before its verification": (
        "step_not_due",
        "'spread idle cards' is not due: next comes 'verify inspection'.",
        ("MA-4b.1",),
    ),
    "nothing to prepare": ("nothing_due", "'wash' is not due: nothing has to be prepared.", ()),
    "no device to cover": (
        "nothing_due",
        "'cover device' is not due: nothing has to be prepared.",
        ("MD-13H1", "MD-13H2"),
    ),
    "no device to remove": (
        "nothing_due",
        "'remove device' is not due: nothing has to be prepared.",
        ("MA-14g",),
    ),
    "no device to see to": ("nothing_due", "'remove device' is not due: nothing has to be prepared.", ()),
    "round before the cards are ready": (
        "deck_unprepared",
        "The cards are not ready: next comes 'inspect cards'.",
        ("MA-4b.1",),
    ),
    "round without a deck": ("deck_unprepared", "The cards are not ready: next comes 'bring a deck'.", ()),
    "deal while cards are shuffled": (
        "deck_unprepared",
        "The cards are not ready: next comes 'shuffle by machine'.",
        ("MD-05A.0",),
    ),
    "round while one is under way": ("round_under_way", "A round is under way.", ()),
    "closing during a round": ("round_under_way", "A round is under way.", ()),
    "method during a round": ("round_under_way", "A round is under way.", ()),
    "swap during a round": ("round_under_way", "A round is under way.", ("SM-IRR-2.2",)),
    "deck during a round": ("round_under_way", "A round is under way.", ()),
    "idle during a round": ("round_under_way", "A round is under way.", ()),
    "other deck inspected during a round": (
        "round_under_way",
        "A round is under way.",
        ("MD-03B3", "MD-03B5"),
    ),
    "device seen to during a round": ("round_under_way", "A round is under way.", ("MA-14g",)),
    "device brought during a round": ("round_under_way", "A round is under way.", ()),
    "deal without a round": ("no_round", "There is no round under way.", ()),
    "fold without a round": ("no_round", "There is no round under way.", ()),
    "report without a round": ("no_round", "There is no round under way.", ()),
    "correction without a round": ("no_round", "There is no round under way.", ()),
    "cut too shallow": ("cut_unfit", "A cut of 9 cards is outside 10 to 51.", ("MA-5c1ii", "R37")),
    "cut too deep": ("cut_unfit", "A cut of 52 cards is outside 10 to 51.", ("MA-5c1ii", "R37")),
    "cut too shallow there": ("cut_unfit", "A cut of 19 cards is outside 20 to 32.", ("IA-SHUF-5.2", "P17")),
    "cut by the floor": ("not_your_duty", "'cut' is for the dealer, not for the floorperson.", ("MA-5c1",)),
    "recut before the cut": (
        "recut_late",
        "The cards can be recut only after a cut and before the first card.",
        ("MA-5d",),
    ),
    "recut at a closed table": (
        "recut_late",
        "The cards can be recut only after a cut and before the first card.",
        ("MA-5d",),
    ),
    "recut after the first card": (
        "recut_late",
        "The cards can be recut only after a cut and before the first card.",
        ("MA-5d",),
    ),
    "recut by a supervisor": (
        "not_your_duty",
        "'order a recut' is for the casino supervisor, not for the supervisor.",
        ("MA-5d",),
    ),
    "recut by a floorperson unnamed": (
        "not_your_duty",
        "'order a recut' is for the supervisor, not for the floorperson.",
        (),
    ),
    "order of too few cards": (
        "order_unfit",
        "A shuffle gives the cards of the deck in their new order, each once.",
        ("MA-5a.4",),
    ),
    "order before the shuffle": (
        "order_unfit",
        "A shuffle gives the cards of the deck in their new order, each once.",
        ("MA-4b.1",),
    ),
    "order of one deck for two": (
        "order_unfit",
        "A shuffle gives the cards of the deck in their new order, each once.",
        ("MA-5a.1",),
    ),
    "order of cards that are not preshuffled": (
        "order_unfit",
        "A shuffle gives the cards of the deck in their new order, each once.",
        ("MD-05A.1",),
    ),
    "order of a preshuffled deck unfit": (
        "order_unfit",
        "A shuffle gives the cards of the deck in their new order, each once.",
        ("MD-05A.1",),
    ),
    "backs alike": ("backs_alike", "The backs of the two decks must differ in colour.", ("MA-2b2",)),
    "backs alike brought": ("backs_alike", "The backs of the two decks must differ in colour.", ("MD-03B2",)),
    "decks too many": ("decks_unfit", "2 decks cannot be used; the submission names 1.", ("MA-2b.1",)),
    "deck too old": (
        "deck_too_old",
        "The deck has been in use for 4 hours and must be changed.",
        ("MD-03C1",),
    ),
    "preshuffled deck": ("preshuffled_refused", "A deck cannot come in preshuffled here.", ("P18",)),
    "preshuffled deck brought": ("preshuffled_refused", "A deck cannot come in preshuffled here.", ("P18",)),
    "idle face up by the dealer": ("idle_refused", "The cards cannot be spread face up here.", ("MD-05F2",)),
    "idle by a player": ("idle_refused", "The cards cannot be spread face down here.", ("MA-5e.1",)),
    "idle unknown": (
        "not_described",
        "The catfish-bend rulebook has no such case at this time: an idle spread.",
        (),
    ),
    "idle with a device that reshuffles": (
        "not_described",
        "The maryland rulebook has no such case at this time: an idle spread.",
        ("MD-05H",),
    ),
    "idle with players": ("players_seated", "Players sit at the table.", ()),
    "shuffler absent": ("device_absent", "There is no shuffler in use at this table.", ("MA-14e",)),
    "shoe absent": ("device_absent", "There is no shoe in use at this table.", ("MD-13G",)),
    "shoe unknown": ("device_absent", "There is no shoe in use at this table.", ()),
    "method before a device is seen to": (
        "device_blocks",
        "The device must be seen to before another method is used: 'cover device or mark device'.",
        ("MD-13H1", "MD-13H2"),
    ),
    "method before a device is removed": (
        "device_blocks",
        "The device must be seen to before another method is used: 'remove device'.",
        ("MA-14g",),
    ),
    "swap early": (
        "swap_early",
        "The machine is swapped from failure 2 on; this is failure 1.",
        ("SM-IRR-2.2",),
    ),
    "swap early there": (
        "swap_early",
        "The machine is swapped from failure 2 on; this is failure 0.",
        ("WA-IRR-2.2",),
    ),
    "swap unknown": (
        "not_described",
        "The massachusetts rulebook has no such case at this time: a swap of machines.",
        (),
    ),
    "method unknown": ("method_refused", "Cards cannot be dealt by 'shoe' here.", ("SM-DEAL-2a.1",)),
    "method without a shuffler": ("method_refused", "Cards cannot be dealt by 'hand' here.", ("MA-8b1",)),
    "method without the fallback": (
        "method_refused",
        "Cards cannot be dealt by 'automated' here.",
        ("IA-IRR-3.2",),
    ),
    "shuffle at a closed table": (
        "shuffle_late",
        "The cards can be shuffled on order only before the first card.",
        ("MD-05A3",),
    ),
    "shuffle after the first card": (
        "shuffle_late",
        "The cards can be shuffled on order only before the first card.",
        ("MD-05A3",),
    ),
    "shuffle by the dealer": (
        "not_your_duty",
        "'order a shuffle' is for the floorperson or above, not for the dealer.",
        ("MD-05A3",),
    ),
    "shuffle on order unknown": (
        "not_described",
        "The massachusetts rulebook has no such case at this time: a shuffle on order.",
        (),
    ),
    "time backward": ("time_backward", "The moment given lies before the last one.", ()),
    "cards keyed in": ("cards_keyed", "The deck's order is known, so that no cards are keyed in.", ()),
    "face-up card keyed in": ("cards_keyed", "The deck's order is known, so that no cards are keyed in.", ()),
    "round with a device away": (
        "device_away",
        "The device has been taken out of play; another method must be chosen first.",
        ("MD-13H1", "MD-13H2"),
    ),
    "method of a device away": (
        "device_away",
        "The device has been taken out of play; another method must be chosen first.",
        ("MD-13H1", "MD-13H2"),
    ),
    "device brought that stands": ("device_stands", "No shoe is out of play.", ()),
    "no first player": (
        "first_player_missing",
        "The cards wait for the first player to look at them.",
        ("MA-4c.1",),
    ),
    "verified by the dealer": (
        "not_your_duty",
        "'verify inspection' is for the floorperson, not for the dealer.",
        ("MA-4b.1",),
    ),
    "step by a player": (
        "not_your_duty",
        "'inspect cards' is for the dealer, not for the player.",
        ("MA-4b.1",),
    ),
    "strips too few": ("number_unfit", "'strip' takes 5 strips, not 4.", ("IA-SHUF-3",)),
    "machine count missing": (
        "number_unfit",
        "'shuffle by machine' takes the number of cards that it counted, not nothing.",
        ("MD-05B.2",),
    ),
    "hand missing": (
        "number_unfit",
        "'take in hand' takes the left or the right hand, not neither.",
        ("MD-09A2", "MD-09A2b"),
    ),
    "device seen to by a player": (
        "not_your_duty",
        "'cover device' is for the dealer or the floor, not for the player.",
        ("MD-13H1", "MD-13H2"),
    ),
    "opened by a player": (
        "not_your_duty",
        "'open table' is for the dealer or the floor, not for the player.",
        (),
    ),
    "deck brought by a player": (
        "not_your_duty",
        "'bring deck' is for the dealer or the floor, not for the player.",
        (),
    ),
    "round begun by a player": (
        "not_your_duty",
        "'begin round' is for the dealer or the floor, not for the player.",
        (),
    ),
    "failure reported by a player": (
        "not_your_duty",
        "'report failure' is for the dealer or the floor, not for the player.",
        (),
    ),
    "device brought by a player": (
        "not_your_duty",
        "'bring device' is for the dealer or the floor, not for the player.",
        (),
    ),
    "machine swapped by a player": (
        "not_your_duty",
        "'swap machine' is for the dealer or the floor, not for the player.",
        (),
    ),
    "method switched by a player": (
        "not_your_duty",
        "'switch method' is for the dealer or the floor, not for the player.",
        (),
    ),
    "last hand at a closed table": ("table_not_open", "The table is closed already.", ("P36",)),
    "last hand twice": (
        "last_hand_called",
        "The last hand is called already: the table closes after this round.",
        ("P36",),
    ),
    "closing during the last hand": ("round_under_way", "A round is under way.", ()),
    "last hand by a player": (
        "not_your_duty",
        "'last hand' is for the dealer or the floor, not for the player.",
        (),
    ),
    "closed by a player": (
        "not_your_duty",
        "'close table' is for the dealer or the floor, not for the player.",
        (),
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_refusal_is_told_in_a_sentence_with_its_clauses(situation: str) -> None:
    at, command = SITUATIONS[situation]()
    refusal = refused(at, command)
    assert (refusal.name, refusal.message, refusal.clauses) == TOLD[situation]


@pytest.mark.parametrize("deck", [-1, 2])
def test_no_deck_is_taken_for_one_that_is_not_there(deck: int) -> None:
    at = opened(MA_ALL)
    assert refused(at, BringDeck(back="green", deck=deck)).code is Code.DECK_UNKNOWN
    assert refused(at, Prepare(step="inspect_cards", deck=deck)).code is Code.DECK_UNKNOWN
    assert at.may(BringDeck(back="green", deck=1)) is None
