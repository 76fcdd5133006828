"""Instrumented code: a module with a switch at each enforcement point.

One process can then make any alteration by turning one switch, and record which tests reach which point.
"""

import ast
import copy
from collections.abc import Sequence

import msgspec

from tools.sabotage.points import Change, Point, numbered
from tools.sabotage.syntax import (
    accepts,
    addresses,
    after_docstring,
    asks_presence,
    called,
    is_boolean,
    is_number,
    message_names,
    passes_on,
    refusal_makers,
    refuses,
    short_text,
    stored_names,
)

SWITCHES, MARK = "__switches__", "__mark__"
IMPORT = f"from tools.sabotage.switches import SWITCHES as {SWITCHES}"
SILENT = ("_text", "__str__", "__eq__", "__hash__")
SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Add,
}


def instrument(
    module: str, source: str, first: int = 0, *, arithmetic: bool = False
) -> tuple[ast.Module, list[Point]]:
    """Return a module's tree with switches, and its points; the first has the number ``first``."""
    tree = ast.parse(source)
    placer = _Placer(module, source, tree, first)
    placer.arithmetic = arithmetic
    placer.visit(tree)
    place = after_docstring(tree.body)
    tree.body[place:place] = ast.parse(IMPORT).body
    return ast.fix_missing_locations(tree), numbered(placer.points)


class _Function(msgspec.Struct):
    """The function that is being read."""

    name: str
    cited: tuple[str, ...]
    may_refuse: bool
    """Whether it returns a refusal or None."""
    boolean: bool
    silent: bool
    """Whether it only makes words."""
    words: frozenset[str]
    """Names that only messages use."""


class _Placer(ast.NodeTransformer):
    """Puts a switch at each point of a module."""

    arithmetic = False

    def __init__(self, module: str, source: str, tree: ast.Module, first: int) -> None:
        self.module, self.first, self.lines = module, first, source.splitlines()
        self.makers = frozenset(refusal_makers(tree))
        self.points: list[Point] = []
        self.around = [ast.get_docstring(tree) or ""]
        self.names: list[str] = []
        self.functions: list[_Function] = []

    @property
    def looks(self) -> bool:
        """Say whether points are looked for here."""
        return bool(self.functions) and not self.functions[-1].silent

    # Functions and what leaves them

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.names.append(node.name)
        self.around.append(ast.get_docstring(node) or "")
        node.body = self._block(node.body)
        self.around.pop()
        self.names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.names.append(node.name)
        self.functions.append(self._function(node))
        node.body = self._block(node.body)
        place = after_docstring(node.body)
        node.body[place:place] = ast.parse(f"{MARK} = {SWITCHES}.mark()").body
        self.functions.pop()
        self.names.pop()
        return node

    def _function(self, node: ast.FunctionDef) -> _Function:
        returns = "" if node.returns is None else ast.unparse(node.returns)
        return _Function(
            name=".".join(self.names),
            cited=addresses(*self.lines[node.lineno - 1 : node.end_lineno]),
            may_refuse="Refusal | None" in returns,
            boolean=returns == "bool",
            silent=node.name.endswith(SILENT) or returns == "str",
            words=message_names(node, self.makers),
        )

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(each) for each in body]

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            leaving = self._value(node.value, boolean=self.functions[-1].boolean)
            node.value = _switch("leaves", ast.Name(MARK, ast.Load()), leaving)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        if node.value is not None:
            node.value = _switch("leaves", ast.Name(MARK, ast.Load()), self.visit(node.value))
        return node

    # Checks and conditions

    def visit_If(self, node: ast.If) -> ast.AST:
        if not self.looks or passes_on(node):
            return self.generic_visit(node)
        change: Change = "inverted"
        if refuses(node.body, self.makers):
            change = "never"
        elif self.functions[-1].may_refuse and accepts(node.body):
            change = "always"
        node.test, number = self._condition(node.test, change)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        if change == "never":
            _let_leave(node.body[-1], number)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if not self.looks:
            return self.generic_visit(node)
        change: Change = "inverted"
        if called(node.body) in self.makers:
            change = "never"
        elif called(node.orelse) in self.makers:
            change = "always"
        node.test, number = self._condition(node.test, change)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        if change == "never":
            node.body = _switch("left", ast.Constant(number), node.body)
        elif change == "always":
            node.orelse = _switch("left", ast.Constant(number), node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        if self.looks:
            node.ifs = [self._condition(test, "inverted")[0] for test in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Put a switch at `events or refuse(...)`."""
        if not self.looks or called(node.values[-1]) not in self.makers:
            return self.generic_visit(node)
        number = self._add("removed", short_text(node))
        last = _switch("left", ast.Constant(number), node.values[-1])
        node.values = [*map(self.visit, node.values[:-1]), _unless(number, ast.List([], ast.Load()), last)]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = called(node)
        if name in self.makers:
            return node
        if not self.looks or not name.endswith("refusal"):
            return self.generic_visit(node)
        number = self._add("removed", short_text(node))
        self.generic_visit(node)
        return _unless(number, ast.Constant(None), _switch("left", ast.Constant(number), node))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        words = self.looks and stored_names(node) and stored_names(node) <= self.functions[-1].words
        if not words:
            node.value = self._value(node.value)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.value = self._value(node.value)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    # Boundaries and sums

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        text = short_text(node)
        self.generic_visit(node)
        found: ast.expr = node
        for place, operator in enumerate(node.ops if self.looks else ()):
            if type(operator) in SHIFTED:
                other = copy.deepcopy(node)
                other.ops[place] = SHIFTED[type(operator)]()
                found = _unless(self._add("shifted", text), other, found)
        return found

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        text, other = short_text(node), SWAPPED.get(type(node.op))
        numbers = is_number(node.left) and is_number(node.right)
        self.generic_visit(node)
        if not self.looks or not self.arithmetic or other is None or not numbers:
            return node
        swapped = copy.deepcopy(node)
        swapped.op = other()
        return _unless(self._add("swapped", text), swapped, node)

    # Points

    def _add(self, change: Change, text: str, guard: int | None = None) -> int:
        function, around = self.functions[-1], addresses(*self.around)
        self.points.append(Point(self.module, function.name, change, text, function.cited, around, guard))
        return self.first + len(self.points) - 1

    def _condition(self, test: ast.expr, change: Change) -> tuple[ast.expr, int]:
        """Return a condition with its switch and those of its parts, and the number of the first."""
        number = self._add(change, short_text(test))
        return _switch(change, ast.Constant(number), self._parts(test, number)), number

    def _parts(self, test: ast.expr, guard: int) -> ast.expr:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._parts(test.operand, guard)
            return test
        if not isinstance(test, ast.BoolOp):
            return self._visited(test)
        neutral = ast.Constant(isinstance(test.op, ast.And))
        test.values = [self._part(each, guard, neutral) for each in test.values]
        return test

    def _part(self, part: ast.expr, guard: int, neutral: ast.Constant) -> ast.expr:
        if asks_presence(part):
            return self._visited(part)
        number = self._add("dropped", short_text(part), guard)
        return _unless(number, neutral, self._parts(part, guard))

    def _value(self, node: ast.expr, *, boolean: bool = False) -> ast.expr:
        """Return a value; one that is true or false is a point."""
        if self.looks and (is_boolean(node) or (boolean and isinstance(node, ast.BoolOp))):
            return self._condition(node, "inverted")[0]
        return self._visited(node)

    def _visited(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(node)
        return found


def _switch(method: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name(SWITCHES, ast.Load()), method, ast.Load()), list(arguments), [])


def _unless(number: int, altered: ast.expr, original: ast.expr) -> ast.expr:
    """Return the altered expression if a switch is turned, otherwise the original."""
    return ast.IfExp(_switch("turns", ast.Constant(number)), altered, original)


def _let_leave(last: ast.stmt, number: int) -> None:
    """Let a refusal that is returned or raised be noted at its point."""
    if isinstance(last, ast.Return) and last.value is not None:
        last.value = _switch("left", ast.Constant(number), last.value)
    elif isinstance(last, ast.Raise) and last.exc is not None:
        last.exc = _switch("left", ast.Constant(number), last.exc)
