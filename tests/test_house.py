"""The rules of the house that no type and no linter holds."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("authoring", "generators", "validation", "evaluation", "ocb")
MADE = frozenset(("build", "runs", "dist"))
"""Folders that commands make; hidden ones are left out too."""
HEAVY = (
    "aiohttp",
    "anthropic",
    "docker",
    "faker",
    "jinja2",
    "numpy",
    "openai",
    "pandas",
    "pydantic",
    "rich",
    "scipy",
    "statsmodels",
    "tiktoken",
    "zstandard",
)
HOST = re.compile(r"\b(?:https?|wss?)://([\w.-]+\.[a-z]{2,})\b")
"""A name that could lead somewhere; `localhost` and addresses in digits have no such form."""
HOSTS = frozenset(
    (
        "json-schema.org",  # the name of a dialect, not an address
        "www.apache.org",  # the licence
        "www.w3.org",  # a namespace, not an address
    )
)


def project_files(*suffixes: str) -> Iterator[Path]:
    """Files of the checkout, without what is hidden or made."""
    waiting = [ROOT]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            hidden = path.name.startswith(".") and path.name != ".ci"
            if hidden or path.name == "__pycache__" or path in {ROOT / name for name in MADE}:
                continue
            if path.is_dir() and not path.is_symlink():
                waiting.append(path)
            elif path.is_file() and (not suffixes or path.suffix in suffixes):
                yield path


def modules() -> list[Path]:
    return [path for path in project_files(".py") if path.relative_to(ROOT).parts[0] in PACKAGES]


def test_imports_go_up_the_pipeline_only() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: 4 kept, 0 broken." in done.stdout


def test_no_folder_of_tests_is_a_package() -> None:
    assert [path for path in project_files(".py") if path.name == "__init__.py"]
    assert not list((ROOT / "tests").rglob("__init__.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_opens_with_a_sentence(package: str) -> None:
    own = [path for path in modules() if path.relative_to(ROOT).parts[0] == package]
    assert own
    silent = [
        str(path.relative_to(ROOT))
        for path in own
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from ocb.cli.main import run; code = run(['--help']);"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "report" in done.stdout
    assert done.stderr.strip() == "[]"


def test_nothing_names_where_this_checkout_lies() -> None:
    telling = {str(ROOT).encode(), str(Path.home()).encode()} - {b"/", b"/root"}
    assert not [path for path in project_files() if any(t in path.read_bytes() for t in telling)]


def test_every_golden_is_described_with_the_test_that_rewrites_it() -> None:
    page = (ROOT / "docs" / "artefacts.md").read_text(encoding="utf-8")
    goldens = ROOT / "tests" / "goldens"
    names = [path.relative_to(goldens).as_posix() for path in goldens.rglob("*") if path.is_file()]
    assert names
    assert not [name for name in names if f"`{name}`" not in page]
    tests = re.findall(r"`(tests/[^`]*\.py)`", page)
    assert tests
    assert not [test for test in tests if "golden(" not in (ROOT / test).read_text()]


def test_no_address_is_written_down_but_loopback() -> None:
    """Addresses of real servers are the user's to give; none is in the code, its data or tests."""
    named = {
        host
        for path in project_files(".py", ".yaml", ".toml", ".j2", ".sh", "")
        for host in HOST.findall(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert not {host for host in named - HOSTS if not reserved(host)}


def reserved(host: str) -> bool:
    """Names that lead nowhere, by RFC 2606 and RFC 6761."""
    return host.split(".")[-1] in {"example", "invalid", "test"} or host.endswith("example.com")
