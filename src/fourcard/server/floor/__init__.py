"""The live tables: what the house does by itself, who watches, and what each of them is shown."""
