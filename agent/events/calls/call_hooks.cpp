#include "events/calls/call_hooks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "binder_class.h"
#include "bytecode/class_rewriter.h"
#include "events/jdk_binder.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {

struct CallHooksState {
  uint64_t number = 0;  // as Published needs
  std::vector<CallTarget> targets;
  std::atomic<bool> hooks{true};  // false: classes get their own code back
  std::atomic<size_t> methods{0};
  std::atomic<jint> local_refs{0};  // of the thread that retransforms, whose callbacks see them as well
  std::mutex mutex;
  std::set<std::string> loaded_later;  // names of classes with hooks; under the mutex
  std::string first_refusal;           // likewise
  size_t refused = 0;                  // likewise

  void refuse(const std::string& reason, size_t count = 1) {
    std::lock_guard<std::mutex> lock(mutex);
    if (refused == 0) first_refusal = reason;
    refused += count;
  }
};

namespace {

constexpr const char* kHookClass = "java/lang/HearthCalls";
const bytecode::HookClass kHooks = {kHookClass, "enter", "begin", "leave"};

// Classes that the hooks or the JVM use where no hook may run: while a thread changes to or from a virtual one.
constexpr std::string_view kLeftOut[] = {"java/lang/HearthCalls",
                                         "java/lang/VirtualThread",
                                         "java/lang/BaseVirtualThread",
                                         "java/lang/ThreadBuilders$BoundVirtualThread",
                                         "jdk/internal/vm/Continuation",
                                         "jdk/internal/vm/ContinuationScope",
                                         "jdk/internal/vm/ContinuationSupport"};

std::atomic<CallObserver> g_observer{nullptr};
jclass g_hooks = nullptr;  // global
thread_local bool t_loads_hooks = false;

void observe(JNIEnv* env, const Call& call) {
  if (CallObserver observer = g_observer.load(std::memory_order_acquire)) observer(env, call);
}
void JNICALL on_entered(JNIEnv* env, jclass, jint target) {
  observe(env, {target, 0});
}
void JNICALL on_left(JNIEnv* env, jclass, jlong took, jint target) {
  observe(env, {target, took});
}

jclass g_unbound = nullptr;  // global: callbacks have local references of their own

void bind_natives(JNIEnv* env) {
  JNINativeMethod natives[] = {
      {const_cast<char*>("entered"), const_cast<char*>("(I)V"), reinterpret_cast<void*>(&on_entered)},
      {const_cast<char*>("left"), const_cast<char*>("(JI)V"), reinterpret_cast<void*>(&on_left)}};
  if (env->RegisterNatives(g_unbound, natives, 2) != JNI_OK) return;
  // Initializes the class: a hook must not have to.
  if (env->GetStaticMethodID(g_unbound, "begin", "()J") == nullptr) return;
  g_hooks = g_unbound;
}

// Defines the class with the hooks once in a process.
void define_hooks(JNIEnv* env) {
  if (g_hooks != nullptr) return;
  if (g_unbound == nullptr) {
    LocalRef made(env, env->DefineClass(kHookClass, nullptr, java::calls_class(), java::calls_class_size()));
    env->ExceptionClear();
    g_unbound = static_cast<jclass>(env->NewGlobalRef(made.get()));
  }
  if (g_unbound != nullptr) run_as_jdk(env, bind_natives);
  if (g_hooks == nullptr) throw Error("this JVM does not let hooks be defined in java.lang");
}

void set_shortest(JNIEnv* env, const std::vector<CallTarget>& targets) {
  jmethodID report = env->GetStaticMethodID(g_hooks, "report", "(IJ)V");
  for (size_t i = 0; report != nullptr && i < targets.size(); i++)
    env->CallStaticVoidMethod(g_hooks, report, static_cast<jint>(i), jlong{targets[i].shortest_ns});
  env->ExceptionClear();
}

// True if classes of the loader call our hooks. Finds them by it before the first hook runs: a hook in the loader's own
// code would search for its class without end.
bool finds_hooks(JNIEnv* env, jobject loader) {
  if (loader == nullptr) return true;
  if (t_loads_hooks) return false;
  t_loads_hooks = true;
  LocalRef type(env, env->FindClass("java/lang/Class"));
  LocalRef name(env, env->NewStringUTF("java.lang.HearthCalls"));
  jmethodID for_name = type.get() == nullptr
                           ? nullptr
                           : env->GetStaticMethodID(static_cast<jclass>(type.get()), "forName",
                                                    "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  LocalRef found(
      env, for_name == nullptr || name.get() == nullptr
               ? nullptr
               : env->CallStaticObjectMethod(static_cast<jclass>(type.get()), for_name, name.get(), JNI_FALSE, loader));
  env->ExceptionClear();
  t_loads_hooks = false;
  return found.get() != nullptr && env->IsSameObject(found.get(), g_hooks) == JNI_TRUE;
}

bool wants_class(const std::vector<CallTarget>& targets, std::string_view name) {
  if (std::find(std::begin(kLeftOut), std::end(kLeftOut), name) != std::end(kLeftOut)) return false;
  return std::any_of(targets.begin(), targets.end(), [&](const auto& one) { return one.pattern.matches_class(name); });
}

bytecode::MethodHooks hooks_for(const std::vector<CallTarget>& targets, const bytecode::MethodId& method,
                                bool has_invoke_static) {
  bytecode::MethodHooks hooks;
  for (size_t i = 0; i < targets.size(); i++) {
    const CallTarget& target = targets[i];
    std::optional<uint16_t>& hook = target.has_time ? hooks.time : hooks.enter;
    if (!hook && target.pattern.matches_class(method.class_name) &&
        target.pattern.matches_method(method.name, method.descriptor, has_invoke_static))
      hook = static_cast<uint16_t>(i);
  }
  return hooks;
}

bytecode::RewrittenClass rewrite(const std::vector<CallTarget>& targets, bytecode::ByteReader bytes) {
  bool has_invoke_static = false;
  bytecode::rewrite_class(bytes, kHooks, [&](const bytecode::MethodId& method) {
    has_invoke_static |= method.name == "invokeStatic";
    return bytecode::MethodHooks{};
  });
  return bytecode::rewrite_class(
      bytes, kHooks, [&](const bytecode::MethodId& method) { return hooks_for(targets, method, has_invoke_static); });
}

// Returns "com/acme/Shop"; "" for arrays and primitive types.
std::string name_of(jvmtiEnv* jvmti, jclass type) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
  JvmtiMemory owned(jvmti, signature);
  std::string_view text = signature;
  return text.size() < 3 || text[0] != 'L' ? "" : std::string(text.substr(1, text.size() - 2));
}

PublishedToCallbacks<CallHooksState> g_states;

// Returns nothing if the class stays as it is.
bytecode::Bytes hooked_class(JNIEnv* env, jobject loader, const std::string& name, bytecode::ByteReader bytes,
                             CallHooksState* state) {
  bytecode::RewrittenClass result = rewrite(state->targets, bytes);
  if (!result.refused.empty()) state->refuse(name + "." + result.refused.front(), result.refused.size());
  if (result.hooked == 0) return {};
  announce_local_refs(env, state->local_refs);
  if (!finds_hooks(env, loader)) {
    state->refuse(name + ": its class loader does not ask its parent for java.lang", result.hooked);
    return {};
  }
  state->methods += result.hooked;
  return std::move(result.bytes);
}

void JNICALL on_class_file(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader, const char* name, jobject,
                           jint size, const unsigned char* bytes, jint* new_size, unsigned char** new_bytes) {
  if (name == nullptr) return;
  Published<CallHooksState>::Entry entry(g_states.current());
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
    state->refuse(formatted("{}: {}", name, error.what()));
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

CallHooks::CallHooks(JavaVM* java_vm, std::vector<CallTarget> targets)
    : java_vm_(java_vm), state_(std::make_unique<CallHooksState>()) {
  if (targets.size() > kMostTargets)
    throw Error(formatted("{} patterns of calls are too many", targets.size()),
                formatted("name at most {}; * stands for any text", kMostTargets));
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
  callbacks.ClassFileLoadHook = on_class_file;
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
    state_->refuse(formatted("{}: the JVM does not change it (JVMTI error {})", name_of(jvmti_.get(), type), error));
  };
  for (size_t at = 0; at < matching.size(); at += kAtOnce)
    retransform(jvmti_.get(), matching.data() + at, std::min(kAtOnce, matching.size() - at), refused);
}

void CallHooks::start(CallObserver observer) {
  JvmAttachment attachment(java_vm_, "hearth");
  if (attachment.env() == nullptr) throw Error("this JVM accepts no more threads");
  define_hooks(attachment.env());
  set_shortest(attachment.env(), state_->targets);
  g_observer.store(observer, std::memory_order_release);
  g_states.publish(state_.get());
  try {
    open();
  } catch (...) {
    g_observer.store(nullptr, std::memory_order_release);
    is_quiescent_ = g_states.unpublish();
    throw;
  }
  retransform_matching(attachment.env());
}

// A class may be between its callback and the list of loaded ones.
void CallHooks::stop() {
  if (!jvmti_) return;
  JvmAttachment attachment(java_vm_, "hearth");
  g_observer.store(nullptr, std::memory_order_release);
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
  is_quiescent_ = g_states.unpublish();
  jvmti_.reset();
}

size_t CallHooks::hooked_methods() const {
  return state_->methods;
}

std::string CallHooks::trouble() const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->refused == 0) return "";
  return formatted("{} methods or classes could not be hooked, as {}", state_->refused, state_->first_refusal);
}

}  // namespace hearth::events
