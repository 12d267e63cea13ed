/// The containers that a coder has created, one for each type of keys, found by that type.
///
/// "find all, Evocation" needs them: it takes 1.8 to 2.0 times as long as C, and 2.1 to 2.3 times
/// without them. "store" needs them too.
///
/// A container points to its coder without retaining it, because the standard library copies the
/// container for each value, and would count the references each time. No container may therefore
/// outlive its coder. ``drop()`` returns whether one may.
struct ContainerCache {
  private var firstKey: ObjectIdentifier?
  private var first: AnyObject?
  private var others: [(key: ObjectIdentifier, box: AnyObject)] = []
  private var hasLost = false

  /// Returns the one object that is the container for this type of keys.
  ///
  /// The caller turns it back into a container, because a generic function would look up the
  /// container's type for each row.
  @inline(__always)
  func box(for key: Any.Type) -> AnyObject? {
    if firstKey == ObjectIdentifier(key) { return first }
    return others.isEmpty ? nil : other(ObjectIdentifier(key))
  }

  /// Stores a container, if it consists of one object and nothing else.
  mutating func insert<Container>(_ container: Container, for key: Any.Type) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else {
      hasLost = true
      return
    }
    // It contains one strong reference and nothing else, as its size shows.
    let box = unsafeBitCast(container, to: AnyObject.self)
    if first == nil {
      (firstKey, first) = (ObjectIdentifier(key), box)
    } else {
      others.append((ObjectIdentifier(key), box))
    }
  }

  /// Releases all containers; returns true if the model's code may have kept one.
  mutating func drop() -> Bool {
    var isKept = hasLost
    if first != nil, !isKnownUniquelyReferenced(&first) { isKept = true }
    for index in others.indices where !isKnownUniquelyReferenced(&others[index].box) {
      isKept = true
    }
    (firstKey, first, others) = (nil, nil, [])
    return isKept
  }

  @inline(never)
  private func other(_ key: ObjectIdentifier) -> AnyObject? {
    others.first { $0.key == key }?.box
  }
}
