// Pinocchio's C++ functions behind the common interface of the rivals (see rivals/protocol.py):
// evaluate one state in full, or run a loop over many states and return the CPU seconds it took.
//
// Header-only, so that it is compiled with the same flags as everything else. Functions that Pinocchio has
// in two conventions (local, world) are offered in both; the benchmark keeps the faster one.

#include <ctime>
#include <string>

#include "rigid_tree.hpp"

#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/regressor.hpp"
#include "pinocchio/algorithm/rnea.hpp"

namespace
{
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  struct Handle
  {
    explicit Handle(const std::string & path)
    : model(rivals::read_model(path))
    , data(model)
    {
    }
    pinocchio::Model model;
    pinocchio::Data data;
  };

  enum Function
  {
    inverse_dynamics,
    mass_matrix,
    mass_matrix_world,
    coriolis_matrix,
    gravity_vector,
    regressor,
    forward_dynamics,
    forward_dynamics_world
  };

  // One call; returns a number of the result, so that nothing can be optimised away.
  template<int function>
  inline double call(Handle & h, const Vector & q, const Vector & v, const Vector & x)
  {
    using pinocchio::Convention;
    if constexpr (function == inverse_dynamics)
      return pinocchio::rnea(h.model, h.data, q, v, x)[0];
    else if constexpr (function == mass_matrix)
      return pinocchio::crba(h.model, h.data, q, Convention::LOCAL)(0, 0);
    else if constexpr (function == mass_matrix_world)
      return pinocchio::crba(h.model, h.data, q, Convention::WORLD)(0, 0);
    else if constexpr (function == coriolis_matrix)
      return pinocchio::computeCoriolisMatrix(h.model, h.data, q, v)(0, 0);
    else if constexpr (function == gravity_vector)
      return pinocchio::computeGeneralizedGravity(h.model, h.data, q)[0];
    else if constexpr (function == regressor)
      return pinocchio::computeJointTorqueRegressor(h.model, h.data, q, v, x)(0, 0);
    else if constexpr (function == forward_dynamics)
      return pinocchio::aba(h.model, h.data, q, v, x, Convention::LOCAL)[0];
    else
      return pinocchio::aba(h.model, h.data, q, v, x, Convention::WORLD)[0];
  }

  double seconds()
  {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  template<int function>
  double loop(Handle & h, const double * states, long count, long repeats, double * sink)
  {
    const Eigen::Index n = h.model.nv;
    double sum = 0;
    const double start = seconds();
    for (long r = 0; r < repeats; ++r)
      for (long s = 0; s < count; ++s)
      {
        const double * state = states + s * 3 * n;
        sum += call<function>(h, Vector(state, n), Vector(state + n, n), Vector(state + 2 * n, n));
      }
    const double stop = seconds();
    *sink = sum;
    return stop - start;
  }

  template<typename Matrix>
  void write(const Matrix & matrix, double * out)
  {
    Eigen::Map<RowMajor>(out, matrix.rows(), matrix.cols()) = matrix;
  }
} // namespace

extern "C" __attribute__((visibility("default"))) void * rival_open(const char * path)
{
  try
  {
    return new Handle(path);
  }
  catch (const std::exception &)
  {
    return nullptr;
  }
}

extern "C" __attribute__((visibility("default"))) void rival_close(void * handle)
{
  delete static_cast<Handle *>(handle);
}

extern "C" __attribute__((visibility("default"))) int
rival_evaluate(void * handle, int function, const double * state, double * out)
{
  Handle & h = *static_cast<Handle *>(handle);
  const Eigen::Index n = h.model.nv;
  const Vector q(state, n), v(state + n, n), x(state + 2 * n, n);
  switch (function)
  {
  case inverse_dynamics:
    call<inverse_dynamics>(h, q, v, x);
    write(h.data.tau, out);
    return 0;
  case mass_matrix:
  case mass_matrix_world: {
    // CRBA fills the upper triangle only.
    function == mass_matrix ? call<mass_matrix>(h, q, v, x) : call<mass_matrix_world>(h, q, v, x);
    const Eigen::MatrixXd full = h.data.M.selfadjointView<Eigen::Upper>();
    write(full, out);
    return 0;
  }
  case coriolis_matrix:
    call<coriolis_matrix>(h, q, v, x);
    write(h.data.C, out);
    return 0;
  case gravity_vector:
    call<gravity_vector>(h, q, v, x);
    write(h.data.g, out);
    return 0;
  case regressor:
    call<regressor>(h, q, v, x);
    write(h.data.jointTorqueRegressor, out);
    return 0;
  case forward_dynamics:
    call<forward_dynamics>(h, q, v, x);
    write(h.data.ddq, out);
    return 0;
  case forward_dynamics_world:
    call<forward_dynamics_world>(h, q, v, x);
    write(h.data.ddq, out);
    return 0;
  default:
    return 1;
  }
}

extern "C" __attribute__((visibility("default"))) double rival_run(
  void * handle, int function, const double * states, long count, long repeats, double * sink)
{
  Handle & h = *static_cast<Handle *>(handle);
  switch (function)
  {
  case inverse_dynamics:
    return loop<inverse_dynamics>(h, states, count, repeats, sink);
  case mass_matrix:
    return loop<mass_matrix>(h, states, count, repeats, sink);
  case mass_matrix_world:
    return loop<mass_matrix_world>(h, states, count, repeats, sink);
  case coriolis_matrix:
    return loop<coriolis_matrix>(h, states, count, repeats, sink);
  case gravity_vector:
    return loop<gravity_vector>(h, states, count, repeats, sink);
  case regressor:
    return loop<regressor>(h, states, count, repeats, sink);
  case forward_dynamics:
    return loop<forward_dynamics>(h, states, count, repeats, sink);
  case forward_dynamics_world:
    return loop<forward_dynamics_world>(h, states, count, repeats, sink);
  default:
    return -1;
  }
}
