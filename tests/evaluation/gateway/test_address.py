from __future__ import annotations

import pytest

from authoring.errors import UserError
from evaluation.gateway.address import check_url


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:4010",
        "https://api.example.com",
        "https://api.example.com/",
        "https://gateway.example.com/team/llm",
        "http://[::1]:8000",
        "HTTPS://EXAMPLE.COM",
    ],
)
def test_an_address_with_host_and_folder_is_taken(url: str) -> None:
    check_url(url)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("notaurl", "does not begin with http"),
        ("", "does not begin with http"),
        ("127.0.0.1:4010", "does not begin with http"),
        ("ftp://example.com", "does not begin with http"),
        ("http://", "names no host"),
        ("http:///v1", "names no host"),
        ("http://:80/", "names no host"),
        ("https://me:secret@example.com", "holds a user name or a password"),
        ("https://me@example.com", "holds a user name or a password"),
        ("https://@example.com", "holds a user name or a password"),
        ("https://example.com?key=secret", "holds a query"),
        ("https://example.com/?", "holds a query"),
        ("https://example.com/#part", "holds a fragment"),
        ("https://example.com/#", "holds a fragment"),
        ("http://example.com:secret", "is not valid"),
        ("http://example.com:99999", "is not valid"),
        ("http://[::1", "is not valid"),
        ("http://exam ple.com", "holds a space"),
        ("http://example.com\n", "holds a space"),
        ("http://example.com/\x1b[31m", "holds a space"),
    ],
)
def test_any_other_address_is_the_users_to_mend_and_not_repeated(url: str, fault: str) -> None:
    with pytest.raises(UserError, match=fault) as caught:
        check_url(url)
    assert "me:secret" not in str(caught.value)
