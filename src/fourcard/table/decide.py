"""Table decisions: turn a command into events or a refusal; a round's commands go on to the round."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import (
    CallOff,
    CorrectPayment,
    Deal,
    LeaveSeat,
    ReportIrregularity,
    RoundCommand,
    TakeSeat,
)
from fourcard.round.decide import decide as decide_round
from fourcard.round.decide_deal import upcoming_move
from fourcard.round.decide_wagers import void_event
from fourcard.round.events import IrregularityNoted, RoundEnded, RoundVoided
from fourcard.round.irregularities import FACE_UP_KINDS
from fourcard.round.preconditions import (
    command_text,
    dealer_refusal,
    duty_refusal,
    step_text,
    steps_after_cards,
)
from fourcard.round.state import RoundState, new_round
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.procedures import Consequence, IrregularityKind
from fourcard.rules.submission import LocalDecision
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    Device,
    GoIdle,
    LastHand,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
    TableCommand,
)
from fourcard.table.deck_preparation import (
    SHUFFLE_STEPS,
    order_recut,
    order_shuffle,
    prepare,
    shuffle_method,
    waived_by_device,
)
from fourcard.table.events import (
    DeckBrought,
    DeckPutInShuffler,
    DeviceFailed,
    DeviceReturned,
    DeviceSeenTo,
    LastHandCalled,
    MethodSwitched,
    PlayerArrived,
    RoundBegan,
    SwapOrdered,
    TableClosed,
    TableEvent,
    TableEventsOrRefusal,
    TableOpened,
    WentIdle,
)
from fourcard.table.state import TableState, is_full_deck


def report_failure(state: TableState, command: ReportFailure) -> TableEventsOrRefusal:
    """Report a device failure: reshuffle, and void the round where the rulebook says so (MA-14e, MA-14f).

    Where a guide is consulted, a failure after the deal waits for the end of the round (SM-IRR-2.1).
    """
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    shoe = command.device == "shoe"
    kind: IrregularityKind = "shoe_failure" if shoe else "shuffler_failure"
    row = state.rules.irregularity(kind)
    if row is None or command.device not in devices_in_use(state):
        return refuse(Code.DEVICE_ABSENT, () if row is None else clauses_of(row), device=command.device)
    machine = state.game.submission.shuffler
    local = None if shoe or machine is None else machine.local_procedure
    if local:
        return _follow_local_procedure(state, command, local)
    if command.decision is not None:
        return refuse(Code.FIGURE_FOREIGN, clauses_of(row), figure="decision", kind=step_text(kind))
    shuffling = any(step in SHUFFLE_STEPS for step, _ in state.agenda)
    spared = _holds_no_dealt_cards(state)
    deals = shoe or ("void-if-dealt" in row.value and not spared)
    resting = state.round is not None and len(state.decks) > 1 and not deals and not shuffling
    failed = DeviceFailed(command.device, clauses_of(row), 1 - state.active if resting else None)
    if (
        state.round is None
        or resting
        or spared
        or (_all_hands_dealt(state.round) and state.game.rulebook.devices.trouble)
    ):
        return [failed]
    outcome = decide_round(
        state.round, ReportIrregularity(irregularity=kind, role=command.role, by=command.by)
    )
    return outcome if isinstance(outcome, Refusal) else [failed, *outcome]


def _follow_local_procedure(
    state: TableState, command: ReportFailure, known: tuple[LocalDecision, ...]
) -> TableEventsOrRefusal:
    """Do what a supervisor decides by the local procedure: void or play on (SM-IRR-2.3, WA-IRR-3)."""
    clauses = clauses_of(state.game.rulebook.shuffling.local_failure_procedure)
    refusal = duty_refusal(command, "decide by the local procedure", None, "supervisor")
    if refusal is not None:
        return Refusal(refusal.code, refusal.message, clauses)
    if command.decision not in known:
        return refuse(Code.LOCAL_DECISION, clauses, known=" or ".join(known).replace("-", " "))
    current = state.round
    if current is None or not current.dealt_mask:
        return [DeviceFailed(command.device, clauses)]
    if command.decision == "play-on":
        resting = 1 - state.active if len(state.decks) > 1 else None
        goes_on = IrregularityNoted("shuffler_failure", ("continue",), clauses)
        return [DeviceFailed(command.device, clauses, resting), goes_on]
    follows: tuple[Consequence, ...] = ("void", "reshuffle")
    noted = IrregularityNoted("shuffler_failure", follows, clauses)
    return [DeviceFailed(command.device, clauses), noted, void_event(current, clauses, follows)]


def _holds_no_dealt_cards(state: TableState) -> bool:
    """Say whether the shuffler has ejected the stub, so that its failure concerns no hand (R75)."""
    current = state.round
    # Stored games of version 0.1 have no such setting: a failure voids their rounds to the end.
    if (
        current is None
        or not current.dealt_mask
        or state.game.settings.get("shuffler_void") != "deck-in-play"
    ):
        return False
    ejected = all(step != "press_green_button" for step, _ in steps_after_cards(current))
    return ejected or current.phase in ("deciding", "settling")


def _all_hands_dealt(current_round: RoundState) -> bool:
    """Say whether all hands are dealt, so that the guide is consulted after the round (SM-IRR-2.1)."""
    return current_round.phase in ("stub", "deciding", "settling")


def devices_in_use(state: TableState) -> tuple[Device, ...]:
    """Return the devices that now shuffle and deal the cards."""
    shoe: tuple[Device, ...] = ("shoe",) if state.method == "automated" and "shoe" not in state.away else ()
    return (*shoe, "shuffler") if shuffle_method(state) == "by-machine" else shoe


def swap_machine(state: TableState, _command: SwapMachine) -> TableEventsOrRefusal:
    """Order the steps that replace a failing machine by its backup (SM-IRR-2.2, WA-IRR-2.2)."""
    devices = state.game.rulebook.devices
    if devices.swap_from is None:
        return refuse(Code.NOT_DESCRIBED, rulebook=state.game.rulebook.id, kind="a swap of machines")
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY, clauses_of(devices.swap_from))
    if state.failures < devices.swap_from.value:
        figures = {"wanted": devices.swap_from.value, "count": state.failures}
        return refuse(Code.SWAP_EARLY, clauses_of(devices.swap_from), **figures)
    return [SwapOrdered(clauses_of(devices.swap_from))]


def switch_method(state: TableState, command: SwitchMethod) -> TableEventsOrRefusal:
    """Change the dealing method, once a failed device was taken care of (MA-14g, MD-13H1, IA-IRR-3.2)."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    refusal = _method_refusal(state, command) or _device_refusal(state, command)
    if refusal is not None:
        return refusal
    fallback = state.game.rulebook.devices.fallback
    cited = fallback if fallback is not None and fallback.value == command.method else None
    allowed = state.game.rulebook.dealing[command.method].allowed
    return [MethodSwitched(command.method, command.shuffle_by_hand, clauses_of(allowed, cited))]


def _method_refusal(state: TableState, command: SwitchMethod) -> Refusal | None:
    """Refuse a method that rulebook, approvals or equipment do not allow (MA-8b1, MA-9a.2, MD-08A)."""
    rulebook, method = state.game.rulebook, command.method
    rules = rulebook.dealing.get(method)
    by_hand = command.shuffle_by_hand or not state.shuffler_works
    if rules is None or not rules.allowed.value:
        clauses = clauses_of(*(each.allowed for each in rulebook.dealing.values()))
        return refuse(Code.METHOD_REFUSED, clauses, method=method)
    missing = [
        rule
        for name, rule in rulebook.approvals.items()
        if rule.value == method and name not in state.game.submission.operator.approvals
    ]
    shuffler_deals = method == "automated" and not rules.load
    if missing:
        return refuse(Code.METHOD_REFUSED, clauses_of(*missing), method=method)
    if by_hand and (is_set(rules.needs_shuffler) or shuffler_deals or not rulebook.shuffling.by_hand):
        return refuse(Code.METHOD_REFUSED, clauses_of(rules.needs_shuffler or rules.allowed), method=method)
    if method == "automated" and "shoe" in state.away:
        return refuse(Code.DEVICE_AWAY, clauses_of(rulebook.devices.before_other_method))
    return None


def _device_refusal(state: TableState, command: SwitchMethod) -> Refusal | None:
    """Refuse another method before the device is taken care of; some rulebooks allow one fallback only."""
    devices = state.game.rulebook.devices
    rule, fallback = devices.before_other_method, devices.fallback
    if fallback is not None and "shuffler" in state.failed:
        manual = command.method == fallback.value and command.shuffle_by_hand
        return None if manual else refuse(Code.METHOD_REFUSED, clauses_of(fallback), method=command.method)
    if rule is None:
        return None
    leaves = {"shoe": command.method != "automated", "shuffler": command.shuffle_by_hand}
    working = (
        [each for each in devices_in_use(state) if leaves[each]] if "remove_device" in rule.value else []
    )
    if state.failed or working:
        return refuse(Code.DEVICE_BLOCKS, clauses_of(rule), due=" or ".join(map(step_text, rule.value)))
    return None


def take_device_out_of_use(state: TableState, command: Prepare) -> TableEventsOrRefusal:
    """Take a device out of use: remove, cover or mark it (MA-14g)."""
    rule = state.game.rulebook.devices.before_other_method
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if command.role == "player":
        figures = {"what": step_text(command.step), "who": "dealer or the floor", "role": "player"}
        return refuse(Code.NOT_YOUR_DUTY, clauses_of(rule), **figures)
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY, clauses_of(rule))
    removes = rule is not None and "remove_device" in rule.value
    devices = state.failed or (devices_in_use(state) if removes else ())
    if rule is None or not devices:
        return refuse(Code.NOTHING_DUE, clauses_of(rule), step=step_text(command.step))
    if command.step not in rule.value:
        due = " or ".join(map(step_text, rule.value))
        return refuse(Code.STEP_NOT_DUE, clauses_of(rule), step=step_text(command.step), due=due)
    return [DeviceSeenTo(command.step, clauses_of(rule), devices[0])]


def bring_device(state: TableState, command: BringDevice) -> TableEventsOrRefusal:
    """Bring a device back into use, between rounds."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    if command.device not in state.away:
        return refuse(Code.DEVICE_STANDS, device=command.device)
    return [DeviceReturned(command.device)]


def open_table(state: TableState, command: OpenTable) -> TableEventsOrRefusal:
    """Open a closed table with the number of decks that the submission names."""
    if state.phase != "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="open already")
    rules, wanted = state.game.rulebook.shuffling, state.game.submission.dealing.decks
    if len(command.decks) != wanted:
        return refuse(Code.DECKS_UNFIT, clauses_of(rules.decks), count=len(command.decks), wanted=wanted)
    if command.orders and len(command.orders) != wanted:
        return refuse(Code.ORDER_UNFIT, clauses_of(rules.waived_for_preshuffled))
    if len(set(map(_back_colour, command.decks))) < len(command.decks) and is_set(rules.backs_differ):
        return refuse(Code.BACKS_ALIKE, clauses_of(rules.backs_differ))
    refusal = _preshuffled_refusal(state, command.orders, preshuffled=command.preshuffled)
    if refusal is not None:
        return refusal
    return [TableOpened(command.decks, command.preshuffled, command.shoe_side, command.at, command.orders)]


def _back_colour(back: str) -> str:
    """Return a back's colour for comparison, without case and outer spaces."""
    return back.strip().casefold()


def _preshuffled_refusal(
    state: TableState, orders: tuple[tuple[int, ...], ...], *, preshuffled: bool
) -> Refusal | None:
    """Refuse preshuffled cards where the rulebook has none, and an invalid order."""
    rule = state.game.rulebook.shuffling.waived_for_preshuffled
    if preshuffled and not rule.value:
        return refuse(Code.PRESHUFFLED_REFUSED, clauses_of(rule))
    if any(not is_full_deck(order) for order in orders) or (orders and not preshuffled):
        return refuse(Code.ORDER_UNFIT, clauses_of(rule))
    return None


def bring_deck(state: TableState, command: BringDeck) -> TableEventsOrRefusal:
    """Replace a deck, between rounds or while it is not in play."""
    number = state.active if command.deck is None else command.deck
    if state.phase != "open":
        return refuse(Code.TABLE_NOT_OPEN, phase=state.phase)
    if not 0 <= number < len(state.decks):
        return refuse(Code.DECK_UNKNOWN, deck=number)
    rules = state.game.rulebook.shuffling
    if state.round is not None and number == state.active and not state.decks[number].removed:
        return refuse(Code.ROUND_UNDER_WAY)
    others = [_back_colour(deck.back) for n, deck in enumerate(state.decks) if n != number]
    if _back_colour(command.back) in others and is_set(rules.backs_differ):
        return refuse(Code.BACKS_ALIKE, clauses_of(rules.backs_differ))
    orders = () if command.order is None else (command.order,)
    refusal = _preshuffled_refusal(state, orders, preshuffled=command.preshuffled)
    return refusal or [DeckBrought(number, command.back, command.preshuffled, command.at, command.order)]


def go_idle(state: TableState, command: GoIdle) -> TableEventsOrRefusal:
    """Spread the cards of a table that is declared idle (MA-5e.1, MD-05F2, R105).

    A round that is open for wagers and has none is called off; any other is under way. Where players sit,
    the dealer or the floor declares it; a player may then ask for another spread.
    """
    player = command.role == "player"
    asks_again = player and state.phase == "idle" and command.spread != state.spread
    if state.phase != "open" and not asks_again:
        return refuse(Code.TABLE_NOT_OPEN, phase=state.phase)
    called = [] if state.round is None else decide_round(state.round, CallOff())
    if isinstance(called, Refusal) or (called and player):
        return refuse(Code.ROUND_UNDER_WAY, ("R105",))
    if player and state.seats and not asks_again:
        return refuse(Code.PLAYERS_SEATED, ("R105",))
    if state.decks[state.active].removed:
        return refuse(Code.DECK_UNPREPARED, due="bring a deck")
    spread = _spread_idle(state, command)
    return spread if isinstance(spread, Refusal) else [*called, *spread]


def _spread_idle(state: TableState, command: GoIdle) -> TableEventsOrRefusal:
    """Spread the cards the usual way, or as a player requests where the rulebook allows it."""
    idle = state.game.rulebook.idle
    undone = next((due for due in state.agenda if due[0] in ("inspect_cards", "verify_inspection")), None)
    if undone is not None:
        return refuse(Code.STEP_NOT_DUE, undone[1], step="spread idle cards", due=step_text(undone[0]))
    if idle is None or waived_by_device(state, "idle-spread"):
        clauses = clauses_of(state.game.rulebook.shuffling.reshuffling_waives)
        return refuse(Code.NOT_DESCRIBED, clauses, rulebook=state.game.rulebook.id, kind="an idle spread")
    player = command.role == "player"
    requested = (idle.on_request.value,) if idle.on_request is not None else ()
    if command.spread not in (requested if player else idle.spread.value):
        clauses, spread = clauses_of(idle.spread, idle.on_request), command.spread.replace("-", " ")
        return refuse(Code.IDLE_REFUSED, clauses, spread=spread)
    return [WentIdle(command.spread, clauses_of(idle.spread))]


def close_table(state: TableState, command: CloseTable) -> TableEventsOrRefusal:
    """Close the table between rounds."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed already")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    return [TableClosed(command.at)]


def last_hand(state: TableState, command: LastHand) -> TableEventsOrRefusal:
    """Close the table after the current round, or at once between rounds (P36)."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, ("P36",), phase="closed already")
    if state.last_hand:
        return refuse(Code.LAST_HAND_CALLED, ("P36",))
    called = LastHandCalled()
    return [called] if state.round is not None else [called, TableClosed(command.at)]


Decider = Callable[[TableState, Any], TableEventsOrRefusal]
HOUR = 3_600_000
STAFF_ONLY = (
    OpenTable,
    BringDeck,
    BeginRound,
    ReportFailure,
    BringDevice,
    SwapMachine,
    SwitchMethod,
    CloseTable,
    LastHand,
)
ROUND_ENDS = (RoundEnded, RoundVoided)
DEVICE_STEPS = ("remove_device", "cover_device", "mark_device")


def decide(state: TableState, command: TableCommand) -> TableEventsOrRefusal:
    """Return the events of a command, or the refusal with its reason."""
    if command.at and command.at < state.at:
        return refuse(Code.TIME_BACKWARD)
    if command.role == "player" and isinstance(command, STAFF_ONLY):
        return refuse(
            Code.NOT_YOUR_DUTY, what=command_text(command), who="dealer or the floor", role="player"
        )
    decider: Decider = _TABLE_DECIDERS.get(type(command), _decide_in_round)
    decided = decider(state, command)
    if not state.last_hand or isinstance(decided, Refusal):
        return decided
    return _close_after_last_hand(command, decided)


def _close_after_last_hand(command: TableCommand, decided: Sequence[TableEvent]) -> Sequence[TableEvent]:
    """Close the table once the round of the last hand is over (P36)."""
    round_over = any(isinstance(event, ROUND_ENDS) for event in decided)
    return [*decided, TableClosed(command.at)] if round_over else decided


def _prepare(state: TableState, command: Prepare) -> TableEventsOrRefusal:
    if command.step in DEVICE_STEPS:
        return take_device_out_of_use(state, command)
    return prepare(state, command)


def begin_round(state: TableState, command: BeginRound) -> TableEventsOrRefusal:
    """Open a round for wagers, if the active deck is ready and not too old."""
    if state.phase != "open":
        return refuse(Code.TABLE_NOT_OPEN, phase=state.phase)
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    unshuffled = is_set(state.rules.dealing.needs_shuffler) and shuffle_method(state) == "by-hand"
    if unshuffled or (state.method == "automated" and "shoe" in state.away):
        return refuse(Code.DEVICE_AWAY, clauses_of(state.game.rulebook.devices.before_other_method))
    refusal = _round_deck_refusal(state, command)
    if refusal is not None:
        return refusal
    due = _is_count_due(state) or command.count_stub
    began = RoundBegan(state.round_number + 1, state.active, due, command.at)
    return [*_put_other_deck_in_shuffler(state), began]


def _is_count_due(state: TableState) -> bool:
    """Say whether a stub count is due (MA-7e.1, IA-MAN-3.1) and no shuffler counts the deck (MA-7f.1)."""
    rules, machine = state.rules.dealing.counting, state.machine
    if is_set(rules.waived_by_counting_shuffler) and machine is not None and machine.counts:
        return False
    return rules.every is not None and state.since_count + 1 >= rules.every.value


def _round_deck_refusal(state: TableState, command: BeginRound) -> Refusal | None:
    """Refuse a deck that was removed, is too old, or is not ready (MD-03C1, MD-03C2)."""
    deck, rule = state.decks[state.active], state.rules.dealing.change_hours
    age = max(command.at, state.at) - deck.since
    if rule is not None and not deck.removed and age >= rule.value * HOUR:
        return refuse(Code.DECK_TOO_OLD, clauses_of(rule), hours=rule.value)
    return _deck_unready_refusal(state)


def _put_other_deck_in_shuffler(state: TableState) -> list[TableEvent]:
    """Put the other deck into the shuffler: the discard rack holds cards of one deck at a time (MA-2b5)."""
    rules = state.game.rulebook.shuffling
    if len(state.decks) == 1 or state.machine is None:
        return []
    if rules.rack_holds_decks is None or rules.rack_holds_decks.value != 1:
        return []
    other = 1 - state.active
    deck = state.decks[other]
    if deck.in_shuffler or not deck.agenda or deck.agenda[0][0] not in SHUFFLE_STEPS:
        return []
    return [DeckPutInShuffler(other, clauses_of(rules.rack_holds_decks, rules.shuffled_while_other_in_play))]


def _decide_in_round(state: TableState, command: RoundCommand) -> TableEventsOrRefusal:
    """Let the round decide; the table adds seats, deck cards and the last round where they are needed."""
    decider = _ROUND_DECIDERS_USING_TABLE.get(type(command))
    if decider is not None:
        return decider(state, command)
    return refuse(Code.NO_ROUND) if state.round is None else decide_round(state.round, command)


def _correct_payment(state: TableState, command: CorrectPayment) -> TableEventsOrRefusal:
    """Correct a payment of the current round, or of the last one."""
    paid = state.round or state.last_round
    return refuse(Code.NO_ROUND) if paid is None else decide_round(paid, command)


def _report_irregularity(state: TableState, command: ReportIrregularity) -> TableEventsOrRefusal:
    """Let the round decide irregularities of cards; device failures have their own command."""
    if state.round is None:
        return refuse(Code.NO_ROUND)
    if command.irregularity in ("shuffler_failure", "shoe_failure"):
        return refuse(Code.STEP_DONE_BY, step="report failure")
    if command.irregularity in FACE_UP_KINDS:
        return _report_face_up_card(state, state.round, command)
    return decide_round(state.round, command)


def _change_seat(state: TableState, command: TakeSeat | LeaveSeat) -> TableEventsOrRefusal:
    """Seat and unseat players, during a round only as the round allows."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if isinstance(command, TakeSeat) and _comes_back(state, command):
        return [_arrival(state)]
    between = state.round if state.round is not None else new_round(state.rules, state.seats)
    outcome = decide_round(between, command)
    if isinstance(outcome, Refusal) or state.phase != "idle" or isinstance(command, LeaveSeat):
        return outcome
    return [*outcome, _arrival(state)]


def _comes_back(state: TableState, command: TakeSeat) -> bool:
    """Say whether somebody who sits at an idle table takes the own seat again: an arrival (R105)."""
    own = command.role != "player" or command.by == command.player
    return state.phase == "idle" and own and state.seats.get(command.position) == command.player


def _arrival(state: TableState) -> PlayerArrived:
    idle = state.game.rulebook.idle
    assert idle is not None
    return PlayerArrived(clauses_of(*idle.arrival.values()))


def _deal(state: TableState, command: Deal) -> TableEventsOrRefusal:
    """Deal the next cards from the deck; if its order is unknown, the dealer keys them in."""
    round_state = state.round
    if round_state is None:
        return refuse(Code.NO_ROUND)
    refusal = _deck_unready_refusal(state) or _drawing_hand_refusal(state, command)
    if refusal is not None:
        return refusal
    deck = state.decks[state.active]
    if deck.order is None:
        return decide_round(round_state, command)
    if command.cards:
        return refuse(Code.CARDS_KEYED)
    count = upcoming_move(round_state).count if round_state.phase in ("betting", "dealing") else 0
    return decide_round(round_state, replace(command, cards=deck.order[:count]))


def _deck_unready_refusal(state: TableState) -> Refusal | None:
    """Refuse a deck that was removed, or that still has preparation steps."""
    if state.decks[state.active].removed:
        return refuse(Code.DECK_UNPREPARED, due="bring a deck")
    if state.agenda:
        step, clauses = state.agenda[0]
        return refuse(Code.DECK_UNPREPARED, clauses, due=step_text(step))
    return None


def _drawing_hand_refusal(state: TableState, command: Deal) -> Refusal | None:
    """Refuse the wrong drawing hand: it must be the one next to the shoe, or the one without the deck."""
    used, rule = command.drawn_with, state.rules.dealing.drawing_hand
    if used is None or not is_set(rule):
        return None
    right = used == state.shoe_side if state.method == "shoe" else used != state.hand
    return None if right else refuse(Code.WRONG_HAND, clauses_of(rule), hand=used)


def _report_face_up_card(
    state: TableState, round_state: RoundState, command: ReportIrregularity
) -> TableEventsOrRefusal:
    """Take the face-up card from the deck; if its order is unknown, the dealer keys it in."""
    deck = state.decks[state.active]
    refusal = _deck_unready_refusal(state) or (
        dealer_refusal(round_state, command) if deck.order is None else None
    )
    if refusal is not None:
        return refusal
    if deck.order is None or command.place not in range(len(deck.order)):
        return decide_round(round_state, command)
    if command.card is not None:
        return refuse(Code.CARDS_KEYED)
    return decide_round(round_state, replace(command, card=deck.order[command.place]))


_TABLE_DECIDERS: dict[type, Decider] = {
    OpenTable: open_table,
    BringDeck: bring_deck,
    Prepare: _prepare,
    OrderRecut: order_recut,
    OrderShuffle: order_shuffle,
    BeginRound: begin_round,
    ReportFailure: report_failure,
    BringDevice: bring_device,
    SwapMachine: swap_machine,
    SwitchMethod: switch_method,
    GoIdle: go_idle,
    CloseTable: close_table,
    LastHand: last_hand,
}
_ROUND_DECIDERS_USING_TABLE: dict[type, Decider] = {
    TakeSeat: _change_seat,
    LeaveSeat: _change_seat,
    Deal: _deal,
    ReportIrregularity: _report_irregularity,
    CorrectPayment: _correct_payment,
}
"""Round commands that need the table's seats, deck or last round."""
