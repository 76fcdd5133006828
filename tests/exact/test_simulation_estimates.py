"""Simulated edges agree with the exact ones within four standard errors, and the errors are right."""

from math import sqrt

import numpy as np
import pytest

from fourcard.odds.compile_game import WagerColumn
from fourcard.odds.report import OddsQuery, odds_of
from fourcard.odds.simulation.dealing import generator_state, new_shoe
from fourcard.odds.simulation.kernel import batch_buffers, play_rounds
from fourcard.odds.simulation.runner import ROUNDS_PURPOSE, BaseEstimate, estimates, simulate
from fourcard.odds.simulation.table_setup import TableSetup
from fourcard.odds.strategies import decisions
from fourcard.rules.game import Game
from fourcard.rules.line_options import LineOptions, game_of
from fourcard.rules.loading import rulebook
from fourcard.wagers import WagerName
from tests.exact.simulated_rounds import constant_strategy

STAKES: dict[WagerName, int] = {"ante": 1_000, "aces_up": 700, "six_card": 300, "progressive": 100}
MANY = 1_000_000
ERRORS = 4.0


def maryland() -> Game:
    """Return a game of Maryland with every wager."""
    return game_of("maryland", None, LineOptions(aces_up="A", six_card="A", progressive="A"), {})


def assert_near(found: float, exact: float, error: float | None) -> None:
    """Check an estimate against the exact figure."""
    assert error is not None
    assert 0 < error < 0.05
    assert abs(found - exact) < ERRORS * error, (found, exact, error)


@pytest.mark.parametrize("strategy", ["optimal", "basic"])
def test_the_base_game_costs_what_was_counted(strategy: str) -> None:
    seating = TableSetup(maryland(), {"ante": 1_000}, 3)
    found = simulate(seating, decisions(strategy, seating.game), MANY, seed=11)
    book = rulebook("maryland")
    exact = odds_of(OddsQuery("ante", rulebook=book, strategy=strategy))
    base = estimates(seating, found.totals)["ante"]
    assert isinstance(base, BaseEstimate)
    assert_near(base.edge, float(exact.house_edge), base.standard_error)
    assert exact.element_of_risk
    assert exact.average_wager
    assert_near(base.element_of_risk, float(exact.element_of_risk), base.element_of_risk_error)
    assert base.average_wager == pytest.approx(float(exact.average_wager), abs=0.01)


def test_side_wagers_cost_what_was_counted() -> None:
    book = rulebook("maryland")
    seating = TableSetup(maryland(), STAKES, 4)
    found = estimates(seating, simulate(seating, constant_strategy(1), MANY, seed=12).totals)
    for name, question in {
        "aces_up": OddsQuery("aces_up", rulebook=book, table="A"),
        "envy": OddsQuery("envy", rulebook=book, table="A", others=3),
    }.items():
        assert_near(found[name].edge, float(odds_of(question).house_edge), found[name].standard_error)
    progressive = OddsQuery("progressive", rulebook=book, table="A", meter=seating.meter_shown, others=3)
    both = found["progressive_and_envy"]
    assert_near(both.edge, float(odds_of(progressive).house_edge), both.standard_error)
    six = OddsQuery("six_card", rulebook=book, table="A", stake=STAKES["six_card"])
    assert_near(found["six_card"].edge, float(odds_of(six).house_edge), found["six_card"].standard_error)


def test_a_bad_beat_costs_what_was_counted() -> None:
    options = LineOptions(aces_up="FCP-01", automatic_bonus="FCP-01", bad_beat="BBB-01")
    seating = TableSetup(game_of("washington", None, options, {}), {"ante": 500, "bad_beat": 100})
    found = estimates(seating, simulate(seating, constant_strategy(1), MANY, seed=13).totals)["bad_beat"]
    exact = odds_of(OddsQuery("bad_beat", rulebook=rulebook("washington"), table="BBB-01"))
    assert_near(found.edge, float(exact.house_edge), found.standard_error)


def test_errors_come_from_whole_rounds() -> None:
    seating, rounds = TableSetup(maryland(), STAKES, 5), 1_024
    table = seating.kernel_inputs(constant_strategy(2))
    room = batch_buffers(5, rounds)
    play_rounds(table, new_shoe(generator_state(21, ROUNDS_PURPOSE, 0)), room, rounds)
    nets = room.results.nets.reshape(rounds, 5, len(WagerColumn)).sum(axis=1)
    found = estimates(seating, simulate(seating, constant_strategy(2), rounds, seed=21).totals)
    columns = {
        "ante": nets[:, :3].sum(axis=1),
        "aces_up": nets[:, WagerColumn.ACES_UP],
        "six_card": nets[:, WagerColumn.SIX_CARD],
        "progressive": nets[:, WagerColumn.PROGRESSIVE],
        "envy": nets[:, WagerColumn.ENVY],
        "progressive_and_envy": nets[:, WagerColumn.PROGRESSIVE] + nets[:, WagerColumn.ENVY],
        "all": nets.sum(axis=1),
    }
    assert found.keys() == columns.keys()
    for name, totals in columns.items():
        stake = found[name].staked / rounds
        assert found[name].net == int(totals.sum())
        assert found[name].edge == pytest.approx(-totals.mean() / stake)
        assert found[name].standard_error == pytest.approx(np.std(totals, ddof=1) / sqrt(rounds) / stake)
