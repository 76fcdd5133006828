"""JSON decoding with refusals that name the invalid key or value and its place."""

from dataclasses import replace
from typing import TypeVar

import msgspec

from fourcard.lines.line import SeatLine
from fourcard.lines.repeats import repeated_key
from fourcard.refusals import Code, PositionRefusedError, Refusal, RefusedError, refuse
from fourcard.rules.misfits import TOP, misfit

WHERE = "the round"
RAW = ("options", "settings", "proof")
MALFORMED = "JSON is malformed: "
UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
Shape = TypeVar("Shape")


def decoded(text: bytes | str, decoder: msgspec.json.Decoder[Shape], shape: type, part: str = "") -> Shape:
    """Decode a text, or refuse one that is unreadable or invalid."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        raise _unfit(error, text, shape, part) from None
    except UNREADABLE as error:
        raise _unreadable(error) from None


def refuse_repeats(text: bytes | str) -> None:
    """Refuse a text with a duplicate key."""
    key = repeated_key(text)
    if key is not None:
        reason = f"the key '{key}' is given more than once"
        raise RefusedError(refuse(Code.ROUND_UNREADABLE, reason=reason))


def _unreadable(error: Exception) -> RefusedError:
    """Return the refusal for a text that is not JSON."""
    if isinstance(error, RecursionError):
        reason = "it is nested too deep"
    elif isinstance(error, UnicodeError):
        reason = "it is not UTF-8 text"
    else:
        reason = str(error).removeprefix(MALFORMED)
    return RefusedError(refuse(Code.ROUND_UNREADABLE, reason=reason[:1].lower() + reason[1:]))


def _unfit(error: msgspec.ValidationError, text: bytes | str, shape: type, part: str) -> RefusedError:
    """Return the refusal for an invalid key or value; the rest of the line may not be JSON."""
    try:
        raw = msgspec.json.decode(text)
    except msgspec.ValidationError:  # a number that is too long to be held
        raw = {}
    except UNREADABLE as worse:
        return _unreadable(worse)
    if not part and text.lstrip()[:1] not in ("{", b"{"):
        return RefusedError(refuse(Code.ROUND_UNREADABLE, reason="it is not an object"))
    readable = raw.items() if isinstance(raw, dict) else ()
    plain = {key: value for key, value in readable if part or key not in RAW}
    seat = None if part or "$.seats[" not in str(error) else _unfit_seat(plain.get("seats"))
    return seat or RefusedError(_misfit(error, plain, shape, f"{WHERE}, {part}" if part else WHERE))


def _unfit_seat(seats: object) -> RefusedError | None:
    """Return the refusal for the first invalid seat, with its position if it has one."""
    for number, seat in enumerate(seats if isinstance(seats, list) else (), 1):
        try:
            msgspec.convert(seat, SeatLine)
        except msgspec.ValidationError as error:
            plain = seat if isinstance(seat, dict) else {}
            refusal = _misfit(error, plain, SeatLine, f"{WHERE}, seat {number}")
            position = plain.get("position")
            if isinstance(position, int) and not isinstance(position, bool):
                return PositionRefusedError(refusal, position)
            return RefusedError(refusal)
    return None


def _misfit(error: msgspec.ValidationError, raw: dict[str, object], shape: type, where: str) -> Refusal:
    refusal = misfit(error, raw, shape, where)
    return replace(refusal, message=refusal.message.replace(f"{where}, {TOP}:", f"{where}:", 1))
