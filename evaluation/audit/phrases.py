"""Where the phrase of a plain word ends: "review docs for typos" names docs, "the test results" no
folder called test.

Prevents a verdict over the files of a folder whose name a prompt uses to describe something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.audit.asking import Token

FOLDERS = frozenset((
    "folder", "folders", "directory", "directories", "dir", "dirs", "tree", "subfolder",
    "subdirectory",
))  # fmt: skip
COMMON = frozenset((
    "all", "answer", "app", "application", "articles", "branch", "bugs", "build", "change",
    "changes", "code", "codebase", "commit", "comments", "components", "config", "configuration",
    "content", "contents", "core", "data", "design", "diff", "document", "documents", "draft",
    "drafts", "error", "errors", "everything", "example", "examples", "feature", "features", "file",
    "files", "findings", "function", "functions", "history", "images", "input", "issue", "issues",
    "items", "latest", "lib", "library", "lines", "logic", "logs", "main", "module", "modules",
    "new", "notes", "other", "output", "package", "packages", "page", "pages", "part", "parts",
    "performance", "plan", "problems", "project", "projects", "prompt", "quality", "report",
    "reports", "repo", "repository", "result", "results", "script", "scripts", "security",
    "service", "services", "source", "sources", "style", "summary", "system", "task", "tasks",
    "text", "texts", "tool", "tools", "types", "whole", "work",
))  # fmt: skip
"""Words that prompts are made of, and folders are called by: they name one only where it is said to
be a folder, or directly behind "in"."""
_KINDS = FOLDERS | {"package", "module"}
_JOINS = frozenset((
    "and", "or", "nor", "but", "then", "than", "so", "as", "if", "because", "while", "when",
    "where", "whether", "which", "that", "who", "unless", "until", "though", "versus", "vs",
))  # fmt: skip
_RELATES = frozenset((
    "about", "above", "across", "after", "against", "along", "around", "at", "before", "below",
    "beneath", "besides", "between", "beyond", "by", "during", "except", "excluding", "for", "from",
    "in", "including", "inside", "into", "like", "of", "on", "over", "per", "regarding", "since",
    "through", "throughout", "to", "under", "until", "upon", "via", "with", "within", "without",
))  # fmt: skip
_HOW = frozenset((
    "again", "alone", "also", "first", "here", "instead", "now", "once", "please", "pls", "there",
    "today", "tomorrow", "too", "twice", "thanks", "afresh", "anew",
))  # fmt: skip
_DOING = frozenset((
    "checking", "concentrating", "considering", "excluding", "focusing", "focussing", "following",
    "ignoring", "looking", "paying", "searching", "skipping", "starting", "using",
))  # fmt: skip
_BEGINS = frozenset((
    "a", "all", "an", "another", "any", "both", "each", "every", "her", "his", "i", "it", "its",
    "my", "no", "not", "one", "our", "that", "the", "their", "these", "they", "this", "those",
    "we", "you", "your",
))  # fmt: skip
"""Words that begin a phrase of their own."""
_ENDS = _JOINS | _RELATES | _HOW | _DOING | _BEGINS
_NO_MANNER = frozenset((
    "anomaly", "assembly", "daily", "early", "family", "hourly", "monthly", "reply", "supply",
    "weekly", "yearly",
))  # fmt: skip
"""Words in -ly that say no how."""


def ends_phrase(tokens: Sequence[Token], at: int) -> bool:
    """Whether no noun stands directly behind a word, which the word would only describe. One that
    says what it is may: "the docs folder", and not "the docs folder structure"."""
    while at + 1 < len(tokens) and tokens[at + 1].word in _KINDS:
        at += 1
    if at + 1 >= len(tokens):
        return True
    following = tokens[at + 1]
    if following.text == "\n" and at + 2 < len(tokens) and tokens[at + 2].text[0].islower():
        at += 1  # a line that goes on
        following = tokens[at + 1]
    word = following.word
    if following.kind != "word" or not word[:1].isalnum() or word in _ENDS:
        return following.kind != "marked"
    if word.endswith("ly") and word not in _NO_MANNER:
        return True
    # "line by line"
    return [one.word for one in tokens[at + 2 : at + 4]] == ["by", word]
