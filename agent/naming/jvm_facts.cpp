#include "naming/jvm_facts.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "base/files.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "base/text_parts.h"
#include "profile/jfr/write_facts.h"

namespace hearth::naming {
namespace {

using profile::jfr::ChunkWriter;
using profile::jfr::TypeId;

profile::Metadata metadata_of(const session::SessionState& session) {
  profile::Metadata metadata;
  metadata.producer = "hearth " HEARTH_VERSION;
  metadata.title = session.options().write.title;
  metadata.start_unix_ns = session.began_unix_ns();
  metadata.runtime = session.vm()->runtime;
  metadata.program = session.vm()->program;
  metadata.pid = std::to_string(getpid());
  if (!session.options().redact) metadata.host = session.vm()->host;
  return metadata;
}

void put_system(ChunkWriter* chunk) {
  utsname name{};
  if (::uname(&name) == 0) {
    std::string text = formatted("uname: {} {} {} {}", name.sysname, name.release, name.version, name.machine);
    chunk->event(TypeId::kOsInformation, {chunk->clock().ticks, std::string_view(text)});
  }
  std::string processors = read_if_readable("/proc/cpuinfo");
  std::set<std::string> sockets, cores;
  std::string model, socket;
  for (std::string_view line : parts_of(processors, '\n')) {
    size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    std::string value(line.substr(colon + 2));
    if (line.compare(0, 10, "model name") == 0 && model.empty()) model = value;
    if (line.compare(0, 11, "physical id") == 0) sockets.insert(socket = value);
    if (line.compare(0, 7, "core id") == 0) cores.insert(formatted("{}/{}", socket, value));
  }
  chunk->event(TypeId::kCpuInformation, {chunk->clock().ticks, std::string_view(name.machine), std::string_view(model),
                                         static_cast<int64_t>(sockets.size()), static_cast<int64_t>(cores.size()),
                                         static_cast<int64_t>(std::thread::hardware_concurrency())});
}

// Values may contain passwords: only the properties of the JVM itself, which async-profiler records as well.
void put_properties(jvmtiEnv* jvmti, ChunkWriter* chunk) {
  constexpr const char* kNames[] = {"java.version",        "java.version.date", "java.vendor",
                                    "java.vendor.version", "java.vm.name",      "java.vm.version",
                                    "java.vm.vendor",      "java.vm.info",      "java.home",
                                    "java.class.version",  "os.name",           "os.arch",
                                    "os.version",          "java.runtime.name", "java.vm.specification.version",
                                    "java.runtime.version"};
  for (const char* name : kNames) {
    std::string value = system_property(jvmti, name);
    if (!value.empty())
      chunk->event(TypeId::kSystemProperty, {chunk->clock().ticks, std::string_view(name), std::string_view(value)});
  }
}

void put_libraries(ChunkWriter* chunk) {
  struct Range {
    uint64_t begin, end;
  };
  std::map<std::string, Range> libraries;
  std::string maps = read_if_readable("/proc/self/maps");
  constexpr size_t kPath = 5;  // behind range, rights, offset, device and inode
  for (std::string_view line : parts_of(maps, '\n')) {
    std::vector<std::string_view> words = words_of(line);
    if (words.size() <= kPath) continue;
    std::string path(words[kPath]);
    if (path.find(".so") == std::string::npos && path != "[vdso]") continue;
    char* dash = nullptr;
    uint64_t begin = std::strtoull(line.data(), &dash, 16);  // the text of all lines ends with a zero
    uint64_t end = *dash == '-' ? std::strtoull(dash + 1, nullptr, 16) : begin;
    auto [found, is_new] = libraries.try_emplace(path, Range{begin, end});
    if (!is_new) found->second.end = end;
  }
  for (const auto& [path, range] : libraries)
    chunk->event(TypeId::kNativeLibrary, {chunk->clock().ticks, std::string_view(path),
                                          static_cast<int64_t>(range.begin), static_cast<int64_t>(range.end)});
}

}  // namespace

LoadMeter::LoadMeter() : last_(now()) {}

LoadMeter::Times LoadMeter::now() {
  constexpr double kMicroseconds = 1e6;
  Times times;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  times.user = static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) / kMicroseconds;
  times.system = static_cast<double>(used.ru_stime.tv_sec) + static_cast<double>(used.ru_stime.tv_usec) / kMicroseconds;
  // cpu  user nice system idle iowait irq softirq steal …
  std::string all = read_if_readable("/proc/stat");
  std::vector<std::string_view> words = words_of(std::string_view(all).substr(0, all.find('\n')));
  constexpr size_t kFields = 8, kIdle = 3, kWaitsForDisk = 4;
  auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  for (size_t field = 0; field < kFields && field + 1 < words.size(); ++field) {
    double time = std::strtod(words[field + 1].data(), nullptr);
    times.elapsed += time / ticks;
    if (field != kIdle && field != kWaitsForDisk) times.machine_busy += time / ticks;
  }
  return times;
}

void LoadMeter::put(ChunkWriter* chunk, int64_t ticks) {
  Times times = now();
  double elapsed = times.elapsed - last_.elapsed;
  auto share = [elapsed](double part) { return elapsed > 0 ? std::clamp(part / elapsed, 0.0, 1.0) : 0.0; };
  chunk->event(TypeId::kCpuLoad, {ticks, share(times.user - last_.user), share(times.system - last_.system),
                                  share(times.machine_busy - last_.machine_busy)});
  last_ = times;
}

void put_jvm_facts(const session::SessionState& session, ChunkWriter* chunk) {
  std::vector<profile::jfr::Setting> settings = {
      {"version", HEARTH_VERSION},
      {"engine", session.sources().engine()},
      {"event", session.events()},
      {"jstackdepth", std::to_string(session.options().java_depth)},
      {"clock", session.options().counter_per_second == 0 ? "monotonic" : "tsc"}};
  profile::jfr::put_about(metadata_of(session), settings, chunk);
  for (const session::SampleSources::Source& one : session.sources().all())
    profile::jfr::put_interval(one.event, one.interval, 0, chunk);
  uint32_t omitted = session.options().jfr_omits;
  if ((omitted & options::kNoSystem) == 0) put_system(chunk);
  jvmtiEnv* jvmti = session.vm()->jvmti;
  if ((omitted & options::kNoProperties) == 0 && jvmti != nullptr) put_properties(jvmti, chunk);
  if ((omitted & options::kNoLibraries) == 0) put_libraries(chunk);
}

}  // namespace hearth::naming
