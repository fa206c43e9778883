# %% [markdown]
# # A servo with LuGre friction: hunting, its boundary, and compensation
#
# **Claim.** A chapter's PID servo hunts with a period that is reproduced and an amplitude that is
# that of a transient; what it calls hunting at $K_v = 150$ dies out. The loop with its observer and
# $H(s) = K_v s + K_p$ is strictly positive real iff $\sigma_1 K_v > \sigma_0 J$, equality excluded
# and $K_p > 0$ needed. Two questions that it leaves open are answered by simulation: the boundary
# of hunting is no function of the steady curve alone; the compensation stands wrong levels, load
# and heat, and its bounds on stiffness and damping believed wrong are those of the loop at rest.
#
# **Source.** Chapter 3.8 of a Korean textbook of robotics, sections 3.8.3.6, 3.8.5, 3.8.11; the
# observer and its theorem 1: Canudas de Wit, Olsson, Åström, Lischinsky 1995, IEEE TAC 40(3).

# %% [markdown]
# ## Setup
# The chapter's joint, $F_c = 1$, $F_s = 1.5$ N m, $\omega_s = 0.01$ rad/s, $\sigma_2 = 0.5$ and
# $\sigma_1 = 99.5$ N m s/rad. Not stated there and inferred from its numbers: $\sigma_0 = 10^4$ N
# m/rad, $J = 1$ kg m², gains $K_p = 3$, $K_i = 4$, observer gain $k = 20$, a start one radian away
# at rest, RK4 with 0.1 ms. *Printed* is the chapter's, *found* ours.

# %%
import math

import numpy as np
import sympy

from symdyn.analysis import compensated_loop, critical_viscous
from symdyn.analysis.steady_curve import curve_of
from symdyn.friction.catalog import law_named
from symdyn.report.ledger import Mark, number, statement
from symdyn.simulate import (
    Case,
    CycleKind,
    Section,
    believed,
    compensated_servo,
    find_cycle,
    heated,
    hunt,
    hunting_boundary,
    linear_bounds,
    loaded,
    servo,
    slip_map,
    solve,
    sweep,
    track,
    tracking_servo,
    walk,
    with_hats,
)

REPRODUCED, WRONG, ADDED = Mark
P = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0, "sigma0": 1e4, "sigma1": 99.5, "sigma2": 0.5}
JOINT, INPUTS = {**P, "J": 1.0}, "the inputs of the setup"
pid = servo({**JOINT, "Kp": 3.0})
start = pid.system.start(q=-1)

# %% [markdown]
# ## Derivation
# **Hunting** (result 4). The integral winds up while the joint sticks, until it slips past the
# target. A limit cycle is a point that the orbit returns to. The chapter's 0.0685 rad is the
# largest error after 40 s, while the transient still decays; it says itself, two words later, that
# the error stays near 0.067 rad.

# %%
gains = {"Kv": 6.0, "Ki": 4.0}
cycle = hunt(pid, gains)
print(
    statement(REPRODUCED, "it hunts at Kv = 6", cycle.is_cycle, cycle.kind.value, assuming=INPUTS)
)
late = walk(pid, gains, start, 100, 1e-4, every=100)
after_40 = float(np.abs(late.states[late.times >= 40, 0]).max())
for mark, claim, printed, value, digits in (
    (WRONG, "amplitude [rad]", "0.0685", cycle.amplitude, "0.0671935"),
    (REPRODUCED, "error in the steady part [rad]", "0.067", cycle.amplitude, ""),
    (ADDED, "largest error after 40 s, in the transient [rad]", "0.0685316", after_40, ""),
    (REPRODUCED, "period [s]", "23.9", cycle.period, "23.93304"),
):
    assumed = INPUTS if mark is REPRODUCED else ""
    print(number(mark, claim, printed, value, value=digits, assuming=assumed))

# %% [markdown]
# **At $K_v = 150$** the 0.68 rad is the largest error from 40 s to 100 s of a motion that dies out:
# the loop that slides is $J s^3 + (K_v + \sigma_2) s^2 + K_p s + K_i$, with a slow pair of roots.

# %%
died = hunt(pid, {"Kv": 150.0, "Ki": 4.0}, span=1500, dt=5e-4)
sizes = [r.size for r in died.returns[1:]]
falling = sizes == sorted(sizes, reverse=True) and died.kind is CycleKind.DECAY
assert not died.is_cycle
found = "it dies out: returns at " + ", ".join(f"{size:.3f}" for size in sizes[:5]) + " ... rad"
print(statement(WRONG, "hunting grows to 0.68 rad at Kv = 150", not falling, found))
slow = walk(pid, {"Kv": 150.0, "Ki": 4.0}, start, 100, 1e-4, every=100)
in_window = float(np.abs(slow.states[slow.times >= 40, 0]).max())
claim = "largest error from 40 s to 100 s at Kv = 150 [rad]"
print(number(REPRODUCED, claim, "0.68", in_window, value="0.6815", assuming=INPUTS))
roots = np.roots([1, 150.5, 3, 4])
slowest = roots[np.argmax(roots.real)]
print(number(ADDED, "rate of the slow root [1/s]", "-0.00988", slowest.real))
print(number(ADDED, "its frequency [rad/s]", "0.16274", abs(slowest.imag)))

# %% [markdown]
# **RK4 against DOP853.** The chapter has them differ by $10^{-5}$ to $10^{-6}$, and lays it to the
# bend of $|\omega|$ and the step of RK4. Over the first 40 s of hunting such a difference appears
# with a tolerance of $10^{-6}$ and goes with the tolerance: it is that of DOP853.

# %%
fixed = walk(pid, gains, start, 40, 1e-4, every=400)
gaps = {}
for rtol in (1e-6, 1e-10):
    times = np.linspace(0, 40, 1001).tolist()
    values = {**pid.fixed, **gains}
    way = {"method": "DOP853", "rtol": rtol, "atol": rtol * 1e-3}
    gaps[rtol] = float(
        np.abs(solve(pid.system, values, start, times, **way).states - fixed.states).max()
    )
found = f"at most {gaps[1e-6]:.0e} in any state"
holds, assumed = 1e-6 < gaps[1e-6] < 1e-5, "tolerance 1e-6 of DOP853"
print(statement(REPRODUCED, "they differ by 1e-5 to 1e-6", holds, found, assuming=assumed))
found = f"{gaps[1e-10]:.0e} is left at a tolerance of 1e-10, with the same RK4"
print(statement(WRONG, "it is the step of RK4", gaps[1e-10] > 1e-7, found))

# %% [markdown]
# **The boundary of hunting**, in closed form? (research question 3). A stop at the error e leads to
# a stop at e'; errors grow where $|e'| > |e|$. The boundary is the $K_v$ at which the largest ratio
# falls to 1. A slow slide is unstable only below the steepest fall of the steady curve, which is a
# closed form (derivation 10). The boundary is not: with one steady curve it moves with $K_i$, from
# below the steepest fall to above it. What has a closed form is Routh's condition of the loop that
# slides, far below: $(K_v + \sigma_2) K_p > J K_i$.

# %%
fall = critical_viscous(curve_of(law_named("lugre"), P)) - P["sigma2"]
print(number(ADDED, "steepest fall of the steady curve [N m s/rad]", "42.388194", fall))
edges = {Ki: hunting_boundary(pid, {"Ki": Ki}) for Ki in (1.0, 4.0, 16.0)}
for Ki, digits in ((1.0, "30.2"), (4.0, "36.3"), (16.0, "42.6")):
    print(number(ADDED, f"boundary for Ki = {Ki:g} [N m s/rad]", digits, edges[Ki].Kv))
sizes = np.geomspace(2e-3, 0.3, 40).tolist()
(grown,) = slip_map(pid, {"Kv": 36.0, "Ki": 4.0}, [edges[4.0].error], dt=2e-4)
most = max(slip_map(pid, {"Kv": 36.7, "Ki": 4.0}, sizes, dt=2e-4))
found = f"an error grows by {grown:.3f} at Kv = 36.0, by {most:.3f} at most at 36.7"
print(statement(ADDED, "the boundary for Ki = 4 parts growth from decay", grown > 1 > most, found))
beyond = hunt(pid, {"Kv": 44.0, "Ki": 64.0}, span=3000, floor=1e-3)
found = f"at Ki = 64 and Kv = 44 it hunts by {beyond.amplitude:.4f} rad"
print(statement(ADDED, "hunting above the steepest fall", beyond.is_cycle and fall < 44, found))

# %% [markdown]
# **Compensation.** $\operatorname{Re} G(jw)$ of $G = (\sigma_1 s + \sigma_0)/(J s^2 + K_v s + K_p)$
# has the numerator $\sigma_0 (K_p - J w^2) + \sigma_1 K_v w^2$ (checkpoint 5). The chapter leaves
# out that $K_p > 0$ is needed, and that at equality $G$ is positive real at every frequency but not
# strictly: $w^2 \operatorname{Re} G \to 0$.

# %%
J, Kp, Kv, s0, s1, w = sympy.symbols("J K_p K_v sigma_0 sigma_1 w", positive=True)
jw = sympy.I * w
product = sympy.expand((s1 * jw + s0) * sympy.conjugate(J * jw**2 + Kv * jw + Kp))
chapter = s0 * (Kp - J * w**2) + s1 * Kv * w**2
same = sympy.expand(sympy.re(product) - chapter) == 0
print(statement(REPRODUCED, "numerator of Re G(jw)", same, str(chapter)))
tail = sympy.limit(chapter / sympy.Abs(J * jw**2 + Kv * jw + Kp) ** 2 * w**2, w, sympy.oo)
assert sympy.simplify(tail - (s1 * Kv - s0 * J) / J**2) == 0
least = compensated_loop(P, 1.0, 3.0, 150.0)
print(number(REPRODUCED, "SPR for Kv above", "100.5", least.least_damping, value="100.502513"))
strict = [compensated_loop(P, 1.0, 3.0, Kv).is_strict for Kv in (150.0, 100.51, 100.5, 6.0)]
found = "of Kv = 150, 100.51, 100.5, 6 the first two"
holds = strict == [True, True, False, False]
print(statement(REPRODUCED, "SPR iff sigma1 Kv > sigma0 J", holds, found, assuming="Kp > 0"))
at_equality = compensated_loop({**P, "sigma1": 100.0}, 1.0, 3.0, 100.0).is_strict
without = compensated_loop(P, 1.0, 0.0, 150.0).is_strict
holds = not at_equality and not without
print(statement(ADDED, "not strictly at equality, nor with Kp = 0", holds, f"w^2 Re G -> {tail}"))
observer = compensated_servo()
hats = {**JOINT, **with_hats(P), "Kp": 3.0, "k": 20.0}
first = observer.system.start(q=-1)
done = walk(observer, {**hats, "Kv": 150.0}, first, 40, 1e-4, every=100_000)
errors = np.abs(done.states[:, 0])
print(number(ADDED, "error at 10 s, Kv = 150 [rad]", "7.1953e-10", float(errors[1])))
floor = np.spacing(1.0) / 2
found = f"{errors[-1]:.0e} rad at 40 s; with a target of 1 rad rounding ends at {floor:.0e}"
assumed = "the error itself is the state"
print(
    statement(
        REPRODUCED, "the error falls to 1e-19 rad", errors[-1] < 1e-18, found, assuming=assumed
    )
)
swings = {"amplitude": 0.5, "frequency": 1.0}
(behind,) = track(
    tracking_servo(), JOINT, {"Kp": 3.0, "Kv": 150.0, "k": 20.0}, [Case("", {})], **swings
)
found = f"{behind.residual:.0e} rad behind 0.5 sin t after 20 periods"
print(
    statement(REPRODUCED, "tracking errors vanish", behind.residual < 1e-9, found, assuming="SPR")
)
weak = walk(observer, {**hats, "Kv": 150.0, "k": 0.1}, first, 40, 1e-4, every=1000)
left = float(np.abs(weak.states[weak.times >= 30, 0]).max())
print(number(ADDED, "error from 30 s to 40 s with k = 0.1 [rad]", "0.24", left))
ripple = find_cycle(observer, {**hats, "Kv": 6.0}, first, 60, 1e-4, Section("q"), chunk=50)
for claim, printed, value, digits in (
    ("oscillation left at Kv = 6 [rad]", "2.05e-4", ripple.amplitude, "2.0516e-4"),
    ("its period [s]", "0.109", ripple.period, "0.10882"),
):
    print(number(REPRODUCED, claim, printed, value, value=digits, assuming=INPUTS))

# %% [markdown]
# **Wrong parameters, load and heat** (research question 1, and the limit that the chapter and the
# paper state). At $K_v = 150$, from one radian: the observer believes another parameter than the
# joint has; or the levels of the joint grow with load, $F_c + 0.1 |\tau|$ and $F_s + 0.15 |\tau|$,
# or change with temperature, and the observer does not know.

# %%
grown = {"FcL": 0.1, "FsL": 0.15}
warmth = {"FsT": 0.005, "vsT": 1e-4, "FvT": 0.1, "TV0": 20.0}
harmless = [
    Case("exact", {}),
    *believed("Fc", P, (0.8, 1.25)),
    *believed("Fs", P, (0.8, 1.25)),
    *believed("vs", P, (0.5, 2.0)),
    *believed("sigma0", P, (0.8,)),
    *believed("sigma1", P, (0.8, 1.25)),
    *believed("sigma2", P, (0.5, 2.0)),
    *loaded(P, grown, (1.0, 10.0)),
    *heated(P, warmth, (-20.0, 40.0)),
]
heavy, hot = harmless[-3].changes, harmless[-1].changes
assert np.allclose([heavy["Fc"], heavy["Fs"]], [2.0, 3.0], rtol=1e-12)
viscous = 0.5 - 0.1 * (1 - math.exp(-2))
assert np.allclose([hot["Fs"], hot["vs"], hot["sigma2"]], [1.7, 0.014, viscous], rtol=1e-12)
at = {"Kp": 3.0, "Kv": 150.0, "k": 20.0}
outcomes = sweep(observer, JOINT, at, harmless)
most = max(outcome.residual for outcome in outcomes)
settled = all(outcome.verdict.kind is CycleKind.DECAY for outcome in outcomes)
found = f"at most {most:.0e} rad left: " + ", ".join(case.label for case in harmless)
print(statement(ADDED, "converges at Kv = 150", settled and most < 1e-9, found))

# %% [markdown]
# **Where it ends.** About rest the compensated loop is linear: $\dot z = v$ and $\dot{\hat z} = v -
# k e$. With hats for what the observer believes and $D = K_v + \sigma_1 + \sigma_2 - \hat\sigma_1 -
# \hat\sigma_2$ its polynomial is $J s^3 + D s^2 + (K_p + \sigma_0 - \hat\sigma_0 + \hat\sigma_1 k)
# s + \hat\sigma_0 k$. By Routh a belief $\hat\sigma_0 = f \sigma_0$ is stable iff $f < (K_p +
# \sigma_0 + \sigma_1 k)/(\sigma_0 (1 + J k/K_v))$. Levels do not enter. Simulated cases 3 % on
# either side of the bounds converge, or end in a small cycle.

# %%
s2, k, S = sympy.symbols("sigma_2 k s", positive=True)
h0, h1, h2 = sympy.symbols("h_0 h_1 h_2", positive=True)  # with hats
e, v, z, zh = sympy.symbols("e v z zh")
F = s0 * z + (s1 + s2) * v
u = -Kp * e - Kv * v + h0 * zh + h1 * (v - k * e) + h2 * v
flow = sympy.Matrix([v, (u - F) / J, v, v - k * e]).jacobian([e, v, z, zh])
D = Kv + s1 + s2 - h1 - h2
cubic = J * S**3 + D * S**2 + (Kp + s0 - h0 + h1 * k) * S + h0 * k
assert sympy.expand(J * (S * sympy.eye(4) - flow).det() - S * cubic) == 0
f = sympy.Symbol("f", positive=True)
edge = Kv * (Kp + s0 - f * s0 + s1 * k) - J * f * s0 * k  # Routh, with true sigma_1, sigma_2
(most,) = sympy.solve(edge, f)
typed = (Kp + s0 + s1 * k) / (s0 * (1 + J * k / Kv))
assert sympy.simplify(most - typed) == 0
most = most.subs({J: 1, Kp: 3, Kv: 150, s0: 10_000, s1: sympy.Rational("99.5"), k: 20})
for name, side, digits in (
    ("sigma0", 1, "1.0582059"),
    ("sigma1", 0, "0.5021812"),
    ("sigma1", 1, "2.0038489"),
):
    bound = linear_bounds(JOINT, at, name)[side]
    claim = f"{'largest' if side else 'smallest'} factor on {name} as believed"
    print(number(ADDED, claim, digits, bound))
    factors = [bound * 0.97, bound * 1.03][:: 1 if side else -1]
    inside, outside = sweep(observer, JOINT, at, believed(name, P, factors))
    assert inside.verdict.kind is CycleKind.DECAY
    assert outside.residual > 1e-7
assert abs(float(most) - linear_bounds(JOINT, at, "sigma0")[1]) < 1e-12
free = linear_bounds(JOINT, at, "Fc") == (0.0, math.inf)
print(statement(ADDED, "levels do not enter", free, "no bound on Fc from the loop at rest"))

# %% [markdown]
# ## Check
# **An independent road.** The right sides of both servos as the chapter writes them, typed in, at
# random states against those of this library; and the hunting servo by SciPy's LSODA with the
# former, over one period from the cycle's own section: it comes back to where it was.

# %%
from scipy.integrate import solve_ivp

from symdyn.algebra.float64 import FLOAT64


def lugre(w: float, z: float) -> tuple[float, float]:
    """Rate of the bristles and friction."""
    level = 1.0 + 0.5 * math.exp(-((w / 0.01) ** 2))
    rate = w - 1e4 * abs(w) * z / level
    return rate, 1e4 * z + 99.5 * rate + 0.5 * w


def pid_rate(t: float, y: np.ndarray) -> list[float]:
    e, w, z, ie = y
    rate, friction = lugre(w, z)
    return [w, -3 * e - 6 * w - 4 * ie - friction, rate, e]


def observer_rate(y: np.ndarray) -> list[float]:
    e, w, z, zh = y
    rate, friction = lugre(w, z)
    level = 1.0 + 0.5 * math.exp(-((w / 0.01) ** 2))
    rate_h = w - 1e4 * abs(w) * zh / level - 20 * e
    u = -3 * e - 150 * w + 1e4 * zh + 99.5 * rate_h + 0.5 * w
    return [w, u - friction, rate, rate_h]


assert [q.name for q in pid.system.states] == ["q", "v", "z", "integral"]
assert [q.name for q in observer.system.states] == ["q", "v", "z", "z_hat"]
of_pid, of_observer = {**pid.fixed, **gains}, {**observer.fixed, **hats, "Kv": 150.0}
for y in np.random.default_rng(3).normal(0, (0.1, 0.02, 1e-4, 1e-4), (50, 4)):
    for system, values, typed in (
        (pid.system, of_pid, pid_rate(0.0, y)),
        (observer.system, of_observer, observer_rate(y)),
    ):
        assert np.allclose(system.rate(FLOAT64, 0.0, y.tolist(), values), typed, 1e-12, 1e-12)
y0 = cycle.returns[-1].state
after = solve_ivp(pid_rate, (0, cycle.period), y0, method="LSODA", rtol=1e-10, atol=1e-13).y[:, -1]
closing = float(np.max(np.abs(after - y0)))
print(f"after one period LSODA is back within {closing:.1e}")
assert closing < 1e-4

# %% [markdown]
# ## Result
# The ledger above. Verdicts are `symdyn.analysis`, motions `symdyn.simulate`; more on
# the boundary and on wrong parameters in `docs/how-to/simulate-friction.md`.

# %% [markdown]
# ## What this does not show
# One inertia, rigid, and one step of one radian: other motions and flexible joints may hunt
# otherwise. Identification on a harmonic drive, the chapter's second research question, needs
# measurements. No joint was measured.
