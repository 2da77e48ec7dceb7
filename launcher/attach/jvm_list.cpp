#include "launcher/attach/jvm_list.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

pid_t to_pid(const std::string& digits) {
  pid_t pid = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (error != std::errc() || end != digits.data() + digits.size() || pid <= 0)
    throw Error(formatted("there is no process {}", digits), "hearth list shows the JVMs of this machine");
  return pid;
}

std::string names_of(const std::vector<const Jvm*>& jvms) {
  std::vector<std::string> names;
  names.reserve(jvms.size());
  for (const Jvm* jvm : jvms) names.push_back(formatted("{} {}", jvm->process.pid, jvm->name()));
  return joined(names, ", ");
}

using Row = std::vector<std::string>;

std::string address_text(const ControlAddress& address) {
  if (address.text.empty()) return "-";
  return address.is_verified ? address.text : address.text + " (not its socket)";
}

// A failure for one process leaves the others in the list.
Row row_of(const Jvm& jvm) {
  Row row = {std::to_string(jvm.process.pid), user_name(jvm.process.uid), "?", "?", "?", "?"};
  try {
    row[5] = jvm.name();
    row[3] = !jvm.readable ? "?" : jvm.libraries.libhearth ? "loaded" : "-";
    row[4] = address_text(control_address(jvm));
    row[2] = java_version(jvm);
  } catch (const std::exception&) {
    return row;
  }
  return row;
}

}  // namespace

std::vector<Jvm> find_jvms() {
  std::vector<Jvm> jvms;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::string name = entry.path().filename();
    if (!is_number(name)) continue;
    try {
      if (std::optional<Jvm> jvm = find_jvm(to_pid(name))) jvms.push_back(std::move(*jvm));
    } catch (const std::exception&) {
      continue;
    }
  }
  std::sort(jvms.begin(), jvms.end(), [](const Jvm& a, const Jvm& b) { return a.process.pid < b.process.pid; });
  return jvms;
}

pid_t resolve_target(const std::string& target) {
  return is_number(target) ? to_pid(target) : pid_by_name(target, find_jvms());
}

pid_t pid_by_name(const std::string& target, const std::vector<Jvm>& jvms) {
  std::vector<const Jvm*> all, partly, wholly;
  for (const Jvm& jvm : jvms) {
    all.push_back(&jvm);
    if (jvm.name().find(target) != std::string::npos) partly.push_back(&jvm);
    if (jvm.name() == target) wholly.push_back(&jvm);
  }
  const std::vector<const Jvm*>& found = wholly.empty() ? partly : wholly;
  if (found.size() == 1) return found[0]->process.pid;
  if (found.size() > 1)
    throw Error(formatted("{} JVMs run {}: {}", found.size(), target, names_of(found)), "give a pid");
  throw Error(formatted("no JVM here runs {}", target),
              all.empty() ? "no JVM is running" : "running: " + names_of(all));
}

std::string jvm_table(const std::vector<Jvm>& jvms) {
  std::vector<Row> rows = {{"PID", "USER", "JAVA", "HEARTH", "HTTP", "RUNS"}};
  for (const Jvm& jvm : jvms) rows.push_back(row_of(jvm));
  std::vector<size_t> widths(rows[0].size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string table;
  for (const Row& row : rows) {
    table += formatted("{:>{}}  ", row[0], widths[0]);
    for (size_t i = 1; i + 1 < row.size(); ++i) table += formatted("{:<{}}  ", row[i], widths[i]);
    table += row.back() + "\n";
  }
  return table;
}

}  // namespace hearth::launcher
