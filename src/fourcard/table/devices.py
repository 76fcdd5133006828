"""Devices: failures of shuffler and shoe, taking them out of use, backup machines, other dealing methods."""

from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import words
from fourcard.round.commands import ReportIrregularity
from fourcard.round.decide import decide as decide_round
from fourcard.round.state import RoundState
from fourcard.rules.nodes import cite, holds
from fourcard.rules.procedures import IrregularityKind
from fourcard.table.agenda import MIXING, mixing
from fourcard.table.commands import BringDevice, Device, Prepare, ReportFailure, SwapMachine, SwitchMethod
from fourcard.table.events import (
    Decided,
    DeviceFailed,
    DeviceReturned,
    DeviceSeenTo,
    MethodSwitched,
    SwapOrdered,
)
from fourcard.table.state import TableState


def report_failure(state: TableState, command: ReportFailure) -> Decided:
    """Report a device failure: reshuffle, and void the round where the rulebook says so (MA-14e, MA-14f)."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    shoe = command.device == "shoe"
    kind: IrregularityKind = "shoe_failure" if shoe else "shuffler_failure"
    row = state.rules.irregularity(kind)
    if row is None or command.device not in in_use(state):
        return refuse(Code.DEVICE_ABSENT, () if row is None else cite(row), device=command.device)
    shuffling = any(step in MIXING for step, _ in state.agenda)
    deals = shoe or "void-if-dealt" in row.value
    resting = state.round is not None and len(state.decks) > 1 and not deals and not shuffling
    failed = DeviceFailed(command.device, cite(row), 1 - state.active if resting else None)
    if (
        state.round is None
        or resting
        or (_all_hands_dealt(state.round) and state.game.rulebook.devices.trouble)
    ):
        return [failed]
    outcome = decide_round(
        state.round, ReportIrregularity(irregularity=kind, role=command.role, by=command.by)
    )
    return outcome if isinstance(outcome, Refusal) else [failed, *outcome]


def _all_hands_dealt(under_way: RoundState) -> bool:
    """Say whether all hands are dealt, so that the guide is consulted after the round (SM-IRR-2.1)."""
    return under_way.phase in ("stub", "deciding", "settling")


def in_use(state: TableState) -> tuple[Device, ...]:
    """Return the devices that now shuffle and deal the cards."""
    shoe: tuple[Device, ...] = ("shoe",) if state.method == "automated" and "shoe" not in state.away else ()
    return (*shoe, "shuffler") if mixing(state) == "by-machine" else shoe


def swap_machine(state: TableState, _command: SwapMachine) -> Decided:
    """Order the steps that replace a failing machine by its backup (SM-IRR-2.2, WA-IRR-2.2)."""
    devices = state.game.rulebook.devices
    if not devices.swap or devices.swap_from is None:
        return refuse(Code.NOT_DESCRIBED, rulebook=state.game.rulebook.id, kind="a swap of machines")
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY, cite(devices.swap_from))
    if state.failures < devices.swap_from.value:
        figures = {"wanted": devices.swap_from.value, "count": state.failures}
        return refuse(Code.SWAP_EARLY, cite(devices.swap_from), **figures)
    return [SwapOrdered(cite(devices.swap_from))]


def switch_method(state: TableState, command: SwitchMethod) -> Decided:
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
    return [MethodSwitched(command.method, command.shuffle_by_hand, cite(allowed, cited))]


def _method_refusal(state: TableState, command: SwitchMethod) -> Refusal | None:
    """Refuse a method that rulebook, approvals or equipment do not allow (MA-8b1, MA-9a.2, MD-08A)."""
    book, method = state.game.rulebook, command.method
    rules = book.dealing.get(method)
    by_hand = command.shuffle_by_hand or not state.shuffler_works
    if rules is None or not rules.allowed.value:
        clauses = cite(*(each.allowed for each in book.dealing.values()))
        return refuse(Code.METHOD_REFUSED, clauses, method=method)
    missing = [
        rule
        for name, rule in book.approvals.items()
        if rule.value == method and name not in state.game.submission.operator.approvals
    ]
    shuffler_deals = method == "automated" and not rules.load
    if missing:
        return refuse(Code.METHOD_REFUSED, cite(*missing), method=method)
    if by_hand and (holds(rules.needs_shuffler) or shuffler_deals or not book.shuffling.by_hand):
        return refuse(Code.METHOD_REFUSED, cite(rules.needs_shuffler or rules.allowed), method=method)
    if method == "automated" and "shoe" in state.away:
        return refuse(Code.DEVICE_AWAY, cite(book.devices.before_other_method))
    return None


def _device_refusal(state: TableState, command: SwitchMethod) -> Refusal | None:
    """Refuse another method before the device is taken care of; some rulebooks allow one fallback only."""
    devices = state.game.rulebook.devices
    rule, fallback = devices.before_other_method, devices.fallback
    if fallback is not None and "shuffler" in state.failed:
        manual = command.method == fallback.value and command.shuffle_by_hand
        return None if manual else refuse(Code.METHOD_REFUSED, cite(fallback), method=command.method)
    if rule is None:
        return None
    leaves = {"shoe": command.method != "automated", "shuffler": command.shuffle_by_hand}
    working = [each for each in in_use(state) if leaves[each]] if "remove_device" in rule.value else []
    if state.failed or working:
        return refuse(Code.DEVICE_BLOCKS, cite(rule), due=" or ".join(map(words, rule.value)))
    return None


def see_to_device(state: TableState, command: Prepare) -> Decided:
    """Take a device out of use: remove, cover or mark it (MA-14g)."""
    rule = state.game.rulebook.devices.before_other_method
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if command.role == "player":
        figures = {"what": words(command.step), "who": "dealer or the floor", "role": "player"}
        return refuse(Code.NOT_YOUR_DUTY, cite(rule), **figures)
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY, cite(rule))
    removes = rule is not None and "remove_device" in rule.value
    devices = state.failed or (in_use(state) if removes else ())
    if rule is None or not devices:
        return refuse(Code.NOTHING_DUE, cite(rule), step=words(command.step))
    if command.step not in rule.value:
        due = " or ".join(map(words, rule.value))
        return refuse(Code.STEP_NOT_DUE, cite(rule), step=words(command.step), due=due)
    return [DeviceSeenTo(command.step, cite(rule), devices[0])]


def bring_device(state: TableState, command: BringDevice) -> Decided:
    """Bring a device back into use, between rounds."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    if command.device not in state.away:
        return refuse(Code.DEVICE_STANDS, device=command.device)
    return [DeviceReturned(command.device)]
