"""Laboratory kit: numbered test rounds with fixed answers, and the check that runs them.

A kit is a file of JSON lines. The first line is the head; each other line says what it shows and gives a
round and the required answer: hands, nets, meter, and the steps in order. A kit never changes; what is new
goes into the next kit, which names the earlier rounds that rulings have changed.
"""

from collections.abc import Iterator
from importlib.resources import files
from itertools import zip_longest

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.settle_files.settle import answer_line, encode_answer

KIT = "kit-2.jsonl"
STEP_KEYS = ("position", "wager", "action", "amount", "from", "hand")
ANSWER_KEYS = ("id", "seats", "dealer", "meter", "refused")


class KitHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a kit."""

    kit: int
    rounds: int
    about: str
    changed: dict[str, str] = {}
    """Rounds of earlier kits with another answer since, by id, each with the ruling that changed it."""


class KitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Test round: what it shows, the round, and the required answer."""

    shows: str
    clauses: tuple[str, ...]
    round: msgspec.Raw
    answer: dict[str, object]


class AnswerChange(msgspec.Struct, frozen=True):
    """Change at one place of an answer; None means nothing there."""

    at: str
    expected: object
    given: object


class KitDifference(msgspec.Struct, frozen=True):
    """Test round whose answer differs from the kit."""

    shows: str
    expected: dict[str, object]
    given: dict[str, object]
    changes: tuple[AnswerChange, ...]
    ruling: str = ""
    """The ruling that has changed the answer since the kit was made; empty where nothing explains it."""


def kit_text() -> bytes:
    """Return the kit of the package."""
    return files(__package__).joinpath(KIT).read_bytes()


def read_kit(text: bytes, name: str) -> tuple[KitHead, tuple[KitLine, ...]]:
    """Return a kit's head and rounds, or refuse an invalid or incomplete file."""
    try:
        first, *rest = text.splitlines()
        head = msgspec.json.decode(first, type=KitHead)
        rounds = tuple(msgspec.json.decode(line, type=KitLine) for line in rest)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        reason = "it is not a kit of test rounds"
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=name, reason=reason)) from None
    if len(rounds) != head.rounds:
        reason = f"it has {len(rounds)} rounds and says {head.rounds}"
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=name, reason=reason))
    return head, rounds


def kit_differences(head: KitHead, rounds: tuple[KitLine, ...]) -> Iterator[KitDifference | None]:
    """Yield the difference of each round's answer from the kit, or None."""
    latest, _ = read_kit(kit_text(), KIT)
    changed = latest.changed if head.kit < latest.kit else {}
    for each in rounds:
        given = fixed_part(encode_answer(answer_line(bytes(each.round))))
        yield None if given == each.answer else _differing(each, given, changed)


def _differing(line: KitLine, given: dict[str, object], changed: dict[str, str]) -> KitDifference:
    changes, ruling = tuple(_changes("", line.answer, given)), changed.get(str(line.answer["id"]), "")
    return KitDifference(line.shows, line.answer, given, changes, ruling)


def _changes(at: str, expected: object, given: object) -> Iterator[AnswerChange]:
    """Yield the changes place by place; a refusal against a settlement is one change."""
    if isinstance(expected, dict) and isinstance(given, dict):
        refused = ("refused" in expected) != ("refused" in given)
        for key in ("refused",) if refused else {**expected, **given}:
            yield from _changes(f"{at}.{key}".lstrip("."), expected.get(key), given.get(key))
    elif isinstance(expected, list) and isinstance(given, list):
        for number, (one, other) in enumerate(zip_longest(expected, given), 1):
            yield from _changes(f"{at} {number}", one, other)
    elif expected != given:
        yield AnswerChange(at, expected, given)


def fixed_part(answer: bytes) -> dict[str, object]:
    """Return the part of an answer that a kit fixes, without fingerprint and clauses."""
    whole = msgspec.json.decode(answer)
    fixed = {key: whole[key] for key in ANSWER_KEYS if key in whole}
    if "refused" in fixed:
        return {**fixed, "refused": {key: whole["refused"][key] for key in ("code", "name")}}
    return {**fixed, "steps": [{key: step[key] for key in STEP_KEYS} for step in whole["steps"]]}
