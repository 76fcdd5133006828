"""Situations of a table in which a command is refused, by name: a table and the command."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.round.commands import CorrectPayment, Deal, Fold, LeaveSeat, ReportIrregularity, TakeSeat
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    GoIdle,
    LastHand,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
    TableCommand,
)
from fourcard.table.session import Table
from tests.decks import SHUFFLER, begin, closed, opened, ready
from tests.decks import until as step_until
from tests.situations import at_phase, wagered
from tests.table import table

MA, MD, IA, SM, WA = "massachusetts", "maryland", "catfish-bend", "shuffle-master", "washington"
MA_ALL, MD_ALL, SM_ALL = f"{MA}-everything", f"{MD}-everything", f"{SM}-everything"
SHUFFLER_FAILS, SHOE_FAILS = ReportFailure(device="shuffler"), ReportFailure(device="shoe")
TO_SHOE = SwitchMethod(method="shoe", shuffle_by_hand=True)
REMOVE, COVER = Prepare(step="remove_device"), Prepare(step="cover_device")
IDLE = GoIdle(spread="face-up")
HOUR = 3_600_000
PLAYERS: dict[str, Any] = {"role": "player", "by": "p1"}


def at_ready(name: str, **changes: object) -> Table:
    """Return an open table with a player whose cards are ready."""
    at = opened(name, **changes)
    at.seat(1, "p1")
    ready(at)
    return at


def at_step(name: str, step: Any, **changes: object) -> Table:
    """Return an open table with a player, at a given preparation step."""
    at = opened(name, **changes)
    at.seat(1, "p1")
    step_until(at, step)
    return at


def failed(name: str, command: TableCommand = SHUFFLER_FAILS, **changes: object) -> Table:
    """Return a table where a device has failed between rounds."""
    at = at_ready(name, **changes)
    at.do(command)
    return at


def away(name: str, command: TableCommand, seen_to: Prepare) -> Table:
    """Return a table whose device failed and is out of use."""
    at = failed(name, command)
    at.do(seen_to)
    return at


def without_deck() -> Table:
    """Return a Maryland table whose deck was removed because the shuffler counted 51 cards."""
    at = at_step(MD, "shuffle_by_machine")
    at.do(Prepare(step="shuffle_by_machine", count=51))
    return at


def opened_at(name: str, moment: int) -> Table:
    """Return a table that was opened at a moment, with a player and its cards ready."""
    at = closed(name)
    at.do(OpenTable(decks=("red",), at=moment))
    at.seat(1, "p1")
    ready(at)
    return at


def idle(name: str) -> Table:
    """Return a table without players whose cards are spread."""
    at = at_ready(name)
    at.do(LeaveSeat(position=1))
    at.do(IDLE)
    return at


def empty(name: str, **changes: object) -> Table:
    """Return a table with prepared cards that the player has left."""
    at = at_ready(name, **changes)
    at.do(LeaveSeat(position=1))
    return at


def twice_failed() -> Table:
    """Return a table with a current round where a machine failed twice."""
    at = failed(SM)
    at.do(SHUFFLER_FAILS)
    begin(at)
    return at


def last_hand() -> Table:
    """Return a table whose last hand is under way."""
    at = wagered(MA)
    at.do(LastHand())
    return at


CORRECTION = CorrectPayment(position=1, wager="ante", handed=1, reason="a slip", role="supervisor")
SITUATIONS: dict[str, Callable[[], tuple[Table, TableCommand]]] = {
    "round at a closed table": lambda: (closed(MA), BeginRound()),
    "round at an idle table": lambda: (idle(MA), BeginRound()),
    "opening twice": lambda: (opened(MA), OpenTable(decks=("red",))),
    "closing twice": lambda: (closed(MA), CloseTable()),
    "seat at a closed table": lambda: (closed(MA), TakeSeat(position=1, player="p1")),
    "failure at a closed table": lambda: (closed(SM), SHUFFLER_FAILS),
    "method at a closed table": lambda: (closed(MA), TO_SHOE),
    "swap at a closed table": lambda: (closed(SM), SwapMachine()),
    "deck at a closed table": lambda: (closed(MA), BringDeck(back="red")),
    "step at a closed table": lambda: (closed(MA), Prepare(step="wash")),
    "device at a closed table": lambda: (closed(MA), REMOVE),
    "device brought to a closed table": lambda: (closed(MA), BringDevice(device="shoe")),
    "idle at a closed table": lambda: (closed(MA), IDLE),
    "step out of order": lambda: (opened(MA), Prepare(step="wash")),
    "device covered where it is removed": lambda: (failed(MA, shuffler=SHUFFLER), COVER),
    "idle before the inspection": lambda: (opened(MA), IDLE),
    "idle before its verification": lambda: (_inspected(), IDLE),
    "nothing to prepare": lambda: (at_ready(MA), Prepare(step="wash")),
    "no device to cover": lambda: (at_ready(MD), COVER),
    "no device to remove": lambda: (at_ready(MA), REMOVE),
    "no device to see to": lambda: (failed(SM), REMOVE),
    "round before the cards are ready": lambda: (opened(MA), BeginRound()),
    "round without a deck": lambda: (without_deck(), BeginRound()),
    "deal while cards are shuffled": lambda: (_shuffled_in_round(), Deal()),
    "round while one is under way": lambda: (wagered(MA), BeginRound()),
    "last hand at a closed table": lambda: (closed(MA), LastHand()),
    "last hand twice": lambda: (last_hand(), LastHand()),
    "closing during the last hand": lambda: (last_hand(), CloseTable()),
    "closing during a round": lambda: (wagered(MA), CloseTable()),
    "method during a round": lambda: (wagered(MA), TO_SHOE),
    "swap during a round": lambda: (twice_failed(), SwapMachine()),
    "deck during a round": lambda: (wagered(MA), BringDeck(back="green")),
    "idle during a round": lambda: (wagered(MA), IDLE),
    "other deck inspected during a round": lambda: (
        _new_deck_beside_a_round(),
        Prepare(step="inspect_cards", deck=1),
    ),
    "device seen to during a round": lambda: (wagered(MA_ALL), REMOVE),
    "device brought during a round": lambda: (wagered(MA_ALL), BringDevice(device="shoe")),
    "deal without a round": lambda: (at_ready(MA), Deal()),
    "fold without a round": lambda: (at_ready(MA), Fold(position=1)),
    "report without a round": lambda: (at_ready(MA), ReportIrregularity(irregularity="one_face_up_card")),
    "correction without a round": lambda: (at_ready(MA), CORRECTION),
    "cut too shallow": lambda: (at_step(MA, "cut"), Prepare(step="cut", depth=9)),
    "cut too deep": lambda: (at_step(MA, "cut"), Prepare(step="cut", depth=52)),
    "cut too shallow there": lambda: (at_step(IA, "cut", **_by_hand()), Prepare(step="cut", depth=19)),
    "cut by the floor": lambda: (at_step(MA, "cut"), Prepare(step="cut", depth=26, role="floorperson")),
    "recut before the cut": lambda: (opened(MA), OrderRecut(role="casino-supervisor")),
    "recut at a closed table": lambda: (closed(MA), OrderRecut(role="casino-supervisor")),
    "recut after the first card": lambda: (at_phase(MA, "dealing"), OrderRecut(role="casino-supervisor")),
    "recut by a supervisor": lambda: (at_ready(MA), OrderRecut(role="supervisor")),
    "recut by a floorperson unnamed": lambda: (at_ready(IA), OrderRecut(role="floorperson")),
    "order of too few cards": lambda: (
        at_step(MA, "shuffle_by_hand"),
        Prepare(step="shuffle_by_hand", order=DECK[:51]),
    ),
    "order before the shuffle": lambda: (opened(MA), Prepare(step="inspect_cards", order=DECK)),
    "order of one deck for two": lambda: (
        closed(MA_ALL),
        OpenTable(decks=("red", "blue"), preshuffled=True, orders=(DECK,)),
    ),
    "order of cards that are not preshuffled": lambda: (opened(MD), BringDeck(back="green", order=DECK)),
    "order of a preshuffled deck unfit": lambda: (
        opened(MD),
        BringDeck(back="green", preshuffled=True, order=DECK[1:]),
    ),
    "backs alike": lambda: (closed(MA_ALL), OpenTable(decks=("red", "red"))),
    "backs alike brought": lambda: (opened(MD_ALL), BringDeck(back="red", deck=1)),
    "decks too many": lambda: (closed(MA), OpenTable(decks=("red", "blue"))),
    "deck too old": lambda: (opened_at(MD, 1), BeginRound(at=1 + 24 * HOUR)),
    "preshuffled deck": lambda: (closed(IA), OpenTable(decks=("red", "blue"), preshuffled=True)),
    "preshuffled deck brought": lambda: (opened(SM), BringDeck(back="red", preshuffled=True)),
    "idle face up by the dealer": lambda: (empty(MD), IDLE),
    "idle by a player": lambda: (empty(MA), GoIdle(spread="face-down", role="player")),
    "idle unknown": lambda: (empty(IA), IDLE),
    "idle with a device that reshuffles": lambda: (empty(MD_ALL), GoIdle(spread="face-down")),
    "idle with players": lambda: (at_ready(MA), IDLE),
    "shuffler absent": lambda: (at_ready(MA), SHUFFLER_FAILS),
    "shoe absent": lambda: (at_ready(MD), SHOE_FAILS),
    "shoe unknown": lambda: (at_ready(SM), SHOE_FAILS),
    "method before a device is seen to": lambda: (failed(MD), TO_SHOE),
    "method before a device is removed": lambda: (at_ready(MA_ALL), TO_SHOE),
    "swap early": lambda: (failed(SM), SwapMachine()),
    "swap early there": lambda: (at_ready(WA), SwapMachine()),
    "swap unknown": lambda: (at_ready(MA), SwapMachine()),
    "method unknown": lambda: (at_ready(SM), SwitchMethod(method="shoe")),
    "method without a shuffler": lambda: (at_ready(MA), SwitchMethod(method="hand")),
    "method without the fallback": lambda: (failed(IA), SwitchMethod(method="automated")),
    "shuffle at a closed table": lambda: (closed(MD), OrderShuffle(role="floorperson")),
    "shuffle after the first card": lambda: (at_phase(MD, "dealing"), OrderShuffle(role="floorperson")),
    "shuffle by the dealer": lambda: (at_ready(MD), OrderShuffle()),
    "shuffle on order unknown": lambda: (at_ready(MA), OrderShuffle(role="executive")),
    "time backward": lambda: (opened_at(MD, 1000), BeginRound(at=999)),
    "cards keyed in": lambda: (wagered(IA), Deal(cards=(1,))),
    "face-up card keyed in": lambda: (
        _face_up(),
        ReportIrregularity(irregularity="one_face_up_card", card=_second()),
    ),
    "round with a device away": lambda: (away(MD_ALL, SHOE_FAILS, COVER), BeginRound()),
    "method of a device away": lambda: (
        away(MD_ALL, SHOE_FAILS, COVER),
        SwitchMethod(method="automated"),
    ),
    "device brought that stands": lambda: (at_ready(MD_ALL), BringDevice(device="shoe")),
    "no first player": lambda: (_for_first_player(), Prepare(step="show_first_player")),
    "verified by the dealer": lambda: (_inspected(), Prepare(step="verify_inspection")),
    "step by a player": lambda: (opened(MA), Prepare(step="inspect_cards", role="player")),
    "strips too few": lambda: (at_step(IA, "strip", **_by_hand()), Prepare(step="strip", count=4)),
    "machine count missing": lambda: (
        at_step(MD, "shuffle_by_machine"),
        Prepare(step="shuffle_by_machine"),
    ),
    "hand missing": lambda: (at_step(MD, "take_in_hand"), Prepare(step="take_in_hand")),
    "device seen to by a player": lambda: (failed(MD), replace(COVER, **PLAYERS)),
    "opened by a player": lambda: (closed(MA), OpenTable(decks=("red",), **PLAYERS)),
    "deck brought by a player": lambda: (at_ready(MA), BringDeck(back="red", **PLAYERS)),
    "round begun by a player": lambda: (at_ready(MA), BeginRound(**PLAYERS)),
    "failure reported by a player": lambda: (at_ready(SM), replace(SHUFFLER_FAILS, **PLAYERS)),
    "device brought by a player": lambda: (at_ready(SM), BringDevice(device="shoe", **PLAYERS)),
    "machine swapped by a player": lambda: (at_ready(SM), SwapMachine(**PLAYERS)),
    "method switched by a player": lambda: (at_ready(MA), replace(TO_SHOE, **PLAYERS)),
    "last hand by a player": lambda: (wagered(MA), LastHand(**PLAYERS)),
    "closed by a player": lambda: (at_ready(MA), CloseTable(**PLAYERS)),
}


def _by_hand() -> dict[str, Any]:
    return {"dealing__method": "manual", "dealing__stack": None, "dealing__decks": 1, "shuffler": None}


def _inspected() -> Table:
    at = opened(MA)
    step_until(at, "verify_inspection")
    return at


def _for_first_player() -> Table:
    at = opened(MA)
    step_until(at, "show_first_player")
    return at


def _shuffled_in_round() -> Table:
    at = wagered(MD)
    at.do(OrderShuffle(role="floorperson"))
    return at


def _new_deck_beside_a_round() -> Table:
    at = table(MD, (1,), dealing__decks=2)
    at.do(BringDeck(back="green", deck=1))
    return at


def _face_up() -> Table:
    return wagered(IA)


def _second() -> int:
    order = _face_up().state.decks[0].order
    assert order is not None
    return order[1]
