import Fixtures
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a service said that a test did not expect.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// A part of a list, as Kinto or PocketBase gives it.
private struct Page<Model: Decodable>: Decodable {
  var data, items: [Model]?
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

/// A resource of JSON:API of which only the maker is looked at.
private struct Resource: Codable {
  struct Car: Codable {
    let type, id: String
    let relationships: Relationships
  }

  struct Relationships: Codable {
    struct Maker: Codable { let data: Identity }
    struct Identity: Codable { let type, id: String }

    let maker: Maker

    init(maker: String) { self.maker = Maker(data: Identity(type: "makers", id: maker)) }
  }

  let data: Car
}

// What tests do at a service without the library that they test.
extension RealService {
  /// Where its cars are; nil where its launcher has them at `/_rows` besides.
  private var list: String? {
    switch self {
    case .kinto, .kintoInMemory: "/v1/buckets/main/collections/cars/records"
    case .pocketBase: "/api/collections/cars/records"
    case .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .datasette, .fastAPI, .eve,
      .graphQL:
      nil
    }
  }

  /// All cars that it has, as it has them.
  func rows<Model: ServiceCar>(_ type: Model.Type = Model.self) async throws -> [Model] {
    guard let list else {
      let (data, _) = try await send("GET", "/_rows")
      return try JSONDecoder().decode([Model].self, from: data)
    }
    return try await pages(list + (isKinto ? "?_limit=100&_sort=id" : "?perPage=1000&sort=id"))
  }

  private func pages<Model: Decodable>(_ path: String) async throws -> [Model] {
    var all: [Model] = []
    var next: String? = path
    while let path = next {
      let (data, answer) = try await send("GET", path)
      let page = try JSONDecoder().decode(Page<Model>.self, from: data)
      all += page.data ?? page.items ?? []
      next = answer.value(forHTTPHeaderField: "Next-Page").map {
        String($0.dropFirst(address.absoluteString.count))
      }
    }
    return all
  }

  /// Removes all cars.
  func empty() async throws {
    guard let list else {
      try await ask("PUT", "/_rows", [RowCar]())
      return
    }
    if isKinto {
      // It removes a page of them at a time.
      while try await !(pages(list) as [Row]).isEmpty { try await send("DELETE", list) }
    } else {
      let rows: [Row] = try await pages("\(list)?perPage=1000")
      try await each(rows) { try await send("DELETE", "\(list)/\($0.id)") }
    }
  }

  /// Takes away the stars that the reader has given to airports of PocketBase.
  func emptyStars() async throws {
    let stars = "/api/collections/stars/records"
    for row in try await pages("\(stars)?perPage=1000") as [Row] {
      try await send("DELETE", "\(stars)/\(row.id)")
    }
  }

  /// Stores cars, in their order, where there were none.
  ///
  /// - Returns: What it then has; some services have ids of their own.
  @discardableResult
  func fill<Model: ServiceCar>(_ cars: [Model]) async throws -> [Model] {
    if list == nil {
      try await send("PUT", "/_rows", rows(of: cars))
    } else if isKinto {
      for start in stride(from: 0, to: cars.count, by: 25) {
        let requests = cars[start...].prefix(25).map { car in
          Batch<Model>.Request(
            path: "/buckets/main/collections/cars/records/\(car.id)", body: ["data": car])
        }
        try await ask("POST", "/v1/batch", Batch(requests: requests))
      }
    } else {
      try await each(cars) { try await add($0) }
    }
    return try await rows()
  }

  /// What the launcher is given for cars, without ids where the service gives them.
  private func rows(of cars: [some ServiceCar]) throws -> Data {
    let data = try JSONEncoder().encode(cars)
    guard givesIdentifiers else { return data }
    let columns = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    return try JSONSerialization.data(withJSONObject: columns.map { $0.filter { $0.key != "id" } })
  }

  /// Adds a car, which has its own id also where the service gives one.
  func add(_ car: some ServiceCar) async throws {
    guard let list else {
      try await ask("POST", "/_rows", car)
      return
    }
    if isKinto {
      try await ask("PUT", "\(list)/\(car.id)", ["data": car])
    } else {
      try await ask("POST", list, car)
    }
  }

  /// Removes a car.
  func remove(_ car: some ServiceCar) async throws {
    try await send("DELETE", list.map { "\($0)/\(car.id)" } ?? "/_rows?id=\(car.id)")
  }

  /// Sets the maker of a resource of JSON:API.
  func relate(_ car: String, to maker: String) async throws {
    let body = Resource(data: .init(type: "cars", id: car, relationships: .init(maker: maker)))
    try await ask("PATCH", "/cars/\(car)", body, as: "application/vnd.api+json")
  }

  /// The id of a resource's maker.
  func relative(of car: String) async throws -> String {
    let (data, _) = try await send("GET", "/cars/\(car)")
    return try JSONDecoder().decode(Resource.self, from: data).data.relationships.maker.data.id
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
    _ method: String, _ path: String, _ body: some Encodable, as type: String = "application/json"
  ) async throws -> (Data, HTTPURLResponse) {
    try await send(method, path, JSONEncoder().encode(body), as: type)
  }

  @discardableResult
  private func send(
    _ method: String, _ path: String, _ body: Data? = nil, as type: String = "application/json"
  ) async throws -> (Data, HTTPURLResponse) {
    guard let url = URL(string: address.absoluteString + path) else {
      throw Unexpected(description: "No address: \(path)")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.httpBody = body
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let (data, answer) = try await URLSession.shared.data(for: request)
    guard let answer = answer as? HTTPURLResponse, answer.statusCode < 300 else {
      throw Unexpected(description: "\(method) \(url): \(String(decoding: data, as: UTF8.self))")
    }
    return (data, answer)
  }
}
