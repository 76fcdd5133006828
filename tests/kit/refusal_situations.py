"""Situations in which a command is refused, by name: a table and the command."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK, parse_cards
from fourcard.round.commands import (
    ActorRole,
    CallOff,
    CorrectPayment,
    Deal,
    Fold,
    JudgeCount,
    LeaveSeat,
    Perform,
    PlaceWager,
    Play,
    ReportIrregularity,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
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
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.deals import act
from tests.kit.decks import SHUFFLER, begin, closed, opened, ready
from tests.kit.decks import until as step_until
from tests.kit.support import game
from tests.kit.tables import ANTE, bet, current_round, decision, seeded, table, until

MA, MD, IA, SM, WA = "massachusetts", "maryland", "catfish-bend", "shuffle-master", "washington"
MA_ALL, MD_ALL, SM_ALL = f"{MA}-everything", f"{MD}-everything", f"{SM}-everything"
PROGRESSIVE: dict[WagerName, int] = {"ante": 2500, "progressive": 100}
ANNOUNCE, LOOK = Perform(step="announce_no_more_bets"), Perform(step="let_players_look")


def wagered(name: str, **changes: Any) -> Table:
    """Return a table with three Antes and a round open for wagers."""
    at = table(name, **changes)
    bet(at, ANTE)
    return at


def at_phase(name: str, phase: str, **changes: Any) -> Table:
    """Return a table whose round is in a phase, with an Ante at every position."""
    at = wagered(name, **changes)
    until(at, phase)
    return at


def looked(name: str, **changes: Any) -> Table:
    """Return a table whose players have looked at their cards."""
    at = at_phase(name, "deciding", **changes)
    act(at)
    return at


def keyed(name: str) -> Table:
    """Return a table with keyed cards, an Ante, and betting closed."""
    at = Table(game(name), seeded(1))
    at.seat(1, "p1")
    while at.state.agenda:
        at.do(replace(at.next_preparation(), order=None))
    at.do(BeginRound())
    bet(at, ANTE)
    at.do(ANNOUNCE)
    return at


def chips(count: int | None, then: ActorRole = "dealer") -> tuple[Table, TableCommand]:
    """Return a Maryland table whose three progressive chips must be counted."""
    at = table(MD_ALL)
    bet(at, PROGRESSIVE)
    at.do(ANNOUNCE)
    at.do(Perform(step="lock_out"))
    at.do(Perform(step="collect_chips"))
    return at, Perform(step="count_chips", count=count, role=then)


def counted(count: int | None) -> tuple[Table, TableCommand]:
    """Return a Maryland table with two players whose stub must be counted."""
    at = Table(game(MD), seeded(1))
    for position in (1, 2):
        at.seat(position, f"p{position}")
    while at.state.agenda:
        at.do(at.next_preparation())
    at.do(BeginRound(count_stub=True))
    bet(at, ANTE)
    until(at, "stub")
    while at.next_command() != Perform(step="count_stub", count=36):
        act = at.next_command()
        assert act is not None
        at.do(act)
    return at, Perform(step="count_stub", count=count)


def miscounted() -> Table:
    """Return a table whose stub count was one card short."""
    at, command = counted(35)
    at.do(command)
    return at


def differing(role: ActorRole) -> tuple[Table, TableCommand]:
    """Return a table whose chips were two instead of three."""
    at, command = chips(2)
    at.do(command)
    return at, replace(command, count=3, role=role)


def played() -> tuple[Table, TableCommand]:
    """Return a table where the first player tries to withdraw a Play wager."""
    at = looked(MA)
    at.do(decision(at))
    return at, WithdrawWager(position=1, wager="play")


def unregistered() -> Table:
    """Return a table with a progressive chip that the system did not accept."""
    at = wagered(MD_ALL)
    at.do(PlaceWager(position=1, wager="progressive", amount=100, accepted=False))
    return at


def dealer_shown() -> tuple[Table, TableCommand]:
    """Return a table whose dealer has shown the hand."""
    at = at_phase(MA, "settling")
    at.do(Perform(step="reveal_dealer"))
    return at, ReportIrregularity(irregularity="dealer_card_exposed", card=current_round(at).dealer[0])


def abandoned() -> tuple[Table, TableCommand]:
    """Return a table where a player's wagers are already treated as abandoned."""
    at = looked(MD_ALL)
    at.do(TreatAsAbandoned(position=1, role="supervisor"))
    return at, TreatAsAbandoned(position=1, role="supervisor")


def extra_stack() -> tuple[Table, TableCommand]:
    """Return a table with an extra stack on it."""
    at = at_phase(MA_ALL, "dealing")
    while not current_round(at).extra:
        at.do(Deal())
    return at, ReportIrregularity(irregularity="wrong_number_of_cards", position=-1, count=5)


def small_hand() -> tuple[Table, TableCommand]:
    """Return a table where a half-dealt hand is reported as wrong."""
    at = at_phase(MA, "dealing")
    return at, ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=1)


def seen_card(report: bool) -> tuple[Table, TableCommand]:
    """Return a table where a card comes that was already dealt."""
    at = keyed(MA)
    at.do(Deal(cards=parse_cards("As")))
    again = parse_cards("As")
    return at, ReportIrregularity(irregularity="one_face_up_card", card=again[0]) if report else Deal(
        cards=again
    )


def up_card() -> tuple[Table, TableCommand]:
    """Return a table where the up card is reported as exposed."""
    at = at_phase(MA, "deciding")
    return at, ReportIrregularity(irregularity="dealer_card_exposed", card=current_round(at).up_card)


ABANDON = TreatAsAbandoned(position=1, role="supervisor")
COUNT_2 = ReportIrregularity(irregularity="wrong_number_of_cards", position=1)
ROUND_SITUATIONS: dict[str, Callable[[], tuple[Table, TableCommand]]] = {
    "step out of order": lambda: (wagered(MA), LOOK),
    "act at another position": lambda: (_revealed(), Perform(step="reveal_hand", position=2)),
    "deal before the announcement": lambda: (wagered(MA), Deal()),
    "deal by performing first": lambda: (keyed(MA), Perform(step="deal")),
    "deal by performing later": lambda: (at_phase(MA, "dealing"), Perform(step="deal", position=2)),
    "hand set before the look": lambda: (
        at_phase(IA, "deciding", settings__player_sets_hand=True),
        SetHand(position=1, cards=(0, 1, 2, 3)),
    ),
    "decision before the look": lambda: (at_phase(MA, "deciding"), Fold(position=1)),
    "fold while wagers are open": lambda: (wagered(MA), Fold(position=1)),
    "hand set while wagers are open": lambda: (wagered(IA), SetHand(position=1, cards=(0, 1, 2, 3))),
    "hand set where the dealer does": lambda: (looked(MA), SetHand(position=1, cards=(0, 1, 2, 3))),
    "count judged while wagers are open": lambda: (wagered(MD), JudgeCount(stub=1, hands={})),
    "abandoned while wagers are open": lambda: (wagered(MD_ALL), ABANDON),
    "deal while decisions are due": lambda: (looked(MA), Deal()),
    "look twice": lambda: (looked(MA), LOOK),
    "wager without a seat": lambda: (table(MA), PlaceWager(position=5, wager="ante", amount=2500)),
    "withdrawal without a seat": lambda: (table(IA), WithdrawWager(position=5, wager="ante")),
    "seat without a name": lambda: (table(MA), TakeSeat(position=5, player="")),
    "seat for another player": lambda: (
        table(MA),
        TakeSeat(position=5, player="p9", role="player", by="p2"),
    ),
    "seat taken": lambda: (table(MA), TakeSeat(position=1, player="p9")),
    "another's position": lambda: (looked(MA), Fold(position=1, role="player", by="p2")),
    "nobody's position": lambda: (looked(IA), Fold(position=1, role="player")),
    "supervisor at a position": lambda: (looked(MA), Fold(position=1, role="supervisor")),
    "step by a floorperson": lambda: (wagered(MA), replace(ANNOUNCE, role="floorperson")),
    "deal by a player": lambda: (wagered(IA), Deal(role="player")),
    "report by a player": lambda: (
        wagered(MA),
        ReportIrregularity(irregularity="card_drawn_in_error", role="player"),
    ),
    "abandoned by a dealer": lambda: (looked(MD_ALL), replace(ABANDON, role="dealer")),
    "count judged by a floorperson": lambda: (
        miscounted(),
        JudgeCount(stub=35, hands={}, role="floorperson"),
    ),
    "round called off by the dealer": lambda: (wagered(MA), CallOff()),
    "round called off by a player": lambda: (table(MA), CallOff(role="player")),
    "round called off late": lambda: (at_phase(MA, "dealing"), CallOff(role="floorperson")),
    "leaving with cards": lambda: (looked(IA), LeaveSeat(position=1)),
    "leaving with wagers": lambda: (wagered(MA), LeaveSeat(position=1)),
    "leaving with a chip": lambda: (unregistered(), LeaveSeat(position=1)),
    "cash": lambda: (table(MA), PlaceWager(position=1, wager="ante", amount=2500, instrument="cash")),
    "cash unnamed": lambda: (table(MD), PlaceWager(position=1, wager="ante", amount=2500, instrument="cash")),
    "plaque": lambda: (table(IA), PlaceWager(position=1, wager="ante", amount=2500, instrument="plaque")),
    "coupon": lambda: (
        table(MA),
        PlaceWager(position=1, wager="ante", amount=2500, instrument="match-play-coupon"),
    ),
    "bet between players": lambda: (
        table(SM),
        PlaceWager(position=1, wager="ante", amount=2500, against="player"),
    ),
    "bet between players unnamed": lambda: (
        table(IA),
        PlaceWager(position=1, wager="ante", amount=2500, against="player"),
    ),
    "wager not offered": lambda: (
        at_phase(IA, "dealing"),
        PlaceWager(position=1, wager="progressive", amount=100),
    ),
    "wager not placed by itself": lambda: (
        wagered(IA),
        PlaceWager(position=1, wager="automatic_bonus", amount=100),
    ),
    "play before its time": lambda: (wagered(MA), PlaceWager(position=1, wager="play", amount=2500)),
    "play placed in its time": lambda: (looked(MA), PlaceWager(position=1, wager="play", amount=2500)),
    "wager absent": lambda: (wagered(MA), WithdrawWager(position=1, wager="aces_up")),
    "wager absent beside a chip": lambda: (unregistered(), WithdrawWager(position=1, wager="aces_up")),
    "play withdrawn": played,
    "ante withdrawn": lambda: (_both(), WithdrawWager(position=1, wager="ante")),
    "ante withdrawn late": lambda: (at_phase(MA, "dealing"), WithdrawWager(position=1, wager="ante")),
    "deal to nobody": lambda: (table(MA), Deal()),
    "announcement to nobody": lambda: (table(MA), ANNOUNCE),
    "chips uncounted": lambda: chips(None),
    "chips below nothing": lambda: chips(-1),
    "chips counted again by the dealer": lambda: differing("dealer"),
    "deal while chips differ": lambda: (differing("dealer")[0], Deal()),
    "too few cards": lambda: (keyed(MA), Deal()),
    "too many cards": lambda: (keyed(MA), Deal(cards=(1, 2))),
    "no such card": lambda: (keyed(MA), Deal(cards=(52,))),
    "card dealt again": lambda: seen_card(report=False),
    "card found face up again": lambda: seen_card(report=True),
    "card found face up unnamed": lambda: (keyed(MA), ReportIrregularity(irregularity="one_face_up_card")),
    "card found face up too deep": lambda: (
        keyed(MA),
        ReportIrregularity(irregularity="one_face_up_card", card=1, place=1),
    ),
    "asked later": lambda: (looked(MA), Play(position=2, amount=2500)),
    "no decision": lambda: (_decided(), Fold(position=1)),
    "no cards to abandon": lambda: (_one_ante(), replace(ABANDON, position=2)),
    "nobody to abandon": lambda: (looked(MD_ALL), replace(ABANDON, position=6)),
    "no decision twice": abandoned,
    "abandoned where nobody may be": lambda: (looked(MA), ABANDON),
    "abandoned where the house does not": lambda: (looked(MD), ABANDON),
    "wrong hand": lambda: (keyed(MA), Deal(cards=(1,), drawn_with="right")),
    "number right": lambda: (looked(MA), replace(COUNT_2, count=5)),
    "number of the dealer right": lambda: (looked(MA), replace(COUNT_2, position=0, count=6)),
    "number of the extra stack right": extra_stack,
    "number right beside an extra stack": lambda: (
        extra_stack()[0],
        replace(COUNT_2, position=2, count=5),
    ),
    "number not yet wrong": small_hand,
    "number missing": lambda: (looked(MA), COUNT_2),
    "number below nothing": lambda: (looked(MA), replace(COUNT_2, count=-2)),
    "number of nobody's hand": lambda: (looked(MA), replace(COUNT_2, position=6, count=4)),
    "number of no extra stack": lambda: (looked(MA), replace(COUNT_2, position=-1, count=4)),
    "up card": up_card,
    "shown dealer exposed": dealer_shown,
    "exposed elsewhere": lambda: (
        looked(MA),
        ReportIrregularity(irregularity="player_card_exposed", position=6, card=1),
    ),
    "failure reported": lambda: (wagered(SM), ReportIrregularity(irregularity="shoe_failure")),
    "not described then": lambda: (
        looked(IA),
        ReportIrregularity(irregularity="card_drawn_in_error"),
    ),
    "not described now": lambda: (
        wagered(MA),
        ReportIrregularity(irregularity="cards_on_play_without_chips", position=1),
    ),
    "card that says nothing": lambda: (
        keyed(MA),
        ReportIrregularity(irregularity="card_drawn_in_error", card=1),
    ),
    "count that says nothing": lambda: (
        looked(MA),
        ReportIrregularity(irregularity="dealer_card_exposed", count=1),
    ),
    "place that says nothing": lambda: (
        looked(MA),
        ReportIrregularity(irregularity="dealer_card_exposed", place=1),
    ),
    "position that says nothing": lambda: (
        looked(MA),
        ReportIrregularity(irregularity="dealer_card_exposed", position=1),
    ),
    "count missing": lambda: counted(None),
    "count below nothing": lambda: counted(-1),
    "count unjudged": lambda: (miscounted(), Perform(step="discard_stub")),
    "count not wrong": lambda: (counted(36)[0], JudgeCount(stub=36, hands={})),
    "count judged by too few hands": lambda: (miscounted(), JudgeCount(stub=35, hands={0: 6})),
    "count judged below nothing": lambda: (miscounted(), JudgeCount(stub=35, hands={0: 6, 1: 5, 2: -1})),
    "stub shown": lambda: (
        at_phase(MA, "stub"),
        Perform(step="remove_stub", exposed=True),
    ),
}


def _both() -> Table:
    at = table(MD_ALL)
    bet(at, PROGRESSIVE)
    return at


def _revealed() -> Table:
    at = at_phase(IA, "settling")
    while (act := at.next_command()) != Perform(step="reveal_hand", position=1):
        assert act is not None
        at.do(act)
    return at


def _decided() -> Table:
    at = looked(MA)
    at.do(Fold(position=1))
    return at


def _one_ante() -> Table:
    at = table(MD_ALL)
    bet(at, ANTE, [1])
    until(at, "deciding")
    return at


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
TABLE_SITUATIONS: dict[str, Callable[[], tuple[Table, TableCommand]]] = {
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
    "idle by a player among others": lambda: (
        at_ready(MA),
        GoIdle(spread="face-up", role="player", by="p1"),
    ),
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
