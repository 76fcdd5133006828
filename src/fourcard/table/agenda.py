"""Deck preparation: the steps of opening, shuffle, cut and loading that apply to a deck, in order."""

from fourcard.round.rules import DueStep, steps_in_order
from fourcard.rules.nodes import holds
from fourcard.rules.procedures import Mixing, StepName
from fourcard.table.state import Deck, TableState

MIXING: tuple[StepName, ...] = (
    "shuffle_by_hand",
    "riffle_first",
    "riffle_second",
    "strip",
    "riffle_third",
    "put_in_shuffler",
    "press_shuffle",
    "shuffle_by_machine",
)
"""Steps that shuffle the cards; the last of them in a procedure gives the new order."""
LOADING: tuple[StepName, ...] = ("put_in_shoe", "take_in_hand", "put_in_machine")
CUTS: tuple[StepName, ...] = (
    "lay_cover_card",
    "insert_cover_card",
    "cut",
    "place_rest_on_top",
    "rack_cover_card",
)


def mixing(state: TableState) -> Mixing:
    """Return whether cards are now shuffled by machine or by hand."""
    return "by-machine" if state.shuffler_works and not state.by_hand else "by-hand"


def for_opening(state: TableState, *, preshuffled: bool) -> tuple[DueStep, ...]:
    """Return the steps for a deck that has just arrived (MA-4a, MD-04F)."""
    rules = state.game.rulebook
    if preshuffled and holds(rules.opening.preshuffled_exempt):
        inspection: tuple[DueStep, ...] = ()
    else:
        inspection = steps_in_order(rules.opening.steps)
    waived = preshuffled and rules.shuffling.waived_for_preshuffled.value
    if waived or not rules.shuffling.before_play.value:
        return (*inspection, *cut_steps(state, "preshuffled"), *load_steps(state, "preshuffled"))
    return (*inspection, *for_round(state))


def for_round(state: TableState) -> tuple[DueStep, ...]:
    """Return the steps before every round: shuffle, cut where one is due, loading."""
    rules, how = state.game.rulebook.shuffling, mixing(state)
    steps = steps_in_order(rules.by_machine if how == "by-machine" else rules.by_hand)
    return (*steps, *cut_steps(state, how), *load_steps(state, how))


def shuffled_again(state: TableState, deck: Deck) -> tuple[DueStep, ...]:
    """Return the steps of another shuffle, after the deck's open steps before its first shuffle.

    At an idle table the spread cards are not shuffled until a player arrives.
    """
    before = tuple(due for due in deck.agenda if due[0] in state.before_shuffle)
    return before if state.phase == "idle" else (*before, *for_round(state))


def cut_steps(state: TableState, how: Mixing) -> tuple[DueStep, ...]:
    """Return the steps of the cut; machine-shuffled cards and a reshuffling device need none (MD-05H)."""
    cutting = state.game.rulebook.cutting
    if cutting is None or how not in cutting.after.value or waived_by_device(state, "cut"):
        return ()
    return steps_in_order(cutting.steps)


def waived_by_device(state: TableState, what: str) -> bool:
    """Say whether a shuffler that reshuffles by itself makes a procedure unnecessary."""
    machine, rule = state.game.submission.shuffler, state.game.rulebook.shuffling.reshuffling_waives
    reshuffles = machine is not None and machine.reshuffles and state.shuffler_works and not state.by_hand
    return reshuffles and rule is not None and what in rule.value


def load_steps(state: TableState, how: Mixing) -> tuple[DueStep, ...]:
    """Return the steps that load the deck for dealing; a shuffler may load the shoe itself (MA-5a.6)."""
    machine = state.game.submission.shuffler
    direct = machine is not None and machine.direct_load and holds(state.game.rulebook.shuffling.direct_load)
    if how == "by-machine" and direct and state.method in ("shoe", "automated"):
        return ()
    return steps_in_order(state.rules.dealing.load)


def for_idle(state: TableState) -> tuple[DueStep, ...]:
    """Return the steps that spread the cards of an idle table."""
    idle = state.game.rulebook.idle
    return () if idle is None else steps_in_order(idle.steps)


def for_arrival(state: TableState) -> tuple[DueStep, ...]:
    """Return the steps when the first player arrives; cards already face up are not turned."""
    idle = state.game.rulebook.idle
    steps = () if idle is None else steps_in_order(idle.arrival)
    needed = tuple(due for due in steps if due[0] != "turn_face_up" or state.spread == "face-down")
    return (*needed, *for_round(state))


def ends_mixing(agenda: tuple[DueStep, ...]) -> bool:
    """Say whether the first step of a deck's agenda is the last one of its shuffle."""
    return agenda[0][0] in MIXING and not any(step in MIXING for step, _ in agenda[1:])
