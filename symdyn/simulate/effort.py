"""What no simulation should be asked for, said before it begins, and a motion that is no number.

An integrator that follows a controller of frequency w takes steps of about 1/w: the number of such
steps tells beforehand whether the run ends within minutes. Limits here are generous; they part what
takes long from what never ends.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.model.names import did_you_mean, listing, shown
from symdyn.model.robot import JointKind
from symdyn.model.singularity import structural_singularity
from symdyn.simulate.mechanism import Mechanism
from symdyn.simulate.robot_system import RobotDrive
from symdyn.simulate.semantics import Semantics
from symdyn.simulate.stability import controller_limit
from symdyn.simulate.trajectory import Trajectory

if TYPE_CHECKING:
    from symdyn.simulate.robot_run import Scenario

#: Longest simulated time [s], eleven days.
LONGEST = 1e6
MOST_SAMPLES = 1_000_000
#: Fixed steps: hours for a small arm.
MOST_STEPS = 10**8
#: Velocity over which friction is smoothed at least: below it Radau's Newton steps fail for ever
#: [rad/s | m/s].
LEAST_EPS = 1e-9
#: Stable steps of the controller that an adaptive integrator is asked to resolve: minutes.
MOST_PERIODS = 200_000
#: Angles through which the velocity and the torque of the start may turn a joint [rad].
MOST_TURN, MOST_PUSH = 1e7, 1e12
#: Eigenvalue of M, scaled to a diagonal of ones, below which doubles call it singular.
_SINGULAR = 1e-13
#: Part of a unit vector below which a joint is not named.
_NO_PART = 1e-6


def check_request(scenario: Scenario) -> None:
    """Refuse times, samples and steps that are none, or without end.

    Raises
    ------
    InputError : the number, what is possible and what to do
    """
    span, samples, step = scenario.span, scenario.samples, scenario.step
    if not 0 < span < math.inf or samples < 1:
        raise InputError(
            "time and number of samples have to be positive",
            where="simulate",
            got=f"{span} s, {samples}",
        )
    if span > LONGEST:
        raise InputError(
            "the simulated time is too long",
            where="simulate",
            expected=f"at most {LONGEST:g} s",
            got=f"{span:g} s",
        )
    if samples > MOST_SAMPLES:
        raise InputError(
            "too many samples are wanted",
            where="simulate",
            expected=f"at most {MOST_SAMPLES:,}",
            got=f"{samples:,}",
        )
    if step is None:
        if scenario.semantics is Semantics.REGULARISED and 0 < scenario.eps < LEAST_EPS:
            raise InputError(
                "eps is too small to be integrated over",
                where="simulate",
                expected=f"at least {LEAST_EPS:g}",
                got=f"{scenario.eps:g}",
                remedy="Ideal friction is its limit; implicit fixed steps (--step) take any eps.",
            )
        return
    if not 0 < step <= span:
        raise InputError(
            "the step has to be positive and at most the time",
            where="simulate",
            got=f"{step} s of {span} s",
        )
    if span / step > MOST_STEPS:
        raise InputError(
            "the step is too small for the time",
            where="simulate",
            expected=f"at most {MOST_STEPS:,} steps, so at least {span / MOST_STEPS:.3g} s",
            got=f"{step:g} s",
            remedy="Take a larger step or a shorter time, or leave the step out.",
        )


def check_mechanism(scenario: Scenario, mechanism: Mechanism, drive: RobotDrive) -> None:
    """Refuse a mass matrix without inverse and a controller that is too stiff to be followed.

    Raises
    ------
    InputError : M is singular at the start, with the joints that move no mass; or the gains
    """
    M = mechanism.terms(0.0, np.array(scenario.q0), np.zeros(mechanism.n)).inertia
    _check_regular(scenario, M)
    if scenario.step is not None:
        return
    _check_turns(scenario, M, drive)
    # a negative gain drives away as fast as its size holds
    limit = controller_limit(M, [abs(k) for k in drive.kp], [abs(k) for k in drive.kd])
    if scenario.span / limit > MOST_PERIODS:
        raise InputError(
            "the controller is too stiff to be followed for so long",
            where="simulate",
            expected=f"a time of at most {MOST_PERIODS * limit:.3g} s with these gains",
            got=f"{scenario.span:g} s, of which its fastest motion takes {limit:.3g} s",
            remedy="Take smaller gains or a shorter time.",
        )


def _check_turns(scenario: Scenario, M: Array, drive: RobotDrive) -> None:
    """Refuse a start whose velocities or torques turn a joint round more often than can be.

    Friction and a controller may bound what a torque does, so that only absurd ones are refused.
    """
    span = scenario.span
    turned = span * np.abs(np.array(scenario.v0))
    pushed = span * span / 2 * np.abs(np.linalg.solve(M, np.array(drive.tau)))
    for k, name in enumerate(scenario.robot.coordinates):
        kinds = {j.kind for j in scenario.robot.joints if j.coordinate == k}
        if kinds == {JointKind.PRISMATIC}:
            continue
        for what, angle, most in (
            ("velocity", turned[k], MOST_TURN),
            ("torque", pushed[k], MOST_PUSH),
        ):
            if not angle <= most:
                raise InputError(
                    f"joint {shown(name)} would turn without end",
                    where="simulate",
                    expected=f"a {what} at the start that turns it by at most {most:g} rad",
                    got=f"one that turns it by {angle:.3g} rad in {span:g} s",
                    remedy=f"Take a smaller {what} or a shorter time.",
                )


def _check_regular(scenario: Scenario, M: Array) -> None:
    diagonal = np.diag(M)
    if not np.all(np.isfinite(M)):
        raise InputError(
            "the mass matrix is not finite at the start",
            where="simulate",
            remedy="The numbers of the robot or of the start leave the range of a double.",
        )
    size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh(M / np.outer(size, size))
    if values[0] > _SINGULAR:
        return
    report = structural_singularity(scenario.robot)
    if report.is_singular:
        what = f"M(q) is singular for all q: {'; '.join(m.cause for m in report.motions)}"
    elif values[0] < -_SINGULAR:
        what = "M(q) is not positive definite at the start: a body has impossible inertia"
    else:
        rates = vectors[:, 0] / size
        part = np.abs(rates) / np.max(np.abs(rates))
        names = [shown(scenario.robot.coordinates[k]) for k in np.flatnonzero(part > _NO_PART)]
        what = (
            f"M(q) is singular at the start: joints {listing(names)} can move without moving mass"
        )
    raise InputError(
        what,
        where="simulate",
        remedy="Give the links inertia or the joints armature; `symdyn show` tells more.",
    )


def check_signals(scenario: Scenario, needed: Collection[str]) -> None:
    """Refuse signals that no friction law of the robot has.

    Raises
    ------
    InputError : the first of them, with those that there are
    """
    for name in scenario.signals:
        if name not in needed:
            raise InputError(
                f"no friction law of the robot has the signal {shown(name)!r}",
                where="simulate",
                expected=" or ".join(sorted(needed)) or "no signal",
                remedy=did_you_mean(name, sorted(needed)) or "Leave it out.",
            )


def check_motion(trajectory: Trajectory) -> None:
    """Refuse a motion that is no number from some time on.

    Raises
    ------
    UnsupportedError : the time, and what was the last number
    """
    table = np.hstack([trajectory.q, trajectory.v, trajectory.drive, trajectory.friction])
    scalars = np.stack([trajectory.kinetic, trajectory.potential, trajectory.work], axis=1)
    bad = ~np.all(np.isfinite(np.hstack([table, scalars])), axis=1)
    if bool(np.any(bad)):
        at = float(trajectory.times[int(np.argmax(bad))])
        raise UnsupportedError(
            f"simulate: the motion leaves the range of a double at t = {at:.4g} s. "
            "Take other gains, another start or a shorter time."
        )
