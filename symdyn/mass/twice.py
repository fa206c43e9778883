"""Does a map from a box reach some place twice? Looked for, not proved.

From irregular nodes of the box whose images are near the image of another, far away node, Newton's
method goes for the same place. Where it arrives inside the box, the place is reached twice and the
integral over the map would count it twice.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy
from scipy.spatial import KDTree

from symdyn.mass.coordinates import TIME, replace
from symdyn.mass.sampling import Array, Values, irregular, place_on, unfold, values_at
from symdyn.mass.shape import Chart

_NODES, _TARGETS, _NEIGHBOURS, _STEPS = 4000, 400, 32, 30
#: Fractions of the box that count as far apart, before and after Newton's method.
_FAR, _APART = 0.15, 0.05
#: Distance from the rim of the box at which a second place counts.
_RIM = 1e-3


def second_way(chart: Chart, values: Values, t: sympy.Expr) -> tuple[float, float, float] | None:
    """A place that two places of a chart with three coordinates are mapped to, if one is found."""
    u = unfold(chart, values, t)
    place = [replace(e, {TIME: t}) for e in place_on(chart, values, u)]
    slopes = [sympy.diff(e, letter) for e in place for letter in u.letters]

    def at(f: Array, fields: Sequence[sympy.Expr]) -> Array:
        return values_at(fields, dict(zip(u.letters, f, strict=True)))

    start = irregular(3, _NODES)
    images = at(start, place)
    tree = KDTree(images.T)
    targets = images[:, :_TARGETS]
    near = np.asarray(tree.query(targets.T, k=_NEIGHBOURS)[1])
    pairs: list[tuple[int, int]] = []
    for i, row in enumerate(near):
        far = [j for j in row if np.max(np.abs(start[:, j] - start[:, i])) > _FAR]
        pairs.extend((i, int(j)) for j in far[:2])
    if not pairs:
        return None
    first, second = np.array(pairs).T
    goal, f = images[:, first], start[:, second]
    for _ in range(_STEPS):
        jacobian = at(f, slopes).reshape(3, 3, -1).transpose(2, 0, 1)
        step = np.einsum("nij,jn->in", np.linalg.pinv(jacobian), goal - at(f, place))
        f = np.clip(f + np.clip(step, -0.1, 0.1), 0, 1)
    size = float(np.max(np.ptp(images, axis=1)))
    volume = np.abs(np.linalg.det(at(f, slopes).reshape(3, 3, -1).transpose(2, 0, 1)))
    is_same = np.max(np.abs(goal - at(f, place)), axis=0) < 1e-9 * size
    is_inside = np.all((f > _RIM) & (f < 1 - _RIM), axis=0)
    is_other = np.max(np.abs(f - start[:, first]), axis=0) > _APART
    good = np.flatnonzero(is_same & is_inside & is_other & (volume > 1e-6 * size**3))
    if not len(good):
        return None
    x, y, z = (float(c) for c in goal[:, good[0]])
    return x, y, z
