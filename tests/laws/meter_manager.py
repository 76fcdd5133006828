"""What is asked of a meter at the Game Manager at random: proper things, and things past a boundary."""

from collections.abc import Sequence
from random import Random
from typing import Any

from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    MeterCommand,
    MeterPart,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)

PROPOSES, APPROVES = "crew", "floor"
REASON = "by chance"
PARTS: tuple[MeterPart, ...] = ("meter", "meter", "reserve")
UNITS_OF_CENT = 10_000


def asked(book: MeterBook, chance: Random, texts: Sequence[str] = (), *, quiet: bool) -> MeterCommand:
    """Return a command; a closed link is soon opened again, and one is closed between games only."""
    who: dict[str, Any] = {"by": PROPOSES, "role": "supervisor"}
    if book.closed and chance.random() < 0.6:
        if texts and chance.random() < 0.5:
            return ChangeTerms(submission=chance.choice(texts), reason=REASON, by=PROPOSES, role="executive")
        return OpenLink(reason=REASON, **who)
    if quiet and chance.random() < 0.9:
        return CloseLink(reason=REASON, **who)
    if book.proposals and chance.random() < 0.6:
        by = PROPOSES if chance.random() < 0.1 else APPROVES
        return ApproveAdjustment(number=chance.choice([*book.proposals]), by=by, role="executive")
    return _proposal(book, chance)


def _proposal(book: MeterBook, chance: Random) -> MeterCommand:
    """Propose something, or reject what was proposed."""
    what = chance.random()
    who: dict[str, Any] = {"by": PROPOSES, "role": "supervisor"}
    if what < 0.1:
        return RejectAdjustment(number=chance.randint(1, book.proposed + 1), reason=REASON, **who)
    if what < 0.6 and book.last:
        fit = [win.logged.number for win in book.last if win.adjusted and not win.backed_out]
        win = chance.choice(fit) if fit and chance.random() < 0.8 else chance.randint(1, book.count + 1)
        return ProposeBackOut(win=win, reason=REASON, **who)
    part = chance.choice(PARTS)
    held = (book.meter.amount if part == "meter" else book.meter.reserve) // UNITS_OF_CENT
    cents = chance.choice((1, 100, 70_003, -1, -held // 2, -held, -held - 1, 0))
    return ProposeAdjustment(part=part, cents=cents, reason=REASON, **who)
