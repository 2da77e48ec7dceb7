#include "profile/codec/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <future>
#include <limits>
#include <new>
#include <system_error>

#include "base/formatted.h"
#include "base/scoped_signal_mask.h"
#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

constexpr size_t kPiece = size_t{64} << 10;
// From this size on a faster level is worth a few percent more space.
constexpr size_t kLarge = size_t{4} << 20;
constexpr int kFastLevel = 1;

// Deflate can expand one byte to a thousand; repetitive profiles reach two hundred.
size_t most_inflated(size_t compressed) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  return std::min(128 * kMiB + 256 * uint64_t{compressed}, 1024 * kMiB);
}

int window_bits(Wrapping wrapping) {
  return wrapping == Wrapping::kGzip ? MAX_WBITS + 16 : -MAX_WBITS;
}

class Deflater {
 public:
  Deflater(int level, Wrapping wrapping) {
    if (::deflateInit2(&stream, level, Z_DEFLATED, window_bits(wrapping), MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { ::deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  z_stream stream{};
};

class Inflater {
 public:
  explicit Inflater(Wrapping wrapping) {
    if (::inflateInit2(&stream, window_bits(wrapping)) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream{};
};

// Passes the next part of `bytes` to zlib, which counts in 32 bits.
void feed(z_stream& stream, std::string_view& bytes) {
  auto size = static_cast<uInt>(std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
  stream.avail_in = size;
  bytes.remove_prefix(size);
}

void drain_to(z_stream& stream, char* piece) {
  stream.next_out = reinterpret_cast<Bytef*>(piece);
  stream.avail_out = kPiece;
}

// `last`: Z_FINISH, or Z_SYNC_FLUSH if other bytes follow.
std::string deflated(Deflater* deflater, std::string_view bytes, int last) {
  z_stream& stream = deflater->stream;
  std::string out;
  char piece[kPiece];
  do {
    if (stream.avail_in == 0) feed(stream, bytes);
    drain_to(stream, piece);
    ::deflate(&stream, bytes.empty() ? last : Z_NO_FLUSH);
    out.append(piece, kPiece - stream.avail_out);
  } while (!bytes.empty() || stream.avail_in > 0 || stream.avail_out == 0);
  return out;
}

// Compresses the second half on another thread at the same time, with the end of the first half as dictionary.
std::string deflated_in_halves(std::string_view bytes) {
  std::string_view first = bytes.substr(0, bytes.size() / 2), second = bytes.substr(first.size());
  auto deflate_second = [=] {
    constexpr size_t kWindow = size_t{1} << MAX_WBITS;
    std::string_view known = first.substr(first.size() - std::min(kWindow, first.size()));
    Deflater deflater(kFastLevel, Wrapping::kRaw);
    ::deflateSetDictionary(&deflater.stream, reinterpret_cast<const Bytef*>(known.data()),
                           static_cast<uInt>(known.size()));
    return deflated(&deflater, second, Z_FINISH);
  };
  std::future<std::string> rest;
  try {
    ScopedSignalMask blocked;
    rest = std::async(std::launch::async, deflate_second);
  } catch (const std::system_error&) {
    rest = std::async(std::launch::deferred, deflate_second);  // no thread could be started
  }
  Deflater deflater(kFastLevel, Wrapping::kRaw);
  std::string out = deflated(&deflater, first, Z_SYNC_FLUSH);
  return out += rest.get();
}

}  // namespace

std::string deflate(std::string_view bytes, Wrapping wrapping) {
  if (bytes.size() > kLarge && wrapping == Wrapping::kRaw) return deflated_in_halves(bytes);
  Deflater deflater(bytes.size() > kLarge ? kFastLevel : 6, wrapping);
  return deflated(&deflater, bytes, Z_FINISH);
}

std::string inflate(std::string_view bytes, Wrapping wrapping, const char* what) {
  const size_t most = most_inflated(bytes.size());
  Inflater inflater(wrapping);
  z_stream& stream = inflater.stream;
  std::string out;
  char piece[kPiece];
  for (;;) {
    if (stream.avail_in == 0) feed(stream, bytes);
    drain_to(stream, piece);
    int status = ::inflate(&stream, Z_NO_FLUSH);
    out.append(piece, kPiece - stream.avail_out);
    if (out.size() > most) throw FormatError(formatted("{} inflates to more than {} bytes", what, most));
    if (status == Z_STREAM_END) {
      bool more = wrapping == Wrapping::kGzip && (stream.avail_in > 0 || !bytes.empty());
      if (!more) return out;
      ::inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && stream.avail_in == 0 && bytes.empty() && stream.avail_out > 0)) {
      throw FormatError(formatted("{} is cut short: its compressed data does not end", what));
    } else if (status != Z_OK) {
      throw FormatError(formatted("{} is damaged: {}", what, stream.msg != nullptr ? stream.msg : "not deflate data"));
    }
  }
}

}  // namespace hearth::profile
