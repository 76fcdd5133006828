"""Rounds with their proofs for tests: played at a real table whose decks come from committed secrets."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fourcard.cards import cards_text
from fourcard.dealing import BONUS, EXTRA
from fourcard.house.fairness import ALGORITHM, Seed, commitment_of, order_of
from fourcard.house.ports import SeededEntropy
from fourcard.house.proof import Verification, verify
from fourcard.odds.simulation.export import options_of
from fourcard.round.commands import ReportIrregularity
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.nodes import WagerName
from fourcard.table.bots import basic
from fourcard.table.events import RoundBegan, StepPrepared
from fourcard.table.session import Table
from tests.support import game

TABLE = "pit-1.table_3"
SEEDS: tuple[Seed, ...] = (("zoe", "a seed: 17, of mine"), ("adam", "~"))
NAMES = {0: "dealer", EXTRA: "extra", BONUS: "bonus_card"}
STAKES: dict[WagerName, int] = {"ante": 2500, "aces_up": 500}
Line = dict[str, Any]


class ProvenTable:
    """A table that notes what every deck was shuffled from, as a house does."""

    def __init__(self, made: Game, seats: Iterable[int] = (1, 2, 3), seeds: Sequence[Seed] = SEEDS) -> None:
        """Seat a player at each position; cards come from secrets that follow from the game's name."""
        self.entropy = SeededEntropy(made.submission.name)
        self.secrets: list[bytes] = []
        self.seeds = seeds
        self.table = Table(made, self.shuffle)
        for position in seats:
            self.table.seat(position, f"p{position}")

    def shuffle(self) -> Sequence[int]:
        """Return a deck in the order that the next secret gives it."""
        self.secrets.append(self.entropy.draw(32))
        return order_of(self.secrets[-1], TABLE, len(self.secrets), self.seeds)

    def play(self, face_up: int | None = None) -> Line:
        """Play a round, with a card found face up at some place among the next ones, and export it."""
        at = self.table
        at.begin()
        if face_up is not None:
            self._discard(face_up)
        seats = list(at.state.seats)
        if at.state.round is not None and at.state.round.phase == "betting":
            at.play_round(dict.fromkeys(seats, STAKES), basic)
        else:
            at.finish(basic)
        assert at.state.finished is not None
        return self.exported(at.state.finished)

    def _discard(self, place: int) -> None:
        at = self.table
        at._place_wagers(dict.fromkeys(at.state.seats, STAKES))
        while at.state.round is not None and at.state.round.move < 1:
            act = at.next_act()
            assert act is not None
            at.do(act)
        at.do(ReportIrregularity(irregularity="one_face_up_card", place=place))

    def exported(self, played: RoundState) -> Line:
        """Return a round as a line, with its proof."""
        made = self.table.game
        line: Line = {
            "id": f"{made.rulebook.id}-{self.table.state.number}",
            "rulebook": made.rulebook.id,
            "edition": made.rulebook.edition,
            "options": options_of(made),
            "settings": dict(made.settings),
            "seats": [self._seat(played, position) for position in played.dealt_in],
            "dealer": cards_text([*played.dealer, *([] if played.up in played.dealer else [played.up or 0])]),
            "proof": self.proof(),
        }
        return line | ({"bonus_card": cards_text(played.bonus)} if played.bonus else {})

    def _seat(self, played: RoundState, position: int) -> Line:
        place = played.places[position]
        stakes = {name: amount for name, amount in place.wagers.items() if name != "play"}
        return {
            "position": position,
            "player": place.player,
            "cards": cards_text(place.cards),
            "wagers": stakes,
            "play": place.decision,
        }

    def proof(self) -> Line:
        """Return the proof of the last round, put together from the table's events."""
        mixed: dict[int, tuple[int, list[int]]] = {}
        drawn: list[Line] = []
        shuffles, used = 0, (0, [0])
        for event in self.table.events:
            if isinstance(event, StepPrepared) and event.mixed is not None:
                shuffles += 1
                mixed[event.deck] = shuffles, []
            elif isinstance(event, StepPrepared) and event.depth is not None:
                mixed[event.deck][1].append(event.depth)
            elif isinstance(event, RoundBegan):
                drawn, used = [], mixed[event.deck]
            elif isinstance(event, CardsDealt):
                drawn.append({"to": NAMES.get(event.to, event.to), "cards": cards_text(event.cards)})
            elif isinstance(event, FaceUpCardDiscarded):
                drawn.append({"to": "discarded", "cards": cards_text([event.card])})
        number, cuts = used
        secret = self.secrets[number - 1]
        return {
            "algorithm": ALGORITHM,
            "table": TABLE,
            "shuffle": number,
            "commitment": commitment_of(secret),
            "secret": secret.hex(),
            "seeds": [list(seed) for seed in self.seeds],
            "cuts": cuts,
            "drawn": drawn,
        }


def proven(name: str, seats: Iterable[int] = (1, 2, 3), **changes: object) -> Line:
    """Return one round of an example with its proof."""
    return ProvenTable(game(name, **changes), seats).play()


def rounds(name: str, count: int, seats: Iterable[int] = (1, 2, 3), **changes: object) -> Iterator[Line]:
    """Yield rounds of one table, one after another."""
    table = ProvenTable(game(name, **changes), seats)
    for _ in range(count):
        yield table.play()


def verified(line: Line) -> Verification:
    """Return what verifying a line finds."""
    return verify(json.dumps(line))
