"""Deal plans: which card goes where, face up or down, for each dealing method of each rulebook.

A plan is a sequence of moves over the order of the deck. It is consumed move by move, so a discarded or
replaced card fits in. A stack keeps the order of the deck: its top card came off first (R78).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from fourcard.cards import DECK_SIZE
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.game import Game
from fourcard.rules.procedures import Dealing, DealingMethod
from fourcard.settlers.showdown import DEALER

EXTRA: Final = -1
"""The extra stack next to the dealer's hand; one of its cards is turned up."""
BONUS: Final = -2
"""The box of the Six Card Bonus."""
DealMoveName = Literal["deal", "verify_hand", "spread_extra_stack", "turn_up_card", "discard_extra_cards"]


class DealMove(msgspec.Struct, frozen=True, gc=False):
    """One move of a deal: cards to a recipient, or an action on cards already dealt."""

    name: DealMoveName
    to: int
    """Recipient: a position, the dealer, the extra stack or the bonus box."""
    count: int
    clauses: tuple[str, ...]
    up: int = 0
    """How many of the cards, the last ones, are dealt face up."""
    place: int = 0
    """Index of the card that is turned up: 0 the top card, -1 the bottom card."""


class DealPlan(msgspec.Struct, frozen=True):
    """Deal plan: every move of one deal."""

    moves: tuple[DealMove, ...]
    player_cards: int
    dealer_cards: int

    @property
    def cards(self) -> int:
        """Return how many cards the deal takes off the deck."""
        return sum(move.count for move in self.moves if move.name == "deal")

    @property
    def stub(self) -> int:
        """Return how many cards a whole deck has left afterwards."""
        return DECK_SIZE - self.cards


def deal_plan(game: Game, positions: Iterable[int], method: DealingMethod | None = None) -> DealPlan:
    """Return the deal plan for these positions, by the submitted method or a fallback."""
    rules = game.rulebook.dealing[method or game.submission.dealing.method]
    served = sorted(positions, reverse=rules.start.value == "dealer-right")
    moves = _in_stacks(game, rules, served) if rules.stack is not None else _in_passes(rules, served)
    return DealPlan(tuple(moves), rules.player_cards.value, rules.dealer_down.value + rules.dealer_up.value)


def _in_passes(rules: Dealing, served: Sequence[int]) -> Iterator[DealMove]:
    """Yield the moves of a deal in passes, dealer last; the dealer's last cards come together (MA-7c.6)."""
    assert rules.cards_a_pass is not None
    assert rules.dealer_together is not None
    each, together = rules.cards_a_pass.value, rules.dealer_together.value
    total = rules.dealer_down.value + rules.dealer_up.value
    players = clauses_of(rules.start, rules.cards_a_pass, rules.player_cards)
    dealer = clauses_of(rules.start, rules.dealer_down)
    passes = -(-rules.player_cards.value // each)
    held = 0
    for _ in range(passes):
        yield from (DealMove("deal", position, each, players) for position in served)
        if held + each <= total - together:
            held += each
            yield DealMove("deal", DEALER, each, dealer)
    last = clauses_of(rules.dealer_down, rules.dealer_up, rules.up_card, rules.dealer_together)
    up = rules.dealer_up.value if rules.up_card.value == "last-card" else 0
    yield DealMove("deal", DEALER, total - held, last, up=up)


def _in_stacks(game: Game, rules: Dealing, served: Sequence[int]) -> Iterator[DealMove]:
    """Yield the moves of a deal in stacks, in the order of the machine."""
    assert rules.order is not None
    order = list(rules.order.value)
    if game.submission.dealing.dealer_first:
        order.remove("players")
        order.append("players")
    for recipient in order:
        if recipient == "players":
            for position in served:
                yield from _player_stack(rules, position)
        elif recipient == "dealer":
            yield from _dealer_stack(game, rules)
        elif recipient == "extra":
            yield from _extra_stack(game, rules)
        elif rules.bonus_cards is not None and _deals_bonus_card(game):
            yield DealMove(
                "deal", BONUS, rules.bonus_cards.value, (*clauses_of(rules.bonus_cards, rules.order), "R15")
            )


def _deals_bonus_card(game: Game) -> bool:
    """Say whether the bonus card is dealt: where its wager is offered, or always by a setting (R15)."""
    return game.offers("six_card") or game.settings.get("bonus_card") == "always"


def _player_stack(rules: Dealing, position: int) -> Iterator[DealMove]:
    assert rules.stack is not None
    yield DealMove(
        "deal",
        position,
        rules.stack.value,
        clauses_of(rules.start, rules.stack, rules.player_cards, rules.order),
    )
    if rules.hands_verified is not None:
        yield DealMove("verify_hand", position, rules.hands_verified.value, clauses_of(rules.hands_verified))


def _dealer_stack(game: Game, rules: Dealing) -> Iterator[DealMove]:
    assert rules.dealer_stack is not None
    yield DealMove(
        "deal",
        DEALER,
        rules.dealer_stack.value,
        clauses_of(rules.dealer_stack, rules.dealer_down, rules.order),
    )
    if rules.up_card.value == "bottom-of-dealer-stack":
        yield _turn_up(game, rules, DEALER)


def _extra_stack(game: Game, rules: Dealing) -> Iterator[DealMove]:
    """Yield the moves of the extra stack: turn one card up and discard the others unseen (MA-9c.7)."""
    if rules.extra_stack is None or rules.burned is None:
        return
    yield DealMove("deal", EXTRA, rules.extra_stack.value, clauses_of(rules.extra_stack, rules.order))
    if is_set(rules.extra_spread):
        yield DealMove("spread_extra_stack", EXTRA, rules.extra_stack.value, clauses_of(rules.extra_spread))
    if rules.up_card.value.endswith("extra-stack"):
        yield _turn_up(game, rules, EXTRA)
    if rules.rest_verified is not None:
        yield DealMove("verify_hand", EXTRA, rules.rest_verified.value, clauses_of(rules.rest_verified))
    yield DealMove("discard_extra_cards", EXTRA, rules.burned.value, clauses_of(rules.burned))


def _turn_up(game: Game, rules: Dealing, to: int) -> DealMove:
    """Return the move that turns up the card at the end of its stack that the rulebook names (R78)."""
    # Stored games of version 0.1 could choose the end; they deal as before.
    end = str(game.settings.get("up_card_end", "as_printed"))
    chosen = (rules.up_card.value if end == "as_printed" else end).partition("-")[0]
    clauses = clauses_of(rules.up_card, rules.dealer_up) if end == "as_printed" else ("R78",)
    return DealMove("turn_up_card", to, 1, clauses, place=0 if chosen == "top" else -1)


def cut_deck(deck: Sequence[int], depth: int) -> tuple[int, ...]:
    """Return a deck after a cut: the cards above the depth go under the rest (MA-5c1iii, MD-05D1)."""
    return (*deck[depth:], *deck[:depth])


def stack_deck(deal: DealPlan, hands: Mapping[int, Sequence[int]], others: Iterable[int]) -> tuple[int, ...]:
    """Return a deck order that deals the given hands; the other cards fill the rest.

    The dealer's hand ends with the up card. The extra stack is filled except for its up card.
    """
    left = {place: list(cards) for place, cards in hands.items()}
    up = left[DEALER].pop() if DEALER in left and len(left[DEALER]) == deal.dealer_cards else None
    rest = iter(others)
    order: list[int] = []
    turned = next((move for move in deal.moves if move.name == "turn_up_card"), None)
    for move in deal.moves:
        if move.name == "deal":
            holds_up = up is not None and _holds_up(move, turned)
            taken = _taken(left.get(move.to, []), rest, move.count - holds_up)
            if up is not None and holds_up:
                taken.insert(0 if turned is not None and turned.place == 0 else len(taken), up)
            order += taken
    return (*order, *rest)


def _holds_up(move: DealMove, turned: DealMove | None) -> bool:
    """Say whether a move takes the up card off the deck."""
    return move.up > 0 if turned is None else move.to == turned.to


def _taken(hand: list[int], rest: Iterator[int], count: int) -> list[int]:
    taken = hand[:count]
    del hand[:count]
    return taken + [next(rest) for _ in range(count - len(taken))]
