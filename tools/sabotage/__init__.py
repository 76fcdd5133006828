"""Sabotage: alters rules one by one, in the rulebooks and in the code, and expects their tests to fail."""
