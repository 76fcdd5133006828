"""Finished rounds as lines of a file: a valid one of each rulebook, changed ones, and their answers."""

import json
from typing import Any

import msgspec

from fourcard.dealer_script import DealerAction, settlement_script
from fourcard.settle_files.reader import FinishedRound, read_round
from fourcard.settle_files.settle import SettleAnswer, answer_line
from fourcard.settlers.wager_settler import SettlementStep

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


def performed(rulebook: str, *seats: dict[str, Any], **more: Any) -> list[DealerAction | SettlementStep]:
    """Return the dealer's script of a round."""
    played: FinishedRound = read_round(json.dumps(line(rulebook, *seats, **more)))
    assert played.showdown is not None
    return list(settlement_script(played.settler, played.showdown, played.meter))


def acts(done: list[DealerAction | SettlementStep]) -> list[str]:
    """Return actions and steps in order as short words, such as ``2 reveal_hand`` or ``2 take ante``."""
    return [
        f"{each.position} {each.act}"
        if isinstance(each, DealerAction)
        else f"{each.position} {each.action} {each.wager}"
        for each in done
    ]
