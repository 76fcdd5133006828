"""How the audit tells of events: what they are called, and in what one differs from what it must be."""

from typing import Any

import msgspec

from fourcard.cards import DECK_SIZE, cards_text

LONGEST = 200
"""No value is told at greater length."""
WORDS = {"to": "place", "by": "author", "at": "moment"}


def named(event: Any) -> str:
    """Return what an event is called, as a person reads it: ``wager placed``."""
    return str(type(event).__struct_config__.tag).replace("_", " ")


def difference(event: Any, must: Any) -> str:
    """Say in what an event differs from what it must be."""
    if type(event) is not type(must):
        wanted = named(must) if hasattr(must, "__struct_fields__") else _told(must)
        return f"It is {named(event)}, and must be {wanted}."
    parts = [
        f"its {WORDS.get(name, name)} must be {_told(wanted)}, not {_told(has)}"
        for name in event.__struct_fields__
        if (has := getattr(event, name)) != (wanted := getattr(must, name))
    ]
    return f"By the rules {'; '.join(parts)}."


def _told(value: object) -> str:
    """Return a value as a person reads it: cards as cards, anything else in JSON, not too long."""
    text = cards_text(value) if _are_cards(value) else msgspec.json.encode(value).decode()  # type: ignore[arg-type]
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _are_cards(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(_is_card(each) for each in value)


def _is_card(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < DECK_SIZE
