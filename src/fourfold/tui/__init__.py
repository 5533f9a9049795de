"""The terminal UI. `run` opens it; nothing heavy is imported before."""

from __future__ import annotations

from pathlib import Path


def run(root: Path, *, query: str = "", at: str = "", index: Path | None = None, embedder: str | None = None) -> int:
    """Open the screen on ``root`` (with a question, at ``FILE:LINE``) until the user leaves; the exit code."""
    from fourfold.config import load_settings
    from fourfold.tui.app import FourfoldApp
    from fourfold.tui.session import Session

    settings, problems = load_settings()
    session = Session(root, index, embedder, settings)
    app = FourfoldApp(session, query=query, at=at, settings_problems=problems)
    app.run()
    session.close()
    return app.return_code or 0


def main(root: Path, index: Path | None = None, question: str | None = None, at: str | None = None) -> int:
    """`run`, with the words of the command line."""
    return run(root, query=question or "", at=at or "", index=index)
