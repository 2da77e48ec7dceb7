#include "holders/holder_search.h"

#include <new>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "holders/root_walk.h"

namespace hearth::holders {
namespace {

using Clock = HeapSearch::Clock;

// Classes of the program first: a path from one of its fields is more useful than one from the JDK's.
std::vector<jclass> in_order(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded) {
  std::vector<jclass> classes, of_jdk;
  for (jclass one : loaded) {
    jobject loader = nullptr;
    jvmti->GetClassLoader(one, &loader);
    (loader == nullptr ? of_jdk : classes).push_back(one);
    env->DeleteLocalRef(loader);
  }
  classes.insert(classes.end(), of_jdk.begin(), of_jdk.end());
  return classes;
}

std::set<std::string> classes_of(jvmtiEnv* jvmti, JNIEnv* env, const std::vector<Target>& targets) {
  std::set<std::string> signatures;
  for (const Target& target : targets) {
    LocalRef its_class(env, env->GetObjectClass(target.reference));
    char* signature = nullptr;
    if (jvmti->GetClassSignature(static_cast<jclass>(its_class.get()), &signature, nullptr) != JVMTI_ERROR_NONE)
      continue;
    JvmtiMemory owned(jvmti, signature);
    signatures.insert(signature);
  }
  return signatures;
}

class Searcher {
 public:
  Searcher(jvmtiEnv* jvmti, JNIEnv* env, const std::vector<Target>& targets, const Bounds& bounds,
           const std::function<bool()>& stops, SearchResult* result)
      : jvmti_(jvmti),
        env_(env),
        targets_(targets),
        bounds_(bounds),
        stops_(stops),
        fields_(jvmti, env, classes_of(jvmti, env, targets)),
        search_(jvmti, env, &fields_, targets),
        result_(result) {}

  // From static fields, threads and class loaders; then, for objects that these do not hold, from JNI and the stacks.
  void run() {
    search_java_roots();
    search_.clear();
    if (end_ != HeapSearch::End::kFound && end_ != HeapSearch::End::kStopped) search_other_roots();
    search_.clear();
    finish();
  }

  // Also after an exception.
  void finish() {
    std::vector<HolderPath> paths = search_.paths();
    for (size_t i = 0; i < paths.size(); ++i) {
      if (paths[i].empty()) continue;
      LocalRef its_class(env_, env_->GetObjectClass(targets_[i].reference));
      paths[i].push_back(fields_.name_of(static_cast<jclass>(its_class.get())));
      result_->paths[i] = folded(paths[i]);
    }
    result_->objects = search_.objects();
    result_->time = Clock::now() - began_;
    if (search_.left_out() > 0)
      result_->notes.push_back(
          formatted("{:L} references were not followed, as too many were open at a time", search_.left_out()));
  }

 private:
  // The last quarter of both bounds is for the other roots.
  HeapSearch::Until until(double share) const {
    auto time = std::chrono::duration_cast<Clock::duration>(share * bounds_.time);
    return {static_cast<size_t>(share * static_cast<double>(bounds_.objects)), began_ + time, stops_};
  }

  void search_java_roots() {
    constexpr double kShare = 0.75;
    LoadedClasses loaded(jvmti_, env_);
    search_.add_classes(in_order(jvmti_, env_, loaded));
    add_threads();
    add_loaders(loaded);
    end_ = search_.run(until(kShare));
    note_end();
    search_.clear();
  }

  void search_other_roots() {
    Roots roots = list_roots(jvmti_, env_, targets_);
    result_->pause = roots.pause;
    for (const auto& [target, name] : roots.targets) search_.found_at_root(target, name);
    for (const Roots::Root& root : roots.roots) {
      search_.add_root(root.reference, root.name);
      env_->DeleteLocalRef(root.reference);
    }
    if (roots.is_cut)
      result_->notes.push_back(
          "not all stacks and references of JNI were looked at: the JVM would have paused too long");
    end_ = search_.run(until(1));
    note_end();
  }

  void add_threads() {
    jint count = 0;
    jthread* threads = nullptr;
    if (jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
    JvmtiMemory memory(jvmti_, threads);
    announce_local_refs(env_, count);
    for (jint i = 0; i < count; ++i) {
      search_.add_root(threads[i], "thread " + thread_name(jvmti_, env_, threads[i]));
      env_->DeleteLocalRef(threads[i]);
    }
  }

  void add_loaders(const LoadedClasses& loaded) {
    std::set<jint> known;
    for (jclass one : loaded) {
      jobject loader = nullptr;
      if (jvmti_->GetClassLoader(one, &loader) != JVMTI_ERROR_NONE || loader == nullptr) continue;
      LocalRef owned(env_, loader);
      jint hash = 0;
      jvmti_->GetObjectHashCode(loader, &hash);
      if (!known.insert(hash).second) continue;
      LocalRef its_class(env_, env_->GetObjectClass(loader));
      search_.add_root(loader, "class loader " + fields_.name_of(static_cast<jclass>(its_class.get())));
    }
  }

  void note_end() {
    if (end_ == HeapSearch::End::kObjects)
      result_->notes.push_back(formatted("the search ended after {:L} objects", search_.objects()));
    if (end_ == HeapSearch::End::kTime)
      result_->notes.push_back(
          formatted("the search ended after {:L} objects, as it took too long", search_.objects()));
    if (end_ == HeapSearch::End::kStopped) result_->notes.push_back("the search was stopped");
  }

  jvmtiEnv* jvmti_;
  JNIEnv* env_;
  const std::vector<Target>& targets_;
  const Bounds bounds_;
  const std::function<bool()>& stops_;
  const Clock::time_point began_ = Clock::now();
  ClassFields fields_;
  HeapSearch search_;
  HeapSearch::End end_ = HeapSearch::End::kThrough;
  SearchResult* result_;
};

}  // namespace

SearchResult find_holders(JavaVM* java_vm, JNIEnv* env, const std::vector<Target>& targets, const Bounds& bounds,
                          const std::function<bool()>& stops) {
  SearchResult result;
  result.paths.resize(targets.size());
  if (targets.empty()) return result;
  // Of its own: tags of other agents stay, and its end drops these.
  JvmtiEnvironment jvmti(java_vm, JVMTI_VERSION_11);
  jvmtiCapabilities wanted{};
  wanted.can_tag_objects = 1;
  if (!jvmti || jvmti->AddCapabilities(&wanted) != JVMTI_ERROR_NONE)
    throw Error("this JVM does not let its heap be searched", "use JDK 11 or newer");
  // Its end frees all local references of the search, also after an exception.
  constexpr jint kBesides = 64;
  if (env->PushLocalFrame(static_cast<jint>(Frontier::kMost) + kBesides) != 0) {
    env->ExceptionClear();
    throw Error("the JVM has no memory for a search of its heap");
  }
  std::optional<Searcher> searcher;
  try {
    searcher.emplace(jvmti.get(), env, targets, bounds, stops, &result);
    searcher->run();
  } catch (const std::bad_alloc&) {
    result.notes.push_back("the search ended, as the process has no more memory");
    if (searcher) searcher->finish();
  }
  searcher.reset();
  env->PopLocalFrame(nullptr);
  return result;
}

}  // namespace hearth::holders
