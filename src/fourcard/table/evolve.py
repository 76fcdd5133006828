"""Folding at a table: its own events here, those of a round by the round, cards leaving the deck."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK, DECK_SIZE
from fourcard.dealing import cut
from fourcard.round.events import (
    CardsDealt,
    FaceUpCardDiscarded,
    RoundEnded,
    RoundEvent,
    RoundVoided,
    SeatLeft,
    SeatTaken,
    StepDone,
)
from fourcard.round.evolve import evolve as evolve_round
from fourcard.round.rules import RoundRules, steps_in_order
from fourcard.round.state import begin
from fourcard.rules.nodes import holds
from fourcard.rules.procedures import Mixing
from fourcard.table.agenda import (
    cut_steps,
    for_arrival,
    for_idle,
    for_opening,
    for_round,
    load_steps,
    mixing,
    shuffled_again,
)
from fourcard.table.events import (
    DeckBrought,
    DeckPutInShuffler,
    DeckRemoved,
    DeviceFailed,
    DeviceSeenTo,
    MethodSwitched,
    PlayerArrived,
    RecutOrdered,
    RoundBegan,
    ShuffleOrdered,
    StepPrepared,
    SwapOrdered,
    TableClosed,
    TableEvent,
    TableOpened,
    WentIdle,
)
from fourcard.table.preparing import cut_step
from fourcard.table.state import Deck, TablePhase, TableState


def evolve(state: TableState, event: TableEvent) -> TableState:
    """Return the state after an event."""
    fold = _FOLDS.get(type(event))
    return fold(state, event) if fold is not None else _of_round(state, event)  # type: ignore[arg-type]


def replay(state: TableState, events: Iterable[TableEvent]) -> TableState:
    """Return the state after many events."""
    for event in events:
        state = evolve(state, event)
    return state


def _with_deck(state: TableState, number: int, deck: Deck) -> TableState:
    decks = tuple(deck if n == number else each for n, each in enumerate(state.decks))
    return replace(state, decks=decks)


def _opened(state: TableState, event: TableOpened) -> TableState:
    per_deck = len(event.decks) == 1 or holds(state.game.rulebook.opening.per_deck)
    steps = for_opening(state, preshuffled=event.preshuffled)
    mixed: Mixing | None = "preshuffled" if event.preshuffled else None
    orders = event.orders or (None if event.preshuffled else DECK,) * len(event.decks)
    decks = tuple(
        Deck(back, event.at, steps if per_deck or number == 0 else for_round(state), order, mixed=mixed)
        for number, (back, order) in enumerate(zip(event.decks, orders, strict=True))
    )
    phase: TablePhase = "open"
    return replace(state, phase=phase, decks=decks, active=0, shoe_side=event.shoe_side, at=event.at)


def _brought(state: TableState, event: DeckBrought) -> TableState:
    steps = for_opening(state, preshuffled=event.preshuffled)
    order = event.order if event.preshuffled else DECK
    deck = Deck(event.back, event.at, steps, order, mixed="preshuffled" if event.preshuffled else None)
    return replace(_with_deck(state, event.deck, deck), at=max(state.at, event.at))


def _prepared(state: TableState, event: StepPrepared) -> TableState:
    """Go on in a deck's agenda; a shuffle gives the order anew, a cut turns it."""
    deck = state.decks[event.deck]
    deck = replace(deck, agenda=deck.agenda[1:])
    if event.mixed is not None:
        deck = replace(deck, order=event.order, mixed=event.mixed, cut=False, left=DECK_SIZE)
    rules = state.game.rulebook.cutting
    if rules is not None and event.step == cut_step(rules) and event.depth is not None:
        order = None if deck.order is None else cut(deck.order, event.depth)
        deck = replace(deck, order=order, cut=True)
    state = _with_deck(state, event.deck, deck)
    if event.step in state.game.rulebook.devices.trouble:
        state = replace(state, failed_device=False)
    return replace(state, hand=event.hand) if event.hand is not None else state


def _removed(state: TableState, event: DeckRemoved) -> TableState:
    return _with_deck(state, event.deck, replace(state.decks[event.deck], removed=True, agenda=()))


def _put_in_shuffler(state: TableState, event: DeckPutInShuffler) -> TableState:
    return _with_deck(state, event.deck, replace(state.decks[event.deck], in_shuffler=True))


def _recut(state: TableState, event: RecutOrdered) -> TableState:
    """Put the cut, and what follows it, on the agenda again."""
    deck = state.decks[event.deck]
    how = deck.mixed or "by-hand"
    agenda = (*cut_steps(state, how), *load_steps(state, how))
    return _with_deck(state, event.deck, replace(deck, agenda=agenda, cut=False))


def _reshuffle(state: TableState, event: ShuffleOrdered) -> TableState:
    deck = state.decks[event.deck]
    return _with_deck(state, event.deck, replace(deck, agenda=shuffled_again(state, deck)))


def _began(state: TableState, event: RoundBegan) -> TableState:
    under_way = begin(state.rules, state.seats, count_due=event.count_due)
    deck = replace(state.decks[event.deck], in_shuffler=False)
    state = _with_deck(state, event.deck, deck)
    return replace(state, round=under_way, number=event.number, at=max(state.at, event.at))


def _device_failed(state: TableState, event: DeviceFailed) -> TableState:
    """Shuffle the cards again and see to the machine first, where the rulebook says how."""
    trouble = steps_in_order(state.game.rulebook.devices.trouble)
    state = replace(state, failures=state.failures + 1, failed_device=True)
    number = state.active if event.deck is None else event.deck
    deck = state.decks[number]
    agenda = () if deck.removed else (*trouble, *shuffled_again(state, deck))
    return _with_deck(state, number, replace(deck, agenda=agenda))


def _swap(state: TableState, _event: SwapOrdered) -> TableState:
    swap = steps_in_order(state.game.rulebook.devices.swap)
    deck = state.decks[state.active]
    state = _with_deck(state, state.active, replace(deck, agenda=(*swap, *shuffled_again(state, deck))))
    return replace(state, failures=0, failed_device=False)


def _seen_to(state: TableState, _event: DeviceSeenTo) -> TableState:
    return replace(state, failed_device=False, device_away=True)


def _switched(state: TableState, event: MethodSwitched) -> TableState:
    rules = RoundRules(state.game, event.method)
    state = replace(state, rules=rules, by_hand=event.by_hand, failed_device=False, device_away=False)
    decks = tuple(
        deck if deck.removed else replace(deck, agenda=shuffled_again(state, deck)) for deck in state.decks
    )
    return replace(state, decks=decks)


def _idle(state: TableState, event: WentIdle) -> TableState:
    phase: TablePhase = "idle"
    state = replace(state, phase=phase, spread=event.spread)
    return _with_deck(state, state.active, replace(state.decks[state.active], agenda=for_idle(state)))


def _arrived(state: TableState, _event: PlayerArrived) -> TableState:
    phase: TablePhase = "open"
    deck = state.decks[state.active]
    state = _with_deck(state, state.active, replace(deck, agenda=(*deck.agenda, *for_arrival(state))))
    return replace(state, phase=phase, spread=None)


def _closed(state: TableState, event: TableClosed) -> TableState:
    phase: TablePhase = "closed"
    return replace(state, phase=phase, decks=(), seats={}, at=max(state.at, event.at))


def _of_round(state: TableState, event: RoundEvent) -> TableState:
    """Fold an event of the round, and what it means for the table."""
    if state.round is not None:
        state = replace(state, round=evolve_round(state.round, event))
    follows = _FOLLOWS.get(type(event))
    return state if follows is None else follows(state, event)


def _seated(state: TableState, event: SeatTaken) -> TableState:
    return replace(state, seats=dict(sorted({**state.seats, event.position: event.player}.items())))


def _unseated(state: TableState, event: SeatLeft) -> TableState:
    return replace(state, seats={p: who for p, who in state.seats.items() if p != event.position})


def _dealt(state: TableState, event: CardsDealt) -> TableState:
    return _drawn(state, event.cards)


def _discarded(state: TableState, event: FaceUpCardDiscarded) -> TableState:
    return _drawn(state, (event.card,))


def _counted(state: TableState, event: StepDone) -> TableState:
    return replace(state, since_count=-1) if event.step == "count_stub" else state


def _drawn(state: TableState, cards: tuple[int, ...]) -> TableState:
    """Let cards leave the deck: mostly the top ones."""
    deck = state.decks[state.active]
    order, count = deck.order, len(cards)
    if order is not None:
        top = order[:count] == cards
        order = order[count:] if top else tuple(card for card in order if card not in cards)
    return _with_deck(state, state.active, replace(deck, order=order, left=deck.left - count))


def _finished(state: TableState, event: RoundEnded | RoundVoided) -> TableState:
    """Put the cards of the round back together, to be shuffled, and let the other deck have its turn."""
    rules = state.game.rulebook.shuffling
    number, deck = state.active, state.decks[state.active]
    removed = isinstance(event, RoundVoided) and "remove-deck" in event.consequences
    agenda = for_round(state) if rules.every_round.value else load_steps(state, deck.mixed or "by-hand")
    trouble = steps_in_order(state.game.rulebook.devices.trouble) if state.failed_device else ()
    gathered = None if deck.order is None else DECK
    deck = replace(
        deck, agenda=() if removed else (*trouble, *agenda), order=gathered, left=DECK_SIZE, removed=removed
    )
    state = _with_deck(state, number, deck)
    turns = len(state.decks) > 1 and holds(rules.alternate) and mixing(state) == "by-machine"
    return replace(
        state,
        round=None,
        finished=state.round,
        active=1 - number if turns else number,
        since_count=state.since_count + 1,
        hand=None,
    )


_FOLDS: dict[type, Callable[[TableState, Any], TableState]] = {
    TableOpened: _opened,
    DeckBrought: _brought,
    StepPrepared: _prepared,
    DeckRemoved: _removed,
    DeckPutInShuffler: _put_in_shuffler,
    RecutOrdered: _recut,
    ShuffleOrdered: _reshuffle,
    RoundBegan: _began,
    DeviceFailed: _device_failed,
    DeviceSeenTo: _seen_to,
    SwapOrdered: _swap,
    MethodSwitched: _switched,
    WentIdle: _idle,
    PlayerArrived: _arrived,
    TableClosed: _closed,
}
_FOLLOWS: dict[type, Callable[[TableState, Any], TableState]] = {
    SeatTaken: _seated,
    SeatLeft: _unseated,
    CardsDealt: _dealt,
    FaceUpCardDiscarded: _discarded,
    StepDone: _counted,
    RoundEnded: _finished,
    RoundVoided: _finished,
}
"""What an event of the round means for the table besides."""
