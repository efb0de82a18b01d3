from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelError, ModelRequest, Usage
from generators.models.cache import CachedClient, cache_name
from generators.models.prices import CappedClient, CapReachedError, Price

REQUEST = ModelRequest(
    model="m", system="s", prompt="p", most_tokens=1000, shape={"type": "object"}
)


class Counting:
    """Answers with how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        return ModelAnswer(
            model=request.model,
            content={"number": self.asked},
            usage=Usage(input_tokens=1_000_000, output_tokens=500),
        )


class UnreachableError(Exception):
    """Somebody was asked who should not have been."""


def nobody() -> Counting:
    raise UnreachableError


def test_what_was_asked_once_is_not_asked_again(tmp_path: Path) -> None:
    counting = Counting()
    client = CachedClient(tmp_path / "answers", lambda: counting)
    first = client.ask(REQUEST)
    assert client.ask(REQUEST) == first
    assert client.ask(REQUEST.model_copy(update={"prompt": "q"})).content == {"number": 2}
    assert counting.asked == 2
    # Another process, on a machine without a model.
    assert CachedClient(tmp_path / "answers", nobody).ask(REQUEST) == first


@pytest.mark.parametrize(
    "change",
    [{"model": "n"}, {"system": "t"}, {"prompt": "q"}, {"most_tokens": 1}, {"shape": {}}],
    ids=str,
)
def test_another_request_is_another_answer(tmp_path: Path, change: dict[str, object]) -> None:
    client = CachedClient(tmp_path, Counting)
    client.ask(REQUEST)
    other = REQUEST.model_copy(update=change)
    assert cache_name(other) != cache_name(REQUEST)
    assert client.ask(other).content == {"number": 2}


def test_a_file_that_answers_something_else_or_is_torn_is_told(tmp_path: Path) -> None:
    other = REQUEST.model_copy(update={"prompt": "q"})
    CachedClient(tmp_path, Counting).ask(other)
    path = tmp_path / cache_name(REQUEST)
    (tmp_path / cache_name(other)).rename(path)
    with pytest.raises(UserError, match="holds the answer to another request"):
        CachedClient(tmp_path, nobody).ask(REQUEST)
    path.write_bytes(path.read_bytes()[:40])
    told = rf"{path.name}: is not a valid StoredCall.*\n  delete the file"
    with pytest.raises(UserError, match=told):
        CachedClient(tmp_path, nobody).ask(REQUEST)
    path.unlink()
    path.mkdir()
    with pytest.raises(UserError, match=f"{path.name}: is no plain file\n  delete the file"):
        CachedClient(tmp_path, nobody).ask(REQUEST)


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        CachedClient(tmp_path / "file", nobody).ask(REQUEST)


@pytest.mark.parametrize("dollars", [float("nan"), float("inf"), -1, 1_000_001])
def test_a_price_that_cannot_be_is_refused(dollars: float) -> None:
    with pytest.raises(ValueError, match="output"):
        Price(input=0, output=dollars)


def test_a_price_is_in_dollars_a_million_tokens() -> None:
    assert Price(input=3, output=15).of(2_000_000, 100_000) == pytest.approx(7.5)


def test_no_call_is_begun_that_could_go_beyond_the_cap() -> None:
    counting = Counting()
    # 1,000 tokens of output may come: at 1,000 dollars a million that is one dollar a call.
    client = CappedClient(counting, Price(input=0, output=1000), most=1.6)
    client.ask(REQUEST)
    # 500 came: half a dollar is spent, and another call may cost one.
    client.ask(REQUEST)
    with pytest.raises(UserError, match=r"to \$2\.0000; at most \$1\.6000 is allowed, \$1\.0000"):
        client.ask(REQUEST)
    assert counting.asked == 2


def test_the_input_counts_before_the_call_too() -> None:
    counting = Counting()
    long = REQUEST.model_copy(update={"prompt": "word " * 10_000})
    client = CappedClient(counting, Price(input=1000, output=0), most=10)
    with pytest.raises(UserError, match="raise most_usd"):
        client.ask(long)
    assert counting.asked == 0
    client.ask(REQUEST)
    # It took a million tokens: a thousand dollars.
    with pytest.raises(UserError, match=r"\$1000\.0000 is spent"):
        client.ask(REQUEST)


class Failing:
    """Asks in vain, or gets an answer without usage."""

    def __init__(self, answer: ModelAnswer | None = None) -> None:
        self._answer = answer

    def ask(self, request: ModelRequest) -> ModelAnswer:
        if self._answer is None:
            raise ModelError(f"{request.model}: no answer within 3 seconds")
        return self._answer


UNTOLD = ModelAnswer(model="m", content={}, usage=None)


@pytest.mark.parametrize("client", [Failing(), Failing(UNTOLD)], ids=["failed", "without usage"])
def test_a_call_of_unknown_cost_counts_as_its_worst(client: Failing) -> None:
    capped = CappedClient(client, Price(input=0, output=1000), most=1.6)
    with contextlib.suppress(ModelError):
        capped.ask(REQUEST)
    with pytest.raises(CapReachedError, match=r"\$0\.0000 is spent and up to \$1\.0000 on its way"):
        capped.ask(REQUEST)


class Meeting:
    """Answers when all who ask at once are there."""

    def __init__(self, guests: int) -> None:
        self._barrier = Barrier(guests, timeout=10)

    def ask(self, request: ModelRequest) -> ModelAnswer:
        self._barrier.wait()
        usage = Usage(input_tokens=1, output_tokens=request.most_tokens)
        return ModelAnswer(model=request.model, content={}, usage=usage)


def test_calls_at_once_are_within_one_cap() -> None:
    capped = CappedClient(Meeting(2), Price(input=0, output=1000), most=2.5)
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(capped.ask, REQUEST) for _ in range(3)]
        errors = [call.exception() for call in calls]
    # Each costs one dollar, under way or done: a third would go beyond two and a half.
    assert sorted(type(error).__name__ for error in errors) == [
        "CapReachedError",
        "NoneType",
        "NoneType",
    ]
