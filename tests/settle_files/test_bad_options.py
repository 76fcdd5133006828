"""Options and settings that a rulebook does not allow: each gets its refusal and its clauses."""

from typing import Any

import pytest

from fourcard import rulings
from tests.kit.settle_lines import GONE, Line, labelled, line_of, outcome, refused

ACES_UP = {
    "four_of_a_kind": "50 to 1",
    "straight_flush": "40 to 1",
    "three_of_a_kind": "9 to 1",
    "flush": "6 to 1",
    "straight": "4 to 1",
    "two_pair": "2 to 1",
    "pair_of_aces": "1 to 1",
}
BONUS = {"four_of_a_kind": "25 to 1", "straight_flush": "20 to 1", "three_of_a_kind": "2 to 1"}
BAD_BEAT = {row: odds for row, odds in ACES_UP.items() if row != "pair_of_aces"}
MD_OFFERS = ["MD-12B.2", "MD-07E2", "MD-07E5.0", "MD-07E4.0"]
Refusal = tuple[str, list[str], None] | None


def without(table: dict[str, str], row: str) -> dict[str, str]:
    """Return a table that lacks a row."""
    return {name: odds for name, odds in table.items() if name != row}


@pytest.mark.parametrize("rulebook", ["nevada", "", "Maryland", "shuffle_master", "../maryland", "maryland "])
def test_a_rulebook_must_be_one_of_the_five(rulebook: str) -> None:
    line = line_of("maryland", rulebook=rulebook)
    assert outcome(line) == ("unknown_rulebook", [], None)
    assert "Available: massachusetts, shuffle-master, maryland" in refused(line)["message"]


@pytest.mark.parametrize(
    ("rulebook", "edition", "name"),
    [
        ("maryland", "proposed", None),
        ("maryland", None, None),
        ("maryland", "printed", "unknown_edition"),
        ("maryland", "Proposed", "unknown_edition"),
        ("maryland", "", "value_unfit"),
        ("massachusetts", "printed", None),
        ("massachusetts", "existing", "unknown_edition"),
    ],
)
def test_an_edition_must_be_one_of_the_rulebook(rulebook: str, edition: str | None, name: str | None) -> None:
    assert outcome(line_of(rulebook, edition=edition)) == (None if name is None else (name, [], None))


def test_the_six_card_bonus_is_not_in_the_existing_edition() -> None:
    clauses = ["R10", "MD-12B.2", "MD-07E2", "MD-07E4.0"]
    assert outcome(line_of("maryland", edition="existing")) == ("wager_not_described", clauses, None)


@pytest.mark.parametrize(
    ("rulebook", "name", "table", "refusal"),
    labelled(
        ("MA aces up", "massachusetts", "aces_up", "VIII", ("table_unknown", ["MA-11a3.2"])),
        ("MA aces up of MD", "massachusetts", "aces_up", "A", ("table_unknown", ["MA-11a3.2"])),
        ("MA progressive of MD", "massachusetts", "progressive", "C", ("table_unknown", ["MA-13a1.1"])),
        ("MA cover all", "massachusetts", "cover_all", "7", ("table_unknown", ["MA-12k.0"])),
        ("MA bonus", "massachusetts", "automatic_bonus", "FCP-01", ("table_unknown", ["MA-11a2.3"])),
        ("MD case", "maryland", "aces_up", "a", ("table_unknown", ["MD-12C.0"])),
        ("MD empty", "maryland", "six_card", "", ("table_unknown", ["MD-12G.0"])),
        ("MD prior", "maryland", "six_card", "prior-A", ("table_odds_only", ["R10", "MD-12G-old1"])),
        ("MD progressive", "maryland", "progressive", "1", ("table_unknown", ["MD-12D1.0"])),
        ("MD bad beat", "maryland", "bad_beat", "BBB-01", ("wager_not_described", ["R10", *MD_OFFERS])),
        ("MD cover all", "maryland", "cover_all", "matrix", ("wager_not_described", ["R10", *MD_OFFERS])),
        ("SM aces up", "shuffle-master", "aces_up", "FCP-10", ("table_unknown", ["P5"])),
        ("SM bad beat", "shuffle-master", "bad_beat", "BBB-02", ("table_unknown", ["SM-BB-4"])),
        ("WA bad beat", "washington", "bad_beat", "BBB-04", ("table_unknown", ["WA-LTR-3"])),
        ("IA aces up", "catfish-bend", "aces_up", "FCP-01", ("table_unknown", ["IA-PAY-2.2"])),
        ("IA six card", "catfish-bend", "six_card", "A", ("wager_not_described", ["IA-DEF-5.1", "IA-INT-8"])),
    ),
)
def test_a_table_id_must_be_one_that_can_be_offered(
    rulebook: str, name: str, table: str, refusal: tuple[str, list[str]]
) -> None:
    assert outcome(line_of(rulebook, **{f"options__{name}": table})) == (*refusal, None)


def test_tables_printed_in_pairs_carry_one_number() -> None:
    for number, refusal in (("FCP-01", None), ("FCP-02", ("table_numbers_differ", ["R98"], None))):
        assert outcome(line_of("washington", options__automatic_bonus=number)) == refusal
    assert outcome(line_of("shuffle-master", options__automatic_bonus="FCP-02")) is None


@pytest.mark.parametrize(
    ("rulebook", "name", "clauses"),
    [
        ("massachusetts", "cover_all", ["MA-12k.0"]),
        ("massachusetts", "progressive", ["MA-13a1.1"]),
        ("shuffle-master", "progressive", ["SM-PROG-1"]),
        ("maryland", "automatic_bonus", ["MD-12B.2"]),
        ("maryland", "aces_up", ["MD-12C.0"]),
        ("maryland", "six_card", ["MD-12G.0"]),
        ("maryland", "progressive", ["MD-12D1.0"]),
        ("washington", "automatic_bonus", ["WA-W1-12"]),
        ("washington", "aces_up", ["WA-LTR-3"]),
        ("washington", "bad_beat", ["WA-LTR-3"]),
        ("washington", "progressive", ["WA-PROG-1", "WA-NEX-1", "WA-INT-3"]),
        ("catfish-bend", "automatic_bonus", ["IA-PAY-3.2"]),
        ("catfish-bend", "aces_up", ["IA-PAY-2.2"]),
    ],
)
def test_an_inline_table_is_refused_where_only_printed_ones_are_allowed(
    rulebook: str, name: str, clauses: list[str]
) -> None:
    line = line_of(rulebook, **{f"options__{name}": BONUS})
    assert outcome(line) == ("own_table_not_allowed", clauses, None)


@pytest.mark.parametrize(
    ("table", "refusal"),
    labelled(
        ("as printed", ACES_UP, None),
        ("above", ACES_UP | {"pair_of_aces": "101 to 100"}, None),
        ("under", ACES_UP | {"pair_of_aces": "99 to 100"}, ("own_table_under_floor", ["MA-11a3.2", "R34"])),
        (
            "under one and above another",
            ACES_UP | {"straight_flush": "39 to 1", "two_pair": "3 to 1", "three_of_a_kind": "8 to 1"},
            ("own_table_under_floor", ["MA-11a3.2", "R34"]),
        ),
        ("row missing", without(ACES_UP, "flush"), ("own_table_row_missing", ["MA-1-AU.2"])),
        ("row foreign", ACES_UP | {"royal_flush": "99 to 1"}, ("own_table_row_foreign", ["MA-1-AU.2"])),
        ("no rows", {}, ("own_table_empty", ["MA-11a3.2"])),
        ("for 1", ACES_UP | {"flush": "7 for 1"}, ("own_table_kind", ["MA-11a3.2"])),
        ("share", ACES_UP | {"flush": "10% of meter"}, ("own_table_kind", ["MA-11a3.2"])),
        ("amount", ACES_UP | {"flush": "$100"}, ("own_table_kind", ["MA-11a3.2"])),
        ("row unknown", ACES_UP | {"flash": "1 to 1"}, ("key_unknown", [])),
        ("odds malformed", ACES_UP | {"flush": "6:1"}, ("odds_malformed", [])),
        ("odds of nothing", ACES_UP | {"flush": "0 to 1"}, ("odds_malformed", [])),
        ("odds on nothing", ACES_UP | {"flush": "1 to 0"}, ("odds_malformed", [])),
        ("odds over two lines", ACES_UP | {"flush": "6 to\n1"}, ("odds_malformed", [])),
        ("odds a number", ACES_UP | {"flush": 6}, ("value_unfit", [])),
        ("odds null", ACES_UP | {"flush": None}, ("value_unfit", [])),
    ),
)
def test_an_inline_aces_up_table_is_held_to_the_floors_of_massachusetts(
    table: dict[str, Any], refusal: tuple[str, list[str]] | None
) -> None:
    line = line_of("massachusetts", options__aces_up=table)
    assert outcome(line) == (None if refusal is None else (*refusal, None))


@pytest.mark.parametrize(
    ("name", "table", "refusal"),
    labelled(
        ("bonus", "automatic_bonus", {"flush": "1 to 9"}, None),
        ("bonus empty", "automatic_bonus", {}, ("own_table_empty", ["SM-W1-12"])),
        ("bonus kind", "automatic_bonus", {"flush": "1 for 1"}, ("own_table_kind", ["SM-W1-12"])),
        ("aces up", "aces_up", ACES_UP | {"flush": "1 to 9"}, None),
        ("aces up row", "aces_up", without(ACES_UP, "flush"), ("own_table_row_missing", ["SM-W2-1"])),
        ("bad beat", "bad_beat", BAD_BEAT, None),
        ("bad beat lower", "bad_beat", ACES_UP, ("own_table_row_foreign", ["SM-BB-3a", "SM-BB-3b"])),
        ("bad beat row", "bad_beat", BONUS, ("own_table_row_missing", ["SM-BB-3a", "SM-BB-3b"])),
    ),
)
def test_inline_tables_of_the_manufacturer_are_free_in_odds_but_not_in_rows(
    name: str, table: dict[str, str], refusal: tuple[str, list[str]] | None
) -> None:
    line = line_of("shuffle-master", **{f"options__{name}": table})
    assert outcome(line) == (None if refusal is None else (*refusal, None))


@pytest.mark.parametrize(
    ("rulebook", "settings", "refusal"),
    labelled(
        ("open", "maryland", {"rounding": "half_even"}, None),
        ("unknown", "maryland", {"colour": "green"}, ("setting_unknown", [])),
        ("value", "maryland", {"rounding": "sideways"}, ("setting_value", ["R33"])),
        ("other type", "maryland", {"six_card_low_ace": 1}, ("setting_value", ["R28"])),
        ("closed", "maryland", {"bad_beat_tie": "wins"}, ("setting_closed", ["R40"])),
        ("closed, and any value", "catfish-bend", {"one_denomination": 7}, ("setting_closed", ["R57"])),
        ("one value only", "maryland", {"meter_shortfall": "tray"}, None),
        ("another than the only", "maryland", {"meter_shortfall": "house"}, ("setting_value", ["R59"])),
        ("a fraction", "maryland", {"cut_most": 51.0}, ("value_unfit", [])),
        ("null", "maryland", {"rounding": None}, ("value_unfit", [])),
        ("a table", "maryland", {"rounding": {}}, ("value_unfit", [])),
    ),
)
def test_settings_are_known_open_and_of_their_values(
    rulebook: str, settings: Line, refusal: tuple[str, list[str]] | None
) -> None:
    expected = None if refusal is None else (*refusal, None)
    assert outcome(line_of(rulebook, settings=settings)) == expected


@pytest.mark.parametrize(
    "rulebook", ["massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend"]
)
def test_every_setting_takes_its_values_where_it_is_open_and_nowhere_else(rulebook: str) -> None:
    checked = 0
    for ruling_id, ruling in rulings().items():
        for name, setting in ruling.settings.items():
            refusal = None if setting.open_in(rulebook) else ("setting_closed", [ruling_id], None)
            for value in setting.values:
                assert outcome(line_of(rulebook, settings={name: value})) == refusal
                checked += 1
    assert checked > 30


@pytest.mark.parametrize(
    ("option", "setting", "refusal"),
    [
        ("up", "up", None),
        ("up", GONE, None),
        ("up", "down", ("rounding_twice", ["R33"], None)),
        ("up", 3, ("rounding_twice", ["R33"], None)),
        ("sideways", GONE, ("value_unfit", [], None)),
    ],
)
def test_the_rounding_is_chosen_once(option: str, setting: Any, refusal: Refusal) -> None:
    settings = {} if setting is GONE else {"rounding": setting}
    assert outcome(line_of("maryland", options__rounding=option, settings=settings)) == refusal


@pytest.mark.parametrize(
    ("rulebook", "options", "refusal"),
    labelled(
        ("paired", "maryland", {"envy": "A"}, None),
        ("unpaired", "maryland", {"envy": "B"}, None),
        ("other reading of another", "maryland", {"envy": "C-royal"}, None),
        ("other reading", "maryland", {"envy": "C-royal", "progressive": "C"}, None),
        ("unknown", "maryland", {"envy": "Z"}, ("envy_unknown", ["MD-12D-2.2"])),
        ("empty", "maryland", {"envy": ""}, ("envy_unknown", ["MD-12D-2.2"])),
        ("MA unpaired", "massachusetts", {"envy": "B"}, ("envy_unpaired", ["MA-13a5i-1", "MA-13a5ii-1"])),
        ("SM unpaired", "shuffle-master", {"envy": "2"}, ("envy_unpaired", ["SM-PROG-3-E1", "SM-PROG-3-E2"])),
        ("WA unknown", "washington", {"envy": "A"}, ("envy_unknown", ["WA-PAY-E1", "WA-PAY-E2"])),
        ("IA", "catfish-bend", {"envy": "A"}, ("wager_not_described", ["IA-DEF-5.1", "IA-INT-8"])),
        ("awards MA", "massachusetts", {"fixed_awards": "meter"}, None),
        ("awards WA", "washington", {"fixed_awards": "meter"}, None),
        ("awards SM", "shuffle-master", {"fixed_awards": "meter"}, ("fixed_awards", ["SM-PROG-9b", "R19"])),
        ("awards unknown", "maryland", {"fixed_awards": "pocket"}, ("value_unfit", [])),
        ("routine MA", "massachusetts", {"routine": "by-procedure"}, None),
        ("routine MD", "maryland", {"routine": "by-procedure"}, ("routine_unknown", ["MD-11D4.0"])),
        ("routine SM", "shuffle-master", {"routine": "by-player"}, ("routine_unknown", ["SM-DEAL-6.4"])),
        ("routine unknown", "maryland", {"routine": "by-chance"}, ("value_unfit", [])),
        ("chip 1", "maryland", {"chip": 1}, None),
        ("chip 0", "maryland", {"chip": 0}, ("value_unfit", [])),
        ("chip negative", "maryland", {"chip": -5}, ("value_unfit", [])),
        ("chip a fraction", "maryland", {"chip": 1.0}, ("value_unfit", [])),
    ),
)
def test_further_options_are_those_of_the_rulebook(
    rulebook: str, options: Line, refusal: tuple[str, list[str]] | None
) -> None:
    changes = {f"options__{name}": value for name, value in options.items()}
    assert outcome(line_of(rulebook, **changes)) == (None if refusal is None else (*refusal, None))


def test_an_envy_schedule_is_known_even_where_no_progressive_is_offered() -> None:
    idle = {"options__progressive": GONE, "seats__0__wagers__progressive": GONE}
    assert outcome(line_of("maryland", options__envy="B", **idle)) is None
    refusal = ("envy_unknown", ["MD-12D-2.2"], None)
    assert outcome(line_of("maryland", options__envy="Z", **idle)) == refusal


@pytest.mark.parametrize(
    ("rulebook", "order", "refusal"),
    labelled(
        ("whole", "massachusetts", "play ante automatic_bonus aces_up progressive envy cover_all", None),
        (
            "one missing",
            "massachusetts",
            "play ante automatic_bonus aces_up progressive envy",
            ("house_order_incomplete", ["P2"]),
        ),
        (
            "one twice",
            "massachusetts",
            "play play ante automatic_bonus aces_up progressive envy cover_all",
            ("house_order_incomplete", ["P2"]),
        ),
        (
            "not at its end",
            "massachusetts",
            "cover_all play ante automatic_bonus aces_up progressive envy",
            ("house_order_ends", ["MA-12j"]),
        ),
        ("no wager", "massachusetts", "play ante luck", ("value_unfit", [])),
        ("MD", "maryland", "play ante", ("house_order", ["MD-11D5"])),
        ("SM", "shuffle-master", "play ante", ("house_order", ["SM-DEAL-6.3"])),
        ("WA", "washington", "play ante", ("house_order_incomplete", ["WA-DEAL-6.5"])),
        ("IA", "catfish-bend", "play ante", ("house_order", ["IA-COMP-5.1"])),
    ),
)
def test_a_house_order_is_whole_and_only_where_a_house_may_have_one(
    rulebook: str, order: str, refusal: tuple[str, list[str]] | None
) -> None:
    line = line_of(rulebook, options__order=order.split())
    assert outcome(line) == (None if refusal is None else (*refusal, None))


@pytest.mark.parametrize(
    ("limits", "refusal"),
    labelled(
        ("equal", {"posted": {"ante": {"least": 1000, "most": 1000}}}, None),
        ("falling", {"posted": {"ante": {"least": 1001, "most": 1000}}}, ("limits_inverted", ["MA-6a1.2"])),
        ("from nothing", {"posted": {"ante": {"least": 0, "most": 1000}}}, ("limits_inverted", ["MA-6a1.2"])),
        ("one end", {"posted": {"ante": {"least": 1000}}}, ("key_missing", [])),
        ("no such wager", {"posted": {"play": {"least": 1, "most": 2}}}, ("key_unknown", [])),
        ("no such key", {"posted": {"ante": {"least": 1, "most": 2, "usual": 1}}}, ("key_unknown", [])),
        ("legal 0", {"legal": 0}, ("value_unfit", [])),
        ("legal a fraction", {"legal": 1e3}, ("value_unfit", [])),
        ("null", None, ("value_unfit", [])),
    ),
)
def test_limits_make_sense(limits: Line | None, refusal: tuple[str, list[str]] | None) -> None:
    line = line_of("massachusetts", options__limits=limits)
    assert outcome(line) == (None if refusal is None else (*refusal, None))
