"""Seats, wagers and decisions: place or withdraw wagers, Play or fold, return the wagers of a void round.

Each player answers for the own hand (MA-10a.2, MD-11A1), and makes Play in the turn for it (IA-WAG-6).
"""

from collections.abc import Mapping

from msgspec import UNSET

from fourcard.hands import HAND_SIZE, best_hand, rank_four
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import (
    CallOff,
    Command,
    Fold,
    LeaveSeat,
    PlaceWager,
    PlaceWagers,
    Play,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.events import (
    HandFolded,
    HandSet,
    PlayMade,
    RoundEvent,
    RoundEventsOrRefusal,
    RoundVoided,
    SeatAbandoned,
    SeatLeft,
    SeatTaken,
    ShowdownReached,
    WagerPlaced,
    WagerWithdrawn,
)
from fourcard.round.evolve import evolve
from fourcard.round.preconditions import (
    PHASE_PHRASES,
    duty_refusal,
    owner_refusal,
    phase_refusal,
    positions_to_decide,
    step_text,
)
from fourcard.round.state import PositionState, RoundState
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.limits import (
    deadline_refusal,
    play_refusal,
    positions_refusal,
    prerequisite_refusal,
    stake_refusal,
    wager_refusal,
)
from fourcard.rules.line_options import MAX_CENTS
from fourcard.rules.procedures import Consequence
from fourcard.rules.rulebook import CoverAllWager, Limited, SixCardWager
from fourcard.settling import MONEY_ACTS
from fourcard.wagers import SPECIFICATIONS, WAGER_LABELS, WAGERS, Instrument, WagerName

INSTRUMENT_PHRASES: Mapping[Instrument, str] = {
    "chip": "a chip",
    "plaque": "a plaque",
    "match-play-coupon": "a match play coupon",
    "approved-instrument": "another approved instrument",
    "cash": "a spoken bet and cash",
}
DEALT_BY_MACHINE = (SixCardWager, CoverAllWager)
"""The wagers that a rulebook offers only with certain dealing methods."""


def take_seat(state: RoundState, command: TakeSeat) -> RoundEventsOrRefusal:
    """Seat a player at a free position."""
    place = state.positions.get(command.position)
    if place is not None:
        return refuse(Code.SEAT_TAKEN, position=command.position, player=place.player)
    player = " ".join(command.player.split())
    if not player:
        return refuse(Code.NAME_MISSING)
    if command.role == "player" and command.by != player:
        seated = clauses_of(state.rules.wagering.seated)
        return refuse(Code.NOT_YOUR_NAME, seated, person=command.by or "Somebody", by=player)
    positions = [p for p, each in state.positions.items() if each.player == player]
    refusal = positions_refusal(state.rules.game, [*positions, command.position])
    return refusal or [SeatTaken(command.position, player)]


def leave_seat(state: RoundState, command: LeaveSeat) -> RoundEventsOrRefusal:
    """Let a player leave who has nothing at stake; a player with cards must stay (MA-6c.2, MD-07B1)."""
    refusal = owner_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    place = state.positions[command.position]
    rule = state.rules.wagering.stay_seated
    if place.wagers or place.unregistered:
        if state.betting_stage != "first-card":
            return refuse(Code.WAGERS_LIE, position=command.position)
        if rule.value:
            return refuse(Code.MUST_STAY, clauses_of(rule))
    return [SeatLeft(command.position, place.player)]


def treat_as_abandoned(state: RoundState, command: TreatAsAbandoned) -> RoundEventsOrRefusal:
    """Treat the wagers of a player who left as lost, where rulebook and house allow it (R36)."""
    rule = state.rules.game.rulebook.leaving_may_lose_wagers
    refusal = duty_refusal(command, "treat wagers as abandoned", None, "supervisor")
    refusal = refusal or phase_refusal(state, command, ("dealing", "stub", "deciding", "settling"), rule)
    if refusal is not None:
        return refusal
    if not state.rules.game.submission.leaving_may_lose_wagers:
        return refuse(Code.LEAVING, (*clauses_of(rule), "R36"))
    place = state.positions.get(command.position)
    if place is None or not place.cards or place.abandoned:
        figures = {"position": command.position, "where": f"at position {command.position}"}
        done = place is not None and place.abandoned
        return refuse(Code.NO_DECISION if done else Code.CARDS_ABSENT, clauses_of(rule), **figures)
    if state.awaited_step is not None:
        return refuse(Code.AWARD_AWAITED, state.awaited_step.clauses, position=state.awaited_step.position)
    if _is_settled(state, place):
        return refuse(Code.WAGERS_SETTLED, (*clauses_of(rule), "R108"), position=command.position)
    events: list[RoundEvent] = [SeatAbandoned(command.position, (*clauses_of(rule), "R36"))]
    return [*events, *([ShowdownReached()] if _is_last_to_decide(state, command.position) else ())]


def _is_settled(state: RoundState, place: PositionState) -> bool:
    """Say whether a position is settled: its turn has come, or none of its wagers still lies there (R108)."""
    performed = state.dealer_turns[: state.turn_index]
    turns = (turn for turn in performed if turn.position == place.position and turn.act in MONEY_ACTS)
    return not place.on_layout or any(turns)


def _is_last_to_decide(state: RoundState, position: int) -> bool:
    """Say whether nobody else must decide, once the players have looked; in the settlement nobody must."""
    return state.players_looked and positions_to_decide(state) == (position,)


def place_wager(state: RoundState, command: PlaceWager) -> RoundEventsOrRefusal:
    """Place a wager, or change its amount."""
    refusal = (
        owner_refusal(state, command, command.position)
        or _offer_refusal(state, command)
        or _deadline_refusal(state, command.wager)
        or _amount_refusal(state, command)
        or _instrument_refusal(state, command)
    )
    if refusal is not None:
        return refusal
    place = state.positions[command.position]
    before = place.wagers.get(command.wager, 0) or (
        place.unregistered if command.wager == "progressive" else 0
    )
    accepted = command.accepted or command.wager != "progressive"
    return [WagerPlaced(command.position, command.wager, int(command.amount), before, accepted)]


def single_wagers(command: PlaceWagers) -> list[PlaceWager]:
    """Return the wagers of a command one by one, each after those that it depends on."""
    position, by, role, at = command.position, command.by, command.role, command.at
    return [
        PlaceWager(position=position, wager=name, amount=command.wagers[name], by=by, role=role, at=at)
        for name in WAGERS
        if name in command.wagers
    ]


def place_wagers(state: RoundState, command: PlaceWagers) -> RoundEventsOrRefusal:
    """Place several wagers of a position, or refuse all of them for the first that is refused."""
    events = list[RoundEvent]()
    for wager in single_wagers(command):
        if events:
            state = evolve(state, events[-1])
        placed = place_wager(state, wager)
        if isinstance(placed, Refusal):
            return placed
        events += placed
    return events or refuse(Code.NO_WAGER)


def _offer_refusal(state: RoundState, command: PlaceWager) -> Refusal | None:
    """Refuse a wager that is not offered, or is not placed before the cards, such as Play (MA-6d.3)."""
    game, wager = state.rules.game, command.wager
    rule = state.rules.wagering.between_players
    if command.against == "player" and not is_set(rule):
        return refuse(Code.BET_BETWEEN_PLAYERS, clauses_of(rule) or game.rulebook.offer_clauses)
    if wager == "play":
        return _placed_play_refusal(state)
    if not SPECIFICATIONS[wager].placed:
        return refuse(Code.WAGER_NOT_PLACED, game.rulebook.offer_clauses, wager=WAGER_LABELS[wager])
    if not game.offers(wager):
        return refuse(Code.WAGER_NOT_OFFERED, game.rulebook.offer_clauses, wager=WAGER_LABELS[wager])
    return _dealing_refusal(state, wager)


def _dealing_refusal(state: RoundState, wager: WagerName) -> Refusal | None:
    """Refuse a wager that the rulebook offers only with another way of dealing, such as Cover All."""
    rules = state.rules.game.rulebook.wager(wager)
    if not isinstance(rules, DEALT_BY_MACHINE):
        return None
    by_hand = state.rules.shuffled_by_hand and wager == "cover_all"
    if by_hand or state.rules.method not in rules.dealing.value:
        return refuse(Code.WAGER_NOT_OFFERED, clauses_of(rules.dealing), wager=WAGER_LABELS[wager])
    return None


def _placed_play_refusal(state: RoundState) -> Refusal:
    """Refuse Play as a wager like others: it is made in the decision, by its own command (MA-6d.3)."""
    clauses = clauses_of(state.rules.decision_rule)
    if state.phase != "deciding":
        return refuse(Code.NOT_NOW, clauses, what="play", phase=PHASE_PHRASES[state.phase])
    return refuse(Code.STEP_DONE_BY, clauses, step="play")


def _deadline_refusal(state: RoundState, wager: WagerName) -> Refusal | None:
    return deadline_refusal(state.rules.game, wager, state.betting_stage)


def _amount_refusal(state: RoundState, command: PlaceWager) -> Refusal | None:
    """Refuse an amount outside the limits, and a wager without the wagers that it requires."""
    game, wager, amount = state.rules.game, command.wager, command.amount
    if amount > MAX_CENTS:
        return refuse(Code.WAGER_TOO_LARGE, amount=dollars(amount), most=dollars(MAX_CENTS))
    placed = state.positions[command.position].wagers
    limited = SPECIFICATIONS[wager].stake == "limited"
    refusal = wager_refusal(game, wager, amount) if limited else stake_refusal(game, amount)
    return refusal or prerequisite_refusal(game, wager, [*placed, wager])


def _instrument_refusal(state: RoundState, command: PlaceWager) -> Refusal | None:
    """Refuse cash and what the rulebook does not name, for this wager or all; coupons by R35 and R103."""
    rules, instrument = state.rules.wagering, command.instrument
    wager = state.rules.game.rulebook.wager(command.wager)
    own = wager.instruments if isinstance(wager, Limited) else UNSET
    if instrument == "cash" and (rules.verbal_cash is None or not rules.verbal_cash.value):
        clauses = clauses_of(rules.verbal_cash or rules.instruments) or ("P27",)
    elif instrument not in (own.value if own else SPECIFICATIONS[command.wager].instruments):
        clauses = clauses_of(own) or ("R103",)
    elif rules.instruments is not None and instrument not in rules.instruments.value:
        clauses = clauses_of(rules.instruments)
    elif instrument == "match-play-coupon" and state.rules.game.settings.get("match_play") != "accepted":
        clauses = (*clauses_of(rules.instruments), "R35")
    else:
        return None
    figures = {"wager": WAGER_LABELS[command.wager], "instrument": INSTRUMENT_PHRASES[instrument]}
    return refuse(Code.INSTRUMENT_REFUSED, clauses, **figures)


def withdraw_wager(state: RoundState, command: WithdrawWager) -> RoundEventsOrRefusal:
    """Withdraw a wager while that is allowed and no other wager requires it."""
    refusal = owner_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    place, wager = state.positions[command.position], command.wager
    amount = place.wagers.get(wager, 0) or (place.unregistered if wager == "progressive" else 0)
    if not amount:
        return refuse(Code.WAGER_ABSENT, wager=WAGER_LABELS[wager], position=command.position)
    if wager == "play":
        return refuse(
            Code.BETTING_CLOSED,
            clauses_of(state.rules.decision_rule),
            wager="Play",
            event="it has been made",
        )
    left = [name for name in place.wagers if name != wager]
    needed = (prerequisite_refusal(state.rules.game, name, left) for name in left)
    refusal = _deadline_refusal(state, wager) or next((each for each in needed if each is not None), None)
    return refusal or [WagerWithdrawn(command.position, wager, amount)]


def play(state: RoundState, command: Play) -> RoundEventsOrRefusal:
    """Make a Play wager within the rulebook's limits, usually one to three times the Ante."""
    refusal = turn_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    ante = state.positions[command.position].wagers.get("ante", 0)
    refusal = play_refusal(state.rules.game, ante, command.amount)
    return refusal or [PlayMade(command.position, int(command.amount)), *_showdown_after_last(state)]


def fold(state: RoundState, command: Fold) -> RoundEventsOrRefusal:
    """Fold: forfeit the Ante, which the dealer collects after the last decision."""
    refusal = turn_refusal(state, command, command.position)
    return refusal or [HandFolded(command.position), *_showdown_after_last(state)]


def _showdown_after_last(state: RoundState) -> list[RoundEvent]:
    return [ShowdownReached()] if len(positions_to_decide(state)) == 1 else []


def turn_refusal(state: RoundState, command: Command, position: int) -> Refusal | None:
    """Refuse a decision that comes early, late or out of turn, or that this position does not have."""
    rules = state.rules.deciding
    refusal = owner_refusal(state, command, position) or phase_refusal(
        state, command, ("deciding",), state.rules.decision_rule
    )
    if refusal is not None:
        return refusal
    if not state.players_looked:
        step, clauses = state.rules.look_steps[state.steps_performed]
        return refuse(Code.OUT_OF_ORDER, clauses, step="decide", due=step_text(step))
    waiting = positions_to_decide(state)
    if position not in waiting:
        return refuse(Code.NO_DECISION, clauses_of(state.rules.decision_rule), position=position)
    if position != waiting[0]:
        return refuse(Code.ASKED_LATER, clauses_of(rules.start), position=position, due=waiting[0])
    return None


def set_hand(state: RoundState, command: SetHand) -> RoundEventsOrRefusal:
    """Set a player's four-card hand, and record the better hand that was missed, if any (R27)."""
    rule = state.rules.duty("chooses_best_hand")
    refusal = owner_refusal(state, command, command.position)
    begun = state.turn_index > 0 or state.awaited_step is not None
    refusal = refusal or phase_refusal(
        state, command, ("deciding",) if begun else ("deciding", "settling"), rule
    )
    if refusal is not None:
        return refusal
    place = state.positions[command.position]
    if state.rules.game.settings.get("player_sets_hand") is not True:
        return refuse(Code.PRESENTED_UNASKED, (*clauses_of(rule), "R27"))
    if not state.players_looked:
        step, clauses = state.rules.look_steps[state.steps_performed]
        return refuse(Code.OUT_OF_ORDER, clauses, step="set hand", due=step_text(step))
    four = len(command.cards) == len(set(command.cards)) == HAND_SIZE
    if not four or not set(place.cards).issuperset(command.cards):
        return refuse(Code.PRESENTED_FOREIGN, (*clauses_of(rule), "R27"))
    best = best_hand(place.cards)
    could_have = best.cards if best > rank_four(command.cards) else ()
    return [HandSet(command.position, tuple(command.cards), could_have)]


def void_event(
    state: RoundState, clauses: tuple[str, ...], consequences: tuple[Consequence, ...]
) -> RoundVoided:
    """Return the event that voids a round; R69 returns the wagers where the clause does not say so."""
    returned = tuple(
        (p, name, amount)
        for p, place in sorted(state.positions.items())
        for name, amount in _wagers_to_return(place).items()
    )
    rulings = () if "return-wagers" in consequences else ("R69",)
    stakes = state.locked_stakes or ()
    reversing = ("R66",) if stakes else ()
    paid = tuple(step for step in state.steps if step.action == "pay")
    return RoundVoided((*clauses, *rulings, *reversing), consequences, returned, paid, stakes)


def call_off(state: RoundState, command: CallOff) -> RoundEventsOrRefusal:
    """Call a round off before its first card; once there are wagers only the floor may (P24)."""
    wagered = any(place.wagers or place.unregistered for place in state.positions.values())
    refusal = phase_refusal(state, command, ("betting",)) or duty_refusal(
        command, "call the round off", None, "floorperson" if wagered else "dealer"
    )
    if refusal is not None:
        return refusal
    if state.betting_stage == "first-card":
        return refuse(Code.NOT_NOW, ("P24",), what="call off", phase=PHASE_PHRASES["dealing"])
    return [void_event(state, ("P24",), ("void", "return-wagers"))]


def _wagers_to_return(place: PositionState) -> dict[WagerName, int]:
    """Return the wagers of a position, with a progressive chip that was not registered (R99)."""
    chip: dict[WagerName, int] = {"progressive": place.unregistered} if place.unregistered else {}
    return {**place.wagers, **chip}
