"""Legal commands: what a person may do now at a table, found by deciding candidate commands."""

from collections.abc import Iterator, Mapping
from itertools import groupby

import msgspec
from msgspec.structs import replace

from fourcard.cards import DECK_SIZE
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    ActorRole,
    CallOff,
    CompleteDocument,
    ConfirmAward,
    Deal,
    Fold,
    JudgeCount,
    LeaveSeat,
    Perform,
    PlaceWager,
    Play,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.preconditions import next_step, positions_to_decide
from fourcard.round.state import PositionState, RoundState
from fourcard.rules.limits import deadline_refusal
from fourcard.table.autopilot import correct_count, correct_judgement, next_preparation, open_command
from fourcard.table.bots import least_amounts
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    GoIdle,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
    TableCommand,
)
from fourcard.table.decide import decide
from fourcard.table.state import TableState


class LegalCommand(msgspec.Struct, frozen=True):
    """A legal command, without the numbers that the person must count and enter."""

    command: TableCommand
    blanks: tuple[str, ...] = ()
    """The fields that the person must fill in."""


def legal_commands(
    state: TableState, role: ActorRole = "dealer", player: str = ""
) -> tuple[TableCommand, ...]:
    """Return the legal commands of a role or player, without the numbers that a person must count."""
    return tuple(offer.command for offer in legal_commands_with_blanks(state, role, player))


def legal_commands_with_blanks(
    state: TableState, role: ActorRole = "dealer", player: str = ""
) -> tuple[LegalCommand, ...]:
    """Return the legal commands of a role or player, each with the fields that the person must fill in.

    Wagers have the least amount, and Play comes in whole Antes. A count is decided with the right number,
    which is then left out.

    Not listed: reports (irregularities, cards of an unknown deck), what a dealer enters for players, and
    another deck or method while nothing calls for it.
    """
    candidates = _player_commands(state, player) if role == "player" else _staff_commands(state, role)
    return tuple(without_counts(each) for each in candidates if not isinstance(decide(state, each), Refusal))


def without_counts(command: TableCommand) -> LegalCommand:
    """Return a command without the numbers that a person must count, so that nobody copies them."""
    if isinstance(command, JudgeCount):
        return LegalCommand(
            replace(command, stub=None, hands=dict.fromkeys(command.hands)), ("stub", "hands")
        )
    if isinstance(command, Perform | Prepare) and command.count is not None:
        return LegalCommand(replace(command, count=None), ("count",))
    return LegalCommand(command)


NO_CARDS = (0,) * DECK_SIZE
"""Stands for cards that make no difference."""


class CommandsBasis(msgspec.Struct, frozen=True):
    """What the legal commands of the players at a table depend on.

    Deciding every candidate again costs far more than comparing this.
    """

    shared: tuple[object, ...]
    own: Mapping[str, tuple[PositionState, ...]]
    """By player, the positions in the current round."""
    decider: str
    """The player who decides now; empty if there is none."""

    def of(self, player: str) -> tuple[object, ...]:
        """Return what the commands of one player depend on: they are the same while this is equal.

        Which cards a player holds makes no difference, only how many.
        """
        own = tuple(replace(place, cards=NO_CARDS[: len(place.cards)]) for place in self.own.get(player, ()))
        return self.shared, own, self.decider == player


def commands_basis(state: TableState) -> CommandsBasis:
    """Return what the legal commands of the players depend on."""
    current_round = state.round
    if current_round is None:
        return CommandsBasis((state.rules, state.phase, state.seats), {}, "")
    places, own = current_round.positions, dict[str, tuple[PositionState, ...]]()
    for place in places.values():
        own[place.player] = (*own.get(place.player, ()), place)
    looked = current_round.phase == "deciding" and current_round.players_looked
    decider = positions_to_decide(current_round)[:1] if looked else ()
    shared = (
        current_round.rules,
        state.phase,
        state.seats,
        current_round.phase,
        current_round.betting_stage,
        tuple(places),
        looked,
    )
    return CommandsBasis(shared, own, places[decider[0]].player if decider else "")


def _player_commands(state: TableState, player: str) -> Iterator[TableCommand]:
    mine = [position for position, who in state.seats.items() if who == player]
    for position in range(1, state.game.submission.positions.at_table + 1):
        if position not in state.seats or (state.phase == "idle" and position in mine):
            yield TakeSeat(position=position, player=player, by=player, role="player")
    for position in mine:
        yield LeaveSeat(position=position, by=player, role="player")
        place = state.round.positions.get(position) if state.round is not None else None
        if state.round is None or place is None:
            continue
        yield from _wager_commands(state, state.round, place)
        if state.round.phase == "deciding" and position in positions_to_decide(state.round)[:1]:
            yield from _decision_commands(place)


def _wager_commands(
    state: TableState, current_round: RoundState, place: PositionState
) -> Iterator[TableCommand]:
    """Yield the commands for each wager that is not too late."""
    position, player = place.position, place.player
    for wager, amounts in groupby(least_amounts(state.game), lambda each: each[0]):
        if deadline_refusal(state.game, wager, current_round.betting_stage) is not None:
            continue
        for _, amount in amounts:
            yield PlaceWager(position=position, wager=wager, amount=amount, by=player, role="player")
        if wager in place.wagers or (wager == "progressive" and place.unregistered):
            yield WithdrawWager(position=position, wager=wager, by=player, role="player")


def _decision_commands(place: PositionState) -> Iterator[TableCommand]:
    position, player, ante = place.position, place.player, place.wagers.get("ante", 0)
    yield Fold(position=position, by=player, role="player")
    for times in (1, 2, 3):
        yield Play(position=position, amount=times * ante, by=player, role="player")


def _staff_commands(state: TableState, role: ActorRole) -> Iterator[TableCommand]:
    yield replace(open_command(state.game), role=role)
    yield from _preparation_commands(state, role)
    yield from _equipment_commands(state, role)
    yield BeginRound(role=role, at=state.at)
    yield from (OrderRecut(role=role), OrderShuffle(role=role), SwapMachine(role=role), CloseTable(role=role))
    yield from (ReportFailure(device="shuffler", role=role), ReportFailure(device="shoe", role=role))
    machine = state.game.submission.shuffler
    for decision in (machine and machine.local_procedure) or ():
        yield ReportFailure(device="shuffler", decision=decision, role=role)
    yield from (GoIdle(spread="face-up", role=role), GoIdle(spread="face-down", role=role))
    if state.round is None:
        return
    yield CallOff(role=role)
    yield Deal(role=role)
    expected = next_step(state.round)
    if expected is not None:
        count = correct_count(state, state.round, expected)
        yield Perform(step=expected.step, position=expected.position, count=count, role=role)
    yield replace(correct_judgement(state, state.round), role=role)
    for position in state.seats:
        yield ConfirmAward(position=position, role=role)
        yield CompleteDocument(position=position, role=role)
        yield TreatAsAbandoned(position=position, role=role)


def _equipment_commands(state: TableState, role: ActorRole) -> Iterator[TableCommand]:
    """Yield commands for removed decks, and for devices that failed or are out of use."""
    for number, deck in enumerate(state.decks):
        if deck.removed:
            yield BringDeck(back=deck.back, deck=number, role=role)
    yield from (BringDevice(device=device, role=role) for device in state.away)
    rule = state.game.rulebook.devices.before_other_method
    if state.failed or state.away:
        steps = rule.value if rule is not None and state.failed else ()
        yield from (Prepare(step=step, role=role) for step in steps)
        for method in state.game.rulebook.dealing:
            for by_hand in (False, True):
                if (method, by_hand) != (state.method, state.by_hand):
                    yield SwitchMethod(method=method, shuffle_by_hand=by_hand, role=role)


def _preparation_commands(state: TableState, role: ActorRole) -> Iterator[TableCommand]:
    """Yield the next preparation step of each deck, with the least cut."""
    cutting = state.game.rulebook.cutting
    for number in (number for number, deck in enumerate(state.decks) if deck.agenda):
        step = next_preparation(state, number)
        depth = cutting.least.value if cutting is not None and step.depth is not None else None
        yield replace(step, depth=depth, role=role)
