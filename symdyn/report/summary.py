"""A derivation in a few lines, for the terminal, and in short as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from symdyn._errors import counted
from symdyn.expr.verdict import Json, VerdictKind, bound_text
from symdyn.model.robot import Robot
from symdyn.report.crosscheck_table import crosscheck_sentence, largest_error, not_run
from symdyn.report.findings import Findings

_ABOUT = {
    "report.md": "to read: equations, verdicts, how to call the code",
    "record.json": "the same facts for a program",
    "crosscheck.json": "every comparison of the cross-check",
}


def summary_record(
    x: Findings, directory: Path, files: Sequence[str], seconds: Mapping[str, float]
) -> dict[str, Json]:
    """The result in short."""
    crosscheck: Json = None
    if x.crosscheck is not None:
        crosscheck = {
            "passed": x.crosscheck.passed,
            "comparisons": len(x.crosscheck.comparisons),
            "largest_error_ulps": largest_error(x.crosscheck, x.code),
            "not_run": list(not_run(x.crosscheck, x.code)),
        }
    return {
        "robot": x.robot.name,
        "n": x.robot.n,
        "n_bodies": x.robot.n_bodies,
        "directory": str(directory),
        "files": list(files),
        "inertial": x.derivation.inertial,
        "is_consistent": all(d.is_consistent for d in x.diagnoses),
        "singular": list(x.singular),
        "identities": None if x.verdicts is None else [v.to_json() for v in x.verdicts],
        "operations": {
            name: {"add": c.add, "mul": c.mul, "div": c.div} for name, c in x.counts().items()
        },
        "crosscheck": crosscheck,
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
    }


def size_line(robot: Robot) -> str:
    """Name, coordinates and bodies of a robot."""
    bodies = counted(robot.n_bodies, "moving body")
    return f"{robot.name}: {counted(robot.n, 'coordinate')}, {bodies}"


def summary_lines(
    x: Findings, directory: Path, files: Sequence[str], seconds: Mapping[str, float]
) -> list[str]:
    """The result in a few lines."""
    lines = [size_line(x.robot)]
    wrong = [d.name for d in x.diagnoses if not d.is_consistent]
    lines.append(
        "  consistency  "
        + (f"INCONSISTENT: {', '.join(wrong)}" if wrong else "every body can exist")
    )
    lines += [f"  M(q)         singular at every state: {reason}" for reason in x.singular]
    if x.verdicts is not None:
        lines.append(f"  identities   {_identities(x)}")
    if x.crosscheck is not None:
        lines.append(f"  cross-check  {crosscheck_sentence(x.crosscheck, x.code)}")
        lines += [f"  NOT RUN      {reason}" for reason in not_run(x.crosscheck, x.code)]
    spent = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items())
    lines.append(f"  time         {sum(seconds.values()):.2f} s ({spent})")
    lines.append(f"results in {directory}:")
    width = max(len(name) for name in files)
    lines += [f"  {name.ljust(width)}  {_ABOUT.get(name, '')}".rstrip() for name in files]
    return lines


def _identities(x: Findings) -> str:
    verdicts = x.verdicts or ()
    words: list[str] = []
    for kind in VerdictKind:
        of_kind = [v for v in verdicts if v.kind is kind]
        if not of_kind:
            continue
        text = f"{len(of_kind)} {kind.value}"
        bounds = [v.bound for v in of_kind if v.bound is not None]
        if bounds:
            text += f" (failure probability below {bound_text(max(bounds))} each)"
        words.append(text)
    return ", ".join(words) or "none for the functions chosen"
