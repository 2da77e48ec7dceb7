#include "profile/model/time_choice.h"

#include "profile/formats/formats.h"
#include "profile/model/stack_copier.h"

namespace hearth::profile {

Profile only_between(const Profile& profile, const TimeChoice& range) {
  const Metadata& about = profile.metadata;
  if (about.time_step_ns <= 0) throw FormatError("it has no times of samples to select by");
  Profile part;
  part.value_types = profile.value_types;
  part.metadata = about;
  part.quality = profile.quality;
  StackCopier stacks(&profile, &part);
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    const Profile::Sample& sample = profile.sample(index);
    int64_t at_ns = saturating_sum(about.start_unix_ns, int64_t{sample.time} * about.time_step_ns);
    if (sample.time == kNoTime || !range.has(at_ns)) continue;
    part.add(stacks.copy(sample.stack), part.label_set(profile.label_sets()[sample.labels]), profile.values(index),
             sample.time);
  }
  if (part.sample_count() == 0) throw FormatError("it has no sample of that time");
  part.quality.notes.push_back("quality figures cover all samples of the profile");
  return part;
}

}  // namespace hearth::profile
