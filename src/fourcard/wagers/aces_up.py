"""Aces Up: the player's best four cards against a table, from a pair of aces up, whatever the dealer holds.

It may be placed alone, and a fold leaves it in play (MA-10b.4, SM-DEAL-3.2, MD-11C1, WA-DEAL-3.2, R1).
"""

from fourcard.hands import FOUR_CARD_ROWS
from fourcard.wagers.specification import SpotLook, WagerSpecification

SPECIFICATIONS = (
    WagerSpecification(
        name="aces_up",
        label="Aces Up",
        rank=40,
        rows=FOUR_CARD_ROWS,
        own_hand=True,
        spot=SpotLook("Aces Up", "U", "ring"),
    ),
)
