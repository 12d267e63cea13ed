import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

/// What the app writes while pages of a list are fetched.
@Suite(.patient) struct WrittenMeanwhileListTests {
  @Test(arguments: Meanwhile.Local.allCases)
  func `A page that is loaded while the app writes is saved, with what the app wrote`(
    _ local: Meanwhile.Local
  ) async throws {
    let (place, gate) = (try Meanwhile(local), Gate())
    let list = place.list(pageSize: 2)
    try await place.service.have([1, 2, 3, 4].map { Thing(id: $0) })
    #expect(try await list.refresh() == .successful)
    place.service.findGate = gate
    async let paged = list.goToNextPage()
    await gate.arrivals(1)
    #expect(await place.evocation.updateOne(Thing(id: 1, version: 9)).error == nil)
    #expect(await place.evocation.storeOne(Thing(id: 3, version: 9)).error == nil)
    #expect(await place.evocation.removeOne(Thing(id: 4)).error == nil)
    gate.open()
    #expect(await paged == .successful)
    #expect(place.service.findCount == 2)
    let expected = [Thing(id: 1, version: 9), Thing(id: 2), Thing(id: 3, version: 9)]
    #expect(try await list.value(from: .cache) == expected)
    #expect(try await place.held() == expected)
  }

  @Test(arguments: Meanwhile.Local.allCases)
  func `What only the old list had is not removed with it when the app wrote it`(
    _ local: Meanwhile.Local
  ) async throws {
    let (place, gate) = (try Meanwhile(local, write: .localOnly), Gate())
    let list = place.list(pageSize: 5)
    try await place.service.have([1, 2, 3].map { Thing(id: $0) })
    #expect(try await list.refresh() == .successful)
    try await place.service.have([Thing(id: 1)])
    place.service.findGate = gate
    async let refreshed = list.refresh(force: true)
    await gate.arrivals(1)
    #expect(await place.evocation.updateOne(Thing(id: 3, version: 9)).error == nil)
    gate.open()
    #expect(try await refreshed == .successful)
    #expect(try await list.value(from: .cache) == [Thing(id: 1)])
    #expect(try await place.held() == [Thing(id: 1), Thing(id: 3, version: 9)])
  }
}
