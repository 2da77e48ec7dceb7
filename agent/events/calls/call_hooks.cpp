#include "events/calls/call_hooks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/bounded_thread.h"
#include "base/error.h"
#include "base/formatted.h"
#include "bytecode/class_rewriter.h"
#include "events/calls/classes_to_come.h"
#include "events/calls/wait_hooks.h"
#include "events/class_file_hook.h"
#include "events/exceptions/exception_hook.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {

struct CallHooksState {
  uint64_t number = 0;   // as Published needs
  uint16_t session = 0;  // in the upper bits of its hooks' numbers
  CallHook kind{};
  std::vector<CallTarget> targets;
  std::atomic<bool> hooks{true};  // set under the mutex; false: classes get their own code back
  std::atomic<bool> matched[CallHooks::kMostTargets] = {};
  std::atomic<jint> local_refs{0};  // of the thread that retransforms, whose callbacks see them as well
  std::mutex mutex;
  // All below are under the mutex, and have the names of classes or methods.
  ClassesToCome to_come;
  std::map<std::string, size_t> hooked;         // methods
  std::map<std::string, std::string> refused;   // with the reason
  std::optional<std::vector<CallCells>> calls;  // after stop()

  void refuse(const std::string& name, const std::string& reason) {
    std::lock_guard<std::mutex> lock(mutex);
    refused.try_emplace(name, reason);
  }
};

namespace {

static_assert(CallHooks::kMostTargets == 1 << kTargetBits);

const bytecode::HookClass& hooks_of(CallHook kind) {
  static const bytecode::HookClass kCalls = {kHookClass, "enter", "begin", "leave"};
  static const bytecode::HookClass kWaits = {kWaitHookClass, "after", "begin", "leave"};
  return kind == CallHook::kWait ? kWaits : kCalls;
}

// Classes that the hooks use, and the JVM where no hook may run: while a thread changes to or from a virtual one.
constexpr std::string_view kLeftOut[] = {kHookClass,
                                         kWaitHookClass,
                                         kExceptionHookClass,
                                         "java/util/concurrent/atomic/AtomicLong",
                                         "jdk/internal/misc/Unsafe",
                                         "sun/misc/Unsafe",
                                         "java/lang/VirtualThread",
                                         "java/lang/BaseVirtualThread",
                                         "java/lang/ThreadBuilders$BoundVirtualThread",
                                         "jdk/internal/vm/Continuation",
                                         "jdk/internal/vm/ContinuationScope",
                                         "jdk/internal/vm/ContinuationSupport"};

PublishedToCallbacks<CallHooksState> g_states[kCallHooks];  // by kind

PublishedToCallbacks<CallHooksState>& states(CallHook kind) {
  return g_states[static_cast<size_t>(kind)];
}

bool wants_class(const std::vector<CallTarget>& targets, std::string_view name) {
  if (std::find(std::begin(kLeftOut), std::end(kLeftOut), name) != std::end(kLeftOut)) return false;
  return std::any_of(targets.begin(), targets.end(), [&](const auto& one) { return one.pattern.matches_class(name); });
}

// Whether the class, which wants_class(), has a wanted method. True also for a class that does not tell its methods
// yet.
bool has_wanted_method(jvmtiEnv* jvmti, jclass type, const std::string& name, const std::vector<CallTarget>& targets) {
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) return true;
  JvmtiMemory owned(jvmti, methods);
  std::vector<std::pair<std::string, std::string>> all;  // with descriptors
  for (jint i = 0; i < count; i++) {
    char *method = nullptr, *descriptor = nullptr;
    if (jvmti->GetMethodName(methods[i], &method, &descriptor, nullptr) != JVMTI_ERROR_NONE) return true;
    JvmtiMemory owned_method(jvmti, method), owned_descriptor(jvmti, descriptor);
    all.emplace_back(method, descriptor);
  }
  bool has_invoke_static =
      std::any_of(all.begin(), all.end(), [](const auto& one) { return one.first == "invokeStatic"; });
  return std::any_of(targets.begin(), targets.end(), [&](const CallTarget& target) {
    return target.pattern.matches_class(name) && std::any_of(all.begin(), all.end(), [&](const auto& one) {
             return target.pattern.matches_method(one.first, one.second, has_invoke_static);
           });
  });
}

bytecode::MethodHooks hooks_for(CallHooksState* state, const bytecode::MethodId& method, bool has_invoke_static) {
  bytecode::MethodHooks hooks;
  for (size_t i = 0; i < state->targets.size(); i++) {
    const options::CallPattern& pattern = state->targets[i].pattern;
    if (!method.has_code || !pattern.matches_class(method.class_name) ||
        !pattern.matches_method(method.name, method.descriptor, has_invoke_static))
      continue;
    state->matched[i] = true;
    bool is_entered = state->kind == CallHook::kEnter || state->targets[i].is_only_entered;
    std::optional<uint16_t>& hook = is_entered ? hooks.enter : hooks.time;
    if (!hook) hook = static_cast<uint16_t>(state->session << kTargetBits | i);
  }
  return hooks;
}

bytecode::RewrittenClass rewrite(CallHooksState* state, bytecode::ByteReader bytes) {
  bool has_invoke_static = false;
  bytecode::rewrite_class(bytes, hooks_of(state->kind), [&](const bytecode::MethodId& method) {
    has_invoke_static |= method.name == "invokeStatic";
    return bytecode::MethodHooks{};
  });
  return bytecode::rewrite_class(bytes, hooks_of(state->kind), [&](const bytecode::MethodId& method) {
    return hooks_for(state, method, has_invoke_static);
  });
}

// Returns "com/acme/Shop"; "" for arrays and primitive types.
std::string name_of(jvmtiEnv* jvmti, jclass type) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
  JvmtiMemory owned(jvmti, signature);
  std::string_view text = signature;
  return text.size() < 3 || text[0] != 'L' ? "" : std::string(text.substr(1, text.size() - 2));
}

// Returns no bytes if the class stays as it is.
bytecode::RewrittenClass hooked_class(JNIEnv* env, jobject loader, const std::string& name, bytecode::ByteReader bytes,
                                      CallHooksState* state) {
  bytecode::RewrittenClass result = rewrite(state, bytes);
  for (const std::string& refused : result.refused) {
    size_t colon = refused.find(": ");
    state->refuse(name + "." + refused.substr(0, colon), refused.substr(colon + 2));
  }
  if (result.hooked == 0) return {};
  announce_local_refs(env, state->local_refs);
  if (!finds_hook_class(env, loader)) {
    state->refuse(name, "its class loader does not ask its parent for java.lang");
    return {};
  }
  return result;
}

template <CallHook kKind>
void JNICALL on_class_file(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader, const char* name, jobject,
                           jint size, const unsigned char* bytes, jint* new_size, unsigned char** new_bytes) {
  if (name == nullptr) return;
  Published<CallHooksState>::Entry entry(states(kKind).current());
  CallHooksState* state = entry.sampling();
  if (state == nullptr || !state->hooks || !wants_class(state->targets, name)) return;
  try {
    bytecode::RewrittenClass hooked =
        hooked_class(env, loader, name, bytecode::ByteReader(bytes, static_cast<size_t>(size)), state);
    if (hooked.bytes.empty()) return;
    // From stop() on no class gets hooks: the rewriting and the loader took their time.
    std::lock_guard<std::mutex> lock(state->mutex);
    if (!state->hooks || !give_class_file(jvmti, hooked.bytes, new_size, new_bytes)) return;
    state->hooked[name] = hooked.hooked;
    if (redefined == nullptr) state->to_come.add(env, name, loader);
  } catch (const std::exception& error) {
    state->refuse(name, error.what());
  }
}

// By kind.
constexpr jvmtiEventClassFileLoadHook kClassFileHooks[] = {
    on_class_file<CallHook::kEnter>, on_class_file<CallHook::kLeave>, on_class_file<CallHook::kWait>};
static_assert(std::size(kClassFileHooks) == kCallHooks);

// Retransforms the classes, and one by one those of a group that the JVM refuses. `refused` gets those.
void retransform(jvmtiEnv* jvmti, const jclass* classes, size_t count,
                 const std::function<void(jclass, int)>& refused) {
  if (count == 0) return;
  jvmtiError error = jvmti->RetransformClasses(static_cast<jint>(count), classes);
  if (error == JVMTI_ERROR_NONE) return;
  if (count == 1) return refused(*classes, int{error});
  retransform(jvmti, classes, count / 2, refused);
  retransform(jvmti, classes + count / 2, count - count / 2, refused);
}

// Returns fewer than `count` where the JVM cannot give them.
std::vector<CallCells> read_calls(JavaVM* java_vm, size_t count) {
  JvmAttachment attachment(java_vm, "hearth");
  std::vector<CallCells> all;
  while (attachment.env() != nullptr && all.size() < count) {
    std::optional<CallCells> cells = counted_calls(attachment.env(), all.size());
    if (!cells) break;
    all.push_back(*cells);
  }
  return all;
}

// A JVM that ends makes no collection any more for a thread that needs memory.
std::vector<CallCells> read_calls_at_end(JavaVM* java_vm, size_t count, const std::atomic<bool>& vm_ends) {
  constexpr std::chrono::seconds kPatience(2);
  auto all = std::make_shared<std::vector<CallCells>>();
  BoundedThread thread;
  try {
    thread.start([=] { *all = read_calls(java_vm, count); });
  } catch (const std::system_error&) {
    return {};
  }
  return thread.join(vm_ends, kPatience) ? std::move(*all) : std::vector<CallCells>();
}

}  // namespace

CallHooks::CallHooks(JavaVM* java_vm, const std::atomic<bool>* vm_ends, CallHook kind, std::vector<CallTarget> targets)
    : java_vm_(java_vm), vm_ends_(vm_ends), kind_(kind), state_(std::make_unique<CallHooksState>()) {
  if (targets.size() > kMostTargets)
    throw Error(formatted("{} patterns of calls are too many", targets.size()),
                formatted("name at most {}; * is any text", kMostTargets));
  state_->kind = kind;
  state_->targets = std::move(targets);
}

CallHooks::~CallHooks() {
  stop();
  if (!is_quiescent_) static_cast<void>(state_.release());  // a thread is suspended while it uses the state
}

void CallHooks::retransform_all(JNIEnv* env, const Wanted& wanted) {
  constexpr size_t kAtOnce = 64;
  LoadedClasses loaded(jvmti_.get(), env);
  state_->local_refs = static_cast<jint>(loaded.end() - loaded.begin());
  std::vector<jclass> matching;
  for (jclass type : loaded) {
    std::string name = name_of(jvmti_.get(), type);
    if (name.empty() || !wanted(type, name)) continue;
    jboolean is_modifiable = JNI_FALSE;
    jvmti_->IsModifiableClass(type, &is_modifiable);
    if (is_modifiable == JNI_TRUE) matching.push_back(type);
  }
  auto refused = [&](jclass type, int error) {
    state_->refuse(name_of(jvmti_.get(), type), formatted("the JVM does not change it (JVMTI error {})", error));
  };
  for (size_t at = 0; at < matching.size() && !*vm_ends_; at += kAtOnce)
    retransform(jvmti_.get(), matching.data() + at, std::min(kAtOnce, matching.size() - at), refused);
}

void CallHooks::prepare(JNIEnv* env, CallObserver observer) {
  std::vector<int64_t> shortest;
  for (const CallTarget& target : state_->targets) shortest.push_back(target.shortest_ns);
  if (kind_ == CallHook::kWait) {
    define_wait_hook_class(env);
    const std::vector<CallTarget>& targets = state_->targets;
    auto after = std::find_if(targets.begin(), targets.end(), [](const auto& one) { return one.is_only_entered; });
    return follow_waits(env, state_->session, shortest.front(), static_cast<int>(after - targets.begin()));
  }
  define_hook_class(env);
  if (kind_ == CallHook::kLeave && !count_calls(env, state_->session, shortest))
    throw Error("the JVM has no memory to count calls");
  observe_calls(kind_, state_->session, observer);
}

void CallHooks::start(CallObserver observer) {
  JvmAttachment attachment(java_vm_, "hearth");
  if (attachment.env() == nullptr) throw Error("this JVM accepts no more threads");
  static std::atomic<int> sessions{0};
  state_->session = static_cast<uint16_t>(sessions++ % kSessionsOfHooks);
  prepare(attachment.env(), observer);
  states(kind_).publish(state_.get());
  try {
    jvmti_ = hook_class_files(java_vm_, kClassFileHooks[static_cast<size_t>(kind_)]);
  } catch (...) {
    if (kind_ == CallHook::kWait)
      ignore_waits(attachment.env());
    else
      observe_calls(kind_, -1, nullptr);
    is_quiescent_ = states(kind_).unpublish();
    throw;
  }
  retransform_all(attachment.env(), [this](jclass type, const std::string& name) {
    return wants_class(state_->targets, name) && has_wanted_method(jvmti_.get(), type, name, state_->targets);
  });
}

// The JVM may still define classes that have got hooks, and lists them soon, or never.
void CallHooks::restore_classes(JNIEnv* env) {
  constexpr int kMostIdle = 10;
  constexpr std::chrono::milliseconds kNap(10);
  retransform_all(env, [&](jclass type, const std::string& name) {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->to_come.erase(jvmti_.get(), env, name, type);
    return state_->hooked.count(name) != 0;
  });
  auto has_come = [&](jclass type, const std::string& name) {
    std::lock_guard<std::mutex> lock(state_->mutex);
    return state_->to_come.erase(jvmti_.get(), env, name, type);
  };
  auto left = [&] {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->to_come.erase_unloaded(env);
    return state_->to_come.size();
  };
  size_t before = left();
  for (int idle = 0; before != 0 && idle < kMostIdle && !*vm_ends_;) {
    std::this_thread::sleep_for(kNap);
    retransform_all(env, has_come);
    size_t now = left();
    idle = now < before ? 0 : idle + 1;
    before = now;
  }
  std::lock_guard<std::mutex> lock(state_->mutex);
  state_->to_come.clear(env);
}

void CallHooks::stop() {
  if (!jvmti_) return;
  if (kind_ != CallHook::kWait) observe_calls(kind_, -1, nullptr);
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->hooks = false;
  }
  JvmAttachment attachment(java_vm_, "hearth");
  bool changes_classes = attachment.env() != nullptr && !*vm_ends_;
  if (kind_ == CallHook::kLeave && changes_classes) count_calls(attachment.env(), -1, {});
  std::vector<CallCells> counted = calls();
  if (changes_classes) restore_classes(attachment.env());
  jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  is_quiescent_ = states(kind_).unpublish();
  std::lock_guard<std::mutex> lock(state_->mutex);
  state_->calls = std::move(counted);
  jvmti_.reset();
}

size_t CallHooks::hooked_methods() const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  return std::accumulate(state_->hooked.begin(), state_->hooked.end(), size_t{0},
                         [](size_t sum, const auto& one) { return sum + one.second; });
}

std::vector<CallCells> CallHooks::calls() const {
  if (kind_ != CallHook::kLeave) return {};
  std::unique_lock<std::mutex> lock(state_->mutex);
  if (state_->calls) return *state_->calls;
  lock.unlock();
  size_t count = state_->targets.size();
  return *vm_ends_ ? read_calls_at_end(java_vm_, count, *vm_ends_) : read_calls(java_vm_, count);
}

std::vector<size_t> CallHooks::unmatched() const {
  std::vector<size_t> indices;
  for (size_t i = 0; i < state_->targets.size(); i++)
    if (!state_->matched[i]) indices.push_back(i);
  return indices;
}

std::string CallHooks::trouble() const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->refused.empty()) return "";
  const auto& [name, reason] = *state_->refused.begin();
  std::string first = name;
  std::replace(first.begin(), first.begin() + static_cast<ptrdiff_t>(std::min(first.find('('), first.size())), '/',
               '.');
  return formatted("{} methods or classes have no hooks, as {}: {}", state_->refused.size(), first, reason);
}

}  // namespace hearth::events
