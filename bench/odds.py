"""Odds benchmarks: evaluator, solver, advice and simulation, each compared with its limit or with peers.

The other evaluators rank five-card poker, one hand per call from Python; none of them ranks four cards. Hands
are prepared for each of them beforehand, so that only ranking is timed.
"""

import importlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bench.measurement import seconds, table_of
from fourcard.cards import DECK, card_text, parse_card, parse_cards
from fourcard.odds.decision_values import advice
from fourcard.odds.disk_cache import CACHE_VARIABLE
from fourcard.odds.evaluator import best_five_of_six, best_of_five, best_of_six
from fourcard.odds.paytable_lookup import resolve_base_terms

HANDS = 4_000_000
PEER_HANDS = 20_000
FIVE_LIMIT = 100e6
SIX_LIMIT = 50e6


def _random_hands(size: int) -> NDArray[np.uint8]:
    """Return random hands of ``size`` cards, unsorted."""
    chance = np.random.default_rng(4)
    some = np.argsort(chance.random((200_000, 52)), axis=1)[:, :size].astype(np.uint8)
    return np.ascontiguousarray(np.tile(some, (HANDS // len(some), 1))[chance.permutation(HANDS)])


def _peer_hands() -> list[list[str]]:
    chance = random.Random(4)
    return [[card_text(card) for card in chance.sample(DECK, 5)] for _ in range(PEER_HANDS)]


def _rank_each(work: Callable[[Any], object], hands: list[Any]) -> None:
    for hand in hands:
        work(hand)


def _eval7(hands: list[list[str]]) -> Callable[[], object]:
    eval7 = importlib.import_module("eval7")
    return partial(_rank_each, eval7.evaluate, [[eval7.Card(card) for card in hand] for hand in hands])


def _phevaluator(hands: list[list[str]]) -> Callable[[], object]:
    library = importlib.import_module("phevaluator")
    ready = [[library.Card(card).id_ for card in hand] for hand in hands]
    return partial(_rank_each, lambda hand: library.evaluate_cards(*hand), ready)


def _treys(hands: list[list[str]]) -> Callable[[], object]:
    treys = importlib.import_module("treys")
    judge = treys.Evaluator()
    return partial(_rank_each, judge._five, [[treys.Card.new(card) for card in hand] for hand in hands])


def _pokerkit(hands: list[list[str]]) -> Callable[[], object]:
    pokerkit = importlib.import_module("pokerkit")
    return partial(
        _rank_each, pokerkit.StandardHighHand, ["".join(hand) for hand in hands[: PEER_HANDS // 20]]
    )


PEERS: dict[str, tuple[Callable[[list[list[str]]], Callable[[], object]], int]] = {
    "eval7": (_eval7, PEER_HANDS),
    "phevaluator": (_phevaluator, PEER_HANDS),
    "treys": (_treys, PEER_HANDS),
    "pokerkit": (_pokerkit, PEER_HANDS // 20),
}


def _rates() -> Iterator[tuple[str, float, float | None]]:
    five, six = _random_hands(5), _random_hands(6)
    for name, work, hands, limit in (
        ("fourcard, best four of five", best_of_five, five, FIVE_LIMIT),
        ("fourcard, best four of six", best_of_six, six, SIX_LIMIT),
        ("fourcard, best five of six", best_five_of_six, six, SIX_LIMIT),
    ):
        work(hands[:1])
        yield name, HANDS / seconds(partial(work, hands), 5), limit
    ready = _peer_hands()
    for name, (prepare, count) in PEERS.items():
        try:
            work_of_peer = prepare(ready)
        except ImportError:
            continue
        yield f"{name}, five-card poker", count / seconds(work_of_peer, 5), None


def evaluators() -> Table:
    """Compare hands per second with the limits and with other evaluators."""
    table = table_of("evaluators, one core", "what", "hands/s", "of the limit", "times eval7")
    rates = list(_rates())
    eval7 = next((rate for name, rate, _ in rates if name.startswith("eval7")), None)
    for name, rate, limit in rates:
        share = f"{rate / limit:.0%}" if limit else ""
        table.add_row(name, f"{rate:,.0f}", share, f"{rate / eval7:.2f}" if eval7 else "")
    return table


FOURCARD = Path(sys.executable).parent / "fourcard"
STATE = ("As Ah Kd 7c 2h", "Ac")
SOLVE_LIMITS = {1: 5.0, 2: 3.0}
MEMORY_LIMIT = 0.5e9
ADVICE_LIMIT = 0.001
COMMAND_LIMIT = 1.5
SIMULATION_LIMIT = 10e6
SIMULATED_ROUNDS = 40_000_000
SOLVE_SCRIPT = """
import json, re, sys, time
from pathlib import Path
begin = time.perf_counter()
from fourcard.odds.progress import no_progress
from fourcard.odds.solver import solve
loaded = time.perf_counter()
solve(int(sys.argv[1]), no_progress)
done = time.perf_counter()
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
print(json.dumps([loaded - begin, done - loaded, peak]))
"""


def solver() -> Table:
    """Compare solving all states, in a new process with cached kernels, with time and memory limits."""
    table = table_of(
        "all 122,151,120 states solved",
        "threads",
        "seconds",
        "of the limit",
        "and imports",
        "GB",
        "of the limit",
    )
    for threads, limit in SOLVE_LIMITS.items():
        best = min(_measure_solve(threads) for _ in range(4))
        taken, imports, peak = best
        table.add_row(
            str(threads),
            f"{taken:.2f}",
            f"{taken / limit:.0%}",
            f"{imports:.2f}",
            f"{peak / 1e9:.3f}",
            f"{peak / MEMORY_LIMIT:.0%}",
        )
    return table


def _measure_solve(threads: int) -> tuple[float, float, float]:
    done = subprocess.run([sys.executable, "-c", SOLVE_SCRIPT, str(threads)], capture_output=True, check=True)
    imports, taken, peak = json.loads(done.stdout)
    return taken, imports, peak


def advising() -> Table:
    """Compare advice in process and from the command line, with the table and without."""
    table = table_of("advice on one state", "how", "seconds", "of the limit")
    hand, up, terms = parse_cards(STATE[0]), parse_card(STATE[1]), resolve_base_terms(None, None)
    command = [FOURCARD, "advise", STATE[0], "--up", STATE[1], "--json"]
    subprocess.run([FOURCARD, "odds", "ante", "--json"], stdout=DEVNULL, check=True)
    in_process = seconds(lambda: [advice(hand, up, terms) for _ in range(100)]) / 100
    table.add_row("in process, table mapped", f"{in_process:.6f}", f"{in_process / ADVICE_LIMIT:.0%}")
    with_table = seconds(partial(subprocess.run, command, stdout=DEVNULL, check=True))
    table.add_row("command, table cached", f"{with_table:.3f}", f"{with_table / COMMAND_LIMIT:.0%}")
    with TemporaryDirectory() as folder:
        run = partial(
            subprocess.run, command, stdout=DEVNULL, check=True, env={**os.environ, CACHE_VARIABLE: folder}
        )
        run()
        without = seconds(run)
    table.add_row("command, kernels cached, no table", f"{without:.3f}", f"{without / COMMAND_LIMIT:.0%}")
    return table


def simulation() -> Table:
    """Compare simulated rounds per second with the limit for one player on one core."""
    table = table_of("simulated rounds a second, optimal strategy", "what", "rounds/s", "of the limit")
    for what, arguments in (
        ("one player, one thread", ("--players", "1", "--threads", "1", "--rounds", str(SIMULATED_ROUNDS))),
        (
            "one player, two threads",
            ("--players", "1", "--threads", "2", "--rounds", str(2 * SIMULATED_ROUNDS)),
        ),
        (
            "seven players, one thread",
            ("--players", "7", "--threads", "1", "--rounds", str(SIMULATED_ROUNDS // 8)),
        ),
    ):
        done = subprocess.run(
            [
                FOURCARD,
                "simulate",
                "--rulebook",
                "maryland",
                "--wager",
                "none",
                "--seed",
                "4",
                *arguments,
                "--json",
            ],
            capture_output=True,
            check=True,
        )
        found = json.loads(done.stdout)
        rate = found["rounds"] / found["seconds"]
        table.add_row(what, f"{rate:,.0f}", f"{rate / SIMULATION_LIMIT:.0%}")
    return table
