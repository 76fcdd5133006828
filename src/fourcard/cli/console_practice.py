"""Console practice: stacked games at a table in memory, driven by a trainee."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.bonus_hands import rank_five
from fourcard.cards import DECK, RANKS
from fourcard.cli.console_session import (
    CONSOLE_PHRASES,
    PRACTICE_PHRASES,
    ConsoleRepl,
    ConsoleSession,
    roles_text,
)
from fourcard.cli.console_view import ConsoleScreen
from fourcard.cli.play_view import LeaveTableError
from fourcard.dealing import stack_deck
from fourcard.hands import ACE, DEALER_CARDS, PLAYER_CARDS, best_hand
from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import BOT_CENTS, BOT_STAFF, TableBots
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.commands import Deposit, HireStaff, InstallTable, RegisterPlayer, StaffRole
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.route_command import Request
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.sealing import KEY_BYTES, StoreKey
from fourcard.money import Odds, OddsKind
from fourcard.narration import Sentence
from fourcard.progressive.console_view import next_console_step
from fourcard.progressive.narrate import ConsoleNarrator
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.round.commands import PlaceWager, PlaceWagers
from fourcard.rules.clauses import settings
from fourcard.rules.game import Game
from fourcard.rules.loading import rulebook
from fourcard.rules.rulebook import ConsoleKind, ProgressiveWager, Rulebook
from fourcard.rules.submission import examples, fullest_examples, read_submission, submission_named
from fourcard.settlers.showdown import DEALER
from fourcard.settlers.wager_settler import best_row, odds_by_row
from fourcard.table.autopilot import with_cards
from fourcard.table.bots import BotPolicy
from fourcard.table.commands import BeginRound
from fourcard.table.state import TableState


def practice_submission(named: str, console: ConsoleKind | None, *, every_win: bool = False) -> str:
    """Return the text of a submission, a file or an example, with the wanted console.

    With ``every_win`` all wins are confirmed where a house may choose it, so that every button is practised.
    """
    submission_named(named)
    path = Path(named) if Path(named).is_file() else examples()[named]
    raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    chosen_rulebook = rulebook(raw["rulebook"], raw.get("edition"))
    choice, rules = raw.get("progressive"), chosen_rulebook.wagers.progressive
    if choice is None or rules is None or "progressive" not in raw["wagers"]:
        raise RefusedError(refuse(Code.NO_CONSOLE))
    if console is not None and choice.get("console", "keypad") != console:
        _set_console(choice, chosen_rulebook, rules, console)
    _, confirm = settings()["confirm"]
    if every_win and confirm.open_in(chosen_rulebook.id):
        raw["settings"] = {**raw.get("settings", {}), "confirm": "every_win"}
    return to_toml(raw)


def example_of(rulebook_id: str | None, console: ConsoleKind | None) -> str:
    """Return the fullest example of a rulebook, by default of the first that chooses the wanted console."""
    fullest = fullest_examples()
    if rulebook_id is None:
        links = {path: read_submission(path).progressive for path in fullest.values()}
        wanted = console or "keypad"
        return next(path.stem for path, link in links.items() if link is not None and link.console == wanted)
    name = rulebook(rulebook_id).id
    if name not in fullest:
        raise RefusedError(refuse(Code.EXAMPLE_UNKNOWN, name=name, known=", ".join(examples())))
    return fullest[name].stem


def _set_console(
    choice: dict[str, Any], rulebook: Rulebook, rules: ProgressiveWager, console: ConsoleKind
) -> None:
    """Set the console and what its rulebook requires: approved components and the executive threshold."""
    choice["console"] = console
    approved = rules.components.get(console, {}) if console in rulebook.consoles else {}
    choice["components"] = {name: part.version or "v1" for name, part in approved.items()}
    level = rules.executive_threshold
    if level is not None and level.value == console:
        choice.setdefault("executive_threshold", choice.get("seed", "$5,000"))


def to_toml(document: dict[str, Any]) -> str:
    """Return plain data as the TOML text of a submission."""
    return "\n".join(f"{json.dumps(key)} = {_inline(value)}" for key, value in document.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_inline(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value, ensure_ascii=False, default=str)


MAX_DRAWS = 10_000
"""The most draws to make a wanted hand."""


class Lesson(msgspec.Struct, frozen=True):
    """One practice game: the cards of each position, the dealer's at 0, and the positions with a chip."""

    hands: Mapping[int, Sequence[int]]
    chips: frozenset[int]


class LessonMaker:
    """Makes practice games for one paytable and some positions."""

    def __init__(self, game: Game, seats: Sequence[int], chance: Random) -> None:
        """Take the game, the occupied positions, and a random generator."""
        table = game.tables["progressive"]
        self.pays: dict[str, Odds] = odds_by_row(table)
        self.hand_size = table.cards
        """The number of cards in a hand of the paytable."""
        self.seats, self.chance = tuple(seats), chance

    def games(self) -> Iterator[Lesson]:
        """Yield games without end: first every kind in order of difficulty, then in random order."""
        kinds = self.kinds()
        while True:
            yield from map(self.lesson, kinds)
            self.chance.shuffle(kinds)

    def kinds(self) -> list[tuple[str, ...]]:
        """Return the kinds of games, each as the rows that win in it."""
        meter = [row for row, odds in self.pays.items() if odds.kind is OddsKind.METER]
        fixed = [row for row in self.pays if row not in meter]
        whole = [row for row in meter if self.pays[row].value == 1]
        alone = [(row,) for row in (*fixed[-1:], *fixed[:1], *(row for row in meter if row not in whole))]
        two = [(whole[0], fixed[0]) if whole and fixed else (*self.pays,)[:2]]
        return [*dict.fromkeys([*alone[:1], (), *alone[1:], *two, *((row,) for row in whole)])]

    def lesson(self, rows: Sequence[str]) -> Lesson:
        """Return a game in which these rows win; one position never has a chip."""
        places = self.chance.sample(self.seats, len(self.seats))
        idle, *others = places
        used, hands = set[int](), dict[int, tuple[int, ...]]()
        for place, row in zip(others, rows, strict=False):
            hands[place] = self._draw_hand(row, used)
        tempting = [*self.pays][-1] if not rows else None
        for place in (idle, *others[len(rows) :], DEALER):
            hands[place] = self._draw_hand(tempting if place == idle else None, used, place)
        return Lesson(hands, frozenset(others))

    def _draw_hand(self, row: str | None, used: set[int], place: int = 1) -> tuple[int, ...]:
        """Draw a hand that wins exactly this row, or no row, from the remaining cards."""
        size = DEALER_CARDS if place == DEALER else PLAYER_CARDS
        for _ in range(MAX_DRAWS):
            made = self._likely_cards(row) if row is not None else []
            left = [card for card in DECK if card not in used and card not in made]
            cards = (*made, *self.chance.sample(left, size - len(made)))
            fits = len({*cards}) == size and used.isdisjoint(cards)
            if fits and (place == DEALER or self._row(cards) == row):
                used.update(cards)
                return cards
        hand = "no award" if row is None else row.replace("_", " ")
        raise BadInputError(f"No hand for {hand} can be dealt with this paytable, so it cannot be practised.")

    def _row(self, cards: Sequence[int]) -> str | None:
        """Return the row that cards win."""
        rows = rank_five(cards).rows if self.hand_size == PLAYER_CARDS else best_hand(cards).rows
        return best_row(self.pays, rows)

    def _likely_cards(self, row: str) -> list[int]:
        """Return cards that probably make a row; the caller checks them."""
        one, two = self.chance.sample(range(ACE), 2)
        top = len(RANKS) - self.hand_size
        low = top if row == "royal_flush" else self.chance.randrange(top + 1)
        if row.endswith(("straight", "straight_flush", "royal_flush")):
            return self._run(low, suited=row != "straight")
        if row == "flush":
            suit = self.chance.randrange(4)
            return [4 * rank + suit for rank in self.chance.sample(range(len(RANKS)), self.hand_size)]
        groups = {
            "four_aces": ((ACE, 4),),
            "four_of_a_kind": ((one, 4),),
            "full_house": ((one, 3), (two, 2)),
            "three_of_a_kind": ((one, 3),),
            "two_pair": ((one, 2), (two, 2)),
            "pair_of_aces": ((ACE, 2),),
        }
        return [*chain.from_iterable(self._alike(*group) for group in groups.get(row, ((one, 2),)))]

    def _alike(self, rank: int, many: int) -> list[int]:
        return [4 * rank + suit for suit in self.chance.sample(range(4), many)]

    def _run(self, low: int, *, suited: bool) -> list[int]:
        suit = self.chance.randrange(4)
        ranks = range(low, low + self.hand_size)
        return [4 * rank + (suit if suited else self.chance.randrange(4)) for rank in ranks]


PRACTICE_TABLE = "practice"
PLAYERS = ("ann", "bob", "cal", "dot", "eli", "fay", "gus")
STAFF_ROLES: Mapping[str, tuple[StaffRole, ...]] = {
    "dana": ("dealer",),
    "finn": ("floorperson",),
    "sue": ("supervisor",),
    "eve": ("executive",),
    "dale": ("dealer", "supervisor"),
}
"""The staff of the practice table; Dale is both dealer and supervisor."""


class PracticeStaff:
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


def house_in_memory(seed: int) -> CommandService:
    """Return the command service of a house in memory, with a simulated clock and seeded entropy."""
    store = MemoryStore()
    store.key = StoreKey(bytes(KEY_BYTES))
    return CommandService(store, SimulatedClock(), SeededEntropy(seed))


class PracticeTable:
    """A table with bots at some positions and stacked decks."""

    def __init__(self, service: CommandService, submission: str, seats: Sequence[int]) -> None:
        """Hire the staff of an empty house and open a table in it for the text of a submission."""
        self.service = service
        self.service.do(
            STAFF, HireStaff(person=BOT_STAFF.person, name="Crew", roles=BOT_STAFF.roles), BOT_STAFF
        )
        for person, roles in STAFF_ROLES.items():
            self.service.do(STAFF, HireStaff(person=person, name=person.title(), roles=roles), BOT_STAFF)
        self.service.do(
            table_stream(PRACTICE_TABLE), InstallTable(submission=submission, cards="keyed"), BOT_STAFF
        )
        self.at = ConsoleSession(self.service, PRACTICE_TABLE, self.service.do)
        most = self.at.current()[1].game.submission.positions.at_table
        self.players = {seat: PLAYERS[seat - 1] for seat in seats if seat <= most}
        self._bots = TableBots(PRACTICE_TABLE, self.players, BotPolicy())
        self._lesson: Lesson | None = None
        self._deck: Sequence[int] = ()
        for player in self.players.values():
            self.service.do(player_stream(player), RegisterPlayer(name=player), BOT_STAFF)
            self.service.do(player_stream(player), Deposit(cents=BOT_CENTS, role="supervisor"), BOT_STAFF)
        while len(self.at.current()[1].seats) < len(self.players):
            self._do(self._bots.next(self.at.current()[0]))

    def _do(self, request: Request) -> Sequence[object]:
        return self.service.do(request.stream, request.command, request.actor).events

    def begin(self, lesson: Lesson) -> None:
        """Deal the next round as the lesson says."""
        self._lesson = lesson

    def advance(self) -> Iterator[list[Sentence]]:
        """Run automatic steps until the console must be used or there is no game left to deal."""
        while (request := self._next()) is not None:
            _, state, console = self.at.current()
            yield ConsoleNarrator(console, state).narrate(self._do(request))

    def _next(self) -> Request | None:
        """Return the next automatic request, or None if the console must be used."""
        table, state, console = self.at.current()
        request = self._bots.next(table, closed_reason=self.at.meter.closed_reason)
        if isinstance(request.command, BeginRound):
            if self._lesson is None:
                return None
            self._prepare(self._lesson, state)
            self._lesson = None
        elif next_console_step(console, state) is not None and not isinstance(
            request.command, PlaceWager | PlaceWagers
        ):
            return None
        return replace(request, command=with_cards(state, request.command, self._deck))

    def _prepare(self, lesson: Lesson, state: TableState) -> None:
        """Stack the deck for a lesson; bots place the Ante and the lesson's chips, and play 1x."""
        used = {card for cards in lesson.hands.values() for card in cards}
        left = [card for card in DECK if card not in used]
        self._deck = stack_deck(state.rules.plan(self.players), lesson.hands, left)
        self._bots.policy = BotPolicy(
            lambda wager, _number: (
                wager.wager == "ante" or (wager.wager == "progressive" and wager.position in lesson.chips)
            ),
            lambda _spot: 1,
        )


SEATS = (1, 2, 3, 5, 6)


class PracticeSession:
    """One practice session."""

    def __init__(self, submission: str, screen: ConsoleScreen, games: int, seed: int | None = None) -> None:
        """Open a table for a submission; the same seed deals the same games."""
        chance = Random(seed) if seed is not None else SystemRandom()
        self.table = PracticeTable(house_in_memory(seed or 0), submission, SEATS)
        self.screen, self.games = screen, games
        staff = PracticeStaff()
        self.driver = ConsoleRepl(
            self.table.at, staff, screen, (*CONSOLE_PHRASES, *PRACTICE_PHRASES), staff.called("dealer")
        )
        self.lessons: Iterator[Lesson] = LessonMaker(self._game, tuple(self.table.players), chance).games()
        self.played = self.motions = 0
        self.mistakes: dict[Refusal, int] = {}

    @property
    def _game(self) -> Game:
        return self.table.at.current()[1].game

    def run(self) -> None:
        """Practise until all games are played or the trainee leaves, then print the report."""
        self.screen.opening(self._game, self.table.at.current()[2].kind, STAFF_ROLES)
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
        self.driver.run_line("show")
        while self.table.at.picture().next is not None:
            self._line(self.screen.ask(f"{self.driver.actor.person} ({roles_text(self.driver.actor)}):"))
            self._advance()
        self.played += 1

    def _line(self, text: str) -> None:
        """Run one line; a refusal is printed with its clauses and counts as a mistake."""
        try:
            self.motions += self.driver.run_line(text)
        except RefusedError as error:
            known = next((each for each in self.mistakes if each.code is error.refusal.code), error.refusal)
            self.mistakes[known] = self.mistakes.get(known, 0) + 1
            self.screen.refuse(error.refusal.message, error.refusal.clauses)
        except BadInputError as error:
            self.screen.refuse(str(error))

    def _advance(self) -> None:
        for sentences in self.table.advance():
            self.screen.tell(sentences)
