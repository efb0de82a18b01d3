from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from itertools import combinations
from pathlib import Path, PurePosixPath

import pytest
from pydantic import ValidationError

from generators.contracts.consistency import faults
from generators.contracts.generator import ContractsGenerator
from generators.contracts.plan import ContractsParameters
from generators.document import Document
from generators.lines import CorpusIndex, split_lines
from generators.tokens import count_tokens

ROOT = Path(__file__).parents[2]
SEEDS = range(6)


@cache
def corpus(seed: int) -> tuple[Document, ...]:
    generator = ContractsGenerator(ContractsParameters(), random.Random(seed))
    return tuple(sorted(generator.documents(), key=lambda d: str(d.path)))


@cache
def index(seed: int) -> CorpusIndex:
    return CorpusIndex.of({str(d.path): d.text for d in corpus(seed)})


def of_kind(seed: int, kind: str) -> list[Document]:
    return [document for document in corpus(seed) if document.kind == kind]


def slug(document: Document) -> str:
    return document.path.stem.partition("-")[0]


def test_the_default_is_twenty_four_contracts_and_a_playbook() -> None:
    assert Counter(document.kind for document in corpus(0)) == {
        "msa": 6,
        "sow": 5,
        "nda": 4,
        "dpa": 3,
        "order_form": 3,
        "amendment": 3,
        "playbook": 1,
    }


def test_paths_say_vendor_year_number_and_kind_and_no_more() -> None:
    *contracts, playbook = [str(document.path) for document in corpus(0)]
    assert playbook == "playbook.md"
    pattern = r"contracts/[a-z]+-20\d\d-\d{3}-(msa|sow|nda|dpa|order-form|amendment)\.md"
    assert all(re.fullmatch(pattern, path) for path in contracts)


def test_a_generator_yields_the_same_documents_each_time_it_is_asked() -> None:
    generator = ContractsGenerator(ContractsParameters(), random.Random(2))
    assert list(generator.documents()) == list(generator.documents())


def test_another_seed_gives_other_contracts() -> None:
    assert {d.path for d in corpus(0)} != {d.path for d in corpus(1)}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_corpus_keeps_to_its_size(seed: int) -> None:
    tokens = [count_tokens(document.text) for document in corpus(seed)]
    assert 50_000 <= sum(tokens) <= 60_000
    assert max(tokens) <= 6_000
    lines = [len(split_lines(d.text)) for d in corpus(seed) if d.kind != "playbook"]
    assert min(lines) >= 100


@pytest.mark.parametrize("seed", SEEDS)
def test_every_file_has_a_unique_line_near_its_top_and_in_every_window(seed: int) -> None:
    for path, lines in index(seed).files.items():
        unique = [index(seed).is_unique(line) for line in lines]
        assert any(unique[:5]), path
        assert all(any(unique[i : i + 20]) for i in range(max(1, len(unique) - 19))), path


@pytest.mark.parametrize("seed", SEEDS)
def test_no_line_is_long_and_prose_is_wrapped(seed: int) -> None:
    for document in corpus(seed):
        for line in split_lines(document.text):
            assert len(line) <= (200 if line.startswith("|") else 96), (document.path, line)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_mark_of_a_template_is_left(seed: int) -> None:
    for document in corpus(seed):
        assert not re.search(
            r"[\[\]{}]|\bNone(?! of| takes)\b|Undefined|\(\)| [,;.](?:\s|$)|,[,.;]", document.text
        )
        assert not re.search(r"[a-z][A-Z][a-z]", document.text)
        assert document.text.endswith("\n")
        assert not document.text.endswith("\n\n")


OURS = ("ocb", "overclaim", "needle", "planted", "ablation", "sim/", "benchmark", "scenario")


@pytest.mark.parametrize("seed", SEEDS)
def test_no_word_says_what_the_files_are_for(seed: int) -> None:
    for document in corpus(seed):
        words = f"{document.path}\n{document.text}".lower()
        assert not [word for word in OURS if word in words]


# Sums


def cents(cell: str) -> int:
    """`-1,234.50` is -123450."""
    digits = cell.replace("*", "").replace(",", "").replace(".", "").strip()
    return int(digits)


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of a Markdown text: rows of cells, without the rule under the head."""
    rows: list[list[str]] = []
    for line in [*split_lines(text), ""]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not set(cells[0]) <= set("-:") or not cells[0]:
                rows.append(cells)
        elif rows:
            yield rows
            rows = []


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fees_of_a_statement_of_work_add_up(seed: int) -> None:
    for document in of_kind(seed, "sow"):
        effort = next(t for t in tables(document.text) if "ays" in t[0][1])
        *lines, total = effort[1:]
        for _, days, rate, amount in lines:
            assert int(days) * cents(rate) == cents(amount)
        assert sum(int(line[1]) for line in lines) == int(total[1])
        assert sum(cents(line[3]) for line in lines) == cents(total[3])
        for table in tables(document.text):
            if table[1][1].endswith("%"):
                assert sum(int(row[1].rstrip("%")) for row in table[1:]) == 100
                assert sum(cents(row[2]) for row in table[1:]) == cents(total[3])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_items_of_an_order_form_add_up(seed: int) -> None:
    for document in of_kind(seed, "order_form"):
        items = next(t for t in tables(document.text) if len(t[0]) == 4 and "nit" in t[0][2])
        lines = [row for row in items[1:] if row[1]]
        for _, quantity, price, amount in lines:
            assert int(quantity) * cents(price) == cents(amount)
        subtotal = sum(cents(line[3]) for line in lines)
        sums = [row for row in items[1:] if not row[1]]
        if len(sums) == 3:
            assert cents(sums[0][3]) == subtotal
            percent = int(sums[1][0].split("(")[1].rstrip("%)"))
            assert cents(sums[1][3]) == -(subtotal * percent // 100)
            subtotal += cents(sums[1][3])
        assert cents(sums[-1][3]) == subtotal
        text = " ".join(document.text.split())
        stated = re.search(
            r"initial term of (.{1,30}?) months? (?:this|the sum)\D*?([\d,]+\.\d\d)", text
        )
        assert stated
        years = 2 if "24" in stated[1] or "twenty-four" in stated[1] else 3
        assert cents(stated[2]) == years * subtotal


# What recurs


SMALL = ContractsParameters(
    length="short", msa=2, sow=3, nda=3, dpa=1, order_form=2, amendment=1, vendors=4
)
STANDARD = ContractsParameters(
    length="short", msa=9, sow=9, nda=11, dpa=9, order_form=9, amendment=10, vendors=11
)


def texts(parameters: ContractsParameters, seed: int) -> dict[PurePosixPath, str]:
    generator = ContractsGenerator(parameters, random.Random(seed))
    return {document.path: document.text for document in generator.documents()}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("parameters", [SMALL, STANDARD], ids=["small", "standard"])
def test_a_corpus_agrees_with_itself(parameters: ContractsParameters, seed: int) -> None:
    assert faults(texts(parameters, seed)) == ()


def test_long_contracts_and_many_amendments_agree_too() -> None:
    parameters = ContractsParameters(
        msa=6, sow=9, nda=5, dpa=6, order_form=9, amendment=12, vendors=60
    )
    assert faults(texts(parameters, 5)) == ()


@pytest.mark.parametrize(
    ("kind", "pattern", "new", "fault"),
    [
        ("sow", r"\| \d+ \| (\d,?\d+\.00)", "| 777 | \\1", "is not"),
        ("sow", r"\| (\d\d)% \|", "| 11% |", "shares come to"),
        ("order-form", r"\| \d+ \| ([\d,]+\.00) \|", "| 9 | \\1 |", "is not"),
        ("order-form", r"MSA-\d{4}-\d{3}", "MSA-2020-999", "which is not here"),
        ("dpa", r"MSA-(\d{4})-\d{3}", "MSA-\\1-998", "which is not here"),
        ("amendment", r"# (First|Second) ", "# Third ", "headed Third"),
        ("amendment", r"\| ([A-Z][^|]+) \| ([\d,]+)\.00 \| ", "| \\1 | 7.00 | ", "in force"),
        ("amendment", r"((?:to|until)\s+(?:\d+ \w+ |\w+ \d+, ))20\d\d", "\\g<1>2012", "until 2012"),
        ("amendment", r"(Section|Article) (?:\d+|[IVXL]+)(?= )", "\\1 88", "Section 88|Article 88"),
        ("nda", r"(?m)/s/ [^|\n]+?(?= *(?:\||$))", "/s/ Nobody Atall", "Nobody"),
        ("msa", r"(\| [A-Z][^|]+ \| )[\d,]+\.00( \|)", "\\g<1>5.00\\2", "in force is 500"),
        ("nda", r"\n\n", "\n\nSee <<definition>>.\n\n", "holds the mark <<"),
        ("sow", r"\n\n", "\n\nSee {{ terms }}.\n\n", "holds the mark {{"),
        ("amendment", r"\n\n", "\n\nHe owes Fees, Charges.\n\n", "several words for its fees"),
        ("msa", r"\n\n", '\n\n"Affiliate" means a friend.\n\n', 'defines "Affiliate" 2 times'),
        ("amendment", r"\n\Z", "\n\nIt has effect from 5 May 2031.\n", "effect from 2031-05-05"),
        ("dpa", r"\n\n", "\n\nIn ten (10) days, or 9 days, or 8 days.\n\n", "in several ways"),
    ],
)
def test_a_corpus_that_does_not_agree_is_faulted(
    kind: str, pattern: str, new: str, fault: str
) -> None:
    clean = texts(STANDARD, 1)
    found: list[str] = []
    for path, text in clean.items():
        if path.stem.endswith(f"-{kind}"):
            found += faults({**clean, path: re.sub(pattern, new, text, count=1)})
    assert any(re.search(fault, one) for one in found), found[:5]


def test_an_amendment_that_calls_fees_what_its_master_agreement_does_not_is_faulted() -> None:
    clean = texts(STANDARD, 1)
    other = {"Fees": "Charges", "Charges": "Prices", "Prices": "Fees"}
    found: list[str] = []
    for path, text in clean.items():
        if path.stem.endswith("-amendment"):
            changed = re.sub(r"\b(Fees|Charges|Prices)\b", lambda m: other[m[1]], text)
            found += faults({**clean, path: changed})
    assert any("calls its fees" in one for one in found), found[:5]


def test_the_second_amendment_goes_on_from_the_first() -> None:
    found = {path: text for path, text in texts(STANDARD, 0).items() if "amendment" in path.stem}
    first = {text.partition("\n")[0].split()[1] for text in found.values()}
    assert first == {"First", "Second"}


def rates_of(document: Document, column: int) -> dict[str, int]:
    table = next(
        t
        for t in tables(document.text)
        if len(t[0]) > column and re.search(r"(?i)rate|per day", t[0][column])
    )
    return {row[0]: cents(row[column]) for row in table[1:] if row[column]}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_vendor_charges_the_rates_of_its_master_agreement(seed: int) -> None:
    masters = {slug(d): rates_of(d, 1) for d in of_kind(seed, "msa")}
    for document in of_kind(seed, "sow"):
        assert rates_of(document, 2).items() <= masters[slug(document)].items()
    for document in of_kind(seed, "amendment"):
        assert rates_of(document, 1) == masters[slug(document)]


DATE = r"(\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4})"


def parsed(text: str) -> date:
    form = "%d %B %Y" if text[0].isdigit() else "%B %d, %Y"
    return datetime.strptime(text, form).date()  # noqa: DTZ007 - a calendar day has no zone


def own_date(text: str) -> date:
    """The first date of a contract is the one it takes effect on."""
    found = re.search(DATE, " ".join(text.split()))
    assert found
    return parsed(found[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_under_a_master_agreement_names_its_number_and_date(seed: int) -> None:
    masters: Mapping[str, Document] = {slug(d): d for d in of_kind(seed, "msa")}
    for kind in ("sow", "dpa", "order_form", "amendment"):
        for document in of_kind(seed, kind):
            master = masters[slug(document)]
            text = " ".join(document.text.split())
            named = set(re.findall(r"MSA-\d{4}-\d{3}", text))
            assert named == set(re.findall(r"MSA-\d{4}-\d{3}", master.text))
            assert parsed(next_to_number(text)) == own_date(master.text)
            assert own_date(master.text) < own_date(document.text)
            title = master.text.partition("\n")[0].removeprefix("# ")
            assert f"{title} No. " in text


def next_to_number(text: str) -> str:
    """The date beside the words "Master Agreement" in the recitals."""
    start = text.index(" No. MSA-")
    near = text[max(0, start - 110) : start + 110]
    words = "dated|of|effective|signed|which took effect on|as of"
    after = re.search(rf"No\. MSA-\d{{4}}-\d{{3}},? \(?(?:{words})? ?{DATE}", near)
    before = re.search(rf"{DATE} the [Pp]arties (?:signed|entered into)", near)
    later = re.search(rf"as of {DATE}", near)
    found = after or before or later
    assert found, near
    return found[1]


ADDRESS = re.compile(r"\d+(?: [A-Z]\w+)+, [A-Z][\w. ]+?, [A-Z]{2} \d{5}")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_vendor_has_one_address_and_one_signatory(seed: int) -> None:
    signed = re.compile(r"/s/ ([^|\n]+?) *(?:\||$)|\*\*: ([^,]+),", re.MULTILINE)
    seen: dict[str, tuple[str, str]] = {}
    for document in corpus(seed):
        if document.kind == "playbook":
            continue
        text = document.text
        names = [a or b for a, b in signed.findall(text)]
        client, vendor = names
        addresses = ADDRESS.findall(" ".join(text.split()))
        flat = sorted(set(addresses))
        assert len(flat) == 2, document.path
        known = seen.setdefault(slug(document), (vendor, str(flat)))
        assert known == (vendor, str(flat))
        assert seen.setdefault("client", (client, "")) == (client, "")


SUBJECTS = {
    "payment": r"(?i)payment|billing",
    "liability": r"(?i)liab",
    "termination": r"(?i)terminat|ending",
    "warranties": r"(?i)warrant|assurances",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reference_to_a_section_of_the_master_agreement_is_right(seed: int) -> None:
    masters = {slug(d): d for d in of_kind(seed, "msa")}
    label = r'((?:Section|Article) (?:\d+|[IVXL]+)|section "[^"]+")'
    patterns = {
        "payment": rf"(?:as in|see|in line with) (?:the )?{label} of the Master Agreement",
        "liability": rf"(?:cap|limits|provided) in (?:the )?{label} of the Master Agreement",
        "termination": rf"(?:earlier under|follows|governed by) (?:the )?{label} of the Master",
        "warranties": rf"arranty \((?:the )?{label}\)",
    }
    checked = Counter[str]()
    for kind in ("sow", "dpa", "order_form"):
        for document in of_kind(seed, kind):
            text = " ".join(document.text.split())
            for subject, pattern in patterns.items():
                for found in re.findall(pattern, text):
                    heading = heading_of(masters[slug(document)].text, found)
                    assert re.search(SUBJECTS[subject], heading), (document.path, found, heading)
                    checked[subject] += 1
    assert checked.total() >= 4


def heading_of(text: str, label: str) -> str:
    headings = [line for line in split_lines(text) if line.startswith("## ")]
    if label.startswith("section"):
        wanted = rf"## {re.escape(label.split(chr(34))[1])}"
    else:
        number = label.split()[1]
        wanted = rf"## (?:(?:Section|Article) )?{number}(?:\.|:| —) .+"
    (found,) = [line for line in headings if re.fullmatch(wanted, line, re.IGNORECASE)]
    return found


# Variation


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five words, with names, numbers and dates masked."""
    masked = re.sub(r"\d[\d,.:/-]*", "0", text)
    masked = re.sub(r"\b[A-Z][\w'.]*(?:\s+[A-Z][\w'.]*)*", "N", masked)
    words = re.findall(r"\w+", masked)
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


def test_contracts_of_a_kind_share_few_runs_of_words() -> None:
    parameters = ContractsParameters(
        msa=10, sow=10, nda=10, dpa=10, order_form=10, amendment=10, vendors=12
    )
    documents = list(ContractsGenerator(parameters, random.Random(3)).documents())
    for kind in ("msa", "sow", "nda", "dpa", "order_form", "amendment"):
        sets = [shingles(d.text) for d in documents if d.kind == kind]
        shared = sorted(
            len(one & other) / min(len(one), len(other)) for one, other in combinations(sets, 2)
        )
        assert shared[int(0.95 * len(shared))] <= 0.35, kind
        assert shared[-1] <= 0.6, kind


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"msa": 9, "vendors": 8}, "more master agreements"),
        ({"msa": 0}, "need a master agreement"),
        ({"msa": 2, "amendment": 5}, "more than two amendments"),
        ({"sow": -1}, "greater than or equal to 0"),
        ({"msas": 3}, "Extra inputs"),
    ],
)
def test_parameters_that_do_not_fit_together_are_refused(
    values: dict[str, int], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        ContractsParameters.model_validate(values)


def test_counts_may_be_none_and_vendors_many() -> None:
    parameters = ContractsParameters(
        msa=0, sow=0, nda=3, dpa=0, order_form=0, amendment=0, vendors=2
    )
    kinds = [d.kind for d in ContractsGenerator(parameters, random.Random(1)).documents()]
    assert kinds == ["playbook", "nda", "nda", "nda"]
