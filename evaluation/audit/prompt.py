"""What the user's prompt asks to have reviewed: files, folders and globs that exist.

Prevents a verdict over files that nobody asked to be reviewed: what is to be fixed, written or
compared with is no scope, and the work tree never is one by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evaluation.audit.places import Places

LONGEST = 20_000
"""Characters of one prompt that are looked at."""
MOST_PROMPTS = 200
"""Prompts that are looked at, the last ones."""

REVIEWS = frozenset((
    "review", "reviewing", "audit", "auditing", "check", "checking", "examine", "examining",
    "inspect", "inspecting", "read", "reading", "analyse", "analysing", "analyze", "analyzing",
    "assess", "assessing", "evaluate", "evaluating", "proofread", "proofreading", "re-read",
    "reread", "study", "studying", "scrutinise", "scrutinize", "vet", "critique", "double-check",
))  # fmt: skip
READS = frozenset(("read", "reading", "re-read", "reread"))
"""What is to be read is under review only where nothing is asked to be reviewed: "read the rules,
then review docs/"."""
GOES = frozenset(("go", "going", "look", "looking", "walk", "walking", "comb", "work", "working"))
THROUGH = frozenset(("through", "over", "at", "into"))
DENIES = frozenset(("not", "don't", "dont", "never", "without", "n't", "no", "cannot", "skip"))
EXCEPT = frozenset((
    "except", "excluding", "ignore", "ignoring", "skip", "skipping", "exclude", "besides", "but",
))  # fmt: skip
ENDS = frozenset((
    "against", "using", "following", "with", "according", "based", "versus", "vs", "then", "to",
    "per", "so", "because", "before", "after", "until", "unless", "if", "while", "when", "where",
    "whether", "that", "as", "fix", "fixing", "write", "writing", "edit", "create", "update",
    "change", "implement", "add", "delete", "remove", "refactor", "rename", "move", "save", "put",
    "report", "tell", "list", "make", "summarise", "summarize", "run", "commit", "compare", "out",
))  # fmt: skip
"""Words behind which what is named is no longer what is to be reviewed."""
FOLDERS = frozenset((
    "folder", "folders", "directory", "directories", "dir", "tree", "package", "module",
    "subfolder", "subdirectory",
))  # fmt: skip
BELOW = frozenset(("in", "under", "inside", "within", "from", "below", "beneath", "throughout"))
FILE_WORDS = frozenset(("file", "files", "sources", "documents", "scripts", "modules"))
ENDINGS = {
    "python": ".py", "markdown": ".md", "json": ".json", "yaml": ".yaml", "text": ".txt",
    "typescript": ".ts", "javascript": ".js", "rust": ".rs", "java": ".java", "go": ".go",
}  # fmt: skip
"""Of files by what they are called before "files in"."""
_ENDING = re.compile(r"\*?(\.[A-Za-z0-9]{1,8})")
LIGHT = frozenset(
    ("the", "all", "my", "our", "this", "every", "everything", "whole", "entire", "of")
)
GO_ON = frozenset((
    "continue", "go on", "carry on", "keep going", "proceed", "yes", "y", "ok", "okay", "please",
    "please continue", "go ahead", "yes please", "finish", "resume", "more", "next",
))  # fmt: skip
"""Prompts that ask for nothing new."""

_TAGGED = re.compile(r"<([a-zA-Z][\w-]{0,60})(?:\s[^<>\n]{0,200})?>.*?</\1>", re.DOTALL)
_NOT_TYPED = ("# AGENTS.md instructions", "This session is being continued", "Caveat: The messages")
_TOKEN = re.compile(
    r"(?P<bullet>(?:^|(?<=\n))[ \t]{0,40}(?:[-*\u2022]|\d{1,3}[.)])[ \t])"
    r"|(?P<marked>`[^`\n]{1,400}`|@?\"[^\"\n]{1,400}\"|(?<!\w)'[^'\n]{1,400}'(?!\w))"
    r"|(?P<word>@?[\w~./*?\[\]+-][\w~./*?\[\]+@:'\u2019-]*)"
    r"|(?P<sign>\n\s*\n|\n|[.,;:!?()])"
)
_STOP = frozenset(".!?")


class Asked(NamedTuple):
    """What a prompt asks to have reviewed."""

    files: tuple[str, ...]
    quote: str
    """The words that ask for it, verbatim."""
    is_last: bool
    """No later prompt asks for something else."""


def asked_scope(prompts: Sequence[str], places: Places) -> Asked | None:
    """The files that the latest prompt which asks for a review asks to have reviewed."""
    is_last = True
    for prompt in reversed(prompts[-MOST_PROMPTS:]):
        text = typed(prompt)
        if not text or text.strip(" .!").casefold() in GO_ON:
            continue
        reader = _Reader(text, places)
        reader.read()
        for found in (reader.reviewed, reader.read_only):
            if files := found.files - reader.left_out:
                return Asked(tuple(sorted(files)), text[found.start : found.end], is_last)
        is_last = False
    return None


def typed(prompt: str) -> str:
    """A prompt without what a CLI put into it; empty where the user typed none of it."""
    text = _TAGGED.sub("", prompt[:LONGEST]).strip()
    return "" if text.startswith(_NOT_TYPED) else text


@dataclass
class _Found:
    """Filled while reading."""

    files: set[str] = field(default_factory=set)
    start: int = -1
    end: int = -1


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int
    kind: str

    @property
    def word(self) -> str:
        return self.text.casefold() if self.kind == "word" else ""


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        kind = match.lastgroup or ""
        if kind == "word":
            # A stop behind a path ends the sentence; "src/." does not occur.
            plain = match[0].rstrip(".:?'\u2019-") or match[0]
            yield _Token(plain, start, start + len(plain), "word")
            if len(plain) < end - start:
                yield _Token(
                    match[0][len(plain)], start + len(plain), start + len(plain) + 1, "sign"
                )
        else:
            yield _Token(match[0], start, end, kind)


class _Reader:
    """Goes through one prompt word by word. Used once."""

    def __init__(self, text: str, places: Places) -> None:
        self._tokens = list(_tokens(text))
        self._places = places
        self.reviewed = _Found()
        self.read_only = _Found()
        self.left_out: set[str] = set()
        self._asks = False
        """Behind a verb of reviewing."""
        self._without = False
        """Behind "except"."""
        self._verb = -1
        self._here = 0
        """Files that were named since the verb."""
        self._lists = False
        """Behind a colon: blank lines do not end it."""
        self._ending = ""
        """Of the files that are asked for in the folders named next."""
        self._folder = -2
        """The last token that named a folder by a plain word."""

    def read(self) -> None:
        for at, token in enumerate(self._tokens):
            if token.kind == "sign":
                self._sign(token)
            elif token.kind == "bullet":
                continue
            elif self._is_verb(at):
                if not self._denied(at):
                    self._asks, self._without, self._verb, self._here = True, False, at, 0
                    self._ending = ""
                else:
                    self._asks = False
            elif self._asks:
                self._word(at, token)

    def _sign(self, token: _Token) -> None:
        if token.text == ":":
            self._lists = True
        elif token.text in _STOP or (token.text.count("\n") > 1 and not self._lists):
            self._asks = self._lists = False

    def _is_verb(self, at: int) -> bool:
        word = self._tokens[at].word
        if word in GOES:
            return self._next(at) in THROUGH
        return word in REVIEWS and self._next(at) not in ("that", "whether", "if", "out")

    def _denied(self, at: int) -> bool:
        before = [token.word.replace("\u2019", "'") for token in self._tokens[max(0, at - 2) : at]]
        return bool(DENIES & set(before))

    def _word(self, at: int, token: _Token) -> None:
        if token.word in EXCEPT:
            self._without = True
        elif token.word in ENDS or (token.word == "for" and self._here):
            self._asks = self._lists = False
        else:
            files = self._files(at, token)
            if files and self._without:
                self.left_out.update(files)
            elif files:
                self._take(files, token)

    def _take(self, files: tuple[str, ...], token: _Token) -> None:
        self._here += 1
        weak = self._tokens[self._verb].word in READS
        found = self.read_only if weak else self.reviewed
        found.files.update(files)
        if found.start < 0:
            found.start = self._tokens[self._verb].start
        found.end = token.end

    def _files(self, at: int, token: _Token) -> tuple[str, ...]:
        text = token.text
        marked = token.kind == "marked" or text.startswith("@")
        plain = text.lstrip("@").strip("`\"'") if marked else text
        if not re.search(r"\w", plain) and plain not in ("./", "./**", "**"):
            return ()
        ending = _ending(plain) if self._next(at) in FILE_WORDS else ""
        if ending and self._next(at + 1) in BELOW:
            self._ending = ending
            return ()
        if marked or re.search(r"[/*]|\w\.\w", plain):
            return self._of_kind(self._places.named(plain))
        if not self._is_folder(at):
            return ()
        self._folder = at
        return self._of_kind(self._places.named(plain, bare=True))

    def _of_kind(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """Only those with the ending that was asked for, where files were named and not one."""
        if not self._ending or len(files) == 1:
            return files
        return tuple(path for path in files if path.endswith(self._ending))

    def _is_folder(self, at: int) -> bool:
        """Whether a plain word stands where a folder is named: "in docs", "the docs folder"."""
        before, after = self._tokens[at - 1].word if at else "", self._next(at)
        if before in BELOW | FOLDERS or after in FOLDERS:
            return True
        if before == "and" and self._folder == at - 2:
            return True
        start = at
        while start and self._tokens[start - 1].word in LIGHT | THROUGH:
            start -= 1
        return start - 1 == self._verb and after not in ("files", "file")

    def _next(self, at: int) -> str:
        return self._tokens[at + 1].word if at + 1 < len(self._tokens) else ""


def _ending(word: str) -> str:
    """The ending of the files that a word asks for: "*.md", ".md" or "markdown"."""
    match = _ENDING.fullmatch(word)
    return match[1] if match else ENDINGS.get(word.casefold(), "")
