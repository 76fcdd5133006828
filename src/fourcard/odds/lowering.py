"""A Game lowered into arrays: what every wager of every position comes to, in cents, for kernels to look up.

No law is written here a second time. The wagers and the settler are asked: showdowns are made in which all
positions hold one kind of hand against a dealer who is lower, equal or higher, and what falls due then is
written down. A kernel finds the kind of a hand and whether its player won, tied, was beaten or folded, and
reads the net; what it settles agrees with ``fourcard settle`` because it came from there.
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
from fourcard.errors import BadInputError
from fourcard.hands import Hand
from fourcard.meter import Meter, pay, price
from fourcard.money import OddsKind
from fourcard.odds.rows import hands_by_strength, kind_of_strength, kinds
from fourcard.rules.game import Game
from fourcard.rules.nodes import WAGERS, WagerName
from fourcard.rules.options import MOST_CENTS
from fourcard.settling import Settler
from fourcard.wagers.cover_all import CoverAll
from fourcard.wagers.envy import Envy
from fourcard.wagers.progressive import Progressive
from fourcard.wagers.showdown import LIVE, MUCKED, Seat, Showdown
from fourcard.wagers.six_card import SixCard
from fourcard.wagers.wager import Due, odds_by_row

KINDS = 16
"""Room for every kind of four-card hand, five-card category, or best five of six cards with Super Royals."""
NO_RANK = KINDS
MULTIPLES = 4
RELATIONS = 3
STATES = 2 * RELATIONS
MOST_SHARE = (1 << 63) // MOST_CENTS
SIX_CARDS = (
    "As Kd Jh 9c 7s 5d", "As Ad Jh 9c 7s 5d", "As Ad Jh Jc 7s 5d", "As Ad Ah Jc 7s 5d", "As Kd Qh Jc Ts 2d",
    "As Js 9s 7s 3s 2d", "As Ad Ah Kc Ks 2d", "As Ad Ah Ac Ks 2d", "9s 8s 7s 6s 5s 2d", "As Ks Qs Js Ts 2d",
    "Ac Kc Qc Jc Tc 9c", "Ad Kd Qd Jd Td 9d", "Ah Kh Qh Jh Th 9h", "As Ks Qs Js Ts 9s",
)  # fmt: skip
"""Five cards of each category, which a sixth does not change, and the Super Royals by suit."""


class Column(IntEnum):
    """Where each wager stands in an array of nets."""

    ANTE, PLAY, AUTOMATIC_BONUS, ACES_UP, BAD_BEAT, SIX_CARD, COVER_ALL, PROGRESSIVE, ENVY = range(9)


class Relation(IntEnum):
    """How a player's hand stands to the dealer's; after a fold the same, ``RELATIONS`` further on."""

    WINS, TIES, BEATEN = range(3)


class Award(IntEnum):
    """How the meter has a part in an award."""

    NONE, WHOLE, SHARE, FIXED = range(4)


class Switch(IntEnum):
    """What is the same for the whole table."""

    FIVE_CARD_PROGRESSIVE, FIVE_CARD_ENVY, DEALER_COVERS, DEALER_ENVIED = range(4)
    OWN_ENVIED, SEVERAL_ENVIED = range(4, 6)
    LOW_ACE = 6
    """Whether five to ace is a straight for the Six Card Bonus (R28)."""


class Bettor(NamedTuple):
    """One position: who plays it, and what is staked there before the cards."""

    position: int
    player: str
    wagers: Mapping[WagerName, int]


class Lowered(NamedTuple):
    """A game and its bettors as arrays; seats in the order given."""

    kinds: NDArray[np.uint8]
    """The kind of hand of every strength."""
    made: NDArray[np.uint8]
    """By wager: whether anybody can win or lose on it."""
    antes: NDArray[np.int64]
    nets: NDArray[np.int64]
    """By seat, state, kind and wager; an award of the meter comes on top."""
    plays: NDArray[np.int64]
    """The Play's net by seat, multiple of the Ante, and relation."""
    awards: NDArray[np.int64]
    """The meter's part in a progressive award by seat, state and kind: how, and two figures."""
    meter: NDArray[np.int64]
    """What the meter shows when a round begins, and after the whole of it was won (R58)."""
    order: NDArray[np.int64]
    """Seats in the order in which the meter pays them."""
    owners: NDArray[np.int64]
    """The person at each seat, numbered."""
    covers: NDArray[np.uint8]
    """Whether a seat's hand counts for Cover All, live and folded (R43)."""
    cover_ranks: NDArray[np.uint8]
    """By kind: its place in the Cover All table, the best 0."""
    cover_nets: NDArray[np.int64]
    """By seat, live or folded, and place."""
    envy_ranks: NDArray[np.uint8]
    """By kind: its place in the Envy schedule, the best 0."""
    envied: NDArray[np.uint8]
    """Whether a hand wins Envy for others, live and folded (R51)."""
    envy_nets: NDArray[np.int64]
    """What a seat gets, live and folded, for another's hand of a place."""
    switches: NDArray[np.uint8]


def lower(game: Game, bettors: Sequence[Bettor], meter: int = 0, reset: int = 0) -> Lowered:
    """Return the arrays that settle rounds of these bettors, the meter at so many cents before each."""
    players = [*dict.fromkeys(bettor.player for bettor in bettors)]
    settler = Settler(game)
    seats = [_seat(settler, bettor, 1) for bettor in bettors]
    showdown = settler.showdown(seats, parse_cards(SIX_CARDS[0]), None)
    places = {bettor.position: index for index, bettor in enumerate(bettors)}
    lowered = Lowered(
        kinds=kind_of_strength(),
        made=np.array([any(name in seat.wagers for seat in seats) for name in WAGERS], np.uint8),
        antes=np.array([bettor.wagers.get("ante", 0) for bettor in bettors], np.int64),
        nets=np.zeros((len(bettors), STATES, KINDS, len(Column)), np.int64),
        plays=np.zeros((len(bettors), MULTIPLES, RELATIONS), np.int64),
        awards=np.zeros((len(bettors), STATES, KINDS, 3), np.int64),
        meter=np.array([meter, reset], np.int64),
        order=np.array([places[seat.position] for seat in showdown.seats], np.int64),
        owners=np.array([players.index(bettor.player) for bettor in bettors], np.int64),
        covers=np.zeros((len(bettors), 2), np.uint8),
        cover_ranks=np.full(KINDS, NO_RANK, np.uint8),
        cover_nets=np.zeros((len(bettors), 2, KINDS + 1), np.int64),
        envy_ranks=np.full(KINDS, NO_RANK, np.uint8),
        envied=np.zeros(2, np.uint8),
        envy_nets=np.zeros((len(bettors), 2, KINDS + 1), np.int64),
        switches=np.zeros(len(Switch), np.uint8),
    )
    _lower_own_hands(game, bettors, lowered)
    _lower_play(game, bettors, lowered)
    _lower_cover_all(game, bettors, lowered)
    _lower_envy(game, bettors, lowered)
    lowered.made[Column.AUTOMATIC_BONUS] = lowered.nets[..., Column.AUTOMATIC_BONUS].any()
    return lowered


@cache
def _hands_of(kind: int) -> tuple[Hand, ...]:
    return tuple(hand for hand in hands_by_strength() if hand.rows == kinds()[kind])


@cache
def _six(number: int, *, low_ace: bool = True) -> tuple[int, ...]:
    """Return the sample of a category, which must be one."""
    cards = parse_cards(SIX_CARDS[number])
    assert int(rank_five(cards[:5]).category) == min(number, FiveCardCategory.ROYAL_FLUSH)
    assert rows_of_six(cards, low_ace=low_ace)[-1] == rank_five(cards[:5]).category.text
    return cards


def _pair(kind: int, relation: Relation) -> tuple[Hand, Hand]:
    """Return a player's hand of a kind and a dealer's that stands so to it."""
    same, every = _hands_of(kind), hands_by_strength()
    return {
        Relation.WINS: (same[-1], every[0]),
        Relation.TIES: (same[0], same[0]),
        Relation.BEATEN: (same[0], every[-1]),
    }[relation]


def _seat(settler: Settler, bettor: Bettor, multiple: int) -> Seat:
    """Return a bettor's seat with the weakest hand, the Play a multiple of the Ante; 0 is a fold."""
    wagers = dict(bettor.wagers)
    ante = wagers.get("ante")
    play = None if ante is None else ante * multiple
    if play:
        wagers["play"] = play
    standing = settler.standing(bettor.wagers, play, left=False)
    cards = _six(0)[:5]
    return Seat(bettor.position, bettor.player, cards, hands_by_strength()[0], wagers, standing)


class _Showdowns:
    """Makes showdowns in which some wagers of a game fall due."""

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
        """Return the seats against a dealer, in the order of settling."""
        ordered = self.settler.showdown(seats, cards, bonus)
        return msgspec.structs.replace(ordered, dealer_hand=dealer)

    def due(self, showdown: Showdown) -> Iterator[Due]:
        """Yield what is booked, in order."""
        dues = self.settler.dues(showdown)
        for act, seat in self.settler.moments(showdown, money_only=True):
            yield from dues.falling(act, seat)

    def nets(self, showdown: Showdown) -> dict[int, int]:
        """Return what each position gains or loses in all."""
        found = {seat.position: 0 for seat in showdown.seats}
        for due in self.due(showdown):
            found[due.step.position] += _signed(due)
        return found


def _signed(due: Due) -> int:
    return due.step.amount if due.step.action == "pay" else -due.step.amount


OWN: tuple[WagerName, ...] = ("ante", "automatic_bonus", "aces_up", "bad_beat", "six_card", "progressive")
"""The wagers that a position's own hand and the dealer's decide."""


def _lower_own_hands(game: Game, bettors: Sequence[Bettor], lowered: Lowered) -> None:
    made = _Showdowns(game, *OWN)
    progressive, six = made.settler.wagers.get("progressive"), made.settler.wagers.get("six_card")
    if isinstance(progressive, Progressive):
        lowered.switches[Switch.FIVE_CARD_PROGRESSIVE] = progressive.five_cards
    low_ace = not isinstance(six, SixCard) or six.low_ace
    lowered.switches[Switch.LOW_ACE] = low_ace
    for number in range(len(SIX_CARDS)):
        *five, bonus = _six(number, low_ace=low_ace)
        kind = min(number, len(kinds()) - 1)
        for relation in Relation:
            hand, dealer = _pair(kind, relation)
            for folded in (0, 1):
                seats = made.seats(bettors, 1 - folded, hand, tuple(five))
                showdown = made.showdown(seats, dealer, _six(0), bonus)
                state = relation + RELATIONS * folded
                for due in made.due(showdown):
                    _note(lowered, bettors, due, state, number)
    _lower_bad_beat(game, bettors, lowered)


def _note(lowered: Lowered, bettors: Sequence[Bettor], due: Due, state: int, number: int) -> None:
    """Write down what fell due; samples past a wager's last kind only repeat it and are passed over."""
    column = WAGERS.index(due.step.wager)
    five = column == Column.SIX_CARD or (
        column == Column.PROGRESSIVE and lowered.switches[Switch.FIVE_CARD_PROGRESSIVE]
    )
    if not five and number >= len(kinds()):
        return
    seat = _index(bettors, due)
    if due.tier is None:
        lowered.nets[seat, state, number, column] += _signed(due)
        return
    odds, stake, source = due.tier.odds, due.tier.stake, due.tier.source
    pay(Meter(amount=0, seed=0), odds, stake, source)
    if odds.kind is not OddsKind.METER:
        lowered.awards[seat, state, number] = Award.FIXED, price(Meter(amount=0), odds, stake), 1
        return
    above, below = odds.value.as_integer_ratio()
    if above >= MOST_SHARE:
        raise BadInputError(f"The share {odds} has too many decimals to be simulated.")
    lowered.awards[seat, state, number] = Award.WHOLE if odds.value == 1 else Award.SHARE, above, below


def _lower_bad_beat(game: Game, bettors: Sequence[Bettor], lowered: Lowered) -> None:
    """Let the kind be that of the lower hand, whosever it is, for that is the one beaten (SM-BB-3c)."""
    if not lowered.made[Column.BAD_BEAT]:
        return
    made = _Showdowns(game, "bad_beat")
    for folded in (0, 1):
        for kind in range(len(kinds())):
            seats = made.seats(bettors, 1 - folded, hands_by_strength()[-1], _six(0)[:5])
            nets = made.nets(made.showdown(seats, _hands_of(kind)[0], _six(0)))
            state = Relation.WINS + RELATIONS * folded
            lowered.nets[:, state, kind, Column.BAD_BEAT] = [nets[each.position] for each in bettors]


def _lower_play(game: Game, bettors: Sequence[Bettor], lowered: Lowered) -> None:
    made = _Showdowns(game, "play")
    for multiple in range(1, MULTIPLES):
        for relation in Relation:
            hand, dealer = _pair(0, relation)
            nets = made.nets(made.showdown(made.seats(bettors, multiple, hand, _six(0)[:5]), dealer, _six(0)))
            lowered.plays[:, multiple, relation] = [nets[each.position] for each in bettors]


def _lower_cover_all(game: Game, bettors: Sequence[Bettor], lowered: Lowered) -> None:
    made = _Showdowns(game, "cover_all")
    wager = made.settler.wagers.get("cover_all")
    if not lowered.made[Column.COVER_ALL] or not isinstance(wager, CoverAll):
        return
    if not wager.rules.counts_dealt.value:
        raise BadInputError("Cover All can be simulated only where the hands dealt decide its column.")
    every = hands_by_strength()
    lowered.switches[Switch.DEALER_COVERS] = wager.rules.dealer_hand.value
    for folded in (0, 1):
        seats = made.seats(bettors, 1 - folded, every[0], _six(0)[:5])
        counted = {seat.position for seat in wager.counted(made.showdown(seats, every[0], _six(0)))}
        lowered.covers[:, folded] = [each.position in counted for each in bettors]
    for kind in range(len(kinds())):
        hand = _hands_of(kind)[0]
        live = made.seats(bettors, 1, hand, _six(0)[:5])
        showdown = made.showdown(live, hand, _six(0))
        ranks = [*odds_by_row(wager.column(showdown))]
        rows = [due.step.row for due in made.due(showdown) if due.step.row is not None]
        rank = ranks.index(rows[0]) if rows else NO_RANK
        lowered.cover_ranks[kind] = rank
        lowered.cover_nets[:, 0, rank] = [made.nets(showdown)[each.position] for each in bettors]
        for index, bettor in enumerate(bettors):
            left = [_seat(made.settler, bettor, 0)]
            beside = [seat for seat in live if seat.position != bettor.position]
            nets = made.nets(made.showdown([*left, *beside], hand, _six(0)))
            lowered.cover_nets[index, 1, rank] = nets[bettor.position]


def _lower_envy(game: Game, bettors: Sequence[Bettor], lowered: Lowered) -> None:
    """Let a further player show every kind of hand to the bettors."""
    made = _Showdowns(game, "envy")
    wager = made.settler.wagers.get("envy")
    if not isinstance(wager, Envy):
        return
    lowered.switches[Switch.FIVE_CARD_ENVY] = wager.five_cards
    for number in range(len(FiveCardCategory) if wager.five_cards else len(kinds())):
        hand = hands_by_strength()[0] if wager.five_cards else _hands_of(number)[0]
        cards = _six(number) if wager.five_cards else _six(0)
        _lower_envied(made, bettors, lowered, [*wager.rows], number, (hand, cards))
    several = len(set(lowered.owners.tolist())) > 1 or lowered.switches[Switch.OWN_ENVIED]
    possible = several or lowered.switches[Switch.DEALER_ENVIED]
    lowered.made[Column.ENVY] = bool(possible and lowered.envy_nets.any())


def _lower_envied(
    made: _Showdowns,
    bettors: Sequence[Bettor],
    lowered: Lowered,
    ranks: list[str],
    number: int,
    held: tuple[Hand, tuple[int, ...]],
) -> None:
    """Write down what one kind of hand wins for others: live, folded, twice, one's own, the dealer's."""
    hand, cards = held
    other = Seat(-1, "", cards[:5], hand, {}, LIVE)

    def shown(*holders: Seat, multiple: int = 1, dealer: Hand | None = None) -> list[Due]:
        weakest = hands_by_strength()[0]
        seats = made.seats(bettors, multiple, weakest, _six(0)[:5])
        dealers = (weakest, _six(0)) if dealer is None else (dealer, cards)
        return [*made.due(made.showdown([*seats, *holders], *dealers))]

    once = shown(other)
    if not once:
        return
    rank = ranks.index(str(once[0].step.row))
    lowered.envy_ranks[number] = rank
    for folded, dues in enumerate((once, shown(other, multiple=0))):
        for due in dues:
            lowered.envy_nets[_index(bettors, due), folded, rank] = _signed(due)
    replace = msgspec.structs.replace
    own = (due for each in bettors for due in shown(replace(other, player=each.player)) if _is_of(due, each))
    lowered.envied[:] = True, bool(shown(replace(other, standing=MUCKED)))
    lowered.switches[Switch.SEVERAL_ENVIED] = len(shown(other, replace(other, position=-2))) > len(once)
    lowered.switches[Switch.OWN_ENVIED] = any(own)
    lowered.switches[Switch.DEALER_ENVIED] = bool(shown(dealer=hand))


def _index(bettors: Sequence[Bettor], due: Due) -> int:
    return next(index for index, each in enumerate(bettors) if _is_of(due, each))


def _is_of(due: Due, bettor: Bettor) -> bool:
    return due.step.position == bettor.position
