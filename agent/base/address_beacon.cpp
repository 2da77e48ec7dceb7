#include "base/address_beacon.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/seccomp.h"

namespace hearth {
namespace {

constexpr std::string_view kName = "hearth listens at ";
constexpr std::string_view kBefore = "/memfd:";
constexpr std::string_view kBehind = " (deleted)";  // a memory file is in no folder

}  // namespace

UniqueFd advertise_address(const std::string& address) {
  if (survival_of({SYS_memfd_create}) != Survival::kYes) return {};
  // glibc has a function for it since 2.27 only.
  constexpr unsigned kCloseOnExec = 1;  // MFD_CLOEXEC (linux/memfd.h)
  return UniqueFd(static_cast<int>(::syscall(SYS_memfd_create, (std::string(kName) + address).c_str(), kCloseOnExec)));
}

std::string_view advertised_address(std::string_view link) {
  for (std::string_view part : {kBefore, kName}) {
    if (link.substr(0, part.size()) != part) return {};
    link.remove_prefix(part.size());
  }
  bool has_end = link.size() > kBehind.size() && link.substr(link.size() - kBehind.size()) == kBehind;
  return has_end ? link.substr(0, link.size() - kBehind.size()) : std::string_view();
}

}  // namespace hearth
