"""Rigid-body dynamics by recursion over the tree, generic over the scalar."""

from symdyn.dynamics.articulated import articulated_body as articulated_body
from symdyn.dynamics.coriolis import coriolis_matrix as coriolis_matrix
from symdyn.dynamics.coriolis import (
    coriolis_matrix_by_derivatives as coriolis_matrix_by_derivatives,
)
from symdyn.dynamics.crba import mass_matrix as mass_matrix
from symdyn.dynamics.crba import mass_matrix_by_columns as mass_matrix_by_columns
from symdyn.dynamics.energy import kinetic_energy as kinetic_energy
from symdyn.dynamics.energy import potential_energy as potential_energy
from symdyn.dynamics.forward import forward_dynamics as forward_dynamics
from symdyn.dynamics.generalized import changing_mass_matrix as changing_mass_matrix
from symdyn.dynamics.generalized import generalized_inverse_dynamics as generalized_inverse_dynamics
from symdyn.dynamics.generalized import generalized_kinetic_energy as generalized_kinetic_energy
from symdyn.dynamics.generalized import gyroscopic_matrix as gyroscopic_matrix
from symdyn.dynamics.generalized import momentum_map as momentum_map
from symdyn.dynamics.generalized import source_torque as source_torque
from symdyn.dynamics.generalized_forward import (
    generalized_articulated_body as generalized_articulated_body,
)
from symdyn.dynamics.generalized_forward import (
    generalized_forward_dynamics as generalized_forward_dynamics,
)
from symdyn.dynamics.generalized_regressor import generalized_regressor as generalized_regressor
from symdyn.dynamics.gravity import gravity_vector as gravity_vector
from symdyn.dynamics.kinematics import body_jacobian as body_jacobian
from symdyn.dynamics.kinematics import forward_kinematics as forward_kinematics
from symdyn.dynamics.regressor import regressor as regressor
from symdyn.dynamics.regressor import slotine_li_regressor as slotine_li_regressor
from symdyn.dynamics.rnea import bias_force as bias_force
from symdyn.dynamics.rnea import inverse_dynamics as inverse_dynamics
