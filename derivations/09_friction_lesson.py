# %% [markdown]
# # A lesson on joint friction, claim by claim
#
# **Claim.** A lesson teaches Coulomb, viscous and Stribeck friction. Its formulas for the
# dissipated power and its four solved problems hold, with stated corrections: its sign turns round
# between two formulas; what it calls limits are asymptotes; its curve jumps where it is said to be
# smooth; a solution divides by a coefficient that may be zero. What becomes of its programs is
# derivation 12.
#
# **Source.** *Joint friction models: Coulomb, viscous, Stribeck*, lesson of an open course on
# robot dynamics, sections 1 to 6 and problems 1 to 4. Set-valued friction: Filippov 1988.
# Stribeck's curve: Armstrong-Hélouvry, Dupont, Canudas de Wit 1994, section 2.

# %% [markdown]
# ## Setup
# The lesson's joint: $F_C = 0.2$, $F_S = 0.3$, $v_s = 0.05$, $\alpha = 1$, $b = 0.01$
# in SI units, sgn replaced by $\tanh(v/\varepsilon)$ with $\varepsilon = 10^{-3}$. Each line of the
# ledger has its verdict from what is computed beside it, and the derivation stops if that is not
# the one expected.

# %%
import math

import numpy as np
import sympy

from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.analysis import StribeckCurve, curve_passivity, equilibria
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import law_named
from symdyn.friction_recipes import sympy_view
from symdyn.identify import by_name, fit_steady
from symdyn.report.ledger import Mark, number, statement

REPRODUCED, WRONG, ADDED = Mark
P = {"Fc": 0.2, "Fs": 0.3, "vs": 0.05, "alpha": 1.0, "b": 0.01}
EPS = 1e-3
coulomb, smooth, ideal = map(law_named, ("coulomb", "stribeck-smooth", "stribeck-set"))
curve = StribeckCurve(**P)
DRY = {"Fc": 0.2, "b": 0.0}


def force(law, v: float, values: dict[str, float]) -> float:
    return law.force(FLOAT64, v, [], {}, values)


# %% [markdown]
# ## Derivation
# **Section 2, the sign.** The piecewise Coulomb torque is $-F_C$ for $\dot q > 0$, the torque
# *on* the joint; the formula with sgn two lines below is $+F_C$, the torque that is subtracted on
# the left of the equation of motion. Both are called $\tau_C$. From there on the lesson uses the
# second, and so does this library: $M \ddot q + C \dot q + g + \tau_{fric} = \tau_{act}$.

# %%
piecewise, signum = -0.2, force(coulomb, 1.0, DRY)
found = f"forwards {piecewise} and {signum} N m; on the left of the equation it is the second"
print(statement(WRONG, "tau_C is -Fc, and about Fc sgn(qd)", piecewise == signum, found))

# %% [markdown]
# **Section 2, rest and smoothing.** The set-valued law gives any value in $[-F_C, F_C]$ at rest;
# $\operatorname{sgn} 0 = 0$ and $\tanh 0 = 0$ give one value and hold nothing. At each velocity but
# zero tanh tends to sgn as $\varepsilon \to 0^+$; next to zero they differ by $F_C$ for every
# $\varepsilon$.

# %%
low, high = law_named("coulomb-set").at_rest(FLOAT64, {}, DRY)
at_rest = force(coulomb, 0.0, DRY)
assert (low, high) == (-0.2, 0.2)
found = f"the set is [{low}, {high}] N m, sgn gives {at_rest}"
print(statement(WRONG, "sgn approximates the set at rest", low == at_rest == high, found))
eps, b, v = (sympy.Symbol(s, positive=True) for s in ("eps", "b", "v"))
Fc, Fs, vs, alpha = (sympy.Symbol(s, positive=True) for s in ("Fc", "Fs", "vs", "alpha"))


def seen(name: str) -> sympy.Expr:
    """A law of the catalogue as a SymPy expression of these symbols, for v > 0."""
    expression = sympy_view(law_named(name))["force"]
    here = {str(s): s for s in (eps, b, v, Fc, Fs, vs, alpha)}
    return expression.xreplace({s: here[s.name] for s in expression.free_symbols})


tanh_law = seen("coulomb-smooth")
print(
    statement(
        REPRODUCED,
        "tanh(v/eps) approaches sgn as eps -> 0+",
        sympy.limit(tanh_law, eps, 0) == Fc + b * v and sympy.limit(tanh_law, v, 0) == 0,
        "Fc + b v in the limit at v > 0, yet 0 at v -> 0 for each eps",
        assuming="at each velocity by itself, not uniformly",
    )
)

# %% [markdown]
# **Section 2, coupled joints.** "More general couplings can be represented by a full matrix."
# With $F \operatorname{sgn} \dot q$ even a positive definite F can drive the joints.

# %%
coupled, speeds = np.array([[1.0, 2.0], [2.0, 5.0]]), np.array([1.0, -0.1])
drawn = float(speeds @ coupled @ np.sign(speeds))
assert np.linalg.eigvalsh(coupled)[0] > 0
print(number(ADDED, "power qd' F sgn(qd) of a full F > 0 [W]", "-0.7", drawn))

# %% [markdown]
# **Section 3, one joint with viscous friction.** $\dot V = \dot q \tau - b \dot q^2$. *Strictly*
# dissipative needs $b > 0$, and even then $\dot V$ is only semidefinite in $(q, \dot q)$. The joint
# comes to rest asymptotically, $v = v_0 e^{-bt/I}$; with Coulomb friction in finite time, see
# derivation 12.

# %%
tau, inertia, t, v0 = (sympy.Symbol(s, positive=True) for s in ("tau", "I", "t", "v_0"))
viscous = seen("viscous")
rate = v * (tau - viscous)  # of I v^2/2 along I dv/dt = tau - F
found = str(sympy.expand(rate))
holds = sympy.expand(rate - v * tau + b * v**2) == 0
print(statement(REPRODUCED, "dV/dt = qd tau - b qd^2", holds, found))
decay = v0 * sympy.exp(-b * t / inertia)
assert sympy.simplify(inertia * sympy.diff(decay, t) + viscous.subs(v, decay)) == 0
print(
    statement(
        REPRODUCED,
        "strictly dissipative for b >= 0, comes to rest asymptotically",
        sympy.limit(decay, t, sympy.oo) == 0 and decay.subs(b, 0) == v0,
        f"v = {decay}; never at rest, and for b = 0 at v_0 for ever",
        assuming="b > 0",
    )
)

# %% [markdown]
# **Section 4, the Stribeck curve.** The lesson asks for $\alpha \ge 1$; its limits hold for every
# $\alpha > 0$. $\tau_S \to F_S \operatorname{sgn}$ at 0 holds from each side; the curve jumps by $2
# F_S$ there, so it does not interpolate smoothly. $F_C \operatorname{sgn} + b \dot q$ at infinity
# is no limit but an asymptote: the difference tends to 0.

# %%
typed = Fc + (Fs - Fc) * sympy.exp(-((v / vs) ** alpha)) + b * v
stribeck = seen("stribeck")
print(statement(REPRODUCED, "formula of tau_S", sympy.expand(stribeck - typed) == 0, str(typed)))
exponents = (sympy.Rational(1, 2), 1, 3)
ends = [
    (sympy.limit(F, v, 0), sympy.limit(F - Fc - b * v, v, sympy.oo), sympy.limit(F, v, sympy.oo))
    for F in (stribeck.subs(alpha, a) for a in exponents)
]
found = "Fs from above"
holds = all(zero == Fs for zero, _, _ in ends)
assumed = "one-sided; alpha = 1/2, 1 and 3 alike"
print(statement(REPRODUCED, "limit Fs sgn(qd) at 0", holds, found, assuming=assumed))
assert all(rest == 0 for _, rest, _ in ends)
found = "no limit but an asymptote: tau_S - (Fc sgn(qd) + b qd) -> 0"
holds = any(x.is_finite for *_, x in ends)
print(statement(WRONG, "limit Fc sgn(qd) + b qd at infinity", holds, found))
assert ideal.ends(FLOAT64, {}, P) == (0.3, 0.2, 0.01)
bottom, top = ideal.at_rest(FLOAT64, {}, P)
found = f"it jumps by {top - bottom} N m = 2 Fs at rest"
print(statement(WRONG, "the curve interpolates smoothly", top == bottom, found))

# %% [markdown]
# With tanh the slope at rest is $F_S/\varepsilon + b$ for every $\alpha > 0$, the curvature there
# only for $\alpha > 1$ without a jump (the curve is odd). Code that differentiates $|v|^\alpha$ by
# rule meets $0 \cdot \infty$ at rest for $\alpha < 1$; the law of the catalogue does not.

# %%
regular = seen("stribeck-smooth")
numbers = {Fc: sympy.Rational(1, 5), Fs: sympy.Rational(3, 10), vs: sympy.Rational(1, 20)}
numbers |= {b: sympy.Rational(1, 100), eps: sympy.Rational(1, 1000)}
curvature = {}
for a in (sympy.Rational(1, 2), 1, 2):
    F = regular.subs(alpha, a).subs(numbers)
    assert sympy.limit(sympy.diff(F, v), v, 0, "+") == sympy.Rational(30001, 100)
    curvature[a] = sympy.limit(sympy.diff(F, v, 2), v, 0, "+")
print(
    statement(
        WRONG,
        "with tanh the curve is smooth for alpha >= 1",
        curvature[1] == 0,
        f"its curvature is ±{abs(curvature[1])} on both sides of rest for alpha = 1, "
        f"{curvature[2]} for alpha = 2",
    )
)
A = DualAlgebra(FLOAT64)
for a in (0.5, 1.0, 2.0):
    values = {k: A.constant(x) for k, x in {**P, "alpha": a, "eps": EPS}.items()}
    slope = smooth.force(A, Dual(0.0, 1.0), [], {}, values).rate
    print(number(ADDED, f"slope at rest for alpha = {a} [N m s/rad]", "300.01", slope))

# %% [markdown]
# **Section 5, all joints at once**, $B \dot q + \operatorname{diag}(F_C) \operatorname{sgn} \dot q
# + \operatorname{diag}(F_S - F_C) \phi \operatorname{sgn} \dot q$: the law on vectors.

# %%
levels, speeds = np.array([0.2, 0.5, 1.0]), np.array([0.01, 0.0, -0.3])
vector = {"Fc": levels, "Fs": 1.5 * levels, "vs": 0.05, "alpha": 1.0, "b": np.array([0.01, 0, 2])}
phi = np.diag(np.exp(-np.abs(speeds) / 0.05))
matrices = np.diag(vector["b"]) @ speeds + np.diag(levels) @ np.sign(speeds)
matrices += np.diag(vector["Fs"] - levels) @ phi @ np.sign(speeds)
apart = float(
    np.max(np.abs(law_named("stribeck").force(ARRAYS, speeds, [], {}, vector) - matrices))
)
print(statement(REPRODUCED, "matrix form of n joints", apart < 1e-15, f"apart by {apart:.1e} N m"))

# %% [markdown]
# **Section 6 and problem 2, dissipation.** True, and the signs $F_S \ge F_C \ge 0$ are not
# necessary: $F_S < F_C$ is passive too, and with enough viscous friction even $F_C < 0$.

# %%
PROVED, REFUTED = VerdictKind.PROVED, VerdictKind.REFUTED
for claim, own, assumed in (
    ("P_V = b qd^2 >= 0, strictly", StribeckCurve(0.0, 0.0, 1.0, 1.0, 0.01), "b > 0"),
    ("P_C = Fc |qd| >= 0, strictly", StribeckCurve(0.2, 0.2, 1.0, 1.0, 0.0), "qd not 0"),
    ("P_S >= 0 for Fs >= Fc >= 0, b >= 0", curve, ""),
):
    power, found = own.force(0.5) * 0.5, curve_passivity(own)
    print(
        statement(
            REPRODUCED, claim, found.kind is PROVED and power > 0, found.detail, assuming=assumed
        )
    )
others = {
    "Fs = 0.5 < Fc = 1, b = 0": StribeckCurve(1.0, 0.5, 0.05, 1.0, 0.0),
    "Fc = -0.1, b = 20": StribeckCurve(-0.1, 1.0, 0.05, 1.0, 20.0),
}
passive = [name for name, other in others.items() if curve_passivity(other).kind is PROVED]
assert len(passive) == 2
print(statement(WRONG, "passive only with these signs", not passive, "also " + "; ".join(passive)))
driving = curve_passivity(StribeckCurve(-0.1, 1.0, 0.05, 1.0, 0.0))
print(statement(ADDED, "Fc = -0.1 with b = 0 drives", driving.kind is REFUTED, driving.detail))

# %% [markdown]
# **Problem 1, equilibria of Coulomb friction.** The solution divides by b. For $b = 0$ there is
# no running equilibrium for $|\tau| > F_C$ and a continuum for $|\tau| = F_C$. With Stribeck
# friction there may be three.

# %%
damped, free = (StribeckCurve(0.2, 0.2, 1.0, 2.0, x) for x in (0.01, 0.0))
for torque, speed in ((0.25, "5"), (-0.25, "-5")):
    (running,) = equilibria(damped, torque)
    print(number(REPRODUCED, f"1(a): (tau -+ Fc)/b at {torque} N m [rad/s]", speed, running.lower))
torques = (-0.3, -0.2, -0.1, 0.0, 0.15, 0.2, 0.3)
running = [torque for torque in torques if any(not e.is_rest for e in equilibria(damped, torque))]
found = f"of {torques} at {running}"
print(statement(REPRODUCED, "1(a): running only for |tau| > Fc", running == [-0.3, 0.3], found))
assert equilibria(free, 0.2)[-1].upper == math.inf
found = "no speed above Fc, every speed at Fc"
print(statement(WRONG, "1(a) for b = 0", len(equilibria(free, 0.3)) == 1, found))
resting = [torque for torque in torques if any(e.is_rest for e in equilibria(damped, torque))]
found = f"of {torques} at {resting}"
holds = resting == [-0.2, -0.1, 0.0, 0.15, 0.2]
assumed = "the set-valued law"
print(statement(REPRODUCED, "1(b): rest iff |tau| <= Fc", holds, found, assuming=assumed))
rest, unstable, stable = equilibria(curve, 0.25)
assert rest.is_rest
assert [e.stability.value for e in (rest, unstable, stable)] == ["stable", "unstable", "stable"]
print(
    number(
        ADDED,
        "Stribeck at 0.25 N m: rests, or runs unstably at [rad/s]",
        "0.035008677158",
        unstable.lower,
        note="or stably:",
    )
)
print(number(ADDED, "Stribeck at 0.25 N m: runs stably at [rad/s]", "5.0000000000", stable.lower))

# %% [markdown]
# **Problem 3, regression.** Least squares give $\theta = (F_C, b)$ back. $\Phi^\top \Phi$ is
# singular if all speeds are equal or zero, and the model has neither offset nor asymmetry.

# %%
speeds = np.array([-1.0, -0.3, 0.2, 0.5, 2.0])
fit = fit_steady(coulomb, speeds, 0.2 * np.sign(speeds) + 0.01 * speeds)
error = max(abs(by_name(fit.estimates, k).value - x) for k, x in (("Fc", 0.2), ("b", 0.01)))
Phi = np.column_stack([np.sign(np.full(8, 0.3)), np.full(8, 0.3)])
found = f"to {error:.0e}; equal speeds have rank 1"
holds = error < 1e-12 and np.linalg.matrix_rank(Phi) == 1
assumed = "two different speeds"
print(statement(REPRODUCED, "3: least squares give theta", holds, found, assuming=assumed))

# %% [markdown]
# ## Check
# **An independent road.** The energy of a two-link arm, from its derived functions: with viscous
# friction of any matrix B, section 3 for $T$ alone and problem 4 for $T + U$; then with Stribeck
# friction along the motion of the generated forward dynamics, where a wrong sign would show.
# Section 3 calls T "total kinetic energy", problem 4 $T + U$ "total mechanical energy": both
# are right, and differ by the power of gravity. B needs no symmetry: only $B + B^\top$ counts.

# %%
from dataclasses import replace

from symdyn import derive, load_robot
from symdyn.algebra.term import ZERO
from symdyn.algebra.term import number as exact
from symdyn.analysis.joint_passivity import joint_passivity
from symdyn.evaluation import evaluate_state
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward_along
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.identities import check_robot
from symdyn.model.robot import JointLaw
from symdyn.state import state_from

arm = load_robot("planar2r")
names = ("inverse_dynamics", "gravity_vector", "kinetic_energy", "potential_energy")
specs = derive(arm, names).specs
graph = Graph()
motion, gravity, (T,), (U,) = (
    copy_into(specs[k].graph, specs[k].result.entries, graph) for k in names
)
q_, qd, qdd = ([graph.symbol(f"{s}[{i}]").id for i in range(2)] for s in ("q", "qd", "qdd"))
B = [[graph.symbol(f"B[{i}, {j}]").id for j in range(2)] for i in range(2)]
along = dict(zip(q_ + qd, qd + qdd, strict=True))


def dot(x, y):
    return graph.add(*(graph.mul(s, t) for s, t in zip(x, y, strict=True)))


taken = [dot(row, qd) for row in B]
actuator = [graph.add(m, f) for m, f in zip(motion, taken, strict=True)]
half = [dot([graph.add(B[i][j], B[j][i]) for j in range(2)], qd) for i in range(2)]
net = [graph.sub(t, g) for t, g in zip(actuator, gravity, strict=True)]
for claim, energy, given in (
    ("section 3: dT/dt = qd'(tau_act - g) - qd'B qd", T, net),
    ("problem 4: d(T + U)/dt = qd'tau_act - qd'B qd", graph.add(T, U), actuator),
):
    (rate,) = forward_along(graph, [energy], along)
    symmetric = graph.sub(graph.add(rate, rate), graph.neg(dot(qd, half)))
    twice = graph.add(dot(qd, given), dot(qd, given))
    found = equal(graph, [symmetric], [twice], claim=claim)
    print(statement(REPRODUCED, claim, found.kind is PROVED, found.detail))
law = JointLaw("stribeck", tuple(exact(str(x)) for x in P.values()))
arm = replace(
    arm, joints=tuple(replace(j, law=law, damping=ZERO, friction=ZERO) for j in arm.joints)
)
names = ("kinetic_energy", "potential_energy", "friction_torque", "forward_dynamics_with_friction")
balances = check_robot(arm, derive(arm, names).specs)
(balance,) = (found for found in balances if "along forward_dynamics" in found.claim)
found = balance.text()
holds = balance.kind in (PROVED, VerdictKind.PROBABILISTIC)
print(statement(REPRODUCED, "the same with Stribeck friction, along the motion", holds, found))
state = state_from({"q": [0.3, -0.8], "qd": [0.5, -0.02], "tau": [1.0, -2.0]}, arm)
values = evaluate_state(arm, state).values
left = np.array([curve.force(0.5), curve.force(-0.02)])  # the curve of the analysis, not the law
assert np.allclose(values["friction_torque"], left, rtol=1e-14)
net = replace(state, tau=tuple(np.array(state.tau) - left))
expected = evaluate_state(arm, net, ["forward_dynamics"]).values["forward_dynamics"]
assert np.allclose(values["forward_dynamics_with_friction"], expected, rtol=1e-13)
verdicts = joint_passivity(arm)
assert len(verdicts) == 2
found = "proved for both joints"
holds = [one.verdict.kind for one in verdicts] == [PROVED, PROVED]
print(statement(REPRODUCED, "friction of the arm only takes energy", holds, found))

# %% [markdown]
# ## Result
# The ledger above. Nothing is written; the corrected laws stand in the catalogue, and
# `symdyn derive` puts them into a robot's generated code.

# %% [markdown]
# ## What this does not show
# That any joint follows one of these laws is for experiments. The lesson's programs are run in
# derivation 12.
