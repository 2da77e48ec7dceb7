#include "events/virtual/unmounted_stacks.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/jvm_refs.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::StackTree;

constexpr jint kMostFrames = 1024;

int64_t number_of(JNIEnv* env, jthread thread) {
  LocalRef type(env, env->GetObjectClass(thread));
  jmethodID method = env->GetMethodID(static_cast<jclass>(type.get()), "threadId", "()J");
  jlong number = method == nullptr ? 0 : env->CallLongMethod(thread, method);
  env->ExceptionClear();
  return number;
}

}  // namespace

Frame UnmountedStacks::outermost(JNIEnv* env, jthread thread) {
  int64_t number = names_ == nullptr ? 0 : number_of(env, thread);
  if (number <= 0) return Frame::marker(capture::Marker::kVirtualThread);
  jvmtiThreadInfo info{};
  if (jvmti_->GetThreadInfo(thread, &info) == JVMTI_ERROR_NONE) {
    JvmtiMemory owned_name(jvmti_, info.name);
    LocalRef group(env, info.thread_group), loader(env, info.context_class_loader);
    if (info.name != nullptr && *info.name != '\0') names_->note(static_cast<uint64_t>(number), info.name);
  }
  return Frame::of(capture::RawKind::kVirtualThread, static_cast<uint64_t>(number));
}

// Whether it is one of the methods by which a virtual thread leaves its carrier, which other stacks of waits lack.
bool UnmountedStacks::is_leaving(JNIEnv* env, jmethodID method) {
  auto [found, is_new] = leaving_.try_emplace(method, false);
  if (!is_new) return found->second;
  jclass type = nullptr;
  char* signature = nullptr;
  if (jvmti_->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE) return false;
  LocalRef owned(env, type);
  if (jvmti_->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) return false;
  JvmtiMemory owned_signature(jvmti_, signature);
  std::string_view name = signature;
  return found->second = name == "Ljava/lang/VirtualThread;" || name == "Ljdk/internal/vm/Continuation;";
}

std::optional<uint32_t> UnmountedStacks::of(JNIEnv* env, jthread thread, std::optional<Frame> innermost) {
  std::vector<jvmtiFrameInfo> frames(kMostFrames);
  jint count = 0;
  if (jvmti_->GetStackTrace(thread, 0, kMostFrames, frames.data(), &count) != JVMTI_ERROR_NONE || count == 0)
    return std::nullopt;
  frames.resize(static_cast<size_t>(count));
  auto first =
      std::find_if(frames.begin(), frames.end(), [&](const auto& one) { return !is_leaving(env, one.method); });
  uint32_t stack = tree_->child(StackTree::kRoot, outermost(env, thread));
  auto add = [&](Frame frame) {
    if (stack != StackTree::kFull) stack = tree_->child(stack, frame);
  };
  for (auto one = frames.end(); one != first;) {
    --one;
    add(Frame::java(reinterpret_cast<uint64_t>(one->method), static_cast<int>(one->location)));
  }
  if (innermost) add(*innermost);
  return stack == StackTree::kFull ? std::nullopt : std::optional<uint32_t>(stack);
}

}  // namespace hearth::events
