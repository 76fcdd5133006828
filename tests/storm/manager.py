"""What is asked of meters through the Game Manager, by right and wrong people: links, terms, adjustments."""

from collections.abc import Callable
from random import Random
from typing import Any

from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    MeterPart,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.meter import UNITS_PER_CENT
from tests.storm.games import changed, families, following, same_terms
from tests.storm.witness import Witness

REASONS = ("the storm", "the storm", "the storm", "x" * 200, "x" * 201, " ", "")
QUIET, CYCLE = 150, 900
"""For so many groups out of so many no progressive wager is placed at a meter's tables."""


def quiet(meter: str, groups: int) -> bool:
    """Say whether somebody waits to close a meter's link, so that nobody wagers on it."""
    shift = sum(meter.encode()) % 6 * QUIET
    return (groups + shift) % CYCLE < QUIET


def managed(witness: Witness, name: str, chance: Random, *, closing: bool) -> Any:
    """Return what somebody asks of a meter; where the command names a person, that person asks."""
    book = witness.meter(name)
    if book.closed and chance.random() < 0.5:
        return _closed(witness, book, chance)
    if closing and not book.closed and chance.random() < 0.7:
        return CloseLink(reason="new terms", role="supervisor")
    return chance.choice(_SORTS)(book, chance)


def _closed(witness: Witness, book: MeterBook, chance: Random) -> Any:
    """Open a closed link again, now and then by other terms, or before every table has taken them on."""
    states = (witness.table(table).state for table in book.tables)
    agreed = all(same_terms(state.game.hash, book.terms) for state in states)
    if not agreed and chance.random() < 0.8:
        return chance.choice(_SORTS)(book, chance)
    if chance.random() < 0.7:
        return OpenLink(reason="ready", role="supervisor")
    return _change(book, chance)


def _change(book: MeterBook, chance: Random) -> Any:
    """Change the terms, to those before where they were changed; now and then to another game's."""
    text = following(book.terms, chance)
    if text is None or chance.random() < 0.1:
        text = chance.choice([each for texts in families().values() for each in texts])
    back = next((t for texts in families().values() for t in texts if changed(t) == text), None)
    return ChangeTerms(submission=back or changed(text), reason=chance.choice(REASONS), role="executive")


def _close(_book: MeterBook, chance: Random) -> Any:
    return CloseLink(reason=chance.choice(REASONS), role="supervisor")


def _open(_book: MeterBook, chance: Random) -> Any:
    return OpenLink(reason=chance.choice(REASONS), role="supervisor")


def _propose(book: MeterBook, chance: Random) -> Any:
    """Propose to add or take: all that is there, a little more than that, or a part of it."""
    part: MeterPart = chance.choice(("meter", "meter", "reserve"))
    held = (book.meter.amount if part == "meter" else book.meter.reserve) // UNITS_PER_CENT
    cents = chance.choice((100, 50_000, 500_000, 0, -held // 2, -held // 2, -held, -held - 1, -held + 100))
    return ProposeAdjustment(part=part, cents=cents, reason=chance.choice(REASONS), role="supervisor")


def _back_out(book: MeterBook, chance: Random) -> Any:
    wins = [win.logged.number for win in book.last] or [1]
    number = chance.choice((chance.choice(wins), wins[-1], wins[-1], book.count + 1, 0))
    return ProposeBackOut(win=number, reason=chance.choice(REASONS), role="supervisor")


def _approve(book: MeterBook, chance: Random) -> Any:
    """Approve a proposal, or one that nobody made; now and then by who proposed it."""
    waiting = [*book.proposals.values()]
    if not waiting or chance.random() < 0.05:
        return ApproveAdjustment(number=book.proposed + 1, role="executive")
    chosen = chance.choice(waiting)
    who = chosen.by if chance.random() < 0.2 else ""
    return ApproveAdjustment(number=chosen.number, by=who, role="executive")


def _reject(book: MeterBook, chance: Random) -> Any:
    number = chance.choice([*book.proposals, book.proposed + 1])
    return RejectAdjustment(number=number, reason=chance.choice(REASONS), role="supervisor")


_SORTS: tuple[Callable[[MeterBook, Random], Any], ...] = (
    _propose, _propose, _back_out, _back_out, _approve, _approve, _approve, _approve, _approve, _reject,
    _close, _open, _change,
)  # fmt: skip
