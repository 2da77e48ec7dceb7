// A library that native_sites.c loads while native memory is sampled.
#include <stdlib.h>

__attribute__((visibility("default"))) void* loaded_site(size_t size) {
  void* memory = malloc(size);
  __asm__ volatile("" : "+r"(memory));
  return memory;
}
