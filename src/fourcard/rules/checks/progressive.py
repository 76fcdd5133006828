"""Checks on the progressive: meter, stakes, awards, Envy, console, components and the maker's advice."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from fourcard.money import Odds, OddsKind, Rounding, dollars, share_text
from fourcard.refusal_codes import Code
from fourcard.rules.checks.finding import CheckContext, CheckFinding, error, finding, join_or, warning
from fourcard.rules.cited import is_set
from fourcard.rules.paytables import paytables_of
from fourcard.rules.rulebook import Component, EnvyWager, ProgressiveWager, Recommendations, Rulebook
from fourcard.rules.submission import HOUSE_ORDERS, ProgressiveChoice
from fourcard.wagers import RowName


def check_advice(
    case: CheckContext, rules: ProgressiveWager, choice: ProgressiveChoice
) -> Iterator[CheckFinding]:
    """Yield the advice that a submission does not take; advice on the seed applies to the reset too."""
    advice = rules.recommendations
    amounts = {"seed": choice.seed, "reset": choice.reset}
    for name, amount in amounts.items():
        if amount is not None:
            yield from _preset_seed(case, rules, choice, f"progressive.{name}", amount)
    if advice is None:
        return
    if choice.rate is not None:
        yield from _rate(advice, choice, choice.rate)
    if advice.reserve.value and choice.reserve == 0:
        yield warning(Code.RESERVE_RECOMMENDED, "progressive.reserve", advice.reserve)
    for name, amount in amounts.items():
        if amount is not None:
            yield from _seed(case, advice, choice, f"progressive.{name}", amount)


def _rate(advice: Recommendations, choice: ProgressiveChoice, rate: Fraction) -> Iterator[CheckFinding]:
    where = "progressive.rate"
    if choice.fixed_awards == "meter":
        most, growth = advice.most_rate_all_from_meter, advice.growth_rate_all_from_meter
        if rate > most.value:
            figures = {"rate": share_text(rate), "preset": share_text(most.value)}
            yield warning(Code.RATE_ABOVE_PRESET, where, most, **figures)
        if rate < growth.value:
            figures = {"rate": share_text(rate), "least": share_text(growth.value)}
            yield warning(Code.RATE_MAY_RUN_DRY, where, growth, **figures)
    elif advice.only_lower_preset_rate.value:
        lower = advice.only_lower_preset_rate
        if choice.preset_rate is None:
            yield warning(Code.PRESET_RATE_UNKNOWN, "progressive.preset_rate", lower)
        elif rate > choice.preset_rate:
            figures = {"rate": share_text(rate), "preset": share_text(choice.preset_rate)}
            yield warning(Code.RATE_ABOVE_PRESET, where, lower, **figures)


def _preset_seed(
    case: CheckContext, rules: ProgressiveWager, choice: ProgressiveChoice, where: str, amount: int
) -> Iterator[CheckFinding]:
    """Compare an amount with the preset seed, scaled with the smallest stake if it scales (R56)."""
    advice, table = rules.recommendations, case.submission.wagers.get("progressive")
    preset = rules.preset_seed.get(table) if isinstance(table, str) else None
    if preset is None or (advice is not None and not advice.preset_seed.value):
        return
    scale, wanted = rules.preset_seed_scales, Fraction(preset.value)
    if is_set(scale) and rules.stake_unit is not None and choice.stakes:
        wanted *= Fraction(min(choice.stakes), rules.stake_unit.value)
    if amount != wanted:
        figures = {"amount": dollars(amount), "preset": dollars(Rounding.DOWN.whole(wanted)), "table": table}
        cited = (preset, scale, advice.preset_seed if advice is not None else None)
        yield warning(Code.SEED_NOT_PRESET, where, *cited, **figures)


def _seed(
    case: CheckContext, advice: Recommendations, choice: ProgressiveChoice, where: str, amount: int
) -> Iterator[CheckFinding]:
    largest = _largest_fixed_award(case, choice)
    if advice.seed_covers_largest_fixed_award.value and amount < largest:
        figures = {"amount": dollars(amount), "least": dollars(largest)}
        yield warning(Code.SEED_UNDER_FIXED_AWARD, where, advice.seed_covers_largest_fixed_award, **figures)
    if advice.no_zero_seed.value and amount == 0:
        yield warning(Code.SEED_ZERO, where, advice.no_zero_seed)
    if advice.seed_beside_reserve.value and amount == 0 and choice.reserve > 0:
        yield warning(Code.RESERVE_ONLY_SEED, where, advice.seed_beside_reserve)


def _pays(case: CheckContext) -> Mapping[RowName, Odds]:
    """Return the rows of the chosen paytable, or none if it is unknown."""
    table = case.submission.wagers.get("progressive")
    printed = paytables_of(case.rulebook, "progressive").get(table) if isinstance(table, str) else None
    return printed.pays if printed is not None else {}


def _rows_from_meter(case: CheckContext, choice: ProgressiveChoice) -> set[RowName]:
    pays, all_rows = _pays(case), choice.fixed_awards == "meter"
    return {row for row, odds in pays.items() if all_rows or odds.kind is OddsKind.METER}


def _largest_fixed_award(case: CheckContext, choice: ProgressiveChoice) -> int:
    awards = [odds for odds in _pays(case).values() if odds.kind is OddsKind.FOR]
    stake = max(choice.stakes, default=0)
    return max((odds.pays(stake, Rounding.DOWN) for odds in awards), default=0)


def check_system(
    rulebook: Rulebook, rules: ProgressiveWager, choice: ProgressiveChoice
) -> Iterator[CheckFinding]:
    """Yield what is wrong with the system that runs the progressive."""
    if choice.console is not None and choice.console not in rulebook.consoles:
        starts = [console.starts for console in rulebook.consoles.values()]
        figures = {"rulebook": rulebook.id, "console": choice.console, "known": join_or(rulebook.consoles)}
        yield error(Code.CONSOLE_NOT_DESCRIBED, "progressive.console", *starts, **figures)
        return
    if rules.components:
        if choice.console is None:
            cited = [part for parts in rules.components.values() for part in parts.values()]
            figures = {"known": join_or(rules.components)}
            yield error(Code.CONSOLE_MISSING, "progressive.console", *cited, **figures)
        else:
            yield from _components(choice.console, rules.components[choice.console], choice)
    needed = rules.executive_threshold
    if needed is not None and choice.console == needed.value and choice.executive_threshold is None:
        yield error(Code.EXECUTIVE_THRESHOLD_MISSING, "progressive.executive_threshold", needed)


def _components(
    console: str, approved: Mapping[str, Component], choice: ProgressiveChoice
) -> Iterator[CheckFinding]:
    for name, version in choice.components.items():
        where = f"progressive.components.{name}"
        part = approved.get(name)
        if part is None:
            cited = approved.values()
            yield error(Code.COMPONENT_UNKNOWN, where, *cited, name=name, console=console)
        elif not satisfies(part, version):
            wanted = part.version + (" or higher" if part.or_higher else "")
            yield error(Code.COMPONENT_VERSION, where, part, name=name, wanted=wanted, version=version)
    for role in dict.fromkeys(part.role for part in approved.values()):
        parts = {name: part for name, part in approved.items() if part.role == role}
        if not parts.keys() & choice.components.keys():
            figures = {"console": console, "role": role, "known": join_or(parts)}
            yield error(Code.COMPONENT_MISSING, "progressive.components", *parts.values(), **figures)


def satisfies(part: Component, version: str) -> bool:
    """Say whether a version is approved: the same, or higher if that is allowed."""
    if not part.version or version == part.version:
        return True
    return part.or_higher and version.startswith("v") and _numbers(version) > _numbers(part.version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def check_progressive(case: CheckContext) -> Iterator[CheckFinding]:
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
    yield from _winner_order(case, rules, choice)
    if case.rulebook.wagers.envy is not None:
        yield from _envy(case, case.rulebook.wagers.envy, choice)
    yield from check_system(case.rulebook, rules, choice)
    yield from check_advice(case, rules, choice)


def _meter(case: CheckContext, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[CheckFinding]:
    if choice.rate is None and is_set(rules.rate_declared):
        yield error(Code.RATE_MISSING, "progressive.rate", rules.rate_declared)
    total = (choice.rate or Fraction(0)) + choice.reserve
    if total > 1:
        yield finding("error", Code.RATES_OVER_WHOLE, "progressive.rate", ("P9",), total=share_text(total))
    table = case.submission.wagers.get("progressive")
    floor = rules.least_meter.get(table) if isinstance(table, str) else None
    for name, amount in (("seed", choice.seed), ("reset", choice.reset)):
        where = f"progressive.{name}"
        if amount is None:
            if is_set(rules.meter_declared):
                yield error(Code.METER_MISSING, where, rules.meter_declared, name=name)
        elif floor is not None and amount < floor.value:
            figures = {"amount": dollars(amount), "least": dollars(floor.value), "table": table}
            yield error(Code.METER_UNDER_FLOOR, where, floor, name=name, **figures)


def _stakes(case: CheckContext, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[CheckFinding]:
    where, cited = "progressive.stakes", rules.stakes or rules.stake_unit
    if not choice.stakes:
        yield error(Code.STAKES_MISSING, where, cited)
    chip = case.submission.chip
    for stake in dict.fromkeys(choice.stakes):
        if choice.stakes.count(stake) > 1:
            yield error(Code.STAKE_REPEATED, where, cited, amount=dollars(stake))
        if stake % chip:
            figures = {"amount": dollars(stake), "chip": dollars(chip)}
            yield finding("error", Code.WAGER_NOT_IN_CHIPS, where, ("P7",), **figures)
        if not stake_allowed(rules, stake):
            figures = {"amount": dollars(stake), "known": stakes_known(rules)}
            yield error(Code.STAKE_NOT_ALLOWED, where, cited, **figures)
        legal = case.submission.limits.legal
        if is_set(rules.legal_limit) and legal is not None and stake > legal:
            figures = {"most": dollars(stake), "wager": "Progressive", "legal": dollars(legal)}
            yield error(Code.POSTED_OVER_LEGAL, where, rules.legal_limit, **figures)
    if case.submission.settings.get("one_denomination") is True and len(choice.stakes) > 1:
        yield finding("error", Code.STAKES_MORE_THAN_ONE, where, ("R57",), count=len(choice.stakes))


def stake_allowed(rules: ProgressiveWager, stake: int) -> bool:
    """Say whether a rulebook accepts a progressive wager of this amount."""
    if rules.stakes is not None:
        return stake in rules.stakes.value
    return rules.stake_unit is None or (stake > 0 and stake % rules.stake_unit.value == 0)


def stakes_known(rules: ProgressiveWager) -> str:
    """Return the accepted progressive stakes in words."""
    if rules.stakes is not None:
        return join_or(map(dollars, rules.stakes.value))
    return (
        f"a multiple of {dollars(rules.stake_unit.value)}" if rules.stake_unit is not None else "any amount"
    )


def _awards(rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[CheckFinding]:
    if choice.fixed_awards not in rules.fixed_awards.value:
        figures = {"known": join_or(rules.fixed_awards.value), "value": choice.fixed_awards}
        yield error(Code.FIXED_AWARDS, "progressive.fixed_awards", rules.fixed_awards, **figures)


def _winner_order(
    case: CheckContext, rules: ProgressiveWager, choice: ProgressiveChoice
) -> Iterator[CheckFinding]:
    where, may_differ = "progressive.winner_order", rules.winner_order_by_internal_controls
    if choice.winner_order == "settlement":
        return
    if not may_differ.value:
        yield error(Code.WINNER_ORDER, where, may_differ)
    elif choice.winner_order == "internal-controls":
        yield error(Code.WINNER_ORDER_UNNAMED, where, may_differ, known=join_or(HOUSE_ORDERS))
    elif _rows_from_meter(case, choice) == {"four_aces"}:
        yield warning(Code.WINNER_ORDER_IDLE, where, may_differ)


def _envy(case: CheckContext, rules: EnvyWager, choice: ProgressiveChoice) -> Iterator[CheckFinding]:
    where, paytable, schedule = "progressive.envy", case.submission.wagers.get("progressive"), choice.envy
    if schedule is None:
        if is_set(rules.declared):
            yield error(Code.ENVY_MISSING, where, rules.declared)
        return
    if schedule not in rules.paytables:
        cited = rules.declared or rules.paired
        yield error(Code.ENVY_UNKNOWN, where, cited, table=schedule, known=join_or(rules.paytables))
        return
    reading = rules.other_readings.get(schedule)
    printed = reading.value if reading is not None else schedule
    if is_set(rules.paired) and isinstance(paytable, str) and printed != paytable:
        level = warning if is_set(rules.declared) else error
        yield level(Code.ENVY_UNPAIRED, where, rules.paired, table=schedule, paytable=paytable)
    for other, doubted in rules.other_readings.items():
        if doubted.value == schedule:
            cited_tables = rules.paytables[schedule].values()
            figures = {"table": schedule, "other": other}
            yield warning(Code.ENVY_FAVOURS_PLAYERS, where, doubted, *cited_tables, **figures)
