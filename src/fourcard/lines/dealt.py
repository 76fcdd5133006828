"""Showdown of a line: checks that hands are complete and cards unique, and builds the seats."""

from itertools import chain

from fourcard.cards import CardsError, card_text, cards_named
from fourcard.hands import HAND_SIZE, Hand, best_of, rank_four
from fourcard.lines.line import Line, SeatLine
from fourcard.refusals import Code, PositionRefusedError, Refusal, RefusedError, refuse
from fourcard.rules.nodes import WagerName
from fourcard.settling import Settler
from fourcard.wagers.showdown import Seat, Showdown

PLAYER_CARDS = 5
DEALER_CARDS = 6


def showdown_of(line: Line, settler: Settler) -> Showdown | None:
    """Return the showdown; None for a void round with incomplete hands."""
    dealt = [_cards(seat.cards, f"position {seat.position}", seat.position) for seat in line.seats]
    dealer = _cards(line.dealer, "the dealer")
    bonus = _cards(line.bonus_card, "the bonus card") if line.bonus_card is not None else None
    problem = _deal_refusal(line, dealt, dealer, bonus)
    if problem is not None:
        if line.void is not None:
            return None
        raise problem
    seats = [_seat(seat, cards, settler) for seat, cards in zip(line.seats, dealt, strict=True)]
    return settler.showdown(seats, dealer, bonus[0] if bonus else None)


def _seat(seat: SeatLine, cards: tuple[int, ...], settler: Settler) -> Seat:
    wagers = wagers_of(seat)
    player = f"position {seat.position}" if seat.player is None else f"player {seat.player}"
    standing = settler.standing(wagers, seat.play, left=seat.left)
    hand = (
        best_of(sorted(cards, reverse=True)) if seat.presented is None else _presented(seat, cards, settler)
    )
    return Seat(seat.position, player, cards, hand, wagers, standing)


def _presented(seat: SeatLine, cards: tuple[int, ...], settler: Settler) -> Hand:
    """Return the hand that a player set, where players set their hands (IA-COMP-1.2, R27)."""
    if settler.game.settings.get("player_sets_hand") is not True:
        raise PositionRefusedError(refuse(Code.PRESENTED_UNASKED, ("R27",)), seat.position)
    four = _cards(seat.presented or "", f"position {seat.position}", seat.position)
    if len(four) != HAND_SIZE or len(set(four)) != HAND_SIZE or not set(four) <= set(cards):
        raise PositionRefusedError(refuse(Code.PRESENTED_FOREIGN, ("R27",)), seat.position)
    return rank_four(four)


def wagers_of(seat: SeatLine) -> dict[WagerName, int]:
    """Return every wager of a seat, Play included."""
    wagers: dict[WagerName, int] = dict(seat.wagers.items())
    if seat.play:
        wagers["play"] = seat.play
    return wagers


def _cards(text: str, whose: str, position: int | None = None) -> tuple[int, ...]:
    try:
        return cards_named(text)
    except CardsError as error:
        refusal = refuse(Code.CARD_UNKNOWN, whose=whose, reason=str(error).rstrip("."))
        raise _refused(refusal, position) from None


def _refused(refusal: Refusal, position: int | None) -> RefusedError:
    return RefusedError(refusal) if position is None else PositionRefusedError(refusal, position)


def _deal_refusal(
    line: Line, dealt: list[tuple[int, ...]], dealer: tuple[int, ...], bonus: tuple[int, ...] | None
) -> RefusedError | None:
    """Return an error for a wrong number of cards or a repeated card."""
    for seat, cards in zip(line.seats, dealt, strict=True):
        if len(cards) != PLAYER_CARDS:
            return _refused(_count(f"position {seat.position}", cards, PLAYER_CARDS), seat.position)
    if len(dealer) != DEALER_CARDS:
        return RefusedError(_count("the dealer", dealer, DEALER_CARDS))
    if bonus is not None and len(bonus) != 1:
        return RefusedError(_count("the bonus card", bonus, 1))
    every = [*chain.from_iterable(dealt), *dealer, *(bonus or ())]
    if len(set(every)) < len(every):
        twice = next(card for card in every if every.count(card) > 1)
        own = (seat.position for seat, cards in zip(line.seats, dealt, strict=True) if cards.count(twice) > 1)
        return _refused(refuse(Code.CARD_REPEATED, card=card_text(twice)), next(own, None))
    return None


def _count(whose: str, cards: tuple[int, ...], wanted: int) -> Refusal:
    return refuse(
        Code.CARD_COUNT,
        whose=whose,
        count=f"{len(cards)} card{'' if len(cards) == 1 else 's'}",
        wanted=wanted,
    )
