"""Bots: players without a person, what they wager and how they decide.

A bot places the smallest wagers that the game offers and that its policy wants, and decides by a strategy,
within the limits and its money. Nothing is drawn: the same state and policy give the same command.
"""

from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import blake2b

import msgspec

from fourcard.hands import Category, best_hand
from fourcard.refusals import Refusal
from fourcard.round.commands import Fold, PlaceWager, PlaceWagers, Play
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import PositionState, RoundState
from fourcard.rules.game import Game
from fourcard.rules.limits import least_wager, play_refusal
from fourcard.table.decide import decide
from fourcard.table.state import TableState
from fourcard.wagers import LIMITED_WAGERS, WagerName

Strategy = Callable[["PlayerSpot"], int]
"""A player's strategy: returns the Play wager in Antes, 0 for a fold."""
Appetite = Callable[[PlaceWager, int], bool]
"""Says whether a bot wants a wager in the round with a number."""
Purse = Callable[[str], int]
"""Returns the money of a player, in cents."""


class PlayerSpot:
    """What a player knows when deciding: the own cards, the up card and the Ante."""

    def __init__(self, state: RoundState, position: int) -> None:
        """Read what the player at a position may see."""
        place = state.positions[position]
        self.position, self.player = position, place.player
        self.cards, self.ante = place.cards, place.wagers["ante"]
        assert state.up_card is not None
        self.up: int = state.up_card
        self.game: Game = state.rules.game


TENS, THREES = 8, 1
"""Ranks as numbers: a two is 0."""


def basic_strategy(spot: PlayerSpot) -> int:
    """Fold below a pair of threes, play 1x with threes to nines, 3x with tens or better.

    This is the manufacturer's advice for players; it ignores the up card.
    """
    hand = best_hand(spot.cards)
    if hand.category > Category.PAIR or (hand.category is Category.PAIR and hand.ranks[0] >= TENS):
        return 3
    return 1 if hand.category is Category.PAIR and hand.ranks[0] >= THREES else 0


def _plain_appetite(wager: PlaceWager, number: int) -> bool:
    return wager.wager == "ante" or (wager.wager == "aces_up" and (number + wager.position) % 2 == 0)


class BotPolicy(msgspec.Struct, frozen=True):
    """What bots want to wager and how they decide; default: Ante, often Aces Up, and the basic strategy."""

    wants: Appetite = _plain_appetite
    strategy: Strategy = basic_strategy


PLAIN_BOTS = BotPolicy()
WAGER_SHARE = 0.7
PLAYS = (0, 1, 1, 3)


def varied_bots(seed: object) -> BotPolicy:
    """Return a policy that tries every wager and decision, whatever the hand; a seed repeats the choices."""

    def wants(wager: PlaceWager, number: int) -> bool:
        return wager.wager == "ante" or _chance(seed, number, wager.position, wager.wager) < WAGER_SHARE

    def strategy(spot: PlayerSpot) -> int:
        return PLAYS[int(len(PLAYS) * _chance(seed, spot.position, spot.up))]

    return BotPolicy(wants, strategy)


@lru_cache(maxsize=4_096)
def _chance(*of: object) -> float:
    """Return a number from 0 up to 1 that looks random and is always the same for the same values."""
    digest = blake2b(repr(of).encode(), digest_size=6).digest()
    return int.from_bytes(digest) / 256**6


def least_amounts(game: Game) -> list[tuple[WagerName, int]]:
    """Return the smallest amount of each wager on offer, and every stake of the progressive."""
    choice = game.submission.progressive
    stakes = choice.stakes if choice is not None else ()
    return [
        *((wager, least_wager(game, wager)) for wager in LIMITED_WAGERS if game.offers(wager)),
        *(("progressive", int(stake)) for stake in stakes),
    ]


def next_wagers(
    state: TableState, bots: Collection[str], policy: BotPolicy, purse: Purse | None = None
) -> PlaceWager | PlaceWagers | None:
    """Return the wagers of the next bot, or None when each has placed all that it wants and may."""
    if state.round is None or state.round.phase != "betting":
        return None
    for place in state.round.positions.values():
        if place.player in bots and not place.wagers and not place.unregistered:
            money = None if purse is None else purse(place.player)
            wagers = _wagers_of(state, place, policy, money)
            if wagers is not None:
                return wagers
    return None


def _wagers_of(
    state: TableState, place: PositionState, policy: BotPolicy, money: int | None
) -> PlaceWager | PlaceWagers | None:
    """Return all wagers that a bot wants and may place, in one command."""
    wanted = [wager for wager in _least_wagers(state, place) if policy.wants(wager, state.round_number)]
    all_wanted = _together(wanted)
    if _is_accepted(state, all_wanted, money):
        return all_wanted
    found = list[PlaceWager]()
    for wager in wanted:
        if _is_accepted(state, _together([*found, wager]), money):
            found.append(wager)
    return _together(found)


def _least_wagers(state: TableState, place: PositionState) -> list[PlaceWager]:
    position, player = place.position, place.player
    return [
        PlaceWager(position=position, wager=name, amount=amount, by=player, role="player")
        for name, amount in least_amounts(state.game)
    ]


def _together(wagers: list[PlaceWager]) -> PlaceWager | PlaceWagers | None:
    """Return wagers of one position as one command; of several stakes on one wager the first counts."""
    if len(wagers) < 2:
        return wagers[0] if wagers else None
    amounts: dict[WagerName, int] = {}
    for each in wagers:
        amounts.setdefault(each.wager, each.amount)
    return PlaceWagers(position=wagers[0].position, wagers=amounts, by=wagers[0].by, role="player")


def _is_accepted(state: TableState, command: PlaceWager | PlaceWagers | None, money: int | None) -> bool:
    """Say whether a bot has the money for its wagers, and the game accepts them."""
    if command is None:
        return False
    needed = command.amount if isinstance(command, PlaceWager) else sum(command.wagers.values())
    return (money is None or needed <= money) and not isinstance(decide(state, command), Refusal)


def decision(state: RoundState, strategy: Strategy) -> Play | Fold:
    """Return the next player's decision by a strategy."""
    spot = PlayerSpot(state, positions_to_decide(state)[0])
    amount = strategy(spot) * spot.ante
    if not amount:
        return Fold(position=spot.position, by=spot.player, role="player")
    return Play(position=spot.position, amount=amount, by=spot.player, role="player")


def within_limits(strategy: Strategy, purse: Purse | None = None) -> Strategy:
    """Return a strategy that plays what another one wants, or as much of it as limits and money allow."""

    def limited(spot: PlayerSpot) -> int:
        for times in range(strategy(spot), 0, -1):
            amount = times * spot.ante
            covered = purse is None or amount <= purse(spot.player)
            if covered and play_refusal(spot.game, spot.ante, amount) is None:
                return times
        return 0

    return limited
