"""The parts of the simulation: chance, dealing, deciding, threads, sessions, and the rounds written out."""

import json
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from fourcard import answer_line
from fourcard.documents.charts import CHART_SUFFIXES
from fourcard.documents.files import check_suffix
from fourcard.money import Odds
from fourcard.odds.compile_game import WagerColumn
from fourcard.odds.simulation.bankrolls import (
    BankrollPlan,
    BankrollSessions,
    bankroll_chart_lines,
    save_bankroll_chart,
    simulate_sessions,
)
from fourcard.odds.simulation.dealing import (
    Deals,
    deal,
    deal_buffers,
    generator_state,
    new_shoe,
    next_word,
    seed_or_random,
    splitmix64,
)
from fourcard.odds.simulation.runner import BLOCK, PrecisionGoal, estimates, export_rounds, simulate
from fourcard.odds.simulation.strategy_kernel import decide, strategy_tables
from fourcard.odds.simulation.table_setup import TableSetup
from fourcard.odds.state_counts import canonical_suits
from fourcard.odds.suit_isomorphism import suit_classes
from fourcard.refusals import BadInputError, RefusedError
from fourcard.rules.game import Game
from fourcard.rules.line_options import LineOptions, game_of
from fourcard.settle_files.settle import SettleAnswer
from fourcard.wagers import WAGERS, WagerName
from tests.exact.simulated_rounds import constant_strategy

EVERYTHING: dict[WagerName, int] = {"ante": 1_005, "aces_up": 333, "six_card": 100, "progressive": 500}
SPREAD = 5.0
"""Chi-squares lie within so many standard deviations of their mean."""


def maryland(**options: str) -> Game:
    """Return a game of Maryland with every wager."""
    chosen = {"aces_up": "A", "six_card": "A", "progressive": "C"} | options
    return game_of("maryland", None, LineOptions(**chosen), {})


def mixed_plays() -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return decisions that follow no rule."""
    found = np.random.default_rng(3).integers(0, 4, constant_strategy(0).shape, np.uint8)
    found[: len(found) // 2] = 1
    return found


def dealt(rounds: int, seats: int, seed: int = 7) -> Deals:
    """Return so many rounds."""
    room = deal_buffers(rounds, seats)
    deal(new_shoe(generator_state(seed, 0, 0)), room, rounds, seats)
    return room


def test_generators_give_the_words_that_others_publish() -> None:
    assert splitmix64(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF
    state = tuple(map(np.uint64, (1, 2, 3, 4)))
    words = []
    for _ in range(4):
        word, *after = next_word(*state)
        words.append(int(word))
        state = tuple(map(np.uint64, after))
    assert words == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_every_block_and_purpose_has_its_own_generator() -> None:
    states = {tuple(generator_state(*key).tolist()) for key in np.ndindex(3, 3, 50)}
    assert len(states) == 450


def test_a_seed_is_a_whole_number_of_64_bits() -> None:
    assert seed_or_random(2**64 - 1) == 2**64 - 1
    assert 0 <= seed_or_random(None) < 2**32
    for seed in (-1, 2**64):
        with pytest.raises(BadInputError, match="The seed must be a whole number"):
            seed_or_random(seed)


@pytest.mark.parametrize("seats", range(1, 8))
def test_no_card_is_dealt_twice_in_a_round(seats: int) -> None:
    room = dealt(300, seats)
    cards = np.column_stack([room.players.reshape(300, -1), room.dealer, room.bonus])
    assert cards.shape[1] == 5 * seats + 7
    assert all(len(set(each)) == len(each) for each in cards.tolist())


def chi_square(counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]], expected: float) -> float:
    """Return how many standard deviations a chi-square lies from its mean."""
    freedom = counts.size - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / np.sqrt(2 * freedom))


def test_every_place_of_a_deal_gets_every_card_alike() -> None:
    rounds = 200_000
    room = dealt(rounds, 2)
    cards = np.column_stack([room.players.reshape(rounds, -1), room.dealer, room.bonus])
    places = [np.bincount(column, minlength=52) for column in cards.T]
    assert all(abs(chi_square(counts, rounds / 52)) < SPREAD for counts in places)
    for first, second in combinations((0, 4, 5, 10, 16), 2):
        pairs = np.bincount(cards[:, first].astype(np.int64) * 52 + cards[:, second], minlength=52 * 52)
        apart = pairs.reshape(52, 52)[~np.eye(52, dtype=bool)]
        assert abs(chi_square(apart, rounds / (52 * 51))) < SPREAD


def test_decisions_are_looked_up_as_the_readable_class_says() -> None:
    rounds, seats = 400, 3
    decisions, room = mixed_plays(), dealt(rounds, seats)
    classes = suit_classes(5)
    strengths = np.zeros(rounds * seats, np.uint16)
    plays, asked = np.zeros(rounds * seats, np.uint8), np.zeros((2, rounds * seats + 1), np.uint32)
    strategy = strategy_tables(decisions)._replace(by_strength=np.full(2_535, 255, np.uint8))
    decide(strategy, strengths, room, plays, asked, rounds, seats)
    for row, hand in enumerate(room.players.tolist()):
        stands_for, becomes = canonical_suits(hand)
        up = int(room.dealer[row // seats, 0])
        renamed = up & ~3 | becomes[up & 3]
        known = classes.of_set[sum(comb(card, place + 1) for place, card in enumerate(stands_for))]
        assert plays[row] == decisions[known, renamed - sum(card < renamed for card in stands_for)]


def test_a_strategy_must_be_one() -> None:
    with pytest.raises(BadInputError, match="at most 3 times"):
        strategy_tables(constant_strategy(4))
    with pytest.raises(BadInputError, match="by suit class and up card"):
        strategy_tables(constant_strategy(1)[:, :46])


@pytest.mark.parametrize("seats", [1, 3])
def test_the_same_seed_gives_the_same_answer_whatever_the_threads(seats: int) -> None:
    seating, rounds = TableSetup(maryland(), EVERYTHING, seats), 3 * BLOCK + 777
    found = [simulate(seating, mixed_plays(), rounds, seed=9, threads=threads) for threads in (1, 2, 3)]
    assert found[0].totals == found[1].totals == found[2].totals
    assert found[0].totals.rounds == rounds
    assert found[0].totals != simulate(seating, mixed_plays(), rounds, seed=10).totals


def test_a_goal_stops_at_the_same_round_whatever_the_threads() -> None:
    seating, goal = TableSetup(maryland(), {"ante": 100}), PrecisionGoal("ante", 0.005)
    found = [simulate(seating, constant_strategy(1), 10**9, seed=1, threads=n, goal=goal) for n in (1, 3)]
    assert found[0].totals == found[1].totals
    assert found[0].totals.rounds < 10**6


def test_an_interrupted_simulation_keeps_what_it_has() -> None:
    seating = TableSetup(maryland(), {"ante": 100})

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    found = simulate(seating, constant_strategy(1), 10**9, seed=1, progress=stop)
    assert found.interrupted
    assert found.totals == simulate(seating, constant_strategy(1), BLOCK, seed=1).totals


@pytest.mark.parametrize(
    ("stakes", "players", "sentence"),
    [
        ({"aces_up": 100}, 0, "There is no position 0"),
        ({"aces_up": 100}, 8, "There is no position 8"),
        ({"ante": 0}, 1, "Ante"),
        ({"ante": 10**9}, 1, "No wager can be more than"),
        ({"ante": 100, "bad_beat": 100}, 1, "not offered"),
        ({"ante": 100, "progressive": 300}, 1, "A progressive wager of \\$3 is not accepted here"),
        ({"ante": 100, "six_card": 100}, 1, "needs"),
        ({}, 1, "wager"),
    ],
)
def test_a_table_takes_what_its_rulebook_takes(stakes: dict[str, int], players: int, sentence: str) -> None:
    with pytest.raises(RefusedError, match=sentence):
        TableSetup(maryland(), stakes, players)


def test_cover_all_is_refused_where_no_column_is_printed() -> None:
    game = game_of("massachusetts", None, LineOptions(aces_up="I", cover_all="matrix"), {})
    seating = TableSetup(game, {"ante": 100, "cover_all": 100}, 7)
    with pytest.raises(RefusedError, match="7"):
        seating.compile()


def test_written_rounds_settle_to_what_was_simulated() -> None:
    seating, rounds = TableSetup(maryland(), EVERYTHING, 2), 1_500
    totals = [0] * len(WAGERS)
    for line in export_rounds(seating, mixed_plays(), rounds, 17):
        answer = answer_line(line)
        assert isinstance(answer, SettleAnswer), answer
        for seat in answer.seats:
            totals = [total + seat.net[name] for total, name in zip(totals, WAGERS, strict=True)]
    found = simulate(seating, mixed_plays(), rounds, seed=17).totals
    assert totals == list(found.nets)
    assert found.nets[WagerColumn.ANTE] != 0


def test_written_rounds_carry_a_submissions_choices() -> None:
    own = {"four_of_a_kind": "51 to 2", "straight_flush": "20 to 1", "three_of_a_kind": "3 to 2"}
    odds = {row: Odds(text) for row, text in own.items()}
    options = LineOptions(automatic_bonus=odds, aces_up="FCP-02", routine="lay-and-pay", chip=5)
    game = game_of("shuffle-master", None, options, {"rounding": "up"})
    seating = TableSetup(game, {"ante": 1_005, "aces_up": 335})
    line = json.loads(next(export_rounds(seating, constant_strategy(3), 1, 1)))
    assert line["options"]["automatic_bonus"] == own
    assert line["options"]["routine"] == "lay-and-pay"
    assert line["settings"] == {"rounding": "up"}
    assert isinstance(answer_line(json.dumps(line)), SettleAnswer)


def followed(threads: int | None = None, **plan: int) -> BankrollSessions:
    """Return sessions of the base game with a bankroll of $600."""
    asked = {"bankroll": 60_000, "length": 100, "sessions": 500} | plan
    seating = TableSetup(maryland(), {"ante": 1_000}, 2)
    return simulate_sessions(seating, constant_strategy(1), BankrollPlan(**asked), seed=4, threads=threads)


def test_sessions_are_the_same_whatever_the_threads() -> None:
    one, two = followed(1), followed(3)
    assert (one.paths == two.paths).all()
    assert (one.ruined_after == two.ruined_after).all()
    assert one.report() == two.report()


def test_ruin_is_not_to_cover_a_whole_round() -> None:
    found = followed()
    ruined = found.ruined_after > 0
    assert found.needed == 2_000
    assert 0.1 < found.risk_of_ruin < 0.9
    assert (found.paths[ruined, -1] < found.needed).all()
    assert (found.paths[~ruined, :-1] >= found.needed).all()
    assert (found.paths[~ruined, -1] < found.needed).any()
    assert (found.paths[:, 0] == 60_000).all()


def test_a_long_session_is_played_in_pieces() -> None:
    found = followed(length=9_001, sessions=3, bankroll=10**9)
    assert found.marks[-1] == 9_001
    assert found.risk_of_ruin == 0
    assert (found.paths[:, 1:] != found.paths[:, :-1]).mean() > 0.9


def test_one_round_ends_where_one_round_may() -> None:
    found = followed(length=1, sessions=4_000)
    ends = found.paths[:, -1] - 60_000
    assert {-2_000, 2_000} <= set(ends.tolist())
    seating = TableSetup(maryland(), {"ante": 1_000})
    edge = estimates(seating, simulate(seating, constant_strategy(1), 500_000, seed=1).totals)["ante"].edge
    assert abs(ends.mean() + 1_000 * edge) < 4 * ends.std() / np.sqrt(4_000)


def test_a_bankroll_must_cover_one_round() -> None:
    with pytest.raises(BadInputError, match="does not cover one round, which can cost \\$20"):
        followed(bankroll=1_999)
    with pytest.raises(BadInputError, match="The length of a session must be from 1"):
        followed(length=0)


@pytest.mark.parametrize("name", ["fan.svg", "fan.png", "fan.html"])
def test_the_fan_is_drawn(name: str, tmp_path: Path) -> None:
    save_bankroll_chart(followed(), "Maryland", tmp_path / name)
    content = (tmp_path / name).read_bytes()
    beginning = {"fan.svg": b"<svg", "fan.png": b"\x89PNG", "fan.html": b"<!DOCTYPE html>"}[name]
    assert content.lstrip().startswith(beginning)
    assert name != "fan.html" or b"<script src=" not in content


def test_a_fan_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"must end in \.svg, \.png or \.html"):
        check_suffix(tmp_path / "fan.gif", CHART_SUFFIXES)
    with pytest.raises(BadInputError, match="cannot be written"):
        save_bankroll_chart(followed(), "Maryland", tmp_path / "nowhere" / "fan.svg")


def test_the_fan_as_text_has_every_moment_on_a_line() -> None:
    lines = [*bankroll_chart_lines(followed())]
    assert len(lines) == 13
    assert "█" in lines[1]
    assert all("▒" in line for line in lines[2:])
    assert lines[-1].split()[0] == "100"
