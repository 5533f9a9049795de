"""The terminal UI. `main` opens it; nothing heavy is imported before."""

from __future__ import annotations

import gc
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.config import Settings
    from fourfold.lab.lesson import Lesson
    from fourfold.lab.snapshot import Snapshot
    from fourfold.model import Question


def main(
    folder: Path,
    *,
    root: Path,
    index: Path | None = None,
    question: str = "",
    at: str = "",
    embedder: str | None = None,
    settings: Settings,
    problems: tuple[str, ...] = (),
    lesson: tuple[Lesson, Question] | None = None,
    theme: str = "",
    snapshot: tuple[Snapshot, str] | None = None,
) -> int:
    """Open the screen on ``folder`` through the index of ``root`` (with a question, at ``FILE:LINE``, or with the
    ``lesson`` of a question) until the user leaves; the exit code. ``embedder`` is local, voyage or none, and is kept;
    None is what was kept before. ``problems`` are those of the settings file, a line each. ``theme`` is for this run.
    With a ``snapshot`` (and its name) nothing but that is shown, and ``folder`` is not looked into.
    """
    from fourfold.tui.typeahead import keep_keys

    put_back = keep_keys()
    try:
        gc.disable()  # until the first paint: what is made before it stays
        sys.setswitchinterval(0.001)  # a key waits no longer than this for a thread that computes
        from fourfold.tui.app import FourfoldApp
        from fourfold.tui.session import Session

        session = Session(folder, index, embedder, settings, root)
        app = FourfoldApp(
            session, query=question, at=at, settings_problems=problems, lesson=lesson, theme=theme, snapshot=snapshot
        )
        app.put_back = put_back
        app.run()
    finally:
        put_back()
    session.close()
    code = app.return_code or 0
    if any(
        thread.is_alive() and not thread.daemon
        for thread in threading.enumerate()
        if thread is not threading.main_thread()
    ):
        # a thread at work cannot be stopped, and the interpreter would wait for it; all that lasts is written by now
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code
