"""Checks on dealing, decks and the shuffler, and on wagers that need a certain machine."""

from collections.abc import Iterator

from fourcard.refusals import Code
from fourcard.rules.checks.finding import Case, Finding, error, listed, ruled, warning
from fourcard.rules.nodes import holds
from fourcard.rules.procedures import Dealing, Shuffling
from fourcard.rules.submission import Shuffler


def check_equipment(case: Case) -> Iterator[Finding]:
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


def _dealing(case: Case) -> Iterator[Finding]:
    choice, methods = case.submission.dealing, case.rulebook.dealing
    rule = methods.get(choice.method)
    if rule is None or not rule.allowed.value:
        known = [name for name, method in methods.items() if method.allowed.value]
        cited = [method.allowed for method in methods.values()]
        figures = {"method": choice.method, "known": listed(known)}
        yield error(Code.DEALING_NOT_ALLOWED, "dealing.method", *cited, **figures)
        return
    if holds(rule.needs_shuffler) and case.submission.shuffler is None:
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


def _dealer_first(case: Case, rule: Dealing) -> Iterator[Finding]:
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


def _decks(case: Case) -> Iterator[Finding]:
    rules, count = case.rulebook.shuffling, case.submission.dealing.decks
    if not 1 <= count <= rules.decks.value:
        most = "one deck" if rules.decks.value == 1 else f"{rules.decks.value} decks"
        yield error(Code.DECKS, "dealing.decks", rules.decks, most=most, count=count)
    elif count > 1 and holds(rules.second_deck_needs_shuffler) and case.submission.shuffler is None:
        yield error(Code.SECOND_DECK_NEEDS_SHUFFLER, "dealing.decks", rules.second_deck_needs_shuffler)


def _shuffler(rules: Shuffling, machine: Shuffler) -> Iterator[Finding]:
    if rules.maker is not None and machine.maker != rules.maker.value:
        figures = {"maker": rules.maker.value, "value": machine.maker}
        yield error(Code.SHUFFLER_MAKER, "shuffler.maker", rules.maker, **figures)
    modes = rules.modes.get(machine.model)
    if modes is not None and machine.mode not in modes.value:
        figures = {"model": machine.model, "known": listed(modes.value)}
        yield error(Code.SHUFFLER_MODE, "shuffler.mode", modes, **figures)
    if machine.direct_load and not holds(rules.direct_load):
        yield ruled("error", Code.DIRECT_LOAD, "shuffler.direct_load", ("P6",))
    if machine.reshuffles and not holds(rules.reshuffling_device):
        yield ruled("error", Code.RESHUFFLING_DEVICE, "shuffler.reshuffles", ("P6",))
    if machine.failure == "local" and not rules.local_failure_procedure.value:
        yield error(Code.LOCAL_FAILURE_PROCEDURE, "shuffler.failure", rules.local_failure_procedure)


def _machines_of_wagers(case: Case) -> Iterator[Finding]:
    """Refuse wagers whose machine is missing: the bonus card (R77) and the Cover All mode (R101)."""
    six_card, cover_all = case.rulebook.wagers.six_card, case.rulebook.wagers.cover_all
    if six_card is not None and case.offers("six_card"):
        methods = six_card.dealing
        if case.submission.dealing.method not in methods.value:
            yield error(Code.SIX_CARD_DEALING, "dealing.method", methods, known=listed(methods.value))
    if cover_all is not None and case.offers("cover_all"):
        methods = cover_all.dealing
        if case.submission.dealing.method not in methods.value:
            yield error(Code.COVER_ALL_DEALING, "dealing.method", methods, known=listed(methods.value))
        machine = case.submission.shuffler
        named = (machine.model, machine.mode) if machine is not None else None
        if named != (cover_all.device.value, cover_all.mode.value):
            figures = {"device": cover_all.device.value, "mode": cover_all.mode.value}
            yield error(Code.COVER_ALL_DEVICE, "shuffler", cover_all.device, cover_all.mode, **figures)
