#include "base/address_sign.h"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>

namespace hearth {
namespace {

constexpr std::string_view kName = "hearth listens at ";
constexpr std::string_view kBefore = "/memfd:";
constexpr std::string_view kBehind = " (deleted)";  // no folder has a memory file

}  // namespace

UniqueFd show_address(const std::string& address) {
  return UniqueFd(::memfd_create((std::string(kName) + address).c_str(), MFD_CLOEXEC));
}

std::string_view shown_address(std::string_view link) {
  for (std::string_view part : {kBefore, kName}) {
    if (link.substr(0, part.size()) != part) return {};
    link.remove_prefix(part.size());
  }
  bool has_end = link.size() > kBehind.size() && link.substr(link.size() - kBehind.size()) == kBehind;
  // Any process can make such a file, and its name goes to a terminal.
  bool is_plain = std::none_of(link.begin(), link.end(), [](unsigned char c) { return std::iscntrl(c) != 0; });
  return has_end && is_plain ? link.substr(0, link.size() - kBehind.size()) : std::string_view();
}

}  // namespace hearth
