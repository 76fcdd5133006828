"""Enforcement points: the places of the code where a rule is enforced or an outcome is chosen.

A point is known by module, function, change and expression. ``instrument`` puts a switch at each point of a
module, so that one process can make any alteration by turning one switch.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

Change = Literal["removed", "never", "always", "inverted", "dropped"]
"""What an alteration does: leaves a check out, never refuses, always accepts, turns a branch the other way, or
leaves out one part of a condition."""
ADDRESS = re.compile(r"\b(?:[A-Z]{2}-[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]|[RP]\d+)\b")
"""What looks like the id of a clause, a ruling or a policy; fourcard itself is not imported yet."""
SWITCHES = "__switches__"
MARK = "__mark__"
REFUSE = frozenset(("refuse",))
BOOLEAN_CALLS = frozenset(("any", "all", "isinstance", "bool", "is_set", "has_authority"))
WORDING = ("_text", "__str__", "__repr__", "__eq__", "__hash__")
MESSAGE_NAMES = ("describe_", "narrate_", "format_")


class Point(msgspec.Struct, frozen=True):
    """One place of the code and how it is altered."""

    module: str
    function: str
    change: Change
    text: str
    cited: tuple[str, ...]
    """The ids that stand in the function."""
    cited_around: tuple[str, ...]
    """The ids that stand in the docstrings of its class and module."""
    guard: int | None = None
    """The index of the condition that this is a part of."""

    def __str__(self) -> str:
        """Return the point's name."""
        return f"{self.module.removeprefix('fourcard.')}.{self.function} | {self.change} | {self.text}"


def instrument(module: str, source: str, first: int = 0) -> tuple[ast.Module, list[Point]]:
    """Return a module's tree with a switch at each point, and the points numbered from ``first``."""
    tree = ast.parse(source)
    placer = _Placer(module, source, tree, first)
    placer.visit(tree)
    own = ast.parse(f"from tools.sabotage.switches import SWITCHES as {SWITCHES}").body
    place = _after_docstring(tree.body)
    while place < len(tree.body) and _is_future(tree.body[place]):
        place += 1
    tree.body[place:place] = own
    return ast.fix_missing_locations(tree), _numbered(placer.points)


def _numbered(points: Iterable[Point]) -> list[Point]:
    """Return the points, those of the same name told apart by a number."""
    seen, named = Counter[str](), list[Point]()
    for point in points:
        seen[str(point)] += 1
        number = seen[str(point)]
        named.append(point if number == 1 else msgspec.structs.replace(point, text=f"{point.text} #{number}"))
    return named


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _after_docstring(body: Sequence[ast.stmt]) -> int:
    first = body[0] if body else None
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))


class _Function(msgspec.Struct):
    """What is known of the function that is being read."""

    name: str
    cited: tuple[str, ...]
    refuses: bool
    """Whether it returns why something is refused, or None."""
    boolean: bool
    wording: frozenset[str]
    """Names that only messages use."""
    silent: bool
    """Whether it only makes words."""


class _Placer(ast.NodeTransformer):
    """Puts a switch at each point."""

    def __init__(self, module: str, source: str, tree: ast.Module, first: int) -> None:
        self.module, self.first, self.lines = module, first, source.splitlines()
        self.points: list[Point] = []
        self.around = [ast.get_docstring(tree) or ""]
        self.names: list[str] = []
        self.functions: list[_Function] = []
        self.constructors = REFUSE | set(_constructors(tree))

    # Names and scopes

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.names.append(node.name)
        self.around.append(ast.get_docstring(node) or "")
        node.body = [self.visit(each) for each in node.body]
        self.around.pop()
        self.names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.names.append(node.name)
        self.functions.append(self._function(node))
        node.body = [each for old in node.body for each in self._statements(old)]
        mark = ast.parse(f"{MARK} = {SWITCHES}.mark()").body
        place = _after_docstring(node.body)
        node.body[place:place] = mark
        self.functions.pop()
        self.names.pop()
        return node

    def _statements(self, node: ast.stmt) -> list[ast.stmt]:
        visited = self.visit(node)
        return visited if isinstance(visited, list) else [visited]

    def _function(self, node: ast.FunctionDef) -> _Function:
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        returns = "" if node.returns is None else ast.unparse(node.returns)
        silent = node.name.endswith(WORDING) or node.name.lstrip("_").startswith(MESSAGE_NAMES)
        return _Function(
            ".".join(self.names),
            tuple(dict.fromkeys(ADDRESS.findall("\n".join(lines)))),
            "Refusal | None" in returns,
            returns == "bool",
            _message_names(node, self.constructors),
            silent or returns == "str",
        )

    # Points

    def _add(self, change: Change, text: str, guard: int | None = None) -> int:
        function = self.functions[-1]
        around = tuple(dict.fromkeys(ADDRESS.findall("\n".join(self.around))))
        self.points.append(Point(self.module, function.name, change, text, function.cited, around, guard))
        return self.first + len(self.points) - 1

    def _switch(self, change: Change, node: ast.expr, number: int) -> ast.expr:
        return _call(change, ast.Constant(number), node)

    @property
    def _active(self) -> bool:
        return bool(self.functions) and not self.functions[-1].silent

    def visit_If(self, node: ast.If) -> ast.AST:
        if not self._active or _passes_on(node):
            return self.generic_visit(node)
        change: Change = "inverted"
        if self._is_refused(node.body):
            change = "never"
        elif self.functions[-1].refuses and _returns_none(node.body):
            change = "always"
        node.test, number = self._condition(node.test, change)
        node.body = [each for old in node.body for each in self._statements(old)]
        if change == "never":
            _attach(node.body[-1], number)
        node.orelse = [each for old in node.orelse for each in self._statements(old)]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if not self._active:
            return self.generic_visit(node)
        change: Change = "inverted"
        if self._is_refusal(node.body):
            change = "never"
        elif self._is_refusal(node.orelse):
            change = "always"
        node.test, number = self._condition(node.test, change)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        if change == "never":
            node.body = _call("left", ast.Constant(number), node.body)
        if change == "always":
            node.orelse = _call("left", ast.Constant(number), node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if not self._active or not self._is_refusal(node.values[-1]):
            return self.generic_visit(node)
        number = self._add("removed", _short(ast.unparse(node)))
        last = _call("kept", ast.Constant(number), node.values[-1])
        node.values[:-1] = map(self._whole, node.values[:-1])
        node.values[-1] = ast.IfExp(_call("removed", ast.Constant(number)), ast.List([], ast.Load()), last)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        if self._active:
            node.ifs = [self._condition(test, "inverted")[0] for test in node.ifs]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is None or not self.functions:
            return node
        node.value = self._value(node.value, boolean=self.functions[-1].boolean)
        if not isinstance(node.value, ast.Constant):
            node.value = _call("leaves", ast.Name(MARK, ast.Load()), node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if not self._active:
            return node if not self.functions else self.generic_visit(node)
        targets = _stored(node)
        if targets and targets <= self.functions[-1].wording:
            return node
        node.value = self._value(node.value, boolean=False)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.value = self._value(node.value, boolean=False) if self._active else self.visit(node.value)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        if node.value is not None and self.functions:
            node.value = _call("leaves", ast.Name(MARK, ast.Load()), self.visit(node.value))
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _called(node)
        if name in self.constructors:
            return node
        if not self._active or not name.endswith("refusal"):
            return self.generic_visit(node)
        number = self._add("removed", _short(ast.unparse(node)))
        self.generic_visit(node)
        taken = _call("kept", ast.Constant(number), node)
        return ast.IfExp(_call("removed", ast.Constant(number)), ast.Constant(None), taken)

    # Conditions

    def _condition(self, test: ast.expr, change: Change) -> tuple[ast.expr, int]:
        """Return a condition with its switch and those of its parts, and the number of the first."""
        number = self._add(change, _short(ast.unparse(test)))
        return self._switch(change, self._parts(test, number), number), number

    def _parts(self, test: ast.expr, guard: int) -> ast.expr:
        """Return a condition with a switch at each of its parts."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._parts(test.operand, guard)
            return test
        if not isinstance(test, ast.BoolOp):
            return self._whole(test)
        neutral = isinstance(test.op, ast.And)
        test.values = [self._part(each, guard, neutral=neutral) for each in test.values]
        return test

    def _part(self, operand: ast.expr, guard: int, *, neutral: bool) -> ast.expr:
        if _is_presence(operand):
            return self._whole(operand)
        number = self._add("dropped", _short(ast.unparse(operand)), guard)
        inner = self._parts(operand, guard)
        return ast.IfExp(_call("dropped", ast.Constant(number)), ast.Constant(neutral), inner)

    def _whole(self, node: ast.expr) -> ast.expr:
        visited = self.visit(node)
        assert isinstance(visited, ast.expr)
        return visited

    def _value(self, node: ast.expr, *, boolean: bool) -> ast.expr:
        """Return a value; what is true or false is a point."""
        if self._active and (_is_boolean(node) or (boolean and isinstance(node, ast.BoolOp))):
            return self._condition(node, "inverted")[0]
        return self._whole(node)

    def _is_refused(self, body: list[ast.stmt]) -> bool:
        last = body[-1]
        if isinstance(last, ast.Return):
            return last.value is not None and self._is_refusal(last.value)
        if isinstance(last, ast.Raise) and isinstance(last.exc, ast.Call):
            return "Refused" in _called(last.exc)
        return False

    def _is_refusal(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and _called(node) in self.constructors


def _call(method: str, *arguments: ast.expr) -> ast.expr:
    switches = ast.Name(SWITCHES, ast.Load())
    return ast.Call(ast.Attribute(switches, method, ast.Load()), list(arguments), [])


def _attach(last: ast.stmt, number: int) -> None:
    """Let a refusal note the point that it leaves."""
    if isinstance(last, ast.Return) and last.value is not None:
        last.value = _call("left", ast.Constant(number), last.value)
    elif isinstance(last, ast.Raise) and last.exc is not None:
        last.exc = _call("left", ast.Constant(number), last.exc)


def _constructors(tree: ast.Module) -> Iterator[str]:
    """Yield the functions of a module that always refuse."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            if ast.unparse(node.returns) == "Refusal":
                yield node.name


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _returns_none(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if not isinstance(last, ast.Return) or len(body) > 1:
        return False
    return last.value is None or (isinstance(last.value, ast.Constant) and last.value.value is None)


def _passes_on(node: ast.If) -> bool:
    """Say whether a branch only hands on a refusal that another point made."""
    body, test = node.body, node.test
    if len(body) > 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Name):
        return False
    name, text = body[0].value.id, ast.unparse(test)
    return text in (f"{name} is not None", f"isinstance({name}, Refusal)")


def _is_presence(node: ast.expr) -> bool:
    """Say whether a condition only asks whether there is something to look at."""
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.IsNot | ast.Is) and (
        isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None
    )


def _is_boolean(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return any(map(_is_boolean, node.values))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and _called(node) in BOOLEAN_CALLS)


def _stored(node: ast.Assign) -> set[str]:
    return {
        each.id
        for target in node.targets
        for each in ast.walk(target)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _message_names(function: ast.FunctionDef, constructors: Iterable[str]) -> frozenset[str]:
    """Return the names that only refusals' messages use."""
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    words, silent = frozenset[str](), set[int]()
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    for call in calls:
        if _called(call) in constructors:
            silent |= {id(each) for part in (*call.args, *call.keywords) for each in ast.walk(part)}
    while True:
        for node in assigned:
            if _stored(node) and _stored(node) <= words:
                silent |= {id(each) for each in ast.walk(node.value)}
        read = {
            each.id
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and id(each) not in silent
        }
        found = frozenset(name for node in assigned for name in _stored(node) if name not in read)
        if found <= words:
            return words
        words |= found


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:97]}..."
