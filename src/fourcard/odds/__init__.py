"""Odds: exact counts for every wager, the solved game, strategies, and simulation to confirm them."""
