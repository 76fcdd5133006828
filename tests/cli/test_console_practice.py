"""`fourcard console practise`: a trainee at either console, by piped lines or by following every hint."""

import io
import re
import sys
from collections.abc import Callable

import pytest

from fourcard.refusal_codes import Code
from fourcard.rules.loading import every_rulebook
from tests.kit.commands import Command, Person, runner, said, spelled
from tests.kit.support import ROOT

CONSOLES = sorted({(book.id, kind) for book in every_rulebook() for kind in book.consoles})
Practise = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command without anybody at the keyboard."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return runner(capsys, monkeypatch)


@pytest.fixture
def practise(run: Command, monkeypatch: pytest.MonkeyPatch) -> Practise:
    """Return what practises with lines from a pipe."""

    def practised(lines: str, *arguments: object) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines.replace(", ", "\n")))
        return said(run("console", "practise", *arguments))

    return practised


@pytest.fixture
def hinted(run: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Practise:
    """Return what practises with somebody who does what hints say and nothing else."""

    def practised(*arguments: object) -> str:
        person = Person(capsys, lambda _question: None)
        person.answer = _follower(person)
        monkeypatch.setattr(sys, "stdin", person)
        rest = said(run("console", "practise", *arguments))
        return person.seen + rest

    return practised


def _follower(person: Person) -> Callable[[str], str]:
    todo: list[str] = []

    def answer(_question: str) -> str:
        if todo:
            lit = person.seen.rpartition("): show\n")[2].count("registered")
            return todo.pop(0).replace("chips N", f"chips {lit}")
        shown = " ".join(person.seen.rpartition("): hint\n")[2].split())
        fresh = person.seen.count("): hint\n") > answered[0]
        answered[0] += fresh
        hint = re.match(r"Next, .+? Type (.+?)\. ", shown) if fresh else None
        lines = re.findall(r"'([^']+)'", hint[1]) if hint is not None else ["hint"]
        todo.extend(each for line in lines for each in (("show", line) if line == "chips N" else (line,)))
        return todo.pop(0)

    answered = [0]
    return answer


@pytest.mark.parametrize(("rulebook", "kind"), CONSOLES)
def test_who_follows_every_hint_ends_every_game_without_a_mistake(
    hinted: Practise, rulebook: str, kind: str
) -> None:
    text = hinted(kind, "--rulebook", rulebook, "--games", 6, "--seed", 5)
    report = re.search(r"You leave after 6 games, (\d+) commands and 0 mistakes\.\n$", text)
    assert report is not None, text[-500:]
    assert int(report[1]) > 6 * 2
    assert "100% of meter" in text
    assert ("10% of meter" in text) == (rulebook == "maryland")
    logged = re.findall(r"the win is logged, \$([\d,.]+) for ([a-z ]+) at a meter", " ".join(text.split()))
    assert len({row for _, row in logged}) >= 3


def test_two_winners_of_one_round_and_a_round_without_any_are_dealt(hinted: Practise) -> None:
    text = hinted("touch", "--games", 6, "--seed", 2)
    wins = [game.count("the win is logged") for game in re.split(r"\nGame \d+ ", text)[1:]]
    assert (min(wins), max(wins), len(wins)) == (0, 2, 6)
    assert "eve (executive): swipe" in text
    assert "sue (supervisor): swipe" in text


def test_the_same_seed_deals_the_same_games_and_without_one_chance_does(hinted: Practise) -> None:
    first, again, other = (hinted("keypad", "--games", 2, "--seed", seed) for seed in (1, 1, 2))
    assert first == again != other
    assert hinted("keypad", "--games", 1) != hinted("keypad", "--games", 1)


GAME = "coin in, hand three of a kind, as supervisor, key jph, j-pot, key run, as dealer, game over"


def test_a_whole_game_is_practised_from_a_pipe(practise: Practise) -> None:
    text = practise(GAME, "keypad", "--games", 1, "--seed", 1)
    assert "House rules by the manufacturer, all wagers: the keypad console by Shuffle Master." in text
    assert "Game 1 · the meter shows $5,000 " in text
    assert "dana (dealer): coin in\n" in text
    assert "sue (supervisor): j-pot\nJ-POT is pressed by sue.  SM-PROG-9e.2\n" in text
    assert "GAME OVER is pressed: round 1 is over" in text
    assert text.endswith("You leave after 1 game, 6 commands and 0 mistakes.\n")


def test_what_hands_do_wrong_is_told_with_its_clause_and_counted(practise: Practise) -> None:
    lines = "start game, coin in, coin in, hand 1, hand 1, hand 4, j-pot, as dale, hand 4, hand 4, key jph"
    text = practise(lines, "keypad", "--games", 1, "--seed", 1)
    assert "There is no button START GAME on this console. Press COIN IN. SM-PROG-6.1" in text
    assert "'dale' marked this win, so somebody else must confirm it. SM-PROG-9d P29" in text
    report = text[text.index("You leave after") :].splitlines()
    assert report[0] == "You leave after 0 games, 4 commands and 6 mistakes."
    assert [line.split(":")[0].strip() for line in report[1:]] == [
        "1 x 1001 button_absent",
        "1 x 724 award_awaited",
        "2 x 1008 hand_wrong",
        "1 x 706 not_your_duty",
        "1 x 1006 same_person",
    ]
    assert report[3].endswith(" make three of a kind, not four aces. SM-PROG-9e.1")


def test_the_winners_cards_are_shown_and_their_name_is_left_to_the_trainee(practise: Practise) -> None:
    text = spelled(practise("coin in", "keypad", "--games", 1, "--seed", 1))
    shown = re.search(
        r"Position \d \((\w+)\) has a hand that wins on the progressive: ((?:\w\w ?){5})\.", text
    )
    assert shown is not None
    assert "three of a kind" not in text[shown.start() :]


@pytest.mark.parametrize("end", ["", "quit", "q", "\n\n# a remark\n   \nleave"])
def test_a_trainee_leaves_by_a_word_or_by_the_end_of_the_input(practise: Practise, end: str) -> None:
    text = practise(end, "touch", "--seed", 1)
    assert text.endswith("You leave after 0 games, 0 commands and 0 mistakes.\n")


def test_who_interrupts_gets_the_report_too(
    run: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_question: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Person(capsys, interrupted))
    text = said(run("console", "practise", "touch"))
    assert text.endswith("You leave after 0 games, 0 commands and 0 mistakes.\n")


def test_words_that_say_nothing_and_people_who_are_not_there_are_pointed_out(practise: Practise) -> None:
    text = practise("dance\nas bob\nas\nspot\nhand\nlink lost\n[bold]", "touch", "--seed", 1)
    for said_ in ("dance", "as", "spot", "hand", "link lost", "[bold]"):
        assert f"'{said_}' is not a command here; 'help' lists the commands.\n" in text
    assert "Nobody here has the name or role 'bob'; there are dana (dealer), finn (floorperson)," in text
    assert text.endswith("You leave after 0 games, 0 commands and 0 mistakes.\n")


def test_help_shows_everything_that_can_be_said(practise: Practise) -> None:
    text = practise("help", "touch", "--seed", 1)
    told = text[text.index("): help") :]
    for usage in ("coin in", "spot N", "hand NAME", "key jph, key run", "j-pot", "swipe", "document N"):
        assert re.search(rf"^  {usage}  +[a-z]", told, re.MULTILINE), usage
    for usage in ("link lost WHY, link back WHY", "chips N", "back out N WHY", "as WHO", "hint", "quit"):
        assert re.search(rf"^  {usage}  +[a-z]", told, re.MULTILINE), usage
    assert "1 four aces  2 four of a kind  3 straight flush  4 three of a kind" in told


@pytest.mark.parametrize("line", ["COIN IN", "  coin   in  ", "Coin In"])
def test_a_line_may_be_written_as_one_likes(practise: Practise, line: str) -> None:
    assert "The dealer locks the progressive wagers." in practise(line, "keypad", "--games", 1, "--seed", 1)


@pytest.mark.parametrize(
    "line", ["hand three of a kind", "hand three_of_a_kind", "hand 4", "Hand THREE-of-a-kind"]
)
def test_a_hand_button_has_a_name_and_a_number(practise: Practise, line: str) -> None:
    text = practise(f"coin in, {line}", "keypad", "--games", 1, "--seed", 1)
    assert "three of a kind is marked, and the cards match." in text


def test_the_link_and_the_game_manager_can_be_practised_too(practise: Practise) -> None:
    lost = practise("link lost Cable 7 is out, show, coin in", "keypad", "--games", 1, "--seed", 1)
    assert "lost the link to its meter (Cable 7 is out)" in lost
    assert "link     down: the table has lost it" in lost
    adjusted = practise(
        f"{GAME}, as supervisor, back out 1 it was fouled, approve 1, as executive, approve 1",
        *("keypad", "--games", 2, "--seed", 1),
    )
    assert "Adjustment 1 is proposed by sue: win 1 is to be backed out (it was fouled)." in adjusted
    assert "'approve adjustment' is for the executive, not for the supervisor. P30" in adjusted
    assert "Adjustment 1 is approved by eve, and the meter shows $5,00" in adjusted


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rulebook", "atlantis"), "There is no rulebook 'atlantis'. Available: "),
        (("--rulebook", "catfish-bend"), Code.NO_CONSOLE.sentence),
        (("--submission", "maryland"), Code.NO_CONSOLE.sentence),
        (("--submission", "atlantis"), "There is no file or example named 'atlantis'. Examples: "),
        (("--submission", "atlantis.toml"), "atlantis.toml"),
        (("touch", "--rulebook", "shuffle-master"), "does not describe a touch console. Available: keypad"),
        (
            ("--submission", "maryland", "--rulebook", "maryland"),
            "Give a submission or a rulebook, not both.",
        ),
        (("keyboard",), "keyboard"),
        (("--games", 0), "--games"),
        (("--seed", "one"), "--seed"),
    ],
)
def test_what_cannot_be_practised_is_said_in_one_sentence(
    run: Command, arguments: tuple[object, ...], sentence: str
) -> None:
    assert sentence in run("console", "practise", *arguments).sentence


def test_the_command_alone_shows_its_help(run: Command) -> None:
    text = said(run("console"))
    assert "practise" in text
    assert "TABLE" in text


def test_the_practice_in_the_documents_is_a_real_one(practise: Practise) -> None:
    page = (ROOT / "docs" / "operator" / "consoles.md").read_text(encoding="utf-8")
    block = page.split("```console\n$ fourcard console practise ")[1].partition("\n```")[0]
    arguments, _, shown = block.partition("\n")
    lines = re.findall(r"^\w+ \([a-z ]+\): (.+)$", shown, re.MULTILINE)
    assert len(lines) > 8
    told = practise("\n".join(lines), *arguments.split())
    assert [line.rstrip() for line in told.splitlines()] == shown.splitlines()
