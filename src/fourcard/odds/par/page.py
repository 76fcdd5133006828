"""PAR sheet document: lays a sheet out as document parts."""

from collections.abc import Iterator

from fourcard.documents.blocks import Block, DataTable, Document, DocumentPart, Facts, Paragraphs
from fourcard.money import dollars
from fourcard.odds.par.cover_all_page import cover_all_part, summary_rows
from fourcard.odds.par.definitions import DEFINITIONS
from fourcard.odds.par.meters import MeterSection
from fourcard.odds.par.section_page import section_part
from fourcard.odds.par.sheet import Sheet, clause_text
from fourcard.odds.par.wording import number, one_in, percent
from fourcard.odds.strategies import says, title
from fourcard.provenance import fingerprint
from fourcard.rules.nodes import WAGER_LABELS

HASH_SHOWN = 16


def page_of(sheet: Sheet) -> Document:
    """Return a PAR sheet as a document."""
    submission = sheet.game.submission
    return Document(
        title="PAR sheet: Four Card Poker",
        subtitle=f"{submission.operator.name} · {submission.name}",
        footer=f"{fingerprint()} · game {sheet.game.hash[:HASH_SHOWN]}",
        parts=tuple(_parts(sheet)),
    )


def _parts(sheet: Sheet) -> Iterator[DocumentPart]:
    yield DocumentPart(title="Summary", new_page=False, blocks=tuple(_summary(sheet)))
    yield from (section_part(section) for section in sheet.sections)
    if sheet.cover_all is not None:
        yield cover_all_part(sheet.cover_all)
    yield DocumentPart(title="Definitions and method", blocks=(Facts(pairs=tuple(DEFINITIONS.items())),))
    clauses = tuple((clause, clause_text(clause)) for clause in sheet.clauses)
    yield DocumentPart(
        title="Clauses",
        subtitle="Every clause, ruling (R) and policy (P) that a figure is based on or compared with.",
        new_page=False,
        blocks=(Facts(pairs=clauses),),
    )


def _summary(sheet: Sheet) -> Iterator[Block]:
    yield Facts(pairs=tuple(head(sheet)))
    yield wagers(sheet)
    yield _worst(sheet)
    settings = "; ".join(f"{name} = {_value(value)}" for name, value in sheet.game.settings.items())
    yield Paragraphs(lines=(f"Settings in force: {settings}.",))


def head(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield the facts at the top of the sheet: game, strategy and fingerprint."""
    game = sheet.game
    law, submission = game.rulebook, game.submission
    yield "Submission", submission.name
    yield "Operator", submission.operator.name
    yield "Rulebook", f"{law.name}, {law.edition} edition"
    yield "Authority", law.authority
    yield "Document", law.document
    yield "Strategy assumed", ": ".join(filter(None, (title(sheet.strategy), says(sheet.strategy))))
    yield "Positions", str(submission.positions.at_table)
    yield "Game", game.hash
    yield "Fingerprint", fingerprint()
    if sheet.date is not None:
        yield "Date", sheet.date


def _value(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).replace("_", " ")


def wagers(sheet: Sheet) -> DataTable:
    """Return the table of the main figures of every wager."""
    rows: list[tuple[str, ...]] = [
        (
            section.title,
            section.report.paytable,
            percent(section.house_edge),
            percent(section.returned),
            percent(section.report.hit_frequency),
            one_in(section.report.hit_frequency),
            number(section.standard_deviation),
            number(section.volatility_index),
        )
        for section in sheet.sections
    ]
    rows += [
        (
            f"{section.title}, long run",
            section.report.paytable,
            percent(edge),
            percent(1 - edge),
            "",
            "",
            "",
            "",
        )
        for section in sheet.sections
        if isinstance(section, MeterSection) and (edge := section.by_others[0].long_run) is not None
    ]
    estimated = ""
    if sheet.cover_all is not None:
        rows += summary_rows(sheet.cover_all)
        estimated = (
            f"≈ Estimated, standard error of the edge at most {percent(sheet.cover_all.standard_error, 2)}."
        )
    base = sheet.sections[0]
    return DataTable(
        title="All wagers",
        headers=(
            "Wager",
            "Table",
            "House edge",
            "Return",
            "Hit frequency",
            "One in",
            "Std. dev.",
            "Volatility",
        ),
        text_columns=2,
        rows=tuple(rows),
        note=(
            "Base game: edge, deviation and volatility of each Ante; its return is of all that is wagered, "
            f"on average {number(base.average_wager)} Antes. Progressive: meter at its reset, alone. "
            + estimated
        ).strip(),
    )


def _worst(sheet: Sheet) -> DataTable:
    loss = sheet.loss
    rows = [(WAGER_LABELS[name], dollars(cents)) for name, cents in loss.by_wager.items()]
    rows += [(WAGER_LABELS[name], "no maximum posted") for name in loss.unbounded]
    if loss.total is not None:
        rows.append(("All wagers", dollars(loss.total)))
    return DataTable(
        title="Worst single round: an upper bound on the house's loss",
        headers=("Wager", "Bound"),
        rows=tuple(rows),
        total=loss.total is not None,
        note="Every position at its maximum and by the best row, though one deal may not do all of it (P4).",
    )
