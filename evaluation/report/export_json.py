"""The report as JSON (`ocb.report/1`): the very numbers of the terminal."""

from __future__ import annotations

import json

from evaluation.report.table import Report


def to_report_json(report: Report) -> str:
    """In ASCII, so that no name in it can act on a terminal that it is printed to."""
    data = report.model_dump(mode="json", by_alias=True)
    return json.dumps(data, indent=2, ensure_ascii=True).replace("\x7f", "\\u007f")
