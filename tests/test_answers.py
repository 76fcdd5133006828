"""Answers as JSON data: exact figures, estimates, and values that msgspec does not know."""

from fractions import Fraction
from types import MappingProxyType

import msgspec
import pytest

from fourcard.answers import Estimate, InCents, InUnits, InWords, json_data, standard_error
from fourcard.cli.output import struct_table
from fourcard.money import Odds
from fourcard.rules.cited import Cents


def test_a_figure_is_an_exact_fraction_or_an_estimate_with_its_error() -> None:
    estimate = Estimate(Fraction(1, 4), 0.01)
    assert json_data({"exact": Fraction(3), "about": estimate}) == {
        "exact": {"fraction": "3/1", "value": 3.0},
        "about": {"value": 0.25, "standard_error": 0.01},
    }
    assert (standard_error(estimate), standard_error(1 - estimate)) == (0.01, 0.0)


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (Odds("3 to 2"), "3 to 2"),
        (Cents(250), 250),
        (MappingProxyType({1: Odds("1 to 1")}), {1: "1 to 1"}),
        ((None, True), (None, True)),
    ],
)
def test_values_are_sent_as_plain_ones(value: object, sent: object) -> None:
    assert json_data(value) == sent


class Line(msgspec.Struct, frozen=True):
    """A line of every kind of field."""

    hand: InWords
    player: str
    paid: InCents | None
    held: InUnits
    share: Fraction | None
    rounds: int
    open: bool
    tables: tuple[str, ...]


def test_a_table_formats_each_cell_by_the_type_of_its_field() -> None:
    rows = [
        Line("pair_of_aces", "[bold]a_b", 250, 1_234_567, Fraction(1, 8), 1_000, True, ("a", "b")),
        Line("flush", "cy", None, -10_000, None, 0, False, ()),
    ]
    table = struct_table(
        rows, *Line.__struct_fields__, ("who", lambda each: each.player.upper()), total=rows[0]
    )
    cells = [[*column.cells] for column in table.columns]
    assert cells == [
        ["pair of aces", "flush"],
        [r"\[bold]a_b", "cy"],
        ["$2.50", ""],
        ["$1.234567", "-$0.01"],
        ["12.5000%", ""],
        ["1,000", "0"],
        ["yes", "no"],
        ["a, b", ""],
        ["[BOLD]A_B", "CY"],
    ]
    assert [column.justify for column in table.columns] == ["left"] * 2 + ["right"] * 4 + ["left"] * 3
    assert [column.footer for column in table.columns] == [each[0] for each in cells]
