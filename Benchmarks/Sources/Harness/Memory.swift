import CHeap

/// What the process has allocated.
package enum Memory {
  /// The bytes that were allocated and not yet given back; 0 where it cannot be told.
  package static var inUse: Int { Int(heap_in_use()) }
}
