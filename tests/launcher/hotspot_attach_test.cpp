#include "launcher/attach/hotspot_attach.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/error.h"

namespace hearth::launcher {
namespace {

// A process that SIGQUIT would end.
class Child {
 public:
  Child() : pid_(::fork()) {
    if (pid_ != 0) return;
    ::alarm(60);
    for (;;) ::pause();
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  bool lives() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  pid_t pid_;
};

std::string refusal(const Jvm& jvm) {
  try {
    load_library(jvm, "/none.so", "version", std::chrono::seconds(1));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LoadLibrary, SendsNoSignalToAnotherProcessWithThatPid) {
  Child child;
  Jvm jvm;
  jvm.process = read_process(child.pid());
  jvm.process.start_time--;  // it was another one's when it was looked at
  EXPECT_NE(refusal(jvm).find("ended before it could be attached to"), std::string::npos) << refusal(jvm);
  EXPECT_TRUE(child.lives());
}

}  // namespace
}  // namespace hearth::launcher
