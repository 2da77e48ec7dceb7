#include "session/agent.h"

#include <dlfcn.h>

#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "capture/thread_labels.h"
#include "capture/thread_spans.h"
#include "events/handlers/current_tid.h"
#include "session/answers.h"
#include "session/metrics_text.h"
#include "session/vm_events.h"
#include "symbols/virtual_thread_layout.h"
#include "symbols/vm_structs.h"

namespace hearth::session {
namespace {

// What Java left on the calling thread that is another one to it from now on: a native thread may come and go.
void forget_labels() {
  *capture::label_cell() = capture::kNoLabels;
  *capture::span_cell() = {};
}

}  // namespace

Agent& Agent::instance() {
  static Agent* agent = new Agent;
  return *agent;
}

void Agent::enter(JavaVM* java_vm, bool live) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (entered_) return;
  vm_.java_vm = java_vm;
  if (java_vm->GetEnv(reinterpret_cast<void**>(&vm_.jvmti), JVMTI_VERSION_1_2) != JNI_OK)
    throw Error("this JVM offers no JVMTI", "use HotSpot, JDK 8 or newer");
  Dl_info info{};
  // The function tables of JNI are libjvm's own data.
  if (dladdr(reinterpret_cast<const void*>(java_vm->functions), &info) != 0)
    vm_.libjvm = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (vm_.libjvm == nullptr || dlsym(vm_.libjvm, "AsyncGetCallTrace") == nullptr)
    throw Error("this JVM has no AsyncGetCallTrace", "use HotSpot, JDK 8 or newer");
  jvmtiCapabilities wanted{};
  wanted.can_get_source_file_name = 1;
  wanted.can_get_line_numbers = 1;
  wanted.can_generate_compiled_method_load_events = 1;
  vm_.jvmti->AddCapabilities(&wanted);
  listen_for_life(vm_.jvmti, live);
  structs_ = std::make_unique<symbols::VmStructs>(vm_.libjvm);
  vm_.structs = structs_.get();
  using Flag = symbols::VmStructs::FlagResult;
  Flag flag = structs_->switch_flag_on("DebugNonSafepoints");
  if (flag == Flag::kNotFound)  // listening to compilations has the same effect (JvmtiExport, JDK-8173361 on its cost)
    listen_for_compilations(vm_.jvmti);
  if (live && flag != Flag::kWasChosen)
    vm_.interruption_notes.emplace_back(
        "methods compiled before the agent came tell inlined callees only at safepoints; start the JVM with the agent "
        "or with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints");
  entered_ = true;
}

void Agent::learn_live_vm(JNIEnv* env) {
  if (vm_.initialized) return;
  vm_.runtime = system_property(vm_.jvmti, "java.vm.name") + " " + system_property(vm_.jvmti, "java.vm.version");
  std::vector<std::string> missing;
  vm_.layout = structs_->layout(&missing);
  vm_.osthread_offset = structs_->osthread_offset();
  vm_.osthread_state_offset = structs_->state_offset_in_osthread();
  symbols::find_virtual_threads(env, *structs_, &vm_.layout);
  vm_.access = symbols::find_thread_access(env, vm_.libjvm);
  // A virtual thread cannot tell; the next command may come from another.
  vm_.initialized = vm_.access.key >= 0;
  if (!vm_.initialized)
    throw Error("this thread does not tell how the JVM knows its threads", "call from a platform thread");
  if (!missing.empty())
    vm_.notes.push_back(formatted("this VM does not tell its {}: stacks are less complete", joined(missing, ", ")));
}

void Agent::vm_initialized(JNIEnv* env) {
  std::vector<std::string> waiting;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    learn_live_vm(env);
    waiting.swap(waiting_commands_);
  }
  vm_starts_ = true;
  bool is_done = false;
  for (const std::string& one : waiting) is_done = command(one, env) || is_done;
  vm_starts_ = false;
  if (is_done) warn_of_lost_profiles();
}

void Agent::warn_of_lost_profiles() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (always_on_) return;
  for (const Commanded& one : commanded_) {
    if (!one.session->running() || has_output(one.session->options())) continue;
    log_.warn(
        formatted("the session of {} has no file= and no output format: unless somebody stops it before the JVM ends, "
                  "its profile is lost",
                  one.session->events()));
  }
}

bool Agent::command(const std::string& text, JNIEnv* env) {
  try {
    give(execute(text, env), reply_option(text));
    return true;
  } catch (const std::exception& error) {
    refuse(reply_option(text), error.what());
    return false;
  }
}

// To the launcher when there is one, else to the log: the person who asked should read it, once.
void Agent::refuse(const std::string& reply, const std::string& why) {
  try {
    if (!reply.empty()) return reply_to(reply, "error", why);
  } catch (const std::exception& error) {
    log_.error(error.what());
  }
  log_.error(why);
}

void Agent::give(const Answer& answer, const std::string& reply) {
  if (!reply.empty() && answer.is_product) return reply_to(reply, "ok", answer.text);
  if (!reply.empty()) return reply_to(reply, "said", answer.text + "\n" + answer.secret);
  if (answer.is_product) {
    fwrite(answer.text.data(), 1, answer.text.size(), stdout);
    fflush(stdout);
  } else if (!answer.text.empty()) {
    std::istringstream lines(answer.text);
    for (std::string line; std::getline(lines, line);) log_.info(line);
  }
}

Agent::Answer Agent::execute(const std::string& text, JNIEnv* env, bool sets_log) {
  Options options = parse_options(text);
  if (options.action == Action::kStopHttp) return {control().stop()};
  if (options.action == Action::kDump && options.is_about_store) return dump_store(options, env);
  if (options.http.empty() || env == nullptr) return run(options, text, env, sets_log);
  std::optional<Control::Serving> serving = serve(options);
  try {
    Answer answer = run(options, text, env, sets_log);
    if (!serving) return answer;
    answer.text += (answer.text.empty() ? "" : "\n") + serving->text;
    answer.secret = serving->secret;
    return answer;
  } catch (...) {
    if (serving && serving->is_new) control().end();
    throw;
  }
}

// A JVM that starts keeps its profile where the server cannot be: nobody is there to try again from its start.
std::optional<Control::Serving> Agent::serve(const Options& options) {
  try {
    return control().serve(options);
  } catch (const Error& error) {
    if (!vm_starts_ || options.action != Action::kStart) throw;
    log_.error(formatted("{}; the session goes on without the control server", error.what()));
    return std::nullopt;
  }
}

Agent::Answer Agent::run(const Options& options, const std::string& text, JNIEnv* env, bool sets_log) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (sets_log) log_.configure(options.log_level, options.log_file, options.quiet);
  if (env == nullptr || !entered_) {
    if (options.action == Action::kVersion) return {"hearth " HEARTH_VERSION};
    if (options.action != Action::kStart && options.http.empty())
      throw Error("the JVM has not started yet", "give start or http when loading the agent with it");
    waiting_commands_.push_back(text);
    return {};
  }
  learn_live_vm(env);
  switch (options.action) {
    case Action::kStart:
      return options.is_about_store ? start_store(options, env) : start(options, env);
    case Action::kStop:
      return options.is_about_store ? stop_store(env) : stop(options, env);
    case Action::kPause:
      return pause(options, env);
    case Action::kResume:
      return resume(options, env);
    case Action::kDump:
      return dump(options, env);
    case Action::kStatus:
      return status(options);
    case Action::kMetrics:
      return {metrics_with({}), true};
    case Action::kList:
      return {event_list()};
    case Action::kVersion:
      return {"hearth " HEARTH_VERSION};
    case Action::kStopHttp:
    case Action::kNone:
      break;
  }
  if (!options.http.empty()) return {};
  throw Error("no action was given", "add start, stop, pause, resume, dump, status, metrics, list or version");
}

Control& Agent::control() const {
  Control* control = control_;
  if (control == nullptr) throw Error("this agent was built without a control server", "use another build");
  return *control;
}

// Before a session is made, which takes a copy of the layout.
void Agent::prepare(JNIEnv* env) {
  listen_for_code(vm_.jvmti, true);
  LoadedClasses classes(vm_.jvmti, env);
  make_method_ids(vm_.jvmti, classes);
  tell_java_labels(vm_.jvmti, env, classes, *native_classes_, vm_.slow_labels.limit());
  // "Cont thaw return barrier" in JDK 21, "cont_returnBarrier" in 25
  if (vm_.layout.continuations.return_barrier == 0)
    vm_.layout.continuations.return_barrier = vm_.code_names.start_of("returnbarrier");
}

// A session that hears already of what the JVM tells.
void Agent::begin(ProfileSession* session, JNIEnv* env) {
  listen_for_threads(vm_.jvmti, true);
  session->start();
  exclude_own_threads(session);
  name_living_threads(session, env);
}

ProfileSession::Hooks Agent::hooks_of(uint64_t number) {
  auto on_timeout = [this, number] { std::thread([this, number] { timed_out(number); }).detach(); };
  auto java_threads = [this]() -> std::vector<LivingThread> {
    JvmAttachment attachment(vm_.java_vm, "hearth");
    if (attachment.env() == nullptr) return {};
    return living_threads(vm_, attachment.env());
  };
  auto own_thread = [this](int tid, bool begins) { begins ? own_thread_begins(tid) : own_thread_ends(tid); };
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  return {number, on_timeout, java_threads, own_threads_, own_thread};
}

void Agent::stop_listening() {
  if (always_on_ || !sessions_that_run().empty()) return;
  listen_for_threads(vm_.jvmti, false);
  listen_for_code(vm_.jvmti, false);
}

void Agent::vm_dies(JNIEnv* env) {
  if (control_ != nullptr) control().interrupt();
  end_store(env);
  end_all_sessions(env);
  if (control_ != nullptr) control().end();
}

void Agent::thread_started(JNIEnv* env, jthread thread) {
  forget_labels();
  for (const std::shared_ptr<ProfileSession>& session : all_sessions())
    session->thread_started(events::current_tid(), thread_name(vm_.jvmti, env, thread));
}

void Agent::thread_ended(JNIEnv* env, jthread thread) {
  forget_labels();
  for (const std::shared_ptr<ProfileSession>& session : all_sessions())
    session->thread_ended(events::current_tid(), thread_name(vm_.jvmti, env, thread));
}

void Agent::name_living_threads(ProfileSession* session, JNIEnv* env) {
  for (LivingThread& thread : living_threads(vm_, env)) session->name_thread(thread.tid, std::move(thread.name));
}

}  // namespace hearth::session
