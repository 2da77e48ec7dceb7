#include "events/virtual/unmounted_stacks.h"

#include <algorithm>
#include <string_view>

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
  return found->second = name == "Ljava/lang/VirtualThread;" || name == "Ljdk/internal/vm/Continuation;" ||
                         name == "Ljdk/internal/misc/Unsafe;";
}

std::optional<uint32_t> UnmountedStacks::stack_of(JNIEnv* env, const jvmtiStackInfo& info,
                                                  std::optional<Frame> innermost) {
  if (info.frame_count == 0) return std::nullopt;
  const jvmtiFrameInfo *frames = info.frame_buffer, *end = frames + info.frame_count;
  const jvmtiFrameInfo* first =
      std::find_if(frames, end, [&](const auto& one) { return !is_leaving(env, one.method); });
  uint32_t stack = tree_->child(StackTree::kRoot, outermost(env, info.thread));
  auto add = [&](Frame frame) {
    if (stack != StackTree::kFull) stack = tree_->child(stack, frame);
  };
  if (info.frame_count == kMostFrames) add(Frame::marker(capture::Marker::kTruncated));
  for (const jvmtiFrameInfo* one = end; one != first;) {
    --one;
    add(Frame::java(reinterpret_cast<uint64_t>(one->method), static_cast<int>(one->location)));
  }
  if (innermost) add(*innermost);
  return stack == StackTree::kFull ? std::nullopt : std::optional<uint32_t>(stack);
}

std::vector<std::optional<uint32_t>> UnmountedStacks::of(JNIEnv* env, const std::vector<jthread>& threads,
                                                         const Awaited& awaited) {
  constexpr size_t kAtOnce = 64;
  std::vector<std::optional<uint32_t>> stacks(threads.size());
  for (size_t at = 0; at < threads.size(); at += kAtOnce) {
    auto count = static_cast<jint>(std::min(kAtOnce, threads.size() - at));
    jvmtiStackInfo* infos = nullptr;
    if (jvmti_->GetThreadListStackTraces(count, threads.data() + at, kMostFrames, &infos) != JVMTI_ERROR_NONE) continue;
    JvmtiMemory owned(jvmti_, infos);
    for (jint i = 0; i < count; i++) {
      stacks[at + static_cast<size_t>(i)] = stack_of(env, infos[i], awaited(infos[i].thread));
      env->DeleteLocalRef(infos[i].thread);
    }
  }
  return stacks;
}

}  // namespace hearth::events
