"""The terminal UI. `main` opens it; nothing heavy is imported before."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.config import Settings


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
) -> int:
    """Open the screen on ``folder`` through the index of ``root`` (with a question, at ``FILE:LINE``) until the user
    leaves; the exit code. ``embedder`` is local, voyage or none, and is kept; None is what was kept before.
    ``problems`` are those of the settings file, a line each."""
    gc.disable()  # until the first paint: what is made before it stays
    from fourfold.tui.app import FourfoldApp
    from fourfold.tui.session import Session

    session = Session(folder, index, embedder, settings, root)
    app = FourfoldApp(session, query=question, at=at, settings_problems=problems)
    app.run()
    session.close()
    return app.return_code or 0
