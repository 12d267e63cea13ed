import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct EntityTagTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    /// The tags that were asked with, of the writes so far.
    private func asked() async throws -> [String?] {
      try await service.requests().filter { $0.method != "GET" }.map { $0.headers["if-match"] }
    }

    @Test func `A model that was read or written by itself is changed by its version`()
      async throws
    {
      let cars = service.cars()
      let read = try await cars.findOne(["id": 1]).metadata["etag"] as? String
      let written = try await cars.updateOne(car(1, "a")).metadata["etag"] as? String
      _ = try await cars.updateOne(car(1, "b"))
      #expect(try await cars.removeOne(car(1)).value?.name == "b")
      _ = try await cars.storeOrUpdate([car(1)])
      _ = try await cars.updateOne(car(1, "c"))
      _ = try await cars.updateOne(car(2))
      let tags = try await asked()
      #expect(read != nil && written != nil && read != written)
      #expect(tags[0] == read && tags[1] == written)
      #expect(tags[2] != nil && tags[3] == nil && tags[4] != nil && tags[5] == nil)
    }

    @Test func `After a sign-out nothing is asked, or based on, what was answered before`()
      async throws
    {
      let (cars, evocation) = (service.cars(), Evocation())
      evocation.register(for: Car.self).repository(remote: cars).strategy(.remoteOnly)
      for _ in 1...2 { _ = await evocation.findOne(model: Car.self, criteria: ["id": 1]) }
      #expect(try await service.requests().last?.headers["if-none-match"] != nil)
      try await evocation.signOut(.block)
      _ = await evocation.updateOne(car(1, "a"))
      #expect(try await asked() == [nil])
      _ = await evocation.findOne(model: Car.self, criteria: ["id": 1])
      #expect(try await service.requests().last?.headers["if-none-match"] == nil)
    }

    @Test func `What somebody else has changed is not overwritten until it is read again`()
      async throws
    {
      let (cars, others) = (service.cars(), service.cars())
      _ = try await cars.findOne(["id": 1])
      _ = try await others.updateOne(car(1, "theirs"))
      for _ in 1...2 {
        let update = await failure { try await cars.updateOne(car(1, "ours")) }
        let removal = await failure { try await cars.removeOne(car(1)) }
        #expect((update as? HTTPError)?.code == .preconditionFailed)
        #expect((removal as? HTTPError)?.code == .preconditionFailed)
      }
      #expect(try await cars.findOne(["id": 1]).value?.name == "theirs")
      #expect(try await cars.updateOne(car(1, "ours")).value?.name == "ours")
    }

    @Test func `What somebody else has removed is answered as nil`() async throws {
      let (cars, others) = (service.cars(), service.cars())
      for id in [1, 2] { _ = try await cars.findOne(["id": id]) }
      _ = try await others.remove([car(1), car(2)])
      #expect(try await cars.updateOne(car(1)).value == nil)
      #expect(try await cars.removeOne(car(2)).value == nil)
      #expect(try await cars.storeOne(car(1)).value == car(1))
      #expect(try await cars.updateOne(car(1, "a")).value == car(1, "a"))
    }

    @Test func `A list that brings a newer version makes an older tag forgotten`() async throws {
      let (cars, others) = (service.cars(), service.cars())
      _ = try await cars.findOne(["id": 1])
      _ = try await others.updateOne(car(1, "theirs"))
      _ = try await cars.find(["id": 1])
      #expect(try await cars.updateOne(car(1, "ours")).value?.name == "ours")
      #expect(try await asked() == [nil, nil])
    }

    @Test func `A list that still holds leaves what was learned since`() async throws {
      let cars = service.cars()
      _ = try await cars.find(Criteria().limit(2))
      _ = try await cars.findOne(["id": 1])
      #expect(try await cars.find(Criteria().limit(2)).metadata["status"] as? Int == 304)
      _ = try await cars.updateOne(car(1))
      #expect(try await asked().first != .some(nil))
    }

    @Test func `Writes of several models, and at the models' common address, ask nothing`()
      async throws
    {
      let cars = service.cars()
      for id in [1, 2] { _ = try await cars.findOne(["id": id]) }
      _ = try await cars.update([car(1), car(2)])
      _ = try await cars.updateOne(car(1))
      _ = try await cars.remove([car(1), car(2)])
      _ = try await cars.storeOne(car(1))
      #expect(try await asked() == [nil, nil, nil, nil])
    }

    @Test func `One by one, several models are changed by their versions`() async throws {
      let cars = service.cars {
        $0.routes.update = nil
        $0.routes.remove = nil
      }
      for id in [1, 2] { _ = try await cars.findOne(["id": id]) }
      _ = try await cars.update([car(1), car(2)])
      _ = try await cars.remove([car(1), car(2)])
      let tags = try await asked().compactMap(\.self)
      #expect(tags.count == 4 && Set(tags).count == 4)
    }

    @Test func `Nothing is asked when that is turned off`() async throws {
      let cars = service.cars { $0.sendsIfMatch = false }
      _ = try await cars.findOne(["id": 1])
      _ = try await service.cars().updateOne(car(1, "theirs"))
      #expect(try await cars.updateOne(car(1, "ours")).value?.name == "ours")
      #expect(try await asked() == [nil, nil])
    }

    @Test func `A tag of an answer that must not be stored is a tag all the same`() async throws {
      let cars = service.cars()
      let body = String(decoding: try JSONEncoder().encode(car(1)), as: UTF8.self)
      let headers = ["ETag": "\"1\"", "Cache-Control": "private, no-store"]
      try await service.control(.status(200, times: 1, headers: headers, body: body))
      _ = try await cars.findOne(["id": 1])
      let error = await failure { try await cars.updateOne(car(1)) } as? HTTPError
      #expect(error?.code == .preconditionFailed)
      #expect(try await asked() == ["\"1\""])
    }

    @Test(arguments: [["ETag": "W/\"1\""], [:]])
    func `A tag that is weak is not asked with`(
      headers: [String: String]
    ) async throws {
      let cars = service.cars()
      let body = String(decoding: try JSONEncoder().encode(car(1)), as: UTF8.self)
      _ = try await cars.findOne(["id": 1])
      try await service.control(.status(200, times: 1, headers: headers, body: body))
      _ = try await cars.findOne(["id": 1])
      _ = try await cars.updateOne(car(1))
      #expect(try await asked() == [nil])
    }

    @Test func `A tag holds for one address`() async throws {
      let cars = service.cars { $0.routes.updateOne = .init("PUT", "{path}/{id}/") }
      let elsewhere = service.cars { $0.routes.updateOne = .init("PATCH", "other/{id}") }
      for each in [cars, elsewhere] { _ = try await each.findOne(["id": 1]) }
      _ = try await cars.updateOne(car(1))
      let error = await failure { try await elsewhere.updateOne(car(1)).value }
      #expect(error == nil)
      let tags = try await asked()
      #expect(tags.count == 2 && tags[0] != nil && tags[1] == nil)
    }

    @Test func `A write whose answer was lost is known again by its key, and else refused`()
      async throws
    {
      let cars = service.cars()
      _ = try await cars.findOne(["id": 1])
      try await service.control(.hangUp(.midAnswer, times: 1))
      try await IdempotencyKey.$current.withValue("k") {
        let lost = await failure { try await cars.updateOne(car(1, "a")) }
        #expect((lost as? HTTPError)?.code == .connectionLost)
        let repeated = try await cars.updateOne(car(1, "a"))
        #expect(repeated.value == car(1, "a"))
      }
      try await service.control(.hangUp(.midAnswer, times: 1))
      _ = await failure { try await cars.updateOne(car(1, "b")) }
      let error = await failure { try await cars.updateOne(car(1, "b")) }
      #expect((error as? HTTPError)?.code == .preconditionFailed)
      #expect(try await cars.findOne(["id": 1]).value == car(1, "b"))
      #expect(try await cars.updateOne(car(1, "c")).value == car(1, "c"))
    }

    @Test func `A refusal whose reason cannot be looked up is told as it was`() async throws {
      let cars = service.cars()
      _ = try await cars.findOne(["id": 1])
      _ = try await service.cars().updateOne(car(1, "theirs"))
      try await service.control(.status(412, times: 1))
      try await service.control(.status(500, times: 1))
      let error = await failure { try await cars.updateOne(car(1)) }
      #expect((error as? HTTPError)?.code == .preconditionFailed)
    }
  }
#endif
