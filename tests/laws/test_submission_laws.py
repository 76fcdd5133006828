"""Laws of submissions: any file is read, judged or refused, and never breaks the judge."""

import copy
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcard.money import dollars
from fourcard.refusals import RefusedError
from fourcard.rules.check import check_submission
from fourcard.rules.checks.finding import CheckFinding
from fourcard.rules.game import InvalidSubmissionError, resolve_game
from fourcard.rules.limits import play_refusal, positions_refusal, wager_refusal
from fourcard.rules.loading import convert_document
from fourcard.rules.posted_sign import posted_sign
from fourcard.rules.submission import Submission, parse_submission
from fourcard.rules.worst_case_loss import worst_loss
from tests.kit.support import EXAMPLES, game

WITHOUT_CLAUSE = ("setting_unknown", "progressive_not_offered", "not_checked", "approval_unknown")
RAW = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(EXAMPLES.glob("*.toml"))]
WORDS = st.sampled_from(
    [
        "", "A", "B", "C", "I", "1", "FCP-01", "standard", "matrix", "$0", "$1", "$5", "$99,999,999", "0%",
        "100%",
        "101%", "1 to 1", "300 for 1", "100% of meter", "maryland", "existing", "by-player", "manual",
        "shoe", "automated", "keypad", "touch", "tray", "meter", "local", "up", "\u0663", "\n",
    ]
)  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(WORDS, st.integers(-3, 60), st.booleans(), st.floats(allow_nan=True), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(WORDS, st.text(max_size=3)), inner, max_size=3)
    ),
    max_leaves=4,
)


def places(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the path of every value in a parsed file."""
    found = [path] if path else []
    if isinstance(value, dict):
        found += [place for key, item in value.items() for place in places(item, (*path, key))]
    return found


@st.composite
def changed_files(draw: st.DrawFn) -> dict[str, Any]:
    """Return an example in which a few values were replaced, removed or added."""
    raw: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(RAW)))
    for _ in range(draw(st.integers(1, 4))):
        known = places(raw)
        path = draw(st.sampled_from(known)) if known else ("name",)
        holder: Any = raw
        for key in path[:-1]:
            holder = holder[key]
        action = draw(st.sampled_from(["replace", "remove", "add"]))
        if action == "remove":
            holder.pop(path[-1])
        else:
            holder[path[-1] if action == "replace" else draw(WORDS)] = draw(VALUES)
    return raw


def judge(raw: dict[str, Any]) -> tuple[Submission, tuple[CheckFinding, ...]] | str:
    """Return a file as a submission with its findings, or the sentence that refuses it."""
    try:
        submission = convert_document(raw, Submission, "some.toml")
        return submission, check_submission(submission)
    except RefusedError as refused:
        return str(refused)


@settings(max_examples=600)
@given(changed_files())
def test_any_file_is_judged_or_refused_in_a_sentence(raw: dict[str, Any]) -> None:
    judged = judge(raw)
    if isinstance(judged, str):
        assert judged.endswith((".", "?"))
        return
    submission, findings = judged
    for finding in findings:
        assert finding.refusal.message.endswith((".", "?"))
        assert finding.refusal.clauses or finding.refusal.name in WITHOUT_CLAUSE
    errors = tuple(finding.refusal for finding in findings if finding.level == "error")
    if errors:
        with pytest.raises(InvalidSubmissionError) as caught:
            resolve_game(submission)
        assert caught.value.reasons == errors
        return
    game_made = resolve_game(submission)
    loss = worst_loss(game_made)
    assert loss.total is None or loss.total >= 0
    assert posted_sign(game_made)
    assert len(game_made.hash) == 64


@given(st.text(max_size=200))
def test_a_text_that_is_no_submission_is_refused_with_its_file(text: str) -> None:
    with pytest.raises(RefusedError, match=r"^some\.toml"):
        parse_submission(text, "some.toml")


@given(st.integers(1, 50_000), st.integers(-5, 200_000), st.sampled_from(["massachusetts", "catfish-bend"]))
def test_a_play_wager_is_allowed_exactly_between_one_and_three_antes(ante: int, play: int, name: str) -> None:
    table = game(name, chip="$0.01")
    allowed = play in (ante, 2 * ante, 3 * ante) if name == "catfish-bend" else ante <= play <= 3 * ante
    assert (play_refusal(table, ante, play) is None) == allowed


@given(st.integers(-5, 40_000))
def test_an_ante_is_allowed_exactly_within_its_limits_in_chips(amount: int) -> None:
    allowed = 1_000 <= amount <= 30_000 and amount % 100 == 0
    refusal = wager_refusal(game("massachusetts"), "ante", amount)
    assert (refusal is None) == allowed
    assert refusal is None or dollars(amount) in refusal.message


@given(st.lists(st.integers(-1, 9), min_size=1, max_size=4))
def test_positions_are_allowed_exactly_if_they_are_there_few_enough_and_adjoin(positions: list[int]) -> None:
    held = sorted(set(positions))
    there = all(1 <= position <= 7 for position in held)
    adjoin = held == list(range(held[0], held[-1] + 1))
    allowed = there and len(held) <= 2 and adjoin
    assert (positions_refusal(game("massachusetts"), positions) is None) == allowed
