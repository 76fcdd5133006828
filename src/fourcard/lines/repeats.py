"""Duplicate keys: JSON lets the last one win, but a round with two Antes is a mistake.

The check is cheap: a line with no more colons than keys has no duplicates. Only other lines are decoded again
to count keys, and only if the count differs is the key searched.
"""

import json
import re
from collections import Counter

import msgspec

from fourcard.lines.line import NO_PROOF, NOTHING, Line

KEY = re.compile(rb'"\s*:')


def may_repeat(text: bytes | str, line: Line) -> bool:
    """Say whether a line may have a duplicate key outside options, settings and proof."""
    colons = text.count(b":") if isinstance(text, bytes) else text.count(":")
    return colons > _keys_at_least(line)


def _keys_at_least(line: Line) -> int:
    """Return the minimum number of keys of a line, plus every colon in options, settings and proof."""
    keys = 2 + (line.dealer != "")
    for value in (line.id, line.edition, line.bonus_card, line.meter, line.reset, line.void):
        keys += value is not None
    for raw in (line.options, line.settings, line.proof):
        if raw is not NOTHING and raw is not NO_PROOF:
            keys += 1 + bytes(raw).count(b":")
    for seat in line.seats:
        keys += 2 + len(seat.wagers) + (seat.cards != "") + seat.left
        keys += (seat.player is not None) + (seat.play is not None) + (seat.presented is not None)
    return keys


def repeated_key(text: bytes | str) -> str | None:
    """Return a duplicate key of a JSON text, or None; invalid JSON is refused elsewhere."""
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        counts = Counter(key for key, _ in pairs)
        found.extend(key for key, count in counts.items() if count > 1)

    try:
        raw = text if isinstance(text, bytes) else text.encode()
        if len(KEY.findall(raw)) > _keys_in(msgspec.json.decode(raw)):
            json.loads(raw, object_pairs_hook=note, parse_int=str, parse_float=str)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return found[0] if found else None


def _keys_in(value: object) -> int:
    """Return the number of distinct keys of all objects in a JSON value."""
    if isinstance(value, dict):
        return len(value) + sum(_keys_in(each) for each in value.values() if isinstance(each, dict | list))
    if isinstance(value, list):
        return sum(_keys_in(each) for each in value if isinstance(each, dict | list))
    return 0
