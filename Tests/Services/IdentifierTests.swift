import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

/// Ids with whatever is in them: each is stored, found, changed and removed, or refused, and no other is touched.
@Suite(.patient) struct IdentifierTests {
  private static let odd = [
    "a b", " a", "", "a/b", "/", "//", "../cars", "..", ".", "a/../b", "a\\b", "ä", "e\u{301}", "車",
    "🏁",
    "a%2Fb",
    "a%b", "a?b", "a#b", "a&b=c", "a+b", "a,b", "\"a\"", "'a'", "a;b", "a:b", "a\nb", "null", "0",
    "-1",
    "6f9619ff-8b86-d011-b42d-00c04fc964ff", "6F9619FF-8B86-D011-B42D-00C04FC964FF",
    "abcdefghijklmno", "ABCDEFGHIJKLMNO", "012345678901234", "0123456789abcdef01234567",
    String(repeating: "a", count: 300),
  ]

  /// What each service takes for an id.
  private static func takes(_ id: String, _ service: RealService) -> Bool {
    switch service {
    case .kinto, .kintoInMemory: id.wholeMatch(of: /[a-zA-Z0-9][a-zA-Z0-9_\-]*/) != nil
    case .pocketBase: id.wholeMatch(of: /[a-z0-9]{15}/) != nil
    case .eve: id.wholeMatch(of: /[a-f0-9]{24}/) != nil
    case .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .datasette, .fastAPI, .graphQL: false
    }
  }

  @Test(
    arguments: RealService.running.filter { $0.model is any TextCar.Type && !$0.givesIdentifiers })
  func `An odd id reaches no other model`(service: RealService) async throws {
    func check<Model: TextCar>(_ type: Model.Type) async throws {
      let bystander = Model(car(900, "bystander"))
      // PocketBase gives a model without an id one of its own.
      for id in Self.odd + ["\(bystander.id)/", "/\(bystander.id)"]
      where !(service == .pocketBase && id.isEmpty) {
        try await service.empty()
        try await service.fill([bystander])
        let cars = repository(of: service, type)
        var model = Model(car(1, "odd"))
        model.id = id
        let isTaken = Self.takes(id, service)
        let comment = Comment(rawValue: "\(service) \(id.debugDescription)")
        do {
          #expect(try await cars.storeOne(model).value == model, comment)
          #expect(isTaken, comment)
          #expect(try await cars.findOne([service.identifierKey: id]).value == model, comment)
          let found = try await cars.find(service.identifierKey.in([id, "b"])).value
          #expect(found == [model], comment)
          model.name = "changed"
          #expect(try await cars.updateOne(model).value == model, comment)
          #expect(Set(try await service.rows(type)) == [model, bystander], comment)
          #expect(try await cars.removeOne(model).value != nil, comment)
        } catch {
          #expect(!isTaken, "\(comment): \(error)")
          #expect(FailureKind(error) != .transient, "\(comment): \(error)")
          // What is not stored cannot be found, changed or removed; an error says that it cannot be.
          _ = try? await cars.updateOne(model)
          _ = try? await cars.removeOne(model)
          if let one = try? await cars.findOne([service.identifierKey: id]).value {
            #expect(one.id == id, comment)
          }
        }
        #expect(try await service.rows(type) == [bystander], comment)
      }
    }
    let type = try #require(service.model as? any TextCar.Type)
    try await service.alone { try await check(type) }
  }

  @Test(arguments: RealService.running.filter(\.isKinto))
  func `A UUID that another client wrote in lower case is found`(service: RealService) async throws
  {
    try await service.alone {
      let id = UUID()
      var row = RecordCar(car(1, "lower"))
      row.id = id.uuidString.lowercased()
      try await service.fill([row])
      let parts = repository(of: service, Part.self)
      #expect(try await parts.find(Criteria()).value == [Part(id: id, name: "lower")])
      let found = try await parts.findOne(["id": id]).value
      #expect(found == Part(id: id, name: "lower"))
      _ = try await parts.storeOrUpdate([Part(id: id, name: "changed")])
      #expect(try await parts.find(Criteria()).value == [Part(id: id, name: "changed")])
    }
  }

  @Test(arguments: RealService.running.filter { $0.model == RowCar.self })
  func `An id that is not there is nil, and reaches no other model`(
    service: RealService
  ) async throws {
    try await service.alone {
      let rows = try await service.fill(try Car.all().prefix(2).map { $0 })
      let cars = repository(of: service, RowCar.self)
      // GraphQL has whole numbers of 32 bits.
      for id in [0, -1] + (service == .graphQL ? [] : [Int.max, Int.min]) {
        #expect(try await cars.findOne(["id": id]).value == nil)
        #expect(try await cars.updateOne(car(id)).value == nil)
        #expect(try await cars.removeOne(car(id)).value == nil)
      }
      #expect(try await service.rows(RowCar.self) == rows)
      #expect(try await cars.findOne(["id": rows[1].id]).value == rows[1])
    }
  }

  /// SQLite gives the id of its last row again once that is removed, unless a table is told not to.
  @Test(arguments: RealService.runningOnce.filter(\.givesIdentifiers))
  func `A removal whose answer is lost takes no model that the service then gives its id`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await service.fill(try Car.all().prefix(3).map(Model.init))
      let (meddler, clock) = (Meddler(service), ManualClock())
      let evocation = Evocation.flushedByHand(clock: clock)
      evocation.register(for: type)
        .conflicts { try .mergedByFields($0, preferring: .mine) }
        .repository(remote: repository(of: service, type, Wishes(transport: meddler, clock: clock)))
        .repository(local: InMemoryRepository<Model>()).strategy(.offlineFirst)
      _ = await evocation.find(model: type, rule: .mirrored)
      meddler.add(Meddler.Rule(fault: .lostAfter) { $0.action == "DELETE" })
      #expect(await evocation.removeOne(cars[2]).isPending)
      #expect(await evocation.outbox.flush().left == 1)
      // Ids go on behind the last row again.
      try await service.fill(try await service.rows(type))
      #expect(await evocation.storeOne(Model(car(-1, "new"))).isPending)
      clock.advance(by: .seconds(1))
      var left = 1
      for _ in 0..<4 where left > 0 {
        left = await evocation.outbox.flush().left
        clock.advance(by: .seconds(3600))
      }
      #expect(left == 0)
      let rows = try await service.rows(type)
      #expect(rows.map(\.name) == cars.prefix(2).map(\.name) + ["new"], "\(meddler.lines)")
    }
    try await service.alone { try await check(service.model) }
  }

  @Test(arguments: RealService.running.filter { $0 == .eve })
  func `A new document has the id that the service gives it`(service: RealService) async throws {
    try await service.alone {
      var format = HTTPFormat.eve
      format.identifiers = .placeholder { $0.isEmpty }
      let cars = HTTPRepository<DocumentCar>(HTTPService(service.address), "cars", format: format)
      var model = DocumentCar(car(1))
      model.id = ""
      let stored = try await cars.storeOne(model).value
      #expect(try await service.rows(DocumentCar.self) == [stored])
    }
  }
}

/// A model whose id is a UUID, which Swift writes in upper case.
private struct Part: Codable, Identifiable, Hashable, Sendable {
  let id: UUID
  var name: String
}

/// A car whose id is text.
protocol TextCar: ServiceCar where ID == String {
  var id: String { get set }
}

extension RecordCar: TextCar {}
extension BaseCar: TextCar {}
extension ResourceCar: TextCar {}
extension DocumentCar: TextCar {}
