"""Narration lines as sent to the page."""

import msgspec

from fourcard.wording import Sentence


class Told(msgspec.Struct, frozen=True):
    """One sentence of narration, with its clauses and the position it is about (0: none)."""

    text: str
    clauses: tuple[str, ...]
    position: int


def told(sentence: Sentence) -> Told:
    """Return a sentence as sent to the page."""
    return Told(sentence.text, sentence.clauses, sentence.position or 0)
