/// A page that is being loaded, known to whatever its load calls.
///
/// It is how a caller inside a load is told from one who may wait for it.
final class PageScope: Sendable {
  @TaskLocal private static var current: PageScope?

  private let cell: ObjectIdentifier
  private let outer: PageScope?
  private let isOpen = Lock(true)

  private init(_ cell: ObjectIdentifier) {
    self.cell = cell
    outer = Self.current
  }

  /// Runs the load of a page of this cell; tasks that it leaves behind are outside again.
  static func run(in cell: ObjectIdentifier, _ load: () async -> Void) async {
    let scope = PageScope(cell)
    await $current.withValue(scope, operation: load)
    scope.isOpen.withLock { $0 = false }
  }

  /// Whether this task is part of a load of a page of this cell.
  static func isInside(_ cell: AnyObject) -> Bool {
    var scope = current
    while let present = scope {
      if present.cell == ObjectIdentifier(cell), present.isOpen.withLock({ $0 }) { return true }
      scope = present.outer
    }
    return false
  }
}
