"""Which words of a prompt ask for a review, and which only speak of one.

Prevents a scope that nobody asked for: "update the review date in a.md", "make a.py read b.md",
"a checklist for reviewing contracts", "the script should check src/".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

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
_SUBORDINATE = ("that", "whether", "if", "out")
"""Behind such a verb: what is asked is a question, or a check-out."""

_NOUNS = frozenset(("review", "audit", "check", "study", "read", "critique"))
_DETERMINERS = frozenset((
    "the", "this", "that", "a", "an", "each", "per", "my", "our", "your", "its", "last", "next",
    "previous",
))  # fmt: skip
_DEFINITE = frozenset(("the", "this", "that", "my", "our", "your", "its", "last", "previous"))
_OF = ("of", "on", "for")
_ABOUT = frozenset(("for", "of", "about", "on"))
_MODALS = frozenset(("should", "must", "can", "could", "will", "would", "may", "shall", "might"))
_ASKED = frozenset(("you", "we", "let's", "please", "agent", "agents", "everyone", "it"))
_OTHERS = frozenset((
    "i", "he", "she", "they", "it", "who", "which", "that", "i'll", "i've", "nobody", "users",
))  # fmt: skip
_WISHES = frozenset((
    "you", "is", "want", "need", "needs", "like", "love", "have", "going", "us", "try", "agent",
    "agents", "subagent", "subagents", "sub-agent", "sub-agents", "team", "job", "task", "goal",
    "continue", "start", "begin", "proceed", "remember", "sure", "asked", "and",
))  # fmt: skip
"""What a "to" may stand behind that asks for what follows it."""
_WONDERS = frozenset((
    "why", "what", "when", "how", "who", "which", "where", "did", "does", "has", "had", "is", "are",
    "was", "were",
))  # fmt: skip
"""First words of questions that want to know something, and no review."""
_STOP = frozenset(".!?\n")
_DOES = frozenset((
    "implement", "fix", "edit", "update", "change", "add", "delete", "remove", "refactor", "rename",
    "move", "build", "apply", "port", "migrate", "convert", "install", "deploy", "modify", "extend",
    "rewrite", "translate", "commit",
))  # fmt: skip
_MAKES = frozenset(("write", "create", "make", "run"))
_CODE = frozenset((
    "test", "tests", "code", "function", "script", "endpoint", "class", "module", "component",
    "feature", "parser", "client", "changes", "fix", "implementation", "migration",
))  # fmt: skip
"""What is made, and is no account of a reading."""
_NEAR = 5
_THEN = frozenset(("", "and", "then", "now", "please", "to", "you"))
_PATH = re.compile(r"[/*]|\w\.\w")


@dataclass(frozen=True)
class Token:
    """A word, a marked name, a bullet or a sign of a prompt."""

    text: str
    start: int
    end: int
    kind: str

    @property
    def word(self) -> str:
        """In small letters; empty where it is no word."""
        plain = self.text.casefold().replace("\u2019", "'")
        return plain if self.kind == "word" else ""

    @property
    def is_path(self) -> bool:
        """Whether it is written as a path, and not as one that is attached."""
        written = self.kind == "marked" or bool(_PATH.search(self.text))
        return written and not self.text.startswith("@")


Asking = Literal["asks", "denies", ""]


def does_other_work(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word asks for work that a reading only prepares: "read a.md and implement b"."""
    word = _word(tokens, at)
    if word not in _DOES | _MAKES or _word(tokens, at - 1) not in _THEN:
        return False
    behind = {_word(tokens, one) for one in range(at + 1, at + 1 + _NEAR)}
    return word in _DOES or bool(behind & _CODE)


def asking(tokens: Sequence[Token], at: int) -> Asking:
    """Whether a word asks for a review, asks for none, or neither."""
    if not (_is_command(tokens, at) or (_is_verb(tokens, at) and _is_request(tokens, at))):
        return ""
    if _is_wondered(tokens, at):
        return ""
    before = {_word(tokens, one) for one in range(max(0, at - 2), at)}
    return "denies" if DENIES & before else "asks"


def _is_command(tokens: Sequence[Token], at: int) -> bool:
    """Whether a prompt begins with a command whose name asks for a review: `/code-review`."""
    name = tokens[at].word if at == 0 else ""
    return name.startswith("/") and bool(REVIEWS & set(re.split(r"[/:_-]", name)))


def _is_verb(tokens: Sequence[Token], at: int) -> bool:
    word, following = _word(tokens, at), _word(tokens, at + 1)
    if word in GOES:
        return following in THROUGH
    return word in REVIEWS and following not in _SUBORDINATE


def _is_request(tokens: Sequence[Token], at: int) -> bool:
    """Whether it is the reader who is to do it."""
    word, before, earlier = (_word(tokens, one) for one in (at, at - 1, at - 2))
    if at and tokens[at - 1].is_path:
        return False  # "make a.py read b.md"
    if before in _DEFINITE and (at == 1 or _ends(tokens[at - 2])) and word in _NOUNS:
        return False  # "the review of docs/ failed"
    if before in _DETERMINERS:
        return word not in _NOUNS or _word(tokens, at + 1) in _OF or word in GOES
    if before in _ABOUT and word.endswith("ing"):
        return False
    if before in _MODALS:
        return earlier in _ASKED or not earlier
    if before == "to":
        return earlier in _WISHES
    return before not in _OTHERS


def _is_wondered(tokens: Sequence[Token], at: int) -> bool:
    """Whether it stands in a question that wants to know something: "why did the review fail?"."""
    start = end = at
    while start and not _ends(tokens[start - 1]):
        start -= 1
    while end < len(tokens) and not _ends(tokens[end]):
        end += 1
    is_asked = end < len(tokens) and tokens[end].text == "?"
    return is_asked and tokens[start].word in _WONDERS


def _ends(token: Token) -> bool:
    return token.kind == "sign" and token.text[0] in _STOP


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].word if 0 <= at < len(tokens) else ""
