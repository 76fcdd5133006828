"""A file that is not a submission is refused in a sentence that names the place in it."""

import pytest

from fourcard.refusals import RefusedError
from fourcard.rules.submission import parse_submission
from tests.kit.support import EXAMPLES

TEXT = (EXAMPLES / "maryland-everything.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "name", "sentence"),
    [
        (
            'aces_up = "E"',
            'aces_down = "E"',
            "key_unknown",
            "wagers: unknown key 'aces_down' (did you mean 'aces_up'?).",
        ),
        (
            'aces_up = "E"',
            "aces_up = 3",
            "value_unfit",
            "wagers.aces_up: expected text or a table, got a whole number.",
        ),
        (
            'aces_up = "E"',
            'aces_up = { flush = "6:1" }',
            "odds_malformed",
            (
                "wagers.aces_up.flush: '6:1' is not an award; "
                "write it like '3 to 2', '300 for 1', '100% of meter' or '$100'."
            ),
        ),
        (
            'method = "automated"',
            'method = "foot"',
            "value_unfit",
            "dealing.method: 'foot' is not one of the values allowed here.",
        ),
        (
            'least = "$10"',
            "least = 10",
            "value_unfit",
            "limits.posted.ante.least: 10 must be written as text, such as '$5' or '25 to 1'.",
        ),
        (
            'rate = "12.5%"',
            'rate = "112.5%"',
            "value_unfit",
            "progressive.rate: '112.5%' is not a share; write one from '0%' to '100%', such as '12.5%'.",
        ),
        ("at_table = 7", "", "key_missing", "positions: the key 'at_table' is missing."),
        (
            "at_table = 7",
            "at_table = 0",
            "value_unfit",
            "the top of the file: a table must have at least one position.",
        ),
        (
            'chip = "$1"',
            'chip = "$0"',
            "value_unfit",
            "the top of the file: a chip must be worth more than $0.",
        ),
        (
            "[settings]",
            "[settings]\nluck = [1]",
            "value_unfit",
            "settings.luck: expected true or false or a whole number or text, got a list.",
        ),
        (
            "[settings]",
            "[setting]",
            "key_unknown",
            "the top of the file: unknown key 'setting' (did you mean 'settings'?).",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(old: str, new: str, name: str, sentence: str) -> None:
    assert TEXT.count(old) == 1 or old.startswith(("least", "at_table"))
    with pytest.raises(RefusedError) as caught:
        parse_submission(TEXT.replace(old, new, 1), "md.toml")
    assert caught.value.refusal.name == name
    assert str(caught.value) == f"md.toml, {sentence}"
