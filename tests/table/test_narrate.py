"""What is told at a table: whole sentences with clauses and positions, cards only where they lie open."""

from typing import Any

import pytest

from fourcard.cards import parse_cards
from fourcard.round.commands import (
    CompleteDocument,
    CorrectPayment,
    Fold,
    LeaveSeat,
    Perform,
    PlaceWager,
    Play,
    ReportIrregularity,
    SetHand,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.events import SeatLeft, SeatTaken
from fourcard.table.commands import BringDeck, OpenTable, Prepare, SwitchMethod
from fourcard.table.narrate import TableNarrator
from fourcard.table.state import new_table
from fourcard.table.table_driver import Table
from tests.kit.awards import awaiting, settling
from tests.kit.support import game
from tests.kit.tables import advance, bet, current_round, stack

HANDS = {1: "As Ah 7s 7c 2h", 2: "Kh Qs 6d 4c 3d", 0: "Qd Qc 8c 5h 2c 9h"}
Told = list[tuple[str, tuple[str, ...], int | None]]


class Story:
    """A table with Ann and Bob at it, and what is told of it piece by piece."""

    def __init__(self, name: str, *, open_cards: bool = False, **changes: object) -> None:
        """Take an example; a change of its progressive deals Ann four aces."""
        made = game(name, **changes)
        anns = "As Ah Ad Ac 2h" if "wagers__progressive" in changes else HANDS[1]
        cards = stack(made, {**HANDS, 1: anns}, (1, 2))
        self.table = Table(made, lambda: cards)
        self.narrator = TableNarrator(self.table.state, open_cards=open_cards)
        self.told = 0

    def tell(self) -> Told:
        """Return what was not told yet."""
        events = self.table.events[self.told :]
        self.told = len(self.table.events)
        return [(said.text, said.clauses, said.position) for said in self.narrator.narrate(events)]

    def begin(self) -> Table:
        """Open a round with Ann and Bob seated, which is told already."""
        self.table.seat(1, "Ann")
        self.table.seat(2, "Bob")
        self.table.begin()
        self.tell()
        return self.table


def test_people_come_and_go_by_name_and_position() -> None:
    story = Story("washington-everything")
    at = story.table
    at.seat(1, "Ann")
    at.seat(4, "Bob")
    at.do(LeaveSeat(position=1))
    at.begin()
    assert story.tell() == [
        ("The table opens. One deck with red backs.", (), None),
        ("Ann sits down at position 1.", (), 1),
        ("Bob sits down at position 4.", (), 4),
        ("Ann leaves position 1.", (), 1),
        ("The machine shuffles the cards.", ("WA-DEAL-0.2",), None),
        ("Round 1: place your wagers.", (), None),
    ]


def test_wagers_are_told_when_they_are_put_changed_missed_and_withdrawn() -> None:
    story = Story("massachusetts-everything")
    at = story.begin()
    bet(at, {"ante": 3000, "aces_up": 500}, (1,))
    bet(at, {"ante": 2500, "progressive": 100}, (2,))
    at.do(PlaceWager(position=1, wager="ante", amount=2500))
    at.do(PlaceWager(position=1, wager="progressive", amount=100, accepted=False))
    at.do(WithdrawWager(position=1, wager="aces_up"))
    assert story.tell() == [
        ("Position 1 (Ann) puts $30 on Ante.", (), 1),
        ("Position 1 (Ann) puts $5 on Aces Up.", (), 1),
        ("Position 2 (Bob) puts $25 on Ante.", (), 2),
        ("Position 2 (Bob) puts $1 on Progressive.", (), 2),
        ("Position 1 (Ann) changes Ante from $30 to $25.", (), 1),
        ("Position 1 (Ann) puts $1 on Progressive, and the system does not register it.", (), 1),
        ("Position 1 (Ann) withdraws Aces Up of $5.", (), 1),
    ]
    at.do(Perform(step="announce_no_more_bets"))
    assert story.tell() == [
        ('The dealer announces: "No more bets."', ("MA-9b2",), None),
        ("Progressive wagers locked in: $1 at position 2.", (), None),
        ("Position 1 (Ann): the chip of $1 was not registered and goes back.", ("R99",), 1),
    ]


STACK = ("MA-9c.1", "MA-9c.2", "MA-9a.1", "R80", "MA-9c.3", "MA-9c.4")


@pytest.mark.parametrize(
    ("open_cards", "ann", "bob", "dealer", "extra", "burned"),
    [
        (False, "5 cards", "5 cards", "5 cards", "5 cards", ""),
        (True, HANDS[1], HANDS[2], "Qd Qc 8c 5h 2c", "2d 2s 3c 3h 9h", " (2d 2s 3c 3h)"),
    ],
)
def test_a_round_is_told_with_cards_face_down_unless_all_are_to_be_told(
    *, open_cards: bool, ann: str, bob: str, dealer: str, extra: str, burned: str
) -> None:
    story = Story("massachusetts-everything", open_cards=open_cards)
    at = story.begin()
    bet(at, {"ante": 2500})
    story.tell()
    advance(at)
    assert story.tell() == [
        ('The dealer announces: "No more bets."', ("MA-9b2",), None),
        ("Progressive wagers locked in: none.", (), None),
        (f"Position 1 (Ann): {ann} face down.", STACK, 1),
        (f"Position 2 (Bob): {bob} face down.", STACK, 2),
        (f"The dealer: {dealer} face down.", ("MA-9c.3", "MA-9c.4"), 0),
        (f"The extra stack: {extra} face down.", ("MA-9c.4", "MA-9c.3"), 0),
        ("The extra stack is spread face down, its bottom card to the far left.", ("MA-9c.5",), None),
        ("The up card is 9h.", ("MA-9c.6",), 0),
        (f"4 cards go into the rack unseen{burned}.", ("MA-9c.7",), None),
        ("The dealer presses the green button.", ("MA-12e.1", "R102"), None),
        ("The stub is taken out.", ("MA-9d",), None),
        ("The stub goes into the discard rack, unseen.", ("MA-9d",), None),
        ("The players look at their cards.", ("MA-10a.1",), None),
    ]
    at.do(Play(position=1, amount=7500))
    at.do(Fold(position=2))
    advance(at)
    assert story.tell() == [
        ("Position 1 (Ann) plays $75.", (), 1),
        ("Position 2 (Bob) folds.", (), 2),
        ("Position 2 (Bob): folded, take the Ante of $25.", ("MA-10b.2",), 2),
        ("Position 2 (Bob): the cards go into the discard rack.", ("MA-10c.2", "R3"), 2),
        ("The dealer shows Qd Qc 8c 5h 2c 9h: pair of queens, nine and eight.", ("MA-10d.1",), 0),
        (
            "Position 1 (Ann): As Ah 7s 7c 2h, two pair, aces and sevens, which beats the dealer.",
            ("MA-10e1i",),
            1,
        ),
        ("Position 1 (Ann): Play, pay $75 (1 to 1).", ("MA-11a1.1",), 1),
        ("Position 1 (Ann): Ante, pay $25 (1 to 1).", ("MA-11a1.1",), 1),
        ("Position 1 (Ann): the cards go into the discard rack.", ("MA-10e1iv",), 1),
        ("The dealer's own cards go into the discard rack last.", ("MA-10e.2",), 0),
        ("Position 1 (Ann) wins $100 in all.", (), 1),
        ("Position 2 (Bob) loses $25 in all.", (), 2),
    ]


def test_one_card_at_a_time_is_told_as_a_card_and_the_dealers_last_lies_open() -> None:
    story = Story("massachusetts")
    at = story.begin()
    bet(at, {"ante": 1000}, (2,))
    story.tell()
    advance(at)
    *told, last, _, _, _ = story.tell()
    player = ("Position 2 (Bob): a card face down.", ("MA-7c.1", "MA-7c.3", "MA-7c.4"), 2)
    dealer = ("The dealer: a card face down.", ("MA-7c.1", "MA-7c.5"), 0)
    assert told[1:] == [player, dealer] * 4 + [player]
    up = current_round(at).up_card
    assert up is not None
    assert last[0].startswith("The dealer: a card face down and ")
    assert last[0].endswith(" face up.")
    assert last[1:] == (("MA-7c.5", "MA-7c.6"), 0)


def test_who_has_neither_won_nor_lost_is_even_and_who_was_not_dealt_in_is_not_told() -> None:
    story = Story("shuffle-master-everything")
    at = story.begin()
    at.seat(3, "Cat")
    bet(at, {"ante": 1000, "aces_up": 500}, (1,))
    bet(at, {"ante": 1000, "aces_up": 500}, (2,))
    advance(at)
    at.do(Fold(position=1))
    at.do(Play(position=2, amount=1000))
    advance(at)
    assert story.tell()[-2:] == [
        ("Position 1 (Ann) is even in all.", (), 1),
        ("Position 2 (Bob) loses $25 in all.", (), 2),
    ]


@pytest.mark.parametrize(
    ("open_cards", "ann", "bob"),
    [(False, "", ""), (True, " As Ah 7s 2h; As Ah 7s 7c was better", " Kh Qs 6d 4c")],
)
def test_a_hand_that_a_player_sets_is_shown_to_nobody_else(*, open_cards: bool, ann: str, bob: str) -> None:
    story = Story("catfish-bend", open_cards=open_cards, settings__player_sets_hand=True)
    at = story.begin()
    bet(at, {"ante": 1000})
    advance(at)
    story.tell()
    at.do(SetHand(position=1, cards=parse_cards("As Ah 7s 2h")))
    at.do(SetHand(position=2, cards=parse_cards("Kh Qs 6d 4c")))
    assert story.tell() == [
        (f"Position 1 (Ann) sets a hand{ann}.", ("R27",), 1),
        (f"Position 2 (Bob) sets a hand{bob}.", ("R27",), 2),
    ]


def test_a_jackpot_is_told_from_its_chips_to_its_document_and_back_when_the_round_is_void() -> None:
    dollars: dict[str, Any] = {"progressive__seed": "$5,000", "progressive__reset": "$5,000"}
    story = Story("maryland-existing", wagers__progressive="A", progressive__envy="A", **dollars)
    at = story.begin()
    bet(at, {"ante": 1000, "progressive": 100})
    for _ in range(3):
        act = at.next_command()
        assert act is not None
        at.do(act)
    story.tell()
    at.do(Perform(step="count_chips", count=1))
    at.do(Perform(step="count_chips", count=3, role="floorperson"))
    assert story.tell() == [
        (
            "1 chip for 2 accepted wagers: a floorperson is called.",
            ("MD-10A3b", "R65"),
            None,
        ),
        (
            "3 chips for 2 accepted wagers: a floorperson is called.",
            ("MD-10A3b", "R65"),
            None,
        ),
    ]
    advance(at)
    story.tell()
    at.do(ReportIrregularity(irregularity="cards_on_play_without_chips", position=1))
    follows = "the dealer asks whether the hand is folded"
    trouble = (
        f"Irregularity at position 1: cards lie on the Play spot without chips. What follows: {follows}."
    )
    assert story.tell() == [
        (trouble, ("P20",), None),
        ("Position 1 (Ann) is asked: stay or fold?", ("P20",), 1),
    ]
    at.do(Play(position=1, amount=1000))
    at.do(Fold(position=2))
    while not current_round(at).undocumented_positions:
        act = at.next_command()
        assert act is not None
        at.do(act)
    award = ("MD-12D1a", "MD-11D9", "MD-12D4")
    paid = "Progressive for four aces, pay $5,000.30 from the meter (100% of meter)"
    *_, waits, pays, stays, envy = story.tell()
    assert envy[0].startswith("Position 2 (Bob): Envy for the four aces of position 1, pay $")
    assert [waits, pays, stays] == [
        ("Position 1 (Ann): the meter's award for four aces waits for its amount.", award, 1),
        (f"Position 1 (Ann): {paid}.", award, 1),
        ("Position 1 (Ann): the cards stay until the payout is documented.", ("MD-11D10dii",), 1),
    ]
    wrong = CorrectPayment(position=1, wager="ante", handed=900, reason="miscounted", role="supervisor")
    at.do(wrong)
    at.do(CompleteDocument(position=1, role="supervisor"))
    made_good = "$9 was handed over on Ante instead of $10; corrected by the supervisor: miscounted"
    assert story.tell() == [
        (f"Position 1 (Ann): {made_good}.", (), 1),
        ("Position 1 (Ann): the payout is documented, and the cards may go.", ("MD-11D10dii",), 1),
    ]
    at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=2, count=6, role="supervisor"))
    assert story.tell()[1:] == [
        ("The round is void: every hand is dead and every wager goes back.", ("MD-13D", "R66"), None),
        ("Position 1 (Ann): give back the Ante of $10.", (), 1),
        ("Position 1 (Ann): give back the Progressive of $1.", (), 1),
        ("Position 1 (Ann): give back the Play of $10.", (), 1),
        ("Position 2 (Bob): give back the Ante of $10.", (), 2),
        ("Position 2 (Bob): give back the Progressive of $1.", (), 2),
        ("Position 1 (Ann): take back $10 paid on Ante.", ("R69",), 1),
        ("Position 1 (Ann): take back $10 paid on Play.", ("R69",), 1),
        ("Position 1 (Ann): take back $250 paid on Automatic Bonus.", ("R69",), 1),
        ("Position 1 (Ann): take back $5,000.30 paid on Progressive.", ("R69",), 1),
        ("Position 2 (Bob): take back $100 paid on Envy.", ("R69",), 2),
        ("The meter gives back what $2 of progressive wagers added.", ("R66",), None),
    ]


def test_a_fixed_award_is_told_to_wait_and_paid_out_of_the_tray() -> None:
    at = settling(
        "shuffle-master-everything",
        {1: "9s 9h 9d Kc 2h"},
        {"ante": 2500, "progressive": 100},
        settings__confirm="every_win",
    )
    awaiting(at)
    narrator = TableNarrator(new_table(at.game))
    *_, waits = narrator.narrate(at.events)
    assert waits.text == "Position 1 (p1): the award for three of a kind waits to be confirmed."
    act = at.next_command()
    assert act is not None
    paid, *_ = narrator.narrate(at.do(act))
    assert paid.text == "Position 1 (p1): Progressive for three of a kind, pay $9 (9 for 1)."
    assert waits.clauses == paid.clauses
    assert (waits.position, paid.position) == (1, 1)


def test_a_hand_that_was_left_is_told_as_lost() -> None:
    story = Story("maryland-everything")
    at = story.begin()
    bet(at, {"ante": 1000})
    advance(at)
    story.tell()
    at.do(TreatAsAbandoned(position=2, role="supervisor"))
    assert story.tell() == [
        ("Position 2 (Bob) has left; the wagers are treated as lost.", ("MD-07B2", "R36"), 2)
    ]


def test_decks_that_come_shuffled_are_counted_wrong_and_replaced_are_told_by_their_backs() -> None:
    story = Story("massachusetts-everything")
    story.table.do(OpenTable(decks=("red", "blue"), preshuffled=True))
    assert story.tell() == [
        ("The table opens. Two decks with red and blue backs, inspected and shuffled already.", (), None)
    ]
    story = Story("massachusetts-everything")
    at = story.table
    at.seat(1, "Ann")
    while at.state.agenda[0][0] != "shuffle_by_machine":
        at.do(at.next_preparation())
    story.tell()
    at.do(Prepare(step="shuffle_by_machine", count=51))
    at.do(BringDeck(back="green"))
    at.do(BringDeck(back="white", preshuffled=True))
    assert story.tell() == [
        ("The machine shuffles the cards (red deck). It counts 51 cards.", ("MA-5a.4",), None),
        ("The red deck is removed from the table.", ("MA-7f.2",), None),
        ("A new deck with green backs comes to the table.", (), None),
        ("A new deck with white backs comes to the table, inspected and shuffled already.", (), None),
    ]


def test_another_way_of_dealing_is_told_with_the_shuffle() -> None:
    story = Story("catfish-bend")
    story.table.open()
    story.tell()
    story.table.do(SwitchMethod(method="manual", shuffle_by_hand=True))
    story.table.do(SwitchMethod(method="manual"))
    texts = [text for text, _, _ in story.tell()]
    assert texts == [
        "From now on cards are dealt by hand and shuffled by hand.",
        "From now on cards are dealt by hand.",
    ]


def test_a_position_without_a_player_is_named_by_its_number() -> None:
    narrator = TableNarrator(Table(game("massachusetts")).state)
    assert narrator.open_cards is False
    assert narrator.who(4) == "Position 4"
    narrator.narrate([SeatTaken(4, "Ann")])
    assert narrator.who(4) == "Position 4 (Ann)"
    narrator.narrate([SeatLeft(4, "Ann")])
    assert narrator.who(4) == "Position 4"
