#include "session/import_patcher.h"

#include <string>

#include "base/formatted.h"
#include "symbols/elf/import_hooks.h"

namespace hearth::session {
namespace {

class Patcher : public events::ImportPatcher {
 public:
  explicit Patcher(const std::vector<symbols::ImportHooks::Hook>& hooks)
      : function_(hooks.front().name), hooks_(hooks, function_) {}

  uintptr_t original(size_t hook) const override { return hooks_.original(hook); }
  void apply() override { hooks_.apply(); }
  void restore() override { hooks_.restore(); }
  size_t replaced() const override { return hooks_.replaced(); }

  std::string trouble() const override {
    if (size_t refused = hooks_.refused(); refused > 0)
      return formatted(
          "{} pointers to {} and its like could not be replaced, or not be put back: their memory is read-only",
          refused, function_);
    std::string library = hooks_.foreign_library();
    if (library.empty()) return "";
    return formatted("{} pointers to {} and its like lead to {} already: their calls are not sampled", hooks_.foreign(),
                     function_, library);
  }

 private:
  const std::string function_;
  symbols::ImportHooks hooks_;
};

}  // namespace

std::unique_ptr<events::ImportPatcher> make_import_patcher(const std::vector<events::ImportPatcher::Hook>& hooks) {
  std::vector<symbols::ImportHooks::Hook> all;
  all.reserve(hooks.size());
  for (const events::ImportPatcher::Hook& hook : hooks) all.push_back({hook.name, hook.code});
  return std::make_unique<Patcher>(all);
}

}  // namespace hearth::session
