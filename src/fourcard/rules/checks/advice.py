"""The manufacturer's advice on a progressive meter, repeated as warnings."""

from collections.abc import Iterator
from fractions import Fraction

from fourcard.money import OddsKind, Rounding, dollars
from fourcard.refusals import Code
from fourcard.rules.checks.finding import Case, Finding, warning
from fourcard.rules.paytables import tables_of
from fourcard.rules.rulebook import ProgressiveWager, Recommendations
from fourcard.rules.submission import ProgressiveChoice


def check_advice(case: Case, rules: ProgressiveWager, choice: ProgressiveChoice) -> Iterator[Finding]:
    """Yield the advice that a submission does not take."""
    advice = rules.recommendations
    if choice.seed is not None:
        yield from _preset_seed(case, rules, choice.seed, choice.stakes)
    if advice is None:
        return
    if choice.rate is not None:
        yield from _rate(advice, choice, choice.rate)
    if advice.reserve.value and choice.reserve == 0:
        yield warning(Code.RESERVE_RECOMMENDED, "progressive.reserve", advice.reserve)
    if choice.seed is not None:
        yield from _seed(case, advice, choice, choice.seed)


def _rate(advice: Recommendations, choice: ProgressiveChoice, rate: Fraction) -> Iterator[Finding]:
    where = "progressive.rate"
    if choice.fixed_awards == "meter":
        most, growth = advice.most_rate_all_from_meter, advice.growth_rate_all_from_meter
        if rate > most.value:
            figures = {"rate": _percent(rate), "preset": _percent(most.value)}
            yield warning(Code.RATE_ABOVE_PRESET, where, most, **figures)
        if rate < growth.value:
            figures = {"rate": _percent(rate), "least": _percent(growth.value)}
            yield warning(Code.RATE_MAY_RUN_DRY, where, growth, **figures)
    elif advice.only_lower_preset_rate.value:
        lower = advice.only_lower_preset_rate
        if choice.preset_rate is None:
            yield warning(Code.PRESET_RATE_UNKNOWN, "progressive.preset_rate", lower)
        elif rate > choice.preset_rate:
            figures = {"rate": _percent(rate), "preset": _percent(choice.preset_rate)}
            yield warning(Code.RATE_ABOVE_PRESET, where, lower, **figures)


def _preset_seed(
    case: Case, rules: ProgressiveWager, seed: int, stakes: tuple[int, ...]
) -> Iterator[Finding]:
    """Compare the seed with the preset one, which grows with the smallest stake where it scales (R56)."""
    advice, table = rules.recommendations, case.submission.wagers.get("progressive")
    preset = rules.preset_seed.get(table) if isinstance(table, str) else None
    if preset is None or (advice is not None and not advice.preset_seed.value):
        return
    scale = rules.preset_seed_scales
    amount = preset.value
    if scale is not None and scale.value and rules.stake_unit is not None and stakes:
        amount = type(amount)(amount * min(stakes) // rules.stake_unit.value)
    if seed != amount:
        figures = {"amount": dollars(seed), "preset": dollars(amount), "table": table}
        yield warning(Code.SEED_NOT_PRESET, "progressive.seed", preset, scale, **figures)


def _seed(case: Case, advice: Recommendations, choice: ProgressiveChoice, seed: int) -> Iterator[Finding]:
    where = "progressive.seed"
    largest = _largest_fixed_award(case, choice)
    if advice.seed_covers_largest_fixed_award.value and seed < largest:
        figures = {"amount": dollars(seed), "least": dollars(largest)}
        yield warning(Code.SEED_UNDER_FIXED_AWARD, where, advice.seed_covers_largest_fixed_award, **figures)
    if advice.no_zero_seed.value and seed == 0:
        yield warning(Code.SEED_ZERO, where, advice.no_zero_seed)
    if advice.seed_beside_reserve.value and seed == 0 and choice.reserve > 0:
        yield warning(Code.RESERVE_ONLY_SEED, where, advice.seed_beside_reserve)


def _largest_fixed_award(case: Case, choice: ProgressiveChoice) -> int:
    table = case.submission.wagers.get("progressive")
    printed = tables_of(case.rulebook, "progressive").get(table) if isinstance(table, str) else None
    awards = [odds for odds in printed.pays.values() if odds.kind is OddsKind.FOR] if printed else []
    stake = max(choice.stakes, default=0)
    return max((odds.pays(stake, Rounding.DOWN) for odds in awards), default=0)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):g}%"
