import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// The versions that come with a service's models.
  @Suite(.patient) struct HTTPVersionsOfAnswersTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private func records() async throws -> (Service, HTTPRepository<RecordCar>) {
      let service = try await Service.start(dialect: .records)
      return (
        service,
        HTTPRepository(at: service.url, "cars", Dialects.records())
      )
    }

    @Test func `A model that is read, stored or changed comes with its entity tag`() async throws {
      let cars = service.cars()
      try await service.control(.lines("ETag: \"new\"", times: 1).only(method: "POST"))
      #expect(try await cars.storeOne(car(500)).versions == ["\"new\""])
      #expect(try await cars.storeOne(car(501)).versions.isEmpty)
      let read = try await cars.findOne(["id": 500])
      #expect(read.versions == [read.metadata["etag"] as? String] && read.versions != [nil])
      let changed = try await cars.updateOne(car(500, "changed"))
      #expect(changed.versions == [changed.metadata["etag"] as? String])
      #expect(changed.versions != read.versions)
      let replaced = try await cars.storeOrUpdate([car(500, "replaced")])
      #expect(replaced.versions == [replaced.metadata["etag"] as? String])
      #expect(try await cars.findOne(["id": 500]).versions == replaced.versions)
      #expect(try await cars.removeOne(car(500)).versions.isEmpty)
      #expect(try await cars.findOne(["id": 500]).versions.isEmpty)
    }

    @Test func `An answer that is remembered comes with its version too`() async throws {
      let cars = service.cars()
      let first = try await cars.findOne(["id": 1])
      let second = try await cars.findOne(["id": 1])
      #expect(second.metadata["status"] as? Int == 304)
      #expect(first.versions == second.versions && first.versions.count == 1)
    }

    @Test(arguments: [["ETag": "W/\"1\""], [:]])
    func `What tells no single version comes without one`(headers: [String: String]) async throws {
      let cars = service.cars()
      let body = String(decoding: try JSONEncoder().encode(car(1)), as: UTF8.self)
      try await service.control(.status(200, headers: headers, body: body))
      #expect(try await cars.findOne(["id": 1]).versions.isEmpty)
      #expect(try await cars.updateOne(car(1)).versions.isEmpty)
      // The tag of an answer from the models' common address is not the one model's.
      try await service.control(.status(200, headers: ["ETag": "\"1\""], body: body))
      #expect(try await cars.storeOne(car(1)).versions.isEmpty)
    }

    @Test func `The date of the last change is the version where the configuration says so`()
      async throws
    {
      let day = "Wed, 21 Oct 2026 07:28:00 GMT"
      let cars = service.cars { $0.version = .lastModified }
      try await service.control(.lines("Last-Modified: \(day)"))
      #expect(try await cars.findOne(["id": 1]).versions == [day])
      #expect(try await cars.updateOne(car(1)).versions == [day])
    }

    @Test func `Entity tags of lists and of another address are no versions of models`()
      async throws
    {
      let cars = service.cars { $0.routes.updateOne = .init("PATCH", "other/{id}") }
      #expect(try await cars.findOne(["id": 1]).versions.isEmpty)
      #expect(try await service.cars().find(Criteria().limit(2)).versions.isEmpty)
    }

    @Test func `No versions come where the service is not to compare them`() async throws {
      let cars = service.cars { $0.sendsIfMatch = false }
      #expect(try await cars.findOne(["id": 1]).versions.isEmpty)
      #expect(try await cars.updateOne(car(1)).versions.isEmpty)
      let service = try await Service.start(dialect: .records)
      var configuration = Dialects.records()
      configuration.sendsIfMatch = false
      let records = HTTPRepository<RecordCar>(at: service.url, "cars", configuration)
      #expect(try await records.find(Criteria().limit(2)).versions.isEmpty)
    }

    @Test func `A list has the version of each model, over all pages, where it is a property`()
      async throws
    {
      let (service, cars) = try await records()
      let all = try await cars.find(Criteria())
      #expect(all.versions.count == 406 && !all.versions.contains(nil))
      var configuration = Dialects.records()
      configuration.filters.largestPage = 10
      let paged = HTTPRepository<RecordCar>(at: service.url, "cars", configuration)
      let some = try await paged.find(Criteria().limit(25))
      #expect(some.value == Array(all.value.prefix(25)))
      #expect(some.versions == Array(all.versions.prefix(25)))
      #expect(try await paged.findOne(Criteria()).versions == [all.versions[0]])
      let one = try await cars.findOne(["id": all.value[3].id])
      #expect(one.versions == [all.versions[3]])
    }

    @Test func `What is filtered here keeps the versions of what is left`() async throws {
      let (service, cars) = try await records()
      let all = try await cars.find(Criteria())
      var configuration = Dialects.records()
      configuration.filtersHere = true
      let filtering = HTTPRepository<RecordCar>(at: service.url, "cars", configuration)
      let wanted = Criteria.Key("name").hasPrefix("ford") || ["year": 1982]
      let found = try await filtering.find(wanted.sorted(by: "name"))
      #expect(found.value.count > 10 && found.value.count < 406)
      for (model, version) in zip(found.value, found.versions) {
        let index = try #require(all.value.firstIndex { $0.id == model.id })
        #expect(version == all.versions[index])
      }
      #expect(found.versions.count == found.value.count)
    }

    @Test func `Several models that are written have their versions, in one request or in several`()
      async throws
    {
      let (service, cars) = try await records()
      let two = try await cars.find(Criteria().limit(2)).value
      let batch = try await cars.update(two)
      #expect(batch.versions.count == 2 && !batch.versions.contains(nil))
      var configuration = Dialects.records()
      configuration.batch = nil
      let single = HTTPRepository<RecordCar>(at: service.url, "cars", configuration)
      let each = try await single.update([two[0], RecordCar(car(999)), two[1]])
      #expect(each.value == two)
      #expect(each.versions.count == 2 && !each.versions.contains(nil))
      let present = try await cars.find(Criteria.Key("id").in(two.map(\.id)))
      for (model, version) in zip(present.value, present.versions) {
        let index = try #require(two.firstIndex { $0.id == model.id })
        #expect(version == each.versions[index])
      }
    }

    @Test(arguments: [true, false])
    func `A conflict comes with the version of the service's model`(isProperty: Bool) async throws {
      guard isProperty else {
        let (cars, others) = (service.cars(), service.cars())
        _ = try await cars.findOne(["id": 1])
        let theirs = try await others.updateOne(car(1, "theirs"))
        let body = String(decoding: try JSONEncoder().encode(theirs.value), as: UTF8.self)
        let tag = try #require(theirs.versions.first ?? nil)
        try await service.control(.status(412, times: 1, headers: ["ETag": tag], body: body))
        let error = await failure { try await cars.updateOne(car(1, "ours")) }
        let conflict = try #require(error as? any ConflictError)
        #expect(conflict.current as? Car == theirs.value)
        #expect(conflict.currentVersion == tag)
        try await service.control(.status(412, times: 1, body: body))
        let untold = await failure { try await cars.updateOne(car(1, "ours")) } as? HTTPError
        #expect(untold?.current != nil && untold?.currentVersion == nil)
        return
      }
      let (service, cars) = try await records()
      let others = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.records())
      let ours = try #require(try await cars.find(Criteria().limit(1)).value.first)
      var changed = ours
      changed.name = "theirs"
      let theirs = try await others.updateOne(changed)
      let error = await failure { try await cars.updateOne(ours) } as? HTTPError
      #expect(error?.current as? RecordCar == changed)
      #expect(error?.currentVersion == theirs.versions.first ?? nil)
      #expect(error?.currentVersion != nil)
    }

    @Test func `An error of a repository that says no version has none`() {
      struct Taken: ConflictError { var current: (any Sendable)? }
      #expect(Taken(current: 1).currentVersion == nil)
      #expect(Taken(current: nil).failureKind == .conflict)
    }
  }
#endif
