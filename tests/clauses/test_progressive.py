"""The progressive that a submission offers: meter, stakes, awards and Envy."""

import pytest

from fourcard.round.commands import PlaceWager
from tests.kit.support import by_clause, citing, findings, game, names
from tests.kit.tables import ANTE, bet, current_round, refused, table


def paytable(name: str, **more: object) -> dict[str, object]:
    """Return the changes that switch to another paytable with its Envy schedule and a high meter."""
    meter = {"progressive__seed": "$99,999", "progressive__reset": "$99,999"}
    return {"wagers__progressive": name, "progressive__envy": name, **meter, **more}


@pytest.mark.parametrize(
    ("clause", "example", "field", "found"),
    by_clause(
        ("MA-13a3.1", "massachusetts-everything", "rate", "rate_missing"),
        ("MD-12D3a", "maryland-everything", "rate", "rate_missing"),
        ("P9", "shuffle-master-everything", "rate", "rate_missing"),
        ("P9", "shuffle-master-everything", "seed", "meter_missing"),
        ("P9", "shuffle-master-everything", "reset", "meter_missing"),
        ("P9", "washington-everything", "rate", "rate_missing"),
        ("P9", "washington-everything", "seed", "meter_missing"),
        ("P9", "washington-everything", "reset", "meter_missing"),
        ("MA-13a3.2", "massachusetts-everything", "seed", "meter_missing"),
        ("MA-13a3.2", "massachusetts-everything", "reset", "meter_missing"),
        ("MD-12D3b", "maryland-everything", "seed", "meter_missing"),
        ("MD-12D3b", "maryland-everything", "reset", "meter_missing"),
        ("MD-12D-2.2", "maryland-everything", "envy", "envy_missing"),
    ),
)
def test_what_the_rules_submission_must_declare(clause: str, example: str, field: str, found: str) -> None:
    assert names(findings(example)) == []
    assert citing(findings(example, **{f"progressive__{field}": None}), clause) == [found]


FLOORS = by_clause(
    ("MA-13a3.3", "massachusetts-everything", "A", "$5,000", "$4,999.99"),
    ("MA-13a3.3", "massachusetts-everything", "B", "$1,000", "$999.99"),
    ("MD-12D3bi", "maryland-everything", "A", "$5,000", "$4,999.99"),
    ("MD-12D3bii", "maryland-everything", "B", "$1,000", "$999.99"),
    ("MD-12D3biii", "maryland-everything", "C", "$10,000", "$9,999.99"),
    ("R56", "massachusetts-everything", "A", "$5,000", "$4,999.99"),
)


@pytest.mark.parametrize(("clause", "example", "table", "floor", "under"), FLOORS)
def test_initial_and_reset_amounts_have_floors_that_do_not_scale(
    clause: str, example: str, table: str, floor: str, under: str
) -> None:
    for stakes in (["$1"], ["$5"]):
        at: dict[str, object] = {"progressive__seed": floor, "progressive__reset": floor}
        stake: dict[str, object] = {"progressive__stakes": stakes}
        assert names(findings(example, **{**paytable(table), **at, **stake})) == []
        for field in ("seed", "reset"):
            low = findings(example, **{**paytable(table), **at, **stake, f"progressive__{field}": under})
            assert names(low) == ["meter_under_floor"]
            assert clause == "R56" or citing(low, clause) == ["meter_under_floor"]


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("R55", "massachusetts-everything"), ("R55", "maryland-everything"))
)
def test_massachusetts_and_maryland_take_one_and_five_dollars(clause: str, example: str) -> None:
    for stakes in (["$1"], ["$5"], ["$1", "$5"]):
        assert names(findings(example, progressive__stakes=stakes)) == []
    for stakes in (["$2"], ["$1", "$25"], ["$0"]):
        assert "stake_not_allowed" in citing(findings(example, progressive__stakes=stakes), clause)
    assert citing(findings(example, progressive__stakes=[]), clause) == ["stakes_missing"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(("SM-PROG-3.12", "shuffle-master-everything"), ("R100", "washington-everything")),
)
def test_elsewhere_stakes_are_whole_dollars(clause: str, example: str) -> None:
    assert names(findings(example, progressive__stakes=["$1", "$2", "$7"])) == []
    for stake in ("$1.50", "$0"):
        assert citing(findings(example, progressive__stakes=[stake]), clause) == ["stake_not_allowed"]


@pytest.mark.parametrize(
    ("clause", "example", "stakes"),
    by_clause(
        ("R55", "massachusetts-everything", (500,)),
        ("R55", "maryland-everything", (100, 500)),
        ("R57", "massachusetts-everything", (500,)),
        ("SM-PROG-3.12", "shuffle-master-everything", (100, 700)),
        ("R100", "washington-everything", (100, 700)),
    ),
)
def test_a_table_takes_the_stakes_of_its_submission_and_no_other(
    clause: str, example: str, stakes: tuple[int, ...]
) -> None:
    at = table(example, (1,), progressive__stakes=[f"${stake // 100}" for stake in stakes])
    bet(at, ANTE)
    for other in {0, *range(100, 900, 100), *(stake + by for stake in stakes for by in (-1, 1))} - {*stakes}:
        refusal = refused(at, PlaceWager(position=1, wager="progressive", amount=other))
        assert refusal.name == "stake_not_taken"
        assert clause in (*refusal.clauses, "R57")
    for stake in stakes:
        at.do(PlaceWager(position=1, wager="progressive", amount=stake))
        assert current_round(at).positions[1].wagers["progressive"] == stake


@pytest.mark.clause("R57")
def test_a_policy_allows_one_stake_alone() -> None:
    both = {"settings": {"one_denomination": True}}
    assert citing(findings("massachusetts-everything", **both), "R57") == ["stakes_more_than_one"]
    assert names(findings("massachusetts-everything", progressive__stakes=["$5"], **both)) == []


@pytest.mark.parametrize(
    ("clause", "example", "sources"),
    by_clause(
        ("P3", "massachusetts-everything", ("tray", "meter")),
        ("P3", "maryland-everything", ("tray", "meter")),
        ("WA-PROG-8b", "washington-everything", ("tray", "meter")),
        ("WA-NEX-8b", "washington-everything", ("tray", "meter")),
        ("R19", "washington-everything", ("tray", "meter")),
        ("SM-PROG-9b", "shuffle-master-everything", ("tray",)),
        ("R19", "shuffle-master-everything", ("tray",)),
    ),
)
def test_what_pays_fixed_awards(clause: str, example: str, sources: tuple[str, ...]) -> None:
    for source in ("tray", "meter"):
        found = findings(example, progressive__fixed_awards=source)
        assert names(found) == citing(found, clause) == ([] if source in sources else ["fixed_awards"])


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("SM-APP-A.2", "shuffle-master-everything"),
        ("WA-PROG-8c.2", "washington-everything"),
        ("WA-NEX-8c.2", "washington-everything"),
    ),
)
def test_internal_controls_name_the_order_of_meter_winners(clause: str, example: str) -> None:
    assert names(findings(example, progressive__winner_order="settlement"), "warning") == []
    for named in ("dealer-left", "highest-hand"):
        found = findings(example, progressive__winner_order=named)
        assert (names(found), citing(found, clause, "warning")) == ([], ["winner_order_idle"])
        if example.startswith("washington"):
            found = findings(example, progressive__winner_order=named, progressive__fixed_awards="meter")
            assert (names(found), citing(found, clause, "warning")) == ([], [])
    found = findings(example, progressive__winner_order="internal-controls")
    assert names(found) == citing(found, clause) == ["winner_order_unnamed"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(("MA-13a4", "massachusetts-everything"), ("MD-12D4", "maryland-everything")),
)
def test_meter_winners_are_paid_in_the_order_of_settlement_and_in_no_other(clause: str, example: str) -> None:
    for named in ("dealer-left", "highest-hand", "internal-controls"):
        found = findings(example, progressive__winner_order=named)
        assert names(found) == citing(found, clause) == ["winner_order"]
    assert names(findings(example, progressive__winner_order="settlement")) == []


@pytest.mark.parametrize(
    ("clause", "example", "table", "other"),
    by_clause(
        ("MA-13a5i-1", "massachusetts-everything", "A", "B"),
        ("MA-13a5ii-1", "massachusetts-everything", "B", "A"),
        ("SM-PROG-3-E1", "shuffle-master-everything", "1", "2"),
        ("SM-PROG-3-E2", "shuffle-master-everything", "2", "1"),
        ("WA-PAY-E1", "washington-everything", "1", "2"),
        ("WA-PAY-E2", "washington-everything", "2", "1"),
    ),
)
def test_the_envy_schedule_goes_with_its_paytable(clause: str, example: str, table: str, other: str) -> None:
    assert names(findings(example, **paytable(table))) == []
    unpaired = findings(example, **paytable(table, progressive__envy=other))
    assert citing(unpaired, clause) == ["envy_unpaired"]
    assert names(findings(example, **paytable(table, progressive__envy="Z"))) == ["envy_unknown"]


@pytest.mark.parametrize(
    ("clause", "table", "other"),
    by_clause(
        ("MD-12D-2.2", "A", "B"),
        ("R67", "A", "C-royal"),
        ("R67", "B", "A"),
        ("R67", "B", "C"),
        ("R67", "C", "B"),
    ),
)
def test_another_envy_schedule_in_maryland_is_a_warning_and_pays(clause: str, table: str, other: str) -> None:
    assert names(findings("maryland-everything", **paytable(table))) == []
    chosen = paytable(table, progressive__envy=other)
    found = findings("maryland-everything", **chosen)
    assert names(found) == []
    assert citing(found, clause, "warning") == ["envy_unpaired"]
    of_schedule = game("maryland-everything", **paytable(other[0], progressive__envy=other)).envy
    assert game("maryland-everything", **chosen).envy == of_schedule
    assert names(findings("maryland-everything", **paytable(table, progressive__envy="Z"))) == [
        "envy_unknown"
    ]


@pytest.mark.clause("R9")
def test_schedule_c_as_printed_warns_and_its_other_reading_does_not() -> None:
    literal = findings("maryland-everything", progressive__envy="C")
    assert citing(literal, "R9", "warning") == ["envy_favours_players"]
    assert findings("maryland-everything", progressive__envy="C-royal") == ()
    royal = game("maryland-everything", progressive__envy="C-royal").envy
    assert {stake: list(schedule.pays.items()) for stake, schedule in royal.items()} == {
        100: [("royal_flush", "$1,000"), ("straight_flush", "$300")],
        500: [("royal_flush", "$5,000"), ("straight_flush", "$1,500")],
    }
    assert {schedule.cards for schedule in royal.values()} == {5}


@pytest.mark.clause("P9")
def test_a_progressive_needs_its_section_and_the_section_its_wager() -> None:
    assert "progressive_missing" in names(findings("massachusetts-everything", progressive=None))
    stray = findings("massachusetts", progressive={"stakes": ["$1"]})
    assert names(stray) == ["progressive_not_offered"]
    whole = findings("massachusetts-everything", progressive__rate="95%", progressive__reserve="5%")
    assert names(whole) == []
    over = findings("massachusetts-everything", progressive__rate="95.1%", progressive__reserve="5%")
    assert citing(over, "P9") == ["rates_over_whole"]
    twice = findings("massachusetts-everything", progressive__stakes=["$1", "$1"])
    assert names(twice) == ["stake_repeated"]
