#include <stddef.h>

/// The bytes that were allocated and not yet given back; 0 where the C library does not tell.
size_t heap_in_use(void);

/// Gives unused memory back to the system, where the C library lets itself be told.
void heap_trim(void);
