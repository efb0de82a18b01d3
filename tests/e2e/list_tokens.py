"""Lists the tokens in the raw requests of a wire file, by thread. Imports nothing of ocb.

    python list_tokens.py RUN/wire.jsonl.zst

Each line of a truth corpus carries one token, so this is what entered, told by plain search.
"""

import io
import json
import re
import sys
from pathlib import Path

import zstandard

TOKEN = re.compile(r"tk-[0-9a-f]{10}")


def tokens_by_thread(wire: Path) -> dict[str, set[str]]:
    """Tokens in the requests that were answered with 2xx, background calls left out."""
    found: dict[str, set[str]] = {}
    with wire.open("rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file)
        for line in io.TextIOWrapper(stream, encoding="utf-8", newline="\n"):
            row = json.loads(line)
            if row.get("status") == 200 and row["kind"] != "background":
                found.setdefault(row["thread"], set()).update(TOKEN.findall(row["request"]))
    return found


if __name__ == "__main__":
    for thread, tokens in tokens_by_thread(Path(sys.argv[1])).items():
        print(thread, *sorted(tokens))  # noqa: T201 - the output of a script
