/// What those wait for who wait for a fetch of a cache, or for a page of it.
final class CacheWork: Awaited {
  private let line: WriteSerializer

  /// Makes what is waited for beside a line of writes.
  init(_ line: WriteSerializer) {
    self.line = line
  }

  /// The cache's.
  var name: String { line.name }
}

/// A task that works for those who wait, and the scope by which it is known to whatever it calls.
struct CacheWorker: Sendable {
  let task: Task<Void, Never>
  let scope: WriteScope

  /// Begins work that is no part of any other, whoever happened to begin it.
  init(
    _ work: CacheWork, _ body: @escaping @Sendable (WriteScope) async -> Void
  ) {
    let scope = WriteScope(work, inside: nil)
    self.scope = scope
    task = WriteScope.$current.withValue(scope) { Task { await body(scope) } }
  }
}
