"""Reports of a house: statements, trial balance, table results, staff, and the progressive."""
