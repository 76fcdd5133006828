"""What no audit can exclude: what lies after the last thing that was signed, or that whoever has the key did."""

from collections.abc import Mapping

from fourcard.house.auditing.report import moment
from fourcard.house.auditing.seals import Signed
from fourcard.house.outcome import HOUSE
from fourcard.house.signing import Anchor


def cannot_exclude(signed: Signed, anchor: Anchor | None, ends: Mapping[str, int]) -> tuple[str, ...]:
    """Return what remains possible, given where every stream ends and an anchor that holds."""
    if anchor is None:
        return _without_anchor(signed, ends)
    known = {head.stream: head.sequence for head in anchor.heads}
    newer = _after(known, ends)
    what = "was cut off or written anew by somebody who has the key of the house"
    return (
        f"That something which happened after the anchor of {moment(anchor.at)} {what}: "
        f"{_events(newer)} newer than the anchor. What it holds is as it was.",
        _unsigned(signed, ends),
    )


def _without_anchor(signed: Signed, ends: Mapping[str, int]) -> tuple[str, ...]:
    key = "no key" if signed.founded is None else f"the key {signed.founded.public_key}"
    return (
        f"That the whole journal was written anew, or cut off together with its heads and later signatures, and "
        f"signed with the key of the house or with another: it names {key}, and an anchor kept outside "
        "would tell.",
        _unsigned(signed, ends),
    )


def _unsigned(signed: Signed, ends: Mapping[str, int]) -> str:
    """Say what holds the events together that no signature holds."""
    others = {stream: end for stream, end in ends.items() if stream != HOUSE}
    newer = _after(signed.until, others)
    since = (
        "that was ever signed"
        if signed.last is None
        else f"after the last signature, of {moment(signed.last.at)}"
    )
    if not newer:
        return f"That there was something {since}, and all of it was cut off: no event is newer."
    return (
        f"That somebody who can write to the database cut off, added or changed what came {since}, within "
        f"the rules: {_events(newer)} newer, held by their hashes alone."
    )


def _after(known: Mapping[str, int], ends: Mapping[str, int]) -> int:
    return sum(max(0, end - known.get(stream, 0)) for stream, end in ends.items())


def _events(count: int) -> str:
    return "1 event is" if count == 1 else f"{count:,} events are"
