"""The child process that indexes: started once, read line by line, never restarted in a loop, gone when we are."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

from fourfold.model import Progress

_FIELDS = ("stage", "done", "total", "path", "text", "generation")


def parse(line: bytes) -> Progress | None:
    """One line of the worker's output; None for anything else than a progress record."""
    try:
        data = json.loads(line)
    except (ValueError, UnicodeDecodeError):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("stage"), str):
        return None
    values = {name: data[name] for name in _FIELDS if name in data}
    try:
        return Progress(
            stage=str(values["stage"]),
            done=int(values.get("done", 0)),
            total=int(values.get("total", 0)),
            path=str(values.get("path", "")),
            text=str(values.get("text", "")),
            generation=int(values.get("generation", 0)),
        )
    except (TypeError, ValueError):
        return None


class Indexer:
    """Runs `fourfold.indexing.worker` for one root and hands on what it reports."""

    def __init__(self, root: Path, index: Path, embedder: str | None, report: Callable[[Progress], None]) -> None:
        self.root = root
        self.index = index
        self.embedder = embedder
        self.report = report
        self.process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None

    def command(self) -> list[str]:
        # -P: the folder that the program was started in, which may be the codebase, is no place to import from
        command = [sys.executable, "-P", "-m", "fourfold.indexing.worker", str(self.root), "--index", str(self.index)]
        if self.embedder:
            command += ["--embedder", self.embedder]
        return [*command, "--watch"]

    def start(self) -> None:
        """Start the child in the background; only the first call does anything."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            self.process = await asyncio.create_subprocess_exec(
                *self.command(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=1 << 20,
            )
        except OSError as error:
            self.report(Progress("error", 0, 0, text=f"the indexer cannot start: {error.strerror or error}"))
            return
        last_words = asyncio.create_task(self._last_words())
        assert self.process.stdout is not None
        while True:
            try:
                line = await self.process.stdout.readline()
            except ValueError:  # a line longer than the limit: no progress record
                continue
            if not line:
                break
            progress = parse(line)
            if progress is not None:
                self.report(progress)
        code = await self.process.wait()
        words = await last_words
        if code:
            self.report(Progress("error", 0, 0, text=words or f"the indexer ended with code {code}"))

    async def _last_words(self) -> str:
        """The last line of the child's standard error."""
        assert self.process is not None and self.process.stderr is not None
        last = b""
        with contextlib.suppress(ValueError):
            while line := await self.process.stderr.readline():
                last = line.strip() or last
        return last.decode("utf-8", "replace")[:400]

    async def stop(self) -> None:
        """End the child: its standard input closes, and it has a second before it is killed."""
        process = self.process
        if process is None or process.returncode is not None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 1.0)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
