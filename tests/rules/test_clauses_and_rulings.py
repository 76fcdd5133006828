"""The ledger and the rulings are whole, and each points only at what the other has."""

import csv
from collections import Counter

import pytest

from fourcard.rulebooks import read_text
from fourcard.rules.clauses import clauses, proved_through, rulings, settings


def test_the_ledger_has_969_clauses_under_ids_of_their_own() -> None:
    ids = [row["id"] for row in csv.DictReader(read_text("clauses.csv").splitlines())]
    assert len(ids) == len(set(ids)) == 969
    assert list(clauses()) == ids


def test_the_ledger_counts_its_clauses_by_source() -> None:
    by_source = {"MA": 202, "SM": 128, "MD": 261, "WA": 253, "IA": 125}
    assert Counter(clause.source for clause in clauses().values()) == by_source


def test_the_ledger_counts_its_clauses_by_kind() -> None:
    by_kind = {"engine": 466, "procedure": 230, "data": 132, "config": 94, "info": 31, "physical": 16}
    assert Counter(clause.kind for clause in clauses().values()) == by_kind


def test_the_id_of_a_clause_begins_with_its_source() -> None:
    assert [clause.id for clause in clauses().values() if not clause.id.startswith(f"{clause.source}-")] == []


@pytest.mark.parametrize("column", ["clause", "topic", "requirement"])
def test_every_clause_says_where_it_stands_and_what_it_requires(column: str) -> None:
    assert [clause.id for clause in clauses().values() if not str(getattr(clause, column)).strip()] == []


def test_the_figures_of_a_clause_are_named_and_none_is_named_twice() -> None:
    for clause in clauses().values():
        parts = [part for part in clause.params.split(";") if part]
        assert all(name and value for name, _, value in (part.partition("=") for part in parts)), clause.id
        assert len(clause.figures) == len(parts), clause.id


def test_the_rulings_run_from_r1_to_r109_and_the_policies_from_p1_without_a_gap() -> None:
    policies = [ruling_id for ruling_id in rulings() if ruling_id.startswith("P")]
    assert policies
    assert list(rulings()) == [f"R{n}" for n in range(1, 110)] + [
        f"P{n}" for n in range(1, len(policies) + 1)
    ]


@pytest.mark.parametrize("ruling_id", rulings())
def test_a_ruling_concerns_clauses_of_the_ledger_and_overrules_only_those(ruling_id: str) -> None:
    ruling = rulings()[ruling_id]
    assert set(ruling.clauses) <= clauses().keys()
    assert set(ruling.overrules) <= set(ruling.clauses)
    assert len(set(ruling.clauses)) == len(ruling.clauses)


def test_every_ruling_that_is_not_a_policy_concerns_a_clause() -> None:
    assert [name for name, ruling in rulings().items() if name.startswith("R") and not ruling.clauses] == []


def test_a_ruling_named_in_the_ledger_exists_and_concerns_that_clause() -> None:
    named = {(clause.id, ruling_id) for clause in clauses().values() for ruling_id in clause.rulings}
    assert {ruling_id for _, ruling_id in named} <= rulings().keys()
    assert {(clause, ruling) for clause, ruling in named if clause not in rulings()[ruling].clauses} == set()


@pytest.mark.parametrize("ruling_id", rulings())
def test_a_ruling_has_a_title_and_a_reading(ruling_id: str) -> None:
    assert rulings()[ruling_id].title.strip()
    assert rulings()[ruling_id].reading.strip()


def test_every_setting_has_its_default_among_its_values_and_no_value_twice() -> None:
    for name, (_, setting) in settings().items():
        assert setting.default in setting.values, name
        assert len(set(setting.values)) == len(setting.values), name


def test_no_two_rulings_have_a_setting_of_one_name() -> None:
    names = [name for ruling in rulings().values() for name in ruling.settings]
    assert sorted(names) == sorted(settings())


def test_the_claim_of_a_ruling_proves_what_it_overrules() -> None:
    """An overruled clause has no behaviour of its own, so its ruling's test stands for it."""
    assert proved_through("IA-INT-9") == ("IA-INT-9", "R1")
    assert proved_through("MA-6e") == ("MA-6e",)
