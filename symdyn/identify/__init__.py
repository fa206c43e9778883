"""Identification: friction and inertia from measurements, with what the data cannot tell.

The names that users need, by task; each module says more.

Steady curves: `symmetric_average` of torques at +v and -v, `fit_steady` of any law without states,
`expected_precision` and `best_sweep` before anything is measured. Bristles: `fit_presliding`,
`fit_small_signal` and `fit_frequency_response`, `fit_response` of the whole joint,
`fit_along_motion`. Robots: `rates_from_positions`, `identify_robot`, with one friction for all
joints or `joint_frictions` joint by joint, `grouping` of base parameters.
`inertia_bias` studies what a friction that the model lacks does to an inertia.

>>> from symdyn.friction.coulomb import COULOMB
>>> fit = fit_steady(COULOMB, [0.1, 0.2, 0.4, 0.8], [1.06, 1.09, 1.21, 1.4])
>>> [plus_minus(e) for e in fit.estimates]
['1.003 ± 0.01 N m', '0.497 ± 0.022 N m s/rad']
"""

from symdyn.identify.averaging import SymmetricParts as SymmetricParts
from symdyn.identify.averaging import symmetric_average as symmetric_average
from symdyn.identify.design import SweepDesign as SweepDesign
from symdyn.identify.design import best_sweep as best_sweep
from symdyn.identify.design import expected_precision as expected_precision
from symdyn.identify.dynamic_fit import DynamicFit as DynamicFit
from symdyn.identify.estimate import Estimate as Estimate
from symdyn.identify.estimate import Standing as Standing
from symdyn.identify.estimate import by_name as by_name
from symdyn.identify.estimate import plus_minus as plus_minus
from symdyn.identify.grouping import Grouping as Grouping
from symdyn.identify.grouping import base_values as base_values
from symdyn.identify.grouping import grouping as grouping
from symdyn.identify.inertia_bias import InertiaBias as InertiaBias
from symdyn.identify.inertia_bias import Trajectory as Trajectory
from symdyn.identify.inertia_bias import inertia_bias as inertia_bias
from symdyn.identify.joint_laws import JointVerdict as JointVerdict
from symdyn.identify.joint_laws import joint_frictions as joint_frictions
from symdyn.identify.joint_laws import laws_of_file as laws_of_file
from symdyn.identify.least_squares import LinearSolution as LinearSolution
from symdyn.identify.least_squares import solve as solve
from symdyn.identify.motion import fit_along_motion as fit_along_motion
from symdyn.identify.presliding import PreslidingFit as PreslidingFit
from symdyn.identify.presliding import fit_presliding as fit_presliding
from symdyn.identify.rates import rates_from_positions as rates_from_positions
from symdyn.identify.response import fit_response as fit_response
from symdyn.identify.robot_task import JointFriction as JointFriction
from symdyn.identify.saturation import saturation as saturation
from symdyn.identify.small_signal import SmallSignalFit as SmallSignalFit
from symdyn.identify.small_signal import fit_frequency_response as fit_frequency_response
from symdyn.identify.small_signal import fit_small_signal as fit_small_signal
from symdyn.identify.steady import SteadyFit as SteadyFit
from symdyn.identify.steady import fit_steady as fit_steady
from symdyn.identify.whole_robot import RobotFit as RobotFit
from symdyn.identify.whole_robot import identify_robot as identify_robot
