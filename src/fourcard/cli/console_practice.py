"""Console practice: a trainee drives the console through practice games and gets a report."""

from collections.abc import Iterator
from random import Random, SystemRandom

from fourcard.cli.console_driving import Driver, roles
from fourcard.cli.console_language import CONSOLE, PRACTICE
from fourcard.cli.console_lessons import Lesson, Lessons
from fourcard.cli.console_screen import ConsoleScreen
from fourcard.cli.console_table import STAFF_ROLES, Crew, PracticeTable, house_in_memory
from fourcard.cli.playing_screen import LeaveTableError
from fourcard.errors import BadInputError
from fourcard.refusals import Refusal, RefusedError
from fourcard.rules.game import Game

SEATS = (1, 2, 3, 5, 6)


class Practice:
    """One practice session."""

    def __init__(self, submission: str, screen: ConsoleScreen, games: int, seed: int | None = None) -> None:
        """Open a table for a submission; the same seed deals the same games."""
        chance = Random(seed) if seed is not None else SystemRandom()
        self.table = PracticeTable(house_in_memory(seed or 0), submission, SEATS)
        self.screen, self.games = screen, games
        crew = Crew()
        self.driver = Driver(self.table.at, crew, screen, (*CONSOLE, *PRACTICE), crew.called("dealer"))
        self.lessons: Iterator[Lesson] = Lessons(self._game, tuple(self.table.players), chance).games()
        self.played = self.motions = 0
        self.mistakes: dict[Refusal, int] = {}

    @property
    def _game(self) -> Game:
        return self.table.at.look()[1].game

    def run(self) -> None:
        """Practise until all games are played or the trainee leaves, then print the report."""
        self.screen.opening(self._game, self.table.at.look()[2].kind, STAFF_ROLES)
        try:
            while self.played < self.games:
                self._play()
        except LeaveTableError:
            pass
        self.screen.report(self.played, self.motions, self.mistakes)

    def _play(self) -> None:
        """Play one game: the trainee drives the console, and everything else is automatic."""
        self.screen.game(self.played + 1, self.table.at.meter.displayed)
        self.table.begin(next(self.lessons))
        self._advance()
        self.driver.line("show")
        while self.table.at.picture().next is not None:
            self._line(self.screen.ask(f"{self.driver.actor.person} ({roles(self.driver.actor)}):"))
            self._advance()
        self.played += 1

    def _line(self, text: str) -> None:
        """Run one line; a refusal is printed with its clauses and counts as a mistake."""
        try:
            self.motions += self.driver.line(text)
        except RefusedError as error:
            known = next((each for each in self.mistakes if each.code is error.refusal.code), error.refusal)
            self.mistakes[known] = self.mistakes.get(known, 0) + 1
            self.screen.refuse(error.refusal.message, error.refusal.clauses)
        except BadInputError as error:
            self.screen.refuse(str(error))

    def _advance(self) -> None:
        for sentences in self.table.advance():
            self.screen.tell(sentences)
