import Evocation
import Foundation

/// One reader of a stream: joins it when it is first read, and leaves it when it is let go or canceled.
final class LiveFollower: Sendable {
  private struct State {
    var stream: LiveStream?
    var number: Int?
    var hasLeft = false
  }

  private let client: HTTPClient
  private let mark: String?
  private let queue = LiveQueue()
  private let state = Lock(State())

  init(_ client: HTTPClient, since mark: String?) {
    (self.client, self.mark) = (client, mark)
  }

  deinit { leave() }

  /// Waits for the next items, which can be saved together.
  func next() async throws -> [LiveQueue.Item] {
    try Task.checkCancellation()
    try join()
    return try await withCancellationHandler {
      try await queue.next()
    } onCancel: {
      leave()
    }
  }

  /// Records that an event did not decode, which the log then has.
  ///
  /// If its models have ids, they are fetched by these, and nothing else was missed.
  func recordUndecodable(_ error: any Error, isNamed: Bool) {
    let (stream, number) = state.withLock { ($0.stream, $0.number) }
    if !isNamed, let stream, let number { stream.recordMissed(number) }
    let reason = (error as? DecodingError).map { Undecodable.reason($0, body: Data()) }
    let line =
      "\(client.service.name) \(client.path) sent an event with \(reason ?? "other content")"
    client.service.log?.add { _ in .notice(line) }
  }

  private func join() throws {
    guard state.withLock({ $0.stream == nil }) else { return }
    guard let live = client.format.live else {
      throw HTTPError(.misconfigured, reason: "the service sends changes, and format.live is nil")
    }
    let request = try client.request(live.route)
    let fields = client.fields(of: request).named.sorted { $0.key < $1.key }
    let way = live.source == nil ? "" : " by a source"
    let name = "\(request.method) \(request.url) \(fields)\(way) \(live.beginning)"
    let stream = client.service.streams.object(name) {
      LiveStream(
        .init(
          isGreeted: live.greeting != nil,
          isSubscribed: live.subscription != nil || live.source != nil,
          isConfirmed: live.confirmsTopics, replays: live.replays))
    }
    let number = stream.join(
      queue, topic: live.topic(client.path), since: mark, through: client, live: live)
    let hasLeft = state.withLock { state in
      (state.stream, state.number) = (stream, number)
      return state.hasLeft
    }
    if hasLeft { stream.leave(number) }
  }

  private func leave() {
    let (stream, number) = state.withLock { state in
      state.hasLeft = true
      return (state.stream, state.number)
    }
    if let stream, let number { stream.leave(number) }
  }
}
