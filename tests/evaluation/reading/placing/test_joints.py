"""Lines at the edge of what a unique line claims, which may be the end of another file's run."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evaluation.reading.engine import ThreadReading
from generators.lines import CorpusIndex
from tests.evaluation.reading.commands import read_both_ways

TEXTS = {
    "b.txt": "beta two three\n# Licence text\nbeta two three\nimport os\n\n",
    "c.txt": "\nimport os\n\n{\nonly in c\n\n}\nimport os\n# Licence text\n",
    "d.txt": "# Licence text\nimport os\n",
}
INDEX = CorpusIndex.of(TEXTS)


def read(command: str, shown: str, texts: Mapping[str, str] = TEXTS) -> ThreadReading:
    return read_both_ways(command, shown, CorpusIndex.of(texts))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("cat b.txt; F=c.txt; tail -n +4 $F | head -2; date", id="several"),
        pytest.param("grep -v '^{$' b.txt; awk 'NR>3 && NR<6' c.txt", id="picked"),
    ],
)
def test_the_end_of_a_file_without_a_unique_line_may_be_its_own(command: str) -> None:
    """The blank line behind `import os` is no more sure than that."""
    found = read(command, TEXTS["b.txt"] + "{\nonly in c\n")
    assert found.of("c.txt").sure == {5}
    assert found.of("b.txt").most >= {4, 5}


def test_the_start_of_a_file_without_a_unique_line_may_be_its_own() -> None:
    shown = "only in c\n\n}\nimport os\n# Licence text\nbeta two three\nimport os\n"
    texts = TEXTS | {"b.txt": "import os\n# Licence text\nbeta two three\nimport os\n"}
    found = read(
        "F=c.txt; sed -n 5,7p $F; cat b.txt; date", shown, texts | {"e.txt": "beta two three\n"}
    )
    assert found.of("c.txt").sure == {5}
    assert found.of("c.txt").possible >= {6, 7, 8, 9}
    assert found.of("b.txt").most == {1, 2, 3, 4}


def test_lines_that_go_on_no_other_run_are_decided_by_their_unique_line() -> None:
    shown = "beta two three\n# Licence text\n" + "import os\n\n{\nonly in c\n"
    texts = TEXTS | {"b.txt": "beta two three\n# Licence text\nbeta two three\n"}
    found = read(
        "head -2 b.txt; F=c.txt; sed -n 2,5p $F; date", shown, {**texts, "d.txt": "import os\n"}
    )
    assert found.of("c.txt").sure == {2, 3, 4, 5}


def test_of_picked_lines_those_up_to_one_of_a_single_place_are_not_sure() -> None:
    """`import os` stands in one file that the command names, and in others that it does not."""
    texts = TEXTS | {"c.txt": "\nimport os\n\n{\nonly in c\n\n"}
    found = read("awk 'NR>1' c.txt", "import os\n\n{\nonly in c\n\n", texts)
    assert found.of("c.txt").sure >= {2, 3, 4, 5}
    found = read("awk 'NR>1' c.txt d.txt", "import os\n\n{\nonly in c\n\n", texts)
    assert found.of("c.txt").sure == {5}
    assert found.of("c.txt").possible == {2, 3, 4, 6}
