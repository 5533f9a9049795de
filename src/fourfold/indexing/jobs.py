"""What is to be read, and what became of files of which nothing is written. Light: every run imports it."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model import LedgerEntry

#: Raised when the rows of an unchanged file would come out differently: such an index reads every file again.
RECORDS_VERSION = 5


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read. ``known`` is its content hash in the index, empty for a new or outdated one.

    ``text_only`` says why its structure is not to be read, or is empty.
    """

    path: str
    module: str
    known: str = ""
    text_only: str = ""


@dataclass(frozen=True, slots=True)
class Same:
    """The content is what the index holds; only the time differs."""

    path: str
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Not indexed for what the file holds. The time and the entry's size tell when to look again."""

    entry: LedgerEntry
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Gone:
    """The file vanished after the walk saw it."""

    path: str
