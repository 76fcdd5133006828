"""Checking a submission against its rulebook, clause by clause."""
