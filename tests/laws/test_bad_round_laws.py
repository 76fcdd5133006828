"""Laws of lines: whatever stands in one, it is settled or refused in a sentence, and nothing ever breaks."""

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fourcard import Code
from fourcard.rules.clauses import is_address
from fourcard.wagers import WAGERS
from tests.kit.settle_lines import OPTIONS, Line, line_of, seat, told, with_seats

NAMES = {code.name.lower(): int(code) for code in Code}
BONUS = {"four_of_a_kind": "30 to 1", "straight_flush": "20 to 1", "three_of_a_kind": "5 to 2"}
ORDER = ("play", "ante", "automatic_bonus", "aces_up", "progressive", "envy", "cover_all")
LINES: list[Line] = [
    *(line_of(rulebook) for rulebook in OPTIONS),
    *(with_seats(rulebook, seat(2, player="p"), seat(3, player="p"), seat(5)) for rulebook in OPTIONS),
    line_of("maryland", void="MD-13D", seats__0__left=True, edition="proposed"),
    line_of(
        "washington",
        settings={"rounding": "up", "bad_beat_tie": "wins"},
        options__limits={"posted": {"ante": {"least": 100, "most": 5000}}, "legal": 4000},
    ),
    line_of("massachusetts", options__automatic_bonus=BONUS, options__chip=5, options__order=[*ORDER]),
]
WORDS = st.sampled_from(
    [
        "", "id", "ante", "play", "cards", "left", "seats", "A", "B", "C", "I", "1", "FCP-01", "BBB-01",
        "standard", "matrix", "maryland", "washington", "existing", "proposed", "by-player", "meter", "tray",
        "MD-13D", "R69", "As", "As Ah Kd 7c 2h", "9d", "1 to 1", "100% of meter", "rounding", "up", "\n",
        "\ud800",
    ]
)  # fmt: skip
WHOLE = st.sampled_from(
    [-1, 0, 1, 2, 7, 8, 100, 500, 1000, 3000, 3001, 10**12, 10**12 + 1, 2**63, 2**64, -(2**63)]
)
NUMBERS = st.one_of(WHOLE, st.integers(), st.floats())
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(WORDS, NUMBERS, st.booleans(), st.none(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(WORDS, st.text(max_size=3)), inner, max_size=3)
    ),
    max_leaves=4,
)
SCRAPS = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\\u", b"0", b"e9", b"-", b"\xff", b"[" * 2000]
    ),
)


class Twice(dict[str, Any]):
    """An object whose text gives one of its keys twice."""

    def __init__(self, plain: dict[str, Any], key: str, value: Any) -> None:
        """Keep the key that comes again, with its other value."""
        super().__init__(plain)
        self.again = (key, value)

    def items(self) -> Any:
        """Return every pair, and the one again."""
        return [*super().items(), self.again]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value in a line."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [place for key, item in items for place in places(item, (*path, key))]


@st.composite
def changed_lines(draw: st.DrawFn) -> tuple[str, bool]:
    """Return a valid line in which a few values were changed, and whether a key was given twice."""
    line: Any = copy.deepcopy(draw(st.sampled_from(LINES)))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(line)))
        _change(draw, line, path)
        if not places(line):
            break
    repeated = draw(st.booleans()) and draw(st.booleans())
    if repeated:
        path = draw(st.sampled_from(places(line) or [("id",)]))
        line = _repeat(draw, line, path)
    return json.dumps(line), repeated


def _change(draw: st.DrawFn, line: Any, path: tuple[Any, ...]) -> None:
    holder = _at(line, path[:-1])
    action = draw(st.sampled_from([*["alike"] * 6, "replace", "remove", "add", "wrap", "as text"]))
    if action == "alike":
        holder[path[-1]] = _alike(draw, holder[path[-1]])
    elif action == "remove":
        holder.pop(path[-1])
    elif action == "add" and isinstance(holder, dict):
        holder[draw(WORDS)] = draw(VALUES)
    elif action == "add":
        holder.append(draw(st.sampled_from([draw(VALUES), copy.deepcopy(holder[path[-1]])])))
    elif action == "wrap":
        holder[path[-1]] = [holder[path[-1]]]
    elif action == "as text":
        holder[path[-1]] = json.dumps(holder[path[-1]])
    else:
        holder[path[-1]] = draw(VALUES)


def _alike(draw: st.DrawFn, value: Any) -> Any:
    """Return another value of the same kind, so that the rules are reached behind the form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return draw(WHOLE)
    if isinstance(value, str):
        return draw(WORDS)
    if isinstance(value, list):
        return draw(st.permutations(value))[draw(st.integers(0, 1)) :]
    if isinstance(value, dict):
        return {key: value[key] for key in draw(st.permutations(sorted(value)))[draw(st.integers(0, 1)) :]}
    return draw(VALUES)


def _repeat(draw: st.DrawFn, line: Any, path: tuple[Any, ...]) -> Any:
    """Give the innermost key of a path twice, with the same value or another."""
    depth = max((index for index, key in enumerate(path) if isinstance(key, str)), default=0)
    holder, key = _at(line, path[:depth]), path[depth]
    twice = Twice(holder, key, draw(st.one_of(VALUES, st.just(holder.get(key)))))
    if depth == 0:
        return twice
    _at(line, path[: depth - 1])[path[depth - 1]] = twice
    return line


def _at(line: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        line = line[key]
    return line


def judge(text: str | bytes) -> bool:
    """Check the form of the answer to a line, and say whether it was refused."""
    answer = told(text, 3)
    assert answer["fingerprint"].startswith("fourcard ")
    assert isinstance(answer["id"], str | int | None)
    if "refused" not in answer:
        assert answer["seats"]
        for seated in answer["seats"]:
            assert {*seated["net"]} == {*WAGERS}
            assert all(type(amount) is int for amount in seated["net"].values())
        return False
    refusal = answer["refused"]
    assert {*refusal} - {"position"} == {"code", "name", "message", "clauses"}
    assert NAMES[refusal["name"]] == refusal["code"]
    assert refusal["message"].endswith(".")
    assert refusal["message"].isprintable()
    assert len(refusal["message"]) <= 1_000
    assert all(is_address(clause) for clause in refusal["clauses"])
    assert isinstance(refusal.get("position", 0), int)
    assert answer["line"] == 3
    return True


def test_the_lines_that_are_changed_are_settled_as_they_stand() -> None:
    assert [judge(json.dumps(line)) for line in LINES] == [False] * len(LINES)


@settings(max_examples=700)
@given(changed_lines())
def test_a_changed_line_is_settled_or_refused_and_no_key_is_taken_twice(changed: tuple[str, bool]) -> None:
    text, repeated = changed
    assert judge(text) == judge(text.encode(errors="surrogatepass"))
    assert judge(text) or not repeated


@settings(max_examples=400)
@given(
    st.sampled_from(LINES), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 9), SCRAPS), max_size=4)
)
def test_a_line_with_bytes_cut_out_and_put_in_is_settled_or_refused(
    line: Line, cuts: list[tuple[int, int, bytes]]
) -> None:
    text = json.dumps(line).encode()
    for start, length, scrap in cuts:
        at = start % (len(text) + 1)
        text = text[:at] + scrap + text[at + length :]
    judge(text)


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_arbitrary_bytes_and_texts_are_refused(text: bytes | str) -> None:
    assert judge(text)


@given(VALUES)
def test_arbitrary_json_is_refused(value: Any) -> None:
    assert judge(json.dumps(value))
