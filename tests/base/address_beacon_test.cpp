#include "base/address_beacon.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace hearth {
namespace {

std::string link_of(const UniqueFd& fd) {
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd.get()));
}

TEST(AddressBeacon, IsReadBackFromItsLink) {
  for (const char* address : {"http://127.0.0.1:7070/", "unix:/run/my app/s (deleted)"}) {
    UniqueFd sign = advertise_address(address);
    ASSERT_TRUE(sign);
    EXPECT_EQ(advertised_address(link_of(sign)), address);
  }
}

TEST(AddressBeacon, OtherFilesShowNone) {
  for (const char* link : {"/memfd:hearth listens at ", "/memfd:other (deleted)", "/memfd:", "", "socket:[1]",
                           "/tmp/memfd:hearth listens at http://x/ (deleted)", "/memfd:hearth listens at  (deleted)"})
    EXPECT_EQ(advertised_address(link), "") << link;
}

}  // namespace
}  // namespace hearth
