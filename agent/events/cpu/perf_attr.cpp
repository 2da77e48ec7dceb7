#include "events/cpu/perf_attr.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/text_parts.h"
#include "events/deadly_calls.h"
#include "events/handlers/perf_reads.h"

namespace hearth::events {
namespace {

// Size of the control page and one page of data: the handler empties it at every sample
size_t ring_bytes() {
  return 2 * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

int highest_fd() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  return static_cast<int>(std::min<rlim_t>(files.rlim_cur / 4 * 3, kMaxPerfFds));
}

}  // namespace

int PerfOpener::open_event(int tid, int64_t period) const {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = counter_.type;
  attr.config = counter_.config;
  attr.config1 = counter_.is_probe() ? reinterpret_cast<uint64_t>(counter_.place->c_str()) : counter_.config1;
  attr.config2 = counter_.config2;
  attr.bp_type = counter_.breakpoint;
  attr.sample_period = static_cast<uint64_t>(period);
  attr.sample_type = PERF_SAMPLE_CALLCHAIN;
  attr.exclude_callchain_user = 1;
  // The kernel's own accesses do not stop at a breakpoint.
  bool counts_kernel = counter_.is_of_kernel || (!choice_.user_code_only && counter_.breakpoint == 0);
  attr.exclude_kernel = counts_kernel ? 0 : 1;
  attr.exclude_callchain_kernel = choice_.user_code_only ? 1 : attr.exclude_kernel;
  attr.disabled = 1;
  attr.wakeup_events = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, tid, choice_.cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string PerfOpener::remedy_for(int error) const {
  bool is_clock = counter_.type == PERF_TYPE_SOFTWARE && counter_.config == PERF_COUNT_SW_CPU_CLOCK;
  bool is_missing = error == ENOENT || error == ENODEV || error == EOPNOTSUPP;
  if (is_missing && !is_clock) {
    std::vector<std::string> here = {"page-faults", "context-switches"};
    for (const options::CounterRow* row : counters_here()) here.emplace_back(row->name);
    return formatted("this machine does not count it; of the usual counters it has {}", joined(here, ", "));
  }
  if (error == EINVAL && !is_clock) return "it may be counted for a CPU alone, or not be sampled at all";
  if (error == EACCES || error == EPERM)
    return "sysctl kernel.perf_event_paranoid=1 and kernel.kptr_restrict=0, or CAP_PERFMON, or a seccomp profile that "
           "allows perf_event_open in the container";
  if (error == EMFILE || error == ENFILE) return "raise the limit of open files (ulimit -n)";
  return "";
}

void PerfOpener::probe(int64_t period) const {
  refuse_deadly({SYS_perf_event_open}, "perf_event_open");
  UniqueFd probe(open_event(0, period));
  if (probe) return;
  int error = errno;
  bool has_kernel_stacks = !choice_.user_code_only && counter_.breakpoint == 0;
  throw Error(formatted("perf_event_open refused {}{}{} ({})", counter_.name,
                        choice_.cpu < 0 ? "" : formatted(" of CPU {}", choice_.cpu),
                        has_kernel_stacks ? " with kernel stacks" : "", std::strerror(error)),
              remedy_for(error));
}

std::optional<PerfOpener::Opened> PerfOpener::open(int tid, int64_t period, int signal) {
  Opened opened;
  opened.fd = UniqueFd(open_event(tid, period));
  if (!opened.fd) {
    if (errno != ESRCH) trouble_ = formatted("a thread could not be followed ({})", std::strerror(errno));
    return std::nullopt;
  }
  int fd = opened.fd.get();
  if (highest_fd_ == 0) highest_fd_ = highest_fd();
  if (fd >= highest_fd_) {
    trouble_ =
        "some threads are not followed: a quarter of the open files is reserved for the application; raise ulimit -n";
    return std::nullopt;
  }
  // Without a ring (RLIMIT_MEMLOCK) only kernel frames are missing.
  opened.kernel_ring = Mapping(mmap(nullptr, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), ring_bytes());
  if (!opened.kernel_ring && trouble_.empty())
    trouble_ = formatted("some threads have no kernel frames: their perf buffer was refused ({}); raise ulimit -l",
                         std::strerror(errno));
  f_owner_ex owner = {F_OWNER_TID, tid};
  if (fcntl(fd, F_SETFL, O_ASYNC) != 0 || fcntl(fd, F_SETSIG, signal) != 0 || fcntl(fd, F_SETOWN_EX, &owner) != 0)
    return std::nullopt;
  return opened;
}

void enable_event(int fd) {
  ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void end_event(int fd) {
  ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
  fcntl(fd, F_SETFL, 0);
}

}  // namespace hearth::events
