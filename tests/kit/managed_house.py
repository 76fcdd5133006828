"""A house in a file with meters, wins and people who sign in, for the Game Manager to look at."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from fourcard.cli.house_connect import CONSOLE_ROLES
from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.commands import HireStaff, InstallTable, NotePassword, StaffRole
from fourcard.house.decision import STAFF
from fourcard.house.head_signatures import read_key
from fourcard.house.house import House
from fourcard.house.store.address import open_store
from fourcard.progressive.console import ReportLink
from fourcard.round.commands import Perform, ReportIrregularity
from tests.kit.commands import HOUSE_FILE, PASSWORD
from tests.kit.consoles import (
    FOUR_ACES,
    FOUR_EIGHTS,
    J_POT,
    JPH,
    NOTHING,
    NOTHING_ELSE,
    PEOPLE,
    THREE_SEVENS,
    ConsoleTable,
)
from tests.kit.houses import TestHouse, submission_text

HOUR = 3_600_000
CONSOLE_ACTOR = Actor(CONSOLE, "staff", CONSOLE_ROLES)
SIGNED_IN: dict[str, StaffRole] = {
    "sue": "supervisor",
    "eva": "executive",
    "max": "executive",
    "dan": "dealer",
    "flo": "floorperson",
    "aud": "auditor",
}
"""Who has a password, and works here as what."""
EVERY_WIN = '\n[settings]\nconfirm = "every_win"\n'
"""What lets awards wait that the tray pays (R61)."""
WASHINGTON = submission_text("washington-everything") + EVERY_WIN
DRY = (
    WASHINGTON.replace('seed = "$5,000"', 'seed = "$10"')
    .replace('reset = "$5,000"', 'reset = "$10"')
    .replace('fixed_awards = "tray"', 'fixed_awards = "meter"')
)
"""A meter that runs dry: it pays the fixed awards too, and starts from nearly nothing."""
LATER = WASHINGTON.replace('rate = "20%"', 'rate = "19%"')
"""Other terms of the same paytable."""


class ManagedTable(ConsoleTable):
    """A table among others, on a meter that it may share."""

    def __init__(self, house: TestHouse, name: str, meter: str, submission: str) -> None:
        """Set a table up and seat two players at it."""
        self.house, self.name = house, name
        self.positions = (1, 2)
        self.players = {position: f"{name}-{position}" for position in self.positions}
        house.register(*self.players.values())
        house.at(name, InstallTable(submission=submission, cards="keyed", meter=meter), BOT_STAFF)
        house.open(name)
        house.seat(name, [*self.players.values()])
        self.kind = self.console.kind

    def deal(self, hands: Mapping[int, str]) -> None:
        """Begin a round that deals these hands, with everybody's wagers lying there."""
        self.house.clock.at += HOUR
        self.begin({1: NOTHING, 2: NOTHING_ELSE, **hands})
        choice = self.table.game.submission.progressive
        assert choice is not None
        self.bet(stake=int(choice.stakes[0]))

    def play(self, hands: Mapping[int, str]) -> None:
        """Play such a round, every win confirmed by an executive, and end the game."""
        self.deal(hands)
        self.finish("executive")
        self.end()

    def win(self, hands: Mapping[int, str]) -> None:
        """Play such a round as far as its first win, confirmed by an executive."""
        self.deal(hands)
        self.to_award()
        self.mark()
        self.confirm("executive")

    def void(self) -> None:
        """Find a hand wrong, which makes the round void, and end the game."""
        self.do(
            ReportIrregularity(irregularity="wrong_number_of_cards", position=2, count=4, role="supervisor")
        )
        self.end()


def manage(folder: Path) -> None:
    """Let a house in a folder, which has only its console and an administrator, have a day of wins."""
    clock = SimulatedClock()
    key = read_key(folder / f"{HOUSE_FILE}.key")
    with House(open_store(str(folder / HOUSE_FILE)), key, clock, SeededEntropy(1)) as house:
        house.sign_in = SignIn(house.service, house.service.security, AuthPolicy(cost=TEST_COST))
        desk = TestHouse(house.store)
        desk.clock, desk.service = clock, house.service
        _employ(house)
        _two_linked(desk)
        _others(desk)


def _two_linked(desk: TestHouse) -> None:
    """Let four aces take the meter of two tables twice, and two rounds be void.

    Three of a kind come at the second table, and four aces whose round is void. Then its four aces take all
    of the meter while a round is under way at the first, which is void afterwards: the house bears what it
    had brought. The first table has its link back, the second has not.
    """
    one, two = (ManagedTable(desk, name, "link", WASHINGTON) for name in ("one", "two"))
    one.play({1: FOUR_ACES})
    two.play({2: THREE_SEVENS})
    two.win({1: FOUR_ACES})
    two.void()
    one.deal({})
    one.start()
    while one.round.phase != "deciding":
        one.step()
    two.play({1: FOUR_ACES})
    one.void()
    two.do(ReportLink(up=False, reason="cable out"))
    one.do(ReportLink(up=False, reason="power"))
    one.do(ReportLink(up=True, reason="power is back"))


def _others(desk: TestHouse) -> None:
    """Let a meter run dry, a win be logged whose key still stands at JPH, and chips be counted wrong."""
    ManagedTable(desk, "low", "dry", DRY).play({1: FOUR_EIGHTS})
    pad = ManagedTable(desk, "pad", "pad", submission_text("shuffle-master-everything") + EVERY_WIN)
    pad.deal({1: FOUR_ACES})
    pad.to_award()
    pad.mark()
    pad.do(JPH)
    pad.do(J_POT)
    bay = ManagedTable(desk, "bay", "bay", submission_text("maryland-everything"))
    bay.deal({})
    bay.start()
    bay.do(Perform(step="collect_chips"))
    bay.do(Perform(step="count_chips", count=1))


def _employ(house: House) -> None:
    """Take everybody on, and give a password to who signs in."""
    hired = partial(house.do, STAFF, actor=CONSOLE_ACTOR)
    for actor in (BOT_STAFF, BOT_FLOORPERSON, *PEOPLE):
        hired(HireStaff(person=actor.person, name=actor.person.title(), roles=actor.roles))
    for person, role in SIGNED_IN.items():
        hired(HireStaff(person=person, name=person.title(), roles=(role,)))
        hired(NotePassword(person=person))
        assert house.sign_in.set_password("staff", person, PASSWORD) is None
