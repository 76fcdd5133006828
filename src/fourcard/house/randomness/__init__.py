"""RNG tests: statistical tests of shuffled decks and of the bytes behind them."""
