"""Which files a reader is given in one sample.

An *excerpt* of the planted corpus holds the files of one needle's evidence, all reference files,
and a few other files under review, drawn anew for every sample, all in a drawn order. Its *twin*
holds the same files in the same order with that one needle taken out: what differs between the two
answers is the needle's doing. A whole review corpus fits few windows, and asks how well a model
reads long texts; an excerpt asks whether the needle can be seen by whoever reads the right files.
The *whole* mode gives every file, for corpora that fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import UserError
from authoring.prompt import render_prompt
from generators.registry import RegisteredNeedle, restore
from generators.seeding import randomness
from generators.tokens import count_tokens
from validation.leaks import FOLDER
from validation.readers.prompt import Prompt, ShownFile, written
from validation.subject import Subject

Mode = Literal["excerpt", "whole"]
Corpus = Literal["planted", "twin"]
CORPORA: tuple[Corpus, ...] = ("planted", "twin")


class Sampling(Value):
    """How samples are drawn."""

    mode: Mode = "excerpt"
    distractors: Annotated[int, Field(ge=0)] = 3
    """Files of an excerpt that bear on the needle in no way; fewer where they do not fit."""
    most_tokens: Annotated[int, Field(gt=0)] = 100_000
    """Of one sample, by cl100k_base: a window leaves room for another count and for the answer."""


class TooLongError(UserError):
    """A sample does not fit, even without distractors."""


@dataclass(frozen=True)
class Sampler:
    """Draws samples of one build; the same ones in every process."""

    subject: Subject
    sampling: Sampling

    def sample(self, needle: RegisteredNeedle | None, corpus: Corpus, number: int) -> Prompt:
        """One sample; without a needle the whole corpus. Raises TooLongError.

        What fits is decided on the planted texts, so that a twin has the very same files.
        """
        fixed = [*self.subject.review, *self.subject.reference]
        drawn: list[str] = []
        if needle is not None:
            fixed, drawn = self._drawn(needle, number)
        order = randomness(self._seed, "reader", "order", needle.id if needle else "", str(number))
        ranks = {path: order.random() for path in (*fixed, *drawn)}
        for kept in range(len(drawn), -1, -1):
            paths = sorted((*fixed, *drawn[:kept]), key=ranks.__getitem__)
            prompt = self._prompt(self.subject.planted, paths, number)
            tokens = count_tokens(prompt.system) + count_tokens(prompt.text)
            if tokens <= self.sampling.most_tokens:
                return prompt if corpus == "planted" else self._twin(needle, paths, number)
        what = f"the files of {needle.id!r} and of reference" if needle else "the files"
        raise TooLongError(
            f"{what} are {tokens} tokens; a sample holds at most {self.sampling.most_tokens}"
        )

    def _twin(self, needle: RegisteredNeedle | None, paths: list[str], number: int) -> Prompt:
        subject = self.subject
        clean = subject.clean if needle is None else restore(subject.planted, [needle])
        return self._prompt(clean, paths, number)

    def _drawn(self, needle: RegisteredNeedle, number: int) -> tuple[list[str], list[str]]:
        """The files that a sample must hold, and the distractors."""
        evidence = list(dict.fromkeys(span.path for span in needle.evidence))
        fixed = [*evidence, *(p for p in self.subject.reference if p not in evidence)]
        others = [path for path in self.subject.review if path not in evidence]
        source = randomness(self._seed, "reader", "distractors", needle.id, str(number))
        return fixed, source.sample(others, min(self.sampling.distractors, len(others)))

    @property
    def _seed(self) -> int:
        return self.subject.build.spec.build.seed

    def _prompt(self, texts: Mapping[str, str], paths: list[str], number: int) -> Prompt:
        reference = frozenset(self.subject.reference)
        files = [
            ShownFile.of(path, "reference" if path in reference else "under review", texts[path])
            for path in paths
        ]
        return written(self._assignment, files, number)

    @property
    def _assignment(self) -> str:
        spec = self.subject.build.spec
        condition = "direct" if "direct" in spec.task.conditions else min(spec.task.conditions)
        files = len(self.subject.review)
        return render_prompt(spec, condition, files=files, folder=FOLDER).strip()
