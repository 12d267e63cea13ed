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
    let arrival = state.withLock { state in
      if state.letters.count < capacity, !state.hasLost {
        state.letters.append(letter)
      } else {
        state.letters = []
        state.hasLost = true
      }
      defer { state.arrival = nil }
      return state.arrival
    }
    arrival?.fulfil(())
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
