"""Decide shuffles at a table: commit ahead, fix seeds at the shuffle, reveal spent secrets."""

from typing import get_args

from msgspec.structs import replace

from fourcard.house.auth.identity import MAX_SHOWN_LENGTH, printable
from fourcard.house.commands import ChooseSeed
from fourcard.house.decision import Decision, DecisionOrRefusal, StateReader, table_stream
from fourcard.house.events import SeedChosen, ShuffleCommitted, ShuffleDrawn
from fourcard.house.fairness.shuffle_algorithm import is_seed
from fourcard.house.table_state import AnyTable, HouseTable
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round import events
from fourcard.table.commands import BringDeck, OpenTable, Prepare
from fourcard.table.decide import decide
from fourcard.table.deck_preparation import SHUFFLE_STEPS, deck_of_step, ends_shuffle
from fourcard.table.events import RoundBegan, TableEvent
from fourcard.table.state import Deck, TableState

SHUFFLE_SPENDING_EVENTS = frozenset(
    (
        events.RoundEnded,
        events.RoundVoided,
        events.IrregularityNoted,
        *(each for each in get_args(TableEvent) if each.__module__ == RoundBegan.__module__),
    )
) - {RoundBegan}
"""Events after which a shuffle secret may be revealed: the end of a round, and table events."""


def commit_event(states: StateReader, table: AnyTable) -> tuple[ShuffleCommitted, tuple[str, int, bytes]]:
    """Return the commitment to the next shuffle, and its secret."""
    number, (commitment, secret) = table.shuffle_number + 1, states.commit_shuffle()
    return ShuffleCommitted(number, commitment), (table_stream(table.name), number, secret)


def preshuffled_refusal(table: HouseTable, command: OpenTable | BringDeck) -> Refusal | None:
    """Refuse an order given by a person, and preshuffled cards if the house shuffles."""
    keyed = command.orders if isinstance(command, OpenTable) else command.order
    if keyed:
        return refuse(Code.ORDER_FROM_DESK, ("P28",))
    return (
        refuse(Code.CARDS_SOURCE, ("P28",))
        if command.preshuffled and table.card_source == "built-in"
        else None
    )


def prepare_deck(states: StateReader, table: HouseTable, command: Prepare) -> DecisionOrRefusal:
    """Do a preparation step; if it ends a shuffle of the house, the order follows from the secret."""
    if command.order is not None:
        return refuse(Code.ORDER_FROM_DESK, ("P28",))
    number = deck_of_step(table.state, command)
    if table.card_source == "keyed" or not _ends_shuffle(table.state, number, command):
        decided = decide(table.state, command)
        return decided if isinstance(decided, Refusal) else Decision(decided)
    seeds = tuple(sorted(table.seeds.items()))
    order = states.shuffled_order(table.name, table.shuffle_number, seeds)
    decided = decide(table.state, replace(command, order=order))
    if isinstance(decided, Refusal):
        return decided
    drawn = ShuffleDrawn(table.shuffle_number, number, seeds)
    following, secret = commit_event(states, table)
    return Decision([drawn, *decided, following], secrets=[secret])


def _ends_shuffle(state: TableState, number: int, command: Prepare) -> bool:
    """Say whether a step is due at a deck and leaves its cards in their new order."""
    agenda = state.decks[number].agenda if 0 <= number < len(state.decks) else ()
    return bool(agenda) and agenda[0][0] == command.step and ends_shuffle(agenda)


def choose_seed(states: StateReader, _table: HouseTable, command: ChooseSeed) -> DecisionOrRefusal:
    """Add a player's seed to every shuffle from now on."""
    if not states.player(command.player).registered:
        return refuse(Code.PLAYER_UNKNOWN, player=printable(command.player, MAX_SHOWN_LENGTH))
    if command.seed and not is_seed(command.seed):
        return refuse(Code.SEED_UNFIT)
    return Decision([SeedChosen(command.player, command.seed)])


def spent_shuffles(table: HouseTable) -> tuple[int, ...]:
    """Return the shuffles whose secrets can be revealed: their cards must be shuffled again, or are gone.

    The cards of a round under way stay secret until its end.
    """
    if not table.unrevealed_shuffles:
        return ()
    state = table.state
    in_play = state.active if state.round is not None and state.round.dealt_mask else None
    return tuple(
        number
        for deck, number in table.unrevealed_shuffles.items()
        if deck != in_play and (deck >= len(state.decks) or _is_spent(state.decks[deck]))
    )


def _is_spent(deck: Deck) -> bool:
    return deck.removed or any(step in SHUFFLE_STEPS for step, _ in deck.agenda)
