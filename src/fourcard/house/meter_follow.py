"""Meter reactions: the meter events that follow from a table's events."""

from fractions import Fraction

from fourcard.house.meter_book import MeterBook, OpenRound, borne_by_meter
from fourcard.house.meter_events import (
    AwardLogged,
    AwardTaken,
    MeterEvent,
    MeterStarted,
    RoundTakenBack,
    StakesAdded,
)
from fourcard.meter import (
    UNITS_PER_CENT,
    Contribution,
    contribute,
    reverse_contribution,
    reverse_payment,
)
from fourcard.progressive.events import WinLogged
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundVoided, Stake
from fourcard.rules.game import Game


def started(game: Game) -> MeterStarted:
    """Return the start of a meter by the terms of a game's submission."""
    choice = game.submission.progressive
    assert choice is not None
    return MeterStarted(
        units=int(choice.seed or 0) * UNITS_PER_CENT,
        seed=None if choice.reset is None else int(choice.reset),
        rate=str(choice.rate or Fraction(0)),
        reserve_rate=str(choice.reserve),
        game=game.hash,
    )


def terms(game: Game) -> tuple[object, ...]:
    """Return the terms that tables must share to share a meter; its only stake too, if so set (R57)."""
    choice = game.submission.progressive
    assert choice is not None
    single = game.settings.get("one_denomination") is True
    stakes = choice.stakes if single else ()
    return (*paytable(game), choice.rate, choice.reserve, choice.seed, choice.reset, stakes)


def paytable(game: Game) -> tuple[object, ...]:
    """Return what a meter keeps for life: rulebook, awards, and what pays the fixed awards."""
    choice = game.submission.progressive
    assert choice is not None
    return game.rulebook.id, dict(game.tables["progressive"].pays), choice.fixed_awards


def followed(book: MeterBook, table: str, number: int, event: object, at: int) -> MeterEvent | None:
    """Return the meter event for an event of a table's round, or None."""
    if isinstance(event, ProgressiveLocked):
        return stakes_added(book, table, number, event.stakes) if event.stakes else None
    if isinstance(event, WinLogged):
        return award_logged(book, table, number, event, at)
    if isinstance(event, AwardPaid):
        return award_taken(book, table, number, event)
    return taken_back(book, table, number) if isinstance(event, RoundVoided) else None


def stakes_added(book: MeterBook, table: str, number: int, stakes: tuple[Stake, ...]) -> StakesAdded:
    """Return how the stakes of a round are split."""
    meter, parts = book.meter, list[Contribution]()
    for _, stake in stakes:
        meter, part = contribute(meter, stake, book.rate, book.reserve_rate)
        parts.append(part)
    return StakesAdded(table, number, tuple(parts))


def award_logged(book: MeterBook, table: str, number: int, win: WinLogged, at: int) -> AwardLogged:
    """Return a win as the meter logs it, numbered across all its tables."""
    return AwardLogged(
        table=table,
        round=number,
        number=book.count + 1,
        position=win.position,
        row=win.row,
        payment=win.payment,
        before=win.before,
        after=win.after,
        player=win.player,
        cards=win.cards,
        marked_by=win.marked_by,
        confirmed_by=win.confirmed_by,
        confirmed_as=win.confirmed_as,
        at=at,
    )


def award_taken(book: MeterBook, table: str, number: int, paid: AwardPaid) -> AwardTaken:
    """Return the sign adjustment for a paid prize, with the number of its logged win."""
    mine = (table, number, paid.position)
    logged = [win for win in book.logged if (win.table, win.round, win.position) == mine]
    return AwardTaken(table, number, paid.payment, logged[0].number if logged else 0)


def taken_back(book: MeterBook, table: str, number: int) -> RoundTakenBack | None:
    """Return the reversal of a void round, or None if it never touched the meter."""
    known = book.of_round(table, number)
    if known == OpenRound(number):
        return None
    meter, borne = book.meter, 0
    for taken in (each for each in reversed(known.payments) if not each.backed_out):
        meter, short = reverse_payment(meter, taken.payment)
        borne += short
    for part in reversed(known.parts):
        meter, short = reverse_contribution(meter, part)
        borne += short
    owed = {win.number for win in book.logged}
    paid = (taken.payment for taken in known.payments if taken.number not in owed)
    returned = sum(map(borne_by_meter, paid))
    return RoundTakenBack(table, number, returned, meter.amount, meter.reserve, meter.undone, borne)
