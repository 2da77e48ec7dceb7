// The store's profile with real timers, in this process, which has no JVM.
#include "always_on/always_on.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "capture/recorder.h"
#include "wait_until.h"

namespace hearth::always_on {
namespace {

using SessionPtr = StoreSources::SessionPtr;

// Knows the number of processors, nothing else.
jvmtiEnv* fake_jvmti() {
  static jvmtiInterface_1_ functions{};
  static jvmtiEnv jvmti{};
  functions.GetAvailableProcessors = [](jvmtiEnv*, jint* count) {
    *count = 2;
    return JVMTI_ERROR_NONE;
  };
  jvmti.functions = &functions;
  return &jvmti;
}

class AlwaysOnTest : public testing::Test {
 protected:
  AlwaysOnTest() { vm_.jvmti = fake_jvmti(); }
  ~AlwaysOnTest() override {
    for (const SessionPtr& session : sessions_) session->stop();
    std::filesystem::remove_all(folder_);
  }

  std::unique_ptr<AlwaysOn> store_of(const std::string& more, int64_t window_ns = 60'000'000'000) {
    options::Options options = options::parse_options("start,store=" + folder_ + ",event=ctimer,interval=1ms" + more);
    options.always_on = true;
    options.clojure = false;  // names are not asked of a JVM
    options.window_ns = window_ns;
    AlwaysOn::Callbacks callbacks;
    callbacks.sources.begin = [this](const options::Options& wanted, const SessionPtr& before, JNIEnv*) {
      return begin(wanted, before);
    };
    callbacks.sources.end = [this](session::ProfileSession* session) { end(session); };
    callbacks.sources.sessions = [this] { return sessions_; };
    callbacks.jvm = [] { return JvmIdentity(); };
    return std::make_unique<AlwaysOn>(options, &log_, &vm_, std::move(callbacks));
  }

  SessionPtr begin(const options::Options& options, const SessionPtr& before = nullptr) {
    if (!refusal_.empty()) throw Error(refusal_);
    session::ProfileSession::Hooks hooks;
    hooks.on_timeout = [] {};
    hooks.before = before.get();
    hooks.java_threads = [] { return std::vector<session::LivingThread>(); };
    auto session = std::make_shared<session::ProfileSession>(&vm_, &log_, options, std::move(hooks));
    session->start();
    sessions_.push_back(session);
    return session;
  }
  void end(session::ProfileSession* session) {
    session->stop();
    for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
      if (it->get() != session) continue;
      sessions_.erase(it);
      return;
    }
  }

  // Works until a running session has counted a sample of it.
  void work() {
    ASSERT_FALSE(sessions_.empty());
    volatile uint64_t sum = 0;
    wait_until("a sample", [&] {
      for (int i = 0; i < 1'000'000; i++) sum = sum + 1;
      return sessions_.back()->counter()->read([](const auto& counts) { return !counts.counts().empty(); });
    });
  }

  std::string folder_ = testing::TempDir() + "always_on." + std::to_string(::getpid());
  vm::Vm vm_;
  Log log_;
  std::vector<SessionPtr> sessions_;
  std::string refusal_;
};

TEST_F(AlwaysOnTest, WritesTheLastWindowAtItsEnd) {
  std::unique_ptr<AlwaysOn> store = store_of("");
  store->start(nullptr);
  ASSERT_EQ(sessions_.size(), 1);
  EXPECT_TRUE(is_always_on(*sessions_[0]));
  work();
  store->stop(nullptr);
  EXPECT_TRUE(sessions_.empty());
  EXPECT_EQ(store->figures().written, 1);
  EXPECT_EQ(store->figures().lost, 0);
}

TEST_F(AlwaysOnTest, EndsAWindowWhenItIsOver) {
  constexpr int64_t kWindowNs = 100'000'000;
  std::unique_ptr<AlwaysOn> store = store_of("", kWindowNs);
  store->start(nullptr);
  work();
  AlwaysOn::Ended ended;
  EXPECT_TRUE(wait_until("the window's end", [&] {
    ended = store->turn(nullptr);
    return ended.window.has_value();
  }));
  EXPECT_GT(ended.window->sample_count(), 0);
  EXPECT_GT(ended.window->metadata.duration_ns, 0);
  EXPECT_EQ(ended.freeze_reason, "");
  EXPECT_GT(store->due_ns(), capture::now_ns() - static_cast<uint64_t>(kWindowNs));
  store->stop(nullptr);
}

TEST_F(AlwaysOnTest, AYoungWindowIsNotFlushed) {
  std::unique_ptr<AlwaysOn> store = store_of("");
  store->start(nullptr);
  work();
  EXPECT_FALSE(store->flush(nullptr).window);
  store->stop(nullptr);
}

TEST_F(AlwaysOnTest, RefusesWhatCannotBeSampled) {
  refusal_ = "no timers here";
  std::unique_ptr<AlwaysOn> store = store_of("");
  try {
    store->start(nullptr);
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(refusal_), std::string::npos) << error.what();
  }
}

TEST_F(AlwaysOnTest, BorrowsFromASessionAndSamplesAgainAfterIt) {
  std::unique_ptr<AlwaysOn> store = store_of("");
  store->start(nullptr);
  options::Options wanted = options::parse_options("start,event=ctimer,interval=1ms");
  store->sources().release_resources_for(wanted, nullptr);
  SessionPtr user = begin(wanted);
  store->sources().rebalance(nullptr);
  ASSERT_EQ(sessions_.size(), 1) << "the store has no session of its own";
  EXPECT_EQ(sessions_[0], user);
  EXPECT_NE(store->status().find("from another session"), std::string::npos) << store->status();
  work();
  end(user.get());
  store->sources().rebalance(nullptr);
  ASSERT_EQ(sessions_.size(), 1);
  EXPECT_TRUE(is_always_on(*sessions_[0]));
  store->stop(nullptr);
  EXPECT_EQ(store->figures().written, 1) << "the samples of the other session";
}

TEST_F(AlwaysOnTest, PutsOffTheNextTurn) {
  std::unique_ptr<AlwaysOn> store = store_of("", 1'000'000);
  store->start(nullptr);
  uint64_t before = capture::now_ns();
  store->put_off();
  EXPECT_GE(store->due_ns(), before + 1'000'000'000);
  store->stop(nullptr);
}

}  // namespace
}  // namespace hearth::always_on
