"""Decide meter commands (P30, P31), and the meter events that follow from a table's events."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from fourcard.house.commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    EnterReading,
    MeterCommand,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.house.decision import Decision, DecisionOrRefusal, StateReader
from fourcard.house.events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    ContributionsAdded,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    MeterEvent,
    MeterStarted,
    RoundReversed,
    SignAdjusted,
    TermsChanged,
)
from fourcard.house.meter_state import LoggedWin, MeterState, RoundMeterEffects
from fourcard.house.table_state import AnyTable, HouseTable, UninstalledTable
from fourcard.meter import (
    UNITS_PER_CENT,
    Contribution,
    Meter,
    contribute,
    reverse_contribution,
    reverse_payment,
)
from fourcard.money import dollars
from fourcard.progressive.console import WinLogged, console_rules, is_game_under_way, new_console
from fourcard.progressive.decide import reason_refusal
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundVoided, Stake
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.game import Game, encode_game
from fourcard.rules.line_options import MAX_CENTS


def start_event(game: Game) -> MeterStarted:
    """Return the start of a meter by the terms of a game's submission."""
    choice = game.submission.progressive
    assert choice is not None
    return MeterStarted(
        units=int(choice.seed or 0) * UNITS_PER_CENT,
        reset_amount=None if choice.reset is None else int(choice.reset),
        rate=str(choice.rate or Fraction(0)),
        reserve_rate=str(choice.reserve),
        game=game.hash,
    )


def meter_terms(game: Game) -> tuple[object, ...]:
    """Return the terms that tables must share to share a meter; its only stake too, if so set (R57)."""
    choice = game.submission.progressive
    assert choice is not None
    single = game.settings.get("one_denomination") is True
    stakes = choice.stakes if single else ()
    return (*meter_paytable(game), choice.rate, choice.reserve, choice.seed, choice.reset, stakes)


def meter_paytable(game: Game) -> tuple[object, ...]:
    """Return what a meter keeps for life: rulebook, awards, and what pays the fixed awards."""
    choice = game.submission.progressive
    assert choice is not None
    return game.rulebook.id, dict(game.tables["progressive"].pays), choice.fixed_awards


def meter_event_for(meter: MeterState, table: str, number: int, event: object, at: int) -> MeterEvent | None:
    """Return the meter event for an event of a table's round, or None."""
    if isinstance(event, ProgressiveLocked):
        return contributions_for(meter, table, number, event.stakes) if event.stakes else None
    if isinstance(event, WinLogged):
        return log_event_for(meter, table, number, event, at)
    if isinstance(event, AwardPaid):
        return sign_adjustment_for(meter, table, number, event)
    return reversal_for(meter, table, number) if isinstance(event, RoundVoided) else None


def contributions_for(
    meter_state: MeterState, table: str, number: int, stakes: tuple[Stake, ...]
) -> ContributionsAdded:
    """Return how the stakes of a round are split."""
    meter, parts = meter_state.amounts, list[Contribution]()
    for _, stake in stakes:
        meter, part = contribute(meter, stake, meter_state.rate, meter_state.reserve_rate)
        parts.append(part)
    return ContributionsAdded(table, number, tuple(parts))


def log_event_for(meter: MeterState, table: str, number: int, win: WinLogged, at: int) -> AwardLogged:
    """Return a win as the meter logs it, numbered across all its tables."""
    return AwardLogged(
        table=table,
        round=number,
        number=meter.win_count + 1,
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


def sign_adjustment_for(meter: MeterState, table: str, number: int, paid: AwardPaid) -> SignAdjusted:
    """Return the sign adjustment for a paid prize, with the number of its logged win."""
    mine = (table, number, paid.position)
    logged = [win for win in meter.unpaid_wins if (win.table, win.round, win.position) == mine]
    return SignAdjusted(table, number, paid.payment, logged[0].number if logged else 0)


def reversal_for(meter_state: MeterState, table: str, number: int) -> RoundReversed | None:
    """Return the reversal of a void round, or None if it never touched the meter."""
    known = meter_state.round_effects(table, number)
    if known == RoundMeterEffects(number):
        return None
    meter, borne = meter_state.amounts, 0
    for taken in (each for each in reversed(known.payments) if not each.backed_out):
        meter, short = reverse_payment(meter, taken.payment)
        borne += short
    for part in reversed(known.contributions):
        meter, short = reverse_contribution(meter, part)
        borne += short
    owed = {win.number for win in meter_state.unpaid_wins}
    paid = (taken.payment for taken in known.payments if taken.number not in owed)
    returned = sum(each.meter_units for each in paid)
    return RoundReversed(table, number, returned, meter.amount, meter.reserve, meter.reversed_wins, borne)


def decide_meter(states: StateReader, name: str, command: MeterCommand) -> DecisionOrRefusal:
    """Return what a command to a meter leads to, or a refusal."""
    meter = states.meter(name)
    if not meter.terms_game:
        return refuse(Code.NO_SUCH_METER, meter=name)
    refusal = reason_refusal(getattr(command, "reason", "-"), ("P30", "P31"))
    if refusal is not None:
        return refusal
    return _DECIDERS[type(command)](states, meter, command)


def _close(states: StateReader, meter: MeterState, command: CloseLink) -> DecisionOrRefusal:
    """Close the link between games, while no chip lies on a sensor."""
    if meter.closed_reason:
        return refuse(Code.LINK_CLOSED, ("P31",), meter=meter.name, reason=meter.closed_reason)
    for name in meter.tables:
        if _is_in_game(states.find_table(name)):
            return refuse(Code.TABLE_IN_GAME, ("P31",), table=name)
    return Decision([LinkClosed(command.reason)])


def _is_in_game(table: AnyTable) -> bool:
    """Say whether a table has progressive wagers in play, or a game that was not ended."""
    if isinstance(table, UninstalledTable) or table.console is None:
        return False
    current_round = table.state.round
    lying = current_round is not None and any(
        "progressive" in each.wagers for each in current_round.positions.values()
    )
    return lying or is_game_under_way(table.console, table.state)


def _open(states: StateReader, meter: MeterState, command: OpenLink) -> DecisionOrRefusal:
    """Open the link when every linked table plays by the meter's terms."""
    if not meter.closed_reason:
        return refuse(Code.LINK_OPEN_ALREADY, ("P31",), meter=meter.name)
    right = meter_terms(states.game(meter.terms_game))
    for name in meter.tables:
        table = states.find_table(name)
        if isinstance(table, HouseTable) and meter_terms(table.state.game) != right:
            return refuse(Code.TABLE_OTHER_TERMS, ("P31",), table=name)
    return Decision([LinkOpened(command.reason)])


def _change(states: StateReader, meter: MeterState, command: ChangeTerms) -> DecisionOrRefusal:
    """Change to another submission with the same paytable, while the link is closed."""
    if not meter.closed_reason:
        return refuse(Code.LINK_OPEN, ("P31",), meter=meter.name)
    game = states.resolve_submission(command.submission)
    if isinstance(game, Refusal):
        return game
    if not game.offers("progressive") or meter_paytable(game) != meter_paytable(
        states.game(meter.terms_game)
    ):
        return refuse(Code.PAYTABLE_CHANGED, ("P31",))
    if meter_terms(game) == meter_terms(states.game(meter.terms_game)):
        return refuse(Code.TERMS_UNCHANGED, ("P31",))
    return Decision([terms_event(game, command.reason)], games={game.hash: encode_game(game)})


def terms_event(game: Game, reason: str) -> TermsChanged:
    """Return the terms of a game as a meter follows them."""
    begun = start_event(game)
    return TermsChanged(begun.rate, begun.reserve_rate, begun.reset_amount, game.hash, reason)


def _propose(_states: StateReader, meter: MeterState, command: ProposeAdjustment) -> DecisionOrRefusal:
    refusal = _amount_refusal(meter, command.part, command.cents)
    if refusal is not None:
        return refusal
    number, reason = meter.proposal_count + 1, command.reason
    return Decision([AdjustmentProposed(number, command.part, command.cents, 0, reason, command.by)])


def _amount_refusal(meter: MeterState, part: str, cents: int) -> Refusal | None:
    """Refuse zero, more than the largest amount, and more than the part holds without logged wins."""
    if not 0 < abs(cents) <= MAX_CENTS:
        return refuse(Code.ADJUSTMENT_AMOUNT, ("P30",), most=dollars(MAX_CENTS))
    held = meter.amounts.amount if part == "meter" else meter.amounts.reserve
    if held + cents * UNITS_PER_CENT >= 0:
        return None
    figures = {"amount": dollars(cents), "part": part, "held": dollars(held // UNITS_PER_CENT)}
    return refuse(Code.ADJUSTMENT_UNFIT, ("R59", "P30"), **figures)


def _enter_reading(_states: StateReader, meter: MeterState, command: EnterReading) -> DecisionOrRefusal:
    """Propose the amount on the signs as the amount of a restored meter (P38)."""
    if not meter.unconfirmed_restore:
        return refuse(Code.READING_NOT_DUE, ("P38",), meter=meter.name)
    if not 0 <= command.cents <= MAX_CENTS:
        return refuse(Code.READING_UNFIT, ("P38",), amount=dollars(command.cents), most=dollars(MAX_CENTS))
    for number, proposal in meter.proposals.items():
        if proposal.reading is not None:
            return refuse(Code.READING_WAITS, ("P38",), number=number, meter=meter.name)
    number, change = meter.proposal_count + 1, command.cents - meter.displayed
    reading = command.cents
    return Decision([AdjustmentProposed(number, "meter", change, 0, command.reason, command.by, reading)])


def _back_out(states: StateReader, meter: MeterState, command: ProposeBackOut) -> DecisionOrRefusal:
    """Propose to return a win to the meter; the signs must be adjusted for it and it must be recent."""
    logged = next((each for each in meter.unpaid_wins if each.number == command.win), None)
    if logged is not None:
        return refuse(Code.WIN_UNADJUSTED, ("P30",), number=logged.number, table=logged.table)
    game = states.game(meter.terms_game)
    rule = console_rules(new_console(game), game).manual_adjustment
    if not is_set(rule) or _adjusted_win(meter, command.win) is None:
        clauses = tuple(dict.fromkeys((*clauses_of(rule), "P30")))
        return refuse(Code.WIN_UNKNOWN, clauses, number=command.win, meter=meter.name)
    for number, proposal in meter.proposals.items():
        if proposal.win == command.win:
            return refuse(Code.ADJUSTMENT_WAITS, ("P30",), number=number)
    number, reason = meter.proposal_count + 1, command.reason
    return Decision([AdjustmentProposed(number, "meter", 0, command.win, reason, command.by)])


def _adjusted_win(meter: MeterState, number: int) -> LoggedWin | None:
    """Return a recent win that is not backed out; its signs are adjusted, as no win waits for its payment."""
    found = (win for win in meter.last_wins if win.logged.number == number)
    return next((win for win in found if not win.backed_out), None)


def _approve(_states: StateReader, meter_state: MeterState, command: ApproveAdjustment) -> DecisionOrRefusal:
    """Adjust the meter; the person must not be the one who proposed it."""
    proposal = meter_state.proposals.get(command.number)
    if proposal is None:
        return refuse(Code.ADJUSTMENT_UNKNOWN, ("P30",), number=command.number)
    if command.by == proposal.by:
        return refuse(Code.ADJUSTMENT_OWN, ("P30",), person=command.by)
    if meter_state.unpaid_wins:
        first = meter_state.unpaid_wins[0]
        return refuse(Code.WIN_UNADJUSTED, ("P30",), number=first.number, table=first.table)
    adjusted = _adjusted_meter(meter_state, proposal)
    if isinstance(adjusted, Refusal):
        return adjusted
    meter, borne = adjusted
    figures = (command.number, meter.amount, meter.reserve, meter.reversed_wins, borne, command.by)
    return Decision([MeterAdjusted(*figures)])


def _adjusted_meter(meter: MeterState, proposal: AdjustmentProposed) -> tuple[Meter, int] | Refusal:
    """Return the meter after a proposal, and the units that the house bears."""
    if proposal.win:
        win = _adjusted_win(meter, proposal.win)
        if win is None:
            return refuse(Code.WIN_UNKNOWN, ("P30",), number=proposal.win, meter=meter.name)
        return reverse_payment(meter.amounts, win.logged.payment)
    if proposal.reading is not None:
        return _meter_at_reading(meter, proposal.reading), 0
    refusal = _amount_refusal(meter, proposal.part, proposal.cents)
    if refusal is not None:
        return refusal
    field = "amount" if proposal.part == "meter" else "reserve"
    after = getattr(meter.amounts, field) + proposal.cents * UNITS_PER_CENT
    return replace(meter.amounts, **{field: after}), 0


def _meter_at_reading(meter: MeterState, reading: int) -> Meter:
    """Return a meter that shows a reading; if it already does, its fractions of a cent stay."""
    if reading == meter.displayed:
        return meter.amounts
    return replace(meter.amounts, amount=reading * UNITS_PER_CENT)


def _reject(_states: StateReader, meter: MeterState, command: RejectAdjustment) -> DecisionOrRefusal:
    if command.number not in meter.proposals:
        return refuse(Code.ADJUSTMENT_UNKNOWN, ("P30",), number=command.number)
    return Decision([AdjustmentRejected(command.number, command.reason)])


_DECIDERS: dict[type, Callable[[StateReader, MeterState, Any], DecisionOrRefusal]] = {
    CloseLink: _close,
    OpenLink: _open,
    ChangeTerms: _change,
    ProposeAdjustment: _propose,
    ProposeBackOut: _back_out,
    EnterReading: _enter_reading,
    ApproveAdjustment: _approve,
    RejectAdjustment: _reject,
}
