# %% [markdown]
# # LuGre friction: lag, drift, passivity, hunting and compensation
#
# **Claim.** For $\dot z = v - \sigma_0 |v| z/h(v)$, $F = \sigma_0 z + \sigma_1 \dot z + \sigma_2
# v$: (i) the lag loop turns round exactly at $\sigma_1 = h(v_0)/|v_0|$ for small amplitudes; (ii)
# a slow torque between $u_1$ and $u_2$ moves the joint in each cycle by $\frac{F_s}{\sigma_0} \ln
# \frac{1 - (u_1/F_s)^2}{1 - (u_2/F_s)^2}$; (iii) with constant $\sigma_1$ and $F_s \ge F_c$ the
# model is passive from velocity to force iff $\sigma_2 \ge \sigma_1 (F_s - F_c)/F_c$; (iv) the
# loop with friction compensation and $H(s) = K_v s + K_p$ is strictly positive real iff $\sigma_1
# K_v > \sigma_0 J$. A chapter's simulated numbers are reproduced with inferred inputs, but for
# two: its amplitude of hunting is that of a transient, and what it calls hunting at $K_v = 150$
# dies out.
#
# **Source.** Chapter 3.8 of a Korean textbook of robotics, sections 3.8.3.3, 3.8.3.6 and 3.8.5;
# the model, its boundedness and theorem 1: Canudas de Wit, Olsson, Åström, Lischinsky 1995, IEEE
# TAC 40(3). Passivity: Barabanov and Ortega 2000, IEEE TAC 45(4).

# %% [markdown]
# ## Setup
# The chapter's example, $F_c = 1$, $F_s = 1.5$ N m, $\omega_s = 0.01$ rad/s, $\sigma_2 = 0.5$ and
# $\sigma_1 = 99.5$ N m s/rad. Not stated there and inferred from its numbers: $\sigma_0 = 10^4$ N
# m/rad, $J = 1$ kg m², gains $K_p = 3$, $K_i = 4$, observer gain $k = 20$, start one radian away.

# %%
import math

import numpy as np
import sympy

from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis import (
    compensated_loop,
    deflection_bound,
    drift_per_cycle,
    lag_loop,
    lugre_passivity,
    presliding,
    required_viscous,
    stick_mode,
)
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import law_named
from symdyn.simulate import (
    Section,
    break_away,
    compensated_servo,
    find_cycle,
    friction_loop,
    hunt,
    ramped_joint,
    servo,
    walk,
    with_hats,
)
from symdyn.simulate import presliding as ramp_up

law = law_named("lugre")
P = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0, "sigma0": 1e4, "sigma1": 99.5, "sigma2": 0.5}
JOINT = {**P, "J": 1.0}


def said(claim: str, verdict: str, found: str) -> None:
    """One line of the ledger."""
    print(f"{verdict:20} {claim}: {found}")


# %% [markdown]
# ## Derivation
# **Steady state and stick mode** (checkpoints 2 and 3). At constant $v$, $z \to h
# \operatorname{sgn} v / \sigma_0$. Near rest the joint is a spring and damper: $\omega_n =
# \sqrt{\sigma_0/J}$, $\zeta = (\sigma_1 + \sigma_2)/(2 \sqrt{\sigma_0 J})$.

# %%
z = [0.0]
for _ in range(300):
    z = law.update(FLOAT64, 0.03, z, {}, P, 1e-3)
force = law.force(FLOAT64, 0.03, z, {}, P)
assert abs(force - 1.0150617049020432) < 1e-12
said("F settles on the Stribeck curve", "reproduced", f"{force:.16g} N m at 0.03 rad/s")
mode = stick_mode(P, 1.0)
assert abs(mode.frequency - 100) < 1e-12
said("damping ratio 0.5 when stuck", "with an assumption", f"{mode.damping_ratio:g}, at "
     f"{mode.frequency:g} rad/s for J = 1")  # fmt: skip
said("|z| <= Fs/sigma0", "reproduced", f"{deflection_bound(P):.3g} rad; of |F| it says nothing")

# %% [markdown]
# **Presliding** (result 3). Slowly, $d\theta = dz/(1 - \sigma_0 z/F_s)$, so $\theta =
# -(F_s/\sigma_0) \ln(1 - \sigma_0 z/F_s)$. The chapter's 0.1 % and 3.1 belong to a ramp of 0.1 N
# m/s up to 0.95 Fs; at 10 N m/s the first is 4.8 %.

# %%
u, Fs, s0 = sympy.symbols("u F_s sigma_0", positive=True)
zz = sympy.Symbol("z", positive=True)
angle = -Fs / s0 * sympy.log(1 - s0 * zz / Fs)
assert sympy.simplify(sympy.diff(angle, zz) - 1 / (1 - s0 * zz / Fs)) == 0
joint = ramped_joint()
at = ramp_up(joint, JOINT, 0.1, 1.425)
assert abs(at.angle - 4.468266e-4) < 1e-9
ratio, off = at.angle / at.deflection, at.deflection * 1e4 / at.friction - 1
said("displacement 3.1 times the deflection", "with an assumption", f"{ratio:.4f}")
said("z = F/sigma0 to 0.1 %", "with an assumption", f"{100 * off:.3f} %")
slow = presliding(P, 1e4 * at.deflection)[0]
said("quasi-static angle", "not in the chapter", f"{slow:.6e} rad beside {at.angle:.6e} rad")

# %% [markdown]
# **Break-away.** The largest *friction* before sliding falls with the rate of the torque; the
# *applied* torque at which the joint slides rises. The definition decides the sign of the trend.

# %%
for rate, doc in ((0.1, 1.489424), (1.0, 1.450036), (10.0, 1.298222), (100.0, 1.172733)):
    found = break_away(joint, JOINT, rate)
    assert abs(found.friction - doc) < 1e-5
    slides = f"applied when it slides {found.torque_sliding:.6f} N m"
    said(f"largest friction at {rate:g} N m/s", "with an assumption", (
        f"{found.friction:.6f} N m; {slides}"))  # fmt: skip

# %% [markdown]
# **Lag** (claim i). About steady sliding at $v_0$ the model is linear: with $\lambda = \sigma_0
# |v_0|/h$, $\delta F/\delta v(s) = (v_0 h'/h)(\sigma_0 + \sigma_1 s)/(s + \lambda) + \sigma_2$. Its
# imaginary part, hence the direction of the loop, vanishes at every frequency iff $\sigma_1
# \lambda = \sigma_0$, that is $\sigma_1 = h/|v_0|$. This settles what the chapter leaves open:
# its $\sigma_1 = 99.5$ is above $h/v_0 = 50.46$ at 0.02 rad/s, hence its loop is turned round.

# %%
s, lam, s1, s2, gain, w = sympy.symbols("s lambda sigma_1 sigma_2 gain w", positive=True)
v, v0 = sympy.symbols("v v_0", positive=True)
h = sympy.Function("h")
state, drift = sympy.symbols("z_0 dz")
rate_of_z = v - s0 * v / h(v) * zz
steady = h(v0) / s0
by_v = sympy.diff(rate_of_z, v).subs({zz: steady, v: v0}).doit()
by_z = sympy.diff(rate_of_z, zz).subs(v, v0)
slope = sympy.Subs(sympy.diff(h(v), v), v, v0).doit()
assert sympy.simplify(by_v - v0 * slope / h(v0)) == 0
assert sympy.simplify(by_z + s0 * v0 / h(v0)) == 0
response = gain * (s0 + s1 * s) / (s + lam) + s2
turned = sympy.im(sympy.expand_complex(response.subs(s, sympy.I * w)))
assert sympy.simplify(turned - gain * w * (s1 * lam - s0) / (lam**2 + w**2)) == 0
loop = lag_loop(P, 0.02)
said("direction depends on sigma1", "reproduced", f"turns round at sigma1 = {loop.reversal:.5f}")
documented = {
    (0.0, 100): (1.076380, 1.011971, 1.21819e-3),
    (99.5, 1): (1.018836, 1.019459, -9.29593e-6),
    (99.5, 100): (0.963541, 1.026143, -1.10910e-3),
}
for (sigma1, frequency), (rising, falling, area) in documented.items():
    p = {**P, "sigma1": sigma1}
    lag = friction_loop(law, p, 0.03, 0.02, frequency)
    assert abs(lag.area / area - 1) < 1e-4
    up, down = lag.at(0.02)
    assert max(abs(up - rising), abs(down - falling)) < 2e-5
    said(f"loop at {frequency} rad/s, sigma1 = {sigma1:g}", "with an assumption", (
        f"F(0.02) {up:.6f} rising, {down:.6f} falling; area {lag.area:.5e}"))  # fmt: skip

# %% [markdown]
# **Drift** (claim ii). Forwards $d\theta = dz/(1 - \sigma_0 z/F_s)$, backwards $d\theta = dz/(1 +
# \sigma_0 z/F_s)$; the sum over a cycle does not cancel.

# %%
u1, u2 = sympy.symbols("u_1 u_2", real=True)
x = sympy.Symbol("x", real=True)
there = sympy.integrate(1 / (1 - x), x)
back = sympy.integrate(1 / (1 + x), x)
moved = there.subs(x, u2) - there.subs(x, u1) + back.subs(x, u1) - back.subs(x, u2)
closed = sympy.log((1 - u1**2) / (1 - u2**2))
values = {u1: sympy.Rational(-1, 5), u2: sympy.Rational(3, 5)}
assert abs(sympy.N(sympy.re((moved - closed).subs(values)), 30)) < 1e-25
a_cycle = drift_per_cycle(P, 0.0, 1.0)
said("drift between 0 and 1 N m", "not in the chapter", f"{a_cycle:.6e} rad in each cycle")

# %% [markdown]
# **Passivity** (claim iii). With $V = \sigma_0 z^2/2$ and $x = \sigma_0 z$, for $z v > 0$: $F v -
# \dot V = \frac{v}{h} [x^2 - \sigma_1 v x + h (\sigma_1 + \sigma_2) v]$. Sufficient: on $|x| \le
# F_s$ and $\sigma_1 v > 2 F_s$ the bracket is least at $x = F_s$, where it is $F_s^2 + v [h
# (\sigma_1 + \sigma_2) - \sigma_1 F_s] \ge F_s^2 + v [F_c (\sigma_1 + \sigma_2) - \sigma_1 F_s]$.
# Necessary: load slowly to $x \to F_s$, then move a small distance at speed $W$; $\sigma_1 \dot
# z$ makes the power negative in proportion to $W$.

# %%
X, H = sympy.symbols("x h", positive=True)
zdot = v - v * X / H
power = (X + s1 * zdot + s2 * v) * v - X * zdot
bracket = X**2 - s1 * v * X + H * (s1 + s2) * v
assert sympy.expand(power - v / H * bracket) == 0
Fc = sympy.Symbol("F_c", positive=True)
jump = (Fs + s1 * (v - v * Fs / Fc) + s2 * v) / v
assert sympy.simplify(sympy.limit(jump, v, sympy.oo) - (s2 - s1 * (Fs - Fc) / Fc)) == 0
verdict = lugre_passivity(law, P)
assert verdict.kind is VerdictKind.REFUTED
assert required_viscous(P) == 49.75
said("the map from w to z dissipates", "reproduced", "by V; but from w to F see the next line")
said(
    "LuGre is dissipative",
    "wrong for its example",
    f"sigma2 has to be {required_viscous(P)}, is 0.5",
)
print(f"{'':20} a motion that returns energy: " + ", ".join(
    f"{key} {value:.4g}" for key, value in verdict.witness.items()))  # fmt: skip

# %% [markdown]
# **Passivity with any $\sigma_1(v)$.** With $u = \sigma_0 z$ and a storage of slope $p(u)$,
# dissipation at speed $v > 0$ is $(1 - u/h)(p - g) \le u + \sigma_2 v$, $g = \sigma_1(v) v$: an
# upper bound $U$ of $p$ from speeds that load, $h > u$, a lower bound $L$ from those that unload.
# It is linear in $u$, so it holds between two loads if it does at both. A small turn at the two
# bounding speeds takes $(U - L)\,du/\sigma_0$: the model is passive iff $L \le U$ at every load.
# Where $h$ rises and $\sigma_1$ is constant, speeds that unload are lower, so $L < \sigma_1 v_u <
# U$ with $h(v_u) = u$: always passive for $F_s < F_c$.

# %%
u, p, g, g2, h2, w = sympy.symbols("u p g g_2 h_2 w", positive=True)
slip = 1 - u / H
supply = u + g * slip + s2 * v  # per distance
stored = p * slip
condition = (u + s2 * v) - slip * (p - g)
assert sympy.simplify(supply - stored - condition) == 0
assert sympy.diff(condition, u, 2) == 0
upper = sympy.solve(condition, p)[0]
lower = upper.subs({g: g2, H: h2, v: w})
up, down = supply / slip, (supply / slip).subs({g: g2, H: h2, v: w})
assert sympy.simplify((up - down) - (upper - lower)) == 0
fading = law_named("lugre-fading")
for vd, kind in ((0.2, VerdictKind.PROVED), (0.3, VerdictKind.REFUTED)):
    found = lugre_passivity(fading, {**P, "vd": vd})
    assert found.kind is kind
    print(f"sigma1 fading over {vd} rad/s: {found.kind.value}, {found.detail}")

# %% [markdown]
# **Hunting** (result 4). A limit cycle is a point that the orbit returns to. The chapter's 0.0685
# rad is the largest error after 40 s, while the transient still decays; the cycle's amplitude is
# 0.0672 rad. At $K_v = 150$ its 0.68 rad is the largest error from 40 s to 100 s of a motion that
# dies out: the linear loop has roots $-0.0099 \pm 0.163j$.

# %%
pid = servo({**JOINT, "Kp": 3.0})
cycle = hunt(pid, {"Kv": 6.0, "Ki": 4.0})
assert cycle.is_cycle
assert abs(cycle.amplitude / 0.0671935 - 1) < 1e-4
assert abs(cycle.period / 23.933036 - 1) < 1e-6
late = walk(pid, {"Kv": 6.0, "Ki": 4.0}, pid.system.start(q=-1), 100, 1e-4, every=100)
window = np.abs(late.states[late.times >= 40, 0]).max()
said(
    "hunting by 0.0685 rad",
    "wrong",
    f"{cycle.amplitude:.7f} rad; {window:.7f} rad is the transient",
)
said("period 23.9 s", "with an assumption", f"{cycle.period:.6f} s")
died = hunt(pid, {"Kv": 150.0, "Ki": 4.0}, span=1500, dt=5e-4)
assert not died.is_cycle
sizes = [r.size for r in died.returns[1:]]
assert sizes == sorted(sizes, reverse=True)
said("hunting grows to 0.68 rad at Kv = 150", "wrong", f"{died.kind.value}; returns "
     + ", ".join(f"{size:.3f}" for size in sizes[:5]) + " rad")  # fmt: skip
roots = np.roots([1, 150.5, 3, 4])  # outside of the bristles' range friction adds sigma2 alone
slowest = roots[np.argmax(roots.real)]
said("roots of the sliding loop at Kv = 150", "not in the chapter", (
    f"{slowest.real:.5f} ± {abs(slowest.imag):.5f}j"))  # fmt: skip

# %% [markdown]
# **Compensation** (claim iv). $\operatorname{Re} G(jw)$ of $G = (\sigma_1 s + \sigma_0)/(J s^2 +
# K_v s + K_p)$ has the numerator $\sigma_0 K_p + (\sigma_1 K_v - \sigma_0 J) w^2$, as the chapter
# says. It leaves out that $K_p > 0$ is needed, and that at equality $G$ is positive real at every
# frequency but not strictly: $w^2 \operatorname{Re} G \to 0$.

# %%
J, Kp, Kv = sympy.symbols("J K_p K_v", positive=True)
jw = sympy.I * w
product = sympy.expand((s1 * jw + s0) * sympy.conjugate(J * jw**2 + Kv * jw + Kp))
assert sympy.expand(sympy.re(product) - (s0 * Kp + (s1 * Kv - s0 * J) * w**2)) == 0
least = compensated_loop(P, 1.0, 3.0, 150.0)
assert least.is_strict
assert not compensated_loop(P, 1.0, 3.0, 6.0).is_strict
assert not compensated_loop({**P, "sigma1": 100.0}, 1.0, 3.0, 100.0).is_strict
said("SPR iff Kv > 100.5", "reproduced", f"{least.least_damping:.9f}, equality excluded")
observer = compensated_servo()
hats = {**JOINT, **with_hats(P), "Kp": 3.0, "k": 20.0}
done = walk(observer, {**hats, "Kv": 150.0}, observer.system.start(q=-1), 10, 1e-4, every=100_000)
error = abs(done.states[-1, 0])
assert error < 1e-8
said("the error falls to 1e-19 rad", "with an assumption", f"{error:.4e} rad at 10 s; below 1e-16 "
     "only because the error itself is the state")  # fmt: skip
ripple = find_cycle(
    observer, {**hats, "Kv": 6.0}, observer.system.start(q=-1), 60, 1e-4, Section("q"), chunk=50
)
assert abs(ripple.amplitude / 2.0516e-4 - 1) < 1e-3
said("2.05e-4 rad and 0.109 s at Kv = 6", "with an assumption", (
    f"{ripple.amplitude:.5e} rad, {ripple.period:.5f} s"))  # fmt: skip

# %% [markdown]
# ## Check
# **An independent road.** The hunting servo by SciPy's LSODA with its right side typed in here,
# over one period from the cycle's own section: it comes back to where it was. And the energy of
# the witness against passivity, from its two parts in closed form.

# %%
from scipy.integrate import solve_ivp


def servo_rate(t: float, y: np.ndarray) -> list[float]:
    e, velocity, bristle, integral = y
    level = 1.0 + 0.5 * math.exp(-((velocity / 0.01) ** 2))
    rate = velocity - 1e4 * abs(velocity) / level * bristle
    friction = 1e4 * bristle + 99.5 * rate + 0.5 * velocity
    return [velocity, -3 * e - 6 * velocity - 4 * integral - friction, rate, e]


names = [q.name for q in pid.system.states]
start = dict(zip(names, cycle.returns[-1].state, strict=True))
y0 = [start["q"], start["v"], start["z"], next(start[n] for n in names if n not in "qvz")]
after = solve_ivp(
    servo_rate, (0, cycle.period), y0, method="LSODA", rtol=1e-10, atol=1e-13
).y[:, -1]  # fmt: skip
closing = float(np.max(np.abs(after - y0)))
print(f"after one period LSODA is back within {closing:.1e}")
assert closing < 1e-4

energy = verdict.witness["energy in total"]
assert energy < 0

# %% [markdown]
# ## Result
# The ledger above. Verdicts are `symdyn.analysis`, motions `symdyn.simulate`.

# %% [markdown]
# ## What this does not show
# The chapter's table of agreements with SciPy and MuJoCo is not in its text. How the compensated
# servo stands wrong parameters, load and temperature, which the chapter leaves open, is swept in
# `docs/how-to/simulate-friction.md`. Whether a fading $\sigma_1$ is passive where $\sigma_0 z^2/2$
# does not tell is decided by `symdyn.analysis.lugre_storage`. No joint was measured.
