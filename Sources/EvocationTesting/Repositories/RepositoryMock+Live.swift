public import Evocation

/// What a service sends automatically, as your test says it.
///
/// ```swift
/// let remote = RepositoryMock<Car>(sendsLiveChanges: true) { _ in [] }
/// evocation.live.start()
/// evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
/// var states = cache.observe().makeAsyncIterator()
/// _ = await states.next()
/// await remote.liveStreams(1)
/// remote.send(RemoteChanges(stored: [car], mark: "1"))
/// ```
extension RepositoryMock: LiveRepository {
  /// Returns a stream of what your test sends; it ends the one before.
  public func liveChanges(
    since mark: String?
  ) -> AsyncThrowingStream<RemoteChanges<Model>, any Error> {
    let (stream, continuation) = AsyncThrowingStream<RemoteChanges<Model>, any Error>.makeStream()
    let number = live.change { live -> (Int, Continuation?) in
      live.marks.append(mark)
      defer { live.open = (live.marks.count, continuation) }
      return (live.marks.count, live.open?.continuation)
    } afterwards: { number, former in
      former?.finish()
      return number
    }
    continuation.onTermination = { [live] _ in
      live.change { live -> Continuation? in
        guard live.open?.number == number else { return nil }
        defer { live.open = nil }
        return live.open?.continuation
      }
    }
    streams.increase()
    return stream
  }

  /// The mark that each stream was asked for, in order.
  public var liveMarks: [String?] { live.withLock { $0.marks } }

  /// Whether a stream is open.
  public var isLive: Bool { live.withLock { $0.open != nil } }

  /// Waits until this many streams were asked for.
  ///
  /// - Returns: Whether they were; false when the task was canceled before.
  @discardableResult
  public func liveStreams(_ count: Int) async -> Bool { await streams.reach(count) }

  /// Sends changes to the open stream; without one, they are lost.
  public func send(_ changes: RemoteChanges<Model>) {
    live.withLock { $0.open?.continuation }?.yield(changes)
  }

  /// Ends the open stream, with an error as a lost connection does, or without.
  public func endLiveChanges(throwing error: (any Error)? = nil) {
    live.withLock { $0.open?.continuation }?.finish(throwing: error)
  }

  typealias Continuation = AsyncThrowingStream<RemoteChanges<Model>, any Error>.Continuation

  /// The streams so far.
  struct LiveStreams {
    var marks: [String?] = []
    /// The stream that is open, and its number.
    var open: (number: Int, continuation: Continuation)?
  }
}
