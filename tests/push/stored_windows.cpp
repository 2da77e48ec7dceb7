#include "stored_windows.h"

#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "store/window_files.h"

namespace hearth::push {
namespace {

namespace fs = std::filesystem;

profile::Profile window_of(int64_t minute, const std::string& events, std::vector<profile::ValueType> types) {
  profile::Profile window;
  window.value_types = std::move(types);
  window.metadata.event = events;
  window.metadata.start_unix_ns = kBegin + minute * kMinute;
  window.metadata.duration_ns = kMinute;
  return window;
}

profile::NodeId stack(profile::Profile* window, const std::string& method) {
  return window->child(0, window->location(window->function(method, profile::FrameKind::kJit), 0));
}

}  // namespace

profile::Profile cpu_window(int64_t minute) {
  profile::Profile window = window_of(minute, "cpu", {{"samples", "count"}, {"cpu", "nanoseconds", 20'000'000}});
  int64_t values[] = {1, minute};
  window.add(stack(&window, "a.Main.work"), window.label_set({{"thread", "main", 0, ""}, {"tid", "", 7, ""}}), values);
  return window;
}

profile::Profile full_window(int64_t minute) {
  profile::Profile window = window_of(minute, "cpu, wall, alloc, lock",
                                      {{"samples", "count"},
                                       {"cpu", "nanoseconds", 20'000'000},
                                       {"wall", "nanoseconds", 500'000'000},
                                       {"alloc_objects", "count"},
                                       {"alloc_space", "bytes", 2 << 20},
                                       {"contentions", "count"},
                                       {"delay", "nanoseconds"}});
  auto labels = window.label_set({{"endpoint", "/export", 0, ""},
                                  {"span_id", "00f067aa0ba902b7", 0, ""},
                                  {"thread", "main", 0, ""},
                                  {"tid", "", 7, ""},
                                  {"trace_id", "4bf92f3577b34da6a3ce929d0e0e4736", 0, ""}});
  int64_t rows[][7] = {{1, 10, 0, 0, 0, 0, 0}, {1, 0, 20, 0, 0, 0, 0}, {0, 0, 0, 1, 64, 0, 0}, {0, 0, 0, 0, 0, 1, 5}};
  for (const auto& row : rows) window.add(stack(&window, "a.Main.work"), labels, row);
  return window;
}

profile::Profile window_of_spans(int64_t minute, uint64_t spans) {
  profile::Profile window = window_of(minute, "cpu", {{"samples", "count"}, {"cpu", "nanoseconds", 20'000'000}});
  int64_t values[] = {1, 10};
  for (uint64_t span = 1; span <= spans; span++)
    window.add(stack(&window, "a.Main.work"),
               window.label_set({{"span_id", formatted("{:016x}", span), 0, ""},
                                 {"trace_id", "4bf92f3577b34da6a3ce929d0e0e4736", 0, ""}}),
               values);
  return window;
}

WithStore::WithStore() : store_(testing::TempDir() + "push." + std::to_string(::getpid())) {
  fs::remove_all(store_);
  fs::create_directories(store_ + "/windows");
}

WithStore::~WithStore() {
  fs::remove_all(store_);
}

std::string WithStore::write(const profile::Profile& window) {
  const profile::Metadata& about = window.metadata;
  std::string name = store::window_name(store::Level::kWindow, about.start_unix_ns, about.duration_ns, 1);
  replace_file(formatted("{}/windows/{}", store_, name), profile::write_pprof(window, {}));
  return name;
}

}  // namespace hearth::push
