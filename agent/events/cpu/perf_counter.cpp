#include "events/cpu/perf_counter.h"

#include <link.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/nearest_word.h"
#include "base/owned.h"
#include "base/seccomp.h"
#include "base/text_parts.h"
#include "events/cpu/pmu.h"
#include "options/event_rows.h"
#include "options/events/counter_names.h"

namespace hearth::events {
namespace {

// "function+0x10": the name, and the number after it, 0 where there is none.
std::pair<std::string, uint64_t> name_and_offset(const std::string& text) {
  size_t plus = text.rfind('+');
  if (plus == std::string::npos) return {text, 0};
  std::optional<uint64_t> offset = prefixed_number(std::string_view(text).substr(plus + 1));
  return offset ? std::pair(text.substr(0, plus), *offset) : std::pair(text, uint64_t{0});
}

struct FilePlace {
  uintptr_t address;
  std::string path;
  uint64_t offset = 0;
};

// Finds the segment of the address; called by the loader for each library.
int look_for_place(dl_phdr_info* info, size_t, void* wanted) {
  auto* place = static_cast<FilePlace*>(wanted);
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    bool has_code = segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0;
    if (!has_code || place->address < begin || place->address >= begin + segment.p_filesz) continue;
    place->path = *info->dlpi_name == '\0' ? "/proc/self/exe" : info->dlpi_name;
    place->offset = place->address - begin + segment.p_offset;
    return 1;
  }
  return 0;
}

PerfCounter of_row(const options::CounterRow& row) {
  PerfCounter counter;
  counter.name = row.name;
  counter.type = row.type;
  counter.config = row.config;
  counter.is_of_kernel = row.type == PERF_TYPE_SOFTWARE && row.config == PERF_COUNT_SW_CPU_MIGRATIONS;
  return counter;
}

PerfCounter of_unit(const std::string& name) {
  size_t slash = name.find('/');
  std::string unit = name.substr(0, slash);
  // By their own names they have the shortest intervals that leave a thread its time.
  for (const char* own : {"software", "tracepoint", "breakpoint", "kprobe", "uprobe"})
    if (unit == own) throw Error(formatted("{}: events of {} have names of their own", name, unit), "hearth list PID");
  Pmu pmu(unit);
  std::optional<uint32_t> type = pmu.type();
  if (!type)
    throw Error(formatted("{}: this machine has no unit {} in /sys/bus/event_source/devices", name, unit),
                "a guest has those of its hypervisor's choice");
  PmuConfig config = pmu.config_of(std::string_view(name).substr(slash + 1, name.size() - slash - 2));
  PerfCounter counter;
  counter.name = name;
  counter.type = *type;
  counter.config = config.config;
  counter.config1 = config.config1;
  counter.config2 = config.config2;
  return counter;
}

PerfCounter of_tracepoint(const std::string& name) {
  size_t colon = name.find(':');
  std::string path = name.substr(0, colon) + "/" + name.substr(colon + 1) + "/id";
  for (const char* folder : {"/sys/kernel/tracing/events/", "/sys/kernel/debug/tracing/events/"}) {
    std::string text = read_if_readable(folder + path);
    std::optional<uint64_t> id = number_of(text.substr(0, text.find('\n')), 10);
    if (!id) continue;
    PerfCounter counter;
    counter.name = name;
    counter.type = PERF_TYPE_TRACEPOINT;
    counter.is_of_kernel = true;
    counter.config = *id;
    return counter;
  }
  bool has_any = access("/sys/kernel/tracing/events", R_OK) == 0;
  throw Error(
      formatted("{}: {}", name,
                has_any ? "this kernel has no such tracepoint" : "tracepoints cannot be read in /sys/kernel/tracing"),
      has_any ? "/sys/kernel/tracing/available_events lists them"
              : "mount -t tracefs nodev /sys/kernel/tracing, and run as root or let this user read it");
}

// Of a kind that is no library's: the unit "kprobe" or "uprobe", whose bit "retprobe" chooses returns.
PerfCounter of_probe(const std::string& name, const std::string& unit, bool is_return, std::string place,
                     uint64_t offset) {
  Pmu pmu(unit);
  std::optional<uint32_t> type = pmu.type();
  if (!type) throw Error(formatted("{}: this kernel has no {}s", name, unit), "it was built without them");
  PerfCounter counter;
  counter.name = name;
  counter.type = *type;
  counter.is_of_kernel = unit == "kprobe";
  if (is_return) counter.config = pmu.config_of("retprobe").config;
  counter.place = std::make_shared<std::string>(std::move(place));
  counter.config2 = offset;
  return counter;
}

uintptr_t address_of(const std::string& name, const std::string& library, const std::string& symbol,
                     const SymbolFinder& find_symbol) {
  if (std::optional<uintptr_t> found = find_symbol(library, symbol)) return *found;
  std::string where = library.empty() ? "no loaded library" : "no loaded library " + library;
  throw Error(formatted("{}: {} has a function {}", name, where, symbol),
              "write it as profiles do, without parameters; a stripped library needs its symbols");
}

PerfCounter of_user_probe(const std::string& name, const std::string& text, bool is_return,
                          const SymbolFinder& find_symbol) {
  size_t colon = text.find(':');
  bool has_library = colon != std::string::npos && text.compare(colon, 2, "::") != 0;
  std::string library = has_library ? text.substr(0, colon) : "";
  std::string symbol = has_library ? text.substr(colon + 1) : text;
  FilePlace place = {address_of(name, library, symbol, find_symbol), "", 0};
  if (dl_iterate_phdr(look_for_place, &place) == 0) throw Error(formatted("{}: it is no function in a file", name));
  return of_probe(name, "uprobe", is_return, place.path, place.offset);
}

PerfCounter breakpoint_at(const std::string& name, uintptr_t address, uint64_t length, uint32_t accesses) {
  PerfCounter counter;
  counter.name = name;
  counter.type = PERF_TYPE_BREAKPOINT;
  counter.config1 = address;
  counter.config2 = length;
  counter.breakpoint = accesses;
  return counter;
}

uint32_t accesses_of(const std::string& name, std::string_view letters) {
  constexpr std::pair<char, uint32_t> kAccesses[] = {
      {'r', HW_BREAKPOINT_R}, {'w', HW_BREAKPOINT_W}, {'x', HW_BREAKPOINT_X}};
  uint32_t accesses = 0;
  for (char letter : letters) {
    const auto* one = std::find_if(std::begin(kAccesses), std::end(kAccesses),
                                   [letter](const auto& access) { return access.first == letter; });
    if (one == std::end(kAccesses))
      throw Error(formatted("{}: \"{}\" are no accesses", name, letters), "write r, w, rw or x");
    accesses |= one->second;
  }
  return accesses;
}

// "ADDRESS[/LENGTH][:rwx]", where the address may be a name.
PerfCounter of_memory(const std::string& name, std::string text, const SymbolFinder& find_symbol) {
  size_t colon = text.rfind(':');
  bool has_accesses = colon != std::string::npos && colon > 0 && text[colon - 1] != ':';
  uint32_t accesses = HW_BREAKPOINT_RW;
  if (has_accesses) accesses = accesses_of(name, std::string_view(text).substr(colon + 1));
  if (has_accesses) text.resize(colon);
  size_t slash = text.rfind('/');
  std::optional<uint64_t> length =
      slash == std::string::npos ? 1 : number_of(std::string_view(text).substr(slash + 1), 10);
  if (!length || (*length & (*length - 1)) != 0 || *length == 0 || *length > sizeof(uint64_t))
    throw Error(formatted("{}: the length is not 1, 2, 4 or 8 bytes", name));
  if (slash != std::string::npos) text.resize(slash);
  if ((accesses & HW_BREAKPOINT_X) != 0) length = sizeof(long);  // the kernel's condition (perf_event_open(2))
  if (text.compare(0, 2, "0x") == 0) {
    std::optional<uint64_t> address = prefixed_number(text);
    if (!address) throw Error(formatted("{}: {} is no address", name, text));
    return breakpoint_at(name, static_cast<uintptr_t>(*address), *length, accesses);
  }
  auto [symbol, offset] = name_and_offset(text);
  return breakpoint_at(name, address_of(name, "", symbol, find_symbol) + offset, *length, accesses);
}

std::optional<std::string_view> nearest_event(const std::string& name) {
  std::vector<std::string_view> known;
  for (const options::EventRow& row : options::event_rows()) known.emplace_back(row.name);
  for (const options::CounterRow& row : options::kCounterRows) known.emplace_back(row.name);
  return nearest_word(name, known);
}

PerfCounter of_function(const std::string& name, const SymbolFinder& find_symbol) {
  std::optional<uintptr_t> address = find_symbol("", name);
  if (address) return breakpoint_at(name, *address, sizeof(long), HW_BREAKPOINT_X);
  std::optional<std::string_view> nearest = nearest_event(name);
  throw Error(formatted("{} is no event, and no loaded library has a function of that name", name),
              nearest ? formatted("did you mean {}?", *nearest) : "hearth list PID has the events");
}

std::optional<PerfCounter> of_prefix(const std::string& name, const SymbolFinder& find_symbol) {
  size_t colon = name.find(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string prefix = name.substr(0, colon), rest = name.substr(colon + 1);
  bool is_return = prefix == "kretprobe" || prefix == "uretprobe";
  if (prefix == "kprobe" || prefix == "kretprobe") {
    auto [function, offset] = name_and_offset(rest);
    return of_probe(name, "kprobe", is_return, function, offset);
  }
  if (prefix == "uprobe" || prefix == "uretprobe") return of_user_probe(name, rest, is_return, find_symbol);
  if (prefix == "mem") return of_memory(name, rest, find_symbol);
  return std::nullopt;
}

}  // namespace

PerfCounter perf_counter_of(const std::string& name, const SymbolFinder& find_symbol) {
  if (const options::CounterRow* row = options::counter_row(name)) return of_row(*row);
  if (!options::is_counter_name(name)) return of_function(name, find_symbol);
  if (std::optional<PerfCounter> probe = of_prefix(name, find_symbol)) return *probe;
  if (name.find('/') != std::string::npos) return of_unit(name);
  if (name.find(':') != std::string::npos) return of_tracepoint(name);
  PerfCounter counter;
  counter.name = name;
  counter.type = PERF_TYPE_RAW;
  counter.config = number_of(std::string_view(name).substr(1), 16).value_or(0);
  return counter;
}

std::vector<const options::CounterRow*> counters_here() {
  std::vector<const options::CounterRow*> here;
  if (survival_of({SYS_perf_event_open}) != Survival::kYes) return here;
  for (const options::CounterRow& row : options::kCounterRows) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = row.type;
    attr.config = row.config;
    attr.exclude_kernel = 1;
    attr.disabled = 1;
    UniqueFd event(static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
    if (event) here.push_back(&row);
  }
  return here;
}

}  // namespace hearth::events
