"""Permissions: what each role can do and read, checked before the game's own duties (P25).

A row is data with its clauses, and a refusal cites the clauses of the broken row.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import Literal, get_args

from fourcard.house import commands as house_commands
from fourcard.house.auth.identity import Actor, AnyCommand, printable
from fourcard.house.commands import ActingRole, HouseCommand, StaffRole
from fourcard.progressive import console as console_commands
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.round import commands as round_commands
from fourcard.round.commands import CardCommand, Command
from fourcard.rules.cited import CitedNode, FrozenData, clauses_of, walk_nodes
from fourcard.rules.clauses import is_address
from fourcard.rules.loading import convert_document, parse_toml
from fourcard.rules.validation_errors import suggestion
from fourcard.table import commands as table_commands

PERMISSIONS_FILE = "permissions.toml"
Readable = Literal[
    "account",
    "statement",
    "tables",
    "results",
    "meters",
    "wins",
    "balance",
    "rounds",
    "audit",
    "staff",
    "security_log",
]
"""What can be read: a player's account and statement, tables and their results, meters and their wins, the
trial balance, exported rounds, audits, the staff, the security log.
"""
STAFF_ROLES: tuple[StaffRole, ...] = get_args(StaffRole)
READABLE: tuple[Readable, ...] = get_args(Readable)


class OwnField(FrozenData, frozen=True, kw_only=True):
    """A command field that must be the person's own name, for some roles."""

    field: str
    of: tuple[ActingRole, ...]


class CommandPermission(CitedNode, frozen=True, kw_only=True):
    """Who can give a command of one kind."""

    roles: tuple[ActingRole, ...]
    own: OwnField | None = None


class RoleGrant(CitedNode, frozen=True, kw_only=True):
    """Roles in which a member of staff can give commands."""

    roles: tuple[ActingRole, ...]


class ReadPermission(CitedNode, frozen=True, kw_only=True):
    """Who can read something of anybody, and who only their own."""

    roles: tuple[ActingRole, ...]
    own: tuple[ActingRole, ...] = ()


class Permissions(FrozenData, frozen=True, kw_only=True):
    """The whole file."""

    acts_as: Mapping[StaffRole, RoleGrant]
    commands: Mapping[str, CommandPermission]
    reads: Mapping[Readable, ReadPermission]


BASE_COMMANDS = (Command, CardCommand, HouseCommand)
"""Base classes of commands, which nobody can give."""


@cache
def command_kinds() -> Mapping[str, type[AnyCommand]]:
    """Return every command class by its kind."""
    modules = (round_commands, table_commands, console_commands, house_commands)
    found = chain.from_iterable(vars(module).values() for module in modules)
    return {
        str(each.__struct_config__.tag): each
        for each in found
        if isinstance(each, type) and issubclass(each, AnyCommand) and each not in BASE_COMMANDS
    }


@cache
def permissions() -> Permissions:
    """Return the package's own permissions."""
    return read_permissions(files("fourcard.house").joinpath(PERMISSIONS_FILE).read_text(encoding="utf-8"))


def read_permissions(text: str, file: str = PERMISSIONS_FILE) -> Permissions:
    """Return the permissions in a file, or refuse the first error in it."""
    found = convert_document(parse_toml(text, file), Permissions, file)
    problems = (_citation_problems(found, file), _missing_rows(found, file), _row_problems(found, file))
    for problem in chain.from_iterable(problems):
        raise RefusedError(problem)
    return found


def _citation_problems(found: Permissions, file: str) -> Iterator[Refusal]:
    for place, node in walk_nodes(found):
        if not node.clauses:
            yield refuse(Code.CLAUSE_MISSING, file=file, place=place)
        for clause in node.clauses:
            if not is_address(clause):
                yield refuse(Code.CLAUSE_UNKNOWN, file=file, place=place, clause=clause)


def _missing_rows(found: Permissions, file: str) -> Iterator[Refusal]:
    """Find missing rows of roles, commands and readings, and rows of unknown commands."""
    parts: tuple[tuple[str, set[str], set[str]], ...] = (
        ("acts_as", {*found.acts_as}, {*STAFF_ROLES}),
        ("commands", {*found.commands}, {*command_kinds()}),
        ("reads", {*found.reads}, {*READABLE}),
    )
    for place, rows, wanted in parts:
        for key in (*sorted(wanted - rows), *sorted(rows - wanted)):
            if key in wanted:
                yield refuse(Code.KEY_MISSING, file=file, place=place, key=key)
            else:
                yield refuse(Code.KEY_UNKNOWN, file=file, place=place, key=key, hint=suggestion(key, wanted))


def _row_problems(found: Permissions, file: str) -> Iterator[Refusal]:
    """Find duplicate roles, own-name fields that do not exist, and own-name roles without the command."""
    named = chain(
        ((f"acts_as.{name}", row.roles) for name, row in found.acts_as.items()),
        ((f"commands.{name}", row.roles) for name, row in found.commands.items()),
        ((f"reads.{name}", row.roles) for name, row in found.reads.items()),
    )
    for place, roles in named:
        if len({*roles}) != len(roles):
            yield refuse(Code.VALUE_UNFIT, file=file, place=f"{place}.roles", reason="a role is named twice")
    for kind, row in found.commands.items():
        if row.own is None:
            continue
        place = f"commands.{kind}.own"
        if row.own.field not in command_kinds()[kind].__struct_fields__:
            reason = f"the command has no field '{row.own.field}'"
            yield refuse(Code.VALUE_UNFIT, file=file, place=place, reason=reason)
        if not {*row.own.of} <= {*row.roles}:
            reason = "it names a role that cannot give the command"
            yield refuse(Code.VALUE_UNFIT, file=file, place=place, reason=reason)


@cache
def _rows_by_type() -> dict[type, CommandPermission]:
    return {command_kinds()[kind]: row for kind, row in permissions().commands.items()}


@lru_cache(maxsize=1024)
def _acting_roles(kind: str, roles: tuple[StaffRole, ...]) -> frozenset[ActingRole]:
    if kind == "player":
        return frozenset(("player",))
    return frozenset(chain.from_iterable(permissions().acts_as[role].roles for role in roles))


def acting_roles(actor: Actor) -> frozenset[ActingRole]:
    """Return the roles in which a person can give commands."""
    return _acting_roles(actor.kind, actor.roles)


def permission_refusal(actor: Actor, command: AnyCommand) -> Refusal | None:
    """Return why a person cannot give a command, or None; every command is checked here."""
    row = _rows_by_type().get(type(command))
    role = command.role
    if row is None or command.by != actor.person or role not in _acting_roles(actor.kind, actor.roles):
        return _author_refusal(actor, command, row)
    if role not in row.roles:
        figures = {"what": command_words(command), "who": _role_list(row.roles), "role": role_words(role)}
        return refuse(Code.NOT_PERMITTED, clauses_of(row), **figures)
    own = row.own
    if own is None or role not in own.of or getattr(command, own.field) == actor.person:
        return None
    figures = {
        "what": command_words(command),
        "whose": printable(getattr(command, own.field)),
        "person": actor.person,
    }
    return refuse(Code.NOT_YOUR_ACCOUNT, clauses_of(row), **figures)


def _author_refusal(actor: Actor, command: AnyCommand, row: CommandPermission | None) -> Refusal:
    """Refuse another person's name, a role that the person does not hold, and an unknown command."""
    clauses = clauses_of(row)
    if command.by != actor.person:
        return refuse(Code.NOT_YOUR_NAME, clauses, person=actor.person, by=command.by or "nobody")
    if command.role not in acting_roles(actor):
        return refuse(Code.ROLE_NOT_HELD, clauses, person=actor.person, role=role_words(command.role))
    figures = {"what": command_words(command), "who": _role_list(()), "role": role_words(command.role)}
    return refuse(Code.NOT_PERMITTED, clauses, **figures)


def reading_refusal(actor: Actor, what: str, whose: str = "") -> Refusal | None:
    """Return why a person cannot read something, or None; ``whose`` names a person's own."""
    row = next((row for name, row in permissions().reads.items() if name == what), None)
    roles = acting_roles(actor)
    if row is not None and not roles.isdisjoint(row.roles):
        return None
    if row is not None and whose == actor.person and not roles.isdisjoint(row.own):
        return None
    text = printable(what).replace("_", " ") + (f" of {printable(whose)}" if whose else "")
    return refuse(Code.READING_NOT_PERMITTED, clauses_of(row), person=actor.person, what=text)


def command_words(command: AnyCommand) -> str:
    """Return the name of a command in words: ``buy in``."""
    return str(type(command).__struct_config__.tag).replace("_", " ")


def role_words(role: str) -> str:
    """Return a role in words: ``casino supervisor``."""
    return role.replace("-", " ")


def _role_list(roles: tuple[ActingRole, ...]) -> str:
    if not roles:
        return "house itself"
    *others, last = (role_words(role) for role in roles)
    return f"{', '.join(others)} or {last}" if others else last
