// The classes hearth.boot.Binder, java.lang.HearthCalls, java.lang.HearthExceptions and java.lang.HearthWaits as class
// files. Any thread; they live as long as the process.
#pragma once

namespace hearth::java {

struct ClassFile {
  const signed char* bytes;
  int size;
};

ClassFile binder_class();
ClassFile calls_class();
ClassFile exceptions_class();
ClassFile waits_class();

}  // namespace hearth::java
