"""The manufacturer's advice on a progressive meter, repeated as warnings."""

from collections.abc import Iterator
from fractions import Fraction

from fourcard.money import OddsKind, Rounding, dollars, share_text
from fourcard.refusals import Code
from fourcard.rules.checks.finding import Case, Finding, warning
from fourcard.rules.nodes import holds
from fourcard.rules.paytables import tables_of
from fourcard.rules.rulebook import ProgressiveWager, Recommendations
from fourcard.rules.submission import ProgressiveChoice


def check_advice(case: Case, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[Finding]:
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


def _rate(advice: Recommendations, choice: ProgressiveChoice, rate: Fraction) -> Iterator[Finding]:
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
    case: Case, rules: ProgressiveWager, choice: ProgressiveChoice, where: str, amount: int
) -> Iterator[Finding]:
    """Compare an amount with the preset seed, scaled with the smallest stake if it scales (R56)."""
    advice, table = rules.recommendations, case.submission.wagers.get("progressive")
    preset = rules.preset_seed.get(table) if isinstance(table, str) else None
    if preset is None or (advice is not None and not advice.preset_seed.value):
        return
    scale, wanted = rules.preset_seed_scales, Fraction(preset.value)
    if holds(scale) and rules.stake_unit is not None and choice.stakes:
        wanted *= Fraction(min(choice.stakes), rules.stake_unit.value)
    if amount != wanted:
        figures = {"amount": dollars(amount), "preset": dollars(Rounding.DOWN.whole(wanted)), "table": table}
        cited = (preset, scale, advice.preset_seed if advice is not None else None)
        yield warning(Code.SEED_NOT_PRESET, where, *cited, **figures)


def _seed(
    case: Case, advice: Recommendations, choice: ProgressiveChoice, where: str, amount: int
) -> Iterator[Finding]:
    largest = _largest_fixed_award(case, choice)
    if advice.seed_covers_largest_fixed_award.value and amount < largest:
        figures = {"amount": dollars(amount), "least": dollars(largest)}
        yield warning(Code.SEED_UNDER_FIXED_AWARD, where, advice.seed_covers_largest_fixed_award, **figures)
    if advice.no_zero_seed.value and amount == 0:
        yield warning(Code.SEED_ZERO, where, advice.no_zero_seed)
    if advice.seed_beside_reserve.value and amount == 0 and choice.reserve > 0:
        yield warning(Code.RESERVE_ONLY_SEED, where, advice.seed_beside_reserve)


def _largest_fixed_award(case: Case, choice: ProgressiveChoice) -> int:
    table = case.submission.wagers.get("progressive")
    printed = tables_of(case.rulebook, "progressive").get(table) if isinstance(table, str) else None
    awards = [odds for odds in printed.pays.values() if odds.kind is OddsKind.FOR] if printed else []
    stake = max(choice.stakes, default=0)
    return max((odds.pays(stake, Rounding.DOWN) for odds in awards), default=0)
