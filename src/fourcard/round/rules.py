"""A game's rules as a round reads them: the dealing method in force, its steps in order, and the settler."""

from collections.abc import Iterable

from fourcard.dealing import Plan, plan
from fourcard.rules.game import Game
from fourcard.rules.nodes import Cited, WagerName, cite
from fourcard.rules.procedures import (
    Consequence,
    DealingMethod,
    Irregularity,
    IrregularityKind,
    StepName,
    Steps,
)
from fourcard.rules.rulebook import DutyName, Role
from fourcard.settling import Settler

DueStep = tuple[StepName, tuple[str, ...]]
"""A step and the clauses that order it."""


class RoundRules:
    """One game dealt by one method; made once, shared by all rounds of a table."""

    def __init__(self, game: Game, method: DealingMethod | None = None, *, by_hand: bool = False) -> None:
        """Put steps in order once; cards may be shuffled by hand for the time being."""
        book = game.rulebook
        self.game, self.by_hand = game, by_hand
        self.method: DealingMethod = method or game.submission.dealing.method
        self.dealing = book.dealing[self.method]
        self.settler = Settler(game)
        self.before_cards = steps_in_order(self.dealing.before_cards)
        self.after_cards = steps_in_order(self.dealing.after_cards)
        self.look = steps_in_order(book.deciding.look)
        alone = game.settings.get("cover_all_requires") == "nothing"
        cover_all: set[WagerName] = {"cover_all"} if alone and game.offers("cover_all") else set()
        self.dealt_in = frozenset[WagerName](self.dealing.dealt_in.value) | cover_all
        """The wagers of which a position needs one to be dealt in; a Cover All that may stand alone (R45)."""
        self.wagering, self.deciding = book.wagering, book.deciding
        self.asked = frozenset[WagerName](book.deciding.asked.value)
        """The wagers that a position must all have to be asked."""
        self._plans: dict[tuple[int, ...], Plan] = {}

    def __eq__(self, other: object) -> bool:
        """Compare by game and method: two tables of the same game play by the same rules."""
        if not isinstance(other, RoundRules):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        """Hash as compared."""
        return hash(self._key())

    def _key(self) -> tuple[str, DealingMethod, bool]:
        return self.game.hash, self.method, self.by_hand

    def plan(self, positions: Iterable[int]) -> Plan:
        """Return the plan of a deal to these positions."""
        served = tuple(sorted(positions))
        if served not in self._plans:
            self._plans[served] = plan(self.game, served, self.method)
        return self._plans[served]

    @property
    def locks_by_step(self) -> bool:
        """Say whether a step of its own locks the progressive, apart from the end of betting."""
        return "lock_out" in self.dealing.before_cards

    def irregularity(self, kind: IrregularityKind) -> Irregularity | None:
        """Return what follows from an irregularity, as the rulebook or a house's setting has it (R72)."""
        row = self.game.rulebook.irregularities.get(kind)
        setting = self.game.submission.settings.get(kind)
        if row is None or setting is None:
            return row
        words: tuple[Consequence, ...] = ("continue",) if setting == "play_on" else ("void", "reshuffle")
        return Irregularity(value=words, during=row.during, clauses=row.clauses)

    def duty(self, name: DutyName) -> Cited[tuple[Role, ...]] | None:
        """Return whose duty something is, where the rulebook says so."""
        return self.game.rulebook.roles.get(name)


def steps_in_order(steps: Steps) -> tuple[DueStep, ...]:
    """Return the steps of a procedure as they are numbered, with their clauses."""
    ordered = sorted(steps, key=lambda name: steps[name].value)
    return tuple((name, cite(steps[name])) for name in ordered)
