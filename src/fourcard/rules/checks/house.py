"""Checks on the house's own choices: settlement, layout and policy settings."""

from collections.abc import Iterator

from fourcard.refusals import Code
from fourcard.rules.checks.approvals import operator_kinds
from fourcard.rules.checks.finding import Case, Finding, error, listed, ruled
from fourcard.rules.misfits import near_word
from fourcard.rules.nodes import WAGER_LABELS, WAGERS, Cited, WagerName, holds
from fourcard.rules.rulebook import Layout
from fourcard.rules.rulings import SettingValue, settings
from fourcard.rules.submission import LayoutChoice


def check_house(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with settlement, layout and settings."""
    yield from _settlement(case)
    if case.submission.leaving_may_lose_wagers and not case.rulebook.leaving_may_lose_wagers.value:
        yield error(Code.LEAVING, "leaving_may_lose_wagers", case.rulebook.leaving_may_lose_wagers)
    if case.rulebook.layout is not None:
        yield from _layout(case, case.rulebook.layout, case.submission.layout)
    yield from _settings(case)
    yield from _unchecked(case)


def offered_wagers(case: Case) -> tuple[WagerName, ...]:
    """Return every wager of this game; Envy comes with the progressive."""
    return tuple(name for name in WAGERS if case.offers("progressive" if name == "envy" else name))


def _settlement(case: Case) -> Iterator[Finding]:
    rules, choice = case.rulebook.settlement, case.submission.settlement
    known = listed(rules.routines.value)
    if choice.routine is None:
        if holds(rules.routine_declared):
            yield error(Code.ROUTINE_MISSING, "settlement.routine", rules.routine_declared, known=known)
    elif choice.routine not in rules.routines.value:
        figures = {"routine": choice.routine, "known": known}
        yield error(Code.ROUTINE_UNKNOWN, "settlement.routine", rules.routines, **figures)
    if choice.order and not rules.house_order.value:
        yield error(Code.HOUSE_ORDER, "settlement.order", rules.house_order)
    elif choice.order:
        yield from _house_order(case)


def _house_order(case: Case) -> Iterator[Finding]:
    """Check that a house order names every offered wager, with those that need all hands last."""
    rules, order = case.rulebook.settlement, case.submission.settlement.order
    if sorted(order) != sorted(offered_wagers(case)):
        wanted = ", ".join(offered_wagers(case))
        yield error(Code.HOUSE_ORDER_INCOMPLETE, "settlement.order", rules.house_order, known=wanted)
    last: dict[WagerName, Cited[bool] | None] = {"envy": rules.envy_last, "cover_all": rules.cover_all_last}
    for name, rule in last.items():
        if holds(rule) and name in order:
            after = order[order.index(name) + 1 :]
            if any(other not in last for other in after):
                yield error(Code.HOUSE_ORDER_ENDS, "settlement.order", rule, wager=WAGER_LABELS[name])


def _layout(case: Case, rules: Layout, choice: LayoutChoice | None) -> Iterator[Finding]:
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
    case: Case, rules: Layout
) -> Iterator[tuple[WagerName, Cited[tuple[WagerName, ...]] | Cited[bool]]]:
    for name in rules.areas.value:
        yield name, rules.areas
    if case.offers("progressive") and rules.progressive_area.value:
        yield "progressive", rules.progressive_area
    if case.offers("six_card") and holds(rules.six_card_area):
        yield "six_card", rules.six_card_area


def _settings(case: Case) -> Iterator[Finding]:
    for name, value in case.submission.settings.items():
        where = f"settings.{name}"
        if name not in settings():
            near, every = near_word(name, settings()), f". Available: {', '.join(settings())}."
            hint = every if near == "." else near
            yield ruled("error", Code.SETTING_UNKNOWN, where, (), name=name, hint=hint)
            continue
        ruling, setting = settings()[name]
        if not setting.open_in(case.rulebook.id):
            figures = {"name": name, "rulebook": case.rulebook.id}
            yield ruled("error", Code.SETTING_CLOSED, where, (ruling,), **figures)
        elif (type(value), value) not in [(type(allowed), allowed) for allowed in setting.values]:
            known = listed(map(_written, setting.values))
            figures = {"name": name, "known": known, "value": _written(value)}
            yield ruled("error", Code.SETTING_VALUE, where, (ruling,), **figures)


def _written(value: SettingValue) -> str:
    """Return a setting's value as files write it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _unchecked(case: Case) -> Iterator[Finding]:
    """Warn about keys that the rulebook does not mention, so they do not pass as checked."""
    book, submission, link = case.rulebook, case.submission, case.submission.progressive
    rules = book.wagers.progressive
    said = {
        "layout": submission.layout is not None and book.layout is None,
        "operator.kind": submission.operator.kind is not None and not operator_kinds(book),
        "operator.rules_of_play": bool(submission.operator.rules_of_play) and book.rules_of_play is None,
        "progressive.components": link is not None
        and bool(link.components)
        and not (rules and rules.components),
        "progressive.executive_threshold": link is not None
        and link.executive_threshold is not None
        and not (rules and rules.executive_threshold),
    }
    for where, unchecked in said.items():
        if unchecked:
            yield ruled("warning", Code.NOT_CHECKED, where, (), rulebook=book.id, key=where)
