import Evocation
import Fixtures
import TestTraits
import Testing

@testable import EvocationHTTP

/// What services say by themselves, as others change what they have.
@Suite(.patient) struct LiveTests {
  @Test(arguments: RealService.running.filter { $0 == .pocketBase })
  func `What a second client creates, changes and removes arrives`(
    service: RealService
  ) async throws {
    try await service.alone {
      let (cars, other) = (
        repository(of: service, BaseCar.self), repository(of: service, BaseCar.self)
      )
      var changes = cars.liveChanges(since: nil).makeAsyncIterator()
      let first = try #require(try await changes.next())
      #expect(first.stored.isEmpty && first.removed.isEmpty && first.mark == nil)
      var model = BaseCar(car(1))
      _ = try await other.storeOne(model)
      #expect(try await changes.next()?.stored == [model])
      model.name = "Škoda"
      _ = try await other.updateOne(model)
      #expect(try await changes.next()?.stored == [model])
      _ = try await other.removeOne(model)
      #expect(try await changes.next()?.removed == [model.id])
    }
  }

  @Test(arguments: RealService.running.filter { $0 == .pocketBase })
  func `Models join and leave one connection`(service: RealService) async throws {
    try await service.alone {
      let cars = repository(of: service, BaseCar.self)
      var outer = cars.liveChanges(since: nil).makeAsyncIterator()
      _ = try await outer.next()
      for id in 1...3 {
        // The same collection, and one that nothing happens to, which leave after an event.
        var inner = cars.liveChanges(since: nil).makeAsyncIterator()
        var stars = HTTPRepository<BaseCar>(
          cars.client.service, "collections/stars/records", format: .pocketBase
        ).liveChanges(since: nil).makeAsyncIterator()
        _ = try await (inner.next(), stars.next())
        let model = BaseCar(car(id))
        try await service.add(model)
        #expect(try await inner.next()?.stored == [model])
        #expect(try await outer.next()?.stored == [model])
      }
    }
  }
}
