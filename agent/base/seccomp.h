// Finds system calls for which a seccomp filter of this thread ends the process (SECCOMP_RET_KILL_PROCESS or a signal).
#pragma once

#include <initializer_list>

namespace hearth {

enum class Survival { kYes, kNo, kUnknown };  // kUnknown: the process cannot make another process now

// Returns kYes if all of the calls are survived. If the thread has a filter, a child process makes each of them first,
// in about 0.1 ms. The second argument is -1, the others are zeros: a call must do nothing with those. Outside signals;
// keeps errno.
Survival survival_of(std::initializer_list<long> system_calls);

}  // namespace hearth
