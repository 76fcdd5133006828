"""Replayed decisions: whether the events of a command are those that the rules lead to.

A stored command is decided again on the replayed state. What a decision took from outside, such as the order
of a shuffled deck, comes from the recorded events and is checked separately.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from fourcard.house.account_state import AccountState
from fourcard.house.audit.context import AuditContext, ExpectedPair, role_fault
from fourcard.house.audit.report import FindingKind, describe_difference, event_name
from fourcard.house.auth.staff import StaffState
from fourcard.house.decision import meter_stream
from fourcard.house.events import (
    RoundSealed,
    SecretRevealed,
    SeedsDiscarded,
    ShuffleCommitted,
    TableInstalled,
    TableLinked,
    TableRestored,
)
from fourcard.house.journal import JournalRecord, UnreadableEventError, decode_command
from fourcard.house.meter_state import MeterState
from fourcard.house.recovery import close_restored
from fourcard.house.route_command import route_command
from fourcard.house.shuffle_algorithm import ShuffleInput
from fourcard.house.state_cache import StreamState
from fourcard.house.table_state import AnyTable, HouseTable, UninstalledTable
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, refuse
from fourcard.round import events as played
from fourcard.rules.game import Game
from fourcard.rules.line_options import MAX_CENTS
from fourcard.rules.submission import parse_submission
from fourcard.table import events as table

RecordedEvent = tuple[JournalRecord, Any]
CommandFault = tuple[JournalRecord, FindingKind, str]
"""The event that does not follow from the rules, the kind of finding, and the reason."""


class ReplayStateReader:
    """Replaces the state cache of the command service, for one stream before one command."""

    def __init__(self, context: AuditContext, state: StreamState, events: Sequence[Any]) -> None:
        """Take the state before the command, and the events that it led to."""
        self._context, self._state, self._events = context, state, events

    def find_table(self, name: str) -> AnyTable:
        """Return the table under replay; a meter is replayed without its tables."""
        return self._state if isinstance(self._state, AnyTable) else UninstalledTable(name)

    def meter(self, name: str) -> MeterState:
        """Return the meter under replay, or a table's meter before its next event of this table.

        Link and reading of a table's meter are checked in the meter's own stream; the terms that a meter had
        when a table was installed again are checked when the table adds stakes to it.
        """
        if not isinstance(self._state, AnyTable):
            return self._state if isinstance(self._state, MeterState) else MeterState(name)
        waiting = self._context.pairs.next(meter_stream(name), self._state.name)
        found = replace(meter_before(waiting), closed_reason="", unconfirmed_restore=0)
        linked = waiting is not None and isinstance(waiting.event, TableLinked)
        if isinstance(self._events[0], TableInstalled) and not linked:
            return replace(found, terms_game="")
        return found

    def player(self, name: str) -> AccountState:
        """Return the account under replay, or one with enough money for a table."""
        if isinstance(self._state, AccountState):
            return self._state
        return AccountState(name, cents=MAX_CENTS, registered=name in self._context.players)

    def staff(self) -> StaffState:
        """Return the staff under replay; no other stream decides by it."""
        return self._state if isinstance(self._state, StaffState) else StaffState()

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        return self._context.games.game(hash_)

    def resolve_submission(self, text: str) -> Game | Refusal:
        """Return the recorded game of a submission; the rulebooks of this program are not read."""
        game = self.game(self._recorded("game"))
        try:
            chosen = replace(parse_submission(text), edition=game.rulebook.edition)
        except BadInputError as error:
            return refuse(Code.SUBMISSION_REFUSED, reason=str(error).rstrip("."))
        if chosen == game.submission:
            return game
        return refuse(Code.SUBMISSION_REFUSED, reason="the recorded game is of another submission")

    def shuffled_order(self, shuffle: ShuffleInput) -> tuple[int, ...]:
        """Return the recorded order of the deck."""
        del shuffle
        order: tuple[int, ...] = self._recorded("order")
        return order

    def commit_shuffle(self) -> tuple[str, bytes, str]:
        """Return the recorded commitment and its algorithm; its secret is not known yet.

        Both are empty where an older version sealed no keyed cards, or the event is missing.
        """
        found = next((each for each in self._events if hasattr(each, "commitment")), None)
        return getattr(found, "commitment", ""), b"", getattr(found, "algorithm", "")

    def _recorded(self, field: str) -> Any:
        """Return what the recorded events have in a field."""
        return next(getattr(each, field) for each in self._events if hasattr(each, field))


def meter_before(waiting: ExpectedPair | None) -> MeterState:
    """Return the meter before a waiting event; an empty one where there is none."""
    return MeterState("") if waiting is None or waiting.before is None else waiting.before


_FINDING_KINDS: dict[type, FindingKind] = {
    played.CardsDealt: "deal",
    played.UpCardTurned: "deal",
    played.CardsDiscarded: "deal",
    played.FaceUpCardDiscarded: "deal",
    played.ActPerformed: "settlement",
    played.WagersSettled: "settlement",
    played.AwardAwaited: "settlement",
    played.AwardConfirmed: "settlement",
    played.AwardPaid: "settlement",
    played.RoundEnded: "settlement",
    played.RoundVoided: "void",
    table.StepPrepared: "shuffle",
    table.DeckOrdered: "shuffle",
}


def check_command(
    context: AuditContext, stream: str, state: StreamState, happened: Sequence[RecordedEvent]
) -> CommandFault | None:
    """Return the first event of a command that does not follow from the state before it."""
    record, first = happened[0]
    own = [each for each in happened if not isinstance(each[1], SecretRevealed)]
    if not own:
        return record, "rules", "It belongs to no command: there is no other event beside it."
    try:
        command = decode_command(record, first)
    except UnreadableEventError as error:
        return record, "unreadable", str(error)
    unfit = role_fault(record, command)
    if unfit is not None:
        context.add_finding(record, "author", unfit)
    states = ReplayStateReader(context, state, [event for _, event in own])
    decided = route_command(states, stream, command)
    if isinstance(decided, Refusal):
        return own[0][0], _finding_kind(own[0][1]), f"The rules refuse it here: {decided.message}"
    return _first_difference(own, _without_seal(state, own, decided.events))


def _without_seal(
    state: StreamState, own: Sequence[RecordedEvent], decided: Sequence[object]
) -> Sequence[object]:
    """Return the decided events without a seal if none is recorded, and the table never had one before.

    Older versions did not seal keyed cards.
    """
    seals = any(isinstance(event, RoundSealed) for _, event in own)
    sealed_before = isinstance(state, HouseTable) and state.shuffle_number and not state.commitment
    if seals or sealed_before or not any(isinstance(event, RoundSealed) for event in decided):
        return decided
    return [event for event in decided if not isinstance(event, RoundSealed | SeedsDiscarded)]


def check_restored_table(
    context: AuditContext, table: HouseTable, happened: Sequence[RecordedEvent]
) -> CommandFault | None:
    """Return the first event of a restored table that does not follow from the state before it."""
    record, restored = happened[0]
    assert isinstance(restored, TableRestored)
    own = [each for each in happened if not isinstance(each[1], SecretRevealed | ShuffleCommitted)]
    return _first_difference(
        own, close_restored(context.games.game, table, restored.restore, record.at).events
    )


def _first_difference(own: Sequence[RecordedEvent], right: Sequence[Any]) -> CommandFault | None:
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
    return None


def _finding_kind(event: object) -> FindingKind:
    return _FINDING_KINDS.get(type(event), "rules")
