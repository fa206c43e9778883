"""Mass distributions: from rho, sigma and v of a body to Phi(t), nu(t) and psi(t), exactly.

    from symdyn.mass import cylinder, distribution, moments, part, TIME, X

    x, y, z = X
    wheel = part(cylinder(R, H), mass=M, velocity=(-w * y, w * x, 0), at=(d, 0, 0))
    moments(distribution(wheel)).mu
"""

from symdyn.mass.bounds import Enclosure as Enclosure
from symdyn.mass.bounds import UniformBounds as UniformBounds
from symdyn.mass.bounds import uniform_bounds as uniform_bounds
from symdyn.mass.consistency import Consistency as Consistency
from symdyn.mass.consistency import Mode as Mode
from symdyn.mass.consistency import require_consistent as require_consistent
from symdyn.mass.consistency import theorem_1 as theorem_1
from symdyn.mass.continuity import Continuity as Continuity
from symdyn.mass.continuity import affine_flow as affine_flow
from symdyn.mass.continuity import closed_body as closed_body
from symdyn.mass.continuity import closed_psi as closed_psi
from symdyn.mass.continuity import continuity as continuity
from symdyn.mass.continuity import free_data as free_data
from symdyn.mass.continuity import least_energy as least_energy
from symdyn.mass.continuity import phi_rate as phi_rate
from symdyn.mass.continuity import require_closed as require_closed
from symdyn.mass.coordinates import AXIAL_RADIUS as AXIAL_RADIUS
from symdyn.mass.coordinates import RADIUS as RADIUS
from symdyn.mass.coordinates import TIME as TIME
from symdyn.mass.coordinates import X as X
from symdyn.mass.distribution import MassDistribution as MassDistribution
from symdyn.mass.distribution import Part as Part
from symdyn.mass.distribution import content as content
from symdyn.mass.distribution import distribution as distribution
from symdyn.mass.distribution import part as part
from symdyn.mass.distribution import particle as particle
from symdyn.mass.domain import Domain as Domain
from symdyn.mass.domain import rotation_matrix as rotation_matrix
from symdyn.mass.domain import rpy as rpy
from symdyn.mass.integrate import integral as integral
from symdyn.mass.mesh_file import read_mesh as read_mesh
from symdyn.mass.moments import MassMoments as MassMoments
from symdyn.mass.moments import from_functions as from_functions
from symdyn.mass.moments import moments as moments
from symdyn.mass.parametrisations import central as central
from symdyn.mass.parametrisations import ellipsoid_of as ellipsoid_of
from symdyn.mass.parametrisations import exponential as exponential
from symdyn.mass.parametrisations import log_cholesky as log_cholesky
from symdyn.mass.parametrisations import phi_of_central as phi_of_central
from symdyn.mass.parametrisations import phi_of_ellipsoid as phi_of_ellipsoid
from symdyn.mass.parametrisations import phi_of_exponential as phi_of_exponential
from symdyn.mass.parametrisations import phi_of_log_cholesky as phi_of_log_cholesky
from symdyn.mass.polyhedron import polyhedron as polyhedron
from symdyn.mass.pseudo_inertia import phi_from_pseudo_inertia as phi_from_pseudo_inertia
from symdyn.mass.pseudo_inertia import pseudo_inertia as pseudo_inertia
from symdyn.mass.pseudo_inertia import spatial_inertia as spatial_inertia
from symdyn.mass.quadrature import Verification as Verification
from symdyn.mass.quadrature import verify as verify
from symdyn.mass.region import parametrised as parametrised
from symdyn.mass.region import region as region
from symdyn.mass.solids import ball as ball
from symdyn.mass.solids import box as box
from symdyn.mass.solids import cone as cone
from symdyn.mass.solids import cylinder as cylinder
from symdyn.mass.solids import ellipsoid as ellipsoid
from symdyn.mass.solids import half_ball as half_ball
from symdyn.mass.solids import half_cylinder as half_cylinder
from symdyn.mass.solids import torus as torus
from symdyn.mass.sources import Momentum as Momentum
from symdyn.mass.sources import Source as Source
from symdyn.mass.sources import source_of as source_of
from symdyn.mass.sources import stream as stream
from symdyn.mass.terms import terms_of as terms_of
from symdyn.mass.thin import cloud as cloud
from symdyn.mass.thin import cylinder_shell as cylinder_shell
from symdyn.mass.thin import disk as disk
from symdyn.mass.thin import plate as plate
from symdyn.mass.thin import point as point
from symdyn.mass.thin import rod as rod
from symdyn.mass.thin import sphere_shell as sphere_shell
