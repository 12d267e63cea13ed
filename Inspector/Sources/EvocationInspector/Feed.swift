import Evocation
import EvocationInspection
import FlyingFox
import Foundation

/// Sends inspections to a page as they change, and does what its buttons ask for.
struct Feed: WSMessageHandler {
  /// A button that was pressed.
  struct Command: Decodable {
    enum Action: String, Decodable {
      case reveal, hide, validate, pause, resume, flush, invalidate, retry, discard
    }

    var action: Action
    /// The id of the cache or of the entry that it is about.
    var id: String?
  }

  /// A message to the page.
  enum Message: Encodable {
    case inspection(Inspection)
    case notice(String, isError: Bool)

    private enum Key: String, CodingKey { case inspection, notice, isError }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Key.self)
      switch self {
      case .inspection(let inspection): try fields.encode(inspection, forKey: .inspection)
      case .notice(let text, let isError):
        try fields.encode(text, forKey: .notice)
        try fields.encode(isError, forKey: .isError)
      }
    }
  }

  private let evocation: Evocation
  private let interval: Duration

  init(_ evocation: Evocation, _ interval: Duration) {
    self.evocation = evocation
    self.interval = interval
  }

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, sending) = AsyncStream.makeStream(
      of: WSMessage.self, bufferingPolicy: .bufferingNewest(16))
    let task = Task {
      var showing = show(revealing: false, to: sending)
      defer { showing.cancel() }
      for await case .text(let text) in client {
        guard let command = try? JSONDecoder().decode(Command.self, from: Data(text.utf8)) else {
          Self.send(
            .notice("The page sent something unknown; reload it.", isError: true), to: sending)
          continue
        }
        switch command.action {
        case .reveal, .hide:
          showing.cancel()
          showing = show(revealing: command.action == .reveal, to: sending)
        case .validate, .pause, .resume, .flush, .invalidate, .retry, .discard:
          Self.send(await done(command), to: sending)
        }
      }
      sending.finish()
    }
    sending.onTermination = { _ in task.cancel() }
    return messages
  }

  private func show(
    revealing: Bool, to sending: AsyncStream<WSMessage>.Continuation
  ) -> Task<Void, Never> {
    Task { [evocation, interval] in
      for await inspection in evocation.inspections(revealing: revealing, every: interval) {
        Self.send(.inspection(inspection), to: sending)
      }
    }
  }

  private static func send(
    _ message: Message, to sending: AsyncStream<WSMessage>.Continuation
  ) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .millisecondsSince1970
    guard let data = try? encoder.encode(message) else { return }
    sending.yield(.text(String(decoding: data, as: UTF8.self)))
  }

  /// Does what a button asks for, and returns what there is to say of it.
  private func done(_ command: Command) async -> Message {
    do {
      return .notice(try await result(of: command), isError: false)
    } catch {
      return .notice(error.localizedDescription, isError: true)
    }
  }

  private func result(of command: Command) async throws -> String {
    switch command.action {
    case .reveal, .hide: return ""
    case .validate:
      await evocation.validate()
      return "Observed caches are validated."
    case .pause:
      evocation.outbox.pause()
      return "Sending is paused."
    case .resume:
      evocation.outbox.resume()
      return "Sending goes on."
    case .flush:
      let result = await evocation.outbox.flush(deadline: .seconds(10))
      return "Sent \(result.sent), left \(result.left), parked \(result.parked)."
    case .invalidate:
      let inspection = await evocation.inspection()
      let caches = inspection.caches + inspection.lists
      guard let cache = caches.first(where: { $0.id == command.id }) else { return Self.gone }
      try await evocation.invalidate(cache)
      return "The \(cache.name) is stale now."
    case .retry, .discard:
      let entries = await evocation.inspection().outbox.entries
      guard let entry = entries.first(where: { $0.id == command.id }) else { return Self.gone }
      guard command.action == .discard else {
        try await evocation.outbox.retry(entry)
        return "The \(entry.kind.rawValue) of \(entry.model) is sent again."
      }
      try await evocation.outbox.discard(entry)
      return "The \(entry.kind.rawValue) of \(entry.model) is discarded."
    }
  }

  private static let gone = "It is gone already."
}
