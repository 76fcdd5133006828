"""Validation errors: turns msgspec's message into a refusal with the exact file and place."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.rules.cited import from_text

TOP = "the top of the file"
HIDDEN = "[...]"


def validation_refusal(
    error: msgspec.ValidationError, raw: dict[str, Any], shape: type, file: str
) -> Refusal:
    """Return the refusal for a validation error, with file and place."""
    what, path = _split_message(str(error))
    of_key, _, _ = path.partition("$")
    keys = [*_exact(raw, shape, what, path.removeprefix(of_key))]
    place = ".".join(keys).replace(".[", "[") or TOP
    if (unknown := _unknown_key(what, of_key)) is not None:
        hint = suggestion(unknown, _known_keys(msgspec.inspect.type_info(shape), keys))
        return refuse(Code.KEY_UNKNOWN, file=file, place=place, key=unknown, hint=hint)
    if missing := re.fullmatch(r"Object missing required field `(.+)`", what):
        if missing[1] == "clauses":
            return refuse(Code.CLAUSE_MISSING, file=file, place=place)
        return refuse(Code.KEY_MISSING, file=file, place=place, key=missing[1])
    if "is not an award" in what:
        return refuse(Code.ODDS_MALFORMED, file=file, place=place, reason=what.rstrip("."))
    return refuse(Code.VALUE_UNFIT, file=file, place=place, reason=_plainly(what))


def _unknown_key(what: str, of_key: str) -> str | None:
    """Return the unknown key of a validation error, or None."""
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", what, re.DOTALL):
        return unknown[1]
    word = re.fullmatch(r"Invalid enum value '(.*)'", what, re.DOTALL)
    return word[1] if word is not None and "key" in of_key else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the closest known word, if any."""
    near = get_close_matches(word.lower(), known, 1)
    return f" (did you mean '{near[0]}'?)." if near else "."


def _known_keys(kind: msgspec.inspect.Type, keys: Sequence[str]) -> list[str]:
    """Return the allowed keys at a place of a file."""
    if isinstance(kind, msgspec.inspect.UnionType):
        return [key for each in kind.types for key in _known_keys(each, keys)]
    if isinstance(kind, msgspec.inspect.StructType):
        below = (field.type for field in kind.fields if field.encode_name == keys[0]) if keys else ()
        own = [field.encode_name for field in kind.fields] if not keys else []
        return own + [key for each in below for key in _known_keys(each, keys[1:])]
    if isinstance(kind, msgspec.inspect.DictType):
        if keys:
            return _known_keys(kind.value_type, keys[1:])
        return (
            [*map(str, kind.key_type.values)]
            if isinstance(kind.key_type, msgspec.inspect.LiteralType)
            else []
        )
    if isinstance(kind, msgspec.inspect.VarTupleType) and keys:
        return _known_keys(kind.item_type, keys[1:])
    return []


def _split_message(error: str) -> tuple[str, str]:
    """Split a message into fault and path at the last mark; the file itself may contain the mark."""
    what, mark, path = error.rpartition(" - at `")
    return (what, path) if mark else (error, "")


def _plainly(what: str) -> str:
    """Return msgspec's message in plain words."""
    if word := re.fullmatch(r"Invalid enum value (.+)", what, re.DOTALL):
        return f"{word[1]} is not one of the values allowed here"
    plain = re.sub(r"`(.+?)`", lambda kinds: _kinds(kinds[1]), what).rstrip(".")
    return plain[:1].lower() + plain[1:]


def _kinds(names: str) -> str:
    words = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}
    words |= {"object": "a table", "array": "a list", "null": "nothing"}
    return " or ".join(words.get(name, name) for name in names.split(" | "))


def _exact(raw: dict[str, Any], shape: type, what: str, path: str) -> Iterator[str]:
    """Yield the keys of a path; find a hidden key by trying each one alone until the fault remains."""
    keys = re.findall(r"\[[^]]*\]|[^.\[\]]+", path.strip("`").removeprefix("$"))
    trial = raw
    for number, key in enumerate(keys):
        found = key
        if key == HIDDEN:
            holder = _at(trial, keys[:number])
            for name in holder if isinstance(holder, dict) else ():
                alone = _with(trial, keys[:number], {name: holder[name]})
                if _split_message(_fault(alone, shape))[0] == what:
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
