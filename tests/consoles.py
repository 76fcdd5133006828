"""Tables with a console in a house: its crew of separate people, its players, and wins that wait for them."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from fourcard.house import accounts
from fourcard.house.actors import Actor
from fourcard.house.commands import HireStaff, InstallTable
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import STAFF, meter_stream, table_stream
from fourcard.house.rehearsal import known_deck
from fourcard.house.requests import Answer
from fourcard.meter import UNITS_PER_CENT
from fourcard.progressive import console as consoles
from fourcard.progressive.commands import Press, PressHand, SelectSpot, SwipeCard, TurnKey
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, Deal, Perform, PlaceWager, Play
from fourcard.round.delivering import upcoming
from fourcard.round.due import deciders
from fourcard.round.events import AwardPaid
from fourcard.round.state import RoundState
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.table.commands import BeginRound
from fourcard.table.croupier import act_due, preparation
from fourcard.table.state import TableState
from tests.houses import TestHouse, player
from tests.support import by_clause, plain
from tests.table import stack

PRIZES, TRAY = accounts.prizes("main"), accounts.tray("main")
DEALER = Actor("dora", "staff", ("dealer",))
FLOORPERSON = Actor("fred", "staff", ("floorperson",))
SUPERVISOR = Actor("susan", "staff", ("supervisor",))
EXECUTIVE = Actor("edith", "staff", ("executive",))
PEOPLE = (DEALER, FLOORPERSON, SUPERVISOR, EXECUTIVE)
BY_ROLE: dict[str, Actor] = {
    "dealer": DEALER,
    "floorperson": FLOORPERSON,
    "supervisor": SUPERVISOR,
    "casino-supervisor": SUPERVISOR,
    "executive": EXECUTIVE,
}
"""Who acts in a role unless a test names somebody else."""


class Setup(NamedTuple):
    """A console of a rulebook: an example submission, and what is changed in it."""

    name: str
    example: str
    kind: ConsoleKind
    changes: Mapping[str, object]

    def __str__(self) -> str:
        """Name the setup in the id of a test."""
        return self.name

    @property
    def text(self) -> str:
        """Return the submission as the text of its file."""
        document = plain(self.example, **self.changes)
        return "\n".join(f"{key} = {_inline(value)}" for key, value in document.items())

    def but(self, name: str, **changes: object) -> "Setup":
        """Return the same console with more changed."""
        return self._replace(name=f"{self.name} {name}", changes={**self.changes, **changes})


KEYPAD_PARTS = {
    "Game Manager": "v6.6 Build 520",
    "Aquarius Controller": "v6.5.6SP",
    "Coin Spot": "v6.0",
    "ViPS": "v1.2.0",
}
PADS: dict[str, object] = {"progressive__console": "keypad", "progressive__components": KEYPAD_PARTS}
TABLE_A: dict[str, object] = {
    "wagers__progressive": "A",
    "progressive__envy": "A",
    "progressive__seed": "$5,000",
    "progressive__reset": "$5,000",
}
ON_KEYPAD, ON_TOUCH = {"progressive__console": "keypad"}, {"progressive__console": "touch"}
SM = Setup("SM keypad", "shuffle-master-everything", "keypad", {})
WA_KEYPAD = Setup("WA keypad", "washington-everything", "keypad", PADS)
WA_TOUCH = Setup("WA touch", "washington-everything", "touch", {"progressive__executive_threshold": "$9,000"})
MD_KEYPAD = Setup("MD keypad", "maryland-everything", "keypad", {**TABLE_A, **ON_KEYPAD})
MD_TOUCH = Setup("MD touch", "maryland-everything", "touch", {**TABLE_A, **ON_TOUCH})
MA_KEYPAD = Setup("MA keypad", "massachusetts-everything", "keypad", ON_KEYPAD)
MA_TOUCH = Setup("MA touch", "massachusetts-everything", "touch", ON_TOUCH)
"""The executive's level of Washington's touch display lies above what its meter shows, unless changed."""

STARTS = {"keypad": Press(button="coin_in"), "touch": Press(button="start_game")}
ENDS = {"keypad": Press(button="game_over"), "touch": Press(button="end_game")}
JPH = TurnKey(to="jph", role="supervisor")
J_POT = Press(button="j_pot", role="supervisor")
RUN = TurnKey(to="run", role="supervisor")
CONFIRM = Press(button="confirm", role="supervisor")
SWIPE = SwipeCard(role="supervisor")
CONFIRMING: dict[ConsoleKind, tuple[Any, ...]] = {"keypad": (JPH, J_POT, RUN), "touch": (CONFIRM, SWIPE)}
"""What a supervisor does once the dealer has marked a win."""

FOUR_ACES = "As Ah Ad Ac 2c"
FOUR_EIGHTS = "8s 8h 8d 8c 3c"
STRAIGHT_FLUSH = "Qd Jd Td 9d 4h"
THREE_SEVENS = "7s 7h 7d Kc 2d"
THREE_SIXES = "6s 6h 6d Qc 3d"
NOTHING = "Ks Qh 6c 5d 2h"
NOTHING_ELSE = "Kh Jh 7c 4c 3s"
DEALERS_HAND = "5s 5h Jc Tc 9c 4d"
ACES_ALONE = {1: FOUR_ACES, 2: NOTHING, 3: NOTHING_ELSE}
SEVENS_ALONE = {**ACES_ALONE, 1: THREE_SEVENS}


class ConsoleTable:
    """A table of a house with a round open for wagers, whose cards are keyed in."""

    name = "main"

    def __init__(
        self, setup: Setup, hands: Mapping[int, str] = ACES_ALONE, house: TestHouse | None = None
    ) -> None:
        """Employ a crew, set the table up, seat a player at each position that will have a hand."""
        self.setup, self.kind = setup, setup.kind
        self.house, self.positions = house or TestHouse(), tuple(sorted({*hands} - {0}))
        self.house.staff()
        for each in PEOPLE:
            self.house.do(STAFF, HireStaff(person=each.person, name=each.person.title(), roles=each.roles))
        self.players = {position: f"p{position}" for position in self.positions}
        self.house.register(*self.players.values())
        self.house.at(self.name, InstallTable(submission=setup.text, cards="keyed"))
        self.house.open(self.name)
        self.house.seat(self.name, [*self.players.values()])
        self.begin(hands)

    def begin(self, hands: Mapping[int, str] = ACES_ALONE) -> None:
        """Make the cards ready and open a round that will deal these hands if everybody wagers."""
        known = {0: DEALERS_HAND, **hands}
        self._left = [*stack(self.table.game, known, self.positions)]
        while self.table.agenda:
            self.do(replace(preparation(self.table, known_deck), order=None))
        self.do(BeginRound())

    @property
    def table(self) -> TableState:
        """Return the table as the game knows it."""
        return self.house.book(self.name).state

    @property
    def round(self) -> RoundState:
        """Return the round under way."""
        assert self.table.round is not None
        return self.table.round

    @property
    def console(self) -> consoles.Console:
        """Return the console."""
        found = self.house.book(self.name).console
        assert found is not None
        return found

    @property
    def meter(self) -> MeterBook:
        """Return the meter as the Game Manager knows it."""
        return self.house.desk.library.meter(self.name)

    @property
    def lights(self) -> dict[int, str]:
        """Return the sensors that are lit, by position."""
        every = consoles.lights(self.console, self.table)
        return {position: light for position, light in every.items() if light != "off"}

    @property
    def prize(self) -> int | None:
        """Return what the Game Manager's monitor shows as due."""
        return consoles.prize(self.console, self.table.game)

    def won(self, position: int) -> list[tuple[str, int]]:
        """Return the progressive awards that a player was paid: the account of each, and its cents."""
        name = accounts.chips(self.name, self.players[position])
        with self.house.store.reading() as reading:
            paid = [each for each in reading.transfers(name) if (each.what, each.taker) == ("pay", name)]
        return [(each.giver, each.amount // UNITS_PER_CENT) for each in paid if each.wager == "progressive"]

    def account(self, name: str) -> int:
        """Return the cents of an account."""
        return self.house.balances().get(name, 0) // UNITS_PER_CENT

    def do(self, command: Any, who: Actor | None = None) -> Answer:
        """Do something at the table: by who acts in the command's role, or by somebody else."""
        return self.house.at(self.name, command, who or BY_ROLE[command.role])

    def refused(self, command: Any, who: Actor | None = None) -> Refusal:
        """Return the refusal of a command, which must leave everything as it was."""
        return self.house.refused(table_stream(self.name), command, who or BY_ROLE[command.role])

    def manage(self, command: Any, who: Actor | None = None) -> Answer:
        """Do something at the Game Manager."""
        return self.house.do(meter_stream(self.name), command, who or BY_ROLE[command.role])

    def not_managed(self, command: Any, who: Actor | None = None) -> Refusal:
        """Return the refusal of something at the Game Manager."""
        return self.house.refused(meter_stream(self.name), command, who or BY_ROLE[command.role])

    def wager(self, position: int, wager: str = "progressive", amount: int = 100, **more: Any) -> PlaceWager:
        """Return a wager at a position."""
        return PlaceWager(position=position, wager=wager, amount=amount, **more)  # type: ignore[arg-type]

    def bet(self, progressive: tuple[int, ...] | None = None, stake: int = 100) -> None:
        """Lay an Ante at every position, and a progressive chip at every one or at some."""
        ante = int(self.table.game.submission.limits.posted["ante"].least)
        chips = self.positions if progressive is None else progressive
        for position, who in self.players.items():
            self.do(self.wager(position, "ante", ante), player(who))
            if position in chips:
                self.do(self.wager(position, amount=stake), player(who))

    def start(self) -> Answer:
        """Close the wagers by the button that starts a game, announced before where that is a step."""
        rules = self.round.rules
        if rules.locks_by_step and "announce_no_more_bets" in rules.dealing.before_cards:
            self.do(Perform(step="announce_no_more_bets"))
        return self.do(STARTS[self.kind])

    def step(self) -> Answer:
        """Do the next thing that is not done on the console: an act of the dealer, or a player's Play."""
        act = act_due(self.table)
        if act is None:
            position = deciders(self.round)[0]
            place = self.round.places[position]
            return self.do(Play(position=position, amount=place.wagers["ante"]), player(place.player))
        if isinstance(act, Deal):
            count = upcoming(self.round).count
            act, self._left = Deal(cards=tuple(self._left[:count])), self._left[count:]
        return self.do(act)

    def to_award(self) -> int:
        """Go on to the moment at which an award waits, and return the position of its winner."""
        if self.round.stakes is None:
            self.start()
        while self.round.awaiting is None:
            self.step()
        return self.round.awaiting.position

    def mark(self, hand: str | None = None) -> Answer:
        """Let the dealer mark the winner that waits, with the right button unless told."""
        step = self.round.awaiting
        assert step is not None
        if self.kind == "touch":
            self.do(SelectSpot(position=step.position))
        return self.do(PressHand(hand=hand or step.row or step.hand))

    def confirm(self, role: ActorRole = "supervisor") -> Answer:
        """Let somebody do everything that confirms a marked win, and return the last answer."""
        *_, last = [self.do(replace(motion, role=role)) for motion in CONFIRMING[self.kind]]
        return last

    def finish(self, role: ActorRole = "supervisor") -> list[AwardPaid]:
        """Play the round to its end, every win marked and confirmed, and return the awards that were paid."""
        paid: list[AwardPaid] = []
        if self.round.stakes is None:
            self.start()
        while self.table.round is not None:
            if self.table.round.awaiting is not None:
                self.mark()
                paid += awards(self.confirm(role))
            else:
                self.step()
        return paid

    def end(self) -> Answer:
        """Press the button that ends the game."""
        return self.do(ENDS[self.kind])

    def balanced(self) -> bool:
        """Say whether no unit of the meter, and no cent of the house, is unaccounted for."""
        meter, totals = self.meter.meter, self.meter.totals
        came, is_there = totals.seeded + totals.contributed + totals.adjusted, meter.amount + meter.reserve
        return is_there + totals.paid == came and sum(self.house.balances().values()) == 0


def at_award(setup: Setup, hands: Mapping[int, str] = ACES_ALONE) -> ConsoleTable:
    """Return a table at which everybody made the progressive wager and the first award waits."""
    at = ConsoleTable(setup, hands)
    at.bet()
    at.to_award()
    return at


def awards(answer: Answer) -> list[AwardPaid]:
    """Return the awards that an answer paid."""
    return [event for event in answer.events if isinstance(event, AwardPaid)]


def on_consoles(
    sm: str = "", wa_keypad: str = "", wa_touch: str = "", md: str = "P32", ma: str = "P32"
) -> list[Any]:
    """Return a parameter for every console, or those of one kind, each claiming its own rulebook's clause."""
    keypads = ((sm, SM), (wa_keypad, WA_KEYPAD), (md, MD_KEYPAD), (ma, MA_KEYPAD)) if sm else ()
    displays = ((wa_touch, WA_TOUCH), (md, MD_TOUCH), (ma, MA_TOUCH)) if wa_touch else ()
    return by_clause(*keypads, *displays)


def _inline(value: object) -> str:
    """Return a value of plain data as such a file has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)
