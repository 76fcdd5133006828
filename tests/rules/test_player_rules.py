"""Player rules: every rulebook in sentences that follow its data, with clauses that exist."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from msgspec.structs import replace

from fourcard.cards import parse_card
from fourcard.hands import rank_four
from fourcard.rules.clauses import clauses, is_address, rulings
from fourcard.rules.loading import every_rulebook, rulebook, rulebook_ids
from fourcard.rules.paytables import every_paytable, paytables_of, selectable_tables
from fourcard.rules.player_rules import RulesPage, rulebook_rules, rules_page
from fourcard.rules.player_rules.page import RulesSentence
from fourcard.rules.rulebook import Rulebook
from fourcard.wagers import WAGER_LABELS, WAGERS
from tests.kit.own_rulebook import NEVADA, OwnRulebooks

BOOKS = [*every_rulebook()]
per_book = pytest.mark.parametrize("book", BOOKS, ids=lambda each: f"{each.id}-{each.edition}")


def every_sentence(page: RulesPage) -> Iterator[RulesSentence]:
    for section in page.sections:
        yield from section.sentences
    for wager in page.wagers:
        yield from wager.sentences
        if wager.offered is not None:
            yield wager.offered
    yield from page.ranking.sentences
    for difference in page.differences:
        yield difference.here
        yield from (other.sentence for other in difference.elsewhere)


@per_book
def test_every_sentence_has_clauses_and_names_none(book: Rulebook) -> None:
    sentences = [*every_sentence(rules_page(book))]
    assert len(sentences) > 80
    for each in sentences:
        assert each.clauses, each.text
        assert [clause for clause in each.clauses if not is_address(clause)] == []
        words = {*re.findall(r"[\w.-]+", each.text)}
        assert words & {*clauses(), *rulings()} == set(), each.text
        assert re.fullmatch(r"[A-Z].*\.", each.text), each.text
        assert "_" not in each.text
        assert "  " not in each.text


@per_book
def test_every_wager_and_every_paytable_is_shown_as_printed(book: Rulebook) -> None:
    page, shown = rules_page(book), 0
    offered = [name for name in WAGERS if book.wager(name) is not None]
    assert [each.wager for each in page.wagers] == offered
    assert [each.label for each in page.wagers] == [WAGER_LABELS[name] for name in offered]
    for wager in page.wagers:
        found = {
            table_id: column.pays
            for grid in wager.grids
            for column in grid.columns
            for table_id in column.ids
        }
        printed = {
            table_id: table.pays for name, table_id, table in every_paytable(book) if name == wager.wager
        }
        if book.wager(wager.wager) is not None and wager.wager not in ("envy", "cover_all"):
            tables = paytables_of(book, wager.wager)
            printed = {table_id: tables[table_id].pays for table_id in selectable_tables(book, wager.wager)}
        assert found == printed
        rows = {row.row for grid in wager.grids for row in grid.rows}
        assert rows == {row for pays in found.values() for row in pays}
        shown += len(found)
    assert shown >= 2


@per_book
def test_hands_are_shown_with_true_examples_the_best_first(book: Rulebook) -> None:
    hands = rules_page(book).ranking.hands
    strengths = []
    for each in hands:
        made = rank_four(map(parse_card, each.cards.split()))
        assert made.category.text == each.hand
        strengths.append(made.strength)
    assert strengths == sorted(strengths, reverse=True)
    assert len(strengths) == 8


@per_book
def test_a_difference_quotes_both_pages(book: Rulebook) -> None:
    differences = rules_page(book).differences
    assert len(differences) > 20
    here = " ".join(each.text for each in every_sentence(rules_page(book)))
    for each in differences:
        assert each.here.text in here
        assert each.elsewhere
        for other in each.elsewhere:
            assert other.sentence.text != each.here.text
            assert len(other.names) >= len(other.rulebooks) > 0
            assert {*other.rulebooks} <= {*rulebook_ids()}


@per_book
def test_the_pages_of_a_rulebook_are_its_editions(book: Rulebook) -> None:
    found = rulebook_rules(book.id)
    assert {page.edition for page in found.pages} == {*book.editions}
    assert found.pages[0].edition == found.default_edition == rulebook(book.id).edition
    assert rules_page(book) in found.pages


PROGRESSIVE_RULES = {
    "cards_stay_until_documented": "If the award is not paid from the tray, the cards stay on the table",
    "stake_returned": "Your bet is",
    "winner_order_by_internal_controls": "Winners are paid in turn",
}


@pytest.mark.parametrize("rule", PROGRESSIVE_RULES)
@per_book
def test_a_sentence_of_the_progressive_follows_its_rule(book: Rulebook, rule: str) -> None:
    wager = book.wager("progressive")
    if wager is None:
        assert book.id == "catfish-bend"
        return
    node = getattr(wager, rule)
    other = replace(wager, **{rule: replace(node, value=not node.value)})
    pages = rules_page(book), rules_page(replace(book, wagers=replace(book.wagers, progressive=other)))
    before, after = ({each.text for each in _of_progressive(page)} for page in pages)
    assert before != after
    assert {each[: len(PROGRESSIVE_RULES[rule])] for each in before ^ after} == {PROGRESSIVE_RULES[rule]}


def _of_progressive(page: RulesPage) -> Iterator[RulesSentence]:
    return chain.from_iterable(each.sentences for each in page.wagers if each.wager == "progressive")


ELSEWHERE = "What is different elsewhere"
CHANGES = {
    "ties_win = { value = true": ("ties_win = { value = false", "A tie loses both bets."),
    "most = { value = 3": (
        "most = { value = 5",
        "To stay in, bet exactly 1, 2, 3, 4 or 5 times your Ante on Play.",
    ),
    "verbal_cash = { value = false": ("verbal_cash = { value = true", "A spoken bet with cash is taken."),
    "per_player = { value = 2": (
        "per_player = { value = 3",
        "The casino may let you play up to three positions",
    ),
    "leaving_may_lose_wagers = { value = false": (
        "leaving_may_lose_wagers = { value = true",
        "If you leave during a round, your bets may be treated as lost",
    ),
    'closes = { value = "first-card"': (
        'closes = { value = "no-more-bets"',
        "until the dealer says “No more bets”.",
    ),
}


def test_a_sixth_rulebook_has_its_page_and_its_sentences_follow_its_data(tmp_path: Path) -> None:
    plain, _, _ = OwnRulebooks(tmp_path / "plain").run("rules", NEVADA).partition(ELSEWHERE)

    def change(text: str) -> str:
        for before, (after, _) in CHANGES.items():
            assert before in text
            text = text.replace(before, after)
        return text

    own = OwnRulebooks(tmp_path / "changed", change)
    changed, _, _ = own.run("rules", NEVADA).partition(ELSEWHERE)
    assert "A table may also offer Aces Up." in plain
    for _, said in CHANGES.values():
        assert said not in plain
        assert said in changed
    found = json.loads(own.run("rules", NEVADA, "--json"))
    assert {each["wager"] for each in found["pages"][0]["wagers"]} == {
        "ante",
        "play",
        "automatic_bonus",
        "aces_up",
    }
    sentences = [each for section in found["pages"][0]["sections"] for each in section["sentences"]]
    assert all(clause[:2] == "NV" or is_address(clause) for each in sentences for clause in each["clauses"])
    release = json.loads(own.run("rules", "maryland", "--json"))
    topics = {each["topic"]: each for each in release["pages"][0]["differences"]}
    (ties,) = topics["Ties"]["elsewhere"]
    assert ties["rulebooks"] == [NEVADA]
