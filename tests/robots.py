"""Random robots with exact numbers: any tree, any joint kind, any axis, consistent inertia."""

from __future__ import annotations

import random
from fractions import Fraction

from symdyn.algebra.term import ZERO, Term, number
from symdyn.model.robot import Body, Joint, JointKind, Robot

KINDS = (JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.HELICAL, JointKind.CONTINUOUS)


def small(rng: random.Random) -> Fraction:
    """A fraction in [-1, 1] with a small denominator."""
    return Fraction(rng.randint(-12, 12), 12)


def rational_rotation(rng: random.Random) -> list[list[Fraction]]:
    """An exactly orthonormal matrix of fractions, from an integer quaternion."""
    while True:
        w, x, y, z = (rng.randint(-3, 3) for _ in range(4))
        s = w * w + x * x + y * y + z * z
        if s:
            break
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return [[Fraction(e, s) for e in row] for row in rows]


def random_phi(rng: random.Random, particles: int = 6) -> list[Fraction]:
    """Ten parameters of a cloud of particles, hence physically consistent."""
    m, h, inertia = Fraction(0), [Fraction(0)] * 3, [[Fraction(0)] * 3 for _ in range(3)]
    for _ in range(particles):
        mass = Fraction(rng.randint(1, 9), 5)
        x = [small(rng) for _ in range(3)]
        square = sum(c * c for c in x)
        m += mass
        for i in range(3):
            h[i] += mass * x[i]
            for j in range(3):
                inertia[i][j] += mass * ((square if i == j else 0) - x[i] * x[j])
    i = inertia
    return [m, *h, i[0][0], i[1][1], i[2][2], i[0][1], i[1][2], i[0][2]]


def random_robot(
    seed: int,
    n: int | None = None,
    *,
    kinds: tuple[JointKind, ...] = KINDS,
    tree: bool = True,
    mimic: bool = False,
) -> Robot:
    """A robot drawn from ``seed``; bodies stand in depth-first order."""
    rng = random.Random(seed)
    bodies: list[Body] = []
    joints: list[Joint] = []
    coordinates: list[str] = []
    path: list[int] = []
    for i in range(n if n is not None else rng.randint(1, 6)):
        if tree and path and rng.random() < 0.35:
            path = path[: rng.randint(0, len(path))]
        kind = rng.choice(kinds)
        if rng.random() < 0.4:
            axis = [row[0] for row in rational_rotation(rng)]
        else:
            axis = [Fraction(0)] * 3
            axis[rng.randrange(3)] = Fraction(rng.choice((-1, 1)))
        follows = mimic and coordinates and rng.random() < 0.4
        if not follows:
            coordinates.append(f"joint {i}")
        R = rational_rotation(rng) if rng.random() < 0.7 else quarter(rng)
        joints.append(
            Joint(
                name=f"joint {i}",
                kind=kind,
                parent=path[-1] if path else -1,
                rotation=_matrix(R),
                translation=_vector([small(rng) for _ in range(3)]),
                axis=_vector(axis),
                coordinate=rng.randrange(len(coordinates)) if follows else len(coordinates) - 1,
                multiplier=number(Fraction(rng.randint(-6, 6), 4) or 2 if follows else 1),
                offset=number(small(rng)) if follows else ZERO,
                pitch=number(Fraction(rng.randint(1, 5), 10))
                if kind is JointKind.HELICAL
                else ZERO,
                armature=number(Fraction(rng.randint(0, 3), 10)),
                damping=number(Fraction(rng.randint(0, 3), 10)),
                friction=number(Fraction(rng.randint(0, 3), 10)),
            )
        )
        bodies.append(Body(f"body {i}", tuple(number(x) for x in random_phi(rng))))
        path.append(i)
    gravity = _vector([small(rng), small(rng), Fraction(-981, 100)])
    return Robot(f"random {seed}", tuple(bodies), tuple(joints), tuple(coordinates), gravity)


def quarter(rng: random.Random) -> list[list[Fraction]]:
    """A rotation that permutes the coordinate axes, with determinant 1."""
    p = [0, 1, 2]
    rng.shuffle(p)
    signs = [rng.choice((-1, 1)) for _ in range(3)]
    R = [[Fraction(signs[i] if p[i] == j else 0) for j in range(3)] for i in range(3)]
    a, b, c = R
    determinant = (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
    return R if determinant == 1 else [[-x for x in row] for row in R]


def _vector(v: list[Fraction]) -> tuple[Term, Term, Term]:
    return number(v[0]), number(v[1]), number(v[2])


def _matrix(m: list[list[Fraction]]) -> tuple[tuple[Term, Term, Term], ...]:
    return _vector(m[0]), _vector(m[1]), _vector(m[2])  # type: ignore[return-value]
