import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// Writes of what differs from what the service has.
  @Suite(.patient) struct HTTPDifferencesTests {
    private let service: Service
    private let cars: HTTPRepository<Car>

    init() async throws {
      service = try await Service.start()
      cars = service.cars { $0.routes.updateOne.sendsChanges = true }
    }

    private func bodies() async throws -> [String?] {
      try await service.requests().filter { $0.method == "PATCH" }.map(\.body)
    }

    @Test func `A change of a name sends the name`() async throws {
      var one = try #require(try await cars.findOne(["id": 1]).value)
      one.name = "new"
      let changed = try await cars.updateOne(one).value
      #expect(changed == one)
      one.horsepower = nil
      #expect(try await cars.updateOne(one).value == one)
      #expect(try await bodies() == [#"{"name":"new"}"#, #"{"horsepower":null}"#])
    }

    @Test func `Models of a list are known too, and a list of writes sends what differs of each`()
      async throws
    {
      let cars = service.cars {
        $0.routes = .restOneByOne
        $0.routes.updateOne.sendsChanges = true
      }
      var two = try await cars.find(Criteria.Key("id").in([1, 2])).value
      two[0].weight = 7
      two[1].name = "x"
      #expect(try await cars.update(two).value == two)
      #expect(try await bodies() == [#"{"weight":7}"#, #"{"name":"x"}"#])
    }

    @Test func `Where nothing differs nothing is sent`() async throws {
      let one = try #require(try await cars.findOne(["id": 1]).value)
      #expect(try await cars.updateOne(one).value == one)
      #expect(try await bodies().isEmpty)
    }

    @Test func `Where nothing is known the whole model is sent`() async throws {
      _ = try await cars.updateOne(car(1))
      #expect(try await bodies().first??.contains("\"acceleration\":1") == true)
      _ = try await cars.removeOne(car(1))
      _ = try await cars.updateOne(car(1))
      #expect(try await bodies().last??.contains("\"acceleration\":1") == true)
    }

    @Test func `The base that is given goes before what is known`() async throws {
      let one = try #require(try await cars.findOne(["id": 1]).value)
      var base = one
      base.year = 1
      try await WriteBase.$current.withValue(WriteBase(model: base)) {
        _ = try await cars.updateOne(one)
      }
      #expect(try await bodies() == [#"{"year":1970}"#])
    }

    @Test func `An outbox sends what differs from its entry's base`() async throws {
      let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
      evocation.register(for: Car.self)
        .repository(remote: cars).repository(local: InMemoryRepository<Car>())
        .strategy(.offlineFirst)
      var one = try #require(await evocation.findOne(model: Car.self, criteria: ["id": 1]).data)
      one.name = "first"
      #expect(await evocation.updateOne(one).isPending)
      one.weight = 2
      #expect(await evocation.updateOne(one).isPending)
      while await evocation.outbox.flush().left > 0, !Task.isCancelled {}
      #expect(try await bodies() == [#"{"name":"first","weight":2}"#])
    }
  }
#endif
