"""Audit limitations: what an audit cannot exclude, such as changes to unsigned events or by a key holder."""

from collections.abc import Mapping

from fourcard.house.auditing.report import moment
from fourcard.house.auditing.seals import Signed
from fourcard.house.outcome import HOUSE
from fourcard.house.signing import Anchor

REWRITTEN = (
    "That the whole journal was rewritten, or cut off together with its heads and its later signatures, "
    "and signed with the key of the house or with another. It names {key}; only an outside anchor can tell."
)
NEWER = (
    "That somebody who has the key of the house rewrote, or cut off, what happened after the anchor of "
    "{at}: {count} newer than the anchor. {held}"
)
HELD = "What the anchor covers is unchanged."
HELD_BUT = "What the anchor covers is unchanged except for the findings."
UNSIGNED = (
    "That somebody who can write to the database cut off, added or changed something{since} within the "
    "rules: {count} unsigned, and protected by their hashes alone."
)
NOTHING_NEWER = "That something happened{since} and all of it was cut off: no event is unsigned."
CREDENTIALS = (
    "That credentials (password hashes) were changed, so that another can sign in as somebody: "
    "this audit does not examine them."
)
TOKENS = (
    "That tokens (sign-ins) were added, prolonged or restored after they were revoked: "
    "this audit does not examine them."
)
SECURITY_LOG = (
    "That entries of the security log were changed, added or deleted: this audit does not examine it."
)
SCHEMA = (
    "That the database schema was changed, such as by a trigger that alters what is written next, "
    "or by tables of its own: this audit does not examine it."
)
NOT_EXAMINED = (CREDENTIALS, TOKENS, SECURITY_LOG, SCHEMA)
"""Data in the database that the audit does not read."""


def cannot_exclude(
    signed: Signed, anchor: Anchor | None, ends: Mapping[str, int], *, clean: bool
) -> tuple[str, ...]:
    """Return what remains possible, given the end of every stream and an anchor of this house.

    The data that the audit does not examine is always listed last.
    """
    if anchor is None:
        key = "no key" if signed.founded is None else f"the key {signed.founded.public_key}"
        return REWRITTEN.format(key=key), _unsigned(signed, ends), *NOT_EXAMINED
    known = {head.stream: head.sequence for head in anchor.heads}
    count, held = _events(_after(known, ends)), HELD if clean else HELD_BUT
    newer = NEWER.format(at=moment(anchor.at), count=count, held=held)
    return newer, _unsigned(signed, ends), *NOT_EXAMINED


def _unsigned(signed: Signed, ends: Mapping[str, int]) -> str:
    """Describe what is possible for events that no signature covers."""
    others = {stream: end for stream, end in ends.items() if stream != HOUSE}
    newer, last = _after(signed.until, others), signed.last
    since = "" if last is None else f" after the last signature, of {moment(last.at)},"
    return (UNSIGNED if newer else NOTHING_NEWER).format(since=since, count=_events(newer))


def _after(known: Mapping[str, int], ends: Mapping[str, int]) -> int:
    return sum(max(0, end - known.get(stream, 0)) for stream, end in ends.items())


def _events(count: int) -> str:
    return "1 event is" if count == 1 else f"{count:,} events are"
