"""What seldom happens: something goes wrong, or is out of the ordinary, and is told as it would be."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from fourcard.round.commands import (
    CallOff,
    CorrectPayment,
    LeaveSeat,
    PayAward,
    Perform,
    PlaceWager,
    ReportIrregularity,
    SetHand,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.due import due
from fourcard.round.state import RoundState
from fourcard.rules.procedures import StepName
from fourcard.table.commands import (
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
from fourcard.table.session import Table


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
        general += [replace(at.preparation(), count=51)] * 3
    if state is None:
        leaving = [LeaveSeat(position=position) for position in at.state.seats]
        idling = GoIdle(spread=chance.choice(("face-up", "face-down")))
        if not leaving and chance.random() < 0.5:
            return idling
        failing = [ReportFailure(device="shuffler") if at.state.failures else SwapMachine()] * 2
        between: list[TableCommand] = [*general, *failing, CloseTable(), *leaving]
        return chance.choice(between)
    if state.awaiting is not None:
        return _other_price(at.meters.price(state), chance)
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
    position = chance.choice([*state.places, 0])
    yield LastHand()
    yield PlaceWager(position=position, wager="progressive", amount=100, accepted=False)
    yield from [TreatAsAbandoned(position=position, role="supervisor")] * 2
    yield ReportIrregularity(irregularity="card_drawn_in_error")
    yield ReportIrregularity(irregularity="one_face_up_card", place=chance.randrange(2))
    yield ReportIrregularity(irregularity="cards_on_play_without_chips", position=position)
    expected = due(state)
    if expected is not None and expected.step in ("count_stub", "count_chips"):
        wrong = Perform(step=expected.step, count=chance.randrange(52))
        yield from [wrong] * 8
    if position in state.places:
        yield from (WithdrawWager(position=position, wager=wager) for wager in state.places[position].wagers)
    for step in [each for each in state.steps if each.action == "pay"][-3:]:
        slip = chance.choice((step.amount, 100))
        yield CorrectPayment(
            position=step.position, wager=step.wager, handed=slip, reason="slip", role="supervisor"
        )
    yield from _exposures(state, chance, position)


def _exposures(state: RoundState, chance: Random, position: int) -> Iterator[TableCommand]:
    held = state.places[position].cards if position in state.places else state.dealer
    if not held:
        return
    yield ReportIrregularity(irregularity="player_card_exposed", position=position, card=chance.choice(held))
    cards = chance.choice((chance.sample(held, min(4, len(held))), chance.choices(held, k=5)))
    sets = state.rules.game.settings.get("player_sets_hand") is True
    yield from [SetHand(position=position, cards=tuple(cards))] * (10 if sets else 1)
    if chance.random() < 0.1:
        yield ReportIrregularity(irregularity="dealer_card_exposed", card=chance.choice(held))
        yield ReportIrregularity(irregularity="wrong_number_of_cards", position=position, count=7)
