"""Replayed decisions: whether the events of a command at a table are those that the rules lead to."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, get_args

from msgspec.structs import replace

from fourcard.house.account_state import AccountState
from fourcard.house.audit.context import AuditContext, ExpectedPair, role_fault
from fourcard.house.audit.rebuild_command import NoCommandError, rebuild_command
from fourcard.house.audit.report import FindingKind, describe_difference, event_name
from fourcard.house.auth.staff import StaffState
from fourcard.house.commands import is_name
from fourcard.house.decide_table import decide_table, with_departures
from fourcard.house.decision import Decision, DecisionOrRefusal, StateReader, meter_stream
from fourcard.house.events import (
    CashedOut,
    HouseTableEvent,
    SecretRevealed,
    ShuffleCommitted,
    ShuffleDrawn,
    TableInstalled,
    TableRestored,
)
from fourcard.house.journal import JournalRecord
from fourcard.house.meter_state import MeterState
from fourcard.house.recovery import close_restored
from fourcard.house.table_state import AnyTable, HouseTable
from fourcard.progressive.console import ConsoleEvent
from fourcard.refusals import Refusal
from fourcard.round import events as played
from fourcard.rules.game import Game
from fourcard.rules.line_options import MAX_CENTS
from fourcard.table import events as table
from fourcard.table.decide import decide as decide_game


class ReplayStateReader:
    """Replaces the state cache of the command service, for one table before one command."""

    def __init__(self, context: AuditContext, table: AnyTable) -> None:
        """Take the table as it was before the command."""
        self._context, self._table = context, table

    def find_table(self, name: str) -> AnyTable:
        """Return the table under replay."""
        del name
        return self._table

    def meter(self, name: str) -> MeterState:
        """Return the meter before its next event of this table; its link is checked in its own stream."""
        found = meter_before(self._context.pairs.next(meter_stream(name), self._table.name))
        return replace(found, closed_reason="", unconfirmed_restore=0)

    def player(self, name: str) -> AccountState:
        """Return an account with enough money; its balance is checked in its own stream."""
        return AccountState(name, cents=MAX_CENTS, registered=name in self._context.players)

    def staff(self) -> StaffState:
        """Return no staff: decisions at a table do not need it."""
        return StaffState()

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        return self._context.games.game(hash_)

    def secret(self, stream: str, number: int) -> bytes:
        """Fail: deck orders are taken from the journal, and secrets are checked separately."""
        raise LookupError(f"a replay never needs the secret of shuffle {number} of {stream}")

    def draw(self, count: int) -> bytes:
        """Fail: a replay draws no random bytes."""
        raise LookupError(f"a replay never draws {count} bytes")


def meter_before(waiting: ExpectedPair | None) -> MeterState:
    """Return the meter before a waiting event; an empty one where there is none."""
    return MeterState("") if waiting is None or waiting.before is None else waiting.before


RecordedEvent = tuple[JournalRecord, Any]
CommandFault = tuple[JournalRecord, FindingKind, str]
"""The event that does not follow from the rules, the kind of finding, and the reason."""
SHUFFLE_EVENTS = frozenset((SecretRevealed, ShuffleDrawn, ShuffleCommitted))
"""Shuffle events, which are checked separately."""
HOUSE_DECIDED = frozenset(
    (
        played.SeatTaken,
        played.WagerPlaced,
        played.PlayMade,
        played.DocumentCompleted,
        table.TableOpened,
        table.DeckBrought,
        table.DeckPutInShuffler,
        table.RoundBegan,
        *get_args(HouseTableEvent),
        *get_args(ConsoleEvent),
    )
)
"""Events that the house decides on together with the game."""
_FINDING_KINDS: dict[type, FindingKind] = {
    played.CardsDealt: "deal",
    played.UpCardTurned: "deal",
    played.CardsDiscarded: "deal",
    played.FaceUpCardDiscarded: "deal",
    played.ActPerformed: "settlement",
    played.WagersSettled: "settlement",
    played.AwardAwaited: "settlement",
    played.AwardPaid: "settlement",
    played.RoundEnded: "settlement",
    played.RoundVoided: "void",
    table.StepPrepared: "shuffle",
}


def check_command(
    states: StateReader, table: AnyTable, happened: Sequence[RecordedEvent]
) -> CommandFault | None:
    """Return the first event of a command that does not follow from the state before it."""
    own = [each for each in happened if type(each[1]) not in SHUFFLE_EVENTS]
    record = happened[0][0]
    if not own:
        return record, "rules", "It belongs to no command: there is no other event beside it."
    events = [event for _, event in own]
    if isinstance(events[0], TableInstalled):
        fault = _installation_fault(states, table, [event for _, event in happened])
        return None if fault is None else (record, "rules", fault)
    assert isinstance(table, HouseTable)
    try:
        restored = isinstance(events[0], TableRestored)
        unfit = None if restored else role_fault(record, rebuild_command(table, record, events))
        if unfit is not None:
            return record, "author", unfit
        right = _decide_again(states, table, record, events)
    except NoCommandError:
        return own[0][0], _finding_kind(events[0]), "No command leads to it in this state."
    if isinstance(right, Refusal):
        return own[0][0], _finding_kind(events[0]), f"The rules refuse it here: {right.message}"
    return None if events in (right, _without_cash_outs(right)) else _first_difference(own, right)


def _without_cash_outs(right: list[Any]) -> list[Any]:
    """Return the events as older versions wrote them: leaving a seat did not cash chips out."""
    if not isinstance(right[0], played.SeatLeft | table.TableClosed | TableRestored):
        return right
    return [each for each in right if not isinstance(each, CashedOut)]


def _decide_again(
    states: StateReader, table: HouseTable, record: JournalRecord, events: Sequence[Any]
) -> Refusal | list[Any]:
    """Decide the command again; deck orders are taken from the events and checked separately."""
    if isinstance(events[0], TableRestored):
        return [*close_restored(states.game, table, events[0].restore, record.at).events]
    command: Any = rebuild_command(table, record, events)
    outcome: DecisionOrRefusal
    if type(events[0]) not in HOUSE_DECIDED and not _win_in_progress(table):
        decided = decide_game(table.state, command)
        outcome = (
            decided
            if isinstance(decided, Refusal)
            else with_departures(states.game, table, Decision(decided))
        )
    else:
        outcome = decide_table(states, table.name, command)
    return outcome if isinstance(outcome, Refusal) else [*outcome.events]


def _win_in_progress(table: HouseTable) -> bool:
    """Return whether a win is in progress, so that the house takes part in the decision."""
    if table.console is None or table.state.round is None:
        return False
    return table.state.round.awaited_step is not None or bool(table.console.win_staff)


def _installation_fault(states: StateReader, table: AnyTable, events: Sequence[Any]) -> str | None:
    """Return what is wrong with an installation; its command cannot be rebuilt, as its text is not stored."""
    installed: TableInstalled = events[0]
    others = [type(event) for event in events[1:] if type(event) is not SecretRevealed]
    if installed.table != table.name or not is_name(table.name):
        return f"It installs another table, '{installed.table}'."
    if isinstance(table, HouseTable) and table.state.phase != "closed":
        return "A table that is open cannot be installed again."
    if bool(installed.meter) != states.game(installed.game).offers("progressive"):
        return "A table has a meter if, and only if, its game has a progressive."
    commits = installed.cards == "built-in" and not table.shuffle_number
    if others != [ShuffleCommitted] * commits:
        return "Installing a table commits to the first shuffle of the house, and does nothing else."
    return None


def _first_difference(own: Sequence[RecordedEvent], right: Sequence[Any]) -> CommandFault:
    """Return the first difference between the recorded and the expected events."""
    for happened, must in zip_longest(own, right):
        if happened is None:
            return own[-1][0], _finding_kind(must), f"It must be followed by {event_name(must)}."
        record, event = happened
        if event == must:
            continue
        if must is None:
            return record, _finding_kind(event), f"The {event_name(event)} does not follow from the command."
        return record, _finding_kind(must), describe_difference(event, must)
    raise AssertionError


def _finding_kind(event: object) -> FindingKind:
    return _FINDING_KINDS.get(type(event), "rules")
