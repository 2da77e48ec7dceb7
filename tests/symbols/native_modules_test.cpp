#include "symbols/elf/native_modules.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace hearth::symbols {
namespace {

namespace fs = std::filesystem;

__attribute__((noinline)) int marked_function(int value) {
  return value * 3;
}

struct CloseLibrary {
  void operator()(void* handle) const { ::dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

Library open_library(const std::string& path, int flags = RTLD_NOW) {
  return Library(::dlopen(path.c_str(), flags));
}

uintptr_t address_of(const Library& library, const char* symbol) {
  return reinterpret_cast<uintptr_t>(::dlsym(library.get(), symbol));
}

bool covers(const capture::NativeMap* map, uintptr_t pc) {
  for (uint32_t i = 0; i < map->module_count; ++i) {
    if (pc >= map->modules[i].start && pc < map->modules[i].end) return true;
  }
  return false;
}

class LoadedModules : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    modules_.refresh();
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string copy(const char* from, const char* name) {
    fs::copy_file(from, folder_ + name, fs::copy_options::overwrite_existing);
    return folder_ + name;
  }
  NativeModules modules_;
  std::string folder_ = testing::TempDir() + "native_modules." + std::to_string(::getpid()) + "/";
};

TEST(NativeModules, AreEmptyBeforeTheFirstLook) {
  NativeModules modules;
  EXPECT_EQ(modules.map()->module_count, 0u);
  EXPECT_TRUE(modules.resolve(0x1000).library.empty());
  EXPECT_TRUE(modules.refresh());
  EXPECT_FALSE(modules.refresh()) << "nothing was loaded since";
}

TEST_F(LoadedModules, AreSortedAndApartAndHaveRules) {
  const capture::NativeMap* map = modules_.map();
  ASSERT_GT(map->module_count, 3u);
  for (uint32_t i = 0; i < map->module_count; ++i) {
    const capture::NativeModule& module = map->modules[i];
    EXPECT_LT(module.start, module.end);
    std::string library = modules_.resolve(module.start).library;
    // That of aarch64 has none (Linux, arch/arm64/kernel/vdso/vdso.lds.S).
    bool may_have_none = capture::kElfMachine == EM_AARCH64 && library == "[vdso]";
    EXPECT_TRUE(module.rule_count > 1 || may_have_none) << library;
    if (i > 0) {
      EXPECT_LE(map->modules[i - 1].end, module.start);
    }
  }
  EXPECT_TRUE(covers(map, reinterpret_cast<uintptr_t>(&marked_function)));
  EXPECT_TRUE(covers(map, reinterpret_cast<uintptr_t>(::dlsym(RTLD_DEFAULT, "abort"))));
}

TEST_F(LoadedModules, FindAFunctionByItsName) {
  std::string name = modules_.resolve(reinterpret_cast<uintptr_t>(&marked_function)).name;
  std::vector<NativeFunction> found = modules_.find(name);
  ASSERT_EQ(found.size(), 1u) << name;
  EXPECT_EQ(found[0].address, reinterpret_cast<uintptr_t>(&marked_function));
  EXPECT_FALSE(modules_.find("abort").empty());
  EXPECT_TRUE(modules_.find("marked_functio").empty());
  EXPECT_EQ(modules_.nearest_name(name + "s"), name);
}

TEST_F(LoadedModules, NameTheProgramsOwnFunctions) {
  NativeSymbol symbol = modules_.resolve(reinterpret_cast<uintptr_t>(&marked_function));
  EXPECT_EQ(symbol.name, "hearth::symbols::(anonymous namespace)::marked_function");
  EXPECT_EQ(symbol.library, "hearth_symbols_tests");
  EXPECT_TRUE(symbol.cpp);
}

TEST_F(LoadedModules, NameLibraryFunctions) {
  Library libc = open_library("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  NativeSymbol symbol = modules_.resolve(address_of(libc, "qsort"));
  EXPECT_EQ(symbol.name, "qsort");
  EXPECT_EQ(symbol.library, "libc.so.6");
  EXPECT_FALSE(symbol.cpp);
  NativeSymbol copies = modules_.resolve(address_of(libc, "memcpy"));
  EXPECT_NE(copies.name.find("mem"), std::string::npos) << copies.name << ": what memcpy is bound to has a name";
}

#if defined(__x86_64__)
constexpr const char* kVdsoFunction = "__vdso_clock_gettime";
#elif defined(__aarch64__)
constexpr const char* kVdsoFunction = "__kernel_clock_gettime";
#endif

TEST_F(LoadedModules, NameTheVdso) {
  if (::getauxval(AT_SYSINFO_EHDR) == 0) GTEST_SKIP() << "no vdso";
  Library vdso = open_library("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_TRUE(vdso);
  NativeSymbol symbol = modules_.resolve(address_of(vdso, kVdsoFunction));
  EXPECT_EQ(symbol.library, "[vdso]");
  EXPECT_NE(symbol.name.find("clock_gettime"), std::string::npos) << symbol.name;
}

TEST_F(LoadedModules, FollowLoadsAndUnloads) {
  Library library = open_library(FIXTURE);
  uintptr_t function = address_of(library, "fixture_exported");
  EXPECT_FALSE(covers(modules_.map(), function));
  EXPECT_TRUE(modules_.refresh());
  const capture::NativeMap* with_library = modules_.map();
  EXPECT_TRUE(covers(with_library, function));
  library.reset();
  EXPECT_TRUE(modules_.refresh());
  EXPECT_FALSE(covers(modules_.map(), function));
  EXPECT_TRUE(covers(with_library, function)) << "capture may still read the map before";
  EXPECT_EQ(modules_.resolve(function).name, "fixture_exported") << "samples taken before still have names";
}

TEST_F(LoadedModules, ShareTheRulesOfALibraryLoadedAgain) {
  const capture::NativeRule* rules[2] = {};
  for (const capture::NativeRule*& seen : rules) {
    Library library = open_library(FIXTURE);
    modules_.refresh();
    uintptr_t function = address_of(library, "fixture_exported");
    for (uint32_t i = 0; i < modules_.map()->module_count; ++i) {
      const capture::NativeModule& module = modules_.map()->modules[i];
      if (function >= module.start && function < module.end) seen = module.rules;
    }
    library.reset();
    modules_.refresh();
  }
  ASSERT_NE(rules[0], nullptr);
  EXPECT_EQ(rules[0], rules[1]);
}

TEST_F(LoadedModules, NameAReplacedLibraryFromItsMemory) {
  std::string path = copy(FIXTURE, "replaced.so");
  Library library = open_library(path);
  ASSERT_TRUE(library);
  modules_.refresh();
  fs::remove(path);
  copy("/proc/self/exe", "replaced.so");
  NativeSymbol symbol = modules_.resolve(address_of(library, "fixture_exported"));
  EXPECT_EQ(symbol.name, "fixture_exported");
  EXPECT_EQ(symbol.library, "replaced.so");
}

TEST_F(LoadedModules, NameADeletedLibraryFromItsMemory) {
  std::string path = copy(FIXTURE, "deleted.so");
  Library library = open_library(path);
  modules_.refresh();
  fs::remove(path);
  EXPECT_EQ(modules_.resolve(address_of(library, "fixture_exported")).name, "fixture_exported");
}

TEST_F(LoadedModules, NameTheChoiceOfAnIfunc) {
  Library library = open_library(copy(STRIPPED_FIXTURE, "chosen.so"));
  modules_.refresh();
  EXPECT_EQ(modules_.resolve(address_of(library, "fixture_chosen")).name, "fixture_chosen");
}

TEST_F(LoadedModules, KnowNothingOfOtherAddresses) {
  int on_stack = 0;
  for (uintptr_t pc : {uintptr_t{0}, uintptr_t{0x10}, reinterpret_cast<uintptr_t>(&on_stack), UINTPTR_MAX}) {
    NativeSymbol symbol = modules_.resolve(pc);
    EXPECT_EQ(symbol.name, "");
    EXPECT_EQ(symbol.library, "");
  }
}

}  // namespace
}  // namespace hearth::symbols
