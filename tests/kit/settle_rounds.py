"""Finished rounds as lines of a file: a valid one of each rulebook, changed ones, and their answers."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.dealer_script import DealerAction
from fourcard.dealing import BONUS
from fourcard.round.commands import Fold, PlaceWagers, Play
from fourcard.round.events import ActPerformed, AwardPaid, WagersSettled
from fourcard.round.preconditions import positions_to_decide
from fourcard.rules.game import Game
from fourcard.rules.submission import ShufflerChoice
from fourcard.settle_files.reader import FinishedRound, read_round
from fourcard.settle_files.settle import SettleAnswer, answer_line
from fourcard.settlers.showdown import DEALER
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.table.table_driver import Table
from tests.kit.deals import laid
from tests.kit.support import game_under
from tests.kit.tables import stack

OPTIONS: dict[str, dict[str, Any]] = {
    "massachusetts": {"aces_up": "I", "cover_all": "matrix", "progressive": "A"},
    "shuffle-master": {
        "aces_up": "FCP-01",
        "automatic_bonus": "FCP-01",
        "bad_beat": "BBB-01",
        "progressive": "1",
    },
    "maryland": {"aces_up": "A", "six_card": "A", "progressive": "A"},
    "washington": {
        "aces_up": "FCP-01",
        "automatic_bonus": "FCP-01",
        "bad_beat": "BBB-01",
        "progressive": "1",
    },
    "catfish-bend": {"aces_up": "standard"},
}
"""By rulebook, every wager with one of its paytables."""
WEAK = "Td 9h 7h 5d 4s 2d"
"""A dealer's hand of ten high."""
KINGS = "Kc Kd 9h 5d 4s 2d"
TRIP_KINGS = "Kc Kd Kh 9h 4s 2d"
QUAD_KINGS = "Kc Kd Kh Ks 9h 2d"
ACES = "As Ah 8d 7c 3c"
JACKS = "Js Jh 8d 7c 3c"
TRIPS = "Js Jh Jd 7c 3c"
STRAIGHT_FLUSH = "8s 7s 6s 5s Jd"
QUADS = "Js Jh Jd Jc 3c"
QUAD_ACES = "As Ah Ad Ac 3c"
NOTHING = "Qs Th 8c 6c 3c"


def seat(cards: str, position: int = 1, **wagers: Any) -> dict[str, Any]:
    """Return a seat; ``play``, ``player``, ``left`` and ``presented`` may stand among the wagers."""
    aside: dict[str, Any] = {
        key: wagers.pop(key) for key in ("play", "player", "left", "presented") if key in wagers
    }
    return {"position": position, "cards": cards, "wagers": wagers, **aside}


def line(rulebook: str, *seats: dict[str, Any], dealer: str = WEAK, **more: Any) -> dict[str, Any]:
    """Return a round; keywords that are not keys of a round become options."""
    keys = ("id", "edition", "settings", "bonus_card", "meter", "reset", "void")
    aside = {key: more.pop(key) for key in keys if key in more}
    offered = dict(OPTIONS[rulebook])
    if aside.get("edition") == "existing":
        offered.pop("six_card")
    options = {key: value for key, value in {**offered, **more}.items() if value is not None}
    return {"rulebook": rulebook, "options": options, "seats": list(seats), "dealer": dealer, **aside}


def settled(rulebook: str, *seats: dict[str, Any], **more: Any) -> SettleAnswer:
    """Return the answer to a valid round."""
    answer = answer_line(json.dumps(line(rulebook, *seats, **more)))
    assert isinstance(answer, SettleAnswer), msgspec.to_builtins(answer)
    return answer


def refused(rulebook: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the refusal of an invalid round."""
    answer = answer_line(json.dumps(line(rulebook, *seats, **more)))
    assert not isinstance(answer, SettleAnswer), "the round was settled"
    refusal: dict[str, Any] = msgspec.to_builtins(answer.refused)
    return refusal


def net(rulebook: str, *seats: dict[str, Any], **more: Any) -> dict[str, int]:
    """Return the first seat's net result by wager, without the wagers that came out even."""
    first = settled(rulebook, *seats, **more).seats[0]
    return {name: amount for name, amount in first.net.items() if amount}


def order(answer: SettleAnswer) -> list[str]:
    """Return the steps in order as short words, such as ``2 take ante``."""
    return [f"{step.position} {step.action} {step.wager}" for step in answer.steps]


def performed(
    rulebook: str, *seats: dict[str, Any], rules: Mapping[str, object] | None = None, **more: Any
) -> list[DealerAction | SettlementStep]:
    """Play a round at a table, and return what the dealer did after the last decision.

    ``rules`` are values of the rulebook that are others than printed.
    """
    extra = {BONUS: more["bonus_card"]} if "bonus_card" in more else {}
    offered = more if extra else {**more, "six_card": None}
    played: FinishedRound = read_round(json.dumps(line(rulebook, *seats, **offered)))
    at = Table(_dealt_by_machine(game_under(played.game, **(rules or {}))), meter=played.meter)
    for each in played.seats:
        at.seat(each.position, str(each.player or f"p{each.position}"))
    at.begin()
    hands = {DEALER: more.get("dealer", WEAK), **{each["position"]: each["cards"] for each in seats}}
    laid(at, stack(at.game, hands | extra, at.state.seats))
    for each in played.seats:
        at.do(PlaceWagers(position=each.position, wagers=each.wagers))
    plays = {each.position: each.play for each in played.seats}
    done: list[DealerAction | SettlementStep] = []
    while (state := at.state.round) is not None:
        command = at.next_command()
        if command is None:
            position = positions_to_decide(state)[0]
            amount = plays[position]
            command = Play(position=position, amount=amount) if amount else Fold(position=position)
        for event in at.do(command):
            if isinstance(event, ActPerformed | WagersSettled | AwardPaid):
                done += event.steps
            if isinstance(event, ActPerformed):
                done += event.actions
    return done


def _dealt_by_machine(game: Game) -> Game:
    """Return a game whose cards a machine shuffles and deals, as some wagers require."""
    chosen = game.submission
    dealing = replace(chosen.dealing, method="automated")
    machine = ShufflerChoice(maker="Shuffle Master", model="i-Deal")
    return replace(game, submission=replace(chosen, dealing=dealing, shuffler=machine))


def acts(done: list[DealerAction | SettlementStep]) -> list[str]:
    """Return actions and steps in order as short words, such as ``2 reveal_hand`` or ``2 take ante``."""
    return [
        f"{each.position} {each.act}"
        if isinstance(each, DealerAction)
        else f"{each.position} {each.action} {each.wager}"
        for each in done
    ]
