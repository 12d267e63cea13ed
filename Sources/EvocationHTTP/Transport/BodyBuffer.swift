import Evocation
import Foundation

/// The pieces of a body that wait for their reader, up to a number of bytes.
///
/// `add`, `finish` and `next` may be called on any thread, and `next` by one task at a time.
final class BodyBuffer: Sendable {
  private struct State {
    var pieces: [Data] = []
    /// The pieces that the reader has taken together, the next one last.
    var taken: [Data] = []
    var size = 0
    var isHeld = false
    var end: Result<Void, any Error>?
    var arrival: Promise<Void>?
  }

  private let limit: Int
  /// The size from which the sender is held back, if it can be.
  private let high: Int
  /// Holds the sender back, or lets it go on.
  private let hold: (@Sendable (Bool) -> Void)?
  private let state = Lock(State())

  /// Creates a buffer for this many bytes.
  init(limit: Int, hold: (@Sendable (Bool) -> Void)? = nil) {
    self.limit = limit
    self.hold = hold
    high = min(limit / 2, 1 << 20)
  }

  /// Adds a piece; false if there is no room for it.
  func add(_ piece: Data) -> Bool {
    let (hasRoom, arrival) = state.withLock { state -> (Bool, Promise<Void>?) in
      guard state.end == nil, !piece.isEmpty else { return (true, nil) }
      guard piece.count <= limit - state.size else { return (false, nil) }
      state.pieces.append(piece)
      state.size += piece.count
      hold(state.size > high, &state)
      defer { state.arrival = nil }
      return (true, state.arrival)
    }
    arrival?.fulfil()
    return hasRoom
  }

  /// Ends the body; the waiting pieces are still read, unless the reader was canceled.
  func finish(_ end: Result<Void, any Error>) {
    let arrival = state.change { state -> (Promise<Void>?, [Data]) in
      guard state.end == nil else { return (nil, []) }
      state.end = end
      defer { state.arrival = nil }
      guard case .failure(let error) = end, error is CancellationError else {
        return (state.arrival, [])
      }
      defer { (state.pieces, state.taken, state.size) = ([], [], 0) }
      return (state.arrival, state.pieces)
    } afterwards: {
      $0.0
    }
    arrival?.fulfil()
  }

  /// Waits for the next piece; nil at the end.
  ///
  /// It does not see that its task is canceled: whoever cancels it ends the body.
  func next() async throws -> Data? {
    while true {
      let arrival = Promise<Void>()
      let (piece, end) = state.withLock { state -> (Data?, Result<Void, any Error>?) in
        if state.taken.isEmpty {
          state.taken = state.pieces.reversed()
          state.pieces = []
        }
        if let piece = state.taken.popLast() {
          state.size -= piece.count
          hold(state.size > high / 2 && state.isHeld, &state)
          return (piece, nil)
        }
        if state.end == nil { state.arrival = arrival }
        return (nil, state.end)
      }
      if let piece { return piece }
      if let end {
        try end.get()
        return nil
      }
      await arrival.value
    }
  }

  /// Holds the sender back or lets it go on, under the lock, because the order of both counts.
  private func hold(_ isHeld: Bool, _ state: inout State) {
    guard let hold, isHeld != state.isHeld else { return }
    state.isHeld = isHeld
    hold(isHeld)
  }
}
