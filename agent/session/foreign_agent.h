// Another agent in this process that publishes the context of each thread (capture/labels/foreign_context.h), and what
// it publishes of the process by OTEP 4719: the names of the attributes. Thread safe; outside signals.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/labels/foreign_context.h"
#include "session/process_context.h"
#include "symbols/elf/loaded_objects.h"
#include "vm/label_sets.h"

namespace hearth::session {

class ForeignAgent {
 public:
  static ForeignAgent& instance();

  // Looks for the agent where libraries were loaded or unloaded since, and for new names. Samples have its contexts
  // from then on.
  void refresh();
  // The label set of a number that a sample carries, which stays unless it is of an AttributeSets. Memory as `labels`.
  uint16_t label_set(uint16_t number, vm::LabelSets* labels);
  // Lines for people: what of its contexts is not in profiles.
  std::vector<std::string> notes() const;

 private:
  void look_for_variable();
  void read_names();
  vm::LabelSets::Set labels_in(std::string_view attributes) const;

  mutable std::mutex mutex_;
  symbols::LoadCounts counts_;
  capture::ForeignSource* source_ = nullptr;  // of handlers, never freed; null: no agent was found yet
  ProcessContextReader context_;
  std::vector<std::string> names_;  // of attributes, by index
  std::vector<uint16_t> sets_;      // label sets, by attribute set; 0: not yet known
  std::unique_ptr<capture::AttributeSets> attributes_;
};

// Label keys that attributes have; "": not shown. Ids of spans are not: each would be a set of its own.
std::string label_of_attribute(std::string_view name);

}  // namespace hearth::session
