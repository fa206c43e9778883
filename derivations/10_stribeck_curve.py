# %% [markdown]
# # The Stribeck curve: where it falls, and what falling does
#
# **Claim.** For $F(v) = F_c + (F_s - F_c) e^{-(v/v_s)^\alpha} + b v$ with $F_s > F_c$, $b > 0$
# and any $\alpha > 0$ the slope vanishes where $r^\alpha = -c\, W_k(-K^{1/c}/c)$, with $r =
# v/v_s$, $K = b v_s/(\alpha (F_s - F_c))$, $c = (\alpha - 1)/\alpha$ and Lambert's $W$; for
# $\alpha > 1$ the curve falls iff $K < (c/e)^c$. A chapter's numbers for $\alpha = 2$ and what it
# says of friction at rest are reproduced; that the falling part throws a joint into stick-slip
# needs little enough damping.
#
# **Source.** Chapter 3.8, *Friction: Coulomb, Stribeck and LuGre models and joint friction*, of a
# Korean textbook of robotics, sections 3.8.3.1, 3.8.3.2, 3.8.5 and checkpoint 1. Lambert's W:
# Corless et al. 1996. MuJoCo's soft constraints: its documentation, *Computation*.

# %% [markdown]
# ## Setup
# The chapter's example: $F_c = 1$, $F_s = 1.5$ N m, $\omega_s = 0.01$ rad/s, $\sigma_2 = 0.5$ N m
# s/rad. Each line of the ledger has its verdict from the numbers: *printed* is the chapter's,
# *found* ours, and the derivation stops if the verdict is not the one expected.

# %%
import importlib.util

import mpmath
import numpy as np
import sympy
from scipy.optimize import brentq

from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis import StribeckCurve, critical_steepness, critical_viscous, shape
from symdyn.friction.catalog import law_named
from symdyn.friction.exchange import mujoco_creep_speed
from symdyn.friction_recipes import sympy_view
from symdyn.report.ledger import Mark, number, statement

REPRODUCED, WRONG, ADDED = Mark
law = law_named("stribeck")
P = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0, "b": 0.5}
curve = StribeckCurve(**P)

# %% [markdown]
# ## Derivation
# **Step 1, the equation.** $F' = b - \frac{\alpha (F_s - F_c)}{v_s} r^{\alpha - 1} e^{-r^\alpha}$
# vanishes iff $r^{\alpha-1} e^{-r^\alpha} = K$. With $y = r^\alpha$: $y^c e^{-y} = K$. The left
# side is largest at $y = c$, where it is $(c/e)^c$. For $\alpha = 2$ that is the chapter's $r
# e^{-r^2} = \kappa$ with $\kappa = \sigma_2 \omega_s/(2 (F_s - F_c)) < 1/\sqrt{2e}$ (checkpoint 1).

# %%
v, vs, alpha = (sympy.Symbol(s, positive=True) for s in ("v", "vs", "alpha"))
Fc, Fs, b, y, c = (sympy.Symbol(s, positive=True) for s in ("Fc", "Fs", "b", "y", "c"))
here = {str(s): s for s in (v, vs, alpha, Fc, Fs, b)}
F = sympy_view(law)["force"]
F = F.xreplace({s: here[s.name] for s in F.free_symbols})
r = v / vs
slope = b - alpha * (Fs - Fc) / vs * r ** (alpha - 1) * sympy.exp(-(r**alpha))
assert sympy.simplify(sympy.expand_power_base(sympy.diff(F, v) - slope, force=True)) == 0
left = y**c * sympy.exp(-y)
assert sympy.simplify(sympy.diff(left, y).subs(y, c)) == 0
assert sympy.simplify(left.subs(y, c) - (c / sympy.E) ** c) == 0
chapter = -2 * (Fs - Fc) * v / vs**2 * sympy.exp(-((v / vs) ** 2)) + b
same = sympy.simplify(sympy.diff(F.subs(alpha, 2), v) - chapter) == 0
print(statement(REPRODUCED, "slope f_ss'", same, str(chapter)))
kappa = b * vs / (2 * (Fs - Fc))
zero = sympy.simplify(chapter / b * kappa - (kappa - r * sympy.exp(-(r**2)))) == 0
print(statement(REPRODUCED, "f_ss' = 0 iff r exp(-r^2) = kappa", zero, f"kappa = {kappa}"))
top = (c / sympy.E) ** c
least = sympy.simplify(top.subs(c, sympy.Rational(1, 2)) - 1 / sympy.sqrt(2 * sympy.E)) == 0
print(statement(REPRODUCED, "falls iff kappa < 1/sqrt(2 e)", least, "(c/e)^c at c = 1/2"))

# %% [markdown]
# **Step 2, Lambert's W.** $y^c e^{-y} = K$ is $(-y/c) e^{-y/c} = -K^{1/c}/c$, so $-y/c = W$. Its
# two real branches are the two speeds. $K^{1/c}$ leaves the range of a double as $\alpha \to 1$,
# where $c \to 0$; in logarithms, with $u = y/c$, the equation is $u - \ln u = 1 + \ln(K_c/K)/c$,
# which stays in range.

# %%
for exponent in (1.2, 2.0, 3.5):
    ((low, high),) = shape(StribeckCurve(1.0, 1.5, 0.01, exponent, 0.5)).falling
    with mpmath.workdps(40):
        K = mpmath.mpf("0.5") * mpmath.mpf("0.01") / (exponent * mpmath.mpf("0.5"))
        power = (mpmath.mpf(exponent) - 1) / exponent
        for end, branch in ((low, 0), (high, -1)):
            W = mpmath.lambertw(-(K ** (1 / power)) / power, branch)
            speed = mpmath.mpf("0.01") * mpmath.re(-power * W) ** (1 / mpmath.mpf(exponent))
            assert abs(end / float(speed) - 1) < 1e-12
((_, near_one),) = shape(StribeckCurve(1.0, 1.5, 0.01, 1.001, 0.5)).falling
print(number(ADDED, "alpha = 1.001, K^1001 being no double: falls up to", "0.04600669", near_one))

# %% [markdown]
# **Step 3, the chapter's curve** (result 1, sections 3.8.3.1 and 3.8.5).

# %%
found = shape(curve)
((low, high),) = found.falling
(_, peak), (at, minimum) = found.stationary
assert at == high
for mark, claim, printed, value, digits in (
    (REPRODUCED, "kappa", "0.005", curve.steepness, ""),
    (REPRODUCED, "critical kappa 1/sqrt(2 e)", "0.429", critical_steepness(2.0), "0.428881942480"),
    (REPRODUCED, "falls from [rad/s]", "5.0e-5", low, "5.00012500781e-5"),
    (REPRODUCED, "falls up to [rad/s]", "0.0249", high, "0.0249229215759327"),
    (REPRODUCED, "falls up to [omega_s]", "2.49", high / P["vs"], ""),
    (REPRODUCED, "minimum at [rad/s]", "0.02492", at, ""),
    (REPRODUCED, "minimum [N m]", "1.0135", minimum, "1.01346455346006"),
    (REPRODUCED, "minimum below Fs [N m]", "0.49", P["Fs"] - minimum, "0.486535446540"),
    (ADDED, "largest value, above Fs [N m]", "1.5000125001563", peak, ""),
    (ADDED, "steepest slope [N m s/rad]", "-42.388194248035", found.steepest[1], ""),
    (ADDED, "at [omega_s], 1/sqrt 2", "0.70710678", found.steepest[0] / P["vs"], ""),
    (ADDED, "largest sigma2 of a falling part", "42.8881942480353", critical_viscous(curve), ""),
):
    print(number(mark, claim, printed, value, value=digits))
roots = [brentq(curve.slope, *ends, xtol=1e-19) for ends in ((1e-6, 1e-3), (1e-3, 1.0))]
gap = max(abs(roots[0] - low), abs(roots[1] - high))
print(statement(REPRODUCED, "W and brentq agree within 1e-16", gap < 1e-16, f"apart by {gap:.0e}"))

# %% [markdown]
# **Step 4, falling and stick-slip.** The chapter calls it the origin of stick-slip. A
# joint held by $K_p$, $K_v$ at a sliding speed moves by $J s^2 + (K_v + F') s + K_p$: unstable iff
# $K_v < -F'$, so no slide is if $K_v$ is above the steepest fall. With bristles a second condition
# of Routh, with $\sigma_1$, stands beside this one (derivation 14).


# %%
def grows(Kv: float) -> bool:
    """Whether the slide at the steepest fall is unstable, J = 1 and Kp = 3."""
    return bool(np.roots([1.0, Kv + curve.slope(found.steepest[0]), 3.0]).real.max() > 0)


print(
    statement(
        REPRODUCED,
        "a falling curve is the origin of stick-slip",
        grows(0.0) and grows(42.38) and not grows(42.39),
        "slides are unstable for Kv = 42.38 and below, none is for 42.39",
        assuming="less damping than the steepest fall, 42.388 N m s/rad",
    )
)

# %% [markdown]
# **Step 5, at rest** (section 3.8.3.2). The static curve has a set of values at rest. MuJoCo's
# frictionloss is a soft constraint: below it the joint creeps, at $c (\tau - b v)/J$ with $c = (1 -
# d_0) d_{max} \tau_c/(2 d_0)$ from its impedance and time constant; above it the joint slides as
# the law says, at $(\tau - F_c)/\sigma_2$ in the end. Run where MuJoCo is installed.

# %%
low, high = law_named("stribeck-set").at_rest(FLOAT64, {}, P)
found = f"the set at rest is [{low}, {high}] N m"
print(
    statement(REPRODUCED, "friction at rest is any of [-Fs, Fs]", (low, high) == (-1.5, 1.5), found)
)


def mujoco_speed(torque: float, steps: int) -> float:
    """Speed after so many steps of 2 ms: J = 1, frictionloss 1, damping 0.5."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 0"/><worldbody><body>
        <joint axis="0 0 1" damping="0.5" frictionloss="1"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qfrc_applied[0] = torque
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return float(data.qvel[0])


with_mujoco = importlib.util.find_spec("mujoco") is not None
for torque, value in ((0.5, "5.27499e-4"), (0.9, "9.49499e-4")):
    creep = mujoco_creep_speed(torque, 1.0, 0.5)
    claim = f"MuJoCo's speed, stuck under {torque} N m [rad/s]"
    assert abs(creep / float(value) - 1) < 1e-5
    if with_mujoco:
        speed = mujoco_speed(torque, 1000)
        assert abs(speed / creep - 1) < 1e-5
        holds = 10**-3.5 < speed < 10**-2.5
        print(statement(REPRODUCED, f"{claim} is of order 1e-3", holds, f"{speed:.6g}"))
if with_mujoco:
    claim = "MuJoCo's terminal speed (tau - Fc)/sigma2 under 1.8 N m [rad/s]"
    print(number(REPRODUCED, claim, "1.6", mujoco_speed(1.8, 30_000), value="1.600000"))

# %% [markdown]
# ## Check
# **An independent road.** The closed form of the curve against the slope of the law by dual
# numbers, and its minimum by $F_c + b v_s (r + r^{1-\alpha}/\alpha)$.

# %%
A = DualAlgebra(FLOAT64)
numbers = {name: A.constant(value) for name, value in P.items()}
((low, high),) = shape(curve).falling
slopes = [law.force(A, Dual(end, 1.0), [], {}, numbers).rate for end in (low, high)]
assert max(map(abs, slopes)) < 1e-10
ratio = high / P["vs"]
assert abs(P["Fc"] + P["b"] * P["vs"] * (ratio + 1 / (2 * ratio)) - minimum) < 1e-14
print("the slope of the law vanishes at both ends of the interval, by dual numbers")

# %% [markdown]
# ## Result
# The ledger above. The closed form is `symdyn.analysis.shape`.

# %% [markdown]
# ## What this does not show
# What a sweep of speeds tells of the curve is derivation 13, what bristles add to it derivation 11.
# The chapter's parameters are examples; no joint was measured.
