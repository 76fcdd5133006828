"""Tests of chance: whether shuffled decks and the bytes behind them look as fair ones do."""
