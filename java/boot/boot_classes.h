// The classes hearth.boot.Binder and java.lang.HearthCalls as class files. Any thread; they live as long as the
// process.
#pragma once

namespace hearth::java {

const signed char* binder_class();
int binder_class_size();
const signed char* calls_class();
int calls_class_size();

}  // namespace hearth::java
