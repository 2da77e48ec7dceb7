#include "profile/analysis/program_method.h"

#include <algorithm>
#include <array>

#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

bool is_of_jdk(std::string_view name) {
  constexpr std::array<std::string_view, 3> kPackages = {"java", "jdk", "sun"};
  size_t end = name.find_first_of("/.");
  return end != std::string_view::npos &&
         std::find(kPackages.begin(), kPackages.end(), name.substr(0, end)) != kPackages.end();
}

}  // namespace

bool ProgramMethod::add(std::string_view name, FrameKind kind) {
  bool is_better = is_java(kind) && (!is_java_ || !is_of_jdk(name));
  if (!has_frame_ || is_better) name_ = name;
  has_frame_ = true;
  is_java_ |= is_java(kind);
  return is_java(kind) && !is_of_jdk(name);
}

}  // namespace hearth::profile
