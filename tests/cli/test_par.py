"""`fourcard par`: what it writes where, and what it refuses before anything is counted."""

import json
from pathlib import Path

import pytest

from fourcard.cli.par import par
from fourcard.refusals import BadInputError
from fourcard.rules.game import InvalidSubmissionError
from tests.kit.support import EXAMPLES

MARYLAND = EXAMPLES / "maryland.toml"


def test_the_form_follows_the_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begins = {".pdf": b"%PDF", ".html": b"<!doctype html>", ".json": b"{", ".JSON": b"{"}
    for ending, first in begins.items():
        written = tmp_path / f"sheet{ending}"
        par(str(MARYLAND), written)
        assert written.read_bytes().startswith(first)
        assert str(written.name) in capsys.readouterr().out.replace("\n", "")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(f"sheet{ending}" for ending in begins)


def test_every_written_section_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    par("massachusetts-everything", written := tmp_path / "sheet.json", precision=0.05)
    sections = json.loads(written.read_text(encoding="utf-8"))["sections"]
    assert sections[-1]["wager"] == "cover_all"
    assert f"written: {len(sections)} sections." in capsys.readouterr().out.replace("\n", " ")


def test_json_goes_to_standard_output_and_is_the_same_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "sheet.json"
    par(str(MARYLAND), written, date="15 November", json=True)
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(written.read_text(encoding="utf-8"))
    assert (printed["rulebook"], printed["date"], len(printed["game"])) == ("maryland", "15 November", 64)


@pytest.mark.parametrize("submission", [str(MARYLAND), "maryland"])
def test_a_person_sees_the_summary(submission: str, capsys: pytest.CaptureFixture[str]) -> None:
    par(submission, strategy="basic")
    shown = capsys.readouterr().out
    for words in ("Chesapeake Casino", "Base game", "Aces Up", "3.3724%", "basic: ", "fourcard "):
        assert words in shown


@pytest.mark.parametrize(("char", "shown"), [("李", "'李' (U+674E)"), ("\a", "'\\x07' (U+0007)")])
def test_a_pdf_says_which_character_it_cannot_print(tmp_path: Path, char: str, shown: str) -> None:
    written = tmp_path / "sheet.pdf"
    with pytest.raises(BadInputError) as refused:
        par(str(MARYLAND), written, date=f"15 {char}")
    assert str(refused.value) == f"{shown} cannot be printed in a PDF; the HTML page can show it."
    assert list(tmp_path.iterdir()) == []


def test_an_old_sheet_stays_whole_until_the_new_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "sheet.json"
    written.write_text("old", encoding="utf-8")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(BadInputError, match=r"sheet.json cannot be written: no space left on device\.$"):
        par(str(MARYLAND), written)
    assert [each.read_text(encoding="utf-8") for each in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("sheet.docx", r"sheet.docx must end in .pdf, .html or .json."),
        ("sheet", r"sheet must end in .pdf, .html or .json."),
        ("nowhere/sheet.pdf", "cannot be written: there is no folder"),
        ("folder.pdf", "cannot be written: it is a folder."),
    ],
)
def test_what_cannot_be_written_is_refused(output: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    with pytest.raises(BadInputError) as refused:
        par(str(MARYLAND), tmp_path / output)
    assert sentence in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_what_is_no_valid_submission_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        par(str(tmp_path / "none.toml"))
    broken = tmp_path / "broken.toml"
    text = MARYLAND.read_text(encoding="utf-8").replace('aces_up = "B"', 'aces_up = "Z"')
    broken.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidSubmissionError, match="The submission is not valid: "):
        par(str(broken), tmp_path / "sheet.pdf")
    with pytest.raises(BadInputError, match="'wild' is not a strategy"):
        par(str(MARYLAND), strategy="wild")
    assert list(tmp_path.glob("*.pdf")) == []


def test_a_strategy_that_folds_what_side_wagers_pay_is_refused(tmp_path: Path) -> None:
    folding = tmp_path / "folding.toml"
    folding.write_text(
        'name = "timid"\notherwise = "fold"\n[[rules]]\nbet = "3x"\nat_least = "straight flush"\n',
        encoding="utf-8",
    )
    with pytest.raises(BadInputError, match="timid folds two pair or better, but the odds of Progressive"):
        par(str(EXAMPLES / "maryland-everything.toml"), strategy=str(folding))
    par(str(EXAMPLES / "catfish-bend.toml"), tmp_path / "sheet.json", strategy=str(folding))
    sheet = json.loads((tmp_path / "sheet.json").read_text(encoding="utf-8"))
    assert sheet["strategy"] == {"name": "timid", "says": ""}


def test_bands_of_a_meter_are_marked_from_the_first_jackpot_on(tmp_path: Path) -> None:
    par(str(EXAMPLES / "washington-everything.toml"), tmp_path / "sheet.json")
    sheet = json.loads((tmp_path / "sheet.json").read_text(encoding="utf-8"))
    section = next(each for each in sheet["sections"] if each["title"] == "Progressive at $1")
    marked = {band["rounds"]: band["meter_moved"] for band in section["confidence"]["bands"]}
    assert marked == {1_000: False, 10_000: False, 100_000: True, 1_000_000: True, 10_000_000: True}
