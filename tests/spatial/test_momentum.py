"""psi moved to another frame is psi of the moved particles."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from symdyn.spatial.momentum import Psi, add_psi, as_psi, move_psi
from symdyn.spatial.vector import add, apply
from tests.robots import rational_rotation, small

Vec = tuple[Fraction, Fraction, Fraction]


def _psi(particles: list[tuple[Fraction, Vec, Vec]]) -> Psi[Fraction]:
    total = [Fraction(0)] * 12
    for m, x, v in particles:
        for i in range(3):
            total[i] += m * v[i]
            for j in range(3):
                total[3 + 3 * i + j] += m * x[j] * v[i]
    return as_psi(total)


@given(st.integers(0, 10**6))
def test_moving_psi_moves_the_particles(seed: int) -> None:
    rng = random.Random(seed)

    def vector() -> Vec:
        return small(rng), small(rng), small(rng)

    rows = rational_rotation(rng)
    R = tuple((row[0], row[1], row[2]) for row in rows)
    p = vector()
    cloud = [(Fraction(rng.randint(1, 9), 4), vector(), vector()) for _ in range(4)]
    moved = [(m, add(apply(R, x), p), apply(R, v)) for m, x, v in cloud]  # type: ignore[arg-type]  # 3 rows
    assert move_psi(R, p, _psi(cloud)) == _psi(moved)  # type: ignore[arg-type]  # 3 rows
    assert add_psi(_psi(cloud[:2]), _psi(cloud[2:])) == _psi(cloud)
