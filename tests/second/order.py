"""Settlement order checks: the order, amounts and origins of steps that the sources require."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from tests.second.settlement import WAGERS, SecondRound, SecondSeat, progressive_lost, settled_round

Step = dict[str, Any]
LAST = ("envy", "cover_all")  # SM-PROG-10c.1, WA-PROG-9c.1, P43, MA-12j
DEALERS_ORDER = {"play": 1, "ante": 2, "aces_up": 3, "bad_beat": 4}  # SM-DEAL-6.3, WA-DEAL-6.3, R42
WAGER_ORDER: dict[str, dict[str, int]] = {
    "massachusetts": {},  # MA-10e1iii: not stated
    "shuffle-master": DEALERS_ORDER,
    "washington": DEALERS_ORDER,
    "maryland": {  # MD-11D4cii, MD-11D5, MD-11D7, MD-11D8, MD-11D10ei
        "ante": 1,
        "play": 1,
        "automatic_bonus": 1,
        "aces_up": 2,
        "six_card": 3,
        "progressive": 4,
        "envy": 5,
    },
    "catfish-bend": {"play": 1, "automatic_bonus": 2, "ante": 3, "aces_up": 4},  # IA-COMP-5.1
}


def order_problems(line: dict[str, Any], steps: list[Step]) -> list[str]:
    """List every violation of the sources and rulings in the steps of an answer to a valid line."""
    malformed = [problem for step in steps for problem in _shape_problems(line, step)]
    if malformed:
        return malformed
    game = settled_round(line)
    if game.void:
        return [*_net_problems(game, steps)]
    return [*_net_problems(game, steps), *_total_problems(game, steps), *_sequence_problems(game, steps)]


def _shape_problems(line: dict[str, Any], step: Step) -> Iterable[str]:
    if step["position"] not in {seat["position"] for seat in line["seats"]}:
        yield f"nobody sits at position {step['position']}"
    if step["wager"] not in WAGERS:
        yield f"no such wager: {step['wager']}"
    if type(step["amount"]) is not int or step["amount"] < 0:
        yield f"an amount of {step['amount']!r}"
    origins = {"take": {"player"}, "pay": {"tray", "meter"}}.get(step["action"], set())
    if step["from"] not in origins:
        yield f"{step['action']!r} from {step['from']!r}"


def _sums(steps: Iterable[Step]) -> dict[tuple[int, str, str], int]:
    sums: dict[tuple[int, str, str], int] = defaultdict(int)
    for step in steps:
        sums[step["position"], step["wager"], step["from"]] += step["amount"]
    return sums


def _net_problems(game: SecondRound, steps: list[Step]) -> Iterable[str]:
    sums = _sums(steps)
    for seat in game.seats:
        for wager in WAGERS:
            place = (seat.position, wager)
            net = sums[*place, "tray"] + sums[*place, "meter"] - sums[*place, "player"]
            if net != seat.outcomes[wager].net:
                yield f"{_name(*place)}: the steps give {net}, not {seat.outcomes[wager].net}"


def _total_problems(game: SecondRound, steps: list[Step]) -> Iterable[str]:
    """Compare what is taken and what tray and meter pay (MD-11D10di, SM-PROG-9a, WA-PROG-8b, R59, R96)."""
    sums = _sums(steps)
    for seat in game.seats:
        for wager, outcome in seat.outcomes.items():
            expected = {"player": outcome.taken, "tray": outcome.from_tray, "meter": outcome.from_meter}
            for origin, amount in expected.items():
                found = sums[seat.position, wager, origin]
                if found != amount:
                    yield f"{_name(seat.position, wager)}: {found} from the {origin}, not {amount}"


def _name(position: int, wager: str) -> str:
    return f"position {position}, {wager}"


def _step_name(step: Step) -> str:
    return f"{step['action']} {step['wager']} of position {step['position']}"


def _sequence_problems(game: SecondRound, steps: list[Step]) -> Iterable[str]:
    seats = {seat.position: seat for seat in game.seats}
    staying = [step for step in steps if not seats[step["position"]].left]  # no source orders R36
    first = _length_of_start(game, seats, staying)
    rest = staying[first:]
    if game.rulebook == "maryland":  # R54
        rest = [{**step, "position": step["holder"]} if step["wager"] == "envy" else step for step in rest]
    last = ("cover_all",) if game.rulebook == "maryland" else LAST
    winners = _winners_after_all(game, rest)
    rest = [step for step in rest if step not in winners]
    body = [step for step in rest if step["wager"] not in last]
    yield from _late_forfeits(game, seats, rest)
    yield from _early_last_wagers(rest, last)
    yield from _early_winners(game, staying, winners, last)
    yield from _awards_before_stakes(steps)
    if game.rulebook == "massachusetts" and game.options.get("routine") == "by-procedure":
        yield from _by_procedure(body)
    else:
        yield from _falling_positions(
            body, "players are settled from the dealer's right, one after the other"
        )
        yield from _wager_order(game.rulebook, body)


def _forfeited(game: SecondRound, seat: SecondSeat, wager: str) -> bool:
    """Return whether a fold forfeits a wager: Ante, and progressive where it is lost (MD-11C3.1, R48)."""
    return seat.folded and (wager == "ante" or (wager == "progressive" and progressive_lost(game, seat)))


def _length_of_start(game: SecondRound, seats: dict[int, SecondSeat], steps: list[Step]) -> int:
    """Count the first steps that only collect wagers before the hands are compared.

    These are forfeited wagers (MA-10c.1, SM-DEAL-4.1, MD-11D1, WA-DEAL-4.1, IA-COMP-2.5), and, where the
    dealer likes, progressive stakes, in the tray since before the deal, and Bad Beats of folded hands (R39).
    """
    for place, step in enumerate(steps):
        seat, wager = seats[step["position"]], step["wager"]
        ready = (
            _forfeited(game, seat, wager) or wager == "progressive" or (wager == "bad_beat" and seat.folded)
        )
        if step["action"] != "take" or not ready:
            return place
    return len(steps)


def _late_forfeits(game: SecondRound, seats: dict[int, SecondSeat], rest: list[Step]) -> Iterable[str]:
    for step in rest:
        if _forfeited(game, seats[step["position"]], step["wager"]):
            yield f"{_step_name(step)}: forfeited, yet collected after other wagers were settled"


def _winners_after_all(game: SecondRound, steps: list[Step]) -> list[Step]:
    """Return what several meter winners are paid, where internal controls order them (SM-APP-A.2)."""
    if game.options.get("winner_order", "settlement") == "settlement":
        return []
    from_meter = game.options.get("fixed_awards") == "meter"
    paid = [step for step in steps if step["wager"] == "progressive" and step["action"] == "pay"]
    winners = [step for step in paid if from_meter or step["odds"].endswith("of meter")]
    return winners if len({step["position"] for step in winners}) > 1 else []


def _early_winners(
    game: SecondRound, steps: list[Step], winners: list[Step], last: Sequence[str]
) -> Iterable[str]:
    """Compare their places: after all positions, before Envy, and in the order that the house names."""
    for step, following in pairwise(steps):
        if step in winners and following not in winners and following["wager"] not in last:
            yield f"{_step_name(step)}: before {_step_name(following)}, though winners come after all"
    rows = [*game.table("progressive")] if winners else []
    for step, following in pairwise(winners):
        higher = rows.index(step["row"]) - rows.index(following["row"])
        by_row = higher or following["position"] - step["position"]
        apart = step["position"] - following["position"]
        if (apart if game.options["winner_order"] == "dealer-left" else by_row) > 0:
            yield f"{_step_name(step)}: before {_step_name(following)}, against the order of the house"


def _early_last_wagers(rest: list[Step], last: Sequence[str]) -> Iterable[str]:
    for step, following in pairwise(rest):
        if step["wager"] in last and following["wager"] not in last:
            yield f"{_step_name(step)}: before {_step_name(following)}, though settled after all others"


def _awards_before_stakes(steps: list[Step]) -> Iterable[str]:
    paid: set[tuple[int, str]] = set()
    for step in steps:
        place = (step["position"], step["wager"])
        if step["action"] == "pay":
            paid.add(place)
        elif place in paid:
            yield f"{_step_name(step)}: the stake is taken after its award is paid"


def _falling_positions(steps: Sequence[Step], why: str) -> Iterable[str]:
    """Demand falling positions, which count from the dealer's left (MA-10e2, MD-11D4.0, IA-COMP-4.1)."""
    for step, following in pairwise(steps):
        if following["position"] > step["position"]:
            yield f"{_step_name(following)} after {_step_name(step)}: {why}"


def _by_procedure(body: list[Step]) -> Iterable[str]:
    """Demand that all losing wagers are collected from the right, then all winners paid (MA-10e1)."""
    won = {(step["position"], step["wager"]) for step in body if step["action"] == "pay"}
    pays = [step for step in body if step["action"] == "pay"]
    losers = [
        step for step in body if step["action"] == "take" and (step["position"], step["wager"]) not in won
    ]
    yield from _falling_positions(losers, "losing wagers are collected from the dealer's right")
    yield from _falling_positions(pays, "winning wagers are paid from the dealer's right")
    first_pay = next((place for place, step in enumerate(body) if step["action"] == "pay"), len(body))
    for step in body[first_pay:]:
        if step in losers:
            yield f"{_step_name(step)}: a losing wager is collected after a winner is paid"


def _wager_order(rulebook: str, body: list[Step]) -> Iterable[str]:
    by_position: dict[int, list[Step]] = defaultdict(list)
    for step in body:
        by_position[step["position"]].append(step)
    for steps in by_position.values():
        if rulebook == "catfish-bend":  # IA-COMP-5.2: takes losing wagers, then pays winning wagers
            yield from _takes_first(steps)
            yield from _rising_wagers(rulebook, [step for step in steps if step["action"] == "take"])
            yield from _rising_wagers(rulebook, [step for step in steps if step["action"] == "pay"])
        else:
            yield from _rising_wagers(rulebook, steps)


def _takes_first(steps: list[Step]) -> Iterable[str]:
    for step, following in pairwise(steps):
        if step["action"] == "pay" and following["action"] == "take":
            yield f"{_step_name(following)} after {_step_name(step)}: losers are taken before winners"


def _rising_wagers(rulebook: str, steps: list[Step]) -> Iterable[str]:
    places = WAGER_ORDER[rulebook]
    for step, following in pairwise([step for step in steps if step["wager"] in places]):
        if places[following["wager"]] < places[step["wager"]]:
            yield f"{_step_name(following)} after {_step_name(step)}: against the order of wagers"
