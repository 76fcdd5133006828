"""Simulation: full rounds dealt, decided and settled by the million, to confirm what is counted elsewhere."""
