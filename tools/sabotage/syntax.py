"""Syntax questions: which statements refuse, which expressions are true or false, which names are words."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

ADDRESS = re.compile(r"\b(?:[A-Z]{2}-[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]|[RP]\d+)\b")
"""What looks like the id of a clause, a ruling or a policy; `fourcard` itself is not imported yet."""
BOOLEAN_CALLS = frozenset(("any", "all", "isinstance", "is_set", "has_authority"))
LONGEST_TEXT = 100


def addresses(*texts: str) -> tuple[str, ...]:
    """Return what looks like an id in some texts."""
    return tuple(dict.fromkeys(ADDRESS.findall("\n".join(texts))))


def short_text(node: ast.expr) -> str:
    """Return an expression as one line of limited length."""
    text = ast.unparse(node)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."


def after_docstring(body: Sequence[ast.stmt]) -> int:
    """Return the place of the first statement after a docstring."""
    first = body[0] if body else None
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))


def called(node: ast.expr | None) -> str:
    """Return the name of the function that an expression calls, or nothing."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def refusal_makers(tree: ast.Module) -> Iterator[str]:
    """Yield the functions that always refuse: `refuse`, and those of a module that return a refusal."""
    yield "refuse"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns) == "Refusal":
            yield node.name


def refuses(body: Sequence[ast.stmt], makers: Collection[str]) -> bool:
    """Say whether a block ends with a refusal."""
    last = body[-1]
    if isinstance(last, ast.Return):
        return called(last.value) in makers
    return isinstance(last, ast.Raise) and "Refused" in called(last.exc)


def accepts(body: Sequence[ast.stmt]) -> bool:
    """Say whether a block only returns None, which means no refusal."""
    last = body[-1]
    if len(body) > 1 or not isinstance(last, ast.Return):
        return False
    return last.value is None or (isinstance(last.value, ast.Constant) and last.value.value is None)


def passes_on(node: ast.If) -> bool:
    """Say whether a branch only hands on a refusal that another point made."""
    last = node.body[-1]
    if len(node.body) > 1 or not isinstance(last, ast.Return) or not isinstance(last.value, ast.Name):
        return False
    name = last.value.id
    return ast.unparse(node.test) in (f"{name} is not None", f"isinstance({name}, Refusal)")


def asks_presence(node: ast.expr) -> bool:
    """Say whether a condition only asks whether there is something to look at."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.IsNot | ast.Is):
        return False
    return isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None


def is_boolean(node: ast.expr) -> bool:
    """Say whether an expression is plainly true or false."""
    if isinstance(node, ast.BoolOp):
        return any(map(is_boolean, node.values))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or called(node) in BOOLEAN_CALLS


def is_number(node: ast.expr) -> bool:
    """Say whether an operand may be a number, and not a text, list or tuple as written."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    return not isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)


def stored_names(node: ast.Assign) -> set[str]:
    """Return the names that an assignment gives a value."""
    inside = (each for target in node.targets for each in ast.walk(target))
    return {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def message_names(function: ast.FunctionDef, makers: Collection[str]) -> frozenset[str]:
    """Return the names that only the messages of refusals use."""
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call) and called(node) in makers)
    words = _inside(part for call in calls for part in (*call.args, *call.keywords))
    found = frozenset[str]()
    while True:
        read = {
            each.id
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and id(each) not in words
        }
        more = {name for node in assigned for name in stored_names(node)} - read
        if more <= found:
            return found
        found |= more
        words |= _inside(node.value for node in assigned if stored_names(node) <= found)


def _inside(nodes: Iterable[ast.AST]) -> set[int]:
    return {id(each) for node in nodes for each in ast.walk(node)}
