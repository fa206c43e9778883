"""How to call the generated code: one snippet per target that runs as it stands."""

from __future__ import annotations

from collections.abc import Iterable

from symdyn.report.findings import Findings


def usage_lines(findings: Findings) -> Iterable[str]:
    """The section of the report."""
    del findings
    yield ""
