"""Jackpots that are open: awarded and not paid yet, or paid and not documented."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from fourcard.cards import cards_text
from fourcard.house.reports.progressive.consoles import Standing, standing
from fourcard.house.store.contract import Reading
from fourcard.progressive.console import cycle, rules_of
from fourcard.progressive.jackpots import MOTION_WORDS
from fourcard.refusals import RefusedError
from fourcard.round.state import RoundState
from fourcard.table.meters import award_at
from fourcard.wagers.wager import Step

Stage = Literal["awarded", "marked", "logged", "to be documented"]


class OpenJackpot(msgspec.Struct, frozen=True, kw_only=True, rename={"cents": "amount_cents"}):
    """One jackpot that somebody has to go on with."""

    table: str
    meter: str
    round: int
    position: int
    player: str
    cards: str
    row: str
    odds: str
    cents: int | None
    """What it pays, before it is logged at the meter as it stands; None where no reset amount is known."""
    stage: Stage
    next: str
    """What has to be done next."""
    win: int
    """The number under which it is logged; 0 before, and where the meter no longer tells it at once."""

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        told: dict[str, object] = msgspec.to_builtins(self)
        return told


def open_jackpots(reading: Reading) -> tuple[OpenJackpot, ...]:
    """Return every jackpot that is open, by table, in the order in which they were won."""
    return tuple(each for at in standing(reading) for each in _at_table(at))


def _at_table(at: Standing) -> Iterator[OpenJackpot]:
    under_way = at.state.round
    if under_way is None:
        return
    for position in under_way.undocumented:
        yield _undocumented(at, under_way, position)
    if under_way.awaiting is not None:
        yield _awaited(at, under_way, under_way.awaiting)


def _undocumented(at: Standing, under_way: RoundState, position: int) -> OpenJackpot:
    """Return a jackpot that was paid, and whose cards stay until its document is complete."""
    steps = [step for step in under_way.steps if step.action == "pay" and step.wager == "progressive"]
    paid = [step for step in steps if step.position == position]
    cents = sum(step.amount for step in paid)
    return _jackpot(at, paid[0], cents, "to be documented", "complete the document")


def _awaited(at: Standing, under_way: RoundState, step: Step) -> OpenJackpot:
    """Return the jackpot that waits, with what is next on the console."""
    console = at.console
    order = cycle(rules_of(console, at.state.game))
    due = MOTION_WORDS[next(motion for motion in order if motion not in console.done)]
    if console.logged is not None:
        return _jackpot(at, step, console.logged.payment.amount, "logged", due)
    stage: Stage = "awarded" if console.mark is None else "marked"
    try:
        cents = award_at(at.meter.meter, under_way).payment.amount
    except RefusedError:
        cents = None
    return _jackpot(at, step, cents, stage, due)


def _jackpot(at: Standing, step: Step, cents: int | None, stage: Stage, due: str) -> OpenJackpot:
    assert at.state.round is not None
    place, number = at.state.round.places[step.position], at.state.number
    known = (win.logged for win in at.meter.last)
    mine = (at.book.table, number, step.position)
    win = next((each.number for each in known if (each.table, each.round, each.position) == mine), 0)
    return OpenJackpot(
        table=at.book.table,
        meter=at.meter.name,
        round=number,
        position=step.position,
        player=place.player,
        cards=cards_text(place.cards),
        row=step.row or step.hand,
        odds=step.odds or "",
        cents=cents,
        stage=stage,
        next=due,
        win=win,
    )
