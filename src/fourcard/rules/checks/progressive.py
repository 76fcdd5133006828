"""Checks on the progressive: its meter, stakes, awards and Envy schedule."""

from collections.abc import Iterator
from fractions import Fraction

from fourcard.money import dollars, share_text
from fourcard.refusals import Code
from fourcard.rules.checks.advice import check_advice
from fourcard.rules.checks.finding import Case, Finding, error, listed, ruled, warning
from fourcard.rules.checks.system import check_system
from fourcard.rules.nodes import holds
from fourcard.rules.rulebook import EnvyWager, ProgressiveWager
from fourcard.rules.submission import ProgressiveChoice


def check_progressive(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the progressive that a submission offers."""
    rules, choice = case.rulebook.wagers.progressive, case.submission.progressive
    if rules is None or not case.offers("progressive"):
        if choice is not None:
            cited = rules.offered if rules is not None else None
            yield error(Code.PROGRESSIVE_NOT_OFFERED, "progressive", cited)
        return
    if choice is None:
        yield error(Code.PROGRESSIVE_MISSING, "progressive", rules.offered)
        return
    yield from _meter(case, rules, choice)
    yield from _stakes(case, rules, choice)
    yield from _awards(rules, choice)
    if case.rulebook.wagers.envy is not None:
        yield from _envy(case, case.rulebook.wagers.envy, choice)
    yield from check_system(case.rulebook, rules, choice)
    yield from check_advice(case, rules, choice)


def _meter(case: Case, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[Finding]:
    if choice.rate is None and holds(rules.rate_declared):
        yield error(Code.RATE_MISSING, "progressive.rate", rules.rate_declared)
    total = (choice.rate or Fraction(0)) + choice.reserve
    if total > 1:
        yield ruled("error", Code.RATES_OVER_WHOLE, "progressive.rate", ("P9",), total=share_text(total))
    table = case.submission.wagers.get("progressive")
    floor = rules.least_meter.get(table) if isinstance(table, str) else None
    for name, amount in (("seed", choice.seed), ("reset", choice.reset)):
        where = f"progressive.{name}"
        if amount is None:
            if holds(rules.meter_declared):
                yield error(Code.METER_MISSING, where, rules.meter_declared, name=name)
        elif floor is not None and amount < floor.value:
            figures = {"amount": dollars(amount), "least": dollars(floor.value), "table": table}
            yield error(Code.METER_UNDER_FLOOR, where, floor, name=name, **figures)


def _stakes(case: Case, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[Finding]:
    where, cited = "progressive.stakes", rules.stakes or rules.stake_unit
    if not choice.stakes:
        yield error(Code.STAKES_MISSING, where, cited)
    chip = case.submission.chip
    for stake in dict.fromkeys(choice.stakes):
        if choice.stakes.count(stake) > 1:
            yield error(Code.STAKE_REPEATED, where, cited, amount=dollars(stake))
        if stake % chip:
            figures = {"amount": dollars(stake), "chip": dollars(chip)}
            yield ruled("error", Code.WAGER_NOT_IN_CHIPS, where, ("P7",), **figures)
        if not stake_allowed(rules, stake):
            figures = {"amount": dollars(stake), "known": stakes_known(rules)}
            yield error(Code.STAKE_NOT_ALLOWED, where, cited, **figures)
        legal = case.submission.limits.legal
        if holds(rules.legal_limit) and legal is not None and stake > legal:
            figures = {"most": dollars(stake), "wager": "Progressive", "legal": dollars(legal)}
            yield error(Code.POSTED_OVER_LEGAL, where, rules.legal_limit, **figures)
    if case.submission.settings.get("one_denomination") is True and len(choice.stakes) > 1:
        yield ruled("error", Code.STAKES_MORE_THAN_ONE, where, ("R57",), count=len(choice.stakes))


def stake_allowed(rules: ProgressiveWager, stake: int) -> bool:
    """Say whether a rulebook accepts a progressive wager of this amount."""
    if rules.stakes is not None:
        return stake in rules.stakes.value
    return rules.stake_unit is None or (stake > 0 and stake % rules.stake_unit.value == 0)


def stakes_known(rules: ProgressiveWager) -> str:
    """Return the accepted progressive stakes in words."""
    if rules.stakes is not None:
        return listed(map(dollars, rules.stakes.value))
    return (
        f"a multiple of {dollars(rules.stake_unit.value)}" if rules.stake_unit is not None else "any amount"
    )


def _awards(rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[Finding]:
    if choice.fixed_awards not in rules.fixed_awards.value:
        figures = {"known": listed(rules.fixed_awards.value), "value": choice.fixed_awards}
        yield error(Code.FIXED_AWARDS, "progressive.fixed_awards", rules.fixed_awards, **figures)
    by_controls = rules.winner_order_by_internal_controls
    if choice.winner_order == "internal-controls" and not by_controls.value:
        yield error(Code.WINNER_ORDER, "progressive.winner_order", by_controls)


def _envy(case: Case, rules: EnvyWager, choice: ProgressiveChoice) -> Iterator[Finding]:
    where, paytable, schedule = "progressive.envy", case.submission.wagers.get("progressive"), choice.envy
    if schedule is None:
        if holds(rules.declared):
            yield error(Code.ENVY_MISSING, where, rules.declared)
        return
    if schedule not in rules.paytables:
        cited = rules.declared or rules.paired
        yield error(Code.ENVY_UNKNOWN, where, cited, table=schedule, known=listed(rules.paytables))
        return
    reading = rules.other_readings.get(schedule)
    printed = reading.value if reading is not None else schedule
    if holds(rules.paired) and isinstance(paytable, str) and printed != paytable:
        figures = {"table": schedule, "paytable": paytable}
        yield error(Code.ENVY_UNPAIRED, where, rules.paired, **figures)
    for other, doubted in rules.other_readings.items():
        if doubted.value == schedule:
            cited_tables = rules.paytables[schedule].values()
            figures = {"table": schedule, "other": other}
            yield warning(Code.ENVY_FAVOURS_PLAYERS, where, doubted, *cited_tables, **figures)
