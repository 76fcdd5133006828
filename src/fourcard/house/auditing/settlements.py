"""Settlement check: settles finished rounds again from their cards, wagers and decisions alone."""

from collections.abc import Iterator, Sequence

from fourcard.house.auditing.report import Kind
from fourcard.meter import Meter, pay
from fourcard.money import dollars
from fourcard.refusals import RefusedError
from fourcard.round.events import RoundEnded, RoundVoided
from fourcard.round.evolve import showdown
from fourcard.round.state import RoundState
from fourcard.settling import priced
from fourcard.wagers.wager import Step

Fault = tuple[Kind, str]


def faults(over: RoundState, event: RoundEnded | RoundVoided, meters: Sequence[Meter]) -> Iterator[Fault]:
    """Yield what is wrong with the money of a round, given the meter before each of its awards."""
    if isinstance(event, RoundVoided):
        if any(over.nets.values()):
            yield "void", "The round is void, but somebody won or lost money in it."
        return
    try:
        right = _settle_again(over, meters)
    except RefusedError as error:
        yield "settlement", f"It cannot be settled: {error.refusal.message}"
        return
    if right != over.steps:
        yield "settlement", _difference(right, over.steps)
    nets = dict.fromkeys(over.places, 0)
    for step in right:
        nets[step.position] += step.amount if step.action == "pay" else -step.amount
    for position, net in sorted(nets.items()):
        recorded = dict(event.nets).get(position)
        if recorded != net or over.nets[position] != net:
            has = "nothing" if recorded is None else dollars(recorded)
            yield (
                "settlement",
                f"Position {position} has a net of {has}; by the rules it is {dollars(net)}.",
            )


def _settle_again(over: RoundState, meters: Sequence[Meter]) -> tuple[Step, ...]:
    """Return every settlement step by the rules, each award priced at the meter at its turn (R58)."""
    settler, shown = over.rules.settler, showdown(over)
    dues, steps, left = settler.dues(shown), list[Step](), iter(meters)
    for act, seat in settler.moments(shown, money_only=True):
        for due in dues.falling(act, seat):
            if not due.waits:
                steps.append(due.step)
                continue
            meter = next(left, Meter(amount=0, seed=0))
            if due.tier is None:
                steps.append(due.step)
                continue
            _, payment = pay(meter, due.tier.odds, due.tier.stake, due.tier.source)
            steps.extend(priced(due.step, payment))
    return tuple(steps)


def _difference(right: Sequence[Step], found: Sequence[Step]) -> str:
    for number, (must, has) in enumerate(zip(right, found, strict=False), 1):
        if must != has:
            return f"Step {number} is to {_describe(has)}; by the rules it is to {_describe(must)}."
    return f"The settlement has {len(found)} steps; by the rules it has {len(right)}."


def _describe(step: Step) -> str:
    return f"{step.action} {dollars(step.amount)} for {step.wager} at position {step.position}, {step.hand}"
