// Parses a reply of HTTP/1.1 from bytes as they arrive, within limits that no server can exceed. No I/O.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hearth::push {

class ReplyReader {
 public:
  static constexpr size_t kMostHead = 16 << 10;  // status lines and headers of the reply and of all interim replies
  static constexpr size_t kMostBody = 64 << 10;  // as sent; the rest is not read

  // Returns whether more bytes are needed.
  bool add(std::string_view bytes);

  int status() const { return status_; }                   // 0 until the head is complete
  const std::string& problem() const { return problem_; }  // reason for no status: "sent …"; or ""
  std::string header(std::string_view name) const;         // the first of that name in lower case, or ""
  const std::string& body() const { return body_; }        // decoded, as far as it was read

 private:
  enum class State { kHead, kLength, kUntilClose, kChunkSize, kChunkExtension, kChunk, kChunkEnd, kComplete };

  bool take_head(std::string_view* bytes);
  void begin_body();
  void take_body(std::string_view bytes);
  std::string_view take_chunks(std::string_view bytes);
  void take_chunk_size(char letter);
  void fail(const char* problem);

  State state_ = State::kHead;
  std::string head_;
  size_t head_bytes_ = 0;   // including those of interim replies
  size_t body_bytes_ = 0;   // as sent
  size_t left_ = 0;         // of the body or of a chunk
  bool has_digit_ = false;  // of a chunk's size
  int status_ = 0;
  std::string body_;
  std::string problem_;
};

}  // namespace hearth::push
