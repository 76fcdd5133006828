"""A table: opening and closing, decks, shuffle and cut, seats, devices, and its rounds."""
