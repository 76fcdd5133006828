"""Deck preparation: the steps of opening, shuffle, cut and loading that apply to a deck, and their checks."""

from fourcard.cards import DECK_SIZE
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.preconditions import count_text, duty_refusal, step_text
from fourcard.round.state import CitedStep, steps_in_order
from fourcard.rules.cited import Cited, clauses_of, is_set
from fourcard.rules.procedures import Consequence, Cutting, Mixing, StepName
from fourcard.rules.rulebook import DutyName
from fourcard.table.commands import OrderRecut, OrderShuffle, Prepare
from fourcard.table.events import (
    DeckRemoved,
    RecutOrdered,
    ShuffleOrdered,
    StepPrepared,
    TableEvent,
    TableEventsOrRefusal,
)
from fourcard.table.state import Deck, TableState, is_full_deck

SHUFFLE_STEPS: tuple[StepName, ...] = (
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
LOAD_STEPS: tuple[StepName, ...] = ("put_in_shoe", "take_in_hand", "put_in_machine")
CUT_STEPS: tuple[StepName, ...] = (
    "lay_cover_card",
    "insert_cover_card",
    "cut",
    "place_rest_on_top",
    "rack_cover_card",
)


def shuffle_method(state: TableState) -> Mixing:
    """Return whether cards are now shuffled by machine or by hand."""
    return "by-hand" if state.machine is None else "by-machine"


def opening_steps(state: TableState, *, preshuffled: bool) -> tuple[CitedStep, ...]:
    """Return the steps for a deck that has just arrived (MA-4a, MA-5a.1, MD-04F, MD-05A.1)."""
    rules = state.game.rulebook
    if preshuffled and is_set(rules.opening.preshuffled_exempt):
        inspection: tuple[CitedStep, ...] = ()
    else:
        inspection = steps_in_order(rules.opening.steps)
    if preshuffled or not rules.shuffling.before_play.value:
        return (*inspection, *cut_steps(state, "preshuffled"), *load_steps(state, "preshuffled"))
    return (*inspection, *round_steps(state))


def round_steps(state: TableState) -> tuple[CitedStep, ...]:
    """Return the steps before every round: shuffle, cut where one is due, loading."""
    rules, how = state.game.rulebook.shuffling, shuffle_method(state)
    steps = steps_in_order(rules.by_machine if how == "by-machine" else rules.by_hand)
    return (*steps, *cut_steps(state, how), *load_steps(state, how))


def reshuffle_steps(state: TableState, deck: Deck) -> tuple[CitedStep, ...]:
    """Return the steps of another shuffle, after the deck's open steps before its first shuffle.

    At an idle table the spread cards are not shuffled until a player arrives.
    """
    before = tuple(due for due in deck.agenda if due[0] in state.before_shuffle)
    return before if state.phase == "idle" else (*before, *round_steps(state))


def cut_steps(state: TableState, how: Mixing) -> tuple[CitedStep, ...]:
    """Return the steps of the cut.

    Cards that a machine shuffled need none (MA-5b2, MD-05C2), nor does a reshuffling device (MD-05H).
    """
    cutting = state.game.rulebook.cutting
    if cutting is None or how not in cutting.after.value or waived_by_device(state, "cut"):
        return ()
    return steps_in_order(cutting.steps)


def waived_by_device(state: TableState, what: str) -> bool:
    """Say whether a shuffler that reshuffles by itself makes a procedure unnecessary (MD-05H)."""
    machine, rule = state.machine, state.game.rulebook.shuffling.reshuffling_waives
    return machine is not None and machine.reshuffles and rule is not None and what in rule.value


def load_steps(state: TableState, how: Mixing) -> tuple[CitedStep, ...]:
    """Return the steps that load the deck for dealing; a shuffler may load the shoe itself (MA-5a.6)."""
    machine = state.game.submission.shuffler
    direct = machine is not None and machine.direct_load
    if how == "by-machine" and direct and state.method in ("shoe", "automated"):
        return ()
    return steps_in_order(state.rules.dealing.load)


def idle_steps(state: TableState) -> tuple[CitedStep, ...]:
    """Return the steps that spread the cards of an idle table."""
    idle = state.game.rulebook.idle
    return () if idle is None else steps_in_order(idle.steps)


def arrival_steps(state: TableState) -> tuple[CitedStep, ...]:
    """Return the steps when the first player arrives; cards already face up are not turned."""
    idle = state.game.rulebook.idle
    steps = () if idle is None else steps_in_order(idle.arrival)
    needed = tuple(due for due in steps if due[0] != "turn_face_up" or state.spread == "face-down")
    return (*needed, *round_steps(state))


def ends_shuffle(agenda: tuple[CitedStep, ...]) -> bool:
    """Say whether the first step of a deck's agenda is the last one of its shuffle."""
    return agenda[0][0] in SHUFFLE_STEPS and not any(step in SHUFFLE_STEPS for step, _ in agenda[1:])


STEP_DUTIES: dict[StepName, DutyName] = {
    "verify_inspection": "verifies_inspection",
    "insert_cover_card": "cuts",
    "cut": "cuts",
}


def prepare(state: TableState, command: Prepare) -> TableEventsOrRefusal:
    """Perform the next step of a deck's agenda."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    number = deck_of_step(state, command)
    if not 0 <= number < len(state.decks):
        return refuse(Code.DECK_UNKNOWN, deck=number)
    deck = state.decks[number]
    if not deck.agenda:
        return refuse(Code.NOTHING_DUE, step=step_text(command.step))
    step, clauses = deck.agenda[0]
    if command.step != step:
        return refuse(Code.STEP_NOT_DUE, clauses, step=step_text(command.step), due=step_text(step))
    refusal = (
        _role_refusal(state, command, step, clauses)
        or _first_player_refusal(state, step, clauses)
        or _resting_deck_refusal(state, number, step)
        or _order_refusal(command, deck)
        or _cut_refusal(state, command)
        or _detail_refusal(state, command, number, clauses)
    )
    return refusal or _prepared_events(state, command, number, (step, clauses))


def deck_of_step(state: TableState, command: Prepare) -> int:
    """Return the deck of a step: the given one, or the first with open steps, the active deck first."""
    if command.deck is not None:
        return command.deck
    order = sorted(range(len(state.decks)), key=lambda number: number != state.active)
    return next((number for number in order if state.decks[number].agenda), state.active)


def _role_refusal(
    state: TableState, command: Prepare, step: StepName, clauses: tuple[str, ...]
) -> Refusal | None:
    """Refuse the wrong role: a floorperson verifies, any staff handles devices, the dealer does the rest."""
    rule = state.rules.duty(STEP_DUTIES[step]) if step in STEP_DUTIES else None
    if rule is not None:
        return duty_refusal(command, step_text(step), rule, "dealer")
    devices = state.game.rulebook.devices
    staff = step in devices.trouble or step in devices.swap
    if command.role == "dealer" or (staff and command.role != "player"):
        return None
    return refuse(Code.NOT_YOUR_DUTY, clauses, what=step_text(step), who="dealer", role=command.role)


def _first_player_refusal(state: TableState, step: StepName, clauses: tuple[str, ...]) -> Refusal | None:
    """Refuse to show the cards before the first player is seated (MA-4c.1, MD-04C.0)."""
    waits = step == "show_first_player" and not state.seats
    return refuse(Code.FIRST_PLAYER_MISSING, clauses) if waits else None


def _resting_deck_refusal(state: TableState, number: int, step: StepName) -> Refusal | None:
    """Allow only machine shuffling for the deck that is not in play (MA-2b3, MA-2b5)."""
    if state.round is None or number == state.active:
        return None
    rules = state.game.rulebook.shuffling
    if is_set(rules.shuffled_while_other_in_play) and step in (*SHUFFLE_STEPS, "square_stack"):
        return None
    return refuse(
        Code.ROUND_UNDER_WAY, clauses_of(rules.shuffled_while_other_in_play, rules.rack_holds_decks)
    )


def _order_refusal(command: Prepare, deck: Deck) -> Refusal | None:
    """Refuse a new order that does not end a shuffle, or is not a complete deck."""
    if command.order is None:
        return None
    if not ends_shuffle(deck.agenda) or not is_full_deck(command.order):
        return refuse(Code.ORDER_UNFIT, deck.agenda[0][1])
    return None


def _cut_refusal(state: TableState, command: Prepare) -> Refusal | None:
    """Refuse a cut outside the least and the most cards (MA-5c1ii, MD-05D.0, R37)."""
    rules = state.game.rulebook.cutting
    if rules is None or command.step != cut_depth_step(rules):
        return None
    most = min(rules.most.value, int(state.game.submission.settings.get("cut_most", rules.most.value)))
    if command.depth is not None and rules.least.value <= command.depth <= most:
        return None
    clauses = clauses_of(rules.least, rules.most)
    depth = "no" if command.depth is None else command.depth
    figures = {"depth": depth, "least": rules.least.value, "most": most}
    return refuse(Code.CUT_UNFIT, clauses, **figures)


def cut_depth_step(rules: Cutting) -> StepName:
    """Return the step that fixes the depth of the cut: the cover card where one is used (MD-05D.0)."""
    return "insert_cover_card" if "insert_cover_card" in rules.steps else "cut"


def _detail_refusal(
    state: TableState, command: Prepare, number: int, clauses: tuple[str, ...]
) -> Refusal | None:
    """Refuse a missing or wrong detail: strips, the shuffler's card count, the holding hand."""
    rules = state.game.rulebook.shuffling
    if command.step == "strip" and rules.strips is not None and command.count != rules.strips.value:
        figures = {
            "step": "strip",
            "wanted": f"{rules.strips.value} strips",
            "count": count_text(command.count),
        }
        return refuse(Code.NUMBER_UNFIT, clauses_of(rules.strips), **figures)
    counted = _machine_count_rule(state)
    if command.count is None and counted is not None and ends_shuffle(state.decks[number].agenda):
        figures = {
            "step": step_text(command.step),
            "wanted": "the number of cards that it counted",
            "count": "nothing",
        }
        return refuse(Code.NUMBER_UNFIT, clauses_of(counted), **figures)
    if command.step == "take_in_hand" and command.hand is None:
        figures = {"step": "take in hand", "wanted": "the left or the right hand", "count": "neither"}
        return refuse(Code.NUMBER_UNFIT, clauses, **figures)
    return None


def _prepared_events(state: TableState, command: Prepare, number: int, due: CitedStep) -> list[TableEvent]:
    step, clauses = due
    deck = state.decks[number]
    ends = ends_shuffle(deck.agenda)
    done = StepPrepared(
        number,
        step,
        clauses,
        order=command.order,
        depth=command.depth,
        count=command.count,
        hand=command.hand,
        mixed=shuffle_method(state) if ends else None,
    )
    removal = _removal_events(state, command, number) if ends else []
    return [done, *removal]


def _removal_events(state: TableState, command: Prepare, number: int) -> list[TableEvent]:
    """Remove a deck that a counting shuffler counts wrong (MA-7f.2, MD-05B.2)."""
    rule = _machine_count_rule(state)
    if rule is None or "remove-deck" not in rule.value or command.count == DECK_SIZE:
        return []
    return [DeckRemoved(number, clauses_of(rule))]


def _machine_count_rule(state: TableState) -> Cited[tuple[Consequence, ...]] | None:
    """Return the rule for wrong counts, if the shuffler in use counts the deck."""
    counts = state.machine is not None and state.machine.counts
    return state.game.rulebook.shuffling.wrong_machine_count if counts else None


def order_recut(state: TableState, command: OrderRecut) -> TableEventsOrRefusal:
    """Order another cut, after a cut and before the first card (MA-5d, MD-05E)."""
    rule = state.rules.duty("orders_recut")
    refusal = duty_refusal(command, "order a recut", rule, "supervisor")
    if refusal is not None:
        return refusal
    dealt = state.round is not None and state.round.betting_stage == "first-card"
    if state.phase != "open" or dealt or not _is_cut(state.decks[state.active]):
        return refuse(Code.RECUT_LATE, clauses_of(rule))
    return [RecutOrdered(state.active, command.by, clauses_of(rule))]


def _is_cut(deck: Deck) -> bool:
    """Say whether a deck was cut, so that only another cut or its loading may be due (MA-5d, MD-05E)."""
    return deck.cut and all(step in (*CUT_STEPS, *LOAD_STEPS) for step, _ in deck.agenda)


def order_shuffle(state: TableState, command: OrderShuffle) -> TableEventsOrRefusal:
    """Order another shuffle before the first card, where the rulebook allows it (MD-05A3)."""
    rule = state.rules.duty("orders_shuffle")
    if rule is None:
        return refuse(Code.NOT_DESCRIBED, rulebook=state.game.rulebook.id, kind="a shuffle on order")
    refusal = duty_refusal(command, "order a shuffle", rule, "floorperson")
    if refusal is not None:
        return refusal
    dealt = state.round is not None and state.round.betting_stage == "first-card"
    if state.phase != "open" or dealt:
        return refuse(Code.SHUFFLE_LATE, clauses_of(rule))
    return [ShuffleOrdered(state.active, command.by, clauses_of(rule))]
