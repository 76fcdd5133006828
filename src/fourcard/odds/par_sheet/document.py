"""PAR sheet document: the whole sheet as a document, and as a PDF, HTML or JSON file."""

from collections.abc import Iterator
from json import dumps
from typing import Literal

from fourcard.answers import json_data
from fourcard.documents.blocks import Block, DataTable, Document, DocumentPart, Facts, Paragraphs
from fourcard.documents.html import render_html
from fourcard.documents.pdf import render_pdf
from fourcard.money import dollars
from fourcard.odds.par_sheet.document_parts import cover_all_part, cover_all_summary_rows, section_part
from fourcard.odds.par_sheet.formats import format_number, format_one_in, format_percent
from fourcard.odds.par_sheet.progressive_section import ProgressiveSection
from fourcard.odds.par_sheet.sheet import ParSheet
from fourcard.rules.loading import rulebook
from fourcard.wagers import WAGER_LABELS

HASH_DIGITS = 16


def par_document(sheet: ParSheet) -> Document:
    """Return a PAR sheet as a document."""
    return Document(
        title="PAR sheet: Four Card Poker",
        subtitle=f"{sheet.operator} · {sheet.submission}",
        footer=f"{sheet.fingerprint} · game {sheet.game[:HASH_DIGITS]}",
        parts=tuple(_parts(sheet)),
    )


def _parts(sheet: ParSheet) -> Iterator[DocumentPart]:
    yield DocumentPart(title="Summary", new_page=False, blocks=tuple(_summary_blocks(sheet)))
    yield from (section_part(section) for section in sheet.counted)
    if sheet.cover_all is not None:
        yield cover_all_part(sheet.cover_all)
    yield DocumentPart(
        title="Definitions and method", blocks=(Facts(pairs=tuple(sheet.definitions.items())),)
    )
    clauses = tuple((clause.id, clause.says) for clause in sheet.clauses)
    yield DocumentPart(
        title="Clauses",
        subtitle="Every clause, ruling (R) and policy (P) that a figure is based on or compared with.",
        new_page=False,
        blocks=(Facts(pairs=clauses),),
    )


def _summary_blocks(sheet: ParSheet) -> Iterator[Block]:
    yield Facts(pairs=tuple(sheet_facts(sheet)))
    yield wager_table(sheet)
    yield _worst_round_table(sheet)
    settings = "; ".join(f"{name} = {_setting_text(value)}" for name, value in sheet.settings.items())
    yield Paragraphs(lines=(f"Settings in force: {settings}.",))


def sheet_facts(sheet: ParSheet) -> Iterator[tuple[str, str]]:
    """Yield the facts at the top of the sheet: game, strategy and fingerprint."""
    name = rulebook(sheet.rulebook, sheet.edition).name
    yield "Submission", sheet.submission
    yield "Operator", sheet.operator
    yield "Rulebook", f"{name}, {sheet.edition} edition"
    yield "Authority", sheet.authority
    yield "Document", sheet.document
    yield "Strategy assumed", ": ".join(filter(None, (sheet.strategy.name, sheet.strategy.says)))
    yield "Positions", str(sheet.positions)
    yield "Game", sheet.game
    yield "Fingerprint", sheet.fingerprint
    if sheet.date is not None:
        yield "Date", sheet.date


def _setting_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).replace("_", " ")


def wager_table(sheet: ParSheet) -> DataTable:
    """Return the table of the main figures of every wager."""
    rows: list[tuple[str, ...]] = [
        (
            section.title,
            section.paytable,
            format_percent(section.house_edge),
            format_percent(section.returned),
            format_percent(section.hit_frequency),
            format_one_in(section.hit_frequency),
            format_number(section.standard_deviation),
            format_number(section.volatility_index),
        )
        for section in sheet.counted
    ]
    rows += [
        (
            f"{section.title}, long run",
            section.paytable,
            format_percent(edge),
            format_percent(1 - edge),
            "",
            "",
            "",
            "",
        )
        for section in sheet.counted
        if isinstance(section, ProgressiveSection)
        and (edge := section.by_others[0].long_run_house_edge) is not None
    ]
    estimated = ""
    if sheet.cover_all is not None:
        rows += cover_all_summary_rows(sheet.cover_all)
        error = format_percent(sheet.cover_all.standard_error, 2)
        estimated = f"≈ Estimated, standard error of the edge at most {error}."
    base = sheet.counted[0]
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
            f"on average {format_number(base.average_wager)} Antes. Progressive: meter at its reset, alone. "
            + estimated
        ).strip(),
    )


def _worst_round_table(sheet: ParSheet) -> DataTable:
    loss = sheet.worst_loss
    rows = [(WAGER_LABELS[name], dollars(cents)) for name, cents in loss.by_wager.items()]
    rows += [(WAGER_LABELS[name], "no maximum posted") for name in loss.without_maximum]
    if loss.total is not None:
        rows.append(("All wagers", dollars(loss.total)))
    return DataTable(
        title="Worst single round: an upper bound on the house's loss",
        headers=("Wager", "Bound"),
        rows=tuple(rows),
        total=loss.total is not None,
        note="Every position at its maximum and by the best row, though one deal may not do all of it (P4).",
    )


SheetFormat = Literal["pdf", "html", "json"]


def render_sheet(sheet: ParSheet, form: SheetFormat) -> bytes:
    """Return a sheet as the content of a file."""
    if form == "json":
        return (dumps(json_data(sheet), indent=2, ensure_ascii=False) + "\n").encode()
    return render_html(par_document(sheet)).encode() if form == "html" else render_pdf(par_document(sheet))
