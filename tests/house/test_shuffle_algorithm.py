"""Fair shuffles: the algorithm as written down, exactly unbiased, and the same in a stranger's hands."""

import hmac
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import islice, product
from math import factorial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcard.cards import DECK, cards_text
from fourcard.house.commands import is_name
from fourcard.house.fairness.shuffle_algorithm import (
    ALGORITHM,
    DRAW_RANGE,
    FairnessError,
    Seed,
    commitment_of,
    fair_bound,
    is_seed,
    message_of,
    numbers_in,
    order_of,
    raw_bytes,
    shuffle_deck,
)
from tests.kit.support import ROOT

SECRET = bytes(range(32))
SEEDS: tuple[Seed, ...] = (("alice", "lucky seven"), ("bob", "42"))
PAGE = (ROOT / "docs" / "laboratory" / "fairness.md").read_text(encoding="utf-8")
VECTOR = re.compile(
    r"secret +(\w+)\ncommitment +(\w+)\ntable +(\S+)\nshuffle +(\d+)\n(.*?)order +(.*?)```", re.DOTALL
)
LINES = 20
NAMES = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,39}", fullmatch=True)
TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64).filter(is_seed)
Shuffle = Callable[[bytes, str, int, Sequence[Seed]], list[str]]


def vectors() -> list[tuple[bytes, str, str, int, list[Seed], str]]:
    """Return the test vectors of the page."""
    found = []
    for secret, commitment, table, number, seeds, order in VECTOR.findall(PAGE):
        chosen = re.findall(r"seed +(\S+) (.+)\n", seeds)
        found.append((bytes.fromhex(secret), commitment, table, int(number), chosen, " ".join(order.split())))
    return found


def script() -> str:
    """Return the stranger's script out of the page."""
    (code,) = re.findall(r"```python\n(import.*?)```", PAGE, re.DOTALL)
    return str(code)


def strangers_shuffle() -> Shuffle:
    """Return the shuffle of the stranger's script."""
    names: dict[str, Any] = {}
    exec(script().partition("\nfor line in")[0], names)
    found: Shuffle = names["shuffle"]
    return found


def test_the_vectors_of_the_page_hold() -> None:
    assert len(vectors()) == 3
    for secret, commitment, table, number, seeds, order in vectors():
        assert commitment_of(secret) == commitment == sha256(secret).hexdigest()
        assert cards_text(order_of(secret, table, number, seeds)) == order
        assert " ".join(strangers_shuffle()(secret, table, number, seeds)) == order


def test_one_vector_passes_a_number_over() -> None:
    passed = []
    for secret, _, table, number, seeds, _ in vectors():
        numbers = islice(numbers_in(raw_bytes(secret, table, number, seeds)), 51)
        passed.append(sum(each >= fair_bound(52 - index) for index, each in enumerate(numbers)))
    assert passed == [0, 0, 1]


def test_the_strangers_script_is_short_and_knows_nothing_of_this_package() -> None:
    lines = [line for line in script().splitlines() if line.strip()]
    assert len(lines) <= LINES
    assert "fourcard" not in script().replace(ALGORITHM, "")


def test_the_strangers_script_shuffles_alike() -> None:
    chance, shuffle = Random(4), strangers_shuffle()
    for number in range(200):
        seeds = [(f"p{each}", chance.randbytes(chance.randint(1, 32)).hex()) for each in range(number % 8)]
        secret, table = chance.randbytes(32), f"t-{number}"
        chance.shuffle(seeds)
        assert " ".join(shuffle(secret, table, number, seeds)) == cards_text(
            order_of(secret, table, number, seeds)
        )


def test_the_strangers_script_verifies_the_round_of_the_page(tmp_path: Path) -> None:
    (line,) = re.findall(r"```json\n(\{.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "verify.py"
    file.write_text(script())
    for text, said in ((line, "fair"), (line.replace('"shuffle": ', '"shuffle": 1'), "FALSE")):
        one = text.replace("\n", " ").encode()
        done = subprocess.run([sys.executable, "-I", file], input=one, capture_output=True, check=True)
        assert done.stdout.decode().split() == ["r1", said]


def test_the_message_is_lines_of_text_with_the_seeds_by_player() -> None:
    told = b"fourcard-shuffle-1\ntable-1\n17\nalice lucky seven\nbob 42"
    assert message_of("table-1", 17, SEEDS) == message_of("table-1", 17, SEEDS[::-1]) == told
    assert message_of("t", 0, ()) == b"fourcard-shuffle-1\nt\n0"


def test_the_stream_is_hmac_over_the_message_and_the_number_of_the_block() -> None:
    blocks = islice(raw_bytes(SECRET, "table-1", 17, SEEDS), 12)
    message = message_of("table-1", 17, SEEDS)
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


@given(
    st.binary(min_size=32, max_size=32),
    NAMES,
    st.integers(0, 10**9),
    st.dictionaries(NAMES, TEXTS, max_size=7),
)
def test_any_shuffle_is_a_whole_deck_and_the_same_again(
    secret: bytes, table: str, number: int, seeds: dict[str, str]
) -> None:
    order = order_of(secret, table, number, [*seeds.items()])
    assert sorted(order) == [*DECK]
    assert order == order_of(secret, table, number, [*reversed(seeds.items())])


@given(*[st.tuples(NAMES, st.integers(0, 99), st.dictionaries(NAMES, TEXTS, max_size=2))] * 2)
def test_two_shuffles_that_differ_have_different_messages(
    one: tuple[str, int, dict[str, str]], other: tuple[str, int, dict[str, str]]
) -> None:
    messages = [message_of(table, number, [*seeds.items()]) for table, number, seeds in (one, other)]
    assert (messages[0] == messages[1]) == (one == other)


def test_whatever_changes_gives_another_order() -> None:
    changed = [
        order_of(SECRET, "table-1", 17, SEEDS),
        order_of(bytes([1, *SECRET[1:]]), "table-1", 17, SEEDS),
        order_of(bytes([*SECRET[:-1], 30]), "table-1", 17, SEEDS),
        order_of(SECRET, "table-2", 17, SEEDS),
        order_of(SECRET, "table-1", 18, SEEDS),
        order_of(SECRET, "table-1", 17, SEEDS[:1]),
        order_of(SECRET, "table-1", 17, ()),
        order_of(SECRET, "table-1", 17, (("alice", "lucky sevem"), SEEDS[1])),
        order_of(SECRET, "table-1", 17, (("alicf", "lucky seven"), SEEDS[1])),
        order_of(SECRET, "table-1", 17, (("alice", "42"), ("bob", "lucky seven"))),
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
    ("arguments", "said"),
    [
        ((SECRET[:31], "t", 1, ()), "A secret has 32 bytes, not 31."),
        ((SECRET + b"\0", "t", 1, ()), "A secret has 32 bytes, not 33."),
        ((SECRET, "T", 1, ()), "'T' is not a valid table name."),
        ((SECRET, "t", -1, ()), "A shuffle's number is 0 or more, not -1."),
        ((SECRET, "t", 1, (("a b", "c"),)), "'a b' is not a valid player name."),
        ((SECRET, "t", 1, (("a", ""),)), "The seed of a is not 1 to 64 plain characters."),
        ((SECRET, "t", 1, (("a", "b\nc"),)), "The seed of a is not 1 to 64 plain characters."),
        ((SECRET, "t", 1, (("a", "b"), ("a", "c"))), "A player has more than one seed."),
    ],
)
def test_what_no_shuffle_can_be_made_of_gets_one_sentence(
    arguments: tuple[bytes, str, int, tuple[Seed, ...]], said: str
) -> None:
    with pytest.raises(FairnessError) as caught:
        order_of(*arguments)
    assert str(caught.value) == said


def test_a_commitment_needs_a_whole_secret() -> None:
    with pytest.raises(FairnessError, match="32 bytes, not 0"):
        commitment_of(b"")


def test_a_second_is_enough_for_hundreds_of_shuffles() -> None:
    start = time.process_time()
    for number in range(500):
        order_of(SECRET, "table-1", number, SEEDS)
    assert time.process_time() - start < 1
