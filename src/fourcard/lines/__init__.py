"""Rounds as lines of a file: reading and refusing them, answering, and the laboratory's kit."""
