import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// Another device of the user: it changes airports and stars at the service, and has no file.
struct Elsewhere {
  private let airports: HTTPRepository<Airport>
  private let stars: HTTPRepository<Star>
  /// Prints what it does.
  private let say: @Sendable (String) -> Void

  init(_ source: Source, say: @escaping @Sendable (String) -> Void) {
    self.say = say
    airports = HTTPRepository(source.service, source.path("airports"), format: source.format)
    stars = HTTPRepository(source.service, source.path("stars"), format: source.format)
  }

  func rename(_ airport: Airport, to name: String) async throws {
    var renamed = airport
    renamed.name = name
    _ = try await airports.updateOne(renamed)
    say("\(airport.id) is now \(name)")
  }

  func giveStar(to airport: Airport) async throws {
    _ = try await stars.storeOne(Star(id: airport.id, name: airport.name))
    say("\(airport.id) gets a star")
  }

  func removeStar(of airport: Airport) async throws {
    _ = try await stars.removeOne(Star(id: airport.id, name: airport.name))
    say("\(airport.id) loses its star")
  }

  /// Changes the first airports of the list, one after another, until the process or its input ends.
  static func run(folder: URL) async throws {
    guard let source = Watcher.source(in: folder) else { return }
    let device = Elsewhere(source) { text in
      FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
    let first = Criteria.Of<Airport>().sorted(by: \.name).limit(6).criteria
    var turn = 0
    while true {
      do {
        let airports = try await device.airports.find(first).value
        if airports.isEmpty { return print("The service has no airports.") }
        let airport = airports[turn % airports.count]
        try await turn % 2 == 0 ? device.toggleName(of: airport) : device.toggleStar(of: airport)
        turn += 1
      } catch {
        print("The service does not answer: it is tried again.")
      }
      try await Task.sleep(for: .seconds(3))
    }
  }

  /// Renames an airport, or gives it its former name.
  private func toggleName(of airport: Airport) async throws {
    let (name, suffix) = (airport.name, " (closed)")
    let isClosed = name.hasSuffix(suffix)
    try await rename(airport, to: isClosed ? String(name.dropLast(suffix.count)) : name + suffix)
  }

  /// Gives an airport a star, or removes it.
  private func toggleStar(of airport: Airport) async throws {
    let isGiven = try await stars.findOne(["id": airport.id]).value != nil
    try await isGiven ? removeStar(of: airport) : giveStar(to: airport)
  }
}
