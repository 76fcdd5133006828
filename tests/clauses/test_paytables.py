"""Every cell of every printed paytable is in the rulebooks, where it belongs and as it was printed."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from fourcard.money import OddsKind
from fourcard.rules.cited import Paytable
from fourcard.rules.clauses import clauses
from fourcard.rules.loading import every_rulebook, rulebook
from fourcard.rules.paytables import every_paytable, paytable
from fourcard.rules.rulebook import Rulebook
from fourcard.wagers import WagerName
from tests.kit.support import by_clause

Place = tuple[WagerName, str]
Row = tuple[str, str, OddsKind, Fraction]
"""A hand, what it pays as text, and what that text means."""

ACES_UP_MA = ("I", "II", "III", "IV", "V", "VI", "VII")
FCP = tuple(f"FCP-0{number}" for number in range(1, 10))
ENVY_STAKES = {"MD-12E": "$1", "MD-12F": "$5"}

PLACES: dict[str, Place] = {
    "MA-11a2.2": ("automatic_bonus", "standard"),
    **{f"MA-11a3-{table}": ("aces_up", table) for table in ACES_UP_MA},
    "MA-12f": ("cover_all", "7"),
    **{f"MA-12k-{hands}": ("cover_all", f"{hands}") for hands in range(7, 1, -1)},
    **{f"MA-13a1-{table}": ("progressive", table) for table in "AB"},
    **{f"MA-13a5i-{stake}": ("envy", f"A/${stake}") for stake in (1, 5)},
    **{f"MA-13a5ii-{stake}": ("envy", f"B/${stake}") for stake in (1, 5)},
    "SM-BB-4": ("bad_beat", "BBB-01"),
    **{f"SM-PROG-3-P{number}": ("progressive", f"{number}") for number in (1, 2)},
    **{f"SM-PROG-3-E{number}": ("envy", f"{number}/$1") for number in (1, 2)},
    **{f"SM-END-P{number}": ("progressive", f"{number}") for number in (1, 2)},
    "MD-12B.2": ("automatic_bonus", "standard"),
    **{f"MD-12C{number}": ("aces_up", table) for number, table in enumerate("ABCDEF", 1)},
    **{f"MD-12D1{table.lower()}": ("progressive", table) for table in "ABC"},
    **{
        f"{clause}{number}": ("envy", f"{table}/{stake}")
        for clause, stake in ENVY_STAKES.items()
        for number, table in enumerate("ABC", 1)
    },
    **{f"MD-12G-old{number}": ("six_card", f"prior-{table}") for number, table in enumerate("ABCD", 1)},
    **{f"MD-12G{number}": ("six_card", table) for number, table in enumerate("AB", 1)},
    **{f"WA-{number}-AB": ("automatic_bonus", number) for number in FCP},
    **{f"WA-{number}-AU": ("aces_up", number) for number in FCP},
    **{f"WA-BBB-0{number}": ("bad_beat", f"BBB-0{number}") for number in (1, 2, 3)},
    **{f"WA-PAY-P{number}": ("progressive", f"{number}") for number in (1, 2)},
    **{f"WA-PAY-E{number}": ("envy", f"{number}/$1") for number in (1, 2)},
    "IA-PAY-2.2": ("aces_up", "standard"),
    "IA-PAY-3.2": ("automatic_bonus", "standard"),
}
"""Where in its rulebook the table of each clause stands; Envy by schedule and stake."""
ENVY_COLUMNS: dict[str, Place] = {f"SM-END-P{number}": ("envy", f"{number}/$1") for number in (1, 2)}
"""The clauses that print an Envy column beside the paytable."""
OTHER_READING: set[Place] = {("envy", "C-royal/$1"), ("envy", "C-royal/$5")}
"""The tables that no source prints: the other reading of Maryland's Envy schedule C (R9)."""

PRINTED = [clause for clause in clauses().values() if {"pays", "envy"} & clause.figures.keys()]


def printed_rows(figure: str) -> list[Row]:
    """Return the rows of a ledger figure such as ``four-of-a-kind:25-to-1,flush:$1000``, in their order."""
    cells = (cell.split(":") for cell in figure.split(","))
    return [(hand.replace("-", "_"), *meaning(award)) for hand, award in cells]


def meaning(award: str) -> tuple[str, OddsKind, Fraction]:
    """Return a ledger award as a rulebook writes it, and its kind and value, read here on their own."""
    if ratio := re.fullmatch(r"(\d+)-(to|for)-(\d+)", award):
        won, kind, staked = int(ratio[1]), OddsKind(ratio[2]), int(ratio[3])
        return f"{won:,} {kind} {staked:,}", kind, Fraction(won, staked)
    if share := re.fullmatch(r"(\d+)%-of-meter", award):
        return f"{share[1]}% of meter", OddsKind.METER, Fraction(int(share[1]), 100)
    if amount := re.fullmatch(r"\$(\d+)", award):
        return f"${int(amount[1]):,}", OddsKind.FIXED, Fraction(int(amount[1]) * 100)
    raise ValueError(f"the ledger pays {award}")


def rows_of(table: Paytable) -> list[Row]:
    """Return the rows of a rulebook's table, in their order."""
    return [(hand, str(odds), odds.kind, odds.value) for hand, odds in table.pays.items()]


def books_of(clause_id: str) -> list[Rulebook]:
    """Return the rulebooks and editions that have the table of a clause."""
    source, six_card = clauses()[clause_id].source, clause_id.startswith("MD-12G")
    books = [book for book in every_rulebook() if book.source == source]
    return [book for book in books if not (six_card and book.edition == "existing")]


def tables_citing(book: Rulebook, clause_id: str) -> dict[Place, Paytable]:
    """Return the tables of a rulebook that cite a clause, by their places."""
    return {(wager, name): t for wager, name, t in every_paytable(book) if clause_id in t.clauses}


def printed_tables(clause_id: str) -> dict[Place, list[Row]]:
    """Return the rows that a clause prints, by the places where a rulebook must have them."""
    figures = clauses()[clause_id].figures
    tables = {PLACES[clause_id]: printed_rows(figures["pays"])}
    if clause_id in ENVY_COLUMNS:
        tables[ENVY_COLUMNS[clause_id]] = printed_rows(figures["envy"])
    return tables


def all_tables() -> list[tuple[str, Place, Paytable]]:
    """Return every table of every rulebook and edition with its source and place."""
    return [
        (book.source, (wager, name), table)
        for book in every_rulebook()
        for wager, name, table in every_paytable(book)
    ]


@pytest.mark.parametrize("clause_id", by_clause(*((clause.id,) for clause in PRINTED)))
def test_a_table_pays_in_every_row_what_its_clause_prints(clause_id: str) -> None:
    holders = books_of(clause_id)
    assert holders
    for book in every_rulebook():
        found = {place: rows_of(table) for place, table in tables_citing(book, clause_id).items()}
        assert found == (printed_tables(clause_id) if book in holders else {})


@pytest.mark.parametrize("clause_id", [clause.id for clause in PRINTED])
def test_a_table_is_found_by_its_wager_and_id(clause_id: str) -> None:
    wager, table_id = PLACES[clause_id]
    for book in books_of(clause_id):
        table = tables_citing(book, clause_id)[wager, table_id]
        if wager not in ("cover_all", "envy"):
            assert paytable(book, wager, table_id) is table


@pytest.mark.parametrize("clause_id", [clause.id for clause in PRINTED if clause.id.startswith("MA-12")])
def test_a_cover_all_column_serves_the_players_that_its_clause_names(clause_id: str) -> None:
    figures, cover_all = clauses()[clause_id].figures, rulebook("massachusetts").wagers.cover_all
    assert cover_all is not None
    column = cover_all.column(int(figures["players"]))
    assert column is cover_all.columns[figures["column"]]
    assert column is not None
    assert clause_id in column.clauses


@pytest.mark.parametrize("clause_id", [name for name, (wager, _) in PLACES.items() if wager == "envy"])
def test_an_envy_schedule_stands_under_the_stake_that_its_clause_names(clause_id: str) -> None:
    """Washington names no stake; the manufacturer's $1 is taken (R55)."""
    (wager, name), figures = PLACES[clause_id], clauses()[clause_id].figures
    schedule, stake = name.split("/")
    assert stake == figures.get("wager", "$1")
    for book in books_of(clause_id):
        assert book.wagers.envy is not None
        assert (wager, f"{schedule}/{stake}") in tables_citing(book, clause_id)
        assert clause_id in book.wagers.envy.paytables[schedule][stake].clauses


def test_every_clause_that_prints_a_table_has_a_place_and_every_table_a_clause() -> None:
    assert PLACES.keys() == {clause.id for clause in PRINTED}
    for book in every_rulebook():
        uncited = {
            (wager, name) for wager, name, table in every_paytable(book) if table.clauses[0] not in PLACES
        }
        assert uncited == (OTHER_READING if book.source == "MD" else set())


def test_every_printed_cell_is_compared() -> None:
    """Compare the 393 cells that were counted by hand in the sources, merged cells counted in each table.

    MA 105 (bonus 3, Aces Up 7 tables of 7, Cover All 5 alone and 6 columns of 5, progressive 2 of 4, Envy
    3+3+2+2); SM 32 (bad beat 6, then progressive 4+4 and Envy 3+2, both printed twice); MD 124 (bonus 3,
    Aces Up 6 of 7, progressive 4+4+7, Envy 3+2+2 for each of two stakes, Six Card 4 of 7 and 2 of 11, the
    four suits of a Super Royal counted singly); WA 122 (bonus 8 of 3 and one of 4, Aces Up 9 of 7, bad beat
    3 of 6, progressive 4+4, Envy 3+2); IA 10 (Aces Up 7, bonus 3).
    """
    compared: Counter[str] = Counter()
    for clause in PRINTED:
        compared[clause.source] += sum(map(len, printed_tables(clause.id).values()))
    assert compared == {"MA": 105, "SM": 32, "MD": 124, "WA": 122, "IA": 10}
    assert compared.total() == 393


def test_every_printed_table_is_in_its_rulebook_once() -> None:
    """Find the 74 tables and 375 cells that were counted by hand, what is printed twice counted once.

    MA 20 (bonus 1, Aces Up 7, Cover All 6, progressive 2, Envy 4); SM 5 (bad beat 1, progressive 2, Envy
    2); MD 22 (bonus 1, Aces Up 6, progressive 3, Envy 6, Six Card 6); WA 25 (bonus 9, Aces Up 9, bad beat
    3, progressive 2, Envy 2); IA 2 (bonus, Aces Up); printed twice are 5 cells in MA and 13 in SM.
    """
    printed = {(source, place): t for source, place, t in all_tables() if place not in OTHER_READING}
    assert Counter(source for source, _ in printed) == {"MA": 20, "SM": 5, "MD": 22, "WA": 25, "IA": 2}
    assert sum(len(table.pays) for table in printed.values()) == 375 == 393 - 5 - 13


@pytest.mark.part("R8")
def test_six_card_tables_judge_six_cards_progressive_c_five_and_all_others_four() -> None:
    five = {("progressive", "C")} | OTHER_READING
    for source, place, table in all_tables():
        expected = 6 if place[0] == "six_card" else 5 if source == "MD" and place in five else 4
        assert table.cards == expected, (source, place)


@pytest.mark.clause("R10")
def test_only_the_four_plain_six_card_tables_can_be_asked_for_their_odds_alone() -> None:
    odds_only = {clause for _, _, table in all_tables() if table.odds_only for clause in table.clauses}
    assert odds_only == {f"MD-12G-old{number}" for number in (1, 2, 3, 4)}


@pytest.mark.part("R9")
@pytest.mark.parametrize("stake", ["$1", "$5"])
def test_the_other_reading_of_envy_c_pays_the_same_amounts_for_the_top_hands_of_paytable_c(
    stake: str,
) -> None:
    envy = rulebook("maryland").wagers.envy
    assert envy is not None
    printed, other = envy.paytables["C"][stake], envy.paytables["C-royal"][stake]
    assert list(other.pays.values()) == list(printed.pays.values())
    assert list(other.pays) == list(paytable(rulebook("maryland"), "progressive", "C").pays)[:2]
