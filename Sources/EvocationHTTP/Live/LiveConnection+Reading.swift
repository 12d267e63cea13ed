import Evocation
import Foundation

/// What a connection does with what arrives, and what it asks for.
extension LiveConnection {
  /// Expects the greeting, or any sign, within its time; nothing while a full queue holds it back.
  func expect() {
    let (isGreeted, isHeld) = state.withLock { ($0.greeting != nil, $0.isHeld) }
    if isHeld { return }
    if let greeting = live.greeting, !isGreeted {
      watch.expectFirst(within: live.greetingTimeout) { [weak self] time in
        guard let self else { return }
        fail(HTTPError(missing: greeting, after: time, method: live.route.method, url: url))
      }
    } else {
      watch.expect(within: live.longestSilence) { [weak self] time in
        guard let self else { return }
        fail(HTTPError(silence: time, method: live.route.method, url: url))
      }
    }
  }

  /// Takes what arrives.
  func take(_ sign: LiveSign) async throws {
    state.withLock { $0.hasSigns = true }
    switch sign {
    case .retry(let retry): state.withLock { $0.retry = retry }
    case .heartbeat: break
    case .unreadable: try await pass(.init(), .unreadable(), to: nil)
    case .event(let event):
      let size = event.data.count + event.name.utf8.count + (event.id?.utf8.count ?? 0)
      guard size <= largestEvent else { throw tooLarge }
      try await take(event)
    }
    try Task.checkCancellation()
    expect()
  }

  private func take(_ event: ServerSentEvent) async throws {
    let isGreeting = state.withLock { state in
      guard event.name == live.greeting, state.greeting == nil else { return false }
      state.greeting = event
      return true
    }
    if isGreeting { return stream.handle(.greeted, from: self) }
    for format in stream.formats(of: self) {
      guard let message = message(of: event, in: format) else { continue }
      try await take(event, message, of: format)
    }
  }

  private func take(
    _ event: ServerSentEvent, _ message: HTTPFormat.Live.Message, of format: HTTPFormat.Live
  ) async throws {
    for case .ended(let status) in message.changes where stream.has(message.topic, of: self) {
      throw HTTPError(
        HTTPError.code(of: status), method: live.route.method, url: url, status: status)
    }
    if message.changes != [.subscribed] { try await pass(event, message, to: format.reading) }
    if message.changes.contains(.subscribed) { end(subscription: .confirmed(topic: message.topic)) }
  }

  private func message(
    of event: ServerSentEvent, in format: HTTPFormat.Live
  ) -> HTTPFormat.Live.Message? {
    do { return try format.read(event) } catch { return .unreadable() }
  }

  /// Passes an event on to the readers that it concerns, and waits until they have room for more.
  private func pass(
    _ event: ServerSentEvent, _ message: HTTPFormat.Live.Message,
    to reading: HTTPFormat.Live.Reading?
  ) async throws {
    let queues = stream.deliver(event, message, to: reading, from: self)
    if message.isUnreadable, !queues.isEmpty { logMessage("sent an event that does not decode") }
    for queue in queues {
      guard let room = queue.room() else { continue }
      state.withLock { $0.isHeld = true }
      watch.pause()
      await room.value(ifCancelled: ())
      state.withLock { $0.isHeld = false }
    }
  }

  /// Sends a subscription to topics.
  func ask(_ topics: [String]) async throws {
    if let subscription = live.subscription { try await send(subscription, topics) }
    let subscribe = state.withLock { $0.subscribe }
    if subscribe != nil || live.confirmsTopics {
      subscribing.expect(within: live.greetingTimeout) { [weak self] time in
        guard let self else { return }
        fail(HTTPError(unsubscribed: time, method: live.route.method, url: url))
      }
    }
    try await subscribe?(topics)
    end(subscription: .subscribed)
  }

  private func send(
    _ subscription: HTTPFormat.Live.Subscription, _ topics: [String]
  ) async throws {
    let greeting = state.withLock { $0.greeting }
    let body: Data
    do { body = try subscription.body(greeting, topics) } catch {
      throw HTTPError(
        .undecodable, method: live.route.method, url: url, status: 200,
        reason: "a greeting that does not decode", underlying: error)
    }
    var request = try client.request(subscription.route, body: body)
    request.headers["Content-Type"] = "application/json"
    request.session = nil
    _ = try await client.send(request)
  }

  /// Records how far a subscription has come.
  private func end(subscription event: LiveMachine.Event) {
    stream.handle(event, from: self)
    if !stream.isSubscribing(self) { subscribing.pause() }
  }
}
