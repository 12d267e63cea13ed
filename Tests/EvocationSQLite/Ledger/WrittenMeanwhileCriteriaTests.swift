import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What the app writes while something is fetched, where it matters what was asked for.
@Suite(.patient) struct WrittenMeanwhileCriteriaTests {
  @Test(arguments: Meanwhile.Local.allCases)
  func `A page of what is mirrored removes nothing, and brings back nothing that the app removed`(
    _ local: Meanwhile.Local
  ) async throws {
    let criteria = Criteria().limit(3)
    func held(after write: @Sendable (Evocation) async -> Void) async throws -> [Int] {
      let (place, gate) = (try Meanwhile(local, write: .localOnly), Gate())
      _ = try await place.local.store([1, 2, 4, 5, 6, 7].map { Thing(id: $0, version: 0) })
      try await place.service.have([1, 3, 4, 5].map { Thing(id: $0) })
      place.service.findGate = gate
      async let result = place.evocation.find(model: Thing.self, criteria: criteria)
      await gate.arrivals(1)
      await write(place.evocation)
      gate.open()
      #expect(await result.synchronizationError == nil)
      return try await place.held().map(\.id)
    }
    #expect(try await held { _ in } == [1, 2, 3, 4, 5, 6, 7])
    #expect(try await held { _ = await $0.removeOne(Thing(id: 4)) } == [1, 2, 3, 5, 6, 7])
    #expect(try await held { _ = await $0.storeOne(Thing(id: 0)) }.first == 0)
    #expect(try await held { _ = await $0.updateOne(Thing(id: 2)) }.contains(2))
    let all = [1, 3, 4].map { Thing(id: $0, version: 9) }
    #expect(try await held { _ = await $0.storeOrUpdate(all) }.suffix(3) == [5, 6, 7])
  }

  @Test(arguments: Meanwhile.Local.allCases)
  func `One that is found leaves alone what the app made of it`(
    _ local: Meanwhile.Local
  ) async throws {
    for isThere in [true, false] {
      let (place, gate) = (try Meanwhile(local, write: .localOnly), Gate())
      _ = try await place.local.store([Thing(id: 1, version: 0), Thing(id: 2, version: 0)])
      try await place.service.have(isThere ? [Thing(id: 1)] : [])
      place.service.findGate = gate
      async let found = place.evocation.findOne(model: Thing.self, criteria: ["kind": 0])
      await gate.arrivals(1)
      let mine = Thing(id: 1, version: 9)
      #expect(await place.evocation.updateOne(mine).error == nil)
      gate.open()
      #expect(await found.data == (isThere ? Thing(id: 1) : nil))
      let expected = isThere ? [mine, Thing(id: 2, version: 0)] : [mine]
      #expect(try await place.held() == expected)
    }
  }

  @Test(arguments: Meanwhile.Local.allCases)
  func `What the app moved out of the criteria is not brought back by them`(
    _ local: Meanwhile.Local
  ) async throws {
    let (place, gate) = (try Meanwhile(local), Gate())
    let cache = place.cache()
    cache.requirements = ["kind": 0]
    try await place.service.have([Thing(id: 1), Thing(id: 2)])
    #expect(try await cache.refresh() == .successful)
    place.service.findGate = gate
    async let refreshed = cache.refresh(force: true)
    await gate.arrivals(1)
    #expect(await place.evocation.updateOne(Thing(id: 1, version: 9, kind: 1)).error == nil)
    gate.open()
    #expect(try await refreshed == .successful)
    #expect(try await cache.value(from: .cache) == [Thing(id: 2)])
    #expect(try await place.held() == [Thing(id: 1, version: 9, kind: 1), Thing(id: 2)])
  }

  @Test func `A read does not wait for a write, and is saved behind it`() async throws {
    let (place, gate) = (try Meanwhile(.memory), Gate())
    try await place.service.have([Thing(id: 1), Thing(id: 2)])
    place.service.writeGate = gate
    async let written = place.evocation.storeOrUpdate([Thing(id: 2, version: 9)])
    await gate.arrivals(1)
    let result = await place.evocation.find(model: Thing.self)
    #expect(result.data == [Thing(id: 1), Thing(id: 2)])
    #expect(
      "\(result.trace)".contains(
        "local was skipped: the local store saves it after the writes that were already running."))
    #expect(try await place.held() == [Thing(id: 2, version: 9)])
    gate.open()
    #expect(await written.error == nil)
    await place.settle()
    #expect(try await place.held() == [Thing(id: 1), Thing(id: 2, version: 9)])
    let sentence = "local was skipped: 1 model was written in the meantime and stays as it is."
    try await eventually("the trace of what was saved behind the answer") {
      place.traces.withLock { traces in traces.contains { "\($0)".contains(sentence) } }
    }
  }

  @Test func `A refresh tells how many models were left alone`() async throws {
    let (place, gate) = (try Meanwhile(.sqlite, write: .localOnly), Gate())
    let cache = place.cache()
    try await place.service.have([Thing(id: 1), Thing(id: 2), Thing(id: 3)])
    place.service.findGate = gate
    async let refreshed = cache.refresh()
    await gate.arrivals(1)
    let mine = [2, 3, 4].map { Thing(id: $0, version: 9) }
    #expect(await place.evocation.store(mine).error == nil)
    gate.open()
    #expect(try await refreshed == .successful)
    let sentence = "local was skipped: 2 models were written in the meantime and stay as they are."
    #expect(place.traces.withLock { $0.last.map { "\($0)".contains(sentence) } } == true)
    #expect(try await place.held() == [Thing(id: 1)] + mine)
  }

  @Test func `What the app puts into one cache stays when another is fetched`() async throws {
    let (place, gate) = (try Meanwhile(.memory), Gate())
    let (all, some) = (place.cache(), place.cache())
    some.requirements = ["kind": 0]
    try await place.service.have([Thing(id: 1), Thing(id: 2)])
    place.service.findGate = gate
    async let refreshed = all.refresh()
    await gate.arrivals(1)
    try await some.update([Thing(id: 1, version: 9), Thing(id: 3, version: 9)])
    gate.open()
    #expect(try await refreshed == .successful)
    let expected = [Thing(id: 1, version: 9), Thing(id: 2), Thing(id: 3, version: 9)]
    #expect(try await place.held() == expected)
    #expect(try await all.value(from: .cache) == expected)
  }

  @Test func `A write through a proxy that is registered anew during a fetch stays too`()
    async throws
  {
    let (place, gate) = (try Meanwhile(.memory), Gate())
    let cache = place.cache()
    try await place.service.have([Thing(id: 1), Thing(id: 2)])
    place.service.findGate = gate
    async let refreshed = cache.refresh()
    await gate.arrivals(1)
    place.evocation.register(for: Thing.self).repository(remote: place.service)
      .repository(local: place.local)
    #expect(await place.evocation.storeOrUpdate([Thing(id: 2, version: 9)]).error == nil)
    gate.open()
    #expect(try await refreshed == .successful)
    #expect(try await place.held() == [Thing(id: 1), Thing(id: 2, version: 9)])
  }
}
