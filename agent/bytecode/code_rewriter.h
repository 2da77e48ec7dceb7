// Inserts hooks into the code of one method: a Code attribute (JVMS 4.7.3).
#pragma once

#include "bytecode/class_rewriter.h"
#include "bytecode/constant_pool.h"
#include "bytecode/stack_maps.h"

namespace hearth::bytecode {

struct HookedMethod {
  MethodTypes types;
  std::string_view super_name;  // of its class
  bool has_frames = false;      // class files of version 50 and newer
  MethodHooks hooks;
};

// Returns the attribute's new content. Its attributes are lines, variables and frames; others, as annotations of types,
// are left out. Throws ClassFileError if the method cannot take the hooks.
Bytes rewrite_code(ByteReader code_attribute, const HookedMethod& method, const HookClass& hooks, ConstantPool* pool);

}  // namespace hearth::bytecode
