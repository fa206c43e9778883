# %% [markdown]
# # The two-link arm, from its energies to M, C, g
#
# **Claim.** For the planar arm with masses $m_i$, lengths $l_i$, centres of mass at $l_{ci}$ and
# moments of inertia $I_i$ about them, angles $q_1$ from the $x$ axis and $q_2$ from link 1,
# gravity $g$ along $-y$,
#
# $$
# M = \begin{bmatrix}
#   I_1 + I_2 + m_1 l_{c1}^2 + m_2 (l_1^2 + l_{c2}^2 + 2 l_1 l_{c2} \cos q_2) & M_{12} \\
#   I_2 + m_2 (l_{c2}^2 + l_1 l_{c2} \cos q_2) & I_2 + m_2 l_{c2}^2 \end{bmatrix}, \qquad
# C = m_2 l_1 l_{c2} \sin q_2
#   \begin{bmatrix} -\dot q_2 & -(\dot q_1 + \dot q_2) \\ \dot q_1 & 0 \end{bmatrix},
# $$
# $$
# g = \begin{bmatrix}
#   (m_1 l_{c1} + m_2 l_1)\, g \cos q_1 + m_2 l_{c2}\, g \cos(q_1 + q_2) \\
#   m_2 l_{c2}\, g \cos(q_1 + q_2) \end{bmatrix},
# $$
#
# and $\dot M = C + C^\top$.
#
# **Source.** Siciliano, Sciavicco, Villani, Oriolo 2009, *Robotics*, section 7.3.2, without
# motors; the Christoffel form of C is equations (40) and (41) of the paper on time-dependent
# inertia.

# %% [markdown]
# ## Setup
# The arm is a built-in robot that declares these letters. Nothing below uses their values.

# %%
import sympy

from symdyn import derive, load_robot
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.expr.sympy_border import from_sympy
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.lagrange import (
    coordinates,
    coriolis_matrix,
    euler_lagrange,
    geometric_jacobians,
    gravity_vector,
    homogeneous_transforms,
    in_letters,
    kinetic_energy,
    mass_matrix,
    normal_form,
    potential_energy,
)

robot = in_letters(load_robot("planar2r"))
x = coordinates(robot)
q1, q2 = x.q
qd1, qd2 = x.qd
letters = ("m1", "m2", "l1", "lc1", "lc2", "I1", "I2", "g")
m1, m2, l1, lc1, lc2, I1, I2, g0 = (x.parameters[name] for name in letters)


def decide(claim: str, left: sympy.Matrix, right: sympy.Matrix) -> Verdict:
    """Are two matrices of expressions the same function of all letters?"""
    graph = Graph()
    lefts, rights = (from_sympy(graph, side.flat()) for side in (left, right))
    verdict = equal(graph, lefts, rights, claim=claim)
    print(verdict.text())
    return verdict


# %% [markdown]
# ## Derivation
# **Step 1, kinematics.** Poses are products of homogeneous transforms; the Jacobian column of a
# turning joint is $(z \times (p_l - p_j);\; z)$.

# %%
pose = homogeneous_transforms(robot, x)[1]
print("tip of link 1:", normal_form(pose[:2, 3].flat()))
print(
    "Jacobian of link 2, linear part:", normal_form(geometric_jacobians(robot, x)[1][:2, :].flat())
)

# %% [markdown]
# **Step 2, energies.** $T$ sums $\tfrac12 m v^2 + v \cdot (\omega \times h) + \tfrac12 \omega
# \cdot I \omega$ over the links, with the first moment $h = m c$ and $I$ about the joint; $U$
# sums $-\mathrm{gravity} \cdot (m p + R h)$.

# %%
masses, rates = ("m1", "m2", "I1", "I2"), ("qd1", "qd2")
(T,) = normal_form([kinetic_energy(robot, x)], collect=masses, rates=rates)
(U,) = normal_form([potential_energy(robot, x)], collect=masses)
print("T =", T)
print("U =", U)

# %% [markdown]
# **Step 3, mass matrix.** $T$ is quadratic in the rates; M is its Hessian.
#
# **Step 4, Coriolis matrix.** $C_{ij} = \sum_k \tfrac12 (\partial_k M_{ij} + \partial_j M_{ik} -
# \partial_i M_{jk})\, \dot q_k$.
#
# **Step 5, gravity.** $g = \partial U / \partial q$.
#
# Each entry is brought to the normal form of trigonometric polynomials; no simplifier is called.

# %%
M = sympy.Matrix(2, 2, normal_form(mass_matrix(T, x.qd).flat(), collect=masses))
C = coriolis_matrix(M, x.q, x.qd)
C = sympy.Matrix(2, 2, normal_form(C.flat(), collect=masses, rates=rates))
g = sympy.Matrix(2, 1, normal_form(gravity_vector(U, x.q).flat(), collect=masses))
for name, matrix in (("M", M), ("C", C), ("g", g)):
    print(f"{name} = {matrix.tolist()}")

# %% [markdown]
# ## Check
# **The claim, letter by letter.** The right sides are typed in from the claim above.

# %%
M12 = I2 + m2 * (lc2**2 + l1 * lc2 * sympy.cos(q2))
M11 = I1 + I2 + m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * sympy.cos(q2))
M_claimed = sympy.Matrix([[M11, M12], [M12, I2 + m2 * lc2**2]])
C_claimed = m2 * l1 * lc2 * sympy.sin(q2) * sympy.Matrix([[-qd2, -qd1 - qd2], [qd1, 0]])
at_tip = m2 * lc2 * g0 * sympy.cos(q1 + q2)
g_claimed = sympy.Matrix([(m1 * lc1 + m2 * l1) * g0 * sympy.cos(q1) + at_tip, at_tip])
verdicts = [
    decide("M is as claimed", M, M_claimed),
    decide("C is as claimed", C, C_claimed),
    decide("g is as claimed", g, g_claimed),
]

# %% [markdown]
# **The skew property.** $\dot M = \sum_k \partial_k M\, \dot q_k = C + C^\top$, hence $\dot M - 2
# C = C^\top - C$ is skew. C + C' multiplied out and the derivative of M have one normal form.

# %%
rate = M.diff(q1) * qd1 + M.diff(q2) * qd2
verdicts.append(decide("dM/dt = C + C'", rate, C + C.T))

# %% [markdown]
# **Euler–Lagrange.** $\frac{d}{dt} \partial_{\dot q} L - \partial_q L = M \ddot q + C \dot q +
# g$.

# %%
torques = euler_lagrange(T, U, x.q, x.qd, x.qdd)
assembled = M * sympy.Matrix(x.qdd) + C * sympy.Matrix(x.qd) + g
verdicts.append(decide("Euler-Lagrange = M qdd + C qd + g", torques, assembled))

# %% [markdown]
# **An independent road.** The recursive Newton–Euler algorithm knows nothing of energies and
# shares no code with the steps above. Its graph is compared with the Lagrange equations.

# %%
recursion = derive(robot, ["inverse_dynamics"]).specs["inverse_dynamics"]
graph = recursion.graph
nodes = {}
for argument in recursion.arguments:
    symbols = {
        "q": x.q,
        "qd": x.qd,
        "qdd": x.qdd,
        "theta": (),
        "parameters": [x.parameters[p.name] for p in robot.parameters],
    }[argument.name]
    nodes.update(zip(symbols, argument.symbols, strict=False))
lagrange = from_sympy(graph, torques.flat(), nodes)
verdicts.append(
    equal(graph, recursion.result.entries, lagrange, claim="Newton-Euler = Euler-Lagrange")
)
print(verdicts[-1].text())
assert all(verdict.kind is VerdictKind.PROVED for verdict in verdicts)

# %% [markdown]
# **A check that can fail.** With one sign turned in C the skew property is refuted, and a state
# shows it.

# %%
wrong = C.copy()
wrong[1, 0] = -wrong[1, 0]
refuted = decide("dM/dt = C + C' with a wrong sign", rate, wrong + wrong.T)
assert refuted.kind is VerdictKind.REFUTED
print("witness:", dict(refuted.witness or {}))

# %% [markdown]
# ## Result
# In LaTeX, as derived. Nothing is written; `symdyn derive planar2r` exports the code of this arm.

# %%
for name, matrix in (("M", M), ("C", C), ("g", g)):
    print(f"{name} = {sympy.latex(matrix)}")

# %% [markdown]
# ## What this does not show
# Friction, motors and flexible links are left out. That exported code computes these functions in
# floating point is not proved here; it is cross-checked when it is generated.
