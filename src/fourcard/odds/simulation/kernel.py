"""Simulation kernel: ranks, settles and adds up dealt rounds in batches.

What each position wins and loses is looked up in the compiled game. The simulation and the tests use the same
kernel; the tests compare it with ``fourcard settle`` to the cent.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FiveCardCategory
from fourcard.hands import DEALER_CARDS, PLAYER_CARDS
from fourcard.odds.compile_game import (
    MULTIPLES,
    NO_RANK,
    RELATIONS,
    CompiledGame,
    GameSwitch,
    MeterAwardKind,
    Relation,
    WagerColumn,
)
from fourcard.odds.evaluator import five_category, five_strength, six_category, six_strength
from fourcard.odds.kernels import inline_kernel, kernel
from fourcard.odds.ranking_tables import FiveCardTables, RankingTables, five_card_tables, ranking_tables
from fourcard.odds.simulation.dealing import Cards, Deals, Shoe, deal, deal_buffers
from fourcard.odds.simulation.strategy_kernel import StrategyTables, decide

ANTE, PLAY, BONUS = int(WagerColumn.ANTE), int(WagerColumn.PLAY), int(WagerColumn.AUTOMATIC_BONUS)
ACES_UP, BAD_BEAT, SIX_CARD = int(WagerColumn.ACES_UP), int(WagerColumn.BAD_BEAT), int(WagerColumn.SIX_CARD)
COVER_ALL, PROGRESSIVE, ENVY = int(WagerColumn.COVER_ALL), int(WagerColumn.PROGRESSIVE), int(WagerColumn.ENVY)
FIVE_PROGRESSIVE, FIVE_ENVY = int(GameSwitch.FIVE_CARD_PROGRESSIVE), int(GameSwitch.FIVE_CARD_ENVY)
DEALER_COVERS, DEALER_ENVIED = int(GameSwitch.DEALER_COVERS), int(GameSwitch.DEALER_ENVIED)
ROYAL = int(FiveCardCategory.ROYAL_FLUSH)


class EvaluatorTables(NamedTuple):
    """The evaluator tables of one game."""

    four: RankingTables
    five: FiveCardTables
    six: FiveCardTables
    """For the Six Card Bonus, in which 5-4-3-2-A is a straight or not (R28)."""


class HandRanks(NamedTuple):
    """The ranks of the hands of several rounds."""

    players: NDArray[np.uint16]
    """By position: the strength of its best four cards."""
    dealers: NDArray[np.uint16]
    fives: NDArray[np.uint8]
    """By position: the category of its five cards, if a wager needs it."""
    sixes: NDArray[np.uint8]
    """By position: the category of the best five with the bonus card, if a wager needs it."""
    dealer_fives: NDArray[np.uint8]
    hand: Cards
    """Work space."""


def evaluator_tables(game: CompiledGame) -> EvaluatorTables:
    """Return the evaluator tables of one game; tables that no wager needs are empty."""
    fives = game.switches[GameSwitch.FIVE_CARD_PROGRESSIVE] or game.switches[GameSwitch.FIVE_CARD_ENVY]
    low_ace = bool(game.switches[GameSwitch.LOW_ACE])
    return EvaluatorTables(
        ranking_tables(),
        five_card_tables(low_ace=True) if fives else _empty_tables(),
        five_card_tables(low_ace=low_ace) if game.made[WagerColumn.SIX_CARD] else _empty_tables(),
    )


def _empty_tables() -> FiveCardTables:
    """Return empty tables of the right types."""
    rows, values = np.zeros(0, np.uint32), np.zeros(0, np.uint16)
    return FiveCardTables(np.zeros(0, np.uint64), rows, values, rows, values, values)


def rank_buffers(rounds: int, seats: int) -> HandRanks:
    """Return buffers for a number of rounds."""
    return HandRanks(
        players=np.zeros(rounds * seats, np.uint16),
        dealers=np.zeros(rounds, np.uint16),
        fives=np.zeros(rounds * seats, np.uint8),
        sixes=np.zeros(rounds * seats, np.uint8),
        dealer_fives=np.zeros(rounds, np.uint8),
        hand=np.zeros((1, DEALER_CARDS), np.uint8),
    )


@inline_kernel
def _sum_of(numbers: NDArray[np.uint64], hands: Cards, row: np.uint64) -> np.uint64:
    total = np.uint64(0)
    for i in range(hands.shape[1]):
        total += numbers[hands[row, i]]
    return total


@kernel
def rank_hands(
    game: CompiledGame, tables: EvaluatorTables, deals: Deals, ranks: HandRanks, rounds: int, seats: int
) -> None:
    """Rank every hand that a wager of the game needs."""
    positions = rounds * seats
    for row in range(positions):
        total = _sum_of(tables.four.card_codes, deals.players, np.uint64(row))
        ranks.players[row] = five_strength(tables.four, total, deals.players, row)
    for row in range(rounds):
        total = _sum_of(tables.four.card_codes, deals.dealer, np.uint64(row))
        ranks.dealers[row] = six_strength(tables.four, total, deals.dealer, row)
    five_envy = game.made[ENVY] and game.switches[FIVE_ENVY]
    if five_envy or (game.made[PROGRESSIVE] and game.switches[FIVE_PROGRESSIVE]):
        for row in range(positions):
            total = _sum_of(tables.five.card_codes, deals.players, np.uint64(row))
            ranks.fives[row] = five_category(tables.five, total, deals.players, row)
    if five_envy and game.switches[DEALER_ENVIED]:
        for row in range(rounds):
            total = _sum_of(tables.five.card_codes, deals.dealer, np.uint64(row))
            ranks.dealer_fives[row] = min(six_category(tables.five, total, deals.dealer, row), ROYAL)
    if game.made[SIX_CARD]:
        for row in range(positions):
            _rank_with_bonus(tables.six, deals, ranks, np.uint64(row), row // seats)


@inline_kernel
def _rank_with_bonus(
    tables: FiveCardTables, deals: Deals, ranks: HandRanks, row: np.uint64, turn: int
) -> None:
    for i in range(PLAYER_CARDS):
        ranks.hand[0, i] = deals.players[row, i]
    ranks.hand[0, PLAYER_CARDS] = deals.bonus[turn]
    total = _sum_of(tables.card_codes, ranks.hand, np.uint64(0))
    ranks.sixes[row] = six_category(tables, total, ranks.hand, 0)


TIES = int(Relation.TIES)
WHOLE, FIXED = int(MeterAwardKind.WHOLE), int(MeterAwardKind.FIXED)
OWN_ENVIED, SEVERAL_ENVIED = int(GameSwitch.OWN_ENVIED), int(GameSwitch.SEVERAL_ENVIED)
NOT_RANKED = int(NO_RANK)


class SettlementArrays(NamedTuple):
    """The decisions and net results of several rounds."""

    plays: NDArray[np.uint8]
    """By position: the Play wager as a multiple of the Ante; 0 is a fold."""
    nets: NDArray[np.int64]
    """By position and wager, in cents."""
    meters: NDArray[np.int64]
    """By round: the meter afterwards."""
    envied: NDArray[np.int64]
    """Work space: by seat, the dealer last, the Envy rank of the hand."""


def settlement_buffers(rounds: int, seats: int) -> SettlementArrays:
    """Return buffers for a number of rounds."""
    return SettlementArrays(
        plays=np.zeros(rounds * seats, np.uint8),
        nets=np.zeros((rounds * seats, len(WagerColumn)), np.int64),
        meters=np.zeros(rounds, np.int64),
        envied=np.zeros(seats + 1, np.int64),
    )


@inline_kernel
def _compare_hands(player: int, dealer: int) -> int:
    return TIES + (player < dealer) - (player > dealer)


@kernel
def settle_rounds(
    game: CompiledGame, ranks: HandRanks, results: SettlementArrays, rounds: int, seats: int
) -> None:
    """Settle ranked and decided rounds; columns of wagers that nobody made stay zero."""
    made, nets = game.made, results.nets
    aces_up, bad_beat, six_card = made[ACES_UP], made[BAD_BEAT], made[SIX_CARD]
    for turn in range(rounds):
        dealer = ranks.dealers[turn]
        for seat in range(seats):
            row = np.uint64(turn * seats + seat)
            player, play = ranks.players[row], results.plays[row]
            relation = _compare_hands(player, dealer)
            state = relation + RELATIONS * ((play == 0) & (game.antes[seat] > 0))
            kind = game.kinds[player]
            nets[row, ANTE] = game.nets[seat, state, kind, ANTE]
            nets[row, PLAY] = game.plays[seat, play, relation]
            nets[row, BONUS] = game.nets[seat, state, kind, BONUS]
            if aces_up:
                nets[row, ACES_UP] = game.nets[seat, state, kind, ACES_UP]
            if bad_beat:
                nets[row, BAD_BEAT] = game.nets[seat, state, game.kinds[min(player, dealer)], BAD_BEAT]
            if six_card:
                nets[row, SIX_CARD] = game.nets[seat, state, ranks.sixes[row], SIX_CARD]
        if made[PROGRESSIVE]:
            _settle_progressive(game, ranks, results, turn, seats)
        if made[COVER_ALL]:
            _settle_cover_all(game, ranks, results, turn, seats)
        if made[ENVY]:
            _settle_envy(game, ranks, results, turn, seats)


@inline_kernel
def _has_folded(game: CompiledGame, results: SettlementArrays, row: int, seat: int) -> int:
    return int((results.plays[row] == 0) & (game.antes[seat] > 0))


@inline_kernel
def _settle_progressive(
    game: CompiledGame, ranks: HandRanks, results: SettlementArrays, turn: int, seats: int
) -> None:
    """Pay each winner in turn from the meter as it then stands (R58); it never falls below zero (R59)."""
    meter = game.meter[0]
    for place in range(seats):
        seat = game.order[place]
        row = turn * seats + seat
        player = ranks.players[row]
        state = _compare_hands(player, ranks.dealers[turn]) + RELATIONS * _has_folded(
            game, results, row, seat
        )
        kind = ranks.fives[row] if game.switches[FIVE_PROGRESSIVE] else game.kinds[player]
        net = game.nets[seat, state, kind, PROGRESSIVE]
        how = game.awards[seat, state, kind, 0]
        if how:
            figure, below = game.awards[seat, state, kind, 1], game.awards[seat, state, kind, 2]
            due = figure if how == FIXED else meter * figure // below
            meter = game.meter[1] if how == WHOLE else meter - min(due, meter)
            net += due
        results.nets[row, PROGRESSIVE] = net
    results.meters[turn] = meter


@inline_kernel
def _settle_cover_all(
    game: CompiledGame, ranks: HandRanks, results: SettlementArrays, turn: int, seats: int
) -> None:
    """Pay everyone for the highest hand at the table, in the wager's own order (MA-12g, R25)."""
    best = NOT_RANKED
    if game.switches[DEALER_COVERS]:
        best = game.cover_ranks[game.kinds[ranks.dealers[turn]]]
    for seat in range(seats):
        row = turn * seats + seat
        if game.covers[seat, _has_folded(game, results, row, seat)]:
            best = min(best, game.cover_ranks[game.kinds[ranks.players[row]]])
    for seat in range(seats):
        row = turn * seats + seat
        results.nets[row, COVER_ALL] = game.cover_nets[seat, _has_folded(game, results, row, seat), best]


@inline_kernel
def _settle_envy(
    game: CompiledGame, ranks: HandRanks, results: SettlementArrays, turn: int, seats: int
) -> None:
    """Pay every bettor for each qualifying hand of another player, or for the best of them (R52, R53)."""
    envied, best = results.envied, NOT_RANKED
    for seat in range(seats):
        row = turn * seats + seat
        kind = ranks.fives[row] if game.switches[FIVE_ENVY] else game.kinds[ranks.players[row]]
        counts = game.envied[_has_folded(game, results, row, seat)]
        envied[seat] = game.envy_ranks[kind] if counts else NOT_RANKED
        best = min(best, envied[seat])
        results.nets[row, ENVY] = 0
    envied[seats] = NOT_RANKED
    if game.switches[DEALER_ENVIED]:
        kind = ranks.dealer_fives[turn] if game.switches[FIVE_ENVY] else game.kinds[ranks.dealers[turn]]
        envied[seats] = game.envy_ranks[kind]
        best = min(best, envied[seats])
    if best < NOT_RANKED:
        for seat in range(seats):
            row = turn * seats + seat
            results.nets[row, ENVY] = _envy_of(
                game, envied, seats, seat, _has_folded(game, results, row, seat)
            )


@inline_kernel
def _envy_of(game: CompiledGame, envied: NDArray[np.int64], seats: int, seat: int, folded: int) -> int:
    """Return what one bettor gets for the hands of other players."""
    total, best = 0, NOT_RANKED
    for holder in range(seats + 1):
        same = holder < seats and game.owners[holder] == game.owners[seat]
        own = holder == seat or (same and not game.switches[OWN_ENVIED])
        if envied[holder] < NOT_RANKED and not own:
            total += game.envy_nets[seat, folded, envied[holder]]
            best = min(best, envied[holder])
    if best < NOT_RANKED and not game.switches[SEVERAL_ENVIED]:
        total = game.envy_nets[seat, folded, best]
    return total


BATCH = 1024
"""Hands processed at a time."""
COLUMNS = len(WagerColumn)


class SquareColumn(IntEnum):
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


BASE, SHARED, ALL = int(SquareColumn.BASE), int(SquareColumn.SHARED), int(SquareColumn.ALL)
PLAYED, BASE_AND_PLAYED = int(SquareColumn.PLAYED), int(SquareColumn.BASE_AND_PLAYED)
SQUARES = COLUMNS + len(SquareColumn)


class KernelInputs(NamedTuple):
    """The inputs of the kernel: compiled game, strategy and evaluator tables."""

    game: CompiledGame
    strategy: StrategyTables
    evaluators: EvaluatorTables


class BatchBuffers(NamedTuple):
    """The buffers of one batch."""

    deals: Deals
    ranks: HandRanks
    pending: NDArray[np.uint32]
    """Work space of ``decide``: the hands that need a look-up."""
    results: SettlementArrays
    totals: NDArray[np.int64]
    """By round: the total gain or loss of all positions on all wagers."""


class BlockSums(NamedTuple):
    """Sums over rounds, in cents."""

    nets: NDArray[np.int64]
    """By wager."""
    plays: NDArray[np.int64]
    """The number of Play wagers by multiple of the Ante."""
    played: NDArray[np.int64]
    """The total of the Play stakes."""
    squares: NDArray[np.float64]
    """By wager and ``Square``: sums of products of whole rounds' results, all positions together."""


def batch_buffers(seats: int, rounds: int | None = None) -> BatchBuffers:
    """Return the buffers of one batch."""
    rounds = rounds or max(1, BATCH // seats)
    return BatchBuffers(
        deal_buffers(rounds, seats),
        rank_buffers(rounds, seats),
        np.zeros((2, rounds * seats + 1), np.uint32),
        settlement_buffers(rounds, seats),
        np.zeros(rounds, np.int64),
    )


def empty_sums() -> BlockSums:
    """Return sums of zero."""
    return BlockSums(
        np.zeros(COLUMNS, np.int64),
        np.zeros(MULTIPLES, np.int64),
        np.zeros(1, np.int64),
        np.zeros(SQUARES, np.float64),
    )


@kernel
def play_block(
    table: KernelInputs, shoe: Shoe, room: BatchBuffers, sums: BlockSums, rounds: int, seats: int
) -> None:
    """Play a block of rounds and add up the results."""
    game, results = table.game, room.results
    batch = len(room.totals)
    for first in range(0, rounds, batch):
        some = min(batch, rounds - first)
        deal(shoe, room.deals, some, seats)
        rank_hands(game, table.evaluators, room.deals, room.ranks, some, seats)
        decide(table.strategy, room.ranks.players, room.deals, results.plays, room.pending, some, seats)
        settle_rounds(game, room.ranks, results, some, seats)
        _add_base(game, results, room.totals, sums, some, seats)
        _add_sides(game, results, room.totals, sums, some, seats)


@inline_kernel
def _add_base(
    game: CompiledGame,
    results: SettlementArrays,
    totals: NDArray[np.int64],
    sums: BlockSums,
    rounds: int,
    seats: int,
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


@inline_kernel
def _add_sides(
    game: CompiledGame,
    results: SettlementArrays,
    totals: NDArray[np.int64],
    sums: BlockSums,
    rounds: int,
    seats: int,
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


def play_rounds(table: KernelInputs, shoe: Shoe, room: BatchBuffers, rounds: int) -> None:
    """Deal, rank, decide and settle some rounds into the buffers."""
    seats, results = len(table.game.antes), room.results
    deal(shoe, room.deals, rounds, seats)
    rank_hands(table.game, table.evaluators, room.deals, room.ranks, rounds, seats)
    decide(table.strategy, room.ranks.players, room.deals, results.plays, room.pending, rounds, seats)
    settle_rounds(table.game, room.ranks, results, rounds, seats)
