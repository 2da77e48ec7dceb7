#include "holders/root_walk.h"

#include <algorithm>
#include <thread>

#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "holders/holder_path.h"

namespace hearth::holders {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostRoots = 8192;
constexpr std::chrono::milliseconds kLongest(8);

// Tags: targets and threads have the numbers of their lists from here on.
constexpr jlong kTargetTag = 1, kThreadTag = jlong{1} << 20, kRootTag = jlong{1} << 40;

struct Note {
  jvmtiHeapReferenceKind kind;
  jlong thread_tag;
  jmethodID method;
};

// Memory of the callback, which runs at a safepoint and allocates none.
struct Walk {
  std::vector<Note> roots;
  std::vector<Note> targets;  // by number; a kind of 0: no root holds it
  jlong own_thread_tag = 0;
  Clock::time_point begin{}, last{};
  bool is_cut = false;
};

bool is_late(Walk* walk) {
  walk->last = Clock::now();
  if (walk->begin == Clock::time_point()) walk->begin = walk->last;
  walk->is_cut = walk->last - walk->begin > kLongest;
  return walk->is_cut;
}

void note(const Note& root, jlong* tag, Walk* walk) {
  if (*tag >= kTargetTag && *tag < kThreadTag) {
    Note& known = walk->targets[static_cast<size_t>(*tag - kTargetTag)];
    if (known.kind == jvmtiHeapReferenceKind{}) known = root;
  } else if (*tag == 0 && walk->roots.size() < kMostRoots) {
    *tag = kRootTag + static_cast<jlong>(walk->roots.size());
    walk->roots.push_back(root);
  } else if (*tag == 0) {
    walk->is_cut = true;
  }
}

// HotSpot lists threads and their stacks, then references of JNI, then its own classes, where the walk ends. In JDK 11
// a walk beyond the roots unmarks all objects of the heap at its end.
jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo* info, jlong, jlong, jlong,
                          jlong* tag, jlong*, jint, void* data) {
  constexpr jint kDoNotFollow = 0;
  auto* walk = static_cast<Walk*>(data);
  if (is_late(walk)) return JVMTI_VISIT_ABORT;
  Note root = {kind, 0, nullptr};
  switch (kind) {
    case JVMTI_HEAP_REFERENCE_THREAD:
      return kDoNotFollow;
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
      root = {kind, info->stack_local.thread_tag, info->stack_local.method};
      break;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
      root = {kind, info->jni_local.thread_tag, info->jni_local.method};
      break;
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL:
    case JVMTI_HEAP_REFERENCE_MONITOR:
      break;
    default:
      return JVMTI_VISIT_ABORT;
  }
  bool is_own = root.thread_tag != 0 && root.thread_tag == walk->own_thread_tag;
  if (!is_own) note(root, tag, walk);
  return kDoNotFollow;
}

class RootWalk {
 public:
  RootWalk(jvmtiEnv* jvmti, JNIEnv* env) : jvmti_(jvmti), env_(env) {}

  Roots list(const std::vector<Target>& targets) {
    walk_.roots.reserve(kMostRoots);
    walk_.targets.resize(targets.size());
    for (size_t i = 0; i < targets.size(); ++i)
      jvmti_->SetTag(targets[i].reference, kTargetTag + static_cast<jlong>(i));
    tag_threads();
    jvmtiHeapCallbacks callbacks{};
    callbacks.heap_reference_callback = on_reference;
    Roots roots;
    // The JVM may have been without a processor for a while.
    constexpr int kAttempts = 3;
    constexpr std::chrono::milliseconds kBetween(100);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(kBetween);
      walk_.begin = walk_.last = {};
      walk_.is_cut = false;
      bool is_listed = jvmti_->FollowReferences(0, nullptr, nullptr, &callbacks, &walk_) == JVMTI_ERROR_NONE;
      roots.is_cut = walk_.is_cut || !is_listed;
      roots.pause = std::max<std::chrono::nanoseconds>(roots.pause, walk_.last - walk_.begin);
      if (!roots.is_cut || walk_.roots.size() == kMostRoots) break;
    }
    for (size_t i = 0; i < targets.size(); ++i)
      if (walk_.targets[i].kind != jvmtiHeapReferenceKind{}) roots.targets.emplace_back(i, name_of(walk_.targets[i]));
    take(&roots);
    return roots;
  }

 private:
  void tag_threads() {
    jthread own = nullptr;
    jvmti_->GetCurrentThread(&own);
    LocalRef owned(env_, own);
    jint count = 0;
    jthread* threads = nullptr;
    if (jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
    JvmtiMemory memory(jvmti_, threads);
    announce_local_refs(env_, count);
    for (jint i = 0; i < count; ++i) {
      jlong tag = kThreadTag + i;
      if (env_->IsSameObject(threads[i], own) == JNI_TRUE) walk_.own_thread_tag = tag;
      jvmti_->SetTag(threads[i], tag);
      names_.push_back(thread_name(jvmti_, env_, threads[i]));
      env_->DeleteLocalRef(threads[i]);
    }
  }

  std::string method_name(jmethodID method) const {
    if (method == nullptr) return "";
    char* name = nullptr;
    jclass holder = nullptr;
    if (jvmti_->GetMethodName(method, &name, nullptr, nullptr) != JVMTI_ERROR_NONE) return "";
    JvmtiMemory owned_name(jvmti_, name);
    if (jvmti_->GetMethodDeclaringClass(method, &holder) != JVMTI_ERROR_NONE) return "";
    LocalRef owned_holder(env_, holder);
    char* signature = nullptr;
    if (jvmti_->GetClassSignature(holder, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
    JvmtiMemory owned_signature(jvmti_, signature);
    return class_name_of(signature) + "." + name;
  }

  std::string name_of(const Note& root) const {
    if (root.kind == JVMTI_HEAP_REFERENCE_JNI_GLOBAL) return "JNI global reference";
    if (root.kind == JVMTI_HEAP_REFERENCE_MONITOR) return "locked monitor";
    auto thread = static_cast<size_t>(root.thread_tag - kThreadTag);
    std::string name = formatted("{} of thread {}", root.kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL ? "JNI local" : "local",
                                 thread < names_.size() ? names_[thread] : "?");
    std::string method = method_name(root.method);
    return method.empty() ? name : name + " in " + method;
  }

  // In small parts: the JVM compares each tag with all of the environment's, and no safepoint can begin meanwhile.
  void take(Roots* roots) {
    constexpr size_t kPart = 64;
    std::vector<jlong> tags;
    for (size_t begin = 0; begin < walk_.roots.size(); begin += kPart) {
      tags.clear();
      for (size_t i = begin; i < std::min(begin + kPart, walk_.roots.size()); ++i)
        tags.push_back(kRootTag + static_cast<jlong>(i));
      take(tags, roots);
    }
  }

  void take(const std::vector<jlong>& tags, Roots* roots) {
    jint count = 0;
    jobject* objects = nullptr;
    jlong* found = nullptr;
    if (jvmti_->GetObjectsWithTags(static_cast<jint>(tags.size()), tags.data(), &count, &objects, &found) !=
        JVMTI_ERROR_NONE)
      return;
    JvmtiMemory owned_objects(jvmti_, objects), owned_found(jvmti_, found);
    for (jint i = 0; i < count; ++i)
      roots->roots.push_back({objects[i], name_of(walk_.roots[static_cast<size_t>(found[i] - kRootTag)])});
  }

  jvmtiEnv* jvmti_;
  JNIEnv* env_;
  Walk walk_;
  std::vector<std::string> names_;  // of threads, by tag
};

}  // namespace

std::string thread_name(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
  jvmtiThreadInfo info{};
  if (jvmti->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return "?";
  JvmtiMemory name(jvmti, info.name);
  env->DeleteLocalRef(info.thread_group);
  env->DeleteLocalRef(info.context_class_loader);
  return info.name == nullptr ? "?" : info.name;
}

Roots list_roots(jvmtiEnv* jvmti, JNIEnv* env, const std::vector<Target>& targets) {
  return RootWalk(jvmti, env).list(targets);
}

}  // namespace hearth::holders
