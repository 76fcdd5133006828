"""Pinned games: each stored game is readable, matches its hash, and was installed at a table."""

from collections.abc import Mapping

from fourcard.errors import BadInputError
from fourcard.house.auditing.report import Findings, Place
from fourcard.rules.game import Game
from fourcard.rules.pinned import decode_game


class GameLostError(BadInputError):
    """A pinned game is missing or altered, so its table cannot be replayed."""


class Pinned:
    """The stored games of a house."""

    def __init__(self, stored: Mapping[str, bytes], findings: Findings) -> None:
        """Decode every game; report those that cannot be read or do not match their hash."""
        self.findings, self.stored = findings, stored
        self._intact: dict[str, Game] = {}
        self._used: set[str] = set()
        for hash_, body in stored.items():
            self._read(hash_, body)

    def _read(self, hash_: str, body: bytes) -> None:
        place = Place("games", hash_)
        try:
            game = decode_game(body)
        except BadInputError as error:
            self.findings.add(place, "unreadable", str(error))
            return
        if game.hash == hash_:
            self._intact[hash_] = game
        else:
            self.findings.add(place, "altered", f"Its content now has the hash {game.hash}.")

    def game(self, hash_: str) -> Game:
        """Return a pinned game; fail where it is missing or altered."""
        if not self.has(hash_):
            raise GameLostError(f"Game {hash_} is missing or altered.")
        return self._intact[hash_]

    def has(self, hash_: str) -> bool:
        """Return whether a game is stored unaltered; it counts as used from now on."""
        self._used.add(hash_)
        return hash_ in self._intact

    def end(self) -> None:
        """Report games that are missing, and games that no table ever used."""
        for hash_ in sorted(self._used - self.stored.keys()):
            self.findings.add(Place("games", hash_), "missing", "A table was installed with it.")
        for hash_ in sorted(self._intact.keys() - self._used):
            self.findings.add(Place("games", hash_), "inserted", "No table was ever installed with it.")
