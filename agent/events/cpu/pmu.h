// Units of the kernel and the processor that count events, as /sys/bus/event_source/devices describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::events {

// What the terms of an event set in perf_event_attr.
struct PmuConfig {
  uint64_t config = 0, config1 = 0, config2 = 0;
};

class Pmu {
 public:
  // `devices`: where the units are described.
  explicit Pmu(const std::string& name, const std::string& devices = "/sys/bus/event_source/devices");

  std::optional<uint32_t> type() const;  // none: there is no such unit
  // Of terms as perf writes them: "event=0x3c,umask=1", "config=0x1" or the name of an event of the unit. Throws Error
  // for a term that the unit does not have.
  PmuConfig config_of(std::string_view terms) const;
  std::vector<std::string> events() const;

 private:
  void set_term(std::string_view term, PmuConfig* config) const;
  std::string folder_;
};

// All of the text is one number; none: it is not.
std::optional<uint64_t> number_of(std::string_view text, int base);
// Decimal, or hexadecimal with 0x.
std::optional<uint64_t> prefixed_number(std::string_view text);

// Puts the bits of `value`, the lowest first, where a format says: "config:0-7,32-35". False: the format is not
// understood, or the value has more bits.
bool put_bits(std::string_view format, uint64_t value, PmuConfig* config);

}  // namespace hearth::events
