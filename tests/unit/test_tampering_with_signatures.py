"""Signatures and anchors: what was signed stays as it was, and who has the key is found by an anchor."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import delete

from fourcard.house.auditing.report import Kind
from fourcard.house.events import HeadsSigned, SignedHead
from fourcard.house.journal import HOUSE as HOUSE_CODEC
from fourcard.house.outcome import HOUSE
from fourcard.house.records import Head
from fourcard.house.signing import HouseKey
from fourcard.house.store import schema
from tests.audited import KEY, original
from tests.forging import Forger, Place, holds, told

Forgery = Callable[[Forger], tuple[Place, Kind]]
ONE, TWO, THREE, METER = "table/one", "table/two", "table/three", "meter/one"
OTHER_KEY = HouseKey(bytes(32))


@pytest.fixture
def forger(tmp_path: Path) -> Forger:
    """Return somebody who can write to a house."""
    return original().forger(tmp_path)


def change_a_signature(forger: Forger) -> tuple[Place, Kind]:
    forger.edit(HOUSE, 2, signature="00" * 64)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def change_a_signed_head(forger: Forger) -> tuple[Place, Kind]:
    heads = forger.body(HOUSE, 2)["heads"]
    heads[0][1] -= 1
    forger.edit(HOUSE, 2, heads=heads)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def change_the_moment_of_a_signature(forger: Forger) -> tuple[Place, Kind]:
    forger.change(HOUSE, 2, at=1)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def change_the_key(forger: Forger) -> tuple[Place, Kind]:
    forger.edit(HOUSE, 1, public_key=OTHER_KEY.public)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def found_it_twice(forger: Forger) -> tuple[Place, Kind]:
    founding = forger.events(HOUSE)[0]
    forger.add(replace(founding, sequence=3, command=3))
    forger.rechain(HOUSE)
    return ("events", HOUSE, 3), "inserted"


def never_found_it(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(HOUSE, 1)
    forger.renumber(HOUSE)
    return ("events", HOUSE, 1), "missing"


SIGNED = (
    change_a_signature, change_a_signed_head, change_the_moment_of_a_signature, change_the_key,
    found_it_twice, never_found_it,
)  # fmt: skip


@pytest.mark.parametrize("forgery", SIGNED)
def test_a_signature_that_was_touched_is_found(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


def rewritten(forger: Forger) -> None:
    """Write another slip into the journal, which no rule speaks of, and leave nothing signed."""
    forger.edit(TWO, forger.find(TWO, "tray_filled"), slip="F9")
    forger.rechain(TWO)
    forger.drop(HOUSE, 2)
    forger.rechain(HOUSE)


def test_a_rewritten_chain_without_signatures_is_found_by_an_anchor_alone(forger: Forger) -> None:
    rewritten(forger)
    alone = forger.audit()
    assert alone.clean
    assert "rewritten" in alone.cannot_exclude[0]
    assert KEY.public in alone.cannot_exclude[0]
    assert f"{alone.counts.events - 1} events are unsigned" in alone.cannot_exclude[1]
    anchored = forger.audit(original().anchor)
    last = len(forger.events(TWO))
    holds(anchored, ("events", TWO, last), "altered")
    holds(anchored, ("events", HOUSE, 2), "missing")


def test_somebody_with_the_key_is_found_by_an_anchor_alone(forger: Forger) -> None:
    """Rewrite a stream and sign it anew, as only the key can."""
    rewritten(forger)
    last = forger.events(TWO)[-1]
    signed = forger.events(HOUSE)[-1]
    heads = (SignedHead(TWO, last.sequence, last.hash.hex()),)
    house = forger.body(HOUSE, 1)["house"]
    event = HeadsSigned(heads, KEY.sign(house, signed.at, heads))
    body = HOUSE_CODEC.encode(event)
    forger.add(replace(signed, sequence=2, command=2, kind="heads_signed", body=body))
    forger.rechain(HOUSE)
    assert forger.audit().clean
    holds(forger.audit(original().anchor), ("events", TWO, last.sequence), "altered")


def test_an_anchor_of_another_house_is_refused(forger: Forger) -> None:
    anchor = original().anchor
    stranger = OTHER_KEY.anchor(anchor.house, anchor.at, {})
    report = forger.audit(stranger)
    holds(report, ("anchor", "", None), "anchor")
    assert "rewritten" in report.cannot_exclude[0]
    holds(forger.audit(KEY.anchor("elsewhere", anchor.at, {})), ("anchor", "", None), "anchor")


@pytest.mark.parametrize("part", ["heads", "at", "signature"])
def test_an_altered_anchor_proves_nothing(forger: Forger, part: str) -> None:
    anchor = original().anchor
    first, *others = anchor.heads
    changed = {
        "heads": (replace(first, sequence=first.sequence - 1), *others),
        "at": anchor.at + 1,
        "signature": "ab" * 64,
    }
    holds(forger.audit(replace(anchor, **{part: changed[part]})), ("anchor", "", None), "anchor")


def test_a_stream_that_only_the_anchor_knows_is_missing(forger: Forger) -> None:
    anchor = original().anchor
    known = {head.stream: Head(head.sequence, bytes.fromhex(head.hash)) for head in anchor.heads}
    more = KEY.anchor(anchor.house, anchor.at, {**known, "table/gone": Head(7, bytes(32))})
    holds(forger.audit(more), ("events", "table/gone", None), "missing")


def test_the_stream_of_signatures_is_held_against_the_anchor_though_nothing_of_it_is_left(
    forger: Forger,
) -> None:
    last = forger.events(HOUSE)[-1].sequence
    forger.run(delete(schema.events).where(schema.events.c.stream == HOUSE))
    forger.run(delete(schema.streams).where(schema.streams.c.name == HOUSE))
    report = forger.audit(original().anchor)
    holds(report, ("events", HOUSE, 1), "missing")
    assert f"the anchor has signed event {last}" in told(report)


def test_an_anchor_is_said_to_hold_only_what_nothing_was_found_in(forger: Forger) -> None:
    clean, held = forger.audit(original().anchor), "What the anchor covers is unchanged."
    assert held in clean.cannot_exclude[0]
    forger.edit(TWO, forger.find(TWO, "wager_placed"), amount=1)
    found = forger.audit(original().anchor)
    assert held not in found.cannot_exclude[0]
    assert "unchanged except for the findings" in found.cannot_exclude[0]


def test_an_anchor_says_how_much_is_newer(forger: Forger) -> None:
    anchor = original().anchor
    known = {
        head.stream: Head(head.sequence, bytes.fromhex(head.hash))
        for head in anchor.heads
        if head.stream != "player/bob"
    }
    older = KEY.anchor(anchor.house, anchor.at, known)
    report = forger.audit(older)
    assert report.clean, told(report)
    assert f"{len(forger.events('player/bob'))} events are newer than the anchor" in report.cannot_exclude[0]
