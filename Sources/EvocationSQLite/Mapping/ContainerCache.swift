/// The containers that a coder has made, one for each type of keys, and found again by that type.
///
/// "find all, Evocation" needs them: 1.8 to 2.0 times C in place of 2.1 to 2.3, and so does "store".
///
/// A container points to its coder without holding it: the standard library copies the container
/// for each value, and would count the references each time. So none may be kept longer than the
/// coder lives, and ``drop()`` says whether somebody does.
struct ContainerCache {
  private var firstKey: ObjectIdentifier?
  private var first: AnyObject?
  private var others: [(key: ObjectIdentifier, box: AnyObject)] = []
  private var hasLost = false

  /// Gives the one object that the container for this type of keys is.
  ///
  /// It is the caller who turns it back into a container, because a generic function would look
  /// up the container's type at each row.
  @inline(__always)
  func box(for key: Any.Type) -> AnyObject? {
    if firstKey == ObjectIdentifier(key) { return first }
    return others.isEmpty ? nil : other(ObjectIdentifier(key))
  }

  /// Remembers a container, as long as it is one object and nothing else.
  mutating func insert<Container>(_ container: Container, for key: Any.Type) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else {
      hasLost = true
      return
    }
    // It holds one strong reference and nothing else, as its size shows.
    let box = unsafeBitCast(container, to: AnyObject.self)
    if first == nil {
      (firstKey, first) = (ObjectIdentifier(key), box)
    } else {
      others.append((ObjectIdentifier(key), box))
    }
  }

  /// Lets go of all containers; true when somebody else may have kept one.
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
