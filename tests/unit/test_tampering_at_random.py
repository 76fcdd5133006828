"""Anything in an event changed at random, the chain worked out anew and nothing signed.

The audit never breaks off. What it does not see is text that no rule speaks of, the keys that callers made
up, and the moment of something that a later moment does not depend on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fourcard.house.auditing.audit import audit
from fourcard.house.outcome import HOUSE
from fourcard.house.records import GENESIS, Head, Recorded, link
from fourcard.house.store.contract import Reading, Store
from tests.audited import original

CHANGES = 30
"""How many for each seed."""
COLUMNS = ("at", "by", "role", "command", "game", "key", "digest")
UNSEEN = {
    ("player_registered", "name"),
    ("staff_hired", "name"),
    ("staff_hired", "roles"),
    ("tray_filled", "slip"),
    ("tray_credited", "slip"),
}
"""What no rule can tell from the truth."""
UNSEEN_COLUMNS = {"at", "key", "digest"}
SEEN: Counter[str] = Counter()
Path = tuple[str | int, ...]


class Rewritten:
    """A store some of whose streams were written anew."""

    def __init__(self, store: Store, streams: Mapping[str, list[Recorded]]) -> None:
        """Take the streams as the forger wants them, the hashes still to be worked out."""
        self.name, self.store = store.name, store
        self.streams = {stream: _chained(records) for stream, records in streams.items()}

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Open a view."""
        with self.store.reading() as reading:
            yield _View(reading, self.streams)

    def writing(self) -> Any:
        """Refuse: an audit writes nothing."""
        raise AssertionError("an audit opened a transaction")

    def close(self) -> None:
        """Let go of nothing."""


class _View:
    def __init__(self, reading: Reading, streams: Mapping[str, list[Recorded]]) -> None:
        self._reading, self._streams = reading, streams

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reading, name)

    def events(self, stream: str, after: int = 0) -> Iterator[Recorded]:
        yield from self._streams.get(stream) or self._reading.events(stream, after)

    def streams(self) -> dict[str, Head]:
        moved = {name: Head(each[-1].sequence, each[-1].hash) for name, each in self._streams.items()}
        return {**self._reading.streams(), **moved}


def _chained(records: list[Recorded]) -> list[Recorded]:
    before, chained = GENESIS, list[Recorded]()
    for record in records:
        before = link(before, record)
        chained.append(replace(record, hash=before))
    return chained


def _places(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the place of everything in plain data that can be changed."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if path and path != ("kind",) and not isinstance(value, dict):
        yield path
    for key, each in inside:
        yield from _places(each, (*path, key))


def _other(value: Any, chance: Random) -> Any:
    """Return something else in place of a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, -value, 0, 2 * value + 1, 10**9, 10**15))
    if isinstance(value, str):
        return chance.choice((f"{value}x", "", "zz"))
    if len(value) > 1 and chance.random() < 0.5:
        return [*value[1:], value[0]]
    return value[1:] if value and chance.random() < 0.5 else value * 2


def _changed(record: Recorded, chance: Random) -> tuple[Recorded, str]:
    """Return an event with one thing in it changed, and what that is."""
    plain = msgspec.json.decode(record.body)
    places = [*_places(plain)]
    if not places or chance.random() < 0.2:
        column = chance.choice(COLUMNS)
        return replace(record, **{column: _other(getattr(record, column), chance)}), column
    path = chance.choice(places)
    inner = plain
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = _other(inner[path[-1]], chance)
    return replace(record, body=msgspec.json.encode(plain)), str(path[0])


@pytest.mark.parametrize("seed", range(4))
def test_a_change_at_random_is_found(seed: int) -> None:
    chance, store = Random(seed), original().memory
    with store.reading() as reading:
        journal = {stream: [*reading.events(stream)] for stream in reading.journal_streams()}
    unsigned = journal[HOUSE][:1]
    for _ in range(CHANGES):
        stream = chance.choice([each for each in journal if each != HOUSE])
        records = [*journal[stream]]
        number = chance.randrange(len(records))
        changed, what = _changed(records[number], chance)
        if changed == records[number]:
            continue
        SEEN["changes"] += 1
        report = audit(
            Rewritten(store, {HOUSE: unsigned, stream: [*records[:number], changed, *records[number + 1 :]]})
        )
        if report.clean:
            SEEN["unseen"] += 1
            assert what in UNSEEN_COLUMNS or (changed.kind, what) in UNSEEN, (changed, records[number])


def test_enough_was_changed() -> None:
    if not SEEN:
        for seed in range(4):
            test_a_change_at_random_is_found(seed)
    assert SEEN["changes"] > 3 * CHANGES
    assert SEEN["unseen"] < SEEN["changes"] // 10
