"""Command rebuilding: the command at a table that some events must have come from.

The journal does not store commands; fields that leave no trace in an event are filled with valid values.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from fourcard.house import commands as of_house
from fourcard.house import events as house
from fourcard.house.actors import AnyCommand
from fourcard.house.records import Recorded
from fourcard.house.table_book import TableBook
from fourcard.progressive import commands as on_console
from fourcard.progressive import events as console
from fourcard.progressive.console import rules_of
from fourcard.round import commands as asking
from fourcard.round import events as played
from fourcard.round.due import due, right_sizes
from fourcard.round.state import RoundState
from fourcard.round.trouble import FACE_UP
from fourcard.table import commands as at_table
from fourcard.table import events as table

IMPOSSIBLE = 99
"""A number of cards that no hand has, for a report of a wrong number of cards."""
Events = Sequence[Any]
Asked = Callable[[TableBook, Events], AnyCommand]


class UnaskableError(Exception):
    """No command leads to events that start like these."""


def asked(book: TableBook, record: Recorded, events: Events) -> AnyCommand:
    """Return the command that some events came from, with the author, role and time of their record."""
    if isinstance(events[0], played.BetsClosed) and len(events) > 1:
        events = events[1:]
    rebuilt = _REBUILT.get(type(events[0]))
    if rebuilt is None:
        raise UnaskableError
    return replace(rebuilt(book, events), by=record.by, role=record.role, at=record.at)


def _same(kind: Any, *fields: str) -> Asked:
    """Return a rebuilder for a command whose fields are those of its event."""
    return lambda _, events: kind(**{name: getattr(events[0], name) for name in fields})


def _round(book: TableBook) -> RoundState:
    if book.state.round is None:
        raise UnaskableError
    return book.state.round


def _due(book: TableBook, events: Events) -> AnyCommand:
    """Return the next step that the dealer had to perform."""
    del events
    expected = due(_round(book))
    if expected is None:
        raise UnaskableError
    return asking.Perform(step=expected.step, position=expected.position)


def _step(_book: TableBook, events: Events) -> AnyCommand:
    done: played.StepDone = events[0]
    return asking.Perform(step=done.step, position=done.position, count=done.count, hand=done.hand)


def _counted(_book: TableBook, events: Events) -> AnyCommand:
    found = events[0]
    if isinstance(found, played.ChipsDiffered):
        return asking.Perform(step="count_chips", count=found.chips)
    return asking.Perform(step="count_stub", count=found.count)


def _deal(book: TableBook, events: Events) -> AnyCommand:
    """Return a deal; it names cards only where the order of the deck is unknown."""
    state = book.state
    known = bool(state.decks) and state.decks[state.active].order is not None
    return asking.Deal(cards=() if known else events[0].cards)


def _judged(book: TableBook, events: Events) -> AnyCommand:
    """Return hand and stub counts that add up to the total that was found."""
    under_way, found = _round(book), events[0]
    hands = right_sizes(under_way)
    elsewhere = under_way.out.bit_count() - sum(hands.values())
    stubs = [each.count for each in events[1:] if isinstance(each, played.StepDone)]
    right = found.total - elsewhere - sum(hands.values())
    stub = stubs[0] if stubs and stubs[0] is not None else max(0, right - 1 if found.misdealt else right)
    first, *others = hands
    hands[first] += right - stub
    if found.misdealt and right == stub and others:
        hands[first], hands[others[0]] = hands[first] + 1, hands[others[0]] - 1
    return asking.JudgeCount(stub=stub, hands=hands)


def _reported(book: TableBook, events: Events) -> AnyCommand:
    """Return a report; a face-up card is named by its place where the deck order is known."""
    noted: played.IrregularityNoted = events[0]
    report = asking.ReportIrregularity(
        irregularity=noted.irregularity, position=noted.position, card=noted.card
    )
    if noted.irregularity == "wrong_number_of_cards":
        return replace(report, count=IMPOSSIBLE)
    state = book.state
    order = state.decks[state.active].order if state.decks else None
    if noted.irregularity in FACE_UP and order is not None:
        place = order.index(noted.card) if noted.card in order else -1
        return replace(report, card=None, place=place)
    return report


def _corrected(_book: TableBook, events: Events) -> AnyCommand:
    done: played.PaymentCorrected = events[0]
    return asking.CorrectPayment(
        position=done.position, wager=done.wager, handed=done.handed, reason=done.reason
    )


def _began(_book: TableBook, events: Events) -> AnyCommand:
    """Return the start of a round, with a stub count where one was ordered."""
    began = next((each for each in events if isinstance(each, table.RoundBegan)), None)
    return at_table.BeginRound(count_stub=began is not None and began.count_due)


def _switched(_book: TableBook, events: Events) -> AnyCommand:
    return at_table.SwitchMethod(method=events[0].method, shuffle_by_hand=events[0].by_hand)


def _motion(_book: TableBook, events: Events) -> AnyCommand:
    """Return the console command of a motion."""
    done: console.MotionDone = events[0]
    if done.motion == "press_hand":
        marked = next((each for each in events if isinstance(each, console.WinMarked)), None)
        return on_console.PressHand(hand="" if marked is None else marked.row)
    if done.motion == "select_spot":
        return on_console.SelectSpot(position=done.position)
    if done.motion in ("turn_to_jph", "turn_to_run"):
        return on_console.TurnKey(to="jph" if done.motion == "turn_to_jph" else "run")
    if done.motion == "swipe_card":
        return on_console.SwipeCard()
    return on_console.Press(button="j_pot" if done.motion == "press_j_pot" else "confirm")


def _pressed_again(book: TableBook, _events: Events) -> AnyCommand:
    mark = None if book.console is None else book.console.mark
    return on_console.PressHand(hand="" if mark is None else mark.row)


def _reset(book: TableBook, _events: Events) -> AnyCommand:
    if book.console is None:
        raise UnaskableError
    return on_console.Press(button=rules_of(book.console, book.state.game).ends.value)


def _link(_book: TableBook, events: Events) -> AnyCommand:
    return on_console.ReportLink(up=isinstance(events[0], console.LinkRestored), reason=events[0].reason)


_REBUILT: dict[type, Asked] = {
    console.MotionDone: _motion,
    console.KeyWithdrawn: lambda _book, _events: on_console.TurnKey(to="run"),
    console.WinUnmarked: _pressed_again,
    console.GameReset: _reset,
    console.LinkLost: _link,
    console.LinkRestored: _link,
    played.SeatTaken: _same(asking.TakeSeat, "position", "player"),
    played.SeatLeft: _same(asking.LeaveSeat, "position"),
    played.WagerPlaced: _same(asking.PlaceWager, "position", "wager", "amount", "accepted"),
    played.WagerWithdrawn: _same(asking.WithdrawWager, "position", "wager"),
    played.StepDone: _step,
    played.ChipsDiffered: _counted,
    played.CountFoundWrong: _counted,
    played.CardsDealt: _deal,
    played.UpCardTurned: _due,
    played.CardsDiscarded: _due,
    played.CountJudged: _judged,
    played.PlayMade: _same(asking.Play, "position", "amount"),
    played.HandFolded: _same(asking.Fold, "position"),
    played.HandSet: _same(asking.SetHand, "position", "cards"),
    played.SeatAbandoned: _same(asking.TreatAsAbandoned, "position"),
    played.ActPerformed: _due,
    played.WagersSettled: _due,
    played.AwardAwaited: _due,
    played.DocumentCompleted: _same(asking.CompleteDocument, "position"),
    played.PaymentCorrected: _corrected,
    played.IrregularityNoted: _reported,
    played.RoundVoided: _same(asking.CallOff),
    table.TableOpened: _same(at_table.OpenTable, "decks", "preshuffled", "orders", "shoe_side"),
    table.DeckBrought: _same(at_table.BringDeck, "back", "preshuffled", "order", "deck"),
    table.StepPrepared: _same(at_table.Prepare, "step", "deck", "order", "depth", "count", "hand"),
    table.DeckPutInShuffler: _began,
    table.RoundBegan: _began,
    table.RecutOrdered: _same(at_table.OrderRecut),
    table.ShuffleOrdered: _same(at_table.OrderShuffle),
    table.DeviceFailed: _same(at_table.ReportFailure, "device"),
    table.DeviceSeenTo: _same(at_table.Prepare, "step"),
    table.DeviceReturned: _same(at_table.BringDevice, "device"),
    table.SwapOrdered: _same(at_table.SwapMachine),
    table.MethodSwitched: _switched,
    table.WentIdle: _same(at_table.GoIdle, "spread"),
    table.LastHandCalled: _same(at_table.LastHand),
    table.TableClosed: _same(at_table.CloseTable),
    house.TrayCounted: _same(of_house.CountTray, "occasion", "cents"),
    house.TrayFilled: _same(of_house.FillTray, "cents", "slip"),
    house.TrayCredited: _same(of_house.CreditTray, "cents", "slip"),
    house.DropCollected: _same(of_house.CollectDrop, "cents"),
    house.BoughtIn: _same(of_house.BuyIn, "player", "cents"),
    house.CashedOut: _same(of_house.CashOut, "player", "cents"),
    house.LeaveAsked: _same(of_house.LeaveTable, "player"),
    house.LeaveCancelled: lambda _book, events: of_house.LeaveTable(player=events[0].player, cancel=True),
    house.SeedChosen: _same(of_house.ChooseSeed, "player", "seed"),
}
