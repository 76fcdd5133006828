"""Laws of tables and rounds: whatever is asked of them, in whatever order, these things hold.

Hypothesis makes sequences of commands, most of them proper, so that whole rounds are played, the others
nearly so, rare, or anything at all. What the sequences showed is counted, and too little is a failure.
"""

from collections import Counter
from collections.abc import Callable

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fourcard.cards import DECK, DECK_SIZE
from fourcard.hands import HAND_SIZE
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusals import Refusal
from fourcard.round.events import AwardPaid, CardsDealt, ProgressiveLocked, RoundEnded, RoundVoided
from fourcard.round.state import FINISHED_PHASES, RoundState
from fourcard.rules.game import Game
from fourcard.table.commands import TableCommand
from fourcard.table.decide import decide
from fourcard.table.events import TableEvent
from fourcard.table.evolve import replay
from fourcard.table.state import TableState, new_table
from tests.kit.support import EXAMPLES, WHOLE, game
from tests.laws.random_commands import command
from tests.laws.watched_table import Look, Watched
from tests.laws.wild_commands import COMMANDS

IN_HAND = {"dealing__method": "hand", "dealing__stack": None, "dealing__dealer_first": None}
FIRST = {"dealing__dealer_first": None}
FROM_METER = {
    "progressive__fixed_awards": "meter",
    "progressive__seed": "$2,000",
    "settings__progressive_on_fold": "live",
}
BY_HAND = {"dealing__method": "manual", "dealing__stack": None}
GAMES: dict[str, Game] = {
    **{path.stem: game(path.stem) for path in sorted(EXAMPLES.glob("*.toml"))},
    "hands set by players": game("catfish-bend", settings__player_sets_hand=True, **BY_HAND),
    "no machine": game(
        "maryland", dealing__method="shoe", shuffler=None, settlement={"confirm_above": "$20"}
    ),
    "from the hand": game("maryland-existing", **IN_HAND),
    "shares from the tray": game("maryland-everything", settings__part_share_from="tray"),
    "bonus card always": game(
        "maryland-existing", edition="proposed", settings__bonus_card="always", **FIRST
    ),
    "plain machine": game("maryland-everything", shuffler__reshuffles=False, shuffler__direct_load=False),
    "act by act": game("massachusetts", settlement__routine="by-procedure"),
    "player by player": game("massachusetts-everything", settlement__routine="by-player"),
    "by hand": game("washington", **BY_HAND),
    "all from the meter": game("washington-everything", **FROM_METER),
}
SEQUENCES = 300 if WHOLE else 100
OFTEN = settings(
    max_examples=SEQUENCES,
    derandomize=True,  # what must have been seen is then seen on every machine
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)
LONGEST = 300
NUMBERS = st.integers(2**48, 2**48 + 2**32 - 1)
"""Larger than any constant of the code, which Hypothesis would draw: sequences do not depend on it then."""
ORDERS = st.lists(NUMBERS, min_size=100, max_size=LONGEST)
PHASES = ("betting", "dealing", "stub", "deciding", "settling", "over")
FLOORS = {
    "RoundEnded": SEQUENCES,
    "RoundVoided": SEQUENCES // 20,
    "AwardPaid": SEQUENCES // 40,
    "MethodSwitched": SEQUENCES // 100,
    "FaceUpCardDiscarded": SEQUENCES // 40,
    "refused": 10 * SEQUENCES,
}
"""How often, at the least, something must have happened in all sequences together."""

RARELY_DONE = {"BringDeck", "BringDevice", "CallOff", "GoIdle", "SetHand", "SwapMachine", "TreatAsAbandoned"}


def hold(look: Look | None, at_end: Callable[[Watched], None] | None = None) -> Counter[str]:
    """Let sequences of commands come to tables of every game, and return what was seen."""
    seen: Counter[str] = Counter()

    @OFTEN
    @given(st.sampled_from(sorted(GAMES)), NUMBERS, ORDERS)
    def law(played: str, seed: int, orders: list[int]) -> None:
        watched = Watched(GAMES[played], seed, look, seen)
        for number in orders:
            watched.obey(number)
        watched.end_round()
        if at_end is not None:
            at_end(watched)

    law()
    seen["refused"] = sum(count for sight, count in seen.items() if sight.startswith("refused "))
    thin = {sight: seen[sight] for sight, least in FLOORS.items() if seen[sight] < least}
    assert not thin, f"seen too seldom: {thin}"
    return seen


def test_every_card_is_accounted_for_at_every_moment() -> None:
    hold(look_at_cards)


def look_at_cards(_before: TableState, event: TableEvent, after: TableState) -> None:
    """Find every card of each deck in it or on the table, and none twice."""
    out = [] if after.round is None else [*after.round.cards_out()]
    for number, deck in enumerate(after.decks):
        gone = out if number == after.active else []
        assert deck.left + len(gone) == DECK_SIZE
        assert deck.order is None or sorted([*deck.order, *gone]) == [*DECK]
    if isinstance(event, CardsDealt):
        deck = after.decks[after.active]
        assert not deck.removed
        assert not deck.agenda
    if isinstance(event, RoundEnded) and after.last_round is not None:
        _look_into_rack(after.last_round)
    assert len({*out}) == len(out)
    assert {*out} <= {*DECK}
    assert after.round is None or after.round.dealt_cards == {*out}


def _look_into_rack(over: RoundState) -> None:
    """Find every card that was out, but those discarded unseen or face up, in the rack once."""
    racked = sorted(card for _, cards in over.rack for card in cards)
    assert sorted([*racked, *over.extra, *over.burned, *over.discarded]) == sorted(over.cards_out())


def test_money_is_conserved_to_the_cent_at_every_moment() -> None:
    hold(look_at_money)


def look_at_money(before: TableState, event: TableEvent, after: TableState) -> None:
    """Find pockets, layout, tray and meter in balance, and the round closed with nothing left over."""
    for each in (after.round, after.last_round):
        if each is not None:
            assert each.tray_change + each.meter_change + sum(each.net_changes.values()) + each.layout == 0
            assert all(step.amount >= 0 for step in each.steps)
    if isinstance(event, RoundEnded):
        _look_at_end(after, event)
    if isinstance(event, RoundVoided) and before.round is not None:
        _look_at_void(before.round, event, after)


def _look_at_end(after: TableState, event: RoundEnded) -> None:
    over = after.last_round
    assert over is not None
    assert (over.layout, over.undocumented_positions, over.awaited_step) == (0, (), None)
    pockets = {position: over.net_changes.get(position, 0) for position in over.positions}
    assert pockets == over.nets == dict(event.nets)
    assert not any(net for position, net in over.net_changes.items() if position not in over.positions)


def _look_at_void(before: RoundState, event: RoundVoided, after: TableState) -> None:
    """Find everything back: what the event gives back and takes back makes each pocket what it was."""
    void = after.last_round
    assert void is not None
    assert (void.layout, void.tray_change, void.meter_change, [*void.net_changes.values()]) == (
        0,
        0,
        0,
        [0] * len(void.net_changes),
    )
    pockets = Counter(before.net_changes)
    for position, _, amount in event.returned:
        pockets[position] += amount
    for step in event.reversed:
        pockets[step.position] -= step.amount
    assert not any(pockets.values())
    assert dict(event.contributions) == dict(before.locked_stakes or ())


def test_a_round_goes_through_its_phases_in_order_and_never_leaves_them() -> None:
    hold(look_at_phases)


def look_at_phases(before: TableState, event: TableEvent, after: TableState) -> None:
    """Find the round in the phase where it was or in the next, or ended as its last event says."""
    was, now = before.round, after.round
    if was is None:
        assert now is None or (now.phase, now.steps_performed, now.move_index, now.turn_index) == (
            "betting",
            0,
            0,
            0,
        )
    elif now is None:
        assert after.last_round is not None
        assert after.last_round.phase in FINISHED_PHASES
        ended = isinstance(event, RoundEnded)
        assert (after.last_round.phase == "over") == (ended and was.phase == "settling")
        assert ended or isinstance(event, RoundVoided)
    else:
        assert PHASES.index(now.phase) - PHASES.index(was.phase) in (0, 1)
        _look_at_places(now)


def _look_at_places(state: RoundState) -> None:
    """Find every number that says how far the round has come within what there is."""
    steps = {"betting": state.rules.before_cards, "stub": state.rules.after_cards}
    assert 0 <= state.steps_performed <= len(steps.get(state.phase, ()))
    assert 0 <= state.move_index <= (0 if state.plan is None else len(state.plan.moves))
    assert (state.plan is None) == (state.phase == "betting")
    assert bool(state.dealer_turns) == (state.phase == "settling")
    assert 0 <= state.turn_index <= len(state.dealer_turns)
    assert state.settled_in_turn == 0 or state.settled_in_turn <= len(state.dealer_turn.pending_steps)
    assert state.awaited_step is None or state.phase == "settling"
    assert state.wrong_count is None or state.phase == "stub"
    for place in state.positions.values():
        assert len(place.chosen_cards) in (0, HAND_SIZE)
        assert {*place.chosen_cards} <= {*place.cards}
        assert place.play_amount is None or place.cards


def test_a_refused_command_changes_nothing_and_deciding_is_pure() -> None:
    seen: Counter[str] = Counter()

    @OFTEN
    @given(st.sampled_from(sorted(GAMES)), NUMBERS, ORDERS)
    def law(played: str, seed: int, orders: list[int]) -> None:
        watched = Watched(GAMES[played], seed, None, seen)
        for number in orders:
            before = watched.table.state
            told, meter = looks(before), watched.table.local_meter.meter
            wanted, _ = command(watched.table, number)
            outcome = decide(before, wanted)
            assert decide(before, wanted) == outcome
            assert (looks(before), watched.table.local_meter.meter) == (told, meter)
            watched.obey(number)
            assert looks(before) == told
            if isinstance(outcome, Refusal):
                assert watched.table.state is before
                seen[f"refused {type(wanted).__name__}"] += 1
            else:
                assert outcome
                seen[f"done {type(wanted).__name__}"] += 1

    law()
    names = {kind.__name__ for kind in COMMANDS}
    kinds = {f"refused {name}" for name in names} | {f"done {name}" for name in names - RARELY_DONE}
    assert kinds <= seen.keys(), f"never seen: {kinds - seen.keys()}"


def looks(state: TableState) -> object:
    """Return a state as it looks now, copied where something in it could be changed."""
    current_round = state.round
    if current_round is None:
        return state, dict(state.seats), state.decks
    places = {
        p: (each, dict(each.wagers), dict(each.on_layout)) for p, each in current_round.positions.items()
    }
    return state, dict(state.seats), state.decks, current_round, places, dict(current_round.net_changes)


def test_events_alone_rebuild_the_state_also_from_json() -> None:
    events = msgspec.json.Decoder(list[TableEvent])
    commands = msgspec.json.Decoder(TableCommand)

    def rebuilt(watched: Watched) -> None:
        table = watched.table
        assert replay(new_table(table.game), table.events) == table.state
        read = events.decode(msgspec.json.encode(table.events))
        assert read == table.events
        assert replay(new_table(table.game), read) == table.state
        for number in range(0, 200, 7):
            wanted, _ = command(table, number)
            assert commands.decode(msgspec.json.encode(wanted)) == wanted

    hold(None, rebuilt)


def test_the_meter_grows_with_the_stakes_falls_with_the_awards_and_a_void_undoes_both() -> None:
    hold(None, follow_meter)


def follow_meter(watched: Watched) -> None:
    """Count the units from event to event, and find as many in the table's meter and its reserve."""
    choice, meters = watched.table.game.submission.progressive, watched.table.local_meter
    if choice is None:
        return
    assert choice.rate is not None
    assert choice.seed is not None
    held = before = choice.seed * UNITS_PER_CENT
    for event in watched.table.events:
        if isinstance(event, ProgressiveLocked):
            before = held
            units = [stake * UNITS_PER_CENT for _, stake in event.stakes]
            held += sum(int(each * choice.rate) + int(each * choice.reserve) for each in units)
        elif isinstance(event, AwardPaid):
            paid = event.payment
            held -= (paid.from_meter + paid.meter_to_tray) * UNITS_PER_CENT
            held += (choice.reset or 0) * UNITS_PER_CENT if paid.whole_meter else 0
            assert event.after >= 0
            assert paid.amount == sum(step.amount for step in event.steps)
        elif isinstance(event, RoundVoided):
            held = before
        elif isinstance(event, RoundEnded):
            before = held
    assert meters.meter.amount + meters.meter.reserve == held
    assert meters.absorbed == 0
