"""PAR sections of the side bets: Aces Up, Bad Beat Bonus and Six Card Bonus."""

from collections.abc import Iterator

from fourcard.money import dollars
from fourcard.odds.figures import Outcome
from fourcard.odds.par.beside import Ours, published_beside, worst_of
from fourcard.odds.par.section import Row, Section, Table
from fourcard.odds.printed import OWN, STANDARD, Chosen
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.report import Report, aces_up_report, bad_beat_report, six_card_report
from fourcard.rules.exposure import WorstLoss
from fourcard.rules.game import Game
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, TableWager, WagerName

ONE_DOLLAR = 100
BEATEN = {"player": "player beaten", "dealer": "dealer beaten", "tie": "tied"}


def chosen_of(game: Game, wager: TableWager) -> Chosen:
    """Return the paytable of a wager in a game, under the id in its submission."""
    choice = game.submission.wagers.get(wager, STANDARD)
    return Chosen(wager, choice if isinstance(choice, str) else OWN, game.tables[wager], game.rulebook)


def posted(game: Game, wager: WagerName) -> str:
    """Return the posted limits of a wager as text."""
    limited = next((name for name in LIMITED_WAGERS if name == wager), None)
    found = game.submission.limits.posted.get(limited) if limited is not None else None
    return "no limits posted" if found is None else f"posted {dollars(found.least)} to {dollars(found.most)}"


def rows_of(outcomes: tuple[Outcome, ...]) -> tuple[Row, ...]:
    """Return outcomes as rows of a table."""
    return tuple(
        Row(_name(each), each.pays, each.count, each.of, each.net + 1, each.net) for each in outcomes
    )


def _name(outcome: Outcome) -> str:
    beaten = outcome.detail.get("beaten")
    return outcome.hand if beaten is None else f"{outcome.hand}, {BEATEN[beaten]}"


def side_sections(game: Game, loss: WorstLoss, step: Step = no_progress) -> Iterator[Section]:
    """Yield the sections of the side bets that a game offers, in layout order."""
    if "aces_up" in game.tables:
        yield _section(game, loss, aces_up_report(chosen_of(game, "aces_up")))
    if "bad_beat" in game.tables:
        tie_wins = game.settings.get("bad_beat_tie") == "wins"
        yield _section(game, loss, bad_beat_report(chosen_of(game, "bad_beat"), tie_wins=tie_wins, step=step))
    if "six_card" in game.tables:
        for stake in _stakes(game):
            yield _six_card(game, loss, stake)


def _stakes(game: Game) -> tuple[int, ...]:
    """Return the minimum and maximum stake: with a fixed prize the edge depends on the stake."""
    limits = game.submission.limits.posted.get("six_card")
    return (ONE_DOLLAR,) if limits is None else tuple(dict.fromkeys((limits.least, limits.most)))


def _six_card(game: Game, loss: WorstLoss, stake: int) -> Section:
    low_ace = game.settings.get("six_card_low_ace") is not False
    report = six_card_report(chosen_of(game, "six_card"), stake, low_ace=low_ace)
    return _section(game, loss, report, stake)


def _section(game: Game, loss: WorstLoss, report: Report, stake: int | None = None) -> Section:
    label = WAGER_LABELS[report.wager]
    return Section(
        title=label if stake is None else f"{label} at {dollars(stake)}",
        report=report,
        limits=posted(game, report.wager),
        tables=(Table(label, rows_of(report.outcomes), report.clauses),),
        worst=worst_of(loss, report.wager),
        stake=stake,
        published=published_beside(
            report,
            house_edge=(Ours("of each stake", report.house_edge),),
            hit_frequency=(Ours("a row is paid", report.hit_frequency),),
        ),
    )
