"""Cover All estimated: against the exact count for one player, and the same from one seed."""

from fractions import Fraction

import pytest

from fourcard.odds import progress
from fourcard.odds.cover_all import cover_all
from fourcard.odds.deals import player_and_dealer
from fourcard.odds.rows import kinds
from fourcard.rules.loading import rulebook


def exact_edge() -> Fraction:
    """Return the house edge for one player, from the joint count of both hands by kind."""
    rules = rulebook("massachusetts").wagers.cover_all
    assert rules is not None
    column = rules.column(1)
    assert column is not None
    pays = list(column.pays.items())
    total, gained = 0, Fraction(0)
    for mine, counts in zip(kinds(), player_and_dealer(), strict=True):
        for theirs, count in zip(kinds(), counts, strict=True):
            paid = next((odds.value for row, odds in pays if row in mine or row in theirs), Fraction(-1))
            total, gained = total + count, gained + count * paid
    return -gained / total


def test_the_estimate_for_one_player_is_near_the_exact_count() -> None:
    found = cover_all(1, 0.004, seed=7)
    assert found.standard_error <= 0.004
    assert abs(found.house_edge - float(exact_edge())) < 4 * found.standard_error
    assert sum(found.nets.values()) == found.rounds
    assert {net for _, _, net in found.rows()} >= set(found.nets)


@pytest.mark.parametrize("players", range(1, 7))
def test_every_column_keeps_an_edge_for_the_house(players: int) -> None:
    found = cover_all(players, 0.02, seed=3)
    assert found.house_edge > 0
    assert found.answer()["clauses"] == list(found.column.clauses)


def test_the_same_seed_gives_the_same_estimate_whatever_the_threads() -> None:
    one, three = (cover_all(4, 0.01, seed=11, threads=threads) for threads in (1, 3))
    assert one.nets == three.nets
    assert cover_all(4, 0.01, seed=12).nets != one.nets


def test_progress_ends_at_the_whole() -> None:
    shares: list[float] = []
    cover_all(6, 0.01, seed=1, step=shares.append)
    assert sum(shares) == pytest.approx(1)
    progress.no_progress(1.0)
