#include "symbols/elf/loaded_objects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace hearth::symbols {
namespace {

void own_function() {}

TEST(LoadedObjects, CodeAroundAnAddressIsThatOfItsObjectAlone) {
  auto own = reinterpret_cast<uintptr_t>(&own_function);
  auto of_libc = reinterpret_cast<uintptr_t>(::dlsym(RTLD_NEXT, "getenv"));
  capture::CodeRange code = code_around(own);
  EXPECT_TRUE(code.has(own));
  EXPECT_FALSE(code.has(of_libc));
  EXPECT_TRUE(code_around(of_libc).has(of_libc));
  EXPECT_FALSE(code_around(of_libc).has(own));
}

TEST(LoadedObjects, DataHasNoCodeAround) {
  int on_stack = 0;
  capture::CodeRange none = code_around(reinterpret_cast<uintptr_t>(&on_stack));
  EXPECT_EQ(none.begin, none.end);
  EXPECT_FALSE(none.has(0));
}

}  // namespace
}  // namespace hearth::symbols
