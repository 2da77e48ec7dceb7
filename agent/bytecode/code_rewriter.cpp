#include "bytecode/code_rewriter.h"

#include <algorithm>

#include "bytecode/instructions.h"

namespace hearth::bytecode {
namespace {

constexpr const char* kThrowable = "java/lang/Throwable";
constexpr size_t kTimeSlots = 2, kLeaveSlots = 3;  // of a long; of a long and an int

void put_local(Bytes* out, uint8_t opcode, size_t index) {
  if (index <= UINT8_MAX) {
    put_u1(out, opcode);
    put_u1(out, index);
  } else {
    put_u1(out, op::kWide);
    put_u1(out, opcode);
    put_checked_u2(out, index);
  }
}

void put_number(Bytes* out, uint16_t number) {
  put_u1(out, op::kSipush);
  put_u2(out, number);
}

// Returns the place behind the call of this() or super(). Constructors of other objects are called there as well, each
// of which follows its `new`.
size_t pc_after_super(ByteReader code, const HookedMethod& method, const ConstantPool& pool) {
  size_t unfinished = 0;  // objects without a called constructor
  for (size_t pc = 0; pc < code.size();) {
    uint8_t opcode = code.begin()[pc];
    size_t length = instruction_length(code.begin(), code.size(), pc);
    if (opcode == op::kNew) unfinished++;
    if (is_return(opcode)) break;
    if (opcode == op::kInvokespecial) {
      ConstantPool::Reference called =
          pool.method(static_cast<uint16_t>(code.begin()[pc + 1] << 8 | code.begin()[pc + 2]));
      if (called.name == "<init>" && unfinished-- == 0) {
        if (called.owner != method.types.class_name && called.owner != method.super_name) break;
        return pc + length;
      }
    }
    pc += length;
  }
  throw ClassFileError("the constructor's call of another one is not where compilers put it");
}

// The JVM looks at the code of these methods: it makes a finalizer of a finalize() that does something, and leaves out
// calls of Object's constructor.
void refuse_known_to_jvm(const MethodTypes& method, ByteReader code) {
  if (method.name == "<init>" && method.class_name == "java/lang/Object")
    throw ClassFileError("the JVM leaves out calls of Object's constructor");
  if (method.name == "finalize" && method.descriptor == "()V" && code.size() == 1)
    throw ClassFileError("the JVM never calls an empty finalize()");
}

class CodeRewriter {
 public:
  CodeRewriter(const HookedMethod& method, const HookClass& hooks, ConstantPool* pool)
      : method_(method), hooks_(hooks), pool_(pool) {}

  Bytes rewrite(ByteReader attribute) {
    max_stack_ = attribute.u2();
    max_locals_ = attribute.u2();
    ByteReader code = attribute.part(attribute.u4());
    if (code.size() == 0) throw ClassFileError("the method has no code");
    refuse_known_to_jvm(method_.types, code);
    make_insertions(code);
    CodeMap map(code, insertions_);
    Bytes moved = move_code(code, map, insertions_);
    if (times()) put_handler(&moved);
    if (moved.size() > UINT16_MAX) throw ClassFileError("its code would have more than 65,535 bytes");

    Bytes out;
    put_checked_u2(&out, max_stack_ + (times() ? kLeaveSlots + 1 : 1));
    put_checked_u2(&out, max_locals_ + (times() ? kTimeSlots : 0));
    put_u4(&out, moved.size());
    put_bytes(&out, moved);
    put_exceptions(&attribute, map, &out);
    put_attributes(&attribute, map, &out);
    return out;
  }

 private:
  bool times() const { return method_.hooks.time.has_value(); }
  void put_call(Bytes* out, const std::string& name, const char* descriptor) {
    put_u1(out, op::kInvokestatic);
    put_u2(out, pool_->add_static_method(hooks_.name, name, descriptor));
  }
  void put_leave(Bytes* out) {
    put_local(out, op::kLload, max_locals_);
    put_number(out, *method_.hooks.time);
    put_call(out, hooks_.leave, "(JI)V");
  }

  void make_insertions(ByteReader code) {
    bool is_constructor = method_.types.name == "<init>";
    if (is_constructor) insertions_.entry_pc = pc_after_super(code, method_, *pool_);
    if (method_.hooks.enter) {
      put_number(&insertions_.entry, *method_.hooks.enter);
      put_call(&insertions_.entry, hooks_.enter, "(I)V");
    }
    if (method_.hooks.made) {
      if (!is_constructor) throw ClassFileError("the method is no constructor");
      put_u1(&insertions_.exit, op::kAload0);
      put_call(&insertions_.exit, hooks_.made, "(Ljava/lang/Object;)V");
    }
    if (!times()) return;
    put_call(&insertions_.entry, hooks_.begin, "()J");
    put_local(&insertions_.entry, op::kLstore, max_locals_);
    put_leave(&insertions_.exit);
  }

  // Gets each exception that leaves the method.
  void put_handler(Bytes* code) {
    put_leave(code);
    put_u1(code, op::kAthrow);
  }

  // Appends the entry without the hooks at returns: those belong to no handler of the method.
  void put_range(const CodeMap& map, size_t begin, size_t end, size_t handler, size_t type, Bytes* out) {
    auto put = [&](size_t from, size_t to) {
      if (from >= to) return;
      put_checked_u2(out, from);
      put_checked_u2(out, to);
      put_checked_u2(out, handler);
      put_u2(out, type);
      exceptions_++;
    };
    const std::vector<size_t>& returns = map.returns();
    auto next = std::partition_point(returns.begin(), returns.end(), [&](size_t pc) { return map.at(pc) <= begin; });
    size_t from = begin;
    for (; !insertions_.exit.empty() && next != returns.end() && map.target(*next) < end; next++) {
      put(from, map.target(*next));
      from = map.at(*next);
    }
    put(from, end);
  }

  void put_exceptions(ByteReader* attribute, const CodeMap& map, Bytes* out) {
    constexpr size_t kMostBytes = size_t{8} * UINT16_MAX;
    Bytes table;
    for (size_t left = attribute->u2(); left > 0; left--) {
      size_t begin = map.at(attribute->u2());
      size_t end = map.before(attribute->u2());
      size_t handler = map.target(attribute->u2());
      put_range(map, begin, end, handler, attribute->u2(), &table);
      if (table.size() > kMostBytes) throw ClassFileError("it would have too many handlers of exceptions");
    }
    if (times()) put_range(map, map.target(insertions_.entry_pc), map.end(), map.end(), 0, &table);
    put_checked_u2(out, exceptions_);
    put_bytes(out, table);
  }

  void put_attributes(ByteReader* attribute, const CodeMap& map, Bytes* out) {
    Bytes kept;
    size_t count = 0;
    bool has_frames = false;
    for (size_t left = attribute->u2(); left > 0; left--) {
      uint16_t name = attribute->u2();
      ByteReader content = attribute->part(attribute->u4());
      std::string_view text = pool_->utf8(name);
      Bytes moved;
      if (text == "StackMapTable" && method_.has_frames && !has_frames) {
        has_frames = true;
        moved = frames(&content, map);
      } else if (text == "LineNumberTable") {
        moved = lines(content, map);
      } else if (text == "LocalVariableTable" || text == "LocalVariableTypeTable") {
        moved = variables(content, map);
      } else {
        continue;
      }
      put_attribute(name, moved, &kept);
      count++;
    }
    if (method_.has_frames && times() && !has_frames) {
      put_attribute(pool_->add_utf8("StackMapTable"), frames(nullptr, map), &kept);
      count++;
    }
    put_checked_u2(out, count);
    put_bytes(out, kept);
  }

  static void put_attribute(uint16_t name, const Bytes& content, Bytes* out) {
    put_u2(out, name);
    put_u4(out, content.size());
    put_bytes(out, content);
  }

  Bytes frames(ByteReader* content, const CodeMap& map) {
    TimeLocal time = {max_locals_, insertions_.entry_pc, 0};
    if (times()) time.throwable = pool_->add_class(kThrowable);
    StackMapMover mover(map, max_locals_, times() ? &time : nullptr);
    if (content != nullptr) mover.move(*content, initial_locals(method_.types, pool_));
    if (times()) mover.add_handler();
    return mover.take_content();
  }

  static Bytes lines(ByteReader table, const CodeMap& map) {
    Bytes out;
    size_t left = table.u2();
    put_u2(&out, left);
    for (; left > 0; left--) {
      put_checked_u2(&out, map.near(table.u2()));
      put_u2(&out, table.u2());
    }
    return out;
  }

  static Bytes variables(ByteReader table, const CodeMap& map) {
    Bytes out;
    size_t left = table.u2();
    put_u2(&out, left);
    for (; left > 0; left--) {
      size_t begin = table.u2();
      size_t end = begin + table.u2();
      put_checked_u2(&out, map.near(begin));
      put_checked_u2(&out, map.near(end) - map.near(begin));
      put_bytes(&out, table.take(6), 6);  // name, type, index
    }
    return out;
  }

  const HookedMethod& method_;
  const HookClass& hooks_;
  ConstantPool* pool_;
  size_t max_stack_ = 0, max_locals_ = 0;
  Insertions insertions_;
  size_t exceptions_ = 0;
};

}  // namespace

Bytes rewrite_code(ByteReader code_attribute, const HookedMethod& method, const HookClass& hooks, ConstantPool* pool) {
  return CodeRewriter(method, hooks, pool).rewrite(code_attribute);
}

}  // namespace hearth::bytecode
