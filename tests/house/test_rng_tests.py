"""Tests of the tests of chance: what is fair passes as often as it should, and each fault is caught."""

import math
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from fourcard.house.clock_entropy import SeededEntropy, SystemEntropy
from fourcard.house.fairness.rng_report import RngTestReport, holm_correction, run_rng_tests
from fourcard.house.fairness.rng_tests import (
    MAX_SHUFFLES,
    MIN_SHUFFLES,
    HouseShuffler,
    SampledShuffle,
    ShuffleSource,
    are_complete_decks,
    ascents,
    byte_tests,
    chi_square_test,
    coin_test,
    deck_tests,
    equal_pairs,
    extreme_count_test,
    fixed_points,
    goodness_of_fit_test,
    kind_changes,
    mean_test,
    overlaps,
    rare_event_test,
    take_sample,
    uniformity_test,
    z_test,
)
from fourcard.refusals import BadInputError
from tests.kit import shufflers
from tests.kit.settle_lines import labelled
from tests.kit.shufflers import Orders, SameSecrets, of_orders, of_output

TESTS = 48
KEPT = "cards that kept their place"
SURELY = 1e-4
"""How seldom p-values that are even by rights look as uneven, tests being many and the seed fixed."""


def failed(report: RngTestReport) -> set[str]:
    """Return the tests that were failed, with what they are of."""
    return {f"{each.of}: {each.name}" for each in report.failed}


def test_the_houses_generator_passes() -> None:
    report = run_rng_tests(HouseShuffler(SeededEntropy(1)), 20_000)
    assert (report.passed, report.shuffles, report.level, len(report.tests)) == (True, 20_000, 0.001, TESTS)
    assert len({(each.of, each.name) for each in report.tests}) == TESTS


def test_the_operating_systems_entropy_passes() -> None:
    assert run_rng_tests(HouseShuffler(SystemEntropy()), MIN_SHUFFLES, level=1e-9).passed


def test_the_same_seed_gives_the_same_report() -> None:
    one, other, third = (
        run_rng_tests(HouseShuffler(SeededEntropy(seed)), MIN_SHUFFLES) for seed in (7, 7, 8)
    )
    assert one == other != third


SUBTLE: tuple[Orders, ...] = (shufflers.fewer_flushes, shufflers.never_adjacent)
"""What needs more decks to be seen."""


@pytest.mark.parametrize(
    ("orders", "caught_by"),
    labelled(
        ("any place", shufflers.any_place, ("each card in each place", "correlation with a new deck")),
        ("remainder", shufflers.remainder, ("each card in each place",)),
        ("two riffles", shufflers.riffles(2), ("each card in each place", "neighbours", "ascending runs")),
        ("five riffles", shufflers.riffles(5), ("ascending runs", "neighbours in their order")),
        ("six riffles", shufflers.riffles(6), ("cards that overtook another",)),
        ("never adjacent", shufflers.never_adjacent, ("the most unusual neighbours", "neighbours")),
        ("never after", shufflers.never_after, ("the most unusual neighbours",)),
        ("never on top", shufflers.never_on_top, ("the most unusual card in a place",)),
        ("few swaps", shufflers.few_swaps, (KEPT, "correlation between shuffles, lag 1")),
        ("turned round", shufflers.turned_round, ("correlation between shuffles, lag 2",)),
        ("one cycle", shufflers.one_cycle, ("cards in their old place", "even and odd orders")),
        ("even orders", shufflers.even_orders, ("even and odd orders",)),
        ("stuck", shufflers.stuck, ("decks seen before",)),
        ("too even", shufflers.too_even, ("the first card",)),
        ("sorted hands", shufflers.sorted_hands, ("ascending runs", "correlation in a deck, lag 1")),
        ("more aces", shufflers.more_aces, ("cards of the first hand",)),
        ("more pairs", shufflers.more_pairs, ("ranks of the first hand",)),
        ("fewer flushes", shufflers.fewer_flushes, ("suits of the first hand",)),
        ("laced", shufflers.laced, ("runs of red and black cards",)),
        ("staying half", shufflers.staying_half, ("runs of a card in one half",)),
    ),
)  # fmt: skip
def test_a_bad_shuffle_is_caught(orders: Orders, caught_by: tuple[str, ...]) -> None:
    report = run_rng_tests(of_orders(orders), 20_000 if orders in SUBTLE else 5_000)
    assert not report.passed
    assert {f"decks: {name}" for name in caught_by} <= failed(report)
    assert all(each.startswith("decks: ") for each in failed(report)), "the bytes are good"
    assert all(math.isfinite(each.statistic) for each in report.tests)


@pytest.mark.parametrize("orders", [shufflers.never_adjacent, shufflers.even_orders])
def test_a_fault_of_one_kind_is_seen_by_no_other_test(orders: Orders) -> None:
    assert len(failed(run_rng_tests(of_orders(orders), 5_000))) == 1


@pytest.mark.parametrize(
    ("change", "caught_by"),
    [
        (shufflers.stuck_bit, "bits by their place"),
        (shufflers.stuck_bit, "bytes"),
        (shufflers.some_more_ones, "bits"),
        (shufflers.one_value_more, "bytes"),
        (shufflers.echoing, "pairs of bytes"),
        (shufflers.repeated_block, "blocks seen before"),
        (shufflers.repeated_block, "correlation of bits, lag 256"),
        (lambda _number, output: bytes(len(output)), "runs of bits"),
        (lambda _number, output: b"\x55" * len(output), "runs of bits"),
        (shufflers.taking_turns, "correlation of bits, lag one shuffle"),
    ],
)  # fmt: skip
def test_bad_output_is_caught(change: Callable[[int, bytes], bytes], caught_by: str) -> None:
    report = run_rng_tests(of_output(change), 5_000)
    assert f"output: {caught_by}" in failed(report)
    assert all(each.startswith("output: ") for each in failed(report)), "decks and entropy are good"


@pytest.mark.parametrize("period", [1, MIN_SHUFFLES - 1])
def test_a_secret_that_comes_again_is_caught_though_the_decks_look_well(period: int) -> None:
    found = failed(run_rng_tests(HouseShuffler(SameSecrets(period)), MIN_SHUFFLES))
    assert "entropy: blocks seen before" in found
    assert all(each.startswith("entropy: ") for each in found)


def test_fair_shuffles_get_every_p_equally_often() -> None:
    chance = np.random.default_rng(12)
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(80):
        decks = chance.permuted(np.tile(np.arange(52, dtype=np.uint8), (MIN_SHUFFLES, 1)), axis=1)
        for each in deck_tests(decks):
            found[each.name].append(each.p)
        for width in (32, 224):
            for each in byte_tests(chance.integers(0, 256, (MIN_SHUFFLES, width), np.uint8)):
                found[f"{each.name} of {width}"].append(each.p)
    assert len(found) == TESTS
    for name, values in found.items():
        side = "greater" if "most unusual" in name or "seen before" in name else "two-sided"
        assert stats.kstest(values, "uniform", alternative=side).pvalue > SURELY, name


def test_exact_chances_add_up_and_have_the_moments_that_are_known() -> None:
    for chances, average, variance in (
        (fixed_points(), 1, 1),
        (ascents(), 51 / 2, 53 / 12),
        (kind_changes(), 26, 26 * 25 / 51),
        (overlaps(), 13, 26 / 4 * 26 / 51),
    ):
        values = np.arange(len(chances))
        assert sum(chances) == pytest.approx(1)
        assert chances @ values == pytest.approx(average)
        assert chances @ (values - average) ** 2 == pytest.approx(variance)


def test_exact_chances_of_hands_are_those_of_poker() -> None:
    hands = math.comb(52, 5)
    by_rank = {pairs: round(chance * hands) for pairs, chance in equal_pairs(13).items()}
    assert by_rank == {0: 1_317_888, 1: 1_098_240, 2: 123_552, 3: 54_912, 4: 3_744, 6: 624, 10: 0}
    by_suit = {pairs: round(chance * hands) for pairs, chance in equal_pairs(4).items()}
    assert by_suit[10] == 4 * math.comb(13, 5)
    assert by_suit[0] == 0
    assert sum(by_suit.values()) == hands


@pytest.mark.parametrize("statistic", [0.5, 40.0, 51.0, 80.0, 200.0])
def test_a_sum_of_squares_counts_both_ends(statistic: float) -> None:
    found = chi_square_test("x", 1, statistic, 51)
    low, high = stats.chi2.cdf(statistic, 51), stats.chi2.sf(statistic, 51)
    assert found.p == pytest.approx(min(1, 2 * min(low, high)))


@pytest.mark.parametrize("score", [-4.0, -1.0, 0.0, 1.0, 4.0])
def test_a_deviation_counts_both_ends(score: float) -> None:
    assert z_test("x", 1, score).p == pytest.approx(2 * stats.norm.sf(abs(score)))
    assert coin_test("x", 50 + int(5 * score), 100).statistic == score


def test_even_counts_are_measured_as_everybody_does() -> None:
    observed = np.array([12, 8, 11, 9, 10, 16])
    found = uniformity_test("x", observed)
    assert found.statistic == pytest.approx(stats.chisquare(observed).statistic)
    assert (found.degrees, found.count) == (5, 66)


def test_rare_cells_are_put_together() -> None:
    found = goodness_of_fit_test("x", np.array([60, 30, 7, 2, 1]), [0.6, 0.3, 0.06, 0.03, 0.01])
    assert found.degrees == 2
    assert found.statistic == pytest.approx(0)
    assert goodness_of_fit_test("x", np.array([50, 45, 5]), [0.5, 0.45, 0.05]).degrees == 2


def test_the_most_unusual_of_many_counts_is_corrected_for_their_number() -> None:
    counts = np.array([100, 104, 60, 97])
    found = extreme_count_test("x", counts, 1000, 0.1)
    assert found.p == pytest.approx(4 * 2 * stats.binom.cdf(60, 1000, 0.1))
    assert found.statistic == pytest.approx(-40 / 90**0.5)
    many = extreme_count_test("x", np.array([100, 140]), 1000, 0.1)
    assert many.p == pytest.approx(2 * 2 * stats.binom.sf(139, 1000, 0.1))
    assert extreme_count_test("x", np.array([0, 100]), 1000, 0.1).p < 1e-40
    assert extreme_count_test("x", counts[:1], 1000, 0.1).p <= 1


def test_what_can_never_be_seen_is_believed_only_when_seen() -> None:
    assert rare_event_test("x", 0, 10, 1e-50).p == 1
    assert rare_event_test("x", 1, 10, 1e-50).p == 1e-50


def test_figures_without_spread_are_measured() -> None:
    assert mean_test("x", np.full(100, 3.0), 3.0).p == 1
    assert mean_test("x", np.full(100, 3.0), 2.0).p == 0


def test_holm_corrects_for_the_number_of_tests() -> None:
    assert holm_correction([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm_correction([0.5, 0.9]) == [1.0, 1.0]
    assert holm_correction([0.0, 1.0, 0.2]) == pytest.approx([0, 1, 0.4])
    assert holm_correction([]) == []


def test_the_level_is_of_all_tests_together() -> None:
    strict, loose = (run_rng_tests(nearly_fair(), MIN_SHUFFLES, level) for level in (1e-12, 0.5))
    assert [each.p for each in strict.tests] == [each.p for each in loose.tests]
    worst = min(strict.tests, key=lambda each: each.p)
    assert 1e-12 < worst.corrected < 0.5
    assert worst.corrected == pytest.approx(worst.p * TESTS)
    assert strict.passed
    assert not loose.passed
    assert f"{worst.of}: {worst.name}" in failed(loose)


def nearly_fair() -> ShuffleSource:
    """Return a shuffler that begins badly."""
    good, bad = of_orders(shufflers.fair, 1), of_orders(shufflers.riffles(2), 2)
    return lambda number: good(number) if number > 40 else bad(number)


def test_a_sample_says_how_far_it_is() -> None:
    shares: list[float] = []
    run_rng_tests(of_orders(shufflers.fair), MIN_SHUFFLES + 77, step=shares.append)
    assert sum(shares) == pytest.approx(1, abs=0.01)
    assert len(shares) > 100


@pytest.mark.parametrize("shuffles", [-1, 0, MIN_SHUFFLES - 1, MAX_SHUFFLES + 1])
def test_a_number_of_shuffles_must_be_of_use(shuffles: int) -> None:
    with pytest.raises(BadInputError, match=r"must be from 2,000 to 1,000,000, not "):
        take_sample(of_orders(shufflers.fair), shuffles, lambda _: None)


@pytest.mark.parametrize("level", [0, -0.1, 0.51, 1, math.nan])
def test_a_level_must_be_of_use(level: float) -> None:
    with pytest.raises(BadInputError, match=r"The level must be above 0 and at most 0\.5, not "):
        run_rng_tests(of_orders(shufflers.fair), MIN_SHUFFLES, level)


@pytest.mark.parametrize("row", [[*range(51)], [*range(51), 50], [*range(1, 53)]])
def test_what_is_no_deck_is_refused(row: list[int]) -> None:
    assert not are_complete_decks(np.array([row], np.uint8))
    with pytest.raises(BadInputError, match="not a complete deck"):
        run_rng_tests(lambda _: SampledShuffle(bytes(row), bytes(224), bytes(32)), MIN_SHUFFLES)
