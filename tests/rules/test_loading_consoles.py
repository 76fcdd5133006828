"""A console whose motions do not make a whole cycle is refused when its rulebook is loaded."""

import copy
from typing import Any

import pytest

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.rules.game import InvalidSubmissionError, resolve_game
from fourcard.rules.loading import resolve_rulebook, rulebook_document
from fourcard.rules.submission import parse_submission
from tests.kit.houses import submission_text

FILE = "washington.toml"


def altered(place: str, value: object) -> dict[str, Any]:
    """Return Washington's rulebook with one value changed, or gone where the value is None."""
    changed: Any = copy.deepcopy(rulebook_document("washington"))
    target: Any = changed
    *path, last = place.split(".")
    for key in path:
        target = target[key]
    if value is None:
        del target[last]
    else:
        target[last] = value
    return changed  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("place", "value", "code", "told"),
    [
        ("consoles.touch.cycle.swipe_card.value", 5, Code.ACTS_MISNUMBERED, "consoles.touch.cycle"),
        ("consoles.keypad.cycle.press_hand.value", 2, Code.ACTS_MISNUMBERED, "consoles.keypad.cycle"),
        ("consoles.touch.logs_at.value", "press_j_pot", Code.VALUE_UNFIT, "'press_j_pot' is not in it"),
        ("consoles.touch.final_at.value", "turn_to_run", Code.VALUE_UNFIT, "'turn_to_run' is not in it"),
        ("consoles.keypad.adjusts_at.value", "swipe_card", Code.VALUE_UNFIT, "'swipe_card' is not in it"),
        ("consoles", None, Code.VALUE_UNFIT, "a progressive has a console"),
        ("consoles.keypad.starts.value", "begin", Code.VALUE_UNFIT, "consoles.keypad.starts"),
    ],
)
def test_a_console_that_cannot_work_is_refused_with_its_place(
    place: str, value: object, code: Code, told: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        resolve_rulebook(altered(place, value), FILE)
    assert refused.value.refusal.code is code
    assert told in refused.value.refusal.message


def test_a_rulebook_without_a_progressive_has_no_console() -> None:
    changed: Any = copy.deepcopy(rulebook_document("catfish-bend"))
    changed["consoles"] = copy.deepcopy(rulebook_document("washington"))["consoles"]
    with pytest.raises(RefusedError, match="a progressive has a console, and nothing else has"):
        resolve_rulebook(changed, "catfish_bend.toml")


def test_a_submission_names_a_console_that_its_rulebook_describes() -> None:
    text = submission_text("shuffle-master-everything").replace('console = "keypad"\n', "")
    touch = text.replace("[progressive]\n", '[progressive]\nconsole = "touch"\n')
    assert touch != text
    with pytest.raises(InvalidSubmissionError) as refused:
        resolve_game(parse_submission(touch))
    assert "does not describe a touch console. Available: keypad" in str(refused.value)
    assert resolve_game(parse_submission(text)).submission.progressive is not None
