// The parts of commands::Agent, each within reach of a test; and those in a fake JVM.
#pragma once

#include <deque>

#include "commands/agent_locks.h"
#include "commands/command_runner.h"
#include "commands/fake_jvm.h"
#include "commands/jvm_lifecycle.h"
#include "commands/own_threads.h"
#include "commands/session_commands.h"
#include "commands/session_reports.h"
#include "commands/sessions/client_windows.h"
#include "commands/sessions/heap_holders.h"
#include "commands/sessions/output_writer.h"
#include "commands/sessions/session_starter.h"
#include "commands/sessions/session_table.h"
#include "commands/store_controller.h"

namespace hearth::commands {

struct AgentParts {
  JvmLifecycle jvm;
  Log log;
  AgentLocks locks{&jvm.vm(), &log};
  SessionTable table;
  OwnThreads own_threads{&table};
  SessionStarter starter{&jvm, &log, &table, &own_threads,
                         [this](uint64_t number) { sessions.end_on_timeout(number); }};
  OutputWriter outputs{&table};
  StoreController store{&locks, &jvm, &log, &table, &own_threads, &starter};
  SessionCommands sessions{&locks, &jvm, &log, &table, &starter, &store, &outputs};
  SessionReports reports{&table, &store};
  ClientWindows windows{&locks, &jvm, &table, &starter, &store, &outputs};
  HeapHolders holders{&locks, &jvm, &table};
  CommandRunner runner{&locks, &jvm, &log, &sessions, &store, &reports, &outputs, &holders};
};

struct FakeAgent : AgentParts {
  FakeAgent() {
    jvm.set_native_classes(&no_classes);
    jvm.enter(fake_java_vm(), false, [](int, bool) {});
    jvm.vm().initialized = true;  // a real one has facts that only HotSpot exports
  }

  // Executes a command as a client past VMInit gives it.
  Answer execute(const char* text) { return runner.execute(options::parse_options(text), fake_jni(), false); }

  const NativeClasses no_classes;
};

// Never destroyed, as the real one: the thread of a timeout may still use it.
inline FakeAgent& new_agent() {
  static auto* agents = new std::deque<FakeAgent>;
  return agents->emplace_back();
}

// The message with which a call is refused; "": it is not.
template <typename Call>
std::string refusal_of(Call call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace hearth::commands
