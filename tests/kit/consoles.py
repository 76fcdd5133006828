"""Console tables for tests: a house with a crew, players, and wins that wait for confirmation."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.house.auth.identity import Actor
from fourcard.house.commands import HireStaff, InstallTable
from fourcard.house.decision import STAFF, game_of_submission, meter_stream, table_stream
from fourcard.house.meter_state import MeterState
from fourcard.house.route_command import CommandResult
from fourcard.meter import UNITS_PER_CENT
from fourcard.progressive import console as consoles
from fourcard.progressive.console import Press, PressHand, SelectSpot, SwipeCard, TurnKey
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, Perform, PlaceWager, Play
from fourcard.round.events import AwardPaid
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.rulebook import ConsoleKind
from fourcard.table.autopilot import next_command, next_preparation, with_cards
from fourcard.table.commands import BeginRound
from fourcard.table.state import TableState
from tests.kit.houses import TestHouse, player
from tests.kit.support import by_clause, game_under, plain
from tests.kit.tables import stack

PRIZES, TRAY = ledger.prizes_account("main"), ledger.tray_account("main")
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
"""The default actor of each role."""


class ConsoleSetup(msgspec.Struct, frozen=True):
    """A console of a rulebook: an example submission with changes."""

    name: str
    example: str
    kind: ConsoleKind
    changes: Mapping[str, object]

    def __str__(self) -> str:
        """Return the name, for the ids of tests."""
        return self.name

    @property
    def text(self) -> str:
        """Return the submission as TOML."""
        document = plain(self.example, **self.changes)
        return "\n".join(f"{key} = {_inline(value)}" for key, value in document.items())

    def but(self, name: str, **changes: object) -> "ConsoleSetup":
        """Return the same console with more changes."""
        return replace(self, name=f"{self.name} {name}", changes={**self.changes, **changes})


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
EVERY_WIN = {"settings__confirm": "every_win"}
"""What lets awards wait that the tray pays (R61)."""
SM = ConsoleSetup("SM keypad", "shuffle-master-everything", "keypad", EVERY_WIN)
WA_KEYPAD = ConsoleSetup("WA keypad", "washington-everything", "keypad", {**PADS, **EVERY_WIN})
WA_TOUCH = ConsoleSetup(
    "WA touch",
    "washington-everything",
    "touch",
    {"progressive__executive_threshold": "$9,000", **EVERY_WIN},
)
MD_KEYPAD = ConsoleSetup("MD keypad", "maryland-everything", "keypad", {**TABLE_A, **ON_KEYPAD})
MD_TOUCH = ConsoleSetup("MD touch", "maryland-everything", "touch", {**TABLE_A, **ON_TOUCH})
MA_KEYPAD = ConsoleSetup("MA keypad", "massachusetts-everything", "keypad", {**ON_KEYPAD, **EVERY_WIN})
MA_TOUCH = ConsoleSetup("MA touch", "massachusetts-everything", "touch", {**ON_TOUCH, **EVERY_WIN})
"""By default the executive's level of Washington's touch console lies above its meter."""

STARTS = {"keypad": Press(button="coin_in"), "touch": Press(button="start_game")}
ENDS = {"keypad": Press(button="game_over"), "touch": Press(button="end_game")}
JPH = TurnKey(to="jph", role="supervisor")
J_POT = Press(button="j_pot", role="supervisor")
RUN = TurnKey(to="run", role="supervisor")
CONFIRM = Press(button="confirm", role="supervisor")
SWIPE = SwipeCard(role="supervisor")
CONFIRMING: dict[ConsoleKind, tuple[Any, ...]] = {"keypad": (JPH, J_POT, RUN), "touch": (CONFIRM, SWIPE)}
"""The motions of a supervisor after the dealer marked a win."""

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


@contextmanager
def other_rules(setup: ConsoleSetup, **rules: object) -> Iterator[None]:
    """Let houses play under a rulebook whose rules for a console are others, such as ``verified=False``."""

    def with_other_rules(text: str) -> Game:
        game = game_of_submission(text)
        assert isinstance(game, Game)
        return game_under(game, **{f"consoles__{setup.kind}__{name}": value for name, value in rules.items()})

    with patch("fourcard.house.state_cache.game_of_submission", with_other_rules):
        yield


class ConsoleTable:
    """A table of a house with a round open for wagers; its cards are keyed in."""

    name = "main"

    def __init__(
        self, setup: ConsoleSetup, hands: Mapping[int, str] = ACES_ALONE, house: TestHouse | None = None
    ) -> None:
        """Hire a crew, install the table, and seat a player at each position with a hand."""
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
        """Prepare the cards and open a round that deals these hands if everybody wagers."""
        known = {0: DEALERS_HAND, **hands}
        self._deck = stack(self.table.game, known, self.positions)
        while self.table.agenda:
            self.do(next_preparation(self.table))
        self.do(BeginRound())

    @property
    def table(self) -> TableState:
        """Return the table's state."""
        return self.house.house_table(self.name).state

    @property
    def round(self) -> RoundState:
        """Return the current round."""
        assert self.table.round is not None
        return self.table.round

    @property
    def console(self) -> consoles.ConsoleState:
        """Return the console."""
        console = self.house.house_table(self.name).console
        assert console is not None
        return console

    @property
    def meter(self) -> MeterState:
        """Return the meter's state at the Game Manager."""
        return self.house.service.cache.meter(self.name)

    @property
    def lights(self) -> dict[int, str]:
        """Return the lit sensors by position."""
        every = consoles.sensor_lights(self.console, self.table)
        return {position: light for position, light in every.items() if light != "off"}

    @property
    def prize(self) -> int | None:
        """Return the prize on the Game Manager's monitor."""
        return consoles.displayed_prize(self.console, self.table.game)

    def won(self, position: int) -> list[tuple[str, int]]:
        """Return the progressive awards paid to a player: the paying account and the cents of each."""
        name = ledger.chips_account(self.name, self.players[position])
        with self.house.store.reading() as reading:
            paid = [each for each in reading.transfers(name) if (each.what, each.taker) == ("pay", name)]
        return [(each.giver, each.units // UNITS_PER_CENT) for each in paid if each.wager == "progressive"]

    def account(self, name: str) -> int:
        """Return the cents of an account."""
        return self.house.balances().get(name, 0) // UNITS_PER_CENT

    def do(self, command: Any, who: Actor | None = None) -> CommandResult:
        """Give a command at the table, by default as the actor of the command's role."""
        return self.house.at(self.name, command, who or BY_ROLE[command.role])

    def refused(self, command: Any, who: Actor | None = None) -> Refusal:
        """Return the refusal of a command, which must change nothing."""
        return self.house.refused(table_stream(self.name), command, who or BY_ROLE[command.role])

    def manage(self, command: Any, who: Actor | None = None) -> CommandResult:
        """Give a command at the Game Manager."""
        return self.house.do(meter_stream(self.name), command, who or BY_ROLE[command.role])

    def not_managed(self, command: Any, who: Actor | None = None) -> Refusal:
        """Return the refusal of a command at the Game Manager."""
        return self.house.refused(meter_stream(self.name), command, who or BY_ROLE[command.role])

    def wager(self, position: int, wager: str = "progressive", amount: int = 100, **more: Any) -> PlaceWager:
        """Return the command that places a wager."""
        return PlaceWager(position=position, wager=wager, amount=amount, **more)

    def bet(self, progressive: tuple[int, ...] | None = None, stake: int = 100) -> None:
        """Place an Ante at every position, and a progressive chip at every position or at some."""
        ante = int(self.table.game.submission.limits.posted["ante"].least)
        chips = self.positions if progressive is None else progressive
        for position, who in self.players.items():
            self.do(self.wager(position, "ante", ante), player(who))
            if position in chips:
                self.do(self.wager(position, amount=stake), player(who))

    def start(self) -> CommandResult:
        """Press the button that starts a game, after the announcement where that is a step."""
        rules = self.round.rules
        if rules.locks_by_step and "announce_no_more_bets" in rules.dealing.before_cards:
            self.do(Perform(step="announce_no_more_bets"))
        return self.do(STARTS[self.kind])

    def step(self) -> CommandResult:
        """Give the next command away from the console: a step of the dealer, or a player's Play."""
        act = next_command(self.table)
        if act is None:
            position = positions_to_decide(self.round)[0]
            place = self.round.positions[position]
            return self.do(Play(position=position, amount=place.wagers["ante"]), player(place.player))
        return self.do(with_cards(self.table, act, self._deck))

    def to_award(self) -> int:
        """Continue until an award waits, and return the winner's position."""
        if self.round.locked_stakes is None:
            self.start()
        while self.round.awaited_step is None:
            self.step()
        return self.round.awaited_step.position

    def mark(self, hand: str | None = None) -> CommandResult:
        """Let the dealer mark the winner that waits, by default with the right button."""
        step = self.round.awaited_step
        assert step is not None
        if self.kind == "touch":
            self.do(SelectSpot(position=step.position))
        return self.do(PressHand(hand=hand or step.row or step.hand))

    def confirm(self, role: ActorRole = "supervisor") -> CommandResult:
        """Confirm a marked win with every motion, and return the last answer."""
        *_, last = [self.do(replace(motion, role=role)) for motion in CONFIRMING[self.kind]]
        return last

    def finish(self, role: ActorRole = "supervisor") -> list[AwardPaid]:
        """Play the round to its end with every win confirmed, and return the paid awards."""
        paid: list[AwardPaid] = []
        if self.round.locked_stakes is None:
            self.start()
        while self.table.round is not None:
            if self.table.round.awaited_step is not None:
                self.mark()
                paid += awards(self.confirm(role))
            else:
                self.step()
        return paid

    def end(self) -> CommandResult:
        """Press the button that ends the game."""
        return self.do(ENDS[self.kind])

    def balanced(self) -> bool:
        """Say whether every unit of the meter and every cent of the house is accounted for."""
        meter, totals = self.meter.amounts, self.meter.totals
        came, is_there = totals.seeded + totals.contributed + totals.adjusted, meter.amount + meter.reserve
        return is_there + totals.paid == came and sum(self.house.balances().values()) == 0


def at_award(setup: ConsoleSetup, hands: Mapping[int, str] = ACES_ALONE) -> ConsoleTable:
    """Return a table where everybody made the progressive wager and the first award waits."""
    at = ConsoleTable(setup, hands)
    at.bet()
    at.to_award()
    return at


def awards(answer: CommandResult) -> list[AwardPaid]:
    """Return the paid awards of an answer."""
    return [event for event in answer.events if isinstance(event, AwardPaid)]


def on_consoles(
    sm: str = "", wa_keypad: str = "", wa_touch: str = "", md: str = "P32", ma: str = "P32"
) -> list[Any]:
    """Return test parameters for the consoles, each claiming its own rulebook's clause."""
    keypads = ((sm, SM), (wa_keypad, WA_KEYPAD), (md, MD_KEYPAD), (ma, MA_KEYPAD)) if sm else ()
    displays = ((wa_touch, WA_TOUCH), (md, MD_TOUCH), (ma, MA_TOUCH)) if wa_touch else ()
    return by_clause(*keypads, *displays)


def _inline(value: object) -> str:
    """Return a value as inline TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)
