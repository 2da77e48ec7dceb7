#include "events/calls/call_hooks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "bytecode/class_rewriter.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {

struct CallHooksState {
  uint64_t number = 0;   // as Published needs
  uint16_t session = 0;  // in the upper bits of its hooks' numbers
  CallHook kind{};
  std::vector<CallTarget> targets;
  std::atomic<bool> hooks{true};  // false: classes get their own code back
  std::atomic<bool> matched[CallHooks::kMostTargets] = {};
  std::atomic<jint> local_refs{0};  // of the thread that retransforms, whose callbacks see them as well
  std::mutex mutex;
  // All below are under the mutex, and have the names of classes or methods.
  std::set<std::string> loaded_later;          // with hooks
  std::map<std::string, size_t> hooked;        // methods
  std::map<std::string, std::string> refused;  // with the reason
  std::vector<CallCells> calls;                // after stop()

  void refuse(const std::string& name, const std::string& reason) {
    std::lock_guard<std::mutex> lock(mutex);
    refused.try_emplace(name, reason);
  }
};

namespace {

static_assert(CallHooks::kMostTargets == 1 << kTargetBits);

const bytecode::HookClass kHooks = {kHookClass, "enter", "begin", "leave"};

// Classes that the hooks use, and the JVM where no hook may run: while a thread changes to or from a virtual one.
constexpr std::string_view kLeftOut[] = {kHookClass,
                                         "java/util/concurrent/atomic/AtomicLong",
                                         "jdk/internal/misc/Unsafe",
                                         "sun/misc/Unsafe",
                                         "java/lang/VirtualThread",
                                         "java/lang/BaseVirtualThread",
                                         "java/lang/ThreadBuilders$BoundVirtualThread",
                                         "jdk/internal/vm/Continuation",
                                         "jdk/internal/vm/ContinuationScope",
                                         "jdk/internal/vm/ContinuationSupport"};

PublishedToCallbacks<CallHooksState> g_states[2];  // by kind

PublishedToCallbacks<CallHooksState>& states(CallHook kind) {
  return g_states[static_cast<size_t>(kind)];
}

bool wants_class(const std::vector<CallTarget>& targets, std::string_view name) {
  if (std::find(std::begin(kLeftOut), std::end(kLeftOut), name) != std::end(kLeftOut)) return false;
  return std::any_of(targets.begin(), targets.end(), [&](const auto& one) { return one.pattern.matches_class(name); });
}

bytecode::MethodHooks hooks_for(CallHooksState* state, const bytecode::MethodId& method, bool has_invoke_static) {
  bytecode::MethodHooks hooks;
  std::optional<uint16_t>& hook = state->kind == CallHook::kLeave ? hooks.time : hooks.enter;
  for (size_t i = 0; i < state->targets.size(); i++) {
    const options::CallPattern& pattern = state->targets[i].pattern;
    if (!method.has_code || !pattern.matches_class(method.class_name) ||
        !pattern.matches_method(method.name, method.descriptor, has_invoke_static))
      continue;
    state->matched[i] = true;
    if (!hook) hook = static_cast<uint16_t>(state->session << kTargetBits | i);
  }
  return hooks;
}

bytecode::RewrittenClass rewrite(CallHooksState* state, bytecode::ByteReader bytes) {
  bool has_invoke_static = false;
  bytecode::rewrite_class(bytes, kHooks, [&](const bytecode::MethodId& method) {
    has_invoke_static |= method.name == "invokeStatic";
    return bytecode::MethodHooks{};
  });
  return bytecode::rewrite_class(
      bytes, kHooks, [&](const bytecode::MethodId& method) { return hooks_for(state, method, has_invoke_static); });
}

// Returns "com/acme/Shop"; "" for arrays and primitive types.
std::string name_of(jvmtiEnv* jvmti, jclass type) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
  JvmtiMemory owned(jvmti, signature);
  std::string_view text = signature;
  return text.size() < 3 || text[0] != 'L' ? "" : std::string(text.substr(1, text.size() - 2));
}

// Returns nothing if the class stays as it is.
bytecode::Bytes hooked_class(JNIEnv* env, jobject loader, const std::string& name, bytecode::ByteReader bytes,
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
  std::lock_guard<std::mutex> lock(state->mutex);
  state->hooked[name] = result.hooked;
  return std::move(result.bytes);
}

template <CallHook kKind>
void JNICALL on_class_file(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader, const char* name, jobject,
                           jint size, const unsigned char* bytes, jint* new_size, unsigned char** new_bytes) {
  if (name == nullptr) return;
  Published<CallHooksState>::Entry entry(states(kKind).current());
  CallHooksState* state = entry.sampling();
  if (state == nullptr || !state->hooks || !wants_class(state->targets, name)) return;
  try {
    bytecode::Bytes hooked =
        hooked_class(env, loader, name, bytecode::ByteReader(bytes, static_cast<size_t>(size)), state);
    if (hooked.empty() || jvmti->Allocate(static_cast<jlong>(hooked.size()), new_bytes) != JVMTI_ERROR_NONE) return;
    std::memcpy(*new_bytes, hooked.data(), hooked.size());
    *new_size = static_cast<jint>(hooked.size());
    if (redefined != nullptr) return;
    std::lock_guard<std::mutex> lock(state->mutex);
    state->loaded_later.insert(name);
  } catch (const std::exception& error) {
    state->refuse(name, error.what());
  }
}

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

}  // namespace

CallHooks::CallHooks(JavaVM* java_vm, CallHook kind, std::vector<CallTarget> targets)
    : java_vm_(java_vm), kind_(kind), state_(std::make_unique<CallHooksState>()) {
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

void CallHooks::open() {
  jvmti_ = JvmtiEnvironment(java_vm_, JVMTI_VERSION_1_2);
  if (!jvmti_) throw Error("this JVM accepts no further JVMTI environment", "restart the JVM");
  jvmtiCapabilities wanted{};
  wanted.can_retransform_classes = 1;
  jvmtiError error = jvmti_->AddCapabilities(&wanted);
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook =
      kind_ == CallHook::kEnter ? on_class_file<CallHook::kEnter> : on_class_file<CallHook::kLeave>;
  if (error == JVMTI_ERROR_NONE) error = jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks);
  if (error == JVMTI_ERROR_NONE)
    error = jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  if (error == JVMTI_ERROR_NONE) return;
  jvmti_.reset();
  throw Error(formatted("this JVM does not let classes be changed (JVMTI error {})", int{error}));
}

void CallHooks::retransform_matching(JNIEnv* env) {
  constexpr size_t kAtOnce = 64;
  LoadedClasses loaded(jvmti_.get(), env);
  state_->local_refs = static_cast<jint>(loaded.end() - loaded.begin());
  std::vector<jclass> matching;
  for (jclass type : loaded) {
    std::string name = name_of(jvmti_.get(), type);
    if (name.empty() || !wants_class(state_->targets, name)) continue;
    jboolean is_modifiable = JNI_FALSE;
    jvmti_->IsModifiableClass(type, &is_modifiable);
    if (is_modifiable == JNI_FALSE) continue;
    matching.push_back(type);
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->loaded_later.erase(name);
  }
  auto refused = [&](jclass type, int error) {
    state_->refuse(name_of(jvmti_.get(), type), formatted("the JVM does not change it (JVMTI error {})", error));
  };
  for (size_t at = 0; at < matching.size(); at += kAtOnce)
    retransform(jvmti_.get(), matching.data() + at, std::min(kAtOnce, matching.size() - at), refused);
}

void CallHooks::start(CallObserver observer) {
  JvmAttachment attachment(java_vm_, "hearth");
  if (attachment.env() == nullptr) throw Error("this JVM accepts no more threads");
  define_hook_class(attachment.env());
  static std::atomic<int> sessions{0};
  state_->session = static_cast<uint16_t>(sessions++ % kSessionsOfHooks);
  std::vector<int64_t> shortest;
  for (const CallTarget& target : state_->targets) shortest.push_back(target.shortest_ns);
  if (kind_ == CallHook::kLeave && !count_calls(attachment.env(), state_->session, shortest))
    throw Error("the JVM has no memory to count calls");
  observe_calls(kind_, state_->session, observer);
  states(kind_).publish(state_.get());
  try {
    open();
  } catch (...) {
    observe_calls(kind_, -1, nullptr);
    is_quiescent_ = states(kind_).unpublish();
    throw;
  }
  retransform_matching(attachment.env());
}

// A class may be between its callback and the list of loaded ones.
void CallHooks::stop() {
  if (!jvmti_) return;
  JvmAttachment attachment(java_vm_, "hearth");
  observe_calls(kind_, -1, nullptr);
  if (kind_ == CallHook::kLeave && attachment.env() != nullptr) count_calls(attachment.env(), -1, {});
  std::vector<CallCells> counted = calls();
  state_->hooks = false;
  constexpr int kTries = 20;
  for (int left = kTries; attachment.env() != nullptr && left > 0; left--) {
    retransform_matching(attachment.env());
    std::unique_lock<std::mutex> lock(state_->mutex);
    if (state_->loaded_later.empty()) break;
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
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
  if (!state_->calls.empty()) return state_->calls;
  lock.unlock();
  JvmAttachment attachment(java_vm_, "hearth");
  std::vector<CallCells> all;
  for (size_t i = 0; attachment.env() != nullptr && i < state_->targets.size(); i++)
    if (std::optional<CallCells> cells = counted_calls(attachment.env(), i)) all.push_back(*cells);
  return all;
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
