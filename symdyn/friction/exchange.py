"""Friction in the words of other programs: URDF, SDF, MJCF, Modelica, Simscape, there and back.

Each conversion says what is lost. Nothing is lost for Coulomb and viscous friction to all of them,
for tables to Modelica, and for Simscape's own law to Simscape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.protocol import Algebra
from symdyn.friction.asymptote import asymptote
from symdyn.friction.law import FrictionLaw
from symdyn.friction.table import tabulated

#: In what friction differs, as readers of these files say it.
URDF_NOTE = "URDF does not say what friction does at rest; here it holds any load up to its level"
MJCF_NOTE = "MuJoCo's frictionloss is soft and creeps under a load; here it holds up to its level"


@dataclass(frozen=True, slots=True)
class Converted:
    """Friction in another program's words.

    Attributes
    ----------
    values : by the names of that program
    lost : what it does not express, one sentence each; empty if the conversion is exact
    """

    values: dict[str, float]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """Another program's friction as a law of the catalogue.

    Attributes
    ----------
    law : name in the catalogue
    parameters : of the law
    notes : in what the program differs from the law, one sentence each
    """

    law: str
    parameters: dict[str, float]
    notes: tuple[str, ...] = ()


# -- URDF, SDF, MJCF: a level and a coefficient ---------------------------------------------------


def to_urdf(
    A: Algebra[float],
    law: FrictionLaw,
    parameters: Mapping[str, float],
    signals: Mapping[str, float] | None = None,
) -> Converted:
    """``damping`` and ``friction`` of ``<dynamics>`` in URDF (and SDF): the law at high speed.

    Parameters
    ----------
    A : doubles, `symdyn.algebra.float64.FLOAT64`
    law, parameters : the law and its parameters
    signals : values of the law's signals
    """
    found = asymptote(A, law, parameters, signals)
    return Converted({"damping": found.viscous, "friction": found.level}, found.lost)


def from_urdf(damping: float, friction: float) -> Read:
    """Set-valued Coulomb friction of a ``<dynamics>`` element."""
    return Read("coulomb-set", {"Fc": friction, "b": damping}, (URDF_NOTE,))


def to_mjcf(
    A: Algebra[float],
    law: FrictionLaw,
    parameters: Mapping[str, float],
    signals: Mapping[str, float] | None = None,
) -> Converted:
    """``damping`` and ``frictionloss`` of an MJCF joint: the law at high speed; as `to_urdf`."""
    found = asymptote(A, law, parameters, signals)
    soft = (
        "frictionloss is a soft constraint: under a load below it the joint creeps, see "
        "mujoco_creep_speed",
    )
    lost = found.lost + (soft if found.level else ())
    return Converted({"damping": found.viscous, "frictionloss": found.level}, lost)


def from_mjcf(damping: float, frictionloss: float) -> Read:
    """Set-valued Coulomb friction of an MJCF joint."""
    return Read("coulomb-set", {"Fc": frictionloss, "b": damping}, (MJCF_NOTE,))


def mujoco_creep_speed(
    torque: float,
    inertia: float,
    damping: float = 0.0,
    *,
    timeconst: float = 0.02,
    impedance: tuple[float, float] = (0.9, 0.95),
) -> float:
    """Speed at which a joint of MuJoCo creeps under a torque below its frictionloss [rad/s].

    v = c (torque - damping v)/inertia with c = (1 - d0) dmax timeconst/(2 d0); d0 and dmax are the
    first two numbers of ``solimpfriction`` and timeconst is the first of ``solreffriction``, with
    a damping ratio of 1. It does not depend on the time step.

    Parameters
    ----------
    torque : applied, less than frictionloss [N m]
    inertia : of the joint, armature included [kg m^2]
    damping : of the joint [N m s/rad]
    timeconst, impedance : MuJoCo's defaults if left out
    """
    low, high = impedance
    c = (1 - low) * high * timeconst / (2 * low)
    return c * torque / (inertia + c * damping)


# -- Modelica: a table ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelicaFriction:
    """``tau_pos`` and ``peak`` of Modelica's BearingFriction.

    Attributes
    ----------
    tau_pos : rows of speed and torque, the first at speed 0 [rad/s, N m]
    peak : break-away torque over the torque of the first row
    error : largest distance of the table from the law, between its points and up to the last [N m]
    lost : what the table does not express
    """

    tau_pos: tuple[tuple[float, float], ...]
    peak: float
    error: float
    lost: tuple[str, ...]


#: Places between two rows of a table at which its distance from the law is taken.
_PLACES = 64


def to_modelica(
    A: Algebra[float],
    law: FrictionLaw,
    parameters: Mapping[str, float],
    speeds: Sequence[float],
    signals: Mapping[str, float] | None = None,
) -> ModelicaFriction:
    """The steady curve of a law as a table.

    Parameters
    ----------
    A : doubles, `symdyn.algebra.float64.FLOAT64`
    law : one that is odd in the velocity
    parameters : its parameters
    speeds : of the rows, rising from 0
    signals : values of the law's signals

    Raises
    ------
    InputError : speeds that do not start at 0 or do not rise, a law that needs a signal
    UnsupportedError : a law that differs between directions, or friction that drives
    """
    u = dict(signals or {})
    p = law.check(parameters, signals=u)
    missing = [q.name for q in law.signals if q.name not in u]
    if missing:
        raise InputError("a signal has no value", expected=", ".join(missing))
    w = [float(speed) for speed in speeds]
    if len(w) < 2 or w[0] != 0 or not all(a < b < math.inf for a, b in pairwise(w)):
        raise InputError("the speeds of the table", expected="0 and then rising ones", got=repr(w))

    def curve(speed: float) -> float:
        return law.steady(A, speed, [], u, p)

    at_zero = 0.0 if law.ends is None else law.ends(A, u, p)[0]
    if any(abs(curve(-speed) + curve(speed)) > 1e-12 * (1 + abs(curve(speed))) for speed in w[1:]):
        raise UnsupportedError(
            f"Modelica's BearingFriction is odd in the velocity; the law {law.name} is not. "
            "Take its two sides apart."
        )
    rows = [(0.0, at_zero), *((speed, curve(speed)) for speed in w[1:])]
    if any(torque < 0 for _, torque in rows):
        raise UnsupportedError("Modelica's BearingFriction holds no friction that drives the joint")
    upper = at_zero if law.at_rest is None else law.at_rest(A, u, p)[1]
    lost = [] if not law.states else ["the states: presliding, frictional lag, memory"]
    if law.at_rest is None and at_zero == 0 and any(torque > 0 for _, torque in rows):
        lost.append("the law does not stick; neither does the table, whose first torque is 0")
    if law.signals:
        lost.append("the dependence on " + " and ".join(q.name for q in law.signals))
    peak = upper / at_zero if at_zero > 0 else 1.0
    if peak < 1:
        lost.append(f"the break-away level is below the sliding level by a factor {peak:.6g}")
    return ModelicaFriction(tuple(rows), max(1.0, peak), _distance(curve, rows), tuple(lost))


def _distance(curve: Callable[[float], float], rows: Sequence[tuple[float, float]]) -> float:
    worst = 0.0
    for (a, f), (b, g) in pairwise(rows):
        for k in range(1, _PLACES):
            t = k / _PLACES
            worst = max(worst, abs(f + (g - f) * t - curve(a + (b - a) * t)))
    return worst


def from_modelica(
    tau_pos: Sequence[Sequence[float]], peak: float = 1.0
) -> tuple[FrictionLaw, dict[str, float]]:
    """The law and its parameters of a BearingFriction; exact.

    Raises
    ------
    InputError : rows that are no pairs, fewer than two, a first speed other than 0, or parameters
        outside their domains
    """
    rows = [tuple(float(x) for x in row) for row in tau_pos]
    if len(rows) < 2 or any(len(row) != 2 for row in rows) or rows[0][0] != 0:
        raise InputError(
            "no table of BearingFriction",
            where="tau_pos",
            expected="at least two rows of speed and torque, the first at speed 0",
            got=repr(list(tau_pos)),
            remedy="A constant torque is two equal rows.",
        )
    law = tabulated(len(rows))
    values = {f"w{k}": row[0] for k, row in enumerate(rows, 1) if k > 1}
    values |= {f"t{k}": row[1] for k, row in enumerate(rows, 1)}
    return law, law.check({**values, "peak": peak}, where="tau_pos")


# -- Simscape -------------------------------------------------------------------------------------


def to_simscape(law: FrictionLaw, parameters: Mapping[str, float]) -> Converted:
    """Parameters of Simscape's Rotational Friction.

    Exact for the law `simscape`. A Stribeck law keeps its levels and its viscous coefficient; the
    break-away velocity is chosen so that the hump above Fc holds the same area over the speed:
    wbrk = vs Gamma(1 + 1/alpha)/sqrt(e).

    Raises
    ------
    UnsupportedError : a law without Stribeck's or Coulomb's parameters
    """
    p = law.check(parameters)
    names = {"Tbrk", "TC", "wbrk", "f"}
    if set(p) == names:
        return Converted(dict(p), ())
    creeps = "Simscape's law is smooth: it creeps under any load, the more the larger wbrk"
    viscous = p.get("b", p.get("sigma2"))
    if viscous is None or not {"Fc", "Fs", "vs", "alpha"} <= set(p):
        raise UnsupportedError(
            f"the law {law.name} has no break-away level, Coulomb level and Stribeck velocity to "
            "give to Simscape; convert its Stribeck curve."
        )
    wbrk = p["vs"] * math.gamma(1 + 1 / p["alpha"]) / math.sqrt(math.e)
    lost = [creeps, "the hump has another shape: equal levels and area, its top at wbrk"]
    if law.states:
        lost.append("the states: presliding, frictional lag, memory")
    values = {"Tbrk": p["Fs"], "TC": p["Fc"], "wbrk": wbrk, "f": viscous}
    return Converted(values, tuple(lost))


def from_simscape(Tbrk: float, TC: float, wbrk: float, f: float, *, sticking: bool = False) -> Read:
    """Simscape's Rotational Friction as the law of that name, exactly, or as one that sticks.

    Parameters
    ----------
    sticking : the set-valued Stribeck law with alpha = 2 of equal levels and area instead
    """
    if not sticking:
        return Read("simscape", {"Tbrk": Tbrk, "TC": TC, "wbrk": wbrk, "f": f})
    vs = wbrk * math.sqrt(math.e) / math.gamma(1.5)
    values = {"Fc": TC, "Fs": Tbrk, "vs": vs, "alpha": 2.0, "b": f}
    note = "Simscape's law creeps and has its top at wbrk; this one sticks and falls from rest"
    return Read("stribeck-set", values, (note,))
