"""Line reader: turns text into a round that can be settled, or a refusal."""

from functools import lru_cache

import msgspec

from fourcard.lines.dealt import showdown_of
from fourcard.lines.decoding import WHERE, decoded, refuse_repeats
from fourcard.lines.line import NO_PROOF, Line, LineId, SeatLine
from fourcard.lines.placing import Placing
from fourcard.lines.repeats import may_repeat
from fourcard.meter import UNITS_PER_CENT, Meter
from fourcard.money import dollars
from fourcard.refusals import Code, PositionRefusedError, Refusal, RefusedError, refuse
from fourcard.rules.clauses import ledger
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite, from_text
from fourcard.rules.options import MOST_CENTS, Options, game_of
from fourcard.rules.rulings import SettingValue, rulings
from fourcard.settling import Settler
from fourcard.wagers.showdown import Showdown

GAMES_KEPT = 512
LONGEST_KEPT = 1 << 14
"""Maximum bytes of options and settings in a cache key, so memory stays bounded."""
VOID = "void"
Settings = dict[str, SettingValue]

_line = msgspec.json.Decoder(Line)
_options = msgspec.json.Decoder(Options, dec_hook=from_text)
_settings = msgspec.json.Decoder(Settings)
_proof = msgspec.json.Decoder(dict[str, object] | None)


class Round(msgspec.Struct, frozen=True):
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


def read_round(text: bytes | str) -> Round:
    """Return the round that a line of JSON holds, or raise a refusal."""
    line = line_of(text)
    settler, placing = _table_of(line)
    _check_seats(line, placing)
    _check_amounts(line)
    _check_bonus_card(line, settler.game)
    if line.void is not None:
        _check_void(line.void, settler.game)
    return Round(line.id, settler, tuple(line.seats), showdown_of(line, settler), _meter(line), line.void)


def line_of(text: bytes | str) -> Line:
    """Return a decoded line without checking its rules, or refuse an invalid schema."""
    line = decoded(text, _line, Line)
    if line.proof is not NO_PROOF:
        decoded(line.proof, _proof, dict, "proof")
    if may_repeat(text, line):
        refuse_repeats(text)
    return line


def _table_of(line: Line) -> tuple[Settler, Placing]:
    """Return settler and checks of a line, cached unless its options are too long."""
    key = line.rulebook, line.edition, bytes(line.options), bytes(line.settings)
    short = len(key[2]) + len(key[3]) <= LONGEST_KEPT
    return table_of(*key) if short else table_of.__wrapped__(*key)


@lru_cache(maxsize=GAMES_KEPT)
def table_of(rulebook: str, edition: str | None, options: bytes, settings: bytes) -> tuple[Settler, Placing]:
    """Return settler and checks of a game; a file mostly repeats a few games."""
    chosen = decoded(options, _options, Options, "options")
    policies = decoded(settings, _settings, Settings, "settings")
    for text in (options, settings):
        refuse_repeats(text)
    game = game_of(rulebook, edition, chosen, policies)
    return Settler(game), Placing(game)


def _check_seats(line: Line, placing: Placing) -> None:
    """Refuse missing, repeated or invalid seats."""
    if not line.seats:
        raise RefusedError(refuse(Code.SEATS_MISSING))
    positions = [seat.position for seat in line.seats]
    for seat in line.seats:
        if positions.count(seat.position) > 1:
            refusal: Refusal | None = refuse(Code.POSITION_REPEATED, position=seat.position)
        else:
            refusal = placing.refusal(seat, decided=line.void is None) or _left_refusal(seat, placing.game)
        if refusal is not None:
            raise PositionRefusedError(refusal, seat.position)
        if "six_card" in seat.wagers and line.bonus_card is None and line.void is None:
            raise PositionRefusedError(refuse(Code.BONUS_CARD_MISSING, ("MD-07E5.1",)), seat.position)
    refusal = placing.players_refusal(line.seats) or placing.stakes_refusal(line.seats)
    if refusal is not None:
        raise RefusedError(refusal)


def _left_refusal(seat: SeatLine, game: Game) -> Refusal | None:
    """Return why leaving cannot lose the wagers, or None (MD-07B2)."""
    rule = game.rulebook.leaving_may_lose_wagers
    return refuse(Code.LEAVING, cite(rule)) if seat.left and not rule.value else None


def _check_bonus_card(line: Line, game: Game) -> None:
    """Refuse a bonus card if the rulebook has no wager for it (R10)."""
    book = game.rulebook
    if line.bonus_card is not None and book.wagers.six_card is None:
        raise RefusedError(refuse(Code.BONUS_CARD_FOREIGN, book.offers_by, rulebook=book.id))


def _check_amounts(line: Line) -> None:
    for name in ("meter", "reset"):
        amount = getattr(line, name)
        if amount is not None and not 0 <= amount <= MOST_CENTS:
            reason = f"must be from $0 to {dollars(MOST_CENTS)}, not {dollars(amount)}"
            raise RefusedError(refuse(Code.VALUE_UNFIT, file=WHERE, place=name, reason=reason))


def _check_void(address: str, game: Game) -> None:
    """Refuse a clause or ruling that does not void a round of this rulebook."""
    book = game.rulebook
    clause, ruling = ledger().get(address), rulings().get(address)
    if clause is not None and clause.source == book.source:
        outcomes = clause.figures.get("outcome", "").split(",")
        voids = VOID in outcomes or any(rulings()[each].makes_void for each in clause.rulings)
    else:
        voids = ruling is not None and any(game.settings.get(name) == VOID for name in ruling.settings)
    if not voids:
        raise RefusedError(refuse(Code.VOID_UNKNOWN, clause=address, rulebook=book.id))


def _meter(line: Line) -> Meter | None:
    """Return the meter, which already includes this round's contributions; reset includes any reserve."""
    if line.meter is None:
        return None
    return Meter(amount=line.meter * UNITS_PER_CENT, seed=line.reset)
