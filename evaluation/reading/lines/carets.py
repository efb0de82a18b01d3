"""What `cat -A` and `cat -e` make of a line: `$` at its end, `^I` for a tab, `M-` for a byte."""

from __future__ import annotations

import re

END = "$"
MARKED = re.compile(r"M-\^([@-_?])|M-([ -~])|\^([@-_?])|([\x00-\U0010ffff])", re.DOTALL)


def without_carets(line: str) -> str:
    """The line as it stood, if it ends with a dollar."""
    line = line.removesuffix(END)
    if "^" not in line and "M-" not in line:
        return line
    found = bytearray()
    for match in MARKED.finditer(line):
        high_control, high, control, plain = match.groups()
        if plain is not None:
            found += plain.encode("utf-8", "surrogatepass")
        elif high is not None:
            found.append(ord(high) | 0x80)
        else:
            code = ord(high_control or control) ^ 0x40
            found.append(code | 0x80 if high_control else code)
    return found.decode("utf-8", "replace")
