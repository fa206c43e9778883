// Writes C code from Pinocchio's algorithms run on CasADi's symbols: the road that Pinocchio's own code
// generation takes. Usage: casadi_generate MODEL DIRECTORY [FUNCTION…]
//
// For each function two C files are written: NAME_numeric.c with the robot's numbers baked in, and
// NAME_symbolic.c with the inertial parameters as an argument (per body: mass, centre of mass (3), inertia
// about it as xx yy zz xy yz xz; the form that costs Pinocchio's algorithms least). Results are complete and
// row-major. One line of JSON per file goes to standard output: its operation counts.

#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <casadi/casadi.hpp>

#include "pinocchio/autodiff/casadi.hpp"

#include "rigid_tree.hpp"

#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/regressor.hpp"
#include "pinocchio/algorithm/rnea.hpp"

namespace
{
  using casadi::SX;
  using Model = pinocchio::ModelTpl<SX>;
  using Data = pinocchio::DataTpl<SX>;
  using Vector = Eigen::Matrix<SX, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<SX, Eigen::Dynamic, Eigen::Dynamic>;

  Vector entries(const SX & symbols)
  {
    Vector out(symbols.numel());
    for (casadi_int i = 0; i < symbols.numel(); ++i)
      out[i] = symbols(i);
    return out;
  }

  // Row by row, as one long column.
  template<typename Derived>
  SX flat(const Eigen::MatrixBase<Derived> & matrix)
  {
    std::vector<SX> out;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        out.push_back(SX::densify(matrix(i, j)));
    return SX::vertcat(out);
  }

  struct State
  {
    Vector q, v, x;
  };

  SX derive(const std::string & name, const Model & model, const State & s)
  {
    Data data(model);
    if (name == "inverse_dynamics") return flat(pinocchio::rnea(model, data, s.q, s.v, s.x));
    if (name == "mass_matrix")
    {
      pinocchio::crba(model, data, s.q, pinocchio::Convention::LOCAL);
      for (Eigen::Index i = 0; i < model.nv; ++i)
        for (Eigen::Index j = 0; j < i; ++j)
          data.M(i, j) = data.M(j, i);
      return flat(data.M);
    }
    if (name == "coriolis_matrix")
      return flat(pinocchio::computeCoriolisMatrix(model, data, s.q, s.v));
    if (name == "gravity_vector")
      return flat(pinocchio::computeGeneralizedGravity(model, data, s.q));
    if (name == "regressor")
      return flat(pinocchio::computeJointTorqueRegressor(model, data, s.q, s.v, s.x));
    if (name == "forward_dynamics")
      return flat(pinocchio::aba(model, data, s.q, s.v, s.x, pinocchio::Convention::LOCAL));
    throw std::runtime_error("no function called " + name);
  }

  // A sum, a difference, a sign change and a doubling count as one addition, a square as a product.
  std::string counts(const casadi::Function & function)
  {
    long add = 0, mul = 0, div = 0, trig = 0, other = 0;
    for (casadi_int k = 0; k < function.n_instructions(); ++k)
      switch (function.instruction_id(k))
      {
      case casadi::OP_ADD:
      case casadi::OP_SUB:
      case casadi::OP_NEG:
      case casadi::OP_TWICE:
        ++add;
        break;
      case casadi::OP_MUL:
      case casadi::OP_SQ:
        ++mul;
        break;
      case casadi::OP_DIV:
      case casadi::OP_INV:
        ++div;
        break;
      case casadi::OP_SIN:
      case casadi::OP_COS:
        ++trig;
        break;
      case casadi::OP_CONST:
      case casadi::OP_INPUT:
      case casadi::OP_OUTPUT:
        break;
      default:
        ++other;
      }
    return "\"add\": " + std::to_string(add) + ", \"mul\": " + std::to_string(mul)
           + ", \"div\": " + std::to_string(div) + ", \"trig\": " + std::to_string(trig)
           + ", \"other\": " + std::to_string(other);
  }

  void emit(const std::string & file, const std::string & directory, const casadi::Function & f)
  {
    casadi::CodeGenerator code(file + ".c", {{"with_header", false}, {"casadi_int", "long long"}});
    code.add(f);
    code.generate(directory + "/");
    std::cout << "{\"file\": \"" << file << "\", \"work\": " << f.sz_w() << ", " << counts(f) << "}"
              << std::endl;
  }
} // namespace

int main(int argc, char ** argv)
{
  if (argc < 3)
  {
    std::cerr << "usage: casadi_generate MODEL DIRECTORY [FUNCTION…]\n";
    return 2;
  }
  try
  {
    rivals::Flags free;
    const pinocchio::Model plain = rivals::read_model(argv[1], &free);
    const std::string directory = argv[2];
    const casadi_int n = plain.nv;
    const SX q = SX::sym("q", n), v = SX::sym("v", n), x = SX::sym("x", n);
    const State state{entries(q), entries(v), entries(x)};
    const SX parameters = SX::sym("parameters", 10 * n);

    const Model numeric = plain.cast<SX>();
    Model symbolic = plain.cast<SX>();
    for (casadi_int i = 0; i < n; ++i)
    {
      Vector p = entries(parameters(casadi::Slice(10 * i, 10 * i + 10)));
      // What the robot fixes stays a number here as well: zeros shrink the rival's code, too.
      const pinocchio::Inertia & own = plain.inertias[static_cast<size_t>(i) + 1];
      const Eigen::Vector3d & c = own.lever();
      const Eigen::Matrix3d I = own.inertia();
      const double values[10] = {own.mass(), c[0],    c[1],    c[2],    I(0, 0),
                                 I(1, 1),    I(2, 2), I(0, 1), I(1, 2), I(0, 2)};
      for (int k = 0; k < 10; ++k)
        if (!free[static_cast<size_t>(10 * i + k)]) p[k] = SX(values[k]);
      Eigen::Matrix<SX, 3, 3> inertia;
      inertia << p[4], p[7], p[9], p[7], p[5], p[8], p[9], p[8], p[6];
      symbolic.inertias[static_cast<size_t>(i) + 1] =
        pinocchio::InertiaTpl<SX>(p[0], Eigen::Matrix<SX, 3, 1>(p[1], p[2], p[3]), inertia);
    }

    for (int k = 3; k < argc; ++k)
    {
      const std::string name = argv[k];
      const casadi::Dict options{{"cse", true}};
      emit(
        name + "_numeric", directory,
        casadi::Function(name + "_numeric", {q, v, x}, {derive(name, numeric, state)}, options));
      // The regressor holds no inertial parameters: one form is all there is.
      if (name != "regressor")
        emit(
          name + "_symbolic", directory,
          casadi::Function(
            name + "_symbolic", {q, v, x, parameters}, {derive(name, symbolic, state)}, options));
    }
  }
  catch (const std::exception & error)
  {
    std::cerr << "casadi_generate: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
