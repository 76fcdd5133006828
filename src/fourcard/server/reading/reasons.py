"""Advice text: why a decision is best, in one sentence with exact counts."""

from fractions import Fraction

from fourcard.odds.advice import Advice
from fourcard.odds.contest import Contest
from fourcard.odds.states import COMPLETIONS


def why(found: Advice, contest: Contest, best: str) -> str:
    """Return why folding, the smallest or the largest Play wager is best.

    `best` is the best choice within the limits.
    """
    won = Fraction(contest.beaten(found.counts), COMPLETIONS)
    start = f"You hold {held(found.name)}; {_win_share(won, contest)}."
    least = f"{contest.least}x"
    gain_per_dollar = won * contest.play - (1 - won)
    if found.best == "fold":
        loss = -float(found.values[least])
        return f"{start} {least} would lose {loss:.3f} Antes on average and a fold loses 1: fold is best."
    if best == "fold":
        return f"{start} No Play wager is allowed on this Ante here: fold is best."
    if gain_per_dollar > 0:
        return f"{start} Each extra dollar on Play gains {_cents(gain_per_dollar)}: {best} is best."
    value = float(found.values[least])
    least_text = f"{least} {'wins' if value > 0 else 'loses'} {abs(value):.3f} Antes"
    extra = f"loses {_cents(-gain_per_dollar)}" if gain_per_dollar else "gains nothing"
    return f"{start} Each extra dollar on Play {extra}, but {least_text} and a fold loses 1: {least} is best."


def held(name: str) -> str:
    """Return the phrase for a hand after "you hold"."""
    first = name.partition(",")[0]
    if first == "high card":
        return f"no pair, {name.partition(', ')[2].partition(',')[0]} high"
    return f"{'' if first.startswith(('two', 'three', 'four')) else 'a '}{first}"


def _win_share(won: Fraction, contest: Contest) -> str:
    """Return how often the player wins; a tie counts as the rulebook says."""
    wins = "you win or tie" if contest.ties_win else "you win"
    return f"{wins} {float(won):.1%} of the time"


def _cents(of_a_dollar: Fraction) -> str:
    return f"{float(of_a_dollar * 100):.1f} cents"
