"""One round of play: commands, events, state, decide, evolve, and what each viewer may see."""
