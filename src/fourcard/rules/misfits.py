"""Saying what in a file does not fit, and exactly where: msgspec finds the fault but hides some keys."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.nodes import from_text

TOP = "the top of the file"
HIDDEN = "[...]"


def misfit(error: msgspec.ValidationError, raw: dict[str, Any], shape: type, file: str) -> Refusal:
    """Return the refusal that says what a validation found, with file and place."""
    what, path = _apart(str(error))
    of_key, _, _ = path.partition("$")
    place = ".".join(_exact(raw, shape, what, path.removeprefix(of_key))).replace(".[", "[") or TOP
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", what, re.DOTALL):
        return refuse(Code.KEY_UNKNOWN, file=file, place=place, key=unknown[1])
    if (word := re.fullmatch(r"Invalid enum value '(.*)'", what, re.DOTALL)) and "key" in of_key:
        return refuse(Code.KEY_UNKNOWN, file=file, place=place, key=word[1])
    if missing := re.fullmatch(r"Object missing required field `(.+)`", what):
        if missing[1] == "clauses":
            return refuse(Code.CLAUSE_MISSING, file=file, place=place)
        return refuse(Code.KEY_MISSING, file=file, place=place, key=missing[1])
    if "is not an award" in what:
        return refuse(Code.ODDS_MALFORMED, file=file, place=place, reason=what.rstrip("."))
    return refuse(Code.VALUE_UNFIT, file=file, place=place, reason=_plainly(what))


def _apart(error: str) -> tuple[str, str]:
    """Split what is wrong from where it is; the words may come from the file, so the last mark counts."""
    what, mark, path = error.rpartition(" - at `")
    return (what, path) if mark else (error, "")


def _plainly(what: str) -> str:
    """Say in plain words what kind of value was wanted."""
    if word := re.fullmatch(r"Invalid enum value (.+)", what, re.DOTALL):
        return f"{word[1]} is not one of the values allowed here"
    plain = re.sub(r"`(.+?)`", lambda kinds: _kinds(kinds[1]), what).rstrip(".")
    return plain[:1].lower() + plain[1:]


def _kinds(names: str) -> str:
    words = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}
    words |= {"object": "a table", "array": "a list", "null": "nothing"}
    return " or ".join(words.get(name, name) for name in names.split(" | "))


def _exact(raw: dict[str, Any], shape: type, what: str, path: str) -> Iterator[str]:
    """Yield the keys of a path, finding each hidden one by leaving out all others until the fault stays."""
    keys = re.findall(r"\[[^]]*\]|[^.\[\]]+", path.strip("`").removeprefix("$"))
    trial = raw
    for number, key in enumerate(keys):
        found = key
        if key == HIDDEN:
            holder = _at(trial, keys[:number])
            for name in holder if isinstance(holder, dict) else ():
                alone = _with(trial, keys[:number], {name: holder[name]})
                if _apart(_fault(alone, shape))[0] == what:
                    trial, found = alone, str(name)
                    break
        keys[number] = found
        yield found


def _at(raw: Any, keys: list[str]) -> Any:
    for key in keys:
        raw = raw.get(key) if isinstance(raw, dict) else None
    return raw


def _with(raw: dict[str, Any], keys: list[str], value: Any) -> dict[str, Any]:
    if not keys:
        return dict(value)
    return {**raw, keys[0]: _with(raw[keys[0]], keys[1:], value)}


def _fault(raw: dict[str, Any], shape: type) -> str:
    try:
        msgspec.convert(raw, shape, dec_hook=from_text)
    except msgspec.ValidationError as error:
        return str(error)
    return ""
