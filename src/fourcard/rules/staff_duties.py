"""Staff duties at a table: who does what under a game, and which duties are waived."""

import msgspec

from fourcard.rules.game import Game
from fourcard.rules.rulebook import DutyName

DUTY_TEXTS: dict[DutyName, str] = {
    "verifies_inspection": "verifies the inspection of the cards",
    "orders_shuffle": "may order a shuffle",
    "cuts": "cuts the cards",
    "orders_recut": "may order a recut",
    "judges_wrong_count": "judges a wrong count of the stub",
    "may_touch_cards": "may touch a player's cards",
    "chooses_best_hand": "selects the best four cards",
    "validates_jackpot": "validates a progressive win",
    "confirms_large_jackpot": "confirms a progressive win from the executive threshold on",
}
OF_PROGRESSIVE = ("validates_jackpot", "confirms_large_jackpot")


class Duty(msgspec.Struct, frozen=True):
    """Duty at the table: what, who, and the clauses."""

    what: str
    who: str
    clauses: tuple[str, ...]


def duties(game: Game) -> tuple[Duty, ...]:
    """Return the duties of a game's rulebook, with those that the equipment takes over."""
    found = []
    for name, rule in game.rulebook.roles.items():
        if name in OF_PROGRESSIVE and not game.offers("progressive"):
            continue
        if name == "chooses_best_hand" and game.settings.get("player_sets_hand") is False:
            found.append(Duty(DUTY_TEXTS[name], "the system", (*rule.clauses, "R27")))
            continue
        who = " and ".join(role.replace("-", " ") for role in rule.value)
        found.append(Duty(DUTY_TEXTS[name], who, rule.clauses))
    waiver = game.rulebook.dealing[game.submission.dealing.method].counting.waived_by_counting_shuffler
    if waiver is not None and game.stub_count_waived:
        found.append(Duty("counts the stub", "the shuffler, by counting the deck", waiver.clauses))
    return tuple(found)
