/// Which of a ledger's caches are being deleted because of limits.
package struct Evictions: Sendable {
  /// The tags that evictions are deleting.
  private var present: Set<ByteText> = []
  /// How many evictions of a cache have ended, whether it was deleted or not.
  package private(set) var ended: UInt64 = 0

  /// Begins to delete the tags that the closure chooses, given those that others are deleting.
  ///
  /// It returns nil, and begins nothing, if an eviction has ended since the count, because the
  /// records that were read since then may have it or not. So no two evictions each delete what the
  /// other keeps.
  package mutating func begin(
    since count: UInt64, _ choose: (Set<ByteText>) -> [ByteText]
  ) -> [ByteText]? {
    guard ended == count else { return nil }
    let chosen = choose(present)
    present.formUnion(chosen)
    return chosen
  }

  /// Ends the eviction of tags, whether they were deleted or not.
  package mutating func end(_ tags: Set<ByteText>) {
    present.subtract(tags)
    ended += UInt64(tags.count)
  }
}
