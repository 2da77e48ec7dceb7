#include "bytecode/class_rewriter.h"

#include <utility>

#include "bytecode/code_rewriter.h"
#include "bytecode/constant_pool.h"

namespace hearth::bytecode {
namespace {

constexpr uint32_t kMagic = 0xcafebabe;
constexpr uint16_t kStatic = 0x0008, kNative = 0x0100, kAbstract = 0x0400;
constexpr uint16_t kFirstWithFrames = 50;  // JDK 6

void skip_attributes(ByteReader* reader) {
  for (size_t left = reader->u2(); left > 0; left--) {
    reader->u2();
    reader->take(reader->u4());
  }
}

class ClassRewriter {
 public:
  ClassRewriter(ByteReader class_file, const HookClass& hooks, const HookChoice& choose)
      : reader_(class_file), version_(read_version(&reader_)), pool_(&reader_), hooks_(hooks), choose_(choose) {}

  RewrittenClass rewrite() {
    size_t rest = reader_.at();
    reader_.u2();  // access
    class_name_ = pool_.class_name(reader_.u2());
    if (uint16_t super = reader_.u2()) super_name_ = pool_.class_name(super);
    reader_.take(size_t{reader_.u2()} * 2);  // interfaces
    for (size_t left = reader_.u2(); left > 0; left--) {
      reader_.take(6);
      skip_attributes(&reader_);
    }
    Bytes content;
    put_bytes(&content, reader_.begin() + rest, reader_.at() - rest);
    uint16_t methods = reader_.u2();
    put_u2(&content, methods);
    for (size_t left = methods; left > 0; left--) rewrite_method(&content);
    size_t tail = reader_.at();
    skip_attributes(&reader_);
    if (!reader_.at_end()) throw ClassFileError("the class file is longer than its content");
    put_bytes(&content, reader_.begin() + tail, reader_.at() - tail);
    if (result_.hooked > 0) assemble(content);
    return std::move(result_);
  }

 private:
  static uint32_t read_version(ByteReader* reader) {
    if (reader->u4() != kMagic) throw ClassFileError("these bytes are no class file");
    return reader->u4();
  }

  void assemble(const Bytes& content) {
    put_u4(&result_.bytes, kMagic);
    put_u4(&result_.bytes, version_);
    pool_.write(&result_.bytes);
    put_bytes(&result_.bytes, content);
  }

  void rewrite_method(Bytes* out) {
    size_t begin = reader_.at();
    uint16_t access = reader_.u2();
    std::string_view name = pool_.utf8(reader_.u2());
    std::string_view descriptor = pool_.utf8(reader_.u2());
    HookedMethod method;
    method.types = {class_name_, name, descriptor, (access & kStatic) != 0};
    method.super_name = super_name_;
    method.has_frames = (version_ & UINT16_MAX) >= kFirstWithFrames;
    method.hooks = choose_({class_name_, name, descriptor, (access & (kNative | kAbstract)) == 0});
    size_t attributes = reader_.at();
    ByteReader whole = reader_;
    skip_attributes(&reader_);
    if (method.hooks.any()) {
      size_t size = out->size();
      put_bytes(out, reader_.begin() + begin, attributes - begin);
      if (put_hooked(&whole, method, out)) return;
      out->resize(size);
    }
    put_bytes(out, reader_.begin() + begin, reader_.at() - begin);
  }

  // False: the method has no code or is refused; `out` has a part of it then.
  bool put_hooked(ByteReader* attributes, const HookedMethod& method, Bytes* out) {
    bool has_code = false;
    try {
      size_t left = attributes->u2();
      put_u2(out, left);
      for (; left > 0; left--) {
        uint16_t name = attributes->u2();
        ByteReader content = attributes->part(attributes->u4());
        put_u2(out, name);
        if (pool_.utf8(name) == "Code") {
          if (std::exchange(has_code, true)) throw ClassFileError("the method has two codes");
          Bytes code = rewrite_code(content, method, hooks_, &pool_);
          put_u4(out, code.size());
          put_bytes(out, code);
        } else {
          put_u4(out, content.size());
          put_bytes(out, content.begin(), content.size());
        }
      }
    } catch (const ClassFileError& error) {
      result_.refused.push_back(std::string(method.types.name) + std::string(method.types.descriptor) + ": " +
                                error.what());
      return false;
    }
    if (has_code) result_.hooked++;
    return has_code;
  }

  ByteReader reader_;
  const uint32_t version_;
  ConstantPool pool_;
  const HookClass& hooks_;
  const HookChoice& choose_;
  std::string_view class_name_, super_name_;
  RewrittenClass result_;
};

}  // namespace

RewrittenClass rewrite_class(ByteReader class_file, const HookClass& hooks, const HookChoice& choose) {
  return ClassRewriter(class_file, hooks, choose).rewrite();
}

}  // namespace hearth::bytecode
