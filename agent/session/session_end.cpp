// How a session ends: in which order, and what stays where a thread cannot leave it.
#include "base/jvm_refs.h"
#include "session/profile_session.h"

namespace hearth::session {

void ProfileSession::tell_own_thread(int tid, bool begins) const {
  if (tid != 0 && hooks_.own_thread) hooks_.own_thread(tid, begins);
}

void ProfileSession::silence_sources() {
  for (const Source& one : sources_) {
    if (one.paused_at_ns != 0) continue;  // that is done
    one.source->silence();
    if (!one.source->is_left()) stay();
  }
  if (follower_) follower_->finish();
  for (const Source& one : sources_) {
    if (one.paused_at_ns != 0) continue;
    int own = one.source->own_tid();
    one.source->stop();
    tell_own_thread(own, false);
  }
}

// In memory for good: nobody knows when the thread goes on.
void ProfileSession::stay() {
  static auto* staying = new std::vector<std::shared_ptr<ProfileSession>>;
  staying->push_back(shared_from_this());
  constexpr const char* kNote =
      "a thread is held in the midst of a sample, by a debugger or a long pause of the JVM: this session's memory is "
      "not given back; resume threads before a stop";
  log_->warn(kNote);
  std::lock_guard<std::mutex> lock(notes_mutex_);
  notes_.emplace_back(kNote);
}

void ProfileSession::end_sampling() {
  if (options_.allocation_interval) {
    account_.end(hooks_.java_threads);
    collections_.stop();
  }
  running_ = false;
  silence_sources();
  window_.stop();
  faults_.remove();
  ended_ns_ = capture::now_ns();
}

void ProfileSession::stop() {
  if (!running_) return;
  {
    std::lock_guard<std::mutex> lock(worker_mutex_);
    worker_ends_ = true;
  }
  worker_wake_.notify_all();
  worker_.join();
  end_sampling();
  drain();
  if (!options_.live) return;
  JvmAttachment attachment(vm_->java_vm, "hearth");
  if (attachment.env() != nullptr) live_.end(vm_->jvmti, attachment.env());
}

}  // namespace hearth::session
