// Publishes contexts as agents of OpenTelemetry do: of the process by OTEP 4719, of threads by OTEP 4947.
#define _GNU_SOURCE
#include <jni.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

struct header {
  char signature[8];
  uint32_t version, payload_size;
  _Atomic uint64_t published_ns;
  uint64_t payload;
};

__attribute__((visibility("default"))) __thread void* volatile otel_thread_ctx_v1;

static __thread uint8_t* record;

JNIEXPORT void JNICALL Java_OtherAgent_publish(JNIEnv* env, jclass type, jbyteArray payload) {
  static struct header* header;
  jsize size = (*env)->GetArrayLength(env, payload);
  jbyte* bytes = malloc((size_t)size);
  (*env)->GetByteArrayRegion(env, payload, 0, size, bytes);
  if (header == NULL) {
    int memory = memfd_create("OTEL_CTX", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(memory, 4096) != 0) abort();
    header = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, memory, 0);
    close(memory);
    madvise(header, 4096, MADV_DONTFORK);
  }
  atomic_store(&header->published_ns, 0);
  memcpy(header->signature, "OTEL_CTX", 8);
  header->version = 2;
  header->payload_size = (uint32_t)size;
  header->payload = (uint64_t)(uintptr_t)bytes;
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  atomic_store(&header->published_ns, (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}

// Null: the thread has no context.
JNIEXPORT void JNICALL Java_OtherAgent_attach(JNIEnv* env, jclass type, jbyteArray bytes) {
  otel_thread_ctx_v1 = NULL;
  if (bytes == NULL) return;
  if (record == NULL) record = malloc(4096);
  (*env)->GetByteArrayRegion(env, bytes, 0, (*env)->GetArrayLength(env, bytes), (jbyte*)record);
  atomic_signal_fence(memory_order_seq_cst);
  otel_thread_ctx_v1 = record;
}

// Where no record is.
JNIEXPORT void JNICALL Java_OtherAgent_point(JNIEnv* env, jclass type, jlong address) {
  otel_thread_ctx_v1 = (void*)(uintptr_t)address;
}

// The last bytes before memory that cannot be read: a record that says it is longer.
JNIEXPORT jlong JNICALL Java_OtherAgent_edge(JNIEnv* env, jclass type, jbyteArray bytes) {
  char* pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  jsize size = (*env)->GetArrayLength(env, bytes);
  mprotect(pages + 4096, 4096, PROT_NONE);
  (*env)->GetByteArrayRegion(env, bytes, 0, size, (jbyte*)(pages + 4096 - size));
  return (jlong)(uintptr_t)(pages + 4096 - size);
}
