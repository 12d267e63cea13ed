import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct InMemoryRepositoryTests {
  private func item(_ id: String, _ value: Int = 0) -> Item { Item(id: id, value: value) }

  @Test func `it holds the models that it was made with, of one id the last, in id order`()
    async throws
  {
    let repository = InMemoryRepository([item("b"), item("a", 1), item("c"), item("a", 2)])
    let all = try await repository.find(Criteria()).value
    #expect(all == [item("a", 2), item("b"), item("c")])
    #expect(try await InMemoryRepository<Item>().find(Criteria()).value.isEmpty)
  }

  @Test func `store adds all models or none`() async throws {
    let repository = InMemoryRepository([item("a", 1), item("d")])
    #expect(try await repository.store([item("c"), item("b")]).value == [item("c"), item("b")])
    #expect(try await repository.storeOne(item("e")).value == item("e"))
    await #expect(throws: EvocationError.alreadyExists(["a", "d"])) {
      try await repository.store([item("x"), item("a", 2), item("d")])
    }
    await #expect(throws: EvocationError.alreadyExists(["x"])) {
      try await repository.store([item("x"), item("x"), item("x")])
    }
    let all = try await repository.find(Criteria()).value
    #expect(all == [item("a", 1), item("b"), item("c"), item("d"), item("e")])
  }

  @Test func `update changes what is there and gives it`() async throws {
    let repository = InMemoryRepository([item("a"), item("b")])
    let updated = try await repository.update([item("b", 1), item("x"), item("b", 2), item("a", 3)])
    #expect(updated.value == [item("b", 2), item("a", 3)])
    #expect(try await repository.updateOne(item("x")).value == nil)
    #expect(try await repository.updateOne(item("a", 4)).value == item("a", 4))
    #expect(try await repository.find(Criteria()).value == [item("a", 4), item("b", 2)])
  }

  @Test func `storeOrUpdate adds and changes, and of one id the later wins`() async throws {
    let repository = InMemoryRepository([item("a"), item("b")])
    let written = try await repository.storeOrUpdate([item("c", 1), item("a", 1), item("c", 2)])
    #expect(written.value == [item("c", 2), item("a", 1)])
    #expect(try await repository.find(Criteria()).value == [item("a", 1), item("b"), item("c", 2)])
  }

  @Test func `remove goes by id and gives what was there`() async throws {
    let repository = InMemoryRepository([item("a", 1), item("b", 2), item("c", 3)])
    let removed = try await repository.remove([item("c"), item("x"), item("a"), item("a")]).value
    #expect(removed == [item("c", 3), item("a", 1)])
    #expect(try await repository.removeOne(item("a")).value == nil)
    #expect(try await repository.removeOne(item("b")).value == item("b", 2))
    #expect(try await repository.find(Criteria()).value.isEmpty)
  }

  @Test func `many changes at once leave the same as one by one`() async throws {
    var generator = Trials.random("bulk")
    let bulk = InMemoryRepository<Item>()
    var expected: [String: Item] = [:]
    for _ in 0..<60 {
      let items = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        item("\(Int.random(in: 0..<50, using: &generator))", .random(in: 0..<9, using: &generator))
      }
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        _ = try await bulk.remove(items)
        for item in items { expected[item.id] = nil }
      case 1:
        _ = try await bulk.update(items)
        for item in items where expected[item.id] != nil { expected[item.id] = item }
      default:
        _ = try await bulk.storeOrUpdate(items)
        for item in items { expected[item.id] = item }
      }
      let sorted = expected.values.sorted {
        Array($0.id.utf8).lexicographicallyPrecedes($1.id.utf8)
      }
      #expect(try await bulk.find(Criteria()).value == sorted)
    }
  }

  @Test func `one id is looked up, whatever else was given as the same value`() async throws {
    let repository = InMemoryRepository([Sample(id: 1), Sample(2) { $0.name = "x" }])
    #expect(try await repository.find(["id": 2]).value.map(\.name) == ["x"])
    #expect(try await repository.find(["id": 2.0]).value.count == 1)
    #expect(try await repository.find(["id": 2.5]).value.isEmpty)
    #expect(try await repository.find(["id": nil]).value.isEmpty)
    #expect(try await repository.find((Criteria.Key("id") == 2).limit(0)).value.isEmpty)
    #expect(try await repository.findOne(["id": 3]).value == nil)
    #expect(try await repository.findOne(["id": 1]).value?.id == 1)
    await #expect(throws: EvocationError.self) { try await repository.find(["id": "x"]) }
  }

  @Test func `ids are told apart by their bytes, and composite ids part by part`() async throws {
    let accents = InMemoryRepository([item("e\u{301}"), item("\u{e9}")])
    #expect(try await accents.find(Criteria()).value.count == 2)
    #expect(try await accents.find(["id": "\u{e9}"]).value.count == 1)
    let pairs = [(2, "a"), (1, "b"), (1, "a")].map { Paired(id: .init(number: $0, name: $1)) }
    let repository = InMemoryRepository(pairs)
    let all = try await repository.find(Criteria()).value
    #expect(all.map(\.id.number) == [1, 1, 2])
    #expect(all.map(\.id.name) == ["a", "b", "a"])
    #expect(
      try await repository.find(Criteria().after(Criteria().cursor(at: all[0]))).value.count == 2)
    await #expect(throws: EvocationError.alreadyExists(["1/b"])) {
      try await repository.storeOne(Paired(id: .init(number: 1, name: "b")))
    }
    let computed = InMemoryRepository([Computed(vin: "b"), Computed(vin: "a")])
    #expect(try await computed.find(Criteria()).value.map(\.vin) == ["a", "b"])
    await #expect(throws: EvocationError.unknownKey("id", model: "", nearest: [])) {
      try await computed.find(["id": "a"])
    }
  }

  @Test func `a key that the model lacks is an error even where there is no model`() async throws {
    let repository = InMemoryRepository<Item>()
    await #expect(throws: EvocationError.unknownKey("colour", model: "Item", nearest: [])) {
      try await repository.find(["colour": 1])
    }
    await #expect(throws: EvocationError.unknownKey("colour", model: "Item", nearest: [])) {
      try await repository.mirror([item("a")], for: ["colour": 1])
    }
    #expect(try await repository.find(Criteria()).value.isEmpty)
  }

  @Test func `a model is coded once at most, and not at all for everything or an id`() async throws
  {
    let repository = InMemoryRepository((0..<4).map { Counted(id: $0) })
    // Its type has been learned, once for the process.
    Counted.counts.withLock { $0 = [:] }
    _ = try await repository.find(Criteria())
    _ = try await repository.find(Criteria().limit(2))
    _ = try await repository.find(["id": 2])
    #expect(Counted.counts.withLock { $0 }.isEmpty)
    _ = try await repository.find(Criteria.Key("name").hasPrefix("x"))
    _ = try await repository.find(Criteria().sorted(by: "name"))
    #expect(Counted.counts.withLock { $0 } == [0: 1, 1: 1, 2: 1, 3: 1])
  }

  @Test func `mirror leaves what was answered, and removes the rest of what matches`() async throws
  {
    let repository = InMemoryRepository([item("a", 1), item("b", 1), item("c", 2), item("d", 1)])
    let removed = try await repository.mirror([item("b", 1), item("e", 1)], for: ["value": 1])
    #expect(removed.value == [item("a", 1), item("d", 1)])
    #expect(try await repository.find(Criteria()).value.map(\.id) == ["b", "c", "e"])
    let kept = try await repository.mirror([item("z", 9)], for: Criteria().offset(1)).value
    #expect(kept.isEmpty)
    #expect(try await repository.mirror([], for: Criteria().limit(0)).value.isEmpty)
    #expect(try await repository.mirror([], for: Criteria()).value.count == 4)
  }

  @Test func `mirror does what the default implementation does, page or not`() async throws {
    var generator = Trials.random("mirror")
    for _ in 0..<200 {
      func some(_ count: Int) -> [Item] {
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in
          item(
            "\(Int.random(in: 0..<12, using: &generator))", .random(in: 0...3, using: &generator))
        }
      }
      let (held, answer) = (some(12), some(5))
      var criteria = Bool.random(using: &generator) ? Criteria() : ["value": 1]
      if Bool.random(using: &generator) {
        criteria = criteria.sorted(by: "value", descending: true)
      }
      if Bool.random(using: &generator) {
        criteria = criteria.limit(.random(in: 0...4, using: &generator))
      }
      if Int.random(in: 0..<5, using: &generator) == 0 { criteria = criteria.offset(1) }
      let fast = InMemoryRepository(held)
      let slow = Plain(base: InMemoryRepository(held))
      let removed = try await fast.mirror(answer, for: criteria).value
      #expect(try await slow.mirror(answer, for: criteria).value == removed)
      #expect(try await slow.find(Criteria()).value == fast.find(Criteria()).value)
    }
  }
}

extension InMemoryRepositoryTests {
  struct Item: Codable, Identifiable, Sendable, Equatable {
    var id: String
    var value: Int
  }

  struct Paired: Codable, Identifiable, Sendable {
    struct ID: Codable, Hashable, Sendable {
      var number: Int
      var name: String
    }

    var id: ID
  }

  struct Computed: Codable, Identifiable, Sendable {
    var vin: String
    var id: String { vin }
  }

  /// Counts how often each of it was coded.
  struct Counted: Codable, Identifiable, Sendable {
    static let counts = Lock<[Int: Int]>([:])

    var id: Int
    var name = ""

    enum CodingKeys: CodingKey { case id, name }

    init(id: Int) { self.id = id }

    func encode(to encoder: any Encoder) throws {
      Self.counts.withLock { $0[id, default: 0] += 1 }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(name, forKey: .name)
    }
  }

  /// A repository with nothing of its own beyond the requirements.
  struct Plain: ForwardingRepository {
    let base: InMemoryRepository<Item>
  }
}
