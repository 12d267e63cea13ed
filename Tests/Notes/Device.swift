import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import NotesModel

/// A device with the app, its file, and the server that it can lose and find again.
@MainActor
final class Device {
  static let harbour = Note(title: "Harbour", text: "The ferry leaves at seven.")
  static let market = Note(title: "Market", text: "Bread, plums, a jar of honey.")

  private(set) var notebook: Notebook
  private let folder: URL
  private let port: Int
  private var service: Service?

  /// Starts a server with two notes, and opens an app that has not fetched them yet.
  init() async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try JSONEncoder().encode([Self.harbour, Self.market])
      .write(to: folder.appending(path: "notes.json"))
    let service = try await Self.start(folder, port: 0)
    (self.service, port) = (service, service.port)
    notebook = try Self.open(service.url, in: folder)
  }

  /// Ends the app, and starts it again with its file.
  func restart() throws {
    guard let url = service?.url else { throw URLError(.cannotConnectToHost) }
    notebook = try Self.open(url, in: folder)
  }

  private static func open(_ url: URL, in folder: URL) throws -> Notebook {
    // Without the pauses that spare a server of many devices.
    let retry = Strategy.Retry(
      attempts: .max, delay: .milliseconds(20), maximumDelay: .milliseconds(100))
    return try Notebook(
      server: url, file: folder.appending(path: "notes.sqlite").path,
      configuration: .init(outbox: .init(retry: retry)))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What the server has, by title.
  var onServer: [Note] {
    get async throws { try await server.find(Criteria().sorted(by: "title")).value }
  }

  /// Another device changes a note.
  func changeElsewhere(_ note: Note) async throws { _ = try await server.updateOne(note) }

  /// Another device removes a note.
  func removeElsewhere(_ note: Note) async throws { _ = try await server.removeOne(note) }

  /// Has the server refuse all writes of one method, as one does whose text is too long.
  func refuse(_ method: String, saying body: String? = nil) async throws {
    try await service?.control(.status(422, body: body).only(method: method))
  }

  /// Ends the refusals.
  func accept() async throws { try await service?.release() }

  func loseServer() {
    service?.stop()
    service = nil
  }

  func findServer() async throws { service = try await Self.start(folder, port: port) }

  /// What another app would use that reaches the same server.
  private var server: HTTPRepository<Note> {
    get throws {
      var address = URLComponents()
      (address.scheme, address.host, address.port) = ("http", "127.0.0.1", port)
      guard let url = address.url else { throw URLError(.badURL) }
      return HTTPRepository(HTTPService(url), "notes")
    }
  }

  /// Starts a server that keeps its notes, so that it has them again after a stop.
  private static func start(_ folder: URL, port: Int) async throws -> Service {
    try await Service.start(
      data: [folder.appending(path: "notes.json")],
      arguments: ["--state", folder.appending(path: "state").path], port: port)
  }
}
