from __future__ import annotations

from pathlib import Path

import pytest

from authoring.catalogue import Catalogue
from authoring.errors import SpecError
from authoring.loading import load_spec
from authoring.spec import ScenarioSpec


def load(tmp_path: Path, text: str, catalogue: Catalogue) -> ScenarioSpec:
    path = tmp_path / "spec.yaml"
    path.write_text(text)
    return load_spec(path, catalogue)


def problems(tmp_path: Path, text: str, catalogue: Catalogue) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load(tmp_path, text, catalogue)
    prefix = f"{tmp_path}/spec.yaml:"
    return [str(problem).removeprefix(prefix) for problem in caught.value.problems]


def test_a_text_field_keeps_what_other_readers_would_turn_into_something_else(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    spec = load(tmp_path, spec_text, catalogue)
    assert spec.corpus.parameters == {"country": "no", "version": "1.10"}
    assert spec.corpus.sizes["small"] == {"count": 3}


def test_parameters_are_typed_by_what_they_belong_to(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    more = "    ratio: 2\n    loud: true\n    tone: warm\n    names: [1, 'x']\n    note: ~\n"
    spec = load(tmp_path, spec_text.replace("  sizes:", more + "  sizes:"), catalogue)
    assert spec.corpus.parameters == {
        "country": "no",
        "version": "1.10",
        "ratio": 2.0,
        "loud": True,
        "tone": "warm",
        "names": ["1", "x"],
        "note": None,
    }
    # Defaults are filled in when it is built.
    assert spec.needles[0].plant.parameters == {"lines": 2, "from_end": False}


WRONG = {
    "misspelt key": (
        "title: Letters",
        "titel: Letters",
        [
            "1:1: key 'title' is missing [missing-key]",
            "2:1: unknown key 'titel'; did you mean 'title'? [unknown-key]",
        ],
    ),
    "key of a nested mapping missing": (
        "      statement: A line is lost.\n",
        "",
        ["27:5: key 'statement' is missing [missing-key]"],
    ),
    "key of a list item missing": (
        "  - id: first\n    kind:",
        "  - kind:",
        ["20:5: key 'id' is missing [missing-key]"],
    ),
    "number for an id": (
        "id: letters",
        "id: 1",
        ["1:5: id: string should match pattern '^[a-z][a-z0-9_-]{0,62}$' [bad-value]"],
    ),
    "quoted number": (
        "seed: 7",
        'seed: "7"',
        ["3:7: seed wants a whole number, without quotes; it is the quoted text '7' [wrong-type]"],
    ),
    "fraction for a whole number": (
        "seed: 7",
        "seed: 7.0",
        ["3:7: seed wants a whole number, without quotes; it is the text '7.0' [wrong-type]"],
    ),
    "octal look": (
        "seed: 7",
        "seed: 007",
        ["3:7: seed wants a whole number, without quotes; it is the text '007' [wrong-type]"],
    ),
    "below the least": (
        "seed: 7",
        "seed: -7",
        ["3:7: seed: input should be greater than or equal to 0 [bad-value]"],
    ),
    "list for a text": (
        "title: Letters",
        "title: [Letters]",
        ["2:8: title wants text; it is a list [wrong-type]"],
    ),
    "nothing for a text": (
        "title: Letters",
        "title:",
        ["2:7: title wants text; it is empty [wrong-type]"],
    ),
    "text for a list": (
        'review: ["*.md"]',
        'review: "*.md"',
        ["12:11: review wants a list; it is the quoted text '*.md' [wrong-type]"],
    ),
    "text for a mapping": (
        "into: {document: letter, position: early}",
        "into: letter",
        ["24:13: into wants a mapping; it is the text 'letter' [wrong-type]"],
    ),
    "no such choice": (
        "position: early",
        "position: erly",
        ["24:42: position cannot be 'erly'; did you mean 'early'? [bad-value]"],
    ),
    "no such condition": (
        "    direct: Read",
        "    dirct: Read",
        ["18:5: unknown key 'dirct'; did you mean 'direct'? [unknown-key]"],
    ),
    "list without items": (
        '["*.md"]',
        "[]",
        ["12:11: review wants at least 1 item [bad-value]"],
    ),
    "unknown generator": (
        "generator: letters",
        "generator: leters",
        ["5:14: there is no generator 'leters'; did you mean 'letters'? [unknown-generator]"],
    ),
    "unknown planter": (
        "planter: drop",
        "planter: x",
        ["25:16: there is no planter 'x'; valid: drop [unknown-planter]"],
    ),
    "unknown kind": (
        "kind: lost-line",
        "kind: lost-lines",
        [
            (
                "21:11: there is no kind of defect 'lost-lines'; did you mean 'lost-line'?"
                " [unknown-kind]"
            ),
        ],
    ),
    "unknown parameter of the generator": (
        "    country: no",
        "    country: no\n    vresion: 2",
        ["8:5: unknown key 'vresion'; did you mean 'version'? [unknown-key]"],
    ),
    "missing parameter of the generator": (
        "    country: no\n",
        "",
        ["9:5: key 'country' is missing [missing-key]"],
    ),
    "wrong parameter of a size": (
        "{count: 3}",
        "{count: many}",
        ["10:20: count wants a whole number, without quotes; it is the text 'many' [wrong-type]"],
    ),
    "out of range parameter of a size": (
        "{count: 3}",
        "{count: 0}",
        ["10:20: count: input should be greater than or equal to 1 [bad-value]"],
    ),
    "yes for true": (
        "    country: no",
        "    country: no\n    loud: yes",
        ["8:11: loud wants true or false, without quotes; it is the text 'yes' [wrong-type]"],
    ),
    "parameters that do not agree": (
        "    country: no",
        "    country: no\n    loud: true\n    tone: cold",
        ["12:5: a cold letter is not loud [bad-value]"],
    ),
    "quoted number for a fraction": (
        "    country: no",
        "    country: no\n    ratio: '0.5'",
        ["8:12: ratio wants a number, without quotes; it is the quoted text '0.5' [wrong-type]"],
    ),
    "missing parameter of a planter": (
        "parameters: {lines: 2}",
        "parameters: {}",
        ["26:7: key 'lines' is missing [missing-key]"],
    ),
    "no parameters of a planter": (
        "      parameters: {lines: 2}\n",
        "",
        ["23:5: key 'lines' is missing [missing-key]"],
    ),
    "wrong parameter of a planter": (
        "{lines: 2}",
        "{lines: [2]}",
        ["26:27: lines wants a whole number, without quotes; it is a list [wrong-type]"],
    ),
    "encoding that is not there": (
        "budget:\n",
        "budget:\n  encoding: o200k_base\n",
        [
            (
                "31:13: the encoding 'o200k_base' cannot be loaded; valid: cl100k_base"
                " [encoding-not-available]"
            ),
        ],
    ),
    "size without a budget": (
        "    small: {count: 3}",
        "    small: {count: 3}\n    long: {count: 9}",
        ["34:5: key 'long' is missing: a size needs its budget [missing-key]"],
    ),
    "unknown size": (
        "    small: {count: 3}",
        "    smal: {count: 3}",
        [
            "10:5: unknown key 'smal'; did you mean 'small'? [unknown-key]",
            "33:5: key 'smal' is missing: a size needs its budget [missing-key]",
        ],
    ),
    "least above most": (
        "file: {most: 400}",
        "file: {least: 500, most: 400}",
        ["31:17: least 500 is above most 400 [bad-value]"],
    ),
    "no conditions": (
        "conditions:\n    direct: Read them yourself.",
        "conditions: {}",
        ["17:15: conditions names none [bad-value]"],
    ),
    "template that does not parse": (
        "    {{ instruction }}",
        "    {{ instruction }",
        ["16:5: unexpected '}' [template-syntax]"],
    ),
    "unknown variable, in a block": (
        "    {{ instruction }}",
        "    And {{ instructions }}",
        [
            (
                "16:12: unknown variable 'instructions'; valid: files, folder, instruction"
                " [unknown-template-variable]"
            ),
        ],
    ),
    "instruction inside an instruction": (
        "direct: Read them yourself.",
        "direct: '{{ instruction }}'",
        ["18:13: unknown variable 'instruction'; valid: files, folder [unknown-template-variable]"],
    ),
    "a global of the template language": (
        "direct: Read them yourself.",
        "direct: '{{ range(3) }}'",
        [
            "18:13: a prompt uses variables and `if` alone, and no calls [template-syntax]",
            "18:13: unknown variable 'range'; valid: files, folder [unknown-template-variable]",
        ],
    ),
    "a way out of the sandbox": (
        "direct: Read them yourself.",
        "direct: '{{ folder.__class__.mro() }}'",
        [
            "18:13: a prompt uses variables and `if` alone, and no calls [template-syntax]",
            "18:13: a prompt uses variables and `if` alone, and no attributes [template-syntax]",
        ],
    ),
    "an empty term": (
        "[[lost, missing]]",
        '[[lost, ""], ["±"]]',
        [
            "29:22: item 2 of item 1 of terms: a term is empty [bad-value]",
            (
                "29:27: item 2 of terms: none of these terms holds a letter or a digit, so no"
                " report can [bad-value]"
            ),
        ],
    ),
    "a title that acts on a terminal": (
        "title: Letters",
        'title: "Let\\e[2Jters\\u202e"',
        [
            (
                "2:8: holds characters that do not show: '\\x1b', '\\u202e'; take them out"
                " [control-character]"
            )
        ],
    ),
    "a word of ours in the task": (
        "direct: Read them yourself.",
        "direct: Find every needle.",
        ["18:13: holds 'needle', a word that no agent may see; say it otherwise [own-word]"],
    ),
    "prompt without the instruction": (
        "    {{ instruction }}\n  conditions:\n",
        "    Report.\n  conditions:\n    delegated: Share them.\n",
        [
            (
                "19:13: condition 'direct' asks the same as 'delegated'; let the prompt hold"
                " {{ instruction }}, and say something else in each [same-prompt]"
            )
        ],
    ),
    "another file": (
        "direct: Read them yourself.",
        "direct: '{% include \"x\" %}'",
        ["18:13: a prompt cannot load other templates [template-syntax]"],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), WRONG.values(), ids=WRONG)
def test_each_problem_is_told_at_its_line_and_column(
    tmp_path: Path, spec_text: str, catalogue: Catalogue, old: str, new: str, expected: list[str]
) -> None:
    assert spec_text.count(old) == 1
    assert problems(tmp_path, spec_text.replace(old, new), catalogue) == expected


def test_all_problems_are_told_at_once_in_the_order_of_the_file(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    text = (
        spec_text.replace("seed: 7", "seed: x")
        .replace("title: Letters", "titel: Letters")
        .replace("planter: drop", "planter: drip")
        .replace("{count: 3}", "{count: x}")
        .replace("{{ files }}", "{{ fils }}")
    )
    told = [line.rsplit("[", 1)[1] for line in problems(tmp_path, text, catalogue)]
    assert told == [
        "missing-key]",
        "unknown-key]",
        "wrong-type]",
        "wrong-type]",
        "unknown-template-variable]",
        "unknown-planter]",
    ]


def test_two_needles_of_one_id_are_refused(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    start, end = spec_text.index("  - id: first"), spec_text.index("budget:")
    text = spec_text[:end] + spec_text[start:end] + spec_text[end:]
    assert problems(tmp_path, text, catalogue) == [
        "30:9: id 'first' is taken by the needle in line 20 [duplicate-id]"
    ]


def test_the_ids_of_copies_are_taken_too(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    start, end = spec_text.index("  - id: first"), spec_text.index("budget:")
    needle = spec_text[start:end]
    copied = needle + "    copies: {small: 3, large: 12}\n"
    other = needle.replace("id: first", "id: first-12")
    assert problems(tmp_path, spec_text[:start] + copied + other + spec_text[end:], catalogue) == [
        "31:9: id 'first-12' is taken by the needle in line 20 [duplicate-id]"
    ]
    fine = other.replace("-12", "-13")
    spec = load(tmp_path, spec_text[:start] + copied + fine + spec_text[end:], catalogue)
    assert [needle.copies for needle in spec.needles] == [{"small": 3, "large": 12}, {}]
    long = copied.replace("id: first", f"id: {'a' * 61}")
    assert problems(tmp_path, spec_text[:start] + long + spec_text[end:], catalogue) == [
        f"20:9: id '{'a' * 61}-{number}', of a copy, is longer than 63 characters [bad-value]"
        for number in (10, 11, 12)
    ]


@pytest.mark.parametrize("count", ["-1", "1000", "many", "99999999"])
def test_a_number_of_copies_that_is_none_is_refused(
    tmp_path: Path, spec_text: str, catalogue: Catalogue, count: str
) -> None:
    text = spec_text.replace("budget:", f"    copies: {{small: {count}}}\nbudget:")
    (problem,) = problems(tmp_path, text, catalogue)
    assert problem.startswith("30:21: small")


def test_what_is_wrong_for_every_size_is_told_once(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    text = spec_text.replace("country: no", "country: [no]")
    text = text.replace("small: {count: 3}", "small: {count: 3}\n    long: {count: 4}")
    text = text.replace("small: {most: 2000}", "small: {most: 2000}\n    long: {most: 2000}")
    assert problems(tmp_path, text, catalogue) == [
        "7:14: country wants text; it is a list [wrong-type]"
    ]


def test_a_key_that_every_size_gives_need_not_stand_in_the_parameters(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    text = spec_text.replace("    country: no\n", "").replace(
        "{count: 3}", "{count: 3, country: se}"
    )
    assert load(tmp_path, text, catalogue).corpus.sizes["small"] == {"count": 3, "country": "se"}


def test_a_root_that_is_no_mapping_is_refused(tmp_path: Path, catalogue: Catalogue) -> None:
    assert problems(tmp_path, "- a\n", catalogue) == [
        "1:1: the file wants a mapping; it is a list [wrong-type]"
    ]


def test_a_missing_spec_exits_with_2(tmp_path: Path, catalogue: Catalogue) -> None:
    with pytest.raises(SpecError, match=r"none\.yaml: cannot be read: No such file") as caught:
        load_spec(tmp_path / "none.yaml", catalogue)
    assert caught.value.exit_code == 2


def test_a_key_twice_and_an_unknown_generator_hide_no_other_problem(
    tmp_path: Path, spec_text: str, catalogue: Catalogue
) -> None:
    text = (
        spec_text.replace("title: Letters", "title: Letters\ntitle: Others")
        .replace("generator: letters", "generator: leters")
        .replace("{count: 3}", "{count: x}")
        .replace("planter: drop", "planter: drip")
        .replace("severity: major", "severity: huge")
    )
    told = [line.rsplit("[", 1)[1] for line in problems(tmp_path, text, catalogue)]
    assert told == [
        "duplicate-key]",
        "unknown-generator]",
        "wrong-type]",
        "bad-value]",
        "unknown-planter]",
    ]
