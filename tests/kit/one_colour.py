"""One Colour, a toy wager for tests: the player's five cards are all red or all black, or of one suit."""

from fourcard.cards import suit_of
from fourcard.wagers.specification import SpotLook, WagerSpecification

RED = (1, 2)
"""Diamonds and hearts."""


def rows_won(cards: tuple[int, ...]) -> tuple[str, ...]:
    """Return the rows that five cards win, the best first."""
    suits = {suit_of(card) for card in cards}
    if len({suit in RED for suit in suits}) > 1:
        return ()
    return ("one_suit", "one_colour") if len(suits) == 1 else ("one_colour",)


SPECIFICATIONS = (
    WagerSpecification(
        name="one_colour",
        label="One Colour",
        rank=45,
        rows=("one_suit", "one_colour"),
        rows_won=rows_won,
        own_hand=True,
        spot=SpotLook("Colour", "O", "box", "#ff77cc"),
    ),
)
