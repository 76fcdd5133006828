"""Simulation kernel: deals, ranks, decides and settles rounds in batches, and adds them up."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.odds.kernels import inlined, kernel
from fourcard.odds.lowering import MULTIPLES, Column, Lowered
from fourcard.odds.simulation.dealing import Deals, Shoe, deal, room_for_deals
from fourcard.odds.simulation.deciding import Strategy, decide
from fourcard.odds.simulation.ranking import (
    ANTE,
    BONUS,
    ENVY,
    PLAY,
    PROGRESSIVE,
    Evaluators,
    Ranks,
    rank,
    room_for_ranks,
)
from fourcard.odds.simulation.settlement import Results, room_for_results, settle

BATCH = 1024
"""Hands processed at a time."""
COLUMNS = len(Column)


class Square(IntEnum):
    """Sums of products per round, after the squares of each wager's own result."""

    BASE = COLUMNS
    """Ante, Play and Automatic Bonus together."""
    SHARED = COLUMNS + 1
    """Progressive and Envy together."""
    ALL = COLUMNS + 2
    PLAYED = COLUMNS + 3
    """The Play stakes."""
    BASE_AND_PLAYED = COLUMNS + 4
    """The base game's result times the Play stakes."""


BASE, SHARED, ALL = int(Square.BASE), int(Square.SHARED), int(Square.ALL)
PLAYED, BASE_AND_PLAYED = int(Square.PLAYED), int(Square.BASE_AND_PLAYED)
SQUARES = COLUMNS + len(Square)


class Table(NamedTuple):
    """The inputs of the kernel: compiled game, strategy and evaluator tables."""

    game: Lowered
    strategy: Strategy
    evaluators: Evaluators


class Room(NamedTuple):
    """The buffers of one batch."""

    deals: Deals
    ranks: Ranks
    pending: NDArray[np.uint32]
    """Work space of ``decide``: the hands that need a look-up."""
    results: Results
    totals: NDArray[np.int64]
    """By round: the total gain or loss of all positions on all wagers."""


class Sums(NamedTuple):
    """Sums over rounds, in cents."""

    nets: NDArray[np.int64]
    """By wager."""
    plays: NDArray[np.int64]
    """The number of Play wagers by multiple of the Ante."""
    played: NDArray[np.int64]
    """The total of the Play stakes."""
    squares: NDArray[np.float64]
    """By wager and ``Square``: sums of products of whole rounds' results, all positions together."""


def room_for(seats: int, rounds: int | None = None) -> Room:
    """Return the buffers of one batch."""
    rounds = rounds or max(1, BATCH // seats)
    return Room(
        room_for_deals(rounds, seats),
        room_for_ranks(rounds, seats),
        np.zeros((2, rounds * seats + 1), np.uint32),
        room_for_results(rounds, seats),
        np.zeros(rounds, np.int64),
    )


def no_sums() -> Sums:
    """Return sums of zero."""
    return Sums(
        np.zeros(COLUMNS, np.int64),
        np.zeros(MULTIPLES, np.int64),
        np.zeros(1, np.int64),
        np.zeros(SQUARES, np.float64),
    )


@kernel
def play_block(table: Table, shoe: Shoe, room: Room, sums: Sums, rounds: int, seats: int) -> None:
    """Play a block of rounds and add up the results."""
    game, results = table.game, room.results
    batch = len(room.totals)
    for first in range(0, rounds, batch):
        some = min(batch, rounds - first)
        deal(shoe, room.deals, some, seats)
        rank(game, table.evaluators, room.deals, room.ranks, some, seats)
        decide(table.strategy, room.ranks.players, room.deals, results.plays, room.pending, some, seats)
        settle(game, room.ranks, results, some, seats)
        _add_base(game, results, room.totals, sums, some, seats)
        _add_sides(game, results, room.totals, sums, some, seats)


@inlined
def _add_base(
    game: Lowered, results: Results, totals: NDArray[np.int64], sums: Sums, rounds: int, seats: int
) -> None:
    """Add the base game of some rounds, and store its result for each round."""
    nets = results.nets
    antes = plays = bonuses = staked = 0
    base_square = staked_square = product = 0.0
    for turn in range(rounds):
        ante = play = bonus = played = 0
        for seat in range(seats):
            row = np.uint64(turn * seats + seat)
            ante += nets[row, ANTE]
            play += nets[row, PLAY]
            bonus += nets[row, BONUS]
            played += results.plays[row] * game.antes[seat]
            sums.plays[results.plays[row]] += 1
        base = ante + play + bonus
        totals[turn] = base
        antes += ante
        plays += play
        bonuses += bonus
        staked += played
        base_square += np.float64(base) * base
        staked_square += np.float64(played) * played
        product += np.float64(base) * played
    sums.nets[ANTE] += antes
    sums.nets[PLAY] += plays
    sums.nets[BONUS] += bonuses
    sums.played[0] += staked
    sums.squares[BASE] += base_square
    sums.squares[PLAYED] += staked_square
    sums.squares[BASE_AND_PLAYED] += product


@inlined
def _add_sides(
    game: Lowered, results: Results, totals: NDArray[np.int64], sums: Sums, rounds: int, seats: int
) -> None:
    """Add every other wager and the whole rounds; the positions of a round are squared together."""
    nets = results.nets
    for column in range(BONUS + 1, COLUMNS):
        if not game.made[column]:
            continue
        won, square, shared_square = 0, 0.0, 0.0
        for turn in range(rounds):
            one, shared = 0, 0
            for seat in range(seats):
                row = np.uint64(turn * seats + seat)
                one += nets[row, column]
                shared += nets[row, PROGRESSIVE]
            totals[turn] += one
            won += one
            square += np.float64(one) * one
            shared_square += np.float64(one + shared) * (one + shared)
        sums.nets[column] += won
        sums.squares[column] += square
        if column == ENVY:
            sums.squares[SHARED] += shared_square
    square = 0.0
    for turn in range(rounds):
        square += np.float64(totals[turn]) * totals[turn]
    sums.squares[ALL] += square


def play_rounds(table: Table, shoe: Shoe, room: Room, rounds: int) -> None:
    """Deal, rank, decide and settle some rounds into the buffers."""
    seats, results = len(table.game.antes), room.results
    deal(shoe, room.deals, rounds, seats)
    rank(table.game, table.evaluators, room.deals, room.ranks, rounds, seats)
    decide(table.strategy, room.ranks.players, room.deals, results.plays, room.pending, rounds, seats)
    settle(table.game, room.ranks, results, rounds, seats)


def settled(game: Lowered, tables: Evaluators, deals: Deals, plays: NDArray[np.uint8]) -> Results:
    """Settle given deals, with each position's Play as a multiple of its Ante."""
    rounds, seats = len(deals.dealer), len(game.antes)
    ranks, results = room_for_ranks(rounds, seats), room_for_results(rounds, seats)
    results.plays[:] = plays
    rank(game, tables, deals, ranks, rounds, seats)
    settle(game, ranks, results, rounds, seats)
    return results
