import Dispatch
import Evocation

/// An app's old store, which hands its notes to a closure on a queue of its own.
final class Drawer: Sendable {
  private let queue = DispatchQueue(label: "drawer")
  private let notes = Lock<[Int: Note]>([:])

  func open(_ body: @escaping @Sendable (inout [Int: Note]) -> Void) {
    queue.async { [notes] in
      var changed = notes.withLock { $0 }
      body(&changed)
      notes.withLock { [changed] in $0 = changed }
    }
  }
}
