import Evocation
import EvocationHTTP
import Foundation

/// A service and the format in which the library uses it.
struct Source: Sendable {
  let service: HTTPService
  let format: HTTPFormat
  let connection: Connection
  /// The words that name it in a command, with its address, and `live` if its changes are followed.
  let words: String
  /// Returns the path of the models with a name.
  let path: @Sendable (String) -> String

  /// Whether the changes of the service are followed.
  var isLive: Bool { format.live != nil }

  /// Returns a service with rows of tables, as in PostgREST and Supabase.
  static func rows(at url: URL, isLive: Bool) -> Source {
    var configuration = HTTPService.Configuration()
    configuration.headers = ["apikey": "public"]
    var format = HTTPFormat.rest
    format.routes = .postgREST
    format.filters = .postgREST
    format.filters.largestPage = 1000
    format.next = .offset
    format.total = .contentRange
    if isLive {
      // A relay passes on what Supabase Realtime sends over its WebSocket.
      var changes = HTTPFormat.Live.Table(
        action: .key("data.type"), stored: ["INSERT", "UPDATE"], removed: ["DELETE"],
        missed: ["TRUNCATE"], model: "data.record", id: "data.old_record.id")
      changes.names = ["postgres_changes"]
      changes.topic = .key("data.table")
      format.live = HTTPFormat.Live(.init("GET", "events"), reading: changes)
    }
    return Source(url, configuration, format, words: "rows \(url.absoluteString)") { $0 }
  }

  /// Returns a PocketBase service with the collections `airports` and `stars`.
  static func pocketBase(at url: URL, isLive: Bool) -> Source {
    var format = HTTPFormat.pocketBase
    // PocketBase ignores case when it searches inside a text. The reader searches with case, so
    // Evocation does it.
    format.filtersHere = true
    if !isLive { format.live = nil }
    return Source(
      url.appending(path: "api"), HTTPService.Configuration(), format,
      words: "pocketbase \(url.absoluteString)"
    ) { "collections/\($0)/records" }
  }

  /// Returns the source that words name, such as `pocketbase http://127.0.0.1:8090`; nil for none.
  static func named(_ words: String) -> Source? {
    let parts = words.split(separator: " ")
    let isLive = parts.last == "live"
    guard parts.count == (isLive ? 3 : 2), let url = URL(string: String(parts[1])),
      url.host() != nil
    else {
      return nil
    }
    return switch parts[0] {
    case "rows": .rows(at: url, isLive: isLive)
    case "pocketbase": .pocketBase(at: url, isLive: isLive)
    default: nil
    }
  }

  private init(
    _ url: URL, _ configuration: HTTPService.Configuration, _ format: HTTPFormat, words: String,
    path: @escaping @Sendable (String) -> String
  ) {
    let connection = Connection()
    var configuration = configuration
    configuration.transport = connection
    service = HTTPService(url, configuration: configuration)
    (self.format, self.connection, self.path) = (format, connection, path)
    self.words = format.live == nil ? words : words + " live"
  }
}

/// The connection to a service, which the reader can cut.
final class Connection: HTTPTransport, Connectivity {
  private struct State {
    var isCut = false
    var observers: [AsyncStream<Bool>.Continuation] = []
  }

  private let transport = URLSessionTransport()
  private let state = Lock(State())

  var isCut: Bool {
    get { state.withLock { $0.isCut } }
    set {
      state.withLock { state in
        state.isCut = newValue
        for observer in state.observers { observer.yield(!newValue) }
      }
    }
  }

  var isOnline: Bool { !isCut }

  func changes() -> AsyncStream<Bool> {
    let (changes, observer) = AsyncStream.makeStream(of: Bool.self)
    state.withLock { $0.observers.append(observer) }
    return changes
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    guard !isCut else { throw HTTPError(.refused) }
    return try await transport.send(request)
  }
}
