// The classes hearth.boot.Binder, java.lang.HearthCalls and java.lang.HearthExceptions as class files. Any thread; they
// live as long as the process.
#pragma once

namespace hearth::java {

const signed char* binder_class();
int binder_class_size();
const signed char* calls_class();
int calls_class_size();
const signed char* exceptions_class();
int exceptions_class_size();

}  // namespace hearth::java
