"""`make bench`: measures command start-up, ranking, settling, solving, simulation, houses, API and page.

Times on a shared machine are noisy, so every figure is compared with a limit or a peer measured in the same
run: read the ratio. `python -m bench NAME ...` runs only the named measurements.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from bench.api_requests import requests_a_second
from bench.closing import closing_days
from bench.history import history
from bench.hostile_connections import hostile_connections
from bench.live_rounds import live_rounds
from bench.live_workers import live_workers
from bench.measurement import RUNS, seconds, table_of
from bench.meter_contributions import contributions
from bench.odds import advising, evaluators, simulation, solver
from bench.page import first_hand, first_page, page_weight
from bench.processes import processes
from bench.reports import reports
from bench.rounds import durable_rounds, starting, whole_rounds
from fourcard.bonus_hands import best_five
from fourcard.cards import DECK, cards_text
from fourcard.hands import best_hand, rank_four
from fourcard.rules.check import check_submission
from fourcard.rules.loading import resolve_rulebook, rulebook_document, rulebook_ids
from fourcard.rules.submission import read_submission
from fourcard.settle_files.settle import answer_line, encode_answer
from tests.exact.second_evaluator import score
from tests.second.settlement import settle as second_settlement

ROOT = Path(__file__).parents[1]
FOURCARD = Path(sys.executable).parent / "fourcard"
START_LIMIT = 0.4
HANDS = 20_000
ROUNDS = 20_000
ROUNDS_LIMIT = 3_000


def start_of_commands() -> Table:
    """Compare the cold start of each command with its limit and with bare Python."""
    table = table_of(
        f"cold start, median of {RUNS}; limit {START_LIMIT} s",
        "command",
        "seconds",
        "of the limit",
        "times bare Python",
    )
    bare = seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    for arguments in (
        ("rank", "As Ah Kd 7c 2h", "--json"),
        ("clauses", "MA-12-RF"),
        ("clauses", "--json"),
        ("check", "examples/maryland-everything.toml"),
        ("paytables", "examples/washington.toml"),
    ):
        taken = seconds(partial(subprocess.run, [FOURCARD, *arguments], cwd=ROOT, stdout=DEVNULL, check=True))
        table.add_row(
            " ".join(arguments), f"{taken:.3f}", f"{taken / START_LIMIT:.0%}", f"{taken / bare:.1f}"
        )
    return table


def _each(work: Callable[[tuple[int, ...]], object], hands: list[tuple[int, ...]]) -> None:
    for hand in hands:
        work(hand)


def ranking() -> Table:
    """Compare the readable reference with the tests' second evaluator, in hands per second on one core."""
    chance = random.Random(4)
    dealt = {size: [tuple(chance.sample(DECK, size)) for _ in range(HANDS // 4)] for size in (4, 5, 6)}
    table = table_of(
        "the readable reference, hands per second", "what", "hands/s", "times the second evaluator on four"
    )
    peer = len(dealt[4]) / seconds(partial(_each, score, dealt[4]), 3)
    table.add_row("second evaluator, four cards", f"{peer:,.0f}", "1.00")
    for name, size, work in (
        ("rank_four, four cards", 4, rank_four),
        ("best_hand of five", 5, best_hand),
        ("best_hand of six", 6, best_hand),
        ("best_five of six", 6, best_five),
    ):
        rate = len(dealt[size]) / seconds(partial(_each, work, dealt[size]), 3)
        table.add_row(name, f"{rate:,.0f}", f"{rate / peer:.2f}")
    return table


def rules() -> Table:
    """Compare loading and checking with only parsing the same TOML."""
    table = table_of("rulebooks and submissions, milliseconds", "what", "ms", "times parsing the TOML")
    parsing = seconds(lambda: [rulebook_document.__wrapped__(name) for name in rulebook_ids()])
    loading = seconds(lambda: [resolve_rulebook(rulebook_document(name), name) for name in rulebook_ids()])
    example = read_submission(ROOT / "examples" / "maryland-everything.toml")
    checking = seconds(lambda: check_submission(example))
    for what, taken in (
        ("parse five TOML files", parsing),
        ("resolve and verify five rulebooks", loading),
        ("check one submission", checking),
    ):
        table.add_row(what, f"{taken * 1000:.2f}", f"{taken / parsing:.2f}")
    return table


def _seven_seats(chance: random.Random, number: int) -> bytes:
    """Return a Maryland round of seven seats with every wager of that rulebook."""
    cards = chance.sample(DECK, 42)
    wagers = {"ante": 1000, "aces_up": 500, "six_card": 100, "progressive": 100}
    seats = [
        {
            "position": place + 1,
            "player": f"p{place}",
            "cards": cards_text(cards[5 * place : 5 * place + 5]),
            "wagers": wagers,
            "play": chance.choice((0, 1000, 3000)),
        }
        for place in range(7)
    ]
    line = {
        "id": f"r{number}",
        "rulebook": "maryland",
        "options": {"aces_up": "A", "six_card": "A", "progressive": "A"},
        "seats": seats,
        "dealer": cards_text(cards[35:41]),
        "bonus_card": cards_text(cards[41:]),
        "meter": 2_000_000,
        "reset": 500_000,
    }
    return json.dumps(line).encode() + b"\n"


def settling() -> Table:
    """Compare settling on one core with its limit and with the tests' second settlement."""
    chance = random.Random(4)
    lines = [_seven_seats(chance, number) for number in range(ROUNDS)]
    rounds = [json.loads(line) for line in lines[: ROUNDS // 50]]
    peer = len(rounds) / seconds(lambda: [second_settlement(line) for line in rounds], 3)
    rate = ROUNDS / seconds(lambda: [encode_answer(answer_line(line)) for line in lines], 3)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rounds.jsonl"
        file.write_bytes(b"".join(lines))
        command = partial(subprocess.run, [FOURCARD, "settle", file], stdout=DEVNULL, check=True)
        whole = ROUNDS / seconds(command, 3)
    table = table_of(
        f"seven-seat rounds per second; limit {ROUNDS_LIMIT:,}",
        "what",
        "rounds/s",
        "of the limit",
        "times the second settlement",
    )
    for what, found in (
        ("the tests' second settlement", peer),
        ("answer_line, every wager of Maryland", rate),
        (f"fourcard settle, a file of {ROUNDS:,}, started cold", whole),
    ):
        table.add_row(what, f"{found:,.0f}", f"{found / ROUNDS_LIMIT:.0%}", f"{found / peer:.1f}")
    return table


PARTS: tuple[Callable[[], Table], ...] = (
    start_of_commands,
    ranking,
    rules,
    settling,
    whole_rounds,
    durable_rounds,
    processes,
    contributions,
    starting,
    history,
    closing_days,
    evaluators,
    solver,
    advising,
    simulation,
    requests_a_second,
    live_rounds,
    live_workers,
    hostile_connections,
    reports,
    page_weight,
    first_page,
    first_hand,
)


def main(names: list[str]) -> int:
    """Run the named measurements, by default all of them."""
    parts = {part.__name__: part for part in PARTS}
    unknown = [name for name in names if name not in parts]
    if unknown:
        print(f"{unknown[0]!r} is not a measurement. Choose from: {', '.join(parts)}.", file=sys.stderr)
        return 2
    out = Console(width=150)
    for name in names or parts:
        out.print(parts[name]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
