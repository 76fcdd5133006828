"""Simulation: deals, decides and settles millions of full rounds, to confirm the exact odds."""
