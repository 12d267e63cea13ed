import Fixtures
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a service said that a test did not expect.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// A part of a list, as one of the services gives it.
private struct Page<Model: Decodable>: Decodable {
  var data, results, items: [Model]?
  var next: String?
}

/// A row of which only the id is looked at.
private struct Row: Decodable {
  let id: String
}

/// Several requests to Kinto in one.
private struct Batch<Model: Encodable>: Encodable {
  struct Request: Encodable {
    var method = "PUT"
    let path: String
    let body: [String: Model]
  }

  let requests: [Request]
}

// What tests do at a service without the library that they test.
extension RealService {
  /// Where its cars are.
  private var list: String {
    switch self {
    case .kinto: "/v1/buckets/main/collections/cars/records"
    case .djangoFixed, .djangoSized, .djangoOffsets: "/cars/"
    case .pocketBase: "/api/collections/cars/records"
    }
  }

  private func path(_ id: String) -> String {
    isDjango ? "\(list)\(id)/" : "\(list)/\(id)"
  }

  /// All cars that it has, as it has them.
  func rows<Model: ServiceCar>(_ type: Model.Type = Model.self) async throws -> [Model] {
    switch self {
    case .kinto: return try await pages("\(list)?_limit=100&_sort=id")
    case .djangoFixed: return try await pages(list)
    case .djangoSized: return try await pages("\(list)?page_size=100")
    case .djangoOffsets: return try await pages("\(list)?limit=100")
    case .pocketBase: return try await pages("\(list)?perPage=1000&sort=id")
    }
  }

  private func pages<Model: Decodable>(_ path: String) async throws -> [Model] {
    var all: [Model] = []
    var next: String? = address.absoluteString + path
    while let url = next {
      let (data, answer) = try await send("GET", url)
      let page = try JSONDecoder().decode(Page<Model>.self, from: data)
      all += page.data ?? page.results ?? page.items ?? []
      next = page.next ?? answer.value(forHTTPHeaderField: "Next-Page")
    }
    return all
  }

  /// Removes all cars.
  func empty() async throws {
    switch self {
    case .kinto:
      // It removes a page of them at a time.
      while try await !(pages(list) as [Row]).isEmpty {
        try await send("DELETE", address.absoluteString + list)
      }
    case .djangoFixed, .djangoSized, .djangoOffsets:
      try await send("POST", address.absoluteString + "/_rows")
    case .pocketBase:
      let rows: [Row] = try await pages("\(list)?perPage=1000")
      try await each(rows) { try await send("DELETE", address.absoluteString + path($0.id)) }
    }
  }

  /// Takes away the stars that the reader has given to airports of PocketBase.
  func emptyStars() async throws {
    let stars = "/api/collections/stars/records"
    for row in try await pages("\(stars)?perPage=1000") as [Row] {
      try await send("DELETE", "\(address.absoluteString)\(stars)/\(row.id)")
    }
  }

  /// Stores cars, in their order, where there were none.
  ///
  /// - Returns: What it then has; Django has ids of its own.
  @discardableResult
  func fill<Model: ServiceCar>(_ cars: [Model]) async throws -> [Model] {
    switch self {
    case .kinto:
      for start in stride(from: 0, to: cars.count, by: 25) {
        let requests = cars[start...].prefix(25).map { car in
          Batch<Model>.Request(path: String(path("\(car.id)").dropFirst(3)), body: ["data": car])
        }
        try await ask(
          "POST", address.absoluteString + "/v1/batch", Batch(requests: requests))
      }
    case .djangoFixed, .djangoSized, .djangoOffsets:
      let columns = try JSONSerialization.jsonObject(with: JSONEncoder().encode(cars))
      let rows = (columns as? [[String: Any]] ?? []).map { $0.filter { $0.key != "id" } }
      let body = try JSONSerialization.data(withJSONObject: rows)
      try await send("POST", address.absoluteString + "/_rows", body)
    case .pocketBase:
      try await each(cars) { try await add($0) }
    }
    return try await rows()
  }

  /// Adds a car.
  func add(_ car: some ServiceCar) async throws {
    if self == .kinto {
      try await ask("PUT", address.absoluteString + path("\(car.id)"), ["data": car])
    } else {
      try await ask("POST", address.absoluteString + list, car)
    }
  }

  /// Removes a car.
  func remove(_ car: some ServiceCar) async throws {
    try await send("DELETE", address.absoluteString + path("\(car.id)"))
  }

  private func each<Element: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, element) in elements.enumerated() {
        if number >= 4 { try await group.next() }
        group.addTask { try await body(element) }
      }
      try await group.waitForAll()
    }
  }

  @discardableResult
  private func ask(
    _ method: String, _ url: String, _ body: some Encodable
  ) async throws -> (Data, HTTPURLResponse) {
    try await send(method, url, JSONEncoder().encode(body))
  }

  @discardableResult
  private func send(
    _ method: String, _ url: String, _ body: Data? = nil
  ) async throws -> (Data, HTTPURLResponse) {
    guard let url = URL(string: url) else { throw Unexpected(description: "No address: \(url)") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.httpBody = body
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    let (data, answer) = try await URLSession.shared.data(for: request)
    guard let answer = answer as? HTTPURLResponse, answer.statusCode < 300 else {
      throw Unexpected(description: "\(method) \(url): \(String(decoding: data, as: UTF8.self))")
    }
    return (data, answer)
  }
}
