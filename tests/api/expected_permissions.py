"""Expected permissions, read independently from the permissions file, and a sample of each command."""

import tomllib
from importlib.resources import files
from typing import Any, get_args, get_type_hints

import msgspec
import msgspec.inspect as shape

from fourcard.house.auth.permissions import command_kinds
from fourcard.house.commands import HouseTableCommand, MeterCommand, PlayerCommand, StaffCommand
from fourcard.progressive.console import ConsoleCommand
from fourcard.table.commands import TableCommand
from tests.api.served_house import STAFF_PEOPLE, TABLE

PERMISSIONS: dict[str, Any] = tomllib.loads(
    files("fourcard.house").joinpath("permissions.toml").read_text(encoding="utf-8")
)


def _kinds(*unions: Any) -> frozenset[str]:
    return frozenset(str(each.__struct_config__.tag) for union in unions for each in get_args(union))


NOT_SENT = frozenset(("note_password",))
"""The command that the house itself issues when a password is set."""
FAMILIES: dict[str, frozenset[str]] = {
    f"/api/tables/{TABLE}/commands": _kinds(TableCommand, ConsoleCommand, HouseTableCommand),
    f"/api/meters/{TABLE}/commands": _kinds(MeterCommand),
    "/api/players/ann/commands": _kinds(PlayerCommand) - NOT_SENT,
    "/api/staff/commands": _kinds(StaffCommand) - NOT_SENT,
}
"""By path, the commands accepted there."""
PLAIN: dict[type[shape.Type], Any] = {
    shape.IntType: 1,
    shape.BoolType: True,
    shape.StrType: "x",
    shape.VarTupleType: [],
    shape.DictType: {},
}


def acting_roles(person: str) -> list[str]:
    """Return the roles in which somebody may act."""
    if person not in STAFF_PEOPLE:
        return ["player"]
    found: list[str] = PERMISSIONS["acts_as"][STAFF_PEOPLE[person]]["roles"]
    return found


def may_read(person: str, what: str, whose: str = "") -> bool:
    """Return whether somebody may read a report."""
    row, held = PERMISSIONS["reads"][what], {*acting_roles(person)}
    return bool(held & {*row["roles"]}) or (whose == person and bool(held & {*row.get("own", ())}))


def may_give(person: str, command: dict[str, Any]) -> bool:
    """Return whether somebody may give a command in the role it names."""
    kind, held = command["kind"], acting_roles(person)
    role = "player" if person not in STAFF_PEOPLE else command.get("role", default_role(kind))
    row = PERMISSIONS["commands"][kind]
    if role not in held or role not in row["roles"]:
        return False
    own = row.get("own")
    return own is None or role not in own["of"] or bool(command[own["field"]] == person)


def default_role(kind: str) -> str:
    """Return the default role of a command."""
    fields = {field.name: field for field in msgspec.structs.fields(command_kinds()[kind])}
    return str(fields["role"].default)


def nameable_roles(kind: str) -> tuple[str, ...]:
    """Return the roles that a command can name."""
    role = get_type_hints(command_kinds()[kind])["role"]
    return tuple(each for part in get_args(role) for each in get_args(part) or (part,))


def sample(kind: str, **chosen: Any) -> dict[str, Any]:
    """Return a command of a kind with a value of the right type in every field."""
    found = shape.type_info(command_kinds()[kind])
    assert isinstance(found, shape.StructType)
    needed = {field.encode_name: _some(field.type) for field in found.fields if field.required}
    return {"kind": kind, **needed, **chosen}


def _some(type_: shape.Type) -> Any:
    """Return a value of a type."""
    if isinstance(type_, shape.LiteralType):
        return type_.values[0]
    if isinstance(type_, shape.UnionType):
        return _some(type_.types[0])
    if isinstance(type_, shape.StructType):
        return {field.encode_name: _some(field.type) for field in type_.fields if field.required}
    return PLAIN[type(type_)]
