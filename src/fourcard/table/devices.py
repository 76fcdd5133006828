"""Devices that fail: the reshuffle, the guide, the backup machine, another way of shuffling and dealing."""

from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.commands import Report
from fourcard.round.decide import decide as decide_round
from fourcard.rules.nodes import cite
from fourcard.rules.procedures import DealingMethod
from fourcard.table.agenda import mixing
from fourcard.table.commands import ReportFailure, SwapMachine, SwitchMethod
from fourcard.table.events import DeviceFailed, DeviceSeenTo, MethodSwitched, SwapOrdered, TableEvent
from fourcard.table.state import TableState

Decided = Refusal | list[TableEvent]


def report_failure(state: TableState, command: ReportFailure) -> Decided:
    """Have the cards shuffled again, and the round voided where the rulebook says so (MA-14e, MA-14f)."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    shoe = command.device == "shoe"
    row = state.rules.irregularity("shoe_failure" if shoe else "shuffler_failure")
    in_use = state.method == "automated" if shoe else state.shuffler_works and not state.by_hand
    if not in_use or row is None:
        return refuse(Code.DEVICE_ABSENT, () if row is None else cite(row), device=command.device)
    deals = shoe or "void-if-dealt" in row.value
    resting = state.round is not None and len(state.decks) > 1 and not deals
    failed = DeviceFailed(command.device, cite(row), 1 - state.active if resting else None)
    if state.round is None or resting:
        return [failed]
    report = Report(
        irregularity="shoe_failure" if shoe else "shuffler_failure", role=command.role, by=command.by
    )
    outcome = decide_round(state.round, report)
    return outcome if isinstance(outcome, Refusal) else [failed, *outcome]


def swap_machine(state: TableState, _command: SwapMachine) -> Decided:
    """Put the backup in place of a machine that keeps failing, step by step (SM-IRR-2.2, WA-IRR-2.2)."""
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
    """Deal in another way, once the device has been seen to (MA-14g, MD-13H1, IA-IRR-3.2)."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    clauses = _method_clauses(state, command.method, by_hand=command.shuffle_by_hand)
    if clauses is None:
        rules = state.game.rulebook.dealing
        cited = cite(*(each.allowed for each in rules.values()))
        return refuse(Code.METHOD_REFUSED, cited, method=command.method)
    rule = state.game.rulebook.devices.before_other_method
    unshuffled = command.shuffle_by_hand and mixing(state) == "by-machine"
    leaves = unshuffled or (state.method == "automated" and command.method != "automated")
    if rule is not None and (state.failed_device or (leaves and _removed(state))):
        return refuse(
            Code.DEVICE_BLOCKS, cite(rule), due=" or ".join(step.replace("_", " ") for step in rule.value)
        )
    return [MethodSwitched(command.method, command.shuffle_by_hand, clauses)]


def _method_clauses(state: TableState, method: DealingMethod, *, by_hand: bool) -> tuple[str, ...] | None:
    """Return what allows a method here, or None: dealing from the hand needs a shuffler (MA-8b1)."""
    rules = state.game.rulebook.dealing.get(method)
    shuffles_by_hand = by_hand or not state.shuffler_works
    if rules is None or not rules.allowed.value:
        return None
    if rules.needs_shuffler is not None and rules.needs_shuffler.value and shuffles_by_hand:
        return None
    if shuffles_by_hand and not state.game.rulebook.shuffling.by_hand:
        return None
    fallback = state.game.rulebook.devices.fallback
    return cite(rules.allowed, fallback if fallback is not None and fallback.value == method else None)


def _removed(state: TableState) -> bool:
    """Say whether a device leaves the table before another method even where it works (MA-14g)."""
    rule = state.game.rulebook.devices.before_other_method
    stands = state.method == "automated" or mixing(state) == "by-machine"
    return rule is not None and "remove_device" in rule.value and stands and not state.device_away


def see_to_device(state: TableState, step: str) -> Decided:
    """Remove, cover or mark a failed device, as the rulebook wants it."""
    rule = state.game.rulebook.devices.before_other_method
    waits = state.failed_device or _removed(state)
    if rule is None or not waits or step not in rule.value:
        due = "" if rule is None else " or ".join(each.replace("_", " ") for each in rule.value)
        if rule is None or not waits:
            return refuse(Code.NOTHING_DUE, cite(rule), step=step.replace("_", " "))
        return refuse(Code.STEP_NOT_DUE, cite(rule), step=step.replace("_", " "), due=due)
    return [DeviceSeenTo(next(each for each in rule.value if each == step), cite(rule))]
