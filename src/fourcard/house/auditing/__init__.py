"""The audit of a house: everything rebuilt from its journal alone, and held against what is kept."""
