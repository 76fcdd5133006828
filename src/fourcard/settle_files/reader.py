"""Reader of round lines: decodes a line of JSON, checks it and builds a round that can be settled.

A line that breaks JSON, the schema or the rulebook is refused; so is a key that appears twice, because JSON
would let the last one win.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import TypeVar

import msgspec

from fourcard.cards import CardsError, card_text, cards_named
from fourcard.hands import DEALER_CARDS, HAND_SIZE, PLAYER_CARDS, Hand, best_of, rank_four
from fourcard.meter import UNITS_PER_CENT, Meter
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import PositionRefusedError, Refusal, RefusedError, refuse
from fourcard.rules.checks.progressive import stake_allowed, stakes_known
from fourcard.rules.cited import clauses_of, from_text, is_set
from fourcard.rules.clauses import SettingValue, clauses, rulings
from fourcard.rules.game import Game
from fourcard.rules.limits import limit_refusal, play_refusal, positions_refusal, prerequisite_refusal
from fourcard.rules.line_options import MAX_CENTS, LineOptions, game_of
from fourcard.rules.validation_errors import TOP, validation_refusal
from fourcard.settle_files.schema import NO_PROOF, NOTHING, LineId, RoundLine, SeatLine
from fourcard.settlers.showdown import Seat, Showdown
from fourcard.settling import Settler
from fourcard.wagers import LIMITED_WAGERS, WAGER_LABELS, PlacedWager, WagerName

KEY = re.compile(rb'"\s*:')


def may_have_duplicate_keys(text: bytes | str, line: RoundLine) -> bool:
    """Say whether a line may have a duplicate key outside options, settings and proof."""
    colons = text.count(b":") if isinstance(text, bytes) else text.count(":")
    return colons > _keys_at_least(line)


def _keys_at_least(line: RoundLine) -> int:
    """Return the minimum number of keys of a line, plus every colon in options, settings and proof."""
    keys = 2 + (line.dealer != "")
    for value in (line.id, line.edition, line.bonus_card, line.meter, line.reset, line.void):
        keys += value is not None
    for raw in (line.options, line.settings, line.proof):
        if raw is not NOTHING and raw is not NO_PROOF:
            keys += 1 + bytes(raw).count(b":")
    for seat in line.seats:
        keys += 2 + len(seat.wagers) + (seat.cards != "") + seat.left
        keys += (seat.player is not None) + (seat.play is not None) + (seat.presented is not None)
    return keys


def duplicate_key(text: bytes | str) -> str | None:
    """Return a duplicate key of a JSON text, or None; invalid JSON is refused elsewhere."""
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        counts = Counter(key for key, _ in pairs)
        found.extend(key for key, count in counts.items() if count > 1)

    try:
        raw = text if isinstance(text, bytes) else text.encode()
        if len(KEY.findall(raw)) > _keys_in(msgspec.json.decode(raw)):
            json.loads(raw, object_pairs_hook=note, parse_int=str, parse_float=str)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return found[0] if found else None


def _keys_in(value: object) -> int:
    """Return the number of distinct keys of all objects in a JSON value."""
    if isinstance(value, dict):
        return len(value) + sum(_keys_in(each) for each in value.values() if isinstance(each, dict | list))
    if isinstance(value, list):
        return sum(_keys_in(each) for each in value if isinstance(each, dict | list))
    return 0


WHERE = "the round"
RAW = ("options", "settings", "proof")
MALFORMED = "JSON is malformed: "
UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
Shape = TypeVar("Shape")


def decode_json(
    text: bytes | str, decoder: msgspec.json.Decoder[Shape], shape: type, part: str = ""
) -> Shape:
    """Decode a text, or refuse one that is unreadable or invalid."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        raise _unfit(error, text, shape, part) from None
    except UNREADABLE as error:
        raise _unreadable(error) from None


def refuse_duplicate_keys(text: bytes | str) -> None:
    """Refuse a text with a duplicate key."""
    key = duplicate_key(text)
    if key is not None:
        reason = f"the key '{key}' is given more than once"
        raise RefusedError(refuse(Code.ROUND_UNREADABLE, reason=reason))


def _unreadable(error: Exception) -> RefusedError:
    """Return the refusal for a text that is not JSON."""
    if isinstance(error, RecursionError):
        reason = "it is nested too deep"
    elif isinstance(error, UnicodeError):
        reason = "it is not UTF-8 text"
    else:
        reason = str(error).removeprefix(MALFORMED)
    return RefusedError(refuse(Code.ROUND_UNREADABLE, reason=reason[:1].lower() + reason[1:]))


def _unfit(error: msgspec.ValidationError, text: bytes | str, shape: type, part: str) -> RefusedError:
    """Return the refusal for an invalid key or value; the rest of the line may not be JSON."""
    try:
        raw = msgspec.json.decode(text)
    except msgspec.ValidationError:  # a number that is too long to be held
        raw = {}
    except UNREADABLE as worse:
        return _unreadable(worse)
    if not part and text.lstrip()[:1] not in ("{", b"{"):
        return RefusedError(refuse(Code.ROUND_UNREADABLE, reason="it is not an object"))
    readable = raw.items() if isinstance(raw, dict) else ()
    plain = {key: value for key, value in readable if part or key not in RAW}
    seat = None if part or "$.seats[" not in str(error) else _unfit_seat(plain.get("seats"))
    return seat or RefusedError(_misfit(error, plain, shape, f"{WHERE}, {part}" if part else WHERE))


def _unfit_seat(seats: object) -> RefusedError | None:
    """Return the refusal for the first invalid seat, with its position if it has one."""
    for number, seat in enumerate(seats if isinstance(seats, list) else (), 1):
        try:
            msgspec.convert(seat, SeatLine)
        except msgspec.ValidationError as error:
            plain = seat if isinstance(seat, dict) else {}
            refusal = _misfit(error, plain, SeatLine, f"{WHERE}, seat {number}")
            position = plain.get("position")
            if isinstance(position, int) and not isinstance(position, bool):
                return PositionRefusedError(refusal, position)
            return RefusedError(refusal)
    return None


def _misfit(error: msgspec.ValidationError, raw: dict[str, object], shape: type, where: str) -> Refusal:
    refusal = validation_refusal(error, raw, shape, where)
    return replace(refusal, message=refusal.message.replace(f"{where}, {TOP}:", f"{where}:", 1))


class SeatChecks:
    """Seat checks of one game; each combination of wagers is checked once."""

    def __init__(self, game: Game) -> None:
        """Store the game."""
        self.game = game
        self._together: dict[tuple[PlacedWager, ...], Refusal | None] = {}
        self._positions = game.submission.positions.at_table
        self._limited = bool(game.submission.limits.posted) or game.submission.limits.legal is not None

    def seat_refusal(self, seat: SeatLine, *, decided: bool) -> Refusal | None:
        """Return why a seat or its wagers are refused, or None; a void round may be undecided."""
        if not 1 <= seat.position <= self._positions:
            return positions_refusal(self.game, (seat.position,))
        for name, amount in seat.wagers.items():
            if not 0 < amount <= MAX_CENTS:
                return _amount_refusal(name, amount)
        placed = tuple(seat.wagers)
        if placed not in self._together:
            self._together[placed] = self._combination(placed)
        return (
            self._together[placed]
            or (self._amounts(seat) if self._limited else None)
            or (self._stake(seat.wagers["progressive"]) if "progressive" in seat.wagers else None)
            or self._decision(seat, decided=decided)
        )

    def _combination(self, placed: tuple[PlacedWager, ...]) -> Refusal | None:
        if not placed:
            return refuse(Code.NO_WAGER)
        for name in placed:
            if not self.game.offers(name):
                clauses = self.game.rulebook.offer_clauses
                return refuse(Code.WAGER_NOT_OFFERED, clauses, wager=WAGER_LABELS[name])
        found = (prerequisite_refusal(self.game, name, placed) for name in placed)
        return next((each for each in found if each is not None), None)

    def _amounts(self, seat: SeatLine) -> Refusal | None:
        placed: dict[WagerName, int] = dict(seat.wagers.items())
        found = (limit_refusal(self.game, name, placed[name]) for name in LIMITED_WAGERS if name in placed)
        return next((each for each in found if each is not None), None)

    def _stake(self, stake: int) -> Refusal | None:
        rules = self.game.rulebook.wagers.progressive
        if rules is None:
            return None
        if not stake_allowed(rules, stake):
            figures = {"amount": dollars(stake), "known": stakes_known(rules)}
            return refuse(Code.STAKE_NOT_TAKEN, clauses_of(rules.stakes or rules.stake_unit), **figures)
        legal = self.game.submission.limits.legal
        if is_set(rules.legal_limit) and legal is not None and stake > legal:
            label, figures = WAGER_LABELS["progressive"], {"amount": dollars(stake), "most": dollars(legal)}
            return refuse(Code.WAGER_ABOVE_LEGAL_LIMIT, clauses_of(rules.legal_limit), wager=label, **figures)
        return None

    def _decision(self, seat: SeatLine, *, decided: bool) -> Refusal | None:
        """Check Play against the Ante; only a void round or a player who left may lack a decision."""
        rules, ante = self.game.rulebook.wagers.play, seat.wagers.get("ante")
        if ante is None:
            return None if seat.play is None else refuse(Code.DECISION_WITHOUT_ANTE, clauses_of(rules.least))
        if seat.play is None:
            waived = seat.left or not decided
            return None if waived else refuse(Code.DECISION_MISSING, clauses_of(rules.least))
        return None if seat.play == 0 else play_refusal(self.game, ante, seat.play)

    def players_refusal(self, seats: Sequence[SeatLine]) -> Refusal | None:
        """Return why one player's positions are refused, or None."""
        held: dict[str | int, list[int]] = defaultdict(list)
        for seat in seats:
            held[seat.position if seat.player is None else str(seat.player)].append(seat.position)
        if len(held) == len(seats):
            return None
        found = (positions_refusal(self.game, positions) for positions in held.values())
        return next((each for each in found if each is not None), None)

    def stakes_refusal(self, seats: Iterable[SeatLine]) -> Refusal | None:
        """Return why different progressive stakes are refused, or None (R57, a setting)."""
        stakes = {seat.wagers["progressive"] for seat in seats if "progressive" in seat.wagers}
        if len(stakes) < 2 or self.game.settings.get("one_denomination") is not True:
            return None
        return refuse(Code.STAKES_MORE_THAN_ONE, ("R57",), count=len(stakes))


def _amount_refusal(name: WagerName, amount: int) -> Refusal:
    if amount > 0:
        return refuse(Code.WAGER_TOO_LARGE, amount=dollars(amount), most=dollars(MAX_CENTS))
    return refuse(Code.WAGER_NOT_POSITIVE, wager=WAGER_LABELS[name], amount=dollars(amount))


def build_showdown(line: RoundLine, settler: Settler) -> Showdown | None:
    """Return the showdown; None for a void round with incomplete hands."""
    dealt = [_cards(seat.cards, f"position {seat.position}", seat.position) for seat in line.seats]
    dealer = _cards(line.dealer, "the dealer")
    bonus = _cards(line.bonus_card, "the bonus card") if line.bonus_card is not None else None
    problem = _deal_refusal(line, dealt, dealer, bonus)
    if problem is not None:
        if line.void is not None:
            return None
        raise problem
    seats = [_seat(seat, cards, settler) for seat, cards in zip(line.seats, dealt, strict=True)]
    return settler.showdown(seats, dealer, bonus[0] if bonus else None)


def _seat(seat: SeatLine, cards: tuple[int, ...], settler: Settler) -> Seat:
    wagers = seat_wagers(seat)
    player = f"position {seat.position}" if seat.player is None else f"player {seat.player}"
    standing = settler.standing(wagers, seat.play, left=seat.left)
    hand = (
        best_of(sorted(cards, reverse=True)) if seat.presented is None else _presented(seat, cards, settler)
    )
    return Seat(seat.position, player, cards, hand, wagers, standing, seat.presented is not None)


def _presented(seat: SeatLine, cards: tuple[int, ...], settler: Settler) -> Hand:
    """Return the hand that a player set, where players set their hands (IA-COMP-1.2, R27)."""
    if settler.game.settings.get("player_sets_hand") is not True:
        raise PositionRefusedError(refuse(Code.PRESENTED_UNASKED, ("R27",)), seat.position)
    four = _cards(seat.presented or "", f"position {seat.position}", seat.position)
    if len(four) != HAND_SIZE or len(set(four)) != HAND_SIZE or not set(four) <= set(cards):
        raise PositionRefusedError(refuse(Code.PRESENTED_FOREIGN, ("R27",)), seat.position)
    return rank_four(four)


def seat_wagers(seat: SeatLine) -> dict[WagerName, int]:
    """Return every wager of a seat, Play included."""
    wagers: dict[WagerName, int] = dict(seat.wagers.items())
    if seat.play:
        wagers["play"] = seat.play
    return wagers


def _cards(text: str, whose: str, position: int | None = None) -> tuple[int, ...]:
    try:
        return cards_named(text)
    except CardsError as error:
        refusal = refuse(Code.CARD_UNKNOWN, whose=whose, reason=str(error).rstrip("."))
        raise _refused(refusal, position) from None


def _refused(refusal: Refusal, position: int | None) -> RefusedError:
    return RefusedError(refusal) if position is None else PositionRefusedError(refusal, position)


def _deal_refusal(
    line: RoundLine, dealt: list[tuple[int, ...]], dealer: tuple[int, ...], bonus: tuple[int, ...] | None
) -> RefusedError | None:
    """Return an error for a wrong number of cards or a repeated card."""
    for seat, cards in zip(line.seats, dealt, strict=True):
        if len(cards) != PLAYER_CARDS:
            return _refused(_count(f"position {seat.position}", cards, PLAYER_CARDS), seat.position)
    if len(dealer) != DEALER_CARDS:
        return RefusedError(_count("the dealer", dealer, DEALER_CARDS))
    if bonus is not None and len(bonus) != 1:
        return RefusedError(_count("the bonus card", bonus, 1))
    every = [*chain.from_iterable(dealt), *dealer, *(bonus or ())]
    if len(set(every)) < len(every):
        twice = next(card for card in every if every.count(card) > 1)
        own = (seat.position for seat, cards in zip(line.seats, dealt, strict=True) if cards.count(twice) > 1)
        return _refused(refuse(Code.CARD_REPEATED, card=card_text(twice)), next(own, None))
    return None


def _count(whose: str, cards: tuple[int, ...], wanted: int) -> Refusal:
    return refuse(
        Code.CARD_COUNT,
        whose=whose,
        count=f"{len(cards)} card{'' if len(cards) == 1 else 's'}",
        wanted=wanted,
    )


GAMES_KEPT = 512
MAX_KEPT_LENGTH = 1 << 14
"""Maximum bytes of options and settings in a cache key, so memory stays bounded."""
VOID = "void"
Settings = dict[str, SettingValue]

_line = msgspec.json.Decoder(RoundLine)
_options = msgspec.json.Decoder(LineOptions, dec_hook=from_text)
_settings = msgspec.json.Decoder(Settings)
_proof = msgspec.json.Decoder(dict[str, object] | None)


class FinishedRound(msgspec.Struct, frozen=True):
    """Finished round that passed all checks."""

    id: LineId
    settler: Settler
    seats: tuple[SeatLine, ...]
    showdown: Showdown | None
    """Showdown; None if the round is void and hands are incomplete."""
    meter: Meter | None
    void: str | None
    """The clause that makes the round void."""

    @property
    def sets_hands(self) -> bool:
        """Say whether players set their own hands at this table (R27)."""
        return self.game.settings.get("player_sets_hand") is True

    @property
    def game(self) -> Game:
        """Return the game that the round was played under."""
        return self.settler.game


def read_round(text: bytes | str) -> FinishedRound:
    """Return the round that a line of JSON holds, or raise a refusal."""
    line = parse_line(text)
    settler, placing = _settler_of_line(line)
    _check_seats(line, placing)
    _check_amounts(line)
    _check_bonus_card(line, settler.game)
    if line.void is not None:
        _check_void(line.void, settler.game)
    return FinishedRound(
        line.id, settler, tuple(line.seats), build_showdown(line, settler), _meter(line), line.void
    )


def parse_line(text: bytes | str) -> RoundLine:
    """Return a decoded line without checking its rules, or refuse an invalid schema."""
    line = decode_json(text, _line, RoundLine)
    if line.proof is not NO_PROOF:
        decode_json(line.proof, _proof, dict, "proof")
    if may_have_duplicate_keys(text, line):
        refuse_duplicate_keys(text)
    return line


def _settler_of_line(line: RoundLine) -> tuple[Settler, SeatChecks]:
    """Return settler and checks of a line, cached unless its options are too long."""
    key = line.rulebook, line.edition, bytes(line.options), bytes(line.settings)
    short = len(key[2]) + len(key[3]) <= MAX_KEPT_LENGTH
    return settler_for(*key) if short else settler_for.__wrapped__(*key)


@lru_cache(maxsize=GAMES_KEPT)
def settler_for(
    rulebook: str, edition: str | None, options: bytes, settings: bytes
) -> tuple[Settler, SeatChecks]:
    """Return settler and checks of a game; a file mostly repeats a few games."""
    chosen = decode_json(options, _options, LineOptions, "options")
    policies = decode_json(settings, _settings, Settings, "settings")
    for text in (options, settings):
        refuse_duplicate_keys(text)
    game = game_of(rulebook, edition, chosen, policies)
    return Settler(game), SeatChecks(game)


def _check_seats(line: RoundLine, placing: SeatChecks) -> None:
    """Refuse missing, repeated or invalid seats."""
    if not line.seats:
        raise RefusedError(refuse(Code.SEATS_MISSING))
    positions = [seat.position for seat in line.seats]
    for seat in line.seats:
        if positions.count(seat.position) > 1:
            refusal: Refusal | None = refuse(Code.POSITION_REPEATED, position=seat.position)
        else:
            refusal = placing.seat_refusal(seat, decided=line.void is None) or _left_refusal(
                seat, placing.game
            )
        if refusal is not None:
            raise PositionRefusedError(refusal, seat.position)
        if "six_card" in seat.wagers and line.bonus_card is None and line.void is None:
            rules = placing.game.rulebook.wagers.six_card
            cited = clauses_of(None if rules is None else rules.lowest)
            raise PositionRefusedError(refuse(Code.BONUS_CARD_MISSING, cited), seat.position)
    refusal = placing.players_refusal(line.seats) or placing.stakes_refusal(line.seats)
    if refusal is not None:
        raise RefusedError(refusal)


def _left_refusal(seat: SeatLine, game: Game) -> Refusal | None:
    """Return why leaving cannot lose the wagers, or None (MD-07B2)."""
    rule = game.rulebook.leaving_may_lose_wagers
    return refuse(Code.LEAVING, clauses_of(rule)) if seat.left and not rule.value else None


def _check_bonus_card(line: RoundLine, game: Game) -> None:
    """Refuse a bonus card if the rulebook has no wager for it (R10)."""
    rulebook = game.rulebook
    if line.bonus_card is not None and rulebook.wagers.six_card is None:
        raise RefusedError(refuse(Code.BONUS_CARD_FOREIGN, rulebook.offer_clauses, rulebook=rulebook.id))


def _check_amounts(line: RoundLine) -> None:
    for name in ("meter", "reset"):
        amount = getattr(line, name)
        if amount is not None and not 0 <= amount <= MAX_CENTS:
            reason = f"must be from $0 to {dollars(MAX_CENTS)}, not {dollars(amount)}"
            raise RefusedError(refuse(Code.VALUE_UNFIT, file=WHERE, place=name, reason=reason))


def _check_void(address: str, game: Game) -> None:
    """Refuse a clause or ruling that does not void a round of this rulebook."""
    rulebook = game.rulebook
    clause, ruling = clauses().get(address), rulings().get(address)
    if clause is not None and clause.source == rulebook.source:
        outcomes = clause.figures.get("outcome", "").split(",")
        voids = VOID in outcomes or any(rulings()[each].makes_void for each in clause.rulings)
    else:
        chosen = ruling is not None and any(game.settings.get(name) == VOID for name in ruling.settings)
        later = (row.later for row in rulebook.irregularities.values())
        voids = chosen or any(row and VOID in row.value and address in row.clauses for row in later)
    if not voids:
        raise RefusedError(refuse(Code.VOID_UNKNOWN, clause=address, rulebook=rulebook.id))


def _meter(line: RoundLine) -> Meter | None:
    """Return the meter, which already includes this round's contributions; reset includes any reserve."""
    if line.meter is None:
        return None
    return Meter(amount=line.meter * UNITS_PER_CENT, reset_amount=line.reset)
