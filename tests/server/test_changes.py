"""Changes of a message: applied in order they give the new message, also under private values."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcard.round.view import ViewPath
from fourcard.server.floor.changes import (
    Change,
    ChangedPaths,
    PrivateValues,
    apply_change,
    differences,
    private_changes,
    with_values,
)
from tools.page import WEB, run_node

VECTORS = Path(__file__).parents[1] / "fixtures" / "table_changes.json"
"""Messages before and after a change, for every client that applies them."""


class Leaf(msgspec.Struct, frozen=True, rename={"hand": "h"}):
    """A small struct with a renamed field."""

    hand: str | None
    cards: tuple[str, ...]


class Node(msgspec.Struct, frozen=True):
    """A struct with what table messages have: structs, lists of structs, lists and maps."""

    leaf: Leaf | None
    leaves: tuple[Leaf, ...]
    numbers: dict[int, int]


LEAVES = st.builds(
    Leaf, st.sampled_from(("pair", "flush", None)), st.sampled_from(((), ("As",), ("??",), ("As", "Kd")))
)
NODES = st.builds(
    Node,
    st.none() | LEAVES,
    st.lists(LEAVES, max_size=4).map(tuple),
    st.dictionaries(st.integers(0, 2), st.integers(0, 1), max_size=2),
)


@st.composite
def private_values(draw: st.DrawFn, node: Node) -> dict[ViewPath, Any]:
    """Draw private values that stand over a struct."""
    values: dict[str, st.SearchStrategy[Any]] = {
        "h": st.sampled_from(("pair", "straight")),
        "cards": st.sampled_from((("2c",), ("2c", "3d"))),
        "numbers": st.just({7: 7}),
    }
    leaf: list[ViewPath] = [] if node.leaf is None else [("leaf", "h"), ("leaf", "cards")]
    each: list[ViewPath] = [("leaves", n, name) for n in range(len(node.leaves)) for name in ("h", "cards")]
    found = draw(st.lists(st.sampled_from([*leaf, *each, ("numbers",)]), unique=True))
    return {path: draw(values[str(path[-1])]) for path in found}


def as_message(node: Node, values: PrivateValues) -> dict[str, Any]:
    """Return a struct as a client has it, with private values over it."""
    return applied(msgspec.json.decode(msgspec.json.encode(node)), [*values.items()])


def applied(message: dict[str, Any], changes: list[Change]) -> dict[str, Any]:
    """Return a message after changes as they are sent."""
    sent = msgspec.json.encode({"version": 0, "sequence": 0, "told": [], "set": changes})
    return apply_change(message, msgspec.json.decode(sent))


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_changes_make_the_new_message_from_the_one_before(data: st.DataObject) -> None:
    before, after = data.draw(NODES), data.draw(NODES)
    own, later = data.draw(private_values(before)), data.draw(private_values(after))
    public = [*differences(before, after)]
    private = [*private_changes(own, later, after, ChangedPaths(public))]
    assert applied(as_message(before, own), [*public, *private]) == as_message(after, later)
    assert as_message(with_values(after, later), {}) == as_message(after, later)
    if before == after and own == later:
        assert [*public, *private] == []


def vectors() -> list[dict[str, Any]]:
    """Return the examples that all clients share."""
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["what"])
def test_a_change_is_applied_as_described(vector: dict[str, Any]) -> None:
    before = json.dumps(vector["before"])
    assert apply_change(vector["before"], vector["change"]) == vector["after"]
    assert json.dumps(vector["before"]) == before, "the message before stays as it is"


def test_the_page_applies_changes_as_described(tmp_path: Path) -> None:
    module = (WEB / "src" / "lib" / "tableChange.ts").as_uri()
    program = f"""
        import {{ applyChange }} from {json.dumps(module)};
        let text = "";
        for await (const part of process.stdin) text += part;
        const found = JSON.parse(text).map(({{ before, change }}) => {{
            const kept = JSON.stringify(before);
            const after = applyChange(before, change);
            return {{ after, kept: JSON.stringify(before) === kept }};
        }});
        console.log(JSON.stringify(found));
    """
    (tmp_path / "vectors.mjs").write_text(program, encoding="utf-8")
    done = run_node(tmp_path / "vectors.mjs", stdin=VECTORS.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [each["after"] for each in found] == [vector["after"] for vector in vectors()]
    assert len(found) >= 8
    assert all(each["kept"] for each in found)
