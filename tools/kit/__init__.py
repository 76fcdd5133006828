"""The laboratory's kit: what its rounds are, how they are built, and how their answers are checked."""
