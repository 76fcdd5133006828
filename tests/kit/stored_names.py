"""Every name that is stored or sent, with its shape: journal, commands, games, API, SQL.

``python -m tests.kit.stored_names`` writes the pinned file again: only when a format must change.
"""

import json
from pathlib import Path
from typing import Any, Union, get_args

import httpx
from msgspec import inspect

from fourcard.house.auth.identity import AnyCommand
from fourcard.house.events import HouseEvent, HouseTableEvent, MeterEvent, PlayerEvent, StaffEvent
from fourcard.house.round_index import RoundBody
from fourcard.house.running_totals import HourTotals, Sums
from fourcard.house.state_cache import MeterSnapshot, TableSnapshot
from fourcard.house.store.schema import metadata
from fourcard.progressive.console import ConsoleEvent
from fourcard.refusal_codes import Code
from fourcard.rules.clauses import settings
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import Submission, examples, read_submission
from fourcard.server.floor.messages import TableChange, TableMessage
from fourcard.server.live import WholeTableRequest
from fourcard.settle_files.schema import RoundLine
from fourcard.settle_files.settle import SettleAnswer, SettleRefusal
from fourcard.table.events import TableEvent
from tests.api.served_house import served_house
from tests.kit.waiting import PATIENCE

FILE = Path(__file__).parents[1] / "fixtures" / "stored_names.json"
EVENTS = {
    "table": TableEvent | HouseTableEvent | ConsoleEvent,
    "meter": MeterEvent,
    "player": PlayerEvent,
    "staff": StaffEvent,
    "house": HouseEvent,
}


def stored_names() -> dict[str, Any]:
    """Return every stored or sent name with the shape of what it holds; no class name appears in it."""
    whole = {"submission": Submission, "game": Game, "settle_line": RoundLine, "settle_answer": SettleAnswer}
    sent: dict[str, Any] = {
        "settle_refused": SettleRefusal,
        "table_snapshot": TableSnapshot,
        "meter_snapshot": MeterSnapshot,
    }
    sent |= {"hour_totals": HourTotals, "earlier_totals": Sums, "round": RoundBody}
    live = {"live": TableMessage, "live_change": TableChange, "live_whole": WholeTableRequest}
    return {
        "events": {family: _by_tag(kinds) for family, kinds in EVENTS.items()},
        "commands": _by_tag(_every_command()),
        "shapes": {name: shape_of(kind) for name, kind in {**whole, **sent, **live}.items()},
        "settings": {name: address for name, (address, _) in sorted(settings().items())},
        "refusals": {str(int(code)): code.name for code in Code},
        "sql": {table.name: [column.name for column in table.columns] for table in metadata.sorted_tables},
        "game_hashes": {name: resolve_game(read_submission(path)).hash for name, path in examples().items()},
    }


def shape_of(kind: Any) -> Any:
    """Return the shape of a type: its fields, which are required, and what each holds; no class names."""
    return _shape(inspect.type_info(kind))


def _shape(kind: inspect.Type) -> Any:  # noqa: PLR0911  one line for each kind of type
    match kind:
        case inspect.StructType(array_like=True):
            return [[field.encode_name, _shape(field.type)] for field in kind.fields]
        case inspect.StructType():
            fields = {
                f"{field.encode_name}{'' if field.required else '?'}": _shape(field.type)
                for field in kind.fields
            }
            return {"tag": kind.tag, "fields": fields} if kind.tag else fields
        case inspect.NamedTupleType() | inspect.DataclassType() | inspect.TypedDictType():
            return [[field.name, _shape(field.type)] for field in kind.fields]
        case inspect.UnionType():
            return {"any of": sorted((_shape(each) for each in kind.types), key=json.dumps)}
        case inspect.LiteralType():
            return {"one of": list(kind.values)}
        case inspect.EnumType():
            return {"one of": [each.value for each in kind.cls]}
        case inspect.DictType():
            return {"keys": _shape(kind.key_type), "values": _shape(kind.value_type)}
        case inspect.TupleType():
            return {"tuple": [_shape(each) for each in kind.item_types]}
        case inspect.CollectionType():
            return {"list": _shape(kind.item_type)}
        case inspect.Metadata():
            return _shape(kind.type)
        case inspect.CustomType():
            return kind.cls.__name__.lower()
        case _:
            return type(kind).__name__.removesuffix("Type").lower()


def api_names(document: Any) -> dict[str, Any]:
    """Return the paths, parameters and fields of an OpenAPI document, without the names of its components."""
    return {
        f"{method} {path}": _operation_names(operation, document["components"]["schemas"])
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def _operation_names(operation: Any, schemas: Any) -> dict[str, Any]:
    bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
    return {
        "parameters": sorted(each["name"] for each in operation.get("parameters", ())),
        **{
            name: {media: _fields(part.get("schema"), schemas, ()) for media, part in body["content"].items()}
            for name, body in bodies.items()
            if "content" in body
        },
    }


def _fields(schema: Any, schemas: Any, within: tuple[str, ...]) -> Any:
    """Return the tree of field names of a schema."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "recursive" if name in within else _fields(schemas[name], schemas, (*within, name))
    if "properties" in schema:
        required = schema.get("required", ())
        return {
            f"{name}{'' if name in required else '?'}": _fields(each, schemas, within)
            for name, each in schema["properties"].items()
        }
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return {"any of": sorted((_fields(each, schemas, within) for each in choices), key=json.dumps)}
    if "items" in schema:
        return {"list": _fields(schema["items"], schemas, within)}
    if isinstance(schema.get("additionalProperties"), dict):
        return {"values": _fields(schema["additionalProperties"], schemas, within)}
    return schema.get("const") or schema.get("enum") or schema.get("type")


def as_text(names: dict[str, Any]) -> str:
    """Return the names as JSON, one entry a line, so that a difference shows what changed."""
    sections = (
        f'"{section}": {{\n'
        + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in each.items())
        + "\n}"
        for section, each in sorted(names.items())
    )
    return "{" + ",\n".join(sections) + "}\n"


def _by_tag(kinds: Any) -> dict[str, Any]:
    """Return the shapes of tagged structs, of a union or a list, by their tags."""
    return {str(kind.__struct_config__.tag): shape_of(kind) for kind in get_args(kinds) or [kinds]}


def _every_command() -> Any:
    """Return the union of all commands: the classes of the house and of a table without subclasses."""

    def leaves(kind: type[Any]) -> list[type[Any]]:
        below = kind.__subclasses__()
        return [leaf for each in below for leaf in leaves(each)] if below else [kind]

    return Union[tuple(leaf for kind in get_args(AnyCommand) for leaf in leaves(kind))]  # noqa: UP007


def write() -> None:
    """Write the pinned file from a house that is served."""
    with served_house() as served:
        document = httpx.get(f"{served.address}/api/openapi.json", timeout=PATIENCE).json()
    FILE.write_text(as_text({**stored_names(), "api": api_names(document)}), encoding="utf-8")


if __name__ == "__main__":
    write()
