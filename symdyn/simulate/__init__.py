"""Simulation with friction: joints, servos and robots; sticking, creep, hunting, compensation.

The names that users need, by task; each module says more.

One joint: `joint_system` of a friction law and a drive, `prepare` and `walk` in fixed steps
(compiled), `solve` to a tolerance, `friction_along` a measured motion. Studies: `presliding`,
`break_away`, `friction_loop`, `find_stick_slip`, `hunt`, `slip_map`, `boundary_map`, `sweep`.
Mechanisms: `simulate_ideal` by events, `simulate_moreau` and `simulate_implicit` in fixed steps,
`run_robot` for a robot file, `simulate_changing_mass` for free motion with mass that moves. Limits:
`step_limit`, `controller_limit`, `warn_of_step`.

>>> from symdyn.friction.lugre import LUGRE
>>> lugre = dict(Fc=1, Fs=1.5, vs=0.01, alpha=2, sigma0=1e4, sigma1=99.5, sigma2=0.5)
>>> round(friction_loop(LUGRE, lugre, 0.03, 0.02, 100).area, 7)  # turned round by sigma1
-0.0011091
"""

from symdyn.simulate.break_away import BreakAway as BreakAway
from symdyn.simulate.break_away import Presliding as Presliding
from symdyn.simulate.break_away import break_away as break_away
from symdyn.simulate.break_away import presliding as presliding
from symdyn.simulate.break_away import ramped_joint as ramped_joint
from symdyn.simulate.changing_mass import simulate_changing_mass as simulate_changing_mass
from symdyn.simulate.complementarity import solve_boxes as solve_boxes
from symdyn.simulate.creep import creep_speed as creep_speed
from symdyn.simulate.drive import CONSTANT as CONSTANT
from symdyn.simulate.drive import DRIVES as DRIVES
from symdyn.simulate.drive import PID as PID
from symdyn.simulate.drive import RAMP as RAMP
from symdyn.simulate.drive import SINE as SINE
from symdyn.simulate.drive import SPRING as SPRING
from symdyn.simulate.drive import Drive as Drive
from symdyn.simulate.hunting import hunt as hunt
from symdyn.simulate.hunting import servo as servo
from symdyn.simulate.hunting import slide_boundary as slide_boundary
from symdyn.simulate.hunting import slip_map as slip_map
from symdyn.simulate.hunting_map import BoundaryPoint as BoundaryPoint
from symdyn.simulate.hunting_map import boundary_map as boundary_map
from symdyn.simulate.hunting_map import hunting_boundary as hunting_boundary
from symdyn.simulate.implicit import simulate_implicit as simulate_implicit
from symdyn.simulate.joint import joint_system as joint_system
from symdyn.simulate.joint_friction import JointFriction as JointFriction
from symdyn.simulate.lag import Loop as Loop
from symdyn.simulate.lag import friction_loop as friction_loop
from symdyn.simulate.limit_cycle import CycleKind as CycleKind
from symdyn.simulate.limit_cycle import CycleVerdict as CycleVerdict
from symdyn.simulate.limit_cycle import find_cycle as find_cycle
from symdyn.simulate.march import Prepared as Prepared
from symdyn.simulate.march import Section as Section
from symdyn.simulate.march import Walk as Walk
from symdyn.simulate.march import prepare as prepare
from symdyn.simulate.march import walk as walk
from symdyn.simulate.mechanism import Mechanism as Mechanism
from symdyn.simulate.mechanism import constant_inertia as constant_inertia
from symdyn.simulate.mechanism import robot_mechanism as robot_mechanism
from symdyn.simulate.moreau import simulate_moreau as simulate_moreau
from symdyn.simulate.observe import friction_along as friction_along
from symdyn.simulate.observe import outputs as outputs
from symdyn.simulate.observer import OBSERVER as OBSERVER
from symdyn.simulate.observer import TRACKER as TRACKER
from symdyn.simulate.observer import with_hats as with_hats
from symdyn.simulate.prescribed import STEADY as STEADY
from symdyn.simulate.prescribed import WAVE as WAVE
from symdyn.simulate.prescribed import Motion as Motion
from symdyn.simulate.prescribed import prescribed_system as prescribed_system
from symdyn.simulate.reference import Solution as Solution
from symdyn.simulate.reference import solve as solve
from symdyn.simulate.robot_run import Hold as Hold
from symdyn.simulate.robot_run import RobotRun as RobotRun
from symdyn.simulate.robot_run import Scenario as Scenario
from symdyn.simulate.robot_run import run_robot as run_robot
from symdyn.simulate.robot_system import RobotDrive as RobotDrive
from symdyn.simulate.robot_system import robot_drive as robot_drive
from symdyn.simulate.robot_system import robot_system as robot_system
from symdyn.simulate.robustness import Case as Case
from symdyn.simulate.robustness import Outcome as Outcome
from symdyn.simulate.robustness import Tracking as Tracking
from symdyn.simulate.robustness import believed as believed
from symdyn.simulate.robustness import compensated_servo as compensated_servo
from symdyn.simulate.robustness import heated as heated
from symdyn.simulate.robustness import loaded as loaded
from symdyn.simulate.robustness import sweep as sweep
from symdyn.simulate.robustness import track as track
from symdyn.simulate.robustness import tracking_servo as tracking_servo
from symdyn.simulate.robustness_bounds import Bounds as Bounds
from symdyn.simulate.robustness_bounds import bounds as bounds
from symdyn.simulate.robustness_bounds import linear_bounds as linear_bounds
from symdyn.simulate.scheme import EULER as EULER
from symdyn.simulate.scheme import EXPONENTIAL as EXPONENTIAL
from symdyn.simulate.scheme import RK4 as RK4
from symdyn.simulate.scheme import SCHEMES as SCHEMES
from symdyn.simulate.scheme import SEMI_IMPLICIT_EULER as SEMI_IMPLICIT_EULER
from symdyn.simulate.scheme import Scheme as Scheme
from symdyn.simulate.semantics import Bristles as Bristles
from symdyn.simulate.semantics import Semantics as Semantics
from symdyn.simulate.stability import StepLimit as StepLimit
from symdyn.simulate.stability import StepWarning as StepWarning
from symdyn.simulate.stability import bristle_limit as bristle_limit
from symdyn.simulate.stability import controller_limit as controller_limit
from symdyn.simulate.stability import slope_limit as slope_limit
from symdyn.simulate.stability import step_limit as step_limit
from symdyn.simulate.stability import warn_of_step as warn_of_step
from symdyn.simulate.stick_slide import simulate_ideal as simulate_ideal
from symdyn.simulate.stick_slip import StickSlip as StickSlip
from symdyn.simulate.stick_slip import find_stick_slip as find_stick_slip
from symdyn.simulate.stick_slip import two_level_cycle as two_level_cycle
from symdyn.simulate.system import System as System
from symdyn.simulate.trajectory import MassWorks as MassWorks
from symdyn.simulate.trajectory import Trajectory as Trajectory
from symdyn.simulate.trajectory import to_csv as to_csv
