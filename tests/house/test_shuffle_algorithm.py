"""Fair shuffles: the algorithm as written down, exactly unbiased, and the same in a stranger's hands."""

import hmac
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import islice, product
from math import factorial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fourcard.cards import DECK, cards_text
from fourcard.house.commands import is_name
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    DRAW_RANGE,
    FIRST_ALGORITHM,
    FairnessError,
    Seed,
    ShuffleInput,
    commitment_of,
    fair_bound,
    is_seed,
    is_seed_hash,
    message_of,
    numbers_in,
    order_of,
    raw_bytes,
    seed_hash,
    shuffle_deck,
)
from tests.kit.support import ROOT

SECRET = bytes(range(32))
FIRST_SEEDS: tuple[Seed, ...] = (("alice", "lucky seven"), ("bob", "42"))
SEEDS: tuple[Seed, ...] = (("alice", "lucky seven, again"), ("bob", "4242424242424242"))
HASH = seed_hash("table-1", 17, "carol", "a seed of carol's")
FIRST = ShuffleInput("table-1", 17, FIRST_SEEDS)
SECOND = ShuffleInput("table-1", 17, SEEDS, 12, (("ann", HASH),))
PAGE = (ROOT / "docs" / "laboratory" / "fairness.md").read_text(encoding="utf-8")
VECTOR = re.compile(
    r"secret +(\w+)\ncommitment +(\w+)\ntable +(\S+)\nshuffle +(\d+)\n(.*?)order +(.*?)```", re.DOTALL
)
HASH_ROW = re.compile(r"^\| `(\S+)` \| (\d+) \| `(\S+)` \| `(.+)` \| `([0-9a-f]{64})` \|$", re.MULTILINE)
LINES = 25
NAMES = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,39}", fullmatch=True)
PRINTABLE = st.characters(min_codepoint=32, max_codepoint=126)
SHORT = st.text(PRINTABLE, min_size=1, max_size=64).filter(is_seed)
TEXTS = st.text(PRINTABLE, min_size=16, max_size=64).filter(is_seed)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
Parts = dict[str, tuple[bool, str]]
PARTS = st.dictionaries(
    NAMES, st.one_of(st.tuples(st.just(True), TEXTS), st.tuples(st.just(False), HASHES)), max_size=7
)
"""By player, whether the seed was revealed, and the seed or its hash."""
StrangersShuffle = Callable[[bytes, dict[str, Any]], list[str]]


class Vector(NamedTuple):
    """A test vector of the page."""

    secret: bytes
    commitment: str
    shuffle: ShuffleInput
    order: str


def vectors() -> list[Vector]:
    """Return the test vectors of the page."""
    found = []
    for secret, commitment, table, number, more, order in VECTOR.findall(PAGE):
        seeds, withheld = (re.findall(rf"{word} +(\S+) (.+)\n", more) for word in ("seed", "withheld"))
        played = re.search(r"round +(\d+)\n", more)
        shuffle = ShuffleInput(
            table, int(number), tuple(seeds), None if played is None else int(played[1]), tuple(withheld)
        )
        found.append(Vector(bytes.fromhex(secret), commitment, shuffle, " ".join(order.split())))
    return found


def made_of(table: str, number: int, played: int, parts: Parts) -> ShuffleInput:
    """Return a shuffle of the second algorithm."""
    seeds = tuple((player, text) for player, (revealed, text) in parts.items() if revealed)
    withheld = tuple((player, text) for player, (revealed, text) in parts.items() if not revealed)
    return ShuffleInput(table, number, seeds, played, withheld)


def script() -> str:
    """Return the stranger's script out of the page."""
    (code,) = re.findall(r"```python\n(import.*?)```", PAGE, re.DOTALL)
    return str(code)


def strangers_shuffle(secret: bytes, shuffle: ShuffleInput) -> str:
    """Return the order that the stranger's script gives a deck."""
    names: dict[str, Any] = {}
    exec(script().partition("\nfor line in")[0], names)
    found: StrangersShuffle = names["shuffle"]
    first = shuffle.round is None
    proof = {"algorithm": FIRST_ALGORITHM if first else ALGORITHM, "table": shuffle.table}
    more = {"shuffle": shuffle.number, "seeds": shuffle.seeds}
    later = {} if first else {"round": shuffle.round, "withheld": shuffle.withheld}
    return " ".join(found(secret, {**proof, **more, **later}))


def test_the_vectors_of_the_page_hold() -> None:
    assert [each.shuffle.round for each in vectors()] == [1, 1, 231, None, None, None]
    assert [len(each.shuffle.withheld) for each in vectors()] == [0, 1, 0, 0, 0, 0]
    for secret, commitment, shuffle, order in vectors():
        assert commitment_of(secret) == commitment == sha256(secret).hexdigest()
        assert cards_text(order_of(secret, shuffle)) == order
        assert strangers_shuffle(secret, shuffle) == order


def test_the_hashes_of_the_page_hold() -> None:
    rows = HASH_ROW.findall(PAGE)
    assert len(rows) == 3
    for table, number, player, seed, found in rows:
        assert seed_hash(table, int(number), player, seed) == found
        lines = f"fourcard-seed\n{table}\n{number}\n{player}\n{seed}"
        assert sha256(lines.encode()).hexdigest() == found
    withheld = {each for vector in vectors() for each in vector.shuffle.withheld}
    assert withheld == {(rows[2][2], rows[2][4])}


def test_a_hash_is_of_one_seed_of_one_player_for_one_shuffle() -> None:
    hashes = {
        seed_hash(table, number, player, seed)
        for table, number, player, seed in product(("a", "b"), (1, 11), ("ann", "bob"), SEEDS[0])
    }
    assert len(hashes) == 16
    assert all(is_seed_hash(each) for each in hashes)


def test_one_vector_passes_a_number_over() -> None:
    passed = []
    for secret, _, shuffle, _ in vectors():
        numbers = islice(numbers_in(raw_bytes(secret, shuffle)), 51)
        passed.append(sum(each >= fair_bound(52 - index) for index, each in enumerate(numbers)))
    assert passed == [0, 0, 0, 0, 0, 1]


def test_the_strangers_script_is_short_and_knows_nothing_of_this_package() -> None:
    lines = [line for line in script().splitlines() if line.strip()]
    assert len(lines) <= LINES
    assert "fourcard" not in script().replace(FIRST_ALGORITHM[:-1], "")


@given(st.binary(min_size=32, max_size=32), NAMES, st.integers(0, 10**6), st.integers(1, 10**6), PARTS)
def test_the_strangers_script_shuffles_alike(
    secret: bytes, table: str, number: int, played: int, parts: Parts
) -> None:
    shuffle = made_of(table, number, played, parts)
    assert strangers_shuffle(secret, shuffle) == cards_text(order_of(secret, shuffle))
    first = ShuffleInput(table, number, shuffle.seeds)
    assert strangers_shuffle(secret, first) == cards_text(order_of(secret, first))


def test_the_strangers_script_verifies_the_round_of_the_page(tmp_path: Path) -> None:
    (line,) = re.findall(r"```json\n(\{\"id\".*?)```", PAGE, re.DOTALL)
    file = tmp_path / "verify.py"
    file.write_text(script())
    changes = {
        line: "committed only",
        line.replace('"shuffle": ', '"shuffle": 1'): "FALSE",
        line.replace('"round": ', '"round": 1'): "FALSE",
        line.replace('"withheld": []', f'"withheld": [["carol", "{HASH}"]]'): "FALSE",
        line.replace('"proof"', '"other"'): "not verifiable",
    }
    assert len(changes) == 5
    for text, said in changes.items():
        one = text.replace("\n", " ").encode()
        done = subprocess.run([sys.executable, "-I", file], input=one, capture_output=True, check=True)
        assert done.stdout.decode() == f"table-1/1 {said}\n"


def test_the_message_is_lines_of_text_with_the_seeds_by_player() -> None:
    told = f"fourcard-shuffle-2\ntable-1\n17\n12\nseed alice lucky seven, again\nwithheld ann {HASH}\n"
    assert message_of(SECOND) == f"{told}seed bob 4242424242424242".encode()
    assert message_of(replace(SECOND, seeds=SEEDS[::-1])) == message_of(SECOND)
    assert message_of(ShuffleInput("t", 0, (), 1)) == b"fourcard-shuffle-2\nt\n0\n1"


def test_the_message_of_the_first_algorithm_has_no_round() -> None:
    told = b"fourcard-shuffle-1\ntable-1\n17\nalice lucky seven\nbob 42"
    assert message_of(FIRST) == message_of(replace(FIRST, seeds=FIRST_SEEDS[::-1])) == told
    assert message_of(ShuffleInput("t", 0)) == b"fourcard-shuffle-1\nt\n0"


@pytest.mark.parametrize("shuffle", [FIRST, SECOND])
def test_the_stream_is_hmac_over_the_message_and_the_number_of_the_block(shuffle: ShuffleInput) -> None:
    blocks, message = islice(raw_bytes(SECRET, shuffle), 12), message_of(shuffle)
    assert [*blocks] == [hmac.digest(SECRET, message + b"\n%d" % n, "sha256") for n in range(12)]


def test_numbers_are_four_bytes_the_first_weighing_most() -> None:
    assert [*numbers_in([bytes(range(32))])][:2] == [0x00010203, 0x04050607]


@pytest.mark.parametrize("choices", range(1, 53))
def test_the_bound_gives_every_choice_the_same_numbers(choices: int) -> None:
    limit = fair_bound(choices)
    assert limit % choices == 0, "each remainder occurs equally often under it"
    assert DRAW_RANGE - choices < limit <= DRAW_RANGE, "and no larger multiple fits"


@pytest.mark.parametrize("size", range(1, 8))
def test_equal_choices_give_every_order_exactly_once(size: int) -> None:
    deck = range(size)
    draws = product(*(range(choices) for choices in range(size, 1, -1)))
    orders = Counter(shuffle_deck(deck, iter(drawn)) for drawn in draws)
    assert len(orders) == factorial(size)
    assert set(orders.values()) == {1}


@pytest.mark.parametrize("choices", [3, 5, 6, 7, 13, 51, 52])
def test_a_number_past_the_bound_is_passed_over(choices: int) -> None:
    deck, rest = range(choices), [0] * choices
    limit = fair_bound(choices)
    plain = shuffle_deck(deck, iter([1, *rest]))
    for unfair in ([limit], [DRAW_RANGE - 1], [DRAW_RANGE - 1, limit]):
        assert shuffle_deck(deck, iter([*unfair, 1, *rest])) == plain
    assert (
        shuffle_deck(deck, iter([limit - 1, *rest]))
        == shuffle_deck(deck, iter([choices - 1, *rest]))
        != plain
    )


def test_a_power_of_two_passes_nothing_over() -> None:
    assert [choices for choices in range(2, 53) if fair_bound(choices) == DRAW_RANGE] == [2, 4, 8, 16, 32]
    assert shuffle_deck(range(2), iter([DRAW_RANGE - 1])) == (0, 1)
    assert shuffle_deck(range(2), iter([DRAW_RANGE - 2])) == (1, 0)


def test_the_last_card_changes_places_first() -> None:
    assert shuffle_deck(range(4), iter([0, 0, 0])) == (1, 2, 3, 0)
    assert shuffle_deck(range(4), iter([3, 2, 1])) == (0, 1, 2, 3)


@given(st.binary(min_size=32, max_size=32), NAMES, st.integers(0, 10**9), st.integers(1, 10**9), PARTS)
def test_any_shuffle_is_a_whole_deck_and_the_same_again(
    secret: bytes, table: str, number: int, played: int, parts: Parts
) -> None:
    order = order_of(secret, made_of(table, number, played, parts))
    assert sorted(order) == [*DECK]
    assert order == order_of(secret, made_of(table, number, played, dict(reversed(parts.items()))))


@given(*[st.tuples(NAMES, st.integers(0, 99), st.integers(1, 99), PARTS)] * 2)
def test_two_shuffles_that_differ_have_different_messages(
    one: tuple[str, int, int, Parts], other: tuple[str, int, int, Parts]
) -> None:
    assert (message_of(made_of(*one)) == message_of(made_of(*other))) == (one == other)


@given(*[st.tuples(NAMES, st.integers(0, 99), st.dictionaries(NAMES, SHORT, max_size=2))] * 2)
def test_two_shuffles_of_the_first_algorithm_have_different_messages(
    one: tuple[str, int, dict[str, str]], other: tuple[str, int, dict[str, str]]
) -> None:
    messages = [
        message_of(ShuffleInput(table, number, (*seeds.items(),))) for table, number, seeds in (one, other)
    ]
    assert (messages[0] == messages[1]) == (one == other)


def test_whatever_changes_gives_another_order() -> None:
    changed = [
        order_of(SECRET, SECOND),
        order_of(bytes([1, *SECRET[1:]]), SECOND),
        order_of(bytes([*SECRET[:-1], 30]), SECOND),
        order_of(SECRET, replace(SECOND, table="table-2")),
        order_of(SECRET, replace(SECOND, number=18)),
        order_of(SECRET, replace(SECOND, round=13)),
        order_of(SECRET, replace(SECOND, number=12, round=17)),
        order_of(SECRET, replace(SECOND, seeds=SEEDS[:1])),
        order_of(SECRET, replace(SECOND, seeds=())),
        order_of(SECRET, replace(SECOND, withheld=())),
        order_of(SECRET, replace(SECOND, withheld=(), seeds=(*SEEDS, ("ann", HASH)))),
        order_of(SECRET, replace(SECOND, seeds=(("alice", "lucky seven, agaim"), SEEDS[1]))),
        order_of(SECRET, replace(SECOND, seeds=(("alicf", "lucky seven, again"), SEEDS[1]))),
        order_of(SECRET, replace(SECOND, seeds=(("alice", SEEDS[1][1]), ("bob", SEEDS[0][1])))),
        order_of(SECRET, replace(SECOND, round=None, withheld=())),
    ]
    assert len({*changed}) == len(changed)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("7", True), ("a b", True), ("~" * 64, True), ("~" * 65, False), ("", False), (" ", False),
        (" a", False), ("a ", False), ("a\nb", False), ("a\tb", False), ("a\x00", False), ("a\x7f", False),
        ("é", False), ("a\u00a0b", False),
    ],
)  # fmt: skip
def test_a_seed_is_plain_text_on_one_line(text: str, fits: bool) -> None:
    assert is_seed(text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("a", True), ("7", True), ("pit-1.table_3", True), ("a" * 40, True), ("a" * 41, False), ("", False),
        ("-a", False), (".a", False), ("_a", False), ("A", False), ("a b", False), ("a\n", False),
        ("zoë", False), ("a/b", False),
    ],
)  # fmt: skip
def test_a_name_is_one_plain_word(text: str, fits: bool) -> None:
    assert is_name(text) is fits


@pytest.mark.parametrize(
    ("secret", "shuffle", "said"),
    [
        (SECRET[:31], SECOND, "A secret has 32 bytes, not 31."),
        (SECRET + b"\0", SECOND, "A secret has 32 bytes, not 33."),
        (SECRET, ShuffleInput("T", 1), "'T' is not a valid table name."),
        (SECRET, ShuffleInput("t", -1), "A shuffle's number is 0 or more, not -1."),
        (SECRET, ShuffleInput("t", 1, (), 0), "A round's number is 1 or more, not 0."),
        (SECRET, ShuffleInput("t", 1, (("a b", "c"),)), "'a b' is not a valid player name."),
        (SECRET, ShuffleInput("t", 1, (), 1, (("A", HASH),)), "'A' is not a valid player name."),
        (SECRET, ShuffleInput("t", 1, (("a", ""),)), "The seed of a is not 1 to 64 plain characters."),
        (SECRET, ShuffleInput("t", 1, (("a", "b\nc"),)), "The seed of a is not 1 to 64 plain characters."),
        (SECRET, ShuffleInput("t", 1, (("a", "b" * 15),), 1),
         "The seed of a is not 16 to 64 plain characters."),
        (SECRET, ShuffleInput("t", 1, (("a", "b"), ("a", "c"))), "A player has more than one seed."),
        (SECRET, ShuffleInput("t", 1, (("a", "b" * 16),), 1, (("a", HASH),)),
         "A player has more than one seed."),
        (SECRET, ShuffleInput("t", 1, (), 1, (("a", HASH[1:]),)),
         "The hash of a withheld seed is not 64 hexadecimal digits."),
        (SECRET, ShuffleInput("t", 1, (), 1, (("a", HASH.upper()),)),
         "The hash of a withheld seed is not 64 hexadecimal digits."),
    ],
)  # fmt: skip
def test_what_no_shuffle_can_be_made_of_gets_one_sentence(
    secret: bytes, shuffle: ShuffleInput, said: str
) -> None:
    with pytest.raises(FairnessError) as caught:
        order_of(secret, shuffle)
    assert str(caught.value) == said


def test_a_commitment_needs_a_whole_secret() -> None:
    with pytest.raises(FairnessError, match="32 bytes, not 0"):
        commitment_of(b"")


def test_a_second_is_enough_for_hundreds_of_shuffles() -> None:
    start = time.process_time()
    for number in range(500):
        order_of(SECRET, ShuffleInput("table-1", number, SEEDS, 1))
    assert time.process_time() - start < 1
