# %% [markdown]
# # A slug that slides along a link
#
# **Claim.** A mass $M$ that a drive inside link 2 moves along $x(t) = (s(t), d, 0)$ has
# $p = (M \dot s, 0, 0)$ and $\ell_3 = -M d \dot s$. In the plane, with joint axes along $z$, it
# enters the equation of motion through
#
# $$
# H = l_1 (p_x \cos q_2 - p_y \sin q_2) \begin{bmatrix} 0 & 1 \\ -1 & 0 \end{bmatrix}, \qquad
# J^\top \mathcal Q \Psi = \begin{bmatrix} \ell_3 + l_1 (p_x \sin q_2 + p_y \cos q_2) \\ \ell_3
#   \end{bmatrix},
# $$
#
# beside $M(q, \dot\Theta)$. Leaving out $H$ and $\dot\Psi$, as a mass matrix that is merely made
# a function of time does, gives wrong torques. The energies balance.
#
# **Source.** Equations (25)–(43) of the paper on time-dependent inertia, with $J$ the geometric
# body Jacobian and $\mathcal Q = \mathrm{diag}(1, -S T)$ for body twists.

# %% [markdown]
# ## Setup
# The built-in planar arm, its second link as it is with the slug added. The arm stands upright in
# gravity and is driven by nothing: only the slug's drive does work.

# %%
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import sympy

from symdyn import dynamics, load_robot, over
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import ZERO
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.expr.sympy_border import from_sympy
from symdyn.expr.verdict import VerdictKind
from symdyn.lagrange import (
    coordinates,
    generalized_torques,
    kinetic_energy_of_mass,
    potential_energy_of_mass,
)
from symdyn.mass import (
    TIME,
    continuity_of,
    cylinder,
    distribution,
    moments,
    part,
    particle,
    rpy,
)
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.report.time_figure import Curve, Panel, time_figure
from symdyn.simulate.changing_mass import simulate_changing_mass

t = TIME
arm = load_robot("planar2r")
M, d, l1 = sympy.Rational(3, 2), sympy.Rational(1, 10), 1
s = sympy.Rational(2, 5) + sympy.Rational(3, 10) * sympy.sin(4 * t)
along_x = rpy(0, sympy.pi / 2, 0)
rod = part(
    cylinder(sympy.Rational(3, 100), sympy.Rational(4, 5)),
    mass=2,
    at=[sympy.Rational(2, 5), 0, 0],
    rotation=along_x,
)
link2 = distribution(rod, particle(M, [s, d, 0], name="slug"))
link1 = distribution(
    part(
        cylinder(sympy.Rational(3, 100), 1), mass=3, at=[sympy.Rational(1, 2), 0, 0],
        rotation=along_x,
    )
)  # fmt: skip

# %% [markdown]
# ## Derivation
# **Step 1, moments.** Exact integrals over the cylinder and the slug; the rates are derivatives.

# %%
found = moments(link2)
print("p   =", found.mu[:3])
print("ell =", found.mu[3:])
print("I33 =", found.phi[6])
print(continuity_of(found).sentence())

# %% [markdown]
# **Step 2, the terms of the equation.** The recursions over SymPy, with these moments.

# %%
x = coordinates(arm)
model = over(arm, SYMPY)
zero = sympy.Integer(0)
psi = [zero] * 12 + list(found.psi)
H = sympy.Matrix(dynamics.gyroscopic_matrix(model, list(x.q), psi))
momentum = sympy.Matrix(dynamics.momentum_map(model, list(x.q))) * sympy.Matrix(psi)
print("H12     =", H[0, 1])
print("J'Q Psi =", momentum.tolist())

# %% [markdown]
# **Step 3, motion.** Equation (39) with DOP853, tolerance 1e-12; the work of the slug on $\tfrac12
# \dot q^\top M \dot q + U$ is integrated beside the motion.

# %%
moving = with_mass(arm, {"link2": mass_motion(found)})
times = np.linspace(0, 6, 601)
start = ([1.4, 0.3], [0.0, 0.0])
run = simulate_changing_mass(moving, *start, times.tolist())
balance = float(np.abs(run.imbalance).max())
print(f"largest imbalance {balance:.1e} J, of works up to {np.abs(run.mass.moved).max():.1f} J")

# %% [markdown]
# ## Check
# **The claim, letter by letter.**

# %%
rate = sympy.diff(s, t)
assert found.mu == (M * rate, 0, 0, 0, 0, -M * d * rate)
c2, s2 = sympy.cos(x.q[1]), sympy.sin(x.q[1])
claimed = [
    l1 * M * rate * c2,
    -M * d * rate + l1 * M * rate * s2,
    -M * d * rate,
]
graph = Graph()
sides = from_sympy(graph, [H[0, 1], *momentum.flat(), *claimed])
verdict = equal(graph, sides[:3], sides[3:], claim="H and J'Q Psi are as claimed")
print(verdict.text())
assert verdict.kind is VerdictKind.PROVED

# %% [markdown]
# **The balance.** $\frac{d}{dt} \tfrac12 \dot q^\top M \dot q = \dot q^\top (\tau - g - J^\top
# \mathcal Q \dot\Psi) - \tfrac12 \dot q^\top M(q, \dot\Theta) \dot q$ holds along the motion.

# %%
assert balance < 1e-10 * run.kinetic.max()

# %% [markdown]
# **An independent road.** Lagrange straight from the two mass distributions: no inertial
# parameter, no Jacobian of a recursion, explicit time. At states of the motion its torques are
# compared with the recursive equation.

# %%
fixed = replace(arm, bodies=tuple(replace(b, symbolic=(False,) * 10) for b in arm.bodies))
y = coordinates(fixed)
T = kinetic_energy_of_mass(fixed, y, [link1, link2])
U = potential_energy_of_mass(fixed, y, [link1, link2])
torques = generalized_torques(T, U, y)
numbers = over(arm, FLOAT64)


def at(values: tuple[sympy.Expr, ...], when: float) -> list[float]:
    return [float(v.subs(t, when)) for v in values]


def at_all(value: sympy.Expr, when: np.ndarray) -> list[float]:
    return [at((value,), float(moment))[0] for moment in when]


worst = without = 0.0
for k in (40, 250, 590):
    q, qd, qdd = run.q[k].tolist(), run.v[k].tolist(), [0.7, -1.1]
    now = float(times[k])
    state = dict(zip((*y.q, *y.qd, *y.qdd, t), (*q, *qd, *qdd, now), strict=True))
    lagrange = np.array(torques.subs(state), float).ravel()
    one = moments(link1).phi
    theta, theta_dot = at((*one, *found.phi), now), [0.0] * 10 + at(found.phi_dot, now)
    psi_now, psi_dot = ([0.0] * 12 + at(v, now) for v in (found.psi, found.psi_dot))
    recursive = dynamics.generalized_inverse_dynamics(
        numbers, q, qd, qdd, theta, theta_dot, psi_now, psi_dot
    )
    naive = dynamics.generalized_inverse_dynamics(
        numbers, q, qd, qdd, theta, theta_dot, [0.0] * 24, [0.0] * 24
    )
    worst = max(worst, float(np.abs(lagrange - recursive).max()))
    without = max(without, float(np.abs(lagrange - naive).max()))
print(f"Lagrange and recursion differ by {worst:.1e} N m")
print(f"without H and Psi' the torques are off by up to {without:.1f} N m")
assert worst < 1e-11
assert without > 1

# %% [markdown]
# ## Result
# The motion and its balance, as a picture with `--write DIR`.

# %%
slug_motion = mass_motion(found)
still = replace(slug_motion, psi=(ZERO,) * 12, psi_dot=(ZERO,) * 12)
naive_run = simulate_changing_mass(with_mass(arm, {"link2": still}), *start, times.tolist())
picture = time_figure(
    "A slug that slides along link 2 of a planar arm",
    [
        Panel("slug s [m]", (Curve("s(t)", times, np.array(at_all(s, times))),)),
        *(
            Panel(
                f"q{k + 1} [rad]",
                (
                    Curve(f"joint {k + 1}", times, run.q[:, k]),
                    Curve("no H, no Psi'", times, naive_run.q[:, k], dashed=True),
                ),
            )
            for k in range(2)
        ),
        Panel(
            "energy [J]",
            (
                Curve("gain of qd' M qd / 2", times, run.kinetic - run.kinetic[0]),
                Curve("gain of U", times, run.potential - run.potential[0]),
                Curve("work of the slug on both", times, run.mass.moved),
            ),
        ),
        Panel(
            "|imbalance| [J]", (Curve("|gain - works|", times[1:], run.imbalance[1:]),), is_log=True
        ),
    ],
)
if "--write" in sys.argv:
    folder = Path(sys.argv[sys.argv.index("--write") + 1])
    (folder / "sliding_slug.png").write_bytes(picture)
print(f"picture of {len(picture) // 1000} kB; end state {run.q[-1]} rad, {run.v[-1]} rad/s")

# %% [markdown]
# ## What this does not show
# The slug follows its path whatever force that takes; a slug on a spring would be one more
# coordinate. That the drive can give the power is not asked. Friction is left out.
