// System calls that a seccomp filter of this thread ends the process for, by SECCOMP_RET_KILL_PROCESS or by a signal.
#pragma once

#include <initializer_list>

namespace hearth {

enum class Survival { kYes, kNo, kUnknown };  // kUnknown: the process can make no other process now

// Whether all of the calls are survived. A child process makes each of them first, where the thread has a filter: that
// takes about 0.1 ms. The second argument is -1, the others are zeros: a call must do nothing with those. Outside
// signals; errno is kept.
Survival survival_of(std::initializer_list<long> system_calls);

}  // namespace hearth
