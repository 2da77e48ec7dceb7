// What the samples of some events carry in place of a thread's state: numbers of these tables, which outlive the
// sources.
#pragma once

#include "events/exceptions/catchers.h"
#include "events/handlers/io/io_traits.h"
#include "events/handlers/pointer_numbers.h"

namespace hearth::events {

struct EventTraits {
  ExceptionTraits exceptions;
  PointerNumbers operations;  // of the VM thread, by their tables of virtual functions
  IoTraits io;
};

}  // namespace hearth::events
