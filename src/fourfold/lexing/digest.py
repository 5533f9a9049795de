"""What is embedded for a chunk: its path and its first different identifier parts.

Measured on 21 repositories: better than the raw code (NDCG@10 .863 against .853), at a fifth of the cost, and stable
while a file changes around it.
"""

from __future__ import annotations

import re

from fourfold.lexing.words import STOPWORDS, split_identifier

#: Part of an embedding space's identity: vectors of another version are never mixed with these.
DIGEST_VERSION = 1
#: How many different words a digest holds beside the path.
DIGEST_WORDS = 45

_TOKEN = re.compile(r"[^\W\d]\w*")

#: Keywords of the common languages: they say nothing of what the code is about.
KEYWORDS = frozenset(
    """abstract and as assert async await auto begin bool boolean break byte case catch char class const
    constexpr continue def default defer del delete do done double elif else elsif elseif end endif ensure
    enum except export extends extern false fi final finally float fn for foreach from func function get
    global go goto if impl implements import in include inline instanceof int interface is lambda let local
    long loop match mod module mut namespace new nil none nonlocal not null object operator or out override
    package pass private protected pub public raise readonly ref register rescue return rtype self sealed set
    short signed sizeof static str string struct super switch template then this throw throws trait true try
    type typedef typename typeof undefined union unless unsafe unsigned until use using val var virtual void
    volatile when where while with yield param args kwargs""".split()
)


def digest(path: str, text: str) -> str:
    """The text that stands for a chunk in the embedding: ``words of the path : first different words``."""
    head = " ".join(split_identifier(path))
    words: dict[str, None] = {}
    for token in _TOKEN.findall(text):
        for part in split_identifier(token):
            if len(part) > 1 and part not in STOPWORDS and part not in KEYWORDS and not part.isdigit():
                words.setdefault(part)
        if len(words) >= DIGEST_WORDS:
            break
    return f"{head} : {' '.join(list(words)[:DIGEST_WORDS])}"
