#include "holders/heap_search.h"

#include <algorithm>
#include <thread>

#include "base/jvm_refs.h"

namespace hearth::holders {
namespace {

constexpr size_t kEnough = 3;  // objects of a group

// Works for a while, then sleeps as long.
class Pace {
 public:
  // True each time it has slept.
  bool step() {
    constexpr int kSteps = 64;
    constexpr std::chrono::milliseconds kSlice(5), kLongest(50);
    if (++steps_ % kSteps != 0) return false;
    auto worked = HeapSearch::Clock::now() - begin_;
    if (worked < kSlice) return false;
    std::this_thread::sleep_for(std::min<HeapSearch::Clock::duration>(worked, kLongest));
    begin_ = HeapSearch::Clock::now();
    return true;
  }

 private:
  unsigned steps_ = 0;
  HeapSearch::Clock::time_point begin_ = HeapSearch::Clock::now();
};

}  // namespace

HeapSearch::HeapSearch(jvmtiEnv* jvmti, JNIEnv* env, ClassFields* fields, const std::vector<Target>& targets)
    : jvmti_(jvmti), env_(env), fields_(fields), targets_(targets), places_(targets.size()) {
  for (size_t i = 0; i < targets.size(); ++i) {
    groups_.resize(std::max(groups_.size(), targets[i].group + 1));
    groups_[targets[i].group].targets++;
    jint hash = 0;
    if (jvmti->GetObjectHashCode(targets[i].reference, &hash) == JVMTI_ERROR_NONE)
      by_hash_.emplace(static_cast<uint32_t>(hash), i);
  }
  for (const Group& group : groups_) groups_left_ += group.targets > 0 ? 1 : 0;
}

void HeapSearch::find(size_t target, uint32_t parent, uint32_t step) {
  Place& place = places_[target];
  if (place.is_found) return;
  place = {parent, step, true};
  Group& group = groups_[targets_[target].group];
  if (++group.found == std::min<size_t>(kEnough, group.targets)) groups_left_--;
}

void HeapSearch::found_at_root(size_t target, const std::string& root) {
  find(target, SearchTree::kNone, fields_->add_step(root));
}

void HeapSearch::add_root(jobject object, const std::string& root) {
  if (jobject reference = env_->NewLocalRef(object); reference != nullptr)
    meet(reference, SearchTree::kNone, fields_->add_step(root));
}

void HeapSearch::test(jobject child, uint32_t hash, uint32_t parent, uint32_t step) {
  auto [begin, end] = by_hash_.equal_range(hash);
  for (auto one = begin; one != end; ++one)
    if (env_->IsSameObject(child, targets_[one->second].reference) == JNI_TRUE) find(one->second, parent, step);
}

// Takes the reference to the child.
void HeapSearch::meet(jobject child, uint32_t parent, uint32_t step) {
  if (!keep(child, parent, step)) env_->DeleteLocalRef(child);
}

// True: the frontier has the reference.
bool HeapSearch::keep(jobject child, uint32_t parent, uint32_t step) {
  LocalRef its_class(env_, env_->GetObjectClass(child));
  const ClassInfo& info = fields_->of(static_cast<jclass>(its_class.get()));
  bool is_leaf = info.kind == ClassInfo::Kind::kLeaf;
  jint code = 0;
  if (is_leaf && !info.is_wanted) return false;
  if (jvmti_->GetObjectHashCode(child, &code) != JVMTI_ERROR_NONE) return false;
  auto hash = static_cast<uint32_t>(code);
  if (info.is_wanted) test(child, hash, parent, step);
  if (is_leaf || !met_.add(hash)) return false;
  if (frontier_.is_full()) {
    left_out_++;
    return false;
  }
  Frontier::Object object = {child, tree_.add(parent, step), 0, &info};
  parent == SearchTree::kNone ? frontier_.add_root(object) : frontier_.add(object);
  return true;
}

void HeapSearch::follow_class(jclass one) {
  for (const ReferenceField& field : fields_->statics_of(one))
    if (jobject child = env_->GetStaticObjectField(one, field.id); child != nullptr)
      meet(child, SearchTree::kNone, field.step);
  clear_exception();
}

void HeapSearch::follow_array(Frontier::Object object, const ClassInfo& info) {
  constexpr jint kBroadPart = 256, kDeepPart = 8;
  auto array = static_cast<jobjectArray>(object.reference);
  jint begin = object.next;
  jint end = std::min(env_->GetArrayLength(array), begin + (frontier_.is_deep() ? kDeepPart : kBroadPart));
  jobject reference = env_->NewLocalRef(array);  // put_back() gives the other to the frontier
  LocalRef owned(env_, reference);
  object.next = end;
  if (reference != nullptr && end < env_->GetArrayLength(array))
    frontier_.put_back(object);
  else
    env_->DeleteLocalRef(object.reference);
  for (jint i = begin; reference != nullptr && i < end; ++i) {
    jobject child = env_->GetObjectArrayElement(static_cast<jobjectArray>(reference), i);
    if (child != nullptr) meet(child, object.node, info.element_step);
  }
  clear_exception();
}

void HeapSearch::follow(Frontier::Object object) {
  const ClassInfo& info = *object.its;
  if (info.kind == ClassInfo::Kind::kArray) return follow_array(object, info);
  LocalRef owned(env_, object.reference);
  auto visit = [&](const ReferenceField& field) {
    if (jobject child = env_->GetObjectField(object.reference, field.id); child != nullptr)
      meet(child, object.node, field.step);
  };
  // Depth first the last that is added is followed first: the next element of a list, by its last field, is to wait for
  // the objects of the element.
  if (frontier_.is_deep())
    std::for_each(info.fields.rbegin(), info.fields.rend(), visit);
  else
    std::for_each(info.fields.begin(), info.fields.end(), visit);
  clear_exception();
}

// Some classes at a time: their fields hold few objects mostly.
void HeapSearch::follow_next() {
  constexpr size_t kFew = 1024;
  if (next_class_ < classes_.size() && frontier_.size() < kFew)
    follow_class(classes_[next_class_++]);
  else
    follow(frontier_.take());
}

HeapSearch::End HeapSearch::run(const Until& until) {
  Pace pace;
  while (next_class_ < classes_.size() || !frontier_.empty()) {
    if (has_found_enough()) return End::kFound;
    if (met_.size() >= until.objects) return End::kObjects;
    follow_next();
    if (!pace.step()) continue;
    if (until.stops()) return End::kStopped;
    if (Clock::now() >= until.time) return End::kTime;
  }
  return has_found_enough() ? End::kFound : End::kThrough;
}

void HeapSearch::clear() {
  while (!frontier_.empty()) env_->DeleteLocalRef(frontier_.take().reference);
  next_class_ = classes_.size();
}

std::vector<HolderPath> HeapSearch::paths() const {
  std::vector<HolderPath> paths(places_.size());
  for (size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].is_found) continue;
    if (places_[i].parent != SearchTree::kNone)
      for (uint32_t step : tree_.steps_to(places_[i].parent)) paths[i].push_back(fields_->step_text(step));
    paths[i].push_back(fields_->step_text(places_[i].step));
  }
  return paths;
}

void HeapSearch::clear_exception() {
  if (env_->ExceptionCheck() == JNI_TRUE) env_->ExceptionClear();
}

}  // namespace hearth::holders
