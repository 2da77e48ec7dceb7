#include "commands/without_jvm.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/formatted.h"
#include "options/event_table.h"

namespace hearth::commands {
namespace {

struct Part {
  const char* name;
  bool is_wanted;
};

}  // namespace

void refuse_what_needs_jvm(const options::Options& command) {
  const Part parts[] = {{"the store", command.is_about_store || !command.store.empty()},
                        {"http", !command.http.empty()},
                        {"event alloc", options::samples(command, options::Event::kAlloc)},
                        {"event lock", options::samples(command, options::Event::kLock)},
                        {"event exception", options::samples(command, options::Event::kException)},
                        {"event holders", options::samples(command, options::Event::kHolders)},
                        {"event wakers", options::samples(command, options::Event::kWakers)},
                        {"event vthreads", options::samples(command, options::Event::kVirtualThreads)},
                        {"live", command.live},
                        {"ttsp", command.ttsp},
                        {"jfrsync", command.jfr_sync.has_value()},
                        {"publish-context", command.publish_context}};
  const auto* found = std::find_if(std::begin(parts), std::end(parts), [](const Part& one) { return one.is_wanted; });
  if (found == std::end(parts)) return;
  throw Error(formatted("{}: this process has no JVM", found->name),
              "without one there are cpu, wall, page-faults, context-switches, nativemem and nativelock, in a file of "
              "any format");
}

}  // namespace hearth::commands
