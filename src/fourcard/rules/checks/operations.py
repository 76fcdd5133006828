"""Checks on operations: approvals, dealing equipment, settlement, layout and policy settings."""

from collections.abc import Iterator

from fourcard.refusal_codes import Code
from fourcard.rules.checks.finding import CheckContext, CheckFinding, error, finding, join_or, warning
from fourcard.rules.cited import Cited, is_set
from fourcard.rules.clauses import SettingValue, settings
from fourcard.rules.plain_data import rulebook_hash
from fourcard.rules.procedures import Dealing, Shuffling
from fourcard.rules.rulebook import ApprovalCase, Layout, Rulebook
from fourcard.rules.submission import LayoutChoice, ShufflerChoice
from fourcard.rules.validation_errors import suggestion
from fourcard.wagers import WAGER_LABELS, WAGERS, WagerName


def check_approvals(case: CheckContext) -> Iterator[CheckFinding]:
    """Require each approval that applies, and the approved rules of play."""
    operator = case.submission.operator
    kinds = operator_kinds(case.rulebook)
    if kinds and operator.kind is None:
        cited = [rule for rule in case.rulebook.approvals.values() if rule.value in kinds]
        yield error(Code.OPERATOR_KIND_MISSING, "operator.kind", *cited)
    for name in operator.approvals:
        if name not in case.rulebook.approvals:
            cited = list(case.rulebook.approvals.values())
            figures = {"name": name, "known": join_or(case.rulebook.approvals)}
            yield error(Code.APPROVAL_UNKNOWN, "operator.approvals", *cited, **figures)
    for name, rule in case.rulebook.approvals.items():
        if _applies(rule.value, case) and name not in operator.approvals:
            figures = {"name": name, "case": rule.value.replace("-", " ")}
            yield error(Code.APPROVAL_MISSING, "operator.approvals", rule, **figures)
    yield from _rules_of_play(case)


def operator_kinds(rulebook: Rulebook) -> set[ApprovalCase]:
    """Return the operator kinds that a rulebook distinguishes in its approvals."""
    return {rule.value for rule in rulebook.approvals.values()} & {"commercial", "tribal"}


def _applies(when: ApprovalCase, case: CheckContext) -> bool:
    submission = case.submission
    if when == "shuffler":
        return submission.shuffler is not None
    if when == "progressive":
        return case.offers("progressive")
    if when == "reshuffling-device":
        return submission.shuffler is not None and submission.shuffler.reshuffles
    if when == "other-tip-box-place":
        return submission.layout is not None and submission.layout.tip_box == "other"
    return when in ("always", submission.dealing.method, submission.operator.kind)


def _rules_of_play(case: CheckContext) -> Iterator[CheckFinding]:
    """Check the approved rules of play, and warn that changes may affect approval."""
    rules = case.rulebook.rules_of_play
    if rules is None:
        return
    named = case.submission.operator.rules_of_play
    if named != rules.date.value:
        figures = {"date": rules.date.value, "value": named or "none"}
        yield error(Code.RULES_OF_PLAY, "operator.rules_of_play", rules.date, **figures)
    changes = list(_changes(case))
    if changes and rules.changes_may_affect_approval.value:
        node = rules.changes_may_affect_approval
        yield warning(Code.CHANGE_MAY_AFFECT_APPROVAL, "submission", node, changes=", ".join(changes))


def _changes(case: CheckContext) -> Iterator[str]:
    """Yield the changes of a submission from the approved text and its default reading."""
    for name, value in case.submission.settings.items():
        if name in settings() and value != settings()[name][1].default:
            yield f"the setting {name}"


def check_equipment(case: CheckContext) -> Iterator[CheckFinding]:
    """Yield what is wrong with how cards are shuffled and dealt."""
    yield from _dealing(case)
    yield from _decks(case)
    rules, machine = case.rulebook.shuffling, case.submission.shuffler
    if machine is None:
        if rules.shuffler.value == "required":
            yield error(Code.SHUFFLER_REQUIRED, "shuffler", rules.shuffler)
        elif rules.shuffler.value == "recommended":
            yield warning(Code.SHUFFLER_RECOMMENDED, "shuffler", rules.shuffler)
    else:
        yield from _shuffler(rules, machine)
    yield from _machines_of_wagers(case)


def _dealing(case: CheckContext) -> Iterator[CheckFinding]:
    choice, methods = case.submission.dealing, case.rulebook.dealing
    rule = methods.get(choice.method)
    if rule is None or not rule.allowed.value:
        known = [name for name, method in methods.items() if method.allowed.value]
        cited = [method.allowed for method in methods.values()]
        figures = {"method": choice.method, "known": join_or(known)}
        yield error(Code.DEALING_NOT_ALLOWED, "dealing.method", *cited, **figures)
        return
    if is_set(rule.needs_shuffler) and case.submission.shuffler is None:
        yield error(Code.HAND_NEEDS_SHUFFLER, "dealing.method", rule.needs_shuffler)
    for key, value, spoken in (
        ("stack", choice.stack, rule.stack),
        ("dealer_first", choice.dealer_first, rule.dealer_first),
    ):
        if value is not None and spoken is None:
            idle = {"key": key, "method": choice.method}
            yield error(Code.DEALING_KEY_IDLE, f"dealing.{key}", rule.allowed, **idle)
    if rule.stack is not None and choice.stack not in (None, rule.stack.value):
        figures = {"stack": str(rule.stack.value), "count": str(choice.stack)}
        yield error(Code.STACK_SIZE, "dealing.stack", rule.stack, **figures)
    yield from _dealer_first(case, rule)


def _dealer_first(case: CheckContext, rule: Dealing) -> Iterator[CheckFinding]:
    """Check dealer_first against the rulebook's order of machine dealing."""
    chosen, machine = case.submission.dealing.dealer_first, case.submission.shuffler
    if chosen is None or rule.dealer_first is None:
        return
    words = {
        "never": "after the players'",
        "always": "before the players'",
        "with-reshuffling-shoe": "before the players' only by a shoe that reshuffles by itself",
    }
    reshuffles = machine is not None and machine.reshuffles
    allowed = {"never": (False,), "always": (True,), "with-reshuffling-shoe": (False, reshuffles)}
    if chosen not in allowed[rule.dealer_first.value]:
        figures = {"rule": words[rule.dealer_first.value], "value": str(chosen).lower()}
        yield error(Code.DEALER_FIRST, "dealing.dealer_first", rule.dealer_first, **figures)


def _decks(case: CheckContext) -> Iterator[CheckFinding]:
    rules, count = case.rulebook.shuffling, case.submission.dealing.decks
    if not 1 <= count <= rules.decks.value:
        most = "one deck" if rules.decks.value == 1 else f"{rules.decks.value} decks"
        yield error(Code.DECKS, "dealing.decks", rules.decks, most=most, count=count)
    elif count > 1 and is_set(rules.second_deck_needs_shuffler) and case.submission.shuffler is None:
        yield error(Code.SECOND_DECK_NEEDS_SHUFFLER, "dealing.decks", rules.second_deck_needs_shuffler)


def _shuffler(rules: Shuffling, machine: ShufflerChoice) -> Iterator[CheckFinding]:
    if rules.maker is not None and machine.maker != rules.maker.value:
        figures = {"maker": rules.maker.value, "value": machine.maker}
        yield error(Code.SHUFFLER_MAKER, "shuffler.maker", rules.maker, **figures)
    modes = rules.modes.get(machine.model)
    if modes is not None and machine.mode not in modes.value:
        figures = {"model": machine.model, "known": join_or(modes.value)}
        yield error(Code.SHUFFLER_MODE, "shuffler.mode", modes, **figures)
    if machine.direct_load and not is_set(rules.direct_load):
        yield finding("error", Code.DIRECT_LOAD, "shuffler.direct_load", ("P6",))
    if machine.reshuffles and not is_set(rules.reshuffling_device):
        yield finding("error", Code.RESHUFFLING_DEVICE, "shuffler.reshuffles", ("P6",))
    if machine.failure == "local" and not rules.local_failure_procedure.value:
        yield error(Code.LOCAL_FAILURE_PROCEDURE, "shuffler.failure", rules.local_failure_procedure)
    elif (machine.failure == "local") != bool(machine.local_procedure):
        where = "shuffler.local_procedure"
        yield error(Code.LOCAL_PROCEDURE_UNLISTED, where, rules.local_failure_procedure)


def _machines_of_wagers(case: CheckContext) -> Iterator[CheckFinding]:
    """Refuse wagers whose machine is missing: the bonus card (R77) and the Cover All mode (R101)."""
    six_card, cover_all = case.rulebook.wagers.six_card, case.rulebook.wagers.cover_all
    if six_card is not None and case.offers("six_card"):
        methods = six_card.dealing
        if case.submission.dealing.method not in methods.value:
            yield error(Code.SIX_CARD_DEALING, "dealing.method", methods, known=join_or(methods.value))
    if cover_all is not None and case.offers("cover_all"):
        methods = cover_all.dealing
        if case.submission.dealing.method not in methods.value:
            yield error(Code.COVER_ALL_DEALING, "dealing.method", methods, known=join_or(methods.value))
        machine = case.submission.shuffler
        named = (machine.model, machine.mode) if machine is not None else None
        if named != (cover_all.device.value, cover_all.mode.value):
            figures = {"device": cover_all.device.value, "mode": cover_all.mode.value}
            yield error(Code.COVER_ALL_DEVICE, "shuffler", cover_all.device, cover_all.mode, **figures)


def check_house(case: CheckContext) -> Iterator[CheckFinding]:
    """Yield what is wrong with settlement, layout and settings."""
    yield from _settlement(case)
    if case.submission.leaving_may_lose_wagers and not case.rulebook.leaving_may_lose_wagers.value:
        yield error(Code.LEAVING, "leaving_may_lose_wagers", case.rulebook.leaving_may_lose_wagers)
    if case.rulebook.layout is not None:
        yield from _layout(case, case.rulebook.layout, case.submission.layout)
    yield from _settings(case)
    yield from _unchecked(case)
    yield from _unreleased(case)


def offered_wagers(case: CheckContext) -> tuple[WagerName, ...]:
    """Return every wager of this game; Envy comes with the progressive."""
    return tuple(name for name in WAGERS if case.offers("progressive" if name == "envy" else name))


def _settlement(case: CheckContext) -> Iterator[CheckFinding]:
    rules, choice = case.rulebook.settlement, case.submission.settlement
    known = join_or(rules.routines.value)
    if choice.routine is None:
        if is_set(rules.routine_declared):
            yield error(Code.ROUTINE_MISSING, "settlement.routine", rules.routine_declared, known=known)
    elif choice.routine not in rules.routines.value:
        figures = {"routine": choice.routine, "known": known}
        yield error(Code.ROUTINE_UNKNOWN, "settlement.routine", rules.routines, **figures)
    if choice.order and not rules.house_order.value:
        yield error(Code.HOUSE_ORDER, "settlement.order", rules.house_order)
    elif choice.order:
        yield from _house_order(case)


def _house_order(case: CheckContext) -> Iterator[CheckFinding]:
    """Check that a house order names every offered wager, with those that need all hands last."""
    rules, order = case.rulebook.settlement, case.submission.settlement.order
    if sorted(order) != sorted(offered_wagers(case)):
        wanted = ", ".join(offered_wagers(case))
        yield error(Code.HOUSE_ORDER_INCOMPLETE, "settlement.order", rules.house_order, known=wanted)
    last: dict[WagerName, Cited[bool] | None] = {"envy": rules.envy_last, "cover_all": rules.cover_all_last}
    for name, rule in last.items():
        if is_set(rule) and name in order:
            after = order[order.index(name) + 1 :]
            if any(other not in last for other in after):
                yield error(Code.HOUSE_ORDER_ENDS, "settlement.order", rule, wager=WAGER_LABELS[name])


def _layout(case: CheckContext, rules: Layout, choice: LayoutChoice | None) -> Iterator[CheckFinding]:
    if choice is None:
        yield error(Code.LAYOUT_MISSING, "layout", rules.areas)
        return
    for name, cited in _areas(case, rules):
        if name not in choice.areas:
            yield error(Code.LAYOUT_AREA_MISSING, "layout.areas", cited, wager=WAGER_LABELS[name])
    shown = choice.odds == "layout" or (choice.odds == "sign" and rules.sign_in_place_of_layout.value)
    if not shown:
        yield error(Code.ODDS_NOT_SHOWN, "layout.odds", rules.sign_in_place_of_layout)


def _areas(
    case: CheckContext, rules: Layout
) -> Iterator[tuple[WagerName, Cited[tuple[WagerName, ...]] | Cited[bool]]]:
    for name in rules.areas.value:
        yield name, rules.areas
    if case.offers("progressive") and rules.progressive_area.value:
        yield "progressive", rules.progressive_area
    if case.offers("six_card") and is_set(rules.six_card_area):
        yield "six_card", rules.six_card_area


def _settings(case: CheckContext) -> Iterator[CheckFinding]:
    for name, value in case.submission.settings.items():
        where = f"settings.{name}"
        if name not in settings():
            near, every = suggestion(name, settings()), f". Available: {', '.join(settings())}."
            hint = every if near == "." else near
            yield finding("error", Code.SETTING_UNKNOWN, where, (), name=name, hint=hint)
            continue
        ruling, setting = settings()[name]
        if not setting.open_in(case.rulebook.id):
            figures = {"name": name, "rulebook": case.rulebook.id}
            yield finding("error", Code.SETTING_CLOSED, where, (ruling,), **figures)
        elif (type(value), value) not in [(type(allowed), allowed) for allowed in setting.values]:
            known = join_or(map(_written, setting.values))
            figures = {"name": name, "known": known, "value": _written(value)}
            yield finding("error", Code.SETTING_VALUE, where, (ruling,), **figures)


def _written(value: SettingValue) -> str:
    """Return a setting's value as files write it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _unreleased(case: CheckContext) -> Iterator[CheckFinding]:
    """Warn about a rulebook that is not part of the release, with the hash that a house demands (P39)."""
    rulebook = case.rulebook
    if not rulebook.released:
        figures = {"rulebook": rulebook.id, "hash": rulebook_hash(rulebook)}
        yield finding("warning", Code.RULEBOOK_NOT_RELEASED, "rulebook", ("P39",), **figures)


def _unchecked(case: CheckContext) -> Iterator[CheckFinding]:
    """Warn about keys that the rulebook does not mention, so they do not pass as checked."""
    rulebook, submission, link = case.rulebook, case.submission, case.submission.progressive
    rules = rulebook.wagers.progressive
    said = {
        "layout": submission.layout is not None and rulebook.layout is None,
        "operator.kind": submission.operator.kind is not None and not operator_kinds(rulebook),
        "operator.rules_of_play": bool(submission.operator.rules_of_play) and rulebook.rules_of_play is None,
        "progressive.components": link is not None
        and bool(link.components)
        and not (rules and rules.components),
        "progressive.executive_threshold": link is not None
        and link.executive_threshold is not None
        and not (rules and rules.executive_threshold),
    }
    for where, unchecked in said.items():
        if unchecked:
            yield finding("warning", Code.NOT_CHECKED, where, (), rulebook=rulebook.id, key=where)
