"""Rulebook loading: strict, with a refusal that names file and place for every fault.

One edition is chosen: a table marked ``edition = "proposed"`` applies in that edition alone, and a list of
such tables gives one value per edition. Exactly one value must apply at every place.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from itertools import chain, takewhile
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.rulebooks import own_files, released_files
from fourcard.rules.cited import Cited, Paytable, from_text
from fourcard.rules.clauses import is_address, sources
from fourcard.rules.rulebook import Act, Limited, Procedure, Rulebook, Wager
from fourcard.rules.safe_convert import safe_convert
from fourcard.rules.validation_errors import TOP, validation_refusal
from fourcard.wagers import SPECIFICATIONS, TABLE_WAGERS, WAGERS

DROPPED = object()


def for_edition(value: object, edition: str, editions: tuple[str, ...], file: str, place: str = "") -> object:
    """Return a parsed value for one edition, or ``DROPPED`` if the edition has none."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return _select_alternative(value, edition, editions, file, place)
    if not isinstance(value, dict):
        return value
    named = value.get("edition")
    _check_edition(named, editions, file, place)
    if named not in (None, edition):
        return DROPPED
    inner = {
        key: for_edition(item, edition, editions, file, f"{place}.{key}" if place else key)
        for key, item in value.items()
        if key != "edition"
    }
    return {key: item for key, item in inner.items() if item is not DROPPED}


def _select_alternative(
    alternatives: list[dict[str, object]], edition: str, editions: tuple[str, ...], file: str, place: str
) -> object:
    for item in alternatives:
        _check_edition(item.get("edition"), editions, file, place)
    for each in editions:
        holding = sum(item.get("edition", each) == each for item in alternatives)
        if holding != 1:
            code = Code.EDITIONS_OVERLAP if holding else Code.EDITION_UNCOVERED
            raise RefusedError(refuse(code, file=file, place=place, edition=each))
    resolved = (for_edition(item, edition, editions, file, place) for item in alternatives)
    return next(item for item in resolved if item is not DROPPED)


def _check_edition(named: object, editions: tuple[str, ...], file: str, place: str) -> None:
    if named is not None and named not in editions:
        where = f"{file}, {place}" if place else file
        raise RefusedError(refuse(Code.UNKNOWN_EDITION, file=where, edition=named, known=", ".join(editions)))


ACTS: dict[str, tuple[Act, ...]] = {
    "opening": ("collect_forfeits", "muck_hands", "reveal_dealer", "announce_dealer", "lay_unused_behind"),
    "by_routine": ("bring_hand", "reveal_hand", "choose_hand", "settle", "take", "pay", "rack_hand"),
    "closing": ("rack_dealer",),
}
"""Which acts belong to which part of a settlement."""
MAX_DOTS = 200
"""Maximum dots in a line: parsing a dotted key takes quadratic time."""
Document = dict[str, object]
Shape = TypeVar("Shape", bound=msgspec.Struct)


@cache
def rulebook_ids() -> tuple[str, ...]:
    """Return the id of every rulebook, in the order of their sources in the clause table."""
    order = {source: place for place, source in enumerate(sources())}
    return tuple(sorted(_files(), key=lambda name: order.get(rulebook_source(name), len(order))))


@cache
def rulebook_source(name: str) -> str:
    """Return the letters of a rulebook's source; only the lines before its first table are read."""
    heading = takewhile(lambda line: not line.startswith("["), _rulebook_text(name).splitlines())
    return str(parse_toml("\n".join(heading), _files()[name].name).get("source"))


@cache
def _files() -> Mapping[str, Traversable]:
    return {**released_files(), **own_files()}


def _rulebook_text(name: str) -> str:
    path = own_files().get(name)
    return released_files()[name].read_text(encoding="utf-8") if path is None else file_text(path)


@cache
def rulebook_document(name: str) -> Document:
    """Return the parsed file of one rulebook, all editions together."""
    return parse_toml(_rulebook_text(name), _files()[name].name)


@cache
def rulebook(name: str, edition: str | None = None) -> Rulebook:
    """Return a rulebook by id, in the given or default edition."""
    if name not in _files():
        raise RefusedError(refuse(Code.UNKNOWN_RULEBOOK, rulebook=name, known=", ".join(rulebook_ids())))
    file, raw = _files()[name].name, rulebook_document(name)
    if raw.get("id") != name:
        reason = f"a rulebook in this file has the id '{name}'"
        raise RefusedError(refuse(Code.VALUE_UNFIT, file=file, place="id", reason=reason))
    return resolve_rulebook(raw, file, edition, released=name in released_files())


def every_rulebook() -> Iterator[Rulebook]:
    """Yield every rulebook in every edition."""
    for name in rulebook_ids():
        for edition in rulebook(name).editions:
            yield rulebook(name, edition)


def file_text(path: str | Path) -> str:
    """Return the text of a user's file, or refuse one that cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=path, reason=reason)) from None


def parse_toml(text: str, file: str) -> Document:
    """Return the tables of a TOML text, or refuse what is not TOML."""
    try:
        return tomllib.loads(_shallow(text))
    except tomllib.TOMLDecodeError as error:
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=file, reason=_lower_first(str(error)))) from None
    except (ValueError, RecursionError):
        reason = "a number in it is too long, or it is nested too deep"
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=file, reason=reason)) from None


def _shallow(text: str) -> str:
    """Return the text, or raise if a key is nested so deep that parsing would take minutes."""
    if any(line.count(".") > MAX_DOTS for line in text.splitlines() if not line.startswith("#")):
        raise ValueError("nested too deep")
    return text


def resolve_rulebook(
    raw: Document, file: str, edition: str | None = None, *, released: bool = True
) -> Rulebook:
    """Return one edition of a parsed rulebook after checking its keys, values, odds and clauses."""
    editions = _editions(raw, file)
    default = raw.get("default_edition", editions[0])
    for named in (default, edition or default):
        if named not in editions:
            known = ", ".join(editions)
            raise RefusedError(refuse(Code.UNKNOWN_EDITION, file=file, edition=named, known=known))
    chosen = edition or str(default)
    for key in ("edition", "released"):
        if key in raw:
            raise RefusedError(refuse(Code.KEY_UNKNOWN, file=file, place=TOP, key=key, hint="."))
    plain = cast(Document, for_edition(raw, chosen, editions, file))
    if not released and isinstance(plain.get("name"), str):
        plain["name"] = f"{plain['name']}, not part of the release"
    found = convert_document({**plain, "edition": chosen, "released": released}, Rulebook, file)
    problems = (
        _citation_problems(found, file),
        _table_problems(found, file),
        _award_problems(found, file),
        _settling_problems(found, file),
        _closing_problems(found, file),
        _step_problems(found, file),
        _console_problems(found, file),
    )
    for problem in chain.from_iterable(problems):
        raise RefusedError(problem)
    return found


def convert_document(raw: Document, shape: type[Shape], file: str) -> Shape:
    """Return a document as frozen data, or refuse its first invalid key or value."""
    try:
        return safe_convert(raw, shape, dec_hook=from_text)
    except msgspec.ValidationError as error:
        raise RefusedError(validation_refusal(error, raw, shape, file)) from None


def _editions(raw: Document, file: str) -> tuple[str, ...]:
    named = raw.get("editions")
    texts = isinstance(named, list) and all(isinstance(each, str) for each in named)
    if isinstance(named, list) and named and texts and len(set(named)) == len(named):
        return tuple(named)
    raise RefusedError(refuse(Code.EDITIONS_MISSING, file=file))


def _citation_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find a source without clauses, and values without a known clause."""
    if found.source not in sources():
        reason = f"the clause table has no clause of the source '{found.source}'"
        yield refuse(Code.VALUE_UNFIT, file=file, place="source", reason=reason)
    for place, node in found.nodes():
        if not node.clauses:
            yield refuse(Code.CLAUSE_MISSING, file=file, place=place)
        for clause in node.clauses:
            if not is_address(clause):
                yield refuse(Code.CLAUSE_UNKNOWN, file=file, place=place, clause=clause)


def _table_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find tables that are named but missing: chosen, borrowed, or an Envy schedule of a paytable."""
    wagers = found.wagers
    for name in TABLE_WAGERS:
        wager = found.wager(name)
        if not isinstance(wager, Wager):
            continue
        printed = ("matrix",) if name == "cover_all" else tuple(wager.paytables)
        for table in wager.choices.value if wager.choices is not None else ():
            if table not in printed:
                yield refuse(Code.TABLE_ABSENT, file=file, place=f"wagers.{name}.choices", table=table)
        if wager.tables_of is not None and wager.tables_of.value not in _files().keys() - {found.id}:
            place = f"wagers.{name}.tables_of"
            yield refuse(Code.TABLE_ABSENT, file=file, place=place, table=wager.tables_of.value)
    schedules = wagers.envy.paytables if wagers.envy is not None else {}
    readings = wagers.envy.other_readings if wagers.envy is not None else {}
    for table in (*readings, *(reading.value for reading in readings.values())):
        if table not in schedules:
            yield refuse(Code.TABLE_ABSENT, file=file, place="wagers.envy.other_readings", table=table)
    for table in wagers.progressive.paytables if wagers.progressive is not None else ():
        if table not in schedules:
            yield refuse(Code.TABLE_ABSENT, file=file, place="wagers.envy.paytables", table=table)


def _award_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find rows that a wager cannot win, and awards that it cannot pay."""
    for place, node in found.nodes():
        part, name, *_ = (*place.split("."), "")
        if part != "wagers" or name not in TABLE_WAGERS:
            continue
        wager = SPECIFICATIONS[name]
        rows = (*wager.rows, *wager.rows_of_five)
        named = (*node.pays,) if isinstance(node, Paytable) else ()
        if place.endswith(".lowest") and isinstance(node, Cited):
            named = (node.value,)
        for row in (each for each in named if each not in rows):
            reason = f"'{row}' is not a row of the {wager.label}"
            yield refuse(Code.VALUE_UNFIT, file=file, place=place, reason=reason)
        for row, odds in node.pays.items() if isinstance(node, Paytable) else ():
            if odds.kind not in wager.awards:
                reason = f"'{odds}' is not a valid award of the {wager.label}"
                yield refuse(Code.VALUE_UNFIT, file=file, place=f"{place}.pays.{row}", reason=reason)
    progressive = found.wagers.progressive
    if progressive is not None and progressive.shares_from.value == "tray":
        reason = "the whole meter is paid from the meter"
        yield refuse(Code.VALUE_UNFIT, file=file, place="wagers.progressive.shares_from", reason=reason)


def _settling_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find a wager that is never settled or settled twice, and procedures with gaps."""
    rules, place = found.settlement, "settlement"
    described = [name for name in WAGERS if found.wager(name) is not None]
    if sorted(rules.order.value) != sorted(described):
        yield refuse(Code.ORDER_INCOMPLETE, file=file, place=f"{place}.order", known=", ".join(described))
    if {*rules.routines.value} != {*rules.by_routine}:
        known = ", ".join(rules.routines.value)
        yield refuse(Code.PROCEDURE_MISSING, file=file, place=f"{place}.by_routine", known=known)
    routines = {f"by_routine.{routine}": acts for routine, acts in rules.by_routine.items()}
    for name, acts in {"opening": rules.opening, **routines, "closing": rules.closing}.items():
        if sorted(act.value for act in acts.values()) != [*range(1, len(acts) + 1)]:
            yield refuse(Code.ACTS_MISNUMBERED, file=file, place=f"{place}.{name}")
        reason = _acts_problem(name, acts)
        if reason is not None:
            yield refuse(Code.ACTS_UNFIT, file=file, place=f"{place}.{name}", reason=reason)


def _closing_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find wagers that close at the lock-out of a progressive that is missing."""
    for name in WAGERS if found.wagers.progressive is None else ():
        wager = found.wager(name)
        closes = wager.closes if isinstance(wager, Limited) else None
        if closes is not None and closes.value == "lock-out":
            reason = "there is no progressive to be locked out"
            yield refuse(Code.VALUE_UNFIT, file=file, place=f"wagers.{name}.closes", reason=reason)


def _step_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find dealer procedures that are not numbered from 1 without a gap."""
    for place, steps in found.step_tables():
        if sorted(step.value for step in steps.values()) != [*range(1, len(steps) + 1)]:
            yield refuse(Code.ACTS_MISNUMBERED, file=file, place=place)


def _console_problems(found: Rulebook, file: str) -> Iterator[Refusal]:
    """Find a progressive without a console, and consoles whose motions do not make a whole cycle."""
    if bool(found.consoles) != (found.wagers.progressive is not None):
        reason = "a progressive has a console, and nothing else has"
        yield refuse(Code.VALUE_UNFIT, file=file, place="consoles", reason=reason)
    for name, console in found.consoles.items():
        place = f"consoles.{name}.cycle"
        if sorted(motion.value for motion in console.cycle.values()) != [*range(1, len(console.cycle) + 1)]:
            yield refuse(Code.ACTS_MISNUMBERED, file=file, place=place)
        needed = (console.logs_at.value, console.final_at.value, console.adjusts_at.value, "press_hand")
        for motion in (each for each in needed if each not in console.cycle):
            reason = f"the motion '{motion}' is not in it"
            yield refuse(Code.VALUE_UNFIT, file=file, place=place, reason=reason)


def _acts_problem(name: str, acts: Procedure) -> str | None:
    """Return the fault in the acts of one part: money settles once, and each act is in its part."""
    part = name.partition(".")[0]
    foreign = [act for act in acts if act not in ACTS[part]]
    if foreign:
        return f"the act '{foreign[0]}' belongs to another part"
    if part == "opening" and "collect_forfeits" not in acts:
        return "forfeited wagers must be collected"
    settling = {act for act in acts if act in ("settle", "take", "pay")}
    if part == "by_routine" and settling not in ({"settle"}, {"take", "pay"}):
        return "wagers are settled in one act, or taken in one and paid in another"
    return None


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
