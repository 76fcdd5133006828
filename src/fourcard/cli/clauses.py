"""Clauses: the `clauses` command shows a clause, its rulings, the code that implements it and its tests."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fourcard.rules.clauses import Clause

Identifier = Annotated[
    str | None,
    typer.Argument(metavar="[ID]", help="A clause, ruling or policy id, or the start of several clause ids."),
]
MOST_WHOLE = 12
"""The most clauses of a family that are shown in full; more are listed."""


def clauses(
    identifier: Identifier = None,
    source: Annotated[str | None, typer.Option(help="Only one source: MA, SM, MD, WA or IA.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only one kind: engine, procedure, data, config, info or physical.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Only one topic, such as ranking.")] = None,
    unproven: Annotated[bool, typer.Option("--unproven", help="Only clauses without a test.")] = False,
    json: Json = False,
) -> None:
    """Show clauses with their rulings, the code and data that implement them, and their tests."""
    if identifier is not None:
        if source or kind or topic or unproven:
            raise BadInputError("With an id, leave out --source, --kind, --topic and --unproven.")
        _show_identifier(identifier, json=json)
        return
    matching = list(_matching_clauses(source, kind, topic, unproven=unproven))
    if json:
        print_json([_clause_json(clause) for clause in matching])
    else:
        _print_list(matching)


def _matching_clauses(
    source: str | None, kind: str | None, topic: str | None, *, unproven: bool
) -> "Iterator[Clause]":
    from fourcard.rules.citations import proven_by
    from fourcard.rules.clauses import KINDS, SOURCES, ledger

    for name, value, known in (
        ("source", source, SOURCES),
        ("kind", kind, KINDS),
        ("topic", topic, tuple(sorted({clause.topic for clause in ledger().values()}))),
    ):
        if value is not None and value not in known:
            raise BadInputError(f"There is no {name} '{value}'; there are {', '.join(known)}.")
    for clause in ledger().values():
        wanted = (source in (None, clause.source), kind in (None, clause.kind), topic in (None, clause.topic))
        if all(wanted) and not (unproven and proven_by(clause.id)):
            yield clause


def _clause_json(clause: "Clause") -> dict[str, object]:
    import msgspec

    from fourcard.rules.citations import carried_by, manners, proven_by

    row: dict[str, object] = msgspec.to_builtins(clause)
    unseen = {"not_seen": manners()[clause.id]} if clause.id in manners() else {}
    places = {"carried_by": list(carried_by(clause.id)), "tests": list(proven_by(clause.id))}
    return {**row, **places, **unseen}


def _show_identifier(identifier: str, *, json: bool) -> None:
    from fourcard.rules.clauses import family, ledger
    from fourcard.rules.rulings import rulings

    addresses = {address.lower(): address for address in (*ledger(), *rulings())}
    identifier = addresses.get(identifier.lower(), identifier)
    if identifier in ledger():
        clause = ledger()[identifier]
        if json:
            print_json([_clause_json(clause)])
        else:
            _print_clause(clause)
    elif identifier in rulings():
        _show_ruling(identifier, json=json)
    elif members := family(identifier):
        _show_family(members, json=json)
    else:
        from difflib import get_close_matches

        from fourcard.refusals import Code, RefusedError, refuse

        near = get_close_matches(identifier.upper(), [*ledger(), *rulings()], 3, 0.7)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        refusal = refuse(Code.ADDRESS_UNKNOWN, address=identifier, hint=hint)
        raise RefusedError(refusal)


def _show_family(members: "tuple[Clause, ...]", *, json: bool) -> None:
    """Show every clause whose id starts alike, in full if they are few."""
    if json:
        print_json([_clause_json(clause) for clause in members])
    elif len(members) > MOST_WHOLE:
        _print_list([*members])
    else:
        for number, clause in enumerate(members):
            if number:
                console().print()
            _print_clause(clause)


def _print_clause(clause: "Clause") -> None:
    from fourcard.rules.citations import manners
    from fourcard.rules.rulings import rulings

    out = console()
    out.print(f"[bold]{clause.id}[/]  {clause.source} {clause.clause}  [dim]{clause.topic}, {clause.kind}[/]")
    out.print(clause.requirement, markup=False)
    if clause.params:
        out.print(f"[dim]figures[/]  {plain(clause.params.replace(';', '; '))}")
    if clause.notes:
        out.print("[dim]notes[/]   ", plain(clause.notes))
    for ruling_id in clause.rulings:
        ruling = rulings()[ruling_id]
        overruled = " (overrules this clause)" if clause.id in ruling.overrules else ""
        out.print(f"[cyan]{ruling_id}[/] {ruling.title}{overruled}: {plain(ruling.reading)}")
    if clause.id in manners():
        out.print(f"[yellow]not observable[/]  {plain(manners()[clause.id])}")
    _print_places(clause.id)


def _show_ruling(identifier: str, *, json: bool) -> None:
    import msgspec

    from fourcard.rules.citations import carried_by, proven_by
    from fourcard.rules.rulings import rulings

    ruling = rulings()[identifier]
    if json:
        row: dict[str, object] = msgspec.to_builtins(ruling)
        places = {"carried_by": list(carried_by(identifier)), "tests": list(proven_by(identifier))}
        print_json([{"id": identifier, **row, **places}])
        return
    out = console()
    out.print(f"[bold]{identifier}[/]  {ruling.title}")
    if ruling.question:
        out.print("[dim]question[/]", plain(ruling.question))
    out.print("[dim]ruling[/]  ", plain(ruling.reading))
    for name, setting in ruling.settings.items():
        out.print(f"[dim]setting[/]  {name} = {setting.default!r}, one of {plain(setting.values)}")
    if ruling.clauses:
        out.print("[dim]clauses[/] ", ", ".join(ruling.clauses))
    _print_places(identifier)


def _print_places(identifier: str) -> None:
    from fourcard.rules.citations import carried_by, proven_by

    out = console()
    for head, places in (("implemented by", carried_by(identifier)), ("proven by", proven_by(identifier))):
        out.print(f"[green]{head}[/]" if places else f"[yellow]{head} nothing yet[/]")
        for place in places:
            out.print(f"  {place}", markup=False, soft_wrap=True)


def _print_list(listed: "list[Clause]") -> None:
    from rich.table import Table

    from fourcard.rules.citations import proven_by

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("id", "kind", "topic", "proven", "requirement", "ruling"):
        table.add_column(head, no_wrap=head in ("id", "kind", "topic", "proven"))
    proven = 0
    for clause in listed:
        tests = proven_by(clause.id)
        proven += bool(tests)
        mark = "[green]yes[/]" if tests else "[yellow]no[/]"
        table.add_row(clause.id, clause.kind, clause.topic, mark, plain(clause.requirement), clause.ruling)
    out = console()
    out.print(table)
    out.print(f"[bold]{len(listed)}[/] clauses, [bold]{proven}[/] of them proven by tests")
