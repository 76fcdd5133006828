"""Open jackpots: awarded but not paid yet, or paid but not documented."""

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
    """One jackpot that needs another step."""

    table: str
    meter: str
    round: int
    position: int
    player: str
    cards: str
    row: str
    odds: str
    cents: int | None
    """What it pays; before it is logged, at the current meter; None where the reset amount is unknown."""
    stage: Stage
    next: str
    """The next step."""
    win: int
    """The number of the logged win; 0 before, and where the meter no longer lists it among the last."""

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        row: dict[str, object] = msgspec.to_builtins(self)
        return row


def open_jackpots(reading: Reading) -> tuple[OpenJackpot, ...]:
    """Return every open jackpot, by table, in the order of winning."""
    return tuple(each for at in standing(reading) for each in _at_table(at))


def _at_table(at: Standing) -> Iterator[OpenJackpot]:
    round_state = at.state.round
    if round_state is None:
        return
    for position in round_state.undocumented:
        yield _undocumented(at, round_state, position)
    if round_state.awaiting is not None:
        yield _awaited(at, round_state, round_state.awaiting)


def _undocumented(at: Standing, round_state: RoundState, position: int) -> OpenJackpot:
    """Return a paid jackpot whose cards stay until its document is complete."""
    steps = [step for step in round_state.steps if step.action == "pay" and step.wager == "progressive"]
    paid = [step for step in steps if step.position == position]
    cents = sum(step.amount for step in paid)
    return _jackpot(at, paid[0], cents, "to be documented", "complete the document")


def _awaited(at: Standing, round_state: RoundState, step: Step) -> OpenJackpot:
    """Return the waiting jackpot, with the next step on the console."""
    console = at.console
    order = cycle(rules_of(console, at.state.game))
    next_step = MOTION_WORDS[next(motion for motion in order if motion not in console.done)]
    if console.logged is not None:
        return _jackpot(at, step, console.logged.payment.amount, "logged", next_step)
    stage: Stage = "awarded" if console.mark is None else "marked"
    try:
        cents = award_at(at.meter.meter, round_state).payment.amount
    except RefusedError:
        cents = None
    return _jackpot(at, step, cents, stage, next_step)


def _jackpot(at: Standing, step: Step, cents: int | None, stage: Stage, next_step: str) -> OpenJackpot:
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
        next=next_step,
        win=win,
    )
