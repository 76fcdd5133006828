"""Odds benchmarks: solver, advice and simulation, each compared with its limit."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

from rich.table import Table

from bench.measuring import seconds, table_of
from fourcard.cards import parse_card, parse_cards
from fourcard.odds.advice import advice
from fourcard.odds.asked import contest_asked
from fourcard.odds.cache import VARIABLE

FOURCARD = Path(sys.executable).parent / "fourcard"
STATE = ("As Ah Kd 7c 2h", "Ac")
SOLVE_LIMITS = {1: 5.0, 2: 3.0}
MEMORY_LIMIT = 0.5e9
ADVICE_LIMIT = 0.001
COMMAND_LIMIT = 1.5
SIMULATION_LIMIT = 10e6
ROUNDS = 40_000_000
SOLVE = """
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
        best = min(_solved(threads) for _ in range(4))
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


def _solved(threads: int) -> tuple[float, float, float]:
    done = subprocess.run([sys.executable, "-c", SOLVE, str(threads)], capture_output=True, check=True)
    imports, taken, peak = json.loads(done.stdout)
    return taken, imports, peak


def advising() -> Table:
    """Compare advice in process and from the command line, with the table and without."""
    table = table_of("advice on one state", "how", "seconds", "of the limit")
    hand, up, terms = parse_cards(STATE[0]), parse_card(STATE[1]), contest_asked(None, None)
    command = [FOURCARD, "advise", STATE[0], "--up", STATE[1], "--json"]
    subprocess.run([FOURCARD, "odds", "ante", "--json"], stdout=DEVNULL, check=True)
    in_process = seconds(lambda: [advice(hand, up, terms) for _ in range(100)]) / 100
    table.add_row("in process, table mapped", f"{in_process:.6f}", f"{in_process / ADVICE_LIMIT:.0%}")
    with_table = seconds(partial(subprocess.run, command, stdout=DEVNULL, check=True))
    table.add_row("command, table cached", f"{with_table:.3f}", f"{with_table / COMMAND_LIMIT:.0%}")
    with TemporaryDirectory() as folder:
        run = partial(
            subprocess.run, command, stdout=DEVNULL, check=True, env={**os.environ, VARIABLE: folder}
        )
        run()
        without = seconds(run)
    table.add_row("command, kernels cached, no table", f"{without:.3f}", f"{without / COMMAND_LIMIT:.0%}")
    return table


def simulation() -> Table:
    """Compare simulated rounds per second with the limit for one player on one core."""
    table = table_of("simulated rounds a second, optimal strategy", "what", "rounds/s", "of the limit")
    for what, arguments in (
        ("one player, one thread", ("--players", "1", "--threads", "1", "--rounds", str(ROUNDS))),
        ("one player, two threads", ("--players", "1", "--threads", "2", "--rounds", str(2 * ROUNDS))),
        ("seven players, one thread", ("--players", "7", "--threads", "1", "--rounds", str(ROUNDS // 8))),
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
