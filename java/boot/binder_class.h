// The class hearth.boot.Binder as a class file. Any thread; lives as long as the process.
#pragma once

namespace hearth::java {

const signed char* binder_class();
int binder_class_size();

}  // namespace hearth::java
