#include "store/figures_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "base/text_parts.h"
#include "store/window_files.h"

namespace hearth::store {
namespace {

constexpr size_t kMostFigures = size_t{64} << 20;

std::string path_in(const std::string& store) {
  return store + "/figures.csv";
}

std::string line_of(const std::string& name, const WindowFigures& figures) {
  return formatted("{},{},{},{},{},{}\n", name, figures.sampled_ns, figures.samples, figures.cpu_ns,
                   figures.allocated_bytes, figures.gc_pause_ns);
}

template <typename Number>
bool read_number(std::string_view text, Number* number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

// Empty for a line that was cut off.
std::optional<std::pair<std::string, WindowFigures>> figures_of_line(std::string_view line) {
  std::vector<std::string_view> fields = parts_of(line, ',');
  WindowFigures figures;
  if (fields.size() != 6 || !read_number(fields[1], &figures.sampled_ns) || !read_number(fields[2], &figures.samples) ||
      !read_number(fields[3], &figures.cpu_ns) || !read_number(fields[4], &figures.allocated_bytes) ||
      !read_number(fields[5], &figures.gc_pause_ns))
    return std::nullopt;
  return std::make_pair(std::string(fields[0]), figures);
}

}  // namespace

WindowFigures figures_of(const profile::Profile& profile) {
  WindowFigures figures;
  figures.sampled_ns = profile.metadata.duration_ns;
  figures.samples = profile.quality.samples;
  figures.gc_pause_ns = profile.quality.gc_pause_ns;
  size_t width = profile.value_types.size();
  std::vector<int64_t> sums(width);
  for (size_t index = 0; index < profile.sample_count(); ++index)
    for (size_t type = 0; type < width; ++type)
      sums[type] = profile::saturating_sum(sums[type], profile.values(index)[type]);
  for (size_t type = 0; type < width; ++type) {
    if (profile.value_types[type].type == "cpu") figures.cpu_ns = sums[type];
    if (profile.value_types[type].type == "alloc_space") figures.allocated_bytes = sums[type];
  }
  // The threads' own clocks and the JVM's own count are exact.
  if (profile.quality.threads_cpu_ns > 0) figures.cpu_ns = profile.quality.threads_cpu_ns;
  if (uint64_t bytes = profile.quality.allocated_bytes; bytes > 0)
    figures.allocated_bytes = static_cast<int64_t>(bytes);
  return figures;
}

std::map<std::string, WindowFigures> read_figures(const std::string& store) {
  std::map<std::string, WindowFigures> known;
  try {
    std::string content = read_regular_file(path_in(store), kMostFigures);
    for (std::string_view line : parts_of(content, '\n'))
      if (auto figures = figures_of_line(line)) known.insert_or_assign(figures->first, figures->second);
  } catch (const FileError&) {  // it can be created again
  }
  return known;
}

int64_t add_figures(const std::string& store, const std::string& name, const WindowFigures& figures) {
  std::string line = line_of(name, figures);
  UniqueFd fd(::open(path_in(store).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  // Readers skip a line that was cut off.
  ssize_t written = fd ? ::write(fd.get(), line.data(), line.size()) : 0;
  return std::max<ssize_t>(written, 0);
}

void tidy_figures(const std::string& store) {
  std::map<std::string, WindowFigures> known = read_figures(store);
  std::string text;
  for (const StoredWindow& window : all_windows(store)) {
    auto found = known.find(window.name);
    if (found != known.end()) text += line_of(window.name, found->second);
  }
  replace_file(path_in(store), text, Written::kInCache, Readers::kOwner);
}

}  // namespace hearth::store
