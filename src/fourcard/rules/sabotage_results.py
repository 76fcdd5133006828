"""Sabotage results: how many alterations of rulebooks and code the tests of each clause noticed."""

import csv
from collections.abc import Mapping
from functools import cache

import msgspec

from fourcard.rulebooks import read_text

SABOTAGE = "sabotage.csv"
COLUMNS = ("id", "data_tried", "data_caught", "code_tried", "code_caught")


class AlterationCounts(msgspec.Struct, frozen=True):
    """Alterations that a clause's own tests had to notice."""

    tried: int
    caught: int


class SabotageResult(msgspec.Struct, frozen=True):
    """Whether a clause's proof noticed altered rules; None where nothing that cites it was altered."""

    data: AlterationCounts | None = None
    """Altered values of the rulebooks."""
    code: AlterationCounts | None = None
    """Altered checks and decisions of the code."""


@cache
def sabotage_results() -> Mapping[str, SabotageResult]:
    """Return the result of the last full run for each id that a test proves."""
    return read_results(read_text(SABOTAGE))


def read_results(text: str) -> dict[str, SabotageResult]:
    """Return the results in a table, by id."""
    rows = csv.DictReader(text.splitlines())
    return {row["id"]: SabotageResult(_counts(row, "data"), _counts(row, "code")) for row in rows}


def _counts(row: Mapping[str, str], part: str) -> AlterationCounts | None:
    tried, caught = row[f"{part}_tried"], row[f"{part}_caught"]
    return AlterationCounts(int(tried), int(caught)) if tried else None


def sabotage_result(address: str) -> SabotageResult:
    """Return the result of a clause, a ruling or a policy."""
    return sabotage_results().get(address, SabotageResult())
