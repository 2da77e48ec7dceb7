#include "symbols/elf/import_hooks.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/files.h"

namespace hearth::symbols {
namespace {

constexpr pid_t kHooked = -7;

pid_t hook() {
  return kHooked;
}

class Library {
 public:
  explicit Library(const char* path, int flags = RTLD_NOW) : handle_(dlopen(path, flags)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { close(); }
  void close() {
    if (handle_ != nullptr) dlclose(handle_);
    handle_ = nullptr;
  }
  pid_t call(const char* function) const { return reinterpret_cast<pid_t (*)()>(dlsym(handle_, function))(); }
  void* pointer() const { return reinterpret_cast<void* (*)()>(dlsym(handle_, "pointer_of_import"))(); }

 private:
  void* handle_;
};

std::vector<ImportHooks::Hook> one_hook() {
  return {{"getppid", reinterpret_cast<uintptr_t>(&hook)}};
}

// The protections of all mappings of the fixtures.
std::string protections(const std::string& file) {
  std::string maps = read_file("/proc/self/maps"), found;
  for (size_t at = 0, end; (end = maps.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string line = maps.substr(at, end - at);
    if (line.find(file) != std::string::npos) found += line.substr(line.find(' '), 6);
  }
  return found;
}

class ImportHooksOf : public testing::TestWithParam<const char*> {};

TEST_P(ImportHooksOf, AreCalledUntilTheyAreRestored) {
  Library library(GetParam(), RTLD_LAZY);
  ImportHooks hooks(one_hook(), "");
  EXPECT_EQ(hooks.original(0), reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "getppid")));
  std::string before = protections("fixture");
  hooks.apply();
  EXPECT_GE(hooks.replaced(), 2u);
  EXPECT_EQ(hooks.refused(), 0u);
  EXPECT_EQ(library.call("call_import"), kHooked);
  EXPECT_EQ(library.call("call_pointer"), kHooked);
  EXPECT_EQ(protections("fixture"), before);
  hooks.restore();
  EXPECT_EQ(hooks.replaced(), 0u);
  EXPECT_EQ(library.call("call_import"), getppid());
  EXPECT_EQ(library.call("call_pointer"), getppid());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(library.pointer()), hooks.original(0));
  EXPECT_EQ(protections("fixture"), before);
}

TEST_P(ImportHooksOf, ReachLibrariesThatAreLoadedLaterOrAgain) {
  ImportHooks hooks(one_hook(), "");
  hooks.apply();
  for (int i = 0; i < 3; ++i) {
    Library library(GetParam());
    EXPECT_EQ(library.call("call_import"), getppid());
    hooks.apply();
    EXPECT_EQ(library.call("call_import"), kHooked);
    EXPECT_EQ(library.call("call_pointer"), kHooked);
  }
  hooks.restore();
  Library after(GetParam());
  EXPECT_EQ(after.call("call_import"), getppid());
}

TEST_P(ImportHooksOf, SurviveLibrariesThatComeAndGoMeanwhile) {
  std::atomic<bool> ends{false};
  std::thread loader([&] {
    while (!ends) {
      Library library(GetParam(), RTLD_LAZY);
      pid_t result = library.call("call_import");
      ASSERT_TRUE(result == kHooked || result == getppid());
    }
  });
  for (int i = 0; i < 200; ++i) {
    ImportHooks hooks(one_hook(), "");
    hooks.apply();
    std::this_thread::yield();
    hooks.apply();
    hooks.restore();
  }
  ends = true;
  loader.join();
  Library library(GetParam());
  EXPECT_EQ(library.call("call_import"), getppid());
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, ImportHooksOf, testing::Values(LAZY_IMPORTS, RELRO_IMPORTS));

TEST(ImportHooks, LeaveForeignPointersAlone) {
  Library library(RELRO_IMPORTS);
  ImportHooks first(one_hook(), "");
  first.apply();
  pid_t (*other)() = [] { return pid_t{-8}; };
  ImportHooks second({{"getppid", reinterpret_cast<uintptr_t>(other)}}, "");
  second.apply();
  EXPECT_EQ(second.replaced(), 0u);
  EXPECT_GE(second.foreign(), 2u);
  EXPECT_NE(second.foreign_library(), "");
  second.restore();
  EXPECT_EQ(library.call("call_import"), kHooked);
}

TEST(ImportHooks, OfUnknownFunctionsDoNothing) {
  ImportHooks hooks({{"no_such_function_anywhere", reinterpret_cast<uintptr_t>(&hook)}}, "");
  EXPECT_EQ(hooks.original(0), 0u);
  hooks.apply();
  EXPECT_EQ(hooks.replaced(), 0u);
}

TEST(ImportHooks, LeaveAllocatorsAlone) {
  Library library(RELRO_IMPORTS);
  ImportHooks hooks(one_hook(), "call_import");
  hooks.apply();
  EXPECT_EQ(library.call("call_import"), getppid());
}

}  // namespace
}  // namespace hearth::symbols
