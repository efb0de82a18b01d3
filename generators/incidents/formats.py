"""How the proxy and the service of a site write their lines: no two teams log alike."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from generators.incidents.log import Stamp, after_date, epoch, nginx_local

KEYS: Mapping[str, tuple[str, ...]] = {
    "time": ("ts", "t", "time", "at"),
    "level": ("level", "lvl", "sev"),
    "event": ("event", "ev", "msg", "what"),
    "rid": ("rid", "request_id", "req", "trace"),
    "op": ("op", "call", "http", "route"),
    "status": ("status", "st", "code"),
    "took": ("ms", "took_ms", "dur", "elapsed"),
    "user": ("user", "usr", "actor", "account"),
    "dep": ("dep", "upstream", "callee"),
    "err": ("err", "error", "cause"),
    "version": ("version", "release", "ver"),
    "host": ("host", "node", "instance"),
    "service": ("service", "svc", "app"),
}
"""The names that a JSON log may use for one thing."""
LEVELS: tuple[Mapping[str, str], ...] = (
    {"info": '"info"', "warn": '"warn"', "error": '"error"'},
    {"info": '"INFO"', "warn": '"WARN"', "error": '"ERROR"'},
    {"info": "30", "warn": "40", "error": "50"},
    {"info": '"I"', "warn": '"W"', "error": '"E"'},
)
REQUEST_EVENTS = ("request", "served", "http done", "answered", "request end", "reply sent")
RETRY_EVENTS = ("retry", "calling again", "repeat", "next try", "trying once more")
START_EVENTS = ("started", "up", "boot complete", "ready", "process started")
ROTATE_EVENTS = ("log rotated", "new log", "log opened", "first line")


class JsonStyle(NamedTuple):
    """How one service writes its log."""

    keys: Mapping[str, str]
    levels: Mapping[str, str]
    order: tuple[str, ...]
    """The order of what a request line holds."""
    stamp: Stamp
    spaced: bool
    """A space after each colon and comma."""


@dataclass(frozen=True)
class JsonWords:
    """Makes the templates of the lines of one service."""

    style: JsonStyle

    def line(self, level: str, fields: Sequence[tuple[str, str]]) -> str:
        """A template of one line: time, level and the given keys with JSON values."""
        keys = self.style.keys
        time = f"{keys['time']}", "{{ t }}"
        pairs = [time, (keys["level"], self.style.levels[level]), *fields]
        colon, comma = (": ", ", ") if self.style.spaced else (":", ",")
        return "{" + comma.join(f'"{key}"{colon}{value}' for key, value in pairs) + "}"

    def chatter(self, level: str, phrase: str) -> str:
        """A template from `event | key={{ number }} key='{{ text }}'`."""
        event, _, rest = phrase.partition(" | ")
        fields = [(self.style.keys["event"], f'"{event}"')]
        for part in _fields(rest):
            key, _, value = part.partition("=")
            fields.append((key, f'"{value[1:-1]}"' if value.startswith("'") else value))
        return self.line(level, fields)

    def named(self, level: str, event: str, names: Sequence[str]) -> str:
        """A template that writes what is handed in under these names."""
        keys = self.style.keys
        fields = [(keys["event"], f'"{event}"')]
        for name in names:
            number = name in ("status", "took")
            fields.append((keys[name], f"{{{{ {name} }}}}" if number else f'"{{{{ {name} }}}}"'))
        return self.line(level, fields)


def _fields(text: str) -> list[str]:
    """Split at spaces that stand outside of braces."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == " " and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part]


def json_style(source: random.Random, day: date) -> JsonStyle:
    """One way to write JSON lines."""
    order = ["rid", "op", "status", "took", "user"]
    source.shuffle(order)
    stamps: tuple[Stamp, ...] = (
        after_date(f'"{day:%Y-%m-%d}T'),
        epoch(day, ""),
        epoch(day, "."),
        after_date('"'),
    )
    stamp = source.choice(stamps)
    return JsonStyle(
        keys={name: source.choice(options) for name, options in KEYS.items()},
        levels=source.choice(LEVELS),
        order=tuple(order),
        stamp=_closed(stamp),
        spaced=source.randrange(4) == 0,
    )


def _closed(stamp: Stamp) -> Stamp:
    """With the quotation mark that ends a time which one begins."""

    def closed(at: int) -> str:
        text = stamp(at)
        return f'{text}"' if text.startswith('"') else text

    return closed


class AccessStyle(NamedTuple):
    """How one proxy writes its log."""

    frame: str
    stamp: Stamp


def access_style(source: random.Random, day: date) -> AccessStyle:
    """One `log_format` of nginx."""
    request = '"{{ method }} {{ path }} HTTP/' + source.choice(["1.1", "2.0"]) + '" {{ status }}'
    local, seconds = nginx_local(day), epoch(day, ".")
    whole = after_date(f"{day:%Y-%m-%d}T")
    styles = (
        AccessStyle(
            f'{{{{ ip }}}} - - [{{{{ t }}}}] {request} {{{{ size }}}} "{{{{ agent }}}}"'
            " {{ rid }} {{ took }}",
            local,
        ),
        AccessStyle(
            f"{{{{ t }}}} {{{{ ip }}}} {{{{ rid }}}} {request} {{{{ size }}}} {{{{ took }}}}"
            ' "{{ agent }}"',
            seconds,
        ),
        AccessStyle(
            f"{{{{ t }}}} {{{{ ip }}}} {request} {{{{ took }}}} {{{{ size }}}} {{{{ rid }}}}"
            ' "{{ agent }}"',
            lambda at: f"{whole(at)[:19]}Z",
        ),
        AccessStyle(
            f"{{{{ ip }}}} [{{{{ t }}}}] {request} rid={{{{ rid }}}} rt={{{{ took }}}}"
            ' b={{ size }} "{{ agent }}"',
            local,
        ),
        AccessStyle(
            f'{{{{ t }}}} {{{{ rid }}}} {{{{ ip }}}} "{{{{ agent }}}}" {request} {{{{ size }}}}'
            " {{ took }}",
            seconds,
        ),
    )
    return source.choice(styles)
