"""Every refusal of a round under way, as a person reads it: the whole sentence and the clauses behind it."""

import pytest

from fourcard.refusals import Refusal
from fourcard.round.ask import duty_refusal, has_authority
from fourcard.round.commands import ActorRole, Fold
from fourcard.rules.nodes import Cited
from fourcard.rules.rulebook import Role
from tests.situations import SITUATIONS
from tests.table import refused

Told = tuple[str, str, tuple[str, ...]]


def told(refusal: object) -> Told:
    """Return a refusal as its name, its sentence and its clauses."""
    assert isinstance(refusal, Refusal), refusal
    return refusal.name, refusal.message, refusal.clauses


TOLD: dict[str, Told] = {
    "step out of order": (
        "out_of_order",
        "'let players look' is not due: next comes 'announce no more bets'.",
        ("MA-7b.1",),
    ),
    "act at another position": (
        "out_of_order",
        "'reveal hand' is not due: next comes 'reveal hand at position 1'.",
        ("IA-COMP-4.2",),
    ),
    "deal before the announcement": (
        "out_of_order",
        "'deal' is not due: next comes 'announce no more bets'.",
        ("MA-7b.1",),
    ),
    "deal by performing first": ("step_done_by", "'deal' is done by another command.", ()),
    "deal by performing later": ("step_done_by", "'deal' is done by another command.", ()),
    "hand set before the look": (
        "out_of_order",
        "'set hand' is not due: next comes 'let players look'.",
        ("IA-COMP-1.1",),
    ),
    "decision before the look": (
        "out_of_order",
        "'decide' is not due: next comes 'let players look'.",
        ("MA-10a.1",),
    ),
    "fold while wagers are open": (
        "not_now",
        "'fold' cannot be while the round is open for wagers.",
        ("MA-10b.2",),
    ),
    "hand set while wagers are open": (
        "not_now",
        "'set hand' cannot be while the round is open for wagers.",
        ("IA-COMP-1.2",),
    ),
    "hand set where the dealer does": (
        "presented_unasked",
        "The dealer takes the best four here, so that a player presents no hand.",
        ("MA-10d.2", "R27"),
    ),
    "count judged while wagers are open": (
        "not_now",
        "'judge count' cannot be while the round is open for wagers.",
        ("MD-08H2", "MD-09E", "MD-10E"),
    ),
    "abandoned while wagers are open": (
        "not_now",
        "'treat as abandoned' cannot be while the round is open for wagers.",
        ("MD-07B2",),
    ),
    "deal while decisions are due": (
        "not_now",
        "'deal' cannot be while the round is waiting for decisions.",
        ("MA-7c.1",),
    ),
    "look twice": (
        "not_now",
        "'let players look' cannot be while the round is waiting for decisions.",
        ("MA-10b.1",),
    ),
    "wager without a seat": (
        "not_seated",
        "Nobody sits at position 5, and only seated players may wager.",
        ("MA-6c.1",),
    ),
    "withdrawal without a seat": (
        "not_seated",
        "Nobody sits at position 5, and only seated players may wager.",
        ("IA-WAG-4.1",),
    ),
    "seat without a name": ("name_missing", "A player needs a name.", ()),
    "seat taken": ("seat_taken", "Position 1 is taken by p1.", ()),
    "another's position": ("not_your_position", "Position 1 is p1's, not p2's.", ("MA-10a.3",)),
    "nobody's position": ("not_your_position", "Position 1 is p1's, not anybody's.", ("IA-COMP-1.3",)),
    "supervisor at a position": (
        "not_your_duty",
        "'act at a position' is for the dealer and p1, not for the supervisor.",
        ("MA-10a.3",),
    ),
    "step by a floorperson": (
        "not_your_duty",
        "'announce no more bets' is for the dealer, not for the floorperson.",
        ("MA-10a.3",),
    ),
    "deal by a player": ("not_your_duty", "'deal' is for the dealer, not for the player.", ("IA-COMP-1.3",)),
    "report by a player": (
        "not_your_duty",
        "'report an irregularity' is for the dealer or floor, not for the player.",
        (),
    ),
    "abandoned by a dealer": (
        "not_your_duty",
        "'treat wagers as abandoned' is for the supervisor, not for the dealer.",
        (),
    ),
    "count judged by a floorperson": (
        "not_your_duty",
        "'judge a wrong count' is for the dealer, not for the floorperson.",
        ("MD-08H2", "MD-09E", "MD-10E"),
    ),
    "round called off by the dealer": (
        "not_your_duty",
        "'call the round off' is for the floorperson, not for the dealer.",
        (),
    ),
    "round called off by a player": (
        "not_your_duty",
        "'call the round off' is for the dealer, not for the player.",
        (),
    ),
    "round called off late": ("not_now", "'call off' cannot be while the round is being dealt.", ()),
    "leaving with cards": (
        "must_stay",
        "A player who has a wager and cards stays seated to the end of the round.",
        ("IA-WAG-4.2",),
    ),
    "leaving with wagers": (
        "wagers_lie",
        "The wagers at position 1 lie there still; withdraw them first.",
        (),
    ),
    "leaving with a chip": (
        "wagers_lie",
        "The wagers at position 1 lie there still; withdraw them first.",
        (),
    ),
    "cash": ("instrument_refused", "A wager cannot be made with a spoken bet and cash here.", ("MA-6b.2",)),
    "cash unnamed": (
        "instrument_refused",
        "A wager cannot be made with a spoken bet and cash here.",
        ("MD-07A",),
    ),
    "plaque": ("instrument_refused", "A wager cannot be made with a plaque here.", ("IA-WAG-3.1",)),
    "coupon": (
        "instrument_refused",
        "A wager cannot be made with a match play coupon here.",
        ("MA-6b.1", "R35"),
    ),
    "bet between players": ("bet_between_players", "Players may not bet with each other.", ("SM-W3-5",)),
    "bet between players unnamed": (
        "bet_between_players",
        "Players may not bet with each other.",
        ("IA-DEF-5.1", "IA-INT-8"),
    ),
    "play before its time": ("out_of_order", "'place play' is not due: next comes 'decide'.", ("MA-10b.2",)),
    "wager absent": ("wager_absent", "There is no Aces Up wager at position 1.", ()),
    "wager absent beside a chip": ("wager_absent", "There is no Aces Up wager at position 1.", ()),
    "play withdrawn": (
        "betting_closed",
        "The Play wager is no longer taken: it has been made.",
        ("MA-10b.2",),
    ),
    "ante withdrawn": (
        "prerequisite_missing",
        "The Progressive wager needs the Ante or Aces Up wager at the same position.",
        ("MD-07E4a.1",),
    ),
    "ante withdrawn late": (
        "betting_closed",
        "The Ante wager is no longer taken: no more bets.",
        ("MA-6d.1", "MA-1-ANTE", "MA-6d.2"),
    ),
    "deal to nobody": ("nobody_wagered", "No position has a wager that cards are dealt to.", ("MA-7c.2",)),
    "announcement to nobody": (
        "nobody_wagered",
        "No position has a wager that cards are dealt to.",
        ("MA-7c.2",),
    ),
    "chips uncounted": (
        "number_unfit",
        "'count chips' takes the number of chips, not nothing.",
        ("MD-10A3b",),
    ),
    "chips below nothing": (
        "number_unfit",
        "'count chips' takes the number of chips, not -1.",
        ("MD-10A3b",),
    ),
    "chips counted again by the dealer": (
        "chips_differ",
        "Chips: 2, accepted wagers: 3; no card is dealt until a floorperson sees them agree.",
        ("MD-10A3b", "R65"),
    ),
    "deal while chips differ": (
        "chips_differ",
        "Chips: 2, accepted wagers: 3; no card is dealt until a floorperson sees them agree.",
        ("MD-10A3b", "R65"),
    ),
    "too few cards": ("cards_unfit", "0 cards came where 1 are due.", ()),
    "too many cards": ("cards_unfit", "2 cards came where 1 are due.", ()),
    "no such card": ("card_unknown", "the deck: 52 is not a card; a card is a number from 0 to 51.", ()),
    "card dealt again": ("card_seen", "The card As is on the table already.", ()),
    "card found face up again": ("card_seen", "The card As is on the table already.", ()),
    "card found face up unnamed": ("card_unknown", "the deck: the card found face up must be named.", ()),
    "card found face up too deep": (
        "face_up_unfit",
        "A face-up card can be found only among the next 1.",
        ("MA-14a.1", "R74"),
    ),
    "asked later": ("asked_later", "Position 2 is asked later: position 1 decides first.", ("MA-10b.1",)),
    "no decision": ("no_decision", "Position 1 has no decision to make.", ("MA-10b.2",)),
    "no decision without cards": ("no_decision", "Position 2 has no decision to make.", ("MD-07B2",)),
    "no decision without a seat": ("no_decision", "Position 6 has no decision to make.", ("MD-07B2",)),
    "no decision twice": ("no_decision", "Position 1 has no decision to make.", ("MD-07B2",)),
    "abandoned where nobody may be": (
        "leaving",
        "Wagers of a player who leaves may not be treated as lost here.",
        ("MA-6c.2", "R36"),
    ),
    "abandoned where the house does not": (
        "leaving",
        "Wagers of a player who leaves may not be treated as lost here.",
        ("MD-07B2", "R36"),
    ),
    "wrong hand": ("wrong_hand", "The right hand is not the one that draws the cards here.", ("MA-7b.2",)),
    "number right": ("nothing_wrong", "position 1: 5 cards are not a wrong number, or not yet.", ("MA-14c",)),
    "number of the dealer right": (
        "nothing_wrong",
        "the dealer: 6 cards are not a wrong number, or not yet.",
        ("MA-14c",),
    ),
    "number of the extra stack right": (
        "nothing_wrong",
        "the extra stack: 5 cards are not a wrong number, or not yet.",
        ("MA-14c",),
    ),
    "number not yet wrong": (
        "nothing_wrong",
        "position 1: 1 cards are not a wrong number, or not yet.",
        ("MA-14c",),
    ),
    "number missing": (
        "number_unfit",
        "'a wrong number' takes a hand and its number of cards, not nothing.",
        ("MA-14c",),
    ),
    "number below nothing": (
        "number_unfit",
        "'a wrong number' takes a hand and its number of cards, not -2.",
        ("MA-14c",),
    ),
    "number of nobody's hand": (
        "number_unfit",
        "'a wrong number' takes a hand and its number of cards, not 4.",
        ("MA-14c",),
    ),
    "number of no extra stack": (
        "number_unfit",
        "'a wrong number' takes a hand and its number of cards, not 4.",
        ("MA-14c",),
    ),
    "up card": ("up_card_exempt", "The up card lies open by right.", ("MA-14d", "R73")),
    "shown dealer exposed": ("not_now", "'exposed' cannot be while the round is being settled.", ("MA-14d",)),
    "exposed elsewhere": (
        "not_described",
        "The massachusetts rulebook has no such case at this time: no such card lies there.",
        ("R72",),
    ),
    "failure reported": ("step_done_by", "'report failure' is done by another command.", ()),
    "not described then": (
        "not_described",
        "The catfish-bend rulebook has no such case at this time: player card exposed.",
        ("IA-IRR-2",),
    ),
    "not described now": (
        "not_described",
        "The massachusetts rulebook has no such case at this time: cards on play without chips.",
        ("P20",),
    ),
    "card that says nothing": (
        "figure_foreign",
        "A card says nothing of this report: card drawn in error.",
        ("MA-14b",),
    ),
    "count that says nothing": (
        "figure_foreign",
        "A count says nothing of this report: dealer card exposed.",
        ("MA-14d",),
    ),
    "place that says nothing": (
        "figure_foreign",
        "A place says nothing of this report: dealer card exposed.",
        ("MA-14d",),
    ),
    "position that says nothing": (
        "figure_foreign",
        "A position says nothing of this report: dealer card exposed.",
        ("MA-14d",),
    ),
    "count missing": ("number_unfit", "'count stub' takes the number of cards, not nothing.", ("MD-09C2",)),
    "count below nothing": ("number_unfit", "'count stub' takes the number of cards, not -1.", ("MD-09C2",)),
    "count unjudged": (
        "count_unjudged",
        "The count of the stub is wrong, and has to be judged first.",
        ("MD-08H2", "MD-09E", "MD-10E"),
    ),
    "count not wrong": (
        "count_not_wrong",
        "No wrong count of the stub waits to be judged.",
        ("MD-08H2", "MD-09E", "MD-10E"),
    ),
    "count judged by too few hands": (
        "number_unfit",
        "'judge count' takes the stub and the size of 3 hands, not 35 and 1.",
        ("MD-08H2", "MD-09E", "MD-10E"),
    ),
    "count judged below nothing": (
        "number_unfit",
        "'judge count' takes the stub and the size of 3 hands, not 35 and 3.",
        ("MD-08H2", "MD-09E", "MD-10E"),
    ),
    "stub shown": (
        "stub_shown",
        "The stub is handled face down, and none of its cards is shown.",
        ("MA-7d",),
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_refusal_is_told_in_a_sentence_with_its_clauses(situation: str) -> None:
    at, command = SITUATIONS[situation]()
    assert told(refused(at, command)) == TOLD[situation]


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
    assert told(duty_refusal(player, "wash", rule, "supervisor")) == (
        "not_your_duty",
        "'wash' is for the dealer or casino supervisor, not for the player.",
        ("MA-5d",),
    )
