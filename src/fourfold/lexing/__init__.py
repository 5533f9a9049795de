"""What indexing and searching must do alike: words, stems, trigrams, the digest. Standard library only."""

from fourfold.lexing.digest import DIGEST_VERSION, digest
from fourfold.lexing.porter import porter
from fourfold.lexing.trigrams import fold_ascii, trigrams
from fourfold.lexing.words import (
    CODE_WORDS,
    STOPWORDS,
    body_counts,
    body_terms,
    light_stem,
    name_terms,
    name_words,
    path_counts,
    path_words,
    query_terms,
    question_words,
    split_identifier,
)

__all__ = [
    "CODE_WORDS",
    "DIGEST_VERSION",
    "STOPWORDS",
    "body_counts",
    "body_terms",
    "digest",
    "fold_ascii",
    "light_stem",
    "name_terms",
    "name_words",
    "path_counts",
    "path_words",
    "porter",
    "query_terms",
    "question_words",
    "split_identifier",
    "trigrams",
]
