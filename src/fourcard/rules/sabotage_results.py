"""Sabotage results: how many alterations of rulebooks and code the tests of each clause noticed."""

import csv
from collections import Counter
from collections.abc import Mapping
from functools import cache

import msgspec

from fourcard.rulebooks import read_text

SABOTAGE = "sabotage.csv"
COLUMNS = ("id", "place", "tried", "caught")
RULEBOOKS = "rulebooks"
"""The place of alterations of values; the others are modules of the code."""


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
    """Return the results of the last runs for each id whose rules were altered."""
    return read_results(read_text(SABOTAGE))


def read_results(text: str) -> dict[str, SabotageResult]:
    """Return the results in a table, by id."""
    data, code = Counter[str](), Counter[str]()
    data_caught, code_caught = Counter[str](), Counter[str]()
    for row in csv.DictReader(text.splitlines()):
        of_data = row["place"] == RULEBOOKS
        (data if of_data else code)[row["id"]] += int(row["tried"])
        (data_caught if of_data else code_caught)[row["id"]] += int(row["caught"])
    return {
        address: SabotageResult(
            AlterationCounts(data[address], data_caught[address]) if data[address] else None,
            AlterationCounts(code[address], code_caught[address]) if code[address] else None,
        )
        for address in (*data, *(each for each in code if each not in data))
    }


def sabotage_result(address: str) -> SabotageResult:
    """Return the result of a clause, a ruling or a policy."""
    return sabotage_results().get(address, SabotageResult())
