"""Folding: a state and what happened make the next state. Nothing is checked here."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from fourcard.dealing import BONUS, EXTRA
from fourcard.hands import best_of, rank_four
from fourcard.round.events import (
    DRAWN,
    ActPerformed,
    AwardAwaited,
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
    ProgressiveLocked,
    RoundEnded,
    RoundEvent,
    RoundVoided,
    SeatAbandoned,
    SeatLeft,
    SeatTaken,
    ShowdownReached,
    StepDone,
    UpCardTurned,
    WagerPlaced,
    WagersSettled,
    WagerWithdrawn,
)
from fourcard.round.state import Phase, Place, RoundState
from fourcard.rules.limits import Moment
from fourcard.rules.nodes import WagerName
from fourcard.script import RACKING, Deed, Turn, turns
from fourcard.wagers.showdown import DEALER, Seat, Showdown
from fourcard.wagers.wager import Step

REVEALS_DEALER = ("reveal_dealer", "announce_dealer")


def evolve(state: RoundState, event: RoundEvent) -> RoundState:
    """Return the state after an event."""
    return _FOLDS[type(event)](state, event)


def replay(state: RoundState, events: Iterable[RoundEvent]) -> RoundState:
    """Return the state after many events."""
    for event in events:
        state = evolve(state, event)
    return state


def _with(state: RoundState, place: Place) -> Mapping[int, Place]:
    return {**state.places, place.position: place}


def _without(wagers: Mapping[WagerName, int], name: WagerName) -> dict[WagerName, int]:
    return {each: amount for each, amount in wagers.items() if each != name}


def _pocketed(state: RoundState, moves: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    """Return the pockets after some amounts went into them, or out of them where negative."""
    pockets = dict(state.pockets)
    for position, amount in moves:
        pockets[position] = pockets.get(position, 0) + amount
    return pockets


def _seat_taken(state: RoundState, event: SeatTaken) -> RoundState:
    places = {**state.places, event.position: Place(event.position, event.player)}
    return replace(state, places=dict(sorted(places.items())))


def _seat_left(state: RoundState, event: SeatLeft) -> RoundState:
    return replace(state, places={p: each for p, each in state.places.items() if p != event.position})


def _wager_placed(state: RoundState, event: WagerPlaced) -> RoundState:
    place, name = state.places[event.position], event.wager
    wagers, lying = dict(place.wagers), dict(place.lying)
    if event.accepted:
        wagers[name] = lying[name] = event.amount
        left = place.unregistered if name != "progressive" else 0
    else:
        wagers, lying, left = _without(wagers, name), _without(lying, name), event.amount
    changed = replace(place, wagers=wagers, lying=lying, unregistered=left)
    pockets = _pocketed(state, [(event.position, event.before - event.amount)])
    return replace(state, places=_with(state, changed), pockets=pockets)


def _wager_withdrawn(state: RoundState, event: WagerWithdrawn) -> RoundState:
    place, name = state.places[event.position], event.wager
    left = 0 if name == "progressive" else place.unregistered
    wagers, lying = _without(place.wagers, name), _without(place.lying, name)
    changed = replace(place, wagers=wagers, lying=lying, unregistered=left)
    pockets = _pocketed(state, [(event.position, event.amount)])
    return replace(state, places=_with(state, changed), pockets=pockets)


def _step_done(state: RoundState, event: StepDone) -> RoundState:
    """Go on to the next step of the procedure, or to the next move of the deal."""
    if state.phase == "dealing":
        return _moved(state)
    if event.step == "let_players_look":
        return replace(state, looked=True)
    procedure = state.rules.before_cards if state.phase == "betting" else state.rules.after_cards
    done = next(number for number, (step, _) in enumerate(procedure) if step == event.step) + 1
    return replace(state, step=done, wrong_count=None)


def _bets_closed(state: RoundState, _event: BetsClosed) -> RoundState:
    moment: Moment = "no-more-bets"
    return replace(state, moment=moment)


def _progressive_locked(state: RoundState, event: ProgressiveLocked) -> RoundState:
    """Take the chips that stand off the layout, and give back those that were not registered."""
    places = dict(state.places)
    for position, _ in (*event.stakes, *event.returned):
        place = places[position]
        places[position] = replace(place, lying=_without(place.lying, "progressive"), unregistered=0)
    taken = sum(stake for _, stake in event.stakes)
    pockets = _pocketed(state, event.returned)
    return replace(state, places=places, stakes=event.stakes, tray=state.tray + taken, pockets=pockets)


def _chips_differed(state: RoundState, event: ChipsDiffered) -> RoundState:
    return replace(state, chips_differ=(event.chips, event.accepted))


def _unchanged(state: RoundState, _event: RoundEvent) -> RoundState:
    return state


def _cards_dealt(state: RoundState, event: CardsDealt) -> RoundState:
    state = _moved(_dealing(state))
    out = state.out | _bits(event.cards)
    if event.to == DEALER:
        up = event.cards[-1] if event.up else state.up
        return replace(state, dealer=(*state.dealer, *event.cards), up=up, out=out)
    if event.to == EXTRA:
        return replace(state, extra=event.cards, out=out)
    if event.to == BONUS:
        return replace(state, bonus=event.cards, out=out)
    place = state.places[event.to]
    dealt = replace(place, cards=(*place.cards, *event.cards))
    return replace(state, places=_with(state, dealt), out=out)


def _bits(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _dealing(state: RoundState) -> RoundState:
    """Begin the deal with the first card that leaves the deck, be it one that is not used."""
    if state.plan is not None:
        return state
    first: Moment = "first-card"
    dealing: Phase = "dealing"
    return replace(state, plan=state.rules.plan(state.dealt_in), phase=dealing, moment=first, step=0)


def _moved(state: RoundState) -> RoundState:
    """Go on in the plan; after the last move comes the stub."""
    assert state.plan is not None
    move = state.move + 1
    if move < len(state.plan.moves):
        return replace(state, move=move)
    stub: Phase = "stub"
    return replace(state, move=move, phase=stub, step=0)


def _up_card_turned(state: RoundState, event: UpCardTurned) -> RoundState:
    if event.card in state.extra:
        extra = tuple(card for card in state.extra if card != event.card)
        state = replace(state, extra=extra, dealer=(*state.dealer, event.card))
    return _moved(replace(state, up=event.card))


def _cards_discarded(state: RoundState, event: CardsDiscarded) -> RoundState:
    return _moved(replace(state, extra=(), burned=(*state.burned, *event.cards)))


def _face_up_discarded(state: RoundState, event: FaceUpCardDiscarded) -> RoundState:
    state = _dealing(state)
    return replace(state, discarded=(*state.discarded, event.card), out=state.out | _bits((event.card,)))


def _count_found_wrong(state: RoundState, event: CountFoundWrong) -> RoundState:
    return replace(state, wrong_count=event.count)


def _decisions_awaited(state: RoundState, _event: DecisionsAwaited) -> RoundState:
    deciding: Phase = "deciding"
    return replace(state, phase=deciding, step=0)


def _decided(state: RoundState, event: PlayMade | HandFolded) -> RoundState:
    place = state.places[event.position]
    if isinstance(event, HandFolded):
        return replace(state, places=_with(state, replace(place, decision=0)))
    play: dict[WagerName, int] = {"play": event.amount}
    changed = replace(
        place, decision=event.amount, wagers={**place.wagers, **play}, lying={**place.lying, **play}
    )
    pockets = _pocketed(state, [(event.position, -event.amount)])
    return replace(state, places=_with(state, changed), pockets=pockets)


def _player_asked(state: RoundState, event: PlayerAsked) -> RoundState:
    return replace(state, places=_with(state, replace(state.places[event.position], asked=True)))


def _hand_set(state: RoundState, event: HandSet) -> RoundState:
    place = replace(state.places[event.position], presented=event.cards)
    state = replace(state, places=_with(state, place))
    if state.phase != "settling":
        return state
    return replace(state, turns=_turns(state))


def _abandoned(state: RoundState, event: SeatAbandoned) -> RoundState:
    return replace(state, places=_with(state, replace(state.places[event.position], abandoned=True)))


def _showdown_reached(state: RoundState, _event: ShowdownReached) -> RoundState:
    settling: Phase = "settling"
    return replace(state, phase=settling, turns=_turns(state))


def _turns(state: RoundState) -> tuple[Turn, ...]:
    """Return the acts of the settlement; the Cover All odds were shown when the hands were out (MA-12e.2)."""
    acts = turns(state.rules.settler, showdown(state))
    return tuple(turn for turn in acts if turn.act != "display_odds")


def showdown(state: RoundState) -> Showdown:
    """Return every hand as the settlement sees it."""
    settler = state.rules.settler
    seats = []
    for position in state.dealt_in:
        place = state.places[position]
        best = best_of(sorted(place.cards, reverse=True))
        hand = rank_four(place.presented) if place.presented else best
        standing = settler.standing(place.wagers, place.decision, left=place.abandoned)
        seats.append(Seat(position, f"player {place.player}", place.cards, hand, place.wagers, standing))
    return settler.showdown(seats, state.dealer, state.bonus[0] if state.bonus else None)


def _act_performed(state: RoundState, event: ActPerformed) -> RoundState:
    state = _handled(_money(state, event.steps), event.deeds)
    return replace(state, turn=state.turn + 1, due=0)


def _wagers_settled(state: RoundState, event: WagersSettled) -> RoundState:
    return replace(_money(state, event.steps), due=state.due + len(event.steps))


def _award_awaited(state: RoundState, event: AwardAwaited) -> RoundState:
    return replace(state, awaiting=event.step)


def _award_paid(state: RoundState, event: AwardPaid) -> RoundState:
    waiting = () if event.documented else (event.position,)
    undocumented = (*state.undocumented, *waiting)
    state = _money(state, event.steps)
    back = event.payment.meter_to_tray
    tray, meter = state.tray + back, state.meter - back
    return replace(state, awaiting=None, due=state.due + 1, undocumented=undocumented, tray=tray, meter=meter)


def _document_completed(state: RoundState, event: DocumentCompleted) -> RoundState:
    left = tuple(position for position in state.undocumented if position != event.position)
    return replace(state, undocumented=left)


def _money(state: RoundState, steps: tuple[Step, ...]) -> RoundState:
    """Move the money of some steps: stakes from the layout to the tray, awards into pockets."""
    if not steps:
        return state
    places, pockets, tray, meter = dict(state.places), dict(state.pockets), state.tray, state.meter
    for step in steps:
        place = places[step.position]
        if step.action == "pay":
            pockets[step.position] = pockets.get(step.position, 0) + step.amount
            tray, meter = (
                (tray, meter - step.amount) if step.source == "meter" else (tray - step.amount, meter)
            )
        elif step.wager in place.lying:
            places[step.position] = replace(place, lying=_without(place.lying, step.wager))
            tray += step.amount
    return replace(
        state, places=places, pockets=pockets, tray=tray, meter=meter, steps=(*state.steps, *steps)
    )


def _handled(state: RoundState, deeds: tuple[Deed, ...]) -> RoundState:
    """Turn cards up and put them away."""
    for deed in deeds:
        if deed.act in REVEALS_DEALER:
            state = replace(state, dealer_shown=True)
        elif deed.act == "reveal_bonus_card":
            state = replace(state, bonus_shown=True)
        elif deed.act == "reveal_hand":
            place = replace(state.places[deed.position], face_up=True)
            state = replace(state, places=_with(state, place))
        elif deed.act in RACKING:
            state = replace(_racked(state, deed.position), rack=(*state.rack, (deed.position, deed.cards)))
    return state


def _racked(state: RoundState, position: int) -> RoundState:
    if position == DEALER:
        return state
    return replace(state, places=_with(state, replace(state.places[position], racked=True)))


def _noted(state: RoundState, event: IrregularityNoted) -> RoundState:
    moment: Moment = "first-card" if event.irregularity in DRAWN else state.moment
    return replace(state, notes=(*state.notes, event), moment=moment)


def _round_voided(state: RoundState, event: RoundVoided) -> RoundState:
    """Put all money back where it was before the round."""
    places = {p: replace(place, lying={}, unregistered=0) for p, place in state.places.items()}
    void: Phase = "void"
    cleared = dict.fromkeys(state.pockets, 0)
    return replace(
        state, phase=void, places=places, voided=event, pockets=cleared, tray=0, meter=0, awaiting=None
    )


def _round_ended(state: RoundState, _event: RoundEnded) -> RoundState:
    """Give players what still lies on the layout: the stakes of what they won."""
    back = [(p, sum(place.lying.values())) for p, place in state.places.items()]
    places = {p: replace(place, lying={}) for p, place in state.places.items()}
    over: Phase = "over"
    return replace(state, phase=over, places=places, pockets=_pocketed(state, back))


_FOLDS: dict[type, Callable[[RoundState, Any], RoundState]] = {
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    WagerPlaced: _wager_placed,
    WagerWithdrawn: _wager_withdrawn,
    StepDone: _step_done,
    BetsClosed: _bets_closed,
    ProgressiveLocked: _progressive_locked,
    ChipsDiffered: _chips_differed,
    CardsDealt: _cards_dealt,
    UpCardTurned: _up_card_turned,
    CardsDiscarded: _cards_discarded,
    CountFoundWrong: _count_found_wrong,
    CountJudged: _unchanged,
    OddsDisplayed: _unchanged,
    DecisionsAwaited: _decisions_awaited,
    PlayMade: _decided,
    HandFolded: _decided,
    PlayerAsked: _player_asked,
    HandSet: _hand_set,
    SeatAbandoned: _abandoned,
    ShowdownReached: _showdown_reached,
    ActPerformed: _act_performed,
    WagersSettled: _wagers_settled,
    AwardAwaited: _award_awaited,
    AwardPaid: _award_paid,
    DocumentCompleted: _document_completed,
    PaymentCorrected: _unchanged,
    IrregularityNoted: _noted,
    FaceUpCardDiscarded: _face_up_discarded,
    RoundVoided: _round_voided,
    RoundEnded: _round_ended,
}
