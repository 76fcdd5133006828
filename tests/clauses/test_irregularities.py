"""What goes wrong with cards at the table, and what each rulebook makes of it."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.dealing import BONUS
from fourcard.round.commands import Fold, Perform, Play
from fourcard.round.events import FaceUpCardDiscarded, IrregularityNoted, PlayerAsked
from fourcard.rules.game import decode_game, encode_game
from fourcard.table.commands import BeginRound, ReportFailure
from fourcard.table.table_driver import Table
from tests.kit.deals import act, order, preparation, report, until_dealer_has_cards, voided
from tests.kit.support import by_clause, game
from tests.kit.tables import BOTH, advance, bet, current_round, finish, refused, seeded, table, until

AFTER = ("stub", "deciding", "settling")
VOID = ("void", "reshuffle")
RETURNING = ("void", "return-wagers", "reshuffle")
BOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")
BACK = tuple((p, wager, amount) for p in (1, 2, 3) for wager, amount in BOTH.items())
PLAYED = tuple((p, *each) for p in (1, 2, 3) for each in (("ante", 2_500), ("aces_up", 500), ("play", 2_500)))


def wagered(example: str, phase: str = "betting", **changes: Any) -> Table:
    """Return a table with an Ante and an Aces Up at three positions, in a part of the round."""
    at = table(example, **changes)
    bet(at)
    until(at, phase)
    return at


def comes_to_nothing(at: Table, command: Any, consequences: Any, clauses: Any) -> None:
    """Report what voids a round, and see that everything is as before it, to be shuffled again."""
    number, phase = at.state.active, current_round(at).phase
    told = at.do(command)
    noted, void = next(each for each in told if isinstance(each, IrregularityNoted)), voided(told)
    assert (noted.consequences, void.consequences, void.clauses) == (consequences, consequences, clauses)
    assert void.returned == (PLAYED if phase == "settling" else BACK)
    ended = at.state.last_round
    assert at.state.round is None
    assert ended is not None
    assert (ended.phase, ended.tray_change, ended.layout, set(ended.nets.values())) == ("void", 0, 0, {0})
    deck = at.state.decks[number]
    assert any("shuffle" in step or "riffle" in step for step, _ in deck.agenda)
    if number == at.state.active:
        assert refused(at, BeginRound()).name == "deck_unprepared"


# A wrong number of cards.

WRONG = by_clause(
    ("MA-14c", "massachusetts", VOID, ("MA-14c", "R69")),
    ("SM-IRR-1", "shuffle-master", VOID, ("SM-IRR-1", "R69")),
    ("MD-13D", "maryland", RETURNING, ("MD-13D",)),
    ("WA-IRR-1", "washington", VOID, ("WA-IRR-1", "R69")),
    ("IA-IRR-1", "catfish-bend", ("void",), ("IA-IRR-1", "R69")),
)


@pytest.mark.parametrize(("clause", "example", "consequences", "clauses"), WRONG)
@pytest.mark.parametrize("phase", AFTER)
@pytest.mark.parametrize(("position", "count"), [(1, 4), (1, 6), (3, 4), (3, 6), (0, 5), (0, 7)])
def test_a_wrong_number_of_cards_in_any_hand_voids_the_round(
    clause: str, example: str, consequences: Any, clauses: Any, phase: str, position: int, count: int
) -> None:
    at = wagered(example, phase)
    right = report("wrong_number_of_cards", position=position, count=6 if position == 0 else 5)
    refusal = refused(at, right)
    assert (refusal.name, refusal.clauses) == ("nothing_wrong", (clause,))
    wrong = report("wrong_number_of_cards", position=position, count=count)
    comes_to_nothing(at, wrong, consequences, clauses)


@pytest.mark.parametrize(("clause", "example", "consequences", "clauses"), WRONG)
def test_a_hand_that_is_still_being_dealt_has_as_many_cards_as_came_to_it(
    clause: str, example: str, consequences: Any, clauses: Any
) -> None:
    at = wagered(example, "dealing")
    state = current_round(at)
    waiting = next(p for p in (1, 3) if len(state.positions[p].cards) < 5)
    for position, lying in ((waiting, len(state.positions[waiting].cards)), (0, len(state.dealer))):
        refusal = refused(at, report("wrong_number_of_cards", position=position, count=lying))
        assert (refusal.name, refusal.clauses) == ("nothing_wrong", (clause,))
        wrong = report("wrong_number_of_cards", position=position, count=lying + 1)
        comes_to_nothing(at, wrong, consequences, clauses)
        at = wagered(example, "dealing")


@pytest.mark.clause("IA-IRR-1", "IA-AUTO-6.2")
def test_a_stack_that_came_out_short_is_found_when_it_is_spread() -> None:
    for count in (4, 6, 0, 10):
        at, other = wagered("catfish-bend", "dealing"), wagered("catfish-bend", "dealing")
        told = at.do(Perform(step="verify_hand", position=1, count=count))
        assert told == other.do(report("wrong_number_of_cards", position=1, count=count))
        assert voided(told).clauses == ("IA-IRR-1", "R69")
    at = wagered("catfish-bend", "dealing")
    for none in (None, -1):
        refusal = refused(at, Perform(step="verify_hand", position=1, count=none))
        assert (refusal.name, refusal.clauses) == ("number_unfit", ("IA-AUTO-6.2", "IA-AUTO-5.2"))


@pytest.mark.clause("MA-14c", "MD-13D", "IA-IRR-1")
def test_a_number_is_reported_of_a_hand_that_was_dealt_and_while_it_lies_there() -> None:
    for example in BOOKS:
        at = table(example, seats=(1, 2))
        early = report("wrong_number_of_cards", position=1, count=4)
        assert refused(at, early).name == "not_described"
        bet(at, BOTH, (1,))
        until(at, "deciding")
        for position, count, name in (
            (2, 4, "cards_absent"),
            (5, 4, "cards_absent"),
            (BONUS, 2, "cards_absent"),
            (1, None, "number_unfit"),
            (1, -1, "number_unfit"),
        ):
            figures = {"position": position, "count": count}
            assert refused(at, report("wrong_number_of_cards", **figures)).name == name


@pytest.mark.clause("MD-13D")
def test_a_wrong_number_of_cards_in_the_bonus_box_voids_the_round_in_maryland() -> None:
    for count in (0, 2):
        at = table("maryland-everything")
        bet(at, {**BOTH, "six_card": 100})
        until(at, "deciding")
        for position, size in ((BONUS, 1), (1, 5)):
            right = report("wrong_number_of_cards", position=position, count=size)
            assert refused(at, right).name == "nothing_wrong"
        told = at.do(report("wrong_number_of_cards", position=BONUS, count=count))
        assert voided(told).clauses == ("MD-13D",)


# A card that is seen: the dealer's, a player's, and the up card, which is meant to be face up.

DEALER_SEEN = by_clause(
    ("MA-14d", "massachusetts", VOID, ("MA-14d", "R69")),
    ("R72", "shuffle-master", VOID, ("R72", "R69")),
    ("MD-13E", "maryland", RETURNING, ("MD-13E",)),
    ("R72", "washington", VOID, ("R72", "R69")),
    ("P41", "catfish-bend", ("void",), ("P41", "R69")),
)


@pytest.mark.parametrize(
    ("clause", "example", "consequences", "clauses"),
    [*DEALER_SEEN, *by_clause(("R107", "catfish-bend", ("void",), ("P41", "R69")))],
)
@pytest.mark.parametrize("phase", ["dealing", *AFTER])
def test_a_card_of_the_dealers_seen_before_its_time_voids_the_round(
    clause: str, example: str, consequences: Any, clauses: Any, phase: str
) -> None:
    if (example, phase) == ("catfish-bend", "dealing"):
        clauses = ("IA-IRR-2", "R69")
    at = wagered(example, phase)
    until_dealer_has_cards(at)
    assert current_round(at).phase == phase, clause
    hidden = next(each for each in current_round(at).dealer if each != current_round(at).up_card)
    comes_to_nothing(at, report("dealer_card_exposed", card=hidden), consequences, clauses)


@pytest.mark.parametrize(("clause", "example", "consequences", "clauses"), DEALER_SEEN)
@pytest.mark.clause("R73")
def test_the_up_card_and_what_the_dealer_has_revealed_are_exempt(
    clause: str, example: str, consequences: Any, clauses: Any
) -> None:
    at = wagered(example, "stub")
    assert consequences[0] == "void"
    for phase in AFTER:
        state = until(at, phase)
        refusal = refused(at, report("dealer_card_exposed", card=state.up_card))
        assert (refusal.name, refusal.clauses) == ("up_card_exempt", (clause, "R73"))
        for foreign in (52, -1, None):
            told = refused(at, report("dealer_card_exposed", card=foreign))
            assert (told.name, told.clauses) == ("not_described", (clause,))
        others = [card for card in DECK if card != state.up_card]
        assert {at.may(report("dealer_card_exposed", card=each)) for each in others} == {None}
    assert not current_round(at).dealer_shown
    act(at)
    assert current_round(at).dealer_shown
    hidden = next(each for each in current_round(at).dealer if each != current_round(at).up_card)
    refusal = refused(at, report("dealer_card_exposed", card=hidden))
    assert (refusal.name, refusal.clauses) == ("not_now", clauses[:1])
    assert finish(at).phase == "over"


@pytest.mark.parametrize(
    ("clause", "example", "phases"),
    by_clause(*(("R72", book, ("dealing", *AFTER)) for book in BOOKS if book != "catfish-bend")),
)
def test_a_players_card_that_is_seen_plays_on_and_is_logged(
    clause: str, example: str, phases: tuple[str, ...]
) -> None:
    for phase in phases:
        at = wagered(example, phase)
        shown = current_round(at).positions[1].cards[0]
        (noted,) = at.do(report("player_card_exposed", position=1, card=shown))
        assert isinstance(noted, IrregularityNoted)
        assert (noted.consequences, noted.clauses) == (("continue",), (clause,)), phase
        assert (noted.position, noted.card) == (1, shown)
        assert current_round(at).irregularities == (noted,)
        ended = finish(at)
        assert (ended.phase, ended.irregularities) == ("over", (noted,))
        control = wagered(example)
        assert ended.nets == finish(control).nets


@pytest.mark.clause("R72")
def test_a_card_that_already_lies_open_is_not_exposed_any_more() -> None:
    at = wagered("maryland-everything", "dealing")
    (*_, found) = at.do(report("one_face_up_card"))
    assert isinstance(found, FaceUpCardDiscarded)
    state = until(at, "settling")

    def exposed(card: int) -> str:
        refusal = at.may(report("player_card_exposed", position=1, card=card))
        return "exposed" if refusal is None else refusal.name

    (bonus,), hand, others = state.bonus, state.positions[3].cards, state.dealer
    hidden = [card for card in others if card != state.up_card]
    assert {*map(exposed, (*hand, bonus, *hidden))} == {"exposed"}
    assert {exposed(found.card), exposed(state.up_card or 0), exposed(52)} == {"not_described"}
    while not current_round(at).positions[3].face_up:
        act(at)
    assert {*map(exposed, (*hand, bonus, *hidden))} == {"not_described"}
    assert {*map(exposed, state.positions[1].cards)} == {"exposed"}


@pytest.mark.clause("MA-14e")
def test_a_shuffler_that_fails_before_the_first_card_closes_no_bets_and_after_it_no_longer_reshuffles() -> (
    None
):
    at = wagered("massachusetts", shuffler={"maker": "Shuffle Master", "model": "Deck Mate"})
    fails = ReportFailure(device="shuffler")
    for _ in range(2):
        noted = at.do(fails)[-1]
        assert isinstance(noted, IrregularityNoted)
        assert (noted.consequences, noted.clauses) == (("reshuffle",), ("MA-14e",))
        preparation(at)
        if current_round(at).betting_stage == "betting":
            act(at)
    at.do(report("card_drawn_in_error"))
    refusal = refused(at, fails)
    assert (refusal.name, refusal.clauses) == ("not_described", ("MA-14e",))


@pytest.mark.clause("IA-IRR-2", "R107", "P41")
def test_at_catfish_bend_any_card_seen_in_dealing_voids_the_round_and_a_players_later_does_not() -> None:
    at = wagered("catfish-bend", "dealing")
    shown = report("player_card_exposed", position=1, card=current_round(at).positions[1].cards[-1])
    comes_to_nothing(at, shown, ("void",), ("IA-IRR-2", "R69"))
    at = wagered("catfish-bend")
    for phase in AFTER:
        state = until(at, phase)
        late = report("player_card_exposed", position=1, card=state.positions[1].cards[0])
        (noted,) = at.do(late)
        assert isinstance(noted, IrregularityNoted)
        assert (noted.consequences, noted.clauses) == (("continue",), ("P41",)), phase
    assert finish(at).nets == finish(wagered("catfish-bend")).nets
    at = wagered("catfish-bend", "dealing")
    for position, card in ((3, order(at)[0]), (9, order(at)[0]), (1, 52), (1, None)):
        foreign = report("player_card_exposed", position=position, card=card)
        assert refused(at, foreign).name == "not_described"


@pytest.mark.clause("IA-IRR-2", "P41")
def test_at_catfish_bend_a_card_of_the_dealer_seen_in_any_phase_voids_the_round() -> None:
    for phase, clause in (("dealing", "IA-IRR-2"), *((later, "P41") for later in AFTER)):
        at = wagered("catfish-bend", "dealing")
        while not current_round(at).dealer:
            act(at)
        state = until(at, phase)
        hidden = next(each for each in state.dealer if each != state.up_card)
        comes_to_nothing(at, report("dealer_card_exposed", card=hidden), ("void",), (clause, "R69"))


@pytest.mark.parametrize("phase", AFTER)
def test_a_stored_game_of_catfish_bend_treats_a_card_seen_after_the_deal_as_before(phase: str) -> None:
    made = game("catfish-bend")
    rows = made.rulebook.irregularities
    seen = replace(rows["dealer_card_exposed"], during=("dealing", *AFTER), later=UNSET)
    own = replace(rows["player_card_exposed"], later=UNSET)
    rows = {**rows, "dealer_card_exposed": seen, "player_card_exposed": own}
    stored = decode_game(encode_game(replace(made, rulebook=replace(made.rulebook, irregularities=rows))))
    at = Table(stored, seeded(7))
    for position in (1, 3):
        at.seat(position, f"p{position}")
    at.begin()
    bet(at, BOTH)
    state = until(at, phase)
    card = state.positions[1].cards[0]
    assert refused(at, report("player_card_exposed", position=1, card=card)).name == "not_described"
    hidden = next(each for each in state.dealer if each != state.up_card)
    assert voided(at.do(report("dealer_card_exposed", card=hidden))).clauses == ("IA-IRR-2", "R69")


@pytest.mark.parametrize(("clause", "example"), by_clause(("R72", "shuffle-master"), ("R72", "washington")))
def test_a_house_may_choose_what_an_exposed_card_does_where_the_source_is_silent(
    clause: str, example: str
) -> None:
    at = wagered(example, "deciding", settings__dealer_card_exposed="play_on")
    hidden = next(each for each in current_round(at).dealer if each != current_round(at).up_card)
    (noted,) = at.do(report("dealer_card_exposed", card=hidden))
    assert isinstance(noted, IrregularityNoted)
    assert (noted.consequences, noted.clauses) == (("continue",), (clause,))
    assert finish(at).phase == "over"
    at = wagered(example, "deciding", settings__player_card_exposed="void")
    shown = report("player_card_exposed", position=1, card=current_round(at).positions[1].cards[0])
    comes_to_nothing(at, shown, VOID, ("R72", "R69"))


# Cards on the Play spot without chips are a question, not a fold.


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("IA-IRR-4", "catfish-bend"),
        ("P20", "massachusetts"),
        ("P20", "shuffle-master"),
        ("P20", "maryland"),
        ("P20", "washington"),
    ),
)
def test_cards_laid_on_the_play_spot_without_chips_are_asked_about(clause: str, example: str) -> None:
    at = wagered(example)
    without = [report("cards_on_play_without_chips", position=p) for p in (1, 2, 3)]
    for phase in ("betting", "dealing", "stub"):
        until(at, phase)
        assert refused(at, without[0]).name == "not_described"
    advance(at)
    assert refused(at, without[1]).name == "asked_later"
    for position in (1, 2):
        noted, question = at.do(without[position - 1])
        assert isinstance(noted, IrregularityNoted)
        assert (noted.consequences, noted.clauses) == (("ask",), (clause,))
        assert question == PlayerAsked(position, (clause,))
        place = current_round(at).positions[position]
        assert (place.asked_if_folding, place.play_amount, place.on_layout) == (True, None, BOTH)
        at.do(Play(position=1, amount=5_000) if position == 1 else Fold(position=2))
        assert refused(at, without[position - 1]).name == "no_decision"
    assert current_round(at).positions[1].play_amount == 5_000
    at.do(Fold(position=3))
    assert refused(at, without[0]).name == "not_described"


# A card drawn in error is the next card.


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-14b", "massachusetts"),
        ("P19", "shuffle-master"),
        ("MD-13C", "maryland"),
        ("P19", "washington"),
        ("P19", "catfish-bend"),
    ),
)
def test_a_card_drawn_in_error_is_used_as_the_next_card(clause: str, example: str) -> None:
    drawn = report("card_drawn_in_error")
    at, control = wagered(example, "dealing"), wagered(example, "dealing")
    (noted,) = at.do(drawn)
    assert isinstance(noted, IrregularityNoted)
    assert (noted.consequences, noted.clauses) == (("use-as-next",), (clause,))
    assert order(at) == order(control)
    for phase in AFTER:
        left, right = until(at, phase), until(control, phase)
        assert (left.positions, left.dealer, left.up_card) == (right.positions, right.dealer, right.up_card)
        refusal = refused(at, drawn)
        assert (refusal.name, refusal.clauses) == ("not_described", (clause,))
    assert finish(at).nets == finish(control).nets


def test_whoever_sees_it_may_report_it_but_no_player() -> None:
    for role in ("dealer", "floorperson", "supervisor", "casino-supervisor"):
        at = wagered("massachusetts", "dealing")
        at.do(report("card_drawn_in_error", role=role))
    for kind in ("card_drawn_in_error", "one_face_up_card", "wrong_number_of_cards"):
        refusal = refused(wagered("maryland", "dealing"), report(kind, role="player", by="p1", count=6))
        assert refusal.name == "not_your_duty"
