"""The laws that the derived functions of every robot have to obey, checked exactly.

Each law compares functions that were derived by different recursions. They are brought together in
one graph: a function is copied with other expressions in place of its arguments (inverse dynamics
at qd = 0; forward dynamics of the torques of inverse dynamics), derivatives are graph derivatives,
and `symdyn.expr.identity.equal` decides. A law about all columns of a matrix is stated for a
direction of symbols u and w, which is the same thing. Small robots are also derived by Lagrange.

What is checked are the graphs that code is generated from, not the recursions that made them: a
sign turned anywhere on the way is found.
"""

from __future__ import annotations

from symdyn.identities.check import LAWS as LAWS
from symdyn.identities.check import check_robot as check_robot
from symdyn.identities.check import laws_for as laws_for
from symdyn.identities.friction import LAWS_OF_FRICTION as LAWS_OF_FRICTION
from symdyn.identities.functions import Law as Law
from symdyn.identities.generalized import LAWS_OF_TIME as LAWS_OF_TIME
from symdyn.identities.lagrange import LAGRANGE as LAGRANGE
from symdyn.identities.rigid import GROUPING as GROUPING
