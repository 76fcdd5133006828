"""Bot driver: tables that play by themselves, one command at a time.

It fills a house with honest rounds for demonstration, measurement and tests. The command service gets the
same commands as from people.
"""

from random import Random
from typing import Any, get_args

from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.commands import BuyIn, CountTray, FillTray
from fourcard.house.decision import table_stream
from fourcard.house.route_command import Request
from fourcard.house.table_state import HouseTable
from fourcard.progressive.autopilot import MotionCommand, next_motion
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import CompleteDocument, Fold, PlaceWager, Play, ReportIrregularity, TakeSeat
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import RoundState
from fourcard.rules.cited import LIMITED_WAGERS, WagerName
from fourcard.rules.game import Game
from fourcard.table.autopilot import next_preparation, next_round_command
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, TableCommand
from fourcard.table.decide import decide
from fourcard.table.table_driver import DECK_BACKS

BOT_STAFF = Actor("crew", "staff", ("dealer", "floorperson", "supervisor", "executive", "administrator"))
"""A member of staff in every role that a table needs."""
BOT_FLOORPERSON = Actor("floor", "staff", ("floorperson", "supervisor", "executive"))
"""A second person, who confirms the wins that the crew marked."""
TRAY_FLOAT = 100_000_00
BUY_IN = 2_000_00


def no_cards() -> tuple[int, ...]:
    """Return no cards: the house gives the order itself."""
    return ()


class TableBots:
    """One table with players at some positions, and everything that they do."""

    def __init__(self, table: str, players: dict[int, str], chance: Random, keys: str = "") -> None:
        """Seat players by position; with a key word, every command gets its own key."""
        self.table, self.players, self.chance, self.keys = table, players, chance, keys
        self.rounds = self.commands = 0
        self._plans: list[PlaceWager] = []

    def next(self, table: HouseTable) -> Request:
        """Return the next request at this table."""
        command = self._next(table)
        self.commands += 1
        if self.keys:
            command = replace(command, key=f"{self.commands:08d}-{self.table}-{self.keys}")
        return Request(table_stream(self.table), command, author_of(command))

    def _next(self, table: HouseTable) -> Any:
        state = table.state
        if state.round is not None:
            return self._in_round(table, state.round)
        tray = table.cents(table.accounts.tray)
        if tray < TRAY_FLOAT // 4:
            return FillTray(cents=TRAY_FLOAT, slip=f"F{self.commands}", role="supervisor")
        if state.phase == "closed":
            return next_between_rounds(table)
        for position, player in self.players.items():
            if table.chips(player) < BUY_IN // 4:
                return BuyIn(player=player, cents=BUY_IN, by=player, role="player")
            if position not in state.seats:
                return TakeSeat(position=position, player=player, by=player, role="player")
        command = next_between_rounds(table)
        if isinstance(command, BeginRound):
            self._plans = bot_wagers(state.game, self.players, self.chance)
        return command

    def _in_round(self, table: HouseTable, current_round: RoundState) -> Any:
        if current_round.phase == "betting" and self._plans:
            return self._plans.pop(0)
        motion = next_console_motion(table)
        if motion is not None:
            return motion
        act = next_round_command(table.state)
        if act is None:
            return self._decision(table, current_round)
        if table.state.agenda and current_round.phase == "betting":
            return replace(next_preparation(table.state, no_cards), order=None)
        return act

    def _decision(self, table: HouseTable, current_round: RoundState) -> TableCommand:
        position = positions_to_decide(current_round)[0]
        place = current_round.positions[position]
        ante, times = place.wagers["ante"], self.chance.choice((0, 1, 1, 3))
        play = Play(position=position, amount=times * ante, by=place.player, role="player")
        if times and play.amount <= table.chips(place.player) and _is_allowed(table, play):
            return play
        return Fold(position=position, by=place.player, role="player")


def author_of(command: Any) -> Actor:
    """Return the author of a command: its player, the crew, or the second person who confirms."""
    if command.role == "player":
        return Actor(command.by, "player")
    confirms = command.role != "dealer" and isinstance(
        command, (*get_args(MotionCommand), CompleteDocument, ReportIrregularity)
    )
    return BOT_FLOORPERSON if confirms else BOT_STAFF


def next_console_motion(table: HouseTable) -> MotionCommand | None:
    """Return the crew's next action on the table's console, or None."""
    return None if table.console is None else next_motion(table.console, table.state)


def next_between_rounds(table: HouseTable) -> Any:
    """Return the crew's next command between rounds: end the game, open, prepare or begin."""
    motion, state = next_console_motion(table), table.state
    if motion is not None:
        return motion
    if state.phase == "closed" and not table.tray_counted:
        return CountTray(occasion="opening", cents=table.cents(table.accounts.tray), role="floorperson")
    if state.phase == "closed":
        return OpenTable(decks=DECK_BACKS[: state.game.submission.dealing.decks], role="floorperson")
    begin = BeginRound(role="dealer")
    refused = decide(state, replace(begin, at=state.at))
    old = isinstance(refused, Refusal) and refused.code is Code.DECK_TOO_OLD
    gone = next((n for n, deck in enumerate(state.decks) if deck.removed), None)
    if old or gone is not None:
        number = state.active if gone is None else gone
        return BringDeck(back=state.decks[number].back, deck=number, role="floorperson")
    return replace(next_preparation(state, no_cards), order=None) if state.agenda else begin


def _is_allowed(table: HouseTable, command: TableCommand) -> bool:
    return not isinstance(decide(table.state, command), Refusal)


def bot_wagers(game: Game, players: dict[int, str], chance: Random) -> list[PlaceWager]:
    """Return minimum wagers for every player; some side wagers are left out at random."""
    limits, choice = game.submission.limits.posted, game.submission.progressive
    placed = list[PlaceWager]()
    for position, player in players.items():
        stakes: dict[WagerName, int] = {
            name: int(limits[name].least)
            for name in LIMITED_WAGERS
            if name in limits and (name == "ante" or chance.random() < 0.7)
        }
        if choice is not None and choice.stakes and chance.random() < 0.8:
            stakes["progressive"] = int(chance.choice(choice.stakes))
        if "aces_up" not in stakes:
            stakes.pop("six_card", None)
        for wager, amount in stakes.items():
            placed.append(PlaceWager(position=position, wager=wager, amount=amount, by=player, role="player"))
    return placed
