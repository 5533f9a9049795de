"""Callers and callees of a symbol as a tree that opens in place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from fourfold.model import Direction, Edge, Symbol
from fourfold.tui.bars import Span
from fourfold.tui.keymap import bindings
from fourfold.tui.paint import Row, row, width_of
from fourfold.tui.sanitise import clean, shorten_name, shorten_path
from fourfold.tui.widgets.base import Lines, heading

if TYPE_CHECKING:
    from fourfold.tui.screens.asking import Asking


@dataclass
class Node:
    """``place`` is where to go: the reference itself, or the definition of the tree's own symbol."""

    key: str
    name: str
    symbol: int
    place: tuple[str, int]
    note: str
    depth: int
    children: list[Node] | None = None
    open: bool = False
    loop: bool = False
    ancestors: frozenset[int] = field(default_factory=frozenset)


class TreeLines(Lines):
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tree")]
    context = "tree"

    def action_unfold(self, step: int) -> None:
        screen = self.screen
        if isinstance(screen, CallTree):
            screen.unfold(step)

    def action_turn(self) -> None:
        screen = self.screen
        if isinstance(screen, CallTree):
            screen.turn()


class CallTree(ModalScreen[tuple[str, int] | None]):
    """Hands back the place that was chosen, or None. Neighbours are read in threads, as lines are opened."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report")]
    SCOPED_CSS = False
    CSS = """
    CallTree { align: center middle; background: $background 60%; }
    CallTree:ansi { background: ansi_default; }
    CallTree > TreeLines { width: 110; max-width: 100%; height: 86%; border: round $ff-border-focus; padding: 0 1;
        border-title-color: $ff-bright; border-subtitle-color: $ff-dim; background: $background; }
    """

    def __init__(self, owner: Asking, symbol: Symbol, direction: Direction = "in") -> None:
        super().__init__()
        self.owner = owner
        self.symbol = symbol
        self.direction: Direction = direction
        self.lines = TreeLines()
        self.root = self._make_root()

    def compose(self) -> ComposeResult:
        yield self.lines

    def on_mount(self) -> None:
        self._load(self.root)

    def _make_root(self) -> Node:
        symbol = self.symbol
        name = symbol.qualified or symbol.name
        return Node("0", name, symbol.id, (symbol.path, symbol.name_line), symbol.kind, 0)

    def turn(self) -> None:
        self.direction = "out" if self.direction == "in" else "in"
        self.root = self._make_root()
        self._load(self.root)

    def _load(self, node: Node) -> None:
        direction = self.direction

        def done(pairs: list[tuple[Edge, Symbol | None]]) -> None:
            if direction != self.direction:
                return
            node.children = [self._child(node, index, edge, symbol) for index, (edge, symbol) in enumerate(pairs)]
            node.open = True
            self.fill()

        session = self.owner.session
        self.owner.start(lambda: session.neighbours(node.symbol, direction), done, self.owner.report)

    def _child(self, node: Node, index: int, edge: Edge, symbol: Symbol | None) -> Node:
        ident = edge.source if self.direction == "in" else edge.target
        full = edge.source_name if self.direction == "in" else edge.target_name
        name = (symbol.qualified or symbol.name) if symbol is not None else full
        note = edge.kind if edge.certainty == "certain" else f"{edge.kind}, {edge.certainty}"
        above = node.ancestors | {node.symbol}
        return Node(
            f"{node.key}.{index}", name, ident, (edge.path, edge.line), note, node.depth + 1,
            loop=ident in above, ancestors=above,
        )  # fmt: skip

    # ------------------------------------------------------------------ drawing

    def fill(self) -> None:
        count = len(self.root.children or ())
        name = self.root.name
        title = (
            f"{count} {'refers' if count == 1 else 'refer'} to {name}"
            if self.direction == "in"
            else f"{name} refers to {count}"
        )
        heading(self.lines, title)
        self.lines.border_subtitle = "→ open · ← shut · T turn round · enter go there · esc closes"
        self.lines.set_rows([self._row(node) for node in self._visible(self.root)])

    def _visible(self, root: Node) -> list[Node]:
        out: list[Node] = []
        stack = [root]
        while stack:
            node = stack.pop()
            out.append(node)
            if node.open:
                stack.extend(reversed(node.children or []))
        return out

    def _row(self, node: Node) -> Row:
        known_leaf = node.children is not None and not node.children
        sign = "↺" if node.loop else "·" if known_leaf else "▾" if node.open else "▸"
        note = f"  {node.note}" + ("  none" if known_leaf and not node.depth else "")
        left: list[Span] = [("  " * node.depth, "text"), (f"{sign} ", "dim")]
        name, place = clean(node.name), f"{clean(node.place[0])}:{node.place[1]}"
        # what is left is shared: the place may take half of it, the name what the place does not
        room = max(16, self.lines.line_width - 4 - width_of([*left, (note, "")]))
        place = shorten_path(place, max(room // 2, room - cell_len(name)))
        name = shorten_name(name, room - cell_len(place))
        role = "text" if node.depth else "bright"
        return row(*left, (name, role), (note, "dim"), right=[(f"{place} ", "dim")], key=node.key)

    def _node(self, key: str) -> Node | None:
        return next((node for node in self._visible(self.root) if node.key == key), None)

    # ------------------------------------------------------------------ keys

    def unfold(self, step: int) -> None:
        node = self._node(self.lines.current)
        if node is None:
            return
        if step > 0:
            if node.children is None and not node.loop:
                self._load(node)
            elif node.children and node.open:
                self.lines.select(node.children[0].key)
            elif node.children:
                node.open = True
                self.fill()
        elif node.open and node.children:
            node.open = False
            self.fill()
        elif "." in node.key:
            self.lines.select(node.key.rpartition(".")[0])

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        node = self._node(message.key)
        self.dismiss(node.place if node is not None else None)

    def action_close(self) -> None:
        self.dismiss(None)
