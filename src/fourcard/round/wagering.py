"""Seats and wagers: take and leave a seat; place, change and withdraw wagers until betting closes."""

from fourcard.money import dollars
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import duty_refusal, owner_refusal, phase_refusal
from fourcard.round.commands import LeaveSeat, PlaceWager, TakeSeat, TreatAsAbandoned, WithdrawWager
from fourcard.round.due import deciders
from fourcard.round.events import (
    Decided,
    RoundEvent,
    SeatAbandoned,
    SeatLeft,
    SeatTaken,
    ShowdownReached,
    WagerPlaced,
    WagerWithdrawn,
)
from fourcard.round.state import FINISHED, RoundState
from fourcard.rules.limits import (
    deadline_refusal,
    positions_refusal,
    prerequisite_refusal,
    stake_refusal,
    wager_refusal,
)
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, LimitedWager, WagerName, cite, holds
from fourcard.rules.options import MOST_CENTS
from fourcard.rules.rulebook import CoverAllWager, SixCardWager

LIMITED: dict[str, LimitedWager] = {name: name for name in LIMITED_WAGERS}
DEALT_BY_MACHINE = (SixCardWager, CoverAllWager)
"""The wagers that a rulebook offers only with certain dealing methods."""


def take_seat(state: RoundState, command: TakeSeat) -> Decided:
    """Seat a player at a free position."""
    place = state.places.get(command.position)
    if place is not None:
        return refuse(Code.SEAT_TAKEN, position=command.position, player=place.player)
    player = " ".join(command.player.split())
    if not player:
        return refuse(Code.NAME_MISSING)
    if command.role == "player" and command.by != player:
        who = cite(state.rules.wagering.seated)
        figures = {"position": command.position, "player": player, "by": command.by or "anybody"}
        return refuse(Code.NOT_YOUR_POSITION, who, **figures)
    positions = [p for p, each in state.places.items() if each.player == player]
    refusal = positions_refusal(state.rules.game, [*positions, command.position])
    return refusal or [SeatTaken(command.position, player)]


def leave_seat(state: RoundState, command: LeaveSeat) -> Decided:
    """Let a player leave who has nothing at stake; a player with cards must stay (MA-6c.2, MD-07B1)."""
    refusal = owner_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    place = state.places[command.position]
    rule = state.rules.wagering.stay_seated
    at_stake = (place.wagers or place.unregistered) and state.phase not in FINISHED
    if at_stake and state.moment != "first-card":
        return refuse(Code.WAGERS_LIE, position=command.position)
    if at_stake and rule.value:
        return refuse(Code.MUST_STAY, cite(rule))
    return [SeatLeft(command.position, place.player)]


def treat_as_abandoned(state: RoundState, command: TreatAsAbandoned) -> Decided:
    """Treat the wagers of a player who left as lost, where rulebook and house allow it (R36)."""
    game, rule = state.rules.game, state.rules.game.rulebook.leaving_may_lose_wagers
    refusal = duty_refusal(command, "treat wagers as abandoned", None, "supervisor")
    refusal = refusal or phase_refusal(state, command, ("dealing", "stub", "deciding"), rule)
    if refusal is not None:
        return refusal
    if not (rule.value and game.submission.leaving_may_lose_wagers):
        return refuse(Code.LEAVING, (*cite(rule), "R36"))
    place = state.places.get(command.position)
    if place is None or not place.cards or place.abandoned:
        return refuse(Code.NO_DECISION, cite(rule), position=command.position)
    events: list[RoundEvent] = [SeatAbandoned(command.position, (*cite(rule), "R36"))]
    return [*events, *([ShowdownReached()] if _is_last_to_decide(state, command.position) else ())]


def _is_last_to_decide(state: RoundState, position: int) -> bool:
    return state.phase == "deciding" and state.looked and set(deciders(state)) <= {position}


def place_wager(state: RoundState, command: PlaceWager) -> Decided:
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
    place = state.places[command.position]
    before = place.wagers.get(command.wager, 0) or (
        place.unregistered if command.wager == "progressive" else 0
    )
    accepted = command.accepted or command.wager != "progressive"
    return [WagerPlaced(command.position, command.wager, int(command.amount), before, accepted)]


def _offer_refusal(state: RoundState, command: PlaceWager) -> Refusal | None:
    """Refuse a wager that is not offered, or is not placed before the cards, such as Play (MA-6d.3)."""
    game, wager = state.rules.game, command.wager
    rule = state.rules.wagering.between_players
    if command.against == "player" and not holds(rule):
        return refuse(Code.BET_BETWEEN_PLAYERS, cite(rule) or game.rulebook.offers_by)
    if wager == "play":
        return refuse(Code.OUT_OF_ORDER, cite(state.rules.deciding.asked), step="place play", due="decide")
    rules = game.rulebook.wager(wager)
    machine = rules.dealing if isinstance(rules, DEALT_BY_MACHINE) else None
    by_hand = state.rules.by_hand and wager == "cover_all"
    if game.offers(wager) and machine is not None and (by_hand or state.rules.method not in machine.value):
        return refuse(Code.WAGER_NOT_OFFERED, cite(machine), wager=WAGER_LABELS[wager])
    if wager in ("automatic_bonus", "envy") or not game.offers(wager):
        return refuse(Code.WAGER_NOT_OFFERED, game.rulebook.offers_by, wager=WAGER_LABELS[wager])
    return None


def _deadline_refusal(state: RoundState, wager: WagerName) -> Refusal | None:
    return deadline_refusal(state.rules.game, wager, state.moment)


def _amount_refusal(state: RoundState, command: PlaceWager) -> Refusal | None:
    """Refuse an amount outside the limits, and a wager without the wagers that it requires."""
    game, wager, amount = state.rules.game, command.wager, command.amount
    if amount > MOST_CENTS:
        return refuse(Code.WAGER_TOO_LARGE, amount=dollars(amount), most=dollars(MOST_CENTS))
    placed, limited = state.places[command.position].wagers, LIMITED.get(wager)
    refusal = stake_refusal(game, amount) if limited is None else wager_refusal(game, limited, amount)
    return refusal or prerequisite_refusal(game, wager, [*placed, wager])


def _instrument_refusal(state: RoundState, command: PlaceWager) -> Refusal | None:
    """Refuse cash and instruments that the rulebook does not name; coupons as the house decides (R35)."""
    rules, instrument = state.rules.wagering, command.instrument
    if instrument == "cash" and (rules.verbal_cash is None or not rules.verbal_cash.value):
        clauses = cite(rules.verbal_cash or rules.instruments)
        return refuse(Code.INSTRUMENT_REFUSED, clauses, instrument="a spoken bet and cash")
    if rules.instruments is not None and instrument not in rules.instruments.value:
        return refuse(Code.INSTRUMENT_REFUSED, cite(rules.instruments), instrument=f"a {instrument}")
    if instrument == "match-play-coupon" and state.rules.game.settings.get("match_play") != "accepted":
        return refuse(
            Code.INSTRUMENT_REFUSED, (*cite(rules.instruments), "R35"), instrument="a match play coupon"
        )
    return None


def withdraw_wager(state: RoundState, command: WithdrawWager) -> Decided:
    """Withdraw a wager while that is allowed and no other wager requires it."""
    refusal = owner_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    place, wager = state.places[command.position], command.wager
    amount = place.wagers.get(wager, 0) or (place.unregistered if wager == "progressive" else 0)
    if not amount:
        return refuse(Code.WAGER_ABSENT, wager=WAGER_LABELS[wager], position=command.position)
    if wager == "play":
        return refuse(
            Code.BETTING_CLOSED, cite(state.rules.deciding.asked), wager="Play", event="it has been made"
        )
    left = [name for name in place.wagers if name != wager]
    needed = (prerequisite_refusal(state.rules.game, name, left) for name in left)
    refusal = _deadline_refusal(state, wager) or next((each for each in needed if each is not None), None)
    return refusal or [WagerWithdrawn(command.position, wager, amount)]
