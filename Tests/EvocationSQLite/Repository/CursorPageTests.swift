import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Pages after cursors, in each direction of each key, at values and at null.
@Suite(.patient) struct CursorPageTests {
  private struct Part: Codable, Identifiable, Sendable, Equatable {
    struct Maker: Codable, Sendable, Equatable { var city: String? }

    var id: Int
    var number: Int
    var price: Decimal?
    var made: Date?
    var maker: Maker?
  }

  private static let parts = (0..<36).map { index in
    Part(
      id: (index * 7) % 36, number: index % 3, price: index % 4 == 0 ? nil : Decimal(index % 5),
      made: index % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(index % 2)),
      maker: index % 5 == 0 ? nil : .init(city: index % 2 == 0 ? nil : "\(index % 3)"))
  }

  private static let keys: [Criteria.Key] = ["number", "price", "made", "maker.city"]

  private static let orders: [[(Criteria.Key, Bool)]] = keys.flatMap { first in
    [true, false].flatMap { isDown in
      [[(first, isDown)]]
        + keys.filter { $0.name != first.name }.flatMap { second in
          [true, false].map { [(first, isDown), (second, $0)] }
        }
    }
  }

  @Test(arguments: [[], keys.map { SQLiteIndex($0) }], [nil, Criteria.Key("number") >= 1])
  func `SQLite and memory answer alike after each model`(
    indexes: [SQLiteIndex], filter: Criteria?
  ) async throws {
    let memory = InMemoryRepository(Self.parts)
    let sqlite = try SQLiteRepository<Part>(.inMemory(), indexes: indexes)
    try await sqlite.store(Self.parts)
    for order in Self.orders {
      let sorted = order.reduce(filter ?? Criteria()) { $0.sorted(by: $1.0, descending: $1.1) }
      for part in Self.parts.prefix(12) {
        let rest = try sorted.after(sorted.cursor(at: part))
        for page in [rest, rest.limit(5), rest.limit(4).offset(3)] {
          let (found, expected) = try await (sqlite.find(page).value, memory.find(page).value)
          #expect(found == expected, "\(page)")
        }
        let (count, all) = try await (sqlite.count(rest), memory.find(rest).value.count)
        #expect(count == all, "\(rest)")
        #expect(try await sqlite.exists(rest) == (all > 0), "\(rest)")
      }
    }
  }

  @Test func `Removing and streaming after a cursor concern the models behind it`() async throws {
    let sqlite = try SQLiteRepository<Part>(.inMemory(), indexes: ["made"])
    try await sqlite.store(Self.parts)
    let memory = InMemoryRepository(Self.parts)
    let order = Criteria().sorted(by: "made", descending: true).sorted(by: "price")
    let rest = try order.after(order.cursor(at: Self.parts[4]))
    let expected = try await memory.find(rest).value
    var streamed: [Part] = []
    for try await part in sqlite.stream(rest) { streamed.append(part) }
    #expect(streamed == expected)
    #expect(try await sqlite.removeAll(matching: rest.limit(5)) == 5)
    #expect(try await sqlite.find(rest).value == Array(expected.dropFirst(5)))
    #expect(try await sqlite.removeAll(matching: rest) == expected.count - 5)
    #expect(try await sqlite.count() == Self.parts.count - expected.count)
  }
}
