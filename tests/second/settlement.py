"""Second settlement of finished rounds: slow and simple, written only from the sources and rulings."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec

from tests.second import tables
from tests.second.hands import (
    SecondHand,
    best_five,
    best_four,
    cards_of,
    rows_cover_all,
    rows_four,
    super_royal,
)
from tests.second.tables import SecondAward, Table

WAGERS = (
    "ante",
    "play",
    "automatic_bonus",
    "aces_up",
    "six_card",
    "progressive",
    "envy",
    "bad_beat",
    "cover_all",
)
STAKED = ("ante", "aces_up", "six_card", "progressive", "bad_beat", "cover_all")
BAD_BEAT_HANDS = ("two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind")
ROUNDINGS: dict[str, Callable[[Fraction], int]] = {
    "down": math.floor,
    "up": math.ceil,
    "nearest": lambda cents: math.floor(cents + Fraction(1, 2)),
    "half_up": lambda cents: math.floor(cents + Fraction(1, 2)),
    "half_even": round,
}


class SettledWager(msgspec.Struct):
    """What happens to one wager at one position: cents taken, and cents paid from tray and meter."""

    taken: int = 0
    from_tray: int = 0
    from_meter: int = 0

    @property
    def net(self) -> int:
        """What the player gained or lost."""
        return self.from_tray + self.from_meter - self.taken


class SecondSeat(msgspec.Struct, dict=True):
    """One position with its cards and its wagers."""

    position: int
    person: str
    cards: list[str]
    stakes: dict[str, int]
    play: int
    left: bool
    presented: list[str]
    outcomes: dict[str, SettledWager] = msgspec.field(
        default_factory=lambda: {wager: SettledWager() for wager in WAGERS}
    )

    @cached_property
    def hand(self) -> SecondHand:
        """The best four of the position's cards, or the four that its player presented (R27)."""
        return best_four(self.presented or self.cards)

    @cached_property
    def best(self) -> SecondHand:
        """The best four of all five cards."""
        return best_four(self.cards)

    @property
    def folded(self) -> bool:
        """Whether an Ante stands without a Play."""
        return self.stakes["ante"] > 0 and self.play == 0

    @property
    def in_contest(self) -> bool:
        """Whether the position still plays against the dealer."""
        return self.play > 0 and not self.left


class SecondRound(msgspec.Struct):
    """A round of a line, and its settlement so far."""

    rulebook: str
    edition: str
    options: dict[str, Any]
    settings: dict[str, Any]
    seats: list[SecondSeat]
    dealer: SecondHand
    bonus_card: list[str]
    meter: int | None
    reset: int | None
    void: bool

    def table(self, wager: str) -> Table:
        """Return the paytable that the line's options select for a wager; empty if there is none."""
        option = self.options.get(wager)
        if option is None and wager == "automatic_bonus":
            option = self._default_bonus()
        if option is None:
            return {}
        if isinstance(option, dict):
            return tables.inline(option)
        return tables.paytable(self.rulebook, self.edition, wager, str(option))

    def _default_bonus(self) -> Any:
        if "standard" in tables.table_ids(self.rulebook, self.edition, "automatic_bonus"):
            return "standard"
        return self.options.get("aces_up") if self.rulebook == "washington" else None  # R98: one number

    def cents(self, exact: Fraction) -> int:
        """Round to whole cents as the line says; by default down (R33)."""
        name = self.options.get("rounding", self.settings.get("rounding", "down"))
        return ROUNDINGS[name.replace("-", "_")](exact)


def read_round(line: dict[str, Any]) -> SecondRound:
    """Read the round of a valid line."""
    rulebook = line["rulebook"]
    return SecondRound(
        rulebook=rulebook,
        edition=line.get("edition") or tables.EDITIONS[rulebook][-1],
        options=line.get("options") or {},
        settings=line.get("settings") or {},
        seats=[_read_seat(seat) for seat in line["seats"]],
        dealer=best_four(cards_of(line["dealer"])),
        bonus_card=cards_of(line.get("bonus_card") or ""),
        meter=line.get("meter"),
        reset=line.get("reset"),
        void=bool(line.get("void")),
    )


def _read_seat(seat: dict[str, Any]) -> SecondSeat:
    player = seat.get("player")
    return SecondSeat(
        position=seat["position"],
        person=f"alone at {seat['position']}" if player is None else f"player {player}",
        cards=cards_of(seat["cards"]),
        stakes={wager: (seat.get("wagers") or {}).get(wager, 0) for wager in STAKED},
        play=seat.get("play") or 0,
        left=bool(seat.get("left")),
        presented=cards_of(seat.get("presented") or ""),
    )


def _row(table: Table, names: list[str]) -> SecondAward | None:
    return next((table[name] for name in names if name in table), None)


def _pay(game: SecondRound, stake: int, award: SecondAward | None) -> SettledWager:
    """Settle a stake by its row: lost without one; "for" pays gross and its stake is taken."""
    if not stake:
        return SettledWager()
    if award is None:
        return SettledWager(taken=stake)
    if award.kind == "cents":  # R93: the fixed sum is won and the stake kept
        return SettledWager(from_tray=game.cents(award.amount))
    return SettledWager(taken=stake if award.kind == "for" else 0, from_tray=game.cents(stake * award.amount))


def _even_money(stake: int, wins: bool) -> SettledWager:
    return SettledWager(from_tray=stake) if wins else SettledWager(taken=stake)


def settle_contest(game: SecondRound, seat: SecondSeat) -> None:
    """Settle Ante, Play and Automatic Bonus (MA-11a1, SM-W1-9, MD-12A, WA-W1-9, IA-PAY-1.2; ties win)."""
    wins = seat.in_contest and seat.hand.strength >= game.dealer.strength
    seat.outcomes["ante"] = _even_money(seat.stakes["ante"], wins)
    seat.outcomes["play"] = _even_money(seat.play, wins)
    bonus = _row(game.table("automatic_bonus"), rows_four(seat.hand)) if seat.in_contest else None
    if bonus:  # on a loss too (R2), but never without a Play (R32)
        seat.outcomes["automatic_bonus"] = _pay(game, seat.stakes["ante"], bonus)


def settle_aces_up(game: SecondRound, seat: SecondSeat) -> None:
    """Settle Aces Up, whatever the dealer holds, on a fold too (MA-1-AU.3, R1)."""
    paid = None if seat.left else _row(game.table("aces_up"), rows_four(seat.best))
    seat.outcomes["aces_up"] = _pay(game, seat.stakes["aces_up"], paid)


def settle_bad_beat(game: SecondRound, seat: SecondSeat) -> None:
    """Settle Bad Beat by the hand beaten, two pair or better (SM-BB-3a to 3c, WA-BB-2a, WA-BB-2b)."""
    beaten: SecondHand | None = None
    if seat.in_contest:  # R39: a fold loses
        if seat.hand.strength < game.dealer.strength:
            beaten = seat.hand
        elif seat.hand.strength > game.dealer.strength or game.settings.get("bad_beat_tie") == "wins":  # R40
            beaten = game.dealer
    qualifies = beaten is not None and beaten.category in BAD_BEAT_HANDS
    paid = _row(game.table("bad_beat"), rows_four(beaten)) if beaten and qualifies else None
    seat.outcomes["bad_beat"] = _pay(game, seat.stakes["bad_beat"], paid)


def settle_six_card(game: SecondRound, seat: SecondSeat) -> None:
    """Settle Six Card Bonus: best five of six, Super Royal on all six, on a fold too (MD-07E5.1, MD-11C2)."""
    if not seat.stakes["six_card"]:
        return
    six = [*seat.cards, *game.bonus_card]
    suit = super_royal(six)
    low_ace = game.settings.get("six_card_low_ace", True) not in {False, "no", "off", "false"}
    names = [f"super_royal_{suit}"] if suit else [best_five(six, low_ace)]
    paid = None if seat.left else _row(game.table("six_card"), names)
    seat.outcomes["six_card"] = _pay(game, seat.stakes["six_card"], paid)


def progressive_lost(game: SecondRound, seat: SecondSeat) -> bool:
    """Return whether the progressive is lost whatever the hand (MD-11C3.1, R48, R36)."""
    live = game.settings.get("progressive_on_fold") == "live" and game.rulebook != "maryland"
    return seat.left or (seat.folded and not live)


def _winner_order(
    game: SecondRound, table: Table, awards: Mapping[int, SecondAward | None]
) -> Callable[[SecondSeat], tuple[int, int]]:
    """Return from the dealer's right, or the order that internal controls name (SM-APP-A.2, WA-PROG-8c.2)."""
    order, worth = game.options.get("winner_order"), [*table.values()]

    def place(seat: SecondSeat) -> tuple[int, int]:
        award = awards[seat.position]
        if order == "dealer-left":
            return seat.position, 0
        rank = worth.index(award) if order == "highest-hand" and award else 0
        return rank, -seat.position

    return place


def settle_progressives(game: SecondRound) -> None:
    """Settle the progressive in order of winners, at the meter as it stands (MA-13a4, MD-12D4, R58)."""
    table = game.table("progressive")
    five_cards = "royal_flush" in table  # R8: paytable C is judged on five cards
    awards = {}
    for seat in game.seats:
        names = [best_five(seat.cards)] if five_cards else rows_four(seat.hand)
        awards[seat.position] = None if progressive_lost(game, seat) else _row(table, names)
    for seat in sorted(game.seats, key=_winner_order(game, table, awards)):
        stake, award = seat.stakes["progressive"], awards[seat.position]
        if stake and award and award.kind == "share":
            seat.outcomes["progressive"] = _pay_share(game, stake, award.amount)
        else:
            seat.outcomes["progressive"] = _pay_fixed(game, _pay(game, stake, award))


def _pay_share(game: SecondRound, stake: int, share: Fraction) -> SettledWager:
    """Pay a share of the meter in whole cents (R57, R97); after all of it the meter shows the reset."""
    if game.meter is None:
        raise ValueError("a share of the meter is won, and the line has no meter")
    amount = math.floor(game.meter * share)
    if share == 1:
        game.meter = _required(game.reset)
        return SettledWager(taken=stake, from_meter=amount)
    game.meter -= amount  # R60: whichever of the two hands it over
    if game.settings.get("part_share_from", "meter") == "tray":
        return SettledWager(taken=stake, from_tray=amount)
    return SettledWager(taken=stake, from_meter=amount)


def _required(reset: int | None) -> int:
    if reset is None:
        raise ValueError("all of the meter is won, and the line has no reset")
    return reset


def _pay_fixed(game: SecondRound, outcome: SettledWager) -> SettledWager:
    """Pay a fixed award, from the tray, or from the meter down to nothing and then the tray (R19, R59)."""
    if game.options.get("fixed_awards") != "meter" or game.meter is None:
        return outcome
    from_meter = min(game.meter, outcome.from_tray)
    game.meter -= from_meter
    return SettledWager(outcome.taken, outcome.from_tray - from_meter, from_meter)


def settle_envy(game: SecondRound) -> None:
    """Pay one Envy for each qualifying hand of another person, from the tray (R50 to R53, R96)."""
    table_id = game.options.get("envy") or game.options.get("progressive")
    shown = [seat for seat in game.seats if not seat.folded and not seat.left]  # R51
    for receiver in game.seats:
        stake = receiver.stakes["progressive"]
        if not stake or receiver.left:
            continue
        table = tables.envy(game.rulebook, str(table_id), stake)
        won = [_row(table, _envy_rows(seat, table)) for seat in shown if seat.person != receiver.person]
        total = sum((award.amount for award in won if award), Fraction(0))
        receiver.outcomes["envy"] = SettledWager(from_tray=game.cents(total))


def _envy_rows(seat: SecondSeat, table: Table) -> list[str]:
    return [best_five(seat.cards)] if "royal_flush" in table else rows_four(seat.hand)


def settle_cover_all(game: SecondRound) -> None:
    """Settle Cover All by the highest hand on the table, in the order of its matrix (MA-12b, MA-12g, R25)."""
    if not any(seat.stakes["cover_all"] for seat in game.seats):
        return
    counting = [seat.hand for seat in game.seats if not seat.folded or seat.stakes["aces_up"]]  # R43
    held = {name for hand in [game.dealer, *counting] for name in rows_cover_all(hand)}
    table = tables.cover_all(len(game.seats))
    highest = next((row for row in table if row in held), None)
    for seat in game.seats:
        paid = table[highest] if highest else None
        seat.outcomes["cover_all"] = _pay(game, seat.stakes["cover_all"], paid)


def settled_round(line: dict[str, Any]) -> SecondRound:
    """Settle every wager of a valid line; a void round settles nothing (R69)."""
    game = read_round(line)
    if game.void:
        return game
    for seat in game.seats:
        for settle_wager in (settle_contest, settle_aces_up, settle_bad_beat, settle_six_card):
            settle_wager(game, seat)
    settle_progressives(game)
    settle_envy(game)
    settle_cover_all(game)
    return game


def _shown(hand: SecondHand) -> dict[str, Any]:
    return {"hand": hand.category, "best": " ".join(hand.cards)}


def _missed(seat: SecondSeat) -> dict[str, str]:
    """Return the better hand that a player could have presented (R27)."""
    better = seat.best.strength > seat.hand.strength
    return {"could_have_set": " ".join(seat.best.cards)} if better else {}


def settle(line: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a valid line, without its steps."""
    game = settled_round(line)
    seats = [
        {
            "position": seat.position,
            **_shown(seat.hand),
            "net": {wager: seat.outcomes[wager].net for wager in WAGERS},
            **_missed(seat),
        }
        for seat in game.seats
    ]
    return {"id": line["id"], "seats": seats, "dealer": _shown(game.dealer), "meter": game.meter}
