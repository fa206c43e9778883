# %% [markdown]
# # The lesson's programs: what they compute, and where they leave the model
#
# **Claim.** A lesson gives one friction law as programs in Python, C++, Java, MATLAB and
# Mathematica, with tanh in place of sgn and steps of 1 ms. The formula is one and the same, and
# that of this library; but the programs neither hold a load nor reach the break-away level, their
# step is too large for the slope of tanh at rest, and they do not agree with the exact motion.
#
# **Source.** *Joint friction models: Coulomb, viscous, Stribeck*, lesson of an open course on
# robot dynamics, sections 7 to 11. Stability of steps: Hairer, Nørsett, Wanner 1993, section IV.2.

# %% [markdown]
# ## Setup
# The lesson's joint: $I = 0.1$, $F_C = 0.2$, $F_S = 0.3$, $v_s = 0.05$, $\alpha = 1$, $b = 0.01$,
# $\varepsilon = 10^{-3}$ in SI units; at rest, driven by 0.4 N m for 2 s. The lesson prints no
# results: the numbers are of its programs, run here.

# %%
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import mpmath
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.friction.catalog import law_named
from symdyn.friction_recipes import sympy_view
from symdyn.report.ledger import Mark, number, statement
from symdyn.simulate import (
    SEMI_IMPLICIT_EULER,
    JointFriction,
    constant_inertia,
    simulate_ideal,
    slope_limit,
)

REPRODUCED, WRONG, ADDED = Mark
P = {"Fc": 0.2, "Fs": 0.3, "vs": 0.05, "alpha": 1.0, "b": 0.01}
EPS, INERTIA, DT = 1e-3, 0.1, 1e-3
SMOOTH = {**P, "eps": EPS}
smooth, ideal = law_named("stribeck-smooth"), law_named("stribeck-set")


def friction(v: float) -> float:
    """The library's smoothed Stribeck torque."""
    return smooth.force(FLOAT64, v, [], {}, SMOOTH)


# %% [markdown]
# ## Derivation
# **Python.** The lesson's function, typed in, against the law. Its step is called explicit Euler;
# it updates $q$ with the new velocity, so it is semi-implicit.


# %%
def typed_in(qdot, Fc=0.2, Fs=0.3, vs=0.05, alpha=1.0, b=0.01, eps=1e-3):
    sgn = np.tanh(qdot / eps)
    phi = np.exp(-((np.abs(qdot) / vs) ** alpha))
    return (Fc + (Fs - Fc) * phi) * sgn + b * qdot


def joint_dynamics_step(q, qdot, tau_act, dt):
    qddot = (tau_act - typed_in(qdot)) / INERTIA
    qdot_next = qdot + dt * qddot
    q_next = q + dt * qdot_next
    return q_next, qdot_next, qddot


w = np.concatenate([np.linspace(-3, 3, 1999), [0.0, 1e-300, -1e-300, 1e3]])
apart = np.abs(smooth.force(ARRAYS, w, [], {}, SMOOTH) - typed_in(w)) / (0.3 + 0.01 * np.abs(w))
found = f"within {apart.max():.1e} of Fs + b |v| at {w.size} velocities"
print(statement(REPRODUCED, "Python: the Stribeck torque", float(apart.max()) < 1e-15, found))
q, v, _ = joint_dynamics_step(0.0, 1.0, 0.4, DT)
found = "q is updated by the new velocity: semi-implicit"
print(statement(WRONG, "one explicit Euler step", q == 0.0 + DT * 1.0, found))
q = v = 0.0
for _ in range(2000):
    q, v, acceleration = joint_dynamics_step(q, v, 0.4, DT)
program = q, v
print(number(ADDED, "Python: q(2 s) [rad]", "3.6951570689", q))
print(number(ADDED, "Python: qd(2 s) [rad/s]", "3.6011885241", v))
print(number(ADDED, "Python: last qdd [rad/s^2]", "1.6400451521", acceleration))

# %% [markdown]
# **Mathematica** solves the same equation by NDSolve to its tolerance, so it must give the exact
# motion of the smoothed law. The set-valued law moves otherwise again.


# %%
def motion_rate(t, x):
    return [x[1], (0.4 - friction(x[1])) / INERTIA]


exact = solve_ivp(motion_rate, (0, 2), [0, 0], method="LSODA", rtol=1e-11, atol=1e-13).y[:, -1]
block = constant_inertia([[INERTIA]])
push, none = np.array([0.4]), np.zeros(1)
joint = JointFriction(ideal, P)
set_valued = simulate_ideal(block, [joint], lambda t, q, v: push, [0], [0], [0, 2])
print(number(ADDED, "exact: q(2 s) [rad]", "3.6871315", exact[0]))
print(number(ADDED, "exact: qd(2 s) [rad/s]", "3.5982727", exact[1]))
print(number(ADDED, "set-valued: q(2 s) [rad]", "3.6840196", set_valued.q[-1, 0]))
print(number(ADDED, "set-valued: qd(2 s) [rad/s]", "3.5968536", set_valued.v[-1, 0]))
gap = q - exact[0]
found = f"q(2 s) differs by {gap:.4f} rad: the step, not the model"
print(statement(WRONG, "Python and Mathematica simulate one motion", abs(gap) < 1e-6, found))
starts = [(0.4 - friction(0.0)) / INERTIA, (0.4 - ideal.at_rest(FLOAT64, {}, P)[1]) / INERTIA]
print(number(WRONG, "first acceleration under 0.4 N m [rad/s^2]", "4.0", starts[1], value="1.000"))
assert starts[0] == 4.0  # the program's: friction of the smoothed law is 0 at rest

# %% [markdown]
# **The step is too large for the model.** Near rest the smoothed law is a damper of $F_S /
# \varepsilon$; a step of the velocity needs $\Delta t < 2 I \varepsilon / F_S$ or so. At 1 ms the
# velocity of a coasting joint ends in a chatter of period two, for ever; under 0.1 N m too.


# %%
def chatter(v: float, tau: float) -> tuple[float, float]:
    """The last two velocities of 4000 steps."""
    q, trail = 0.0, []
    for _ in range(4000):
        q, v, _ = joint_dynamics_step(q, v, tau, DT)
        trail.append(v)
    assert abs(trail[-1] - trail[-3]) < 1e-12
    return max(trail[-2:]), min(trail[-2:])


limit = slope_limit(smooth, SMOOTH, INERTIA, scheme=SEMI_IMPLICIT_EULER)
print(number(WRONG, "a stable step [s]", "1.0e-3", limit, value="6.666e-4"))
assert abs(limit / (2 * INERTIA * EPS / P["Fs"]) - 1) < 1e-4
high, low = chatter(0.5, 0.0)
print(number(ADDED, "coasting ends at ± [rad/s]", "1.2700880760e-3", high))
assert abs(high + low) < 1e-12
high, low = chatter(0.0, 0.1)
print(number(ADDED, "under 0.1 N m it chatters up to [rad/s]", "1.42922e-3", high))
print(number(ADDED, "and down to [rad/s]", "-2.2032e-4", low))

# %% [markdown]
# With the set-valued law the joint stops in finite time, exactly; for Coulomb and viscous friction
# at $t = (I/b) \ln(1 + b v_0/F_C)$.

# %%
for name, values, time, distance in (
    ("coulomb-set", {"Fc": 0.2, "b": 0.01}, "0.246926126", "0.061477482"),
    ("stribeck-set", P, "0.236842986", "0.060922950"),
):
    joint = JointFriction(law_named(name), values)
    motion = simulate_ideal(block, [joint], lambda t, q, v: none, [0], [0.5], [0, 0.3])
    assert motion.v[-1, 0] == 0.0
    print(number(ADDED, f"coasting, {name}: stops at [s]", time, motion.events[0].time))
    print(number(ADDED, f"coasting, {name}: stops after [rad]", distance, motion.q[-1, 0]))
closed = INERTIA / 0.01 * math.log(1 + 0.01 * 0.5 / 0.2)
print(number(ADDED, "(I/b) ln(1 + b v0/Fc) [s]", "0.24692612590", closed))

# %% [markdown]
# **tanh creeps** under any load, here at 0.1 N m, a third of break-away, where problem 1(b) has
# the joint at rest. **It lowers break-away**: the maximum of the smoothed curve, $F_S$ only in the
# limit $\varepsilon \to 0$.

# %%
with mpmath.workdps(40):

    def excess(w):
        level = mpmath.mpf("0.2") + mpmath.mpf("0.1") * mpmath.exp(-w / mpmath.mpf("0.05"))
        return level * mpmath.tanh(w / mpmath.mpf("0.001")) + w / 100 - mpmath.mpf("0.1")

    creep = float(mpmath.findroot(excess, (1e-5, 1e-3), solver="anderson"))
assert abs(friction(creep) - 0.1) < 1e-16
print(
    number(
        WRONG,
        "velocity under 0.1 N m, at rest by problem 1(b) [rad/s]",
        "0.00000",
        creep,
        value="3.474283378801e-4",
    )
)
for eps, value in ((1e-2, "0.258211"), (1e-3, "0.29285876696"), (1e-4, "0.299038")):
    top = minimize_scalar(
        lambda w, p={**P, "eps": eps}: -smooth.force(FLOAT64, w, [], {}, p),
        bounds=(1e-6, 0.05),
        method="bounded",
        options={"xatol": 1e-12},
    )
    print(number(WRONG, f"break-away with eps = {eps:g} [N m]", "0.30000", -top.fun, value=value))

# %% [markdown]
# **C++ and Java** compute the same torque to rounding of their libraries, and by their own steps
# the same motion. The C++ step returns the acceleration alone: whoever calls it updates q and qd.
# They are compiled where the compilers are found.

# %%
CPP = r"""
#include <cmath>
#include <cstdio>
inline double sign_smooth(double v, double eps = 1e-3) { return std::tanh(v / eps); }
inline double stribeck(double qdot, double Fc, double Fs, double vs, double alpha = 1.0,
                       double b = 0.0, double eps = 1e-3) {
    const double sgn = sign_smooth(qdot, eps);
    const double abs_v = std::fabs(qdot);
    const double phi = std::exp(-std::pow(abs_v / vs, alpha));
    return (Fc + (Fs - Fc) * phi) * sgn + b * qdot;
}
int main() {
    for (int k = -40; k <= 40; ++k)
        std::printf("%.17g\n", stribeck(k * 0.01, 0.2, 0.3, 0.05, 1.0, 0.01));
    double q = 0, qdot = 0;
    for (int k = 0; k < 2000; ++k) {
        double qddot = (0.4 - stribeck(qdot, 0.2, 0.3, 0.05, 1.0, 0.01)) / 0.1;
        qdot += 1e-3 * qddot;
        q += 1e-3 * qdot;
    }
    std::printf("%.17g\n%.17g\n", q, qdot);
}
"""
JAVA = r"""
public final class JointFriction {
    static double stribeck(double qdot, double Fc, double Fs, double vs, double alpha, double b,
                           double eps) {
        double sgn = Math.tanh(qdot / eps);
        double absV = Math.abs(qdot);
        double phi = Math.exp(-Math.pow(absV / vs, alpha));
        return (Fc + (Fs - Fc) * phi) * sgn + b * qdot;
    }
    static void eulerStep(double[] state, double tauAct, double dt) {
        double q = state[0];
        double qdot = state[1];
        double tauF = stribeck(qdot, 0.2, 0.3, 0.05, 1.0, 0.01, 1e-3);
        double qddot = (tauAct - tauF) / 0.1;
        qdot += dt * qddot;
        q += dt * qdot;
        state[0] = q;
        state[1] = qdot;
    }
    public static void main(String[] none) {
        for (int k = -40; k <= 40; ++k)
            System.out.println(stribeck(k * 0.01, 0.2, 0.3, 0.05, 1.0, 0.01, 1e-3));
        double[] state = new double[2];
        for (int k = 0; k < 2000; ++k) eulerStep(state, 0.4, 1e-3);
        System.out.println(state[0]);
        System.out.println(state[1]);
    }
}
"""
law_at = [friction(k * 0.01) for k in range(-40, 41)]
for language, file, text, commands in (
    ("C++", "friction.cpp", CPP, (["c++", "-o", "friction", "friction.cpp"], ["./friction"])),
    ("Java", "JointFriction.java", JAVA, (["java", "JointFriction.java"],)),
):
    if shutil.which(commands[0][0]) is None:
        print(f"{language} is not run: there is no {commands[0][0]} here")
        continue
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / file).write_text(text, encoding="ascii")
        for command in commands:
            done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
    *torques, end_q, end_v = map(float, done.stdout.split())
    off = max(abs(a - b) / (0.3 + abs(b)) for a, b in zip(torques, law_at, strict=True))
    drift = max(abs(end_q - program[0]), abs(end_v - program[1]))
    found = f"torque within {off:.0e}, q(2 s) and qd(2 s) within {drift:.0e} of Python's"
    print(statement(REPRODUCED, f"{language}: torque and step", max(off, drift) < 1e-12, found))

# %% [markdown]
# **Mathematica's formula** is read by SymPy's parser of that language and is the law's SymPy view.

# %%
import sympy
from sympy.parsing.mathematica import parse_mathematica

text = "(Fc + (Fs - Fc) * Exp[-(Abs[v]/vs)^alpha]) * Tanh[v/eps] + b * v"
view = sympy_view(smooth)["force"]
plain = {s: sympy.Symbol(s.name, positive=True) for s in view.free_symbols}
read = parse_mathematica(text).replace(sympy.Function("Abs"), sympy.Abs)
read = read.subs({s: sympy.Symbol(s.name, positive=True) for s in read.free_symbols})
same = sympy.expand(read - view.xreplace(plain)) == 0
print(statement(REPRODUCED, "Mathematica: the formula", same, str(read)))

# %% [markdown]
# ## Check
# **An independent road.** The exact motion by a method of another kind, and the creep by the motion
# itself: the smoothed joint under 0.1 N m after 20 s.

# %%
other = solve_ivp(motion_rate, (0, 2), [0, 0], method="Radau", rtol=1e-11, atol=1e-13).y[:, -1]
assert np.max(np.abs(other - exact)) < 1e-8
crept = solve_ivp(
    lambda t, x: [(0.1 - friction(x[0])) / INERTIA],
    (0, 20),
    [0],
    method="Radau",
    rtol=1e-10,
    atol=1e-14,
).y[0, -1]
assert abs(crept / creep - 1) < 1e-8
print(f"Radau moves within {np.max(np.abs(other - exact)):.0e} of LSODA, and creeps alike")

# %% [markdown]
# ## Result
# The ledger above. `symdyn.simulate` computes the largest stable step and warns of it, and moves
# set-valued friction by events, with true rest.

# %% [markdown]
# ## What this does not show
# The program in MATLAB was read, not run: its formula is that of the others, and it flattens a
# matrix of velocities into a column. Mathematica's NDSolve was not run either.
