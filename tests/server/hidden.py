"""Hidden cards: which cards a group of people has not seen, and decks with those cards swapped."""

from collections.abc import Callable
from random import Random

import msgspec

from fourcard.round.state import FINISHED, RoundState

Same = Callable[[tuple[int, ...], tuple[int, ...]], bool]
"""Returns whether a bot decides the same with two hands."""


class Sent(msgspec.Struct, frozen=True):
    """Something that was sent to somebody, and at which step of the run."""

    step: int
    to: str
    how: str
    what: bytes


class Run(msgspec.Struct):
    """Record of a scripted run."""

    sent: list[Sent] = []
    opened: dict[str, dict[int, list[tuple[int, frozenset[int]]]]] = {}
    """By group and shuffle, the visible cards, each with the step at which it became visible."""
    bots: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    """By shuffle, the hands of bots, each with the step of its decision."""
    orders: dict[int, tuple[int, ...]] = {}
    """By shuffle, its card order."""
    waits: dict[str, list[int]] = {}
    """What the table waited for, and at which steps."""
    early: list[tuple[Sent, set[str]]] = []
    """Messages that named cards hidden from their reader, with these cards."""
    named: int = 0
    """How many cards messages named."""
    voids: int = 0
    rounds: int = 0
    steps: int = 0


def may_see(state: RoundState, group: str) -> frozenset[int]:
    """Return the cards of a round that a group sees, from what happened to each card."""
    seen = {*state.discarded, *(note.card for note in state.notes)} - {None}
    seen |= {state.up} - {None}
    seen |= {*(state.dealer if state.dealer_shown else ()), *(state.bonus if state.bonus_shown else ())}
    for place in state.places.values():
        if place.face_up or (state.looked and place.player == group):
            seen |= {*place.cards}
    if group == "floor" and state.phase in FINISHED:
        seen |= {card for _, cards in state.rack for card in cards}
    return frozenset(card for card in seen if card is not None)


def permuted(found: Run, group: str, moment: int, chance: Random, same: Same) -> dict[int, tuple[int, ...]]:
    """Return the decks of a run with every card swapped that a group had not seen up to a step."""
    return {shuffle: _permuted(found, group, shuffle, moment, chance, same) for shuffle in found.orders}


def _permuted(
    found: Run, group: str, shuffle: int, moment: int, chance: Random, same: Same
) -> tuple[int, ...]:
    order = found.orders[shuffle]
    opened = [cards for step, cards in found.opened.get(group, {}).get(shuffle, ()) if step <= moment]
    seen = opened[-1] if opened else frozenset[int]()
    hidden = [card for card in order if card not in seen]
    bots = [cards for step, cards in found.bots.get(shuffle, ()) if step <= moment]
    while True:
        to = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
        if all(same(cards, tuple(to.get(card, card) for card in cards)) for cards in bots):
            return tuple(to.get(card, card) for card in order)
