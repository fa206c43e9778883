"""The report of a derivation: Markdown with LaTeX, for a person who has not seen the program."""

from __future__ import annotations

from collections.abc import Iterable

from symdyn._errors import counted
from symdyn.analysis.joint_passivity import driving_friction
from symdyn.expr.verdict import VerdictKind, bound_text
from symdyn.mass_recipes import FUNCTIONS_OF_TIME, changes
from symdyn.mass_verification import MassCheck
from symdyn.model.consistency import Consistency
from symdyn.recipes import OF_CONSTANT_MASS
from symdyn.report.changing_rows import changing_table, uniform_table
from symdyn.report.closed_forms import closed_form_lines, momentum_form_lines
from symdyn.report.crosscheck_table import crosscheck_lines, crosscheck_sentence, not_run
from symdyn.report.findings import Findings
from symdyn.report.joint_laws import law_table, passivity_table
from symdyn.report.markdown import bullets, code, plain, table
from symdyn.report.rows import (
    Table,
    base_mass_sentence,
    consistency_table,
    joint_table,
    lumped_table,
    parameter_table,
)
from symdyn.report.usage import usage_lines

FIGURE_TREE, FIGURE_ARM = "figures/tree.svg", "figures/arm.svg"

_EQUATION = r"""
```math
M(q)\,\ddot q + C(q,\dot q)\,\dot q + g(q) + \tau_{\mathrm{fric}}(\dot q) = \tau
```
"""

_INERTIAL = {
    "symbolic": "The inertial parameters are an argument, `theta`.",
    "numeric": "The inertial parameters are built into the code as numbers.",
    "base": "Inertial parameters are grouped into those that the joints can tell apart, `beta`.",
}

_CHANGING_NUMERIC = (
    "All that changes with time is built into the code, as functions of the argument `t`: "
    "inertial parameters, their rates, momenta of moving mass and their rates."
)


_GENERALIZED = r"""
With inertial parameters that change in time (`theta_dot`) and mass that moves inside the bodies
(`psi`, `psi_dot`) the equation is

```math
M(q,\Theta)\,\ddot q + \bigl(C(q,\dot q,\Theta) + M(q,\dot\Theta) + H(q,\Psi)\bigr)\,\dot q
  + g(q,\Theta) + J(q)^\top \mathcal{Q}\,\dot\Psi + \tau_{\mathrm{fric}}(\dot q) = \tau
```

Where mass comes or goes, `theta_dot` and `psi_dot` are the rates without what the source brings; or
they are the whole rates, and $\tau$ has `source_torque`, $M(q,\dot\Theta_{\mathrm{src}})\,\dot q +
J^\top \mathcal{Q}\,\Psi_{\mathrm{src}}$, beside it.
"""


def report_text(findings: Findings) -> str:
    """The whole report.

    Parameters
    ----------
    findings : what the pipeline found out
    """
    parts = [
        *_head(findings),
        *_conventions(findings),
        *_robot(findings),
        *_parameters(findings),
        *_closed_form(findings),
        *_functions(findings),
        *_identities(findings),
        *_friction(findings),
        *_crosscheck(findings),
        *usage_lines(findings),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _head(x: Findings) -> Iterable[str]:
    robot = x.robot
    mimic = sum(joint.is_mimic for joint in robot.joints)
    facts = [
        f"**{counted(robot.n, 'coordinate')}**, {counted(robot.n_bodies, 'moving body')}"
        + (f", {mimic} of them on mimic joints" if mimic else ""),
        _CHANGING_NUMERIC
        if x.derivation.inertial == "numeric" and changes(x.robot)
        else _INERTIAL[x.derivation.inertial],
        _consistency_sentence(x),
        *(f"**M(q) is singular at every state**: {plain(reason)}" for reason in x.singular),
        *_no_forward_dynamics(x),
        *(f"**Not passive**: {plain(text)}" for text in driving_friction(x.friction)),
    ]
    if x.verdicts is not None:
        facts.append(_identity_sentence(x))
    if x.crosscheck is not None:
        facts.append(f"Cross-check: {crosscheck_sentence(x.crosscheck, x.code)}")
        facts += [f"**Not run here**: {plain(why)}" for why in not_run(x.crosscheck, x.code)]
    yield f"# {plain(robot.name)}"
    yield (
        "Equations of motion, derived and verified by symdyn. "
        f"Source of the robot: {plain(robot.source) or 'not stated'}."
    )
    yield bullets(facts)


def _no_forward_dynamics(x: Findings) -> Iterable[str]:
    if x.singular and x.derivation.inertial == "numeric":
        yield "Forward dynamics is left out: with these numbers M(q) has no inverse"
    elif x.singular:
        yield "Forward dynamics needs other inertial parameters than the robot's own"


def _conventions(x: Findings) -> Iterable[str]:
    yield "## Equation and conventions"
    yield _EQUATION
    if "generalized_inverse_dynamics" in x.derivation.specs:
        yield _GENERALIZED
    sentences: list[str] = []
    for line in x.unit.convention:
        if line.startswith("Equation:"):
            continue  # it stands above, in mathematics
        if line.startswith(" ") and sentences:
            sentences[-1] += " " + line.strip()
        else:
            sentences.append(line)
    yield bullets(plain(sentence) for sentence in sentences)


def _robot(x: Findings) -> Iterable[str]:
    robot = x.robot
    yield "## Robot"
    if x.figures:
        yield f"![The tree of joints and bodies]({FIGURE_TREE})"
        yield f"![The robot and its frames at q = 0]({FIGURE_ARM})"
    yield "### Joints"
    yield "A frame's place is that of the joint in its parent body's frame at q = 0."
    yield _markdown(joint_table(robot), names=(1, 3))
    laws = law_table(robot)
    if laws.rows:
        yield "### Friction laws of the joints"
        yield "Parameters as the joints feel them."
        yield _markdown(laws, names=(0, 1))
    lumped = lumped_table(robot)
    if lumped.rows:
        yield "### Links that are rigidly part of a body"
        yield _markdown(lumped, names=(0, 1))
    if base_mass_sentence(robot):
        yield base_mass_sentence(robot)
    declared = robot.parameters
    if declared:
        yield "### Declared parameters"
        rows = [
            (
                code(p.name),
                f"{float(p.value):.6g}",
                plain(p.unit),
                "argument" if p.is_argument else "built in",
                plain(p.source),
            )
            for p in declared
        ]
        yield table(("name", "value", "unit", "in the code", "source"), rows, right=(1,))
    if robot.notes:
        yield "### What the reader assumed, found or recognised"
        yield bullets(plain(note) for note in robot.notes)


def _parameters(x: Findings) -> Iterable[str]:
    yield "## Inertial parameters"
    yield (
        "About each body's frame origin, in its frame: $h = m\\,c$, $I$ with the sign of the "
        "matrix entry. Six digits are shown; the code has all."
    )
    yield _markdown(parameter_table(x.robot), names=(1,))
    if changes(x.robot):
        yield "### Mass that changes or moves"
        yield (
            "The numbers above are those of $t = 0$. Below, what depends on time: inertial "
            "parameters, momentum p and moment of momentum l of the motion in the body, and twice "
            "its energy, nu. The code has them as functions of t: "
            + ", ".join(code(name) for name in FUNCTIONS_OF_TIME)
            + "; they give the arguments `theta`, `theta_dot`, `psi`, `psi_dot`, `nu`, "
            "`theta_source`, `psi_source` of the functions of the generalized equation, in that "
            "order."
        )
        constant = [code(name) for name in OF_CONSTANT_MASS if name in x.derivation.specs]
        if constant:
            yield (
                f"**As if mass were constant and at rest in the bodies:** {', '.join(constant)}. "
                "The functions called generalized have its change and its motion."
            )
        if x.derivation.base_names:
            yield "`beta` at a time is `base_parameters` of the `inertial_parameters` of that time."
        yield _markdown(changing_table(x.robot), names=(0, 1, 2))
        yield (
            "Certified over the times stated, in outward rounded intervals: the least and the "
            "greatest eigenvalue of the pseudo-inertia $f(\\Phi(t))$ [kg, kg m, kg m²]. Bodies "
            "whose least one stays above zero are uniformly consistent."
        )
        yield _markdown(uniform_table(x.robot), names=(0,))
        yield bullets(
            f"{code(body.name)}: {plain(body.motion.statement)}"
            for body in x.robot.bodies
            if body.motion is not None
        )
    if x.masses:
        yield "### Links given by what they are made of"
        yield bullets(_mass_sentence(check) for check in x.masses)
    if x.derivation.base_names:
        yield (
            "Grouped parameters, `beta`, by the one that names the group: "
            + ", ".join(code(name) for name in x.derivation.base_names)
            + ". The function `base_parameters` gives them for any `theta`."
        )
    if x.generalized_base is not None:
        yield (
            "Base parameters of the generalized equation, whose unknowns are the inertial "
            "parameters, the momenta p and l of mass that moves in a body, and their rates ('): "
            f"{x.generalized_base.count}, namely "
            + ", ".join(code(name) for name in x.generalized_base.independent)
        )
    yield "### Physical consistency"
    yield (
        "Of the pseudo-inertia of each body: *consistent* if positive definite, *degenerate* but "
        "legal if only semidefinite (a point, a rod, a plate), *inconsistent* otherwise. Margin: "
        "the smallest eigenvalue of the second moment about the centre of mass over its largest."
    )
    yield _markdown(consistency_table(x.diagnoses), names=(0,))


def _mass_sentence(check: MassCheck) -> str:
    doubts = "; ".join(plain(text) for text in check.uncertain)
    looks = f"Not proved: {doubts}." if doubts else "Signs, limits and shapes are certain."
    return f"{code(check.link)}: {plain(check.agreement)}. {looks}"


def _closed_form(x: Findings) -> Iterable[str]:
    if x.closed_form is None:
        return
    yield "## Closed form"
    if changes(x.robot):
        yield "Inertial parameters are those of $t = 0$."
    yield from closed_form_lines(x.closed_form)
    if x.momentum_form is not None:
        yield from momentum_form_lines(x.momentum_form)


def _functions(x: Findings) -> Iterable[str]:
    yield "## Functions"
    rows: list[tuple[str, ...]] = []
    for (name, spec), counts in zip(x.derivation.specs.items(), x.counts().values(), strict=True):
        called = ", ".join(f"{count} {function}" for function, count in counts.functions.items())
        shape = "×".join(str(size) for size in spec.result.shape) or "scalar"
        rows.append(
            (
                code(f"{name}({', '.join(a.name for a in spec.arguments)})"),
                shape,
                plain(spec.result.unit),
                f"{counts.add:,}",
                f"{counts.mul:,}",
                f"{counts.div:,}",
                called,
            )
        )
    head = ("function", "result", "unit", "add", "mul", "div", "functions")
    yield table(head, rows, right=(3, 4, 5))
    yield (
        "Operations of the derived expression, each counted once; additions include subtractions "
        "and negations."
    )


def _identities(x: Findings) -> Iterable[str]:
    yield "## Identities"
    if x.verdicts is None:
        yield "Left out of this run (`--no-identities`)."
        return
    yield (
        "*proved*: exactly, for all states, by a unique normal form. *probabilistic*: both sides "
        "agree at random points of finite fields; a false statement would pass with the "
        "probability shown."
    )
    rows = [
        (
            verdict.kind.value,
            plain(verdict.claim),
            plain(verdict.method),
            "" if verdict.bound is None else f"< {bound_text(verdict.bound)}",
            plain(verdict.detail),
        )
        for verdict in x.verdicts
    ]
    yield table(("outcome", "statement", "method", "could be wrong", "detail"), rows)


def _friction(x: Findings) -> Iterable[str]:
    if not x.friction:
        return
    yield "## Energy that friction takes"
    yield (
        "Of the power of the drives, friction takes at each joint its velocity times the force of "
        "its law, $v\\,F(v)$: an identity above. It only takes energy if that is never negative, "
        "for a law with states if it never falls below the rate of what they store. Decided for "
        "the robot's own numbers."
    )
    yield _markdown(passivity_table(x.friction), names=(0, 1))
    if "friction_bounds" in x.derivation.specs:
        yield (
            "Set-valued friction holds a joint at rest, by any torque between `friction_bounds`. "
            "Which one depends on all joints at once; the functions named `with_friction` take the "
            "value of `friction_torque` there, so they hold none."
        )


def _crosscheck(x: Findings) -> Iterable[str]:
    yield "## Cross-check of the code"
    if x.crosscheck is None:
        yield "Left out of this run (`--no-crosscheck`): the code was neither compiled nor run."
    else:
        yield from crosscheck_lines(x.crosscheck)


def _consistency_sentence(x: Findings) -> str:
    named = {
        kind: ", ".join(code(d.name) for d in x.diagnoses if d.verdict is kind)
        for kind in Consistency
    }
    if named[Consistency.INCONSISTENT]:
        return f"**Physically inconsistent** inertial parameters: {named[Consistency.INCONSISTENT]}"
    legal = [
        f"{word}: {named[kind]}"
        for kind, word in (
            (Consistency.DEGENERATE, "degenerate but legal"),
            (Consistency.MASSLESS, "massless"),
        )
        if named[kind]
    ]
    return "; ".join(["All bodies are physically consistent", *legal])


def _identity_sentence(x: Findings) -> str:
    kinds = [verdict.kind for verdict in x.verdicts or ()]
    counted = [
        f"{kinds.count(kind)} {word}"
        for kind, word in (
            (VerdictKind.PROVED, "proved"),
            (VerdictKind.PROBABILISTIC, "checked in finite fields"),
            (VerdictKind.INCOMPLETE, "**incomplete**"),
            (VerdictKind.UNKNOWN, "**undecided**"),
            (VerdictKind.REFUTED, "**refuted**"),
        )
        if kind in kinds
    ]
    return f"Identities: {', '.join(counted) or 'none for the functions chosen'}"


def _markdown(content: Table, names: tuple[int, ...]) -> str:
    rows = [
        [code(cell) if c in names and cell else plain(cell) for c, cell in enumerate(row)]
        for row in content.rows
    ]
    return table([plain(cell) for cell in content.head], rows, content.right)
