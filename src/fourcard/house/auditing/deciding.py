"""Replayed decisions: whether the events of a command at a table are those that the rules lead to."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, get_args

from fourcard.house.at_table import at_table
from fourcard.house.auditing.asked import UnaskableError, asked
from fourcard.house.auditing.case import role_fault
from fourcard.house.auditing.report import Kind
from fourcard.house.auditing.wording import difference, named
from fourcard.house.commands import is_name
from fourcard.house.departures import release
from fourcard.house.events import (
    CashedOut,
    SecretRevealed,
    ShuffleCommitted,
    ShuffleDrawn,
    TableDeskEvent,
    TableInstalled,
    TableRestored,
)
from fourcard.house.outcome import Books, Decided, Outcome
from fourcard.house.records import Recorded
from fourcard.house.recovery import close_restored
from fourcard.house.table_book import AnyTable, TableBook
from fourcard.progressive.events import ConsoleEvent
from fourcard.refusals import Refusal
from fourcard.round import events as played
from fourcard.table import events as table
from fourcard.table.decide import decide

Happened = tuple[Recorded, Any]
Verdict = tuple[Recorded, Kind, str]
"""The event that does not follow from the rules, the kind of finding, and the reason."""
FAIRNESS = frozenset((SecretRevealed, ShuffleDrawn, ShuffleCommitted))
"""Shuffle events, which are checked separately."""
WITH_HOUSE = frozenset(
    (
        played.SeatTaken,
        played.WagerPlaced,
        played.PlayMade,
        played.DocumentCompleted,
        table.TableOpened,
        table.DeckBrought,
        table.DeckPutInShuffler,
        table.RoundBegan,
        *get_args(TableDeskEvent),
        *get_args(ConsoleEvent),
    )
)
"""Events that the house decides on together with the game."""
_KINDS: dict[type, Kind] = {
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


def verdict(books: Books, book: AnyTable, happened: Sequence[Happened]) -> Verdict | None:
    """Return the first event of a command that does not follow from the state before it."""
    own = [each for each in happened if type(each[1]) not in FAIRNESS]
    record = happened[0][0]
    if not own:
        return record, "rules", "It belongs to no command: there is no other event beside it."
    events = [event for _, event in own]
    if isinstance(events[0], TableInstalled):
        fault = _installation_fault(books, book, [event for _, event in happened])
        return None if fault is None else (record, "rules", fault)
    assert isinstance(book, TableBook)
    try:
        restored = isinstance(events[0], TableRestored)
        unfit = None if restored else role_fault(record, asked(book, record, events))
        if unfit is not None:
            return record, "author", unfit
        right = _decide_again(books, book, record, events)
    except UnaskableError:
        return own[0][0], _kind(events[0]), "No command leads to it in this state."
    if isinstance(right, Refusal):
        return own[0][0], _kind(events[0]), f"The rules refuse it here: {right.message}"
    return None if events in (right, _without_cash_outs(right)) else _difference(own, right)


def _without_cash_outs(right: list[Any]) -> list[Any]:
    """Return the events as older versions wrote them: leaving a seat did not cash chips out."""
    if not isinstance(right[0], played.SeatLeft | table.TableClosed | TableRestored):
        return right
    return [each for each in right if not isinstance(each, CashedOut)]


def _decide_again(
    books: Books, book: TableBook, record: Recorded, events: Sequence[Any]
) -> Refusal | list[Any]:
    """Decide the command again; deck orders are taken from the events and checked separately."""
    if isinstance(events[0], TableRestored):
        return [*close_restored(books.game, book, events[0].restore, record.at).events]
    command: Any = asked(book, record, events)
    outcome: Decided
    if type(events[0]) not in WITH_HOUSE and not _win_in_progress(book):
        decided = decide(book.state, command)
        outcome = decided if isinstance(decided, Refusal) else release(books.game, book, Outcome(decided))
    else:
        outcome = at_table(books, book.table, command)
    return outcome if isinstance(outcome, Refusal) else [*outcome.events]


def _win_in_progress(book: TableBook) -> bool:
    """Return whether a win is in progress, so that the house takes part in the decision."""
    if book.console is None or book.state.round is None:
        return False
    return book.state.round.awaiting is not None or bool(book.console.staff)


def _installation_fault(books: Books, book: AnyTable, events: Sequence[Any]) -> str | None:
    """Return what is wrong with an installation; its command cannot be rebuilt, as its text is not stored."""
    installed: TableInstalled = events[0]
    others = [type(event) for event in events[1:] if type(event) is not SecretRevealed]
    if installed.table != book.table or not is_name(book.table):
        return f"It installs another table, '{installed.table}'."
    if isinstance(book, TableBook) and book.state.phase != "closed":
        return "A table that is open cannot be installed again."
    if bool(installed.meter) != books.game(installed.game).offers("progressive"):
        return "A table has a meter if, and only if, its game has a progressive."
    commits = installed.cards == "built-in" and not book.shuffle
    if others != [ShuffleCommitted] * commits:
        return "Installing a table commits to the first shuffle of the house, and does nothing else."
    return None


def _difference(own: Sequence[Happened], right: Sequence[Any]) -> Verdict:
    """Return the first difference between the recorded and the expected events."""
    for happened, must in zip_longest(own, right):
        if happened is None:
            return own[-1][0], _kind(must), f"It must be followed by {named(must)}."
        record, event = happened
        if event == must:
            continue
        if must is None:
            return record, _kind(event), f"The {named(event)} does not follow from the command."
        return record, _kind(must), difference(event, must)
    raise AssertionError


def _kind(event: object) -> Kind:
    return _KINDS.get(type(event), "rules")
