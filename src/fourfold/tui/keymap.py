"""Every action with a key: one table that the bindings, the footer and the help are made from.

The settings file may give an action other keys (``[keys]``, by the action's name); the help shows the real ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from textual.binding import Binding

#: Terminals send these as other keys (ctrl+h is backspace, ctrl+i tab, ctrl+m enter), or do not send them at all.
NEVER = frozenset({"ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m", "ctrl+enter", "ctrl+space", "ctrl+left_square_bracket"})
PLACES: Mapping[str, str] = {
    "everywhere": "Everywhere",
    "query": "While you type a question",
    "list": "Lists",
    "pivot": "From a result, or from the word under the cursor in the preview",
    "ask": "The question",
    "preview": "Preview",
    "start": "Moving",
    "plan": "Plan",
    "lab": "Why it ranks there",
    "rest": "More",
    "report": "Report",
    "panes": "Panes",
    "panel": "Values",
    "whatif": "What if",
    "judge": "Grades",
    "compare": "Two lists",
    "lesson": "Lesson",
    "tree": "Tree",
    "pick": "Choosing from a list",
}


@dataclass(frozen=True, slots=True)
class Key:
    """``name`` is what the settings file calls the action; ``short`` its words in the footer (empty: not there).

    Keys with ``priority`` act before the focused widget sees them. What moves the focus must have it: a key typed right
    after would else still go to the widget that is being left.
    """

    name: str
    keys: tuple[str, ...]
    place: str
    action: str
    help: str
    short: str = ""
    priority: bool = False


def _k(name: str, keys: str, place: str, action: str, help: str, short: str = "", priority: bool = False) -> Key:
    return Key(name, tuple(keys.split()), place, action, help, short, priority)


#: The order is that of the footer and the help.
TABLE: tuple[Key, ...] = (
    _k("to_results", "escape", "everywhere", "to_results", "back to the results", "", True),
    _k("next_pane", "tab", "everywhere", "next_pane", "next pane, also out of the question", "panes", True),
    _k("previous_pane", "shift+tab", "everywhere", "previous_pane", "previous pane", "", True),
    _k("help", "f1", "everywhere", "app.show_help", "help for the place you are in, also while you type", "help", True),
    _k(
        "clear_or_quit",
        "ctrl+c",
        "everywhere",
        "app.clear_or_quit",
        "close a window, or clear the question; again: quit",
        "",
        True,
    ),
    _k("quit", "ctrl+q", "everywhere", "app.leave", "quit", "quit", True),
    _k("suspend", "ctrl+z", "everywhere", "app.suspend_process", "suspend; fg brings it back", "", True),
    _k("palette", "ctrl+backslash", "everywhere", "app.commands", "commands by name", "commands", True),
    # -- query
    _k("query_enter", "enter", "query", "screen.submit_question", "to the results (ask at once)", "results", True),
    _k("query_down", "down ctrl+n", "query", "screen.select(1)", "next result, without leaving the question", "select"),
    _k("query_up", "up ctrl+p", "query", "screen.select(-1)", "previous result"),
    _k("query_older", "alt+up", "query", "screen.earlier(1)", "an earlier question", "earlier"),
    _k("query_newer", "alt+down", "query", "screen.earlier(-1)", "a later question"),
    # -- lists
    _k("down", "j down", "list", "cursor(1)", "down"),
    _k("up", "k up", "list", "cursor(-1)", "up"),
    _k("top", "g home", "list", "edge(-1)", "first"),
    _k("bottom", "G end", "list", "edge(1)", "last"),
    _k("half_down", "ctrl+d pagedown", "list", "page(1)", "half a page down"),
    _k("half_up", "ctrl+u pageup", "list", "page(-1)", "half a page up"),
    _k("open", "enter", "list", "choose", "open: the preview, or what the line names", "open"),
    _k("query", "/", "ask", "screen.to_query", "to the question", "ask"),
    # -- preview
    _k("preview_down", "j down", "preview", "move(1)", "line down"),
    _k("preview_up", "k up", "preview", "move(-1)", "line up"),
    _k("preview_top", "g home", "preview", "edge(-1)", "first line"),
    _k("preview_bottom", "G end", "preview", "edge(1)", "last line"),
    _k("preview_half_down", "ctrl+d pagedown", "preview", "page(1)", "half a page down"),
    _k("preview_half_up", "ctrl+u pageup", "preview", "page(-1)", "half a page up"),
    _k("word_next", "l right", "preview", "word(1)", "next name on the line (what d, r, i, T act on)", "name"),
    _k("word_previous", "h left", "preview", "word(-1)", "previous name on the line"),
    _k("scroll_right", "shift+right", "preview", "sideways(8)", "scroll to the right"),
    _k("scroll_left", "shift+left", "preview", "sideways(-8)", "scroll to the left"),
    _k("edit_line", "enter", "preview", "app.edit_here", "the editor, at this line", "editor"),
    _k("find", "/", "preview", "find", "find in this file", "find"),
    _k("next_match", "n", "preview", "match(1)", "next match", "match"),
    _k("previous_match", "N", "preview", "match(-1)", "previous match"),
    _k("wrap", "W", "preview", "wrap", "wrap long lines, or not", "wrap"),
    # -- pivots
    _k("definition", "d", "pivot", "pivot('definition')", "where it is defined", "definition"),
    _k("references", "r", "pivot", "pivot('references')", "what refers to it", "references"),
    _k("impact", "i", "pivot", "pivot('impact')", "what may break when it changes", "impact"),
    _k("similar", "s", "pivot", "pivot('similar')", "code like it", "similar"),
    _k("callers", "T", "pivot", "callers", "its callers and callees, as a tree", "tree"),
    _k("outline", "O", "pivot", "outline", "the outline of its file", "outline"),
    _k("files", "F", "pivot", "files", "any file by name, those around it first", "files"),
    _k("back", "H", "pivot", "history(-1)", "back through everything seen", "back"),
    _k("forward", "L", "pivot", "history(1)", "forward again"),
    _k("mark", "space", "pivot", "mark", "mark the result", "mark"),
    _k("others", "+", "pivot", "others", "the file's other hits, or hide them"),
    _k("take_newer", "R", "pivot", "take_newer", "take the newer list (“updated · R”)"),
    _k("edit", "o", "pivot", "app.edit_here", "the editor, at this line; the marked results, if any", "editor"),
    _k("edit_split", "ctrl+o", "pivot", "app.edit_split", "the editor in a split (inside tmux)"),
    # -- first screen
    _k("start_files", "F", "start", "screen.files", "any file by name", "files"),
    _k("start_back", "H", "start", "screen.history(-1)", "back to what was seen before"),
    # -- plan
    _k("open_plan", "p", "plan", "plan", "the plan: preset, modalities, strategy, weights, k", "plan"),
    # -- lab
    _k("explain", "x", "lab", "explain", "the explanation at full size, or back", "why"),
    _k("what_if", "w", "lab", "what_if", "what if weights, k, boost, demotion were others", "what if"),
    _k("why_not", "!", "lab", "why_not", "why is a file not among the results", "why not"),
    _k("compare", "c", "lab", "compare", "compare with another plan or question, side by side", "compare"),
    _k("lesson", "X", "lab", "lesson", "step by step: how this list came about", "lesson"),
    _k("judge", "J", "lab", "judge", "grade results 0 to 3 for this question", "judge"),
    _k("snapshot", "S", "lab", "snapshot", "snapshot: save this answer, open one, or see what moved", "snapshot"),
    _k("export", "E", "lab", "export", "export the explanation: Markdown, JSON or SVG", "export"),
    # -- rest
    _k("copy", "y", "pivot", "copy", "copy: path:line, the code, or the formula (the marked ones, if any)", "copy"),
    _k("commands", ":", "rest", "app.commands", "commands by name", "commands"),
    _k("theme", "ctrl+t", "rest", "app.pick_theme", "another theme"),
    _k("narrower", "<", "rest", "divider(-1)", "the divider beside this pane: smaller"),
    _k("wider", ">", "rest", "divider(1)", "the divider beside this pane: larger"),
    _k("large", "Z", "rest", "large", "large type for a projector: list and arithmetic together, or back"),
    _k("settings", "comma", "rest", "app.edit_settings", "the settings file in the editor: every key, explained"),
    _k("help_too", "?", "rest", "app.show_help", "help for the place you are in", "help"),
    # -- reports
    _k("report_close", "escape q", "report", "close", "close", "close"),
    _k("report_pane", "tab shift+tab", "panes", "other_pane", "the other pane", "pane"),
    # -- plan panel
    _k("panel_more", "right l", "panel", "change(1)", "a larger value, or the next one", "change"),
    _k("panel_less", "left h", "panel", "change(-1)", "a smaller value, or the one before"),
    _k("panel_toggle", "space", "panel", "turn", "a modality on or off"),
    _k("panel_reset", "0", "panel", "reset", "everything as published"),
    _k("panel_close", "escape p q", "panel", "close", "close"),
    # -- what if
    _k("whatif_plain", "1", "whatif", "rule(1)", "plain RRF: every weight 1", "plain RRF"),
    _k("whatif_sum", "2", "whatif", "rule(2)", "CombSUM: scores, not ranks", "CombSUM"),
    _k("whatif_mnz", "3", "whatif", "rule(3)", "CombMNZ: the sum times the lists", "CombMNZ"),
    _k("whatif_other", "n", "whatif", "follow(1)", "follow the next result: its k curve, what swaps it", "next"),
    _k("whatif_before", "N", "whatif", "follow(-1)", "follow the result before it"),
    _k("whatif_copy", "y", "whatif", "copy", "copy the command line of these values", "copy"),
    _k("whatif_close", "w", "whatif", "close", "close"),
    # -- lesson
    _k("lesson_next", "right l space enter", "lesson", "step(1)", "reveal; then the next step", "on"),
    _k("lesson_back", "left h backspace", "lesson", "step(-1)", "the step before", "back"),
    _k("lesson_1", "1", "lesson", "predict(0)", "predict the first choice"),
    _k("lesson_2", "2", "lesson", "predict(1)", "predict the second"),
    _k("lesson_3", "3", "lesson", "predict(2)", "predict the third"),
    _k("lesson_4", "4", "lesson", "predict(3)", "predict the fourth"),
    _k("lesson_5", "5", "lesson", "predict(4)", "predict the fifth"),
    _k("lesson_down", "j down", "lesson", "row(1)", "exercise: the next weight"),
    _k("lesson_up", "k up", "lesson", "row(-1)", "exercise: the weight before"),
    _k("lesson_more", "+ =", "lesson", "weight(1)", "exercise: a larger weight"),
    _k("lesson_less", "-", "lesson", "weight(-1)", "exercise: a smaller weight"),
    _k("lesson_solution", "s", "lesson", "solution", "exercise: show or hide a solution"),
    _k("lesson_close", "escape q", "lesson", "close", "leave the lesson", "leave"),
    # -- judging
    _k("grade_0", "0", "judge", "grade(0)", "no answer", "no"),
    _k("grade_1", "1", "judge", "grade(1)", "touches on it", "a little"),
    _k("grade_2", "2", "judge", "grade(2)", "helps to answer", "helps"),
    _k("grade_3", "3", "judge", "grade(3)", "the answer", "answer"),
    # -- comparing
    _k("compare_judge", "J", "compare", "judge", "grade the first tens of both lists, pooled and blind", "judge"),
    # -- tree
    _k("tree_open", "right l", "tree", "unfold(1)", "open the line in place, then into it", "open in place"),
    _k("tree_shut", "left h", "tree", "unfold(-1)", "shut it, or to the line above it"),
    _k("tree_turn", "T", "tree", "turn", "callers, or callees", "turn round"),
    # -- choosing
    _k("pick_down", "down ctrl+n", "pick", "select(1)", "next"),
    _k("pick_up", "up ctrl+p", "pick", "select(-1)", "previous"),
    _k("pick_take", "enter", "pick", "take", "take it", "take"),
    _k("pick_close", "escape", "pick", "close", "close", "close"),
)

#: What works in the windows over the main screen too, beside the keys of their own.
IN_WINDOWS = ("help", "clear_or_quit", "quit", "suspend")

#: Which places' keys work where, nearest first: what the footer and the help of that place show.
WHERE: Mapping[str, tuple[str, ...]] = {
    "query": ("query", "everywhere"),
    "results": ("list", "pivot", "plan", "lab", "ask", "rest", "everywhere"),
    "explain": ("list", "lab", "plan", "pivot", "ask", "rest", "everywhere"),
    "preview": ("preview", "pivot", "plan", "lab", "rest", "everywhere"),
    "overview": ("list", "ask", "start", "plan", "rest", "everywhere"),
    "report": ("report", "list"),
    "snapshot": ("report", "panes", "list"),
    "panel": ("panel", "list"),
    "whatif": ("whatif", "panel", "list"),
    "judge": ("judge", "report", "list"),
    "pool": ("judge", "panes", "report", "list"),
    "compare": ("compare", "report", "list"),
    "lesson": ("lesson",),
    "tree": ("tree", "list", "report"),
    "pick": ("pick",),
    "pane": ("list",),
}

_NAMES = {
    "escape": "esc", "comma": ",", "question_mark": "?", "ctrl+backslash": "ctrl+\\", "pagedown": "pgdn",
    "pageup": "pgup", "up": "↑", "down": "↓", "left": "←", "right": "→", "alt+up": "alt+↑", "alt+down": "alt+↓",
    "shift+right": "shift+→", "shift+left": "shift+←",
}  # fmt: skip


def shown(key: str) -> str:
    """A key as people read it."""
    return _NAMES.get(key, key)


@dataclass(frozen=True)
class Keymap:
    """The table with a user's own keys in it."""

    table: tuple[Key, ...] = TABLE

    def of(self, place: str) -> list[Key]:
        return [key for key in self.table if key.place == place]

    def where(self, context: str) -> list[tuple[str, list[Key]]]:
        """The help of a place: the title of each group of keys that work there, and the keys."""
        return [(PLACES[place], self.of(place)) for place in WHERE[context]]

    def named(self, name: str) -> Key:
        return next(key for key in self.table if key.name == name)

    def footer(self, context: str, only: Iterable[str] | None = None) -> list[tuple[str, str]]:
        """(key, words) for the footer of a place, most useful first; ``only`` limits it to those actions."""
        allowed = None if only is None else set(only)
        seen: set[str] = set()
        out = []
        for place in WHERE[context]:
            for key in self.of(place):
                if key.short and key.keys and key.short not in seen and (allowed is None or key.name in allowed):
                    seen.add(key.short)
                    out.append((shown(key.keys[0]), key.short))
        return out

    def textual(self) -> dict[str, str]:
        """What `App.set_keymap` takes: binding id → keys, for those that are not the default (it is slow)."""
        return {key.name: ",".join(key.keys) for key in self.table if key not in TABLE}


def named(*names: str) -> list[Binding]:
    """The default bindings of the actions ``names``."""
    places = {key.place for key in TABLE if key.name in names}
    return [each for each in bindings(*places) if each.id in names]


def bindings(*places: str) -> list[Binding]:
    """The default bindings of a widget or screen that is one of ``places``; `Keymap.textual` changes their keys."""
    return [
        Binding(",".join(key.keys), key.action, key.help, show=False, priority=key.priority, id=key.name)
        for key in TABLE
        if key.place in places
    ]


def load(own: Mapping[str, str]) -> tuple[Keymap, list[str]]:
    """The table with ``own`` keys (action → keys separated by spaces or commas), and one line for each bad one."""
    by_name = {key.name: key for key in TABLE}
    problems: list[str] = []
    for name, value in own.items():
        if name not in by_name:
            problems.append(f"[keys] {name}: no such action; the help (?) names them all")
            continue
        keys = tuple(value.replace(",", " ").split()) or (",",)
        bad = [key for key in keys if key.lower() in NEVER]
        if bad:
            problems.append(f"[keys] {name}: {bad[0]} does not reach a program in most terminals; the default holds")
            continue
        by_name[name] = dataclasses.replace(by_name[name], keys=keys)
    table = tuple(by_name[key.name] for key in TABLE)
    problems += [f"[keys] {clash}" for clash in clashes(table)]
    return Keymap(table), problems


def clashes(table: tuple[Key, ...]) -> list[str]:
    """Keys that two actions share somewhere, each said once."""
    out: list[str] = []
    for places in WHERE.values():
        taken: dict[str, str] = {}
        for key in table:
            for each in key.keys if key.place in places else ():
                other = taken.setdefault(each, key.name)
                text = f"{each} is both {other} and {key.name}"
                if other != key.name and text not in out:
                    out.append(text)
    return out
