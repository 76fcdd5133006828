"""Play prompts: ask for wagers before the deal, and for a decision after it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourcard.cli.output import parse_typed_dollars
from fourcard.money import MoneyError, dollars
from fourcard.round.commands import Fold, PlaceWager, Play
from fourcard.rules.checks.finding import join_or
from fourcard.rules.cited import LIMITED_WAGERS, WAGER_LABELS, WagerName
from fourcard.rules.limits import plays_allowed, positions_refusal, prerequisite_refusal

if TYPE_CHECKING:
    from fourcard.cli.play_session import PlaySession
    from fourcard.table.table_driver import PlayerSpot

PLACED: tuple[WagerName, ...] = (*LIMITED_WAGERS, "progressive")
YES, NONE, FOLDS = ("", "y", "yes"), ("0", "n", "no", "none", "-"), ("f", "fold")


def ask_wagers(visit: "PlaySession") -> None:
    """Ask for the wagers of each of the player's positions, until at least one can be dealt in."""
    while True:
        for position in visit.positions:
            _ask_position(visit, position)
        if _can_be_dealt_in(visit):
            return
        visit.take_back()


def _can_be_dealt_in(visit: "PlaySession") -> bool:
    """Return whether the player's positions with wagers can be dealt in; if not, print why."""
    if not visit.dealt_in:
        visit.screen.refuse("Place an Ante or an Aces Up wager to be dealt in, or enter q to leave.")
        return False
    refusal = positions_refusal(visit.table.game, visit.dealt_in)
    if refusal is not None:
        visit.screen.refuse(refusal.message, refusal.clauses)
    return refusal is None


def _ask_position(visit: "PlaySession", position: int) -> None:
    """Offer the last wagers again, or ask for each wager; without enough money a position sits out."""
    where = f" at {position}" if len(visit.positions) > 1 else ""
    last = visit.placed.pop(position, None) or visit.last.get(position)
    if visit.money_left < visit.least_dealt_in:
        visit.screen.say(f"You have {dollars(visit.money_left)} left, so position {position} sits out.")
        return
    if last and _repeats(visit, position, last, where):
        visit.placed[position] = last
        return
    placed: dict[WagerName, int] = {}
    for name in _open_to(visit, placed):
        amount = _ask_wager(visit, position, name, where)
        if amount:
            placed[name] = amount
    visit.placed[position] = placed


def _open_to(visit: "PlaySession", placed: dict[WagerName, int]) -> Iterator[WagerName]:
    """Yield the offered wagers, without those that need another wager that was not placed."""
    game = visit.table.game
    for name in PLACED:
        if game.offers(name) and prerequisite_refusal(game, name, [*placed, name]) is None:
            yield name


def _repeats(visit: "PlaySession", position: int, last: dict[WagerName, int], where: str) -> bool:
    """Offer the wagers of the last round again, and return whether they were placed."""
    same = ", ".join(f"{WAGER_LABELS[name]} {dollars(amount)}" for name, amount in last.items())
    if sum(last.values()) > visit.money_left:
        return False
    if visit.screen.ask(f"{same}{where} again? Enter for yes, n to change:").lower() not in YES:
        return False
    for name, amount in last.items():
        visit.do(PlaceWager(position=position, wager=name, amount=amount))
    return True


def _ask_wager(visit: "PlaySession", position: int, name: WagerName, where: str) -> int:
    """Ask for one wager until the answer is valid; an empty answer is the minimum Ante, or no side wager."""
    default = visit.least("ante") if name == "ante" and visit.money_left >= visit.least("ante") else 0
    while True:
        shown = dollars(default) if default else "none"
        answer = visit.screen.ask(f"{WAGER_LABELS[name]}{where}, in dollars [{shown}]:")
        amount = _amount(visit, answer) if answer else default
        if amount is None:
            continue
        if amount == 0 or visit.attempt(PlaceWager(position=position, wager=name, amount=amount), amount):
            if name == "ante" and visit.money_left < amount:
                left, play = dollars(visit.money_left), dollars(amount)
                short = f"That leaves {left}, too little for a Play wager of {play}"
                visit.screen.say(f"{short}: you can only fold.")
            return amount


def _amount(visit: "PlaySession", answer: str) -> int | None:
    """Parse an answer such as ``25`` or ``$2.50`` into cents; 0 and 'no' are none."""
    if answer.lower() in NONE:
        return 0
    try:
        return parse_typed_dollars(answer)
    except MoneyError as error:
        visit.screen.refuse(str(error))
        return None


def ask_decision(visit: "PlaySession", spot: "PlayerSpot") -> None:
    """Show the hand and ask until the decision is valid; a hand that can only fold is folded."""
    visit.screen.hand(spot)
    plays = plays_allowed(spot.game, spot.ante, visit.money_left)
    options = visit.coach.options(spot, visit.money_left) if visit.coach.when != "off" else None
    if options is not None and visit.coach.when == "before":
        visit.screen.values(options)
    amount = 0
    if plays:
        amount = _ask_play(visit, spot, plays)
    else:
        short = f"You have {dollars(visit.money_left)} left and a Play wager costs {dollars(spot.ante)}"
        visit.screen.say(f"{short}: the hand is folded.")
        visit.do(Fold(position=spot.position))
    if options is not None and plays:
        visit.screen.verdict(options, visit.coach.judge(options, amount))


def _ask_play(visit: "PlaySession", spot: "PlayerSpot", plays: range) -> int:
    whole = spot.game.rulebook.wagers.play.whole_multiples.value
    choices = [f"{times}x" for times in (1, 2, 3) if times * spot.ante in plays]
    named = ["Fold", *choices] if whole else ["Fold", *choices, "an amount in dollars"]
    question = f"{', '.join(named[:-1])} or {named[-1]}:"
    ways = choices if whole else [*choices, f"an amount such as {dollars(spot.ante)}"]
    hint = f"Enter f to fold, or {join_or(ways)} to play."
    while True:
        amount = _play(visit, visit.screen.ask(question).lower(), spot.ante, hint)
        if amount == 0:
            visit.do(Fold(position=spot.position))
            return 0
        if amount and visit.attempt(Play(position=spot.position, amount=amount), amount):
            return amount


def _play(visit: "PlaySession", answer: str, ante: int, hint: str) -> int | None:
    """Parse a decision: 1, 2x, an amount of money, or 0 for a fold."""
    times = answer.removesuffix("x").strip()
    if answer in FOLDS:
        return 0
    if times in ("1", "2", "3"):
        return int(times) * ante
    if answer.removeprefix("$")[:1].isdigit() and not answer.endswith("x") and answer not in NONE:
        return _amount(visit, answer) or None
    visit.screen.refuse(hint)
    return None
