import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// A record that has the service's version among its own properties.
  private struct Stamped: Codable, Identifiable, Hashable, Sendable {
    enum CodingKeys: String, CodingKey {
      case id, name, year
      case stamp = "last_modified"
    }
    var id: String
    var name: String
    var year: Int
    var stamp: Int?
  }

  /// Which version a write asks the service to have.
  @Suite(.patient) struct HTTPWriteBaseTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    /// The conditions of the writes so far.
    private func asked() async throws -> [String?] {
      try await service.requests().filter { $0.method != "GET" }.map { $0.headers["if-match"] }
    }

    private func write<Value>(
      on version: String?, _ write: () async throws -> Value
    ) async rethrows -> Value {
      let base = WriteBase(model: nil, condition: .version(version))
      return try await WriteBase.$current.withValue(base) { try await write() }
    }

    @Test func `A write that says what it was made on is refused by a service that has another`()
      async throws
    {
      let first = try await service.cars().findOne(["id": 1])
      let version = first.versions.first ?? nil
      _ = try await service.cars().updateOne(car(1, "theirs"))
      // A repository that has read the newer model does not know better than the write does.
      let cars = service.cars()
      _ = try await cars.findOne(["id": 1])
      let update = await failure {
        try await write(on: version) { try await cars.updateOne(car(1, "ours")) }
      }
      let removal = await failure {
        try await write(on: version) { try await cars.removeOne(car(1)) }
      }
      let replacement = await failure {
        try await write(on: version) { try await cars.storeOrUpdate([car(1, "ours")]) }
      }
      for error in [update, removal, replacement] {
        #expect((error as? HTTPError)?.code == .preconditionFailed)
      }
      #expect(try await service.cars().findOne(["id": 1]).value?.name == "theirs")
      #expect(try await asked().dropFirst() == [version, version, version])
    }

    @Test func `A repository that was made anew sends the version that the write was made on`()
      async throws
    {
      let version = try await service.cars().findOne(["id": 1]).versions.first ?? nil
      let written = try await write(on: version) {
        try await service.cars().updateOne(car(1, "ours"))
      }
      #expect(version != nil)
      #expect(try await asked() == [version])
      let again = try await write(on: written.versions.first ?? nil) {
        try await service.cars().storeOrUpdate([car(1, "more")])
      }
      #expect(again.value == [car(1, "more")])
    }

    @Test func `A write on no version asks for none, whatever the repository remembers`()
      async throws
    {
      let cars = service.cars()
      _ = try await cars.findOne(["id": 1])
      _ = try await service.cars().updateOne(car(1, "theirs"))
      let written = try await write(on: nil) { try await cars.updateOne(car(1, "ours")) }
      #expect(written.value?.name == "ours")
      #expect(try await asked() == [nil, nil])
    }

    @Test func `A base without a version leaves the condition to the repository`() async throws {
      let cars = service.cars()
      let version = try await cars.findOne(["id": 1]).versions.first ?? nil
      try await WriteBase.$current.withValue(WriteBase(model: nil)) {
        _ = try await cars.updateOne(car(1, "ours"))
      }
      #expect(try await asked() == [version])
    }

    @Test func `A version is for one model, and for an address that tells it`() async throws {
      let version = try await service.cars().findOne(["id": 1]).versions.first ?? nil
      let oneByOne = service.cars { $0.routes = .restOneByOne }
      _ = try await write(on: version) { try await oneByOne.update([car(1), car(2)]) }
      _ = try await write(on: version) { try await service.cars().storeOne(car(500)) }
      let elsewhere = service.cars { $0.routes.removeOne = .init("DELETE", "other/{id}") }
      _ = try await write(on: version) { try await elsewhere.removeOne(car(1)) }
      let off = service.cars { $0.sendsIfMatch = false }
      _ = try await write(on: version) { try await off.updateOne(car(1)) }
      #expect(try await asked() == [nil, nil, nil, nil, nil])
    }

    @Test func `A removal of what is gone is done, and a replacement of it is a conflict`()
      async throws
    {
      let version = try await service.cars().findOne(["id": 1]).versions.first ?? nil
      _ = try await service.cars().remove([car(1)])
      #expect(
        try await write(on: version) { try await service.cars().removeOne(car(1)).value } == nil)
      #expect(
        try await write(on: version) { try await service.cars().updateOne(car(1)).value } == nil)
      let error = await failure {
        try await write(on: version) { try await service.cars().storeOrUpdate([car(1)]) }
      }
      #expect((error as? HTTPError)?.failureKind == .conflict)
      #expect(try await service.cars().findOne(["id": 1]).value == nil)
    }

    @Test func `What is not sent, because nothing differs, has the version that it was made on`()
      async throws
    {
      let cars = service.cars { $0.routes.updateOne.sendsChanges = true }
      let base = WriteBase(model: car(1), condition: .version("\"7\""))
      let written = try await WriteBase.$current.withValue(base) {
        try await cars.updateOne(car(1))
      }
      #expect(written.versions == ["\"7\""])
      #expect(try await service.requests().isEmpty)
    }

    @Test func `A version that is the model's own property is the one that its write was made on`()
      async throws
    {
      let service = try await Service.start(dialect: .records)
      func repository() -> HTTPRepository<Stamped> {
        var configuration = Dialects.records()
        configuration.readOnlyKeys = ["last_modified"]
        return HTTPRepository(at: service.url, "cars", configuration)
      }
      var ours = try #require(try await repository().find(Criteria().limit(1)).value.first)
      ours.name = "ours"
      var theirs = try #require(try await repository().updateOne(ours).value)
      let cars = repository()
      // The list has brought the newer version, of which the edited copy knows nothing.
      theirs = try #require(try await cars.find(Criteria().limit(1)).value.first)
      #expect(theirs.stamp != ours.stamp)
      let error = await failure { try await cars.updateOne(ours) } as? HTTPError
      #expect(error?.code == .preconditionFailed)
      #expect((error?.current as? Stamped)?.stamp == theirs.stamp)
      #expect(error?.currentVersion == theirs.stamp.map { "\($0)" })
      theirs.name = "mine"
      #expect(try await repository().updateOne(theirs).value?.name == "mine")
      ours.stamp = nil
      _ = try await repository().updateOne(ours)
      let tags = try await service.requests().filter { $0.method == "PATCH" }
        .map { $0.headers["if-match"] }
      #expect(tags.count == 4 && tags.last == .some(nil))
    }
  }
#endif
