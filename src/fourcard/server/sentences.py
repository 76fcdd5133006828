"""Sentences of what happened, as the page gets them."""

import msgspec

from fourcard.wording import Sentence


class Told(msgspec.Struct, frozen=True):
    """One sentence of what happened, with its clauses and the position that it is about (0: nobody's)."""

    text: str
    clauses: tuple[str, ...]
    position: int


def told(sentence: Sentence) -> Told:
    """Return a sentence as the page gets it."""
    return Told(sentence.text, sentence.clauses, sentence.position or 0)
