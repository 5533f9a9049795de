"""C's declarators: the name that ``*(*name[3])(void)`` declares.

A query would have to spell out each nesting of pointers, arrays and functions, and one that does takes half a second to
compile for C++. So it captures the outermost declarator, and the name is looked for here: ``name.value`` that of a
variable, ``name.function`` that of a function, ``name.any`` either, ``bind.name.in`` that of a variable whose written
type is its own or what it points to.
"""

from __future__ import annotations

from bisect import bisect_right

from tree_sitter import Node

from fourfold.indexing.items import Captures

_PLAIN = frozenset({"identifier", "field_identifier", "type_identifier"})
_FUNCTIONS = frozenset({"qualified_identifier", "destructor_name", "operator_name", "operator_cast"})
_NEAR = frozenset({"pointer_declarator", "reference_declarator", "init_declarator"})
_NAMES = {"name.value": "name", "name.function": "name", "name.any": "name", "bind.name.in": "bind.name"}
#: Nothing that a person writes is nested deeper.
_DEEPEST = 12


def reach_names(caught: Captures) -> None:
    """Put the names that captured declarators declare among the captures ``name`` and ``bind.name``."""
    if not _NAMES.keys() & caught.keys():
        return
    places: dict[str, list[int]] = {capture: [] for capture in _NAMES}
    for capture, target in _NAMES.items():
        nodes = caught.pop(capture, None)
        if not nodes:
            continue
        names = caught.setdefault(target, [])
        seen = {node.start_byte for node in names}
        for node in nodes:
            name = node if node.type in _PLAIN else _near(node) if target == "bind.name" else _declared(node, capture)
            if name is None or name.start_byte in seen or (name is node and capture == "name.function"):
                continue
            seen.add(name.start_byte)
            names.append(name)
            places[capture].append(name.start_byte)
    _keep_named(caught, places["name.value"], ("def.field", "def.variable"))
    _keep_named(caught, places["name.function"], ("def.function",))


def _keep_named(caught: Captures, places: list[int], captures: tuple[str, ...]) -> None:
    """Drop declarations that name nothing: a prototype must not take a name that stands inside it."""
    nodes = sorted(
        (node.start_byte, node.end_byte, capture) for capture in captures for node in caught.get(capture, ())
    )
    named: set[tuple[int, int, str]] = set()
    for place in places:
        index = bisect_right(nodes, (place, 1 << 62, "")) - 1
        while index >= 0 and nodes[index][1] <= place:
            index -= 1
        if index >= 0:
            named.add(nodes[index])
    for capture in captures:
        if capture in caught:
            caught[capture] = [node for node in caught[capture] if (node.start_byte, node.end_byte, capture) in named]


def _near(node: Node) -> Node | None:
    found: Node | None = node
    for _ in range(_DEEPEST):
        if found is None or found.type in _PLAIN:
            return found
        if found.type not in _NEAR:
            return None
        found = _inner(found)
    return None


def _declared(node: Node, capture: str) -> Node | None:
    value = capture == "name.value"
    found: Node | None = node
    around = ""
    for _ in range(_DEEPEST):
        if found is None:
            return None
        kind = found.type
        if kind == "template_function" and not value:
            return found.child_by_field_name("name") if around == "function_declarator" else None
        if kind in _PLAIN or (kind in _FUNCTIONS and not value):
            # what stands closest to the name says what it is: `*f(void)` is a function, `(*f)(void)` a variable
            is_function = around == "function_declarator"
            return found if capture == "name.any" or is_function != value else None
        if kind != "parenthesized_declarator":
            around = kind
        elif value and around in ("", "init_declarator"):
            return None  # a macro or a constructor's list that was misread
        found = _inner(found)
    return None


def _inner(node: Node) -> Node | None:
    """The part of a declarator that holds the name."""
    found = node.child_by_field_name("declarator")
    if found is None and node.named_child_count and node.type in ("reference_declarator", "parenthesized_declarator"):
        found = node.named_children[-1]
    return found
