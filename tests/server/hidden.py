"""What lies face down to whom: which cards some people may not have seen, and decks in which these moved."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from fourcard.round.state import FINISHED, RoundState

Same = Callable[[tuple[int, ...], tuple[int, ...]], bool]
"""Says whether two hands of a bot lead to the same decision."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Something that somebody was sent, and at which step of the run."""

    step: int
    to: str
    how: str
    what: bytes


@dataclass(slots=True)
class Run:
    """What a run of a script was like."""

    sent: list[Sent] = field(default_factory=list)
    opened: dict[str, dict[int, list[tuple[int, frozenset[int]]]]] = field(default_factory=dict)
    """By group and shuffle, the cards that lay open to it, each with the step from which on they did."""
    bots: dict[int, list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)
    """By shuffle, the hands of bots, each with the step at which it was decided on."""
    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By shuffle, the order that it gave."""
    waits: dict[str, list[int]] = field(default_factory=dict)
    """What the table waited for, and at which steps."""
    early: list[tuple[Sent, set[str]]] = field(default_factory=list)
    """What named cards that did not lie open to whom it was sent, and these cards."""
    named: int = 0
    """How many cards messages named."""
    voids: int = 0
    rounds: int = 0
    steps: int = 0


def may_see(state: RoundState, group: str) -> frozenset[int]:
    """Return the cards that lie open to a group in a round, by what happened to each of them."""
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
    """Return the decks of a run, with every card elsewhere that a group may not have seen up to a moment."""
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
