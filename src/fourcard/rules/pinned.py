"""A game as it is kept: whole, in JSON, so that it can be played and replayed without any rulebook file."""

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
    """Return the game that was kept, or refuse a text that is none."""
    try:
        return msgspec.convert(msgspec.json.decode(body), Game, dec_hook=_exact, str_keys=True)
    except (msgspec.MsgspecError, UnicodeError, ValueError, TypeError) as error:
        raise BadInputError(f"A game that was kept cannot be read: {error}.") from None


def _exact(wanted: type, value: object) -> object:
    """Turn plain numbers and texts back into amounts, odds and shares."""
    if wanted is Cents and type(value) is int:
        return Cents(value)
    if wanted is Odds and isinstance(value, str):
        return Odds(value)
    if wanted is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is no {wanted.__name__}")
