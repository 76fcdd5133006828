"""Odds routes give the values of the commands, and no request can name a file."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from fourcard.cli.main import app as command_line
from fourcard.odds import published_figures
from fourcard.odds.states_cache import all_states
from fourcard.server.api import odds
from tests.api.api_client import ApiReader, house_of, read_house
from tests.kit.houses import house_with

WAGERS = ("ante", "aces_up", "bad_beat", "six_card", "cover_all", "progressive", "envy")


@pytest.fixture(scope="module")
def reader() -> Iterator[ApiReader]:
    all_states()
    with house_of(house_with("maryland")) as house, read_house(house) as found:
        yield found


def command(*words: str) -> Any:
    found = CliRunner().invoke(command_line, [*words, "--json"])
    assert found.exit_code == 0, found.output
    return msgspec.json.decode(found.output)


@pytest.mark.parametrize(
    ("wager", "query"),
    [
        ("ante", {}),
        ("ante", {"bonus": "FCP-05", "strategy": "basic"}),
        ("ante", {"bonus": "none", "rulebook": "maryland"}),
        ("aces_up", {"rulebook": "maryland", "paytable": "B"}),
        ("bad_beat", {"tie_wins": "true"}),
        ("six_card", {"stake": "500"}),
        ("progressive", {"rulebook": "maryland", "paytable": "A", "meter": "2000000", "others": "3"}),
        ("progressive", {"paytable": "1", "rate": "14.5%", "seed": "500000", "reserve": "1/100"}),
        ("envy", {"rulebook": "maryland", "paytable": "C-royal"}),
        ("cover_all", {"players": "2", "precision": "0.05"}),
    ],
)
def test_odds_are_what_the_command_says(reader: ApiReader, wager: str, query: dict[str, Any]) -> None:
    words = [
        word
        for name, value in query.items()
        for word in ((f"--{name.replace('_', '-')}",) if value == "true" else (f"--{name}", value))
    ]
    assert reader.ask(f"/api/odds/{wager}", **query) == command("odds", wager, *words)


@pytest.mark.parametrize(
    ("wager", "pays", "cards"),
    [
        ("aces_up", {"four_of_a_kind": "60 to 1", "flush": "5 to 1", "pair_of_aces": "1 to 1"}, 4),
        ("ante", {"four_of_a_kind": "40 to 1"}, 4),
        ("cover_all", {"four_aces": "300 to 1"}, 4),
        ("progressive", {"royal_flush": "100% of meter", "full_house": "50 for 1"}, 5),
    ],
)
def test_a_table_of_ones_own_is_counted(
    reader: ApiReader, tmp_path: Path, wager: str, pays: dict[str, str], cards: int
) -> None:
    rows = "\n".join(f'{row} = "{odds}"' for row, odds in pays.items())
    own = tmp_path / "own.toml"
    own.write_text(f"cards = {cards}\n[pays]\n{rows}\n", encoding="utf-8")
    query: dict[str, Any] = {"cover_all": {"precision": "0.05"}, "progressive": {"meter": "100000"}}.get(
        wager, {}
    )
    words = [word for name, value in query.items() for word in (f"--{name}", value)]
    told = reader.send(f"/api/odds/{wager}", {"pays": pays, "cards": cards}, **query)
    option = "--bonus" if wager == "ante" else "--paytable"
    assert told == command("odds", wager, option, str(own), *words)


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/api/odds/ante?stake=100", 400, "'stake' does not apply to the odds of ante"),
        ("/api/odds/ante?bonus=none&paytable=I", 400, "both name the Automatic Bonus table"),
        ("/api/odds/aces_up?paytable=zz", 400, "There is no Aces Up paytable 'zz'"),
        ("/api/odds/aces_up?paytable=A&rulebook=nevada", 404, "no rulebook 'nevada'"),
        ("/api/odds/progressive?rate=5%25", 400, "needs both 'rate' and 'seed'"),
        ("/api/odds/progressive?rate=x&seed=1", 400, "is not a share"),
        ("/api/odds/progressive?others=7", 400, "others"),
        ("/api/odds/ante?strategy=zz", 400, "There is no strategy 'zz'"),
        ("/api/odds/cover_all?precision=0.0001", 400, "precision"),
        ("/api/odds/cover_all?rulebook=maryland", 400, "has no Cover All"),
        ("/api/odds/play", 400, "wager"),
        ("/api/strategies?bonus=zz", 400, "There is no Automatic Bonus paytable"),
        ("/api/par/nowhere", 404, "no table or example has this name"),
        ("/api/par/maryland?format=exe", 400, "format"),
    ],
)
def test_what_cannot_be_counted_is_refused(reader: ApiReader, path: str, status: int, says: str) -> None:
    assert says in reader.refused(path, status)


@pytest.mark.parametrize("wager", ["ante", "aces_up", "cover_all", "progressive"])
def test_no_file_is_ever_read(
    reader: ApiReader, wager: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a file in the working directory named like a printed table."""
    plain = reader.ask("/api/odds/aces_up", paytable="I")
    monkeypatch.chdir(tmp_path)
    for name in ("I", "own.toml", "optimal"):
        (tmp_path / name).write_text('[pays]\nflush = "1000 to 1"\n', encoding="utf-8")
    assert reader.refused(f"/api/odds/{wager}", 400, paytable="own.toml")
    assert reader.refused("/api/odds/ante", 400, bonus="own.toml")
    assert reader.refused("/api/odds/ante", 400, strategy="own.toml")
    assert (
        reader.ask("/api/odds/aces_up", paytable="I", rulebook="massachusetts")["house_edge"]
        == plain["house_edge"]
    )


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"pays": {}}, "This paytable pays nothing. Give at least one row a payout."),
        ({"pays": {"zz": "1 to 1"}}, "zz"),
        ({"pays": {"zz": "lots"}}, "zz"),
        ({"pays": {"flush": "1 to 1"}, "more": 1}, "more"),
        ({"pays": {f"row{n}": "1 to 1" for n in range(30)}}, "24 rows"),
        ({"pays": {"flush": "9" * 50}}, "24 rows"),
        ([], "object"),
    ],
)
def test_a_table_that_is_none_is_refused(reader: ApiReader, body: object, says: str) -> None:
    told = reader.send("/api/odds/aces_up", body, 400)
    assert says in told["refusal"]["message"]


@pytest.mark.parametrize(
    "payout", ["banana", "0 to 1", "-5 to 1", "7:1", "7 to 0", "", "$100", "50% of meter"]
)
def test_a_payout_that_cannot_be_read_is_named_by_its_hand(reader: ApiReader, payout: str) -> None:
    body = {"pays": {"flush": "6 to 1", "three_of_a_kind": payout}}
    refusal = reader.send("/api/odds/aces_up", body, 400)["refusal"]
    assert refusal["name"] == "payout_unreadable"
    assert refusal["message"] == (
        f"Three of a kind cannot pay '{payout}'. Write the payout like 3 to 2 or 300 for 1."
    )


@pytest.mark.parametrize(
    ("wager", "forms"),
    [
        ("ante", "3 to 2"),
        ("bad_beat", "3 to 2 or 300 for 1"),
        ("cover_all", "3 to 2 or 300 for 1"),
        ("six_card", "3 to 2, 300 for 1 or $100"),
        ("progressive", "3 to 2, 300 for 1, $100 or 100% of meter"),
    ],
)
def test_a_payout_is_asked_for_in_the_forms_of_its_wager(reader: ApiReader, wager: str, forms: str) -> None:
    told = reader.send(f"/api/odds/{wager}", {"pays": {"straight_flush": "banana"}}, 400)
    wanted = f"Straight flush cannot pay 'banana'. Write the payout like {forms}."
    assert told["refusal"]["message"] == wanted


def test_envy_has_no_table_of_ones_own(reader: ApiReader) -> None:
    told = reader.send("/api/odds/envy", {"pays": {"flush": "1 to 1"}}, 400)
    assert "Envy" in told["refusal"]["message"]


def test_the_index_names_what_can_be_asked(reader: ApiReader) -> None:
    told = reader.ask("/api/odds")
    assert tuple(each["wager"] for each in told["wagers"]) == WAGERS
    for wager in told["wagers"]:
        assert wager["tables"]
        for table in wager["tables"][:3]:
            if wager["wager"] in ("cover_all", "bad_beat"):
                continue
            found = reader.ask(
                f"/api/odds/{wager['wager']}", rulebook=table["rulebook"], paytable=table["paytable"]
            )
            assert found["paytable"] == table["paytable"]
    assert [each["name"] for each in told["strategies"]] == ["optimal", "basic", "expert", "blind"]
    assert told["bonuses"][-1] == "none"


def test_published_figures_are_the_commands(reader: ApiReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Route and command show the same audit, which is long and therefore done once."""
    audit = cache(published_figures.audit_published_figures)
    for module in (odds, published_figures):
        monkeypatch.setattr(module, "audit_published_figures", lambda *_: audit())
    assert reader.ask("/api/published") == command("published")


def test_strategies_are_compared_the_best_first(reader: ApiReader) -> None:
    told = reader.ask("/api/strategies")["items"]
    expected = command("strategy")["strategies"]
    assert told[0]["name"] == "optimal"
    assert told[0]["cost"] == {"fraction": "0/1", "value": 0.0}
    for each in told:
        for figure in ("house_edge", "element_of_risk", "cost"):
            assert each[figure] == expected[each["name"]][figure]
    assert [each["house_edge"]["value"] for each in told] == sorted(
        each["house_edge"]["value"] for each in told
    )


def test_a_par_sheet_is_the_commands(reader: ApiReader) -> None:
    told = reader.raw("/api/par/maryland", format="json")
    assert told.headers["content-type"] == "application/json"
    assert told.headers["content-disposition"] == 'attachment; filename="par-maryland.json"'
    assert told.json() == command("par", "examples/maryland.toml")
    assert reader.raw("/api/par/main", format="json").json() == told.json()
    page = reader.raw("/api/par/main", format="html")
    assert page.text.startswith("<!doctype html>")
    assert page.headers["content-type"].startswith("text/html")


def test_a_par_sheet_for_a_printer(reader: ApiReader) -> None:
    assert reader.raw("/api/par/catfish-bend").content.startswith(b"%PDF-")


def test_an_estimate_that_would_take_for_ever_is_refused(
    reader: ApiReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds, "MAX_BLOCKS", 20)
    wild = {"pays": {"four_aces": "300 to 1"}}
    told = reader.send("/api/odds/cover_all", wild, 400, players=6, precision=0.001)
    assert "varies too much" in told["refusal"]["message"]
    assert reader.send("/api/odds/cover_all", wild, players=6, precision=0.9)["rounds"] > 0
