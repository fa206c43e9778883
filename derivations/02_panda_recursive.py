# %% [markdown]
# # The Panda by the recursive road
#
# **Claim.** The recursions give, for the seven joints of the Franka Panda with all 70 inertial
# parameters free, functions that satisfy every law of a mechanical system: $\tau = M \ddot q + C
# \dot q + g = Y \theta$ with symmetric $M$, $C$ from its Christoffel symbols (so $\dot M = C +
# C^\top$), $g$ the slope of the potential, power equal to the rate of the energy, and forward
# dynamics the inverse of inverse dynamics.
#
# **Source.** Featherstone 2008, *Rigid Body Dynamics Algorithms*: Newton–Euler table 5.1,
# composite rigid bodies table 6.2, factorisation table 6.3. Laws: equations (39)–(44) of the
# paper on time-dependent inertia. Test of identities by random evaluation: Schwartz 1980, Zippel
# 1979.

# %% [markdown]
# ## Setup

# %%
from dataclasses import replace
from fractions import Fraction

import sympy

from symdyn import check_robot, derive, load_robot, over
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import lift
from symdyn.dynamics import mass_matrix
from symdyn.expr.measure import operation_counts, tree_size
from symdyn.expr.verdict import VerdictKind, bound_text
from symdyn.lagrange import coordinates, geometric_jacobians, homogeneous_transforms
from symdyn.recipes import theta_terms

robot = load_robot("panda")
print(f"{robot.name}: {robot.n} coordinates {robot.coordinates}")

# %% [markdown]
# ## Derivation
# Each recursion is written once, over any number kind. Run over the nodes of an expression graph
# it *is* the derivation: every intermediate is bound when it is first written, so nothing has to
# be searched for common parts afterwards. Written out as formulas the same functions would have
# the sizes of the last column.

# %%
specs = derive(robot).specs
print(f"{'function':24}{'add':>7}{'mul':>7}   nodes if written out")
for name, spec in specs.items():
    counts = operation_counts(spec.graph, spec.result.entries)
    size = tree_size(spec.graph, spec.result.entries)
    print(f"{name:24}{counts.add:7}{counts.mul:7}   {size:.1e}")

# %% [markdown]
# ## Check
# **The laws.** The functions are put into each other in one graph; each law is decided for all
# states and all inertial parameters. Proving them by multiplying out would need millions of
# terms. Instead both sides are evaluated at random points of random prime fields, on rational
# points of the circle; each verdict states the probability with which a false law would have
# passed.

# %%
verdicts = check_robot(robot, specs)
for verdict in verdicts:
    bound = "" if verdict.bound is None else f"  < {bound_text(verdict.bound)}"
    print(f"{verdict.kind.value:15}{verdict.claim}{bound}")
assert all(verdict.holds for verdict in verdicts)
assert max(verdict.bound for verdict in verdicts if verdict.bound) < Fraction(1, 2**100)

# %% [markdown]
# **A check that can fail.** C' = C with its first two off-diagonal entries exchanged keeps
# $\dot M = C + C^\top$, but is no longer the Christoffel form, and $C' \dot q$ is wrong.

# %%
C = specs["coriolis_matrix"]
entries = list(C.result.entries)
entries[1], entries[robot.n] = entries[robot.n], entries[1]
exchanged = replace(C, result=replace(C.result, entries=tuple(entries)))
broken = [
    verdict
    for verdict in check_robot(robot, {**specs, "coriolis_matrix": exchanged})
    if verdict.kind is VerdictKind.REFUTED
]
for verdict in broken:
    difference = str((verdict.witness or {})["difference"])
    print(f"refuted: {verdict.claim}; at the witness the sides differ by {difference[:12]}")
assert {verdict.claim for verdict in broken} == {
    "inverse_dynamics = M qdd + C qd + g",
    "coriolis_matrix = Christoffel symbols of mass_matrix",
    "slotine_li_regressor theta + armature a = M a + C v + g",
}

# %% [markdown]
# **An independent road.** At one state, $M = \sum_l J_l^\top Z_l J_l$ from geometric Jacobians
# and explicit homogeneous transforms, multiplied out in SymPy with 60 digits. It shares no code
# with the recursions.

# %%
DIGITS = 60
state = [Fraction(k, 10) for k in (3, -7, 5, -18, 2, 16, -4)]
fixed = tuple(replace(body, symbolic=(False,) * 10) for body in robot.bodies)
x = coordinates(replace(robot, bodies=fixed))
x = replace(x, q=tuple(sympy.Rational(v.numerator, v.denominator).evalf(DIGITS) for v in state))
poses, jacobians = homogeneous_transforms(robot, x), geometric_jacobians(robot, x)
M = sympy.zeros(robot.n, robot.n)
for body in range(robot.n_bodies):
    m, h1, h2, h3, I11, I22, I33, I12, I23, I13 = x.theta[10 * body : 10 * body + 10]
    first_moment = sympy.Matrix([[0, -h3, h2], [h3, 0, -h1], [-h2, h1, 0]])
    inertia = sympy.Matrix([[I11, I12, I13], [I12, I22, I23], [I13, I23, I33]])
    Z = (m * sympy.eye(3)).row_join(-first_moment).col_join(first_moment.row_join(inertia))
    R = poses[body][:3, :3]
    body_jacobian = sympy.diag(R.T, R.T) * jacobians[body]
    M += body_jacobian.T * Z * body_jacobian

A = MpAlgebra(DIGITS)
recursive = mass_matrix(over(robot, A), [A.const(v) for v in state], lift(theta_terms(robot), A))
error = max(
    abs(recursive[i][j] - A.number(str(M[i, j]))) for i in range(robot.n) for j in range(robot.n)
)
print(f"largest difference of the two mass matrices: {float(error):.1e} kg m^2")
assert error < 1e-50

# %% [markdown]
# ## Result
# The verdicts above. Nothing is written; `symdyn derive panda` exports the code of these
# functions, compiles it, runs it against other roads and writes the report.

# %% [markdown]
# ## What this does not show
# A probabilistic verdict is no proof: it errs with at most the stated probability, over the
# choice of primes and points. The laws do not see a wrong robot file, and the independent mass
# matrix was compared at one state. Friction is left out. That exported code computes these
# functions in floating point is not proved here; it is cross-checked when it is generated.
