"""Which wagers a house must offer, which it may, and which it may not."""

import pytest
from msgspec.structs import replace

from fourcard.cli.rules import paytables
from fourcard.round.commands import Fold, Play
from fourcard.rules.posted_sign import posted_sign
from fourcard.wagers import WagerName
from tests.kit.deals import table_with_hands
from tests.kit.support import by_clause, citing, findings, game, names
from tests.kit.tables import advance, bet, finish, table

THREE_OF_A_KIND = {1: "Js Jh Jd 7c 3c", 2: "9s 9h 9d 6c 2h", 3: "8s 8h 8d 5c 4d"}


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-6a2.1", "massachusetts"),
        ("SM-DEAL-1.2", "shuffle-master"),
        ("MD-07E2", "maryland"),
        ("WA-DEAL-1.2", "washington"),
        ("IA-INT-8", "catfish-bend"),
    ),
)
def test_aces_up_is_always_offered_and_may_be_wagered_alone(clause: str, example: str) -> None:
    at = table(example, (1,))
    bet(at, {"aces_up": 500})
    assert finish(at).nets[1] != 0
    if example == "catfish-bend":
        assert "aces_up" in game(example, wagers__aces_up=None).tables
    else:
        assert citing(findings(example, wagers__aces_up=None), clause) == ["wager_table_missing"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-11a2.1", "massachusetts"),
        ("MD-12B.2", "maryland"),
        ("IA-DEF-5.1", "catfish-bend"),
    ),
)
def test_the_printed_bonus_comes_without_being_asked_for(clause: str, example: str) -> None:
    panels = posted_sign(game(example, wagers__automatic_bonus=None))
    (panel,) = [each for each in panels if each.wager == "automatic_bonus"]
    assert panel.pays["three of a kind"] == {"pays": "2 to 1"}, clause


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-W1-11", "shuffle-master"), ("WA-W1-11", "washington"))
)
def test_a_bonus_must_be_named_where_no_single_one_is_printed(clause: str, example: str) -> None:
    assert citing(findings(example, wagers__automatic_bonus=None), clause) == ["wager_table_missing"]


@pytest.mark.parametrize(
    ("clause", "wager", "plain", "everything"),
    by_clause(
        ("MA-12a", "cover_all", "massachusetts", "massachusetts-everything"),
        ("MA-13a.0", "progressive", "massachusetts", "massachusetts-everything"),
        ("SM-BB-2", "bad_beat", "shuffle-master", "shuffle-master-everything"),
        ("SM-PROG-1", "progressive", "shuffle-master", "shuffle-master-everything"),
        ("MD-07E4.0", "progressive", "maryland", "maryland-everything"),
        ("MD-07E5.0", "six_card", "maryland", "maryland-everything"),
        ("WA-BB-1", "bad_beat", "washington", "washington-everything"),
        ("WA-PROG-1", "progressive", "washington", "washington-everything"),
        ("WA-NEX-1", "progressive", "washington", "washington-everything"),
        ("WA-INT-3", "bad_beat", "washington", "washington-everything"),
        ("WA-INT-3", "progressive", "washington", "washington-everything"),
        ("SM-PROG-5.2", "progressive", "shuffle-master", "shuffle-master-everything"),
        ("WA-PROG-4.2", "progressive", "washington", "washington-everything"),
        ("WA-NEX-4.2", "progressive", "washington", "washington-everything"),
    ),
)
def test_an_optional_wager_may_be_offered_or_left_out(
    clause: str, wager: WagerName, plain: str, everything: str
) -> None:
    assert names(findings(plain)) == names(findings(everything)) == [], clause
    assert not game(plain).offers(wager)
    assert game(everything).offers(wager)


@pytest.mark.clause("WA-INT-3")
def test_bad_beat_and_progressive_may_be_offered_together_or_alone() -> None:
    assert names(findings("washington-everything")) == []
    assert (
        names(findings("washington-everything", wagers__bad_beat=None, limits__posted__bad_beat=None)) == []
    )
    assert names(findings("washington-everything", wagers__progressive=None, progressive=None)) == []


@pytest.mark.parametrize(
    ("example", "wager"),
    [
        ("massachusetts", "bad_beat"),
        ("massachusetts", "six_card"),
        ("shuffle-master", "six_card"),
        ("shuffle-master", "cover_all"),
        ("maryland", "bad_beat"),
        ("maryland", "cover_all"),
        ("washington", "six_card"),
        ("washington", "cover_all"),
        ("catfish-bend", "bad_beat"),
        ("catfish-bend", "six_card"),
        ("catfish-bend", "cover_all"),
        ("catfish-bend", "progressive"),
    ],
)
def test_a_wager_that_the_rulebook_does_not_describe_is_refused_with_what_it_does(
    example: str, wager: str
) -> None:
    (found,) = [f for f in findings(example, **{f"wagers__{wager}": "A"}) if f.where == f"wagers.{wager}"]
    assert (found.level, found.refusal.name) == ("error", "wager_not_described")
    assert found.refusal.clauses


@pytest.mark.clause("R10")
def test_the_six_card_bonus_is_offered_in_the_proposed_edition_only() -> None:
    refused = findings("maryland-existing", wagers__six_card="A", layout__areas=["ante", "play", "aces_up"])
    assert "wager_not_described" in citing(refused, "R10")
    assert names(findings("maryland-everything")) == []
    assert "table_odds_only" in citing(findings("maryland-everything", wagers__six_card="prior-A"), "R10")


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-11a2.1", "massachusetts"),
        ("MD-12B.1", "maryland"),
        ("IA-DEF-5.1", "catfish-bend"),
        ("R32", "shuffle-master"),
        ("R32", "washington"),
    ),
)
def test_the_bonus_needs_an_ante_and_a_play_wager(clause: str, example: str) -> None:
    at = table_with_hands(example, THREE_OF_A_KIND)
    bet(at, {"ante": 2_500}, (1, 2))
    bet(at, {"aces_up": 500}, (3,))
    advance(at)
    at.do(Play(position=1, amount=2_500))
    at.do(Fold(position=2))
    paid = [step for step in finish(at).steps if step.wager == "automatic_bonus"]
    assert [(step.position, step.action) for step in paid] == [(1, "pay")], clause


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-11a1.1", "massachusetts"),
        ("MA-11a1.2", "massachusetts"),
        ("SM-W1-9", "shuffle-master"),
        ("SM-W1-6", "shuffle-master"),
        ("MD-12A", "maryland"),
        ("MD-11D4cii.1", "maryland"),
        ("WA-W1-9", "washington"),
        ("WA-W1-6", "washington"),
        ("IA-PAY-1.2", "catfish-bend"),
        ("IA-RANK-3.3", "catfish-bend"),
        ("IA-INT-7", "catfish-bend"),
    ),
)
def test_the_sign_says_that_ante_and_play_pay_even_money_and_ties_win(clause: str, example: str) -> None:
    panel = posted_sign(game(example))[0]
    assert [*panel.pays.values()] == [{"pays": "1 to 1"}, {"pays": "1 to 1"}]
    assert next(iter(panel.pays)) == "Ante, player higher or tied"
    assert clause in panel.clauses


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-13a1.2", "massachusetts-everything"),
        ("SM-END-R", "shuffle-master-everything"),
        ("P14", "maryland-everything"),
        ("WA-PAY-R", "washington-everything"),
    ),
)
def test_the_sign_says_that_a_progressive_win_does_not_return_the_wager(clause: str, example: str) -> None:
    panels = {panel.wager: panel for panel in posted_sign(game(example))}
    progressive = panels.pop("progressive")
    assert progressive.note == "Original wager is NOT returned."
    assert clause in progressive.clauses
    assert {panel.note for panel in panels.values()} == {""}
    made = game(example)
    rules = made.rulebook.wagers.progressive
    assert rules is not None
    kept = replace(rules, stake_returned=replace(rules.stake_returned, value=True))
    wagers = replace(made.rulebook.wagers, progressive=kept)
    returned = replace(made, rulebook=replace(made.rulebook, wagers=wagers))
    assert {panel.note for panel in posted_sign(returned)} == {""}


def test_the_sign_that_is_printed_has_the_footnote(capsys: pytest.CaptureFixture[str]) -> None:
    paytables("washington-everything")
    assert capsys.readouterr().out.count("Original wager is NOT returned.") == 1
    paytables("washington")
    assert "returned" not in capsys.readouterr().out
