"""The life of a table: opening, decks and their age, shuffle and cut, seats, stub counts, devices, rounds."""
