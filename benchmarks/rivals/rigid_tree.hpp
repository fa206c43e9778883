// A robot as plain numbers, printed by benchmarks/rivals/numbers.py, made into a Pinocchio model.
//
// The file is a sequence of decimal numbers separated by white space, every double with 17 significant
// digits, so nothing is lost: the number of bodies N; the acceleration of free fall (3); then for each body
// the kind of its joint (0 revolute, 1 prismatic, 2 helical), the parent body (-1 for the base), the
// axis (3), the rotation of the joint frame row by row (9), its origin (3), the pitch, the armature, the
// mass, the centre of mass (3) and the inertia about it: xx yy zz xy yz xz; and for each of these ten
// whether it is a free parameter (1) or fixed at its value (0). Joint i moves body i.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "pinocchio/multibody.hpp"
#include "pinocchio/multibody/joint.hpp"

namespace rivals
{
  inline pinocchio::JointModel joint_model(int kind, const Eigen::Vector3d & axis, double pitch)
  {
    using namespace pinocchio;
    // The aligned classes are Pinocchio's fast ones; its own URDF reader chooses them the same way.
    const bool x = axis == Eigen::Vector3d::UnitX(), y = axis == Eigen::Vector3d::UnitY(),
               z = axis == Eigen::Vector3d::UnitZ();
    switch (kind)
    {
    case 0:
      if (x) return JointModelRX();
      if (y) return JointModelRY();
      if (z) return JointModelRZ();
      return JointModelRevoluteUnaligned(axis);
    case 1:
      if (x) return JointModelPX();
      if (y) return JointModelPY();
      if (z) return JointModelPZ();
      return JointModelPrismaticUnaligned(axis);
    case 2:
      return JointModelHelicalUnaligned(axis, pitch);
    default:
      throw std::runtime_error("unknown kind of joint");
    }
  }

  // Whether each inertial parameter is free, ten a body.
  using Flags = std::vector<bool>;

  inline pinocchio::Model read_model(const std::string & path, Flags * free = nullptr)
  {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    const auto next = [&file]() {
      double value;
      if (!(file >> value)) throw std::runtime_error("the model file ends too early");
      return value;
    };
    const auto vector = [&next]() {
      const double x = next(), y = next(), z = next();
      return Eigen::Vector3d(x, y, z);
    };

    pinocchio::Model model;
    const int n = static_cast<int>(next());
    model.gravity.linear() = vector();
    for (int i = 0; i < n; ++i)
    {
      const int kind = static_cast<int>(next());
      const int parent = static_cast<int>(next());
      const Eigen::Vector3d axis = vector();
      Eigen::Matrix3d rotation;
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          rotation(row, column) = next();
      const Eigen::Vector3d origin = vector();
      const double pitch = next(), armature = next(), mass = next();
      const Eigen::Vector3d centre = vector();
      const double xx = next(), yy = next(), zz = next(), xy = next(), yz = next(), xz = next();
      Eigen::Matrix3d inertia;
      inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;

      const auto joint = model.addJoint(
        static_cast<pinocchio::JointIndex>(parent + 1), joint_model(kind, axis, pitch),
        pinocchio::SE3(rotation, origin), "joint" + std::to_string(i));
      model.appendBodyToJoint(joint, pinocchio::Inertia(mass, centre, inertia));
      model.armature[model.idx_vs[joint]] = armature;
      for (int k = 0; k < 10; ++k)
      {
        const bool flag = next() != 0;
        if (free) free->push_back(flag);
      }
    }
    return model;
  }
} // namespace rivals
