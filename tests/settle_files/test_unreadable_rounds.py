"""Lines that are no round in JSON, or have keys and values that do not fit; and what stands around them."""

import json
from typing import Any

import pytest

from fourcard import SettleAnswer, settle_lines
from fourcard.fingerprints import fingerprint
from fourcard.settle_files.settle import SettleRefusal
from tests.kit.settle_lines import GONE, Line, labelled, line_of, outcome, refused, seat, told

GOOD = json.dumps(line_of("maryland"))
HUGE = "9" * 5000


@pytest.mark.parametrize(
    "text",
    labelled(
        ("nothing", ""),
        ("blanks", "  \t"),
        ("cut off at the end", GOOD[:-1]),
        ("cut off in a text", GOOD[:20]),
        ("cut off after a key", GOOD[:6]),
        ("open brace", "{"),
        ("a list", "[]"),
        ("a list of rounds", f"[{GOOD}]"),
        ("a number", "5"),
        ("a fraction", "1.5"),
        ("a number past all bounds", HUGE),
        ("a text", '"maryland"'),
        ("true", "true"),
        ("null", "null"),
        ("NaN", "NaN"),
        ("NaN for a number", GOOD.replace("2000000", "NaN")),
        ("Infinity for a number", GOOD.replace("2000000", "-Infinity")),
        ("a number with a leading zero", GOOD.replace("3000", "03000")),
        ("a number with a plus", GOOD.replace("3000", "+3000")),
        ("a hexadecimal number", GOOD.replace("3000", "0xBB8")),
        ("a comma too many", GOOD[:-1] + ",}"),
        ("a comment", "// " + GOOD),
        ("single quotes", GOOD.replace('"', "'")),
        ("words after it", GOOD + " and more"),
        ("two on a line", GOOD + GOOD),
        ("a NUL after it", GOOD + "\0"),
        ("a bare control character", GOOD.replace("r1", "r\x01")),
        ("an unknown escape", GOOD.replace("r1", "\\x41")),
        ("a byte order mark inside a file", "\ufeff" + GOOD),
        ("not UTF-8", GOOD.encode().replace(b"r1", b"\xff\xfe")),
        ("not UTF-8 in the options", GOOD.encode().replace(b'"A"', b'"\xc3"', 1)),
        ("not UTF-8 in a key of the settings", GOOD.encode()[:-1] + b', "settings": {"\xff": 1}}'),
        ("Latin-1", GOOD.replace("r1", "Zoë").encode("latin-1")),
        ("UTF-16", GOOD.encode("utf-16")),
        ("half a surrogate pair", GOOD.replace("r1", "\\ud800")),
        ("the other half", GOOD.replace("r1", "\\udc00")),
        ("half a pair as it is", GOOD.replace("r1", "\ud800")),
        ("half a pair in the options", GOOD.replace('"A"', '"\\ud800"', 1)),
        ("nested without end", "[" * 100_000),
        ("nested too deep", "[" * 5000 + "]" * 5000),
        ("nested too deep in a value", GOOD.replace('"r1"', '{"a":' * 5000 + "1" + "}" * 5000)),
        ("nested too deep in the options", GOOD.replace('"A"', "[" * 5000 + "]" * 5000, 1)),
        ("nested too deep in an unknown key", GOOD[:-1] + ', "x": ' + "[" * 5000 + "]" * 5000 + "}"),
        ("wrong, then cut off", '{"rulebook": 5, "seats"'),
        ("wrong, then not UTF-8", b'{"rulebook": 5, "id": "\xff"}'),
        ("wrong in a seat, then no JSON", '{"seats": [{"position": "x"}], oops}'),
    ),
)
def test_what_is_no_json_object_is_refused_as_unreadable(text: str | bytes) -> None:
    assert outcome(text) == ("round_unreadable", [], None)
    assert refused(text)["message"].startswith("The line is not a round in JSON: ")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    labelled(
        ("the same again", '"play": 3000', '"play": 3000, "play": 3000', "play"),
        ("another value", '"ante": 1000', '"ante": 1000, "ante": 5000', "ante"),
        ("otherwise written", '"ante": 1000', '"ante": 1000, "\\u0061nte": 1000', "ante"),
        ("at the top", '"id": "r1"', '"id": "r1", "id": "r2"', "id"),
        ("a whole part", '"meter"', '"seats": [], "meter"', "seats"),
        ("in the options", '"six_card": "A"', '"six_card": "A", "six_card": "B"', "six_card"),
        ("the options", '"meter"', '"options": {}, "meter"', "options"),
        (
            "in the settings",
            '"meter"',
            '"settings": {"rounding": "up", "rounding": "down"}, "meter"',
            "rounding",
        ),
        ("beside nothing", '"play": 3000', '"play": 3000, "player": null, "player": null', "player"),
    ),
)
def test_a_key_given_twice_is_refused(old: str, new: str, key: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    for line in (text, text.encode()):
        assert outcome(line) == ("round_unreadable", [], None)
        assert refused(line)["message"].endswith(f": the key '{key}' is given more than once.")


def test_colons_in_texts_and_keys_that_say_nothing_are_no_repetition() -> None:
    line = line_of("maryland", id="2024-01-01T10:30:00", edition=None, void=None, seats__0__player=":")
    assert outcome(line) is None
    assert outcome(line_of("maryland", seats__0__player=None, seats__0__left=False)) is None


@pytest.mark.parametrize("value", [100.0, 1e3, 1.5, True, False, None, "1000", [], {}, float("1e15")])
@pytest.mark.parametrize(
    ("place", "position", "named"),
    [
        ("seats__0__wagers__ante", 1, "the round, seat 1, wagers.ante"),
        ("seats__0__position", None, "the round, seat 1, position"),
        ("seats__0__play", 1, "the round, seat 1, play"),
        ("meter", None, "the round, meter"),
        ("reset", None, "the round, reset"),
        ("options__chip", None, "the round, options, chip"),
    ],
)
def test_cents_and_positions_are_whole_numbers(
    place: str, position: int | None, named: str, value: Any
) -> None:
    line = line_of("maryland", **{place: value})
    if value is None and place in ("seats__0__play", "meter", "reset"):
        assert outcome(line) == (("decision_missing", ["MD-07E1", "MD-11B1"], 1) if position else None)
        return
    assert outcome(line) == ("value_unfit", [], position)
    assert refused(line)["message"].startswith(f"{named}: expected a whole number")


@pytest.mark.parametrize("digits", [19, 20, 400, 4300, 4301, 5000])
@pytest.mark.parametrize("place", ['"ante": 1000', '"meter": 2000000', '"position": 1', '"play": 3000'])
def test_a_number_past_all_bounds_is_refused_in_few_words(place: str, digits: int) -> None:
    key, _, _ = place.partition(":")
    for sign in ("", "-"):
        refusal = refused(GOOD.replace(place, f"{key}: {sign}{'9' * digits}"))
        assert len(refusal["message"]) <= 1000
        assert refusal["message"].endswith(".")


@pytest.mark.parametrize(
    ("changes", "refusal", "message"),
    labelled(
        ("top", {"luck": 1}, ("key_unknown", None), "the round: unknown key 'luck'."),
        ("seat", {"seats__0__luck": 1}, ("key_unknown", 1), "the round, seat 1: unknown key 'luck'"),
        (
            "wager",
            {"seats__0__wagers__luck": 1},
            ("key_unknown", 1),
            "the round, seat 1, wagers: unknown key 'luck'",
        ),
        (
            "play",
            {"seats__0__wagers__play": 1},
            ("key_unknown", 1),
            "the round, seat 1, wagers: unknown key 'play'",
        ),
        (
            "envy",
            {"seats__0__wagers__envy": 1},
            ("key_unknown", 1),
            "the round, seat 1, wagers: unknown key 'envy'",
        ),
        ("option", {"options__luck": 1}, ("key_unknown", None), "the round, options: unknown key 'luck'"),
        (
            "limits",
            {"options__limits": {"luck": 1}},
            ("key_unknown", None),
            "the round, options, limits: unknown key",
        ),
        (
            "case",
            {"Rulebook": "maryland"},
            ("key_unknown", None),
            "the round: unknown key 'Rulebook'",
        ),
        (
            "no rulebook",
            {"rulebook": GONE},
            ("key_missing", None),
            "the round: the key 'rulebook' is missing.",
        ),
        ("no seats", {"seats": GONE}, ("key_missing", None), "the round: the key 'seats' is missing."),
        (
            "no position",
            {"seats__0__position": GONE},
            ("key_missing", None),
            "the round, seat 1: the key 'pos",
        ),
        (
            "no wagers",
            {"seats__0__wagers": GONE},
            ("key_missing", 1),
            "the round, seat 1: the key 'wagers' is",
        ),
        ("rulebook null", {"rulebook": None}, ("value_unfit", None), "the round, rulebook: expected text"),
        ("seats null", {"seats": None}, ("value_unfit", None), "the round, seats: expected a list"),
        ("seats a table", {"seats": {}}, ("value_unfit", None), "the round, seats: expected a list"),
        ("seat null", {"seats": [None]}, ("value_unfit", None), "the round, seat 1: expected a table"),
        ("seat a number", {"seats": [1]}, ("value_unfit", None), "the round, seat 1: expected a table"),
        (
            "wagers null",
            {"seats__0__wagers": None},
            ("value_unfit", 1),
            "the round, seat 1, wagers: expected a",
        ),
        (
            "cards null",
            {"seats__0__cards": None},
            ("value_unfit", 1),
            "the round, seat 1, cards: expected text",
        ),
        (
            "cards a list",
            {"seats__0__cards": ["As"]},
            ("value_unfit", 1),
            "the round, seat 1, cards: expected",
        ),
        (
            "player true",
            {"seats__0__player": True},
            ("value_unfit", 1),
            "the round, seat 1, player: expected",
        ),
        (
            "left null",
            {"seats__0__left": None},
            ("value_unfit", 1),
            "the round, seat 1, left: expected true or",
        ),
        (
            "left 1",
            {"seats__0__left": 1},
            ("value_unfit", 1),
            "the round, seat 1, left: expected true or false",
        ),
        ("dealer null", {"dealer": None}, ("value_unfit", None), "the round, dealer: expected text"),
        ("dealer a list", {"dealer": []}, ("value_unfit", None), "the round, dealer: expected text"),
        ("bonus card 1", {"bonus_card": 1}, ("value_unfit", None), "the round, bonus_card: expected text"),
        ("void true", {"void": True}, ("value_unfit", None), "the round, void: expected text"),
        ("edition 1", {"edition": 1}, ("value_unfit", None), "the round, edition: expected text"),
        ("options null", {"options": None}, ("value_unfit", None), "the round, options: expected a table"),
        ("options a text", {"options": "A"}, ("value_unfit", None), "the round, options: expected a table"),
        ("settings null", {"settings": None}, ("value_unfit", None), "the round, settings: expected a table"),
        (
            "table 1",
            {"options__aces_up": 1},
            ("value_unfit", None),
            "the round, options, aces_up: expected text",
        ),
        (
            "id a fraction",
            {"id": 1.5},
            ("value_unfit", None),
            "the round, id: expected a whole number or text",
        ),
        ("id a list", {"id": []}, ("value_unfit", None), "the round, id: expected a whole number or text"),
    ),
)
def test_keys_and_values_that_do_not_fit_are_named_with_their_place(
    changes: Line, refusal: tuple[str, int | None], message: str
) -> None:
    line = line_of("maryland", **changes)
    name, position = refusal
    assert outcome(line) == (name, [], position)
    assert refused(line)["message"].startswith(message)


def test_the_seat_that_does_not_fit_is_the_one_named() -> None:
    seats = [seat(4), seat(2, wagers={"ante": 100, "aces_up": 1.5}), seat(6)]
    line = line_of("maryland", seats=seats)
    assert outcome(line) == ("value_unfit", [], 2)
    assert refused(line)["message"].startswith("the round, seat 2, wagers.aces_up: ")


@pytest.mark.parametrize(
    ("written", "echoed"),
    labelled(
        ("text", '"r 1"', "r 1"),
        ("empty text", '""', ""),
        ("number", "17", 17),
        ("negative", "-3", -3),
        ("very large", "9" * 30, int("9" * 30)),
        ("null", "null", None),
        ("no id", None, None),
    ),
)
def test_the_id_comes_back_as_it_was_given(written: str | None, echoed: object) -> None:
    line = line_of("maryland")
    del line["id"]
    for changes in ({}, {"rulebook": "nevada"}, {"seats": 5}, {"meter": HUGE}):
        text = json.dumps(line | changes)
        if written is not None:
            text = f'{{"id": {written}, {text[1:]}'
        answer = told(text)
        assert ("refused" in answer) == bool(changes)
        assert (answer["id"], type(answer["id"])) == (echoed, type(echoed))


@pytest.mark.parametrize("written", ["1.5", "true", "[]", "{}", HUGE])
def test_an_id_that_is_none_comes_back_as_null(written: str) -> None:
    assert told(GOOD.replace('"r1"', written))["id"] is None


def test_the_line_is_told_where_it_is_refused() -> None:
    assert told("oops", 12)["line"] == 12
    assert "line" not in told("oops")
    assert "line" not in told(GOOD, 12)


def test_a_bad_line_changes_nothing_for_the_lines_around_it() -> None:
    rulebooks = ("maryland", "massachusetts", "washington", "catfish-bend", "shuffle-master")
    good = [json.dumps(line_of(rulebook, id=rulebook)) for rulebook in rulebooks]
    alone = list(settle_lines(good))
    assert all(isinstance(answer, SettleAnswer) for answer in alone)
    wrong: list[str | bytes] = [
        "oops",
        json.dumps(line_of("maryland", options__aces_up="Z")),
        json.dumps(line_of("maryland", meter=-1)),
        b"\xff",
        json.dumps(line_of("washington", seats__0__play=1)),
    ]
    answers = list(settle_lines(line for pair in zip(wrong, good, strict=True) for line in pair))
    assert answers[1::2] == alone
    refusals = [answer for answer in answers[::2] if isinstance(answer, SettleRefusal)]
    assert [refusal.line for refusal in refusals] == [1, 3, 5, 7, 9]
    assert [refusal.id for refusal in refusals] == [None, "r1", "r1", None, "r1"]


@pytest.mark.parametrize(
    "changes",
    labelled(
        ("rulebook", {"rulebook": "x\ny\u2028\x1b[31m"}),
        ("key", {"a\nb": 1}),
        ("key of a seat", {"seats__0__a\nb": 1}),
        ("table", {"options__aces_up": "a\nb"}),
        ("setting", {"settings": {"a\r\nb": 1}}),
        ("void", {"void": "a\nb"}),
        ("envy", {"options__envy": "a\nb"}),
        ("card", {"dealer": "x" * 100_000}),
        ("braces", {"rulebook": "{rulebook} {0}"}),
    ),
)
def test_a_message_stays_one_short_line_whatever_it_repeats(changes: Line) -> None:
    message = refused(line_of("maryland", **changes))["message"]
    assert message.isprintable()
    assert message.endswith(".")
    assert len(message) <= 1_000


def test_every_answer_and_every_refusal_carries_the_fingerprint() -> None:
    assert told(GOOD)["fingerprint"] == told("oops")["fingerprint"] == fingerprint()
