"""Practice table in memory: bots play, and everything except the console is automatic."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.cli.console_at import AtConsole
from fourcard.cli.console_lessons import Lesson
from fourcard.dealing import stacked
from fourcard.errors import BadInputError
from fourcard.house.actors import Actor
from fourcard.house.commands import (
    BuyIn,
    Deposit,
    FillTray,
    HireStaff,
    InstallTable,
    RegisterPlayer,
    StaffRole,
)
from fourcard.house.desk import Desk
from fourcard.house.outcome import STAFF, player_stream, table_stream
from fourcard.house.ports import SeededEntropy, SimulatedClock
from fourcard.house.rehearsal import CREW, FLOAT, next_between
from fourcard.house.store.memory import MemoryStore
from fourcard.house.table_book import TableBook
from fourcard.progressive.picturing import next_due
from fourcard.progressive.telling import ConsoleNarrator
from fourcard.round.commands import Deal, PlaceWager, Play, TakeSeat
from fourcard.round.delivering import upcoming
from fourcard.round.due import deciders
from fourcard.round.state import RoundState
from fourcard.table.commands import BeginRound
from fourcard.table.croupier import act_due
from fourcard.wording import Sentence

TABLE = "practice"
PURSE = 1_000_000_00
STACK = 5_000_00
PLAYERS = ("ann", "bob", "cal", "dot", "eli", "fay", "gus")
STAFF_ROLES: Mapping[str, tuple[StaffRole, ...]] = {
    "dana": ("dealer",),
    "finn": ("floorperson",),
    "sue": ("supervisor",),
    "eve": ("executive",),
    "dale": ("dealer", "supervisor"),
}
"""The staff of the practice table; Dale is both dealer and supervisor."""


class Crew:
    """The staff of the practice table, found by name or by role."""

    def __init__(self) -> None:
        """Index the staff by name, and the first of each role by the role."""
        self.people = {name: Actor(name, "staff", roles) for name, roles in STAFF_ROLES.items()}
        self.by_role = {actor.roles[0]: actor for actor in reversed(self.people.values())}

    def called(self, word: str) -> Actor:
        """Return the person with a name or role."""
        found = self.people.get(word) or next((each for r, each in self.by_role.items() if r == word), None)
        if found is None:
            named = ", ".join(f"{name} ({' and '.join(roles)})" for name, roles in STAFF_ROLES.items())
            raise BadInputError(f"Nobody here has the name or role '{word}'; there are {named}.")
        return found

    def known(self) -> Sequence[tuple[str, Actor]]:
        """Return the people with one role, each with that role."""
        return [(role, self.by_role[role]) for role in ("dealer", "floorperson", "supervisor", "executive")]


def house_in_memory(seed: int) -> Desk:
    """Return the desk of a house in memory, with a simulated clock and seeded entropy."""
    return Desk(MemoryStore(), SimulatedClock(), SeededEntropy(seed))


class PracticeTable:
    """A table with bots at some positions and stacked decks."""

    def __init__(self, desk: Desk, submission: str, seats: Sequence[int]) -> None:
        """Hire the staff of an empty house and open a table in it for the text of a submission."""
        self.desk = desk
        self.desk.do(STAFF, HireStaff(person=CREW.person, name="Crew", roles=CREW.roles), CREW)
        for person, roles in STAFF_ROLES.items():
            self.desk.do(STAFF, HireStaff(person=person, name=person.title(), roles=roles), CREW)
        self._do(InstallTable(submission=submission, cards="keyed"))
        self.at = AtConsole(self.desk, TABLE, self.desk.do)
        most = self.at.look()[1].game.submission.positions.at_table
        self.players = {seat: PLAYERS[seat - 1] for seat in seats if seat <= most}
        self._lesson: Lesson | None = None
        self._cards: list[int] = []
        self._wagers: list[PlaceWager] = []
        for player in self.players.values():
            self.desk.do(player_stream(player), RegisterPlayer(name=player), CREW)
            self.desk.do(player_stream(player), Deposit(cents=PURSE, role="supervisor"), CREW)
        self._open()

    def _open(self) -> None:
        """Open the table and seat everybody, without narration."""
        self._do(FillTray(cents=FLOAT, slip="F1", role="supervisor"))
        while self.at.look()[1].phase == "closed":
            self._do(next_between(self.at.look()[0]))
        for position, player in self.players.items():
            bot = Actor(player, "player")
            self.desk.do(table_stream(TABLE), BuyIn(player=player, cents=STACK), bot)
            self.desk.do(table_stream(TABLE), TakeSeat(position=position, player=player), bot)

    def _do(self, command: Any, actor: Actor = CREW) -> Sequence[object]:
        return self.desk.do(table_stream(TABLE), command, actor).events

    def begin(self, lesson: Lesson) -> None:
        """Deal the next round as the lesson says."""
        self._lesson = lesson

    def advance(self) -> Iterator[list[Sentence]]:
        """Run automatic steps until the console must be used or there is no game left to deal."""
        while (step := self._next()) is not None:
            _, state, console = self.at.look()
            yield ConsoleNarrator(console, state).tell(self._do(*step))

    def _next(self) -> tuple[Any, Actor] | None:
        """Return the next automatic command and its actor, or None if the console must be used."""
        book, state, console = self.at.look()
        if state.round is not None and self._wagers and state.round.phase == "betting":
            wager = self._wagers.pop(0)
            return wager, Actor(wager.by, "player")
        if next_due(console, state) is not None:
            return None
        return self._in_round(book, state.round) if state.round is not None else self._between(book)

    def _between(self, book: TableBook) -> tuple[Any, Actor] | None:
        """Return the next command between rounds: fills and buy-ins, deck steps, then the round."""
        if book.cents(book.names.tray) < FLOAT // 4:
            return FillTray(cents=FLOAT, slip="F2", role="supervisor"), CREW
        for player in self.players.values():
            if book.chips(player) < STACK // 4:
                return BuyIn(player=player, cents=STACK), Actor(player, "player")
        command = next_between(book)
        if not isinstance(command, BeginRound):
            return command, CREW
        if self._lesson is None:
            return None
        self._lay(self._lesson)
        self._lesson = None
        return command, CREW

    def _lay(self, lesson: Lesson) -> None:
        """Stack the deck for a lesson and prepare the bots' wagers."""
        _, state, console = self.at.look()
        used = {card for cards in lesson.hands.values() for card in cards}
        deal = state.rules.plan(self.players)
        self._cards = [*stacked(deal, lesson.hands, [card for card in DECK if card not in used])]
        choice, linked = state.game.submission.progressive, console.linked and not self.at.meter.closed
        ante = int(state.game.submission.limits.posted["ante"].least)
        for position, player in self.players.items():
            self._wagers.append(_wager(position, player, "ante", ante))
            if position in lesson.chips and linked and choice is not None and choice.stakes:
                self._wagers.append(_wager(position, player, "progressive", int(choice.stakes[0])))

    def _in_round(self, book: TableBook, under_way: RoundState) -> tuple[Any, Actor]:
        act = act_due(book.state)
        if act is None:
            place = under_way.places[deciders(under_way)[0]]
            play = Play(position=place.position, amount=place.wagers["ante"], by=place.player, role="player")
            return play, Actor(place.player, "player")
        if isinstance(act, Deal):
            count = upcoming(under_way).count
            act, self._cards = replace(act, cards=tuple(self._cards[:count])), self._cards[count:]
        return act, CREW


def _wager(position: int, player: str, wager: Any, amount: int) -> PlaceWager:
    return PlaceWager(position=position, wager=wager, amount=amount, by=player, role="player")
