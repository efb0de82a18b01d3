"""What holds for every protocol: nothing that others write raises, and all of it can be kept."""

from __future__ import annotations

from dataclasses import asdict

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from evaluation.gateway.json_fields import load
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.sse import Event, read_events
from evaluation.gateway.wire import Protocol

KEYS = """
    type role content text input id name index delta message messages tools tool_use_id model
    tool_calls function arguments choices usage input_tokens prompt_tokens error stream
    content_block partial_json stop_reason finish_reason is_error tool_call_id
    context_management edits applied_edits prompt_tokens_details cached_tokens refusal max_tokens
    input output instructions call_id response item arguments output_index truncation
    contents parts functionCall functionResponse args candidates finishReason usageMetadata
    promptTokenCount tools functionDeclarations generationConfig thoughtSignature
"""
WORDS = """
    message message_start message_delta message_stop content_block_start content_block_delta
    text tool_use tool_result text_delta input_json_delta error user assistant tool system
    function_call function_call_output response.completed response.output_item.done auto
    response.output_text.delta output_text input_text model compaction refusal STOP SAFETY
"""


def values() -> st.SearchStrategy[JsonValue]:
    """JSON that looks like messages and fits nowhere."""
    plain = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(WORDS.split()),
        st.text(),
    )
    return st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=6)
        ),
        max_leaves=25,
    )


HOSTILE = st.one_of(
    st.text(st.characters()),
    values().map(lambda value: dumped(value)),
    st.lists(values(), max_size=5).map(
        lambda events: "".join(f"data: {dumped(event)}\n\n" for event in events)
    ),
    st.lists(
        st.sampled_from(["data:", "event: error", ":", "\n", "\r\n", "\n\n", "{", "[DONE]"])
    ).map("".join),
)


def dumped(value: JsonValue) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer of more than 64 bits
        return str(value)


@pytest.mark.parametrize("name", PROTOCOLS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=HOSTILE)
def test_reading_never_raises_and_gives_what_can_be_written(name: Protocol, text: str) -> None:
    protocol = PROTOCOLS[name]
    assert isinstance(protocol.read_messages(text), tuple)
    for read in (protocol.read_request(text, 0), protocol.read_response(text)):
        if read is not None:
            assert orjson.dumps(asdict(read), option=orjson.OPT_PASSTHROUGH_SUBCLASS) is not None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 10_000,
        "NaN",
        r'"\ud800"',
        '"\ud800"',
        "\x00",
        "1e999",
    ],
    ids=["lists", "objects", "digits", "nan", "half a pair", "a bare half", "nul", "huge"],
)
def test_loading_never_raises(text: str) -> None:
    load(text)


def test_half_pairs_are_replaced_and_whole_pairs_kept() -> None:
    assert load(r'{"\udc00": ["a\ud83d", "\ud83d\ude00\ud83d"]}') == {
        "\ufffd": ["a\ufffd", "\U0001f600\ufffd"]
    }


def test_every_protocol_stands_under_its_own_name() -> None:
    assert [form.name for form in PROTOCOLS.values()] == list(PROTOCOLS)


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("data: a\n\n", [Event("", "a")]),
        ("event: x\ndata: a\r\n\r\ndata:b\n\n", [Event("x", "a"), Event("", "b")]),
        ("data: a\ndata: b\n\n", [Event("", "a\nb")]),
        ("data: a\u2028b\x85c\x0bd\re\n\n", [Event("", "a\u2028b\x85c\x0bd\re")]),
        (": note\n\nid: 1\ndata:  two spaces\n\n", [Event("", " two spaces")]),
        ("\ufeffdata: a", [Event("", "a")]),
        ("event: x\n\n", []),
        ("", []),
    ],
)
def test_lines_of_a_stream_end_in_lf_or_crlf_alone(text: str, events: list[Event]) -> None:
    assert list(read_events(text)) == events
