"""A simulated robot for a terminal, as a record for programs, and as a figure."""

from __future__ import annotations

import math

from symdyn.algebra.float64 import Array
from symdyn.report.rows import Table, text_lines
from symdyn.report.time_figure import COLOURS, Curve, Panel, time_figure
from symdyn.simulate.robot_run import Hold, RobotRun
from symdyn.simulate.semantics import Semantics
from symdyn.simulate.trajectory import Trajectory

_SHOWN_EVENTS = 12
#: What the legend of a panel has room for.
_SHOWN_JOINTS = 8


def simulation_lines(run: RobotRun) -> list[str]:
    """The run in words and tables: friction first, then the end of the motion."""
    scenario, motion = run.scenario, run.trajectory
    end = float(motion.times[-1])
    lines = [
        f"{scenario.robot.name}: {end:g} s with {scenario.semantics.value} friction",
        f"{scenario.semantics.meaning}",
        f"method: {run.method}",
        "",
        "Friction",
        *text_lines(_friction_table(run)),
        "",
        "Load at the start with the other joints held, and what friction does with it at rest",
        *text_lines(_hold_table(run.holds)),
        "",
        f"At t = {end:g} s",
        *text_lines(_end_table(run)),
    ]
    if motion.events:
        more = len(motion.events) - _SHOWN_EVENTS
        lines += ["", "Rest and motion"]
        lines += [f"  {e.time:.6f} s  {e.joint} {e.kind}" for e in motion.events[:_SHOWN_EVENTS]]
        lines += [f"  and {more} more"] if more > 0 else []
    lines += ["", "Energy [J]", *text_lines(_energy_table(run))]
    lines += ["", *(f"note: {note}" for note in run.notes)] if run.notes else []
    return lines


def simulation_record(run: RobotRun) -> dict[str, object]:
    """The run as JSON values. A creep speed is null where a joint breaks away or has bristles."""
    scenario, motion = run.scenario, run.trajectory
    creeps = scenario.semantics is Semantics.REGULARISED
    return {
        "robot": scenario.robot.name,
        "joints": list(motion.names),
        "friction": scenario.semantics.value,
        "meaning": scenario.semantics.meaning,
        "eps": scenario.eps if creeps else None,
        "method": run.method,
        "laws": [
            {"joint": motion.names[f.coordinate], "law": f.law.name, "values": dict(f.values)}
            for f in run.frictions
        ],
        "rest": [
            {
                "joint": hold.joint,
                "load": hold.load,
                "holds_up_to": hold.limit,
                "creep_speed": _finite(hold.creep_speed),
                "give": _finite(hold.give),
                "verdict": hold.verdict,
            }
            for hold in run.holds
        ],
        "events": [{"t": e.time, "joint": e.joint, "kind": e.kind} for e in motion.events],
        "energy": {name: float(values[-1]) for name, values in _energies(run)},
        "trajectory": {
            "t": motion.times.tolist(),
            "q": motion.q.tolist(),
            "qd": motion.v.tolist(),
            "drive": motion.drive.tolist(),
            "friction": motion.friction.tolist(),
        },
        "notes": list(run.notes),
    }


def simulation_figure(run: RobotRun, form: str) -> bytes:
    """Positions, velocities, friction and energies over time, as ``png`` or ``svg``.

    Of many joints those are shown that move most.
    """
    motion = run.trajectory
    shown = _shown(run)
    panels = [
        Panel(axis, _curves(run, table, shown))
        for axis, table in (
            ("q [rad | m]", motion.q),
            ("qd [rad/s | m/s]", motion.v),
            ("friction [N m | N]", motion.friction),
        )
    ]
    parts = [(name, values) for name, values in _energies(run) if name != "imbalance"]
    energies = tuple(
        Curve(name, motion.times, values, dashed=place >= len(COLOURS))
        for place, (name, values) in enumerate(parts)
    )
    panels.append(Panel("energy [J]", energies))
    title = f"{run.scenario.robot.name}, {run.scenario.semantics.value} friction"
    if len(shown) < len(motion.names):
        title += f", {len(shown)} of {len(motion.names)} joints"
    return time_figure(title, panels, form="svg" if form == "svg" else "png")


def _shown(run: RobotRun) -> list[int]:
    q = run.trajectory.q
    ranges = [float(q[:, k].max() - q[:, k].min()) for k in range(q.shape[1])]
    most = sorted(range(len(ranges)), key=lambda k: -ranges[k])[:_SHOWN_JOINTS]
    return sorted(most)


def _curves(run: RobotRun, table: Array, shown: list[int]) -> tuple[Curve, ...]:
    # when the colours are used up, dashed curves take them again
    times, names = run.trajectory.times, run.trajectory.names
    return tuple(
        Curve(names[k], times, table[:, k], dashed=place >= len(COLOURS))
        for place, k in enumerate(shown)
    )


def _energies(run: RobotRun) -> list[tuple[str, Array]]:
    motion = run.trajectory
    return [
        ("kinetic", motion.kinetic),
        ("potential", motion.potential),
        ("work", motion.work),
        ("dissipated", motion.dissipated),
        *_mass_energies(motion),
        ("imbalance", motion.imbalance),
    ]


def _mass_energies(motion: Trajectory) -> list[tuple[str, Array]]:
    """Works of changing mass, and what the kinetic energy of all mass has beyond qd' M qd / 2."""
    if motion.mass is None:
        return []
    return [
        ("moved mass", motion.mass.moved),
        ("sources", motion.mass.sources),
        ("relative", motion.mass.relative),
    ]


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _friction_table(run: RobotRun) -> Table:
    rows = tuple(
        (
            run.trajectory.names[f.coordinate],
            f.law.name,
            "  ".join(f"{name} = {value:.6g}" for name, value in f.values.items()),
        )
        for f in run.frictions
    )
    return Table(("joint", "law", "parameters"), rows or (("none", "", ""),))


def _hold_table(holds: tuple[Hold, ...]) -> Table:
    rows = tuple((h.joint, f"{h.load:.6g}", f"{h.limit:.6g}", h.verdict) for h in holds)
    return Table(("joint", "load", "holds up to", "at rest it"), rows, (1, 2))


def _end_table(run: RobotRun) -> Table:
    motion = run.trajectory
    rows = tuple(
        (name, *(f"{table[-1, k]:.9g}" for table in (motion.q, motion.v, motion.friction)))
        for k, name in enumerate(motion.names)
    )
    return Table(("joint", "q", "qd", "friction"), rows, (1, 2, 3))


def _energy_table(run: RobotRun) -> Table:
    head = tuple(name for name, _ in _energies(run))
    row = tuple(f"{float(values[-1]) + 0.0:.6g}" for _, values in _energies(run))
    return Table(head, (row,), tuple(range(len(head))))
