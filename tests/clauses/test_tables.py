"""Which paytables a house may choose, and when it may submit its own."""

from typing import Any

import pytest

from fourcard.cards import parse_cards
from fourcard.hands import best_hand
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import paytable, paytables_of
from fourcard.wagers import RowName, TableWager
from tests.kit.support import by_clause, citing, findings, game, names

ACES_UP_ROWS = (
    "four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pair", "pair_of_aces",
)  # fmt: skip
FCP = [f"FCP-0{number}" for number in range(1, 10)]


def own(*awards: int) -> dict[str, str]:
    """Return an own table that pays so many to one, the best hand first."""
    return {row: f"{award} to 1" for row, award in zip(ACES_UP_ROWS, awards, strict=False)}


def with_progressive(paytable: str) -> dict[str, Any]:
    """Return the changes that switch a progressive to another paytable and its Envy schedule."""
    return {"wagers__progressive": paytable, "progressive__envy": paytable}


@pytest.mark.parametrize(
    ("clause", "example", "wager", "known", "unknown"),
    by_clause(
        ("MA-11a3.2", "massachusetts", "aces_up", ["I", "II", "III", "IV", "V", "VI", "VII"], "VIII"),
        ("MD-12C.0", "maryland", "aces_up", list("ABCDEF"), "G"),
        ("MD-12G.0", "maryland-everything", "six_card", ["A", "B"], "C"),
        ("MA-12k.0", "massachusetts-everything", "cover_all", ["matrix"], "columns"),
    ),
)
def test_a_house_chooses_one_of_the_printed_tables(
    clause: str, example: str, wager: str, known: list[str], unknown: str
) -> None:
    for table in known:
        assert names(findings(example, **{f"wagers__{wager}": table})) == []
    assert citing(findings(example, **{f"wagers__{wager}": unknown}), clause) == ["table_unknown"]


@pytest.mark.parametrize(
    ("clause", "example", "known", "unknown"),
    by_clause(
        ("MA-13a1.1", "massachusetts-everything", ["A", "B"], "C"),
        ("MD-12D1.0", "maryland-everything", ["A", "B", "C"], "D"),
    ),
)
def test_a_house_chooses_one_of_the_printed_progressive_tables(
    clause: str, example: str, known: list[str], unknown: str
) -> None:
    for table in known:
        assert names(findings(example, **with_progressive(table))) == []
    assert "table_unknown" in citing(findings(example, **with_progressive(unknown)), clause)


@pytest.mark.clause("WA-W1-12")
def test_washington_takes_the_nine_printed_pairs_and_no_other() -> None:
    for table in FCP:
        assert names(findings("washington", wagers__aces_up=table, wagers__automatic_bonus=table)) == []
    refused = findings("washington", wagers__automatic_bonus="FCP-10")
    assert "table_unknown" in citing(refused, "WA-W1-12")
    refused = findings("washington", wagers__automatic_bonus=own(99, 99, 99))
    assert citing(refused, "WA-W1-12") == ["own_table_not_allowed"]


@pytest.mark.clause("R98")
def test_bonus_and_aces_up_carry_one_number() -> None:
    refused = findings("washington", wagers__aces_up="FCP-01", wagers__automatic_bonus="FCP-02")
    assert citing(refused, "R98") == ["table_numbers_differ"]
    assert names(findings("washington", wagers__aces_up="FCP-02", wagers__automatic_bonus="FCP-02")) == []


@pytest.mark.clause("P5")
def test_the_manufacturers_layout_takes_the_fcp_tables_or_its_own() -> None:
    for table in FCP:
        assert names(findings("shuffle-master", wagers__aces_up=table, wagers__automatic_bonus=table)) == []
    thin = own(2, 2, 2, 2, 2, 2, 1)
    assert names(findings("shuffle-master", wagers__aces_up=thin)) == []


@pytest.mark.parametrize(
    ("clause", "wager", "table"),
    by_clause(
        ("SM-W1-12", "automatic_bonus", own(1, 1, 1)),
        ("SM-BB-4", "bad_beat", own(5, 4, 3, 2, 1, 1)),
    ),
)
def test_the_manufacturer_lets_a_house_print_its_own_odds(
    clause: str, wager: TableWager, table: dict[str, str]
) -> None:
    example = "shuffle-master-everything"
    assert names(findings(example, **{f"wagers__{wager}": table})) == []
    assert game(example, **{f"wagers__{wager}": table}).tables[wager].pays == table
    not_to = {**table, "four_of_a_kind": "300 for 1"}
    assert "own_table_kind" in citing(findings(example, **{f"wagers__{wager}": not_to}), clause)


@pytest.mark.parametrize(
    ("clause", "example", "wager"),
    by_clause(
        ("MD-12B.2", "maryland", "automatic_bonus"),
        ("MD-12C.0", "maryland", "aces_up"),
        ("MD-12G.0", "maryland-everything", "six_card"),
        ("WA-LTR-3", "washington", "aces_up"),
        ("WA-LTR-3", "washington-everything", "bad_beat"),
        ("IA-PAY-3.2", "catfish-bend", "automatic_bonus"),
        ("IA-PAY-2.2", "catfish-bend", "aces_up"),
    ),
)
def test_where_odds_are_fixed_even_a_better_table_is_refused(clause: str, example: str, wager: str) -> None:
    generous = own(*[99_999] * 7)
    assert "own_table_not_allowed" in citing(findings(example, **{f"wagers__{wager}": generous}), clause)


FLOORS = by_clause(
    ("MA-11a3.2", "aces_up", (50, 30, 9, 6, 4, 2, 1)),
    ("MA-11a2.3", "automatic_bonus", (25, 20, 2)),
)


@pytest.mark.parametrize(("clause", "wager", "printed"), FLOORS)
def test_massachusetts_odds_are_floors(clause: str, wager: str, printed: tuple[int, ...]) -> None:
    assert names(findings("massachusetts", **{f"wagers__{wager}": own(*printed)})) == []
    for row in range(len(printed)):
        over = [award + (number == row) for number, award in enumerate(printed)]
        assert names(findings("massachusetts", **{f"wagers__{wager}": own(*over)})) == []
    under = own(*(printed[0] - 1, *printed[1:]))
    found = findings("massachusetts", **{f"wagers__{wager}": under})
    assert citing(found, clause) == ["own_table_under_floor"]
    assert citing(found, "R34") == ["own_table_under_floor"]


@pytest.mark.clause("R34")
def test_rows_of_several_printed_tables_are_not_mixed() -> None:
    mixed = own(50, 40, 7, 5, 5, 2, 1)
    (found,) = findings("massachusetts", wagers__aces_up=mixed)
    assert found.refusal.name == "own_table_under_floor"
    assert "the nearest is II, where flush pays 6 to 1" in found.refusal.message


@pytest.mark.parametrize(
    ("clause", "example", "wager", "rows"),
    by_clause(
        ("MA-11a2.1", "massachusetts", "automatic_bonus", 3),
        ("MA-1-AU.2", "massachusetts", "aces_up", 7),
        ("SM-W2-1", "shuffle-master", "aces_up", 7),
        ("SM-BB-3a", "shuffle-master-everything", "bad_beat", 6),
        ("SM-BB-3b", "shuffle-master-everything", "bad_beat", 6),
    ),
)
def test_an_own_table_pays_down_to_the_lowest_winning_hand_and_no_further(
    clause: str, example: str, wager: str, rows: int
) -> None:
    exact = own(*[50] * rows)
    assert names(findings(example, **{f"wagers__{wager}": exact})) == []
    for missing in exact:
        short = {row: odds for row, odds in exact.items() if row != missing}
        assert citing(findings(example, **{f"wagers__{wager}": short}), clause) == ["own_table_row_missing"]
    foreign = {**exact, "full_house": "50 to 1"}
    assert citing(findings(example, **{f"wagers__{wager}": foreign}), clause) == ["own_table_row_foreign"]
    if rows < len(ACES_UP_ROWS):
        longer = own(*[50] * (rows + 1))
        assert citing(findings(example, **{f"wagers__{wager}": longer}), clause) == ["own_table_row_foreign"]


HANDS = {
    "pair_of_aces": ("As Ad 2c 3d", "Ks Kd Ac Qd"),
    "two_pair": ("2s 2d 3c 3d", "As Ad Kc Qd"),
    "three_of_a_kind": ("2s 2d 2c 3d", "As Ks Qs Ts"),
}


@pytest.mark.parametrize(
    ("clause", "book", "wager", "lowest"),
    by_clause(
        ("WA-W2-1", "washington", "aces_up", "pair_of_aces"),
        ("WA-BB-2a", "washington", "bad_beat", "two_pair"),
        ("WA-BB-2b", "washington", "bad_beat", "two_pair"),
        ("IA-INT-8", "catfish-bend", "aces_up", "pair_of_aces"),
        ("IA-WAG-2b", "catfish-bend", "aces_up", "pair_of_aces"),
        ("IA-PAY-2.1", "catfish-bend", "aces_up", "pair_of_aces"),
        ("IA-DEF-5.1", "catfish-bend", "automatic_bonus", "three_of_a_kind"),
        ("MD-01B6", "maryland", "progressive", "three_of_a_kind"),
    ),
)
def test_every_printed_table_pays_the_lowest_winning_hand_and_not_the_one_below(
    clause: str, book: str, wager: Any, lowest: str
) -> None:
    rules = getattr(rulebook(book).wagers, wager)
    assert rules.lowest.value == lowest, clause
    tables = [table for table in paytables_of(rulebook(book), wager).values() if table.cards == 4]
    assert tables
    winner, loser = (best_hand(parse_cards(cards)) for cards in HANDS[lowest])
    for table in tables:
        assert set(winner.rows) & set(table.pays)
        assert not set(loser.rows) & set(table.pays)


@pytest.mark.part("MA-12b", "MD-07E5.1")
@pytest.mark.parametrize(("book", "wager"), [("massachusetts", "cover_all"), ("maryland", "six_card")])
def test_tables_past_four_cards_end_at_three_of_a_kind(book: str, wager: str) -> None:
    rules: Any = getattr(rulebook(book).wagers, wager)
    assert rules.lowest.value == "three_of_a_kind"
    tables = [*rules.paytables.values(), *getattr(rules, "columns", {}).values()]
    assert len(tables) == 6
    assert {list(table.pays)[-1] for table in tables} == {"three_of_a_kind"}


@pytest.mark.clause("R47")
def test_column_six_pays_less_than_column_seven_as_printed() -> None:
    cover_all = rulebook("massachusetts").wagers.cover_all
    assert cover_all is not None
    six, seven = cover_all.columns["6"].pays, cover_all.columns["7"].pays
    rows: tuple[RowName, ...] = ("four_of_a_kind", "straight_flush")
    for row in rows:
        assert not six[row].at_least(seven[row])


@pytest.mark.parametrize(
    ("clause", "wager", "table", "cards", "odds_only"),
    by_clause(
        ("MD-12G1", "six_card", "A", 6, False),
        ("MD-12G2", "six_card", "B", 6, False),
        ("MD-12G-old1", "six_card", "prior-A", 6, True),
        ("MD-12G-old2", "six_card", "prior-B", 6, True),
        ("MD-12G-old3", "six_card", "prior-C", 6, True),
        ("MD-12G-old4", "six_card", "prior-D", 6, True),
        ("MD-12D1c", "progressive", "C", 5, False),
        ("MD-12D1a", "progressive", "A", 4, False),
    ),
)
def test_a_table_says_how_many_cards_it_judges_and_whether_it_is_in_force(
    clause: str, wager: Any, table: str, cards: int, odds_only: bool
) -> None:
    found = paytable(rulebook("maryland"), wager, table)
    assert (found.cards, found.odds_only) == (cards, odds_only), clause
