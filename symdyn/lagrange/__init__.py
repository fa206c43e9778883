"""The textbook road: energies in SymPy, Euler–Lagrange, closed forms. Slow and obvious.

Shares no code with `symdyn.dynamics`, so that the two check each other.
"""

from symdyn.lagrange.closed_form import ClosedForm as ClosedForm
from symdyn.lagrange.closed_form import closed_form as closed_form
from symdyn.lagrange.closed_form import in_letters as in_letters
from symdyn.lagrange.closed_form import normal_form as normal_form
from symdyn.lagrange.coordinates import Coordinates as Coordinates
from symdyn.lagrange.coordinates import coordinates as coordinates
from symdyn.lagrange.energies import kinetic_energy as kinetic_energy
from symdyn.lagrange.energies import potential_energy as potential_energy
from symdyn.lagrange.equations import coriolis_matrix as coriolis_matrix
from symdyn.lagrange.equations import euler_lagrange as euler_lagrange
from symdyn.lagrange.equations import gravity_vector as gravity_vector
from symdyn.lagrange.equations import mass_matrix as mass_matrix
from symdyn.lagrange.generalized import FreeMoments as FreeMoments
from symdyn.lagrange.generalized import free_moments as free_moments
from symdyn.lagrange.generalized import generalized_torques as generalized_torques
from symdyn.lagrange.generalized import kinetic_energy_of_mass as kinetic_energy_of_mass
from symdyn.lagrange.generalized import kinetic_energy_of_moments as kinetic_energy_of_moments
from symdyn.lagrange.generalized import potential_energy_of_mass as potential_energy_of_mass
from symdyn.lagrange.generalized import potential_energy_of_moments as potential_energy_of_moments
from symdyn.lagrange.kinematics import geometric_jacobians as geometric_jacobians
from symdyn.lagrange.kinematics import homogeneous_transforms as homogeneous_transforms
