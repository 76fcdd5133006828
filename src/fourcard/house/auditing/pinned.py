"""The pinned games: each is whole, has its hash, and was played at a table."""

from collections.abc import Mapping

from fourcard.errors import BadInputError
from fourcard.house.auditing.report import Findings, Place
from fourcard.rules.game import Game
from fourcard.rules.pinned import decode_game


class GameLostError(BadInputError):
    """A game without which a table cannot be replayed."""


class Pinned:
    """Every game that is kept."""

    def __init__(self, kept: Mapping[str, bytes], findings: Findings) -> None:
        """Read them all, and note those that are not what their hash names."""
        self.findings, self.kept = findings, kept
        self._sound: dict[str, Game] = {}
        self._played: set[str] = set()
        for hash_, body in kept.items():
            self._read(hash_, body)

    def _read(self, hash_: str, body: bytes) -> None:
        place = Place("games", hash_)
        try:
            game = decode_game(body)
        except BadInputError as error:
            self.findings.add(place, "unreadable", str(error))
            return
        if game.hash == hash_:
            self._sound[hash_] = game
        else:
            self.findings.add(place, "altered", f"It is {game.hash} now.")

    def game(self, hash_: str) -> Game:
        """Return a game as it was pinned."""
        if not self.has(hash_):
            raise GameLostError(f"Game {hash_} is missing or altered.")
        return self._sound[hash_]

    def has(self, hash_: str) -> bool:
        """Say whether a game is there as it was pinned."""
        self._played.add(hash_)
        return hash_ in self._sound

    def end(self) -> None:
        """Note games that are missing, and games that no table has played."""
        for hash_ in sorted(self._played - self.kept.keys()):
            self.findings.add(Place("games", hash_), "missing", "A table was set up for it.")
        for hash_ in sorted(self._sound.keys() - self._played):
            self.findings.add(Place("games", hash_), "inserted", "No table was ever set up for it.")
