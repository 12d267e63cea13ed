import Evocation
import EvocationHTTP
import Fixtures
import TestSupport
import TestTraits
import Testing

/// A car as an older version of an app knows it: a record of Kinto.
private struct OlderRecord: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var name: String
}

/// The same as a row of Django REST framework.
private struct OlderRow: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String
}

/// The same as a document of Eve.
private struct OlderDocument: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var name: String

  private enum CodingKeys: String, CodingKey {
    case id = "_id"
    case name
  }
}

/// What a newer version of an app has saved, where an older one replaces models.
@Suite(.patient) struct NewerAppTests {
  @Test(
    arguments: RealService.running.filter { $0.isKinto || $0 == .djangoSized || $0 == .eve })
  func `A PUT of an older app keeps what a newer one saved`(service: RealService) async throws {
    func check<Newer: ServiceCar, Older: Codable & Identifiable & Sendable>(
      _ newer: Newer.Type, _ older: Older.Type, rename: (inout Older) -> Void
    ) async throws {
      var car = car(8)
      (car.milesPerGallon, car.horsepower) = (18.25, 130)
      var whole = Newer(car)
      #expect(try await service.fill([whole]) == [whole])
      let repository = repository(of: service, older, Wishes(replaces: true))
      var found = try #require(try await repository.find(Criteria()).value.first)
      rename(&found)
      let said = try await repository.updateOne(found)
      #expect(said.value != nil)
      whole.name = "renamed"
      #expect(try await service.rows(newer) == [whole])
    }
    try await service.alone {
      switch service {
      case .djangoSized: try await check(RowCar.self, OlderRow.self) { $0.name = "renamed" }
      case .eve: try await check(DocumentCar.self, OlderDocument.self) { $0.name = "renamed" }
      default: try await check(RecordCar.self, OlderRecord.self) { $0.name = "renamed" }
      }
    }
  }
}
