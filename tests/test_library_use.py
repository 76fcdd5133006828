"""The library in a program's hands: what it returns can be pickled, and bad input gets a sentence."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from operator import attrgetter

import pytest

import fourcard
from fourcard.dealing import deal_plan
from fourcard.house.store.interface import StoreError
from fourcard.odds.report import queries_for_all_paytables
from fourcard.odds.strategies import base_terms_of
from fourcard.refusals import BadInputError, PositionRefusedError, refuse
from fourcard.round.view import Viewer
from fourcard.rules.worst_case_loss import worst_loss
from fourcard.table.view import table_view
from tests.exact.simulated_rounds import constant_strategy
from tests.kit.support import game, submission

EVERYTHING = "maryland-everything"
SIDE_BETS = ("aces_up", "six_card", "progressive", "envy")
SEED, ROUNDS = 5, 2_000


def simulated(played: fourcard.Game) -> fourcard.Simulation:
    """Simulate some rounds of a game, as a worker process does."""
    return fourcard.simulate(
        fourcard.TableSetup(played, {"ante": 1_000}, 2), constant_strategy(1), ROUNDS, seed=SEED
    )


def asked(wager: str) -> fourcard.OddsReport:
    """Ask for the odds of a wager, as a worker process does."""
    return fourcard.odds_of(fourcard.OddsQuery(wager))


def played() -> fourcard.Table:
    """Return a table at which a round was played."""
    table = fourcard.Table(game(EVERYTHING), fourcard.seeded_shuffle(SEED))
    table.seat(1, "Ann")
    table.play_round({1: {"ante": 1_000, "aces_up": 500}}, lambda _: 1)
    return table


WHOLE: dict[str, Callable[[], object]] = {
    "Game": lambda: game(EVERYTHING),
    "Submission": lambda: submission(EVERYTHING),
    "Rulebook": lambda: fourcard.rulebook("washington"),
    "every example": lambda: [game(name) for name in fourcard.examples()],
    "Question": lambda: fourcard.OddsQuery("aces_up", fourcard.rulebook("maryland")),
    "Report of every side bet": lambda: [
        asked(each) for each in ("aces_up", "six_card", "progressive", "envy")
    ],
    "Report of the base game": lambda: asked("ante"),
    "Simulation": lambda: simulated(game(EVERYTHING)),
    "Seating": lambda: fourcard.TableSetup(game(EVERYTHING), {"ante": 1_000}),
    "Contest": lambda: base_terms_of(game(EVERYTHING)),
    "strategies": lambda: [fourcard.find_strategy(each) for each in ("optimal", "basic", "expert", "blind")],
    "TableState": lambda: played().state,
    "RoundState": lambda: played().round,
    "TableEvent": lambda: played().events,
    "TableView": lambda: table_view(played().state, Viewer("floor")),
    "Plan": lambda: deal_plan(game(EVERYTHING), [1, 2]),
    "findings": lambda: fourcard.check_submission(submission(EVERYTHING)),
    "worst loss": lambda: worst_loss(game(EVERYTHING)),
    "sign": lambda: fourcard.posted_sign(game(EVERYTHING)),
}


@pytest.mark.parametrize("what", WHOLE)
def test_what_the_library_returns_can_be_pickled_and_copied(what: str) -> None:
    made = WHOLE[what]()
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_game_is_as_closed_and_has_the_same_hash(protocol: int) -> None:
    made = game(EVERYTHING)
    again = pickle.loads(pickle.dumps(made, protocol))
    assert (again == made, again.hash) == (True, made.hash)
    with pytest.raises(TypeError):
        again.tables["aces_up"] = None
    with pytest.raises(AttributeError):
        again.settings = {}


def test_a_pickled_table_goes_on_with_the_same_cards() -> None:
    one = played()
    other = pickle.loads(pickle.dumps(one))
    rounds = [each.play_round({1: {"ante": 1_000}}, lambda _: 1) for each in (one, other)]
    assert rounds[0] == rounds[1]


def test_games_reports_simulations_and_errors_cross_to_new_processes_and_back() -> None:
    made = game(EVERYTHING)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(simulated, made).result()
        here = simulated(made)
        assert (found.setup, found.totals, found.seed) == (here.setup, here.totals, here.seed)
        assert found.setup.game.hash == made.hash
        assert pool.submit(asked, "aces_up").result() == asked("aces_up")
        refused = pool.submit(fourcard.resolve_game, submission(EVERYTHING, chip="$0.03"))
        with pytest.raises(fourcard.InvalidSubmissionError) as caught:
            refused.result()
        assert caught.value.reasons
        with pytest.raises(BadInputError, match="The odds of cover_all are estimated"):
            pool.submit(asked, "cover_all").result()


def test_every_error_of_the_library_can_be_pickled() -> None:
    refusal = refuse(fourcard.Code.TABLE_NOT_OPEN, ("P1",), phase="closed")
    errors = [
        fourcard.RefusedError(refusal),
        PositionRefusedError(refusal, 3),
        fourcard.InvalidSubmissionError((refusal, refusal)),
        StoreError("The house is closed."),
        fourcard.CardsError("No such card."),
    ]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))


@pytest.mark.parametrize("wager", ["cover_all", "play", "automatic_bonus", "red", "", 5, None, ["ante"]])
def test_a_wager_without_exact_odds_is_refused_in_a_sentence(wager: object) -> None:
    question = fourcard.OddsQuery(wager)  # type: ignore[arg-type]
    for ask in (fourcard.odds_of, queries_for_all_paytables, attrgetter("paytable")):
        with pytest.raises(BadInputError) as caught:
            ask(question)
        expected = "estimated, not counted. Use fourcard.cover_all" if wager == "cover_all" else repr(wager)
        assert expected in str(caught.value)
        assert str(caught.value).endswith(".")
