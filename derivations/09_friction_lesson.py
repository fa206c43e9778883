# %% [markdown]
# # A lesson on joint friction, number by number
#
# **Claim.** A lesson teaches Coulomb, viscous and Stribeck friction with code in five languages.
# Its formulas for the dissipated power and its four solved problems hold, with stated
# corrections: its sign turns round between two formulas; its smoothed laws neither hold a load
# nor reach the break-away level; the step of its own program is too large for them; its limits at
# infinity are asymptotes; and a solution divides by a coefficient that may be zero.
#
# **Source.** *Joint friction models: Coulomb, viscous, Stribeck*, lesson of an open course on
# robot dynamics (text, programs in Python, C++, Java, MATLAB and Mathematica, problems 1 to 4).
# Set-valued friction: Filippov 1988. Stribeck's curve: Armstrong-Hélouvry, Dupont, Canudas de Wit
# 1994, section 2.

# %% [markdown]
# ## Setup
# The lesson's joint: $I = 0.1$, $F_C = 0.2$, $F_S = 0.3$, $v_s = 0.05$, $\alpha = 1$, $b = 0.01$
# in SI units, sgn replaced by $\tanh(v/\varepsilon)$ with $\varepsilon = 10^{-3}$. Each claim is
# printed with its verdict: *reproduced*, *with an assumption* that the text leaves out, or
# *wrong* with the right value.

# %%
import math

import mpmath
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis import StribeckCurve, curve_passivity, equilibria
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import law_named
from symdyn.friction_recipes import sympy_view
from symdyn.simulate import JointFriction, constant_inertia, simulate_ideal, slope_limit
from symdyn.simulate.scheme import SEMI_IMPLICIT_EULER

P = {"Fc": 0.2, "Fs": 0.3, "vs": 0.05, "alpha": 1.0, "b": 0.01}
EPS, INERTIA = 1e-3, 0.1
SMOOTH = {**P, "eps": EPS}
smooth, ideal = law_named("stribeck-smooth"), law_named("stribeck-set")
curve = StribeckCurve(**P)


def friction(v: float) -> float:
    """The lesson's smoothed Stribeck torque."""
    return smooth.force(FLOAT64, v, [], {}, SMOOTH)


def said(claim: str, verdict: str, found: str) -> None:
    """One line of the ledger."""
    print(f"{verdict:20} {claim}: {found}")


# %% [markdown]
# ## Derivation
# **Section 2, the sign.** The piecewise Coulomb torque is $-F_C$ for $\dot q > 0$, the torque
# *on* the joint; the formula with sgn two lines below is $+F_C$, the torque that is subtracted on
# the left of the equation of motion. Both are called $\tau_C$. From there on the lesson uses the
# second, and so does this library: $M \ddot q + C \dot q + g + \tau_{fric} = \tau_{act}$.

# %%
coulomb = law_named("coulomb")
forward = coulomb.force(FLOAT64, 1.0, [], {}, {"Fc": 0.2, "b": 0.0})
assert forward == 0.2
said("tau_C = -Fc for forward motion", "wrong (sign)", f"{forward} on the left of the equation")

# %% [markdown]
# **Section 2, rest.** The set-valued law gives any value in $[-F_C, F_C]$ at rest;
# $\operatorname{ sgn} 0 = 0$ and $\tanh 0 = 0$ give one value and hold nothing.

# %%
bounds = law_named("coulomb-set").at_rest(FLOAT64, {}, {"Fc": 0.2, "b": 0.0})
said("sgn approximates the set at rest", "wrong at rest", f"the set is {bounds}, sgn gives 0")

# %% [markdown]
# **Section 3, viscous friction.** $\dot V = -b \dot q^2$. *Strictly* dissipative needs $b > 0$,
# and even then $\dot V$ is only semidefinite in $(q, \dot q)$. The joint comes to rest
# asymptotically; with Coulomb friction it stops in finite time, $t = (I/b) \ln(1 + b
# \omega_0/F_C)$.

# %%
no_drive = np.zeros(1)
block = constant_inertia([[INERTIA]])
stops = {}
for name, values in (("coulomb-set", {"Fc": 0.2, "b": 0.01}), ("stribeck-set", P)):
    law = law_named(name)
    motion = simulate_ideal(
        block, [JointFriction(law, values)], lambda t, q, v: no_drive, [0], [0.5], [0, 0.3]
    )
    stops[name] = (motion.events[0].time, motion.q[-1, 0], motion.v[-1, 0])
at, distance, end = stops["coulomb-set"]
closed = INERTIA / 0.01 * math.log(1 + 0.01 * 0.5 / 0.2)
assert abs(at - closed) < 1e-9
assert end == 0.0
said("friction brings a joint to rest", "reproduced", f"in {at:.9f} s, {distance:.9f} rad, exactly")
at, distance, _ = stops["stribeck-set"]
said("the same with the Stribeck law", "reproduced", f"in {at:.9f} s, {distance:.9f} rad")

# %% [markdown]
# **Section 4, limits.** $\tau_S \to F_S \operatorname{sgn}$ at 0 holds from each side; the curve
# jumps by $2 F_S$ there, so it does not interpolate smoothly. $F_C \operatorname{sgn} + b \dot q$
# at infinity is no limit but an asymptote: the difference tends to 0.

# %%
at_zero, level, viscous = ideal.ends(FLOAT64, {}, P)
assert (at_zero, level, viscous) == (0.3, 0.2, 0.01)
assert abs(curve.force(1e3) - level - viscous * 1e3) < 1e-14
said("limits of the Stribeck curve", "with an assumption", "one-sided at 0, asymptote at infinity")

# %% [markdown]
# **Section 6, dissipation of the Stribeck law** for $F_S \ge F_C \ge 0$, $b \ge 0$. True, and not
# necessary: $F_S < F_C$ is passive too, and with enough viscous friction even $F_C < 0$.

# %%
lesson = curve_passivity(curve)
others = {
    "Fs = 0.5 < Fc = 1, b = 0": StribeckCurve(1.0, 0.5, 0.05, 1.0, 0.0),
    "Fc = -0.1, b = 20": StribeckCurve(-0.1, 1.0, 0.05, 1.0, 20.0),
}
assert lesson.kind is VerdictKind.PROVED
assert all(curve_passivity(other).kind is VerdictKind.PROVED for other in others.values())
driving = curve_passivity(StribeckCurve(-0.1, 1.0, 0.05, 1.0, 0.0))
assert driving.kind is VerdictKind.REFUTED
said("Fs >= Fc >= 0, b >= 0 dissipates", "reproduced", lesson.detail)
said("these signs are needed", "wrong", "passive as well: " + "; ".join(others))

# %% [markdown]
# **Section 7, the program.** It is called explicit Euler; it updates $q$ with the new velocity,
# so it is semi-implicit. Its numbers are not printed in the lesson; here they are, beside the
# exact motion of the smoothed law and of the set-valued one.

# %%
q = v = 0.0
for _ in range(2000):
    acceleration = (0.4 - friction(v)) / INERTIA
    v += 1e-3 * acceleration
    q += 1e-3 * v
assert abs(q - 3.6951570689) < 1e-9
assert abs(v - 3.6011885241) < 1e-9
exact = solve_ivp(
    lambda t, x: [x[1], (0.4 - friction(x[1])) / INERTIA], (0, 2), [0, 0], method="LSODA",
    rtol=1e-11, atol=1e-13,
).y[:, -1]  # fmt: skip
set_valued = simulate_ideal(
    block, [JointFriction(ideal, P)], lambda t, q, v: np.array([0.4]), [0], [0], [0, 2]
)
assert abs(exact[0] - 3.6871315) < 1e-6
assert abs(set_valued.q[-1, 0] - 3.68401964) < 1e-6
print(f"{'':20} q(2), qd(2): program {q:.10f}, {v:.10f}")
print(f"{'':20} smoothed law, exact {exact[0]:.8f}, {exact[1]:.8f}")
print(f"{'':20} set-valued law, exact {set_valued.q[-1, 0]:.8f}, {set_valued.v[-1, 0]:.8f}")
said("Python and Mathematica simulate one model", "wrong", f"they differ by {q - exact[0]:.4f} rad")
start = 0.4 / INERTIA, (0.4 - 0.3) / INERTIA
said(
    "acceleration at rest under 0.4 N m", "wrong", f"{start[0]:g} rad/s^2, set-valued {start[1]:g}"
)

# %% [markdown]
# **The step is too large for the model.** Near rest the smoothed law is a damper of $F_S /
# \varepsilon$; a semi-implicit step needs $\Delta t < 2 I \varepsilon / F_S$ or so. At 1 ms the
# velocity of a coasting joint ends in a chatter of period two, for ever.

# %%
limit = slope_limit(smooth, SMOOTH, INERTIA, scheme=SEMI_IMPLICIT_EULER)
assert abs(limit - 2 * INERTIA * EPS / P["Fs"]) < 1e-7
v = 0.5
trail = []
for _ in range(4000):
    v += 1e-3 * (0.0 - friction(v)) / INERTIA
    trail.append(v)
assert abs(abs(trail[-1]) - 1.2700880760e-3) < 1e-12
assert abs(trail[-1] + trail[-2]) < 1e-12
said("dt = 1e-3 s simulates the joint", "wrong", f"stable below {limit:.4e} s; chatters by "
     f"{abs(trail[-1]):.10e} rad/s")  # fmt: skip

# %% [markdown]
# **tanh creeps.** Under any load the smoothed joint moves; here at 0.1 N m, a third of
# break-away.

# %%
with mpmath.workdps(40):

    def excess(w):
        level = mpmath.mpf("0.2") + mpmath.mpf("0.1") * mpmath.exp(-w / mpmath.mpf("0.05"))
        return level * mpmath.tanh(w / mpmath.mpf("0.001")) + w / 100 - mpmath.mpf("0.1")

    creep = float(mpmath.findroot(excess, (1e-5, 1e-3), solver="anderson"))
assert abs(creep - 3.474283378800864e-4) < 1e-17
said("a joint rests for |tau| <= Fc", "wrong with tanh", f"creeps at {creep:.15e} rad/s")

# %% [markdown]
# **tanh lowers break-away.** The smoothed curve's maximum is the load at which it breaks away.

# %%
peaks = {}
for eps in (1e-2, 1e-3, 1e-4):
    p = {**P, "eps": eps}
    top = minimize_scalar(
        lambda w, p=p: -smooth.force(FLOAT64, w, [], {}, p), bounds=(1e-6, 0.05),
        method="bounded", options={"xatol": 1e-12},
    )  # fmt: skip
    peaks[eps] = (-top.fun, top.x)
assert abs(peaks[1e-3][0] - 0.29285876696) < 1e-9
assert abs(peaks[1e-3][1] - 3.222863e-3) < 1e-7
said("break-away at Fs = 0.3 N m", "wrong with tanh", ", ".join(
    f"{peak:.6f} for eps = {eps:g}" for eps, (peak, _) in peaks.items()))  # fmt: skip

# %% [markdown]
# **Problem 1, equilibria of Coulomb friction.** The solution divides by b. For $b = 0$ there is
# no running equilibrium for $|\tau| > F_C$ and a continuum for $|\tau| = F_C$. With Stribeck
# friction there may be three.

# %%
free = StribeckCurve(0.2, 0.2, 1.0, 2.0, 0.0)
assert equilibria(free, 0.3) == ()
assert equilibria(free, 0.2)[-1].upper == math.inf
three = equilibria(curve, 0.25)
assert [e.stability.value for e in three] == ["stable", "unstable", "stable"]
assert abs(three[1].lower - 0.035008677158186548) < 1e-15
assert abs(three[2].lower - 5.0) < 1e-13
damped = equilibria(StribeckCurve(0.2, 0.2, 1.0, 2.0, 0.01), 0.25)
assert abs(damped[0].lower - (0.25 - 0.2) / 0.01) < 1e-12
said("problem 1(a): (tau - Fc)/b", "reproduced", f"{damped[0].lower:.6g} rad/s for b = 0.01")
said("problem 1(a) for b = 0", "wrong", "none above Fc, every speed at Fc")
said("Stribeck at 0.25 N m", "not in the lesson", ", ".join(
    f"{e.lower:.10g} {e.stability.value}" for e in three))  # fmt: skip
said("problem 1(b): rest iff |tau| <= Fc", "with an assumption", "of the set-valued law alone")

# %% [markdown]
# **Problem 3, regression.** $\Phi^\top \Phi$ is singular if all speeds are equal or zero, and the
# model has neither offset nor asymmetry.

# %%
speeds = np.full(8, 0.3)
Phi = np.column_stack([np.sign(speeds), speeds])
assert np.linalg.matrix_rank(Phi) == 1
said("problem 3: least squares gives theta", "with an assumption", "two different speeds at least")

# %% [markdown]
# **One definition for all languages.** The lesson writes its formula five times. Here it is
# written once; its SymPy view is the lesson's formula, and NumPy and C are generated from it.

# %%
import sympy

v_, vs, alpha, eps_ = (sympy.Symbol(s, positive=True) for s in ("v", "vs", "alpha", "eps"))
Fc, Fs, b = (sympy.Symbol(s, real=True) for s in ("Fc", "Fs", "b"))
typed = (Fc + (Fs - Fc) * sympy.exp(-((v_ / vs) ** alpha))) * sympy.tanh(v_ / eps_) + b * v_
assert sympy.expand(sympy_view(smooth)["force"] - typed) == 0
said("the Stribeck formula", "reproduced", str(sympy_view(smooth)["force"]))

# %% [markdown]
# ## Check
# **Problem 4 and section 5, the energy of a manipulator.** With any of these laws on the joints
# of a two-link arm, $\frac{d}{dt}(T + U) = \dot q^\top \tau_{act} - \dot q^\top \tau_{fric}$:
# proved for all states and all parameters, from $\dot M = C + C^\top$ and $g = \partial
# U/\partial q$. The lesson's section 3 has the kinetic energy alone, where the power of gravity
# appears; both are right, but "total energy" names only one of them.

# %%
from dataclasses import replace

from symdyn import derive, load_robot
from symdyn.algebra.term import ZERO, number
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward_along
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.model.robot import JointLaw

arm = load_robot("planar2r")
law = JointLaw("stribeck", tuple(number(str(x)) for x in P.values()))
joints = tuple(replace(j, law=law, damping=ZERO, friction=ZERO) for j in arm.joints)
arm = replace(arm, joints=joints)
names = ("inverse_dynamics", "kinetic_energy", "potential_energy", "friction_torque")
specs = derive(arm, names).specs
graph = Graph()
tau, (T,), (U,), F = (copy_into(specs[k].graph, specs[k].result.entries, graph) for k in names)
q_, qd, qdd = ([graph.symbol(f"{s}[{i}]").id for i in range(2)] for s in ("q", "qd", "qdd"))
(rate,) = forward_along(graph, [graph.add(T, U)], dict(zip(q_ + qd, qd + qdd, strict=True)))


def power(torque):
    total = graph.zero
    for speed, t in zip(qd, torque, strict=True):
        total = graph.add(total, graph.mul(speed, t))
    return total


driven = power([graph.add(t, f) for t, f in zip(tau, F, strict=True)])
claim = "d(T + U)/dt = qd'tau_act - qd'tau_fric"
balance = equal(graph, [rate], [graph.sub(driven, power(F))], claim=claim)
print(balance.text())
assert balance.kind is VerdictKind.PROVED

# %% [markdown]
# **An independent road.** The lesson's Python function, typed in once more with NumPy, at 2000
# velocities against the law; and the exact motion by a method of another kind.

# %%
w = np.concatenate([np.linspace(-3, 3, 1999), [0.0]])
sgn = np.tanh(w / EPS)
typed_in = (0.2 + (0.3 - 0.2) * np.exp(-((np.abs(w) / 0.05) ** 1.0))) * sgn + 0.01 * w
ours = np.array([friction(float(x)) for x in w])
assert np.max(np.abs(ours - typed_in)) < 1e-15
other = solve_ivp(
    lambda t, x: [x[1], (0.4 - friction(x[1])) / INERTIA], (0, 2), [0, 0], method="Radau",
    rtol=1e-11, atol=1e-13,
).y[:, -1]  # fmt: skip
assert np.max(np.abs(other - exact)) < 1e-8
print(f"the lesson's function and the law differ by {np.max(np.abs(ours - typed_in)):.1e} N m")

# %% [markdown]
# ## Result
# The ledger above. Nothing is written; the corrected laws stand in the catalogue, and
# `symdyn derive` puts them into a robot's generated code.

# %% [markdown]
# ## What this does not show
# The programs in C++, Java, MATLAB and Mathematica were read, not run: their formula is that of
# the Python program. The C++ step returns the acceleration alone, and the MATLAB function
# flattens a matrix of velocities into a column. That any joint follows one of these laws is for
# experiments.
