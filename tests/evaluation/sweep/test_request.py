"""What a user's sweep file and flags may say, and how what is wrong is told."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import SpecError, UserError
from evaluation.sweep.overrides import Overrides, with_overrides
from evaluation.sweep.request import SweepRequest, read_request

HEAD = "schema: ocb.sweep-request/1\n"
BODY = """\
builds: [one]
agents:
  - harness: fixed
    models: [sim/oracle]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three builds by name, a folder that is none, and a file of a key."""
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text("{}")
    (tmp_path / "other").mkdir()
    (tmp_path / "key.txt").write_text("k")
    return tmp_path


def lay(folder: Path, text: str) -> Path:
    path = folder / "sweep.yaml"
    path.write_text(text)
    return path


def told(folder: Path, text: str) -> str:
    with pytest.raises(SpecError) as caught:
        read_request(lay(folder, text))
    return str(caught.value)


def test_a_file_that_says_little_gets_the_defaults(folder: Path) -> None:
    request = read_request(lay(folder, HEAD + BODY))
    assert request.builds == (str(folder / "one"),)
    assert (request.conditions, request.repetitions) == (("direct",), 1)
    assert (request.retries, request.concurrency, request.sandbox) == (2, 2, "auto")
    assert (request.limits.seconds, request.limits.turns) == (1800.0, 500)
    assert request.dollars is None


def test_paths_are_relative_to_the_file_and_globs_mean_builds_alone(folder: Path) -> None:
    text = BODY.replace("[one]", "['t*', 'o*', one]")
    request = read_request(lay(folder, HEAD + text))
    names = [Path(build).relative_to(folder).name for build in request.builds]
    assert names == ["three", "two", "one", "one"]


def test_a_folder_whose_name_looks_like_a_glob_is_that_folder(folder: Path) -> None:
    (folder / "[x]").mkdir()
    request = read_request(lay(folder, HEAD + BODY.replace("[one]", "['[x]']")))
    assert request.builds == (str(folder / "[x]"),)


REAL = """\
builds: [one]
agents:
  - models: [large]
    upstream: {url: "http://127.0.0.1:9", key_file: key.txt}
"""


def test_the_file_of_a_key_is_beside_the_file(folder: Path) -> None:
    (agent,) = read_request(lay(folder, HEAD + REAL)).agents
    assert agent.upstream is not None
    assert agent.upstream.key_file == str(folder / "key.txt")


BAD = {
    "unknown-key": (HEAD + BODY + "repetition: 2\n", ":6:1: ", "did you mean 'repetitions'?"),
    "key-twice": (HEAD + BODY + "builds: [two]\n", ":6:1: ", "stands twice, first in line 2"),
    "an-anchor": (HEAD + BODY + "conditions: &c [direct]\n", ":6:13: ", "anchor &c"),
    "an-alias": (HEAD + BODY + "conditions: *c\n", ":6:13: ", "alias *c"),
    "a-quoted-number": (HEAD + BODY + "repetitions: '2'\n", ":6:14: ", "quoted text '2'"),
    "a-number-for-text": (HEAD + BODY + "limits: {turns: no}\n", ":6:17: ", "a whole number"),
    "not-a-number": (HEAD + BODY + "limits: {seconds: .nan}\n", ":6:19: ", "wants a number"),
    "no-time": (HEAD + BODY + "limits: {seconds: 0}\n", ":6:19: ", "greater than 0"),
    "a-billion": (HEAD + BODY + "repetitions: 1000000000\n", ":6:14: ", "less than or equal"),
    "no-condition": (HEAD + BODY + "conditions: [direkt]\n", ":6:14: ", "did you mean 'direct'?"),
    "none-of-it": (HEAD + BODY + "conditions: []\n", ":6:13: ", "at least 1 item"),
    "no-money": (HEAD + BODY + "dollars: -1\n", ":6:10: ", "greater than 0"),
    "a-path-as-name": (HEAD + BODY + "name: ../out\n", ":6:7: ", "letters, digits"),
    "a-run-as-name": (HEAD + BODY + "name: 0123456789ab\n", ":6:7: ", "the name of a run"),
    "no-schema": (BODY, ":1:1: ", "'schema' is missing"),
    "a-resolved-plan": ("schema: ocb.sweep/1\n" + BODY, ":1:9: ", "ocb.sweep-request/1"),
    "no-build": (HEAD + BODY.replace("one", "0ne"), ":2:10: ", "there is no build '0ne'"),
    "an-empty-glob": (HEAD + BODY.replace("one", "x*"), ":2:10: ", "there is no build 'x*'"),
    "a-nul": (HEAD + BODY.replace("one", '"a\\0b"'), ":2:10: ", "there is no build"),
    "no-harness": (HEAD + BODY.replace("fixed", "fixt"), ":4:14: ", "did you mean 'fixed'?"),
    "no-model": (HEAD + BODY.replace("oracle", "orcale"), ":5:14: ", "did you mean 'sim/oracle'?"),
    "a-model-twice": (
        HEAD + BODY.replace("[sim/oracle]", "[sim/nop, sim/nop]"),
        ":5:23: ",
        "named already, in line 5",
    ),
    "an-escape-in-a-model": (
        HEAD + BODY.replace("[sim/oracle]", '["a\\e[31mb"]'),
        ":5:14: ",
        "without space around it or control characters",
    ),
    "mixed": (
        HEAD + BODY.replace("[sim/oracle]", "[sim/nop, large]"),
        ":5:13: ",
        "simulated and real models cannot be under one agent",
    ),
    "no-upstream": (
        HEAD + BODY.replace("sim/oracle", "large"),
        ":4:5: ",
        "large: no upstream is given",
    ),
    "no-scheme": (HEAD + REAL.replace("http:", "ftp:"), ":5:21: ", "does not begin with http"),
    "no-key-file": (HEAD + REAL.replace("key.txt", "kee"), ":5:53: ", "there is no file 'kee'"),
    "two-keys": (
        HEAD + REAL.replace("key_file", "key_variable: K, key_file"),
        ":5:15: ",
        "both name the key",
    ),
    "no-sandbox": (HEAD + BODY + "sandbox: non\n", ":6:10: ", "did you mean 'none'?"),
    "no-judge": (HEAD + BODY + "judge: rule\n", ":6:8: ", "did you mean 'rules'?"),
    "no-prices": (HEAD + BODY + "prices: p.yaml\n", ":6:9: ", "there is no file 'p.yaml'"),
}


@pytest.mark.parametrize(("text", "place", "what"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_told_at_its_place(folder: Path, text: str, place: str, what: str) -> None:
    lines = told(folder, text).splitlines()
    assert [line for line in lines if f"sweep.yaml{place}" in line and what in line], lines


def test_everything_wrong_is_told_at_once(folder: Path) -> None:
    text = HEAD + "builds: [0ne]\nagents:\n  - {harness: fixt, models: [sim/orcale]}\nretrys: 1\n"
    message = told(folder, text)
    for what in ("'0ne'", "'fixed'", "'sim/oracle'", "'retries'"):
        assert what in message


def test_an_upstream_may_be_named_by_a_flag(folder: Path) -> None:
    path = lay(folder, HEAD + BODY.replace("sim/oracle", "large"))
    request = read_request(path, served=True)
    (agent,) = with_overrides(request, Overrides(upstream="http://127.0.0.1:9")).agents
    assert agent.upstream is not None
    assert agent.upstream.url == "http://127.0.0.1:9"


def request(**changes: Any) -> SweepRequest:
    whole = {
        "schema": "ocb.sweep-request/1",
        "builds": ["one"],
        "agents": [{"harness": "fixed", "models": ["sim/nop"], "settings": {"effort": "low"}}],
        "repetitions": 3,
        "limits": {"turns": 700},
    }
    return SweepRequest.model_validate(whole | changes)


def test_flags_alone_say_what_a_file_says() -> None:
    said = Overrides(builds=("one",), models=("sim/nop",), repetitions=3, turns=700)
    made = with_overrides(None, said)
    assert made == request(agents=[{"models": ["sim/nop"]}])


def test_flags_win_field_by_field() -> None:
    said = Overrides(models=("sim/oracle",), tokens=9000, dollars=2.5, windows="w.yaml")
    made = with_overrides(request(), said)
    (agent,) = made.agents
    assert (agent.models, agent.settings) == (("sim/oracle",), {"effort": "low"})
    assert (made.limits.turns, made.limits.tokens) == (700, 9000)
    assert (made.dollars, made.models, made.repetitions) == (2.5, "w.yaml", 3)


def test_one_name_of_a_key_takes_the_place_of_the_other() -> None:
    upstream = {"url": "http://127.0.0.1:9", "key_file": "key.txt"}
    asked = request(agents=[{"models": ["large"], "upstream": upstream}])
    (agent,) = with_overrides(asked, Overrides(key_variable="KEY")).agents
    assert agent.upstream is not None
    assert (agent.upstream.key_variable, agent.upstream.key_file) == ("KEY", "")


@pytest.mark.parametrize(
    ("said", "what"),
    [
        pytest.param(Overrides(), "--build and --model missing", id="nothing"),
        pytest.param(Overrides(builds=("one",)), "--model missing", id="no-model"),
        pytest.param(Overrides(builds=("one",), harness="fixed"), "--model missing", id="agent"),
    ],
)
def test_what_is_missing_is_named(said: Overrides, what: str) -> None:
    with pytest.raises(UserError, match=what):
        with_overrides(None, said)


def test_every_bad_flag_is_named_at_once() -> None:
    said = Overrides(
        name="a/b",
        seconds=math.nan,
        turns=0,
        run_dollars=-1,
        silence=math.inf,
        repetitions=10**9,
        concurrency=65,
        key_variable="KEY",
    )
    with pytest.raises(UserError) as caught:
        with_overrides(request(), said)
    lines = str(caught.value).splitlines()
    flags = "--name --seconds --turns --run-dollars --silence --repetitions --concurrency"
    assert {line.split(":")[0] for line in lines} == {
        *flags.split(),
        "no upstream is given for what is said of its key",
    }


def test_a_flag_that_speaks_of_one_agent_does_not_choose_among_several() -> None:
    several = request(agents=[{"models": ["sim/nop"]}, {"models": ["sim/oracle"]}])
    with pytest.raises(UserError, match=r"the file has 2 agents.*: --model"):
        with_overrides(several, Overrides(models=("sim/oracle",)))
    assert with_overrides(several, Overrides(turns=900)).limits.turns == 900
