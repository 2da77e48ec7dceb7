#include "commands/own_threads.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "events/handlers/current_tid.h"

namespace hearth::commands {
namespace {

// A thread that executes a command until end().
class CommandThread {
 public:
  explicit CommandThread(OwnThreads* threads)
      : thread_([this, threads] {
          std::future<void> end = end_.get_future();
          threads->run_command([&] {
            tid_.set_value(events::current_tid());
            end.wait();
            return true;
          });
          ended_.set_value();
          stay_.get_future().wait();
        }),
        tid(tid_.get_future().get()) {}
  ~CommandThread() {
    if (!has_ended_) end();
    stay_.set_value();
    thread_.join();
  }
  // Returns when the command has ended; its thread lives on.
  void end() {
    has_ended_ = true;
    end_.set_value();
    ended_.get_future().wait();
  }

 private:
  std::promise<int> tid_;
  std::promise<void> end_, ended_, stay_;
  bool has_ended_ = false;
  std::thread thread_;

 public:
  const int tid;
};

// Sessions of this process, which has no JVM.
class OwnThreadsTest : public testing::Test {
 protected:
  SessionTable::SessionPtr session_of(const std::string& options) {
    excluded_ = threads_.excluded();
    auto no_java_threads = []() -> std::vector<session::LivingThread> { return {}; };
    auto session =
        std::make_shared<session::ProfileSession>(&vm_, &log_, options::parse_options("start,event=ctimer" + options),
                                                  session::ProfileSession::Hooks{1, [] {}, no_java_threads, excluded_});
    table_.add_user(session);
    return session;
  }
  static bool follows(const session::ProfileSession& session, int tid) {
    return session.capture().registry.find(tid) != nullptr;
  }

  vm::Vm vm_;
  Log log_;
  SessionTable table_;
  std::set<int> excluded_;
  OwnThreads threads_{&table_};
};

TEST_F(OwnThreadsTest, LeavesOutACommandThatBeganWhileTheSessionStarted) {
  SessionTable::SessionPtr session = session_of("");
  CommandThread command(&threads_);
  session->start();
  EXPECT_TRUE(follows(*session, command.tid)) << "the scan found it";
  threads_.exclude_from(session.get(), excluded_);
  EXPECT_FALSE(follows(*session, command.tid));
  session->stop();
}

TEST_F(OwnThreadsTest, ShowsTheThreadOfACommandWhereTheSessionAsksForIt) {
  CommandThread command(&threads_);
  SessionTable::SessionPtr session = session_of(",show-profiler");
  session->start();
  EXPECT_FALSE(follows(*session, command.tid));
  threads_.exclude_from(session.get(), excluded_);
  session->name_thread(command.tid, "command");
  EXPECT_TRUE(follows(*session, command.tid));
  session->stop();
}

TEST_F(OwnThreadsTest, SamplesAThreadWhoseCommandEndedWhileTheSessionStarted) {
  CommandThread command(&threads_);
  SessionTable::SessionPtr session = session_of("");
  command.end();
  session->start();
  EXPECT_FALSE(follows(*session, command.tid));
  threads_.exclude_from(session.get(), excluded_);
  session->name_thread(command.tid, "worker");
  EXPECT_TRUE(follows(*session, command.tid));
  session->stop();
}

}  // namespace
}  // namespace hearth::commands
