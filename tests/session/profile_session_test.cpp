#include "session/profile_session.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "capture/sample_window.h"
#include "events/handlers/current_tid.h"
#include "wait_until.h"

namespace hearth::session {
namespace {

// Sessions of this process, which has no JVM.
class ProfileSessionTest : public testing::Test {
 protected:
  static std::vector<LivingThread> no_java_threads() { return {}; }

  std::shared_ptr<ProfileSession> session_of(const std::string& options, ProfileSession::Hooks hooks) {
    return std::make_shared<ProfileSession>(&vm_, &log_, options::parse_options("start," + options), std::move(hooks));
  }
  std::shared_ptr<ProfileSession> session_of(const std::string& options) {
    return session_of(options, {1, [] {}, no_java_threads});
  }
  // A session whose start fails when all sources run already.
  std::shared_ptr<ProfileSession> failing_session(const std::string& options) {
    auto fail = []() -> std::vector<LivingThread> { throw std::runtime_error("no list of threads"); };
    return session_of(options + ",filter=main", {2, [] {}, fail});
  }

  vm::Vm vm_;
  Log log_;
};

TEST_F(ProfileSessionTest, RunsFromStartToStop) {
  std::shared_ptr<ProfileSession> session = session_of("event=ctimer,interval=1ms");
  session->start();
  EXPECT_TRUE(session->running());
  EXPECT_EQ(session->events(), "ctimer");
  volatile uint64_t work = 0;
  EXPECT_TRUE(wait_until("a sample", [&] {
    for (int i = 0; i < 1'000'000; i++) work = work + 1;
    return session->counter()->read([](const SampleCounts& counts) { return !counts.counts().empty(); });
  }));
  session->stop();
  EXPECT_FALSE(session->running());
  int64_t duration_ns = session->duration_ns();
  EXPECT_GT(duration_ns, 0);
  EXPECT_EQ(session->duration_ns(), duration_ns);
}

TEST_F(ProfileSessionTest, AStartThatFailsHalfwayLeavesNothingOpen) {
  ASSERT_NE(dlopen("libm.so.6", RTLD_NOW), nullptr);
  auto* cube_root = reinterpret_cast<double (*)(double)>(dlsym(RTLD_DEFAULT, "cbrt"));
  ASSERT_NE(cube_root, nullptr);
  const auto* code = reinterpret_cast<const unsigned char*>(cube_root);
  unsigned char first = *code;
  std::shared_ptr<ProfileSession> session = failing_session("event=ctimer,begin=cbrt");
  EXPECT_THROW(session->start(), std::runtime_error);
  EXPECT_FALSE(session->running());
  EXPECT_TRUE(capture::window_is_open());
  EXPECT_EQ(*code, first) << "the breakpoint is gone";
  EXPECT_DOUBLE_EQ(cube_root(27), 3);
  int64_t duration_ns = session->duration_ns();
  ::usleep(2000);
  EXPECT_EQ(session->duration_ns(), duration_ns);

  std::shared_ptr<ProfileSession> next = session_of("event=ctimer,begin=cbrt");
  next->start();
  EXPECT_FALSE(capture::window_is_open());
  next->stop();
  EXPECT_TRUE(capture::window_is_open());
}

}  // namespace
}  // namespace hearth::session
