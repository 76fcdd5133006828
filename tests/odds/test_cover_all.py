"""Cover All estimated: against the exact count for one player, and the same from one seed."""

from fractions import Fraction
from pathlib import Path

import pytest

from fourcard.answers import json_data
from fourcard.odds.cover_all import CoverAllEstimate, cover_all, find_cover_all_paytable
from fourcard.odds.hand_counting import player_dealer_pairs
from fourcard.odds.hand_kinds import hand_kinds
from fourcard.odds.report import cover_all_report
from fourcard.rules.loading import rulebook


def estimated(players: int, precision: float, seed: int, threads: int | None = None) -> CoverAllEstimate:
    return cover_all(find_cover_all_paytable(players), players, precision, seed, threads=threads)


def exact_edge() -> Fraction:
    """Return the house edge for one player, from the joint count of both hands by kind."""
    rules = rulebook("massachusetts").wagers.cover_all
    assert rules is not None
    column = rules.column(1)
    assert column is not None
    pays = list(column.pays.items())
    total, gained = 0, Fraction(0)
    for mine, counts in zip(hand_kinds(), player_dealer_pairs(), strict=True):
        for theirs, count in zip(hand_kinds(), counts, strict=True):
            paid = next((odds.value for row, odds in pays if row in mine or row in theirs), Fraction(-1))
            total, gained = total + count, gained + count * paid
    return -gained / total


def test_the_estimate_for_one_player_is_near_the_exact_count() -> None:
    found = estimated(1, 0.004, seed=7)
    error = found.house_edge.standard_error
    assert error <= 0.004
    assert abs(found.house_edge - exact_edge()) < 4 * error
    assert sum(found.rows.values()) == found.rounds == sum(found.tables.values())
    answer = json_data(cover_all_report(found))
    assert answer["house_edge"] == {"value": float(found.house_edge), "standard_error": error}
    assert {*answer["hit_frequency"]} == {"value", "standard_error"}


@pytest.mark.parametrize("players", range(1, 7))
def test_every_column_keeps_an_edge_for_the_house(players: int) -> None:
    found = estimated(players, 0.02, seed=3)
    assert found.house_edge > 0
    assert cover_all_report(found).clauses == found.paytable.table.clauses


def test_the_same_seed_gives_the_same_estimate_whatever_the_threads() -> None:
    one, three = (estimated(4, 0.01, seed=11, threads=threads) for threads in (1, 3))
    assert one.tables == three.tables
    assert estimated(4, 0.01, seed=12).tables != one.tables


def test_progress_ends_at_the_whole() -> None:
    shares: list[float] = []
    cover_all(find_cover_all_paytable(6), 6, 0.01, 1, step=shares.append)
    assert sum(shares) == pytest.approx(1)


def test_a_table_of_ones_own_is_priced_by_its_own_order(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[pays]\nthree_of_a_kind = "9 for 1"\nfour_of_a_kind = "9 for 1"\n', encoding="utf-8")
    found = cover_all(find_cover_all_paytable(2, str(own)), 2, 0.02, 5)
    assert found.rounds >= 1_000_000
    assert list(found.rows) == ["four_of_a_kind", "three_of_a_kind", "loses"]
    assert found.house_edge == pytest.approx(1 - 9 * found.hit_frequency)
    printed = cover_all(find_cover_all_paytable(2), 2, 0.02, 5)
    assert printed.tables == found.tables
    assert printed.rows["three_of_a_kind"] <= found.rows["three_of_a_kind"]
