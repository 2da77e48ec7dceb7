#include "naming/stack_names.h"

#include "naming/event_columns.h"
#include "naming/frame_namer.h"
#include "naming/model_builder.h"
#include "profile/analysis/stack_key.h"
#include "profile/model/event_view.h"
#include "profile/model/profile.h"

namespace hearth::naming {

std::vector<std::vector<std::string>> names_of_stacks(session::SessionState* session, JNIEnv* env,
                                                      const std::vector<uint32_t>& stacks,
                                                      const options::Options& output) {
  // A sample for each stack; its time is the stack's number here.
  std::vector<session::SampleCounts::Part> samples;
  for (uint32_t stack : stacks) {
    session::SampleCounts::Part sample = {{0, stack, 0, 0}, static_cast<profile::TimeStep>(samples.size()), {}};
    sample.count.samples = 1;
    sample.count.weight = 1;
    samples.push_back(sample);
  }
  profile::Profile profile;
  EventColumns columns({{std::string(profile::kLiveEvent), 1}});
  profile.value_types = columns.value_types();
  const session::CaptureState& capture = session->capture();
  vm::Vm* vm = session->vm();
  FrameNamer namer(vm, env, output, {&capture.plan.virtual_threads, &capture.classes}, &profile);
  build_model({capture.tree, {}, vm->labels, capture.recorder.spans(), capture.traits}, samples, output, &namer,
              columns, &profile);
  std::vector<std::vector<std::string>> names(stacks.size());
  for (size_t i = 0; i < profile.sample_count(); ++i) {
    const profile::Profile::Sample& sample = profile.sample(i);
    if (sample.time < names.size()) names[sample.time] = profile::frames_of(profile, sample.stack);
  }
  return names;
}

}  // namespace hearth::naming
