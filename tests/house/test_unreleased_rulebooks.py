"""A rulebook that is not part of the release: two people install it, and nothing opens before (P39)."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from fourcard.house.audit.auditor import audit
from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.commands import HireStaff, InstallTable
from fourcard.house.decision import STAFF, game_of_submission, table_stream
from fourcard.house.store.memory import MemoryStore
from fourcard.refusals import Refusal, RefusedError
from fourcard.rules.game import Game
from fourcard.rules.plain_data import rulebook_hash
from fourcard.table.autopilot import DECK_BACKS
from fourcard.table.commands import OpenTable
from tests.kit.audited_houses import PLAYERS, Founded, play, told
from tests.kit.houses import submission_text

TABLE = table_stream("own")
ANN, BOB, MACHINE = (Actor(name, "staff", ("administrator",)) for name in ("ann", "bob", CONSOLE))


def unreleased(text: str) -> Game | Refusal:
    """Return the game of a submission as if its rulebook came from a folder of one's own."""
    game = game_of_submission(text)
    assert isinstance(game, Game)
    return replace(game, rulebook=replace(game.rulebook, released=False))


@pytest.fixture
def made() -> Iterator[Founded]:
    house = Founded(MemoryStore())
    house.staff()
    house.register(*PLAYERS)
    for actor in (ANN, BOB, MACHINE):
        house.do(STAFF, HireStaff(person=actor.person, name=actor.person.title(), roles=actor.roles))
    with patch("fourcard.house.state_cache.game_of_submission", unreleased):
        yield house


def install(example: str = "massachusetts", **choices: str) -> InstallTable:
    """Return the installation of an example with the full hash of its rulebook."""
    game = unreleased(submission_text(example))
    assert isinstance(game, Game)
    given = {"rulebook_hash": rulebook_hash(game.rulebook), **choices}
    return InstallTable(submission=submission_text(example), **given)  # type: ignore[arg-type]


def opening(house: Founded) -> OpenTable:
    """Return the command that opens the table."""
    return OpenTable(decks=DECK_BACKS[: house.house_table("own").state.game.submission.dealing.decks])


@pytest.mark.clause("P39")
def test_a_table_opens_only_when_a_second_person_has_installed_the_same(made: Founded) -> None:
    made.do(TABLE, install(), ANN)
    with pytest.raises(RefusedError, match="not part of the release"):
        made.open("own")
    assert made.refused(TABLE, install(), ANN).name == "installation_own"
    made.do(TABLE, install(cards="keyed"), BOB)
    assert made.refused(TABLE, opening(made)).name == "installation_waits"
    assert made.refused(TABLE, install(cards="keyed"), BOB).name == "installation_own"
    made.do(TABLE, install(), ANN)
    made.do(TABLE, install(), BOB)
    made.open("own")
    made.seat("own", PLAYERS)
    play(made, "own", 1)
    report = audit(made.store)
    assert report.clean, told(report)
    assert len(report.unreleased) == 3
    assert all(install().rulebook_hash in each for each in report.unreleased)


@pytest.mark.clause("P39")
def test_the_console_and_a_wrong_hash_install_nothing(made: Founded) -> None:
    assert made.refused(TABLE, install(), MACHINE).name == "rulebook_by_console"
    for hash_ in ("", install().rulebook_hash[:-1], install("catfish-bend").rulebook_hash):
        assert made.refused(TABLE, install(rulebook_hash=hash_), ANN).name == "rulebook_hash"


@pytest.mark.clause("P39")
def test_the_console_installs_a_released_rulebook_by_its_hash_too() -> None:
    house = Founded(MemoryStore())
    house.do(STAFF, HireStaff(person=CONSOLE, name="Console", roles=MACHINE.roles))
    released = game_of_submission(submission_text("massachusetts"))
    assert isinstance(released, Game)
    known = rulebook_hash(released.rulebook)
    assert house.refused(TABLE, install(rulebook_hash=known[:-1]), MACHINE).name == "rulebook_hash"
    house.do(TABLE, install(rulebook_hash=known), MACHINE)
    assert house.house_table("own").unconfirmed_by == ""
