#include "profile/formats/name_style.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

// End of the name of the class and its method: the signature, or the address of a hidden class
// ("Foo$$Lambda/0x000001").
size_t end_of_slashes(std::string_view name) {
  size_t end = std::min(name.find('('), name.size());
  for (size_t slash = name.find('/'); slash < end; slash = name.find('/', slash + 1))
    if (slash + 1 < end && name[slash + 1] >= '0' && name[slash + 1] <= '9') return slash;
  return end;
}

// clojure.core/map, user/eval12/fn--13: a dot before the first slash, or none after it.
bool is_clojure(std::string_view name) {
  std::string_view plain = name.substr(0, name.find('('));
  size_t slash = plain.find('/');
  if (slash == std::string_view::npos) return false;
  return plain.substr(0, slash).find('.') != std::string_view::npos || plain.find('.', slash) == std::string_view::npos;
}

std::string java_name(std::string_view old, const NameStyle& style) {
  std::string name(old);
  size_t end = end_of_slashes(name);
  if (style.simple) {
    size_t slash = std::string_view(name).substr(0, end).rfind('/');
    name.erase(0, slash == std::string_view::npos ? 0 : slash + 1);
    end = end_of_slashes(name);
  }
  if (style.dots) std::replace(name.begin(), name.begin() + static_cast<ptrdiff_t>(end), '/', '.');
  return name;
}

std::string clojure_name(std::string_view old, const NameStyle& style) {
  std::string name(old);
  if (!style.simple) return name;
  size_t dot = name.rfind('.', name.find('/'));
  name.erase(0, dot == std::string::npos ? 0 : dot + 1);
  return name;
}

}  // namespace

Profile with_name_style(const Profile& profile, const NameStyle& style) {
  Profile result;
  result.value_types = profile.value_types;
  result.metadata = profile.metadata;
  result.quality = profile.quality;
  std::vector<FunctionId> functions;
  for (const Function& function : profile.functions()) {
    std::string_view name = profile.text(function.name);
    std::string shown(name);
    if (is_java(function.kind)) shown = is_clojure(name) ? clojure_name(name, style) : java_name(name, style);
    functions.push_back(result.function({result.string(shown), result.string(profile.text(function.system_name)),
                                         result.string(profile.text(function.file)), function.kind}));
  }
  std::vector<NodeId> nodes{0};
  for (NodeId node = 1; node < profile.nodes().size(); ++node) {
    const Location& location = profile.locations()[profile.nodes()[node].location];
    nodes.push_back(result.child(nodes[profile.nodes()[node].parent],
                                 result.location(functions[location.function], location.line)));
  }
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    const Profile::Sample& sample = profile.sample(index);
    result.add(nodes[sample.stack], result.label_set(profile.label_sets()[sample.labels]), profile.values(index),
               sample.time);
  }
  return result;
}

}  // namespace hearth::profile
