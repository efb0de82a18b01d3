from __future__ import annotations

import csv
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from authoring.errors import UserError
from generators.planters.set_value import SetValue, SetValueParameters
from generators.planters.values import Branch, read_yaml
from tests.generators.planters.conftest import plant

FORM = """\
# Case report form
subject: "S-0042"   # as on the consent
consented: 2024-03-04
visits:
  - visit: baseline
    date: 2024-03-05T09:30
    weight_kg: 71.40
    notes: >
      seen at
      noon
  - visit: 'week 4'
    date: 2024-04-02T10:00
    weight_kg: 70.9
    doses: {morning: 20, evening: 20}
"""
REPORT = """\
{
\t"report": "ER-17",
  "lines" : [{"what":"taxi \\u20ac","net":14.50}, {"what": "hotel, 2 nights", "net": 240}],
  "paid": true
}
"""
TABLE = """\
Card statement, March
date,what,amount
2025-03-01,"Taxi, airport",14.50
2025-03-02,Hotel,240.00
2025-03-02,Dinner 5" pizza,18.20
"""


def set_value(**given: JsonValue) -> SetValue:
    return SetValue(SetValueParameters.model_validate(given))


CASES = {
    "a plain text": ("f.yaml", {"path": "visits[0].visit", "value": "screening"},
                     "visit: baseline", "visit: screening", 5),
    "in double quotes": ("f.yaml", {"path": "subject", "value": 'S-"2'},
                         '"S-0042"', '"S-\\"2"', 2),
    "in single quotes": ("f.yaml", {"path": "visits[-1].visit", "value": "wk's"},
                         "'week 4'", "'wk''s'", 11),
    "an item by its key": ("f.yaml", {"path": "visits[visit=week 4].weight_kg", "value": "154"},
                           "70.9", "154", 13),
    "a number with its places": ("f.yml", {"path": "visits[0].weight_kg", "times": "2.2046"},
                                 "71.40", "157.41", 7),
    "a number less": ("f.yml", {"path": "visits[1].weight_kg", "plus": "-20"}, "70.9", "50.9", 13),
    "a date": ("f.yaml", {"path": "consented", "days": 2}, "2024-03-04", "2024-03-06", 3),
    "a date with its time": ("f.yaml", {"path": "visits[1].date", "days": -33},
                             "2024-04-02T10:00", "2024-02-29T10:00", 12),
    "one of two on a line": ("f.yaml", {"path": "visits[1].doses.evening", "value": "40"},
                             "evening: 20", "evening: 40", 14),
    "a number of JSON": ("r.json", {"path": "lines[1].net", "value": "420"},
                         '"net": 240', '"net": 420', 3),
    "a text of JSON": ("r.json", {"path": "lines[net=14.50].what", "value": "bus €"},
                       '"taxi \\u20ac"', '"bus €"', 3),
    "the truth of JSON": ("r.json", {"path": "paid", "value": "false"}, "true", "false", 4),
    "a field of CSV": ("c.csv", {"row": {"what": "Hotel"}, "column": "amount", "plus": "100"},
                       "240.00", "340.00", 4),
    "a field in quotes": ("c.csv", {"row": {"amount": "14.50"}, "column": "what", "value": "Bus"},
                          '"Taxi, airport"', '"Bus"', 3),
    "a field that needs quotes": (
        "c.csv", {"row": {"date": "2025-03-02", "what": "Hotel"}, "column": "what",
                  "value": 'Inn, "A"'}, "Hotel", '"Inn, ""A"""', 4),
    "a field with a quote in it": (
        "c.csv", {"row": {"amount": "18.20"}, "column": "what", "value": "Tea"},
        'Dinner 5" pizza', "Tea", 5),
}  # fmt: skip
TEXTS = {"f.yaml": FORM, "f.yml": FORM, "r.json": REPORT, "c.csv": TABLE}


@pytest.mark.parametrize(("path", "given", "old", "new", "line"), CASES.values(), ids=CASES)
def test_one_value_changes_and_every_other_byte_stays(
    path: str, given: dict[str, JsonValue], old: str, new: str, line: int
) -> None:
    text = TEXTS[path]
    made = plant(set_value(**given), text, path=path)
    assert text.count(old) == 1
    assert made.text == text.replace(old, new)
    assert made.shown == [(line, line)]


def test_depth_and_number_choose_among_several_values() -> None:
    every = {"path": "visits[*].weight_kg", "value": "1"}
    assert plant(set_value(**every), FORM, path="f.yaml", depth="late").shown == [(13, 13)]
    assert plant(set_value(**every, nth=1), FORM, path="f.yaml", depth="late").shown == [(7, 7)]
    with pytest.raises(UserError, match=r"2 lines match:\n    line 7: weight_kg: 71\.40\n"):
        plant(set_value(**every), FORM, path="f.yaml")
    same_line = {"path": "lines[*].net", "value": "1"}
    made = plant(set_value(**same_line, nth=2), REPORT, path="r.json")
    assert made.text == REPORT.replace("240", "1")
    rows = {"column": "amount", "value": "9"}
    assert plant(set_value(**rows), TABLE, path="c.csv", depth="early").shown == [(3, 3)]


WRONG = {
    "no such key": ("f.yaml", {"path": "visits[0].wieght_kg", "value": "1"},
                    r"f\.yaml: visits\[0\] has no key 'wieght_kg'\n  did you mean 'weight_kg'"),
    "no such item": ("f.yaml", {"path": "visits[2].date", "value": "1"},
                     r"visits has no item \[2\]; it has 2"),
    "no item with that": ("f.yaml", {"path": "visits[visit=week 8].date", "value": "1"},
                          r"visits has no item \[visit=week 8\]; it has 2"),
    "several values": ("f.yaml", {"path": "visits[0]", "value": "1"},
                       r"visits\[0\] is no single value"),
    "below a value": ("f.yaml", {"path": "consented.day", "value": "1"},
                      "consented holds nothing: it is '2024-03-04'"),
    "no list": ("f.yaml", {"path": "[0]", "value": "1"}, "the file is no list"),
    "several lines": ("f.yaml", {"path": "visits[0].notes", "value": "1"}, "is not on one line"),
    "no number": ("f.yaml", {"path": "visits[0].visit", "times": "2"},
                  "the value 'baseline' is no number"),
    "no date": ("f.yaml", {"path": "subject", "days": 2}, "the value 'S-0042' is no date"),
    "nothing changes": ("f.yaml", {"path": "consented", "value": "2024-03-04"},
                        r"f\.yaml:3:1: the replacement changes nothing"),
    "another reading": ("f.yaml", {"path": "visits[0].visit", "value": "a: b"},
                        "is not YAML: mapping values"),
    "a comment": ("f.yaml", {"path": "visits[0].visit", "value": "a #b"},
                  "the value 'a #b' would be read as another one"),
    "bare text in JSON": ("r.json", {"path": "paid", "value": "no"}, "is not JSON"),
    "no YAML": ("bad.yaml", {"path": "a", "value": "1"}, r"bad\.yaml: is not YAML"),
    "no JSON": ("bad.json", {"path": "a", "value": "1"}, r"bad\.json: is not JSON"),
    "no such column": ("c.csv", {"column": "amonut", "value": "1"},
                       r"c\.csv: no line heads a column 'amonut'\n  did you mean 'amount'"),
    "no such row": ("c.csv", {"row": {"what": "Tram"}, "column": "amount", "value": "1"},
                    "no row has what=Tram"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "given", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_set_is_told(path: str, given: dict[str, JsonValue], message: str) -> None:
    text = TEXTS.get(path, "a: [1\n" if path.endswith("yaml") else "{'a': 1}\n")
    with pytest.raises(UserError, match=message):
        plant(set_value(**given), text, path=path)


@pytest.mark.parametrize(
    "given",
    [
        {"value": "1"},
        {"path": "a", "column": "b", "value": "1"},
        {"path": "a"},
        {"path": "a", "value": "1", "days": 1},
        {"path": "a[", "value": "1"},
        {"path": "a[x]", "value": "1"},
    ],
    ids=["no place", "two places", "no change", "two changes", "open bracket", "no index"],
)
def test_parameters_that_mean_nothing_are_refused_when_the_spec_is_read(
    given: dict[str, JsonValue],
) -> None:
    with pytest.raises(ValidationError):
        SetValueParameters.model_validate(given)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdefg", min_size=1), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(
    before=JSON,
    after=JSON,
    new=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=12),
    indent=st.sampled_from((None, 1, "\t")),
    ascii_only=st.booleans(),
)
def test_any_json_reads_back_with_that_one_value_changed(
    before: JsonValue, after: JsonValue, new: str, indent: int | str | None, ascii_only: bool
) -> None:
    data = {"x": before, "y": [before, {"z": "the old one"}], "w": after}
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only) + "\n"
    made = plant(set_value(path="y[1].z", value=new), text, path="a.json")
    assert json.loads(made.text) == data | {"y": [before, {"z": new}]}


@given(
    rows=st.lists(
        st.tuples(*[st.text(st.sampled_from('ab ,"'), max_size=6)] * 2), min_size=1, max_size=6
    ),
    new=st.text(st.sampled_from('ab ,"'), max_size=6),
    data=st.data(),
)
def test_any_csv_reads_back_with_that_one_field_changed(
    rows: list[tuple[str, str]], new: str, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    table = [["key", "a", "b"], *([str(number), *row] for number, row in enumerate(rows))]
    if table[index + 1][2] == new:
        return
    text = "".join(_row(row) for row in table)
    planter = set_value(row={"key": str(index)}, column="b", value=new)
    made = plant(planter, text, path="a.csv")
    table[index + 1][2] = new
    assert list(csv.reader(made.text.splitlines())) == table


def _row(fields: list[str]) -> str:
    quoted = ('"' + f.replace('"', '""') + '"' if set(f) & set(',"') else f for f in fields)
    return ",".join(quoted) + "\n"


def test_yaml_reads_back_with_that_one_value_changed() -> None:
    made = plant(set_value(path="visits[1].weight_kg", value="88.8"), FORM, path="f.yaml")
    data = yaml.safe_load(FORM)
    data["visits"][1]["weight_kg"] = 88.8
    assert yaml.safe_load(made.text) == data


@pytest.mark.parametrize(
    "text",
    ["# Title\n\nA list: of *things*.\n", "Plain prose.\n", "- [ ] a\n- b: c: d\n"],
    ids=["heading", "one line", "list"],
)
def test_a_file_without_values_is_told_in_plain_words(text: str) -> None:
    with pytest.raises(
        UserError, match=r"a\.md: is neither YAML nor JSON: .*\n  aim at such a file"
    ):
        plant(set_value(path="a.b", value="1"), text, path="a.md")


def test_what_an_alias_repeats_is_reached_by_its_anchor_alone() -> None:
    text = "base: &base {port: 80}\nother: *base\n"
    root = read_yaml(text)
    assert isinstance(root, Branch)
    base, other = root.values
    assert isinstance(base, Branch)
    assert base.keys == ("port",)
    assert other == Branch((), (), is_list=False)


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 [1, 1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
        "a: &a [*a]\n",
    ],
    ids=["sixty-doublings", "holds-itself"],
)
def test_aliases_within_aliases_take_no_more_room_than_the_file(text: str) -> None:
    root = read_yaml(text)
    assert isinstance(root, Branch)
    assert len(root.keys) == text.count("\n")
