"""Command rebuilding: the command at a table that some events must have come from.

The journal does not store commands; fields that leave no trace in an event are filled with valid values.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from fourcard.house import commands as of_house
from fourcard.house import events as house
from fourcard.house.auth.identity import AnyCommand
from fourcard.house.journal import JournalRecord
from fourcard.house.table_state import HouseTable
from fourcard.progressive import console
from fourcard.progressive import console as on_console
from fourcard.progressive.console import console_rules
from fourcard.round import commands as asking
from fourcard.round import events as played
from fourcard.round.irregularities import FACE_UP_KINDS
from fourcard.round.preconditions import expected_hand_sizes, next_step
from fourcard.round.state import RoundState
from fourcard.table import commands as at_table
from fourcard.table import events as table

IMPOSSIBLE = 99
"""A number of cards that no hand has, for a report of a wrong number of cards."""
Events = Sequence[Any]
Rebuilder = Callable[[HouseTable, Events], AnyCommand]


class NoCommandError(Exception):
    """No command leads to events that start like these."""


def rebuild_command(table: HouseTable, record: JournalRecord, events: Events) -> AnyCommand:
    """Return the command that some events came from, with the author, role and time of their record."""
    if isinstance(events[0], played.BetsClosed) and len(events) > 1:
        events = events[1:]
    rebuilt = _REBUILDERS.get(type(events[0]))
    if rebuilt is None:
        raise NoCommandError
    return replace(rebuilt(table, events), by=record.by, role=record.role, at=record.at)


def _same_fields(kind: Any, *fields: str) -> Rebuilder:
    """Return a rebuilder for a command whose fields are those of its event."""
    return lambda _, events: kind(**{name: getattr(events[0], name) for name in fields})


def _current_round(table: HouseTable) -> RoundState:
    if table.state.round is None:
        raise NoCommandError
    return table.state.round


def _rebuild_next_step(table: HouseTable, events: Events) -> AnyCommand:
    """Return the next step that the dealer had to perform."""
    del events
    expected = next_step(_current_round(table))
    if expected is None:
        raise NoCommandError
    return asking.Perform(step=expected.step, position=expected.position)


def _rebuild_step(_table: HouseTable, events: Events) -> AnyCommand:
    done: played.StepDone = events[0]
    return asking.Perform(step=done.step, position=done.position, count=done.count, hand=done.hand)


def _rebuild_count(_table: HouseTable, events: Events) -> AnyCommand:
    found = events[0]
    if isinstance(found, played.ChipsDiffered):
        return asking.Perform(step="count_chips", count=found.chips)
    return asking.Perform(step="count_stub", count=found.count)


def _rebuild_deal(table: HouseTable, events: Events) -> AnyCommand:
    """Return a deal; it names cards only where the order of the deck is unknown."""
    state = table.state
    known = bool(state.decks) and state.decks[state.active].order is not None
    return asking.Deal(cards=() if known else events[0].cards)


def _rebuild_judgement(table: HouseTable, events: Events) -> AnyCommand:
    """Return hand and stub counts that add up to the total that was found."""
    current_round, found = _current_round(table), events[0]
    hands = expected_hand_sizes(current_round)
    elsewhere = current_round.dealt_mask.bit_count() - sum(hands.values())
    stubs = [each.count for each in events[1:] if isinstance(each, played.StepDone)]
    right = found.total - elsewhere - sum(hands.values())
    stub = stubs[0] if stubs and stubs[0] is not None else max(0, right - 1 if found.misdealt else right)
    first, *others = hands
    hands[first] += right - stub
    if found.misdealt and right == stub and others:
        hands[first], hands[others[0]] = hands[first] + 1, hands[others[0]] - 1
    return asking.JudgeCount(stub=stub, hands=hands)


def _rebuild_report(table: HouseTable, events: Events) -> AnyCommand:
    """Return a report; a face-up card is named by its place where the deck order is known."""
    noted: played.IrregularityNoted = events[0]
    report = asking.ReportIrregularity(
        irregularity=noted.irregularity, position=noted.position, card=noted.card
    )
    if noted.irregularity == "wrong_number_of_cards":
        return replace(report, count=IMPOSSIBLE)
    state = table.state
    order = state.decks[state.active].order if state.decks else None
    if noted.irregularity in FACE_UP_KINDS and order is not None:
        place = order.index(noted.card) if noted.card in order else -1
        return replace(report, card=None, place=place)
    return report


def _rebuild_correction(_table: HouseTable, events: Events) -> AnyCommand:
    done: played.PaymentCorrected = events[0]
    return asking.CorrectPayment(
        position=done.position, wager=done.wager, handed=done.handed, reason=done.reason
    )


def _rebuild_begin_round(_table: HouseTable, events: Events) -> AnyCommand:
    """Return the start of a round, with a stub count where one was ordered."""
    began = next((each for each in events if isinstance(each, table.RoundBegan)), None)
    return at_table.BeginRound(count_stub=began is not None and began.count_due)


def _rebuild_switch(_table: HouseTable, events: Events) -> AnyCommand:
    return at_table.SwitchMethod(method=events[0].method, shuffle_by_hand=events[0].by_hand)


def _rebuild_motion(_table: HouseTable, events: Events) -> AnyCommand:
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


def _rebuild_unmark(table: HouseTable, _events: Events) -> AnyCommand:
    mark = None if table.console is None else table.console.mark
    return on_console.PressHand(hand="" if mark is None else mark.row)


def _rebuild_reset(table: HouseTable, _events: Events) -> AnyCommand:
    if table.console is None:
        raise NoCommandError
    return on_console.Press(button=console_rules(table.console, table.state.game).ends.value)


def _rebuild_link(_table: HouseTable, events: Events) -> AnyCommand:
    return on_console.ReportLink(up=isinstance(events[0], console.LinkRestored), reason=events[0].reason)


_REBUILDERS: dict[type, Rebuilder] = {
    console.MotionDone: _rebuild_motion,
    console.KeyWithdrawn: lambda _state, _events: on_console.TurnKey(to="run"),
    console.WinUnmarked: _rebuild_unmark,
    console.GameReset: _rebuild_reset,
    console.LinkLost: _rebuild_link,
    console.LinkRestored: _rebuild_link,
    played.SeatTaken: _same_fields(asking.TakeSeat, "position", "player"),
    played.SeatLeft: _same_fields(asking.LeaveSeat, "position"),
    played.WagerPlaced: _same_fields(asking.PlaceWager, "position", "wager", "amount", "accepted"),
    played.WagerWithdrawn: _same_fields(asking.WithdrawWager, "position", "wager"),
    played.StepDone: _rebuild_step,
    played.ChipsDiffered: _rebuild_count,
    played.CountFoundWrong: _rebuild_count,
    played.CardsDealt: _rebuild_deal,
    played.UpCardTurned: _rebuild_next_step,
    played.CardsDiscarded: _rebuild_next_step,
    played.CountJudged: _rebuild_judgement,
    played.PlayMade: _same_fields(asking.Play, "position", "amount"),
    played.HandFolded: _same_fields(asking.Fold, "position"),
    played.HandSet: _same_fields(asking.SetHand, "position", "cards"),
    played.SeatAbandoned: _same_fields(asking.TreatAsAbandoned, "position"),
    played.ActPerformed: _rebuild_next_step,
    played.WagersSettled: _rebuild_next_step,
    played.AwardAwaited: _rebuild_next_step,
    played.DocumentCompleted: _same_fields(asking.CompleteDocument, "position"),
    played.PaymentCorrected: _rebuild_correction,
    played.IrregularityNoted: _rebuild_report,
    played.RoundVoided: _same_fields(asking.CallOff),
    table.TableOpened: _same_fields(at_table.OpenTable, "decks", "preshuffled", "orders", "shoe_side"),
    table.DeckBrought: _same_fields(at_table.BringDeck, "back", "preshuffled", "order", "deck"),
    table.StepPrepared: _same_fields(at_table.Prepare, "step", "deck", "order", "depth", "count", "hand"),
    table.DeckPutInShuffler: _rebuild_begin_round,
    table.RoundBegan: _rebuild_begin_round,
    table.RecutOrdered: _same_fields(at_table.OrderRecut),
    table.ShuffleOrdered: _same_fields(at_table.OrderShuffle),
    table.DeviceFailed: _same_fields(at_table.ReportFailure, "device"),
    table.DeviceSeenTo: _same_fields(at_table.Prepare, "step"),
    table.DeviceReturned: _same_fields(at_table.BringDevice, "device"),
    table.SwapOrdered: _same_fields(at_table.SwapMachine),
    table.MethodSwitched: _rebuild_switch,
    table.WentIdle: _same_fields(at_table.GoIdle, "spread"),
    table.LastHandCalled: _same_fields(at_table.LastHand),
    table.TableClosed: _same_fields(at_table.CloseTable),
    house.TrayCounted: _same_fields(of_house.CountTray, "occasion", "cents"),
    house.TrayFilled: _same_fields(of_house.FillTray, "cents", "slip"),
    house.TrayCredited: _same_fields(of_house.CreditTray, "cents", "slip"),
    house.DropCollected: _same_fields(of_house.CollectDrop, "cents"),
    house.BoughtIn: _same_fields(of_house.BuyIn, "player", "cents"),
    house.CashedOut: _same_fields(of_house.CashOut, "player", "cents"),
    house.LeaveAsked: _same_fields(of_house.LeaveTable, "player"),
    house.LeaveCancelled: lambda _state, events: of_house.LeaveTable(player=events[0].player, cancel=True),
    house.SeedChosen: _same_fields(of_house.ChooseSeed, "player", "seed"),
}
