#include "symbols/elf/debug_file.h"
#include "base/formatted.h"

#include <zlib.h>

#include <cstdlib>
#include <memory>

namespace hearth::symbols {
namespace {

std::string build_id_path(std::string_view build_id, const std::string& debug_root) {
  std::string hex;
  for (unsigned char byte : build_id) hex += formatted("{:02x}", byte);
  return formatted("{}/.build-id/{}/{}.debug", debug_root, hex.substr(0, 2), hex.substr(2));
}

// Returns the object's folder without symbolic links, as packages name it below debug_root.
std::string folder_of(const std::string& path) {
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  std::string whole = real ? real.get() : path;
  return whole.substr(0, whole.rfind('/'));
}

bool belongs(const ElfImage& debug_file, const ElfImage& object, uint32_t crc) {
  std::string_view wanted = object.build_id();
  std::string_view found = debug_file.build_id();
  if (!wanted.empty() && !found.empty()) return wanted == found;
  std::string_view bytes = debug_file.bytes();
  return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == crc;
}

}  // namespace

ElfImage find_debug_file(const ElfImage& object, const std::string& path, const std::string& debug_root) {
  std::string_view build_id = object.build_id();
  if (build_id.size() > 1) {
    ElfImage found(build_id_path(build_id, debug_root));
    if (found && found.build_id() == build_id) return found;
  }
  ElfImage::DebugLink link = object.debug_link();
  if (link.file.empty()) return {};
  std::string folder = folder_of(path);
  for (const std::string& place : {folder, folder + "/.debug", debug_root + folder}) {
    ElfImage found(formatted("{}/{}", place, link.file));
    if (found && belongs(found, object, link.crc)) return found;
  }
  return {};
}

}  // namespace hearth::symbols
