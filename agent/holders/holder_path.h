// A path of references from a root of the collector to an object, in words. Pure functions.
#pragma once

#include <string>
#include <vector>

namespace hearth::holders {

// "static com.acme.Cache.entries", "java.util.HashMap.table", "java.util.HashMap$Node[]", …, "byte[]": the root first,
// then the field or array that has the reference to the next object, the class of the object last.
using HolderPath = std::vector<std::string>;

// Joins steps that belong together: the fields by which a thread holds its thread-locals become one root, and repeated
// steps, alone or as a cycle of a few, become one step with "× N".
HolderPath folded(const HolderPath& path);

// The name of a class by its signature: "Ljava/lang/String;" is "java.lang.String", "[[I" is "int[][]".
std::string class_name_of(const std::string& signature);

}  // namespace hearth::holders
