"""A sentence as classed words: names of files, numbers, verbs of reading, quantifiers.

Prevents quoted text being read as the agent's own words, and clause numbers, dates and amounts
being read as counts of files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.judging.rules.lexicon import Lexicon
from validation.matching.names import Names, Piece, pieces, singular
from validation.matching.numbers import digits, number_at

_DROPPED = frozenset("*_`~>#[]\\")
_APOSTROPHES = frozenset("'\u2019")
_SIGNS = {
    ",": "COMMA", ";": "SEMI", ":": "COLON", "(": "OPEN", ")": "CLOSE", "/": "SLASH", "|": "PIPE",
    "—": "DASH", "\u2013": "DASH", "-": "DASH", "→": "DASH", "%": "PCT", "?": "ASK",
}  # fmt: skip
_REFERENCES = frozenset((
    "section", "sections", "clause", "clauses", "article", "articles", "§", "paragraph",
    "schedule", "line", "lines", "page", "pages", "art", "sec", "para", "exhibit", "annex",
    "appendix", "item", "version", "v", "step", "phase", "round", "table", "figure", "#", "$",
    "€", "£",
))  # fmt: skip
_ENDINGS = frozenset((
    "md", "txt", "pdf", "docx", "doc", "csv", "json", "yaml", "yml", "html", "py", "js", "ts",
    "xml", "toml", "log", "rst",
))  # fmt: skip
_KINDS = frozenset(("KIND", "KINDS"))
_NOUNS = frozenset((
    "OUT", "REPORTN", "PART", "SET", "ISSUE", "OTHER", "PROG", "KIND", "KINDS", "FILE", "FILES",
))  # fmt: skip
_AHEAD = 8
"""Words from one on, in which a phrase or a number that begins with it ends."""
_QUOTES = {'"': '"', "“": "”", "«": "»"}


class Word(NamedTuple):
    """One word, phrase, number or name, with its class."""

    tag: str
    text: str
    start: int
    end: int
    value: int | None = None
    paths: tuple[str, ...] = ()


class _Class(NamedTuple):
    """The class of a word, phrase or number."""

    tag: str
    value: int | None
    paths: tuple[str, ...]
    length: int
    """Words that it takes."""
    text: str


class Namer:
    """Turns text into raw words: names of files and folders, the others without a class."""

    def __init__(self, names: Names) -> None:
        self.names = names
        paths = (piece.text for path in names.scope for piece in pieces(path, 0, len(path)))
        self._opening = frozenset(paths)
        """What a name can begin with; spares the look at every other word."""

    def raw(self, text: str, start: int, end: int) -> tuple[Word, ...]:
        """Names of files and folders, words with their apostrophes and hyphens, and signs."""
        found = pieces(text, start, end)
        words: list[Word] = []
        i = 0
        while i < len(found):
            piece = found[i]
            if piece.text in self._opening and piece.text[0].isalnum():
                named = self._named(text, found, i)
                if named is not None:
                    word, length = named
                    words.append(word)
                    i += length
                    continue
            last = _word_end(found, i)
            end = found[last - 1].end
            if _looks_like_a_file(found, last):
                end = found[last + 1].end
                words.append(Word("OUT", text[piece.start : end], piece.start, end))
                i = last + 2
                continue
            whole = piece.text if last == i + 1 else ""
            whole = whole or text[piece.start : end].casefold().replace("\u2019", "'")
            if whole not in _DROPPED:
                words.append(Word("", whole, piece.start, end))
            i = last
        return tuple(words)

    def _named(self, text: str, found: Sequence[Piece], i: int) -> tuple[Word, int] | None:
        """The file or folder that is named here, and how many pieces it takes."""
        named, tag = self.names.file_at(text, found, i), "NAME"
        if named is None:
            named, tag = self.names.folder_at(text, found, i), "FOLDER"
        if named is None:
            return None
        start, end = found[i].start, found[i + named.length - 1].end
        return Word(tag, text[start:end], start, end, paths=named.paths), named.length


class Reader:
    """Classes raw words, for one lexicon and one scope."""

    def __init__(self, lexicon: Lexicon, names: Names) -> None:
        self.lexicon, self.names = lexicon, names
        self._known: dict[str, _Class] = {}
        """Words that were classed before, and open no phrase: the same each time."""
        self._phrases: dict[tuple[str, ...], _Class] = {}
        """The same of words that may open one, with as many of the next as it could take."""

    def words(self, raw: Sequence[Word]) -> tuple[Word, ...]:
        """The words with their classes."""
        return tuple(_silence_quotes(_without_references(self._classed(raw))))

    def _classed(self, raw: Sequence[Word]) -> list[Word]:
        words: list[Word] = []
        i = 0
        while i < len(raw):
            word = raw[i]
            if word.tag:
                words.append(word)
                i += 1
                continue
            one = self._known.get(word.text) or self._class_of(raw, i)
            end = word.end if one.length == 1 else raw[i + one.length - 1].end
            text = word.text if one.length == 1 else one.text
            words.append(Word(one.tag, text, word.start, end, one.value, one.paths))
            i += one.length
        return words

    def _class_of(self, raw: Sequence[Word], i: int) -> _Class:
        """The class of the phrase, number or word from `i` on; kept where it depends on no more."""
        texts = tuple(["" if word.tag else word.text for word in raw[i : i + _AHEAD]])
        reach = self.lexicon.longest.get(texts[0], 1)
        found = self._phrases.get(texts[:reach])
        if found is None:
            length, classed = self._class(raw, texts, i)
            found = _Class(classed.tag, classed.value, classed.paths, length, classed.text)
            if not _may_count(texts[0]):
                self._phrases[texts[:reach]] = found
                if reach == 1:
                    self._known[texts[0]] = found
        return found

    def _class(self, raw: Sequence[Word], texts: Sequence[str], i: int) -> tuple[int, Word]:
        """The class of the words from `i` on, and how many it takes; `texts` begins there."""
        word = raw[i]
        if not word.text[0].isalnum() and word.text not in self.lexicon.signs:
            return 1, word._replace(tag=_SIGNS.get(word.text, "SIGN"))
        phrase = self.lexicon.class_at(texts, 0)
        value = digits(word.text.replace(",", ""))
        if value is not None:
            return 1, word._replace(tag="NUM", value=value)
        if phrase is None or phrase[1] == 1:
            spelled = number_at(_unhyphenated(texts), 0)
            if spelled is not None:
                used = max(1, spelled.length - word.text.count("-"))
                return used, word._replace(tag="NUM", value=spelled.value)
        if phrase is not None and not self._is_scope_noun(word, *phrase):
            text = " ".join(texts[: phrase[1]])
            paths = self.names.kinds.get(singular(text), ()) if phrase[0] in _KINDS else ()
            return phrase[1], word._replace(tag=phrase[0], text=text, paths=paths)
        parts = word.text.split("-")
        if len(parts) > 1 and (split := self.lexicon.phrases.get(tuple(parts))):
            return 1, word._replace(tag=split)
        return 1, self._noun(word)

    def _is_scope_noun(self, word: Word, tag: str, length: int) -> bool:
        """Whether "policy" or "report" speaks of the scope, since its files are so called."""
        return length == 1 and tag in _NOUNS and singular(word.text) in self.names.nouns

    def _noun(self, word: Word) -> Word:
        """Signs, nouns made from the names of the files, and the rest."""
        one = singular(word.text)
        if one in self.names.nouns:
            return word._replace(tag="FILE" if one == word.text else "FILES")
        if one in self.names.kinds:
            plural = one != word.text and one in self.names.types
            tag = "KINDS" if plural else "KIND"
            return word._replace(tag=tag, paths=self.names.kinds[one])
        return word._replace(tag="ADV" if word.text.endswith("ly") else "W")


def _word_end(found: Sequence[Piece], i: int) -> int:
    """Past a word that hyphens and apostrophes hold together: "didn't", "line-by-line", "1,204"."""
    last = i + 1
    number = found[i].text.isdecimal()
    while last + 1 < len(found) and found[last].start == found[last - 1].end:
        sign, after = found[last].text, found[last + 1]
        if after.start != found[last].end or not after.text[0].isalnum():
            break
        length = after.end - after.start
        thousands = number and sign in (",", ".") and after.text.isdecimal()
        if thousands and (sign == "." or length == 3):
            last += 2  # "1,204" is one number; "2.3" is one word, and no count
            continue
        if number or not found[i].text[0].isalnum() or not (sign == "-" or sign in _APOSTROPHES):
            break
        last += 2
    return last


def _looks_like_a_file(found: Sequence[Piece], last: int) -> bool:
    """A name with an ending that is none of the scope's: "notes.txt"."""
    if last + 1 >= len(found) or found[last].text != ".":
        return False
    stem, ending = found[last - 1], found[last + 1]
    glued = stem.end == found[last].start and ending.start == found[last].end
    return glued and stem.end - stem.start > 1 and ending.text in _ENDINGS


def _unhyphenated(texts: Sequence[str]) -> list[str]:
    """The next words, "twenty-four" as two: as many as a number may take."""
    return [part for text in texts[:6] for part in (text.split("-") if text else [""])]


def _may_count(word: str) -> bool:
    """Whether a number in words may begin here, which goes on with the next word."""
    return word == "a" or number_at([word.split("-")[0]], 0) is not None


def _without_references(words: Sequence[Word]) -> list[Word]:
    """Numbers of clauses, dates and amounts are words, not counts."""
    result: list[Word] = []
    for i, word in enumerate(words):
        before = words[i - 1] if i else None
        if word.tag == "NUM" and before is not None and before.text in _REFERENCES:
            result.append(word._replace(tag="W"))
        else:
            result.append(word)
    return result


def _silence_quotes(words: Sequence[Word]) -> list[Word]:
    """Three or more words in quotation marks are somebody else's."""
    result = list(words)
    i = 0
    while i < len(result):
        closing = _QUOTES.get(result[i].text)
        if closing is None:
            i += 1
            continue
        end = next((j for j in range(i + 1, len(result)) if result[j].text == closing), None)
        if end is None:
            break
        inside = range(i, end + 1)
        if end - i > 3 and not all(result[j].tag in ("NAME", "COMMA") for j in inside[1:-1]):
            for j in inside:
                result[j] = result[j]._replace(tag="Q")
        i = end + 1
    return result
