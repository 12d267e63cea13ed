/// A service that lists departures, whole or by pages of two.
struct DepartureService: Sendable {
  struct Page: Sendable {
    var departures: [Departure]
    var isLast: Bool
  }

  let destinations: [String]

  func departures(from station: String) async throws -> [Departure] {
    destinations.enumerated().map { Departure(id: $0.offset, destination: $0.element) }
  }

  func departures(from station: String, page: Int) async throws -> Page {
    let all = try await departures(from: station)
    let start = (page - 1) * 2
    return Page(departures: Array(all.dropFirst(start).prefix(2)), isLast: start + 2 >= all.count)
  }
}
