"""The odds: every figure counted exactly, the whole game solved, and simulation to confirm it."""
