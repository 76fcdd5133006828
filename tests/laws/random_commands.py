"""Random commands: valid next ones, nearly valid ones, and rare irregularities."""

from collections.abc import Callable, Iterator
from random import Random

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.dealing import cut_deck
from fourcard.round.commands import (
    CallOff,
    CorrectPayment,
    Deal,
    Fold,
    LeaveSeat,
    PayAward,
    Perform,
    PlaceWager,
    PlaceWagers,
    Play,
    ReportIrregularity,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.decide_deal import upcoming_move
from fourcard.round.preconditions import next_step, positions_to_decide
from fourcard.round.state import RoundState
from fourcard.rules.procedures import StepName
from fourcard.table.autopilot import open_command
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    GoIdle,
    LastHand,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
    TableCommand,
)
from fourcard.table.deck_preparation import CUT_STEPS
from fourcard.table.table_driver import Table
from fourcard.wagers import LIMITED_WAGERS
from tests.kit.decks import strong_deck
from tests.laws.wild_commands import near, wild


def seldom(at: Table, chance: Random) -> TableCommand:
    """Return something that goes wrong or is out of the ordinary, told as it would be."""
    state = at.state.round
    method = chance.choice([*at.game.rulebook.dealing])
    seeing: list[StepName] = ["remove_device", "cover_device", "mark_device"]
    general: list[TableCommand] = [
        Prepare(step=chance.choice(seeing)),
        CallOff(role="floorperson"),
        SwitchMethod(method=method, shuffle_by_hand=chance.random() < 0.5),
        ReportFailure(device=chance.choice(("shuffler", "shoe"))),
        OrderRecut(role="casino-supervisor"),
        OrderShuffle(role="casino-supervisor"),
    ]
    if at.state.agenda:
        general += [replace(at.next_preparation(), count=51)] * 3
    if state is None:
        leaving = [LeaveSeat(position=position) for position in at.state.seats]
        idling = GoIdle(spread=chance.choice(("face-up", "face-down")))
        if chance.random() < (0.1 if leaving else 0.5):
            return idling
        failing = [ReportFailure(device="shuffler") if at.state.failures else SwapMachine()] * 2
        between: list[TableCommand] = [*general, *failing, CloseTable(), *leaving]
        return chance.choice(between)
    if state.awaited_step is not None:
        return _other_price(at.local_meter.price_award(state), chance)
    return chance.choice([*general, *_troubles(state, chance)])


def _other_price(price: PayAward, chance: Random) -> PayAward:
    """Return a price that is not the meter's: less than nothing, or from other hands."""
    paid, less = price.payment, -chance.randrange(1, 500)
    swapped = replace(paid, from_meter=paid.from_tray, from_tray=paid.from_meter)
    below = replace(paid, from_meter=less, from_tray=paid.amount - less)
    return chance.choice(
        (replace(price, before=less), *(replace(price, payment=p) for p in (swapped, below)))
    )


def _troubles(state: RoundState, chance: Random) -> Iterator[TableCommand]:
    position = chance.choice([*state.positions, 0])
    yield LastHand()
    yield PlaceWager(position=position, wager="progressive", amount=100, accepted=False)
    yield from [TreatAsAbandoned(position=position, role="supervisor")] * 2
    yield ReportIrregularity(irregularity="card_drawn_in_error")
    yield ReportIrregularity(irregularity="one_face_up_card", place=chance.randrange(2))
    yield ReportIrregularity(irregularity="cards_on_play_without_chips", position=position)
    expected = next_step(state)
    if expected is not None and expected.step in ("count_stub", "count_chips"):
        wrong = Perform(step=expected.step, count=chance.randrange(52))
        yield from [wrong] * 16
    if position in state.positions:
        yield from (
            WithdrawWager(position=position, wager=wager) for wager in state.positions[position].wagers
        )
    for step in [each for each in state.steps if each.action == "pay"][-3:]:
        slip = chance.choice((step.amount, 100))
        yield CorrectPayment(
            position=step.position, wager=step.wager, handed=slip, reason="slip", role="supervisor"
        )
    yield from _exposures(state, chance, position)


def _exposures(state: RoundState, chance: Random, position: int) -> Iterator[TableCommand]:
    held = state.positions[position].cards if position in state.positions else state.dealer
    if not held:
        return
    yield ReportIrregularity(irregularity="player_card_exposed", position=position, card=chance.choice(held))
    cards = chance.choice((chance.sample(held, min(4, len(held))), chance.choices(held, k=5)))
    sets = state.rules.game.settings.get("player_sets_hand") is True
    yield from [SetHand(position=position, cards=tuple(cards))] * (10 if sets else 1)
    if chance.random() < 0.1:
        yield ReportIrregularity(irregularity="dealer_card_exposed", card=chance.choice(held))
        yield ReportIrregularity(irregularity="wrong_number_of_cards", position=position, count=7)


MAX_SEATS = 4


def command(at: Table, number: int) -> tuple[TableCommand, bool]:
    """Return the command that a number stands for, and whether it is proper; small numbers are."""
    chance, sort = Random(number + (len(at.events) << 32)), number % 20
    if sort < 15:
        return proper(at, chance), True
    if sort < 17:
        return near(proper(at, chance), chance), False
    if sort < 19:
        return seldom(at, chance), False
    return wild(chance), False


def shuffler(at: Table, chance: Random) -> Callable[[], tuple[int, ...]]:
    """Return a shuffler whose decks deal rare hands to whoever sits, as often as not, even after a cut."""

    def shuffle() -> tuple[int, ...]:
        if chance.random() < 0.3 or not at.state.seats:
            return tuple(chance.sample(DECK, 52))
        order = strong_deck(at.game, at.state.seats, chance, at.state.method)
        cuts = any(step in CUT_STEPS for step, _ in at.state.agenda)
        return cut_deck(order, 26) if cuts else order

    return shuffle


def proper(at: Table, chance: Random) -> TableCommand:
    """Return what people do at a table where nothing goes wrong, so that it may never be refused."""
    state = at.state
    if state.phase == "closed":
        return replace(open_command(at.game), at=state.at)
    waits = state.round is None and (state.agenda or state.seats) and chance.random() < 0.8
    if not waits and (not state.seats or (state.round is None and len(state.seats) < MAX_SEATS)):
        return _arrival(at, chance)
    if state.decks[state.active].removed:
        return _new_deck(at)
    if state.agenda:
        return _preparation(at, chance)
    return _begin(at, chance) if state.round is None else _in_round(at, state.round, chance)


def _begin(at: Table, chance: Random) -> TableCommand:
    """Begin a round, or bring what keeps it from beginning; at an idle table somebody wants to play again."""
    state = at.state
    if state.phase == "idle":
        position, player = chance.choice([*state.seats.items()])
        return TakeSeat(position=position, player=player)
    begin = BeginRound(count_stub=chance.random() < 0.6, at=state.at)
    if at.may(begin) is None:
        return begin
    return BringDevice(device=state.away[0], at=state.at) if state.away else _new_deck(at)


def _preparation(at: Table, chance: Random) -> TableCommand:
    """Return the step that is due; now and then nobody sees the order, or a failing machine is swapped."""
    if at.state.agenda[0][0] == "show_first_player" and not at.state.seats:
        return _arrival(at, chance)
    if chance.random() < 0.1 and at.may(SwapMachine()) is None:
        return SwapMachine()
    step = at.next_preparation()
    return replace(step, order=None) if chance.random() < 0.1 else step


def _new_deck(at: Table) -> BringDeck:
    used = {deck.back for deck in at.state.decks}
    back = next(back for back in ("red", "blue", "green") if back not in used)
    return BringDeck(back=back, at=at.state.at)


def _arrival(at: Table, chance: Random) -> TakeSeat:
    free = [p for p in range(1, at.game.submission.positions.at_table + 1) if p not in at.state.seats]
    return TakeSeat(position=chance.choice(free), player=f"player {chance.getrandbits(40)}")


def _in_round(at: Table, state: RoundState, chance: Random) -> TableCommand:
    if state.phase == "betting":
        may = [each for each in _wagers(at, state, chance) if at.may(each) is None]
        first = [each for each in may if not state.positions[each.position].wagers]
        if may and (not state.dealt_in or chance.random() < (0.95 if first else 0.8)):
            return chance.choice(first or may)
    act = at.next_command()
    if act is None:
        return _decision(at, state, chance)
    if isinstance(act, Deal) and at.state.decks[at.state.active].order is None:
        unseen = [card for card in DECK if card not in state.dealt_cards]
        return replace(act, cards=tuple(chance.sample(unseen, upcoming_move(state).count)))
    return act


def _wagers(at: Table, state: RoundState, chance: Random) -> Iterator[PlaceWager | PlaceWagers]:
    """Yield wagers that are not placed yet, of amounts that are taken, alone or in a command for several."""
    choice, limits = at.game.submission.progressive, at.game.submission.limits.posted
    for position, place in state.positions.items():
        for wager in LIMITED_WAGERS:
            if wager not in place.wagers and wager in limits:
                most = min(limits[wager].most, 2 * limits[wager].least)
                amount = chance.randrange(limits[wager].least, most + 1, at.game.submission.chip)
                yield PlaceWager(position=position, wager=wager, amount=amount)
                if chance.random() < 0.2:
                    yield PlaceWagers(position=position, wagers={wager: amount})
        if choice is not None and "progressive" not in place.wagers:
            yield PlaceWager(position=position, wager="progressive", amount=int(chance.choice(choice.stakes)))


def _decision(at: Table, state: RoundState, chance: Random) -> TableCommand:
    position = positions_to_decide(state)[0]
    present = SetHand(position=position, cards=tuple(chance.sample(state.positions[position].cards, 4)))
    if chance.random() < 0.3 and at.may(present) is None:
        return present
    ante = state.positions[position].wagers["ante"]
    play = Play(position=position, amount=chance.choice((1, 2, 3)) * ante)
    return Fold(position=position) if chance.random() < 0.2 or at.may(play) is not None else play
