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
    begin = f"You hold {held(found.name)}; {_dealer(won, contest)}"
    least = f"{contest.least}x"
    slope = won * contest.play - (1 - won)
    if found.best == "fold":
        loss = -float(found.values[least])
        return f"{begin}, so {least} would lose {loss:.3f} Antes on average where a fold loses 1: fold."
    if best == "fold":
        return f"{begin}, but no Play wager is allowed on such an Ante here: fold."
    if slope > 0:
        return f"{begin}, so each further dollar on Play gains {_cents(slope)}: {best} is best."
    worth = float(found.values[least])
    value = f"{'wins' if worth > 0 else 'loses'} {abs(worth):.3f} Antes"
    further = f"loses {_cents(-slope)}" if slope else "gains nothing"
    but = f"but {least} {value} where a fold loses 1"
    return f"{begin}, so each further dollar on Play {further}, {but}: {least} is best."


def held(name: str) -> str:
    """Return the phrase for a hand after "you hold"."""
    first = name.partition(",")[0]
    if first == "high card":
        return f"no pair, {name.partition(', ')[2].partition(',')[0]} high"
    return f"{'' if first.startswith(('two', 'three', 'four')) else 'a '}{first}"


def _dealer(won: Fraction, contest: Contest) -> str:
    """Return how often the player wins; a tie counts as the rulebook says."""
    ties = "not above it" if contest.ties_win else "below it"
    return f"the dealer's hand is {ties} in {float(won):.1%} of cases"


def _cents(of_a_dollar: Fraction) -> str:
    return f"{float(of_a_dollar * 100):.1f} cents"
