#include "events/vm/forced_collections.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace hearth::events {
namespace {

using std::chrono::seconds;

std::atomic<bool> g_has_collector{true};  // false: the JVM has stopped the threads of its collector
std::atomic<int> g_asked{0};
std::atomic<int> g_own_threads{0};
bool g_takes_threads = true;

// A JVM that collects as soon as its collector has threads again.
struct FakeJvm {
  inline static jvmtiInterface_1_ jvmti_functions{};
  inline static jvmtiEnv jvmti{};
  inline static JNIEnv env{};
  JNIInvokeInterface_ functions{};
  JavaVM vm{};

  FakeJvm() {
    g_has_collector = true;
    g_takes_threads = true;
    g_asked = 0;
    jvmti_functions.ForceGarbageCollection = [](jvmtiEnv*) {
      g_asked++;
      while (!g_has_collector) std::this_thread::yield();
      return JVMTI_ERROR_NONE;
    };
    jvmti_functions.DisposeEnvironment = [](jvmtiEnv*) { return JVMTI_ERROR_NONE; };
    jvmti.functions = &jvmti_functions;
    functions.GetEnv = [](JavaVM*, void** found, jint version) -> jint {
      bool is_jvmti = version == JVMTI_VERSION_1_2;
      if (is_jvmti) *found = &jvmti;
      return is_jvmti ? JNI_OK : JNI_EDETACHED;
    };
    functions.AttachCurrentThreadAsDaemon = [](JavaVM*, void** attached, void*) -> jint {
      *attached = &env;
      return g_takes_threads ? JNI_OK : JNI_ERR;
    };
    functions.DetachCurrentThread = [](JavaVM*) -> jint { return JNI_OK; };
    vm.functions = &functions;
  }
};

// Never destroyed, as the threads that it makes may outlive the test.
ForcedCollections& collections_of(FakeJvm* jvm) {
  static auto* all = new std::vector<std::unique_ptr<ForcedCollections>>;
  all->push_back(std::make_unique<ForcedCollections>());
  ForcedCollections* collections = all->back().get();
  collections->enter(&jvm->vm, [](int, bool begins) { g_own_threads += begins ? 1 : -1; });
  return *collections;
}

TEST(ForcedCollections, ReturnsAfterTheCollection) {
  FakeJvm jvm;
  ForcedCollections& collections = collections_of(&jvm);
  EXPECT_TRUE(collections.collect());
  EXPECT_TRUE(collections.collect());
  EXPECT_EQ(g_asked, 2);
  EXPECT_EQ(g_own_threads, 0);
}

TEST(ForcedCollections, TheEndOfTheJvmReleasesTheThreadThatWaits) {
  FakeJvm jvm;
  ForcedCollections& collections = collections_of(&jvm);
  g_has_collector = false;
  auto collected = std::async(std::launch::async, [&] { return collections.collect(); });
  while (g_asked == 0) std::this_thread::yield();
  EXPECT_EQ(collected.wait_for(seconds(0)), std::future_status::timeout);
  collections.end();
  ASSERT_EQ(collected.wait_for(seconds(60)), std::future_status::ready);
  EXPECT_FALSE(collected.get());
  g_has_collector = true;
  while (g_own_threads != 0) std::this_thread::yield();
}

TEST(ForcedCollections, NoneIsAskedForAfterTheEnd) {
  FakeJvm jvm;
  ForcedCollections& collections = collections_of(&jvm);
  collections.end();
  EXPECT_FALSE(collections.collect());
  EXPECT_EQ(g_asked, 0);
}

TEST(ForcedCollections, FailsIfTheJvmAcceptsNoThread) {
  FakeJvm jvm;
  ForcedCollections& collections = collections_of(&jvm);
  g_takes_threads = false;
  EXPECT_FALSE(collections.collect());
  EXPECT_EQ(g_asked, 0);
  EXPECT_EQ(g_own_threads, 0);
}

}  // namespace
}  // namespace hearth::events
