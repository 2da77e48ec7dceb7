#include "launcher/attach/attach_wait.h"

#include <poll.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGlance{2'000};
constexpr milliseconds kLong{10'000};

}  // namespace

void AttachWait::until_readable(int fd) {
  for (;;) {
    auto left = std::chrono::ceil<milliseconds>(patience_ - (Clock::now() - began_));
    pollfd awaited{fd, POLLIN, 0};
    if (left.count() > 0 && ::poll(&awaited, 1, static_cast<int>(std::min(left, kGlance).count())) > 0) return;
    if (Clock::now() - began_ >= patience_)
      throw Error(formatted("process {} did not answer within {:g} s", process_.pid,
                            std::chrono::duration<double>(patience_).count()),
                  "it may hang or collect garbage: try again, with a longer --wait if it is busy");
    look();
  }
}

void AttachWait::look() {
  auto passed = Clock::now() - began_;
  if (passed >= kGlance && !is_stop_printed_) look_whether_stopped();
  if (passed < kLong || is_stop_printed_ || is_wait_printed_) return;
  is_wait_printed_ = true;
  print(stderr, "hearth: still waiting for process {}, for {:g} s at most; Ctrl-C ends the wait\n", process_.pid,
        std::chrono::duration<double>(patience_).count());
}

void AttachWait::look_whether_stopped() {
  if (!is_alive(process_)) return;
  char state = read_process(process_.pid).state;
  is_stop_printed_ = state == 'T' || state == 't';
  if (is_stop_printed_)
    print(stderr, "hearth: waiting for process {0}: it is stopped (state {1}); kill -CONT {0} resumes it\n",
          process_.pid, state);
}

}  // namespace hearth::launcher
