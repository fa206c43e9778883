# %% [markdown]
# # A sphere that grows: swelling against deposition
#
# **Claim.** A ball of radius $A(t)$ can grow in two ways that differ in every term of (39).
#
# - *Swelling*, mass $M$ constant: $\psi$ is not zero ($W = \tfrac15 M A \dot A\, 1$, $\nu =
#   \tfrac35 M \dot A^2$) but carries no momentum, $p = \ell = 0$; $\dot I = \tfrac45 M A \dot A\,
#   1$. The body is closed. It slows a free joint down, as stretching out the arms does a skater.
# - *Deposition* at constant density $\rho_0$: $\psi = 0$, and yet $\dot m = 4 \pi \rho_0 A^2 \dot
#   A$. The body is open, and its motion is not a matter of $\Phi(t)$ alone: mass that arrives at
#   rest slows the joint down, mass that arrives with the velocity of the ball does not.
#
# **Source.** Equations (7)–(43) of the paper on time-dependent inertia. The printed equation holds
# for closed bodies and for mass that arrives at rest; the paper does not say so.

# %% [markdown]
# ## Setup
# A carousel, one vertical joint with the ball at distance $d$, for closed forms by hand; and the
# planar arm with the ball at the end of link 2 for the equation as a whole.

# %%
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import sympy

from symdyn import InputError, dynamics, load_robot, over
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import ZERO
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.expr.sympy_border import from_sympy
from symdyn.lagrange import (
    coordinates,
    generalized_torques,
    kinetic_energy_of_mass,
    potential_energy_of_mass,
)
from symdyn.mass import (
    TIME,
    Momentum,
    X,
    ball,
    continuity_of,
    distribution,
    moments,
    part,
    rod,
    source_of,
)
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.report.time_figure import Curve, Panel, time_figure
from symdyn.simulate.changing_mass import simulate_changing_mass

t = TIME
A = sympy.Function("A", positive=True)(t)
law = {A: sympy.Rational(1, 5) + sympy.Rational(3, 20) * t}
M, rho, d = sympy.Integer(2), sympy.Integer(40), sympy.Rational(4, 5)
flow = [sympy.diff(A, t) / A * c for c in X]
swelling = distribution(
    part(ball(A), mass=M, velocity=flow, at=[d, 0, 0]), values=law, times=(0, 2)
)
deposited = distribution(part(ball(A), density=rho, at=[d, 0, 0]), values=law, times=(0, 2))

# %% [markdown]
# ## Derivation
# **Step 1, moments and continuity.** $\dot\Phi = L \psi$ decides what kind of body each is.

# %%
swells, grows = moments(swelling), moments(deposited)
for name, found in (("swelling", swells), ("deposition", grows)):
    print(f"{name}: m = {found.phi[0]}, nu = {found.nu}, (p; ell) = {found.mu}")
    print("   psi =", found.psi)
    print("  ", continuity_of(found).sentence())

# %% [markdown]
# **Step 2, an open body needs its source.** Without a statement what the mass brings along, there
# is no equation of motion; the refusal says so.

# %%
try:
    mass_motion(grows.put(law))
except InputError as refusal:
    print("refused:", refusal)
swells, grows = swells.put(law), grows.put(law)
cases = {
    "swelling": mass_motion(swells),
    "deposition at rest": mass_motion(grows, source_of(grows, Momentum.AT_REST)),
    "deposition co-moving": mass_motion(grows, source_of(grows, Momentum.CO_MOVING)),
}
for name, motion in cases.items():
    print(f"{name}: {motion.statement}")

# %% [markdown]
# **Step 3, motion.** The carousel turns freely from 3 rad/s.

# %%
arm = load_robot("planar2r")
level = replace(
    arm,
    bodies=tuple(replace(body, symbolic=(False,) * 10) for body in arm.bodies),
    gravity=(ZERO, ZERO, ZERO),
)
carousel = replace(
    level, bodies=level.bodies[:1], joints=level.joints[:1], coordinates=level.coordinates[:1]
)
times = np.linspace(0, 2, 201)
runs = {
    name: simulate_changing_mass(
        with_mass(carousel, {"link1": motion}), [0.0], [3.0], times.tolist()
    )
    for name, motion in cases.items()
}
for name, run in runs.items():
    print(f"{name}: {run.v[-1, 0]:.9f} rad/s, imbalance {np.abs(run.imbalance).max():.1e} J")

# %% [markdown]
# ## Check
# **The claim.**

# %%
rate = sympy.diff(A, t)
swells, grows = moments(swelling), moments(deposited)
graph = Graph()
letters = {A: graph.symbol("A").id, rate: graph.symbol("A_dot").id}
computed = [
    *(swells.psi[k] for k in (3, 7, 11)), swells.nu, swells.phi_dot[4], grows.phi_dot[0],
]  # fmt: skip
about_x = 4 * M * A * rate / 5
stated = [M * A * rate / 5] * 3 + [
    3 * M * rate**2 / 5, about_x, 4 * sympy.pi * rho * A**2 * rate,
]  # fmt: skip
sides = from_sympy(graph, [*computed, *stated], letters)
verdict = equal(graph, sides[:6], sides[6:], claim="psi, nu, I' and m' are as claimed")
print(verdict.text())
assert verdict.holds
assert set(swells.mu) == {0} == set(grows.psi)
assert continuity_of(swells).is_closed
assert not continuity_of(grows).is_closed

# %% [markdown]
# **By hand.** About the vertical, $I(t) = m (d^2 + \tfrac25 A^2)$. Swelling and mass from rest keep
# $I \dot q$; mass that comes along keeps $\dot q$.

# %%
radius = 0.2 + 0.15 * times
weight = {"swelling": 2 + 0 * times, "deposition at rest": 4 / 3 * np.pi * 40 * radius**3}
for name, mass in weight.items():
    inertia = mass * (0.64 + 0.4 * radius**2)
    error = np.abs(runs[name].v[:, 0] - 3 * inertia[0] / inertia).max()
    print(f"{name}: off the closed form by {error:.1e} rad/s")
    assert error < 1e-10
assert np.abs(runs["deposition co-moving"].v[:, 0] - 3).max() < 1e-11
assert all(np.abs(run.imbalance).max() < 1e-10 for run in runs.values())

# %% [markdown]
# **An independent road.** Lagrange with $T$ straight from the growing density, $\frac{d}{dt}
# \partial_{\dot q} L - \partial_q L$ with explicit time, for the planar arm: the same function as
# the recursion for swelling and for deposition at rest. Lagrange's equations cannot say where mass
# comes from; for mass that comes along they are wrong by $M(q, \dot\Theta_{src}) \dot q$.

# %%
x = coordinates(level)
link1 = distribution(part(rod([0, 0, 0], [1, 0, 0]), mass=3))
zero = [sympy.Integer(0)]


def against_recursion(body, found, phi_dot, claim):
    """Lagrange from the densities against the recursion with the given acting rates."""
    nodes = {**letters, sympy.diff(rate, t): graph.symbol("A_ddot").id}
    T = kinetic_energy_of_mass(level, x, [link1, body])
    torques = generalized_torques(T, potential_energy_of_mass(level, x, [link1, body]), x)
    recursion = dynamics.generalized_inverse_dynamics(
        over(level, SYMPY),
        list(x.q), list(x.qd), list(x.qdd),
        [*moments(link1).phi, *found.phi], zero * 10 + list(phi_dot),
        zero * 12 + list(found.psi), zero * 12 + list(found.psi_dot),
    )  # fmt: skip
    both = from_sympy(graph, [*torques.flat(), *recursion], nodes)
    found_verdict = equal(graph, both[:2], both[2:], claim=claim)
    print(found_verdict.text())
    return found_verdict.holds


assert against_recursion(swelling, swells, swells.phi_dot, "swelling: Lagrange = recursion")
assert against_recursion(deposited, grows, grows.phi_dot, "mass from rest: Lagrange = recursion")
assert not against_recursion(deposited, grows, zero * 10, "mass that comes along: Lagrange")

# %% [markdown]
# ## Result
# The carousel, as a picture with `--write DIR`.

# %%
picture = time_figure(
    "A sphere grows on a free carousel",
    [
        Panel("radius [m]", (Curve("A(t)", times, radius),)),
        Panel("rate [rad/s]", tuple(Curve(name, times, run.v[:, 0]) for name, run in runs.items())),
        Panel(
            "qd' M qd / 2 [J]", tuple(Curve(name, times, run.kinetic) for name, run in runs.items())
        ),
        Panel(
            "|imbalance| [J]",
            tuple(Curve(name, times[1:], run.imbalance[1:]) for name, run in runs.items()),
            is_log=True,
        ),
    ],
)
if "--write" in sys.argv:
    folder = Path(sys.argv[sys.argv.index("--write") + 1])
    (folder / "growing_sphere.png").write_bytes(picture)
print(f"picture of {len(picture) // 1000} kB")

# %% [markdown]
# ## What this does not show
# What makes the ball swell, and the pressure in it, do not enter. Real deposits arrive neither at
# rest nor with the velocity of the surface; `symdyn.mass.stream` takes any velocity.
