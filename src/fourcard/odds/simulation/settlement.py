"""Settlement kernel: looks up in a compiled game what each position of dealt rounds wins and loses.

The simulation and the tests use the same kernel; the tests compare it with ``fourcard settle`` to the cent.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.odds.kernels import inlined, kernel
from fourcard.odds.lowering import NO_RANK, RELATIONS, Award, Column, Lowered, Relation, Switch
from fourcard.odds.simulation.ranking import (
    ACES_UP,
    ANTE,
    BAD_BEAT,
    BONUS,
    COVER_ALL,
    DEALER_COVERS,
    DEALER_ENVIED,
    ENVY,
    FIVE_ENVY,
    FIVE_PROGRESSIVE,
    PLAY,
    PROGRESSIVE,
    SIX_CARD,
    Ranks,
)

TIES = int(Relation.TIES)
WHOLE, FIXED = int(Award.WHOLE), int(Award.FIXED)
OWN_ENVIED, SEVERAL_ENVIED = int(Switch.OWN_ENVIED), int(Switch.SEVERAL_ENVIED)
NOTHING = int(NO_RANK)


class Results(NamedTuple):
    """The decisions and net results of several rounds."""

    plays: NDArray[np.uint8]
    """By position: the Play wager as a multiple of the Ante; 0 is a fold."""
    nets: NDArray[np.int64]
    """By position and wager, in cents."""
    meters: NDArray[np.int64]
    """By round: the meter afterwards."""
    envied: NDArray[np.int64]
    """Work space: by seat, the dealer last, the Envy rank of the hand."""


def room_for_results(rounds: int, seats: int) -> Results:
    """Return buffers for a number of rounds."""
    return Results(
        plays=np.zeros(rounds * seats, np.uint8),
        nets=np.zeros((rounds * seats, len(Column)), np.int64),
        meters=np.zeros(rounds, np.int64),
        envied=np.zeros(seats + 1, np.int64),
    )


@inlined
def _relation(player: int, dealer: int) -> int:
    return TIES + (player < dealer) - (player > dealer)


@kernel
def settle(game: Lowered, ranks: Ranks, results: Results, rounds: int, seats: int) -> None:
    """Settle ranked and decided rounds; columns of wagers that nobody made stay zero."""
    made, nets = game.made, results.nets
    aces_up, bad_beat, six_card = made[ACES_UP], made[BAD_BEAT], made[SIX_CARD]
    for turn in range(rounds):
        dealer = ranks.dealers[turn]
        for seat in range(seats):
            row = np.uint64(turn * seats + seat)
            player, play = ranks.players[row], results.plays[row]
            relation = _relation(player, dealer)
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


@inlined
def _folded(game: Lowered, results: Results, row: int, seat: int) -> int:
    return int((results.plays[row] == 0) & (game.antes[seat] > 0))


@inlined
def _settle_progressive(game: Lowered, ranks: Ranks, results: Results, turn: int, seats: int) -> None:
    """Pay each winner in turn from the meter as it then stands (R58); it never falls below zero (R59)."""
    meter = game.meter[0]
    for place in range(seats):
        seat = game.order[place]
        row = turn * seats + seat
        player = ranks.players[row]
        state = _relation(player, ranks.dealers[turn]) + RELATIONS * _folded(game, results, row, seat)
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


@inlined
def _settle_cover_all(game: Lowered, ranks: Ranks, results: Results, turn: int, seats: int) -> None:
    """Pay everyone for the highest hand at the table, in the wager's own order (MA-12g, R25)."""
    best = NOTHING
    if game.switches[DEALER_COVERS]:
        best = game.cover_ranks[game.kinds[ranks.dealers[turn]]]
    for seat in range(seats):
        row = turn * seats + seat
        if game.covers[seat, _folded(game, results, row, seat)]:
            best = min(best, game.cover_ranks[game.kinds[ranks.players[row]]])
    for seat in range(seats):
        row = turn * seats + seat
        results.nets[row, COVER_ALL] = game.cover_nets[seat, _folded(game, results, row, seat), best]


@inlined
def _settle_envy(game: Lowered, ranks: Ranks, results: Results, turn: int, seats: int) -> None:
    """Pay every bettor for each qualifying hand of another player, or for the best of them (R52, R53)."""
    envied, best = results.envied, NOTHING
    for seat in range(seats):
        row = turn * seats + seat
        kind = ranks.fives[row] if game.switches[FIVE_ENVY] else game.kinds[ranks.players[row]]
        counts = game.envied[_folded(game, results, row, seat)]
        envied[seat] = game.envy_ranks[kind] if counts else NOTHING
        best = min(best, envied[seat])
        results.nets[row, ENVY] = 0
    envied[seats] = NOTHING
    if game.switches[DEALER_ENVIED]:
        kind = ranks.dealer_fives[turn] if game.switches[FIVE_ENVY] else game.kinds[ranks.dealers[turn]]
        envied[seats] = game.envy_ranks[kind]
        best = min(best, envied[seats])
    if best < NOTHING:
        for seat in range(seats):
            row = turn * seats + seat
            results.nets[row, ENVY] = _envy_of(game, envied, seats, seat, _folded(game, results, row, seat))


@inlined
def _envy_of(game: Lowered, envied: NDArray[np.int64], seats: int, seat: int, folded: int) -> int:
    """Return what one bettor gets for the hands of other players."""
    total, best = 0, NOTHING
    for holder in range(seats + 1):
        same = holder < seats and game.owners[holder] == game.owners[seat]
        own = holder == seat or (same and not game.switches[OWN_ENVIED])
        if envied[holder] < NOTHING and not own:
            total += game.envy_nets[seat, folded, envied[holder]]
            best = min(best, envied[holder])
    if best < NOTHING and not game.switches[SEVERAL_ENVIED]:
        total = game.envy_nets[seat, folded, best]
    return total
