"""Citations: where each clause is carried, by rulebook values and code, and which tests prove it."""

import csv
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from fourcard.rulebooks import CLAUSE_TABLE, read_text
from fourcard.rules.clauses import clauses, is_address, proved_through, sources
from fourcard.rules.loading import every_rulebook

PROOFS = "proofs.csv"
UNOBSERVABLE = "unobservable.toml"
MATH = "math"


def addresses_in(text: str) -> Iterator[str]:
    """Yield every clause, ruling or policy id that a text names."""
    return (word for word in _address_pattern().findall(text) if is_address(word))


@cache
def _address_pattern() -> re.Pattern[str]:
    letters = "|".join(map(re.escape, sources()))
    return re.compile(rf"\b(?:(?:{letters})-[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]|[RP]\d+)\b")


@cache
def carried_by_data() -> Mapping[str, tuple[str, ...]]:
    """Return, for each id, the places of the rulebooks whose values cite it."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for rulebook in every_rulebook():
        for place, node in rulebook.nodes():
            for clause in node.clauses:
                found[clause][f"{rulebook.id}: {place}"] = None
    return {clause: tuple(places) for clause, places in found.items()}


@cache
def carried_by_code() -> Mapping[str, tuple[str, ...]]:
    """Return, for each id, the lines of the package's own code that name it."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for file, text in _modules(files("fourcard"), "fourcard"):
        for number, line in enumerate(text.splitlines(), 1):
            for clause in addresses_in(line):
                found[clause][f"{file}:{number}"] = None
    return {clause: tuple(places) for clause, places in found.items()}


def _modules(folder: Traversable, name: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            yield from _modules(entry, f"{name}/{entry.name}")
        elif entry.name.endswith(".py"):
            yield f"{name}/{entry.name}", entry.read_text(encoding="utf-8")


def carried_by(address: str) -> tuple[str, ...]:
    """Return every place in data and code that carries an id; printed figures are in the clause table."""
    clause = clauses().get(address)
    printed = clause is not None and clause.topic == MATH and clause.kind == "data"
    read = (f"{CLAUSE_TABLE}: {clause.params}",) if clause is not None and printed else ()
    return read + carried_by_data().get(address, ()) + carried_by_code().get(address, ())


@cache
def unobservable() -> Mapping[str, str]:
    """Return what software cannot observe of a clause about how hands are moved, by clause id."""
    return {clause: str(unseen) for clause, unseen in tomllib.loads(read_text(UNOBSERVABLE)).items()}


@cache
def _proofs() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for clause, test in csv.reader(read_text(PROOFS).splitlines()):
        found[clause].append(test)
    return {clause: tuple(tests) for clause, tests in found.items()}


def proven_by(address: str) -> tuple[str, ...]:
    """Return the tests that prove an id; an overruled clause is proven by the tests of its ruling."""
    return tuple(test for each in proved_through(address) for test in _proofs().get(each, ()))
