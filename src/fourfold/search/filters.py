"""Filters act inside each modality, before ranks: they become one mask over the live chunks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pathspec import GitIgnoreSpec

from fourfold.model import File, Filters
from fourfold.store.interface import ChunkTable, Reader


def path_filter(globs: Sequence[str]) -> GitIgnoreSpec:
    """Globs as in an ignore file: ``tests`` is a file or folder of that name anywhere, ``src/*.py`` is a place."""
    return GitIgnoreSpec.from_lines(
        "\\" + glob if glob.startswith(("!", "#")) else glob.replace("\\", "/") for glob in globs if glob.strip()
    )


def admits_file(file: File, filters: Filters, wanted: GitIgnoreSpec | None, unwanted: GitIgnoreSpec | None) -> bool:
    if filters.languages and file.language not in filters.languages:
        return False
    if wanted is not None and not wanted.match_file(file.path):
        return False
    return unwanted is None or not unwanted.match_file(file.path)


def allowed_chunks(reader: Reader, table: ChunkTable, filters: Filters) -> NDArray[np.bool_] | None:
    """A mask over ``table`` of the chunks that the filters admit; None when there are no filters."""
    if not filters:
        return None
    mask = np.ones(len(table.ids), dtype=np.bool_)
    if filters.languages or filters.paths or filters.not_paths:
        wanted = path_filter(filters.paths) if filters.paths else None
        unwanted = path_filter(filters.not_paths) if filters.not_paths else None
        files = [file.id for file in reader.files() if admits_file(file, filters, wanted, unwanted)]
        mask &= np.isin(table.file_ids, np.asarray(files, dtype=np.uint32))
    if filters.kinds:
        mask &= np.isin(table.ids, reader.chunks_of_kind(filters.kinds))
    return mask
