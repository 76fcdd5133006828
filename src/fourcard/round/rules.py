"""Rules of a round: one game dealt by one method, with its steps in order and its settler."""

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
    """The rules of one game dealt by one method; built once and shared by all rounds of a table."""

    def __init__(self, game: Game, method: DealingMethod | None = None, *, by_hand: bool = False) -> None:
        """Read the game's rulebook; ``by_hand`` says that cards are shuffled by hand for now."""
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
        """A position with one of these wagers is dealt in; Cover All where it may stand alone (R45)."""
        self.wagering, self.deciding = book.wagering, book.deciding
        self.asked = frozenset[WagerName](book.deciding.asked.value)
        """A position needs all of these wagers to get a decision."""
        self._plans: dict[tuple[int, ...], Plan] = {}

    def __eq__(self, other: object) -> bool:
        """Compare by game, method and shuffle: two tables of the same game have equal rules."""
        if not isinstance(other, RoundRules):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        """Hash by game, method and shuffle."""
        return hash(self._key())

    def _key(self) -> tuple[str, DealingMethod, bool]:
        return self.game.hash, self.method, self.by_hand

    def plan(self, positions: Iterable[int]) -> Plan:
        """Return the deal plan for these positions."""
        key = tuple(sorted(positions))
        if key not in self._plans:
            self._plans[key] = plan(self.game, key, self.method)
        return self._plans[key]

    @property
    def locks_by_step(self) -> bool:
        """Say whether the progressive is locked by its own step, not by the end of betting."""
        return "lock_out" in self.dealing.before_cards

    def irregularity(self, kind: IrregularityKind) -> Irregularity | None:
        """Return the consequences of an irregularity, from the rulebook or the house's setting (R72)."""
        row = self.game.rulebook.irregularities.get(kind)
        setting = self.game.submission.settings.get(kind)
        if row is None or setting is None:
            return row
        words: tuple[Consequence, ...] = ("continue",) if setting == "play_on" else ("void", "reshuffle")
        return Irregularity(value=words, during=row.during, clauses=row.clauses)

    def duty(self, name: DutyName) -> Cited[tuple[Role, ...]] | None:
        """Return the roles that have a duty, or None where the rulebook does not say."""
        return self.game.rulebook.roles.get(name)


def steps_in_order(steps: Steps) -> tuple[DueStep, ...]:
    """Return the steps of a procedure in order, with their clauses."""
    ordered = sorted(steps, key=lambda name: steps[name].value)
    return tuple((name, cite(steps[name])) for name in ordered)
