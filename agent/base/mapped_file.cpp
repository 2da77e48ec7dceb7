#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/formatted.h"

namespace hearth {

MappedFile::MappedFile(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0)
    throw FileError(errno, formatted("cannot read {}: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode) || info.st_size <= 0) return;
  auto size = static_cast<size_t>(info.st_size);
  mapping_ = Mapping(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0), size);
}

void MappedFile::release(size_t begin, size_t end) const {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  begin = begin / page * page;
  end = end / page * page;
  if (mapping_ && begin < end) ::madvise(mapping_.as<char>() + begin, end - begin, MADV_DONTNEED);
}

}  // namespace hearth
