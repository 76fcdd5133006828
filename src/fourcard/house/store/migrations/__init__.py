"""How the tables of a house came to be what they are, step by step."""
