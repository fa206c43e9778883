"""The catalogue on the reference page of the friction laws, made from their data."""

from __future__ import annotations

from symdyn.friction.catalog import FAMILIES, LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw, Quantity
from symdyn.friction.reflect import gear_power
from symdyn.friction_recipes import functions_of
from symdyn.report.markdown import bullets, code, figure, table


def catalogue_text() -> str:
    """The part of the page that follows from the data: overview and one section a law, Markdown."""
    overview = table(
        ("law", "states", "at rest", "linear in"),
        [
            (
                f"[{code(law.name)}](#{_anchor(law)})",
                str(len(law.states)),
                "holds" if law.at_rest else "springs" if law.states else "–",
                ", ".join(law.linear) or "–",
            )
            for law in LAWS.values()
        ],
    )
    families = ", ".join(code(f"{name}:N") for name in FAMILIES)
    parts = [
        f"## The {len(LAWS)} laws\n",
        overview,
        f"\n{families} are these laws with N elements or points.\n",
        *(_section(law) for law in LAWS.values()),
    ]
    return "\n".join(parts)


def _anchor(law: FrictionLaw) -> str:
    return law.name


def _section(law: FrictionLaw) -> str:
    facts = [
        f"**At rest** it {law.rest}.",
        f"**Limits:** {law.limits}.",
        f"**Linear** in {', '.join(map(code, law.linear)) or 'none of its parameters'}.",
        *(f"**Condition:** {code(r.text)}. {r.why}" for r in law.relations),
        *([f"**Step** of the states: {law.step}."] if law.step else []),
        f"**Functions:** {', '.join(map(code, functions_of(law)))}.",
        f"**Source:** {law.source}.",
    ]
    example = EXAMPLES[law.name]
    parameters = table(
        ("parameter", "unit", "domain", "gear", "example", "meaning"),
        [
            (code(q.name), q.unit, q.domain.value, _gear(q), figure(example[q.name]), q.doc)
            for q in law.parameters
        ],
    )
    lines = [f"### `{law.name}`", f"{law.title}.", f"```math\n{law.formula}\n```", parameters]
    for title, quantities in (("state", law.states), ("signal", law.signals)):
        if quantities:
            rows = [(code(q.name), q.unit, q.doc) for q in quantities]
            lines.append(table((title, "unit", "meaning"), rows))
    lines.append(bullets(facts))
    return "\n\n".join(lines) + "\n"


def _gear(q: Quantity) -> str:
    """The factor of a gear of ratio N, as a power of N; exponents of units by their names."""
    low, high = ({name: x for name in ("d", "n")} for x in (1.0, 2.0))
    at, slope = gear_power(q, low), gear_power(q, high) - gear_power(q, low)
    if slope:
        name = q.unit.rpartition("^")[2]
        constant = at - slope
        text = name if slope == 1 else f"{slope:g} {name}"
        return f"N^({constant:g} + {text})" if constant else f"N^{text}"
    if at == 0:
        return "1"
    return "N" if at == 1 else f"N^{at:g}"
