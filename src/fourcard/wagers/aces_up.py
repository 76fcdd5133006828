"""Aces Up: the player's best four cards against a table, from a pair of aces up, whatever the dealer holds.

It may be placed alone, and a fold leaves it in play (MA-10b.4, SM-DEAL-3.2, MD-11C1, WA-DEAL-3.2, R1).
"""

from fourcard.wagers.wager import PaytableSettler


class AcesUpSettler(PaytableSettler):
    """The wager on the player's own four cards."""

    name = "aces_up"
    own_hand = True
