"""Particles in the bodies of a tree: the equations of motion with no inertial parameter in them.

An arm is a tree of revolute and prismatic joints; in the frame of each body finitely many particles
of constant mass move on given paths. Its Lagrangian is the one of the particles alone,
L = sum m |r'|^2 / 2 + sum m g.r with r(q, t) their places in frame 0, and `torques` is its
Euler-Lagrange equation, every derivative of which is a central difference of 100-digit numbers
(steps of 1e-25, hence errors of about 1e-48). `torques_by_forces` is the second road, d'Alembert:
sum m (r'' - g).dr/dq. Neither knows a Jacobian, a mass matrix or a moment of mass.

`moments` is what the tests compare with: the sums that define Phi, nu and psi in (8), (25), (27).

Reference arms: two arms with one state each, worked out independently of this project to 17
digits; ``tests/data/reference_arms.json``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
from mpmath import mp, mpf

from symdyn.algebra.term import number
from symdyn.model.robot import Body, Joint, JointKind, Robot
from tests.robots import rational_rotation, small

DIGITS = 100
_STEP = "1e-25"
REFERENCE = Path(__file__).parent / "data" / "reference_arms.json"
GRAVITY = (Fraction(0), Fraction(0), Fraction(-981, 100))

Vec = tuple[Fraction, Fraction, Fraction]
Mat = tuple[Vec, Vec, Vec]


def exact(x: Fraction | int | str) -> mpf:
    """A rational at the current precision."""
    x = Fraction(x)
    return mpf(x.numerator) / x.denominator


@dataclass(frozen=True)
class Path1:
    """x(t) = sum_k poly[k] t^k + sum a sin(w t), (w, a) in sines, + sum a cos(w t) in cosines."""

    poly: tuple[Fraction, ...] = ()
    sines: tuple[tuple[Fraction, Fraction], ...] = ()
    cosines: tuple[tuple[Fraction, Fraction], ...] = ()

    def at(self, t: mpf) -> mpf:
        value = mpf(0)
        for c in reversed(self.poly):
            value = value * t + exact(c)
        for w, a in self.sines:
            value += exact(a) * mp.sin(exact(w) * t)
        for w, a in self.cosines:
            value += exact(a) * mp.cos(exact(w) * t)
        return value

    def rate(self) -> Path1:
        """The path's derivative."""
        return Path1(
            tuple(k * c for k, c in enumerate(self.poly))[1:],
            tuple((w, -a * w) for w, a in self.cosines),
            tuple((w, a * w) for w, a in self.sines),
        )


@dataclass(frozen=True)
class Particle:
    """A mass [kg] and its path in the frame of its body [m]."""

    mass: Fraction
    path: tuple[Path1, Path1, Path1]

    @property
    def moves(self) -> bool:
        """Whether the particle leaves its place in the body."""
        return any(c.sines or c.cosines or any(c.poly[1:]) for c in self.path)


@dataclass(frozen=True)
class ArmJoint:
    """frame = frame(parent) * Trans(offset) * rotation * (Rot(axis, q) or Trans(axis q))."""

    kind: str
    parent: int
    axis: Vec
    offset: Vec
    rotation: Mat


@dataclass(frozen=True)
class Arm:
    """A tree of joints with particles in its bodies; joint l moves body l."""

    joints: tuple[ArmJoint, ...]
    particles: tuple[tuple[Particle, ...], ...]
    gravity: Vec = GRAVITY

    @property
    def n(self) -> int:
        return len(self.joints)


@dataclass(frozen=True)
class ArmState:
    """Time, q, qd, qdd; rationals."""

    t: Fraction
    q: tuple[Fraction, ...]
    qd: tuple[Fraction, ...]
    qdd: tuple[Fraction, ...]


# -- places ---------------------------------------------------------------------------------------


def places(arm: Arm, q: Sequence[mpf], t: mpf) -> list[tuple[mpf, list[mpf]]]:
    """(m, r) of every particle in frame 0: the only kinematics there is here."""
    frames: list[tuple[list[list[mpf]], list[mpf]]] = []
    found: list[tuple[mpf, list[mpf]]] = []
    for joint, particles, angle in zip(arm.joints, arm.particles, q, strict=True):
        R, p = ([[mpf(i == j) for j in range(3)] for i in range(3)], [mpf(0)] * 3)
        if joint.parent >= 0:
            R, p = frames[joint.parent]
        p = _add(p, _apply(R, [exact(x) for x in joint.offset]))
        R = _multiply(R, [[exact(x) for x in row] for row in joint.rotation])
        axis = [exact(x) for x in joint.axis]
        if joint.kind == "R":
            R = _multiply(R, _rotation(axis, angle))
        else:
            p = _add(p, _apply(R, [a * angle for a in axis]))
        frames.append((R, p))
        for particle in particles:
            x = [c.at(t) for c in particle.path]
            found.append((exact(particle.mass), _add(p, _apply(R, x))))
    return found


def _rotation(axis: list[mpf], angle: mpf) -> list[list[mpf]]:
    """Rodrigues' formula."""
    c, s = mp.cos(angle), mp.sin(angle)
    x, y, z = axis
    S = [[mpf(0), -z, y], [z, mpf(0), -x], [-y, x, mpf(0)]]
    return [
        [c * (i == j) + s * S[i][j] + (1 - c) * axis[i] * axis[j] for j in range(3)]
        for i in range(3)
    ]


def _apply(R: list[list[mpf]], x: list[mpf]) -> list[mpf]:
    return [sum((a * b for a, b in zip(row, x, strict=True)), mpf(0)) for row in R]


def _multiply(A: list[list[mpf]], B: list[list[mpf]]) -> list[list[mpf]]:
    return [
        [sum((A[i][k] * B[k][j] for k in range(3)), mpf(0)) for j in range(3)] for i in range(3)
    ]


def _add(a: list[mpf], b: list[mpf]) -> list[mpf]:
    return [x + y for x, y in zip(a, b, strict=True)]


# -- Euler-Lagrange -------------------------------------------------------------------------------


def lagrangian(arm: Arm, q: Sequence[mpf], qd: Sequence[mpf], t: mpf) -> mpf:
    """T - U of the particles; their velocities are differences of their places."""
    h = mpf(_STEP)
    ahead = places(arm, [x + h * v for x, v in zip(q, qd, strict=True)], t + h)
    back = places(arm, [x - h * v for x, v in zip(q, qd, strict=True)], t - h)
    value = mpf(0)
    for (m, r), (_, s) in zip(ahead, back, strict=True):
        value += m * sum(((a - b) / (2 * h)) ** 2 for a, b in zip(r, s, strict=True)) / 2
    g = [exact(x) for x in arm.gravity]
    for m, r in places(arm, q, t):
        value += m * sum(a * b for a, b in zip(g, r, strict=True))
    return value


def torques(arm: Arm, state: ArmState) -> list[mpf]:
    """tau + w of (38): d/dt dL/dqd - dL/dq along q(t + s) = q + s qd + s^2 qdd / 2."""
    with mpmath.workdps(DIGITS):
        h = mpf(_STEP)
        t, q, qd, qdd = _numbers(state)

        def shifted(v: list[mpf], k: int, step: mpf | int) -> list[mpf]:
            return [x + step if i == k else x for i, x in enumerate(v)]

        def momentum(k: int, s: mpf) -> mpf:
            x = [a + s * b + s * s * c / 2 for a, b, c in zip(q, qd, qdd, strict=True)]
            v = [b + s * c for b, c in zip(qd, qdd, strict=True)]
            # L is quadratic in the velocities: this difference is exact for any step
            high = lagrangian(arm, x, shifted(v, k, 1), t + s)
            low = lagrangian(arm, x, shifted(v, k, -1), t + s)
            return (high - low) / 2

        found: list[mpf] = []
        for k in range(arm.n):
            rate = (momentum(k, h) - momentum(k, -h)) / (2 * h)
            high = lagrangian(arm, shifted(q, k, h), qd, t)
            low = lagrangian(arm, shifted(q, k, -h), qd, t)
            found.append(rate - (high - low) / (2 * h))
        return found


def torques_by_forces(arm: Arm, state: ArmState) -> list[mpf]:
    """The same by d'Alembert: sum over the particles of m (r'' - g).dr/dq_k."""
    with mpmath.workdps(DIGITS):
        h = mpf(_STEP)
        t, q, qd, qdd = _numbers(state)

        def along(s: mpf) -> list[tuple[mpf, list[mpf]]]:
            x = [a + s * b + s * s * c / 2 for a, b, c in zip(q, qd, qdd, strict=True)]
            return places(arm, x, t + s)

        g = [exact(x) for x in arm.gravity]
        ahead, here, back = along(h), along(mpf(0)), along(-h)
        forces = [
            [m * ((a - 2 * b + c) / h**2 - gi) for a, b, c, gi in zip(r, s, u, g, strict=True)]
            for (m, r), (_, s), (_, u) in zip(ahead, here, back, strict=True)
        ]
        found: list[mpf] = []
        for k in range(arm.n):
            high = places(arm, [x + h * (i == k) for i, x in enumerate(q)], t)
            low = places(arm, [x - h * (i == k) for i, x in enumerate(q)], t)
            found.append(
                sum(
                    f * (a - b) / (2 * h)
                    for force, (_, r), (_, s) in zip(forces, high, low, strict=True)
                    for f, a, b in zip(force, r, s, strict=True)
                )
            )
        return found


def kinetic_energy(arm: Arm, state: ArmState) -> mpf:
    """T of the particles, their own motion in the bodies included."""
    with mpmath.workdps(DIGITS):
        t, q, qd, _ = _numbers(state)
        falling = Arm(arm.joints, arm.particles, (Fraction(0), Fraction(0), Fraction(0)))
        return lagrangian(falling, q, qd, t)


def _numbers(state: ArmState) -> tuple[mpf, list[mpf], list[mpf], list[mpf]]:
    q, qd, qdd = ([exact(x) for x in v] for v in (state.q, state.qd, state.qdd))
    return exact(state.t), q, qd, qdd


# -- the parameters to compare with ---------------------------------------------------------------


@dataclass(frozen=True)
class Moments:
    """Per body Phi [10], nu, psi [12], mu = (p; ell) and their rates, at one time."""

    theta: list[list[mpf]]
    theta_dot: list[list[mpf]]
    nu: list[mpf]
    psi: list[list[mpf]]
    psi_dot: list[list[mpf]]
    mu: list[list[mpf]]
    mu_dot: list[list[mpf]]


def moments(arm: Arm, t: Fraction) -> Moments:
    """The sums (8), (25), (27) over the particles; rates from the paths' exact derivatives."""
    found = Moments([], [], [], [], [], [], [])
    with mpmath.workdps(DIGITS):
        now = exact(t)
        for particles in arm.particles:
            phi, phi_dot, nu = [mpf(0)] * 10, [mpf(0)] * 10, mpf(0)
            psi, psi_dot = [mpf(0)] * 12, [mpf(0)] * 12
            for particle in particles:
                m = exact(particle.mass)
                rates = [c.rate() for c in particle.path]
                x = [c.at(now) for c in particle.path]
                v = [c.at(now) for c in rates]
                a = [c.rate().at(now) for c in rates]
                phi = _add(phi, [m * y for y in _second_moments(x, x, 1)])
                phi_dot = _add(phi_dot, [2 * m * y for y in _second_moments(x, v, 0)])
                for i in range(3):
                    phi_dot[1 + i] += m * v[i]
                    psi[i] += m * v[i]
                    psi_dot[i] += m * a[i]
                    for j in range(3):
                        psi[3 + 3 * i + j] += m * x[j] * v[i]
                        psi_dot[3 + 3 * i + j] += m * (v[j] * v[i] + x[j] * a[i])
                nu += m * sum(y * y for y in v)
            found.theta.append(phi)
            found.theta_dot.append(phi_dot)
            found.nu.append(nu)
            found.psi.append(psi)
            found.psi_dot.append(psi_dot)
            found.mu.append(_momentum(psi))
            found.mu_dot.append(_momentum(psi_dot))
    return found


def _second_moments(x: list[mpf], y: list[mpf], unit: int) -> list[mpf]:
    """Phi of a unit mass at x = y; for ``unit`` 0 half the derivative of I towards y."""
    dot = sum(a * b for a, b in zip(x, y, strict=True))
    S = [[dot * (i == j) - (x[i] * y[j] + y[i] * x[j]) / 2 for j in range(3)] for i in range(3)]
    first = [mpf(unit), *(unit * a for a in x)]
    return [*first, S[0][0], S[1][1], S[2][2], S[0][1], S[1][2], S[0][2]]


def _momentum(psi: list[mpf]) -> list[mpf]:
    """(p; ell) with ell = sum m x cross v."""
    W = [[psi[3 + 3 * i + j] for i in range(3)] for j in range(3)]  # W[j][i] = sum m x_j v_i
    return [*psi[:3], W[1][2] - W[2][1], W[2][0] - W[0][2], W[0][1] - W[1][0]]


def robot_of(arm: Arm, t: Fraction = Fraction(0)) -> Robot:
    """The arm as a robot, its inertial parameters those of time t (nearest doubles)."""
    theta = moments(arm, t).theta
    joints = tuple(
        Joint(
            name=f"j{k + 1}",
            kind=JointKind.REVOLUTE if joint.kind == "R" else JointKind.PRISMATIC,
            parent=joint.parent,
            rotation=tuple(tuple(number(x) for x in row) for row in joint.rotation),  # type: ignore[arg-type]  # 3 by 3
            translation=tuple(number(x) for x in joint.offset),  # type: ignore[arg-type]  # 3
            axis=tuple(number(x) for x in joint.axis),  # type: ignore[arg-type]  # 3
            coordinate=k,
        )
        for k, joint in enumerate(arm.joints)
    )
    bodies = tuple(
        Body(f"body{k + 1}", tuple(number(Fraction(float(x))) for x in phi))
        for k, phi in enumerate(theta)
    )
    gravity = (number(arm.gravity[0]), number(arm.gravity[1]), number(arm.gravity[2]))
    return Robot("arm", bodies, joints, tuple(j.name for j in joints), gravity)


# -- arms -----------------------------------------------------------------------------------------


def random_arm(seed: int, n: int | None = None, *, kinds: str = "RP", tree: bool = False) -> Arm:
    """A spatial arm of 2 to 6 joints: tilted frames, oblique axes, moving particles all over."""
    rng = random.Random(seed)
    count = n if n is not None else rng.randint(2, 6)
    joints: list[ArmJoint] = []
    particles: list[tuple[Particle, ...]] = []
    for k in range(count):
        axis = [row[0] for row in rational_rotation(rng)]
        joints.append(
            ArmJoint(
                rng.choice(kinds),
                rng.randrange(-1, k) if tree else k - 1,
                _triple(axis),
                _triple([small(rng) for _ in range(3)]),
                _square(rational_rotation(rng)),
            )
        )
        rest = [Particle(_mass(rng), _rest(rng)) for _ in range(4)]
        moving = [Particle(_mass(rng), _motion(rng)) for _ in range(2)]
        particles.append((*rest, *moving))
    return Arm(tuple(joints), tuple(particles), _triple([small(rng), small(rng), GRAVITY[2]]))


def random_state(seed: int, n: int) -> ArmState:
    """Time in [0, 1], coordinates and their rates in [-2, 2]."""
    rng = random.Random(seed)

    def vector() -> tuple[Fraction, ...]:
        return tuple(2 * small(rng) for _ in range(n))

    return ArmState(Fraction(rng.randint(0, 12), 12), vector(), vector(), vector())


def _mass(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 9), 5)


def _rest(rng: random.Random) -> tuple[Path1, Path1, Path1]:
    a, b, c = (Path1((small(rng),)) for _ in range(3))
    return a, b, c


def _motion(rng: random.Random) -> tuple[Path1, Path1, Path1]:
    def coordinate() -> Path1:
        poly = (small(rng), small(rng) / 4, small(rng) / 4)
        wave = (Fraction(rng.randint(1, 4)), small(rng) / 4)
        return Path1(poly, (wave,)) if rng.random() < 0.5 else Path1(poly, (), (wave,))

    return coordinate(), coordinate(), coordinate()


def _triple(v: Sequence[Fraction]) -> Vec:
    return v[0], v[1], v[2]


def _square(m: Sequence[Sequence[Fraction]]) -> Mat:
    return _triple(m[0]), _triple(m[1]), _triple(m[2])


# -- reference arms -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReferenceArm:
    """A reference arm, its state, and its numbers by name (tau, M, C, Md, H, G, JQPsi, …)."""

    name: str
    arm: Arm
    state: ArmState
    values: dict[str, Any]


def reference_arms() -> list[ReferenceArm]:
    """The two reference arms."""
    stored = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return [_reference(name, entry) for name, entry in stored["arms"].items()]


def _reference(name: str, entry: dict[str, Any]) -> ReferenceArm:
    joints = tuple(
        ArmJoint(
            joint["kind"],
            k - 1,
            _triple(_fractions(joint["axis"])),
            _triple(_fractions(joint["offset"])),
            _square([_fractions(row) for row in joint["rotation"]]),
        )
        for k, joint in enumerate(entry["joints"])
    )
    bodies = tuple(
        tuple(
            Particle(Fraction(p["mass"]), tuple(_path(c) for c in p["path"]))  # type: ignore[arg-type]  # three
            for p in body
        )
        for body in entry["particles"]
    )
    s = entry["state"]
    state = ArmState(Fraction(s["t"]), *(tuple(_fractions(s[key])) for key in ("q", "qd", "qdd")))
    return ReferenceArm(name, Arm(joints, bodies), state, entry["values"])


def _fractions(texts: list[str]) -> list[Fraction]:
    return [Fraction(text) for text in texts]


def _path(c: dict[str, Any]) -> Path1:
    def waves(key: str) -> tuple[tuple[Fraction, Fraction], ...]:
        return tuple((Fraction(w), Fraction(a)) for w, a in c.get(key, []))

    return Path1(tuple(_fractions(c["poly"])), waves("sin"), waves("cos"))
