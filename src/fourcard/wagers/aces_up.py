"""Aces Up: the player's best four cards against a table, from a pair of aces up, whatever the dealer holds.

A player bets on it alone, on the Ante alone, or on both (SM-INT-2, WA-INT-2, IA-INT-2, MA-6a1.1, MA-6a3,
SM-DEAL-1.1, SM-DEAL-1.3, MD-07E3, WA-DEAL-1.1, WA-DEAL-1.3, IA-WAG-2c): two contests with paytables of their
own (SM-W3-1, WA-W3-1, IA-INT-10), in amounts that may differ (SM-W3-2, WA-W3-2, IA-INT-11). A fold leaves it
in play (MA-10b.4, SM-DEAL-3.2, MD-11C1, WA-DEAL-3.2); R1 reads IA-INT-9 so.
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
