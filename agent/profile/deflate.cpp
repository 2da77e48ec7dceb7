#include "profile/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/formatted.h"
#include "profile/formats.h"

namespace hearth::profile {
namespace {

constexpr size_t kPiece = size_t{64} << 10;
// Beyond this size a faster level is worth its few percent of space.
constexpr size_t kLarge = size_t{4} << 20;

// Deflate can make a thousand bytes of one; repetitive profiles come to two hundred.
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

// zlib counts in 32 bits: gives it the next part of `bytes`.
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

}  // namespace

std::string deflate(std::string_view bytes, Wrapping wrapping) {
  Deflater deflater(bytes.size() > kLarge ? 1 : 6, wrapping);
  z_stream& stream = deflater.stream;
  std::string out;
  char piece[kPiece];
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) feed(stream, bytes);
    drain_to(stream, piece);
    status = ::deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(piece, kPiece - stream.avail_out);
  }
  return out;
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
