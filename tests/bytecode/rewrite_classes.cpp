// rewrite_classes FROM TO: copies the tree of class files FROM to TO with hooks of the class java/lang/TestHooks.
// Hooks of the class Exits have numbers of their own. Prints how many methods got hooks
// and those that were refused.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "bytecode/class_rewriter.h"

namespace {

namespace fs = std::filesystem;
using hearth::bytecode::Bytes;

hearth::bytecode::MethodHooks hooks_for(const hearth::bytecode::MethodId& method) {
  if (method.class_name == "java/lang/TestHooks") return {};
  bool is_constructor = method.name == "<init>";
  if (method.class_name == "Exits" && method.name != "read") return {3, 4, is_constructor};
  return {1, 2, is_constructor};
}

}  // namespace

int main(int, char** arguments) {
  const fs::path from = arguments[1], to = arguments[2];
  const hearth::bytecode::HookClass hooks = {"java/lang/TestHooks", "enter", "begin", "leave", "made"};
  size_t hooked = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    // A module's descriptor belongs to the module that is patched.
    if (entry.path().extension() != ".class" || entry.path().filename() == "module-info.class") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    Bytes bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    auto result = hearth::bytecode::rewrite_class(hearth::bytecode::ByteReader(bytes), hooks, hooks_for);
    for (const std::string& refused : result.refused) std::cout << "refused " << entry.path() << " " << refused << "\n";
    hooked += result.hooked;
    if (result.bytes.empty()) continue;
    fs::path target = to / entry.path().lexically_relative(from);
    fs::create_directories(target.parent_path());
    std::ofstream(target, std::ios::binary)
        .write(reinterpret_cast<const char*>(result.bytes.data()), static_cast<std::streamsize>(result.bytes.size()));
  }
  std::cout << "hooked " << hooked << "\n";
}
