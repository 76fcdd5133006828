"""Which Aces Up tables of the sources are one and the same, and how Washington prints its own."""

from collections import defaultdict

import pytest

from fourcard.rules.loading import every_rulebook, rulebook
from fourcard.rules.paytables import every_paytable, paytable, paytables_of, selectable_tables
from fourcard.wagers import RowName

SAME_ACES_UP = [
    {"WA FCP-01", "MA I"},
    {"WA FCP-02", "MA II"},
    {"WA FCP-03", "MA III", "MD A"},
    {"WA FCP-04", "MA IV", "MD B", "IA standard"},
    {"WA FCP-05", "MA V", "MD C"},
    {"WA FCP-06", "MA VI", "MD D"},
    {"WA FCP-07", "MA VII", "MD F"},
    {"WA FCP-08", "MD E"},
    {"WA FCP-09"},
]
"""The tables that agree in every cell, and those alone."""

MERGED: list[tuple[str, RowName, str]] = [
    ("FCP-01", "four_of_a_kind", "50 to 1"),
    ("FCP-01", "flush", "6 to 1"),
    ("FCP-01", "two_pair", "2 to 1"),
    ("FCP-01", "pair_of_aces", "1 to 1"),
    ("FCP-05", "straight", "4 to 1"),
    ("FCP-05", "pair_of_aces", "1 to 1"),
]
"""The Aces Up cells that are printed once for their block: its first table, the hand, and the cell."""
BLOCKS = {
    "FCP-01": ("FCP-02", "FCP-03", "FCP-04"),
    "FCP-05": ("FCP-06", "FCP-07", "FCP-08", "FCP-09"),
}
"""The tables printed beside the first one of each block."""


def test_aces_up_tables_are_the_same_where_every_cell_agrees_and_nowhere_else() -> None:
    groups: dict[object, set[str]] = defaultdict(set)
    for book in every_rulebook():
        for wager, table_id, table in every_paytable(book):
            if wager == "aces_up":
                cells = tuple((row, odds.kind, odds.value) for row, odds in table.pays.items())
                groups[cells].add(f"{book.source} {table_id}")
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, SAME_ACES_UP))


def test_twenty_three_aces_up_tables_are_nine_different_ones() -> None:
    assert len(SAME_ACES_UP) == 9
    assert sum(map(len, SAME_ACES_UP)) == len(set().union(*SAME_ACES_UP)) == 7 + 6 + 9 + 1


@pytest.mark.clause("R86")
@pytest.mark.parametrize(("first", "row", "cell"), MERGED)
def test_a_merged_aces_up_cell_has_the_value_of_the_first_table_in_its_row(
    first: str, row: RowName, cell: str
) -> None:
    washington = rulebook("washington")
    for table_id in (first, *BLOCKS[first]):
        assert paytable(washington, "aces_up", table_id).pays[row] == cell


@pytest.mark.clause("R86")
@pytest.mark.parametrize("table_id", ["FCP-01", *BLOCKS["FCP-01"]])
def test_the_merged_four_of_a_kind_of_the_bonus_has_the_value_of_the_first_table(table_id: str) -> None:
    assert paytable(rulebook("washington"), "automatic_bonus", table_id).pays["four_of_a_kind"] == "25 to 1"


@pytest.mark.clause("R98")
def test_every_automatic_bonus_of_washington_has_an_aces_up_table_of_its_number() -> None:
    washington = rulebook("washington")
    numbers = [f"FCP-0{number}" for number in range(1, 10)]
    assert list(paytables_of(washington, "automatic_bonus")) == numbers
    assert list(paytables_of(washington, "aces_up")) == numbers
    assert (
        selectable_tables(washington, "automatic_bonus")
        == selectable_tables(washington, "aces_up")
        == tuple(numbers)
    )


@pytest.mark.clause("R98")
def test_the_automatic_bonus_of_washington_carries_the_number_of_its_aces_up_table() -> None:
    same_number = rulebook("washington").wagers.automatic_bonus.same_number_as
    assert same_number is not None
    assert same_number.value == "aces_up"
