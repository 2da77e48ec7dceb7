#include "launcher/commands/profiling_wait.h"

#include <algorithm>

#include "base/formatted.h"
#include "launcher/attach/process.h"
#include "launcher/text/progress_line.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kGlance{100};  // how often to look whether the JVM still lives

}  // namespace

Waited wait_while_profiling(const Jvm& jvm, milliseconds duration, Interrupts* interrupts) {
  ProgressLine progress(formatted("{} {}", jvm.process.pid, jvm.name()));
  Clock::time_point start = Clock::now();
  for (;;) {
    auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    progress.show(passed, duration);
    if (!is_alive(jvm.process)) return {End::kJvm, passed};
    if (passed >= duration) return {End::kTime, passed};
    if (interrupts->wait_for(std::min(kGlance, duration - passed))) return {End::kInterrupt, passed};
  }
}

}  // namespace hearth::launcher
