"""What follows for a table from its game: who decides what, and which duties are waived."""

from dataclasses import dataclass

from fourcard.rules.game import Game
from fourcard.rules.nodes import Cited


@dataclass(frozen=True, slots=True)
class Duty:
    """One duty at the table, whose it is, and the clauses that say so."""

    what: str
    who: str
    clauses: tuple[str, ...]

    def answer(self) -> dict[str, object]:
        """Return the duty as scripts read it."""
        return {"what": self.what, "who": self.who, "clauses": list(self.clauses)}


def duties(game: Game) -> tuple[Duty, ...]:
    """Return the duties that a game's rulebook names, and those that its equipment waives."""
    roles = game.rulebook.roles
    named: list[tuple[str, Cited[str] | None]] = [
        ("selects the best four cards", roles.chooses_best_hand),
        ("may order a recut", roles.orders_recut),
    ]
    if game.offers("progressive"):
        named.append(("validates a progressive win", roles.validates_jackpot))
    found = [Duty(what, rule.value, rule.clauses) for what, rule in named if rule is not None]
    if roles.may_touch_cards is not None:
        who = " and ".join(roles.may_touch_cards.value)
        found.append(Duty("may touch a player's cards", who, roles.may_touch_cards.clauses))
    waiver = game.rulebook.shuffling.stub_count_waived_by_counting_shuffler
    if waiver is not None and game.stub_count_waived:
        found.append(Duty("counts the stub", "the shuffler, by counting the deck", waiver.clauses))
    return tuple(found)
