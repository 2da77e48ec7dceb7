#include "profile/names/asprof_frame_type.h"

namespace hearth::profile {

AsprofFrameType asprof_frame_type(FrameKind kind) {
  switch (kind) {
    case FrameKind::kInterpreted:
      return AsprofFrameType::kInterpreted;
    case FrameKind::kC1:
      return AsprofFrameType::kC1;
    case FrameKind::kJit:
      return AsprofFrameType::kJit;
    case FrameKind::kInlined:
    case FrameKind::kClass:
      return AsprofFrameType::kInlined;
    case FrameKind::kCpp:
      return AsprofFrameType::kCpp;
    case FrameKind::kKernel:
      return AsprofFrameType::kKernel;
    case FrameKind::kNative:
    case FrameKind::kStub:
    case FrameKind::kThread:
    case FrameKind::kMarker:
      break;
  }
  return AsprofFrameType::kNative;
}

}  // namespace hearth::profile
