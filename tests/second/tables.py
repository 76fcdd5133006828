"""Paytables read from the table of clauses, by rulebook, edition, wager and table id."""

import csv
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec

LEDGER = Path(__file__).parents[2] / "src/fourcard/rulebooks/clauses.csv"
RULEBOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")
SOURCES = dict(zip(RULEBOOKS, ("MA", "SM", "MD", "WA", "IA"), strict=True))
ONLY_EDITION = ""
EDITIONS = dict.fromkeys(RULEBOOKS, (ONLY_EDITION,)) | {"maryland": ("existing", "proposed")}
ROYAL_NAMES = {"four_aces": "royal_flush", "four_of_a_kind": "straight_flush"}


class SecondAward(msgspec.Struct, frozen=True):
    """What one row pays: odds ("to" or "for"), a "share" of the meter, or a sum in "cents"."""

    kind: str
    amount: Fraction


Table = Mapping[str, SecondAward]


def award(text: str) -> SecondAward:
    """Read an award such as "3 to 2", "300 for 1", "100% of meter" or "$100"."""
    words = text.replace("-", " ").replace(",", "").split()
    if words[0].startswith("$"):
        return SecondAward("cents", Fraction(words[0][1:]) * 100)
    if words[0].endswith("%"):
        return SecondAward("share", Fraction(words[0][:-1]) / 100)
    paid, kind, staked = words
    if kind not in {"to", "for"}:
        raise ValueError(f"no such odds: {text}")
    return SecondAward(kind, Fraction(int(paid), int(staked)))


@cache
def ledger() -> dict[str, dict[str, str]]:
    """Return every clause by its id."""
    with LEDGER.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@cache
def figures(clause: str) -> dict[str, str]:
    """Return the figures of a clause by name, from the column params."""
    pairs = (item.split("=", 1) for item in ledger()[clause]["params"].split(";"))
    return dict(pairs)


@cache
def rows_of(clause: str) -> Table:
    """Return the rows of the paytable that a clause prints, in printed order."""
    pairs = (row.split(":") for row in figures(clause)["pays"].split(","))
    return {name.replace("-", "_"): award(text) for name, text in pairs}


def inline(table: Mapping[str, str]) -> Table:
    """Return the rows of a table written into the line itself."""
    return {name: award(text) for name, text in table.items()}


def _numbered(wager: str, numbers: str, clause: str) -> dict[tuple[str, str], str]:
    return {(wager, number): clause.format(number) for number in numbers.split()}


_FCP = " ".join(f"FCP-0{number}" for number in range(1, 10))
_ACES_UP_AND_BONUS = _numbered("aces_up", _FCP, "WA-{}-AU") | _numbered("automatic_bonus", _FCP, "WA-{}-AB")
_MARYLAND = {
    ("automatic_bonus", "standard"): "MD-12B.2",
    **{("aces_up", letter): f"MD-12C{place}" for place, letter in enumerate("ABCDEF", 1)},
    **{("progressive", letter): f"MD-12D1{letter.lower()}" for letter in "ABC"},
}
_BY_EDITION: dict[tuple[str, str], dict[tuple[str, str], str]] = {
    ("massachusetts", ONLY_EDITION): {
        ("automatic_bonus", "standard"): "MA-11a2.2",
        **_numbered("aces_up", "I II III IV V VI VII", "MA-11a3-{}"),
        **_numbered("progressive", "A B", "MA-13a1-{}"),
    },
    ("shuffle-master", ONLY_EDITION): {
        **_ACES_UP_AND_BONUS,
        ("bad_beat", "BBB-01"): "SM-BB-4",
        **_numbered("progressive", "1 2", "SM-PROG-3-P{}"),
    },
    ("maryland", "existing"): _MARYLAND,  # R10: no Six Card Bonus in this edition
    ("maryland", "proposed"): {**_MARYLAND, ("six_card", "A"): "MD-12G1", ("six_card", "B"): "MD-12G2"},
    ("washington", ONLY_EDITION): {
        **_ACES_UP_AND_BONUS,
        **_numbered("bad_beat", "BBB-01 BBB-02 BBB-03", "WA-{}"),
        **_numbered("progressive", "1 2", "WA-PAY-P{}"),
    },
    ("catfish-bend", ONLY_EDITION): {
        ("automatic_bonus", "standard"): "IA-PAY-3.2",
        ("aces_up", "standard"): "IA-PAY-2.2",
    },
}
PAYTABLES = {
    (rulebook, edition, wager, table): clause
    for (rulebook, edition), clauses in _BY_EDITION.items()
    for (wager, table), clause in clauses.items()
}
_ENVY = {
    ("massachusetts", "A", 100): "MA-13a5i-1",
    ("massachusetts", "A", 500): "MA-13a5i-5",
    ("massachusetts", "B", 100): "MA-13a5ii-1",
    ("massachusetts", "B", 500): "MA-13a5ii-5",
    **{("maryland", letter, 100): f"MD-12E{place}" for place, letter in enumerate("ABC", 1)},
    **{("maryland", letter, 500): f"MD-12F{place}" for place, letter in enumerate("ABC", 1)},
    ("shuffle-master", "1", 100): "SM-PROG-3-E1",
    ("shuffle-master", "2", 100): "SM-PROG-3-E2",
    ("washington", "1", 100): "WA-PAY-E1",
    ("washington", "2", 100): "WA-PAY-E2",
}


def paytable(rulebook: str, edition: str, wager: str, table: str) -> Table:
    """Return the printed paytable of that id."""
    return rows_of(PAYTABLES[rulebook, edition, wager, table])


def table_ids(rulebook: str, edition: str, wager: str) -> list[str]:
    """List the ids of the tables that a rulebook prints for a wager; none if it is not offered."""
    return [table for *rest, table in PAYTABLES if rest == [rulebook, edition, wager]]


def cover_all(positions: int) -> Table:
    """Return the Cover All column for that many positions dealt: the dealer counts as one more (R5)."""
    clause = f"MA-12k-{positions + 1}"
    if figures(clause)["players"] != str(positions):
        raise ValueError(f"{clause} is not for {positions} players")
    return rows_of(clause)


def envy(rulebook: str, table: str, stake: int) -> Table:
    """Return what Envy pays a receiver by stake (MA-13a5, MD-12D-2.1; linear in SM and WA: R55, R100)."""
    if rulebook in {"massachusetts", "maryland"}:
        rows, times = rows_of(_ENVY[rulebook, table.removesuffix("-royal"), stake]), Fraction(1)
    else:
        rows, times = rows_of(_ENVY[rulebook, table, 100]), Fraction(stake, 100)
    names = ROYAL_NAMES if table == "C-royal" else {}  # R9: royal flush and straight flush, five cards
    return {names.get(name, name): SecondAward(paid.kind, paid.amount * times) for name, paid in rows.items()}


def voiding_clauses(rulebook: str) -> list[str]:
    """List the clauses of a source that make a round void."""
    found = (clause for clause, row in ledger().items() if row["source"] == SOURCES[rulebook])
    return [clause for clause in found if "outcome=void" in ledger()[clause]["params"]]
