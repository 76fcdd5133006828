"""Decide shuffles at a table: commit ahead, take players' seeds, draw the order, reveal spent secrets (P40).

The open commitment of a table is for its next deal. Until the first card is drawn the deck is only shuffled
and cut, and its order exists nowhere. When bets close, players reveal the seeds whose hashes they sent after
the commitment; the order follows from the secret, those seeds and the round. Journals of 0.1 have shuffles
of the first algorithm, whose order was drawn as the shuffle ended.

Where the cards are keyed in, there is no shuffle; a secret seals the records of each round until its end.
"""

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.house.auth.identity import MAX_SHOWN_LENGTH, printable
from fourcard.house.commands import ChooseSeed, CommitSeed, RevealSeed
from fourcard.house.decision import Decision, DecisionOrRefusal, StateReader, table_stream
from fourcard.house.events import (
    RoundSealed,
    SeedChosen,
    SeedCommitted,
    SeedRevealed,
    SeedsCalled,
    SeedsDiscarded,
    ShuffleCommitted,
    ShuffleDrawn,
)
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    MIN_SEED_LENGTH,
    ShuffleInput,
    is_seed,
    is_seed_hash,
    seed_hash,
)
from fourcard.house.table_state import AnyTable, HouseTable
from fourcard.narration import Sentence
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round import events
from fourcard.round.commands import Deal, ReportIrregularity
from fourcard.table.commands import BringDeck, OpenTable, Prepare, TableCommand
from fourcard.table.decide import decide
from fourcard.table.deck_preparation import SHUFFLE_STEPS, deck_of_step, ends_shuffle
from fourcard.table.events import DeckOrdered, RoundBegan, TableEvent
from fourcard.table.evolve import evolve
from fourcard.table.state import Deck, TableState

SEED_WAIT = 2_000
"""Milliseconds that players have to reveal their seeds once they are called."""
SHUFFLE_SPENDING_EVENTS = frozenset(
    (
        SeedsDiscarded,
        events.RoundEnded,
        events.RoundVoided,
        events.IrregularityNoted,
        *(each for each in get_args(TableEvent) if each.__module__ == RoundBegan.__module__),
    )
) - {RoundBegan, DeckOrdered}
"""Events after which a shuffle secret may be revealed: the end of a round, and table events."""
CARD_EVENTS = frozenset((events.CardsDealt, events.FaceUpCardDiscarded))
"""Events that take cards from a deck."""


def commit_event(states: StateReader, table: AnyTable) -> tuple[ShuffleCommitted, tuple[str, int, bytes]]:
    """Return the commitment to the next shuffle, and its secret."""
    number, (commitment, secret, algorithm) = table.shuffle_number + 1, states.commit_shuffle()
    return ShuffleCommitted(number, commitment, algorithm), (table_stream(table.name), number, secret)


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
    """Do a preparation step; a shuffle of the first algorithm gives the deck its order as it ends."""
    if command.order is not None:
        return refuse(Code.ORDER_FROM_DESK, ("P28",))
    number = deck_of_step(table.state, command)
    first = table.card_source == "built-in" and table.algorithm == FIRST_ALGORITHM
    if not first or not _ends_shuffle(table.state, number):
        decided = decide(table.state, command)
        return decided if isinstance(decided, Refusal) else Decision(decided)
    seeds = tuple(sorted(table.seeds.items()))
    order = states.shuffled_order(ShuffleInput(table.name, table.shuffle_number, seeds))
    decided = decide(table.state, replace(command, order=order))
    if isinstance(decided, Refusal):
        return decided
    drawn = ShuffleDrawn(table.shuffle_number, number, seeds)
    following, secret = commit_event(states, table)
    return Decision([drawn, *decided, following], secrets=[secret])


def _ends_shuffle(state: TableState, number: int) -> bool:
    """Say whether the step that is due at a deck leaves its cards in their new order (P28)."""
    agenda = state.decks[number].agenda if 0 <= number < len(state.decks) else ()
    return bool(agenda) and ends_shuffle(agenda)


def decide_play(states: StateReader, table: HouseTable, command: TableCommand) -> DecisionOrRefusal:
    """Let the game decide; the first card draws the order of the deck, and the end of betting calls seeds.

    Where cards are keyed in, the first one seals the round.
    """
    if _draws_order(table, command):
        return _first_draw(states, table, command)
    decided = decide(table.state, command)
    if isinstance(decided, Refusal):
        return decided
    if table.card_source == "keyed":
        return _with_seal(states, table, decided)
    if table.seeds_called_at is not None:
        return _with_discarded_seeds(states, table, decided)
    closes = table.seed_hashes and any(type(event) is events.BetsClosed for event in decided)
    called = [SeedsCalled(table.shuffle_number, command.at)] if closes else []
    return Decision([*decided, *called])


def _with_seal(states: StateReader, table: HouseTable, decided: Sequence[TableEvent]) -> Decision:
    """Seal a round from its first card on, with a new secret; a shuffle that was open is never dealt."""
    if table.shuffle_in_play is not None or CARD_EVENTS.isdisjoint(map(type, decided)):
        return Decision(decided)
    unused = [SeedsDiscarded(table.shuffle_number)] if table.commitment else []
    number, (commitment, secret, _) = table.shuffle_number + 1, states.commit_shuffle()
    sealed = RoundSealed(number, commitment)
    return Decision([*unused, sealed, *decided], secrets=[(table_stream(table.name), number, secret)])


def dealable_state(table: HouseTable) -> TableState:
    """Return the game's state as staff may act on it: a deck of the house that lies ready can be dealt.

    Until its first card it has no order, and nobody keys the cards in.
    """
    state = table.state
    if table.card_source != "built-in" or not state.decks or state.decks[state.active].order is not None:
        return state
    return evolve(state, DeckOrdered(state.active, DECK))


def _draws_order(table: HouseTable, command: TableCommand) -> bool:
    """Say whether a command takes the first card of a deck that the house shuffled (P40).

    Before that card nothing can be reported but a card that lies face up.
    """
    state = table.state
    drawing = isinstance(command, Deal | ReportIrregularity) and table.card_source == "built-in"
    return drawing and state.round is not None and state.decks[state.active].order is None


def _first_draw(states: StateReader, table: HouseTable, command: TableCommand) -> DecisionOrRefusal:
    """Draw the order of the deck and its first card, once every seed is revealed or its time is over."""
    state, number = table.state, table.shuffle_number
    allowed = decide(dealable_state(table), command)
    if isinstance(allowed, Refusal):
        return allowed
    if table.seed_hashes and table.seeds_called_at is None:
        closed = [event for event in allowed if type(event) is events.BetsClosed]
        return Decision([*closed, SeedsCalled(number, command.at)])
    until = seeds_awaited_until(table)
    if until is not None and command.at < until:
        return refuse(Code.SEEDS_AWAITED, ("P40",), missing=", ".join(missing_seeds(table)))
    seeds = tuple(sorted(table.revealed_seeds.items()))
    withheld = tuple((player, table.seed_hashes[player]) for player in missing_seeds(table))
    shuffle = ShuffleInput(table.name, number, seeds, state.round_number, withheld)
    ordered = DeckOrdered(state.active, states.shuffled_order(shuffle))
    decided = decide(evolve(state, ordered), command)
    if isinstance(decided, Refusal):
        return decided
    drawn = ShuffleDrawn(number, state.active, seeds, withheld, state.round_number)
    following, secret = commit_event(states, table)
    return Decision([drawn, ordered, *decided, following], secrets=[secret])


def missing_seeds(table: HouseTable) -> tuple[str, ...]:
    """Return the players whose seed is not revealed yet."""
    return tuple(sorted(table.seed_hashes.keys() - table.revealed_seeds.keys()))


def withheld_sentences(event: ShuffleDrawn) -> list[Sentence]:
    """Return what everybody is told of seeds that were not revealed in time."""
    return [
        Sentence(f"The seed of {player} was not revealed in time: its hash counts.", ("P40",))
        for player, _ in event.withheld
    ]


def seeds_awaited_until(table: HouseTable) -> int | None:
    """Return until when the first card waits for seeds; None if it does not."""
    if table.seeds_called_at is None or not missing_seeds(table):
        return None
    return table.seeds_called_at + SEED_WAIT


def _with_discarded_seeds(states: StateReader, table: HouseTable, decided: Sequence[TableEvent]) -> Decision:
    """Discard a shuffle whose seeds are revealed and whose deck is not dealt as it lies (P40).

    The house could work its order out, so a new cut, a new shuffle or another round gets a new secret.
    """
    state = table.state
    for event in decided:
        state = evolve(state, event)
    if state.round is not None and not state.decks[table.state.active].agenda:
        return Decision(decided)
    following, secret = commit_event(states, table)
    return Decision([*decided, SeedsDiscarded(table.shuffle_number), following], secrets=[secret])


def commit_seed(_states: StateReader, table: HouseTable, command: CommitSeed) -> DecisionOrRefusal:
    """Take the hash of a seated player's seed for the next shuffle, until the seeds are called."""
    refusal = _seed_refusal(table, command)
    if refusal is not None:
        return refusal
    if command.player not in table.state.seats.values():
        return refuse(Code.SEED_UNSEATED, ("P40",))
    if not is_seed_hash(command.hash):
        return refuse(Code.SEED_HASH_UNFIT, ("P40",))
    if table.seeds_called_at is not None:
        return refuse(Code.SEED_LATE, ("P40",))
    return Decision([SeedCommitted(command.player, command.shuffle, command.hash)])


def reveal_seed(_states: StateReader, table: HouseTable, command: RevealSeed) -> DecisionOrRefusal:
    """Take the seed of a hash once the seeds are called; the first card is not drawn before."""
    refusal = _seed_refusal(table, command)
    if refusal is not None:
        return refusal
    known = table.seed_hashes.get(command.player)
    if table.seeds_called_at is None:
        return refuse(Code.SEED_EARLY, ("P40",))
    if known is None or command.player in table.revealed_seeds:
        return refuse(Code.SEED_NOT_DUE, ("P40",))
    fits = is_seed(command.seed, MIN_SEED_LENGTH)
    if not fits or seed_hash(table.name, command.shuffle, command.player, command.seed) != known:
        return refuse(Code.SEED_MISMATCH, ("P40",))
    return Decision([SeedRevealed(command.player, command.shuffle, command.seed)])


def _seed_refusal(table: HouseTable, command: CommitSeed | RevealSeed) -> Refusal | None:
    """Refuse a seed where the house does not shuffle, and for another shuffle than the next one."""
    if table.card_source != "built-in" or table.algorithm != ALGORITHM:
        return refuse(Code.SEEDS_ABSENT, ("P28", "P40"))
    if command.shuffle != table.shuffle_number:
        return refuse(Code.SEED_OTHER_SHUFFLE, ("P40",), shuffle=table.shuffle_number)
    return None


def choose_seed(states: StateReader, table: HouseTable, command: ChooseSeed) -> DecisionOrRefusal:
    """Add a player's seed to every shuffle of the first algorithm; other tables have no such seeds."""
    if not states.player(command.player).registered:
        return refuse(Code.PLAYER_UNKNOWN, player=printable(command.player, MAX_SHOWN_LENGTH))
    if table.algorithm != FIRST_ALGORITHM:
        return refuse(Code.SEED_NOT_KEPT, ("P40",))
    if command.seed and not is_seed(command.seed):
        return refuse(Code.SEED_UNFIT)
    return Decision([SeedChosen(command.player, command.seed)])


def spent_shuffles(table: HouseTable) -> tuple[int, ...]:
    """Return the shuffles whose secrets can be revealed: their cards must be shuffled again, or are gone.

    The cards of a round under way stay secret until its end; the seal of keyed cards ends with it.
    """
    discarded = () if table.discarded_shuffle is None else (table.discarded_shuffle,)
    if not table.unrevealed_shuffles:
        return discarded
    state, keyed = table.state, table.card_source == "keyed"
    in_play = state.active if state.round is not None and state.round.dealt_mask else None
    spent = (
        number
        for deck, number in table.unrevealed_shuffles.items()
        if deck != in_play and (keyed or deck >= len(state.decks) or _is_spent(state.decks[deck]))
    )
    return (*spent, *discarded)


def _is_spent(deck: Deck) -> bool:
    return deck.removed or any(step in SHUFFLE_STEPS for step, _ in deck.agenda)
