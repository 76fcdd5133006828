"""One round of play: commands that are decided, events that are folded, and who may see what."""
