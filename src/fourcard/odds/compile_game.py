"""Game compiler: turns a Game into arrays of net results in cents, which simulation kernels look up.

No rule is written a second time here. The compiler builds showdowns in which all positions hold one kind of
hand against a dealer who is lower, equal or higher, lets the settler settle them, and stores the results. A
kernel finds the kind of a hand and whether its player won, tied, lost or folded, and reads the net. Its
results therefore agree with ``fourcard settle``.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FiveCardCategory, rank_five, rows_of_six
from fourcard.cards import parse_cards
from fourcard.hands import Hand
from fourcard.meter import Meter, pay_meter_award, price_meter_award
from fourcard.money import OddsKind
from fourcard.odds.hand_kinds import hand_kinds, hands_by_strength, kind_of_strength
from fourcard.refusals import BadInputError
from fourcard.rules.game import Game
from fourcard.rules.line_options import MAX_CENTS
from fourcard.settlers.cover_all import CoverAllSettler
from fourcard.settlers.envy import EnvySettler
from fourcard.settlers.progressive import ProgressiveSettler
from fourcard.settlers.showdown import LIVE, MUCKED, Seat, Showdown
from fourcard.settlers.six_card import SixCardSettler
from fourcard.settlers.wager_settler import PendingStep, odds_by_row
from fourcard.settling import Settler
from fourcard.wagers import WagerName

KINDS = 16
"""Enough for every four-card kind, five-card category, or best five of six cards with Super Royals."""
NO_RANK = KINDS
MULTIPLES = 4
RELATIONS = 3
SETTLE_STATES = 2 * RELATIONS
MAX_SHARE = (1 << 63) // MAX_CENTS
SIX_CARDS = (
    "As Kd Jh 9c 7s 5d", "As Ad Jh 9c 7s 5d", "As Ad Jh Jc 7s 5d", "As Ad Ah Jc 7s 5d", "As Kd Qh Jc Ts 2d",
    "As Js 9s 7s 3s 2d", "As Ad Ah Kc Ks 2d", "As Ad Ah Ac Ks 2d", "9s 8s 7s 6s 5s 2d", "As Ks Qs Js Ts 2d",
    "Ac Kc Qc Jc Tc 9c", "Ad Kd Qd Jd Td 9d", "Ah Kh Qh Jh Th 9h", "As Ks Qs Js Ts 9s",
)  # fmt: skip
"""Sample hands: each five-card category, unchanged by the sixth card, and the Super Royals by suit."""


class WagerColumn(IntEnum):
    """The column of each wager in an array of nets."""

    ANTE, PLAY, AUTOMATIC_BONUS, ACES_UP, BAD_BEAT, SIX_CARD, COVER_ALL, PROGRESSIVE, ENVY = range(9)


COLUMNS: dict[WagerName, WagerColumn] = {each.name.lower(): each for each in WagerColumn}
"""The wagers that the kernels know, with their columns."""


class Relation(IntEnum):
    """How a player's hand compares with the dealer's; states after a fold are offset by ``RELATIONS``."""

    WINS, TIES, BEATEN = range(3)


class MeterAwardKind(IntEnum):
    """How the meter takes part in an award."""

    NONE, WHOLE, SHARE, FIXED = range(4)


class GameSwitch(IntEnum):
    """Flags of the whole table."""

    FIVE_CARD_PROGRESSIVE, FIVE_CARD_ENVY, DEALER_COVERS, DEALER_ENVIED = range(4)
    OWN_ENVIED, SEVERAL_ENVIED = range(4, 6)
    LOW_ACE = 6
    """Whether 5-4-3-2-A is a straight for the Six Card Bonus (R28)."""


class Bettor(msgspec.Struct, frozen=True):
    """One position: its player, and its stakes before the deal."""

    position: int
    player: str
    wagers: Mapping[WagerName, int]


class CompiledGame(NamedTuple):
    """A game and its bettors as arrays, seats in the order of the bettors."""

    kinds: NDArray[np.uint8]
    """The kind of hand of every strength."""
    made: NDArray[np.uint8]
    """By wager: whether anybody has made it."""
    antes: NDArray[np.int64]
    nets: NDArray[np.int64]
    """By seat, state, kind and wager; awards from the meter are added on top."""
    plays: NDArray[np.int64]
    """The Play's net by seat, multiple of the Ante, and relation."""
    awards: NDArray[np.int64]
    """The meter's part in a progressive award, by seat, state and kind: the sort of award and two figures."""
    meter: NDArray[np.int64]
    """What the meter shows when a round begins, and after all of it was won (R58)."""
    order: NDArray[np.int64]
    """Seats in the order in which the meter pays them."""
    owners: NDArray[np.int64]
    """The person at each seat, numbered."""
    covers: NDArray[np.uint8]
    """Whether a seat's hand counts for Cover All, live or folded (R43)."""
    cover_ranks: NDArray[np.uint8]
    """By kind: its rank in the Cover All table; the best is 0."""
    cover_nets: NDArray[np.int64]
    """By seat, live or folded, and rank."""
    envy_ranks: NDArray[np.uint8]
    """By kind: its rank in the Envy schedule; the best is 0."""
    envied: NDArray[np.uint8]
    """Whether a hand wins Envy for others, live or folded (R51)."""
    envy_nets: NDArray[np.int64]
    """What a seat gets, live or folded, for another player's hand of a rank."""
    switches: NDArray[np.uint8]


def compile_game(game: Game, bettors: Sequence[Bettor], meter: int = 0, reset: int = 0) -> CompiledGame:
    """Return the arrays that settle rounds of these bettors; meter and reset are in cents."""
    players = [*dict.fromkeys(bettor.player for bettor in bettors)]
    settler = Settler(game)
    seats = [_seat(settler, bettor, 1) for bettor in bettors]
    showdown = settler.showdown(seats, parse_cards(SIX_CARDS[0]), None)
    places = {bettor.position: index for index, bettor in enumerate(bettors)}
    compiled = CompiledGame(
        kinds=kind_of_strength(),
        made=np.array([any(name in seat.wagers for seat in seats) for name in COLUMNS], np.uint8),
        antes=np.array([bettor.wagers.get("ante", 0) for bettor in bettors], np.int64),
        nets=np.zeros((len(bettors), SETTLE_STATES, KINDS, len(WagerColumn)), np.int64),
        plays=np.zeros((len(bettors), MULTIPLES, RELATIONS), np.int64),
        awards=np.zeros((len(bettors), SETTLE_STATES, KINDS, 3), np.int64),
        meter=np.array([meter, reset], np.int64),
        order=np.array([places[seat.position] for seat in showdown.seats], np.int64),
        owners=np.array([players.index(bettor.player) for bettor in bettors], np.int64),
        covers=np.zeros((len(bettors), 2), np.uint8),
        cover_ranks=np.full(KINDS, NO_RANK, np.uint8),
        cover_nets=np.zeros((len(bettors), 2, KINDS + 1), np.int64),
        envy_ranks=np.full(KINDS, NO_RANK, np.uint8),
        envied=np.zeros(2, np.uint8),
        envy_nets=np.zeros((len(bettors), 2, KINDS + 1), np.int64),
        switches=np.zeros(len(GameSwitch), np.uint8),
    )
    _compile_own_hands(game, bettors, compiled)
    _compile_play(game, bettors, compiled)
    _compile_cover_all(game, bettors, compiled)
    _compile_envy(game, bettors, compiled)
    compiled.made[WagerColumn.AUTOMATIC_BONUS] = compiled.nets[..., WagerColumn.AUTOMATIC_BONUS].any()
    return compiled


@cache
def _hands_of_kind(kind: int) -> tuple[Hand, ...]:
    return tuple(hand for hand in hands_by_strength() if hand.rows == hand_kinds()[kind])


@cache
def _sample_hand(number: int, *, low_ace: bool = True) -> tuple[int, ...]:
    """Return the sample hand of a category, after checking that it has that category."""
    cards = parse_cards(SIX_CARDS[number])
    assert int(rank_five(cards[:5]).category) == min(number, FiveCardCategory.ROYAL_FLUSH)
    assert rows_of_six(cards, low_ace=low_ace)[-1] == rank_five(cards[:5]).category.text
    return cards


def _sample_pair(kind: int, relation: Relation) -> tuple[Hand, Hand]:
    """Return a player's hand of a kind and a dealer's hand in the given relation to it."""
    same, every = _hands_of_kind(kind), hands_by_strength()
    return {
        Relation.WINS: (same[-1], every[0]),
        Relation.TIES: (same[0], same[0]),
        Relation.BEATEN: (same[0], every[-1]),
    }[relation]


def _seat(settler: Settler, bettor: Bettor, multiple: int) -> Seat:
    """Return a bettor's seat with the weakest hand and Play as a multiple of the Ante; 0 is a fold."""
    wagers = dict(bettor.wagers)
    ante = wagers.get("ante")
    play = None if ante is None else ante * multiple
    if play:
        wagers["play"] = play
    standing = settler.standing(bettor.wagers, play, left=False)
    cards = _sample_hand(0)[:5]
    return Seat(bettor.position, bettor.player, cards, hands_by_strength()[0], wagers, standing)


class _Showdowns:
    """Builds showdowns of a game and settles only the named wagers."""

    def __init__(self, game: Game, *names: WagerName) -> None:
        self.settler = Settler(game)
        self.settler.order = tuple(wager for wager in self.settler.order if wager.name in names)

    def seats(
        self, bettors: Sequence[Bettor], multiple: int, hand: Hand, cards: tuple[int, ...]
    ) -> list[Seat]:
        """Return all bettors' seats with the same hand."""
        seats = (_seat(self.settler, bettor, multiple) for bettor in bettors)
        return [msgspec.structs.replace(seat, hand=hand, cards=cards) for seat in seats]

    def showdown(
        self, seats: Sequence[Seat], dealer: Hand, cards: tuple[int, ...], bonus: int | None = None
    ) -> Showdown:
        """Return the showdown of the seats against a dealer, in settling order."""
        ordered = self.settler.showdown(seats, cards, bonus)
        return msgspec.structs.replace(ordered, dealer_hand=dealer)

    def due(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield the settlement steps in order."""
        dues = self.settler.pending_steps(showdown)
        for act, seat in self.settler.scheduled_acts(showdown, money_only=True):
            yield from dues.due_at(act, seat)

    def nets(self, showdown: Showdown) -> dict[int, int]:
        """Return the total gain or loss of each position."""
        found = {seat.position: 0 for seat in showdown.seats}
        for due in self.due(showdown):
            found[due.step.position] += _signed(due)
        return found


def _signed(due: PendingStep) -> int:
    return due.step.amount if due.step.action == "pay" else -due.step.amount


OWN_HAND_WAGERS: tuple[WagerName, ...] = (
    "ante",
    "automatic_bonus",
    "aces_up",
    "bad_beat",
    "six_card",
    "progressive",
)
"""The wagers that depend only on a position's own hand and the dealer's."""


def _compile_own_hands(game: Game, bettors: Sequence[Bettor], compiled: CompiledGame) -> None:
    showdowns = _Showdowns(game, *OWN_HAND_WAGERS)
    progressive, six = showdowns.settler.wagers.get("progressive"), showdowns.settler.wagers.get("six_card")
    if isinstance(progressive, ProgressiveSettler):
        compiled.switches[GameSwitch.FIVE_CARD_PROGRESSIVE] = progressive.five_cards
    low_ace = not isinstance(six, SixCardSettler) or six.low_ace
    compiled.switches[GameSwitch.LOW_ACE] = low_ace
    for number in range(len(SIX_CARDS)):
        *five, bonus = _sample_hand(number, low_ace=low_ace)
        kind = min(number, len(hand_kinds()) - 1)
        for relation in Relation:
            hand, dealer = _sample_pair(kind, relation)
            for folded in (0, 1):
                seats = showdowns.seats(bettors, 1 - folded, hand, tuple(five))
                showdown = showdowns.showdown(seats, dealer, _sample_hand(0), bonus)
                state = relation + RELATIONS * folded
                for due in showdowns.due(showdown):
                    _store(compiled, bettors, due, state, number)
    _compile_bad_beat(game, bettors, compiled)


def _store(
    compiled: CompiledGame, bettors: Sequence[Bettor], due: PendingStep, state: int, number: int
) -> None:
    """Store one settlement step; samples past a wager's last kind only repeat it and are skipped."""
    column = COLUMNS[due.step.wager]
    five = column == WagerColumn.SIX_CARD or (
        column == WagerColumn.PROGRESSIVE and compiled.switches[GameSwitch.FIVE_CARD_PROGRESSIVE]
    )
    if not five and number >= len(hand_kinds()):
        return
    seat = _bettor_index(bettors, due)
    if due.meter_award is None:
        compiled.nets[seat, state, number, column] += _signed(due)
        return
    odds, stake, source = due.meter_award.odds, due.meter_award.stake, due.meter_award.source
    pay_meter_award(Meter(amount=0, reset_amount=0), odds, stake, source)
    if odds.kind is not OddsKind.METER:
        compiled.awards[seat, state, number] = (
            MeterAwardKind.FIXED,
            price_meter_award(Meter(amount=0), odds, stake),
            1,
        )
        return
    above, below = odds.value.as_integer_ratio()
    if above >= MAX_SHARE:
        raise BadInputError(f"The share {odds} has too many decimals to be simulated.")
    compiled.awards[seat, state, number] = (
        MeterAwardKind.WHOLE if odds.value == 1 else MeterAwardKind.SHARE,
        above,
        below,
    )


def _compile_bad_beat(game: Game, bettors: Sequence[Bettor], compiled: CompiledGame) -> None:
    """Index the Bad Beat by the kind of the lower hand, which is the one beaten (SM-BB-3c)."""
    if not compiled.made[WagerColumn.BAD_BEAT]:
        return
    showdowns = _Showdowns(game, "bad_beat")
    for folded in (0, 1):
        for kind in range(len(hand_kinds())):
            seats = showdowns.seats(bettors, 1 - folded, hands_by_strength()[-1], _sample_hand(0)[:5])
            nets = showdowns.nets(showdowns.showdown(seats, _hands_of_kind(kind)[0], _sample_hand(0)))
            state = Relation.WINS + RELATIONS * folded
            compiled.nets[:, state, kind, WagerColumn.BAD_BEAT] = [nets[each.position] for each in bettors]


def _compile_play(game: Game, bettors: Sequence[Bettor], compiled: CompiledGame) -> None:
    showdowns = _Showdowns(game, "play")
    for multiple in range(1, MULTIPLES):
        for relation in Relation:
            hand, dealer = _sample_pair(0, relation)
            nets = showdowns.nets(
                showdowns.showdown(
                    showdowns.seats(bettors, multiple, hand, _sample_hand(0)[:5]), dealer, _sample_hand(0)
                )
            )
            compiled.plays[:, multiple, relation] = [nets[each.position] for each in bettors]


def _compile_cover_all(game: Game, bettors: Sequence[Bettor], compiled: CompiledGame) -> None:
    showdowns = _Showdowns(game, "cover_all")
    wager = showdowns.settler.wagers.get("cover_all")
    if not compiled.made[WagerColumn.COVER_ALL] or not isinstance(wager, CoverAllSettler):
        return
    if not wager.rules.counts_dealt.value:
        raise BadInputError("Cover All can be simulated only where the hands dealt decide its column.")
    every = hands_by_strength()
    compiled.switches[GameSwitch.DEALER_COVERS] = wager.rules.dealer_hand.value
    for folded in (0, 1):
        seats = showdowns.seats(bettors, 1 - folded, every[0], _sample_hand(0)[:5])
        counted = {
            seat.position for seat in wager.counted(showdowns.showdown(seats, every[0], _sample_hand(0)))
        }
        compiled.covers[:, folded] = [each.position in counted for each in bettors]
    for kind in range(len(hand_kinds())):
        hand = _hands_of_kind(kind)[0]
        live = showdowns.seats(bettors, 1, hand, _sample_hand(0)[:5])
        showdown = showdowns.showdown(live, hand, _sample_hand(0))
        ranks = [*odds_by_row(wager.column(showdown))]
        rows = [due.step.row for due in showdowns.due(showdown) if due.step.row is not None]
        rank = ranks.index(rows[0]) if rows else NO_RANK
        compiled.cover_ranks[kind] = rank
        compiled.cover_nets[:, 0, rank] = [showdowns.nets(showdown)[each.position] for each in bettors]
        for index, bettor in enumerate(bettors):
            folded_seat = [_seat(showdowns.settler, bettor, 0)]
            other_seats = [seat for seat in live if seat.position != bettor.position]
            nets = showdowns.nets(showdowns.showdown([*folded_seat, *other_seats], hand, _sample_hand(0)))
            compiled.cover_nets[index, 1, rank] = nets[bettor.position]


def _compile_envy(game: Game, bettors: Sequence[Bettor], compiled: CompiledGame) -> None:
    """Let an extra player show every kind of hand, and store what the bettors get for it."""
    showdowns = _Showdowns(game, "envy")
    wager = showdowns.settler.wagers.get("envy")
    if not isinstance(wager, EnvySettler):
        return
    compiled.switches[GameSwitch.FIVE_CARD_ENVY] = wager.five_cards
    for number in range(len(FiveCardCategory) if wager.five_cards else len(hand_kinds())):
        hand = hands_by_strength()[0] if wager.five_cards else _hands_of_kind(number)[0]
        cards = _sample_hand(number) if wager.five_cards else _sample_hand(0)
        _compile_envied(showdowns, bettors, compiled, [*wager.rows], number, (hand, cards))
    several = len(set(compiled.owners.tolist())) > 1 or compiled.switches[GameSwitch.OWN_ENVIED]
    possible = several or compiled.switches[GameSwitch.DEALER_ENVIED]
    compiled.made[WagerColumn.ENVY] = bool(possible and compiled.envy_nets.any())


def _compile_envied(
    showdowns: _Showdowns,
    bettors: Sequence[Bettor],
    compiled: CompiledGame,
    ranks: list[str],
    number: int,
    held: tuple[Hand, tuple[int, ...]],
) -> None:
    """Store what one kind of hand wins for others: live, folded, twice, their own, the dealer's."""
    hand, cards = held
    other = Seat(-1, "", cards[:5], hand, {}, LIVE)

    def shown(*holders: Seat, multiple: int = 1, dealer: Hand | None = None) -> list[PendingStep]:
        weakest = hands_by_strength()[0]
        seats = showdowns.seats(bettors, multiple, weakest, _sample_hand(0)[:5])
        dealers = (weakest, _sample_hand(0)) if dealer is None else (dealer, cards)
        return [*showdowns.due(showdowns.showdown([*seats, *holders], *dealers))]

    once = shown(other)
    if not once:
        return
    rank = ranks.index(str(once[0].step.row))
    compiled.envy_ranks[number] = rank
    for folded, dues in enumerate((once, shown(other, multiple=0))):
        for due in dues:
            compiled.envy_nets[_bettor_index(bettors, due), folded, rank] = _signed(due)
    replace = msgspec.structs.replace
    own = (
        due for each in bettors for due in shown(replace(other, player=each.player)) if _belongs_to(due, each)
    )
    compiled.envied[:] = True, bool(shown(replace(other, standing=MUCKED)))
    compiled.switches[GameSwitch.SEVERAL_ENVIED] = len(shown(other, replace(other, position=-2))) > len(once)
    compiled.switches[GameSwitch.OWN_ENVIED] = any(own)
    compiled.switches[GameSwitch.DEALER_ENVIED] = bool(shown(dealer=hand))


def _bettor_index(bettors: Sequence[Bettor], due: PendingStep) -> int:
    return next(index for index, each in enumerate(bettors) if _belongs_to(due, each))


def _belongs_to(due: PendingStep, bettor: Bettor) -> bool:
    return due.step.position == bettor.position
