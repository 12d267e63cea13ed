/// The containers that a coder has made, one for each type of keys, and found again by that type.
///
/// A container points to its coder without holding it: the standard library copies the container
/// for each value, and would count the references each time. So nobody may keep one longer than the
/// coder lives, and ``drop()`` says whether somebody does.
struct ContainerCache {
  /// One container, and how to look after it without knowing its type.
  private struct Entry {
    let key: ObjectIdentifier
    let container: UnsafeMutableRawPointer
    let drop: () -> Bool
  }

  private var first: Entry?
  private var others: [Entry] = []

  /// Gives the container that was made for this type of keys.
  @inline(__always)
  func container<Container>(_ key: Any.Type, _ type: Container.Type) -> Container? {
    if let first, first.key == ObjectIdentifier(key) {
      return first.container.assumingMemoryBound(to: type).pointee
    }
    return others.isEmpty ? nil : other(key, type)
  }

  mutating func insert<Container>(_ container: Container, for key: Any.Type) {
    let pointer = UnsafeMutablePointer<Container>.allocate(capacity: 1)
    pointer.initialize(to: container)
    let entry = Entry(key: ObjectIdentifier(key), container: UnsafeMutableRawPointer(pointer)) {
      let isKept = Self.isShared(pointer)
      pointer.deinitialize(count: 1)
      pointer.deallocate()
      return isKept
    }
    if first == nil { first = entry } else { others.append(entry) }
  }

  /// Lets go of all containers; true when somebody else has kept one.
  mutating func drop() -> Bool {
    let entries = (first.map { [$0] } ?? []) + others
    (first, others) = (nil, [])
    return entries.map { $0.drop() }.contains(true)
  }

  @inline(never)
  private func other<Container>(_ key: Any.Type, _ type: Container.Type) -> Container? {
    others.first { $0.key == ObjectIdentifier(key) }
      .map { $0.container.assumingMemoryBound(to: type).pointee }
  }

  /// Whether somebody else holds the one object that a container is; true when it is more than that.
  private static func isShared<Container>(_ container: UnsafeMutablePointer<Container>) -> Bool {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return true }
    return container.withMemoryRebound(to: AnyObject.self, capacity: 1) {
      !isKnownUniquelyReferenced(&$0.pointee)
    }
  }
}
