"""What the user's prompt asks to have reviewed: files, folders and globs that exist.

Prevents a verdict over files that nobody asked to be reviewed: what is to be fixed, written or
compared with is no scope, and the work tree never is one by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evaluation.audit.asking import READS, REVIEWS, THROUGH, Token, asking, does_other_work
from evaluation.audit.phrases import COMMON, FOLDERS, ends_phrase
from evaluation.audit.places import Places

LONGEST = 20_000
"""Characters of one prompt that are looked at."""
MOST_PROMPTS = 200
"""Prompts that are looked at, the last ones."""

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
PRONOUNS = frozenset(("this", "it", "these", "them", "those", "both"))
BELOW = frozenset(("in", "under", "inside", "within", "from", "below", "beneath", "throughout"))
JOINS = frozenset((",", "and", "&"))
RANGES = frozenset(("to", "through", "until", "till"))
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

COMMANDS = frozenset((
    "clear", "compact", "model", "context", "cost", "usage", "help", "config", "login", "logout",
    "resume", "exit", "quit", "status", "memory", "permissions", "agents", "mcp", "hooks", "export",
    "rewind", "doctor", "vim", "theme", "effort", "fast", "rename", "add-dir", "output-style",
))  # fmt: skip
"""Commands to the CLI itself: they ask the model for nothing."""
_COMMAND = re.compile(
    r"<command-name>\s{0,9}/?(?P<name>[\w:-]{1,100})\s{0,9}</command-name>"
    r"(?:.{0,999}?<command-args>(?P<words>.*?)</command-args>)?",
    re.DOTALL,
)
_TAGGED = re.compile(r"<([a-zA-Z][\w-]{0,60})(?:\s[^<>\n]{0,200})?>.*?</\1>", re.DOTALL)
_NOT_TYPED = ("# AGENTS.md instructions", "This session is being continued", "Caveat: The messages")
_TOKEN = re.compile(
    r"(?P<bullet>(?:^|(?<=\n))[ \t]{0,40}(?:[-*\u2022]|\d{1,3}[.)])[ \t])"
    r"|(?P<marked>`[^`\n]{1,400}`|@?\"[^\"\n]{1,400}\"|(?<!\w)'[^'\n]{1,400}'(?!\w))"
    r"|(?P<word>@?[\w~./*?\[\]+-][\w~./*?\[\]+@:'\u2019-]*)"
    r"|(?P<sign>\n\s*\n|\n|[.,;:!?()&|\u2013\u2014\u2026])"
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
        for found in (reader.reviewed, *(() if reader.works else (reader.read_only,))):
            if files := found.files - reader.left_out:
                return Asked(tuple(sorted(files)), text[found.start : found.end], is_last)
        is_last = False
    return None


def typed(prompt: str) -> str:
    """A prompt without what a CLI put into it; empty where the user typed none of it."""
    command = _COMMAND.search(prompt[:LONGEST])
    if command is not None:
        words = (command["words"] or "").strip()
        return "" if command["name"] in COMMANDS else f"/{command['name']} {words}".strip()
    text = _TAGGED.sub("", prompt[:LONGEST]).strip()
    return "" if text.startswith(_NOT_TYPED) else text


@dataclass
class _Found:
    """Filled while reading."""

    files: set[str] = field(default_factory=set)
    start: int = -1
    end: int = -1


def _tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        kind = match.lastgroup or ""
        if kind == "word":
            # A stop behind a path ends the sentence; "src/." does not occur.
            plain = match[0].rstrip(".:?'\u2019-") or match[0]
            yield Token(plain, start, start + len(plain), "word")
            if len(plain) < end - start:
                yield Token(
                    match[0][len(plain)], start + len(plain), start + len(plain) + 1, "sign"
                )
        else:
            yield Token(match[0], start, end, kind)


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
        self._attached: list[str] = []
        """Files that were mentioned as `@path` before anything was asked."""
        self._folder = -2
        """The last token that named a folder by a plain word."""
        self._first = ""
        """The file that the last token named; what it begins may follow."""
        self.works = False
        """Other work is asked for, which what is only to be read prepares."""

    def read(self) -> None:
        for at, token in enumerate(self._tokens):
            if token.kind == "sign":
                self._sign(token)
            elif token.kind == "bullet":
                continue
            elif does_other_work(self._tokens, at):
                self.works, self._asks = True, False
            elif found := asking(self._tokens, at):
                self._asks, self._without, self._verb, self._here = found == "asks", False, at, 0
                self._ending = ""
                if self._asks and self._next(at) in PRONOUNS:
                    self._take(tuple(self._attached), token)
            elif self._asks:
                self._word(at, token)
            elif token.text.startswith("@"):
                self._attached += self._files(at, token)

    def _sign(self, token: Token) -> None:
        if token.text == ":":
            self._lists = True
        elif token.text in _STOP or (token.text.count("\n") > 1 and not self._lists):
            self._asks = self._lists = False

    def _word(self, at: int, token: Token) -> None:
        first, self._first = self._first, ""
        if token.word in EXCEPT:
            self._without = True
        elif token.word in RANGES and first and (files := self._range(first, at)):
            self._take(files, self._tokens[at + 1])
        elif self._ends(at, token):
            self._asks = self._lists = False
        else:
            files = self._files(at, token)
            if files and self._without:
                self.left_out.update(files)
            elif files:
                self._take(files, token)
                self._first = files[0] if len(files) == 1 else ""

    def _range(self, first: str, at: int) -> tuple[str, ...]:
        """The files from one to the next that is named: "x-1.md to x-9.md"."""
        behind = self._tokens[at - 2].word if at > 1 else ""
        if behind == "from" and self._tokens[at - 3].word not in REVIEWS | FILE_WORDS:
            return ()  # "the move from a.py to b.py"
        last = self._places.named(self._tokens[at + 1].text) if at + 1 < len(self._tokens) else ()
        return self._places.between(first, last[0]) if len(last) == 1 else ()

    def _ends(self, at: int, token: Token) -> bool:
        """Whether what is named behind it is no longer what is to be reviewed."""
        if token.word == "following" and at and self._tokens[at - 1].word in ("the", "these"):
            return False
        return token.word in ENDS or (token.word == "for" and self._here > 0)

    def _take(self, files: tuple[str, ...], token: Token) -> None:
        if not files:
            return
        self._here += 1
        weak = self._tokens[self._verb].word in READS
        found = self.read_only if weak else self.reviewed
        found.files.update(files)
        if found.start < 0:
            found.start = self._tokens[self._verb].start
        found.end = token.end

    def _files(self, at: int, token: Token) -> tuple[str, ...]:
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
        said = self._is_said_folder(at)
        if not said and not self._is_folder(at, plain.casefold()):
            return ()
        self._folder = at
        return self._of_kind(self._places.in_folder(plain, deep=said))

    def _of_kind(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """Only those with the ending that was asked for, where files were named and not one."""
        if not self._ending or len(files) == 1:
            return files
        return tuple(path for path in files if path.endswith(self._ending))

    def _is_said_folder(self, at: int) -> bool:
        """Whether a plain word is said to be a folder: "the docs folder"."""
        if not ends_phrase(self._tokens, at):
            return False
        if self._next(at) in FOLDERS:
            return True
        before, earlier = (self._tokens[one].word if one >= 0 else "" for one in (at - 1, at - 2))
        return before in FOLDERS and (earlier in LIGHT | BELOW or at - 2 == self._verb)

    def _is_folder(self, at: int, word: str) -> bool:
        """Whether a plain word stands where a folder is named: "in docs", "review docs"."""
        before = self._tokens[at - 1].word if at else ""
        if not ends_phrase(self._tokens, at) or self._shares_a_noun(at):
            return False
        if before in BELOW:
            return True
        if word in COMMON:
            return False
        behind = at - 1
        while behind > 0 and self._tokens[behind].word in LIGHT | THROUGH:
            behind -= 1
        if behind == self._verb or self._tokens[behind].text not in JOINS:
            return behind == self._verb
        while behind > 0 and self._tokens[behind].text in JOINS:
            behind -= 1
        return behind == self._folder

    def _shares_a_noun(self, at: int) -> bool:
        """Whether it goes with another folder's name before one noun: "the web and client code"."""
        while at + 1 < len(self._tokens) and self._tokens[at + 1].text in ("and", "or", "&"):
            at += 2
            while self._next(at - 1) in LIGHT:
                at += 1
            if not self._places.in_folder(self._next(at - 1), deep=False):
                return False
            if not ends_phrase(self._tokens, at):
                return True
        return False

    def _next(self, at: int) -> str:
        return self._tokens[at + 1].word if at + 1 < len(self._tokens) else ""


def _ending(word: str) -> str:
    """The ending of the files that a word asks for: "*.md", ".md" or "markdown"."""
    match = _ENDING.fullmatch(word)
    return match[1] if match else ENDINGS.get(word.casefold(), "")
