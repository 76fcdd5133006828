"""Win confirmation: the dealer marks a win, the console verifies the cards, somebody else confirms it.

Each winner has one confirmation (R63), in the order of settlement, from the dealer's right (SM-APP-A.1,
WA-PROG-8c.1, WA-NEX-8c.1). The award is computed from the meter when the win is logged (R58).
"""

from collections.abc import Callable

import msgspec

from fourcard.money import dollars
from fourcard.progressive.console import (
    ConsoleCommand,
    ConsoleEvent,
    ConsoleState,
    MotionDone,
    PressHand,
    SelectSpot,
    WinLogged,
    WinMarked,
    WinUnmarked,
    console_rules,
    motion_order,
    sensor_lights,
)
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.round.commands import PayAward
from fourcard.round.preconditions import duty_refusal
from fourcard.round.state import RoundState
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.rulebook import ConsoleMotion, ConsoleRules
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.table.decide import decide as decide_game
from fourcard.table.events import TableEvent
from fourcard.table.state import TableState

ConfirmationEventsOrRefusal = Refusal | list[ConsoleEvent | TableEvent]
DEALER_MOTIONS: tuple[ConsoleMotion, ...] = ("select_spot", "press_hand")
MOTION_PHRASES: dict[ConsoleMotion, str] = {
    "select_spot": "select the player's spot",
    "press_hand": "press the hand button",
    "turn_to_jph": "turn the key to JPH",
    "press_j_pot": "press J-POT",
    "turn_to_run": "turn the key to Run",
    "press_confirm": "press CONFIRM",
    "swipe_card": "swipe the card",
}


class MeterPort(msgspec.Struct, frozen=True):
    """What a console needs from the meter that its table is linked to."""

    price: Callable[[RoundState], PayAward]
    """Returns the payment of the award that waits, after the wins that were logged before."""
    closed_reason: str = ""
    """Why the link of the meter is closed; empty while it is open."""


def perform_motion(
    console: ConsoleState,
    table: TableState,
    request: tuple[ConsoleMotion, ConsoleCommand],
    meter: MeterPort,
) -> ConfirmationEventsOrRefusal:
    """Do the next motion of a win confirmation, or refuse it."""
    motion, command = request
    rules, step = (
        console_rules(console, table.game),
        table.round.awaited_win if table.round is not None else None,
    )
    refusal = _no_winner_refusal(console, table, motion) or _role_refusal(console, table, motion, command)
    if refusal is not None:
        return refusal
    if isinstance(command, PressHand) and console.mark is not None:
        return _pressed_again(console, rules, command)
    refusal = _order_refusal(console, rules, motion) or _motion_refusal(console, table, command)
    if refusal is not None:
        return refusal
    assert step is not None
    return WinConfirmation(console, table, step, rules).events_of(motion, command, meter)


def _no_winner_refusal(console: ConsoleState, table: TableState, motion: ConsoleMotion) -> Refusal | None:
    """Refuse a motion that the console does not have, and one without a waiting winner."""
    rules, what = console_rules(console, table.game), MOTION_PHRASES[motion]
    if motion not in rules.cycle:
        return refuse(Code.MOTION_FOREIGN, ("P32",), motion=what, console=console.kind)
    if table.round is None:
        return refuse(Code.NO_GAME, clauses_of(rules.ends), motion=what)
    if table.round.awaited_win is None:
        return refuse(Code.NO_WIN_WAITS, clauses_of(rules.verified), motion=what)
    return None


def _role_refusal(
    console: ConsoleState, table: TableState, motion: ConsoleMotion, command: ConsoleCommand
) -> Refusal | None:
    """Refuse the wrong person: the dealer marks, another person with the right role confirms (P29)."""
    duty, what = table.rules.duty("validates_jackpot"), MOTION_PHRASES[motion]
    if motion in DEALER_MOTIONS:
        clauses = console_rules(console, table.game).cycle[motion].clauses
        figures = {"what": what, "who": "dealer", "role": command.role}
        return None if command.role == "dealer" else refuse(Code.NOT_YOUR_DUTY, clauses, **figures)
    refusal = duty_refusal(command, what, duty, "supervisor")
    if refusal is not None or console.mark is None or not command.by or command.by != console.mark.by:
        return refusal
    return refuse(Code.SAME_PERSON, (*clauses_of(duty), "P29"), person=command.by)


def _pressed_again(
    console: ConsoleState, rules: ConsoleRules, command: PressHand
) -> ConfirmationEventsOrRefusal:
    """Cancel a mark by pressing its button again; after the win is logged no button undoes it."""
    assert console.mark is not None
    if rules.final_at.value in console.steps_done:
        return refuse(Code.WIN_FINAL, clauses_of(rules.final_at, rules.manual_adjustment))
    if command.hand != console.mark.row or not is_set(rules.hand_toggles):
        marked = console.mark.row.replace("_", " ")
        return refuse(
            Code.HAND_MARKED, clauses_of(rules.hand_toggles), hand=marked, position=console.mark.position
        )
    return [WinUnmarked(console.mark.position)]


def _order_refusal(console: ConsoleState, rules: ConsoleRules, motion: ConsoleMotion) -> Refusal | None:
    """Refuse a motion that is not the next one, and a second confirmation of the same win."""
    order = motion_order(rules)
    due = next((each for each in order if each not in console.steps_done), order[-1])
    if motion == due or (motion == "select_spot" and console.mark is None):
        return None
    if console.unpaid_win is not None:
        return refuse(
            Code.WIN_LOGGED_ALREADY,
            clauses_of(rules.logs_at, rules.final_at),
            position=console.unpaid_win.position,
        )
    figures = {"motion": MOTION_PHRASES[motion], "due": MOTION_PHRASES[due]}
    return refuse(Code.MOTION_NOT_DUE, rules.cycle[due].clauses, **figures)


def _motion_refusal(console: ConsoleState, table: TableState, command: ConsoleCommand) -> Refusal | None:
    if isinstance(command, SelectSpot):
        return _spot_refusal(console, table, command.position)
    return _hand_refusal(console, table, command.hand) if isinstance(command, PressHand) else None


def _spot_refusal(console: ConsoleState, table: TableState, position: int) -> Refusal | None:
    """Refuse a spot whose sensor is not lit, and one that is not next."""
    rules = console_rules(console, table.game)
    if sensor_lights(console, table).get(position) != "registered":
        return refuse(
            Code.SPOT_UNLIT, clauses_of(rules.lights_registered, rules.light_verified), position=position
        )
    assert table.round is not None
    assert table.round.awaited_win is not None
    due = table.round.awaited_win.position
    if position == due:
        return None
    clauses = (*rules.cycle["select_spot"].clauses, *clauses_of(table.game.rulebook.settlement.start))
    return refuse(Code.SPOT_NOT_DUE, clauses, position=position, due=due)


def _hand_refusal(console: ConsoleState, table: TableState, hand: str) -> Refusal | None:
    """Refuse an unknown hand button, and one that does not match the winner's cards."""
    rules, rows = console_rules(console, table.game), table.game.tables["progressive"].pays
    assert table.round is not None
    step = table.round.awaited_win
    assert step is not None
    if hand not in rows:
        known = ", ".join(row.replace("_", " ") for row in rows)
        return refuse(Code.HAND_UNKNOWN, clauses_of(rules.cycle["press_hand"]), known=known)
    if is_set(rules.light_verified) and sensor_lights(console, table)[step.position] != "registered":
        return refuse(Code.SPOT_UNLIT, clauses_of(rules.light_verified), position=step.position)
    if is_set(rules.verified) and hand != step.row:
        figures = {"hand": hand.replace("_", " "), "right": (step.row or step.hand).replace("_", " ")}
        return refuse(Code.HAND_WRONG, clauses_of(rules.verified), position=step.position, **figures)
    return None


class WinConfirmation:
    """The confirmation of the current winner."""

    def __init__(
        self, console: ConsoleState, table: TableState, step: SettlementStep, rules: ConsoleRules
    ) -> None:
        """Take the console, the table, the award's step and the console's rules."""
        self.console, self.table, self.step, self.rules = console, table, step, rules

    def events_of(
        self, motion: ConsoleMotion, command: ConsoleCommand, meter: MeterPort
    ) -> ConfirmationEventsOrRefusal:
        """Return the events of the next motion: it is done, and marks, logs or pays the win by the rulebook.

        The house pays the award by its own procedures (SM-PROG-9e.4, WA-PROG-8f.4, WA-NEX-8f.5, MD-11D10d).
        """
        events: list[ConsoleEvent | TableEvent] = [self._motion_done(motion, command)]
        if isinstance(command, PressHand):
            checks = filter(is_set, (self.rules.verified, self.rules.light_verified))
            events.append(WinMarked(self.step.position, command.hand, command.by, clauses_of(*checks)))
        payment = self._logged_payment()
        if motion == self.rules.logs_at.value:
            current = self._current_payment(command, meter)
            if isinstance(current, Refusal):
                return current
            payment = current
            events.append(self._logged_win(command, current))
        if motion != self.rules.adjusts_at.value or payment is None:
            return events
        paid = decide_game(self.table, self._by_dealer(payment))
        return paid if isinstance(paid, Refusal) else [*events, *paid]

    def _by_dealer(self, payment: PayAward) -> PayAward:
        """Return the payment by the dealer who marked the win, and so goes on settling (R61)."""
        return msgspec.structs.replace(payment, by="" if self.console.mark is None else self.console.mark.by)

    def _motion_done(self, motion: ConsoleMotion, command: ConsoleCommand) -> MotionDone:
        position = command.position if isinstance(command, SelectSpot) else self.step.position
        return MotionDone(motion, position, command.by, self.rules.cycle[motion].clauses)

    def _logged_payment(self) -> PayAward | None:
        """Return the payment of the win that was logged before."""
        logged = self.console.unpaid_win
        if logged is None:
            return None
        return PayAward(
            position=logged.position, payment=logged.payment, before=logged.before, after=logged.after
        )

    def _current_payment(self, command: ConsoleCommand, meter: MeterPort) -> PayAward | Refusal:
        """Return the payment at the meter's current amount, for which the link must be up."""
        assert self.table.round is not None
        if problem := self.console.link_problem(meter.closed_reason):
            return refuse(Code.LINK_DOWN, ("P31",), reason=problem)
        try:
            payment = meter.price(self.table.round)
        except RefusedError as error:
            return error.refusal
        return self._level_refusal(command, payment) or payment

    def _level_refusal(self, command: ConsoleCommand, award: PayAward) -> Refusal | None:
        """From the submitted amount on, refuse anybody but an executive (WA-NEX-8f.2, R64)."""
        game = self.table.game
        progressive, choice = game.rulebook.wagers.progressive, game.submission.progressive
        rule = None if progressive is None else progressive.executive_threshold
        level = None if choice is None else choice.executive_threshold
        if rule is None or rule.value != self.console.kind or level is None or award.payment.amount < level:
            return None
        duty = self.table.rules.duty("confirms_large_jackpot")
        if duty_refusal(command, "confirm", duty, "executive") is None:
            return None
        figures = {"amount": dollars(award.payment.amount), "level": dollars(level)}
        return refuse(Code.EXECUTIVE_NEEDED, clauses_of(rule, duty), **figures)

    def _logged_win(self, command: ConsoleCommand, award: PayAward) -> WinLogged:
        assert self.table.round is not None
        place = self.table.round.positions[self.step.position]
        marked = self.console.mark
        return WinLogged(
            position=self.step.position,
            row=self.step.row or self.step.hand,
            payment=award.payment,
            before=award.before,
            after=award.after,
            player=place.player,
            cards=place.cards,
            marked_by=marked.by if marked is not None else command.by,
            confirmed_by=command.by,
            confirmed_as=command.role,
            clauses=clauses_of(self.rules.logs_at),
        )
