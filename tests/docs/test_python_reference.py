"""The reference page of the Python interface is what the docstrings say.

``SYMDYN_UPDATE=1`` writes the page.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import symdyn

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "python.md"
INTRODUCTION = """\
# Python

Everything below is in `symdyn`; `help(symdyn.NAME)` has arguments, shapes, units and errors. Lower
layers are imported from their modules: `symdyn.dynamics` (the recursions over any number kind),
`symdyn.expr` (the graph and its passes), `symdyn.algebra` (number kinds), `symdyn.lagrange` (closed
forms in SymPy), [`symdyn.mass`](mass.md) (mass distributions).

"""


def signature(value: object) -> str:
    if not inspect.isfunction(value):
        return ""
    names = []
    seen_keyword = False
    for name, parameter in inspect.signature(value).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not seen_keyword:
            names.append("*")
            seen_keyword = True
        names.append(name if parameter.default is parameter.empty else f"{name}=…")
    return f"({', '.join(names)})"


def summary(name: str, value: object) -> str:
    if name.isupper():
        return "Names of all functions that can be derived."
    return (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ").replace("|", r"\|")


def reference() -> str:
    groups: dict[str, list[str]] = {"Functions": [], "Data": [], "Errors": []}
    for name in sorted(symdyn._HOMES, key=str.lower):
        value = getattr(symdyn, name)
        group = "Functions" if inspect.isfunction(value) else "Data"
        if inspect.isclass(value) and issubclass(value, Exception):
            group = "Errors"
        groups[group].append(f"| `{name}{signature(value)}` | {summary(name, value)} |")
    parts = [
        f"## {title}\n\n| name | what it is |\n| --- | --- |\n" + "\n".join(rows) + "\n"
        for title, rows in groups.items()
    ]
    return INTRODUCTION + "\n".join(parts)


def test_the_page_is_what_the_docstrings_say() -> None:
    text = reference()
    if os.environ.get("SYMDYN_UPDATE"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "mend: SYMDYN_UPDATE=1 make docs"
