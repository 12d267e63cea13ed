/// Who waits for whom, of those who wait inside work that others may wait for.
///
/// A circle of them would wait for ever. Each is entered before it waits, so a circle is seen by the
/// one that closes it, and that one is refused. Who waits outside all such work is in no circle.
struct WaitGraph: Sendable {
  /// Names one who waits, until it is taken out.
  typealias Number = UInt64

  /// What would wait for each other.
  struct Circle: Error, Equatable {
    /// The names, in the order in which each waits for the next.
    let names: [String]
  }

  private struct Wait: Sendable {
    let scopes: [WriteScope]
    let awaited: any Awaited
    /// Whether it was given what it waits for, and only has not gone on yet.
    let isOver: @Sendable () -> Bool
  }

  private var waits: [Number: Wait] = [:]
  /// Those who wait inside each piece of work, by the identity of what others wait for.
  private var inside: [ObjectIdentifier: Set<Number>] = [:]
  private var lastNumber: Number = 0

  /// Whether nobody waits.
  var isEmpty: Bool { waits.isEmpty && inside.isEmpty }

  /// Enters one who is about to wait inside a scope.
  ///
  /// - Throws: ``Circle`` when what is awaited waits for that scope, or for one around it.
  mutating func enter(
    _ scope: WriteScope, for awaited: any Awaited, isOver: @escaping @Sendable () -> Bool
  ) throws(Circle) -> Number {
    let scopes = scope.all
    if let circle = circle(from: awaited, to: scopes) { throw circle }
    lastNumber += 1
    waits[lastNumber] = Wait(scopes: scopes, awaited: awaited, isOver: isOver)
    for scope in scopes { inside[ObjectIdentifier(scope.awaited), default: []].insert(lastNumber) }
    return lastNumber
  }

  /// Takes one out who waits no longer.
  mutating func leave(_ number: Number) {
    guard let wait = waits.removeValue(forKey: number) else { return }
    for scope in wait.scopes {
      let key = ObjectIdentifier(scope.awaited)
      inside[key]?.remove(number)
      if inside[key]?.isEmpty == true { inside[key] = nil }
    }
  }

  /// The circle that a wait inside these scopes would close.
  func circle(from awaited: any Awaited, to scopes: [WriteScope]) -> Circle? {
    var seen: Set<ObjectIdentifier> = []
    let ends = Set(scopes.map { ObjectIdentifier($0.awaited) })
    return path(from: awaited, to: ends, &seen).map(Circle.init)
  }

  private func path(
    from awaited: any Awaited, to ends: Set<ObjectIdentifier>, _ seen: inout Set<ObjectIdentifier>
  ) -> [String]? {
    let key = ObjectIdentifier(awaited)
    if ends.contains(key) { return [awaited.name] }
    guard seen.insert(key).inserted else { return nil }
    for number in inside[key] ?? [] {
      guard let wait = waits[number], !wait.isOver(),
        wait.scopes.contains(where: { $0.awaited === awaited && $0.isOpen }),
        let rest = path(from: wait.awaited, to: ends, &seen)
      else { continue }
      return [awaited.name] + rest
    }
    return nil
  }
}

extension WaitGraph {
  /// All who wait in this process.
  private static let shared = Lock(WaitGraph())

  /// Enters this task, which is about to wait; nil when it is inside no such work.
  ///
  /// - Throws: ``Circle`` when it would wait for itself.
  static func enter(
    for awaited: some Awaited, isOver: @escaping @Sendable () -> Bool
  ) throws(Circle) -> Number? {
    guard let scope = WriteScope.open else { return nil }
    return try shared.withLock { (graph) throws(Circle) in
      try graph.enter(scope, for: awaited, isOver: isOver)
    }
  }

  /// Takes this task out, which waits no longer.
  static func leave(_ number: Number?) {
    guard let number else { return }
    shared.withLock { $0.leave(number) }
  }

  /// Whether this task would wait for itself if it waited for something.
  static func isInCircle(with awaited: some Awaited) -> Bool {
    guard let scope = WriteScope.open else { return false }
    return shared.withLock { $0.circle(from: awaited, to: scope.all) != nil }
  }
}
