"""Round evolve: apply each event to the state, without checking anything."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from fourcard.dealer_script import RACKING, DealerAction, DealerTurn, dealer_turns
from fourcard.dealing import BONUS, EXTRA
from fourcard.hands import best_of, rank_four
from fourcard.round.events import (
    DRAWING_IRREGULARITIES,
    ActPerformed,
    AwardAwaited,
    AwardConfirmed,
    AwardPaid,
    BetsClosed,
    CardsDealt,
    CardsDiscarded,
    ChipsDiffered,
    CountFoundWrong,
    CountJudged,
    DecisionsAwaited,
    DocumentCompleted,
    FaceUpCardDiscarded,
    HandFolded,
    HandSet,
    IrregularityNoted,
    OddsDisplayed,
    PaymentCorrected,
    PlayerAsked,
    PlayMade,
    ProgressiveBooked,
    ProgressiveLocked,
    RoundEnded,
    RoundEvent,
    RoundVoided,
    SeatAbandoned,
    SeatLeft,
    SeatTaken,
    ShowdownReached,
    Stake,
    StepDone,
    UpCardTurned,
    WagerPlaced,
    WagersSettled,
    WagerWithdrawn,
)
from fourcard.round.state import PositionState, RoundPhase, RoundState
from fourcard.rules.limits import BettingMoment
from fourcard.settlers.showdown import DEALER, Seat, Showdown
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.wagers import WagerName

REVEALS_DEALER = ("reveal_dealer", "announce_dealer")


def evolve(state: RoundState, event: RoundEvent) -> RoundState:
    """Return the state after an event."""
    return _HANDLERS[type(event)](state, event)


def _with_place(state: RoundState, place: PositionState) -> Mapping[int, PositionState]:
    return {**state.positions, place.position: place}


def _without_wager(wagers: Mapping[WagerName, int], name: WagerName) -> dict[WagerName, int]:
    return {each: amount for each, amount in wagers.items() if each != name}


def _add_to_pockets(state: RoundState, moves: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    """Return the players' balances after adding some amounts, negative ones included."""
    pockets = dict(state.net_changes)
    for position, amount in moves:
        pockets[position] = pockets.get(position, 0) + amount
    return pockets


def _on_seat_taken(state: RoundState, event: SeatTaken) -> RoundState:
    places = {**state.positions, event.position: PositionState(event.position, event.player)}
    return replace(state, positions=dict(sorted(places.items())))


def _on_seat_left(state: RoundState, event: SeatLeft) -> RoundState:
    return replace(state, positions={p: each for p, each in state.positions.items() if p != event.position})


def _on_wager_placed(state: RoundState, event: WagerPlaced) -> RoundState:
    place, name = state.positions[event.position], event.wager
    wagers, lying = dict(place.wagers), dict(place.on_layout)
    if event.accepted:
        wagers[name] = lying[name] = event.amount
        left = place.unregistered if name != "progressive" else 0
    else:
        wagers, lying, left = _without_wager(wagers, name), _without_wager(lying, name), event.amount
    changed = replace(place, wagers=wagers, on_layout=lying, unregistered=left)
    pockets = _add_to_pockets(state, [(event.position, event.before - event.amount)])
    return replace(state, positions=_with_place(state, changed), net_changes=pockets)


def _on_wager_withdrawn(state: RoundState, event: WagerWithdrawn) -> RoundState:
    place, name = state.positions[event.position], event.wager
    left = 0 if name == "progressive" else place.unregistered
    wagers, lying = _without_wager(place.wagers, name), _without_wager(place.on_layout, name)
    changed = replace(place, wagers=wagers, on_layout=lying, unregistered=left)
    pockets = _add_to_pockets(state, [(event.position, event.amount)])
    return replace(state, positions=_with_place(state, changed), net_changes=pockets)


def _on_step_done(state: RoundState, event: StepDone) -> RoundState:
    """Advance to the next step of the procedure, or to the next move of the deal."""
    if state.phase == "dealing":
        return _advance_deal(state)
    if state.phase == "deciding":
        return replace(state, players_looked=True)
    procedure = state.rules.before_cards if state.phase == "betting" else state.rules.after_cards
    done = next(number for number, (step, _) in enumerate(procedure) if step == event.step) + 1
    return replace(state, steps_performed=done, wrong_count=None)


def _on_bets_closed(state: RoundState, _event: BetsClosed) -> RoundState:
    moment: BettingMoment = "no-more-bets"
    return replace(state, betting_stage=moment)


def _on_progressive_locked(state: RoundState, event: ProgressiveLocked) -> RoundState:
    """Lock the stakes in, and return the chips that were not registered."""
    places = dict(state.positions)
    for position, _ in event.returned:
        places[position] = replace(places[position], unregistered=0)
    pockets = _add_to_pockets(state, event.returned)
    locked = replace(state, positions=places, locked_stakes=event.stakes, net_changes=pockets)
    return _with_stakes_in_tray(locked, event.stakes) if state.rules.stakes_booked_when_locked else locked


def _on_progressive_booked(state: RoundState, event: ProgressiveBooked) -> RoundState:
    return _with_stakes_in_tray(state, event.stakes)


def _with_stakes_in_tray(state: RoundState, stakes: Iterable[Stake]) -> RoundState:
    places, taken = dict(state.positions), 0
    for position, stake in stakes:
        place, taken = places[position], taken + stake
        places[position] = replace(place, on_layout=_without_wager(place.on_layout, "progressive"))
    return replace(state, positions=places, tray_change=state.tray_change + taken)


def _on_chips_differed(state: RoundState, event: ChipsDiffered) -> RoundState:
    return replace(state, chips_differ=(event.chips, event.accepted))


def _no_change(state: RoundState, _event: RoundEvent) -> RoundState:
    return state


def _on_cards_dealt(state: RoundState, event: CardsDealt) -> RoundState:
    state = _advance_deal(_begin_deal(state))
    out = state.dealt_mask | _card_bits(event.cards)
    if event.to == DEALER:
        up = event.cards[-1] if event.up else state.up_card
        return replace(state, dealer=(*state.dealer, *event.cards), up_card=up, dealt_mask=out)
    if event.to == EXTRA:
        return replace(state, extra=event.cards, dealt_mask=out)
    if event.to == BONUS:
        return replace(state, bonus=event.cards, dealt_mask=out)
    place = state.positions[event.to]
    dealt = replace(place, cards=(*place.cards, *event.cards))
    return replace(state, positions=_with_place(state, dealt), dealt_mask=out)


def _card_bits(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _begin_deal(state: RoundState) -> RoundState:
    """Begin the deal with the first card that leaves the deck, even if it is discarded."""
    if state.plan is not None:
        return state
    first: BettingMoment = "first-card"
    dealing: RoundPhase = "dealing"
    return replace(
        state, plan=state.rules.plan(state.dealt_in), phase=dealing, betting_stage=first, steps_performed=0
    )


def _advance_deal(state: RoundState) -> RoundState:
    """Advance in the deal plan; after the last move comes the stub."""
    assert state.plan is not None
    move = state.move_index + 1
    if move < len(state.plan.moves):
        return replace(state, move_index=move)
    stub: RoundPhase = "stub"
    return replace(state, move_index=move, phase=stub, steps_performed=0)


def _on_up_card_turned(state: RoundState, event: UpCardTurned) -> RoundState:
    if event.card in state.extra:
        extra = tuple(card for card in state.extra if card != event.card)
        state = replace(state, extra=extra, dealer=(*state.dealer, event.card))
    return _advance_deal(replace(state, up_card=event.card))


def _on_cards_discarded(state: RoundState, event: CardsDiscarded) -> RoundState:
    return _advance_deal(replace(state, extra=(), burned=(*state.burned, *event.cards)))


def _on_face_up_card_discarded(state: RoundState, event: FaceUpCardDiscarded) -> RoundState:
    state = _begin_deal(state)
    return replace(
        state,
        discarded=(*state.discarded, event.card),
        dealt_mask=state.dealt_mask | _card_bits((event.card,)),
    )


def _on_count_found_wrong(state: RoundState, event: CountFoundWrong) -> RoundState:
    return replace(state, wrong_count=event.count)


def _on_decisions_awaited(state: RoundState, _event: DecisionsAwaited) -> RoundState:
    deciding: RoundPhase = "deciding"
    return replace(state, phase=deciding, steps_performed=0)


def _on_decision(state: RoundState, event: PlayMade | HandFolded) -> RoundState:
    place = state.positions[event.position]
    if isinstance(event, HandFolded):
        return replace(state, positions=_with_place(state, replace(place, play_amount=0)))
    play: dict[WagerName, int] = {"play": event.amount}
    changed = replace(
        place,
        play_amount=event.amount,
        wagers={**place.wagers, **play},
        on_layout={**place.on_layout, **play},
    )
    pockets = _add_to_pockets(state, [(event.position, -event.amount)])
    return replace(state, positions=_with_place(state, changed), net_changes=pockets)


def _on_player_asked(state: RoundState, event: PlayerAsked) -> RoundState:
    return replace(
        state, positions=_with_place(state, replace(state.positions[event.position], asked_if_folding=True))
    )


def _on_hand_set(state: RoundState, event: HandSet) -> RoundState:
    """Set a player's hand; one set before the dealer settles changes what is due (R27)."""
    place = replace(state.positions[event.position], chosen_cards=event.cards)
    state = replace(state, positions=_with_place(state, place))
    if state.phase != "settling":
        return state
    return replace(state, dealer_turns=_settlement_turns(state))


def _on_seat_abandoned(state: RoundState, event: SeatAbandoned) -> RoundState:
    """Abandon a position; in the settlement, the rest of it is planned again (R108)."""
    place = replace(state.positions[event.position], abandoned=True)
    state = replace(state, positions=_with_place(state, place))
    return replace(state, dealer_turns=_turns_without(state, event.position))


def _turns_without(state: RoundState, position: int) -> tuple[DealerTurn, ...]:
    """Return the turns performed so far, then those that remain once a position is abandoned (R108)."""
    if state.phase != "settling":
        return state.dealer_turns
    performed = state.dealer_turns[: state.turn_index]
    begun = {(turn.act, turn.position) for turn in performed}
    taken = {(step.position, step.wager) for step in state.steps}
    turns = [
        replace(
            turn,
            pending_steps=tuple(
                due
                for due in turn.pending_steps
                if due.step.position == position and (position, due.step.wager) not in taken
            ),
            actions=tuple(action for action in turn.actions if action.position == position),
        )
        if (turn.act, turn.position) in begun
        else turn
        for turn in _settlement_turns(state)
    ]
    return (*performed, *(turn for turn in turns if turn.pending_steps or turn.actions))


def _on_showdown_reached(state: RoundState, _event: ShowdownReached) -> RoundState:
    settling: RoundPhase = "settling"
    return replace(state, phase=settling, dealer_turns=_settlement_turns(state))


def _settlement_turns(state: RoundState) -> tuple[DealerTurn, ...]:
    """Return the acts of the settlement; the Cover All odds were displayed before (MA-12e.2)."""
    acts = dealer_turns(state.rules.settler, showdown(state))
    return tuple(turn for turn in acts if turn.act != "display_odds")


def showdown(state: RoundState) -> Showdown:
    """Return the showdown: every hand and wager as the settlement needs them."""
    settler = state.rules.settler
    seats = []
    for position in state.dealt_in:
        place = state.positions[position]
        best, set_by_player = best_of(sorted(place.cards, reverse=True)), bool(place.chosen_cards)
        hand = rank_four(place.chosen_cards) if set_by_player else best
        standing = settler.standing(place.wagers, place.play_amount, left=place.abandoned)
        player, cards = f"player {place.player}", place.cards
        seats.append(Seat(position, player, cards, hand, place.wagers, standing, set_by_player))
    return settler.showdown(seats, state.dealer, state.bonus[0] if state.bonus else None)


def _on_act_performed(state: RoundState, event: ActPerformed) -> RoundState:
    changes = _money_changes(state, event.steps)
    changes |= _card_changes(state, changes.get("positions", state.positions), event.actions)
    return replace(state, turn_index=state.turn_index + 1, settled_in_turn=0, **changes)


def _on_wagers_settled(state: RoundState, event: WagersSettled) -> RoundState:
    settled = state.settled_in_turn + len(event.steps)
    return replace(state, settled_in_turn=settled, **_money_changes(state, event.steps))


def _on_award_awaited(state: RoundState, event: AwardAwaited) -> RoundState:
    return replace(state, awaited_step=event.step, awaited_by=event.by)


def _on_award_confirmed(state: RoundState, event: AwardConfirmed) -> RoundState:
    settled, changes = state.settled_in_turn + 1, _money_changes(state, (event.step,))
    return replace(state, awaited_step=None, awaited_by="", settled_in_turn=settled, **changes)


def _on_award_paid(state: RoundState, event: AwardPaid) -> RoundState:
    waiting = () if event.documented else (event.position,)
    undocumented = (*state.undocumented_positions, *waiting)
    state = replace(state, **_money_changes(state, event.steps))
    back = event.payment.meter_to_tray
    tray, meter = state.tray_change + back, state.meter_change - back
    return replace(
        state,
        awaited_step=None,
        settled_in_turn=state.settled_in_turn + 1,
        undocumented_positions=undocumented,
        tray_change=tray,
        meter_change=meter,
    )


def _on_document_completed(state: RoundState, event: DocumentCompleted) -> RoundState:
    left = tuple(position for position in state.undocumented_positions if position != event.position)
    return replace(state, undocumented_positions=left)


def _money_changes(state: RoundState, steps: tuple[SettlementStep, ...]) -> dict[str, Any]:
    """Return the fields that settlement steps change: stakes go to the tray, awards to the players."""
    if not steps:
        return {}
    places, pockets = dict(state.positions), dict(state.net_changes)
    tray, meter = state.tray_change, state.meter_change
    for step in steps:
        place = places[step.position]
        if step.action == "pay":
            pockets[step.position] = pockets.get(step.position, 0) + step.amount
            tray, meter = (
                (tray, meter - step.amount) if step.source == "meter" else (tray - step.amount, meter)
            )
        elif step.wager in place.on_layout:
            places[step.position] = replace(place, on_layout=_without_wager(place.on_layout, step.wager))
            tray += step.amount
    return {
        "positions": places,
        "net_changes": pockets,
        "tray_change": tray,
        "meter_change": meter,
        "steps": (*state.steps, *steps),
    }


def _card_changes(
    state: RoundState, places: Mapping[int, PositionState], actions: tuple[DealerAction, ...]
) -> dict[str, Any]:
    """Return the fields that the dealer's cards change: they are revealed, or put into the discard rack."""
    changes: dict[str, Any] = {}
    for action in actions:
        position = action.position
        if action.act in REVEALS_DEALER:
            changes["dealer_shown"] = True
        elif action.act == "reveal_bonus_card":
            changes["bonus_shown"] = True
        elif action.act == "reveal_hand":
            places = changes["positions"] = {**places, position: replace(places[position], face_up=True)}
        elif action.act in RACKING:
            changes["rack"] = (*changes.get("rack", state.rack), (position, action.cards))
            if position != DEALER:
                places = changes["positions"] = {**places, position: replace(places[position], racked=True)}
    return changes


def _on_irregularity_noted(state: RoundState, event: IrregularityNoted) -> RoundState:
    moment: BettingMoment = (
        "first-card" if event.irregularity in DRAWING_IRREGULARITIES else state.betting_stage
    )
    return replace(state, irregularities=(*state.irregularities, event), betting_stage=moment)


def _on_round_voided(state: RoundState, event: RoundVoided) -> RoundState:
    """Return all money to where it was before the round."""
    places = {p: replace(place, on_layout={}, unregistered=0) for p, place in state.positions.items()}
    void: RoundPhase = "void"
    cleared = dict.fromkeys(state.net_changes, 0)
    return replace(
        state,
        phase=void,
        positions=places,
        voided=event,
        net_changes=cleared,
        tray_change=0,
        meter_change=0,
        awaited_step=None,
    )


def _on_round_ended(state: RoundState, _event: RoundEnded) -> RoundState:
    """Return the stakes that still lie on the layout: those of wagers that won or tied."""
    back = [(p, sum(place.on_layout.values())) for p, place in state.positions.items()]
    places = {p: replace(place, on_layout={}) for p, place in state.positions.items()}
    over: RoundPhase = "over"
    return replace(state, phase=over, positions=places, net_changes=_add_to_pockets(state, back))


_HANDLERS: dict[type, Callable[[RoundState, Any], RoundState]] = {
    SeatTaken: _on_seat_taken,
    SeatLeft: _on_seat_left,
    WagerPlaced: _on_wager_placed,
    WagerWithdrawn: _on_wager_withdrawn,
    StepDone: _on_step_done,
    BetsClosed: _on_bets_closed,
    ProgressiveLocked: _on_progressive_locked,
    ProgressiveBooked: _on_progressive_booked,
    ChipsDiffered: _on_chips_differed,
    CardsDealt: _on_cards_dealt,
    UpCardTurned: _on_up_card_turned,
    CardsDiscarded: _on_cards_discarded,
    CountFoundWrong: _on_count_found_wrong,
    CountJudged: _no_change,
    OddsDisplayed: _no_change,
    DecisionsAwaited: _on_decisions_awaited,
    PlayMade: _on_decision,
    HandFolded: _on_decision,
    PlayerAsked: _on_player_asked,
    HandSet: _on_hand_set,
    SeatAbandoned: _on_seat_abandoned,
    ShowdownReached: _on_showdown_reached,
    ActPerformed: _on_act_performed,
    WagersSettled: _on_wagers_settled,
    AwardAwaited: _on_award_awaited,
    AwardConfirmed: _on_award_confirmed,
    AwardPaid: _on_award_paid,
    DocumentCompleted: _on_document_completed,
    PaymentCorrected: _no_change,
    IrregularityNoted: _on_irregularity_noted,
    FaceUpCardDiscarded: _on_face_up_card_discarded,
    RoundVoided: _on_round_voided,
    RoundEnded: _on_round_ended,
}
