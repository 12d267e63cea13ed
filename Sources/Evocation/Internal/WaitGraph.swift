import Synchronization

/// The waits of calls inside work that other calls may wait for.
///
/// Calls in a circle would wait forever. A call is entered before it waits, so that the call that
/// would close a circle is refused. A call outside all such work cannot be in a circle.
struct WaitGraph: Sendable {
  /// Identifies an entered wait.
  typealias Number = UInt64

  /// Pieces of work that would wait for each other.
  struct Circle: Error, Equatable {
    /// The names of the pieces of work, each of which waits for the next.
    let names: [String]
  }

  private struct Wait: Sendable {
    let scopes: [WriteScope]
    let awaited: any Awaited
    /// Whether the awaited result has arrived, and only the call has not continued yet.
    let isOver: @Sendable () -> Bool
  }

  private var waits: [Number: Wait] = [:]
  /// The waits inside each piece of work, by the identity of the work.
  private var inside: [ObjectIdentifier: Set<Number>] = [:]
  private var lastNumber: Number = 0

  /// Whether there are no waits.
  var isEmpty: Bool { waits.isEmpty && inside.isEmpty }

  /// Enters a call inside a scope that is about to wait.
  ///
  /// - Throws: ``Circle`` if the awaited work waits for that scope, or for one around it.
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

  /// Removes a wait that is over.
  mutating func leave(_ number: Number) {
    guard let wait = waits.removeValue(forKey: number) else { return }
    for scope in wait.scopes {
      let key = ObjectIdentifier(scope.awaited)
      inside[key]?.remove(number)
      if inside[key]?.isEmpty == true { inside[key] = nil }
    }
  }

  /// Returns the circle that a wait inside these scopes would close; nil if there is none.
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
  /// All waits of this process.
  private static let shared = Lock(WaitGraph())

  /// Enters this task, which is about to wait; nil if it is not inside such work.
  ///
  /// - Throws: ``Circle`` if it would wait for itself.
  static func enter(
    for awaited: some Awaited, isOver: @escaping @Sendable () -> Bool
  ) throws(Circle) -> Number? {
    guard let scope = WriteScope.open else { return nil }
    return try shared.withLock { (graph) throws(Circle) in
      try graph.enter(scope, for: awaited, isOver: isOver)
    }
  }

  /// Removes the wait of this task, which is over.
  static func leave(_ number: Number?) {
    guard let number else { return }
    shared.withLock { $0.leave(number) }
  }

  /// Whether this task would wait for itself if it waited for this work.
  static func isInCircle(with awaited: some Awaited) -> Bool {
    guard let scope = WriteScope.open else { return false }
    return shared.withLock { $0.circle(from: awaited, to: scope.all) != nil }
  }
}

/// Work that a call may wait for: a turn of a write serializer, or the end of a fetch.
protocol Awaited: AnyObject, Sendable {
  /// Its name in sentences, such as a model's name.
  var name: String { get }
}

/// Marks a task as inside work that others may wait for, such as a write in its turn.
///
/// So a call inside the work is recognized before it would wait for itself.
final class WriteScope: Sendable {
  @TaskLocal static var current: WriteScope?

  /// The work, which other calls wait for until it is done.
  let awaited: any Awaited
  let outer: WriteScope?
  private let isClosed = Atomic(false)

  /// Opens a scope; by default inside the present one.
  init(_ awaited: any Awaited, inside outer: WriteScope? = .open) {
    self.awaited = awaited
    self.outer = outer
  }

  /// Ends the scope; tasks that go on after it are no longer inside the work.
  func close() {
    isClosed.store(true, ordering: .releasing)
  }

  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// The innermost scope around this task that has not ended.
  static var open: WriteScope? {
    var scope = current
    while let found = scope, !found.isOpen { scope = found.outer }
    return scope
  }

  /// Begins something, such as a task, that is not part of the work around it.
  static func apart<Value>(_ begin: () -> Value) -> Value {
    current == nil ? begin() : $current.withValue(nil, operation: begin)
  }

  /// This scope and those around it that have not ended.
  var all: [WriteScope] {
    var (found, scope): ([WriteScope], WriteScope?) = ([], self)
    while let next = scope {
      if next.isOpen { found.append(next) }
      scope = next.outer
    }
    return found
  }

  /// Whether this task is inside this work.
  static func isInside(_ awaited: some Awaited) -> Bool {
    var scope = current
    while let next = scope {
      if next.awaited === awaited, next.isOpen { return true }
      scope = next.outer
    }
    return false
  }
}
