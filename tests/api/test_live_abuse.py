"""Invalid live messages change nothing, and the connection survives or closes cleanly."""

import json
from collections.abc import Iterator
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from tests.api.served_house import (
    LiveViewer,
    ServedHouse,
    assert_no_errors,
    new_key,
    seat_players,
    served_house,
    settled_heads,
)

LIMIT, QUIET = 100_000, 20
FOLD = {"kind": "fold", "position": 1}


@pytest.fixture(scope="module")
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        seat_players(made.house)
        yield made


@pytest.fixture
def ann(served: ServedHouse) -> Iterator[LiveViewer]:
    """Connect Ann; assert that nothing changed and nothing failed."""
    before = settled_heads(served)
    with assert_no_errors():
        with LiveViewer(served, "ann") as looker:
            assert looker.receive()["kind"] == "table"
            yield looker
        assert settled_heads(served) == before


UNREADABLE: dict[str, object] = {
    "nothing": "",
    "half": '{"key": "a", ',
    "no object": "[1, 2]",
    "a word": '"fold"',
    "null": "null",
    "not JSON": "{'key': 'a'}",
    "no number": '{"key": "a", "command": {"kind": "fold", "position": NaN}}',
    "two documents": '{"key": "a", "ready": 1} {"key": "b", "ready": 1}',
    "half a character": r'{"key": "\ud800", "ready": 1}',
    "a byte order mark": "\ufeff" + json.dumps({"key": "a", "ready": 1}),
    "no command": {"key": "a"},
    "no key": {"command": FOLD},
    "a key that is a number": {"key": 1, "command": FOLD},
    "no key at all": {"key": None, "command": FOLD},
    "a command that is a word": {"key": "a", "command": "fold"},
    "no kind": {"key": "a", "command": {"position": 1}},
    "an unknown kind": {"key": "a", "command": {"kind": "cheat", "position": 1}},
    "a kind of another stream": {"key": "a", "command": {"kind": "deposit", "cents": 1}},
    "a field missing": {"key": "a", "command": {"kind": "play", "position": 1}},
    "a field unknown": {"key": "a", "command": {**FOLD, "really": True}},
    "a field unknown beside": {"key": "a", "command": FOLD, "really": True},
    "a word for a number": {"key": "a", "command": {"kind": "fold", "position": "1"}},
    "a fraction for a number": {"key": "a", "command": {"kind": "fold", "position": 1.5}},
    "a truth for a number": {"key": "a", "command": {"kind": "fold", "position": True}},
    "an unknown wager": {
        "key": "a",
        "command": {"kind": "place_wager", "position": 1, "wager": "luck", "amount": 1},
    },
    "an unknown role": {"key": "a", "command": {**FOLD, "role": "owner"}},
    "both at once": {"key": "a", "command": FOLD, "ready": 1},
    "ready as a word": {"key": "a", "ready": "now"},
    "an unknown speed": {"key": "a", "speed": "slow"},
    "a skip that is none": {"key": "a", "skip": False},
    "deep lists": "[" * 50_000,
    "deep objects": '{"key": "a", "command": ' * 4_000,
    "a deep field": '{"key": "a", "command": {"kind": "set_hand", "position": 1, "cards": ' + "[" * 40_000,
    "bytes": b"\x00\xff\xfe",
    "bytes of a good command": json.dumps({"key": "a", "command": FOLD}).encode(),
    "no bytes": b"",
}


@pytest.mark.parametrize("message", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_told_and_changes_nothing(ann: LiveViewer, message: object) -> None:
    told = ann.answer(message)
    assert told["kind"] == "trouble"
    assert told["message"].endswith(".")
    assert len(told["message"]) < 300
    assert ann.is_alive()


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "an empty key": ({"key": "", "command": FOLD}, "key_unfit"),
    "a key too long": ({"key": "k" * 101, "command": FOLD}, "key_unfit"),
    "a key much too long": ({"key": "k" * 90_000, "command": FOLD}, "key_unfit"),
    "a key of the house": ({"key": "house-1", "command": FOLD}, "key_unfit"),
    "a key with a bell": ({"key": "a\u0007", "command": FOLD}, "key_unfit"),
    "a position far off": ({"key": "far", "command": {"kind": "fold", "position": 10**30}}, "not_seated"),
    "a position below": ({"key": "below", "command": {"kind": "fold", "position": -1}}, "not_seated"),
    "an amount far off": (
        {"key": "much", "command": {"kind": "buy_in", "player": "ann", "cents": 10**40}},
        "amount_unfit",
    ),
    "an amount below": (
        {"key": "less", "command": {"kind": "buy_in", "player": "ann", "cents": -5_000}},
        "amount_unfit",
    ),
    "ready for no round": ({"key": "r", "ready": 10**30}, "no_round"),
}


@pytest.mark.parametrize(("message", "name"), REFUSED.values(), ids=REFUSED)
def test_what_can_be_read_and_not_be_done_is_refused(
    ann: LiveViewer, message: dict[str, object], name: str
) -> None:
    told = ann.answer(message)
    assert (told["kind"], told["refusal"]["name"]) == ("refused", name)
    assert ann.is_alive()


def test_text_that_is_no_text_ends_the_connection(ann: LiveViewer) -> None:
    ann.send_raw(b'\xff\xfe{"key": "a", "ready": 1}')
    assert ann.closed() in (1002, 1005, 1007)


def padded(size: int, character: str = "x") -> str:
    """Return a message of exactly so many bytes that is valid except for its long key."""
    frame = len(json.dumps({"key": "", "ready": -1}))
    filling = character * ((size - frame) // len(character.encode()))
    made = json.dumps({"key": filling, "ready": -1}, ensure_ascii=False)
    return made + " " * (size - len(made.encode()))


@pytest.mark.parametrize("character", ["x", "€", "🂡"])
def test_a_message_may_have_its_size_and_not_a_byte_more(ann: LiveViewer, character: str) -> None:
    fits, over = padded(LIMIT, character), padded(LIMIT + 1, character)
    assert (len(fits.encode()), len(over.encode())) == (LIMIT, LIMIT + 1)
    assert ann.answer(fits)["kind"] == "refused"
    assert ann.is_alive()
    ann.send(over)
    assert ann.closed() == 1009


def test_a_long_message_ends_the_connection(ann: LiveViewer) -> None:
    ann.send("x" * 150_000)
    assert ann.closed() == 1009


def test_a_huge_message_ends_the_connection_before_or_after_it_has_arrived(ann: LiveViewer) -> None:
    with suppress(ConnectionClosed):
        ann.send("x" * 5_000_000)
    assert ann.closed() in (1006, 1009)


def test_a_message_that_no_server_takes_ends_the_connection(ann: LiveViewer) -> None:
    with suppress(ConnectionClosed):
        ann.send("x" * 80_000_000)
    assert ann.closed(within=60) in (1002, 1005, 1006, 1009)


def test_who_sends_rubbish_without_end_is_shown_out(ann: LiveViewer) -> None:
    for _ in range(QUIET):
        assert ann.answer("rubbish")["kind"] == "trouble"
    assert ann.is_alive()
    ann.send("rubbish")
    assert ann.closed() == 1008


def test_many_messages_at_once_are_answered_in_order(ann: LiveViewer) -> None:
    keys = [new_key() for _ in range(200)]
    for key in keys:
        ann.send({"key": key, "command": FOLD})
    assert [ann.receive("refused")["key"] for _ in keys] == keys


def test_who_hangs_up_in_the_middle_leaves_nothing_behind(served: ServedHouse) -> None:
    before = settled_heads(served)
    with assert_no_errors():
        for _ in range(10):
            with LiveViewer(served, "ann") as looker:
                looker.send({"key": new_key(), "command": FOLD})
        assert settled_heads(served) == before
    connections = served.serving.connections
    with LiveViewer(served, "ann") as looker:
        looker.receive()
        assert sum(connections._count.values()) <= 2
