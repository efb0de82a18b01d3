"""Text that is written for somebody else to send: "Proposed e-mail:", "Template:", "## Letter".

Prevents what a draft says in another's name being taken for the answerer's own account.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.judging.rules.words import Word

_FORMS = frozenset((
    "template", "e-mail", "email", "mail", "letter", "wording", "boilerplate", "placeholder",
    "phrasing", "tweet", "newsletter", "message", "declaration", "attestation", "sign",
))  # fmt: skip
_DRAFTS = frozenset(("draft", "drafted", "suggested", "proposed", "sample"))
_TEXTS = frozenset(("text", "message", "statement", "note", "paragraph", "sentence", "reply"))
_SENT = frozenset(("send", "paste", "copy", "forward", "use", "adapt", "share"))
_LONGEST = 12
"""Words of such a line."""
_YOURS = frozenset(("you", "your"))


def heads_draft(words: Sequence[Word]) -> bool:
    """Whether what stands under these words, a heading or a lead-in, is a draft."""
    if len(words) > _LONGEST or any(word.tag == "NAME" for word in words):
        return False  # of a finding: "in mail.py the template is wrong:"
    texts = {text for word in words for text in word.text.split()}
    if texts & _FORMS or (texts & _DRAFTS and texts & (_TEXTS | _YOURS)):
        return True
    return bool(texts & _SENT and texts & _YOURS)
