#include "CHeap.h"

#if defined(__APPLE__)
  #include <malloc/malloc.h>
  size_t heap_in_use(void) { return mstats().bytes_used; }
#elif defined(__linux__)
  #include <malloc.h>
  size_t heap_in_use(void) {
    #if defined(__GLIBC__)
      struct mallinfo2 info = mallinfo2();
      return info.uordblks + info.hblkhd;
    #else
      return 0;
    #endif
  }
#else
  size_t heap_in_use(void) { return 0; }
#endif

void heap_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
