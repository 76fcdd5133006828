"""Event differences as text: the name of an event, and how it differs from the expected one."""

from typing import Any

import msgspec

from fourcard.cards import DECK_SIZE, cards_text

MAX_LENGTH = 200
"""Longer values are cut."""
FIELD_NAMES = {"to": "place", "by": "author", "at": "moment"}


def named(event: Any) -> str:
    """Return the name of an event in words: ``wager placed``."""
    return str(type(event).__struct_config__.tag).replace("_", " ")


def difference(event: Any, must: Any) -> str:
    """Describe how an event differs from the expected one."""
    if type(event) is not type(must):
        wanted = named(must) if hasattr(must, "__struct_fields__") else _format(must)
        return f"It is {named(event)}, and must be {wanted}."
    parts = [
        f"its {FIELD_NAMES.get(name, name)} must be {_format(wanted)}, not {_format(has)}"
        for name in event.__struct_fields__
        if (has := getattr(event, name)) != (wanted := getattr(must, name))
    ]
    return f"By the rules {'; '.join(parts)}."


def _format(value: object) -> str:
    """Format a value: cards as cards, anything else as JSON, cut where it is long."""
    text = cards_text(value) if _are_cards(value) else msgspec.json.encode(value).decode()  # type: ignore[arg-type]
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 3]}..."


def _are_cards(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(_is_card(each) for each in value)


def _is_card(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < DECK_SIZE
