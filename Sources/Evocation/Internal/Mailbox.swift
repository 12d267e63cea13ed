/// What has come for one reader, in order; who is too slow gets one letter that says so.
final class Mailbox<Letter: Sendable>: Sendable {
  /// What a reader finds.
  enum Contents: Sendable {
    /// These, in order.
    case letters([Letter])
    /// More than were kept.
    case tooMany
  }

  private struct State {
    var letters: [Letter] = []
    var hasLost = false
    var arrival: Promise<Void>?
    var isEmpty: Bool { letters.isEmpty && !hasLost }
  }

  private let capacity: Int
  private let state = Lock(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  func put(_ letter: Letter) {
    add(letter)?.fulfil(())
  }

  /// Puts a letter in, and gives what wakes the reader.
  ///
  /// So letters can be put in under a lock, which is open again when the reader is woken.
  func add(_ letter: Letter) -> Promise<Void>? {
    // What is lost is let go of after the lock, because that may end an app's own objects.
    let (arrival, lost) = state.withLock { state -> (Promise<Void>?, [Letter]) in
      defer { state.arrival = nil }
      guard state.letters.count >= capacity || state.hasLost else {
        state.letters.append(letter)
        return (state.arrival, [])
      }
      defer { state.letters = [] }
      state.hasLost = true
      return (state.arrival, state.letters)
    }
    withExtendedLifetime(lost) {}
    return arrival
  }

  var isEmpty: Bool {
    state.withLock { $0.isEmpty }
  }

  /// Takes everything that is there, without waiting.
  func empty() -> Contents {
    state.withLock { state in
      defer {
        state.letters = []
        state.hasLost = false
      }
      return state.hasLost ? .tooMany : .letters(state.letters)
    }
  }

  /// Waits until something is there, or the task is cancelled.
  func arrival() async {
    let arrival = Promise<Void>()
    let isThere = state.withLock { state in
      if state.isEmpty { state.arrival = arrival }
      return !state.isEmpty
    }
    if isThere { return }
    await withCancellationHandler {
      await arrival.value
    } onCancel: {
      arrival.fulfil(())
    }
  }
}
