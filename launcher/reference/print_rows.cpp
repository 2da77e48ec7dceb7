// Prints the tables of options and events as one JSON object, for launcher/reference/write.
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "options/event_table.h"
#include "options/option_table.h"

namespace {

using hearth::options::EventRow;
using hearth::options::Group;
using hearth::options::OptionRow;
using nlohmann::ordered_json;

const char* title_of(Group group) {
  switch (group) {
    case Group::kAction:
      return "Actions";
    case Group::kEvents:
      return "Events";
    case Group::kStacks:
      return "Stacks";
    case Group::kThreads:
      return "Threads and time";
    case Group::kSession:
      return "Sessions";
    case Group::kFormat:
      return "Files and formats";
    case Group::kOutput:
      return "Contents of a profile";
    case Group::kPage:
      return "Flame graph";
    case Group::kServer:
      return "Control server";
    case Group::kStore:
      return "Always-on store";
    case Group::kLog:
      return "Log";
  }
  return "";
}

ordered_json entries_of(const OptionRow& row) {
  ordered_json entries = ordered_json::array();
  auto add = [&](hearth::options::Entry entry, const char* name) {
    if (row.comes_by(entry)) entries.push_back(name);
  };
  add(hearth::options::kByAgent, "agent");
  add(hearth::options::kByLine, "command line");
  add(hearth::options::kByHttp, "HTTP");
  add(hearth::options::kByMBean, "MBean");
  add(hearth::options::kByClojure, "Clojure");
  return entries;
}

const char* text_of(hearth::options::Takes takes) {
  switch (takes) {
    case hearth::options::Takes::kNothing:
      return "nothing";
    case hearth::options::Takes::kOptionalValue:
      return "optional";
    default:
      return "value";
  }
}

ordered_json json_of(const OptionRow& row) {
  return {{"name", row.name},
          {"group", title_of(row.group)},
          {"takes", text_of(row.takes)},
          {"repeatable", row.takes == hearth::options::Takes::kValues},
          {"accepts", row.accepts},
          {"example", row.example},
          {"default", row.usual},
          {"entries", entries_of(row)},
          {"letter", row.flag_letter == 0 ? "" : std::string(1, row.flag_letter)},
          {"words", row.words}};
}

ordered_json json_of(const EventRow& row) {
  bool is_shared = row.serves == hearth::options::Serves::kMany;
  return {{"name", row.name}, {"accepts", row.accepts}, {"sessions", is_shared ? "any number" : "one"}};
}

void print_rows() {
  ordered_json options = ordered_json::array(), events = ordered_json::array();
  for (const OptionRow& row : hearth::options::option_rows())
    if (row.name != "reply") options.push_back(json_of(row));  // between launcher and agent
  for (const EventRow& row : hearth::options::event_rows()) events.push_back(json_of(row));
  std::cout << ordered_json({{"version", HEARTH_VERSION}, {"options", options}, {"events", events}}).dump(1) << "\n";
}

}  // namespace

int main() {
  try {
    print_rows();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
