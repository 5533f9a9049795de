"""The application: themes, keys, the indexer, the editor; everything seen is on the screens."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SuspendNotSupported
from textual.binding import BindingType
from textual.widget import Widget

from fourfold import config, paths
from fourfold.config import Settings
from fourfold.model import Question, Result
from fourfold.tui import editor, keymap, state, themes
from fourfold.tui.indexer import Indexer
from fourfold.tui.sanitise import clean
from fourfold.tui.screens.commands import commands_of, run_command
from fourfold.tui.screens.lab import Lab
from fourfold.tui.screens.pick import Choice, Pick
from fourfold.tui.session import Session, options_from
from fourfold.tui.widgets.results import line_of

if TYPE_CHECKING:
    from fourfold.lab.lesson import Lesson
    from fourfold.lab.snapshot import Snapshot


class FourfoldApp(App[None]):
    """``environ`` is the environment that editors and clipboard tools get, as it was before textual changed it."""

    TITLE = "fourfold"
    ENABLE_COMMAND_PALETTE = False
    #: Only what the app binds itself also works in the windows over the main screen.
    BINDINGS: ClassVar[list[BindingType]] = [*keymap.named(*keymap.IN_WINDOWS)]
    CSS = """
    * { scrollbar-size-vertical: 1; }
    ToastRack { align: right bottom; }
    """

    def __init__(
        self,
        session: Session,
        *,
        query: str = "",
        at: str = "",
        environ: Mapping[str, str] | None = None,
        index_in_background: bool = True,
        settings_problems: tuple[str, ...] = (),
        lesson: tuple[Lesson, Question] | None = None,
        theme: str = "",
        snapshot: tuple[Snapshot, str] | None = None,
    ) -> None:
        self.environ: dict[str, str] = dict(os.environ if environ is None else environ)
        no_colour = "NO_COLOR" in self.environ
        super().__init__(ansi_color=True if no_colour else None)
        settings: Settings = session.settings
        self.session = session
        self.first_snapshot = snapshot
        self.first_query, self.first_place, self.first_lesson = query, at, lesson
        self.palettes, problems = themes.load(paths.config_dir() / "themes")
        self.keymap, key_problems = keymap.load(settings.keys)
        self.problems = [*settings_problems, *problems, *key_problems]
        self.state_path = paths.state_dir() / "roots" / f"{paths.root_key(session.root)}.json"
        self.remembered = state.load(self.state_path)
        wanted = themes.choose(theme or self.remembered.theme or settings.theme, self.environ)
        if wanted not in self.palettes:
            self.problems.append(f"theme {wanted}: there is none of that name; the default is used")
            wanted = themes.DEFAULT
        self.palette = self.palettes[wanted]
        if no_colour:
            self.palette = _colourless(self.palettes["ansi-16"])
        self.screen_main = Lab(session)
        preset = self.remembered.preset or settings.preset
        self.screen_main.options = options_from(preset, self.screen_main.options)
        self.indexer: Indexer | None = None
        self._index_in_background = index_in_background
        self._cleared = 0.0
        #: Puts the terminal back as it was found.
        self.put_back: Callable[[], None] = lambda: None
        for palette in self.palettes.values():
            self.register_theme(palette.theme)
        self.theme = self.palette.name
        if own := self.keymap.textual():
            self.set_keymap(own)

    # ------------------------------------------------------------------ life

    def on_load(self) -> None:
        """The last moment before the terminal is set up: it is kept as it was found, for editors and for the end."""
        self.put_back()

    def on_mount(self) -> None:
        self.push_screen(self.screen_main)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """After the first paint: open the index, start the indexer, ask what was given on the command line."""
        gc.freeze()
        gc.set_threshold(2_000, 20, 100)  # whole collections take as long as a frame: `Asking` makes them at rest
        gc.enable()
        if self.first_snapshot is not None:
            from fourfold.tui.screens.snapshot import SnapshotScreen

            self.push_screen(SnapshotScreen(*self.first_snapshot), lambda _: self.exit())
        elif self.first_lesson is not None:
            from fourfold.tui.screens.lesson import LessonScreen

            # whoever came for the lesson is left with its codebase and its question
            made, question = self.first_lesson
            self.screen_main.options = question.options
            self.first_query = question.text
            self.push_screen(LessonScreen(made), lambda _: self._start())
        else:
            self._start()

    def _start(self) -> None:
        screen, session = self.screen_main, self.session
        screen.header.state.root = session.inside or session.root.name or str(session.root)
        screen.header.state.preset = screen.options.preset
        screen.header.refresh()
        screen.refresh_start()
        if self.first_query:
            screen.set_text(self.first_query)

        def opened() -> None:
            if self.first_query and screen.answer is None:
                screen.ask(then=lambda: screen.history.visit(screen.view()))
            if self.first_place:
                path, _, line = self.first_place.rpartition(":")
                number = int(line) if path and line.isdigit() else 1
                screen.go_file(path if path and line.isdigit() else self.first_place, number)
                self.first_place = ""
            if self._index_in_background and self.indexer is None:
                self.indexer = Indexer(session.root, session.index, session.embedder_name, screen.on_progress)
                self.indexer.start()

        screen.open_index(opened)
        if self.problems:
            screen.say(self.problems[0], "warning")
            for problem in self.problems:
                self.notify(problem, severity="warning", timeout=8, markup=False)

    async def action_leave(self) -> None:
        self.exit()

    async def _on_exit_app(self) -> None:
        self.remembered.merge(state.load(self.state_path))
        state.save(self.state_path, self.remembered)
        if self.indexer is not None:
            await self.indexer.stop()
        self.screen_main.shut()
        await super()._on_exit_app()

    async def action_clear_or_quit(self) -> None:
        """Close a window; clear the question when there is one; quit when it is empty, or when pressed twice."""
        screen = self.screen_main
        now = time.monotonic()
        if self.screen is not screen:
            await self.screen.run_action("close")  # as esc does, so that what was graded there is kept
        elif screen.querybar.input.value and now - self._cleared > 1.0:
            self._cleared = now
            screen.querybar.input.value = ""
            screen.focus_pane("query")
        else:
            self.exit()

    # ------------------------------------------------------------------ screens over the main one

    def action_show_help(self) -> None:
        from fourfold.tui.screens.help import Help  # the first paint does not need it

        if isinstance(self.screen, Help):
            self.screen.dismiss()
            return
        focused = self.screen.focused
        context = getattr(focused, "context", "pane") if focused is not None else "pane"
        self.push_screen(Help(self.keymap, context if context in keymap.WHERE else "pane"))

    def action_commands(self) -> None:
        """All actions of the place where the cursor is, and themes and presets, by name."""
        if self.screen is not self.screen_main:
            return
        focused = self.screen_main.focused
        context = str(getattr(focused, "context", "pane"))
        choices = commands_of(self.keymap, context, self.palettes)
        self.push_screen(
            Pick("Commands", choices, hint="what to do"),
            lambda key: self._command(focused, key),
        )

    def _command(self, focused: Widget | None, key: str | None) -> None:
        if key:
            self.call_later(run_command, self, focused, key)

    def action_pick_theme(self) -> None:
        choices = [
            Choice(name, palette.title, "now" if name == self.palette.name else "")
            for name, palette in sorted(self.palettes.items())
        ]
        self.push_screen(
            Pick("Theme", choices, current=self.palette.name), lambda name: self.use_theme(name) if name else None
        )

    def use_theme(self, name: str) -> None:
        if "NO_COLOR" in self.environ:
            self.screen_main.say("NO_COLOR is set: the screen stays without colours")
            return
        self.palette = self.palettes[name]
        self.remembered.theme = name
        self.theme = name
        self.screen_main.querybar.refresh_badge()
        self.screen_main.refresh_titles()
        self.screen_main.results.rebuild()
        self.screen_main.refresh(layout=True)

    # ------------------------------------------------------------------ editor

    def action_edit_here(self) -> None:
        """Open the place under the cursor in the user's editor; from a list, the marked results if there are any."""
        screen = self.screen_main
        marked = [] if screen.in_preview() else screen.results.marked()
        if marked:
            self._edit_many(marked)
        else:
            self._edit_one(split=False)

    def action_edit_split(self) -> None:
        """Open the place under the cursor in the editor, in a pane of its own."""
        if self.environ.get("TMUX"):
            self._edit_one(split=True)
        else:
            self.screen_main.say("a split needs tmux around fourfold; o opens the editor here")

    def action_edit_settings(self) -> None:
        """The settings file in the editor; where there is none yet, one that explains every key and changes nothing."""
        path = config.config_path()
        try:
            if not path.exists():
                paths.make_private(path.parent)
                path.write_text(config.default_file(), encoding="utf-8")
        except OSError as error:
            self.screen_main.say(f"{path}: {error.strerror or error}", "error")
            return
        started = editor.launch(path, 1, self.environ, wanted=self.session.settings.editor)
        self._open_editor(started, f"{clean(str(path))}; changes hold from the next start")

    def _edit_one(self, *, split: bool) -> None:
        screen = self.screen_main
        place = screen.place()
        if place is None:
            screen.say("nothing to open here")
            return
        path = self.session.root / place[0]
        if not path.exists():
            screen.say(f"{clean(place[0])} is gone", "error")
            return
        started = editor.launch(path, place[1], self.environ, wanted=self.session.settings.editor, split=split)
        self._open_editor(started, f"{clean(place[0])}:{place[1]}")

    def _edit_many(self, results: list[Result]) -> None:
        """As the editor's quickfix list where it has one."""
        screen = self.screen_main
        intent = screen.answer.intent.name if screen.answer is not None else ""
        lines = [
            (str(self.session.root / each.path), line_of(each, intent), clean(each.symbol or each.kind))
            for each in results
            if (self.session.root / each.path).exists()
        ]
        errorfile = paths.state_dir() / "marked.quickfix"
        try:
            errorfile.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            errorfile.write_text(editor.quickfix(lines), encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            screen.say(f"{errorfile}: {error.strerror or error}", "error")
            return
        places = [(Path(path), line) for path, line, _ in lines]
        wanted = self.session.settings.editor
        self._open_editor(
            editor.launch_many(places, errorfile, self.environ, wanted=wanted),
            f"{len(places)} marked place{'s' if len(places) > 1 else ''}",
        )

    def _open_editor(self, started: editor.Launch | str, what: str) -> None:
        screen = self.screen_main
        if isinstance(started, str):
            screen.say(started, "error")
            return
        if started.terminal:
            try:
                with self.suspend():
                    problem = editor.run(started, self.environ, Path(self.session.root))
            except SuspendNotSupported:
                problem = "this terminal cannot be handed over to an editor"
            self.refresh()
        else:
            problem = editor.run(started, self.environ, Path(self.session.root))
        screen.say(problem or f"opened {what}", "error" if problem else "text")


def _colourless(palette: themes.Palette) -> themes.Palette:
    from dataclasses import replace

    return replace(palette, no_colour=True, _styles={})
