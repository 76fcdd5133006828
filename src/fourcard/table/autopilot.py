"""Table autopilot: the next command of a dealer who follows the rules, with correct counts.

Every automatic dealer uses it: live tables, bots, practice, the terminal game, measurements and tests.
"""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from fourcard.cards import DECK_SIZE
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    ActorRole,
    CompleteDocument,
    ConfirmAward,
    Deal,
    HandSide,
    JudgeCount,
    Perform,
)
from fourcard.round.decide_deal import upcoming_move
from fourcard.round.preconditions import NextStep, next_move, next_step
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.settlers.showdown import DEALER
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, Prepare, TableCommand
from fourcard.table.decide import decide
from fourcard.table.deck_preparation import cut_depth_step, ends_shuffle
from fourcard.table.state import TableState

DECK_BACKS = ("red", "blue")
CommandT = TypeVar("CommandT", bound=Struct)


def aged(state: TableState, now: int) -> TableState:
    """Return a table at a time, with its decks as old as they are then."""
    return state if now <= state.at else replace(state, at=now)


def next_command(state: TableState) -> TableCommand | None:
    """Return the next command of the staff; None while players must decide or an award waits.

    It does not wait for wagers: during betting it is what closes the bets.
    """
    return next_between_rounds(state) if state.round is None else next_in_round(state, state.round)


def next_between_rounds(state: TableState) -> TableCommand:
    """Return the next command between rounds: open, replace a deck, prepare the cards, or begin."""
    if state.phase == "closed":
        return open_command(state.game)
    begin = BeginRound()
    refused = decide(state, replace(begin, at=state.at))
    removed = next((number for number, deck in enumerate(state.decks) if deck.removed), None)
    if removed is not None or (isinstance(refused, Refusal) and refused.code is Code.DECK_TOO_OLD):
        number = state.active if removed is None else removed
        return BringDeck(back=state.decks[number].back, deck=number, role="floorperson")
    return next_preparation(state) if state.agenda else begin


def next_in_round(state: TableState, round_state: RoundState) -> TableCommand | None:
    """Return the next command in a round; None while players must decide or an award waits."""
    if round_state.wrong_count is not None:
        return correct_judgement(state, round_state)
    if round_state.awaited_at_table is not None:
        role: ActorRole = "supervisor" if round_state.rules.duty("validates_jackpot") else "floorperson"
        return ConfirmAward(position=round_state.awaited_at_table.position, role=role)
    expected = next_step(round_state)
    if expected is None:
        return None
    if expected.step == "deal":
        return next_preparation(state) if state.agenda else Deal()
    return _perform(state, round_state, expected)


def open_command(game: Game) -> OpenTable:
    """Return what opens a table, with the number of decks that the submission names."""
    return OpenTable(decks=DECK_BACKS[: game.submission.dealing.decks], role="floorperson")


def next_preparation(state: TableState, deck: int | None = None) -> Prepare:
    """Return the next preparation step, or that of a deck, with the cut, count and hand of a good dealer."""
    agenda = state.agenda if deck is None else state.decks[deck].agenda
    step, rulebook = agenda[0][0], state.game.rulebook
    depth = None
    if rulebook.cutting is not None and step == cut_depth_step(rulebook.cutting):
        depth = rulebook.cutting.about.value if rulebook.cutting.about is not None else DECK_SIZE // 2
    strips, machine = rulebook.shuffling.strips, state.game.submission.shuffler
    counts = ends_shuffle(agenda) and machine is not None and machine.counts
    hand: HandSide | None = "left" if step == "take_in_hand" else None
    role: ActorRole = "floorperson" if step == "verify_inspection" else "dealer"
    count = strips.value if strips is not None and step == "strip" else DECK_SIZE if counts else None
    return Prepare(step=step, deck=deck, depth=depth, count=count, hand=hand, role=role)


def with_cards(state: TableState, command: CommandT, deck: Sequence[int]) -> CommandT:
    """Return a deal with the next cards of a deck, for a dealer who enters them; others stay as they are."""
    if not isinstance(command, Deal) or state.round is None:
        return command
    left = [card for card in deck if card not in state.round.dealt_cards]
    return replace(command, cards=tuple(left[: upcoming_move(state.round).count]))


def _perform(state: TableState, round_state: RoundState, expected: NextStep) -> TableCommand:
    """Return the command for the next step; a payout that blocks it is documented first."""
    recount = expected.step == "count_chips" and round_state.chips_differ is not None
    command = Perform(
        step=expected.step,
        position=expected.position,
        count=correct_count(state, round_state, expected),
        role="floorperson" if recount else "dealer",
    )
    if round_state.undocumented_positions and isinstance(decide(state, command), Refusal):
        return CompleteDocument(position=round_state.undocumented_positions[0], role="supervisor")
    return command


def correct_count(state: TableState, round_state: RoundState, expected: NextStep) -> int | None:
    """Return the correct count for a counting step, or None for other steps."""
    if expected.step == "count_chips":
        return len(round_state.locked_stakes or ())
    if expected.step == "count_stub":
        return state.decks[state.active].left
    return next_move(round_state).count if expected.step == "verify_hand" else None


def correct_judgement(state: TableState, round_state: RoundState) -> JudgeCount:
    """Return the correct judgement of a wrong stub count, in the role that judges."""
    sizes = {position: len(round_state.positions[position].cards) for position in round_state.dealt_in}
    rule = round_state.rules.duty("judges_wrong_count")
    judge: ActorRole = "supervisor" if rule is not None and "supervisor" in rule.value else "dealer"
    hands = {DEALER: len(round_state.dealer), **sizes}
    return JudgeCount(stub=state.decks[state.active].left, hands=hands, role=judge)
