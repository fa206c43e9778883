# %% [markdown]
# # Loading and shedding of an end-effector
#
# **Claim.** Where mass arrives or leaves, $\Theta(t)$ does not determine the motion. With the
# moments $\dot\Theta_{src}$ of the source and the momentum flux $\Psi_{src}$ that it has against
# the body,
#
# $$ M \ddot q + (C + M(q, \dot\Theta - \dot\Theta_{src}) + H) \dot q + G = \tau - J^\top \mathcal Q
#    (\dot\Psi - \Psi_{src}). $$
#
# Equation (39) as printed is the case that arriving mass has no momentum in the base frame. It is
# the limit of many small inelastic collisions with lumps at rest, with an error $O(1/N)$. Mass that
# arrives with the velocity of the end-effector, and mass that leaves, move the arm otherwise.
#
# **Source.** Equation (39) and section 4.2 of the paper on time-dependent inertia, completed.
# Momentum of variable masses: Meshchersky 1897; Irschik and Holl 2004, *Appl. Mech. Rev.* 57.

# %% [markdown]
# ## Setup
# The planar arm of the built-in file, level, with lengths 1 m and 0.8 m, and bodies such that $M =
# [[2.2, 0.3], [0.3, 0.3]]$ kg m² without load. The load sits at the tip. Torques are constant.

# %%
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import sympy

from symdyn import InputError, load_robot
from symdyn.algebra.term import ZERO
from symdyn.mass import (
    TIME,
    Momentum,
    ball,
    distribution,
    moments,
    part,
    particle,
    point,
    source_of,
    stream,
)
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.report.time_figure import Curve, Panel, time_figure
from symdyn.simulate.changing_mass import simulate_changing_mass

t = TIME
tip = [sympy.Rational(4, 5), 0, 0]
arm = replace(load_robot("planar2r"), gravity=(ZERO, ZERO, ZERO))
# balls about the joints: I33 = 2/5 m r^2 is 0.9 and 0.3; the second weighs 1 kg
upper = distribution(part(ball(sympy.Rational(3, 2)), mass=1))
fore = part(ball(sympy.sqrt(sympy.Rational(3, 4))), mass=1)
filling = moments(distribution(fore, particle(sympy.Rational(1, 2) + t, tip)))
emptying = moments(distribution(fore, particle(sympy.Rational(3, 2) - t, tip)))
q0, qd0, tau = (0.3, 0.8), (1.2, -0.7), np.array([0.6, -0.2])
times = np.linspace(0, 1, 201)

# %% [markdown]
# ## Derivation
# **Step 1, sources.** The same $\Phi(t)$ with three momenta of the mass. Mass that leaves at rest
# in the base frame has no mechanism and is refused.

# %%
try:
    source_of(emptying, Momentum.AT_REST)
except InputError as refusal:
    print("refused:", refusal)
rest = mass_motion(filling, source_of(filling, Momentum.AT_REST))
along = mass_motion(filling, source_of(filling, Momentum.CO_MOVING))
dropped = mass_motion(emptying, source_of(emptying, Momentum.CO_MOVING))
# a jet: 1 kg/s leaves the tip with 3 m/s against the link, along its -y axis
jet_source = stream(emptying, point(tip), -1, [0, -3, 0])
jet = mass_motion(emptying, jet_source)
# what (39) as printed would say of mass that leaves
printed = replace(dropped, source_phi=(ZERO,) * 10)
for name, motion in (("at rest", rest), ("co-moving", along), ("dropped", dropped), ("jet", jet)):
    print(f"{name}: {motion.statement}")

# %% [markdown]
# **Step 2, motion.** Equation (39) with DOP853, tolerance 1e-12.

# %%
base = {"link1": mass_motion(moments(upper))}


def run_with(motion):
    return simulate_changing_mass(
        with_mass(arm, {**base, "link2": motion}), q0, qd0, times.tolist(), lambda *_: tau
    )


runs = {
    "emptied, dropped": run_with(dropped),
    "emptied by a jet": run_with(jet),
    "filled from rest, (39)": run_with(rest),
    "filled co-moving": run_with(along),
    "emptied, (39) printed": run_with(printed),
}
for name, run in runs.items():
    end = ", ".join(f"{v:.11f}" for v in (*run.q[-1], *run.v[-1]))
    print(f"{name:24}({end})  imbalance {np.abs(run.imbalance).max():.0e} J")

# %% [markdown]
# ## Check
# **Reference.** The end state of loading from rest, from an integration that shares nothing with
# this project.

# %%
reference = (1.59962992890, -0.86648622942, 1.30591980080, -1.89063927783)
filled = runs["filled from rest, (39)"]
assert np.allclose((*filled.q[-1], *filled.v[-1]), reference, rtol=0, atol=1e-9)

# %% [markdown]
# **An independent road.** The arm by hand: $M$, $C \dot q$ and the tip's Jacobian of a planar arm
# as the textbook has them, mass constant between events. At each of $N$ events a lump of $1/N$ kg
# at rest sticks to the tip: $M^+ \dot q^+ = M^- \dot q^-$. No equation with $\dot\Theta$ occurs.

# %%
L1, L2 = 1.0, 0.8


def accelerations(load, y, extra=(0.0, 0.0)):
    """qdd of the arm with a point mass at the tip, constant for the moment."""
    _, b, u, v = y
    c, s = math.cos(b), math.sin(b)
    m11 = 2.2 + load * (L1 * L1 + L2 * L2 + 2 * L1 * L2 * c)
    m12, m22 = 0.3 + load * (L2 * L2 + L1 * L2 * c), 0.3 + load * L2 * L2
    h = load * L1 * L2 * s
    f1 = 0.6 + extra[0] + h * (2 * u * v + v * v)
    f2 = -0.2 + extra[1] - h * u * u
    det = m11 * m22 - m12 * m12
    return (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det


def step(y, h, load, force=None):
    """One classical Runge-Kutta step; ``load`` holds the mass at its start, middle and end."""

    def slope(z, mass):
        return (z[2], z[3], *accelerations(mass, z, force(z) if force else (0.0, 0.0)))

    k1 = slope(y, load[0])
    k2 = slope([a + h / 2 * k for a, k in zip(y, k1, strict=True)], load[1])
    k3 = slope([a + h / 2 * k for a, k in zip(y, k2, strict=True)], load[1])
    k4 = slope([a + h * k for a, k in zip(y, k3, strict=True)], load[2])
    rates = zip(y, k1, k2, k3, k4, strict=True)
    return [a + h / 6 * (p + 2 * q + 2 * r + w) for a, p, q, r, w in rates]


def collide(y, load, lump):
    """Velocities after a lump at rest sticks to the tip: M+ qd+ = M- qd-."""
    _, b, u, v = y
    c = math.cos(b)
    t11, t12, t22 = L1 * L1 + L2 * L2 + 2 * L1 * L2 * c, L2 * L2 + L1 * L2 * c, L2 * L2
    p1 = (2.2 + load * t11) * u + (0.3 + load * t12) * v
    p2 = (0.3 + load * t12) * u + (0.3 + load * t22) * v
    heavy = load + lump
    m11, m12, m22 = 2.2 + heavy * t11, 0.3 + heavy * t12, 0.3 + heavy * t22
    det = m11 * m22 - m12 * m12
    return [y[0], b, (m22 * p1 - m12 * p2) / det, (m11 * p2 - m12 * p1) / det]


def by_collisions(count):
    """End state after ``count`` lumps, each at the end of its interval."""
    y, load = [*q0, *qd0], 0.5
    for _ in range(count):
        y = step(y, 1 / count, (load, load, load))
        y = collide(y, load, 1 / count)
        load += 1 / count
    return np.array(y)


counts = np.array([250, 500, 1000, 2000, 4000])
ends = [by_collisions(int(count)) for count in counts]
errors = np.array([np.abs(end - np.array(reference)).max() for end in ends])
for count, error in zip(counts, errors, strict=True):
    print(f"{count:5} collisions: off by {error:.2e}, times N {error * count:.4f}")
assert np.all(np.abs(errors[:-1] / errors[1:] - 2) < 0.02)
limit = 2 * ends[-1] - ends[-2]
print(f"extrapolated: off by {np.abs(limit - np.array(reference)).max():.1e}")
assert np.abs(limit - np.array(reference)).max() < 2e-8

# %% [markdown]
# **The other momenta, by hand.** Mass that comes along or falls off changes the load in $M \ddot q
# + C \dot q = \tau$ and nothing else; a jet pushes the tip with 3 N along the link's $+y$ axis.


# %%
def jet_push(y):
    """Torques of 3 N at the tip along the y axis of link 2: lever arms by hand."""
    return 3 * (L2 + L1 * math.cos(y[1])), 3 * L2


def by_hand(load_at, force=None, count=2000):
    """End state with a load that changes along its function of time."""
    y, h = [*q0, *qd0], 1 / count
    for k in range(count):
        y = step(y, h, (load_at(k * h), load_at((k + 0.5) * h), load_at((k + 1) * h)), force)
    return np.array(y)


hand = {
    "filled co-moving": by_hand(lambda s: 0.5 + s),
    "emptied, dropped": by_hand(lambda s: 1.5 - s),
    "emptied by a jet": by_hand(lambda s: 1.5 - s, jet_push),
}
for name, end in hand.items():
    error = np.abs(end - np.array([*runs[name].q[-1], *runs[name].v[-1]])).max()
    print(f"{name}: off the arm by hand by {error:.1e}")
    assert error < 1e-10

# %% [markdown]
# **The balance.** All runs close it. Filling from rest loses $\tfrac12 \dot m |v_{tip}|^2$ to the
# collisions, found here from the tip's velocity alone; and the printed equation, applied to mass
# that leaves, is far off.

# %%
assert all(np.abs(run.imbalance).max() < 1e-10 for run in runs.values())
u, v, c = filled.v[:, 0], filled.v[:, 1], np.cos(filled.q[:, 1])
speed_squared = (L1 * u) ** 2 + (L2 * (u + v)) ** 2 + 2 * L1 * L2 * u * (u + v) * c
h = times[1] - times[0]
weights = np.ones(len(times))
weights[1:-1:2], weights[2:-1:2] = 4, 2
lost = float(h / 3 * weights @ (speed_squared / 2))
print(f"lost in collisions: {-filled.mass.moved[-1]:.9f} J, from the tip's velocity {lost:.9f} J")
assert abs(lost + filled.mass.moved[-1]) < 1e-8
gap = {
    pair: np.abs(runs[pair[0]].q[-1] - runs[pair[1]].q[-1]).max()
    for pair in (
        ("filled from rest, (39)", "filled co-moving"),
        ("emptied, dropped", "emptied, (39) printed"),
    )
}
for (one, other), angle in gap.items():
    print(f"{one} and {other} end {angle:.3f} rad apart")
assert min(gap.values()) > 0.1

# %% [markdown]
# ## Result
# Motions and the limit of collisions, as pictures with `--write DIR`.

# %%
motions = time_figure(
    "The same tip mass in time, with different momentum",
    [
        *(
            Panel(
                f"q{k + 1} [rad]",
                tuple(
                    Curve(name, times, run.q[:, k], dashed="printed" in name)
                    for name, run in runs.items()
                ),
            )
            for k in range(2)
        ),
        Panel(
            "work of changing mass [J]",
            tuple(
                Curve(name, times, run.mass.moved + run.mass.sources, dashed="printed" in name)
                for name, run in runs.items()
            ),
        ),
        Panel(
            "|imbalance| [J]",
            tuple(
                Curve(name, times[1:], run.imbalance[1:], dashed="printed" in name)
                for name, run in runs.items()
            ),
            is_log=True,
        ),
    ],
)
limit_picture = time_figure(
    "Lumps at rest that stick to the tip: the limit is equation (39)",
    [
        Panel(
            "end off by [rad, rad/s]",
            (
                Curve("collisions", counts, errors),
                Curve("slope of 1/N", counts, 0.1 / counts, dashed=True),
            ),
            is_log=True,
        )
    ],
    along="number of collisions N",
    along_log=True,
)
if "--write" in sys.argv:
    folder = Path(sys.argv[sys.argv.index("--write") + 1])
    (folder / "loading_motions.png").write_bytes(motions)
    (folder / "loading_limit.png").write_bytes(limit_picture)
print(f"pictures of {len(motions) // 1000} and {len(limit_picture) // 1000} kB")

# %% [markdown]
# ## What this does not show
# Lumps that arrive with a velocity of their own lie between the cases: a `stream` with that
# velocity against the tip. The convergence is measured, not proved.
