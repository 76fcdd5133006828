"""Game codec: a whole game as JSON, so it can be replayed without any rulebook file."""

from fractions import Fraction

import msgspec

from fourcard.errors import BadInputError
from fourcard.money import Odds
from fourcard.rules.game import Game, plain_of
from fourcard.rules.nodes import Cents


def encode_game(game: Game) -> bytes:
    """Return a game in JSON."""
    return msgspec.json.encode(plain_of(game))


def decode_game(body: bytes) -> Game:
    """Return the game of a stored JSON text, or raise."""
    try:
        return msgspec.convert(msgspec.json.decode(body), Game, dec_hook=_exact, str_keys=True)
    except (msgspec.MsgspecError, UnicodeError, ValueError, TypeError) as error:
        raise BadInputError(f"The stored game cannot be read: {error}.") from None


def _exact(wanted: type, value: object) -> object:
    """Decode amounts, odds and shares from plain numbers and texts."""
    if wanted is Cents and type(value) is int:
        return Cents(value)
    if wanted is Odds and isinstance(value, str):
        return Odds(value)
    if wanted is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is not a valid {wanted.__name__}")
