"""Table evolve: apply each event to the table's state and to its current round, without checking anything."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK, DECK_SIZE
from fourcard.dealing import cut_deck
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
from fourcard.round.state import RoundRules, new_round, steps_in_order
from fourcard.rules.cited import is_set
from fourcard.rules.procedures import Mixing
from fourcard.table.commands import Device
from fourcard.table.deck_preparation import (
    arrival_steps,
    cut_depth_step,
    cut_steps,
    idle_steps,
    load_steps,
    opening_steps,
    reshuffle_steps,
    round_steps,
    shuffle_method,
)
from fourcard.table.events import (
    DeckBrought,
    DeckOrdered,
    DeckPutInShuffler,
    DeckRemoved,
    DeviceFailed,
    DeviceReturned,
    DeviceSeenTo,
    LastHandCalled,
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
from fourcard.table.state import Deck, TablePhase, TableState, new_table

Handler = Callable[[TableState, Any], TableState]
KEPT_WHEN_CLOSED = (
    "rules",
    "by_hand",
    "failures",
    "failed",
    "away",
    "round_number",
    "last_round",
    "last_hand",
)
"""Fields that a closed table keeps: its devices, the last round, and a called last hand (P36)."""


def evolve(state: TableState, event: TableEvent) -> TableState:
    """Return the state after an event."""
    handler: Handler = _HANDLERS.get(type(event), _on_round_event)
    return handler(state, event)


def replay(state: TableState, events: Iterable[TableEvent]) -> TableState:
    """Return the state after many events."""
    for event in events:
        state = evolve(state, event)
    return state


def _with_deck(state: TableState, number: int, deck: Deck) -> TableState:
    decks = tuple(deck if n == number else each for n, each in enumerate(state.decks))
    return replace(state, decks=decks)


def _on_table_opened(state: TableState, event: TableOpened) -> TableState:
    per_deck = is_set(state.game.rulebook.opening.per_deck)
    steps = opening_steps(state, preshuffled=event.preshuffled)
    mixed: Mixing | None = "preshuffled" if event.preshuffled else None
    orders = event.orders or (None if event.preshuffled else DECK,) * len(event.decks)
    decks = tuple(
        Deck(
            back,
            max(state.at, event.at),
            steps if per_deck or number == 0 else round_steps(state),
            order,
            mixed=mixed,
        )
        for number, (back, order) in enumerate(zip(event.decks, orders, strict=True))
    )
    phase: TablePhase = "open"
    return replace(
        state,
        phase=phase,
        decks=decks,
        active=0,
        shoe_side=event.shoe_side,
        last_hand=False,
        at=max(state.at, event.at),
    )


def _on_deck_brought(state: TableState, event: DeckBrought) -> TableState:
    steps = opening_steps(state, preshuffled=event.preshuffled)
    order = event.order if event.preshuffled else DECK
    at, devices = max(state.at, event.at), state.game.rulebook.devices
    pending = tuple(
        due for due in state.decks[event.deck].agenda if due[0] in (*devices.trouble, *devices.swap)
    )
    mixed: Mixing | None = "preshuffled" if event.preshuffled else None
    deck = Deck(event.back, at, (*pending, *steps), order, mixed=mixed)
    return replace(_with_deck(state, event.deck, deck), at=at)


def _on_step_prepared(state: TableState, event: StepPrepared) -> TableState:
    """Advance in a deck's agenda; a shuffle sets a new order, a cut changes it."""
    deck = state.decks[event.deck]
    deck = replace(deck, agenda=deck.agenda[1:])
    if event.mixed is not None:
        deck = replace(deck, order=event.order, mixed=event.mixed, cut=False, left=DECK_SIZE, cuts=())
        state = _clear_failure(state, "shuffler")
    rules = state.game.rulebook.cutting
    if rules is not None and event.step == cut_depth_step(rules) and event.depth is not None:
        deck = replace(_cut(deck, event.depth), cut=True)
    state = _with_deck(state, event.deck, deck)
    if event.step in state.game.rulebook.devices.trouble:
        state = replace(state, failed=())
    return replace(state, hand=event.hand) if event.step == "take_in_hand" else state


def _cut(deck: Deck, depth: int) -> Deck:
    """Cut a deck; while its order is None, only the depth is noted."""
    if deck.order is None:
        return replace(deck, cuts=(*deck.cuts, depth))
    return replace(deck, order=cut_deck(deck.order, depth))


def _on_deck_ordered(state: TableState, event: DeckOrdered) -> TableState:
    """Give a deck its order, cut as it was since the shuffle."""
    deck, order = state.decks[event.deck], event.order
    for depth in deck.cuts:
        order = cut_deck(order, depth)
    return _with_deck(state, event.deck, replace(deck, order=order, cuts=()))


def _clear_failure(state: TableState, device: Device) -> TableState:
    """Clear a device's failure once the device has worked again."""
    return replace(state, failed=tuple(each for each in state.failed if each != device))


def _on_deck_removed(state: TableState, event: DeckRemoved) -> TableState:
    return _with_deck(state, event.deck, replace(state.decks[event.deck], removed=True, agenda=()))


def _on_deck_put_in_shuffler(state: TableState, event: DeckPutInShuffler) -> TableState:
    return _with_deck(state, event.deck, replace(state.decks[event.deck], in_shuffler=True))


def _on_recut_ordered(state: TableState, event: RecutOrdered) -> TableState:
    """Put the cut and the steps after it on the agenda again."""
    deck = state.decks[event.deck]
    how = deck.mixed or "by-hand"
    agenda = (*cut_steps(state, how), *load_steps(state, how))
    return _with_deck(state, event.deck, replace(deck, agenda=agenda, cut=False))


def _on_shuffle_ordered(state: TableState, event: ShuffleOrdered) -> TableState:
    deck = state.decks[event.deck]
    return _with_deck(state, event.deck, replace(deck, agenda=reshuffle_steps(state, deck)))


def _on_round_began(state: TableState, event: RoundBegan) -> TableState:
    round_state = new_round(state.rules, state.seats, count_due=event.count_due)
    deck = replace(state.decks[event.deck], in_shuffler=False)
    state = _with_deck(state, event.deck, deck)
    return replace(state, round=round_state, round_number=event.number, at=max(state.at, event.at))


def _on_device_failed(state: TableState, event: DeviceFailed) -> TableState:
    """Reshuffle the cards, those in the machine too, after the rulebook's steps for a failed machine."""
    failed = (*(each for each in state.failed if each != event.device), event.device)
    state = replace(state, failures=state.failures + 1, failed=failed)
    number = state.active if event.deck is None else event.deck
    trouble = steps_in_order(state.game.rulebook.devices.trouble)
    in_play = state.active if state.round is not None and state.round.dealt_mask else None
    for each, deck in enumerate(state.decks):
        inside = event.device == "shuffler" and deck.in_shuffler
        if deck.removed or each == in_play or not (inside or each == number):
            continue
        agenda = (*(trouble if each == number else ()), *reshuffle_steps(state, deck))
        state = _with_deck(state, each, replace(deck, agenda=agenda))
    return state


def _on_swap_ordered(state: TableState, _event: SwapOrdered) -> TableState:
    swap = steps_in_order(state.game.rulebook.devices.swap)
    deck = state.decks[state.active]
    state = _with_deck(state, state.active, replace(deck, agenda=(*swap, *reshuffle_steps(state, deck))))
    return replace(state, failures=0, failed=())


def _on_device_seen_to(state: TableState, event: DeviceSeenTo) -> TableState:
    state = _clear_failure(state, event.device)
    return _reshuffle_decks(replace(state, away=(*state.away, event.device)))


def _on_device_returned(state: TableState, event: DeviceReturned) -> TableState:
    return _reshuffle_decks(replace(state, away=tuple(each for each in state.away if each != event.device)))


def _on_method_switched(state: TableState, event: MethodSwitched) -> TableState:
    rules = RoundRules(state.game, event.method)
    return _reshuffle_decks(replace(state, rules=rules, by_hand=event.by_hand, failed=()))


def _reshuffle_decks(state: TableState) -> TableState:
    """Reshuffle the decks with the equipment that is now in use."""
    rules = RoundRules(state.game, state.method, by_hand=shuffle_method(state) == "by-hand")
    state = replace(state, rules=rules)
    decks = tuple(
        deck if deck.removed else replace(deck, agenda=reshuffle_steps(state, deck)) for deck in state.decks
    )
    return replace(state, decks=decks)


def _on_went_idle(state: TableState, event: WentIdle) -> TableState:
    """Spread every deck, the one in the shuffler too."""
    phase: TablePhase = "idle"
    agenda = idle_steps(state)
    decks = tuple(
        deck if deck.removed else replace(deck, agenda=agenda, in_shuffler=False) for deck in state.decks
    )
    return replace(state, phase=phase, spread=event.spread, decks=decks)


def _on_player_arrived(state: TableState, _event: PlayerArrived) -> TableState:
    phase: TablePhase = "open"
    arrival = arrival_steps(state)
    decks = tuple(
        deck if deck.removed else replace(deck, agenda=(*deck.agenda, *arrival)) for deck in state.decks
    )
    return replace(state, phase=phase, spread=None, decks=decks)


def _on_last_hand_called(state: TableState, _event: LastHandCalled) -> TableState:
    return replace(state, last_hand=True)


def _on_table_closed(state: TableState, event: TableClosed) -> TableState:
    phase: TablePhase = "closed"
    moment = max(state.at, event.at)
    unchanged = {name: getattr(state, name) for name in KEPT_WHEN_CLOSED}
    return replace(new_table(state.game), phase=phase, at=moment, **unchanged)


def _on_round_event(state: TableState, event: RoundEvent) -> TableState:
    """Apply an event to the round, then its effect on the table."""
    if state.round is not None:
        state = replace(state, round=evolve_round(state.round, event))
    effect = _ROUND_EFFECTS.get(type(event))
    return state if effect is None else effect(state, event)


def _on_seat_taken(state: TableState, event: SeatTaken) -> TableState:
    return replace(state, seats=dict(sorted({**state.seats, event.position: event.player}.items())))


def _on_seat_left(state: TableState, event: SeatLeft) -> TableState:
    return replace(state, seats={p: who for p, who in state.seats.items() if p != event.position})


def _on_cards_dealt(state: TableState, event: CardsDealt) -> TableState:
    return _draw_cards(state, event.cards)


def _on_face_up_card_discarded(state: TableState, event: FaceUpCardDiscarded) -> TableState:
    return _draw_cards(state, (event.card,))


def _on_step_done(state: TableState, event: StepDone) -> TableState:
    return replace(state, since_count=-1) if event.step == "count_stub" else state


def _draw_cards(state: TableState, cards: tuple[int, ...]) -> TableState:
    """Remove drawn cards from the deck."""
    deck = state.decks[state.active]
    order = None if deck.order is None else tuple(card for card in deck.order if card not in cards)
    return _with_deck(state, state.active, replace(deck, order=order, left=deck.left - len(cards)))


def _on_round_finished(state: TableState, event: RoundEnded | RoundVoided) -> TableState:
    """End the round: collect its cards for the next shuffle, and switch to the other deck."""
    assert state.round is not None
    if state.round.betting_stage != "first-card":
        return replace(state, round=None, last_round=state.round)
    rules = state.game.rulebook.shuffling
    if isinstance(event, RoundEnded):
        state = _clear_failure(state, "shoe")
    number, deck = state.active, state.decks[state.active]
    removed = isinstance(event, RoundVoided) and "remove-deck" in event.consequences
    agenda = round_steps(state) if rules.every_round.value else load_steps(state, deck.mixed or "by-hand")
    trouble = steps_in_order(state.game.rulebook.devices.trouble) if state.failed else ()
    gathered = None if deck.order is None else DECK
    deck = replace(
        deck, agenda=() if removed else (*trouble, *agenda), order=gathered, left=DECK_SIZE, removed=removed
    )
    state = _with_deck(state, number, deck)
    turns = len(state.decks) > 1 and is_set(rules.alternate) and shuffle_method(state) == "by-machine"
    return replace(
        state,
        round=None,
        last_round=state.round,
        active=1 - number if turns else number,
        since_count=state.since_count + 1,
        hand=None,
    )


_HANDLERS: dict[type, Handler] = {
    TableOpened: _on_table_opened,
    DeckBrought: _on_deck_brought,
    StepPrepared: _on_step_prepared,
    DeckOrdered: _on_deck_ordered,
    DeckRemoved: _on_deck_removed,
    DeckPutInShuffler: _on_deck_put_in_shuffler,
    RecutOrdered: _on_recut_ordered,
    ShuffleOrdered: _on_shuffle_ordered,
    RoundBegan: _on_round_began,
    DeviceFailed: _on_device_failed,
    DeviceSeenTo: _on_device_seen_to,
    DeviceReturned: _on_device_returned,
    SwapOrdered: _on_swap_ordered,
    MethodSwitched: _on_method_switched,
    WentIdle: _on_went_idle,
    PlayerArrived: _on_player_arrived,
    LastHandCalled: _on_last_hand_called,
    TableClosed: _on_table_closed,
}
_ROUND_EFFECTS: dict[type, Handler] = {
    SeatTaken: _on_seat_taken,
    SeatLeft: _on_seat_left,
    CardsDealt: _on_cards_dealt,
    FaceUpCardDiscarded: _on_face_up_card_discarded,
    StepDone: _on_step_done,
    RoundEnded: _on_round_finished,
    RoundVoided: _on_round_finished,
}
"""Effects of round events on the table."""
