"""What a question about similar code starts from: the stored code of its subject, or the code that was pasted."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.lexing import digest, question_words
from fourfold.model import Chunk, Intent, Question
from fourfold.search.retrieve.structural import dotted, is_one_identifier
from fourfold.store.interface import Reader


@dataclass(frozen=True, slots=True)
class Subject:
    """``text`` and ``words`` stand in for the question; ``chunk`` is left out of the results."""

    text: str
    words: tuple[str, ...]
    chunk: Chunk | None


def find_subject(reader: Reader, intent: Intent, question: Question) -> Subject | None:
    """The subject of a question about similar code; None for any other question, or when it names nothing known."""
    if question.similar_to is not None:
        chunk = reader.chunks([question.similar_to]).get(question.similar_to)
        return _of_chunk(reader, chunk) if chunk is not None else None
    if intent.name != "find_similar" or not intent.subject:
        return None
    if is_one_identifier(intent.subject):
        symbols = reader.symbols_named(dotted(intent.subject), "exact")
        if not symbols:
            return None
        chunk = reader.chunks([symbols[0].chunk_id]).get(symbols[0].chunk_id)
        return _of_chunk(reader, chunk) if chunk is not None else None
    return _of_text("", intent.subject, None)


def _of_chunk(reader: Reader, chunk: Chunk) -> Subject:
    text = next(iter(reader.texts([chunk.file_id])), None)
    lines = text.data.split(b"\n")[chunk.start_line - 1 : chunk.end_line] if text is not None else []
    return _of_text(chunk.path, b"\n".join(lines).decode("utf-8", "replace"), chunk)


def _of_text(path: str, code: str, chunk: Chunk | None) -> Subject:
    """The digest stands for code: keywords and common words would drown what it is about."""
    text = digest(path, code)
    return Subject(text, tuple(question_words(text.partition(" : ")[2])), chunk)
