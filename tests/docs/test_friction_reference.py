"""The catalogue on the page of the friction laws is what their data say.

``SYMDYN_UPDATE=1`` writes the page.
"""

from __future__ import annotations

import os
from pathlib import Path

from symdyn.friction.catalog import LAWS
from symdyn.report.friction_catalogue import catalogue_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "friction.md"


#: Below this line the page is made from the data.
MARK = "<!-- The rest of this page is made from the laws: SYMDYN_UPDATE=1 make docs -->\n"


def test_the_catalogue_is_made_from_the_laws() -> None:
    by_hand = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    text = by_hand + MARK + "\n" + catalogue_text()
    if os.environ.get("SYMDYN_UPDATE"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "mend: SYMDYN_UPDATE=1 make docs"


def test_every_law_has_its_section_with_all_of_its_data() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, law in LAWS.items():
        section = page.split(f"\n### `{name}`\n")[1].split("\n### ")[0]
        cells = " ".join(section.split())  # tables are padded
        assert law.formula in section
        assert law.source in section
        assert f"**At rest** it {law.rest}." in section
        assert f"**Limits:** {law.limits}." in section
        assert all(f"**Condition:** `{r.text}`. {r.why}" in section for r in law.relations)
        for q in law.parameters:
            assert f"| `{q.name}` | {q.unit} | {q.domain.value} |" in cells
        for q in (*law.parameters, *law.states, *law.signals):
            assert f"| `{q.name}` | {q.unit} |" in cells
            assert q.doc in section
