"""Jackpot simulation: a progressive meter followed through every round of months or years."""
