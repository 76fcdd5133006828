"""Simulation export: writes simulated rounds as JSON lines that ``fourcard settle`` reads."""

from collections.abc import Iterator
from typing import Any

import msgspec

from fourcard.cards import card_text, cards_text
from fourcard.errors import BadInputError
from fourcard.odds.simulation.chance import generator
from fourcard.odds.simulation.dealing import shoe_of
from fourcard.odds.simulation.deciding import Decisions
from fourcard.odds.simulation.playing import play_rounds, room_for
from fourcard.odds.simulation.running import BLOCK, ROUNDS
from fourcard.odds.simulation.seating import Seating
from fourcard.rules.checks.tables import DEFAULT_TABLE
from fourcard.rules.game import Game

AT_ONCE = 1_024
"""Rounds dealt at a time; divides the number of rounds in a block."""
MOST_LINES = 1_000_000


def check_lines(rounds: int) -> None:
    """Refuse more rounds than can be exported."""
    if rounds > MOST_LINES:
        raise BadInputError(f"At most {MOST_LINES:,} rounds can be exported, not {rounds:,}.")


def rounds_as_lines(seating: Seating, decisions: Decisions, rounds: int, seed: int) -> Iterator[bytes]:
    """Yield the rounds that a simulation with this seed plays, one JSON object per line."""
    check_lines(rounds)
    table, seats = seating.table(decisions), seating.players
    common = _common_fields(seating)
    room = room_for(seats, AT_ONCE)
    encode = msgspec.json.Encoder().encode
    shoe = shoe_of(generator(seed, ROUNDS, 0))
    for first in range(0, rounds, AT_ONCE):
        if first and first % BLOCK == 0:
            shoe = shoe_of(generator(seed, ROUNDS, first // BLOCK))
        some = min(AT_ONCE, rounds - first)
        play_rounds(table, shoe, room, some)
        players, dealers = room.deals.players.tolist(), room.deals.dealer.tolist()
        plays, bonus = room.results.plays.tolist(), room.deals.bonus.tolist()
        for turn in range(some):
            rows = range(turn * seats, (turn + 1) * seats)
            line = {
                "id": first + turn + 1,
                **common,
                "seats": [_seat(seating, row - rows.start + 1, players[row], plays[row]) for row in rows],
                "dealer": cards_text(dealers[turn]),
            }
            if "six_card" in seating.stakes:
                line["bonus_card"] = card_text(bonus[turn])
            yield encode(line) + b"\n"


def _seat(seating: Seating, position: int, cards: list[int], play: int) -> dict[str, object]:
    seat: dict[str, object] = {
        "position": position,
        "cards": cards_text(cards),
        "wagers": dict(seating.stakes),
    }
    if "ante" in seating.stakes:
        seat["play"] = play * seating.stakes["ante"]
    return seat


def _common_fields(seating: Seating) -> dict[str, Any]:
    """Return the fields of every line: rulebook, options, settings and meter."""
    game = seating.game
    common: dict[str, Any] = {
        "rulebook": game.rulebook.id,
        "edition": game.rulebook.edition,
        "options": options_of(game),
        "settings": dict(game.submission.settings),
    }
    if "progressive" in seating.stakes:
        common |= {"meter": seating.meter_shown, "reset": seating.reset_shown}
    return common


def options_of(game: Game) -> dict[str, Any]:
    """Return the options of a line that select the same paytables and choices as a game."""
    submission = game.submission
    choices = {
        name: submission.wagers.get(name, DEFAULT_TABLE) for name in (*game.tables, *submission.wagers)
    }
    options: dict[str, Any] = {
        name: choice if isinstance(choice, str) else {row: str(odds) for row, odds in choice.items()}
        for name, choice in choices.items()
    }
    options["chip"] = int(submission.chip)
    if submission.settlement.routine is not None:
        options["routine"] = submission.settlement.routine
    if submission.settlement.order:
        options["order"] = list(submission.settlement.order)
    if submission.progressive is not None:
        options["fixed_awards"] = submission.progressive.fixed_awards
        if submission.progressive.envy is not None:
            options["envy"] = submission.progressive.envy
    return options
