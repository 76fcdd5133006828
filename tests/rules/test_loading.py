"""A broken rulebook is refused under its own number, in one sentence that names the file and the place."""

import difflib
import re

import pytest

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError
from fourcard.rules.loading import every_rulebook, parse_toml, resolve_rulebook, rulebook, rulebook_ids
from fourcard.rules.rulebook import Rulebook
from tests.kit.support import ROOT

FOLDER = ROOT / "tests" / "fixtures" / "broken_rulebooks"

BROKEN = {
    "file_unreadable": (Code.FILE_UNREADABLE, " cannot be read: ", "at line 13"),
    "key_unknown": (Code.KEY_UNKNOWN, ", roles: ", "'chooses_hand'"),
    "key_missing": (Code.KEY_MISSING, ", positions: ", "'several'"),
    "value_unfit": (Code.VALUE_UNFIT, ", shuffling.decks.value: ", "expected a whole number, got text"),
    "clause_key_absent": (Code.CLAUSE_MISSING, ", wagers.ante.posted_limits: ", "no clause"),
    "clause_list_empty": (Code.CLAUSE_MISSING, ", wagers.ante.posted_limits: ", "no clause"),
    "clause_unknown": (Code.CLAUSE_UNKNOWN, ", wagers.ante.posted_limits: ", "'IA-DEF-999'"),
    "editions_absent": (Code.EDITIONS_MISSING, ", editions: ", "each once"),
    "editions_empty": (Code.EDITIONS_MISSING, ", editions: ", "each once"),
    "editions_repeated": (Code.EDITIONS_MISSING, ", editions: ", "each once"),
    "edition_of_node_unknown": (Code.UNKNOWN_EDITION, ", positions.adjacent has no edition ", "'draft'"),
    "default_edition_unknown": (Code.UNKNOWN_EDITION, " has no edition ", "'draft'"),
    "editions_overlap": (Code.EDITIONS_OVERLAP, ", dealing.automated.dealer_first: ", "'existing'"),
    "edition_uncovered": (Code.EDITION_UNCOVERED, ", dealing.automated.dealer_first: ", "'proposed'"),
    "table_absent": (Code.TABLE_ABSENT, ", wagers.automatic_bonus.choices: ", "'ornate'"),
    "order_incomplete": (Code.ORDER_INCOMPLETE, ", settlement.order: ", "name each wager"),
    "acts_misnumbered": (Code.ACTS_MISNUMBERED, ", settlement.by_routine.by-player: ", "without a gap"),
    "steps_misnumbered": (Code.ACTS_MISNUMBERED, ", shuffling.by_machine: ", "without a gap"),
    "procedure_missing": (Code.PROCEDURE_MISSING, ", settlement.by_routine: ", "by-player"),
    "acts_foreign": (Code.ACTS_UNFIT, ", settlement.by_routine.by-player: ", "'rack_dealer'"),
    "forfeits_left": (Code.ACTS_UNFIT, ", settlement.opening: ", "collected"),
    "paid_twice": (Code.ACTS_UNFIT, ", settlement.by_routine.by-player: ", "one act"),
    "lock_out_of_nothing": (Code.VALUE_UNFIT, ", wagers.ante.closes: ", "no progressive"),
    "odds_malformed": (
        Code.ODDS_MALFORMED,
        ", wagers.automatic_bonus.paytables.standard.pays.four_of_a_kind: ",
        "'25:1'",
    ),
}
"""For each broken file its refusal, what follows the file's name in the message, and what is quoted later."""


def text_of(name: str) -> str:
    """Return the text of one fixture."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def load(name: str, edition: str | None = None) -> Rulebook:
    """Load one fixture as a rulebook."""
    file = f"{name}.toml"
    return resolve_rulebook(parse_toml(text_of(name), file), file, edition)


def refusal_of(name: str, edition: str | None = None) -> Refusal:
    """Return why a fixture is refused."""
    with pytest.raises(RefusedError) as caught:
        load(name, edition)
    return caught.value.refusal


def is_one_line(message: str) -> bool:
    """Say whether a message is one line: a sentence, and at most one more that says what to do next."""
    sentences = len(re.findall(r"[.!?]\s+[A-Z]", message)) + 1
    return re.search(r"[^.]\.$", message) is not None and "\n" not in message and sentences <= 2


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rulebook_is_refused_under_its_own_number(name: str) -> None:
    assert refusal_of(name).code is BROKEN[name][0]


@pytest.mark.parametrize("name", BROKEN)
def test_a_refusal_names_the_file_and_the_place(name: str) -> None:
    _, opening, quoted = BROKEN[name]
    message = refusal_of(name).message
    assert message.startswith(f"{name}.toml{opening}")
    assert quoted in message


@pytest.mark.parametrize("name", BROKEN)
def test_a_refusal_is_one_line_with_nothing_left_to_fill_in(name: str) -> None:
    message = refusal_of(name).message
    assert is_one_line(message)
    assert "{" not in message


@pytest.mark.parametrize("edition", ["existing", "proposed"])
@pytest.mark.parametrize("name", sorted(BROKEN.keys() - {"default_edition_unknown"}))
def test_a_fault_is_refused_whichever_edition_is_asked_for(name: str, edition: str) -> None:
    assert refusal_of(name, edition).code is BROKEN[name][0]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rulebook_differs_from_the_valid_one_by_one_line_and_says_how(name: str) -> None:
    comment, *lines = text_of(name).splitlines()
    changes = [line[0] for line in difflib.ndiff(text_of("valid").splitlines()[1:], lines)]
    assert comment.startswith("# Broken: ")
    assert changes.count("-") == 1
    assert changes.count("+") <= 1


def test_every_file_in_the_folder_is_tried() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {"valid", *BROKEN}


def test_every_refusal_of_a_rulebook_file_has_its_test() -> None:
    tried = {code for code, _, _ in BROKEN.values()} | {Code.UNKNOWN_RULEBOOK}
    assert tried == {code for code in Code if code < 200}


def test_a_valid_rulebook_loads_in_the_edition_asked_for() -> None:
    existing, proposed = load("valid", "existing"), load("valid", "proposed")
    assert (existing.edition, proposed.edition) == ("existing", "proposed")
    assert [
        book.dealing["automated"].dealer_first.value
        for book in (existing, proposed)
        if book.dealing["automated"].dealer_first
    ] == ["never", "always"]
    assert existing.positions.adjacent is None
    assert proposed.positions.adjacent is not None


def test_a_rulebook_loads_in_its_default_edition_unless_another_is_asked_for() -> None:
    assert load("valid") == load("valid", "proposed")
    assert rulebook("maryland").edition == "proposed"


def test_an_unknown_rulebook_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RefusedError) as caught:
        rulebook("nevada")
    assert caught.value.refusal.code is Code.UNKNOWN_RULEBOOK
    assert "'nevada'" in caught.value.refusal.message
    assert ", ".join(rulebook_ids()) in caught.value.refusal.message
    assert is_one_line(caught.value.refusal.message)


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RefusedError) as caught:
        rulebook("maryland", "draft")
    assert caught.value.refusal.code is Code.UNKNOWN_EDITION
    assert caught.value.refusal.message == Code.UNKNOWN_EDITION.sentence.format(
        file="maryland.toml", edition="draft", known="existing, proposed"
    )


def test_every_packaged_rulebook_loads_in_every_edition() -> None:
    assert [(book.id, book.edition) for book in every_rulebook()] == [
        ("massachusetts", "printed"),
        ("shuffle-master", "printed"),
        ("maryland", "existing"),
        ("maryland", "proposed"),
        ("washington", "printed"),
        ("catfish-bend", "printed"),
    ]
