# %% [markdown]
# # A flywheel in an arm: constant parameters, and yet $H \ne 0$
#
# **Claim.** A cylinder of mass $M$ and radius $R$ that spins with the rate $w$ about its axis, in
# link 2 of a two-joint arm, has $\dot\Phi = 0$, $\nu = M R^2 w^2 / 2$ and $\ell = M R^2 w / 2$
# along its axis. Equation (39) keeps one term more than the classical one, $H(q, \Psi) \dot q$,
# which does no work. With joint 1 vertical, joint 2 level and $q_2$ the angle between the wheel's
# axis and the vertical,
#
# $$ H = \ell \sin q_2 \begin{bmatrix} 0 & -1 \\ 1 & 0 \end{bmatrix}, $$
#
# and with the axis level the arm precesses steadily at $\dot q_1 = M g d / \ell$, where $d$ is the
# distance of the wheel from the joints: the textbook's gyroscope.
#
# **Source.** Equations (25)–(43) of the paper on time-dependent inertia; its remark that mass which
# moves makes $\Phi$ time dependent is refuted here. Precession: Goldstein, Poole, Safko 2002,
# section 5.7.

# %% [markdown]
# ## Setup
# Joint 1 turns about $z$, joint 2 about $x$. The wheel stands at $d$ on the $z$ axis of link 2 and
# spins about it against the link, at a rate that its motor keeps. Link 1 is a small ball.

# %%
import sys
from pathlib import Path

import numpy as np
import sympy

from symdyn import build_robot, dynamics, over
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import ONE, TERMS, ZERO, number
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
from symdyn.mass import TIME, X, ball, continuity_of, cylinder, distribution, moments, part
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.model.description import JointDescription, LinkDescription, RobotDescription
from symdyn.report.time_figure import Curve, Panel, time_figure
from symdyn.simulate.changing_mass import simulate_changing_mass
from symdyn.spatial.rotation import identity

upright, here = identity(TERMS), (ZERO, ZERO, ZERO)
arm = build_robot(
    RobotDescription(
        "gimbal",
        (
            LinkDescription("base", None),
            LinkDescription("ring", (ZERO,) * 10, symbolic=(False,) * 10),
            LinkDescription("rod", (ZERO,) * 10, symbolic=(False,) * 10),
        ),
        (
            JointDescription("turn", "revolute", "base", "ring", upright, here, (ZERO, ZERO, ONE)),
            JointDescription("tilt", "revolute", "ring", "rod", upright, here, (ONE, ZERO, ZERO)),
        ),
        (ZERO, ZERO, number("-9.81")),
        "derivation",
    )
)
M, R, d, g = (sympy.Rational(v) for v in ("2", "1/5", "3/10", "981/100"))
w = sympy.Integer(60)
ring = distribution(part(ball(sympy.Rational(1, 10)), mass=1))
wheel = distribution(
    part(
        cylinder(R, sympy.Rational(1, 20)),
        mass=M,
        velocity=[-w * X[1], w * X[0], 0],
        at=[0, 0, d],
        name="wheel",
    )
)

# %% [markdown]
# ## Derivation
# **Step 1, moments.** Every integral is exact.

# %%
found = moments(wheel)
ell = found.mu[5]
print("Phi' =", set(found.phi_dot), " nu =", found.nu, " (p; ell) =", found.mu)
print(continuity_of(found).sentence())

# %% [markdown]
# **Step 2, H.** Closed form from the bodies' momenta, evaluated over SymPy.

# %%
x = coordinates(arm)
psi = [sympy.Integer(0)] * 12 + list(found.psi)
H = sympy.Matrix(dynamics.gyroscopic_matrix(over(arm, SYMPY), list(x.q), psi))
print("H =", H.tolist())

# %% [markdown]
# **Step 3, motion.** Released from rest with the axis tilted by 1.2 rad; the same with a wheel that
# stands still; and the steady precession.

# %%
spinning = with_mass(arm, {"ring": mass_motion(moments(ring)), "rod": mass_motion(found)})
resting = moments(distribution(part(cylinder(R, sympy.Rational(1, 20)), mass=M, at=[0, 0, d])))
standing = with_mass(spinning, {"rod": mass_motion(resting)})
times = np.linspace(0, 3, 901)
run = simulate_changing_mass(spinning, [0.0, 1.2], [0.0, 0.0], times.tolist())
fall = simulate_changing_mass(standing, [0.0, 1.2], [0.0, 0.0], times.tolist())
rate = float(M * g * d / ell)
steady = simulate_changing_mass(spinning, [0.0, np.pi / 2], [rate, 0.0], times.tolist())
print(f"steady precession {rate:.4f} rad/s; imbalance {np.abs(run.imbalance).max():.1e} J")

# %% [markdown]
# ## Check
# **The claim.** Parameters constant, momentum and H as stated.

# %%
assert set(found.phi_dot) == {0}
assert (found.nu, ell) == (M * R**2 * w**2 / 2, M * R**2 * w / 2)
assert found.mu[:5] == (0, 0, 0, 0, 0)
claimed = ell * sympy.sin(x.q[1]) * sympy.Matrix([[0, -1], [1, 0]])
graph = Graph()
sides = from_sympy(graph, [*H.flat(), *claimed.flat()])
verdict = equal(graph, sides[:4], sides[4:], claim="H is as claimed")
print(verdict.text())
assert verdict.kind is VerdictKind.PROVED

# %% [markdown]
# **The balance.** H does no work and the parameters are constant, so $\tfrac12 \dot q^\top M \dot q
# + U$ is kept although the wheel's motor gives and takes power.

# %%
energy = run.kinetic + run.potential
print(f"energy kept to {np.abs(energy - energy[0]).max():.1e} J of {run.kinetic.max():.2f} J")
assert np.abs(energy - energy[0]).max() < 1e-10
assert np.abs(run.imbalance).max() < 1e-10
assert np.abs(run.mass.moved).max() < 1e-12

# %% [markdown]
# **Steady precession.** The axis stays level. Without $H$ the wheel falls like a stone.

# %%
assert np.abs(steady.q[:, 1] - np.pi / 2).max() < 1e-10
assert np.abs(steady.q[:, 0] - rate * times).max() < 1e-10
assert fall.q[:, 1].max() > np.pi > run.q[:, 1].max()

# %% [markdown]
# **An independent road.** Lagrange straight from the density and the velocity field of the wheel
# gives the same equation, proved; and the momentum about the vertical, $\partial T / \partial \dot
# q_1$, which no torque changes, is kept along the motion.

# %%
bodies = [ring, wheel]
T = kinetic_energy_of_mass(arm, x, bodies)
lagrange = generalized_torques(T, potential_energy_of_mass(arm, x, bodies), x)
zero = [sympy.Integer(0)]
recursion = dynamics.generalized_inverse_dynamics(
    over(arm, SYMPY),
    list(x.q), list(x.qd), list(x.qdd),
    [*moments(ring).phi, *found.phi], zero * 20, psi, zero * 24,
)  # fmt: skip
sides = from_sympy(graph, [*lagrange.flat(), *recursion])
verdict = equal(graph, sides[:2], sides[2:], claim="Lagrange = recursion")
print(verdict.text())
assert verdict.kind is VerdictKind.PROVED
vertical = sympy.diff(T, x.qd[0])
kept = [
    float(vertical.subs(dict(zip((*x.q, *x.qd), (*q, *qd), strict=True))))
    for q, qd in zip(run.q[::60].tolist(), run.v[::60].tolist(), strict=True)
]
print(f"vertical momentum kept to {max(kept) - min(kept):.1e} N m s")
assert max(kept) - min(kept) < 1e-10
assert not vertical.has(TIME)

# %% [markdown]
# ## Result
# The motion, as a picture with `--write DIR`.

# %%
picture = time_figure(
    "A flywheel in a gimbal, released from rest",
    [
        Panel(
            "tilt q2 [rad]",
            (
                Curve("released, w = 60 rad/s", times, run.q[:, 1]),
                Curve("level, with M g d / l", times, steady.q[:, 1]),
                Curve("released, wheel stands", times, fall.q[:, 1], dashed=True),
            ),
        ),
        Panel(
            "turn q1 [rad]",
            (
                Curve("released, w = 60 rad/s", times, run.q[:, 0]),
                Curve("level, with M g d / l", times, steady.q[:, 0]),
                Curve("released, wheel stands", times, fall.q[:, 0], dashed=True),
            ),
        ),
        Panel(
            "energy [J]",
            (
                Curve("qd' M qd / 2", times, run.kinetic),
                Curve("U, from the start", times, run.potential - run.potential[0]),
            ),
        ),
        Panel(
            "|imbalance| [J]", (Curve("|gain - works|", times[1:], run.imbalance[1:]),), is_log=True
        ),
    ],
)
if "--write" in sys.argv:
    folder = Path(sys.argv[sys.argv.index("--write") + 1])
    (folder / "flywheel.png").write_bytes(picture)
print(f"picture of {len(picture) // 1000} kB")

# %% [markdown]
# ## What this does not show
# The motor keeps the spin against the link constant and feeds what that takes; a free wheel would
# be one more coordinate, its momentum about the axis constant instead. Bearings have no friction.
