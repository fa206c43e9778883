# %% [markdown]
# # Liquid that sloshes in a drum
#
# **Claim.** A drum of radius $R$ in the last link, its axis along the joint axis, is half full; the
# liquid of mass $M$ swings in it as a whole by the angle $\beta(t)$ against the drum. Then $I_{33}$
# about the drum's axis does not change, $h = \frac{4 M R}{3 \pi} (\cos\beta, \sin\beta, 0)$ turns,
# $p = \dot h$ and $\ell_3 = M R^2 \dot\beta / 2$. A mass matrix made a function of time, with
# $M(q, \dot\Theta)$ but without $H$ and $\dot\Psi$, has no torque from the swing that a resting arm
# feels; the equation (39) has it.
#
# **Source.** Equations (25)–(43) of the paper on time-dependent inertia; centre of a half disk:
# $4 R / (3 \pi)$, any table of centroids.

# %% [markdown]
# ## Setup
# The built-in planar arm in a horizontal plane, the drum's axis on joint 2. The liquid swings with
# $\beta = \frac12 \sin 5 t$.

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
    cylinder_shell,
    distribution,
    half_cylinder,
    moments,
    part,
    rod,
    rpy,
)
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.report.time_figure import Curve, Panel, time_figure
from symdyn.simulate.changing_mass import simulate_changing_mass

t = TIME
M, R, height = (sympy.Rational(v) for v in ("2", "1/4", "3/10"))
beta = sympy.sin(5 * t) / 2
liquid = part(half_cylinder(R, height), mass=M, rotation=rpy(0, 0, beta), name="liquid")
drum = part(cylinder_shell(R, height), mass=sympy.Rational(1, 2), name="drum")
link1 = distribution(part(rod([0, 0, 0], [1, 0, 0]), mass=3))
link2 = distribution(drum, liquid)
level = load_robot("planar2r")
fixed = tuple(replace(body, symbolic=(False,) * 10) for body in level.bodies)
level = replace(level, bodies=fixed, gravity=(ZERO, ZERO, ZERO))

# %% [markdown]
# ## Derivation
# **Step 1, moments.** The liquid is carried along by the moving pose of its part.

# %%
found = moments(link2)
print("h   =", found.phi[1:4])
print("p   =", found.mu[:3])
print("ell =", found.mu[3:], " I33 =", found.phi[6], " nu =", found.nu)
print(continuity_of(found).sentence())

# %% [markdown]
# **Step 2, motion.** The arm starts at rest with free joints; whatever moves it is the liquid.

# %%
swing = mass_motion(found)
base = {"link1": mass_motion(moments(link1))}
times = np.linspace(0, 4, 601)
start = ([0.0, 0.5], [0.0, 0.0])
run = simulate_changing_mass(with_mass(level, {**base, "link2": swing}), *start, times.tolist())
frozen = replace(swing, psi=(ZERO,) * 12, psi_dot=(ZERO,) * 12)
naive = simulate_changing_mass(with_mass(level, {**base, "link2": frozen}), *start, times.tolist())
print(f"imbalance {np.abs(run.imbalance).max():.1e} J of {run.kinetic.max():.3f} J")
print(f"the arm moves by {np.abs(run.q - run.q[0]).max():.3f} rad; without Psi it stays")

# %% [markdown]
# ## Check
# **The claim.**

# %%
speed = sympy.diff(beta, t)
arm_of_h = 4 * M * R / (3 * sympy.pi)
graph = Graph()
stated = [
    arm_of_h * sympy.cos(beta), arm_of_h * sympy.sin(beta),
    -arm_of_h * speed * sympy.sin(beta), arm_of_h * speed * sympy.cos(beta),
    M * R**2 * speed / 2, M * R**2 * speed**2 / 2,
]  # fmt: skip
computed = [*found.phi[1:3], *found.mu[:2], found.mu[5], found.nu]
sides = from_sympy(graph, [*computed, *stated])
verdict = equal(graph, sides[:6], sides[6:], claim="h, p, ell and nu are as claimed")
print(verdict.text())
assert verdict.holds
assert found.phi_dot[6] == 0

# %% [markdown]
# **The balance.** The work of the swinging liquid is all that drives the arm.

# %%
assert np.abs(run.imbalance).max() < 1e-10
assert run.kinetic.max() > 0.01
assert np.abs(naive.q - naive.q[0]).max() == 0

# %% [markdown]
# **An independent road.** Lagrange straight from the densities and the moving pose. As no torque
# and no gravity act, $\partial T / \partial \dot q_1$, the angular momentum about joint 1 of arm,
# drum and liquid, stays what it was at the start; and the equations are the same function.

# %%
x = coordinates(level)
bodies = [link1, link2]
T = kinetic_energy_of_mass(level, x, bodies)
lagrange = generalized_torques(T, potential_energy_of_mass(level, x, bodies), x)
zero = [sympy.Integer(0)]
recursion = dynamics.generalized_inverse_dynamics(
    over(level, SYMPY),
    list(x.q), list(x.qd), list(x.qdd),
    [*moments(link1).phi, *found.phi], zero * 10 + list(found.phi_dot),
    zero * 12 + list(found.psi), zero * 12 + list(found.psi_dot),
)  # fmt: skip
sides = from_sympy(graph, [*lagrange.flat(), *recursion])
verdict = equal(graph, sides[:2], sides[2:], claim="Lagrange = recursion")
print(verdict.text())
assert verdict.kind in (VerdictKind.PROVED, VerdictKind.PROBABILISTIC)
about_joint_1 = sympy.diff(T, x.qd[0])
kept = [
    float(about_joint_1.subs(dict(zip((*x.q, *x.qd, t), (*q, *qd, now), strict=True))))
    for q, qd, now in zip(
        run.q[::40].tolist(), run.v[::40].tolist(), times[::40].tolist(), strict=True
    )
]
print(f"angular momentum {kept[0]:.6f} N m s, kept to {max(kept) - min(kept):.1e}")
assert max(kept) - min(kept) < 1e-11
assert abs(kept[0]) > 0.1

# %% [markdown]
# **A resting arm feels the swing.** At $q = $ const the torques are $J^\top \mathcal Q \dot\Psi$:
# on joint 2, $M R^2 \ddot\beta / 2$.

# %%
now = 0.9
there = {t: sympy.Rational(9, 10)}
psi_dot = [0.0] * 12 + [float(v.subs(there)) for v in found.psi_dot]
torque = np.array(dynamics.momentum_map(over(level, FLOAT64), [0.0, 0.5])) @ psi_dot
by_hand = float((M * R**2 / 2 * sympy.diff(speed, t)).subs(there))
print(f"torque at rest {torque}, by hand on joint 2 {by_hand:.6f} N m")
assert abs(torque[1] - by_hand) < 1e-14

# %% [markdown]
# ## Result
# The motion, as a picture with `--write DIR`.

# %%
angle = np.sin(5 * times) / 2
whole = run.kinetic + run.mass.relative
picture = time_figure(
    "Half a drum of liquid swings in link 2; the arm is free and starts at rest",
    [
        Panel("swing [rad]", (Curve("beta(t)", times, angle),)),
        Panel(
            "q - q(0) [rad]",
            (
                Curve("joint 1", times, run.q[:, 0]),
                Curve("joint 2", times, run.q[:, 1] - 0.5),
                Curve("1, no H, no Psi'", times, naive.q[:, 0], dashed=True),
                Curve("2, no H, no Psi'", times, naive.q[:, 1] - 0.5, dashed=True),
            ),
        ),
        Panel(
            "energy [J]",
            (
                Curve("qd' M qd / 2", times, run.kinetic),
                Curve("all of T", times, whole),
            ),
        ),
        Panel(
            "|imbalance| [J]", (Curve("|gain - works|", times[1:], run.imbalance[1:]),), is_log=True
        ),
    ],
)
if "--write" in sys.argv:
    folder = Path(sys.argv[sys.argv.index("--write") + 1])
    (folder / "sloshing.png").write_bytes(picture)
print(f"picture of {len(picture) // 1000} kB")

# %% [markdown]
# ## What this does not show
# The swing is given, not found: how the liquid answers to the arm is a question of its surface,
# which a coordinate for $\beta$ with a spring would model. The surface stays flat.
