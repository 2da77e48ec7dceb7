#include <cstdlib>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/formatted.h"
#include "events/event_source.h"
#include "events/handlers/io/io_hooks.h"
#include "events/native/hooked_source.h"

namespace hearth::events {
namespace {

// The first port of connections that programs make (ip(7)). The kernel's own default where it cannot be read.
uint16_t first_short_lived_port() {
  constexpr unsigned long kDefault = 32768;
  std::string range = read_if_readable("/proc/sys/net/ipv4/ip_local_port_range");
  unsigned long first = std::strtoul(range.c_str(), nullptr, 10);
  return static_cast<uint16_t>(first > 0 && first <= UINT16_MAX ? first : kDefault);
}

class NativeIo : public HookedSource<IoSampling> {
 public:
  explicit NativeIo(IoView view) : HookedSource(HookKind::kIo, io_samplings()), view_(std::move(view)) {}
  NativeIo(const NativeIo&) = delete;
  NativeIo& operator=(const NativeIo&) = delete;
  ~NativeIo() override { NativeIo::stop(); }

  std::string engine() const override { return "libc"; }

  std::string trouble() const override {
    uint64_t unnamed = view_.traits->unnamed();
    if (unnamed == 0) return HookedSource::trouble();
    return formatted("{} samples of I/O have no peer and no path: there were too many different ones", unnamed);
  }

  void start(const EventPlan& plan) override {
    const auto functions = io_hooks();
    prepare(plan, view_.make_patcher, functions);
    // A C library may lack one of two names.
    for (size_t i = 0; i < functions.size(); i++)
      if (original(i) != 0) *functions[i].real = original(i);
    sampling_.traits = view_.traits;
    sampling_.names_targets = view_.names_targets;
    sampling_.first_short_lived = first_short_lived_port();
    sampling_.began_ns = capture::now_ns();
    begin();
  }

 private:
  void use(uint64_t number) override { measure_io(number == 0 ? -1 : sampling_.interval); }

  const IoView view_;
};

}  // namespace

std::unique_ptr<EventSource> make_native_io(IoView view) {
  return std::make_unique<NativeIo>(std::move(view));
}

}  // namespace hearth::events
