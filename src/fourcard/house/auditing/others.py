"""Replay of player accounts and of the staff."""

from typing import Any

from fourcard.house import player_book, staff
from fourcard.house.actors import Actor
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.pairs import Waiting
from fourcard.house.auditing.replaying import Replay
from fourcard.house.commands import (
    ChangeRoles,
    ConfirmClock,
    Deposit,
    DismissStaff,
    HireStaff,
    NotePassword,
    RegisterPlayer,
    Withdraw,
)
from fourcard.house.events import (
    ChipsBought,
    ChipsReturned,
    ClockConfirmed,
    MoneyDeposited,
    PasswordSet,
    PlayerRegistered,
    RolesChanged,
    StaffHired,
)
from fourcard.house.permissions import acting_roles
from fourcard.house.player_book import PlayerBook
from fourcard.house.records import Recorded
from fourcard.house.staff import StaffState
from fourcard.refusals import Refusal


class PlayerReplay(Replay):
    """Rebuilds a player's account; events about tables wait for the tables' own."""

    book: PlayerBook

    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""
        if isinstance(event, ChipsBought | ChipsReturned):
            self.context.pairs.keep(event.table, Waiting(record, event, (record.kind, record.at)))
            if not self.book.registered:
                self.context.note(record, "rules", "The player does not have an account.")
        else:
            self.context.tally["commands"] += 1
            hold(self, record, event, player_book.decide(self.book, _rebuild_player_command(event)))
        self.fold(record, event)
        if self.book.cents < 0:
            self.context.note(record, "overdrawn", "The account is overdrawn.")
        if self.book.registered:
            self.context.players.add(self.name)
        if not isinstance(event, ChipsBought | ChipsReturned):
            self.context.authored(record)


class StaffReplay(Replay):
    """Rebuilds the staff of the house, and every role that each person could ever act in."""

    book: StaffState

    def __init__(self, context: Case, stream: str) -> None:
        """Start without staff."""
        super().__init__(context, stream)
        self._records: list[Recorded] = []

    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""
        self.context.tally["commands"] += 1
        self._records.append(record)
        hold(self, record, event, staff.decide(self.book, _rebuild_staff_command(event)))
        self.fold(record, event)
        if isinstance(event, StaffHired | RolesChanged):
            actor = Actor(event.person, "staff", event.roles)
            self.context.authors |= {(event.person, role) for role in acting_roles(actor)}

    def end(self) -> None:
        """Check the authors of staff events, now that everybody is known."""
        super().end()
        for record in self._records:
            self.context.authored(record)


def hold(replay: Replay, record: Recorded, event: Any, decided: Refusal | list[Any]) -> None:
    """Compare an event with the one that its command leads to."""
    if isinstance(decided, Refusal):
        replay.context.note(record, "rules", f"The rules refuse it here: {decided.message}")
    elif decided != [event]:
        replay.context.note(record, "rules", "It is not the event that its command leads to.")


def _rebuild_player_command(event: Any) -> Any:
    """Return the player command that an event came from."""
    if isinstance(event, PlayerRegistered):
        return RegisterPlayer(name=event.name)
    if isinstance(event, PasswordSet):
        return NotePassword(person=event.person)
    return Deposit(cents=event.cents) if isinstance(event, MoneyDeposited) else Withdraw(cents=event.cents)


def _rebuild_staff_command(event: Any) -> Any:
    """Return the staff command that an event came from."""
    if isinstance(event, StaffHired):
        return HireStaff(person=event.person, name=event.name, roles=event.roles)
    if isinstance(event, RolesChanged):
        return ChangeRoles(person=event.person, roles=event.roles)
    if isinstance(event, PasswordSet):
        return NotePassword(person=event.person)
    if isinstance(event, ClockConfirmed):
        return ConfirmClock(ahead=event.ahead)
    return DismissStaff(person=event.person)
